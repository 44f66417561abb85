//! What a finding is. Its JSON is a stable interface: bytes and nanoseconds are integers.

use serde::{Deserialize, Serialize};

use super::super::answer::{GroupBy, PoolKey, Summary};
use super::super::check::Check;
use super::super::facts::Measure;
use super::super::reserved::{Level, ReservedGrowth};
use crate::problem::Problem;

macro_rules! kinds {
    ($($(#[$doc:meta])* $kind:ident($found:ty) = $name:literal;)*) => {
        /// The kinds of finding. Each has a stable name.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum FindingKind { $($(#[$doc])* $kind,)* }

        impl FindingKind {
            /// Every kind.
            pub const ALL: &[FindingKind] = &[$(FindingKind::$kind,)*];

            /// The stable name used in JSON.
            pub fn name(self) -> &'static str {
                match self { $(FindingKind::$kind => $name,)* }
            }
        }

        /// What was found: its kind, and the numbers.
        #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(tag = "kind", content = "numbers", rename_all = "snake_case")]
        pub enum Found { $($(#[$doc])* $kind($found),)* }

        impl Found {
            /// Its kind.
            pub fn kind(&self) -> FindingKind {
                match self { $(Found::$kind(_) => FindingKind::$kind,)* }
            }
        }
    };
}

kinds! {
    /// The peak of allocated memory and its largest groups.
    Peak(PeakFound) = "peak";
    /// One stack leaves memory behind in step after step.
    Leak(LeakFound) = "leak";
    /// The process holds much beside its pools.
    Outside(OutsideFound) = "outside";
    /// The pool grew although it held enough free memory.
    Fragmentation(FragmentationFound) = "fragmentation";
    /// One rank is unlike the others of its role.
    OddRank(OddRankFound) = "odd_rank";
    /// One stack allocates and releases in a loop.
    Churn(ChurnFound) = "churn";
    /// The recording does not agree with itself: rows removed, totals of another device, ...
    FileCheck(Check) = "file_check";
    /// Something in the files could not be read, or is missing.
    FileProblem(Problem) = "file_problem";
}

/// Where to look.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Where {
    /// The rank folder.
    pub folder: String,
    /// Its role.
    pub role: String,
    /// Its rank, if known.
    pub rank: Option<u64>,
    /// Its step, if one recording of several.
    pub step: Option<u64>,
    /// In which form it came: see [`Summary::form`].
    pub form: String,
    /// Start of its window, ns: times are told from here.
    pub start_ns: Option<i64>,
    /// The pool, if it is about one.
    pub pool: Option<PoolKey>,
    /// The time to look at, ns.
    pub time_ns: Option<i64>,
    /// The group to look at: grouping and key.
    pub group: Option<(GroupBy, String)>,
}

impl Where {
    pub(super) fn of(summary: &Summary) -> Where {
        Where {
            folder: summary.folder.clone(),
            role: summary.role.clone(),
            rank: summary.rank,
            step: summary.step,
            form: summary.form.clone(),
            start_ns: summary.window_ns.map(|[from, _]| from),
            pool: None,
            time_ns: None,
            group: None,
        }
    }
}

/// One finding.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// Kind and numbers.
    #[serde(flatten)]
    pub found: Found,
    /// What findings are ranked by, bytes; 0 where it is about none.
    pub bytes: i64,
    /// Where to look.
    #[serde(rename = "where")]
    pub place: Where,
    /// Rank folders with the same finding (kind, role and group) and no more bytes: they are not listed again.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<String>,
}

impl Finding {
    /// Its kind.
    pub fn kind(&self) -> FindingKind {
        self.found.kind()
    }
}

/// One of the largest groups at the peak.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PeakGroup {
    /// User frame or operator; empty for stacks of library code alone.
    pub key: String,
    /// Bytes whose match is certain.
    pub bytes: i64,
}

/// The peak: `live - leaving + baseline + unexplained` is the total.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PeakFound {
    /// Recorded total, bytes.
    pub total_bytes: i64,
    /// All live blocks, bytes.
    pub live_bytes: i64,
    /// Memory from before the window, bytes.
    pub baseline_bytes: i64,
    /// By what the groups are: user frame where any stack is certain, else operator.
    pub by: GroupBy,
    /// The largest three.
    pub groups: Vec<PeakGroup>,
    /// Live blocks whose group is not certain, bytes; 0 for operators.
    pub uncertain_bytes: i64,
}

/// Memory of one stack that stays behind in step after step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeakFound {
    /// The call stack.
    pub stack: String,
    /// Its innermost user frame; may be empty.
    pub user_frame: String,
    /// The operator of the first block.
    pub operator: String,
    /// Allocated in the recording's steps and never released, bytes.
    pub bytes: i64,
    /// Blocks of these.
    pub blocks: u64,
    /// Steps in which something stayed, and steps in all.
    pub steps: u64,
    /// See `steps`.
    pub of_steps: u64,
    /// Further steps from which a block of the same operator and size stayed without a certain stack.
    #[serde(default)]
    pub alike_steps: u64,
    /// Least that stayed in such a step, bytes.
    pub least_bytes: i64,
    /// Most that stayed in one, bytes.
    pub most_bytes: i64,
    /// Blocks of the pool that stayed from all steps without a certain stack, bytes: some may belong here.
    pub uncertain_bytes: i64,
}

/// One of the driver's components.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Component {
    /// As recorded.
    pub name: String,
    /// Its peak, bytes.
    pub bytes: i64,
}

/// What the process holds beside its pools.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutsideFound {
    /// The most, bytes: process less pools.
    pub bytes: i64,
    /// The process then, bytes.
    pub process_bytes: i64,
    /// Reserved by its pools then (PTA, GE, WORKSPACE), bytes.
    pub pools_bytes: i64,
    /// The driver's largest components by their own peaks, where they were recorded.
    pub components: Vec<Component>,
}

/// Growth of reserved memory although enough was free.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FragmentationFound {
    /// Grown so, after the first step: bytes.
    pub bytes: i64,
    /// How often.
    pub growths: u64,
    /// The largest of them, with the allocation it served and what was free.
    pub largest: ReservedGrowth,
    /// Reserved at the end, bytes.
    pub reserved_bytes: i64,
    /// The most in use during the last step, bytes.
    pub used_bytes: i64,
    /// Reserved less used, bytes.
    pub unused_bytes: i64,
    /// Of that share.
    pub level: Level,
}

/// One measure of a rank far off those of its role.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct OddMeasure {
    /// Which.
    pub measure: Measure,
    /// The rank's.
    pub value: i64,
    /// The role's median.
    pub median: i64,
    /// The role's robust standard deviation.
    pub deviation: i64,
    /// How far off a rank must at least be.
    pub floor: i64,
}

/// A rank unlike the others of its role.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OddRankFound {
    /// What is odd, bytes before blocks, the furthest off first.
    pub measures: Vec<OddMeasure>,
    /// Ranks of the role.
    pub ranks: u64,
}

/// A loop that allocates.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChurnFound {
    /// The call stack.
    pub stack: String,
    /// Its innermost user frame; may be empty.
    pub user_frame: String,
    /// The operator of the first block.
    pub operator: String,
    /// Short-lived blocks.
    pub blocks: u64,
    /// Bytes allocated for them, all together.
    pub bytes: i64,
    /// The most of them one after the other.
    pub stretch: u64,
    /// The most of them in a row of one size, each allocated after the one before was released.
    #[serde(default)]
    pub turns: u64,
    /// Short-lived blocks of the pool without a certain stack, bytes: some may belong here.
    pub uncertain_bytes: i64,
}
