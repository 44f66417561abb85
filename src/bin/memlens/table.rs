//! A table of text for the terminal: columns as wide as their cells, the last one cut to what is left of the terminal's width.
//! Written to a file or a pipe nothing is cut.

use std::io::{Result, Write};

use console::{Term, measure_text_width};
use memlens::words::one_line;

/// Narrowest last column: below it lines break rather than names vanish.
const NARROWEST: usize = 24;
/// Stands for what was cut.
const CUT: &str = "…";

/// Headers and rows; all columns but the last are aligned to the right.
pub struct Table {
    headers: Vec<String>,
    /// Cells, and how many columns the last one is moved to the right.
    rows: Vec<(Vec<String>, usize)>,
}

impl Table {
    /// An empty table.
    pub fn new(headers: Vec<&str>) -> Table {
        Table { headers: headers.into_iter().map(str::to_owned).collect(), rows: Vec::new() }
    }

    /// Adds a row of as many cells as there are headers.
    pub fn row(&mut self, cells: Vec<String>) {
        self.branch(0, cells);
    }

    /// A row of a tree, so deep.
    pub fn branch(&mut self, depth: usize, cells: Vec<String>) {
        self.rows.push((cells.iter().map(|cell| one_line(cell).to_string()).collect(), depth * 2));
    }

    /// Writes it; `width` is the terminal's, if it goes to one.
    pub fn print(&self, out: &mut impl Write, indent: &str, width: Option<usize>) -> Result<()> {
        let rows = self.rows.iter().map(|(cells, moved)| (cells, *moved));
        let all = || std::iter::once((&self.headers, 0)).chain(rows.clone());
        let columns = self.headers.len();
        let of_column = |at: usize| all().filter_map(|(row, _)| row.get(at)).map(|cell| measure_text_width(cell)).max();
        let widths: Vec<usize> = (0..columns.saturating_sub(1)).map(|at| of_column(at).unwrap_or(0)).collect();
        let taken = indent.len() + widths.iter().map(|width| width + 2).sum::<usize>();
        let room = width.map(|width| width.saturating_sub(taken).max(NARROWEST));
        for (row, moved) in all() {
            let mut text = indent.to_owned();
            for (cell, width) in row.iter().zip(&widths) {
                let pad = width.saturating_sub(measure_text_width(cell));
                text.extend(std::iter::repeat_n(' ', pad));
                text.push_str(cell);
                text.push_str("  ");
            }
            let last = row.get(columns.saturating_sub(1)).map_or("", String::as_str);
            let moved = room.map_or(moved, |room| moved.min(room.saturating_sub(NARROWEST)));
            text.extend(std::iter::repeat_n(' ', moved));
            text.push_str(&room.map_or_else(|| last.to_owned(), |room| cut(last, room.saturating_sub(moved))));
            line!(out, "{}", text.trim_end())?;
        }
        Ok(())
    }
}

/// A name cut to so many columns: of a path the end says most.
fn cut(text: &str, room: usize) -> String {
    if measure_text_width(text) <= room {
        return text.to_owned();
    }
    let room = room.saturating_sub(measure_text_width(CUT));
    let mut used = 0;
    let mut fits = |c: &char| {
        used += measure_text_width(c.encode_utf8(&mut [0; 4]));
        used <= room
    };
    if text.contains('/') {
        let mut kept: Vec<char> = text.chars().rev().take_while(&mut fits).collect();
        kept.reverse();
        return format!("{CUT}{}", kept.into_iter().collect::<String>());
    }
    format!("{}{CUT}", text.chars().take_while(&mut fits).collect::<String>())
}

/// Columns of the terminal standard output goes to, if it goes to one.
pub fn terminal_width() -> Option<usize> {
    let out = Term::stdout();
    out.is_term().then(|| out.size_checked()).flatten().map(|(_, columns)| usize::from(columns))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    fn printed(width: Option<usize>) -> Vec<String> {
        let mut table = Table::new(vec!["内存", "blocks", "name"]);
        table.row(vec!["1.00 GiB".to_owned(), "7".to_owned(), "/home/王芳/强化学习/损失函数.py(88): 计算".to_owned()]);
        table.row(vec!["1 B".to_owned(), "1,234".to_owned(), "a name of one hundred letters\nin two lines".to_owned()]);
        let mut out = Vec::new();
        table.print(&mut out, "  ", width).unwrap();
        String::from_utf8(out).unwrap().lines().map(str::to_owned).collect()
    }

    #[test]
    fn columns_stand_below_each_other_and_fit_the_terminal() {
        let whole = printed(None);
        assert_eq!(whole.len(), 3);
        assert_eq!(whole[0], "      内存  blocks  name");
        assert!(whole[1].starts_with("  1.00 GiB       7  /home/王芳/强化学习/损失函数.py(88): 计算"), "{whole:?}");
        let narrow = printed(Some(50));
        assert!(narrow.iter().all(|line| measure_text_width(line) <= 50), "{narrow:?}");
        assert!(narrow[1].ends_with("损失函数.py(88): 计算") && narrow[1].contains(CUT), "{narrow:?}");
        assert!(narrow[2].ends_with(CUT), "{narrow:?}");
        // A terminal too narrow for it all: the name keeps its room.
        assert!(printed(Some(5))[2].contains("a name"));
    }
}
