//! Which views there are: of a rank, and of the whole run.

use crate::words::{Lang, ui};

/// One way to look at a rank. Time, range, group and block are the same in all.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum View {
    /// Numbers, timeline, top allocators, balance and problems.
    #[default]
    Overview,
    /// The life of blocks as a picture.
    Map,
    /// Bytes over call stacks.
    Flame,
    /// All blocks.
    Blocks,
    /// All events.
    Events,
    /// Reserved memory that is not allocated, and what made it grow.
    Reserved,
    /// Static graphs, and what is outside torch.
    Other,
}

impl View {
    /// In the order of the tabs.
    pub const ALL: [View; 7] =
        [View::Overview, View::Map, View::Flame, View::Blocks, View::Events, View::Reserved, View::Other];

    /// The name in the address.
    pub fn name(self) -> &'static str {
        match self {
            View::Overview => "overview",
            View::Map => "map",
            View::Flame => "flame",
            View::Blocks => "blocks",
            View::Events => "events",
            View::Reserved => "reserved",
            View::Other => "other",
        }
    }

    /// The view of that name.
    pub fn named(name: &str) -> Option<View> {
        View::ALL.into_iter().find(|view| view.name() == name)
    }

    /// What its tab says.
    pub fn title(self, lang: Lang) -> &'static str {
        match self {
            View::Overview => ui::panel_summary(lang),
            View::Map => ui::view_map(lang),
            View::Flame => ui::view_flame(lang),
            View::Blocks => ui::panel_blocks(lang),
            View::Events => ui::view_events(lang),
            View::Reserved => ui::view_reserved(lang),
            View::Other => ui::view_other(lang),
        }
    }

    /// The view so many tabs further, around the end.
    pub fn moved(self, by: usize) -> View {
        let at = View::ALL.into_iter().position(|view| view == self).unwrap_or_default();
        View::ALL.into_iter().cycle().nth(at + by).unwrap_or_default()
    }
}

/// Which groups the panel of the largest ones shows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Shows {
    /// What is live at the chosen time.
    #[default]
    Live,
    /// What grew over the range.
    Growth,
    /// What is released soon after it was allocated.
    ShortLived,
}

impl Shows {
    /// In the order of their buttons.
    pub const ALL: [Shows; 3] = [Shows::Live, Shows::Growth, Shows::ShortLived];

    /// The stable name.
    pub fn name(self) -> &'static str {
        match self {
            Shows::Live => "live",
            Shows::Growth => "grown",
            Shows::ShortLived => "churn",
        }
    }

    /// What its button says.
    pub fn title(self, lang: Lang) -> &'static str {
        match self {
            Shows::Live => ui::top_live(lang),
            Shows::Growth => ui::top_grown(lang),
            Shows::ShortLived => ui::top_short_lived(lang),
        }
    }
}

/// A view of the whole run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Whole {
    /// All ranks side by side.
    Ranks,
    /// Two sides beside each other.
    Compare,
}

impl Whole {
    /// Every one.
    pub const ALL: [Whole; 2] = [Whole::Ranks, Whole::Compare];

    /// The name in the address.
    pub fn name(self) -> &'static str {
        match self {
            Whole::Ranks => "ranks",
            Whole::Compare => "compare",
        }
    }

    /// What its button says.
    pub fn title(self, lang: Lang) -> &'static str {
        match self {
            Whole::Ranks => ui::all_ranks(lang),
            Whole::Compare => ui::compare(lang),
        }
    }

    /// The one of that name.
    pub fn named(name: &str) -> Option<Whole> {
        Whole::ALL.into_iter().find(|whole| whole.name() == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tabs_go_around_and_names_lead_back() {
        for view in View::ALL {
            assert_eq!(View::named(view.name()), Some(view));
            assert_eq!(view.moved(1).moved(View::ALL.len() - 1), view);
        }
        assert_eq!(View::Other.moved(1), View::Overview);
        assert_eq!(View::named("x"), None);
    }
}
