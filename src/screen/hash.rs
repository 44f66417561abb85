//! What the page remembers, in the address's hash and nowhere else: it works from disk, and no path or name goes into it.

use super::view::{View, Whole};
use crate::analysis::answer::GroupBy;

/// The remembered choices; `None` where the person made none.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Remembered {
    /// `en` or `zh`.
    pub lang: Option<String>,
    /// `light` or `dark`.
    pub theme: Option<String>,
    /// Place of the selected rank in the list.
    pub rank: Option<usize>,
    /// Range shown, ns.
    pub range: Option<(i64, i64)>,
    /// Chosen time, ns.
    pub at: Option<i64>,
    /// Grouping of the top allocators.
    pub by: Option<GroupBy>,
    /// How the rank is looked at.
    pub view: Option<View>,
    /// Row of the chosen block.
    pub block: Option<u32>,
    /// The chosen group: grouping, and a number made of its key. Names stay out of the address.
    pub group: Option<(GroupBy, u32)>,
    /// A view of the whole run.
    pub whole: Option<Whole>,
    /// Whether every byte is written.
    pub exact: bool,
    /// Whether times are those of the machine's clock.
    pub clock: bool,
    /// MiB that the workers of all ranks may hold together, for machines with little memory. Only ever set by hand.
    pub budget: Option<u64>,
    /// Most ranks read at once, for benches.
    pub readers: Option<usize>,
    /// Whether workers measure what they do, for benches.
    pub measure: bool,
}

/// The grouping of that name.
pub fn grouping_of(name: &str) -> Option<GroupBy> {
    GroupBy::ALL.into_iter().find(|by| by.name() == name)
}

/// A number that stands for a group's key in the address (FNV-1a).
pub fn number_of(key: Option<&str>) -> u32 {
    let step = |number: u32, byte: &u8| (number ^ u32::from(*byte)).wrapping_mul(0x0100_0193);
    key.map_or(0, |key| key.as_bytes().iter().fold(0x811c_9dc5, step))
}

impl Remembered {
    /// Reads a hash, with or without `#`. What cannot be understood is left out.
    pub fn parse(hash: &str) -> Remembered {
        let mut remembered = Remembered::default();
        for pair in hash.trim_start_matches('#').split('&') {
            let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
            match key {
                "lang" if matches!(value, "en" | "zh") => remembered.lang = Some(value.to_owned()),
                "theme" if matches!(value, "light" | "dark") => remembered.theme = Some(value.to_owned()),
                "rank" => remembered.rank = value.parse().ok(),
                "at" => remembered.at = value.parse().ok(),
                "budget" => remembered.budget = value.parse().ok(),
                "readers" => remembered.readers = value.parse().ok(),
                "measure" => remembered.measure = true,
                "all" => remembered.whole = Whole::named(value),
                "exact" => remembered.exact = true,
                "clock" => remembered.clock = true,
                "by" => remembered.by = grouping_of(value),
                "view" => remembered.view = View::named(value),
                "block" => remembered.block = value.parse().ok(),
                "group" => {
                    let group = value.split_once('-');
                    remembered.group =
                        group.and_then(|(by, number)| Some((grouping_of(by)?, u32::from_str_radix(number, 16).ok()?)));
                }
                "range" => {
                    let range = value.split_once('-').and_then(|(a, b)| Some((a.parse().ok()?, b.parse().ok()?)));
                    remembered.range = range.filter(|(a, b)| a < b);
                }
                _ => {}
            }
        }
        remembered
    }

    /// The same with language and theme of another.
    pub fn with_looks_of(&self, other: &Remembered) -> Remembered {
        Remembered { lang: other.lang.clone(), theme: other.theme.clone(), ..self.clone() }
    }

    /// What no control of the page sets.
    pub fn by_hand(&self) -> Remembered {
        Remembered { budget: self.budget, readers: self.readers, measure: self.measure, ..Remembered::default() }
    }

    /// Writes the hash, with `#`; empty if nothing is remembered.
    pub fn write(&self) -> String {
        let pairs = [
            self.lang.as_ref().map(|lang| format!("lang={lang}")),
            self.theme.as_ref().map(|theme| format!("theme={theme}")),
            self.rank.map(|rank| format!("rank={rank}")),
            self.range.map(|(a, b)| format!("range={a}-{b}")),
            self.at.map(|at| format!("at={at}")),
            self.by.map(|by| format!("by={}", by.name())),
            self.view.map(|view| format!("view={}", view.name())),
            self.block.map(|block| format!("block={block}")),
            self.group.map(|(by, number)| format!("group={}-{number:x}", by.name())),
            self.whole.map(|whole| format!("all={}", whole.name())),
            self.exact.then(|| "exact".to_owned()),
            self.clock.then(|| "clock".to_owned()),
            self.budget.map(|budget| format!("budget={budget}")),
            self.readers.map(|readers| format!("readers={readers}")),
            self.measure.then(|| "measure".to_owned()),
        ];
        let pairs: Vec<String> = pairs.into_iter().flatten().collect();
        if pairs.is_empty() { String::new() } else { format!("#{}", pairs.join("&")) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_it_writes() {
        let remembered = Remembered {
            lang: Some("zh".into()),
            theme: Some("dark".into()),
            rank: Some(3),
            range: Some((1_780_000_000_000_000_000, 1_780_000_000_000_000_500)),
            at: Some(1_780_000_000_000_000_100),
            by: Some(GroupBy::UserFrame),
            view: Some(View::Map),
            block: Some(17),
            group: Some((GroupBy::Stack, number_of(Some("a.py(1): f")))),
            whole: Some(Whole::Ranks),
            exact: true,
            clock: true,
            budget: Some(512),
            readers: Some(4),
            measure: true,
        };
        assert_eq!(Remembered::parse(&remembered.write()), remembered);
        assert_eq!(Remembered::parse(""), Remembered::default());
        assert_eq!(Remembered::default().write(), "");
    }

    #[test]
    fn leaves_out_what_it_does_not_understand() {
        let remembered = Remembered::parse(
            "#lang=xx&theme=&rank=-1&range=5-5&at=x&by=colour&budget=-&view=x&block=x&group=stack-&&=&other=1",
        );
        assert_eq!(remembered, Remembered::default());
    }
}
