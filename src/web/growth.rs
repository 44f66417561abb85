//! What grew over the range shown: of each group what is live at its end less what was live at its start.

use std::sync::Arc;

use js_sys::{Array, BigInt64Array};
use leptos::prelude::*;
use wasm_bindgen::JsCast;

use super::follow::follow;
use super::messages::{Answer, Question};
use super::state::{GroupRef, Page};
use crate::analysis::answer::GroupBy;
use crate::analysis::growth::{GrownGroup, Growth, GrowthQuery};
use crate::screen::range::whole;
use crate::words::{self, Lang, ui, units};

/// Groups asked for.
const LIMIT: usize = 60;
/// Size of a row's curve, CSS pixels.
const CURVE: (f64, f64) = (96.0, 18.0);

/// Takes the curves out of an answer: they travel in one typed array.
pub fn pack_growth(mut growth: Growth, data: &Array) -> Growth {
    let mut numbers = std::mem::take(&mut growth.times_ns);
    numbers.append(&mut growth.live_bytes);
    for group in &mut growth.groups {
        numbers.append(&mut group.live_bytes);
    }
    data.push(&BigInt64Array::from(numbers.as_slice()));
    growth
}

/// Puts them back.
pub fn unpack_growth(mut growth: Growth, data: &Array) -> Growth {
    let numbers = data.get(0).dyn_into::<BigInt64Array>().map(|numbers| numbers.to_vec()).unwrap_or_default();
    let count = numbers.len() / (growth.groups.len() + 2);
    let mut parts = numbers.chunks_exact(count.max(1)).map(<[i64]>::to_vec);
    growth.times_ns = parts.next().unwrap_or_default();
    growth.live_bytes = parts.next().unwrap_or_default();
    for (group, live) in growth.groups.iter_mut().zip(parts) {
        group.live_bytes = live;
    }
    growth
}

/// The table; beside it stands which range it is about.
#[component]
pub fn GrowthTable(page: Page) -> impl IntoView {
    let lang = page.lang;
    let told = RwSignal::new(None::<(GroupBy, Arc<Growth>)>);
    let asked = StoredValue::new(GroupBy::Operator);
    let question = move || {
        let window = page.summary.with(|summary| summary.as_ref().and_then(|summary| summary.window_ns))?;
        let (from_ns, to_ns) = page.range.get().unwrap_or(whole(window));
        let (pool, by) = (page.pool_shown.get(), page.by.get());
        asked.set_value(by);
        Some((page.ready()?, Question::Growth(GrowthQuery { from_ns, to_ns, pool, by, limit: LIMIT })))
    };
    follow(page.pool, question, move |_, (answer, data)| {
        if let Answer::Growth(Some(growth)) = answer {
            // The table may be gone by then.
            if let Some(by) = asked.try_get_value() {
                told.set(Some((by, Arc::new(unpack_growth(growth, &data)))));
            }
        }
    });
    let start = move || page.start_ns();
    let said = move || {
        let (_, growth) = told.get()?;
        let (from, to) = (growth.times_ns.first().copied()?, growth.times_ns.last().copied()?);
        let [from, to] = [from, to].map(|time| units::relative(time, start()));
        Some(ui::growth_over(lang.get(), &units::bytes_change(growth.change_bytes), &from, &to))
    };
    let rows = move || {
        let Some((by, growth)) = told.get() else { return Vec::new() };
        let lang = lang.get();
        growth.groups.iter().map(|group| row(page, lang, by, group).into_any()).collect()
    };
    let shown = move || {
        let (_, growth) = told.get()?;
        Some(ui::top_shown(lang.get(), growth.groups.len() as u64, growth.group_count))
    };
    view! {
        <p class="hint" data-testid="growth" data-bytes=move || told.get().map(|(_, g)| g.change_bytes.to_string()).unwrap_or_default()>
            {said}
        </p>
        <div class="table-side">
            <div class="table-scroll">
                <table class="list top-table" data-testid="growth-table">
                    <thead>
                        <tr>
                            <th scope="col">{move || ui::col_name(lang.get())}</th>
                            <th scope="col" class="num">{move || ui::col_growth(lang.get())}</th>
                            <th scope="col" class="num">{move || ui::col_blocks(lang.get())}</th>
                            <th scope="col" class="num">{move || ui::col_never_released(lang.get())}</th>
                            <th scope="col">{move || ui::col_over_steps(lang.get())}</th>
                            <th scope="col" class="num">{move || ui::col_certain(lang.get())}</th>
                        </tr>
                    </thead>
                    <tbody>{rows}</tbody>
                </table>
                <Show when=move || told.with(|told| told.as_ref().is_some_and(|(_, growth)| growth.groups.is_empty()))>
                    <p class="empty">{move || ui::growth_none(lang.get())}</p>
                </Show>
            </div>
            <p class="hint">{shown}</p>
        </div>
    }
}

fn row(page: Page, lang: Lang, by: GroupBy, group: &GrownGroup) -> impl IntoView + use<> {
    let name = words::group_key(lang, by, group.key.as_deref()).to_owned();
    let line = words::first_line(&name);
    let (folders, tail) = if by == GroupBy::Operator { ("", line) } else { words::split_folders(line) };
    let (folders, tail) = (folders.to_owned(), tail.to_owned());
    let own = GroupRef { by, key: group.key.clone() };
    let same = own.clone();
    let chosen = Memo::new(move |_| page.group.with(|group| group.as_ref() == Some(&same)));
    let blocks = group.change_blocks;
    let blocks = format!("{}{}", if blocks < 0 { "-" } else { "+" }, units::count(blocks.unsigned_abs()));
    let never = group.never_released_bytes;
    let never = if never == 0 { "–".to_owned() } else { units::bytes(never) };
    view! {
        <tr class:chosen=move || chosen.get() class:unasserted=group.key.is_none() data-key=group.key.clone()
            data-bytes=group.change_bytes.to_string() on:click=move |_| page.group.set(Some(own.clone()))>
            <th scope="row">
                <button class="link" title=name aria-pressed=move || chosen.get().to_string()>
                    <span class="folders">{folders}</span><span class="tail">{tail}</span>
                </button>
            </th>
            <td class="num" title=units::bytes_exact(group.change_bytes)>{units::bytes_change(group.change_bytes)}</td>
            <td class="num">{blocks}</td>
            <td class="num">{never}</td>
            <td class="curve" title=group.is_monotonic.then(|| ui::growth_in_each_step(lang))>
                {curve(&group.live_bytes)}
                {group.is_monotonic.then(|| view! { <span class="rising" aria-label=ui::growth_in_each_step(lang)>"↗"</span> })}
            </td>
            <td class="num">{units::bytes_change(group.by_match.certain())}</td>
        </tr>
    }
}

/// What was live at each of the times, as a small line.
fn curve(live: &[i64]) -> impl IntoView + use<> {
    let (width, height) = CURVE;
    let most = live.iter().copied().max().unwrap_or_default().max(1) as f64;
    let last = live.len().saturating_sub(1).max(1) as f64;
    let point = |(at, bytes): (usize, &i64)| {
        format!(
            "{:.1},{:.1}",
            at as f64 / last * (width - 2.0) + 1.0,
            height - 1.0 - *bytes as f64 / most * (height - 2.0)
        )
    };
    let points: Vec<String> = live.iter().enumerate().map(point).collect();
    view! {
        <svg class="sparkline" width=width height=height aria-hidden="true">
            <polyline points=points.join(" ") fill="none" stroke="currentColor" stroke-width="1.5" />
        </svg>
    }
}
