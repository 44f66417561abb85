//! Opens a database so that nothing in it can run or write, and lists its real tables.
//!
//! Views, triggers, virtual tables and generated columns are never touched: tables are taken from the schema by name, their
//! plain columns by name, and an authorizer refuses every function and every other action while rows are read.

use std::collections::HashMap;

use rusqlite::config::DbConfig;
use rusqlite::hooks::{AuthAction, AuthContext, Authorization};
use rusqlite::limits::Limit;
use rusqlite::{Connection, ErrorCode, OpenFlags};

use super::blocks::Stop;
use super::vfs::{self, Offer, Shared};

/// Pages SQLite itself keeps, KiB.
const CACHE_KIB: i64 = 8192;

/// Upper bounds for what a schema or a row may demand; profilers stay far below.
const LIMITS: [(Limit, i32); 10] = [
    (Limit::SQLITE_LIMIT_LENGTH, 16 << 20),
    (Limit::SQLITE_LIMIT_SQL_LENGTH, 1 << 20),
    (Limit::SQLITE_LIMIT_COLUMN, 500),
    (Limit::SQLITE_LIMIT_EXPR_DEPTH, 20),
    (Limit::SQLITE_LIMIT_COMPOUND_SELECT, 2),
    (Limit::SQLITE_LIMIT_FUNCTION_ARG, 4),
    (Limit::SQLITE_LIMIT_ATTACHED, 0),
    (Limit::SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 50),
    (Limit::SQLITE_LIMIT_TRIGGER_DEPTH, 1),
    (Limit::SQLITE_LIMIT_WORKER_THREADS, 0),
];

/// Why a file could not be opened as a database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum OpenError {
    /// No database, or an encrypted one: they look alike.
    NotADatabase,
    /// Its schema cannot be read.
    Damaged(String),
    /// Reading was ended from outside.
    Stopped(Stop),
}

/// A real table.
#[derive(Debug, Clone)]
pub(super) struct Table {
    /// As the schema writes it.
    pub name: String,
    /// Plain columns: the name as looked for (no case, no underscores) and as written.
    columns: HashMap<String, String>,
    /// The column that is the key SQLite finds rows by.
    pub key: Option<String>,
}

impl Table {
    /// A column as the schema writes it. Versions differ in case and underscores.
    pub fn column(&self, name: &str) -> Option<&str> {
        self.columns.get(&plain(name)).map(String::as_str)
    }
}

/// An open database.
pub(super) struct Db {
    // Before the offer: a connection must be closed while its files are there.
    pub connection: Connection,
    tables: HashMap<String, Table>,
    pub blocks: Shared,
    /// Of the file and its log together: what bounds the number of rows.
    pub bytes: u64,
    /// Views under the names of tables that are read.
    pub views: Vec<String>,
    /// Why part of the schema could not be read.
    pub malformed: Option<String>,
    _offer: Offer,
}

/// A name without case and underscores.
fn plain(name: &str) -> String {
    name.chars().filter(|c| *c != '_').map(|c| c.to_ascii_lowercase()).collect()
}

/// A name as SQL text takes it.
pub(super) fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

impl Db {
    /// Opens a file, with the write-ahead log beside it if there is one.
    pub fn open(blocks: Shared, log: Option<Shared>) -> Result<Db, OpenError> {
        let bytes = blocks.borrow().size() + log.as_ref().map_or(0, |log| log.borrow().size());
        let offer = Offer::new(blocks.clone(), log);
        match open(&offer) {
            Ok(Opened { connection, tables, views, malformed }) => {
                Ok(Db { connection, tables, blocks, bytes, views, malformed, _offer: offer })
            }
            Err(error) => Err(match blocks.borrow().stop() {
                Some(stop) => OpenError::Stopped(stop.clone()),
                None if error.sqlite_error_code() == Some(ErrorCode::NotADatabase) => OpenError::NotADatabase,
                None => OpenError::Damaged(error.to_string()),
            }),
        }
    }

    /// A table by name.
    pub fn table(&self, name: &str) -> Option<&Table> {
        self.tables.get(&name.to_ascii_uppercase())
    }

    /// Why reading ended early, if it did.
    pub fn stop(&self) -> Option<Stop> {
        self.blocks.borrow().stop().cloned()
    }
}

/// A database as far as it could be opened.
struct Opened {
    connection: Connection,
    tables: HashMap<String, Table>,
    views: Vec<String>,
    malformed: Option<String>,
}

/// Tables whose absence behind a view of their name is worth telling.
const TOLD: [&str; 5] = ["OP_MEMORY", "MEMORY_RECORD", "PYTORCH_API", "STRING_IDS", "PYTORCH_CALLCHAINS"];

fn open(offer: &Offer) -> rusqlite::Result<Opened> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut connection = Connection::open_with_flags_and_vfs(offer.name(), flags, vfs::NAME)?;
    for (limit, value) in LIMITS {
        connection.set_limit(limit, value)?;
    }
    for (config, on) in [
        (DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true),
        (DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false),
        (DbConfig::SQLITE_DBCONFIG_DQS_DML, false),
        (DbConfig::SQLITE_DBCONFIG_DQS_DDL, false),
        (DbConfig::SQLITE_DBCONFIG_ENABLE_VIEW, false),
        (DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false),
        // Closing must not try to move a log into the file.
        (DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true),
    ] {
        connection.set_db_config(config, on)?;
    }
    // Alone with the file: a log's index is then kept in memory instead of a shared one beside the file.
    connection.pragma_update_and_check(None, "locking_mode", "exclusive", |_| Ok(()))?;
    connection.pragma_update(None, "temp_store", "memory")?;
    connection.pragma_update(None, "cell_size_check", true)?;
    connection.pragma_update(None, "query_only", true)?;
    let mut malformed = None;
    let tables = match list(&connection) {
        Err(error) if error.sqlite_error_code() == Some(ErrorCode::DatabaseCorrupt) => {
            malformed = Some(error.to_string());
            // SQLite then keeps the part of a schema that it understands. Nothing is written all the same.
            connection.set_db_config(DbConfig::SQLITE_DBCONFIG_WRITABLE_SCHEMA, true)?;
            // The statement that meets the fault fails; those behind it do not.
            let _ = list(&connection);
            list(&connection)?
        }
        tables => tables?,
    };
    // This one reads the schema.
    connection.pragma_update(None, "cache_size", -CACHE_KIB)?;
    let views = views(&connection)?;
    connection.authorizer(Some(only_reading))?;
    Ok(Opened { connection, tables, views, malformed })
}

/// Plain reads of plain tables are all that is ever asked for.
fn only_reading(context: AuthContext<'_>) -> Authorization {
    match (context.action, context.accessor) {
        (AuthAction::Select | AuthAction::Read { .. }, None) => Authorization::Allow,
        _ => Authorization::Deny,
    }
}

fn views(connection: &Connection) -> rusqlite::Result<Vec<String>> {
    let mut statement = connection.prepare("SELECT name FROM sqlite_schema WHERE type = 'view'")?;
    let mut rows = statement.query([])?;
    let mut views = Vec::new();
    while let Some(row) = rows.next()? {
        let Ok(name) = row.get_ref(0)?.as_str() else { continue };
        views.extend(TOLD.iter().find(|told| told.eq_ignore_ascii_case(name)).map(|told| (*told).to_owned()));
    }
    Ok(views)
}

/// The real tables: SQLite checks that a schema's row and its text name the same thing.
fn list(connection: &Connection) -> rusqlite::Result<HashMap<String, Table>> {
    let mut names: Vec<String> = Vec::new();
    let mut statement =
        connection.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND rootpage > 0")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let (Ok(name), Ok(sql)) = (row.get_ref(0)?.as_str(), row.get_ref(1)?.as_str()) else { continue };
        let is_plain = sql.get(..13).is_some_and(|start| start.eq_ignore_ascii_case("CREATE TABLE "));
        if is_plain && !name.starts_with("sqlite_") {
            names.push(name.to_owned());
        }
    }
    let mut tables = HashMap::new();
    for name in names {
        let mut table = Table { name: name.clone(), columns: HashMap::new(), key: None };
        let mut keys = 0;
        connection.pragma(None, "table_info", &name, |row| {
            let (column, kind, key): (String, String, i64) = (row.get(1)?, row.get(2)?, row.get(5)?);
            if key > 0 {
                keys += 1;
                table.key = kind.eq_ignore_ascii_case("INTEGER").then(|| plain(&column));
            }
            table.columns.insert(plain(&column), column);
            Ok(())
        })?;
        if keys != 1 {
            table.key = None;
        }
        tables.insert(name.to_ascii_uppercase(), table);
    }
    Ok(tables)
}
