//! Questions that follow the page's state: asked again whenever what they depend on changes, the newest only.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

use super::messages::Question;
use super::pool::{Pool, Reply};
use super::ranks::Rank;

/// One question at a time is under way; of those that come meanwhile only the last is asked.
#[derive(Default)]
struct Line {
    busy: bool,
    next: Option<(Arc<Rank>, Question)>,
}

/// Asks `question` (which tracks signals) of a ready rank whenever it changes, and hands each reply to `take`.
pub fn follow(
    pool: Pool,
    question: impl Fn() -> Option<(Arc<Rank>, Question)> + 'static,
    take: impl Fn(&Arc<Rank>, Reply) + 'static,
) {
    let line = Rc::new(RefCell::new(Line::default()));
    let take = Rc::new(take);
    Effect::new(move |_| {
        let Some(next) = question() else { return };
        let mut waiting = line.borrow_mut();
        waiting.next = Some(next);
        if waiting.busy {
            return;
        }
        waiting.busy = true;
        drop(waiting);
        let (line, take) = (Rc::clone(&line), Rc::clone(&take));
        spawn_local(async move {
            loop {
                let next = line.borrow_mut().next.take();
                let Some((rank, question)) = next else { break };
                if let Some(reply) = pool.ask(rank.id, question).await {
                    take(&rank, reply);
                }
            }
            line.borrow_mut().busy = false;
        });
    });
}
