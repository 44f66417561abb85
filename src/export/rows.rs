//! One output row per readable row of operator_memory.csv: the twelve columns of the reference tool, and nine more on request.

#![allow(clippy::indexing_slicing, reason = "row indices come from the columns' own lengths")]

use super::csv::push_cell;
use super::number::python_repr;
use crate::analysis::rank::Rank;
use crate::analysis::summary::Identity;
use crate::decimal::Decimal;
use crate::matching::MatchRule;
use crate::model::match_kind::MatchKind;
use crate::model::rows::{Column, Component, GE, NO_SITE, NONE, WORKSPACE};

/// Columns of the reference tool, in its order.
const COLUMNS: [&str; 12] = [
    "name",
    "role",
    "rank_id",
    "call_stack",
    "call_stack_top",
    "size_kb",
    "start_time_ms",
    "duration_ms",
    "total_allocated_mb",
    "total_reserved_mb",
    "total_active_mb",
    "device_type",
];

/// Further columns of `--extended`.
const MORE_COLUMNS: [&str; 9] =
    ["match", "match_gap_us", "user_frame", "module", "release_time_ms", "component", "stream", "step", "folder"];

/// Between the frames of a stack; the reference tool's `call_stack_top` is what stands before the first.
const FRAME_SEPARATOR: &str = ";\r\n";

/// Which form rows are written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Format {
    /// RFC 4180 with LF between records.
    Csv,
    /// Objects of a JSON array, with a comma and a line end between them; the array's brackets are the caller's.
    Json,
}

/// The CSV header, with its line end.
pub fn header(extended: bool) -> String {
    let more: &[&str] = if extended { &MORE_COLUMNS } else { &[] };
    let names: Vec<&str> = COLUMNS.iter().chain(more).copied().collect();
    names.join(",") + "\n"
}

/// Writes the rows of one rank.
#[derive(Clone, Copy)]
pub struct RowWriter<'a> {
    /// The rank.
    pub rank: &'a Rank,
    /// Whose rows they are.
    pub identity: &'a Identity,
    /// `Reference` prints doubles, `Best` exact decimals.
    pub rule: MatchRule,
    /// All columns.
    pub extended: bool,
}

enum Value<'a> {
    Text(&'a str),
    Number(String),
    Missing,
}

impl RowWriter<'_> {
    /// Appends one row; CSV with its line end.
    pub fn write(&self, row: u32, format: Format, out: &mut Vec<u8>) {
        let values = self.values(row);
        match format {
            Format::Csv => {
                for (at, value) in values.iter().enumerate() {
                    if at > 0 {
                        out.push(b',');
                    }
                    match value {
                        Value::Text(text) => push_cell(out, text),
                        Value::Number(text) => out.extend_from_slice(text.as_bytes()),
                        Value::Missing => {}
                    }
                }
                out.push(b'\n');
            }
            Format::Json => {
                out.push(b'{');
                for (at, (value, name)) in values.iter().zip(COLUMNS.iter().chain(&MORE_COLUMNS)).enumerate() {
                    if at > 0 {
                        out.extend_from_slice(b", ");
                    }
                    out.extend_from_slice(format!("\"{name}\": ").as_bytes());
                    match value {
                        Value::Text(text) => {
                            out.extend_from_slice(serde_json::Value::from(*text).to_string().as_bytes())
                        }
                        Value::Number(text) => out.extend_from_slice(text.as_bytes()),
                        Value::Missing => out.extend_from_slice(b"null"),
                    }
                }
                out.push(b'}');
            }
        }
    }

    fn values(&self, row: u32) -> Vec<Value<'_>> {
        let rows = &self.rank.rows;
        let at = row as usize;
        let site = rows.site[at];
        let stack = if site == NO_SITE { "" } else { self.rank.sites.stack(site) };
        let top = stack.split_once(FRAME_SEPARATOR).map_or(stack, |(top, _)| top);
        let total = |index: usize, column| match rows.totals[index][at] {
            NONE => "0.0".to_owned(),
            bytes => self.number(self.decimal(row, column, bytes, 1 << 20)),
        };
        let duration = match rows.duration[at] {
            NONE => "0.0".to_owned(),
            ns => self.milliseconds(self.decimal(row, Column::Duration, ns, 1000)),
        };
        let mut values = vec![
            Value::Text(rows.name_of(at)),
            Value::Text(&self.identity.role),
            self.identity.rank.map_or(Value::Missing, |rank| Value::Number(rank.to_string())),
            Value::Text(stack),
            Value::Text(top),
            Value::Number(self.number(self.decimal(row, Column::Size, rows.size[at], 1 << 10))),
            Value::Number(self.milliseconds(self.decimal(row, Column::Time, rows.time[at], 1000))),
            Value::Number(duration),
            Value::Number(total(0, Column::Allocated)),
            Value::Number(total(1, Column::Reserved)),
            Value::Number(total(2, Column::Active)),
            Value::Text(rows.labels.text(rows.device[at])),
        ];
        if self.extended {
            self.push_more(row, &mut values);
        }
        values
    }

    fn push_more<'a>(&'a self, row: u32, values: &mut Vec<Value<'a>>) {
        let rows = &self.rank.rows;
        let at = row as usize;
        let site = rows.site[at];
        values.push(Value::Text(rows.kind[at].name()));
        values.push(match (rows.kind[at], rows.gaps.get(&row)) {
            (MatchKind::Nearest, Some(gap)) => Value::Number(Decimal::from_units(*gap, 1000).to_string()),
            _ => Value::Missing,
        });
        values.push(Value::Text(self.rank.sites.user_frame(site)));
        values.push(Value::Text(self.rank.sites.module(site)));
        values.push(match (rows.release[at], rows.active_release[at]) {
            (NONE, NONE) => Value::Missing,
            (NONE, active) => Value::Number(self.milliseconds(self.decimal(row, Column::ActiveRelease, active, 1000))),
            (release, _) => Value::Number(self.milliseconds(self.decimal(row, Column::Release, release, 1000))),
        });
        values.push(Value::Text(match rows.component[at] {
            Component::Framework => &self.rank.framework_name,
            Component::Ge => GE,
            Component::Workspace => WORKSPACE,
        }));
        values.push(Value::Text(rows.labels.text(rows.stream[at])));
        values.push(self.identity.step.map_or(Value::Missing, |step| Value::Number(step.to_string())));
        values.push(Value::Text(&self.identity.folder));
    }

    /// The number in the file's unit: as written where the column had to round it.
    fn decimal(&self, row: u32, column: Column, units: i64, per_unit: i64) -> Decimal {
        let exact = self.rank.rows.exact.get(&(row, column)).copied();
        exact.unwrap_or_else(|| Decimal::from_units(units, per_unit))
    }

    fn number(&self, value: Decimal) -> String {
        match self.rule {
            MatchRule::Best => value.to_string(),
            MatchRule::Reference => python_repr(value.to_f64()),
        }
    }

    /// Milliseconds from microseconds; the reference tool divides the double.
    fn milliseconds(&self, us: Decimal) -> String {
        match self.rule {
            MatchRule::Best => us.shifted_right(3).to_string(),
            MatchRule::Reference => python_repr(us.to_f64() / 1000.0),
        }
    }
}

/// The order of a rank's rows, and for each a key by which several ranks are merged: ns, or for the reference rule the bits of
/// its double in an order that integers share. `None`: the rows by time and their times, which the rank has already.
pub fn sorted(rank: &Rank, rule: MatchRule) -> Option<(Vec<u32>, Vec<i64>)> {
    let rows = &rank.rows;
    match rule {
        MatchRule::Best => None,
        MatchRule::Reference => {
            let mut keyed: Vec<(i64, u32)> = (0..u32::try_from(rows.len()).unwrap_or(u32::MAX))
                .map(|row| {
                    let exact = rows.exact.get(&(row, Column::Time)).copied();
                    let us = exact.unwrap_or_else(|| Decimal::from_units(rows.time[row as usize], 1000));
                    (ordered_bits(us.to_f64() / 1000.0), row)
                })
                .collect();
            keyed.sort_unstable();
            Some(keyed.into_iter().map(|(key, row)| (row, key)).unzip())
        }
    }
}

/// Integers in the order of the doubles.
fn ordered_bits(value: f64) -> i64 {
    let bits = value.to_bits() as i64;
    bits ^ (((bits >> 63) as u64) >> 1) as i64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_keep_the_order_of_doubles() {
        let values = [f64::NEG_INFINITY, -2.5, -1.0, 0.0, 1e-9, 3.0, 1.7e12, f64::INFINITY];
        assert!(values.map(ordered_bits).is_sorted());
    }

    #[test]
    fn headers() {
        assert!(header(false).starts_with("name,role,rank_id,call_stack,call_stack_top,size_kb,start_time_ms,"));
        assert!(header(true).ends_with(
            "device_type,match,match_gap_us,user_frame,module,release_time_ms,component,stream,step,folder\n"
        ));
    }
}
