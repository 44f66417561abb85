//! The rows of static_op_mem.csv as columns, one set a graph. Its axis is the number of the node, not time.

use super::intern::Interner;
use crate::read::static_memory::{StaticRow, StaticSink};

/// Stands for "to the end of the graph".
pub const TO_THE_END: u64 = u64::MAX;

/// The memory plan of one static graph on one device.
#[derive(Debug, Default)]
pub struct Graph {
    /// Number of the device, or `host`.
    pub device: String,
    /// Sub-graph; `0` for none.
    pub model: String,
    /// As recorded.
    pub graph: String,
    /// What the graph reserves up front, bytes, if the file says it.
    pub total: Option<i64>,
    /// Name id.
    pub name: Vec<u32>,
    /// First node that needs it.
    pub start: Vec<u64>,
    /// The node after the last that does, or [`TO_THE_END`].
    pub end: Vec<u64>,
    /// Bytes.
    pub size: Vec<i64>,
}

/// All graphs, in the order of the file.
#[derive(Default)]
pub struct Plan {
    /// One for each device, model and graph.
    pub graphs: Vec<Graph>,
    /// Interned operator names.
    pub names: Interner,
    /// Rows that could not be kept.
    pub lost: u64,
    last: usize,
}

/// Most graphs: each of them is asked for by name.
const MAX_GRAPHS: usize = 4096;

impl StaticSink for Plan {
    fn static_row(&mut self, row: &StaticRow<'_>) {
        let is_it = |g: &Graph| g.graph == row.graph && g.model == row.model && g.device == row.device;
        if !self.graphs.get(self.last).is_some_and(is_it) {
            self.last = match self.graphs.iter().position(is_it) {
                Some(place) => place,
                None if self.graphs.len() >= MAX_GRAPHS => {
                    self.lost += 1;
                    return;
                }
                None => {
                    let (device, model, graph) = (row.device.to_owned(), row.model.to_owned(), row.graph.to_owned());
                    self.graphs.push(Graph { device, model, graph, ..Graph::default() });
                    self.graphs.len() - 1
                }
            };
        }
        let Some(graph) = self.graphs.get_mut(self.last) else { return };
        let Some(operator) = row.operator else {
            graph.total = Some(graph.total.unwrap_or(0).max(row.size));
            return;
        };
        let Some(name) = self.names.intern(operator.as_bytes()) else {
            self.lost += 1;
            return;
        };
        graph.name.push(name);
        graph.start.push(row.start);
        // What begins and ends at one node is needed there.
        graph.end.push(row.end.map_or(TO_THE_END, |end| end.max(row.start.saturating_add(1))));
        graph.size.push(row.size);
    }
}

impl Plan {
    /// Bytes held.
    pub fn kept_bytes(&self) -> usize {
        let of = |g: &Graph| (g.start.capacity() + g.end.capacity() + g.size.capacity()) * 8 + g.name.capacity() * 4;
        self.graphs.iter().map(of).sum::<usize>() + self.names.kept_bytes()
    }
}
