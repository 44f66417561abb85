//! The top allocators at the chosen time: who holds the memory.

use std::sync::Arc;

use leptos::prelude::*;

use super::bars::Bars;
use super::churn::ChurnTable;
use super::detail::Detail;
use super::follow::follow;
use super::growth::GrowthTable;
use super::messages::{Answer, Question};
use super::state::{GroupRef, Page};
use super::top_table::TopTable;
use super::wait::turn;
use crate::analysis::answer::{Group, GroupBy, PoolKey, Top, TopQuery};
use crate::screen::hash::{grouping_of, number_of};
use crate::screen::view::Shows;
use crate::words::units::{self, Noun};
use crate::words::{self, Lang, ui};

/// Groups asked for: more than anybody reads, few enough for a table.
const LIMIT: usize = 200;

impl Page {
    /// Chooses the group the address names, once an answer has it.
    fn take_remembered_group(self, top: &Top) {
        let by = self.by.get_untracked();
        let wanted = self.asked.with_value(|asked| asked.group).filter(|(wanted, _)| *wanted == by);
        let Some((_, number)) = wanted else { return };
        if let Some(group) = top.groups.iter().find(|group| number_of(group.key.as_deref()) == number) {
            self.group.set(Some(GroupRef { by, key: group.key.clone() }));
        }
        self.asked.update_value(|asked| asked.group = None);
    }
}

/// The panel.
#[component]
pub fn TopPanel(page: Page) -> impl IntoView {
    let lang = page.lang;
    let question = move || {
        let at_ns = page.effective_at()?;
        let (pool, by) = (page.pool_shown.get(), page.by.get());
        Some((page.ready()?, Question::Top(TopQuery { at_ns, pool, by, within: None, limit: LIMIT })))
    };
    follow(page.pool, question, move |rank, (answer, _)| {
        if let Answer::Top(top) = answer {
            page.take_remembered_group(&top);
            rank.top.set(Some((page.by.get_untracked(), Arc::new(top))));
        }
    });
    let top = Memo::new(move |_| page.current.get().and_then(|rank| rank.0.top.get()).map(|(_, top)| top));
    let search = RwSignal::new(String::new());
    let start = move || page.start_ns();
    let time =
        move || top.get().map(|t| ui::top_at(lang.get(), &units::relative(t.at_ns, start()))).unwrap_or_default();
    let total = move || {
        top.get().map(|top| {
            let blocks = units::count_of(lang.get(), top.total_blocks, Noun::Block);
            ui::top_total(lang.get(), &units::bytes(top.total_bytes), &blocks)
        })
    };
    let shows = Memo::new(move |_| page.shows.get());
    // What the other two show is not of one time.
    let is_live = move || shows.get() == Shows::Live;
    let has_groups = move || top.with(|top| top.as_ref().is_some_and(|top| !top.groups.is_empty()));
    view! {
        <section class="panel top" data-testid="top-allocators" aria-label=move || ui::panel_top(lang.get())
            data-at=move || top.get().map(|t| t.at_ns.to_string()).unwrap_or_default()
            data-bytes=move || top.get().map(|t| t.total_bytes.to_string()).unwrap_or_default()>
            <div class="panel-head">
                <h2>{move || ui::panel_top(lang.get())}</h2>
                <span class="range">{move || is_live().then(time)}</span>
                <button class="small" data-testid="at-peak" disabled=move || page.at.get().is_none()
                    on:click=move |_| page.at.set(None)>
                    {move || ui::go_to_peak(lang.get())}
                </button>
                <span class="space"></span>
                <span class="total-live">{move || is_live().then(total).flatten()}</span>
            </div>
            <div class="controls">
                <div class="switch" role="group" aria-label=move || ui::top_shows(lang.get())>
                    {Shows::ALL.map(|shows| view! {
                        <button class="small" data-testid=format!("top-{}", shows.name())
                            aria-pressed=move || (page.shows.get() == shows).to_string()
                            on:click=move |_| page.shows.set(shows)>{move || shows.title(lang.get())}</button>
                    })}
                </div>
                <Choices page />
                <input
                    type="search"
                    data-testid="top-search"
                    placeholder=move || ui::search_placeholder(lang.get())
                    aria-label=move || ui::search(lang.get())
                    prop:value=move || search.get()
                    on:input=move |event| search.set(event_target_value(&event))
                />
            </div>
            {move || match shows.get() {
                Shows::Growth => view! { <GrowthTable page /><Detail page top /> }.into_any(),
                Shows::ShortLived => view! { <ChurnTable page /><Detail page top /> }.into_any(),
                Shows::Live => view! {
                    <Show
                        when=has_groups
                        fallback=move || view! { <p class="empty">{move || nothing(lang.get(), top.get().as_deref())}</p> }
                    >
                        <Groups page top search />
                    </Show>
                }.into_any(),
            }}
        </section>
    }
}

/// Picture, table and the chosen group, one after the other.
#[component]
fn Groups(page: Page, top: Memo<Option<Arc<Top>>>, search: RwSignal<String>) -> impl IntoView {
    let (table, detail) = (turn(1), turn(2));
    view! {
        <div class="top-body">
            <Bars page top />
            <Show when=move || table.get()><TopTable page top search /></Show>
        </div>
        <Show when=move || detail.get()><Detail page top /></Show>
    }
}

fn nothing(lang: Lang, top: Option<&Top>) -> &'static str {
    match top {
        None => ui::loading(lang),
        Some(top) if top.pool.is_none() => ui::no_blocks(lang),
        Some(_) => ui::no_live_blocks(lang),
    }
}

/// Grouping and pool.
#[component]
fn Choices(page: Page) -> impl IntoView {
    let lang = page.lang;
    view! {
        <label>
            <span>{move || ui::top_by(lang.get())}</span>
            <select
                data-testid="group-by"
                prop:value=move || page.by.get().name()
                on:change=move |event| {
                    if let Some(by) = grouping_of(&event_target_value(&event)) {
                        page.by.set(by);
                    }
                }
            >
                {GroupBy::ALL.map(|by| view! {
                    <option value=by.name() selected=move || page.by.get() == by>
                        {move || grouping_text(lang.get(), by)}
                    </option>
                })}
            </select>
        </label>
        <PoolChoice page />
    }
}

/// Which pool; nothing to choose where only one has blocks.
#[component]
pub fn PoolChoice(page: Page) -> impl IntoView {
    let lang = page.lang;
    let pools = Memo::new(move |_| {
        let pools = page.summary.get().map(|s| {
            let has_blocks = |component: &str| s.blocks.by_component.get(component).is_some_and(|b| b.total > 0);
            let pools = s.pools.iter().filter(|pool| has_blocks(&pool.component));
            pools.map(|p| PoolKey { component: p.component.clone(), device: p.device.clone() }).collect::<Vec<_>>()
        });
        pools.unwrap_or_default()
    });
    let pool_index = move || {
        let shown = page.pool_shown.get();
        pools.with(|pools| pools.iter().position(|pool| Some(pool) == shown.as_ref())).unwrap_or_default().to_string()
    };
    let choose_pool = move |event| {
        let index: usize = event_target_value(&event).parse().unwrap_or_default();
        page.pool_shown.set(pools.with_untracked(|pools| pools.get(index).cloned()).filter(|_| index > 0));
    };
    let pool_options = move || {
        let name = |pool: &PoolKey| format!("{} · {}", pool.component, pool.device);
        let option = |(index, pool): (usize, &PoolKey)| view! { <option value=index.to_string()>{name(pool)}</option> };
        pools.with(|pools| pools.iter().enumerate().map(option).collect_view())
    };
    view! {
        <Show when=move || { pools.with(Vec::len) > 1 }>
            <label title=move || ui::tip_pools(lang.get())>
                <span>{move || ui::top_pool(lang.get())}</span>
                <select data-testid="pool" prop:value=pool_index on:change=choose_pool>{pool_options}</select>
            </label>
        </Show>
    }
}

/// A grouping in words.
pub fn grouping_text(lang: Lang, by: GroupBy) -> &'static str {
    match by {
        GroupBy::Operator => ui::top_by_operator(lang),
        GroupBy::Stack => ui::top_by_stack(lang),
        GroupBy::UserFrame => ui::top_by_user_frame(lang),
        GroupBy::Module => ui::top_by_module(lang),
        GroupBy::Size => ui::top_by_size(lang),
        GroupBy::Age => ui::top_by_age(lang),
    }
}

/// A group's name for people.
pub fn group_name(lang: Lang, by: GroupBy, group: &Group) -> String {
    words::group_key(lang, by, group.key.as_deref()).to_owned()
}
