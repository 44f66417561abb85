//! `memlens findings`.

use std::io::{Result, Write};

use memlens::analysis::facts::{RankFacts, RoleFacts, by_role};
use memlens::analysis::findings::{Finding, FindingKind, findings};
use memlens::export::answers as export;
use memlens::session::{Options, Session};
use memlens::words::{self, Lang, answers as texts, units};
use rayon::prelude::*;

use crate::Outcome;
use crate::args::Findings;
use crate::print::{locale_lang, say_empty_selection};
use crate::ranks;

/// Reads and prints.
pub fn run(arguments: &Findings) -> Result<Outcome> {
    let options = Options { trace_offset_ns: arguments.selection.trace_offset_ns, ..Options::default() };
    let ranks = ranks::read(&arguments.selection, options, false);
    let lang = arguments.form.lang.unwrap_or_else(locale_lang);
    let of_ranks: Vec<(Vec<Finding>, RankFacts)> =
        ranks.sessions.par_iter().map(|session: &Session| (session.findings(), session.facts())).collect();
    let (of_ranks, facts): (Vec<Vec<Finding>>, Vec<RankFacts>) = of_ranks.into_iter().unzip();
    let found = findings(of_ranks, &facts);
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    if arguments.form.json {
        let roles: Vec<RoleFacts> = by_role(&facts).into_iter().map(|(role, _)| role).collect();
        serde_json::to_writer_pretty(&mut out, &export::findings(&found, &roles, &ranks.problems))?;
        line!(&mut out)?;
    } else {
        print(&mut out, lang, &found)?;
        for problem in &ranks.problems {
            line!(&mut out, "! {}", words::problem(lang, problem))?;
        }
        if arguments.rules {
            for kind in FindingKind::ALL {
                let rule = texts::rule(lang, &words::finding_rule(lang, *kind));
                line!(&mut out, "{}: {rule}", words::finding_title(lang, *kind))?;
            }
        }
    }
    out.flush()?;
    say_empty_selection(lang, &ranks, &arguments.selection)?;
    Ok(ranks.outcome())
}

fn print(out: &mut impl Write, lang: Lang, found: &[Finding]) -> Result<()> {
    if found.is_empty() {
        return line!(out, "{}", texts::nothing_found(lang));
    }
    for finding in found {
        let bytes = if finding.bytes > 0 { units::bytes(finding.bytes) } else { String::new() };
        let (title, place) = (words::finding_title(lang, finding.kind()), words::finding_place(lang, &finding.place));
        line!(out, "{bytes:>10}  {}", lang.pick(format!("{title}: {place}"), format!("{title}：{place}")))?;
        line!(out, "            {}", words::finding(lang, finding))?;
    }
    Ok(())
}
