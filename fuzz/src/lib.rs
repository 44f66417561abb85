//! What the fuzz targets share: files in memory read by a session, whole and in pieces, which must come to the same.

use memlens::analysis::answer::{GroupBy, TopQuery};
use memlens::folder::{self, FileEntry, Run};
use memlens::matching::MatchRule;
use memlens::read::database::BlockSize;
use memlens::read::read_at::ReadAt;
use memlens::session::{Options, Session};

/// Files by path.
pub type Files = Vec<(String, Vec<u8>)>;

/// Where the files of ASCEND_PROFILER_OUTPUT lie.
pub const OUTPUT: &str = "run/actor/host_1_20260526085155596_ascend_pt/ASCEND_PROFILER_OUTPUT";

/// Two rows for a trace to be joined to.
pub const ROWS: &str = "Name,Size(KB),Allocation Time(us),Release Time(us),Stream Ptr,Device Type\r\naten::a,8,1779785515000100.125\t,,1,NPU:0\r\naten::mm,16,1779785515000150.250\t,1779785515000190.250\t,1,NPU:0\r\n";

/// The file's first two bytes choose how: which case, and how large the pieces are.
pub fn head(data: &[u8]) -> Option<(u8, usize, &[u8])> {
    let (case, rest) = data.split_first()?;
    let (piece, rest) = rest.split_first()?;
    Some((*case, 1 + usize::from(*piece) * 7, rest))
}

/// The rank folders of these files.
pub fn find(files: &Files) -> Run {
    let entries: Vec<FileEntry> =
        files.iter().map(|(path, bytes)| FileEntry::new(path.clone(), bytes.len() as u64)).collect();
    folder::find(&entries).finish(|wanted| files.get(wanted.index).map(|(_, bytes)| bytes.clone()))
}

/// Reads every rank folder and asks every question; gives the answers.
pub fn answers(files: &Files, rule: MatchRule, piece: usize) -> Vec<String> {
    let mut all = Vec::new();
    for rank in find(files).rank_folders {
        let mut session = Session::new(rank, Options { rule, ..Options::default() });
        for file in session.read_order() {
            let Some(index) = session.folder().files.get(file).map(|file| file.index) else { continue };
            session.begin(file);
            for bytes in files[index].1.chunks(piece) {
                session.feed(bytes);
            }
        }
        session.finish();
        ask(&session, &mut all);
    }
    all
}

/// Asks a session that has read all every question.
fn ask(session: &Session, all: &mut Vec<String>) {
    let mut rows = Vec::new();
    session.write_rows(0, usize::MAX, true, &mut rows);
    all.push(String::from_utf8(rows).expect("rows are text"));
    all.push(serde_json::to_string(session.summary()).expect("a summary is JSON"));
    let window = session.row_times(0, 1).first().copied().unwrap_or(0);
    for at in [0, window, i64::MAX, i64::MIN] {
        all.push(format!("{:?} {:?}", session.totals_at(at), session.balance(at)));
        for by in [GroupBy::Operator, GroupBy::Stack, GroupBy::UserFrame] {
            all.push(format!("{:?}", session.top(&TopQuery { at_ns: at, pool: None, by, within: None, limit: 3 })));
        }
        all.push(format!("{:?}", session.timeline(at, at.saturating_add(1_000_000), 7)));
    }
    all.push(format!("{:?}", session.timeline(i64::MIN, i64::MAX, 7)));
}

/// The same of rank folders with a database, read in blocks of about `block` bytes.
pub fn database_answers(files: &Files, block: usize) -> Vec<String> {
    let mut all = Vec::new();
    for rank in find(files).rank_folders {
        let mut session = Session::new(rank, Options::default());
        for file in session.read_order() {
            if !session.wants(file) || !session.is_database(file) {
                continue;
            }
            let source = |file: usize| {
                let file = session.folder().files.get(file)?;
                Some(Box::new(files.get(file.index)?.1.clone()) as Box<dyn ReadAt>)
            };
            let log = session.log_of(file).and_then(source);
            let Some(source) = source(file) else { continue };
            let block = BlockSize { bytes: block, kept: 2 };
            assert!(session.read_database_in(block, file, source, log, Box::new(|_| true)), "nobody cancelled");
        }
        session.finish();
        ask(&session, &mut all);
    }
    all
}

/// Whole and in pieces, by both rules.
pub fn same_in_pieces(files: &Files, piece: usize) {
    for rule in [MatchRule::Best, MatchRule::Reference] {
        assert_eq!(answers(files, rule, usize::MAX), answers(files, rule, piece), "pieces of {piece}");
    }
}
