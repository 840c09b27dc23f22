//! `event request`: byes, withdrawals, pairs that may not meet, penalties.

use super::tell;
use crate::{
    exit::{Exit, Failure},
    options::{FolderArgs, WriteArgs},
};
use clap::Args;
use overboard_events::{
    Event,
    csv::At,
    roster::{Request, RequestKind},
    rounds::Round,
    settings::System,
    store::Folder,
};
use overboard_schedules::{
    ids::{RoundNo, TeamNo},
    points::Points,
};

/// Note a bye, a withdrawal, a forbidden pair or a penalty.
#[derive(Args, Debug)]
#[command(
    after_help = "Exit codes: 0 done, 2 it makes no sense.\n\nExamples:\n  overboard event request cup withdraw York --round 4\n  overboard event request open half-bye Ann --round 2\n  overboard event request cup forbid Leeds --other Hull\n  overboard event request cup penalty York --round 2 --match-points=-1"
)]
pub struct RequestArgs {
    #[command(flatten)]
    pub folder: FolderArgs,
    /// What.
    #[arg(value_name = "KIND", value_parser = ["half-bye", "zero-bye", "full-bye", "withdraw", "forbid", "penalty"])]
    pub kind: String,
    /// The number, the name, or the beginning of the name.
    #[arg(value_name = "WHO")]
    pub who: String,
    /// With forbid: the other one.
    #[arg(long, value_name = "WHO", required_if_eq("kind", "forbid"))]
    pub other: Option<String>,
    /// The round, or the first of the rounds [default: the next].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub round: Option<u32>,
    /// With penalty: match points given, or taken.
    #[arg(long, value_name = "POINTS", allow_hyphen_values = true, default_value = "0")]
    pub match_points: String,
    /// With penalty: game points given, or taken.
    #[arg(long, value_name = "POINTS", allow_hyphen_values = true, default_value = "0")]
    pub game_points: String,
    #[command(flatten)]
    pub write: WriteArgs,
}

pub fn run(args: &RequestArgs) -> Result<Exit, Failure> {
    let mut folder = Folder::open(&args.folder.folder)?;
    let mut event = folder.event()?;
    let said = Failure::Event;
    let who = event.find(&args.who).map_err(said)?;
    let other = args.other.as_ref().map(|other| event.find(other)).transpose().map_err(said)?;
    let kind: RequestKind = args.kind.parse().map_err(|()| said(format!("`{}` is no request", args.kind)))?;
    let points = |text: &str| text.parse::<Points>().map_err(|error| said(error.to_string()));
    let points = [points(&args.match_points)?, points(&args.game_points)?];
    let round = args.round.map_or(RoundNo::at(event.rounds.len()), RoundNo::new);
    if kind == RequestKind::Withdraw && args.round.is_none() && round.get() > event.scheduled() {
        return Err(said("all rounds are paired; --round says which is the first without them".into()));
    }
    if args.round.is_some() {
        within(&event, kind, round).map_err(said)?;
    }
    sense(&event, kind, (who, other), round, points).map_err(said)?;
    let asked = event.requests.len();
    if kind == RequestKind::Withdraw {
        // Who is gone has no more byes.
        event
            .requests
            .retain(|request| request.who != who || !request.kind.is_bye() || request.round < round);
    }
    let dropped = asked - event.requests.len();
    event.requests.push(Request { round, kind, who, other, points, at: At::default() });
    let mut what = format!("{} for {}, round {round}", args.kind, event.name(who));
    if kind == RequestKind::Withdraw {
        what.push_str(&what_becomes(&event, who));
        match dropped {
            0 => {}
            1 => what.push_str("; the bye asked for from then on is dropped"),
            many => what.push_str(&format!("; the {many} byes asked for from then on are dropped")),
        }
    }
    let changed = folder.commit(&what, &event, args.write.dry_run)?;
    tell(&what, &changed, &args.write)
}

/// The rounds of a Swiss are told before; in the other systems they follow from who takes part, which may still change.
fn within(event: &Event, kind: RequestKind, round: RoundNo) -> Result<(), String> {
    let scheduled = event.scheduled();
    if event.settings.system == System::SwissTeam && scheduled > 0 && round.get() > scheduled {
        return Err(format!(
            "there is no round {round} for a {}: the event has {scheduled} rounds",
            kind.as_str()
        ));
    }
    Ok(())
}

/// What is wrong with a request.
fn sense(
    event: &Event,
    kind: RequestKind,
    (who, other): (TeamNo, Option<TeamNo>),
    round: RoundNo,
    points: [Points; 2],
) -> Result<(), String> {
    let paired = event.rounds.len() as u32;
    let name = event.name(who);
    let is_bye = kind.is_bye();
    let of_bye = |request: &&Request| request.who == who && request.round == round && request.kind.is_bye();
    match kind {
        RequestKind::Forbid if other == Some(who) => Err("two different participants are needed".into()),
        RequestKind::Forbid if !event.takes_pairs_by_hand() => {
            Err("in this system everybody of theirs meets; pairs can be forbidden in the systems swiss-team and by-hand"
                .into())
        }
        RequestKind::Forbid if event.requests.iter().any(|known| {
            let both = [Some(known.who), known.other];
            known.kind == kind && both.contains(&Some(who)) && both.contains(&other) && known.round <= round
        }) =>
        {
            let other = other.map_or(String::new(), |other| event.name(other));
            Err(format!("{name} and {other} are forbidden to meet already"))
        }
        RequestKind::Penalty if points == [Points::ZERO; 2] => {
            Err("a penalty needs --match-points or --game-points".into())
        }
        RequestKind::Withdraw if event.request(who, kind).is_some() => {
            Err(format!("{name} has withdrawn already"))
        }
        _ if is_bye && !event.takes_pairs_by_hand() => {
            Err("in this system everybody plays; byes can be asked for in the systems swiss-team and by-hand".into())
        }
        _ if is_bye && round.get() <= paired => Err(format!("round {round} is paired already")),
        _ if is_bye && !event.is_in(who, round) => Err(match event.request(who, RequestKind::Withdraw) {
            Some(gone) if gone.round <= round => format!("{name} has withdrawn from round {} on", gone.round),
            _ => format!("{name} has not come yet in round {round}, and scores nothing in it"),
        }),
        _ if is_bye && event.requests.iter().any(|request| of_bye(&request)) => {
            let known = event.requests.iter().find(of_bye).map_or("", |request| request.kind.as_str());
            Err(format!("{name} has a {known} in round {round} already; one bye a round is enough"))
        }
        RequestKind::Withdraw if event.is_paired_by_results() && round.get() <= paired => Err(format!(
            "round {round} is paired already: a withdrawal counts from round {} on, and who does not come to a game \
             that is paired loses it by forfeit (`overboard result`, 1-0f or 0-1f)",
            paired + 1
        )),
        RequestKind::Withdraw => match last_result(event, who) {
            Some(last) if last >= round => Err(format!(
                "{name} has a result in round {last}; a withdrawal counts from round {} on",
                last.next()
            )),
            _ => Ok(()),
        },
        _ => Ok(()),
    }
}

/// The last round in which somebody has a result.
fn last_result(event: &Event, who: TeamNo) -> Option<RoundNo> {
    let has = |round: &Round| round.of(who).is_some_and(|this| event.outcome(this).is_some());
    RoundNo::all().zip(&event.rounds).filter(|(_, round)| has(round)).map(|(number, _)| number).last()
}

/// Whether the results of one who withdraws from a round robin still count.
fn what_becomes(event: &Event, who: TeamNo) -> String {
    if !matches!(event.settings.system, System::RoundRobin | System::Scheveningen) {
        return String::new();
    }
    if event.annulled().contains(&who) {
        "; less than half of its matches are played, so none of them counts".into()
    } else {
        "; at least half of its matches are played, so the others are lost by forfeit".into()
    }
}
