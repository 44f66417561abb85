//! Comparisons against a slow, obvious count.

use super::*;
use crate::analysis::answer::MatchKind;
use crate::analysis::rank::tests::{Block, STACKS, blocks, is_live, kind_of, rank, stack_of};
use crate::analysis::side::SideQuery;
use crate::analysis::summary::{Identity, summary};
use proptest::prelude::*;

fn side(blocks: &[Block], at_ns: i64, from_ns: i64, to_ns: i64) -> Side {
    let rank = rank(blocks, &[(0, 10)]);
    let identity = Identity {
        folder: "run/a".to_owned(),
        role: "a".to_owned(),
        rank: Some(0),
        step: None,
        form: "text",
        neighbours: Vec::new(),
    };
    let summary = summary(&identity, &rank, &[]);
    rank.side(&SideQuery { by: GroupBy::Stack, pool: None, at_ns, from_ns, to_ns }, &summary).unwrap()
}

fn tally(blocks: &[Block], counts: impl Fn(&Block) -> bool) -> Tally {
    let mut tally = Tally::default();
    for block in blocks.iter().filter(|block| counts(block)) {
        tally.bytes += block.0;
        tally.blocks += 1;
        tally.by_match.add(kind_of(block), block.0);
    }
    tally
}

proptest! {
    #[test]
    fn differences_of_groups_add_up_to_those_of_the_totals(
        a in blocks(), b in blocks(), [at_a, at_b, from, to] in prop::array::uniform4(-1i64..130), by_live in any::<bool>(), limit in 0usize..6,
        more in blocks(),
    ) {
        // The second side has two ranks.
        let second = Side::sum(GroupBy::Stack, [side(&b, at_b, from, to), side(&more, at_b, from, to)]);
        let both: Vec<Block> = b.iter().chain(&more).copied().collect();
        let order = if by_live { DifferenceOf::Live } else { DifferenceOf::Allocated };
        let compared = compare(&side(&a, at_a, from, to), &second, order, limit);
        let live = |blocks: &[Block], at: i64, key: Option<Option<&str>>| {
            tally(blocks, |block| is_live(block, at) && key.is_none_or(|key| stack_of(block) == key))
        };
        let allocated = |blocks: &[Block], key: Option<Option<&str>>| {
            tally(blocks, |block| (from..=to).contains(&block.1) && key.is_none_or(|key| stack_of(block) == key))
        };
        prop_assert_eq!(compared.all.live, Both { a: live(&a, at_a, None), b: live(&both, at_b, None) });
        prop_assert_eq!(compared.all.allocated, Both { a: allocated(&a, None), b: allocated(&both, None) });
        let mut there = 0;
        for key in [Some(STACKS[0]), Some(STACKS[1]), Some(STACKS[2]), None] {
            let of_live = Both { a: live(&a, at_a, Some(key)), b: live(&both, at_b, Some(key)) };
            let of_allocated = Both { a: allocated(&a, Some(key)), b: allocated(&both, Some(key)) };
            let is_in = [of_live.a.blocks + of_allocated.a.blocks > 0, of_live.b.blocks + of_allocated.b.blocks > 0];
            there += u64::from(is_in[0] || is_in[1]);
            let Some(group) = compared.groups.iter().find(|group| group.key.as_deref() == key) else { continue };
            prop_assert_eq!((group.live, group.allocated), (of_live, of_allocated));
            let found_in = match is_in {
                [true, true] => FoundIn::Both,
                [true, false] => FoundIn::OnlyA,
                [false, _] => FoundIn::OnlyB,
            };
            prop_assert_eq!(group.found_in, found_in);
        }
        prop_assert_eq!(compared.all.count, there);
        prop_assert_eq!(compared.groups.len(), (there as usize).min(limit));
        // What is told one by one, and the rest.
        let mut sum = compared.others;
        compared.groups.iter().for_each(|group| sum.add(&group.live, &group.allocated));
        prop_assert_eq!(sum, compared.all);
        let change = |of: fn(&Both) -> i64| compared.groups.iter().map(|group| of(&group.live)).sum::<i64>() + of(&compared.others.live);
        prop_assert_eq!(change(Both::change_bytes), compared.all.live.change_bytes());
        prop_assert_eq!(change(Both::change_blocks), compared.all.live.change_blocks());
        let differences = |group: &ComparedGroup| {
            let both = if by_live { group.live } else { group.allocated };
            Reverse(both.change_bytes().unsigned_abs())
        };
        prop_assert!(compared.groups.is_sorted_by_key(differences));
        for tally in [compared.all.live.a, compared.all.live.b, compared.all.allocated.a] {
            prop_assert_eq!(tally.by_match.total(), tally.bytes);
            prop_assert!(MatchKind::ALL.into_iter().all(|kind| tally.by_match.get(kind) >= 0));
        }
    }

    #[test]
    fn nothing_differs_from_itself(a in blocks(), at in -1i64..130) {
        let one = side(&a, at, 0, 50);
        let compared = compare(&one, &one.clone(), DifferenceOf::Live, usize::MAX);
        prop_assert!(compared.groups.iter().all(|group| group.live.a == group.live.b && group.found_in == FoundIn::Both));
        prop_assert_eq!((compared.only_a.count, compared.only_b.count, compared.all.live.change_bytes()), (0, 0, 0));
    }
}
