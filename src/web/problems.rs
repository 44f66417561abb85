//! What could not be read, and what that means.

use leptos::prelude::*;

use super::beside::Beside;
use super::checks::Checks;
use super::icons::{Icon, WARNING};
use super::offset::TraceOffset;
use super::state::Page;
use crate::problem::{Place, Problem};
use crate::words::{Lang, place, problem, problem_title, ui, units};

/// Problems of the chosen rank and of the given folders.
#[component]
pub fn ProblemsPanel(page: Page) -> impl IntoView {
    let lang = page.lang;
    let problems = Memo::new(move |_| {
        let mut all = page.run_problems.get();
        match (page.summary.get(), page.current.get()) {
            (Some(summary), _) => all.extend(summary.problems.iter().cloned()),
            (None, Some(rank)) => all.extend(rank.0.folder.problems.iter().cloned()),
            (None, None) => {}
        }
        all
    });
    let lost = move || problems.with(|problems| problems.iter().any(|p| p.kind.loses_data()));
    view! {
        <section class="panel problems" data-testid="problems" aria-label=move || ui::panel_problems(lang.get())
            data-count=move || problems.with(Vec::len).to_string()>
            <div class="panel-head">
                <h2>{move || ui::panel_problems(lang.get())}</h2>
                <span class="count" class:some=move || problems.with(|p| !p.is_empty())>
                    {move || units::count(problems.with(Vec::len) as u64)}
                </span>
            </div>
            <Show
                when=move || problems.with(|p| !p.is_empty())
                fallback=move || view! { <p class="empty">{move || ui::no_problems(lang.get())}</p> }
            >
                <Show when=lost><p class="hint">{move || ui::problems_lost_data(lang.get())}</p></Show>
                <Table lang problems />
                <TraceOffset page />
            </Show>
            <Checks page />
            <Beside page />
        </section>
    }
}

/// Problems with the given folders as a whole, for the page without ranks.
#[component]
pub fn RunProblems(page: Page) -> impl IntoView {
    let lang = page.lang;
    let problems = Memo::new(move |_| page.run_problems.get());
    view! {
        <Show when=move || problems.with(|p| !p.is_empty())>
            <section class="panel problems run" data-testid="problems" role="alert"
                data-count=move || problems.with(Vec::len).to_string()>
                <div class="panel-head"><h2>{move || ui::panel_problems(lang.get())}</h2></div>
                <Table lang problems />
                <Beside page />
            </section>
        </Show>
    }
}

#[component]
fn Table(lang: RwSignal<Lang>, problems: Memo<Vec<Problem>>) -> impl IntoView {
    let rows = move || {
        let lang = lang.get();
        problems.get().into_iter().map(|p| view! { <Row lang p /> }).collect_view()
    };
    view! {
        <div class="table-scroll">
            <table class="list">
                <thead>
                    <tr>
                        <th scope="col">{move || ui::col_problem(lang.get())}</th>
                        <th scope="col">{move || ui::col_file(lang.get())}</th>
                        <th scope="col">{move || ui::col_place(lang.get())}</th>
                        <th scope="col" class="num">{move || ui::col_count(lang.get())}</th>
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        </div>
    }
}

/// One problem; texts from files appear as text.
#[component]
fn Row(lang: Lang, p: Problem) -> impl IntoView {
    let class = if p.kind.loses_data() { "problem loses" } else { "problem" };
    let meaning = problem(lang, &Problem { file: String::new(), place: Place::Whole, count: 1, ..p.clone() });
    view! {
        <tr class=class data-kind=p.kind.name() data-count=p.count.to_string()>
            <td>
                <span class="problem-title"><Icon path=WARNING />{problem_title(lang, p.kind)}</span>
                <span class="meaning">{meaning}</span>
            </td>
            <td class="file" title=p.file.clone()>{p.file.rsplit('/').next().unwrap_or_default().to_owned()}</td>
            <td class="place">{place(lang, &p.place).unwrap_or_default()}</td>
            <td class="num">{units::count(p.count)}</td>
        </tr>
    }
}
