//! The macro that makes messages, and how their arguments are shown.

use std::fmt::Display;

/// How an argument appears in a message: texts as they are, numbers with thousands separators.
pub trait Show {
    /// The argument, ready for `format!`.
    fn show(self) -> impl Display;
}

impl Show for &str {
    fn show(self) -> impl Display {
        self
    }
}

impl Show for u64 {
    fn show(self) -> impl Display {
        super::units::count(self)
    }
}

/// Makes one function a message: `name = "English" | "中文";` or, with arguments in braces, `name(arg: type) = "... {arg}" | "...";`.
///
/// Without arguments the function is `fn(Lang) -> &'static str`, with arguments `fn(Lang, ...) -> String`. Types are those with
/// [`Show`](crate::words::Show): `&str` and `u64`. Both languages must be there and use every argument, or it does not compile.
#[macro_export]
macro_rules! messages {
    ($($name:ident $(($($arg:ident : $type:ty),+ $(,)?))? = $en:literal | $zh:literal;)*) => {
        $($crate::messages!(@one $name $(($($arg: $type),+))? = $en | $zh);)*

        /// Name, English and Chinese of every message above.
        #[cfg(test)]
        pub(in $crate::words) const TEXTS: &[(&str, &str, &str)] = &[$((stringify!($name), $en, $zh)),*];
    };
    (@one $name:ident = $en:literal | $zh:literal) => {
        #[doc = $en]
        #[must_use]
        pub fn $name(lang: $crate::words::Lang) -> &'static str {
            lang.pick($en, $zh)
        }
    };
    (@one $name:ident ($($arg:ident : $type:ty),+) = $en:literal | $zh:literal) => {
        #[doc = $en]
        #[must_use]
        pub fn $name(lang: $crate::words::Lang, $($arg: $type),+) -> String {
            // Named arguments: one that a language forgets is an error of `format!`, as is one it does not have.
            match lang {
                $crate::words::Lang::En => format!($en, $($arg = $crate::words::Show::show($arg)),+),
                $crate::words::Lang::Zh => format!($zh, $($arg = $crate::words::Show::show($arg)),+),
            }
        }
    };
}
