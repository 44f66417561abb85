//! The curves of both sides over each other: of each the rank with the highest peak, one's times moved to the other's.

use std::sync::Arc;

use leptos::html::{Canvas, Div};
use leptos::prelude::*;

use super::canvas::{area, size_of};
use super::messages::ComparedSides;
use super::ranks::Rank;
use super::state::Page;
use crate::analysis::align::AlignedBy;
use crate::analysis::answer::{Quantity, Series, Timeline};
use crate::analysis::side::SideRank;
use crate::chart::timeline::{TimelineView, draw};
use crate::words::{self, ui};

/// A rank's allocated total over its window, its times moved by so many ns.
pub fn moved(whole: &Timeline, quantities: &[Quantity], by_ns: i64) -> Vec<Series> {
    let Some(pool) = whole.series.first().map(|series| series.pool.clone()) else { return Vec::new() };
    let own = whole.series.iter().filter(|series| series.pool == pool && quantities.contains(&series.quantity));
    own.map(|series| Series {
        times_ns: series.times_ns.iter().map(|time| time.saturating_add(by_ns)).collect(),
        ..series.clone()
    })
    .collect()
}

/// The panel; nothing where there are no such curves.
#[component]
pub fn Laid(page: Page, compared: Arc<ComparedSides>) -> impl IntoView {
    let highest = compared.highest.clone();
    highest.and_then(|([a, b], alignment)| {
        let find = |side: &SideRank| {
            let ranks = page.ranks.get_untracked();
            ranks.into_iter().find(|rank| rank.folder.folder == side.folder)
        };
        let (of_a, of_b) = (find(&a)?, find(&b)?);
        Some(view! { <Both page ranks=[of_a, of_b] names=[name(page, &a), name(page, &b)] by=alignment.by same_ns=alignment.same_ns /> })
    })
}

fn name(page: Page, side: &SideRank) -> String {
    let role = untrack(|| page.role_name(&side.role));
    words::rank_name(page.lang.get_untracked(), &role, side.rank, side.step, &side.folder)
}

#[component]
fn Both(page: Page, ranks: [Arc<Rank>; 2], names: [String; 2], by: AlignedBy, same_ns: [i64; 2]) -> impl IntoView {
    let lang = page.lang;
    let frame = NodeRef::<Div>::new();
    let canvas = NodeRef::<Canvas>::new();
    let size = size_of(frame);
    let [a_ns, b_ns] = same_ns;
    let shift = a_ns.saturating_sub(b_ns);
    Effect::new(move |_| {
        let (Some(canvas), size) = (canvas.get(), size.get()) else { return };
        let [a, b] = &ranks;
        let (Some(of_a), Some(of_b)) = (a.whole.get(), b.whole.get()) else { return };
        if size.width <= 1.0 {
            return;
        }
        let quantities = [Quantity::Allocated];
        let series = moved(&of_a, &quantities, 0);
        let start_ns = of_a.start_ns.min(of_b.start_ns.saturating_add(shift));
        let end_ns = of_a.end_ns.max(of_b.end_ns.saturating_add(shift));
        let both = Timeline { start_ns, end_ns, series };
        let view = TimelineView {
            origin_ns: a_ns,
            under: moved(&of_b, &quantities, shift),
            scale: size.scale,
            ..TimelineView::of(&both)
        };
        // A canvas that cannot be drawn on stays empty: the table below holds the numbers.
        let _ = area(&canvas, size).and_then(|area| draw(&area, &both, &view, &page.theme()).ok());
    });
    let said = move || match by {
        AlignedBy::Step => words::answers::aligned_by_step(lang.get()),
        AlignedBy::Start => words::answers::aligned_by_start(lang.get()),
    };
    let short = move || match by {
        AlignedBy::Step => ui::laid_by_step(lang.get()),
        AlignedBy::Start => ui::laid_by_start(lang.get()),
    };
    let [a, b] = names;
    let alt = {
        let (a, b) = (a.clone(), b.clone());
        move || ui::laid_alt(lang.get(), &a, &b)
    };
    view! {
        <section class="panel laid" data-testid="laid" data-by=if by == AlignedBy::Step { "step" } else { "start" }
            aria-label=move || ui::laid_title(lang.get())>
            <div class="panel-head">
                <h2>{move || ui::laid_title(lang.get())}</h2>
                <span class="laid-name"><i class="line-sample" aria-hidden="true"></i>"A "{a}</span>
                <span class="laid-name"><i class="line-sample dashed" aria-hidden="true"></i>"B "{b}</span>
                <span class="space"></span>
                <span class="hint" title=said>{short}</span>
            </div>
            <div node_ref=frame class="laid-frame">
                <canvas node_ref=canvas data-testid="laid-canvas" role="img" aria-label=alt></canvas>
            </div>
        </section>
    }
}
