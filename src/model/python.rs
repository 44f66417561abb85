//! Python functions of a trace without call stacks: 24 bytes each, their names stored once as they stand in the file.

use super::intern::Interner;
use crate::column::Column;
use crate::read::trace::RawString;

/// Begins the name of a module's call, which is no function.
const MODULE: &[u8] = b"nn.Module: ";

/// One call of a Python function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PythonFunction {
    /// Start, ns.
    pub start: i64,
    /// End, ns.
    pub end: i64,
    /// Id of its name.
    pub name: u32,
    /// Thread id.
    pub thread: u32,
}

/// All of them.
#[derive(Default)]
pub struct PythonFunctions {
    /// In file order.
    pub list: Column<PythonFunction>,
    /// Raw names, each with a first byte that tells escaped (1) from plain (0).
    names: Interner,
    key: Vec<u8>,
    /// Calls whose names were too many to be kept.
    pub lost: u64,
}

impl PythonFunctions {
    /// Keeps a call.
    pub fn add(&mut self, name: RawString<'_>, thread: u32, start: i64, end: i64) {
        self.key.clear();
        self.key.push(u8::from(name.is_escaped()));
        self.key.extend_from_slice(name.bytes());
        match self.names.intern(&self.key) {
            Some(name) => self.list.push(PythonFunction { start, end, name, thread }),
            None => self.lost += 1,
        }
    }

    /// A name as it stands in the file, and whether escapes must be undone.
    pub fn name(&self, id: u32) -> (&[u8], bool) {
        self.names.get(id).split_first().map_or((&[], false), |(flag, name)| (name, *flag == 1))
    }

    /// The module's name, if it is the call of a module.
    pub fn module(&self, id: u32) -> Option<&[u8]> {
        self.name(id).0.strip_prefix(MODULE)
    }

    /// Gives all up: the operators have call stacks of their own.
    pub fn clear(&mut self) {
        if !self.list.is_empty() {
            *self = PythonFunctions::default();
        }
    }

    /// Bytes held.
    pub fn kept_bytes(&self) -> usize {
        self.list.kept_bytes() + self.names.kept_bytes()
    }
}
