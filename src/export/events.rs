//! Events as CSV: what the events' table shows, in whole bytes and nanoseconds.

use super::csv::push_cell;
use crate::analysis::event_table::EventRow;

/// The header, with its line end.
pub const HEADER: &str =
    "time_ns,event,component,device,operator,row,change_bytes,allocated_bytes,reserved_bytes,active_bytes\n";

/// Appends one event with its line end.
pub fn write_event(event: &EventRow, out: &mut Vec<u8>) {
    out.extend_from_slice(format!("{},{},", event.time_ns, event.kind.name()).as_bytes());
    for text in [&event.pool.component, &event.pool.device, &event.operator] {
        push_cell(out, text);
        out.push(b',');
    }
    let numbers = [event.row.map(i64::from), event.change_bytes].into_iter().chain(event.totals);
    let numbers: Vec<String> = numbers.map(|number| number.map(|n| n.to_string()).unwrap_or_default()).collect();
    out.extend_from_slice(numbers.join(",").as_bytes());
    out.push(b'\n');
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::answer::PoolKey;
    use crate::analysis::event_table::EventKind;

    #[test]
    fn writes_as_many_cells_as_the_header_names() {
        let event = EventRow {
            kind: EventKind::Allocation,
            time_ns: 12,
            pool: PoolKey { component: "PTA".to_owned(), device: "NPU:0".to_owned() },
            operator: "a,b".to_owned(),
            row: Some(3),
            change_bytes: Some(512),
            totals: [Some(1024), None, None],
        };
        let mut out = Vec::new();
        write_event(&event, &mut out);
        assert_eq!(String::from_utf8(out).unwrap(), "12,allocation,PTA,NPU:0,\"a,b\",3,512,1024,,\n");
        assert_eq!(HEADER.split(',').count(), 10);
    }
}
