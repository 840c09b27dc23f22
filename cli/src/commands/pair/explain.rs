//! `pair explain`: why a Swiss round is paired as it is.

use crate::{
    exit::{CliError, Exit},
    options::{FolderArgs, from_one},
    ui,
};
use clap::Args;
use overboard_events::{Event, pairing_basis::Source, settings::System, store::read_with_bases};
use overboard_formats::foreign::visible;
use overboard_schedules::{
    ids::{RoundNo, TeamNo},
    swiss_team::{
        explain::{Explainer, Reason},
        readings::Reading,
    },
};
use serde::Serialize;
use std::io::Write;

/// Explain why a Swiss round is paired as it is.
///
/// Reasons cite the articles of FIDE C.04.6. Without a team, explains the whole round. With one team, explains its
/// opponent, float and colour. With two, explains why they do or do not meet. The round may be the next one or one
/// already paired.
#[derive(Args, Debug)]
#[command(
    after_help = "Exit codes: 0 done, 2 the event is not of the system swiss-team, or the round cannot be paired.\n\nExamples:\n  overboard pair explain league\n  overboard pair explain league --team Leeds\n  overboard pair explain league --round 3 Leeds York\n  overboard pair explain league SW-1"
)]
pub struct ExplainPairArgs {
    #[command(flatten)]
    pub folder: FolderArgs,
    /// A team, or two, by number or name; or the id of an interpretation, such as SW-1.
    #[arg(value_name = "TEAM", num_args = 0..=2)]
    pub teams: Vec<String>,
    /// One team; the same as naming it alone.
    #[arg(long, value_name = "TEAM", conflicts_with = "teams")]
    pub team: Option<String>,
    /// The round [default: the last one paired, or the first].
    #[arg(long, value_name = "N", value_parser = from_one())]
    pub round: Option<u32>,
    /// Print one JSON object per sentence.
    #[arg(long)]
    pub json: bool,
}

/// A sentence of an explanation.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ArticleText<'a> {
    /// The article that it rests on; null if it rests on none.
    article: Option<String>,
    /// The sentence.
    text: &'a str,
}

pub fn run(args: &ExplainPairArgs) -> Result<Exit, CliError> {
    let event = read_with_bases(&args.folder.folder)?;
    let teams: Vec<_> = args.teams.iter().chain(&args.team).collect();
    // If a team has the name of an interpretation, the team is meant.
    if let [id] = teams[..]
        && event.settings.system == System::SwissTeam
        && event.find(id).is_err()
        && let Some(reading) = Reading::find(id)
    {
        if args.round.is_some() {
            return Err(CliError::Event(format!(
                "{id} is the same in all rounds; leave --round out"
            )));
        }
        let readings = event.settings.regulations()?.readings;
        return explain_reading(reading, reading.chosen(readings).words, args.json);
    }
    if event.settings.system != System::SwissTeam {
        return Err(CliError::Event(format!(
            "only rounds of the system swiss-team can be explained; the system of this event is {}",
            event.settings.system.word()
        )));
    }
    let round = which(&event, args.round)?;
    // A paired round is explained by what it was paired from.
    let before = event.before(round);
    if round.index() < event.rounds.len()
        && matches!(before.source, Source::Unknown | Source::Doubtful)
    {
        ui::warn(&format!(
            "the data from which round {round} was paired are lost (neither the round nor the log has them); this explanation uses the present data"
        ));
    }
    let field = before.event.swiss_field(round)?;
    let name = |team: TeamNo| event.called(team);
    let explainer = Explainer::new(&field, &name)?;
    let reasons = match teams[..] {
        [] => explainer.round(),
        [team] => explainer.team(event.find(team)?),
        [one, other, ..] => explainer.two(event.find(one)?, event.find(other)?),
    }?;
    let mut out = ui::stdout();
    for reason in &reasons {
        print(&mut out, reason, args.json)?;
    }
    if before.source != Source::Now
        && let Some(reason) = difference(&before.event, round)?
    {
        print(&mut out, &reason, args.json)?;
    }
    out.flush()?;
    Ok(Exit::Clean)
}

/// The round to explain: a paired one, or the next.
fn which(event: &Event, round: Option<u32>) -> Result<RoundNo, CliError> {
    let paired = event.rounds.len();
    let round = RoundNo::new(round.unwrap_or(paired.max(1) as u32));
    if round > RoundNo::at(paired) {
        return Err(CliError::Event(format!(
            "round {round} cannot be explained yet: {}",
            overboard_events::count::paired(paired)
        )));
    }
    Ok(round)
}

/// Where a round as it was paired departs from the regulations.
fn difference(before: &Event, round: RoundNo) -> Result<Option<Reason>, CliError> {
    let verdict = before.swiss_verdict(round)?;
    let Some(broken) = verdict.broken else {
        return Ok(None);
    };
    Ok(Some(Reason {
        article: Some(broken.article),
        text: format!("The round as it was paired is different: {}.", broken.text),
    }))
}

/// Prints the event's interpretation, the other choices, and the source.
fn explain_reading(reading: &Reading, chosen: &str, json: bool) -> Result<Exit, CliError> {
    let mut out = ui::stdout();
    let here = format!("{} in this event: {chosen}.", reading.id);
    let source = format!("Source: {}.", reading.source);
    for text in std::iter::once(here)
        .chain(reading.sentences())
        .chain([source])
    {
        print(
            &mut out,
            &Reason {
                article: None,
                text,
            },
            json,
        )?;
    }
    out.flush()?;
    Ok(Exit::Clean)
}

fn print(out: &mut impl Write, reason: &Reason, json: bool) -> std::io::Result<()> {
    if json {
        let article = reason.article.map(|article| article.number().to_owned());
        return ui::json(
            out,
            &ArticleText {
                article,
                text: &reason.text,
            },
        );
    }
    writeln!(out, "{}", visible(&reason.to_string()))
}
