//! Help and about: keys, words, what the engine did, what stays on the machine.

use leptos::html::Dialog;
use leptos::prelude::*;

use super::icons::{CLOSE, Icon};
use super::messages::Facts;
use super::state::Page;
use crate::words::{Lang, Term, ui, units};

/// Terms explained in the panel.
const TERMS: [Term; 16] = [
    Term::Allocated,
    Term::Active,
    Term::Reserved,
    Term::Baseline,
    Term::Block,
    Term::NeverReleased,
    Term::Pool,
    Term::UserFrame,
    Term::Enclosing,
    Term::Forward,
    Term::Queue,
    Term::Nearest,
    Term::Ambiguous,
    Term::Unmatched,
    Term::Window,
    Term::Peak,
];

/// The dialog; `open` opens and closes it.
#[component]
pub fn About(page: Page, open: RwSignal<bool>) -> impl IntoView {
    let lang = page.lang;
    let dialog = NodeRef::<Dialog>::new();
    Effect::new(move |_| {
        let Some(dialog) = dialog.get() else { return };
        // Asked by its attribute: a call named `open` is refused by the check of what leaves the page.
        match (open.get(), dialog.has_attribute("open")) {
            // It is in the document and closed: showing it cannot fail.
            (true, false) => drop(dialog.show_modal()),
            (false, true) => dialog.close(),
            _ => {}
        }
    });
    view! {
        <dialog node_ref=dialog class="about" data-testid="about" aria-label=move || ui::help(lang.get())
            on:close=move |_| open.set(false)>
            <div class="panel-head">
                <h2>{move || ui::app_name(lang.get())}</h2>
                <span class="hint">{move || ui::about_version(lang.get(), env!("CARGO_PKG_VERSION"))}</span>
                <span class="space"></span>
                <button class="quiet" autofocus aria-label=move || ui::close(lang.get()) on:click=move |_| open.set(false)>
                    <Icon path=CLOSE />
                </button>
            </div>
            <p><b>{move || ui::privacy(lang.get())}</b>" "{move || ui::about_privacy(lang.get())}</p>
            <div class="about-columns">
                <section>
                    <h3>{move || ui::keyboard(lang.get())}</h3>
                    <Keys lang />
                    <Notes lang title=ui::record_title notes=&RECORD />
                    <Notes lang title=ui::limits_title notes=&LIMITS />
                </section>
                <section>
                    <h3>{move || ui::about_terms(lang.get())}</h3>
                    <dl class="terms">
                        {TERMS.map(|term| view! {
                            <dt>{move || term.text(lang.get())}</dt>
                            <dd>{move || term.meaning(lang.get())}</dd>
                        }).collect_view()}
                    </dl>
                    <h3>{move || ui::about_engine(lang.get())}</h3>
                    <Engine page />
                </section>
            </div>
            <p class="hint">{move || ui::about_exact(lang.get())}" "{move || ui::about_licence(lang.get())}</p>
        </dialog>
    }
}

/// How to record.
const RECORD: [fn(Lang) -> &'static str; 6] =
    [ui::record_memory, ui::record_stacks, ui::record_steps, ui::record_early, ui::record_verl, ui::record_analyse];

/// What cannot be told.
const LIMITS: [fn(Lang) -> &'static str; 5] =
    [ui::limits_baseline, ui::limits_outside, ui::limits_address, ui::limits_guess, ui::limits_memory];

/// A list of sentences under a title.
#[component]
fn Notes(
    lang: RwSignal<Lang>,
    title: fn(Lang) -> &'static str,
    notes: &'static [fn(Lang) -> &'static str],
) -> impl IntoView {
    view! {
        <h3>{move || title(lang.get())}</h3>
        <ul class="notes">{notes.iter().map(|note| view! { <li>{move || note(lang.get())}</li> }).collect_view()}</ul>
    }
}

#[component]
fn Keys(lang: RwSignal<Lang>) -> impl IntoView {
    let key = move |keys: fn(Lang) -> &'static str, does: fn(Lang) -> &'static str| {
        view! { <tr><th scope="row"><kbd>{move || keys(lang.get())}</kbd></th><td>{move || does(lang.get())}</td></tr> }
    };
    view! {
        <table class="keys">
            <tbody>
                {key(|_| "W / S", ui::key_zoom)}
                {key(|_| "A / D", ui::key_pan)}
                {key(|_| "← / →", ui::key_pan_arrows)}
                {key(ui::key_wheel_name, ui::key_wheel)}
                {key(ui::key_shift_drag_name, ui::key_pan)}
                {key(ui::key_drag_name, ui::key_drag)}
                {key(|_| "F", ui::key_centre)}
                {key(|_| "0", ui::key_reset)}
                {key(|_| "P", ui::key_peak)}
                {key(|_| "[ / ]", ui::key_next_rank)}
                {key(ui::key_views_name, ui::key_views)}
                {key(ui::key_alt_wheel_name, ui::key_alt_wheel)}
                {key(|_| "Enter", ui::key_enter)}
                {key(|_| "/", ui::key_search)}
                {key(|_| "?", ui::key_help)}
                {key(|_| "Esc", ui::key_escape)}
            </tbody>
        </table>
    }
}

/// Counters of the page and of the rank shown.
#[component]
fn Engine(page: Page) -> impl IntoView {
    let lang = page.lang;
    let facts = move || page.current.get().map(|rank| rank.0.facts.get()).unwrap_or_default();
    let size = |bytes: u64| units::bytes(i64::try_from(bytes).unwrap_or(i64::MAX));
    let row = move |name: fn(Lang) -> &'static str, id: &'static str, value: Signal<String>| {
        view! { <tr><th scope="row">{move || name(lang.get())}</th><td class="num" data-testid=id>{value}</td></tr> }
    };
    let size_of = move |of: fn(&Facts) -> u64| Signal::derive(move || size(of(&facts())));
    let kept = move || format!("{} / {}", size(page.kept_memory.get()), size(page.pool.budget()));
    let count = move |of: fn(&Facts) -> u64| Signal::derive(move || units::count(of(&facts())));
    view! {
        <table class="keys">
            <tbody>
                {row(ui::about_workers, "workers-started", Signal::derive(move || units::count(page.pool.started().get().into())))}
                {row(ui::about_largest_piece, "largest-piece", Signal::derive(move || size(page.largest_piece.get())))}
                {row(ui::about_memory, "largest-memory", Signal::derive(move || size(page.largest_memory.get())))}
                {row(ui::about_kept_memory, "kept-memory", Signal::derive(kept))}
                {row(ui::about_rank_memory, "rank-memory", size_of(|f| f.memory_bytes))}
                {row(ui::about_bytes_read, "bytes-read", count(|f| f.counters.bytes_read))}
                {row(ui::about_events, "events", count(|f| f.counters.events))}
                {row(ui::about_parsed_events, "parsed-events", count(|f| f.counters.parsed_events))}
                {row(ui::about_careful_events, "careful-events", count(|f| f.counters.careful_events))}
                {row(ui::about_operators, "operators-kept", count(|f| f.counters.operators_kept))}
                {row(ui::about_stacks, "stacks", count(|f| f.counters.stacks))}
                {row(ui::about_names, "names", count(|f| f.counters.names))}
                {row(ui::about_kept_bytes, "kept-bytes", size_of(|f| f.counters.kept_bytes))}
                {row(ui::about_block_bytes, "block-bytes", size_of(|f| f.counters.block_bytes))}
                {row(ui::about_record_bytes, "record-bytes", size_of(|f| f.counters.record_bytes))}
                {row(ui::about_text_bytes, "text-bytes", size_of(|f| f.counters.text_bytes))}
            </tbody>
        </table>
    }
}
