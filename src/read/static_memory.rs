//! Reads static_op_mem.csv: which memory each operator of a static graph needs, from which node of the graph to which.

use super::number::Cell;
use super::table::{Column, Header, Notes, Row, Table};
use super::text::strip;
use crate::problem::{Place, ProblemKind, Problems};

/// The writer's word for "to the end of the graph".
const TO_THE_END: u64 = 4_294_967_295;
/// Name of the row that says how much a graph reserves up front.
const TOTAL: &str = "TOTAL";

/// One row as written.
#[derive(Debug, Clone)]
pub struct StaticRow<'a> {
    /// Number of the device, or `host`.
    pub device: &'a str,
    /// Sub-graph; `0` for none.
    pub model: &'a str,
    /// Graph.
    pub graph: &'a str,
    /// Operator; `None` for the row with the graph's total.
    pub operator: Option<&'a str>,
    /// First node that needs it.
    pub start: u64,
    /// The node after the last one; `None` to the end of the graph.
    pub end: Option<u64>,
    /// Bytes.
    pub size: i64,
}

/// Takes the rows.
pub trait StaticSink {
    /// One row with a size and, unless it is a total, a first node.
    fn static_row(&mut self, row: &StaticRow<'_>);
}

#[derive(Debug, Default)]
struct Columns {
    device: Option<usize>,
    operator: Option<usize>,
    model: Option<usize>,
    graph: Option<usize>,
    start: Option<usize>,
    end: Option<usize>,
    size: Option<Column>,
}

#[derive(Default)]
struct State {
    header: Option<(Header, Columns)>,
    unusable: bool,
}

/// A push reader of static_op_mem.csv.
pub struct StaticMemory {
    table: Table,
    state: State,
}

impl StaticMemory {
    /// A reader that names `file` in its problems.
    pub fn new(file: &str) -> StaticMemory {
        StaticMemory { table: Table::new(file), state: State::default() }
    }

    /// Takes the next bytes.
    pub fn feed(&mut self, chunk: &[u8], sink: &mut impl StaticSink) {
        let state = &mut self.state;
        self.table.feed(chunk, &mut |record, notes| state.take(record, notes, sink));
    }

    /// Takes the end of the file; gives the problems met.
    pub fn finish(mut self, sink: &mut impl StaticSink) -> Problems {
        let state = &mut self.state;
        self.table.finish(&mut |record, notes| state.take(record, notes, sink));
        self.table.problems
    }
}

impl State {
    fn take(&mut self, record: &super::csv::Record<'_>, notes: &mut Notes<'_>, sink: &mut impl StaticSink) {
        if self.unusable {
            return;
        }
        let Some((header, columns)) = &self.header else {
            let header = Header::new(record);
            let columns = Columns {
                device: header.text("Device_id"),
                operator: header.text("Op Name"),
                model: header.text("Model Name"),
                graph: header.text("Graph ID"),
                start: header.text("Node Index Start"),
                end: header.text("Node Index End"),
                size: header.number("Size"),
            };
            let missing = match (columns.operator, columns.start, columns.size) {
                (None, ..) => Some("Op Name"),
                (_, None, _) => Some("Node Index Start"),
                (.., None) => Some("Size(KB)"),
                _ => None,
            };
            if let Some(missing) = missing {
                self.unusable = true;
                notes.add(Place::Row(record.row), ProblemKind::MissingColumn, missing);
            }
            self.header = Some((header, columns));
            return;
        };
        let mut row = Row { record, header, notes };
        if !row.check_length() {
            return;
        }
        let size = match row.number(columns.size) {
            Cell::Number(size) if size.units >= 0 => size.units,
            Cell::Number(_) => {
                row.refuse(columns.size);
                return lose(&mut row, "Size(KB)");
            }
            Cell::Missing | Cell::Bad => return lose(&mut row, "Size(KB)"),
        };
        let operator = row.text(columns.operator);
        let is_total = operator == TOTAL;
        let start = row.node(columns.start);
        let end = row.node(columns.end);
        if start.is_none() && !is_total {
            return lose(&mut row, "Node Index Start");
        }
        let start = start.unwrap_or(0);
        let [device, model, graph] = [columns.device, columns.model, columns.graph].map(|column| row.text(column));
        sink.static_row(&StaticRow {
            device: &device,
            model: &model,
            graph: &graph,
            operator: (!is_total).then_some(&operator),
            start,
            end: end.filter(|end| *end != TO_THE_END),
            size,
        });
    }
}

impl Row<'_, '_, '_> {
    /// The number of a node: a whole number.
    fn node(&mut self, column: Option<usize>) -> Option<u64> {
        let cell = self.record.cell(column?)?;
        let text = std::str::from_utf8(cell).map(strip).unwrap_or_default();
        let text = text.strip_suffix(".0").unwrap_or(text);
        let node = text.parse().ok();
        if node.is_none() && !text.is_empty() && text != "N/A" {
            self.refuse_text(column);
        }
        node
    }
}

fn lose(row: &mut Row<'_, '_, '_>, column: &str) {
    let place = Place::Cell(row.record.row, column.to_owned());
    row.notes.add(place, ProblemKind::BadRow, "");
}
