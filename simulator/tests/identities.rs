//! The identities that hold in real files, each read back from the written text.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test may stop at whatever is not as it says"
)]

#[expect(dead_code, reason = "each test file uses its own part")]
mod support;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::LazyLock;

use memlens_simulator::{Component, FolderTruth, Options, Plant, example_options};
use support::{Record, Row, Run, nanoseconds, run};

/// The example, and a run with everything planted: identities hold in both.
static RUNS: LazyLock<[Run; 2]> = LazyLock::new(|| {
    let plant = ["leak=12MB", "fragmentation", "churn=20", "outside=1GB"].map(|text| text.parse::<Plant>().unwrap());
    [run(&example_options()), run(&Options { ranks: 1, plant: plant.to_vec(), ..example_options() })]
});

fn each_folder(check: impl Fn(&Run, &FolderTruth)) {
    for run in &*RUNS {
        assert!(!run.truth.folders.is_empty());
        for folder in &run.truth.folders {
            check(run, folder);
        }
    }
}

fn of<'a>(records: &'a [Record], component: &str) -> Vec<&'a Record> {
    records.iter().filter(|record| record.component == component).collect()
}

/// The torch allocator's rows: those whose allocation is a PTA record.
fn pta_rows(run: &Run, folder: &FolderTruth) -> Vec<Row> {
    let truth = folder.rows.iter();
    run.rows(folder).into_iter().zip(truth).filter(|(_, t)| t.component == Component::Pta).map(|(row, _)| row).collect()
}

#[test]
fn each_event_of_a_row_has_a_record_with_equal_totals() {
    each_folder(|run, folder| {
        let records = run.records(folder);
        let totals: HashMap<(&str, i64), [Option<u64>; 3]> =
            records.iter().map(|record| ((record.component.as_str(), record.time), record.totals)).collect();
        for (row, truth) in run.rows(folder).iter().zip(&folder.rows) {
            let component = truth.component.name();
            assert_eq!(totals[&(component, row.alloc)], row.at_alloc, "{row:?}");
            if let Some(time) = truth.release_ns {
                assert_eq!(totals[&(component, time)], row.at_release, "{row:?}");
            }
            if let Some(time) = row.active_release {
                assert!(totals.contains_key(&(component, time)), "{row:?}");
            }
        }
    });
}

#[test]
fn durations_are_differences_of_times() {
    each_folder(|run, folder| {
        let (mut released, mut late) = (0, 0);
        for row in run.rows(folder) {
            let Some(release) = row.release else {
                assert_eq!((row.duration.as_str(), row.at_release), ("", [None; 3]));
                continue;
            };
            released += 1;
            let text = if row.is_graph() { row.duration.as_str() } else { row.duration.strip_suffix('\t').unwrap() };
            assert_eq!(nanoseconds(text), release - row.alloc, "{row:?}");
            if let Some(active) = row.active_release {
                assert_eq!(nanoseconds(row.active_duration.strip_suffix('\t').unwrap()), active - row.alloc);
                late += usize::from(active > release);
            }
        }
        assert!(released > 100 && late > 0, "{released} {late}");
    });
}

#[test]
fn allocated_active_and_reserved_are_in_order() {
    each_folder(|run, folder| {
        for record in of(&run.records(folder), "PTA") {
            let [allocated, reserved, active] = record.totals.map(Option::unwrap);
            assert!(allocated <= active && active <= reserved, "{record:?}");
        }
    });
}

#[test]
fn times_of_a_pool_are_unique_and_sorted_behind_all_samples() {
    each_folder(|run, folder| {
        let records = run.records(folder);
        for component in ["APP", "PTA", "GE", "WORKSPACE"] {
            let times: Vec<i64> = of(&records, component).iter().map(|record| record.time).collect();
            assert!(times.windows(2).all(|pair| pair[0] < pair[1]), "{component}");
            assert!(!times.is_empty(), "{component}");
        }
        let (samples, rest) = records.split_at(of(&records, "APP").len());
        assert!(samples.iter().all(|record| record.component == "APP"));
        assert!(rest.is_sorted_by_key(|record| record.time));
    });
}

#[test]
fn each_record_of_pta_and_ge_is_followed_by_their_sum() {
    each_folder(|run, folder| {
        let records = run.records(folder);
        let mut latest = [
            [Some(folder.baseline_start), Some(folder.reserved_start), Some(folder.baseline_start)],
            [Some(0), Some(0), None],
        ];
        let mut sums = 0;
        for pair in records.windows(2) {
            let at = match pair[0].component.as_str() {
                "PTA" => 0,
                "GE" => 1,
                _ => {
                    assert!(pair[0].component == "PTA+GE" || pair[1].component != "PTA+GE");
                    continue;
                }
            };
            latest[at] = pair[0].totals;
            sums += 1;
            let [pta, ge] = latest;
            let sum = [pta[0].zip(ge[0]).map(|(a, b)| a + b), pta[1].zip(ge[1]).map(|(a, b)| a + b), pta[2]];
            assert_eq!((pair[1].component.as_str(), pair[1].time, pair[1].totals), ("PTA+GE", pair[0].time, sum));
        }
        assert_eq!(sums, folder.records[4]);
        assert_eq!(of(&records, "PTA").len() as u64, folder.records[1]);
        assert_eq!(of(&records, "WORKSPACE").len() as u64, folder.records[3]);
    });
}

#[test]
fn the_baseline_never_rises_and_falls_by_what_is_freed() {
    each_folder(|run, folder| {
        let mut change: BTreeMap<i64, i64> = BTreeMap::new();
        let rows = pta_rows(run, folder);
        for row in &rows {
            *change.entry(row.alloc).or_default() += row.size as i64;
            if let Some(time) = row.release {
                *change.entry(time).or_default() -= row.size as i64;
            }
        }
        // A block is returned a moment before the free reports it: those records are left out.
        let returned: HashSet<i64> = rows.iter().filter_map(|row| row.active_release).collect();
        let mut changes = change.into_iter().peekable();
        let (mut live, mut baseline, mut fallen) = (0, folder.baseline_start as i64, 0);
        for record in of(&run.records(folder), "PTA") {
            while let Some((_, by)) = changes.next_if(|(time, _)| *time <= record.time) {
                live += by;
            }
            if returned.contains(&record.time) {
                continue;
            }
            let now = record.totals[0].unwrap() as i64 - live;
            assert!(now <= baseline, "rises to {now} from {baseline} at {}", record.time);
            fallen += i64::from(now < baseline);
            baseline = now;
        }
        assert_eq!(baseline, folder.baseline_end as i64);
        assert_eq!(fallen as usize, folder.baseline_freed.len());
        assert!(fallen > 2);
        let freed: u64 = folder.baseline_freed.iter().map(|(_, bytes)| bytes).sum();
        assert_eq!(folder.baseline_start - folder.baseline_end, freed);
    });
}

#[test]
fn peaks_of_rows_and_records_and_truth_agree() {
    each_folder(|run, folder| {
        let records = run.records(folder);
        let peak = |at: usize| {
            let highest = of(&records, "PTA").iter().map(|record| record.totals[at].unwrap()).max().unwrap();
            let first = of(&records, "PTA").into_iter().find(|record| record.totals[at] == Some(highest)).unwrap();
            (highest, first.time)
        };
        let truth = folder.peaks;
        assert_eq!(peak(0), (truth.allocated.bytes, truth.allocated.time_ns));
        assert_eq!(peak(1), (truth.reserved.bytes, truth.reserved.time_ns));
        assert_eq!(peak(2), (truth.active.bytes, truth.active.time_ns));
        let of_rows = pta_rows(run, folder).iter().filter_map(|row| row.at_alloc[0]).max();
        assert_eq!(of_rows, Some(truth.allocated.bytes));
    });
}

#[test]
fn the_process_holds_what_its_pools_hold_and_more() {
    each_folder(|run, folder| {
        let records = run.records(folder);
        for sample in of(&records, "APP") {
            assert_eq!((sample.totals[0], sample.totals[2]), (None, None));
            let at = |component: &str| {
                of(&records, component)
                    .iter()
                    .rfind(|record| record.time < sample.time)
                    .and_then(|record| record.totals[1])
            };
            let pools =
                at("PTA").unwrap_or(folder.reserved_start) + at("GE").unwrap_or(0) + at("WORKSPACE").unwrap_or(0);
            assert!(sample.totals[1].unwrap() >= pools + (300 << 20), "{sample:?} {pools}");
        }
    });
}

#[test]
fn rows_come_in_the_writers_order_and_missing_cells_are_empty() {
    each_folder(|run, folder| {
        let rows = run.rows(folder);
        let first_graph = rows.iter().position(Row::is_graph).unwrap();
        let (torch, graph) = rows.split_at(first_graph);
        assert!(torch.is_sorted_by_key(|row| row.alloc) && graph.iter().all(Row::is_graph));
        let (released, kept): (Vec<&Row>, Vec<&Row>) = graph.iter().partition(|row| row.duration != "0");
        assert!(released.is_sorted_by_key(|row| row.release));
        assert!(!kept.is_empty());
        for row in kept {
            assert_eq!((row.release, row.at_release), (Some(row.alloc), [Some(0), Some(0), None]));
        }
        assert!(
            graph.iter().all(|row| row.active_release.is_none() && row.at_alloc[2].is_none() && row.stream.is_empty())
        );
        let open = rows.iter().filter(|row| row.release.is_none()).count() as u64;
        assert_eq!(open, folder.never_released);
        assert!(open > 0);
        // Blocks that wait for another stream when recording stops.
        let half =
            pta_rows(run, folder).iter().filter(|row| row.release.is_some() && row.active_release.is_none()).count();
        assert!((1..=3).contains(&half), "{half}");
        assert!(rows.iter().all(|row| row.size % 512 == 0 && row.device == folder.device));
    });
}

#[test]
fn nothing_grows_from_step_to_step_without_a_plant() {
    let run = run(&Options { steps: 6, ..example_options() });
    for folder in &run.truth.folders {
        let records = run.records(folder);
        let at = |time: i64, what: usize| {
            of(&records, "PTA").iter().rfind(|record| record.time <= time).unwrap().totals[what].unwrap()
        };
        let ends: Vec<i64> = folder.steps.iter().map(|step| step.end_ns).collect();
        assert_eq!(ends.len(), 6);
        let (second, last) = (ends[1], ends[5]);
        assert_eq!(at(second, 1), at(last, 1), "reserved, {}", folder.folder);
        assert!(at(last, 0).abs_diff(at(second, 0)) < 4 << 20, "allocated, {}", folder.folder);
    }
}
