//! Reads runs out of archives as the command does.

use memlens::archive::Beginning;
use memlens::archive::list::{Listed, Lister};
use memlens::archive::place::Tree;
use memlens::folder::{self, FileEntry, interest};
use memlens::problem::Problem;
use memlens::session::{Options, Session};

fn gbk(bytes: &[u8]) -> Option<String> {
    encoding_rs::GBK.decode_without_bom_handling_and_without_replacement(bytes).map(Into::into)
}

/// Lists an archive; also gives how many bytes were asked for.
pub fn list(name: &str, bytes: &[u8]) -> (Listed, u64) {
    let mut lister = Lister::new(name, bytes.len() as u64, interest, gbk);
    let mut asked = 0;
    let mut rounds = 0;
    while let Some((at, count)) = lister.want() {
        assert!(count > 0 && at + count <= bytes.len() as u64 || bytes.is_empty(), "{name}: {at} {count}");
        let end = ((at + count) as usize).min(bytes.len());
        lister.give(&bytes[at as usize..end]);
        asked += count;
        rounds += 1;
        assert!(rounds < 10_000, "{name}: no end");
    }
    (lister.finish(), asked)
}

/// What came out of an archive.
pub struct Unpacked {
    pub problems: Vec<Problem>,
    /// As [`super::Files::answers`] gives them.
    pub answers: Vec<(String, String)>,
}

/// Reads every rank folder in an archive, fed in pieces of `piece` bytes.
pub fn read(name: &str, bytes: &[u8], piece: usize) -> Unpacked {
    let (listed, _) = list(name, bytes);
    let Listed { members, problems } = Tree::default().place(name, listed, false);
    let entry = |member: &memlens::archive::list::Member| FileEntry {
        path: member.path.clone(),
        size: member.size,
        part: member.part.clone(),
    };
    let entries: Vec<FileEntry> = members.iter().map(entry).collect();
    let run = folder::find(&entries).finish(|wanted| {
        let member = &members[wanted.index];
        let part = member.part.as_ref()?;
        let packed = &bytes[part.start as usize..part.end as usize];
        let mut beginning = Beginning::new(Some(part), wanted.from + wanted.bytes);
        beginning.feed(packed);
        let bytes = member.bytes.clone().unwrap_or_else(|| beginning.finish());
        Some(bytes.get(wanted.from as usize..).unwrap_or_default().to_vec())
    });
    let answers = run.rank_folders.into_iter().map(|folder| {
        let mut session = Session::new(folder, Options::default());
        for file in session.read_order() {
            let part = session.folder().files[file].part.clone().unwrap();
            session.begin(file);
            for piece in bytes[part.start as usize..part.end as usize].chunks(piece) {
                if session.wants_more() {
                    session.feed(piece);
                }
            }
        }
        session.finish();
        (super::csv_text(&session, true), serde_json::to_string_pretty(session.summary()).unwrap())
    });
    Unpacked { answers: answers.collect(), problems }
}
