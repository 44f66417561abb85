//! One block with everything the recording says of it.

use serde::{Deserialize, Serialize};

use super::answer::{MatchKind, PoolKey};
use super::rank::Rank;
use crate::model::rows::{Component, GE, NO_SITE, NONE, WORKSPACE};

/// A row of the blocks' table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BlockRow {
    /// Its place in the file: the block's name in questions.
    pub row: u32,
    /// The operator.
    pub operator: String,
    /// Its pool.
    pub pool: PoolKey,
    /// As recorded.
    pub stream: String,
    /// Size; negative: a release of older memory.
    pub bytes: i64,
    /// Allocation time (of a release of older memory its time), ns.
    pub allocated_ns: i64,
    /// Until when it is live, ns; `None`: never released.
    pub released_ns: Option<i64>,
    /// Active Release Time, ns.
    pub active_released_ns: Option<i64>,
    /// The pool's totals after the allocation: allocated, reserved, active; bytes.
    pub totals: [Option<i64>; 3],
    /// How it got its call stack.
    pub kind: MatchKind,
    /// Innermost user frame; empty for library code alone or without a call stack.
    pub user_frame: String,
}

/// One block in full.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BlockDetail {
    /// The numbers.
    pub block: BlockRow,
    /// Its call stack; `None` without an asserted one.
    pub stack: Option<String>,
    /// Module path; may be empty.
    pub module: String,
    /// How far off a guess is, ns.
    pub gap_ns: Option<i64>,
}

impl Rank {
    /// The name of a row's pool as recorded.
    pub(crate) fn component_of(&self, row: usize) -> &str {
        match self.rows.component.get(row) {
            Some(Component::Ge) => GE,
            Some(Component::Workspace) => WORKSPACE,
            _ => &self.framework_name,
        }
    }

    /// The place of a row's pool.
    pub(crate) fn pool_of(&self, row: usize) -> Option<usize> {
        let component = self.component_of(row);
        let device = self.rows.device.get(row).map_or("", |id| self.rows.labels.text(*id));
        let mut named = self.pools.iter().enumerate().filter(|(_, pool)| pool.key.component == component);
        // A table without a device column goes to the component's only pool.
        named.find(|(_, pool)| pool.key.device == device || device.is_empty()).map(|(place, _)| place)
    }

    /// A row of the table; `None` if there is no such row.
    pub fn block_row(&self, row: u32) -> Option<BlockRow> {
        let rows = &self.rows;
        let at = row as usize;
        let time = |column: &[i64]| column.get(at).copied().filter(|time| *time != NONE);
        let [allocated, reserved, active] = &rows.totals;
        let component = self.component_of(at);
        let device = rows.labels.text(*rows.device.get(at)?);
        let named = self.pool_of(at).and_then(|place| self.pools.get(place)).map(|pool| pool.key.clone());
        let pool = named.unwrap_or_else(|| PoolKey { component: component.to_owned(), device: device.to_owned() });
        let site = rows.site.get(at).copied().filter(|site| *site != NO_SITE);
        Some(BlockRow {
            row,
            operator: rows.name_of(at).to_owned(),
            pool,
            stream: rows.labels.text(*rows.stream.get(at)?).to_owned(),
            bytes: *rows.size.get(at)?,
            allocated_ns: *rows.time.get(at)?,
            released_ns: Some(rows.live_end(at)).filter(|end| *end != i64::MAX),
            active_released_ns: time(&rows.active_release),
            totals: [time(allocated), time(reserved), time(active)],
            kind: *rows.kind.get(at)?,
            user_frame: site.map_or("", |site| self.sites.user_frame(site)).to_owned(),
        })
    }

    /// A block in full; `None` if there is no such row.
    pub fn block(&self, row: u32) -> Option<BlockDetail> {
        let block = self.block_row(row)?;
        let site = self.rows.site.get(row as usize).copied().filter(|site| *site != NO_SITE);
        let stack = site.map(|site| self.sites.stack(site)).filter(|stack| !stack.is_empty());
        let gap_ns = self.rows.gaps.get(&row).copied().filter(|_| block.kind == MatchKind::Nearest);
        let module = site.map_or("", |site| self.sites.module(site)).to_owned();
        Some(BlockDetail { stack: stack.map(str::to_owned), module, gap_ns, block })
    }
}
