//! The two memory tables and truth.csv.

use std::io::{self, Write};

use crate::allocator::Totals;
use crate::event::{Component, Listener, Record};
use crate::memory::Block;
use crate::text::Out;
use crate::truth::FolderTruth;
use crate::world::World;

const ROW_HEADER: &str = "Name,Size(KB),Allocation Time(us),Release Time(us),Active Release Time(us),Duration(us),Active Duration(us),Allocation Total Allocated(MB),Allocation Total Reserved(MB),Allocation Total Active(MB),Release Total Allocated(MB),Release Total Reserved(MB),Release Total Active(MB),Stream Ptr,Device Type\r\n";
const RECORD_HEADER: &str =
    "Component,Timestamp(us),Total Allocated(MB),Total Reserved(MB),Total Active(MB),Stream Ptr,Device Type\r\n";

/// Writes operator_memory.csv: torch's blocks by time, then the graph engine's.
pub(crate) fn operator_memory(world: &World, blocks: &[&Block], to: &mut dyn Write) -> io::Result<()> {
    let mut out = Out::new(to);
    out.str(ROW_HEADER);
    for block in blocks {
        let Some((at, totals)) = block.allocated else { continue };
        out.str(block.name);
        if let Some(number) = block.number {
            out.int(i64::from(number));
        }
        out.str(",").kb(block.size).str(",").micros3(at).str("\t,");
        if block.component == Component::Ge {
            graph_row(&mut out, block, at, totals);
        } else {
            torch_row(world, &mut out, block, at, totals);
        }
        out.str(",").str(&world.device).str("\r\n");
    }
    out.finish().map(drop)
}

fn torch_row(world: &World, out: &mut Out<'_>, block: &Block, at: i64, totals: Totals) {
    let released = block.released.map(|(time, _)| time);
    for time in [released, block.reusable] {
        if let Some(time) = time {
            out.micros3(time).str("\t");
        }
        out.str(",");
    }
    for time in [released, block.reusable] {
        if let Some(time) = time {
            out.micros3(time - at).str("\t");
        }
        out.str(",");
    }
    three(out, totals);
    out.str(",");
    match block.released {
        Some((_, totals)) => three(out, totals),
        None => _ = out.str(",,"),
    }
    out.str(",").str(stream(world, block.stream));
}

/// The graph engine's rows: no Active, durations without a tab, 0 where the release was not seen.
fn graph_row(out: &mut Out<'_>, block: &Block, at: i64, totals: Totals) {
    match block.released {
        Some((time, _)) => out.micros3(time).str("\t,,").micros(time - at),
        None => out.micros3(at).str("\t,,0"),
    };
    out.str(",,").mb(totals.allocated).str(",").mb(totals.reserved).str(",,");
    let after = block.released.map(|(_, totals)| totals).unwrap_or_default();
    out.mb(after.allocated).str(",").mb(after.reserved).str(",,");
}

fn three(out: &mut Out<'_>, totals: Totals) {
    out.mb(totals.allocated).str(",").mb(totals.reserved).str(",").mb(totals.active);
}

fn stream(world: &World, at: u8) -> &str {
    let [main, side] = world.streams;
    if at == 0 { main } else { side }
}

/// Writes memory_record.csv: samples of the process first, then each event as it comes.
pub(crate) struct Records<'a, 'w> {
    world: &'a World,
    out: Out<'w>,
    pta: Totals,
    ge: Totals,
    /// PTA+GE rows written.
    pub(crate) sums: u64,
}

impl<'a, 'w> Records<'a, 'w> {
    pub(crate) fn new(world: &'a World, samples: &[(i64, u64)], before: Totals, to: &'w mut dyn Write) -> Self {
        let mut out = Out::new(to);
        out.str(RECORD_HEADER);
        for &(time, bytes) in samples {
            out.str("APP,").micros3(time).str("\t,,").mb(bytes).str(",,,").str(&world.device).str("\r\n");
        }
        Self { world, out, pta: before, ge: Totals::default(), sums: 0 }
    }

    pub(crate) fn finish(self) -> io::Result<u64> {
        let Self { out, sums, .. } = self;
        out.finish()?;
        Ok(sums)
    }

    fn row(&mut self, component: &str, time: i64, totals: Totals, active: bool, stream: &str) {
        let out = &mut self.out;
        out.str(component).str(",").micros3(time).str("\t,").mb(totals.allocated).str(",").mb(totals.reserved).str(",");
        if active {
            out.mb(totals.active);
        }
        out.str(",").str(stream).str(",").str(&self.world.device).str("\r\n");
    }
}

impl Listener for Records<'_, '_> {
    fn record(&mut self, record: &Record) {
        let pointer = match record.component {
            Component::Ge => "",
            _ => stream(self.world, record.stream),
        };
        self.row(record.component.name(), record.time, record.totals, record.component != Component::Ge, pointer);
        match record.component {
            Component::Pta => self.pta = record.totals,
            Component::Ge => self.ge = record.totals,
            Component::Workspace => return,
        }
        let sum = Totals {
            allocated: self.pta.allocated + self.ge.allocated,
            reserved: self.pta.reserved + self.ge.reserved,
            active: self.pta.active,
        };
        self.sums += 1;
        self.row("PTA+GE", record.time, sum, true, pointer);
    }
}

/// Writes truth.csv for all folders.
pub(crate) fn truth(folders: &[FolderTruth], to: &mut dyn Write) -> io::Result<()> {
    let mut out = Out::new(to);
    out.str("folder,row,name,alloc_ns,size_bytes,component,thread,kind,release_ns,true_stack\r\n");
    for folder in folders {
        for (at, row) in folder.rows.iter().enumerate() {
            quoted(&mut out, &folder.folder);
            out.str(",").int(at as i64).str(",");
            quoted(&mut out, &row.name);
            out.str(",").int(row.alloc_ns).str(",").int(i64::try_from(row.size_bytes).unwrap_or(i64::MAX));
            out.str(",")
                .str(row.component.name())
                .str(",")
                .int(i64::from(row.thread))
                .str(",")
                .str(row.kind.name())
                .str(",");
            if let Some(time) = row.release_ns {
                out.int(time);
            }
            out.str(",");
            quoted(&mut out, folder.stack_text(row));
            out.str("\r\n");
        }
    }
    out.finish().map(drop)
}

fn quoted(out: &mut Out<'_>, cell: &str) {
    if !cell.contains([',', '"', '\r', '\n']) {
        out.str(cell);
        return;
    }
    out.str("\"");
    for (at, part) in cell.split('"').enumerate() {
        out.str(if at > 0 { "\"\"" } else { "" }).str(part);
    }
    out.str("\"");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_only_what_needs_it() {
        let mut bytes = Vec::new();
        let mut out = Out::new(&mut bytes);
        quoted(&mut out, "plain");
        out.str("|");
        quoted(&mut out, "a \"b\",\r\nc");
        out.finish().unwrap();
        assert_eq!(bytes, b"plain|\"a \"\"b\"\",\r\nc\"");
    }
}
