//! Files beside the recordings that are not read, by what they are: so that nobody wonders whether they were overlooked.

use leptos::prelude::*;

use super::state::Page;
use crate::neighbour::Neighbour;
use crate::words::{neighbour, summary, ui, units};

/// Of the rank shown, or without one of the given folders.
#[component]
pub fn Beside(page: Page) -> impl IntoView {
    let lang = page.lang;
    let files = Memo::new(move |_| {
        let of_rank = match (page.summary.get(), page.current.get()) {
            (Some(summary), _) => summary.neighbours.clone(),
            (None, Some(rank)) => rank.0.folder.neighbours.clone(),
            (None, None) => Vec::new(),
        };
        of_rank.into_iter().chain(page.run_neighbours.get()).collect::<Vec<Neighbour>>()
    });
    let lines = move || {
        let lang = lang.get();
        let line = |Neighbour { file, kind, count }| {
            let what = neighbour(lang, kind);
            let text = match count {
                1 => summary::neighbour_line(lang, &file, what),
                _ => summary::neighbour_lines(lang, &file, count - 1, what),
            };
            view! { <li data-kind=kind.name() data-count=count.to_string()>{text}</li> }
        };
        files.get().into_iter().map(line).collect_view()
    };
    let total = move || files.with(|files| files.iter().map(|files| files.count).sum::<u64>());
    view! {
        <Show when=move || files.with(|files| !files.is_empty())>
            <details class="beside" data-testid="neighbours" data-count=move || total().to_string()>
                <summary>
                    {move || ui::files_beside(lang.get())}" "
                    <span class="count">{move || units::count(total())}</span>
                </summary>
                <ul>{lines}</ul>
            </details>
        </Show>
    }
}
