//! What the numbers tell: which truth checks fail, what is worth knowing, and all that was compared.

use leptos::prelude::*;

use super::icons::{ABOUT, Icon, WARNING};
use super::state::Page;
use crate::analysis::check::{Check, CheckKind, Verdict};
use crate::words::{self, Lang, check_title, ui, units};

/// Checks of the chosen rank; nothing before there is a summary.
#[component]
pub fn Checks(page: Page) -> impl IntoView {
    let lang = page.lang;
    let summary = page.summary;
    let checks = Memo::new(move |_| summary.with(|s| s.as_ref().map(|s| s.checks.clone()).unwrap_or_default()));
    let start = move || page.window().map_or(0, |[start, _]| start);
    let count =
        move |verdict| checks.with(|checks| checks.iter().filter(|check| check.verdict() == verdict).count() as u64);
    let made = move || {
        let held = count(Verdict::Holds) + count(Verdict::Tells);
        ui::checks_made(lang.get(), held, count(Verdict::Fails), count(Verdict::NotCompared))
    };
    // What fails comes before what is only worth knowing.
    let told = move || {
        let (lang, start) = (lang.get(), start());
        let form = summary.with(|s| s.as_ref().map(|s| s.form.clone()).unwrap_or_default());
        let of = |verdict| checks.get().into_iter().filter(move |check| check.verdict() == verdict);
        let told = of(Verdict::Fails).chain(of(Verdict::Tells));
        told.map(|check| view! { <Told page lang start form=form.clone() check /> }).collect_view()
    };
    let all = move || {
        let lang = lang.get();
        CheckKind::ALL.iter().map(|kind| view! { <Kind lang kind=*kind checks=checks.get() /> }).collect_view()
    };
    view! {
        <Show when=move || checks.with(|checks| !checks.is_empty())>
            <div class="checks" data-testid="checks" data-failed=move || count(Verdict::Fails).to_string()>
                <h3>{move || ui::checks_title(lang.get())}</h3>
                <p class="hint">{made}</p>
                <ul class="told">{told}</ul>
                <details>
                    <summary>{move || ui::checks_all(lang.get())}</summary>
                    <table class="list"><tbody>{all}</tbody></table>
                </details>
            </div>
        </Show>
    }
}

/// One sentence, with a way to the place it speaks of; texts from files appear as text.
#[component]
fn Told(page: Page, lang: Lang, start: i64, form: String, check: Check) -> impl IntoView {
    let fails = check.verdict() == Verdict::Fails;
    let sentence = words::check(lang, &check, start, &form);
    view! {
        <li class="check" class:fails=fails data-testid="check" data-kind=check.kind.name()
            data-failed=check.failed.to_string() data-compared=check.compared.to_string()>
            <Icon path=if fails { WARNING } else { ABOUT } />
            <span class="sentence">
                {sentence}
                {check.first_ns.map(|time| view! {
                    " "
                    <button class="small" data-testid="check-place" on:click=move |_| page.go_to(time)>
                        {ui::check_go(lang, &units::relative(time, start))}
                    </button>
                })}
            </span>
        </li>
    }
}

/// What one kind came to, over all pools.
#[component]
fn Kind(lang: Lang, kind: CheckKind, checks: Vec<Check>) -> impl IntoView {
    let of_kind = checks.iter().filter(|check| check.kind == kind);
    let (compared, failed) =
        of_kind.fold((0_u64, 0_u64), |(compared, failed), check| (compared + check.compared, failed + check.failed));
    let outcome = match (compared, failed) {
        (0, _) => ui::check_not_compared(lang).to_owned(),
        (_, 0) => ui::check_compared(lang, compared),
        _ => ui::check_failed(lang, failed, compared),
    };
    view! {
        <tr data-testid="check-kind" data-check=kind.name() data-compared=compared.to_string()>
            <td>{check_title(lang, kind)}</td>
            <td class="num">{outcome}</td>
        </tr>
    }
}
