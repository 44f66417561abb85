//! What to simulate.

use crate::plant::Plant;

/// What to simulate. [`Default`] gives a small run: one role, two ranks, three steps.
#[derive(Debug, Clone, PartialEq)]
pub struct Options {
    /// Names of the roles, each a folder of the run. A role whose name speaks of inference (`rollout`, `ref`, `reward`,
    /// `infer`, `generate`) runs without gradients, any other trains.
    pub roles: Vec<String>,
    /// Ranks in each role.
    pub ranks: u32,
    /// `ProfilerStep` spans inside one recording; at least 1.
    pub steps: u32,
    /// Size in bytes to aim for with each rank's `trace_view.json`, reached within 3 % by more micro-batches; 0 = natural
    /// size. What is smaller than one micro-batch a step (about 0.5 MB) cannot be reached.
    pub trace_bytes: u64,
    /// The same seed (with the same options) gives the same bytes.
    pub seed: u64,
    /// Problems to plant.
    pub plant: Vec<Plant>,
    /// Difficulties for whoever matches blocks to operators.
    pub variety: Variety,
    /// Text files, a database, or both.
    pub form: Form,
}

/// In which form a recording is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Form {
    /// operator_memory.csv, memory_record.csv and trace_view.json.
    #[default]
    Text,
    /// One database a rank (needs the feature `database`).
    Database,
    /// Both.
    Both,
}

impl Form {
    pub(crate) fn has_text(self) -> bool {
        self != Form::Database
    }

    pub(crate) fn has_database(self) -> bool {
        self != Form::Text
    }
}

impl std::str::FromStr for Form {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        match name {
            "text" => Ok(Form::Text),
            "db" => Ok(Form::Database),
            "both" => Ok(Form::Both),
            _ => Err(format!("{name} is none of text, db, both")),
        }
    }
}

impl Default for Options {
    fn default() -> Self {
        Self {
            roles: vec!["actor_update".to_owned()],
            ranks: 2,
            steps: 3,
            trace_bytes: 0,
            seed: 1,
            plant: Vec::new(),
            variety: Variety::default(),
            form: Form::Text,
        }
    }
}

/// The run behind the page's "open the example": two roles with two ranks each and a fixed seed. Nothing is planted.
#[must_use]
pub fn example_options() -> Options {
    Options {
        roles: vec!["actor_update".to_owned(), "rollout".to_owned()],
        ranks: 2,
        steps: 3,
        trace_bytes: 3_000_000,
        seed: 20_260_526,
        plant: Vec::new(),
        variety: Variety::default(),
        form: Form::Text,
    }
}

/// Difficulties for whoever matches blocks to operators. [`Default`] has all of them at realistic rates.
#[derive(Debug, Clone, PartialEq)]
pub struct Variety {
    /// A second forward thread with Sequence numbers of its own and a loader thread without stacks run operators of the
    /// same names at overlapping times; Sequence numbers and `fwdbwd` ids then exist twice.
    pub threads: bool,
    /// Share (0 to 1) of allocations made on the dequeue thread instead of inside the operator.
    pub queueing: f64,
    /// Activation checkpointing: a layer is run again inside its backward node, and backward nodes nest in it.
    pub reentrant: bool,
    /// `create_graph`: backward operators that have Sequence numbers and backward nodes of their own.
    pub double_backward: bool,
    /// Share (0 to 1) of backward nodes whose `fwdbwd` flow is missing.
    pub missing_flows: f64,
    /// Share (0 to 1) of inner operators without a stack, below an operator that has it; only where no backward node
    /// stems from them.
    pub stackless: f64,
    /// Share (0 to 1) of outermost operators without a backward node that are missing in the trace; the blocks allocated
    /// inside them cannot be told.
    pub lost_operators: f64,
    /// Write `python_function` events.
    pub python_functions: bool,
    /// Operators have their `Call stack`. Without it (`with_stack` off) the `python_function` events are exactly the frames of
    /// those stacks, at the times at which they were running; such a trace is not written to a given size.
    pub call_stacks: bool,
    /// Workspace blocks in a pool of their own.
    pub workspace: bool,
    /// Blocks of the graph engine (`cann::` rows).
    pub graph_engine: bool,
    /// Blocks used on a second stream: Active Release comes after Release, for one of them after the recording.
    pub side_stream: bool,
    /// Dequeue events come before enqueue events, as the newest writer has it; else after them, as older traces have it.
    pub dequeue_first: bool,
}

impl Default for Variety {
    fn default() -> Self {
        Self {
            threads: true,
            queueing: 0.15,
            reentrant: true,
            double_backward: true,
            missing_flows: 0.05,
            stackless: 0.05,
            lost_operators: 0.02,
            python_functions: true,
            call_stacks: true,
            workspace: true,
            graph_engine: true,
            side_stream: true,
            dequeue_first: true,
        }
    }
}

impl Variety {
    /// None of the difficulties: one forward and one backward thread, each block allocated inside its operator.
    #[must_use]
    pub fn plain() -> Self {
        Self {
            threads: false,
            queueing: 0.0,
            reentrant: false,
            double_backward: false,
            missing_flows: 0.0,
            stackless: 0.0,
            lost_operators: 0.0,
            python_functions: false,
            call_stacks: true,
            workspace: false,
            graph_engine: false,
            side_stream: false,
            dequeue_first: false,
        }
    }
}
