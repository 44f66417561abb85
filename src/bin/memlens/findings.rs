//! `memlens findings`.

use std::io::{Result, Write};

use memlens::analysis::facts::{RankFacts, RoleFacts, by_role};
use memlens::analysis::findings::{Finding, FindingKind, findings};
use memlens::export::answers as export;
use memlens::session::Session;
use memlens::words::{self, Lang, answers as texts, units};
use rayon::prelude::*;

use crate::Outcome;
use crate::args::Findings;
use crate::asked::{self, Out};
use crate::ranks::Ranks;

/// Reads and prints.
pub fn run(arguments: &Findings) -> Result<Outcome> {
    asked::all(&arguments.selection, &arguments.form, |out, lang, ranks| write(out, lang, ranks, arguments))
}

fn write(out: &mut Out, lang: Lang, ranks: &Ranks, arguments: &Findings) -> Result<()> {
    let of_ranks: Vec<(Vec<Finding>, RankFacts)> =
        ranks.sessions.par_iter().map(|session: &Session| (session.findings(), session.facts())).collect();
    let (of_ranks, facts): (Vec<Vec<Finding>>, Vec<RankFacts>) = of_ranks.into_iter().unzip();
    let found = findings(of_ranks, &facts);
    if arguments.form.json {
        let roles: Vec<RoleFacts> = by_role(&facts).into_iter().map(|(role, _)| role).collect();
        return asked::write_json(out, &export::findings(&found, &roles, &ranks.problems));
    }
    print(out, lang, &found)?;
    for problem in &ranks.problems {
        line!(out, "! {}", words::problem(lang, problem))?;
    }
    if arguments.rules {
        for kind in FindingKind::ALL {
            let rule = texts::rule(lang, &words::finding_rule(lang, *kind));
            line!(out, "{}: {rule}", words::finding_title(lang, *kind))?;
        }
    }
    Ok(())
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
