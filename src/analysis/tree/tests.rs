//! Trees and sandwiches against a slow, obvious count over all blocks.

#![allow(clippy::indexing_slicing, reason = "a test indexes what it made itself")]

use std::collections::BTreeMap;

use super::*;
use crate::analysis::answer::MatchKind;
use crate::analysis::rank::tests::{Block, rank_over};
use crate::analysis::sandwich::{FramesQuery, SandwichQuery};
use proptest::prelude::*;

/// Innermost first. They share beginnings, one is the beginning of another, one calls itself.
const STACKS: [&str; 6] = [
    "c.py(1): c;\r\nb.py(1): b;\r\na.py(1): a",
    "b.py(1): b;\r\na.py(1): a",
    "d.py(1): d;\r\nb.py(1): b;\r\na.py(1): a",
    "b.py(1): b;\r\nc.py(1): c;\r\nb.py(1): b;\r\na.py(1): a",
    "a.py(1): a",
    "x.py(1): x",
];

/// Sizes, times, how long, site (6: none), kind.
fn blocks() -> impl Strategy<Value = Vec<Block>> {
    prop::collection::vec((0i64..50, 0i64..100, prop::option::of(0i64..60), 0usize..7, 0usize..7), 1..120)
}

fn counted() -> impl Strategy<Value = Counted> {
    prop_oneof![
        (-1i64..170).prop_map(|at_ns| Counted::LiveAt { at_ns }),
        (-1i64..110, -1i64..110).prop_map(|(from_ns, to_ns)| Counted::Allocated { from_ns, to_ns }),
    ]
}

fn counts(block: &Block, of: Counted) -> bool {
    match of {
        Counted::LiveAt { at_ns } => block.1 <= at_ns && block.2.is_none_or(|lasts| at_ns < block.1 + lasts),
        Counted::Allocated { from_ns, to_ns } => (from_ns..=to_ns).contains(&block.1),
    }
}

/// Frames, outermost first; `None` without a stack.
fn frames_of(block: &Block) -> Option<Vec<&'static str>> {
    STACKS.get(block.3).map(|stack| stack.split(";\r\n").collect::<Vec<_>>().into_iter().rev().collect())
}

/// Total, own, blocks.
type Sums = (i64, i64, u64);

fn slow<'a>(paths: impl Iterator<Item = (Vec<&'a str>, i64)>) -> BTreeMap<Vec<&'a str>, Sums> {
    let mut all: BTreeMap<Vec<&str>, Sums> = BTreeMap::new();
    for (path, size) in paths {
        for end in 0..=path.len() {
            let sums = all.entry(path[..end].to_vec()).or_default();
            *sums = (sums.0 + size, sums.1 + if end == path.len() { size } else { 0 }, sums.2 + 1);
        }
    }
    all
}

/// Of each node its path below the root. Checks what holds for every tree.
fn paths_of<'a>(names: &'a [String], nodes: &[TreeNode]) -> Vec<Vec<&'a str>> {
    let mut paths: Vec<Vec<&str>> = Vec::new();
    let mut below: Vec<(i64, u64)> = vec![(0, 0); nodes.len()];
    let mut last: BTreeMap<u32, (bool, i64)> = BTreeMap::new();
    for (at, node) in nodes.iter().enumerate() {
        assert_eq!(node.parent.is_none(), at == 0);
        assert_eq!(node.by_match.total(), node.total_bytes);
        let mut path = Vec::new();
        if let Some(parent) = node.parent {
            assert!((parent as usize) < at);
            path.clone_from(&paths[parent as usize]);
            path.push(match node.what {
                What::Name(name) => names[name as usize].as_str(),
                What::NoStack => "no stack",
                What::Smaller(_) => "smaller",
                What::All => unreachable!(),
            });
            below[parent as usize].0 += node.total_bytes;
            below[parent as usize].1 += node.blocks;
            // By bytes, what is smaller last.
            let order = (matches!(node.what, What::Smaller(_)), -node.total_bytes);
            assert!(last.insert(parent, order).is_none_or(|before| before <= order));
        }
        paths.push(path);
    }
    for (node, (bytes, blocks)) in nodes.iter().zip(below) {
        assert_eq!(node.total_bytes, node.own_bytes + bytes);
        assert!(node.blocks >= blocks);
    }
    paths
}

fn told<'a>(names: &'a [String], nodes: &[TreeNode]) -> BTreeMap<Vec<&'a str>, Sums> {
    let of = |node: &TreeNode| (node.total_bytes, node.own_bytes, node.blocks);
    paths_of(names, nodes).into_iter().zip(nodes.iter().map(of)).collect()
}

fn query(of: Counted, path: PathOf) -> TreeQuery {
    TreeQuery { of, pool: None, path, within: None, below: Vec::new(), bars: 0, limit: usize::MAX }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]
    #[test]
    fn a_tree_is_that_of_a_slow_count(blocks in blocks(), of in counted(), inverted in any::<bool>(), at in 0usize..20) {
        let rank = rank_over(&blocks, &STACKS, &[]);
        let path = if inverted { PathOf::FramesInverted } else { PathOf::Frames };
        let tree = rank.tree(&query(of, path));
        let mut expected = slow(blocks.iter().filter(|block| counts(block, of)).map(|block| {
            let mut frames = frames_of(block).unwrap_or_else(|| vec!["no stack"]);
            if inverted {
                frames.reverse();
            }
            (frames, block.0)
        }));
        expected.entry(Vec::new()).or_default();
        prop_assert_eq!(&told(&tree.names, &tree.nodes), &expected);
        // The same below one of its nodes.
        let (below, sums) = expected.iter().nth(at % expected.len()).unwrap();
        let below: Vec<String> = below.iter().map(|name| (*name).to_owned()).collect();
        let part = rank.tree(&TreeQuery { below: below.clone(), ..query(of, path) });
        if below.first().is_some_and(|name| name == "no stack") {
            prop_assert!(part.nodes.is_empty());
        } else {
            prop_assert_eq!(part.nodes[0].total_bytes, sums.0);
            let inside = expected.keys().filter(|path| path.len() >= below.len() && path[..below.len()] == below[..]);
            prop_assert_eq!(part.nodes.len(), inside.count());
        }
        // All of one stack.
        let of_stack = rank.tree(&TreeQuery { within: Some((GroupBy::Stack, Some(STACKS[0].to_owned()))), ..query(of, path) });
        let sum = blocks.iter().filter(|block| counts(block, of) && block.3 == 0).map(|block| block.0).sum::<i64>();
        prop_assert_eq!(of_stack.nodes[0].total_bytes, sum);
    }

    #[test]
    fn a_cut_tree_holds_the_rest_together(blocks in blocks(), of in counted(), bars in 0u32..20, limit in 0usize..9, limited in any::<bool>()) {
        let rank = rank_over(&blocks, &STACKS, &[]);
        let whole = rank.tree(&query(of, PathOf::Frames));
        let limit = if limited { limit } else { usize::MAX };
        let tree = rank.tree(&TreeQuery { bars, limit, ..query(of, PathOf::Frames) });
        let (all, some) = (told(&whole.names, &whole.nodes), told(&tree.names, &tree.nodes));
        let total = whole.nodes[0].total_bytes;
        let is_wide = |sums: &Sums| bars == 0 || sums.0 * i64::from(bars) >= total;
        let mut named = 0;
        for (path, sums) in &some {
            if path.last() == Some(&"smaller") {
                continue;
            }
            prop_assert_eq!(&all[path], sums);
            prop_assert!(path.is_empty() || is_wide(sums));
            named += 1;
        }
        prop_assert!(named - 1 <= limit);
        if !limited {
            prop_assert_eq!(named, all.iter().filter(|(path, sums)| path.is_empty() || is_wide(sums)).count());
        }
        // What is left out is no larger than what is told.
        let least = some.iter().filter(|(path, _)| path.last() != Some(&"smaller")).map(|(_, sums)| sums.0).min().unwrap();
        if named > limit {
            prop_assert!(all.iter().filter(|(path, _)| !some.contains_key(*path)).all(|(_, sums)| sums.0 <= least));
        }
        let hidden = tree.nodes.iter().map(|node| if let What::Smaller(count) = node.what { count as usize } else { 0 });
        prop_assert_eq!(hidden.sum::<usize>() + named, all.len());
    }

    #[test]
    fn a_sandwich_is_that_of_a_slow_count(blocks in blocks(), of in counted(), frame in 0usize..5, limit in 0usize..6) {
        let rank = rank_over(&blocks, &STACKS, &[]);
        let frame = ["a.py(1): a", "b.py(1): b", "c.py(1): c", "x.py(1): x", "nowhere"][frame];
        let sandwich = rank.sandwich(&SandwichQuery { frame: frame.to_owned(), of, pool: None, within: None, bars: 0, limit: usize::MAX });
        prop_assert_eq!(sandwich.is_some(), frame != "nowhere");
        let live: Vec<&Block> = blocks.iter().filter(|block| counts(block, of)).collect();
        let place = |block: &Block| frames_of(block).and_then(|frames| Some((frames.iter().position(|f| *f == frame)?, frames)));
        if let Some(sandwich) = sandwich {
            let mut callees = slow(live.iter().filter_map(|block| place(block).map(|(at, frames)| (frames[at + 1..].to_vec(), block.0))));
            let mut callers = slow(live.iter().filter_map(|block| {
                place(block).map(|(at, frames)| (frames[..at].iter().rev().copied().collect(), block.0))
            }));
            callees.entry(Vec::new()).or_default();
            callers.entry(Vec::new()).or_default();
            prop_assert_eq!(told(&sandwich.names, &sandwich.callers), callers);
            prop_assert_eq!(told(&sandwich.names, &sandwich.callees), callees);
            prop_assert_eq!(sandwich.all_bytes, live.iter().map(|block| block.0).sum::<i64>());
        }
        let answer = rank.frames(&FramesQuery { containing: ".py(1)".to_owned(), of, pool: None, limit });
        let mut slow: BTreeMap<&str, Sums> = BTreeMap::new();
        for block in live {
            let frames = frames_of(block).unwrap_or_default();
            for (at, frame) in frames.iter().enumerate() {
                let sums = slow.entry(frame).or_default();
                let is_first = !frames[..at].contains(frame);
                sums.0 += if is_first { block.0 } else { 0 };
                sums.1 += if at + 1 == frames.len() { block.0 } else { 0 };
                sums.2 += u64::from(is_first);
            }
        }
        let mut slow: Vec<(&str, Sums)> = slow.into_iter().collect();
        slow.sort_by_key(|(frame, sums)| (-sums.0, *frame));
        prop_assert_eq!(answer.frame_count, slow.len() as u64);
        slow.truncate(limit);
        let found: Vec<(&str, Sums)> =
            answer.frames.iter().map(|sum| (sum.frame.as_str(), (sum.total_bytes, sum.own_bytes, sum.blocks))).collect();
        prop_assert_eq!(found, slow);
    }
}

#[test]
fn by_match_is_kept_in_every_node() {
    let blocks: [Block; 3] = [(8, 1, None, 0, 0), (4, 2, None, 1, 4), (2, 3, None, 6, 6)];
    let tree = rank_over(&blocks, &STACKS, &[]).tree(&query(Counted::LiveAt { at_ns: 5 }, PathOf::Frames));
    let root = tree.nodes[0];
    assert_eq!((root.total_bytes, root.own_bytes, root.blocks), (14, 0, 3));
    assert_eq!([MatchKind::Enclosing, MatchKind::Nearest].map(|kind| root.by_match.get(kind)), [8, 4]);
    let frames: Vec<&str> = tree.names.iter().map(String::as_str).collect();
    assert_eq!(frames, ["a.py(1): a", "b.py(1): b", "c.py(1): c"]);
    assert_eq!(
        tree.nodes.iter().map(|node| node.what).collect::<Vec<_>>(),
        [What::All, What::Name(0), What::Name(1), What::Name(2), What::NoStack]
    );
}
