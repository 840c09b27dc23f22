//! One file a command.

mod bundle;
mod check;
mod completions;
mod convert;
pub mod event;
mod explain;
mod fmt;
mod ledger;
mod man;
mod merge;
mod moves;
mod orders;
pub mod pair;
mod perft;
mod plan;
pub mod result;
mod run;
mod score;
mod select;
mod selfplay;
mod show;
pub mod standings;
mod stats;
mod unbundle;

use crate::{
    args::{Args, Command},
    exit::{Exit, Failure},
    options::{JudgingArgs, LimitArgs},
};
use overboard_formats::limits::Limits;
use overboard_games::registry::Variant;
use overboard_referee::{
    Options,
    finding::{CODES, Code, Weights},
};

/// Does what was asked.
pub fn run(args: &Args) -> Result<Exit, Failure> {
    match &args.command {
        Command::Check(args) => check::run(args),
        Command::Fmt(args) => fmt::run(args),
        Command::Show(args) => show::run(args),
        Command::Convert(args) => convert::run(args),
        Command::Select(args) => select::run(args),
        Command::Bundle(args) => bundle::run(args),
        Command::Unbundle(args) => unbundle::run(args),
        Command::Moves(args) => moves::run(&args.positions),
        Command::Perft(args) => perft::run(args),
        Command::Selfplay(args) => selfplay::run(args),
        Command::Plan(args) => plan::run(args),
        Command::Run(args) => run::run(args),
        Command::Merge(args) => merge::run(args),
        Command::Ledger(args) => ledger::run(args),
        Command::Stats(args) => stats::run(args),
        Command::Score(args) => score::run(args),
        Command::Orders(args) => orders::run(args),
        Command::Event(args) => event::run(args),
        Command::Pair(args) => pair::run(args),
        Command::Result(args) => result::run(args),
        Command::Standings(args) => standings::run(args),
        Command::Explain(args) => explain::run(args),
        Command::Completions { shell } => completions::run(*shell),
        Command::Man { out } => man::run(out.as_deref()),
    }
}

impl From<&LimitArgs> for Limits {
    fn from(args: &LimitArgs) -> Self {
        Self {
            rav_depth: args.max_rav_depth,
            block_depth: args.max_block_depth,
            level: args.max_level,
            boards: args.max_boards,
            tags: args.max_tags,
            tag_value: args.max_tag_value,
            action: args.max_action,
            symbol: args.max_symbol,
        }
    }
}

impl JudgingArgs {
    fn options(&self) -> Result<Options, Failure> {
        let allowed = codes(&self.allow, "allowed")?;
        let denied = codes(&self.deny, "denied")?;
        if let Some(unknown) =
            self.rules.split(':').find(|item| !item.is_empty() && !Variant::any_knows(item))
        {
            return Err(Failure::UnknownRule(unknown.into()));
        }
        Ok(Options {
            limits: (&self.limits).into(),
            weights: Weights::new(&allowed, &denied, self.strict),
            rules: self.rules.clone(),
            ..Options::default()
        })
    }
}

fn codes(names: &[String], doing: &'static str) -> Result<Vec<&'static Code>, Failure> {
    names
        .iter()
        .map(|name| match Code::find(name) {
            Some(code) if code.is_leniency() => Ok(code),
            Some(code) if doing == "denied" => Ok(code),
            Some(_) => Err(Failure::FixedCode(name.clone(), doing)),
            None => {
                Err(Failure::UnknownCode(name.clone(), did_you_mean(name, CODES.iter().map(|code| code.id))))
            }
        })
        .collect()
}

/// `; did you mean …?` where a known name is near.
fn did_you_mean<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> String {
    let likeness =
        |id: &str| strsim::normalized_damerau_levenshtein(&name.to_lowercase(), &id.to_lowercase());
    let near = known.map(|id| (likeness(id), id)).max_by(|a, b| a.0.total_cmp(&b.0));
    near.filter(|(likeness, _)| *likeness >= 0.5)
        .map_or(String::new(), |(_, id)| format!("; did you mean `{id}`?"))
}
