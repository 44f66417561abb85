//! By which rule a block got its stack, and sums kept apart by that rule.

use serde::{Deserialize, Serialize};

/// By which rule a block got its call stack.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MatchKind {
    /// An operator of the row's name holds the allocation, and has a stack itself.
    Enclosing,
    /// Such an operator on a backward thread; the stack is that of the forward operator it stems from.
    Forward,
    /// Allocated by the task queue; the stack is that of the operator that queued the work.
    Queue,
    /// The trace has no call stacks, but Python functions: the stack is made of those that were running on the operator's
    /// thread when it (or the forward operator, or the one that queued the work) began. They enclose it, so this is known.
    Python,
    /// A guess: the nearest earlier operator of that name.
    Nearest,
    /// Several candidates that differ; none is asserted.
    Ambiguous,
    /// No operator found.
    None,
}

impl MatchKind {
    /// Every kind, certain ones first.
    pub const ALL: [MatchKind; 7] = [
        MatchKind::Enclosing,
        MatchKind::Forward,
        MatchKind::Queue,
        MatchKind::Python,
        MatchKind::Nearest,
        MatchKind::Ambiguous,
        MatchKind::None,
    ];

    /// The stable name used in JSON and CSV.
    pub fn name(self) -> &'static str {
        match self {
            MatchKind::Enclosing => "enclosing",
            MatchKind::Forward => "forward",
            MatchKind::Queue => "queue",
            MatchKind::Python => "python",
            MatchKind::Nearest => "nearest",
            MatchKind::Ambiguous => "ambiguous",
            MatchKind::None => "none",
        }
    }

    /// Whether a stack of this kind is known rather than guessed or withheld.
    pub fn is_certain(self) -> bool {
        matches!(self, MatchKind::Enclosing | MatchKind::Forward | MatchKind::Queue | MatchKind::Python)
    }
}

/// One number for each match kind: rows in `Summary::matches`, bytes in `Group::by_match`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ByMatch {
    /// See [`MatchKind::Enclosing`].
    pub enclosing: i64,
    /// See [`MatchKind::Forward`].
    pub forward: i64,
    /// See [`MatchKind::Queue`].
    pub queue: i64,
    /// See [`MatchKind::Python`].
    #[serde(default)]
    pub python: i64,
    /// See [`MatchKind::Nearest`].
    pub nearest: i64,
    /// See [`MatchKind::Ambiguous`].
    pub ambiguous: i64,
    /// See [`MatchKind::None`].
    pub none: i64,
}

impl ByMatch {
    /// The number of one kind.
    pub fn get(&self, kind: MatchKind) -> i64 {
        match kind {
            MatchKind::Enclosing => self.enclosing,
            MatchKind::Forward => self.forward,
            MatchKind::Queue => self.queue,
            MatchKind::Python => self.python,
            MatchKind::Nearest => self.nearest,
            MatchKind::Ambiguous => self.ambiguous,
            MatchKind::None => self.none,
        }
    }

    /// The numbers of the certain kinds together.
    pub fn certain(&self) -> i64 {
        let certain = MatchKind::ALL.into_iter().filter(|kind| kind.is_certain());
        certain.fold(0, |sum, kind| i64::saturating_add(sum, self.get(kind)))
    }

    /// All numbers together.
    pub fn total(&self) -> i64 {
        MatchKind::ALL.into_iter().fold(0, |sum, kind| i64::saturating_add(sum, self.get(kind)))
    }

    /// Adds the numbers of another.
    pub fn merge(&mut self, other: &ByMatch) {
        self.enclosing = self.enclosing.saturating_add(other.enclosing);
        self.forward = self.forward.saturating_add(other.forward);
        self.queue = self.queue.saturating_add(other.queue);
        self.python = self.python.saturating_add(other.python);
        self.nearest = self.nearest.saturating_add(other.nearest);
        self.ambiguous = self.ambiguous.saturating_add(other.ambiguous);
        self.none = self.none.saturating_add(other.none);
    }

    /// Adds to the number of one kind.
    pub fn add(&mut self, kind: MatchKind, amount: i64) {
        let slot = match kind {
            MatchKind::Enclosing => &mut self.enclosing,
            MatchKind::Forward => &mut self.forward,
            MatchKind::Queue => &mut self.queue,
            MatchKind::Python => &mut self.python,
            MatchKind::Nearest => &mut self.nearest,
            MatchKind::Ambiguous => &mut self.ambiguous,
            MatchKind::None => &mut self.none,
        };
        *slot = slot.saturating_add(amount);
    }
}
