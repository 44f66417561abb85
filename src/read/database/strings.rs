//! Texts by their ids. Nearly every id is looked up by key when it is first met, so that of millions of texts (input shapes
//! above all) only the few that are needed are read.

use rusqlite::Statement;
use rusqlite::types::ValueRef;
use rustc_hash::FxHashMap;

use super::open::{Db, quoted};
use super::scan::{Cells, Plan, scan};
use crate::problem::{ProblemKind, Problems};

/// The id that stands for no text.
const NO_TEXT: i64 = 0xffff_ffff;
/// Most bytes of texts held where they cannot be looked up one by one.
const MOST_BYTES: usize = 256 << 20;

/// Looks texts up in a table of ids and texts.
pub(super) struct Strings<'d> {
    lookup: Option<Statement<'d>>,
    /// Every text, where the table has no key to find one by.
    all: FxHashMap<i64, String>,
}

impl<'d> Strings<'d> {
    /// `table`: STRING_IDS, or one of the ENUM_ tables; `column`: where its texts stand.
    pub fn new(db: &'d Db, problems: &mut Problems, file: &str, table: &str, column: &str) -> Strings<'d> {
        let mut strings = Strings { lookup: None, all: FxHashMap::default() };
        let Some(found) = db.table(table) else { return strings };
        let (id, value) = (found.column("id"), found.column(column));
        if found.key.as_deref() == Some("id")
            && let (Some(id), Some(value)) = (id, value)
        {
            let sql = format!("SELECT {} FROM {} WHERE {} = ?1", quoted(value), quoted(&found.name), quoted(id));
            strings.lookup = db.connection.prepare(&sql).ok();
        }
        if strings.lookup.is_none() {
            let mut bytes = 0usize;
            let plan = Plan { table, columns: &["id", column], only: None };
            scan(db, problems, file, &plan, &mut |cells, _| {
                let (Some(id), ValueRef::Text(text)) = (cells.int(0).whole(), cells.value(1)) else { return };
                bytes = bytes.saturating_add(text.len());
                if bytes <= MOST_BYTES {
                    strings.all.insert(id, String::from_utf8_lossy(text).into_owned());
                }
            });
        }
        strings
    }

    /// The text of an id; `None` if there is none.
    pub fn text(&mut self, id: i64) -> Option<String> {
        if id == NO_TEXT {
            return Some(String::new());
        }
        match &mut self.lookup {
            Some(lookup) => lookup
                .query_row([id], |row| {
                    Ok(match row.get_ref(0)? {
                        ValueRef::Text(text) | ValueRef::Blob(text) => Some(String::from_utf8_lossy(text).into_owned()),
                        ValueRef::Integer(number) => Some(number.to_string()),
                        ValueRef::Null | ValueRef::Real(_) => None,
                    })
                })
                .ok()
                .flatten(),
            None => self.all.get(&id).cloned(),
        }
    }
}

/// Texts already looked up, each once.
pub(super) struct Names<'s, 'd> {
    strings: &'s mut Strings<'d>,
    file: &'s str,
    known: FxHashMap<i64, String>,
    own: String,
}

impl<'s, 'd> Names<'s, 'd> {
    /// Names through a table of strings.
    pub fn new(strings: &'s mut Strings<'d>, file: &'s str) -> Names<'s, 'd> {
        Names { strings, file, known: FxHashMap::default(), own: String::new() }
    }

    /// The text a cell names, by id or itself; empty where there is none.
    pub fn of(&mut self, cells: &Cells<'_, '_>, column: usize, problems: &mut Problems) -> &str {
        let (strings, file) = (&mut *self.strings, self.file);
        let id = cells.int(column).whole();
        if let ValueRef::Text(text) = cells.value(column) {
            // Tools that copy tables may write ids as text; a text that is no known id is a name.
            let is_id = !text.is_empty() && text.iter().all(u8::is_ascii_digit);
            let id = id.filter(|id| is_id && (self.known.contains_key(id) || strings.text(*id).is_some()));
            let Some(id) = id else {
                self.own = String::from_utf8_lossy(text).trim().to_owned();
                return &self.own;
            };
            return self
                .known
                .entry(id)
                .or_insert_with(|| crate::read::text::strip(&strings.text(id).unwrap_or_default()).to_owned());
        }
        let Some(id) = id else { return "" };
        self.known.entry(id).or_insert_with(|| {
            strings.text(id).map(|text| crate::read::text::strip(&text).to_owned()).unwrap_or_else(|| {
                problems.add(file, cells.place(column), ProblemKind::MissingText, &id.to_string());
                String::new()
            })
        })
    }
}
