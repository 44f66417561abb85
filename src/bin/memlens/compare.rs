//! `memlens compare`.

use std::io::{Result, Write};
use std::path::PathBuf;

use clap::CommandFactory;
use clap::error::ErrorKind;
use memlens::analysis::align::{AlignedBy, Alignment, align};
use memlens::analysis::answer::{Extreme, GroupBy};
use memlens::analysis::compare::{Both, Compared, FoundIn, compare};
use memlens::analysis::side::{Side, SideQuery, SideRank, Tally};
use memlens::export::answers as export;
use memlens::session::{Options, Session};
use memlens::words::{self, Lang, Term, answers as texts, term, units};

use crate::args::{Arguments, Compare};
use crate::choice::Choice;
use crate::print::{locale_lang, say_nothing_selected};
use crate::ranks::{self, Ranks};
use crate::table::{Table, terminal_width};
use crate::top::say_no_moment;
use crate::{Outcome, asked};

/// The highest allocated memory of both in a stretch of time.
type Peaks = [Option<Extreme>; 2];

/// Reads and prints.
pub fn run(arguments: &Compare) -> Result<Outcome> {
    let lang = arguments.form.lang.unwrap_or_else(locale_lang);
    let choices = [arguments.a.clone().unwrap_or_default(), arguments.b.clone().unwrap_or_default()];
    let by = GroupBy::from(arguments.by);
    let [a, b] = &choices;
    let all = match arguments.folders.as_slice() {
        [only] => {
            if choices.iter().all(|choice| *choice == Choice::default()) {
                let text =
                    "of one FOLDER two sides are compared: say which with --a and --b, such as --a rank=0 --b rank=1";
                Arguments::command().error(ErrorKind::MissingRequiredArgument, text).exit();
            }
            vec![ranks::read_where(std::slice::from_ref(only), Options::default(), |folder| {
                a.has(folder) || b.has(folder)
            })]
        }
        both => {
            let read = |(choice, path): (&Choice, &PathBuf)| {
                ranks::read_where(std::slice::from_ref(path), Options::default(), |folder| choice.has(folder))
            };
            choices.iter().zip(both).map(read).collect()
        }
    };
    let sessions = [chosen(a, all.first()), chosen(b, all.last())];
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    let mut is_empty = false;
    for (choice, sessions) in choices.iter().zip(&sessions) {
        if sessions.is_empty() {
            is_empty = true;
            say_nothing_selected(lang, &all, &choice.to_string())?;
        }
    }
    if is_empty {
        return Ok(Outcome::NothingReadable);
    }
    let mut sides = Vec::new();
    for (choice, sessions) in choices.iter().zip(&sessions) {
        let mut of_ranks = Vec::new();
        for session in sessions {
            match choice.times(session) {
                Ok([at_ns, from_ns, to_ns]) => {
                    of_ranks.push(session.side(&SideQuery { by, pool: None, at_ns, from_ns, to_ns }));
                }
                Err(moment) => {
                    let mut err = std::io::stderr().lock();
                    say_no_moment(&mut err, lang, session, &moment.to_string())?;
                }
            }
        }
        sides.push(Side::sum(by, of_ranks));
    }
    let (Some(b), Some(a)) = (sides.pop(), sides.pop()) else { return Ok(Outcome::NothingReadable) };
    let compared = compare(&a, &b, arguments.sort.into(), arguments.limit);
    let curves = a.highest().zip(b.highest()).map(|(a, b)| Curves::new(a, b, &sessions));
    if arguments.form.json {
        let document = export::comparison(
            [&a, &b],
            &compared,
            curves.as_ref().map(|curves| (&curves.alignment, curves.peaks.as_slice())),
        );
        asked::write_json(&mut out, &document)?;
    } else {
        let print = Print { lang, choices: &choices, sides: [&a, &b], compared: &compared };
        print.all(&mut out)?;
        if let Some(curves) = &curves {
            print.curves(&mut out, curves)?;
        }
    }
    out.flush()?;
    let outcomes = all.iter().map(Ranks::outcome);
    Ok(outcomes.max().unwrap_or(Outcome::NothingReadable))
}

/// The sessions of a side among those read.
fn chosen<'a>(choice: &Choice, read: Option<&'a Ranks>) -> Vec<&'a Session> {
    let of = read.map(|ranks| ranks.sessions.as_slice()).unwrap_or_default();
    of.iter().filter(|session| choice.has(session.folder())).collect()
}

/// The highest rank of each side, laid over each other.
struct Curves<'a> {
    ranks: [&'a SideRank; 2],
    alignment: Alignment,
    peaks: Vec<Peaks>,
}

impl<'a> Curves<'a> {
    fn new(a: &'a SideRank, b: &'a SideRank, sessions: &[Vec<&Session>; 2]) -> Curves<'a> {
        let alignment = align(a, b);
        let [of_a, of_b] = sessions;
        let session = |sessions: &Vec<&Session>, rank: &SideRank, [from, to]: [i64; 2]| {
            let session = sessions.iter().find(|session| session.summary().folder == rank.folder)?;
            session.highest_between(None, from, to)
        };
        let peaks = alignment.stretches.iter().map(|stretch| {
            [
                stretch.a_ns.and_then(|times| session(of_a, a, times)),
                stretch.b_ns.and_then(|times| session(of_b, b, times)),
            ]
        });
        Curves { ranks: [a, b], peaks: peaks.collect(), alignment }
    }
}

struct Print<'a> {
    lang: Lang,
    choices: &'a [Choice; 2],
    sides: [&'a Side; 2],
    compared: &'a Compared,
}

const NAMES: [&str; 2] = ["A", "B"];

impl Print<'_> {
    fn all(&self, out: &mut impl Write) -> Result<()> {
        for ((name, side), choice) in NAMES.iter().zip(self.sides).zip(self.choices) {
            line!(out, "{}", self.who(name, side, choice))?;
        }
        line!(out)?;
        self.totals(out)?;
        line!(out)?;
        self.groups(out)
    }

    fn who(&self, name: &str, side: &Side, choice: &Choice) -> String {
        let lang = self.lang;
        match side.ranks.as_slice() {
            [rank] => {
                let start = rank.window_ns.map_or(0, |[from, _]| from);
                let [at, from, to] = [rank.at_ns, rank.from_ns, rank.to_ns].map(|ns| units::relative(ns, start));
                texts::compare_rank(lang, name, &self.name_of(rank), &at, &from, &to)
            }
            ranks => {
                let names = words::list(lang, ranks.iter().map(|rank| self.name_of(rank)));
                texts::compare_ranks(lang, name, ranks.len() as u64, &names, &choice.at().to_string())
            }
        }
    }

    fn name_of(&self, rank: &SideRank) -> String {
        words::rank_name(self.lang, &rank.role, rank.rank, rank.step, &rank.folder)
    }

    fn totals(&self, out: &mut impl Write) -> Result<()> {
        let (lang, all) = (self.lang, &self.compared.all);
        let [a, b] = NAMES;
        let mut table = Table::new(vec![a, b, texts::col_change(lang), ""]);
        let mut add = |a: i64, b: i64, name: &str| {
            table.row(vec![
                units::bytes(a),
                units::bytes(b),
                units::bytes_change(b.saturating_sub(a)),
                name.to_owned(),
            ]);
        };
        add(all.live.a.bytes, all.live.b.bytes, texts::compare_live(lang));
        if let [Some(a), Some(b)] = self.compared.beside {
            for ((a, name), (b, _)) in words::beside_rows(lang, &a).into_iter().zip(words::beside_rows(lang, &b)) {
                if a != 0 || b != 0 {
                    add(a, b, name);
                }
            }
            if let Some((a, b)) = a.recorded_bytes.zip(b.recorded_bytes) {
                add(a, b, texts::recorded(lang));
            }
        }
        add(all.allocated.a.bytes, all.allocated.b.bytes, texts::compare_allocated(lang));
        for (both, name) in
            [(all.live, texts::compare_live_blocks(lang)), (all.allocated, texts::compare_allocated_blocks(lang))]
        {
            table.row(vec![
                units::count(both.a.blocks),
                units::count(both.b.blocks),
                change(both.change_blocks()),
                name.to_owned(),
            ]);
        }
        table.print(out, "  ", terminal_width())
    }

    fn groups(&self, out: &mut impl Write) -> Result<()> {
        let (lang, by) = (self.lang, self.compared.by);
        let [a, b] = NAMES;
        let mut table = Table::new(vec![
            texts::col_change(lang),
            a,
            b,
            texts::col_blocks(lang),
            texts::col_allocated_change(lang),
            texts::col_only_in(lang),
            term(lang, by),
        ]);
        let mut add = |live: &Both, allocated: &Both, found_in: Option<FoundIn>, name: &str| {
            let only_in = match found_in {
                Some(FoundIn::OnlyA) => a,
                Some(FoundIn::OnlyB) => b,
                Some(FoundIn::Both) | None => "",
            };
            let bytes = |tally: &Tally| if tally.blocks == 0 { "–".to_owned() } else { units::bytes(tally.bytes) };
            table.row(vec![
                units::bytes_change(live.change_bytes()),
                bytes(&live.a),
                bytes(&live.b),
                change(live.change_blocks()),
                units::bytes_change(allocated.change_bytes()),
                only_in.to_owned(),
                name.to_owned(),
            ]);
        };
        for group in &self.compared.groups {
            let name = words::first_line(words::group_key(lang, by, group.key.as_deref()));
            add(&group.live, &group.allocated, Some(group.found_in), name);
        }
        let others = &self.compared.others;
        if others.count > 0 {
            add(&others.live, &others.allocated, None, &texts::other_groups(lang, others.count));
        }
        let all = &self.compared.all;
        add(&all.live, &all.allocated, None, texts::tree_all(lang));
        table.print(out, "  ", terminal_width())?;
        for (only, name) in [(&self.compared.only_a, a), (&self.compared.only_b, b)] {
            if only.count > 0 {
                let [live, allocated] =
                    [only.live, only.allocated].map(|both| both.a.bytes.saturating_add(both.b.bytes));
                let [live, allocated] = [live, allocated].map(units::bytes);
                line!(out, "  {}", texts::compare_only(lang, name, only.count, &live, &allocated))?;
            }
        }
        line!(out)
    }

    fn curves(&self, out: &mut impl Write, curves: &Curves<'_>) -> Result<()> {
        let lang = self.lang;
        line!(
            out,
            "{}",
            match curves.alignment.by {
                AlignedBy::Step => texts::aligned_by_step(lang),
                AlignedBy::Start => texts::aligned_by_start(lang),
            }
        )?;
        if self.sides.iter().any(|side| side.ranks.len() > 1) {
            let [a, b] = curves.ranks.map(|rank| self.name_of(rank));
            line!(out, "{}", texts::aligned_highest(lang, &a, &b))?;
        }
        let [a, b] = NAMES;
        let mut table = Table::new(vec![
            a,
            b,
            texts::col_change(lang),
            match curves.alignment.by {
                AlignedBy::Step => term(lang, Term::Step),
                AlignedBy::Start => texts::col_time(lang),
            },
        ]);
        for (stretch, [a, b]) in curves.alignment.stretches.iter().zip(&curves.peaks) {
            let bytes = |peak: &Option<Extreme>| peak.map_or_else(|| "–".to_owned(), |peak| units::bytes(peak.bytes));
            let change = a.zip(*b).map(|(a, b)| units::bytes_change(b.bytes.saturating_sub(a.bytes)));
            table.row(vec![
                bytes(a),
                bytes(b),
                change.unwrap_or_else(|| "–".to_owned()),
                stretch.step.map_or_else(|| units::relative(stretch.after_ns, 0), |step| step.to_string()),
            ]);
        }
        table.print(out, "  ", terminal_width())
    }
}

fn change(number: i64) -> String {
    let sign = if number < 0 { "-" } else { "+" };
    if number == 0 { "0".to_owned() } else { format!("{sign}{}", units::count(number.unsigned_abs())) }
}
