//! The languages there are, and how they are named outside.

use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A language of the page and the command.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Lang {
    /// English.
    #[default]
    #[serde(rename = "en")]
    En,
    /// Simplified Chinese.
    #[serde(rename = "zh")]
    Zh,
}

impl Lang {
    /// Every language.
    pub const ALL: [Lang; 2] = [Lang::En, Lang::Zh];

    /// The short name, also for HTML's `lang`.
    pub fn tag(self) -> &'static str {
        self.pick("en", "zh")
    }

    /// The language's name in itself, for the switch.
    pub fn own_name(self) -> &'static str {
        self.pick("English", "中文")
    }

    /// The other one, for a switch of two.
    pub fn other(self) -> Lang {
        self.pick(Lang::Zh, Lang::En)
    }

    /// Chooses between the two.
    pub fn pick<T>(self, en: T, zh: T) -> T {
        match self {
            Lang::En => en,
            Lang::Zh => zh,
        }
    }
}

/// A language that Memlens does not speak.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownLang(String);

impl std::fmt::Display for UnknownLang {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "unknown language {:?}: use en or zh", self.0)
    }
}

impl std::error::Error for UnknownLang {}

impl FromStr for Lang {
    type Err = UnknownLang;

    /// Takes browser tags (`zh-CN`), values of LANG (`zh_CN.UTF-8`) and short names. `C` and `POSIX` mean English.
    fn from_str(text: &str) -> Result<Lang, UnknownLang> {
        let first = text.trim().split(['-', '_', '.', '@']).next().unwrap_or_default();
        match first.to_ascii_lowercase().as_str() {
            "en" | "c" | "posix" | "english" => Ok(Lang::En),
            "zh" | "cmn" | "chinese" => Ok(Lang::Zh),
            _ if text.trim() == "中文" => Ok(Lang::Zh),
            _ => Err(UnknownLang(text.chars().take(40).collect())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_browsers_and_shells_say() {
        for text in ["zh", "zh-CN", "zh_CN.UTF-8", "ZH-Hans-CN", " zh ", "中文"] {
            assert_eq!(text.parse(), Ok(Lang::Zh), "{text}");
        }
        for text in ["en", "en-GB", "en_US.UTF-8", "C", "C.UTF-8", "POSIX"] {
            assert_eq!(text.parse(), Ok(Lang::En), "{text}");
        }
        for text in ["", "fr", "de_DE"] {
            assert!(text.parse::<Lang>().is_err(), "{text}");
        }
        for lang in Lang::ALL {
            assert_eq!(lang.tag().parse(), Ok(lang));
            assert_eq!(lang.other().other(), lang);
        }
    }
}
