//! What the recordings of the run prove, above everything else: each sentence leads to where it shows.

use std::sync::Arc;

use leptos::prelude::*;

use super::state::{GroupRef, Page};
use super::wait::later;
use crate::analysis::facts::RankFacts;
use crate::analysis::findings::{Finding, FindingKind, findings};
use crate::screen::view::{Shows, View};
use crate::words::units::{self, Noun};
use crate::words::{self, Lang, ui};

/// How often a target is looked for before it is gone to, or given up.
const PATIENCE: u8 = 12;
/// Frames from one look to the next.
const BETWEEN_LOOKS: u16 = 4;

impl Page {
    /// What all ranks read so far prove together. Tracks.
    pub fn all_findings(self) -> Vec<Finding> {
        let told: Vec<(Vec<Finding>, RankFacts)> = self.ranks.with(|ranks| {
            ranks
                .iter()
                .filter_map(|rank| rank.told.get())
                .map(|told| (told.findings.clone(), told.facts.clone()))
                .collect()
        });
        let (of_ranks, facts): (Vec<Vec<Finding>>, Vec<RankFacts>) = told.into_iter().unzip();
        findings(of_ranks, &facts)
    }

    /// Goes to where a finding shows: rank, pool, time, group.
    pub fn go_to_finding(self, finding: &Finding) {
        let place = &finding.place;
        let rank = self.ranks.with_untracked(|ranks| ranks.iter().find(|r| r.folder.folder == place.folder).cloned());
        let Some(rank) = rank else { return };
        self.select(&rank);
        self.view.set(match finding.kind() {
            FindingKind::Fragmentation => View::Reserved,
            FindingKind::Outside => View::Other,
            _ => View::Overview,
        });
        self.shows.set(match finding.kind() {
            FindingKind::Leak => Shows::Growth,
            FindingKind::Churn => Shows::ShortLived,
            _ => Shows::Live,
        });
        let is_framework = rank.summary.with_untracked(|summary| {
            let first = summary.as_ref().filter(|s| s.peak.is_some()).and_then(|s| s.pools.first());
            let same = |key: &crate::analysis::answer::PoolKey| {
                first.is_some_and(|pool| pool.component == key.component && pool.device == key.device)
            };
            place.pool.as_ref().is_none_or(same)
        });
        let has_blocks = matches!(
            finding.kind(),
            FindingKind::Peak | FindingKind::Leak | FindingKind::Churn | FindingKind::Fragmentation
        );
        self.pool_shown.set(place.pool.clone().filter(|_| has_blocks && !is_framework));
        if let Some((by, key)) = &place.group {
            self.by.set(*by);
            self.group.set(Some(GroupRef { by: *by, key: Some(key.clone()) }));
        } else {
            self.group.set(None);
        }
        match place.time_ns {
            Some(time) => self.go_to(time),
            None => self.at.set(None),
        }
        let target = match finding.kind() {
            FindingKind::FileCheck | FindingKind::FileProblem => "problems",
            FindingKind::Fragmentation => "reserved",
            FindingKind::Outside => "outside",
            _ if place.group.is_some() => "top-allocators",
            FindingKind::OddRank => "rank-head",
            _ => "timeline",
        };
        // After the views have taken the new state over.
        later(2, move || scroll_once_settled(target, None, PATIENCE));
    }
}

/// Brings an element into view as soon as it is there and stays in its place: panels above it are built in turns.
fn scroll_once_settled(testid: &'static str, before: Option<f64>, looks_left: u8) {
    let element = document().query_selector(&format!("[data-testid={testid}]")).ok().flatten();
    let top = element.as_ref().map(|element| element.get_bounding_client_rect().top());
    match element {
        Some(element) if top == before || looks_left == 0 => element.scroll_into_view(),
        _ if looks_left == 0 => {}
        _ => later(BETWEEN_LOOKS, move || scroll_once_settled(testid, top, looks_left - 1)),
    }
}

/// The panel.
#[component]
pub fn Findings(page: Page) -> impl IntoView {
    let lang = page.lang;
    let all = Memo::new(move |_| Arc::new(page.all_findings()));
    let open = RwSignal::new(false);
    let count = move || all.with(|all| all.len());
    // At first the largest of each kind: what a leak or an odd rank is about is seldom as large as a peak.
    let first = Memo::new(move |_| {
        let mut kinds = Vec::new();
        all.with(|all| {
            let is_first = |(place, finding): (usize, &Finding)| {
                let kind = finding.kind();
                (!kinds.contains(&kind)).then(|| {
                    kinds.push(kind);
                    place
                })
            };
            all.iter().enumerate().filter_map(is_first).collect::<Vec<usize>>()
        })
    });
    let rows = move || {
        let (lang, open, first) = (lang.get(), open.get(), first.get());
        let all = all.get();
        let shown = all.iter().enumerate().filter(|(place, _)| open || first.contains(place));
        shown.map(|(_, finding)| line(page, lang, finding).into_any()).collect::<Vec<_>>()
    };
    let said = move || {
        let read = page.read.get() as u64;
        match (count(), page.busy.get()) {
            (0, 0) => words::answers::nothing_found(lang.get()).to_owned(),
            (_, 0) => ui::findings_of(lang.get(), &units::count_of(lang.get(), read, Noun::Rank)),
            (_, busy) => ui::findings_so_far(lang.get(), &units::count_of(lang.get(), busy as u64, Noun::Rank)),
        }
    };
    view! {
        <section class="panel findings" data-testid="findings" data-count=move || count().to_string()
            aria-label=move || ui::panel_findings(lang.get())>
            <div class="panel-head">
                <h2>{move || ui::panel_findings(lang.get())}</h2>
                <span class="hint" role="status">{said}</span>
                <span class="space"></span>
                <Show when=move || { count() > first.with(Vec::len) }>
                    <button class="small" data-testid="findings-more" aria-expanded=move || open.get().to_string()
                        on:click=move |_| open.update(|open| *open = !*open)>
                        {move || if open.get() {
                            ui::show_less(lang.get()).to_owned()
                        } else {
                            ui::findings_all(lang.get(), count() as u64)
                        }}
                    </button>
                </Show>
            </div>
            <ol class="finding-list">{rows}</ol>
        </section>
    }
}

/// One finding: its bytes, what and where, the sentence.
fn line(page: Page, lang: Lang, finding: &Finding) -> impl IntoView + use<> {
    let kind = finding.kind();
    let bytes = if finding.bytes > 0 { units::bytes(finding.bytes) } else { "–".to_owned() };
    let sentence = words::finding(lang, finding);
    let (title, place) = (words::finding_title(lang, kind), words::finding_place(lang, &finding.place));
    let told = finding.clone();
    let tip = format!("{sentence}\n\n{}", words::finding_rule(lang, kind));
    view! {
        <li>
            <button
                class="finding"
                data-testid="finding"
                data-kind=kind.name()
                data-bytes=finding.bytes.to_string()
                data-folder=finding.place.folder.clone()
                title=tip
                on:click=move |_| page.go_to_finding(&told)
            >
                <span class="finding-bytes num">{bytes}</span>
                <span class="finding-what"><b>{title}</b>" "<span class="quiet">{place}</span></span>
                <span class="finding-text">{sentence}</span>
            </button>
        </li>
    }
}
