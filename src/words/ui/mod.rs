//! The page's own texts: one function a message, `ui::open_folder(lang)`.
//!
//! To add one, write a line into the `messages!` of the file it belongs to: `name = "English" | "中文";`, with arguments
//! `name(count: u64, file: &str) = "... {count} ... {file}" | "...";`. Numbers with units come ready-made from `words::units` as `&str`.

mod charts;
mod help;
mod intake;
mod overview;
mod page;
mod progress;
mod tables;
mod views;

pub use charts::*;
pub use help::*;
pub use intake::*;
pub use overview::*;
pub use page::*;
pub use progress::*;
pub use tables::*;
pub use views::*;

#[cfg(test)]
mod tests {
    use super::{charts, help, intake, overview, page, progress, tables, views};

    #[test]
    fn every_message_speaks_both_languages() {
        let mut names = std::collections::BTreeSet::new();
        let all = [
            charts::TEXTS,
            help::TEXTS,
            intake::TEXTS,
            overview::TEXTS,
            page::TEXTS,
            progress::TEXTS,
            tables::TEXTS,
            views::TEXTS,
        ];
        for texts in all {
            for (name, en, zh) in texts {
                assert!(!en.trim().is_empty() && !zh.trim().is_empty(), "{name}");
                // Rank and Step stay in Latin letters; alone they are the same in both languages.
                let same = ["col_rank", "col_step", "rank_named", "key_views_name"].contains(name);
                assert!(same || (en != zh && !zh.is_ascii()), "{name}: {zh}");
                assert!(!en.chars().any(|c| ('\u{2e80}'..'\u{ff61}').contains(&c)), "{name}: {en}");
                assert!(names.insert(name), "{name} is there twice");
            }
        }
    }

    #[test]
    fn arguments_appear_in_both_languages() {
        use crate::words::Lang;
        for lang in Lang::ALL {
            let text = super::reading_file(lang, "trace_view.json", "1.00 GiB", "2.00 GiB");
            assert!(text.contains("trace_view.json") && text.contains("1.00 GiB") && text.contains("2.00 GiB"));
            assert!(super::ranks_found(lang, 1234).contains("1,234"));
        }
    }
}
