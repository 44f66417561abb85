//! The chosen group: its call stacks in full, each to be copied.

use std::sync::Arc;

use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

use super::clipboard::copy;
use super::follow::follow;
use super::icons::{CLOSE, COPY, Icon};
use super::messages::{Answer, Question};
use super::state::{Notice, Page};
use crate::analysis::answer::is_library;
use crate::analysis::answer::{Group, GroupBy, MatchKind, Top, TopQuery};
use crate::words;
use crate::words::units::{self, Noun};
use crate::words::{Lang, Term, ui};

/// Most stacks shown of one group.
const MOST: usize = 20;

/// The panel below the table.
#[component]
pub fn Detail(page: Page, top: Memo<Option<Arc<Top>>>) -> impl IntoView {
    let lang = page.lang;
    let stacks = RwSignal::new(None::<Arc<Top>>);
    let group = page.group;
    let question = move || {
        let group = group.get()?;
        let (at_ns, pool) = top.with(|top| top.as_ref().map(|top| (top.at_ns, top.pool.clone())))?;
        let within = Some((group.by, group.key));
        Some((page.ready()?, Question::Top(TopQuery { at_ns, pool, by: GroupBy::Stack, within, limit: MOST })))
    };
    follow(page.pool, question, move |_, (answer, _)| {
        if let Answer::Top(answer) = answer {
            stacks.set(Some(Arc::new(answer)));
        }
    });
    let title = move || {
        group
            .get()
            .map(|group| words::first_line(words::group_key(lang.get(), group.by, group.key.as_deref())).to_owned())
    };
    let list = move || {
        let (lang, stacks) = (lang.get(), stacks.get());
        let stacks = stacks.map(|stacks| {
            let total = stacks.total_bytes;
            stacks.groups.iter().map(|stack| one(page, lang, stack.clone(), total).into_any()).collect::<Vec<_>>()
        });
        stacks.unwrap_or_default()
    };
    let shown = move || {
        stacks.with(|stacks| stacks.as_ref().map(|stacks| units::count_of(lang.get(), stacks.group_count, Noun::Stack)))
    };
    view! {
        <section class="detail" data-testid="group-detail" aria-label=move || ui::panel_stack(lang.get()) aria-live="polite">
            <Show
                when=move || group.get().is_some()
                fallback=move || view! { <p class="empty">{move || ui::no_group_chosen(lang.get())}</p> }
            >
                <div class="panel-head">
                    <h3>{title}</h3>
                    <span class="hint">{shown}</span>
                    <span class="space"></span>
                    <button class="quiet" aria-label=move || ui::close(lang.get()) title=move || ui::close(lang.get())
                        on:click=move |_| page.group.set(None)>
                        <Icon path=CLOSE />
                    </button>
                </div>
                {list}
            </Show>
        </section>
    }
}

/// One stack with its numbers.
fn one(page: Page, lang: Lang, stack: Group, total: i64) -> impl IntoView {
    let kinds = MatchKind::ALL.into_iter().filter(|kind| stack.by_match.get(*kind) != 0);
    let kinds = kinds
        .map(|kind| {
            let bytes = stack.by_match.get(kind);
            view! {
                <span class=format!("kind {}", kind.name()) data-kind=kind.name() data-bytes=bytes.to_string()
                    title=Term::from(kind).meaning(lang)>
                    <span class=format!("swatch {}", kind.name()) aria-hidden="true"></span>
                    {Term::from(kind).text(lang)}" "{units::bytes(bytes)}
                </span>
            }
        })
        .collect_view();
    let head = format!(
        "{}  {}  {}",
        units::bytes(stack.bytes),
        units::share(stack.bytes, total),
        units::count_of(lang, stack.blocks, Noun::Block)
    );
    let text = stack.key.clone().map(|text| text.replace('\r', ""));
    let copied = RwSignal::new(false);
    let body = match text.clone() {
        Some(text) => {
            let frames = text.lines().map(|line| {
                view! { <span class="frame" class:library=is_library(line)>{format!("{line}\n")}</span> }
            });
            view! { <pre class="stack" tabindex="0" data-testid="stack">{frames.collect_view()}</pre> }.into_any()
        }
        None => {
            let why = if stack.by_match.ambiguous > 0 { ui::no_stack_ambiguous(lang) } else { ui::no_stack(lang) };
            view! { <p class="empty">{why}</p> }.into_any()
        }
    };
    let button = text.map(|text| {
        let click = move |_| {
            let text = text.clone();
            spawn_local(async move {
                if copy(&text).await {
                    copied.set(true);
                    set_timeout(
                        move || {
                            let _ = copied.try_set(false);
                        },
                        std::time::Duration::from_secs(2),
                    );
                } else {
                    page.notice.set(Some(Notice::CopyFailed));
                }
            });
        };
        view! {
            <button class="small" data-testid="copy-stack" on:click=click>
                <Icon path=COPY />
                {move || if copied.get() { ui::copied(lang) } else { ui::copy(lang) }}
            </button>
        }
    });
    view! {
        <article class="one-stack" data-bytes=stack.bytes.to_string()>
            <header><span class="num">{head}</span>{kinds}<span class="space"></span>{button}</header>
            {body}
        </article>
    }
}
