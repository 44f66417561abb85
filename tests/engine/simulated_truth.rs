//! The engine against runs whose truth is known: every asserted stack is the true one, every number the allocator's own.

use std::collections::BTreeMap;

use crate::common::Files;
use memlens::analysis::answer::MatchKind;
use memlens::matching::MatchRule;
use memlens_simulator::{Kind, Options, Variety};

fn options(seed: u64) -> Options {
    Options { roles: vec!["actor_update".to_owned()], ranks: 1, seed, ..Options::default() }
}

/// Counts of (truth, ours, equal stack) over all rows.
fn confusion(options: &Options) -> BTreeMap<(String, String, bool), u64> {
    let (files, truth) = Files::simulated(options);
    let mut counts = BTreeMap::new();
    for (session, truth) in files.sessions(MatchRule::Best).iter().zip(&truth.folders) {
        let rows = crate::common::rows(session, true);
        assert_eq!(rows.len(), truth.rows.len());
        // Output is by time, the truth in file order: both sorted by time, ties in file order.
        let mut order: Vec<usize> = (0..truth.rows.len()).collect();
        order.sort_by_key(|i| truth.rows[*i].alloc_ns);
        for (row, index) in rows.iter().zip(order) {
            let true_row = &truth.rows[index];
            assert_eq!(row["name"], true_row.name);
            let equal = row["call_stack"] == truth.stack_text(true_row);
            *counts.entry((true_row.kind.name().to_owned(), row["match"].clone(), equal)).or_insert(0) += 1;
        }
    }
    counts
}

#[test]
fn every_asserted_stack_is_the_true_one_on_twenty_seeds() {
    for seed in 1..=20 {
        let counts = confusion(&options(seed));
        let (mut decidable, mut ambiguous) = (0, 0);
        for ((truth, ours, equal), count) in &counts {
            let asserted = matches!(ours.as_str(), "enclosing" | "forward" | "queue");
            assert!(!asserted || *equal, "seed {seed}: {truth} {ours}: {count} wrong stacks; {counts:?}");
            if truth != Kind::None.name() {
                decidable += count;
                if ours == MatchKind::Ambiguous.name() {
                    ambiguous += count;
                }
            }
        }
        assert!(decidable > 300, "seed {seed}: {counts:?}");
        assert!(ambiguous * 50 < decidable, "seed {seed}: {ambiguous} of {decidable} ambiguous; {counts:?}");
    }
}

#[test]
fn stacks_of_python_functions_are_the_true_ones() {
    for seed in 1..=4 {
        let without = |python_functions| {
            let variety = Variety { call_stacks: false, python_functions, ..Variety::default() };
            confusion(&Options { variety, ..options(seed) })
        };
        let counts = without(true);
        let of = |counts: &BTreeMap<(String, String, bool), u64>, ours: &[&str]| {
            counts.iter().filter(|((_, kind, _), _)| ours.contains(&kind.as_str())).map(|(_, count)| count).sum::<u64>()
        };
        for ((truth, ours, equal), count) in &counts {
            assert!(ours != "python" || *equal, "seed {seed}: {truth} {ours}: {count} wrong stacks; {counts:?}");
        }
        assert_eq!(of(&counts, &["enclosing", "forward", "queue"]), 0, "{counts:?}");
        // As many as the operators' own stacks tell.
        let own = confusion(&options(seed));
        let known = of(&own, &["enclosing", "forward", "queue"]);
        let python = of(&counts, &["python"]);
        assert!(known > 300 && python * 50 >= known * 49, "seed {seed}: {python} of {known}: {counts:?} {own:?}");
        // And with neither there is nothing to tell.
        let none = without(false);
        assert_eq!(of(&none, &["none"]), none.values().sum::<u64>(), "{none:?}");
    }
}

#[test]
fn without_difficulties_every_row_is_decided() {
    let counts = confusion(&Options { variety: Variety::plain(), ..options(3) });
    for ((truth, ours, equal), count) in counts {
        assert!(equal && (truth == ours || truth == "none"), "{truth} {ours}: {count}");
    }
}

#[test]
fn numbers_are_the_allocators_own() {
    for seed in [1, 2, 3] {
        let (files, truth) = Files::simulated(&Options { ranks: 2, ..options(seed) });
        let sessions = files.sessions(MatchRule::Best);
        assert_eq!(sessions.len(), 2);
        for (session, truth) in sessions.iter().zip(&truth.folders) {
            let summary = session.summary();
            assert_eq!(summary.problems, []);
            assert_eq!(summary.rank, Some(u64::from(truth.rank)));
            let peak = summary.peak.unwrap();
            let of = |p: Option<memlens::analysis::answer::Extreme>| p.map(|p| (p.bytes, p.time_ns)).unwrap();
            let peaks = &truth.peaks;
            assert_eq!(of(peak.allocated), (peaks.allocated.bytes as i64, peaks.allocated.time_ns));
            assert_eq!(of(peak.active), (peaks.active.bytes as i64, peaks.active.time_ns));
            assert_eq!(of(peak.reserved), (peaks.reserved.bytes as i64, peaks.reserved.time_ns));
            let pta = &summary.pools[0];
            assert_eq!(pta.component, "PTA");
            let baseline = pta.baseline_bytes.unwrap();
            // Before a first event that no row knows nothing is recorded: the start is then what it left.
            let first_row = truth.rows.iter().map(|row| row.alloc_ns).min().unwrap();
            let unseen =
                truth.baseline_freed.first().filter(|(time, _)| *time < first_row).map_or(0, |(_, bytes)| *bytes);
            assert_eq!(baseline.start, (truth.baseline_start - unseen) as i64);
            assert_eq!(baseline.end, truth.baseline_end as i64);
            for pool in summary.pools.iter().filter(|p| matches!(p.component.as_str(), "PTA" | "WORKSPACE")) {
                let comparison = pool.comparison.as_ref().unwrap();
                assert!(comparison.events > 0);
                assert_eq!((comparison.mismatches, &comparison.first), (0, &None), "{}", pool.component);
            }
            let [pta, ge, workspace] = truth.rows_by_component;
            let blocks = &summary.blocks.by_component;
            assert_eq!([blocks["PTA"].total, blocks["GE"].total, blocks["WORKSPACE"].total], [pta, ge, workspace]);
            // The largest groups of the live set and the baseline are the recorded total, to the byte.
            let at = summary.top.as_ref().unwrap().at_ns;
            let balance = session.balance(at).unwrap();
            assert_eq!(balance.rows_bytes + balance.baseline_bytes, balance.recorded_bytes.unwrap());
            assert_eq!(balance.recorded_bytes.unwrap(), peak.allocated.unwrap().bytes);
        }
    }
}
