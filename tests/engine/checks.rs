//! Truth checks: on whole recordings none fails, and each way of changing one is found, counted and told with its numbers.

use crate::common::{Folder, Table};
use memlens::analysis::answer::{Quantity, Summary};
use memlens::analysis::check::{Check, CheckKind, Verdict};
use memlens::words::{self, Lang};
use memlens_simulator::{Options, Variety, example_options};
use proptest::prelude::*;

const PTA: &str = "PTA";

fn folder(seed: u64) -> Folder {
    Folder::simulated(&options(seed), 0)
}

fn options(seed: u64) -> Options {
    Options { ranks: 1, seed, ..Options::default() }
}

/// Kinds that fail, with how often, over all pools.
fn failing(summary: &Summary) -> Vec<(CheckKind, u64)> {
    let failing = summary.checks.iter().filter(|check| check.verdict() == Verdict::Fails);
    failing.map(|check| (check.kind, check.failed)).collect()
}

fn check<'a>(summary: &'a Summary, kind: CheckKind, component: &str) -> &'a Check {
    let is_of = |check: &&Check| check.pool.as_ref().is_none_or(|key| key.component == component);
    summary.checks.iter().filter(|check| check.kind == kind).find(is_of).unwrap()
}

fn says(summary: &Summary, check: &Check, what: &[&str]) {
    let start = summary.window_ns.unwrap()[0];
    for lang in Lang::ALL {
        let text = words::check(lang, check, start, &summary.form);
        for what in what {
            assert!(text.contains(what), "{what}: {text}");
        }
    }
}

fn ns(us: &str) -> i64 {
    let (whole, fraction) = us.trim().split_once('.').unwrap_or((us.trim(), "0"));
    whole.parse::<i64>().unwrap() * 1000 + format!("{fraction:0<3}").parse::<i64>().unwrap()
}

fn bytes(cell: &str, unit: f64) -> i64 {
    // Exact: all sizes and totals are binary fractions.
    (cell.trim().parse::<f64>().unwrap() * unit) as i64
}

fn kb(cell: &str) -> i64 {
    bytes(cell, 1024.0)
}

fn mb(cell: &str) -> i64 {
    bytes(cell, 1_048_576.0)
}

/// Rows of the allocator that were released within the window.
fn released_rows(folder: &Folder) -> Vec<usize> {
    let pta_times: std::collections::HashSet<String> =
        folder.records.rows.iter().filter(|r| r[0] == PTA).map(|r| r[1].clone()).collect();
    let is_whole = |row: &Vec<String>| !row[3].is_empty() && !row[4].is_empty() && pta_times.contains(&row[2]);
    (0..folder.rows.rows.len()).filter(|at| is_whole(&folder.rows.rows[*at])).collect()
}

/// When a row leaves the counter, ns.
fn counter_end(row: &[String]) -> i64 {
    [&row[3], &row[4]].into_iter().filter(|cell| !cell.is_empty()).map(|cell| ns(cell)).min().unwrap_or(i64::MAX)
}

mod whole_recordings {
    use super::*;

    fn nothing_fails(options: &Options, what: &str) {
        let (files, _) = crate::common::Files::simulated(options);
        for session in files.sessions(memlens::matching::MatchRule::Best) {
            let summary = session.summary();
            assert_eq!(failing(summary), [], "{what}: {:?}", summary.checks);
            let kinds: std::collections::BTreeSet<CheckKind> = summary.checks.iter().map(|check| check.kind).collect();
            assert_eq!(kinds.len(), CheckKind::ALL.len(), "{what}");
        }
    }

    #[test]
    fn no_seed_makes_a_check_fail() {
        for seed in 1..=12 {
            nothing_fails(&options(seed), &format!("seed {seed}"));
        }
        nothing_fails(&example_options(), "example");
    }

    #[test]
    fn no_option_makes_a_check_fail() {
        let all = Variety::default();
        let varieties = [
            Variety::plain(),
            Variety { graph_engine: false, ..all.clone() },
            Variety { workspace: false, ..all.clone() },
            Variety { side_stream: false, queueing: 0.5, ..all.clone() },
            Variety { graph_engine: true, ..Variety::plain() },
            Variety { workspace: true, side_stream: true, ..Variety::plain() },
        ];
        for (at, variety) in varieties.into_iter().enumerate() {
            nothing_fails(&Options { variety, steps: 2, ..options(at as u64 + 40) }, &format!("variety {at}"));
        }
        for plant in ["leak=12MB", "fragmentation", "churn=20", "outside=1GB"] {
            nothing_fails(&Options { plant: vec![plant.parse().unwrap()], ..options(7) }, plant);
        }
    }

    #[test]
    fn all_that_can_be_compared_is() {
        let session = folder(3).session();
        for check in &session.summary().checks {
            assert_eq!(check.compared > 0, check.kind != CheckKind::BaselineRises, "{check:?}");
        }
        for component in [PTA, "GE", "WORKSPACE"] {
            for kind in [CheckKind::RowTotals, CheckKind::BlocksWithoutRow, CheckKind::EventsWithoutRecord] {
                assert!(check(session.summary(), kind, component).compared > 10, "{component} {kind:?}");
            }
        }
    }

    #[test]
    fn one_table_alone_leaves_checks_unmade() {
        let mut whole = folder(4);
        let rows = std::mem::take(&mut whole.rows);
        let records_only = whole.session();
        let compared: Vec<CheckKind> =
            records_only.summary().checks.iter().filter(|check| check.compared > 0).map(|check| check.kind).collect();
        assert_eq!(compared, [CheckKind::Order, CheckKind::Order, CheckKind::Order, CheckKind::OutsidePools]);
        assert_eq!(failing(records_only.summary()), []);
        whole.rows = rows;
        whole.records = Table::default();
        // Nothing marks workspace rows without records: their totals stand out as those of another pool.
        let mixed = whole.session();
        let kinds: Vec<CheckKind> = failing(mixed.summary()).into_iter().map(|(kind, _)| kind).collect();
        assert_eq!(kinds, [CheckKind::PoolsMixed]);
        says(
            mixed.summary(),
            check(mixed.summary(), CheckKind::PoolsMixed, PTA),
            &["operator_memory.csv", "workspace"],
        );
        let plain = Options { variety: Variety { workspace: false, ..Variety::default() }, ..options(4) };
        whole.rows = Folder::simulated(&plain, 0).rows;
        let rows_only = whole.session();
        assert_eq!(failing(rows_only.summary()), []);
        for check in &rows_only.summary().checks {
            let is_made = matches!(
                check.kind,
                CheckKind::BaselineRises | CheckKind::Order | CheckKind::Durations | CheckKind::TimesRounded
            );
            assert_eq!(check.compared > 0, is_made, "{check:?}");
        }
        let nothing = crate::common::Files::rank(&[("trace_view.json", "[]")]).only();
        assert!(nothing.summary().checks.iter().all(|check| check.verdict() == Verdict::NotCompared));
    }

    #[test]
    fn a_window_that_cuts_blocks_is_no_fault() {
        let plain = Options { variety: Variety { workspace: false, ..Variety::default() }, ..options(5) };
        let mut cut = Folder::simulated(&plain, 0);
        cut.records = Table::default();
        cut.rows.rows.retain(|row| !row[0].starts_with("cann::"));
        let count = cut.rows.rows.len();
        cut.rows.rows = cut.rows.rows[count / 4..count * 3 / 5].to_vec();
        // As the profiler ends a recording: of what comes later nothing is known.
        let end = ns(&cut.rows.rows.last().unwrap()[2]);
        for row in &mut cut.rows.rows {
            for (time, with) in [(3, vec![3, 5, 10, 11, 12]), (4, vec![4, 6])] {
                if !row[time].is_empty() && ns(&row[time]) > end {
                    with.into_iter().for_each(|at| row[at].clear());
                }
            }
        }
        assert!(cut.rows.rows.iter().filter(|row| row[3].is_empty()).count() > 1);
        assert_eq!(failing(cut.session().summary()), []);
    }

    #[test]
    fn the_old_form_is_held_to_what_its_doubles_can_show() {
        let plain = Options { variety: Variety { workspace: false, ..Variety::default() }, ..options(6) };
        let mut old = Folder::simulated(&plain, 0);
        // That allocator does not report when a block may be used again.
        let reusable: std::collections::HashSet<String> = old.rows.rows.iter().map(|row| row[4].clone()).collect();
        old.records.rows.retain(|record| !reusable.contains(&record[1]));
        round_times(&mut old.rows, &[2, 3]);
        round_times(&mut old.records, &[1]);
        for row in &mut old.rows.rows {
            // Durations were written from the times before they were rounded.
            row[5] = row[5].trim().to_owned();
        }
        for at in [13, 12, 9, 6, 4] {
            old.rows.drop_column(at);
        }
        for at in [5, 4] {
            old.records.drop_column(at);
        }
        let session = old.session();
        let summary = session.summary();
        let kinds: Vec<CheckKind> = failing(summary).into_iter().map(|(kind, _)| kind).collect();
        assert_eq!(kinds, [CheckKind::TimesRounded], "{:?}", summary.checks);
        assert!(check(summary, CheckKind::Durations, PTA).compared > 100);
    }

    #[test]
    fn without_active_release_the_totals_tell_when_a_block_left() {
        let sums = |session: &memlens::session::Session| {
            let pools = session.summary().pools.iter();
            pools.map(|pool| (pool.component.clone(), pool.baseline_bytes, pool.comparison.clone())).collect::<Vec<_>>()
        };
        for seed in [2, 3, 4] {
            // Without records nothing tells workspace rows from torch's.
            let plain = Options { variety: Variety { workspace: false, ..Variety::default() }, ..options(seed) };
            let mut alone = Folder::simulated(&plain, 0);
            alone.records = Table::default();
            for folder in [folder(seed), alone] {
                let whole = folder.session();
                let known = sums(&whole);
                let mut empty = folder.clone();
                empty.rows.rows.iter_mut().for_each(|row| [4, 6].into_iter().for_each(|at| row[at].clear()));
                let mut short = folder.clone();
                [12, 9, 6, 4].into_iter().for_each(|at| short.rows.drop_column(at));
                for (other, what) in [(empty, "empty"), (short, "no column")] {
                    let session = other.session();
                    assert_eq!(failing(session.summary()), failing(whole.summary()), "{seed} {what}");
                    assert_eq!(sums(&session), known, "{seed} {what}");
                }
            }
        }
    }

    #[test]
    fn a_release_whose_own_total_falls_is_left_alone() {
        let mut folder = Folder::simulated(&Options { variety: Variety::plain(), ..options(9) }, 0);
        // An allocator that tells of no earlier event, and memory from before the window that goes just before a release.
        let reusable: std::collections::HashSet<String> = folder.rows.rows.iter().map(|row| row[4].clone()).collect();
        folder.records.rows.retain(|record| !reusable.contains(&record[1]));
        let row = folder.rows.rows[released_rows(&folder)[0]].clone();
        folder.rows.rows.iter_mut().for_each(|row| [4, 6].into_iter().for_each(|at| row[at].clear()));
        let known = folder.session().summary().pools[0].baseline_bytes.unwrap();
        let at = folder.records.rows.iter().position(|record| record[0] == PTA && record[1] == row[3]).unwrap();
        let mut older = folder.records.rows[at - 1].clone();
        let size = kb(&row[1]);
        older[0] = PTA.to_owned();
        older[1] = format!("{}.{:03}\t", (ns(&row[3]) - 1) / 1000, (ns(&row[3]) - 1) % 1000);
        let before = mb(&folder.records.rows[at][2]) + size;
        older[2] = format!("{}", before as f64 / 1_048_576.0);
        for record in folder.records.rows[..at].iter_mut().filter(|record| record[0] == PTA) {
            record[2] = format!("{}", (mb(&record[2]) + size) as f64 / 1_048_576.0);
        }
        folder.records.rows.insert(at, older);
        let session = folder.session();
        let baseline = session.summary().pools[0].baseline_bytes.unwrap();
        assert_eq!((baseline.start, baseline.end), (known.start + size, known.end));
        assert_eq!(session.summary().pools[0].comparison.as_ref().unwrap().mismatches, 0);
    }

    #[test]
    fn mindspores_totals_are_no_sums_of_its_sizes() {
        let mut other = folder(8);
        other.rows.rows.retain(|row| !row[0].starts_with("cann::"));
        other.records.rows.retain(|record| record[0] == PTA || record[0] == "APP");
        let thousand = |cell: &mut String| {
            if !cell.is_empty() {
                *cell = format!("{}", cell.trim().parse::<f64>().unwrap() * 1024.0 / 1000.0);
            }
        };
        for record in &mut other.records.rows {
            record[2..5].iter_mut().for_each(thousand);
            record[0] = record[0].replace(PTA, "MindSpore");
        }
        for row in &mut other.rows.rows {
            row[7..13].iter_mut().for_each(thousand);
            row[4] = "N/A".to_owned();
            row[6] = "N/A".to_owned();
        }
        let session = other.session();
        let summary = session.summary();
        assert_eq!(failing(summary), [], "{:?}", summary.checks);
        // Nothing is said of memory from before the window.
        assert_eq!((summary.pools[0].baseline_bytes, session.balance(summary.window_ns.unwrap()[1])), (None, None));
        for kind in [CheckKind::RowsTotal, CheckKind::BlocksWithoutRow, CheckKind::RowTotals] {
            assert_eq!(check(summary, kind, "MindSpore").compared, 0, "{kind:?}");
        }
        assert!(check(summary, CheckKind::Order, "MindSpore").compared > 100);
    }
}

/// To doubles of epoch microseconds, written as Python writes them.
fn round_times(table: &mut Table, columns: &[usize]) {
    for row in &mut table.rows {
        for at in columns {
            if !row[*at].is_empty() {
                row[*at] = format!("{:?}", row[*at].trim().parse::<f64>().unwrap());
            }
        }
    }
}

mod changed_recordings {
    use super::*;

    /// One kind alone fails; gives its check.
    fn only(folder: &Folder, kind: CheckKind, count: u64, component: &str) -> (Summary, Check) {
        let session = folder.session();
        let summary = session.summary().clone();
        assert_eq!(failing(&summary), [(kind, count)], "{:#?}", summary.checks);
        let check = check(&summary, kind, component).clone();
        (summary, check)
    }

    #[test]
    fn removed_rows() {
        let mut some = folder(1);
        let rows = released_rows(&some);
        let removed = [rows[30], rows[90], rows[91]];
        let gone: Vec<Vec<String>> = removed.iter().map(|at| some.rows.rows[*at].clone()).collect();
        let older = check(folder(1).session().summary(), CheckKind::OlderReleased, PTA).clone();
        for at in removed.iter().rev() {
            some.rows.rows.remove(*at);
        }
        let (summary, found) = only(&some, CheckKind::BlocksWithoutRow, 3, PTA);
        assert_eq!(found.bytes, Some(gone.iter().map(|row| kb(&row[1])).sum()));
        assert_eq!(found.first_ns, gone.iter().map(|row| ns(&row[2])).min());
        says(&summary, &found, &["3", "operator_memory.csv", "memory_record.csv", "PTA NPU:0"]);
        // Their releases are theirs, not those of older memory.
        assert_eq!(check(&summary, CheckKind::OlderReleased, PTA), &older);
        // Without records the same rows show where the table's own totals rise.
        some.records = Table::default();
        let summary = some.session().summary().clone();
        let found = check(&summary, CheckKind::BaselineRises, PTA);
        // With workspace rows among them the rises are no amount of missing memory.
        assert!(found.failed > 8 && found.bytes.is_none(), "{found:?}");
        assert_eq!(failing(&summary).len(), 1);
        says(&summary, found, &["operator_memory.csv"]);
    }

    #[test]
    fn the_row_at_the_peak() {
        let mut some = Folder::simulated(&Options { steps: 1, ..options(1) }, 0);
        let peak = some.session().summary().peak.unwrap().allocated.unwrap();
        let at = some.rows.rows.iter().position(|row| ns(&row[2]) == peak.time_ns).unwrap();
        some.rows.rows.remove(at);
        let summary = some.session().summary().clone();
        assert_eq!(failing(&summary), [(CheckKind::BlocksWithoutRow, 1), (CheckKind::Peaks, 1)]);
        let found = check(&summary, CheckKind::Peaks, PTA);
        let left =
            some.rows.rows.iter().filter(|row| !row[0].starts_with("cann::")).flat_map(|row| [&row[7], &row[10]]);
        assert_eq!((found.expected, found.first_ns), (Some(peak.bytes), Some(peak.time_ns)));
        assert_eq!(found.found, left.filter(|cell| !cell.is_empty()).map(|cell| mb(cell)).max());
    }

    #[test]
    fn removed_records() {
        let mut some = folder(2);
        let allocations: std::collections::HashSet<String> =
            released_rows(&some).iter().map(|at| some.rows.rows[*at][2].clone()).collect();
        let events: Vec<usize> = (20..some.records.rows.len() - 4)
            .filter(|at| {
                let next = some.records.rows[at + 1..].iter().find(|record| record[0] == PTA);
                let is_allocation = |record: &Vec<String>| record[0] == PTA && allocations.contains(&record[1]);
                is_allocation(&some.records.rows[*at]) && next.is_some_and(is_allocation)
            })
            .collect();
        let removed = [events[3], events[7], events[11], events[15]];
        let first = ns(&some.records.rows[removed[0]][1]);
        for at in removed.iter().rev() {
            some.records.rows.remove(*at);
        }
        let (summary, found) = only(&some, CheckKind::EventsWithoutRecord, 4, PTA);
        assert_eq!(found.first_ns, Some(first));
        says(&summary, &found, &["4", "memory_record.csv"]);
    }

    #[test]
    fn totals_of_another_rank() {
        let variety = Variety { workspace: false, ..Variety::default() };
        let two = Options { ranks: 2, variety, ..options(9) };
        let mut some = Folder::simulated(&two, 0);
        let other = Folder::simulated(&two, 1);
        let pta = |summary: &Summary| summary.blocks.by_component[PTA].total;
        // Each names its own device.
        some.records = other.records.clone();
        let summary = some.session().summary().clone();
        let found = check(&summary, CheckKind::OtherDevice, PTA);
        assert_eq!((found.failed, found.found), (pta(&summary), Some(0)));
        assert_eq!(found.other.as_ref().map(|key| key.device.as_str()), Some("NPU:1"));
        says(&summary, found, &["PTA NPU:0", "PTA NPU:1"]);
        assert!(failing(&summary).iter().all(|(kind, _)| *kind == CheckKind::OtherDevice), "{:?}", failing(&summary));
        // Both say NPU:0, as versions before August 2025 do.
        for record in &mut some.records.rows {
            *record.last_mut().unwrap() = "NPU:0".to_owned();
        }
        let summary = some.session().summary().clone();
        let found = check(&summary, CheckKind::EventsWithoutRecord, PTA);
        assert_eq!(found.failed, found.compared);
        assert!(failing(&summary).iter().all(|(kind, _)| *kind == CheckKind::EventsWithoutRecord));
        says(&summary, found, &[&words::units::count(found.compared)]);
    }

    #[test]
    fn a_device_named_differently() {
        let mut some = folder(10);
        for record in &mut some.records.rows {
            *record.last_mut().unwrap() = "NPU:5".to_owned();
        }
        let summary = some.session().summary().clone();
        let found = check(&summary, CheckKind::OtherDevice, PTA);
        let blocks = summary.blocks.by_component[PTA].total;
        assert_eq!((found.failed, found.found), (blocks, Some(blocks as i64)), "{found:?}");
        assert!(failing(&summary).iter().all(|(kind, _)| *kind == CheckKind::OtherDevice), "{:#?}", summary.checks);
        assert_eq!(check(&summary, CheckKind::RowTotals, PTA).verdict(), Verdict::Holds);
    }

    #[test]
    fn rows_of_the_graph_engine_under_torchs_names() {
        let mut some = folder(11);
        let mut sizes = 0;
        let mut count = 0;
        for row in &mut some.rows.rows {
            if let Some(name) = row[0].strip_prefix("cann::") {
                row[0] = format!("aten::{name}");
                (sizes, count) = (sizes + kb(&row[1]), count + 1);
            }
        }
        // One stays what it was: the pool still has rows of its own.
        let kept = some.rows.rows.iter_mut().rfind(|row| row[0].starts_with("aten::") && row[13].is_empty()).unwrap();
        kept[0] = kept[0].replace("aten::", "cann::");
        let kept = kb(&kept[1]);
        let (summary, found) = only(&some, CheckKind::PoolsMixed, count - 1, PTA);
        assert_eq!(found.bytes, Some(sizes - kept));
        assert_eq!(found.other.as_ref().map(|key| key.component.as_str()), Some("GE"));
        says(&summary, &found, &["PTA NPU:0", "GE NPU:0"]);
    }

    #[test]
    fn records_of_two_pools_under_one_name() {
        let mut some = folder(12);
        let mut count = 0;
        for record in &mut some.records.rows {
            if record[0] == "WORKSPACE" {
                record[0] = PTA.to_owned();
                count += 1;
            }
        }
        let (summary, found) = only(&some, CheckKind::PoolsMixed, count, PTA);
        assert_eq!((found.other.clone(), found.bytes), (None, None));
        says(&summary, &found, &["memory_record.csv", "PTA NPU:0"]);
    }

    #[test]
    fn totals_beside_some_rows() {
        let mut some = folder(13);
        let peak = some.session().summary().peak.unwrap().allocated.unwrap().time_ns;
        let rows = released_rows(&some);
        let changed: Vec<usize> =
            rows[10..15].iter().copied().filter(|at| ns(&some.rows.rows[*at][2]) != peak).collect();
        for at in &changed {
            let cell = &mut some.rows.rows[*at][7];
            *cell = format!("{}", cell.parse::<f64>().unwrap() - 1.0);
        }
        let (_, found) = only(&some, CheckKind::RowTotals, changed.len() as u64, PTA);
        let first = &some.rows.rows[changed[0]];
        assert_eq!(found.first_ns, Some(ns(&first[2])));
        assert_eq!((found.found, found.expected), (Some(mb(&first[7])), Some(mb(&first[7]) + (1 << 20))));
    }

    #[test]
    fn a_scaled_size() {
        let mut some = folder(14);
        let row = released_rows(&some)[40];
        let size = kb(&some.rows.rows[row][1]);
        some.rows.rows[row][1] = format!("{}", size as f64 * 2.0 / 1024.0);
        let (from, to) = (ns(&some.rows.rows[row][2]), counter_end(&some.rows.rows[row]));
        let records = some.records.rows.iter().filter(|record| record[0] == PTA);
        let off = records.filter(|record| (from..to).contains(&ns(&record[1]))).count() as u64;
        let (_, found) = only(&some, CheckKind::RowsTotal, off, PTA);
        assert_eq!(found.first_ns, Some(from));
        assert_eq!(found.found.unwrap() - found.expected.unwrap(), size);
    }

    #[test]
    fn a_scaled_column() {
        let mut some = folder(14);
        for row in some.rows.rows.iter_mut() {
            row[1] = format!("{}", kb(&row[1]) as f64 * 2.0 / 1024.0);
        }
        let summary = some.session().summary().clone();
        let kinds: std::collections::BTreeSet<CheckKind> =
            failing(&summary).into_iter().map(|(kind, _)| kind).collect();
        assert_eq!(kinds.into_iter().collect::<Vec<_>>(), [CheckKind::RowsTotal]);
    }

    #[test]
    fn active_above_reserved() {
        let mut some = folder(15);
        let rows_know: std::collections::HashSet<String> =
            some.rows.rows.iter().flat_map(|row| [row[2].clone(), row[3].clone()]).collect();
        let is_free = |record: &&mut Vec<String>| record[0] == PTA && !rows_know.contains(&record[1]);
        let record = some.records.rows.iter_mut().filter(is_free).nth(5).unwrap();
        record[4] = format!("{}", record[3].parse::<f64>().unwrap() + 1.0);
        let record = record.clone();
        let (summary, found) = only(&some, CheckKind::Order, 1, PTA);
        assert_eq!(found.first_ns, Some(ns(&record[1])));
        assert_eq!((found.found, found.expected), (Some(mb(&record[4])), Some(mb(&record[3]))));
        says(&summary, &found, &["1", "PTA NPU:0"]);
    }

    #[test]
    fn a_changed_duration() {
        let mut some = folder(16);
        let rows = released_rows(&some);
        let between = |row: &[String]| ns(&row[3]) - ns(&row[2]);
        for at in [rows[20], rows[50]] {
            let off = between(&some.rows.rows[at]) + 10;
            some.rows.rows[at][5] = format!("{}.{:03}\t", off / 1000, off % 1000);
        }
        let row = &some.rows.rows[rows[50]];
        let active = ns(&row[4]) - ns(&row[2]) - 1000;
        some.rows.rows[rows[50]][6] = format!("{}.{:03}\t", active / 1000, active % 1000);
        let (summary, found) = only(&some, CheckKind::Durations, 3, PTA);
        assert_eq!(found.first_row, Some(rows[20] as u64 + 2));
        let between = between(&some.rows.rows[rows[20]]);
        assert_eq!((found.expected, found.found), (Some(between), Some(between + 10)));
        says(&summary, &found, &["3", &words::units::count(rows[20] as u64 + 2)]);
    }

    #[test]
    fn times_rounded_in_one_table() {
        let mut some = folder(17);
        round_times(&mut some.rows, &[2, 3, 4]);
        let summary = some.session().summary().clone();
        let found = check(&summary, CheckKind::TimesRounded, PTA);
        let times = some.rows.rows.iter().flat_map(|row| &row[2..5]).filter(|cell| !cell.is_empty()).count() as u64;
        // The graph engine's unreleased rows repeat their allocation as release.
        let not_released = some.rows.rows.iter().filter(|row| row[0].starts_with("cann::") && row[2] == row[3]).count();
        assert_eq!((found.failed, found.found), (times - not_released as u64, Some(250)));
        says(&summary, found, &["0.250"]);
        let moved = check(&summary, CheckKind::EventsWithoutRecord, PTA);
        assert!(moved.failed * 2 > moved.compared && moved.failed < moved.compared, "{moved:?}");
        // No row was removed, and none is said to be.
        assert_eq!(check(&summary, CheckKind::BlocksWithoutRow, PTA).verdict(), Verdict::Holds);
        assert_eq!(check(&summary, CheckKind::Durations, PTA).verdict(), Verdict::Holds);
    }
}

mod worth_knowing {
    use super::*;

    #[test]
    fn releases_of_older_memory_are_the_simulators() {
        for seed in 20..24 {
            let (files, truth) = crate::common::Files::simulated(&options(seed));
            let session = files.only();
            let found = check(session.summary(), CheckKind::OlderReleased, PTA);
            let truth = &truth.folders[0];
            // Of what was freed before the first record's total nothing is recorded but what it left.
            let first_row = truth.rows.iter().map(|row| row.alloc_ns).min().unwrap();
            let unseen = usize::from(truth.baseline_freed.first().is_some_and(|(time, _)| *time < first_row));
            let seen = &truth.baseline_freed[unseen..];
            assert_eq!(found.verdict(), Verdict::Tells);
            assert_eq!(found.failed, seen.len() as u64);
            assert_eq!(found.bytes, Some(seen.iter().map(|(_, bytes)| *bytes as i64).sum()));
            assert_eq!(found.first_ns, seen.first().map(|(time, _)| *time));
        }
    }

    #[test]
    fn the_gap_between_the_process_and_its_pools() {
        let plain = folder(25);
        let planted = Folder::simulated(&Options { plant: vec!["outside=1GB".parse().unwrap()], ..options(25) }, 0);
        let gap = |folder: &Folder| {
            let session = folder.session();
            let found = check(session.summary(), CheckKind::OutsidePools, "APP").clone();
            // A slow count: at each sample the last reserved total of each pool so far.
            let mut most = (i64::MIN, 0);
            for app in folder.records.rows.iter().filter(|record| record[0] == "APP") {
                let at = ns(&app[1]);
                let last = |component: &str| {
                    let mut of = folder.records.rows.iter().filter(|r| r[0] == component && ns(&r[1]) <= at);
                    of.next_back().map(|record| mb(&record[3]))
                };
                if let Some(pta) = last(PTA) {
                    let pools = pta + last("GE").unwrap_or(0) + last("WORKSPACE").unwrap_or(0);
                    most = most.max((mb(&app[3]) - pools, -at));
                }
            }
            assert_eq!((found.bytes, found.first_ns), (Some(most.0), Some(-most.1)));
            assert_eq!(found.bytes.unwrap(), found.found.unwrap() - found.expected.unwrap());
            // The curve and the totals at its time say the same.
            let [start, end] = session.summary().window_ns.unwrap();
            let curve = session.timeline(start, end, 5000).series.into_iter().find(|s| s.quantity == Quantity::Outside);
            let curve = curve.unwrap();
            assert_eq!((curve.pool.component.as_str(), curve.bytes.iter().copied().max()), ("APP", found.bytes));
            let totals = session.totals_at(found.first_ns.unwrap());
            let outside: Vec<_> = totals.iter().filter_map(|total| Some((&total.pool, total.outside?))).collect();
            assert_eq!(outside, [(&curve.pool, most.0)]);
            says(session.summary(), &found, &[&words::units::bytes(most.0)]);
            most.0
        };
        assert!(gap(&planted) > gap(&plain) + (900 << 20));
    }

    #[test]
    fn every_pool_is_in_the_curves_and_in_the_totals() {
        let session = folder(26).session();
        let [start, end] = session.summary().window_ns.unwrap();
        let totals = session.totals_at(end);
        let timeline = session.timeline(start, end, 500);
        for component in [PTA, "GE", "WORKSPACE", "APP"] {
            let is_it = |key: &memlens::analysis::answer::PoolKey| key.component == component;
            assert!(totals.iter().any(|total| is_it(&total.pool) && total.reserved.is_some()), "{component}");
            assert!(timeline.series.iter().any(|series| is_it(&series.pool)), "{component}");
        }
    }
}

mod random_removals {
    use super::*;

    fn base() -> &'static Folder {
        static BASE: std::sync::OnceLock<Folder> = std::sync::OnceLock::new();
        BASE.get_or_init(|| Folder::simulated(&Options { steps: 1, ..options(31) }, 0))
    }

    /// Components of rows by where their allocation is recorded.
    fn component(row: &[String]) -> &'static str {
        static TIMES: std::sync::OnceLock<std::collections::HashMap<String, &'static str>> = std::sync::OnceLock::new();
        let times = TIMES.get_or_init(|| {
            let of = |name: &str| [PTA, "GE", "WORKSPACE"].into_iter().find(|known| *known == name);
            base().records.rows.iter().filter_map(|record| Some((record[1].clone(), of(&record[0])?))).collect()
        });
        times[&row[2]]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]

        #[test]
        fn are_found_if_and_only_if_there_are_any(removed in prop::collection::vec(any::<prop::sample::Index>(), 0..25)) {
            let mut some = base().clone();
            let count = some.rows.rows.len();
            let removed: std::collections::BTreeSet<usize> = removed.iter().map(|index| index.index(count)).collect();
            let gone: Vec<Vec<String>> = removed.iter().map(|at| some.rows.rows[*at].clone()).collect();
            for at in removed.iter().rev() {
                some.rows.rows.remove(*at);
            }
            let summary = some.session().summary().clone();
            for name in [PTA, "GE", "WORKSPACE"] {
                // Of the pool's very first record only what it leaves is known.
                let first = some.records.rows.iter().find(|record| record[0] == name).unwrap();
                let of_pool = gone.iter().filter(|row| component(row) == name && row[2] != first[1]);
                let (mut wanted, mut bytes) = (0, 0);
                for row in of_pool {
                    (wanted, bytes) = (wanted + 1, bytes + kb(&row[1]));
                }
                let found = check(&summary, CheckKind::BlocksWithoutRow, name);
                prop_assert_eq!((found.failed, found.bytes.unwrap_or(0)), (wanted, bytes), "{}", name);
            }
            let others = failing(&summary).into_iter().filter(|(kind, _)| *kind != CheckKind::BlocksWithoutRow);
            let others: Vec<_> = others.filter(|(kind, _)| *kind != CheckKind::Peaks).collect();
            prop_assert_eq!(others, []);
        }

        #[test]
        fn without_records_they_are_found_where_the_tables_own_totals_rise(
            removed in prop::collection::vec(any::<prop::sample::Index>(), 0..25),
        ) {
            let mut some = base().clone();
            some.records = Table::default();
            some.rows.rows.retain(|row| component(row) == PTA);
            let whole = some.rows.rows.clone();
            let removed: std::collections::BTreeSet<usize> = removed.iter().map(|index| index.index(whole.len())).collect();
            let gone: Vec<&Vec<String>> = removed.iter().map(|at| &whole[*at]).collect();
            for at in removed.iter().rev() {
                some.rows.rows.remove(*at);
            }
            // The total at each event that is left, less the live sum of the rows that are left.
            let mut events: Vec<(i64, i64)> = Vec::new();
            for row in &some.rows.rows {
                events.push((ns(&row[2]), mb(&row[7])));
                if !row[3].is_empty() {
                    events.push((ns(&row[3]), mb(&row[10])));
                }
            }
            events.sort_unstable();
            let blocks: Vec<(i64, i64, i64)> =
                some.rows.rows.iter().map(|row| (ns(&row[2]), counter_end(row), kb(&row[1]))).collect();
            let level = |(time, total): &(i64, i64)| {
                let live = blocks.iter().filter(|(from, to, _)| from <= time && time < to);
                total - live.map(|(.., size)| size).sum::<i64>()
            };
            let levels: Vec<i64> = events.iter().map(level).collect();
            let rises: Vec<i64> = levels.windows(2).map(|pair| pair[1] - pair[0]).filter(|change| *change > 0).collect();
            let summary = some.session().summary().clone();
            let found = check(&summary, CheckKind::BaselineRises, PTA);
            let sum = rises.iter().sum::<i64>();
            let highest = events.iter().map(|(_, total)| *total).max().unwrap_or(0);
            let bytes = (!rises.is_empty() && (rises.len() <= 8 || sum <= highest)).then_some(sum);
            prop_assert_eq!((found.failed, found.bytes), (rises.len() as u64, bytes));
            prop_assert!(!gone.is_empty() || rises.is_empty());
            prop_assert_eq!(failing(&summary).len(), usize::from(!rises.is_empty()));
        }
    }
}
