//! One line of text for a terminal. Names come from files and folders: none of them may break a line or speak to the terminal.

use std::fmt::Arguments;
use std::io::{Result, Write};

use memlens::words::one_line;

/// Writes one line; use `line!`.
pub fn write(out: &mut impl Write, text: Arguments<'_>) -> Result<()> {
    writeln!(out, "{}", one_line(&text.to_string()))
}

/// As `writeln!`, but it is one line whatever is in it.
macro_rules! line {
    ($out:expr) => { $crate::line::write(&mut *$out, format_args!("")) };
    ($out:expr, $($text:tt)+) => { $crate::line::write(&mut *$out, format_args!($($text)+)) };
}
