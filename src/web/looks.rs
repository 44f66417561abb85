//! What a person set for the whole page: a view of all ranks instead of one, other names for roles, how times and bytes are written.

use std::collections::BTreeMap;

use leptos::prelude::*;

use super::state::Page;
use crate::screen::hash::Remembered;
use crate::screen::view::Whole;
use crate::words::units;

/// The settings; cheap to copy.
#[derive(Clone, Copy)]
pub struct Looks {
    /// A view of the whole run in place of a rank's.
    pub whole: RwSignal<Option<Whole>>,
    /// Roles under another name than the recorded one.
    pub roles: RwSignal<BTreeMap<String, String>>,
    /// Every byte instead of GiB and MiB.
    pub exact: RwSignal<bool>,
    /// Times by the recording machine's clock instead of from the window's start.
    pub clock: RwSignal<bool>,
    /// Id of the rank whose curves lie under those of the rank shown.
    pub under: RwSignal<Option<u32>>,
}

impl Looks {
    /// At the start.
    pub fn new(remembered: &Remembered) -> Looks {
        Looks {
            whole: RwSignal::new(remembered.whole),
            roles: RwSignal::new(BTreeMap::new()),
            exact: RwSignal::new(remembered.exact),
            clock: RwSignal::new(remembered.clock),
            under: RwSignal::new(None),
        }
    }
}

impl Page {
    /// A role as the person calls it. Tracks.
    pub fn role_name(self, role: &str) -> String {
        self.looks.roles.with(|roles| roles.get(role).cloned()).unwrap_or_else(|| role.to_owned())
    }

    /// Gives a role another name; an empty one brings back the recorded one.
    pub fn rename_role(self, role: &str, name: &str) {
        let name = name.trim();
        self.looks.roles.update(|roles| {
            if name.is_empty() || name == role {
                roles.remove(role);
            } else {
                roles.insert(role.to_owned(), name.to_owned());
            }
        });
    }

    /// Bytes as the person wants to read them. Tracks.
    pub fn bytes(self, bytes: i64) -> String {
        if self.looks.exact.get() { units::bytes_exact(bytes) } else { units::bytes(bytes) }
    }

    /// A time as the person wants to read it; `start_ns` is the window's. Tracks.
    pub fn time(self, time_ns: i64, start_ns: i64) -> String {
        if self.looks.clock.get() { units::utc(time_ns) } else { units::relative(time_ns, start_ns) }
    }
}
