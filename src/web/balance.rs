//! What the page adds up, beside what the recording says.

use leptos::prelude::*;

use super::follow::follow;
use super::icons::{CHECK, Icon, WARNING};
use super::messages::{Answer, Question};
use super::state::Page;
use crate::analysis::answer::{Balance, Comparison, Source};
use crate::words::units::{self, Noun};
use crate::words::{Lang, ui};

/// The panel.
#[component]
pub fn BalancePanel(page: Page) -> impl IntoView {
    let lang = page.lang;
    let question = move || Some((page.ready()?, Question::Balance(page.effective_at()?)));
    follow(page.pool, question, |rank, (answer, _)| {
        if let Answer::Balance(balance) = answer {
            rank.balance.set(balance);
        }
    });
    let balance = Memo::new(move |_| page.current.get().and_then(|rank| rank.0.balance.get()));
    let start = move || page.start_ns();
    let time =
        move || balance.get().map(|b| ui::at_time(lang.get(), &units::relative(b.at_ns, start()))).unwrap_or_default();
    let comparison = move || {
        let balance = balance.get()?;
        let summary = page.summary.get()?;
        let same = |p: &&crate::analysis::answer::PoolSummary| {
            p.component == balance.pool.component && p.device == balance.pool.device
        };
        summary.pools.iter().find(same).and_then(|pool| {
            let unlisted = (pool.blocks_without_row, pool.blocks_without_row_bytes);
            pool.comparison.clone().map(|comparison| (comparison, unlisted))
        })
    };
    view! {
        <section class="panel balance" data-testid="balance" aria-label=move || ui::panel_balance(lang.get())>
            <div class="panel-head">
                <h2>{move || ui::panel_balance(lang.get())}</h2>
                <span class="range">{time}</span>
            </div>
            <p class="hint">{move || ui::balance_title(lang.get())}</p>
            {move || match balance.get() {
                Some(balance) => view! { <Sums lang balance /> }.into_any(),
                None => view! { <p class="empty">{move || ui::no_curves(lang.get())}</p> }.into_any(),
            }}
            {move || comparison().map(|(comparison, unlisted)| view! { <Whole page comparison unlisted /> })}
        </section>
    }
}

/// The sum at the chosen time.
#[component]
fn Sums(lang: RwSignal<Lang>, balance: Balance) -> impl IntoView {
    let sum = balance.rows_bytes.saturating_add(balance.baseline_bytes);
    let recorded = balance.recorded_bytes;
    let difference = recorded.map(|recorded| sum.saturating_sub(recorded));
    let derived = balance.source == Source::Rows;
    let verdict = move || {
        let lang = lang.get();
        match difference {
            _ if derived => ui::balance_derived(lang).to_owned(),
            None => ui::balance_before_first(lang).to_owned(),
            Some(0) => ui::balance_equal(lang).to_owned(),
            Some(difference) => ui::balance_differs(lang, &units::bytes_exact(difference)),
        }
    };
    let class = match difference {
        _ if derived => "verdict neutral",
        None => "verdict neutral",
        Some(0) => "verdict good",
        Some(_) => "verdict bad",
    };
    let rows = balance.rows;
    let line = move |name: fn(Lang) -> &'static str, sign: &'static str, id: &'static str, bytes: Option<i64>| {
        view! {
            <tr>
                <td class="sign">{sign}</td>
                <th scope="row">{move || name(lang.get())}</th>
                <td class="num exact" data-testid=id data-bytes=bytes.map(|b| b.to_string()).unwrap_or_default()>
                    {move || bytes.map_or_else(|| "–".to_owned(), units::bytes_exact)}
                </td>
                <td class="num">{move || bytes.map(units::bytes).unwrap_or_default()}</td>
            </tr>
        }
    };
    view! {
        <table class="sums">
            <tbody>
                <tr>
                    <td class="sign"></td>
                    <th scope="row">
                        {move || ui::balance_rows(lang.get())}
                        <span class="note">" "{move || units::count_of(lang.get(), rows, Noun::Block)}</span>
                    </th>
                    <td class="num exact" data-testid="balance-rows" data-bytes=balance.rows_bytes.to_string()>
                        {units::bytes_exact(balance.rows_bytes)}
                    </td>
                    <td class="num">{units::bytes(balance.rows_bytes)}</td>
                </tr>
                {line(ui::balance_baseline, "+", "balance-baseline", Some(balance.baseline_bytes))}
                {line(ui::balance_sum, "=", "balance-sum", Some(sum))}
                {line(ui::balance_recorded, "", "balance-recorded", recorded)}
            </tbody>
        </table>
        <p class=class data-testid="balance-verdict" data-bytes=difference.map(|d| d.to_string()).unwrap_or_default()>
            <Icon path=if class.ends_with("bad") { WARNING } else { CHECK } />
            {verdict}
        </p>
    }
}

/// The comparison over the whole recording.
#[component]
fn Whole(page: Page, comparison: Comparison, unlisted: (u64, i64)) -> impl IntoView {
    let lang = page.lang;
    let Comparison { events, mismatches, first } = comparison;
    let start = page.window().map_or(0, |[start, _]| start);
    let (blocks, bytes) = unlisted;
    view! {
        <p class="whole" data-testid="comparison" data-events=events.to_string() data-mismatches=mismatches.to_string()>
            {move || ui::balance_all(lang.get(), events, mismatches)}
            {first.map(|first| view! {
                <button class="small" data-testid="first-mismatch" on:click=move |_| page.go_to(first.time_ns)>
                    {move || {
                        let difference = units::bytes_change(first.rows_bytes.saturating_sub(first.recorded_bytes));
                        ui::balance_first(lang.get(), &units::relative(first.time_ns, start), &difference)
                    }}
                </button>
            })}
        </p>
        {(blocks > 0).then(|| view! {
            <p class="whole">{move || ui::blocks_without_row(lang.get(), blocks, &units::bytes(bytes))}</p>
        })}
    }
}
