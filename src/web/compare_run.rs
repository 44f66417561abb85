//! A comparison under way: what is picked on each side, and the questions to the workers.

use std::sync::Arc;

use js_sys::{Array, Uint8Array};
use leptos::prelude::*;
use wasm_bindgen::JsCast;

use super::export::wake;
use super::messages::{Answer, ComparedSides, Question};
use super::overview::step_text;
use super::rank_list::{parts_of, rank_title};
use super::ranks::Rank;
use super::state::Page;
use crate::analysis::answer::GroupBy;
use crate::analysis::compare::DifferenceOf;
use crate::analysis::steps::Moment;
use crate::words::{Lang, ui};

/// Groups told one by one.
pub const GROUPS: usize = 200;

/// Which ranks make up a side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Who {
    /// One, by its id.
    Rank(u32),
    /// All of a role and recording.
    Role(String, Option<u64>),
}

/// When they are looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum When {
    /// Live at the peak, allocated over the window.
    Peak,
    /// Live at the start.
    Start,
    /// Live at the end.
    End,
    /// Live at the highest moment of a step, allocated in it.
    Step(u64),
    /// Live at the chosen time, allocated in the range shown; ns.
    Chosen(i64, i64, i64),
}

impl When {
    /// What is live at, and allocated from and to.
    fn moments(self) -> [Moment; 3] {
        match self {
            When::Peak => [Moment::Peak, Moment::Start, Moment::End],
            When::Start => [Moment::Start, Moment::Start, Moment::End],
            When::End => [Moment::End, Moment::Start, Moment::End],
            When::Step(number) => [Moment::Step(number); 3],
            When::Chosen(at, from, to) => [Moment::At(at), Moment::At(from), Moment::At(to)],
        }
    }
}

/// One side as picked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pick {
    /// Which ranks.
    pub who: Who,
    /// When.
    pub when: When,
}

/// What is to be compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked {
    /// A and B.
    pub sides: [Pick; 2],
    /// Grouping.
    pub by: GroupBy,
    /// Order of the groups.
    pub order: DifferenceOf,
}

/// How far it is.
#[derive(Debug, Clone, PartialEq)]
pub enum Progress {
    /// Nothing to compare yet.
    Nothing,
    /// So many of so many ranks are asked.
    Asking(usize, usize),
    /// Done.
    Done(Arc<ComparedSides>),
    /// Not possible, and why.
    Failed(String),
}

impl Page {
    /// The ranks of a side. Does not track.
    pub fn ranks_of(self, who: &Who) -> Vec<Arc<Rank>> {
        self.ranks.with_untracked(|ranks| {
            let is_one = |rank: &&Arc<Rank>| match who {
                Who::Rank(id) => rank.id == *id,
                Who::Role(role, step) => rank.folder.role == *role && rank.folder.step == *step,
            };
            let was_read = |rank: &&Arc<Rank>| rank.told.with_untracked(Option::is_some);
            ranks.iter().filter(is_one).filter(was_read).cloned().collect()
        })
    }

    /// What can be picked, with its name: every rank that was read, and every role of several. Tracks.
    pub fn choices(self, lang: Lang) -> Vec<(Who, String)> {
        let ranks: Vec<Arc<Rank>> =
            self.ranks.with(|ranks| ranks.iter().filter(|rank| rank.told.with(Option::is_some)).cloned().collect());
        let run = |rank: &Rank| rank.folder.folder.split('/').next().unwrap_or_default().to_owned();
        let mut runs: Vec<String> = ranks.iter().map(|rank| run(rank)).collect();
        runs.sort_unstable();
        runs.dedup();
        let mut all = Vec::new();
        for part in parts_of(&ranks) {
            let step = part.step.map(|step| format!(" {}", step_text(lang, step))).unwrap_or_default();
            let role = format!("{}{step}", self.role_name(&part.role));
            if part.ranks.len() > 1 {
                let name = ui::compare_whole_role(lang, &role, part.ranks.len() as u64);
                all.push((Who::Role(part.role.clone(), part.step), name));
            }
            for rank in part.ranks {
                // Two runs may have ranks of one name.
                let run = if runs.len() > 1 { format!("  ({})", run(&rank.0)) } else { String::new() };
                all.push((Who::Rank(rank.0.id), format!("{role} {}{run}", rank_title(lang, &rank.0))));
            }
        }
        all
    }

    /// Asks the workers, one rank after the other. A newer comparison than `is_newest` says ends it.
    pub async fn compare(self, asked: Asked, told: RwSignal<Progress>, is_newest: impl Fn() -> bool) {
        let say = |progress| {
            if is_newest() {
                let _ = told.try_set(progress);
            }
        };
        match self.compared(&asked, &say, &is_newest).await {
            Ok(Some(compared)) => say(Progress::Done(Arc::new(compared))),
            Ok(None) => {}
            Err(reason) => say(Progress::Failed(reason)),
        }
    }

    async fn compared(
        self,
        asked: &Asked,
        say: &impl Fn(Progress),
        is_newest: &impl Fn() -> bool,
    ) -> Result<Option<ComparedSides>, String> {
        let lang = self.lang.get_untracked();
        let sides = asked.sides.clone().map(|pick| (self.ranks_of(&pick.who), pick.when));
        let all: usize = sides.iter().map(|(ranks, _)| ranks.len()).sum();
        let _hold = self.pool.hold();
        let (both, mut done, mut last) = (Array::new(), 0, None);
        for (ranks, when) in sides {
            let (mut sum, mut any) = (None::<Uint8Array>, false);
            let [at, from, to] = when.moments();
            for rank in ranks {
                say(Progress::Asking(done, all));
                wake(self, &rank).await?;
                if !is_newest() {
                    return Ok(None);
                }
                let before = sum.take().map_or_else(Array::new, |bytes| Array::of1(&bytes));
                let reply = self.pool.ask_with(rank.id, Question::Side { by: asked.by, at, from, to }, &before).await;
                let Some((Answer::Side(has), data)) = reply else {
                    return Err(ui::worker_died(lang, &rank.folder.folder));
                };
                any |= has;
                sum = data.get(0).dyn_into().ok();
                last = Some(rank.id);
                done += 1;
            }
            match sum.filter(|_| any) {
                Some(bytes) => both.push(&bytes),
                None => return Err(ui::compare_no_moment(lang).to_owned()),
            };
        }
        let Some(last) = last else { return Ok(None) };
        let question = Question::Compare { order: asked.order, limit: GROUPS };
        match self.pool.ask_with(last, question, &both).await {
            Some((Answer::Compared(Some(compared)), _)) => Ok(Some(*compared)),
            _ => Err(ui::compare_no_moment(lang).to_owned()),
        }
    }
}
