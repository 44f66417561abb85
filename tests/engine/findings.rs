//! Findings against runs whose planted problems are known: each is found, with its line and its bytes; nothing else is said.

use std::collections::BTreeMap;

use crate::common::Files;
use memlens::analysis::answer::{GroupBy, TopQuery};
use memlens::analysis::check::are_totals_mixed;
use memlens::analysis::facts::{Measure, RankFacts};
use memlens::analysis::findings::{ChurnFound, Finding, FindingKind, Found, LeakFound, findings};
use memlens::analysis::growth::GrowthQuery;
use memlens::analysis::reserved::{Level, ReservedQuery};
use memlens::matching::MatchRule;
use memlens::problem::ProblemKind;
use memlens::session::Session;
use memlens::words::{self, Lang};
use memlens_simulator::{BlockTruth, FolderTruth, Kind, Options, Plant, Truth, Variety};

const PLANTS: [&str; 5] = ["leak", "odd-rank", "fragmentation", "outside", "churn"];
const ROLES: [&str; 2] = ["actor_update", "rollout"];

fn options(seed: u64, role: &str, ranks: u32, plants: &[&str]) -> Options {
    let plant = plants.iter().map(|plant| plant.parse().unwrap()).collect();
    Options { roles: vec![role.to_owned()], ranks, steps: 4, seed, plant, ..Options::default() }
}

/// A run's findings beside its truth.
struct Run {
    truth: Truth,
    sessions: Vec<Session>,
    found: Vec<Finding>,
}

impl Run {
    fn new(options: &Options) -> Run {
        let (files, truth) = Files::simulated(options);
        let sessions = files.sessions(MatchRule::Best);
        let facts: Vec<RankFacts> = sessions.iter().map(Session::facts).collect();
        let found = findings(sessions.iter().map(Session::findings), &facts);
        for finding in &found {
            let mut folders = finding.also.clone();
            folders.sort();
            folders.dedup();
            assert!(folders.len() == finding.also.len() && !folders.contains(&finding.place.folder), "{finding:#?}");
        }
        Run { truth, sessions, found }
    }

    /// What is found of a plant's kind in every rank it was planted into, and what is found besides: `None` where it is missing
    /// or says something else than the truth.
    fn judge(&self, plants: &[&str]) -> Judgement {
        let mut judgement = Judgement::default();
        for plant in plants {
            let (hits, wrong) = match *plant {
                "odd-rank" => self.odd_ranks(),
                plant => self.in_each_rank(plant),
            };
            judgement.hits += hits.iter().filter(|hit| **hit).count();
            judgement.misses += hits.iter().filter(|hit| !**hit).count();
            judgement.wrong += wrong;
        }
        for finding in &self.found {
            let kind = finding.kind();
            let of_folder = |truth: &&FolderTruth| finding.place.folder.ends_with(&truth.folder);
            let truth = self.truth.folders.iter().find(of_folder);
            let follows = plants.contains(&"leak") && truth.is_some_and(|truth| is_true_consequence(finding, truth));
            match kind {
                FindingKind::Peak => {}
                _ if plants.iter().any(|plant| kind_of(plant) == kind) => {}
                _ if follows => judgement.follow += 1 + finding.also.len(),
                _ => {
                    println!("not planted: {finding:#?}");
                    judgement.wrong += 1 + finding.also.len();
                }
            }
        }
        judgement
    }

    fn in_each_rank(&self, plant: &str) -> (Vec<bool>, usize) {
        let mut wrong = 0;
        let hit = |(session, truth): (&Session, &FolderTruth)| {
            let of_kind: Vec<Finding> =
                session.findings().into_iter().filter(|finding| finding.kind() == kind_of(plant)).collect();
            let hits = of_kind.iter().filter(|finding| is_true(finding, truth)).count();
            if hits != 1 || of_kind.len() != 1 {
                println!("{plant} in {}: {of_kind:#?}", truth.folder);
            }
            wrong += of_kind.len() - hits.min(1);
            hits > 0
        };
        let hits = self.sessions.iter().zip(&self.truth.folders).map(hit).collect();
        (hits, wrong)
    }

    /// The last rank has the larger activations.
    fn odd_ranks(&self) -> (Vec<bool>, usize) {
        let odd: Vec<&Finding> = self.found.iter().filter(|finding| finding.kind() == FindingKind::OddRank).collect();
        let last = self.truth.folders.iter().map(|folder| u64::from(folder.rank)).max();
        let is_last = |finding: &&&Finding| {
            let Found::OddRank(odd) = &finding.found else { return false };
            let peak = odd.measures.iter().find(|odd| odd.measure == Measure::PeakAllocated);
            let truth = self.truth.folders.last().unwrap().peaks.allocated.bytes as i64;
            finding.place.rank == last && peak.is_some_and(|peak| peak.value == truth)
        };
        let hits = odd.iter().filter(is_last).count();
        (vec![hits > 0], odd.len() - hits.min(1))
    }
}

#[derive(Debug, Default, PartialEq, Eq)]
struct Judgement {
    hits: usize,
    misses: usize,
    /// Of a kind that was not planted, or with another line, rank or number.
    wrong: usize,
    /// Not planted, but what a plant leads to.
    follow: usize,
}

fn kind_of(plant: &str) -> FindingKind {
    match plant {
        "leak" => FindingKind::Leak,
        "odd-rank" => FindingKind::OddRank,
        "fragmentation" => FindingKind::Fragmentation,
        "outside" => FindingKind::Outside,
        _ => FindingKind::Churn,
    }
}

/// What is true although it was not planted: blocks that stay behind lie in the way of others, and the pool grows with enough memory
/// free; a rank in which that did not happen then reserves less than the others.
fn is_true_consequence(finding: &Finding, truth: &FolderTruth) -> bool {
    match &finding.found {
        Found::Fragmentation(_) => is_true(finding, truth),
        Found::OddRank(odd) => {
            let [only] = odd.measures.as_slice() else { return false };
            only.measure == Measure::PeakReserved && only.value == truth.peaks.reserved.bytes as i64
        }
        _ => false,
    }
}

/// Whether a finding says what was planted: the line, and its bytes.
fn is_true(finding: &Finding, truth: &FolderTruth) -> bool {
    let planted = |is: fn(&Plant) -> bool| truth.planted.iter().find(|planted| is(&planted.plant)).unwrap();
    let rows = |rows: &[u64]| rows.iter().map(|row| truth.rows[*row as usize].clone()).collect::<Vec<BlockTruth>>();
    let bytes = |rows: &[BlockTruth], certain: bool| -> i64 {
        let known = rows.iter().filter(|row| (row.kind != Kind::None) == certain);
        known.map(|row| row.size_bytes as i64).sum()
    };
    match &finding.found {
        Found::Leak(LeakFound { stack, user_frame, bytes: leaked, uncertain_bytes, steps, .. }) => {
            let planted = planted(|plant| matches!(plant, Plant::Leak { .. }));
            let rows = rows(&planted.rows);
            // To the byte; a block whose stack is not certain is missing here, and stands in the remainder instead.
            let all: i64 = [true, false].map(|certain| bytes(&rows, certain)).iter().sum();
            let missing = truth.steps.len() as u64 - steps;
            let of_missing = missing as i64 * rows[0].size_bytes as i64;
            *user_frame == planted.line
                && *stack == truth.stacks[planted.stack.unwrap() as usize]
                && leaked + of_missing == all
                && *uncertain_bytes >= of_missing
        }
        Found::Churn(ChurnFound { stack, user_frame, bytes: churned, uncertain_bytes, .. }) => {
            let planted = planted(|plant| matches!(plant, Plant::Churn { .. }));
            // Single blocks cannot be told and are in the remainder; or another thread's, whose operator the trace lost, lies within
            // one of the loop's operators of the same name.
            let all = bytes(&rows(&planted.rows), true);
            *user_frame == planted.line
                && *stack == truth.stacks[planted.stack.unwrap() as usize]
                && churned + uncertain_bytes >= all
                && (churned - all).abs() * 20 <= all
        }
        Found::Fragmentation(found) => {
            found.reserved_bytes == truth.reserved_end as i64
                && found.level > Level::Normal
                && found.largest.is_in_spite()
        }
        Found::Outside(found) => {
            let planted = truth.planted.iter().find_map(|planted| match planted.plant {
                Plant::Outside { bytes } => Some(bytes as i64),
                _ => None,
            });
            // Beside what was planted the process holds 310 MB at all times; the driver hands out pages of 4 KB.
            found.bytes - planted.unwrap() - (310 << 20) >= 0 && found.bytes - planted.unwrap() < 400 << 20
        }
        _ => false,
    }
}

fn assert_judged(seed: u64, role: &str, ranks: u32, plants: &[&str]) {
    let run = Run::new(&options(seed, role, ranks, plants));
    let mut judgement = run.judge(plants);
    judgement.follow = 0;
    let hits: usize = plants.iter().map(|plant| if *plant == "odd-rank" { 1 } else { ranks as usize }).sum();
    let kinds: Vec<&Found> = run.found.iter().map(|finding| &finding.found).collect();
    assert_eq!(judgement, Judgement { hits, ..Judgement::default() }, "{role} {seed} {plants:?}: {kinds:#?}");
    assert_eq!(run.found.iter().filter(|finding| finding.kind() == FindingKind::Peak).count(), 1);
}

#[test]
fn each_plant_alone_is_found_and_nothing_else() {
    for (at, plant) in PLANTS.iter().enumerate() {
        let ranks = if *plant == "odd-rank" { 3 } else { 1 };
        assert_judged(1 + at as u64, ROLES[1], ranks, &[plant]);
    }
    for plant in ["leak", "fragmentation", "churn"] {
        assert_judged(11, ROLES[0], 1, &[plant]);
    }
}

#[test]
fn all_plants_together_are_found() {
    for (seed, role) in [(5, ROLES[1]), (6, ROLES[0])] {
        assert_judged(seed, role, 3, &PLANTS);
    }
}

/// Without records, workspace memory stands among torch's rows with totals of its own: what the pool reserved, and its peak, cannot
/// be told from that curve.
#[test]
fn the_totals_of_two_pools_prove_nothing_about_one() {
    let mut mixed = 0;
    for seed in 0..4 {
        let (mut files, _) = Files::simulated(&options(seed, "rollout", 3, &[]));
        files.0.retain(|(path, _)| !path.ends_with("memory_record.csv"));
        let sessions = files.sessions(MatchRule::Best);
        let facts: Vec<RankFacts> = sessions.iter().map(Session::facts).collect();
        for session in &sessions {
            let is_mixed = are_totals_mixed(session.summary());
            mixed += usize::from(is_mixed);
            let of_curve = [FindingKind::Peak, FindingKind::Fragmentation];
            let told = session.findings().iter().filter(|finding| of_curve.contains(&finding.kind())).count();
            assert_eq!(told, usize::from(!is_mixed), "{:#?}", session.findings());
            assert_eq!(session.facts().get(Measure::PeakReserved).is_none(), is_mixed);
        }
        let all = findings(sessions.iter().map(Session::findings), &facts);
        assert!(all.iter().all(|finding| finding.kind() != FindingKind::OddRank), "{all:#?}");
    }
    assert!(mixed > 0, "no run has workspace memory among torch's rows");
}

#[test]
fn a_clean_run_has_a_peak_and_nothing_else() {
    for seed in 1..=3 {
        assert_judged(seed, ROLES[1], 3, &[]);
    }
    assert_judged(4, ROLES[0], 3, &[]);
}

/// `cargo test --release --test engine precision -- --ignored --nocapture`
#[test]
#[ignore = "a measurement: ten seeds a plant, alone and together, and twenty clean runs of both roles"]
fn precision_and_recall() {
    let mut all: BTreeMap<String, Judgement> = BTreeMap::new();
    let mut take = |name: &str, seed: u64, plants: &[&str]| {
        let of = all.entry(name.to_owned()).or_default();
        for role in ROLES {
            let judged = Run::new(&options(seed, role, 4, plants)).judge(plants);
            of.hits += judged.hits;
            of.misses += judged.misses;
            of.wrong += judged.wrong;
            of.follow += judged.follow;
        }
    };
    // Other seeds than those any rule was looked at with: `SEEDS=1000`.
    let first: u64 = std::env::var("SEEDS").ok().and_then(|first| first.parse().ok()).unwrap_or(100);
    for seed in first + 1..=first + 10 {
        for plant in PLANTS {
            take(plant, seed, &[plant]);
        }
        take("together", seed, &PLANTS);
    }
    for seed in first + 101..=first + 120 {
        take("clean", seed, &[]);
    }
    for (name, of) in &all {
        println!("{name:>14}: {} found, {} missed, {} wrong, {} that follow", of.hits, of.misses, of.wrong, of.follow);
    }
    assert!(all.values().all(|of| of.misses == 0 && of.wrong == 0), "{all:?}");
}

#[test]
fn groups_and_baseline_add_up_to_the_recorded_total_at_every_time() {
    let (files, truth) = Files::simulated(&options(9, ROLES[0], 1, &["leak", "churn"]));
    let session = files.only();
    let truth = &truth.folders[0];
    let mut times: Vec<i64> =
        truth.rows.iter().flat_map(|row| [Some(row.alloc_ns), row.release_ns]).flatten().collect();
    times.sort_unstable();
    let peak = session.facts().peak.unwrap();
    for at_ns in times.into_iter().step_by(37).chain([peak.time_ns]) {
        for by in GroupBy::ALL {
            let query = TopQuery { at_ns, pool: None, by, within: None, limit: usize::MAX };
            let breakdown = session.breakdown(&query);
            let beside = breakdown.beside.unwrap();
            let groups: i64 = breakdown.top.groups.iter().map(|group| group.bytes).sum();
            let matched: i64 = breakdown.top.groups.iter().map(|group| group.by_match.total()).sum();
            assert_eq!((groups, matched), (beside.live_bytes, groups));
            let total = groups - beside.leaving_bytes + beside.baseline_bytes;
            let recorded = beside.recorded_bytes.unwrap_or(total);
            assert_eq!((total, beside.unexplained_bytes), (recorded, 0), "{by:?} at {at_ns}");
            // Slow: blocks between the time they can be used again and the time their release is reported.
            assert!(beside.leaving_bytes >= 0);
        }
    }
    let beside =
        session.breakdown(&TopQuery { at_ns: peak.time_ns, pool: None, by: GroupBy::Stack, within: None, limit: 1 });
    assert_eq!(beside.beside.unwrap().recorded_bytes, Some(truth.peaks.allocated.bytes as i64));
}

#[test]
fn growth_between_steps_is_the_difference_of_the_recorded_totals() {
    let run = Run::new(&options(3, ROLES[1], 1, &["leak"]));
    let (session, truth) = (&run.sessions[0], &run.truth.folders[0]);
    let steps = session.steps_in_order();
    assert_eq!(
        steps.iter().map(|step| step.number).collect::<Vec<_>>(),
        truth.steps.iter().map(|s| u64::from(s.number)).collect::<Vec<_>>()
    );
    let (from_ns, to_ns) = (steps[0].end_ns, steps[3].end_ns);
    let growth =
        session.growth(&GrowthQuery { from_ns, to_ns, pool: None, by: GroupBy::UserFrame, limit: usize::MAX }).unwrap();
    let [from, to] = growth.beside.unwrap();
    let total =
        |at: i64| session.totals_at(at).into_iter().find(|total| total.pool.component == "PTA").unwrap().allocated;
    assert_eq!((from.recorded_bytes, to.recorded_bytes), (total(from_ns), total(to_ns)));
    let of_groups: i64 = growth.groups.iter().map(|group| group.change_bytes).sum();
    assert_eq!(of_groups, growth.change_bytes);
    let told = |beside: &memlens::analysis::breakdown::Beside| beside.baseline_bytes - beside.leaving_bytes;
    assert_eq!(to.recorded_bytes.unwrap() - from.recorded_bytes.unwrap(), of_groups + told(&to) - told(&from));
    // The first is the leak: it grows from step to step, by one block each.
    let leak = &truth.planted[0];
    let size = truth.rows[leak.rows[0] as usize].size_bytes as i64;
    let first = &growth.groups[0];
    assert_eq!(first.key.as_deref(), Some(leak.line.as_str()));
    assert_eq!((first.change_bytes, first.never_released_bytes, first.is_monotonic), (3 * size, 3 * size, true));
    assert_eq!(first.live_bytes, [size, 2 * size, 3 * size, 4 * size]);
}

#[test]
fn reserved_memory_is_that_of_a_slow_walk_over_the_records() {
    let (files, _) = Files::simulated(&options(2, ROLES[0], 1, &["fragmentation"]));
    let session = files.only();
    let text = &files.0.iter().find(|(path, _)| path.ends_with("memory_record.csv")).unwrap().1;
    let table = crate::common::Table::parse(std::str::from_utf8(text).unwrap());
    let column = |name: &str| table.header.iter().position(|header| header == name).unwrap();
    let number = |row: &[String], name: &str, scale: f64| {
        (row[column(name)].trim().parse::<f64>().unwrap() * scale).round() as i64
    };
    let mib = f64::from(1 << 20);
    let records: Vec<[i64; 3]> = (table.rows.iter().filter(|row| row[0] == "PTA"))
        .map(|row| ["Allocated", "Reserved", "Active"].map(|what| number(row, &format!("Total {what}(MB)"), mib)))
        .collect();
    let query = ReservedQuery { from_ns: i64::MIN, to_ns: i64::MAX, pool: None, limit: usize::MAX };
    let reserved = session.reserved(&query).unwrap();
    let unused = records.iter().map(|[allocated, reserved, _]| reserved - allocated);
    assert_eq!(reserved.worst.unwrap().unused_bytes, unused.max().unwrap());
    let pending = records.iter().map(|[allocated, _, active]| active - allocated);
    assert_eq!(reserved.pending.unwrap().bytes, pending.max().unwrap());
    let peak = records.iter().max_by_key(|record| record[0]).unwrap();
    assert_eq!(reserved.at_peak.unwrap().allocated_bytes, peak[0]);
    let grown: Vec<(i64, i64)> = (records.windows(2).filter(|pair| pair[1][1] > pair[0][1]))
        .map(|pair| (pair[1][1] - pair[0][1], pair[0][1] - pair[0][2]))
        .collect();
    assert_eq!(reserved.growths.iter().map(|growth| (growth.bytes, growth.free_bytes)).collect::<Vec<_>>(), grown);
    assert_eq!(reserved.growth_bytes, grown.iter().map(|(bytes, _)| bytes).sum::<i64>());
    for growth in &reserved.growths {
        let trigger = growth.trigger.as_ref().expect("only allocations make a pool grow");
        assert!(trigger.size_bytes <= growth.bytes, "{growth:?}");
    }
    let largest = session.reserved(&ReservedQuery { limit: 2, ..query.clone() }).unwrap();
    assert_eq!(largest.growths.len(), 2);
    assert_eq!((largest.growth_count, largest.growth_bytes), (reserved.growth_count, reserved.growth_bytes));
    let curves = session.unused_curves(&query, 200).unwrap();
    let most = |curve: &[(i64, i64)]| curve.iter().map(|(_, bytes)| *bytes).max().unwrap();
    assert_eq!(most(&curves.unused), reserved.worst.unwrap().unused_bytes);
    assert_eq!(most(&curves.pending), reserved.pending.unwrap().bytes);
}

#[test]
fn without_stacks_the_files_are_the_finding_and_nothing_is_guessed() {
    let variety = Variety { call_stacks: false, python_functions: false, ..Variety::default() };
    let run = Run::new(&Options { variety, ..options(1, ROLES[1], 1, &["leak", "churn"]) });
    let kinds: Vec<FindingKind> = run.found.iter().map(Finding::kind).collect();
    assert!(!kinds.contains(&FindingKind::Leak) && !kinds.contains(&FindingKind::Churn), "{kinds:?}");
    let Found::Peak(peak) = &run.found[0].found else { panic!("{kinds:?}") };
    assert_eq!((peak.by, peak.uncertain_bytes), (GroupBy::Operator, 0));
    let stacks = run.found.iter().find_map(|finding| match &finding.found {
        Found::FileProblem(problem) if problem.kind == ProblemKind::NoStacks => Some(problem),
        _ => None,
    });
    assert!(words::problem(Lang::En, stacks.unwrap()).contains("with_stack"));
}

#[test]
fn removed_rows_and_a_cut_trace_are_findings() {
    let (mut files, _) = Files::simulated(&options(1, ROLES[1], 1, &[]));
    for (path, bytes) in &mut files.0 {
        if path.ends_with("operator_memory.csv") {
            let mut table = crate::common::Table::parse(std::str::from_utf8(bytes).unwrap());
            table.rows.drain(20..40);
            *bytes = table.text().into_bytes();
        }
        if path.ends_with("trace_view.json") {
            bytes.truncate(bytes.len() - bytes.len() / 10 - 7);
        }
    }
    let found = files.only().findings();
    let is_check = |finding: &Finding| matches!(&finding.found, Found::FileCheck(check) if check.kind.name() == "blocks_without_row");
    let is_cut = |finding: &Finding| matches!(&finding.found, Found::FileProblem(problem) if problem.kind == ProblemKind::Truncated);
    assert!(found.iter().any(|finding| is_check(finding) && finding.bytes > 0), "{found:#?}");
    assert!(found.iter().any(is_cut), "{found:#?}");
    // The form others build on comes back as it was.
    let text = serde_json::to_string(&found).unwrap();
    assert_eq!(serde_json::from_str::<Vec<Finding>>(&text).unwrap(), found);
}
