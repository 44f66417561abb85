//! What the page remembers, in the address's hash and nowhere else: it works from disk, and no path or name goes into it.

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
    /// MiB that the workers of all ranks may hold together, for machines with little memory. Only ever set by hand.
    pub budget: Option<u64>,
    /// Most ranks read at once, for benches.
    pub readers: Option<usize>,
    /// Whether workers measure what they do, for benches.
    pub measure: bool,
}

/// The grouping of that name.
pub fn grouping_of(name: &str) -> Option<GroupBy> {
    [GroupBy::Operator, GroupBy::Stack, GroupBy::UserFrame].into_iter().find(|by| by.name() == name)
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
                "by" => remembered.by = grouping_of(value),
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
        let remembered = Remembered::parse("#lang=xx&theme=&rank=-1&range=5-5&at=x&by=colour&budget=-&&=&other=1");
        assert_eq!(remembered, Remembered::default());
    }
}
