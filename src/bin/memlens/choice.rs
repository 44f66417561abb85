//! One side of a comparison as written: `role=actor,rank=0,at=step:3`.

use std::str::FromStr;

use memlens::analysis::steps::{Moment, Of};
use memlens::folder::RankFolder;
use memlens::session::Session;

/// Which rank folders, and which moments of them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Choice {
    roles: Vec<String>,
    ranks: Vec<u64>,
    steps: Vec<u64>,
    at: Option<Moment>,
    from: Option<Moment>,
    to: Option<Moment>,
}

impl FromStr for Choice {
    type Err = String;

    fn from_str(text: &str) -> Result<Choice, String> {
        let mut choice = Choice::default();
        for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
            let (key, value) = part.split_once('=').ok_or_else(|| format!("'{part}' is not of the form key=value"))?;
            let number = || value.parse().map_err(|_| format!("'{value}' is not a number"));
            let moment = || value.parse::<Moment>().map(Some).map_err(|error| format!("'{value}': {error}"));
            match key {
                "role" => choice.roles.push(value.to_owned()),
                "rank" => choice.ranks.push(number()?),
                "step" => choice.steps.push(number()?),
                "at" => choice.at = moment()?,
                "from" => choice.from = moment()?,
                "to" => choice.to = moment()?,
                _ => return Err(format!("'{key}' is none of role, rank, step, at, from, to")),
            }
        }
        Ok(choice)
    }
}

impl std::fmt::Display for Choice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let roles = self.roles.iter().map(|role| format!("role={role}"));
        let ranks = self.ranks.iter().map(|rank| format!("rank={rank}"));
        let steps = self.steps.iter().map(|step| format!("step={step}"));
        let parts: Vec<String> = roles.chain(ranks).chain(steps).collect();
        f.write_str(if parts.is_empty() { "*" } else { "" })?;
        f.write_str(&parts.join(","))
    }
}

impl Choice {
    /// Whether a rank folder belongs to this side.
    pub fn has(&self, folder: &RankFolder) -> bool {
        let holds = |wanted: &[u64], number: Option<u64>| {
            wanted.is_empty() || number.is_some_and(|number| wanted.contains(&number))
        };
        let has_role = self.roles.is_empty() || self.roles.contains(&folder.role);
        has_role && holds(&self.ranks, folder.rank) && holds(&self.steps, folder.step)
    }

    /// The moment at which what is live is compared.
    pub fn at(&self) -> Moment {
        self.at.unwrap_or(Moment::Peak)
    }

    /// That moment, and the times between which allocations count; of a step that is live at all of that step. The moment a
    /// recording does not have is an error.
    pub fn times(&self, session: &Session) -> Result<[i64; 3], Moment> {
        let at = self.at();
        let of_step = if matches!(at, Moment::Step(_)) { Some(at) } else { None };
        let from = self.from.or(of_step).unwrap_or(Moment::Start);
        let to = self.to.or(of_step).unwrap_or(Moment::End);
        let time = |moment: Moment, of: Of| session.moment(moment, of).ok_or(moment);
        Ok([time(at, Of::Peak)?, time(from, Of::Start)?, time(to, Of::End)?])
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn reads_what_is_written_and_says_what_is_wrong() {
        let choice: Choice = "role=actor, rank=0,rank=1,at=step:3".parse().unwrap();
        assert_eq!((choice.to_string().as_str(), choice.at()), ("role=actor,rank=0,rank=1", Moment::Step(3)));
        assert_eq!("".parse::<Choice>().unwrap().to_string(), "*");
        let error = |text: &str| text.parse::<Choice>().unwrap_err();
        assert!(error("actor").contains("key=value"));
        assert!(error("rank=x").contains("not a number"));
        assert!(error("at=noon").contains("expected peak"));
        assert!(error("name=x").contains("none of role"));
    }
}
