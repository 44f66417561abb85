//! What a report may not tell unless asked to: call stacks, and paths of files and folders. A line of code becomes a numbered call
//! site, the same wherever it appears; a recording without a rank a numbered recording.

use std::collections::HashMap;

use crate::analysis::answer::GroupBy;
use crate::analysis::findings::{Finding, Found};
use crate::words::{self, Lang, report as texts};

/// How things are named in one report.
pub(super) struct Names<'a> {
    pub lang: Lang,
    pub with_stacks: bool,
    sites: HashMap<String, u64>,
    /// Rank folders in the report's order.
    folders: Vec<&'a str>,
}

impl<'a> Names<'a> {
    pub fn new(lang: Lang, with_stacks: bool, folders: Vec<&'a str>) -> Names<'a> {
        Names { lang, with_stacks, sites: HashMap::new(), folders }
    }

    /// A frame or stack; an empty one stays.
    pub fn site(&mut self, text: &str) -> String {
        if self.with_stacks || text.is_empty() {
            return text.to_owned();
        }
        let next = self.sites.len() as u64 + 1;
        texts::call_site(self.lang, *self.sites.entry(text.to_owned()).or_insert(next))
    }

    /// A name that should be none of a file: of an operator, a component, a role.
    pub fn plain(&self, text: &str) -> String {
        let is_path = text.contains(['/', '\\']);
        if is_path && !self.with_stacks { texts::name_left_out(self.lang).to_owned() } else { text.to_owned() }
    }

    /// A group's name for people.
    pub fn group(&mut self, by: GroupBy, key: Option<&str>) -> String {
        let shown = match key {
            Some(key) if by.rests_on_match() => Some(self.site(key)),
            Some(key) => Some(self.plain(key)),
            None => None,
        };
        words::group_key(self.lang, by, shown.as_deref()).to_owned()
    }

    /// A recording.
    pub fn rank(&self, role: &str, rank: Option<u64>, step: Option<u64>, folder: &str) -> String {
        let number = self.folders.iter().position(|known| *known == folder).map_or(0, |at| at as u64 + 1);
        let folder = if self.with_stacks { folder.to_owned() } else { texts::recording(self.lang, number) };
        words::rank_name(self.lang, &self.plain(role), rank, step, &folder)
    }

    /// A finding as it may be told.
    pub fn finding(&mut self, finding: &Finding) -> Finding {
        let mut finding = finding.clone();
        if self.with_stacks {
            return finding;
        }
        match &mut finding.found {
            Found::Peak(peak) => {
                let by = peak.by;
                for group in &mut peak.groups {
                    group.key = if by.rests_on_match() { self.site(&group.key) } else { self.plain(&group.key) };
                }
            }
            Found::Leak(leak) => {
                leak.stack.clear();
                leak.user_frame = self.site(&leak.user_frame);
                leak.operator = self.plain(&leak.operator);
            }
            Found::Churn(churn) => {
                churn.stack.clear();
                churn.user_frame = self.site(&churn.user_frame);
                churn.operator = self.plain(&churn.operator);
            }
            Found::Fragmentation(found) => {
                if let Some(trigger) = &mut found.largest.trigger {
                    trigger.stack = None;
                    trigger.user_frame = trigger.user_frame.as_deref().map(|frame| self.site(frame));
                    trigger.operator = self.plain(&trigger.operator);
                }
            }
            Found::Outside(outside) => {
                for component in &mut outside.components {
                    component.name = self.plain(&component.name);
                }
            }
            // Told by their kind alone: see the caller.
            Found::OddRank(_) | Found::FileCheck(_) | Found::FileProblem(_) => {}
        }
        finding.place.group = None;
        finding
    }
}
