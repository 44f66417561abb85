//! Which rank, role and step a folder is: from its metadata, its path, and its place among others.

use std::collections::HashMap;

use serde_json::Value;

use super::{RankFolder, RoleSource};
use crate::problem::{Place, ProblemKind, Problems};

/// What a role is called that nothing names.
const UNKNOWN_ROLE: &str = "unknown";

/// A small JSON file, parsed or not.
pub(super) struct Small {
    name: String,
    value: Option<Value>,
}

impl Small {
    /// `bytes`: `None` if the file is too large to be looked into, `Some(None)` if it could not be read.
    pub fn new(name: &str, bytes: Option<&Option<Vec<u8>>>) -> Small {
        let value = bytes.and_then(Option::as_ref).and_then(|bytes| {
            let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
            serde_json::from_slice::<Value>(text).ok().filter(Value::is_object)
        });
        Small { name: name.to_owned(), value }
    }

    fn count_unless_read(&self, problems: &mut Problems) {
        if self.value.is_none() {
            problems.add(&self.name, Place::Whole, ProblemKind::BadJson, "");
        }
    }
}

/// What profiler_info says about the recording.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Recorded {
    pub with_stack: Option<bool>,
    pub profile_memory: Option<bool>,
    /// When it ended, ns since the epoch.
    pub ended_ns: Option<u64>,
}

/// The rank: from the file's name, else its `rank_id`.
pub(super) fn rank(infos: &[Small], problems: &mut Problems) -> (Option<u64>, Recorded) {
    let mut recorded = Recorded::default();
    let mut named: Vec<u64> = Vec::new();
    let mut said: Vec<u64> = Vec::new();
    for info in infos {
        let number = info.name.strip_prefix("profiler_info_").and_then(|rest| rest.strip_suffix(".json"));
        named.extend(number.filter(|n| n.bytes().all(|b| b.is_ascii_digit())).and_then(|n| n.parse::<u64>().ok()));
        info.count_unless_read(problems);
        let Some(value) = &info.value else { continue };
        said.extend(match value.get("rank_id") {
            Some(Value::String(text)) => text.trim().parse::<u64>().ok(),
            Some(number) => number.as_u64(),
            None => None,
        });
        let ended = value.pointer("/end_info/collectionTimeEnd");
        recorded.ended_ns = recorded.ended_ns.or(ended.and_then(|end| match end {
            Value::String(text) => text.trim().parse().ok(),
            number => number.as_u64(),
        }));
        let common = value.pointer("/config/common_config");
        let option = |key: &str| common.and_then(|c| c.get(key)).and_then(Value::as_bool);
        recorded.with_stack = recorded.with_stack.or(option("with_stack"));
        recorded.profile_memory = recorded.profile_memory.or(option("profile_memory"));
    }
    named.sort_unstable();
    named.dedup();
    let rank = named.first().or_else(|| said.iter().min()).copied();
    if named.len() > 1 {
        let all: Vec<String> = named.iter().map(u64::to_string).collect();
        problems.add("profiler_info", Place::Whole, ProblemKind::SeveralRanks, &all.join(", "));
    }
    if rank.is_none() {
        problems.add("profiler_info", Place::Whole, ProblemKind::UnknownRank, "");
    }
    (rank, recorded)
}

/// The role: `role` of the metadata, else the parent folder's name.
pub(super) fn role(folder: &str, metadata: Option<&Small>, problems: &mut Problems) -> (String, RoleSource) {
    if let Some(metadata) = metadata {
        metadata.count_unless_read(problems);
        match metadata.value.as_ref().and_then(|v| v.get("role")) {
            Some(Value::String(role)) if !role.is_empty() => return (role.clone(), RoleSource::Metadata),
            Some(Value::Number(role)) if role.as_f64() != Some(0.0) => return (role.to_string(), RoleSource::Metadata),
            Some(Value::Array(list)) if !list.is_empty() => {
                problems.add("profiler_metadata.json", Place::Whole, ProblemKind::BadJson, "role");
            }
            Some(Value::Object(map)) if !map.is_empty() => {
                problems.add("profiler_metadata.json", Place::Whole, ProblemKind::BadJson, "role");
            }
            _ => {}
        }
    }
    match parent(folder) {
        Some(name) => (name.to_owned(), RoleSource::Parent),
        None => (UNKNOWN_ROLE.to_owned(), RoleSource::Unknown),
    }
}

fn parent(folder: &str) -> Option<&str> {
    let (above, _) = folder.rsplit_once('/')?;
    above.rsplit('/').next().filter(|name| !name.is_empty())
}

/// The step a path names: the nearest part above the role that is a number or `step_N`.
pub(super) fn path_step(folder: &str, source: RoleSource) -> Option<u64> {
    let mut above: Vec<&str> = folder.split('/').collect();
    above.pop();
    if source == RoleSource::Parent {
        above.pop();
    }
    above.iter().rev().find_map(|part| step_number(part))
}

fn step_number(part: &str) -> Option<u64> {
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    if let Some(rest) = part.strip_prefix("step") {
        let digits = rest.strip_prefix(['_', '-']).unwrap_or(rest);
        return is_digits(digits).then(|| digits.parse().ok()).flatten();
    }
    (is_digits(part) && part.len() <= 6).then(|| part.parse().ok()).flatten()
}

/// Numbers several recordings of one role and rank by time, where no path names a step: by the ends that all of them say, else by
/// their folders' stamps, which were UTC before they were local time.
pub(super) fn number_steps(folders: &mut [RankFolder]) {
    let mut groups: HashMap<(String, u64), Vec<usize>> = HashMap::new();
    // Without any role two folders may be two roles as well as two steps.
    let has_role = |f: &RankFolder| f.role_source != RoleSource::Unknown || f.role != UNKNOWN_ROLE;
    for (index, folder) in folders.iter().enumerate().filter(|(_, folder)| has_role(folder)) {
        if let (Some(rank), None) = (folder.rank, folder.step) {
            groups.entry((folder.role.clone(), rank)).or_default().push(index);
        }
    }
    for mut group in groups.into_values().filter(|group| group.len() > 1) {
        let ended = |index: &usize| folders.get(*index).and_then(|folder| folder.ended_ns).filter(|end| *end > 0);
        let all_ended = group.iter().all(|index| ended(index).is_some());
        group.sort_by_cached_key(|index| {
            let end = ended(index).filter(|_| all_ended);
            folders.get(*index).map(|f| (end, stamp(&f.folder).is_none(), stamp(&f.folder), f.folder.clone()))
        });
        for (number, index) in (1u64..).zip(group) {
            if let Some(folder) = folders.get_mut(index) {
                folder.step = Some(number);
            }
        }
    }
}

/// The time in a folder's name as 17 digits: `..._20260526085155596_ascend_pt`, with 14 digits, with a dot, or with the time
/// of day apart.
fn stamp(folder: &str) -> Option<String> {
    let name = folder.rsplit('/').next()?;
    let name = name.strip_suffix("_ascend_pt").or_else(|| name.strip_suffix("_ascend_ms"))?;
    let mut parts = name.rsplit('_');
    let last: String = parts.next()?.chars().filter(|c| *c != '.').collect();
    let is_digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
    let digits = match last.len() {
        14..=17 => last,
        6 => format!("{}{last}", parts.next().filter(|date| date.len() == 8 && is_digits(date))?),
        _ => return None,
    };
    is_digits(&digits).then(|| format!("{digits:0<17}"))
}

/// The order of rank folders everywhere: role, rank (unknown last), path.
pub(super) fn order(folder: &RankFolder) -> (&str, bool, u64, &str) {
    (&folder.role, folder.rank.is_none(), folder.rank.unwrap_or(0), &folder.folder)
}
