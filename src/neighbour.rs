//! Files that lie beside the recordings and are not read, by what they are.
//!
//! Shared vocabulary of `folder`, which recognises them, and of the rooms that tell people about them. It holds no sentences:
//! those are made in `words`.

use serde::{Deserialize, Serialize};

macro_rules! kinds {
    ($($(#[$doc:meta])* $kind:ident = $name:literal;)*) => {
        /// What a file beside the recordings is, each with a stable name for JSON and tests.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum NeighbourKind { $($(#[$doc])* $kind,)* }

        impl NeighbourKind {
            /// Every kind, in the order of declaration.
            pub const ALL: &[NeighbourKind] = &[$(NeighbourKind::$kind,)*];

            /// The stable name used in JSON.
            pub fn name(self) -> &'static str {
                match self { $(NeighbourKind::$kind => $name,)* }
            }
        }
    };
}

kinds! {
    /// The same data as a file that was read: another export, or CANN's own beside the analysed one.
    SecondCopy = "second_copy";
    /// A file named like one that is read, under another ending, whose content does not tell.
    OtherEnding = "other_ending";
    /// memscope_dump_*.csv or .db, leaks_dump_*, memory_compare_*: msMemScope's events.
    MemscopeDump = "memscope_dump";
    /// python_trace_*.csv: Python calls, of msMemScope.
    PythonTrace = "python_trace";
    /// A memory snapshot of torch (pickle or JSON).
    TorchSnapshot = "torch_snapshot";
    /// A memory timeline export of torch's profiler: bytes by category over time.
    MemoryTimeline = "memory_timeline";
    /// plog-*.log and other logs of the Ascend runtime.
    AscendLog = "ascend_log";
    /// A report of imas.
    ImasReport = "imas_report";
    /// kernel_details.csv, op_summary_*.csv: kernels on the device.
    KernelDetails = "kernel_details";
    /// operator_details.csv: operators' durations.
    OperatorDetails = "operator_details";
    /// communication.json, communication_matrix.json, analysis.db: communication operators.
    Communication = "communication";
    /// step_trace_time.csv: time by step.
    StepTrace = "step_trace";
    /// api_statistic.csv, op_statistic.csv and the like: counts and durations.
    Statistics = "statistics";
    /// l2_cache.csv, pcie.csv, hccs.csv, ...: counters of the hardware.
    HardwareCounters = "hardware_counters";
    /// npu_mem_*.csv: memory of the process and the device as CANN samples it.
    ProcessMemory = "process_memory";
    /// data_preprocess.csv, dataset.csv: loading of data.
    DataPreprocess = "data_preprocess";
    /// Results of a cluster analysis: cluster_analysis.db and the files beside it.
    ClusterAnalysis = "cluster_analysis";
    /// A viewer's cache: mindstudio_insight_data.db, a converted snapshot.
    ViewerCache = "viewer_cache";
    /// msprof_*.json: CANN's timeline, without operators of the framework.
    CannTimeline = "cann_timeline";
    /// trace_view_temp.json: a trace whose writing was not finished.
    PartialTrace = "partial_trace";
    /// A trace beside the one that was read.
    OtherTrace = "other_trace";
    /// memory_view_line_chart.csv: totals in the form before the first release.
    EarlyCurve = "early_curve";
    /// A database of no kind that is known.
    OtherDatabase = "other_database";
}

/// Files of one kind beside a recording.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Neighbour {
    /// The first of them: path below the rank folder; the whole path for one beside no rank folder.
    pub file: String,
    /// What they are.
    pub kind: NeighbourKind,
    /// How many there are.
    pub count: u64,
}

/// Gathers neighbours by kind.
#[derive(Debug, Default, Clone)]
pub struct Neighbours {
    list: Vec<Neighbour>,
}

impl Neighbours {
    /// Counts one file.
    pub fn add(&mut self, file: &str, kind: NeighbourKind) {
        match self.list.iter_mut().find(|known| known.kind == kind) {
            Some(known) => known.count += 1,
            None => self.list.push(Neighbour { file: file.to_owned(), kind, count: 1 }),
        }
    }

    /// What was gathered, by kind.
    pub fn into_list(mut self) -> Vec<Neighbour> {
        self.list.sort_by_key(|neighbour| neighbour.kind);
        self.list
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_agree_with_serde() {
        for kind in NeighbourKind::ALL {
            assert_eq!(serde_json::to_value(kind).unwrap(), serde_json::json!(kind.name()));
        }
    }
}
