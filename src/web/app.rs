//! The page as a whole: its bar, its panels, drops anywhere, and what follows the state outside the views.

use leptos::ev::DragEvent;
use leptos::prelude::*;
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::spawn_local;
use web_sys::HtmlInputElement;

use super::about::About;
use super::compare::CompareView;
use super::icons::{ABOUT, EXAMPLE, FILE, FOLDER, Icon, THEME};
use super::intake::{from_list, take_drop};
use super::keys::listen_to_keys;
use super::messages::Facts;
use super::overview::RunOverview;
use super::problems::RunProblems;
use super::rank_list::RankList;
use super::report::RankReport;
use super::state::{Notice, Page, Total};
use super::wait::{later, turn};
use crate::analysis::answer::GroupBy;
use crate::screen::hash::{Remembered, number_of};
use crate::screen::view::{View, Whole};
use crate::words::ui;

/// How often the total progress is taken, ms.
const TICK: u64 = 250;

/// The whole page.
#[component]
pub fn App(page: Page) -> impl IntoView {
    // In turns: the first view costs most, since the browser compiles each function as it is called first.
    let (body, help) = (turn(1), turn(2));
    follow_state(page, body);
    let depth = RwSignal::new(0_i32);
    let about = RwSignal::new(false);
    listen_to_keys(page, about);
    let on_drop = move |event: DragEvent| {
        event.prevent_default();
        depth.set(0);
        if let Some(transfer) = event.data_transfer() {
            let dropped = take_drop(&transfer);
            spawn_local(page.add_drop(dropped));
        }
    };
    view! {
        <div
            class="app"
            class:dropping=move || { depth.get() > 0 }
            data-testid="drop-zone"
            on:dragenter=move |event| {
                event.prevent_default();
                if holds_files(&event) {
                    depth.update(|d| *d += 1);
                }
            }
            on:dragleave=move |_| depth.update(|d| *d = (*d - 1).max(0))
            on:dragover=|event| event.prevent_default()
            on:drop=on_drop
        >
            <Bar page about />
            <Message page />
            <Show when=move || body.get()><Body page /></Show>
            <Show when=move || help.get()><About page open=about /></Show>
            <div class="drop-cover" aria-hidden="true"><p>{move || ui::drop_now(page.lang.get())}</p></div>
        </div>
    }
}

/// Everything below the bar.
#[component]
fn Body(page: Page) -> impl IntoView {
    view! {
        <Show when=move || !page.is_empty.get() fallback=move || view! { <Welcome page /> }>
            <div class="body">
                <RankList page />
                <main class="report"><Content page /></main>
            </div>
        </Show>
    }
}

/// One rank's report, or a view of the whole run.
#[component]
fn Content(page: Page) -> impl IntoView {
    let whole = Memo::new(move |_| page.looks.whole.get());
    move || match whole.get() {
        None => view! { <RankReport page /> }.into_any(),
        Some(Whole::Ranks) => view! { <RunOverview page /> }.into_any(),
        Some(Whole::Compare) => view! { <CompareView page /> }.into_any(),
    }
}

/// Whether a drag brings files, not a piece of the page's own text.
fn holds_files(event: &DragEvent) -> bool {
    let types = event.data_transfer().map(|transfer| transfer.types());
    types.is_some_and(|types| types.iter().any(|kind| kind == "Files"))
}

#[component]
fn Bar(page: Page, about: RwSignal<bool>) -> impl IntoView {
    let lang = page.lang;
    view! {
        <header class="bar">
            <h1 class="brand"><span class="brand-mark" aria-hidden="true"></span>"Memlens"</h1>
            <span class="tagline">{move || ui::tagline(lang.get())}</span>
            <Show when=move || !page.is_empty.get()>
                <Inputs page />
            </Show>
            <span class="space"></span>
            <button
                class="quiet"
                data-testid="lang-toggle"
                lang=move || lang.get().other().tag()
                on:click=move |_| {
                    page.chose.update(|chose| chose.0 = true);
                    lang.update(|lang| *lang = lang.other());
                }
            >
                {move || lang.get().other().own_name()}
            </button>
            <button
                class="quiet"
                data-testid="theme-toggle"
                aria-label=move || ui::theme(lang.get())
                title=move || ui::theme(lang.get())
                on:click=move |_| {
                    page.chose.update(|chose| chose.1 = true);
                    page.dark.update(|dark| *dark = !*dark);
                }
            >
                <Icon path=THEME />
            </button>
            <button
                class="quiet"
                data-testid="about-open"
                aria-label=move || ui::help(lang.get())
                title=move || ui::help(lang.get())
                on:click=move |_| about.set(true)
            >
                <Icon path=ABOUT />
            </button>
        </header>
    }
}

/// The buttons through which files come in.
#[component]
fn Inputs(page: Page) -> impl IntoView {
    let lang = page.lang;
    let folder_input = NodeRef::<leptos::html::Input>::new();
    let file_input = NodeRef::<leptos::html::Input>::new();
    Effect::new(move |_| {
        if let Some(input) = folder_input.get() {
            // The attribute is not in the standard, hence not in the macro; any element takes any attribute.
            let _ = input.set_attribute("webkitdirectory", "");
        }
    });
    let take = move |node: NodeRef<leptos::html::Input>| {
        let Some(input): Option<HtmlInputElement> = node.get_untracked() else { return };
        if let Some(list) = input.files() {
            spawn_local(page.add(from_list(&list)));
        }
        // So that the same folder can be picked again.
        input.set_value("");
    };
    let open = |node: NodeRef<leptos::html::Input>| {
        if let Some(input) = node.get_untracked() {
            input.click();
        }
    };
    view! {
        <div class="inputs">
            <button class="primary" data-testid="folder-button" on:click=move |_| open(folder_input)>
                <Icon path=FOLDER />
                {move || if page.is_empty.get() { ui::open_folder(lang.get()) } else { ui::add_folder(lang.get()) }}
            </button>
            <button data-testid="file-button" on:click=move |_| open(file_input)>
                <Icon path=FILE />
                {move || ui::open_files(lang.get())}
            </button>
            <button
                data-testid="example"
                title=move || ui::example_hint(lang.get())
                on:click=move |_| spawn_local(page.add_example())
            >
                <Icon path=EXAMPLE />
                {move || ui::open_example(lang.get())}
            </button>
            <input
                node_ref=folder_input
                class="offscreen"
                type="file"
                multiple
                tabindex="-1"
                aria-label=move || ui::open_folder(lang.get())
                data-testid="folder-input"
                on:change=move |_| take(folder_input)
            />
            <input
                node_ref=file_input
                class="offscreen"
                type="file"
                multiple
                tabindex="-1"
                aria-label=move || ui::open_files(lang.get())
                data-testid="file-input"
                on:change=move |_| take(file_input)
            />
        </div>
    }
}

/// What just went wrong or right, in one line.
#[component]
fn Message(page: Page) -> impl IntoView {
    let text = move || {
        let lang = page.lang.get();
        if let Some(seen) = page.listing.get() {
            return Some(ui::looking(lang, seen as u64));
        }
        Some(match page.notice.get()? {
            Notice::DropEmpty => ui::drop_empty(lang).to_owned(),
            Notice::DropText => ui::drop_text_only(lang).to_owned(),
            Notice::DropRefused => ui::drop_refused(lang).to_owned(),
            Notice::AlreadyOpen(folder) => ui::already_open(lang, &folder),
            Notice::NothingIn(given) => ui::nothing_in(lang, &given),
            Notice::CopyFailed => ui::copy_failed(lang).to_owned(),
            Notice::ExampleFailed(reason) => ui::worker_died(lang, &reason),
            Notice::Saved(name) => ui::export_done(lang, &name),
            Notice::SaveFailed(reason) => ui::export_failed(lang, &reason),
        })
    };
    view! {
        <div class="message" role="status" data-testid="message" class:shown=move || text().is_some()>
            <span>{move || text().unwrap_or_default()}</span>
            <Show when=move || page.notice.get().is_some()>
                <button class="quiet" aria-label=move || ui::close(page.lang.get()) on:click=move |_| page.notice.set(None)>
                    <Icon path=super::icons::CLOSE />
                </button>
            </Show>
        </div>
    }
}

/// The page without data: what to do, and what happens with the data.
#[component]
fn Welcome(page: Page) -> impl IntoView {
    let lang = page.lang;
    view! {
        <main class="welcome">
            <div class="welcome-card">
                <Icon path=FOLDER />
                <h2>{move || ui::drop_title(lang.get())}</h2>
                <p class="lead">{move || ui::drop_hint(lang.get())}</p>
                <Inputs page />
                <dl class="welcome-facts">
                    <dt>{move || ui::privacy(lang.get())}</dt>
                    <dd>{move || ui::privacy_detail(lang.get())}</dd>
                    <dt>{move || ui::forms_title(lang.get())}</dt>
                    <dd>{move || ui::forms(lang.get())}</dd>
                    <dt>{move || ui::example_title(lang.get())}</dt>
                    <dd>{move || ui::example_hint(lang.get())}</dd>
                </dl>
            </div>
            <RunProblems page />
        </main>
    }
}

/// What follows the state outside the views: the root element, the hash, the total progress, the first selection.
fn follow_state(page: Page, body: RwSignal<bool>) {
    let root = document().document_element();
    let root = send_wrapper::SendWrapper::new(root);
    let set = move |name: &str, value: &str| {
        // The root element takes any attribute.
        let _ = root.as_ref().map(|root| root.set_attribute(name, value));
    };
    let set_lang = set.clone();
    let set_theme = set.clone();
    let set_facts = set.clone();
    let set_measured = set.clone();
    Effect::new(move |_| {
        // Whoever waits for the state wants to use what is there.
        if !body.get() {
            return;
        }
        let name = match (page.is_empty.get(), page.busy.get() > 0 || page.adding.get() > 0) {
            (true, _) => "empty",
            (false, true) => "reading",
            (false, false) => "ready",
        };
        set("data-state", name);
    });
    Effect::new(move |_| set_lang("lang", page.lang.get().pick("en", "zh-CN")));
    Effect::new(move |_| set_theme("data-theme", if page.dark.get() { "dark" } else { "light" }));
    Effect::new(move |_| {
        set_facts("data-workers-started", &page.pool.started().get().to_string());
        set_facts("data-largest-piece", &page.largest_piece.get().to_string());
        set_facts("data-largest-memory", &page.largest_memory.get().to_string());
        set_facts("data-kept-memory", &page.kept_memory.get().to_string());
    });
    if page.asked.with_value(|asked| asked.measure) {
        Effect::new(move |_| {
            let facts: Vec<Facts> = page.ranks.get().iter().map(|rank| rank.facts.get()).collect();
            set_measured("data-facts", &serde_json::to_string(&facts).unwrap_or_default());
        });
    }
    Effect::new(move |_| {
        if page.read.get() > 0 {
            // Later, so that taking the answer and building the report are two short tasks.
            later(1, move || page.select_first_ready());
        }
    });
    Effect::new(move |_| {
        if let Some(summary) = page.summary.get() {
            page.fit_to(&summary);
        }
    });
    follow_hash(page);
    follow_total(page);
    follow_system_theme(page);
}

fn follow_hash(page: Page) {
    Effect::new(move |_| {
        let (lang_chosen, theme_chosen) = page.chose.get();
        let index = page.selected.get().and_then(|id| page.ranks.with(|ranks| ranks.iter().position(|r| r.id == id)));
        let loaded = !page.is_empty.get();
        let remembered = Remembered {
            lang: lang_chosen.then(|| page.lang.get().tag().to_owned()),
            theme: theme_chosen.then(|| if page.dark.get() { "dark" } else { "light" }.to_owned()),
            rank: index.filter(|index| loaded && *index > 0),
            range: page.range.get().filter(|_| loaded),
            at: page.at.get().filter(|_| loaded),
            by: Some(page.by.get()).filter(|by| *by != GroupBy::Operator),
            view: Some(page.view.get()).filter(|view| *view != View::default()),
            block: page.block.get().filter(|_| loaded),
            group: page.group.get().filter(|_| loaded).map(|group| (group.by, number_of(group.key.as_deref()))),
            whole: page.looks.whole.get().filter(|_| loaded),
            exact: page.looks.exact.get(),
            clock: page.looks.clock.get(),
            // Only ever set by hand.
            ..page.asked.with_value(Remembered::by_hand)
        };
        // Before anything is loaded the hash keeps what it asks for.
        let hash = if loaded { remembered } else { page.asked.with_value(|asked| asked.with_looks_of(&remembered)) };
        let hash = hash.write();
        if window().location().hash().is_ok_and(|now| now != hash)
            && let Ok(history) = window().history()
        {
            let address = if hash.is_empty() { "#" } else { &hash };
            // Some browsers limit how often this may be called; the next change writes it.
            let _ = history.replace_state_with_url(&JsValue::NULL, "", Some(address));
        }
    });
}

/// While ranks are read: bytes, speed (over the last few seconds) and what is left.
fn follow_total(page: Page) {
    let busy = Memo::new(move |_| page.busy.get() > 0);
    Effect::new(move |_| {
        let take = move |speed: f64| {
            let (done, size) = page.ranks.with_untracked(|ranks| {
                ranks.iter().fold((0, 0), |(done, size), r| (done + r.done.get_untracked(), size + r.size))
            });
            page.total.set(Total { done, size, speed, busy: page.busy.get_untracked() });
            done
        };
        if !busy.get() {
            take(0.0);
            return;
        }
        let first = (js_sys::Date::now(), take(0.0));
        let history = StoredValue::new(vec![first]);
        let tick = move || {
            let now = js_sys::Date::now();
            let speed = history
                .try_update_value(|history| {
                    if history.len() > 16 {
                        history.remove(0);
                    }
                    let done = page.ranks.with_untracked(|r| r.iter().map(|r| r.done.get_untracked()).sum::<u64>());
                    history.push((now, done));
                    let (then, before) = history.first().copied().unwrap_or((now, done));
                    if now > then { done.saturating_sub(before) as f64 / (now - then) * 1000.0 } else { 0.0 }
                })
                .unwrap_or_default();
            take(speed);
        };
        if let Ok(timer) = set_interval_with_handle(tick, std::time::Duration::from_millis(TICK)) {
            on_cleanup(move || timer.clear());
        }
    });
}

/// Until the person chooses a theme, the page goes with the system's.
fn follow_system_theme(page: Page) {
    let Ok(Some(query)) = window().match_media("(prefers-color-scheme: dark)") else { return };
    let asked = query.clone();
    let changed = wasm_bindgen::closure::Closure::<dyn Fn()>::new(move || {
        if !page.chose.get_untracked().1 {
            page.dark.set(asked.matches());
        }
    });
    query.set_onchange(Some(wasm_bindgen::JsCast::unchecked_ref(changed.as_ref())));
    // It lives as long as the page.
    changed.forget();
}
