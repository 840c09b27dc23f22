//! `pair explain`: why a Swiss round is paired as it is.

use crate::{
    args::ExplainPairArgs,
    exit::{Exit, Failure},
    ui,
};
use overboard_events::{basis::Source, settings::System, store::read_with_bases};
use overboard_pictures::foreign::visible;
use overboard_schedules::{
    ids::{RoundNo, TeamNo},
    swiss_team::{
        explain::{Explainer, Reason},
        readings::Reading,
    },
};
use serde::Serialize;
use std::io::Write;

#[derive(Serialize)]
struct Told<'a> {
    article: Option<String>,
    text: &'a str,
}

pub fn run(args: &ExplainPairArgs) -> Result<Exit, Failure> {
    let event = read_with_bases(&args.folder.folder)?;
    let said = Failure::Event;
    let teams: Vec<_> = args.teams.iter().chain(&args.team).collect();
    // The name of a team may be that of a reading; the team is meant then.
    if let [id] = teams[..]
        && event.settings.system == System::SwissTeam
        && event.find(id).is_err()
        && let Some(reading) = Reading::find(id)
    {
        let readings = event.settings.regulations().map_err(said)?.readings;
        return explain_reading(reading, reading.chosen(readings).words, args.json);
    }
    let round = RoundNo::new(args.round.unwrap_or(event.rounds.len().max(1) as u32));
    if round > RoundNo::at(event.rounds.len()) {
        return Err(said(format!(
            "round {round} comes after a round that is not paired; {} are",
            event.rounds.len()
        )));
    }
    // A round that is paired is explained by what it was paired from.
    let before = event.before(round);
    if matches!(before.source, Source::Unknown | Source::Doubtful) && round.index() < event.rounds.len() {
        ui::warn(&format!(
            "not known what round {round} was paired from: neither it nor the log has kept it; explained by what is there now"
        ));
    }
    let field = before.event.swiss_field(round).map_err(|error| said(error.to_string()))?;
    let name = |team: TeamNo| event.name(team);
    let explainer = Explainer::new(&field, &name).map_err(|failure| said(failure.to_string()))?;
    let find = |text: &String| event.find(text).map_err(said);
    let reasons = match teams[..] {
        [] => explainer.round(),
        [team] => explainer.team(find(team)?),
        [one, other, ..] => explainer.two(find(one)?, find(other)?),
    };
    let reasons = reasons.map_err(|failure| said(failure.to_string()))?;
    let mut out = ui::stdout();
    for reason in &reasons {
        print(&mut out, reason, args.json)?;
    }
    if before.source != Source::Now {
        let verdict = before.event.swiss_verdict(round).map_err(|error| said(error.to_string()))?;
        if let Some(broken) = verdict.broken {
            let text = format!("The round as it stands is another one: {}.", broken.text);
            print(&mut out, &Reason { article: Some(broken.article), text }, args.json)?;
        }
    }
    out.flush()?;
    Ok(Exit::Clean)
}

/// How the event reads a place of the text, what else it may choose, and on what ground.
fn explain_reading(reading: &Reading, chosen: &str, json: bool) -> Result<Exit, Failure> {
    let mut out = ui::stdout();
    let here = format!("{} in this event: {chosen}.", reading.id);
    let source = format!("Source: {}.", reading.source);
    for text in std::iter::once(here).chain(reading.sentences()).chain([source]) {
        print(&mut out, &Reason { article: None, text }, json)?;
    }
    out.flush()?;
    Ok(Exit::Clean)
}

fn print(out: &mut impl Write, reason: &Reason, json: bool) -> std::io::Result<()> {
    if json {
        let article = reason.article.map(|article| article.number().to_owned());
        return ui::json(out, &Told { article, text: &reason.text });
    }
    writeln!(out, "{}", visible(&reason.to_string()))
}
