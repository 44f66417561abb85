//! One rank in the table of all ranks: its name, a bar for each number, and whether it is odd.

use std::sync::Arc;

use leptos::prelude::*;

use super::overview::{Column, MEASURES, Overview, column_title, number_text, step_text};
use super::rank_list::{rank_title, state_text};
use super::state::RankRef;
use crate::analysis::facts::Measure;
use crate::analysis::findings::{Finding, Found, OddMeasure};
use crate::words::{self, Lang, ui};

/// The headers, each a button that orders the rows.
pub fn columns(view: Overview) -> impl IntoView {
    let lang = view.page.lang;
    let header = move |column: Column, title: fn(Lang, Column) -> &'static str| {
        let order = move || match view.sort.get() {
            (by, true) if by == column => "descending",
            (by, false) if by == column => "ascending",
            _ => "none",
        };
        let click = move |_| {
            view.sort.update(|(by, down)| {
                // Numbers from the largest, names from the first.
                *down = if *by == column { !*down } else { column != Column::Rank };
                *by = column;
            });
        };
        let id = match column {
            Column::Rank => "rank",
            Column::Of(measure) => measure.name(),
            Column::Odd => "odd",
        };
        view! {
            <th scope="col" class:num=matches!(column, Column::Of(_)) aria-sort=order>
                <button class="sort" data-testid=format!("overview-sort-{id}")
                    title=move || ui::sort_by(lang.get(), title(lang.get(), column)) on:click=click>
                    {move || title(lang.get(), column)}
                </button>
            </th>
        }
    };
    let all = [Column::Rank].into_iter().chain(MEASURES.map(Column::Of)).chain([Column::Odd]);
    all.map(|column| header(column, title).into_any()).collect::<Vec<_>>()
}

fn title(lang: Lang, column: Column) -> &'static str {
    match column {
        Column::Rank => ui::col_rank(lang),
        Column::Of(measure) => column_title(lang, measure),
        Column::Odd => ui::col_state(lang),
    }
}

/// What makes a rank odd in one measure.
fn odd_in(finding: &Finding, measure: Measure) -> Option<OddMeasure> {
    let Found::OddRank(odd) = &finding.found else { return None };
    odd.measures.iter().find(|odd| odd.measure == measure).copied()
}

/// The row.
#[component]
pub fn Row(view: Overview, rank: RankRef, grouped: bool) -> impl IntoView {
    let (page, lang) = (view.page, view.page.lang);
    let rank = rank.0;
    let folder: Arc<str> = rank.folder.folder.as_str().into();
    let odd = {
        let folder = Arc::clone(&folder);
        Memo::new(move |_| view.odd.with(|odd| odd.get(&*folder).cloned()))
    };
    let name = {
        let rank = Arc::clone(&rank);
        move || {
            let lang = lang.get();
            let title = rank_title(lang, &rank);
            if grouped {
                return title;
            }
            let step = rank.folder.step.map(|step| format!(" {}", step_text(lang, step))).unwrap_or_default();
            format!("{} {title}{step}", page.role_name(&rank.folder.role))
        }
    };
    let cells = MEASURES.into_iter().enumerate().map(|(place, measure)| {
        let folder = Arc::clone(&folder);
        let number = Memo::new(move |_| view.number(&folder, measure));
        let odd = Memo::new(move |_| odd.with(|odd| odd.as_ref().and_then(|odd| odd_in(odd, measure))));
        view! { <Cell view place measure number odd /> }.into_any()
    });
    let cells = cells.collect::<Vec<_>>();
    let sentence = move || odd.with(|odd| odd.as_ref().map(|odd| words::finding(lang.get(), odd)));
    let state = rank.state.clone();
    let problems = {
        let (found, summary) = (!rank.folder.problems.is_empty(), rank.summary.clone());
        move || found || summary.with(|summary| summary.as_ref().is_some_and(|s| !s.problems.is_empty()))
    };
    let said = move || match odd.with(Option::is_some) {
        true => ui::odd(lang.get()),
        false => state_text(lang.get(), state.get(), problems()),
    };
    let id = rank.id;
    let opened = Arc::clone(&rank);
    let label = {
        let name = name.clone();
        move || ui::open_rank(lang.get(), &name())
    };
    view! {
        <tr
            data-testid="overview-row"
            data-folder=folder.to_string()
            data-role=rank.folder.role.clone()
            data-rank=rank.folder.rank.map(|rank| rank.to_string()).unwrap_or_default()
            class:odd=move || odd.with(Option::is_some)
            class:chosen=move || page.selected.get() == Some(id)
        >
            <th scope="row">
                <button class="link" title=label on:click=move |_| page.select(&opened)>{name}</button>
            </th>
            {cells}
            <td class="overview-state" title=sentence>{said}</td>
        </tr>
    }
}

/// A number on its bar.
#[component]
fn Cell(
    view: Overview,
    /// Which of the columns.
    place: usize,
    measure: Measure,
    number: Memo<Option<i64>>,
    odd: Memo<Option<OddMeasure>>,
) -> impl IntoView {
    let (page, lang) = (view.page, view.page.lang);
    let width = move || {
        let most = view.most.get().get(place).copied().unwrap_or_default();
        let share = number.get().unwrap_or_default().saturating_abs() as f64 / most.max(1) as f64;
        format!("{:.2}%", (share * 100.0).clamp(0.0, 100.0))
    };
    let text = move || number.get().map_or_else(|| "–".to_owned(), |number| number_text(page, measure, number));
    let tip = move || {
        let number = number.get()?;
        let exact = match measure {
            Measure::Blocks => words::units::count(number.unsigned_abs()),
            _ => words::units::bytes_exact(number),
        };
        let median = odd.get().map(|odd| ui::tip_median(lang.get(), &number_text(page, measure, odd.median)));
        Some(median.map_or_else(|| exact.clone(), |median| format!("{exact}\n{median}")))
    };
    view! {
        <td
            class="num metered"
            class:odd=move || odd.get().is_some()
            data-measure=measure.name()
            data-value=move || number.get().map(|number| number.to_string())
            title=tip
        >
            <span class="meter" class:minus=move || number.get().is_some_and(|number| number < 0) style:width=width
                aria-hidden="true"></span>
            <span class="metered-text">{text}</span>
            {move || odd.get().map(|_| view! { <span class="offscreen">{move || ui::odd(lang.get())}</span> })}
        </td>
    }
}
