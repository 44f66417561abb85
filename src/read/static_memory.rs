//! Reads static_op_mem.csv: which memory each operator of a static graph needs, from which node of the graph to which.

use super::number::Cell;
use super::table::{Column, Columns, Header, PlainReader, Row};
use super::text::strip;

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

/// A push reader of static_op_mem.csv.
pub type StaticMemory = PlainReader<StaticColumns>;

/// Its columns.
#[derive(Debug, Default)]
pub struct StaticColumns {
    device: Option<usize>,
    operator: Option<usize>,
    model: Option<usize>,
    graph: Option<usize>,
    start: Option<usize>,
    end: Option<usize>,
    size: Option<Column>,
}

impl<S: StaticSink> Columns<S> for StaticColumns {
    fn find(header: &Header) -> Result<StaticColumns, &'static str> {
        let columns = StaticColumns {
            device: header.text("Device_id"),
            operator: header.text("Op Name"),
            model: header.text("Model Name"),
            graph: header.text("Graph ID"),
            start: header.text("Node Index Start"),
            end: header.text("Node Index End"),
            size: header.number("Size"),
        };
        match (columns.operator, columns.start, columns.size) {
            (None, ..) => Err("Op Name"),
            (_, None, _) => Err("Node Index Start"),
            (.., None) => Err("Size(KB)"),
            _ => Ok(columns),
        }
    }

    fn take(&self, mut row: Row<'_, '_, '_>, sink: &mut S) {
        let size = match row.number(self.size) {
            Cell::Number(size) if size.units >= 0 => size.units,
            Cell::Number(_) => {
                row.refuse(self.size);
                return row.lose("Size(KB)");
            }
            Cell::Missing | Cell::Bad => return row.lose("Size(KB)"),
        };
        let operator = row.text(self.operator);
        let is_total = operator == TOTAL;
        let start = row.node(self.start);
        let end = row.node(self.end);
        if start.is_none() && !is_total {
            return row.lose("Node Index Start");
        }
        let start = start.unwrap_or(0);
        let [device, model, graph] = [self.device, self.model, self.graph].map(|column| row.text(column));
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
