//! What a database says about its recording: rank, role, version.

use rusqlite::types::ValueRef;

use super::open::Db;
use super::scan::{Plan, scan};
use crate::problem::Problems;

/// Small facts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Facts {
    /// The rank, if the recording knew one.
    pub rank: Option<u64>,
    /// What a person named the role, in the recording's metadata.
    pub role: Option<String>,
    /// Version of the tables.
    pub schema_version: Option<String>,
}

/// Reads them.
pub(super) fn read(db: &Db, file: &str, problems: &mut Problems) -> Facts {
    let mut facts = Facts::default();
    let ranks = Plan { table: "RANK_DEVICE_MAP", columns: &["rankId"], only: None };
    scan(db, problems, file, &ranks, &mut |cells, _| {
        // -1 stands for none.
        let rank = cells.int(0).whole().and_then(|rank| u64::try_from(rank).ok());
        facts.rank = facts.rank.or(rank);
    });
    let metadata = Plan { table: "META_DATA", columns: &["name", "value"], only: None };
    scan(db, problems, file, &metadata, &mut |cells, _| {
        let (ValueRef::Text(name), ValueRef::Text(value)) = (cells.value(0), cells.value(1)) else { return };
        let value = || String::from_utf8_lossy(value).trim_matches('"').to_owned();
        match name {
            b"role" => facts.role = Some(value()).filter(|role| !role.is_empty()),
            b"SCHEMA_VERSION" => facts.schema_version = Some(value()),
            _ => {}
        }
    });
    facts
}
