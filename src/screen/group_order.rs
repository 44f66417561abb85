//! The order of the top groups in their table.

use std::cmp::Reverse;

use crate::analysis::answer::{Group, MatchKind};

/// What the rows are sorted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Column {
    /// The key.
    Name,
    /// Bytes of its blocks.
    Bytes,
    /// How many blocks.
    Blocks,
    /// Its largest block.
    Largest,
    /// Bytes whose stack is known.
    Certain,
    /// Bytes whose stack is a guess.
    Guessed,
    /// Bytes without a stack.
    Open,
}

/// Bytes of a group that are known, guessed, not asserted.
pub fn parts(group: &Group) -> [i64; 3] {
    let sum = |wanted: fn(MatchKind) -> bool| {
        MatchKind::ALL.into_iter().filter(|kind| wanted(*kind)).map(|kind| group.by_match.get(kind)).sum()
    };
    [
        sum(MatchKind::is_certain),
        sum(|kind| kind == MatchKind::Nearest),
        sum(|kind| matches!(kind, MatchKind::Ambiguous | MatchKind::None)),
    ]
}

/// The order of the groups for a column: their places in the answer.
pub fn order(groups: &[Group], search: &str, column: Column, descending: bool) -> Vec<usize> {
    let wanted = search.trim().to_lowercase();
    let matches =
        |group: &Group| wanted.is_empty() || group.key.as_ref().is_some_and(|key| key.to_lowercase().contains(&wanted));
    let mut places: Vec<(usize, &Group)> = groups.iter().enumerate().filter(|(_, group)| matches(group)).collect();
    match column {
        Column::Name => places.sort_by(|(_, a), (_, b)| b.key.cmp(&a.key)),
        _ => places.sort_by_key(|(_, group)| {
            let [certain, guessed, open] = parts(group);
            Reverse(match column {
                Column::Bytes | Column::Name => group.bytes,
                Column::Blocks => i64::try_from(group.blocks).unwrap_or(i64::MAX),
                Column::Largest => group.largest_bytes,
                Column::Certain => certain,
                Column::Guessed => guessed,
                Column::Open => open,
            })
        }),
    }
    if !descending {
        places.reverse();
    }
    places.into_iter().map(|(place, _)| place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::answer::ByMatch;

    fn group(key: Option<&str>, bytes: i64, blocks: u64) -> Group {
        let by_match = ByMatch { enclosing: bytes - 1, nearest: 1, ..ByMatch::default() };
        Group { key: key.map(str::to_owned), bytes, blocks, largest_bytes: bytes, by_match }
    }

    #[test]
    fn sorts_both_ways_and_searches() {
        let groups = [group(Some("aten::empty"), 30, 1), group(None, 20, 9), group(Some("aten::Add"), 10, 5)];
        assert_eq!(order(&groups, "", Column::Bytes, true), [0, 1, 2]);
        assert_eq!(order(&groups, "", Column::Blocks, true), [1, 2, 0]);
        assert_eq!(order(&groups, "", Column::Blocks, false), [0, 2, 1]);
        assert_eq!(order(&groups, " add ", Column::Bytes, true), [2]);
        assert_eq!(order(&groups, "", Column::Name, true), [0, 2, 1]);
        assert_eq!(parts(&groups[0]), [29, 1, 0]);
    }
}
