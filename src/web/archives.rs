//! Opens archives among the files given: a worker lists each, its members take their places among the others.

use web_sys::File;

use super::intake::Picked;
use super::job::job;
use super::messages::{Order, Report};
use super::pool::Pool;
use super::read::text_of;
use super::wait::Breaks;
use crate::archive::Part;
use crate::archive::list::Listed;
use crate::archive::name::is_archive;
use crate::archive::place::{Tree, foreign};
use crate::folder::may_be_read;
use crate::problem::{Place, Problem, ProblemKind};

/// Adds the members of all archives. `seen` gets the number of files from time to time.
pub async fn open(picked: &mut Vec<Picked>, pool: Pool, seen: impl Fn(usize) + Copy + 'static) -> Vec<Problem> {
    let mut problems: Vec<Problem> = picked.iter().filter_map(|picked| foreign(&picked.path)).collect();
    let archives: Vec<(String, Option<File>)> = picked
        .iter()
        .filter(|picked| is_archive(&picked.path))
        .map(|picked| (picked.path.clone(), picked.file.clone()))
        .collect();
    if archives.is_empty() {
        return problems;
    }
    let mut breaks = Breaks::new();
    let mut tree = Tree::default();
    for picked in picked.iter().filter(|picked| !is_archive(&picked.path)) {
        tree.add(&picked.path, picked.file.as_ref().map_or(0, |file| file.size() as u64));
        breaks.rest().await;
    }
    for (path, file) in archives {
        let so_far = picked.len();
        seen(so_far);
        let listed = match &file {
            Some(file) => list(&path, file, pool, move |count| seen(so_far + count)).await,
            None => Err(String::new()),
        };
        let listed = listed.unwrap_or_else(|reason| Listed {
            members: Vec::new(),
            problems: vec![Problem {
                file: path.clone(),
                place: Place::Whole,
                kind: ProblemKind::Unreadable,
                count: 1,
                detail: reason,
            }],
        });
        let is_unpacked = match (&file, pairs(&tree, &path, &listed, picked)) {
            (Some(file), Some((pairs, files))) => compare(file, pairs, files, pool).await,
            _ => false,
        };
        let Listed { members, problems: more } = tree.place(&path, listed, is_unpacked);
        problems.extend(more);
        for member in members {
            picked.push(Picked { path: member.path.clone(), file: file.clone(), inside: Some(member) });
            breaks.rest().await;
        }
    }
    problems
}

/// The files of an archive that may be read and what lies beside it in their places: parts, and the file of the other one. `None`
/// where not all of them lie there.
fn pairs(tree: &Tree, path: &str, listed: &Listed, picked: &[Picked]) -> Option<(Vec<Pair>, Vec<File>)> {
    let twins = tree.twins(path, listed)?;
    let places: std::collections::HashMap<&str, &Picked> =
        picked.iter().map(|picked| (picked.path.as_str(), picked)).collect();
    let (mut pairs, mut files) = (Vec::new(), Vec::new());
    for twin in twins.iter().filter(|twin| may_be_read(&twin.path)) {
        let part = listed.members.get(twin.member)?.part.clone()?;
        let beside = places.get(twin.path.as_str())?;
        pairs.push((part, beside.inside.as_ref().and_then(|member| member.part.clone())));
        files.push(beside.file.clone()?);
    }
    Some((pairs, files))
}

/// A member, and in which part of another archive its like lies.
type Pair = (Part, Option<Part>);

/// Has a worker compare the members of an archive with the files beside it.
async fn compare(archive: &File, pairs: Vec<Pair>, files: Vec<File>, pool: Pool) -> bool {
    let files: Vec<File> = std::iter::once(archive.clone()).chain(files).collect();
    let answer = job(pool, &Order::Compare(pairs), &files, |_| ()).await;
    // What could not be compared is not known to be the same.
    answer.is_ok_and(|parts| matches!(parts.body, Report::Compared(true)))
}

/// Has a worker list one archive.
async fn list(path: &str, file: &File, pool: Pool, seen: impl Fn(usize) + 'static) -> Result<Listed, String> {
    let order = Order::List(path.to_owned());
    let parts = job(pool, &order, std::slice::from_ref(file), move |count| seen(count as usize)).await;
    let parts = parts.map_err(|error| text_of(&error))?;
    match parts.body {
        Report::Listed => {
            let bytes = js_sys::Uint8Array::new(&parts.data.get(0)).to_vec();
            serde_json::from_slice(&bytes).map_err(|error| error.to_string())
        }
        _ => Err("the worker gave another answer".to_owned()),
    }
}
