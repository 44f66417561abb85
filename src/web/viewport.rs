//! The range and the time that the views share: how they are moved.

use leptos::prelude::*;

use super::state::Page;
use crate::screen::range::{Move, moved};

impl Page {
    /// The window of the rank shown. Does not track.
    pub fn window(self) -> Option<[i64; 2]> {
        self.summary.get_untracked().and_then(|summary| summary.window_ns)
    }

    /// Start of the window of the rank shown, ns. Tracks.
    pub fn start_ns(self) -> i64 {
        self.summary
            .with(|summary| summary.as_ref().and_then(|summary| summary.window_ns))
            .map_or(0, |[start, _]| start)
    }

    /// Moves the range shown.
    pub fn move_view(self, by: Move) {
        if let Some(window) = self.window() {
            let range = moved(window, self.range.get_untracked(), by);
            if range != self.range.get_untracked() {
                self.range.set(range);
            }
        }
    }

    /// Chooses a time; the view follows if it lies outside.
    pub fn go_to(self, at_ns: i64) {
        self.at.set(Some(at_ns));
        if self.range.get_untracked().is_some_and(|(start, end)| at_ns < start || at_ns > end) {
            self.move_view(Move::Centre(at_ns));
        }
    }
}
