//! Reads a table's rows in the order they were written, past what is damaged.
//!
//! A damaged page costs the rows on it: reading goes on behind them, in growing steps over the row numbers. Row numbers must
//! rise: pages that refer to each other in circles end the table instead of being read for ever.

use rusqlite::Row;
use rusqlite::types::ValueRef;

use super::open::{Db, quoted};
use crate::decimal::Decimal;
use crate::problem::{Place, ProblemKind, Problems};

/// Failures in one table after which no more of it is tried.
const MOST_FAILURES: u32 = 4096;
/// Bytes a row takes at least: so a file bounds the number of its rows.
const ROW_BYTES: u64 = 4;

/// What a cell holds that should be a whole number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Int {
    /// NULL, an empty text or no such column.
    Missing,
    /// The number; a real one rounded.
    Whole(i64),
    /// Anything else.
    Bad,
}

impl Int {
    /// The number, if there is one.
    pub fn whole(self) -> Option<i64> {
        match self {
            Int::Whole(number) => Some(number),
            Int::Missing | Int::Bad => None,
        }
    }
}

/// One row.
pub(super) struct Cells<'r, 's> {
    row: &'r Row<'s>,
    plan: &'r Plan<'r>,
    /// Its number.
    pub number: i64,
}

impl<'r> Cells<'r, '_> {
    /// A cell as it is.
    pub fn value(&self, column: usize) -> ValueRef<'r> {
        self.row.get_ref(column + 1).unwrap_or(ValueRef::Null)
    }

    /// A cell as a whole number: versions write times as numbers or as text.
    pub fn int(&self, column: usize) -> Int {
        match self.value(column) {
            ValueRef::Integer(number) => Int::Whole(number),
            ValueRef::Null => Int::Missing,
            ValueRef::Text(text) => int_of_text(text),
            // Half a byte or nanosecond does not exist; the cast saturates.
            ValueRef::Real(number) if number.is_finite() => Int::Whole(number.round() as i64),
            ValueRef::Real(_) | ValueRef::Blob(_) => Int::Bad,
        }
    }

    /// Where a cell stands.
    pub fn place(&self, column: usize) -> Place {
        let name = self.plan.columns.get(column).copied().unwrap_or_default();
        Place::Cell(u64::try_from(self.number).unwrap_or(0), format!("{}.{name}", self.plan.table))
    }

    /// Where the row stands.
    pub fn row_place(&self) -> Place {
        Place::Cell(u64::try_from(self.number).unwrap_or(0), self.plan.table.to_owned())
    }

    /// A cell as it would be shown in a message.
    pub fn shown(&self, column: usize) -> String {
        match self.value(column) {
            ValueRef::Null => "NULL".to_owned(),
            ValueRef::Integer(number) => number.to_string(),
            ValueRef::Real(number) => number.to_string(),
            ValueRef::Text(text) => String::from_utf8_lossy(text).into_owned(),
            ValueRef::Blob(bytes) => format!("{} bytes", bytes.len()),
        }
    }
}

fn int_of_text(text: &[u8]) -> Int {
    let text = text.trim_ascii();
    if text.is_empty() || text == b"N/A" {
        return Int::Missing;
    }
    let plain = std::str::from_utf8(text).ok().and_then(|text| text.parse().ok());
    let number = plain.or_else(|| Some(Decimal::parse(text)?.scaled(1)?.units));
    number.map_or(Int::Bad, Int::Whole)
}

/// What to read of a table.
pub(super) struct Plan<'a> {
    /// Its name.
    pub table: &'a str,
    /// Column names; one the table does not have gives NULL.
    pub columns: &'a [&'a str],
    /// A column and the only values of it that are wanted, if the table has it; rows without a value come too.
    pub only: Option<(&'a str, &'a [i64])>,
}

impl Plan<'_> {
    /// The statement; `None` without such a table.
    fn sql(&self, db: &Db, number: &str) -> Option<String> {
        let table = db.table(self.table)?;
        let mut sql = format!("SELECT {number}");
        for column in self.columns {
            sql.push_str(", ");
            match table.column(column) {
                Some(column) => sql.push_str(&quoted(column)),
                None => sql.push_str("NULL"),
            }
        }
        sql.push_str(&format!(" FROM {} WHERE ", quoted(&table.name)));
        sql.push_str(&match number {
            "NULL" => "?1 = ?1".to_owned(),
            _ => format!("{number} > ?1"),
        });
        if let Some((column, values)) = self.only
            && let Some(column) = table.column(column)
        {
            // A row that does not say it, as a lost page leaves them, is not passed over in silence.
            let values: Vec<String> = values.iter().map(|value| format!("{value}, '{value}'")).collect();
            let column = quoted(column);
            sql.push_str(&format!(" AND ({column} IN ({}) OR {column} IS NULL)", values.join(", ")));
        }
        Some(sql)
    }
}

/// The number of a table's last row: at least how many rows it has, told at once. 0 without such a table, the highest number
/// where rows have none.
pub(super) fn last_number(db: &Db, table: &str) -> u64 {
    let Some(table) = db.table(table) else { return 0 };
    let sql = format!("SELECT _rowid_ FROM {} ORDER BY _rowid_ DESC LIMIT 1", quoted(&table.name));
    let Ok(mut statement) = db.connection.prepare(&sql) else { return u64::MAX };
    let last = statement.query_row([], |row| row.get::<_, i64>(0));
    last.ok().and_then(|last| u64::try_from(last).ok()).unwrap_or(0)
}

/// How many rows of a table can be reached.
pub(super) fn count(db: &Db, problems: &mut Problems, file: &str, table: &str) -> u64 {
    let mut count = 0;
    scan(db, problems, file, &Plan { table, columns: &[], only: None }, &mut |_, _| count += 1);
    count
}

/// How one run over a table ended.
enum End {
    Done,
    /// Behind the row of this number something is wrong.
    Failed(Option<i64>, String),
}

/// Gives every readable row to `take`; `false` if there is no such table.
pub(super) fn scan(
    db: &Db,
    problems: &mut Problems,
    file: &str,
    plan: &Plan<'_>,
    take: &mut impl FnMut(&Cells<'_, '_>, &mut Problems),
) -> bool {
    let (Some(numbered), Some(plain)) = (plan.sql(db, "_rowid_"), plan.sql(db, "NULL")) else { return false };
    // A table without row numbers is read as far as it goes.
    let (sql, is_numbered) = match db.connection.prepare(&numbered) {
        Ok(_) => (numbered, true),
        Err(_) => (plain, false),
    };
    let mut left = db.bytes / ROW_BYTES;
    let mut after = i64::MIN;
    let mut gap = 1i64;
    for _ in 0..MOST_FAILURES {
        match run(db, problems, plan, &sql, after, is_numbered, &mut left, take) {
            End::Done => break,
            End::Failed(last, why) => {
                if db.stop().is_some() {
                    break;
                }
                // A place is counted once, however many steps lead over it: their number is an accident of SQLite's cache.
                let is_same_place = last.is_none() && after != i64::MIN;
                if !is_same_place {
                    let detail = match last {
                        Some(last) => format!("{}, after row {last}: {why}", plan.table),
                        None => format!("{}: {why}", plan.table),
                    };
                    problems.add(file, Place::Whole, ProblemKind::DamagedDatabase, &detail);
                }
                if !is_numbered || left == 0 {
                    break;
                }
                gap = if last.is_some() { 1 } else { gap.saturating_mul(2) };
                let from = last.unwrap_or(after).max(0);
                let Some(next) = from.checked_add(gap) else { break };
                after = next;
            }
        }
    }
    true
}

#[allow(clippy::too_many_arguments, reason = "one run of a scan, split off for its early returns")]
fn run(
    db: &Db,
    problems: &mut Problems,
    plan: &Plan<'_>,
    sql: &str,
    after: i64,
    is_numbered: bool,
    left: &mut u64,
    take: &mut impl FnMut(&Cells<'_, '_>, &mut Problems),
) -> End {
    let mut statement = match db.connection.prepare(sql) {
        Ok(statement) => statement,
        Err(error) => return End::Failed(None, error.to_string()),
    };
    let mut rows = match statement.query([after]) {
        Ok(rows) => rows,
        Err(error) => return End::Failed(None, error.to_string()),
    };
    let mut last = None;
    let mut number = 0;
    loop {
        let row = match rows.next() {
            Ok(Some(row)) => row,
            Ok(None) => return End::Done,
            Err(error) => return End::Failed(last, error.to_string()),
        };
        if is_numbered {
            number = row.get_ref(0).ok().and_then(|value| value.as_i64().ok()).unwrap_or(0);
            if number <= last.unwrap_or(after) {
                return End::Failed(last, "row numbers do not rise".to_owned());
            }
            last = Some(number);
        } else {
            number += 1;
        }
        match left.checked_sub(1) {
            Some(less) => *left = less,
            None => return End::Failed(last, "more rows than the file can hold".to_owned()),
        }
        take(&Cells { row, plan, number }, problems);
    }
}
