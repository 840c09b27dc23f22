//! `event request`: byes, withdrawals, pairs that may not meet, penalties.

use super::commit_with_notes;
use crate::{
    exit::{CliError, Exit},
    options::{ChangeArgs, FolderArgs, from_one},
};
use clap::Args;
use overboard_events::{
    Event,
    roster::{Request, RequestKind},
    settings::System,
};
use overboard_schedules::{
    ids::{RoundNo, TeamNo},
    points::Points,
    tournament::ByScore,
};

/// Record a bye, withdrawal, forbidden pair or penalty.
#[derive(Args, Debug)]
#[command(
    after_help = "Exit codes: 0 done, 2 the request is not possible.\n\nExamples:\n  overboard event request cup withdraw York --round 4\n  overboard event request open half-bye Ann --round 2\n  overboard event request cup forbid Leeds --other Hull\n  overboard event request cup penalty York --round 2 --match-points=-1\n  overboard event request open half-bye Ann --take-back\n  overboard event request open half-bye Ann --round 2 --correct"
)]
pub struct RequestArgs {
    #[command(flatten)]
    pub folder: FolderArgs,
    /// Kind of request; a half-bye counts half a win, a full-bye a win, a zero-bye nothing.
    #[arg(value_name = "KIND", value_parser = ["half-bye", "zero-bye", "full-bye", "withdraw", "forbid", "penalty"])]
    pub kind: String,
    /// Team or player: number, name or beginning of the name.
    #[arg(value_name = "WHO")]
    pub who: String,
    /// With forbid: the other participant.
    #[arg(long, value_name = "WHO", required_if_eq("kind", "forbid"))]
    pub other: Option<String>,
    /// The round, or the first round [default: the next; for a penalty after the last round, the last].
    #[arg(long, value_name = "N", value_parser = from_one())]
    pub round: Option<u32>,
    /// With penalty: match points added, or deducted if negative.
    #[arg(
        long,
        value_name = "POINTS",
        allow_hyphen_values = true,
        default_value = "0"
    )]
    pub match_points: String,
    /// With penalty: game points added, or deducted if negative.
    #[arg(
        long,
        value_name = "POINTS",
        allow_hyphen_values = true,
        default_value = "0"
    )]
    pub game_points: String,
    /// Cancel an earlier request.
    #[arg(long)]
    pub take_back: bool,
    /// With a bye: give it in a round that is already paired, to a participant who has another bye there.
    #[arg(long, conflicts_with = "take_back", requires = "round")]
    pub correct: bool,
    #[command(flatten)]
    pub change: ChangeArgs,
}

pub fn run(args: &RequestArgs) -> Result<Exit, CliError> {
    let (mut folder, mut event) = args.folder.open_event(&args.change)?;
    let before = event.clone();
    let request = request(&event, args)?;
    let round = request.round;
    let what = if args.correct {
        correct_bye(&mut event, &request)?
    } else if args.take_back {
        let place = event.asked(&request, args.round.map(RoundNo::new))?;
        let taken = event.requests.remove(place);
        format!("Took back: {}", in_words(&event, &taken))
    } else {
        note(&mut event, request)?
    };
    let notes = event.corrected(&before, round, &args.folder.shown());
    commit_with_notes(&mut folder, &what, &event, &notes, &args.change)
}

/// The request. Points given after all rounds have been paired count from the last round on.
fn request(event: &Event, args: &RequestArgs) -> Result<Request, CliError> {
    let who = event.find(&args.who)?;
    let other = args
        .other
        .as_ref()
        .map(|other| event.find(other))
        .transpose()?;
    let kind: RequestKind = args
        .kind
        .parse()
        .map_err(|()| format!("unknown kind of request `{}`", args.kind))?;
    let points = |text: &str| {
        let points = text.parse::<Points>();
        points.map_err(|error| error.to_string())
    };
    let points = ByScore {
        matches: points(&args.match_points)?,
        games: points(&args.game_points)?,
    };
    let points = scores(event, points)?;
    let next = RoundNo::at(event.rounds.len());
    let is_over = event.scheduled() > 0 && next.get() > event.scheduled();
    let default = if kind == RequestKind::Penalty && is_over {
        RoundNo::new(event.scheduled())
    } else {
        next
    };
    if kind == RequestKind::Withdraw && args.round.is_none() && is_over && !args.take_back {
        return Err(CliError::Event(
            "all rounds are paired; --round N gives the first round that they miss".into(),
        ));
    }
    let round = args.round.map_or(default, RoundNo::new);
    Ok(Request {
        other,
        points,
        ..Request::new(round, kind, who)
    })
}

/// The points of a penalty. A player has one score, whichever option names it.
fn scores(event: &Event, points: ByScore<Points>) -> Result<ByScore<Points>, CliError> {
    if event.settings.is_of_teams() {
        return Ok(points);
    }
    match [points.matches, points.games] {
        [only, Points::ZERO] | [Points::ZERO, only] => Ok(ByScore::both(only)),
        [one, other] if one == other => Ok(ByScore::both(one)),
        _ => Err(CliError::Event(
            "players have one score, so give --match-points or --game-points, and not both".into(),
        )),
    }
}

/// Changes the bye of a paired round; returns what was done, in words.
fn correct_bye(event: &mut Event, request: &Request) -> Result<String, CliError> {
    let Some(kind) = request.kind.bye() else {
        return Err(CliError::Event("--correct is only for byes".into()));
    };
    event.set_bye(request.round, request.who, kind)?;
    Ok(in_words(event, request))
}

/// Records a request; returns what was done, in words.
fn note(event: &mut Event, request: Request) -> Result<String, CliError> {
    event.accept(&request)?;
    let Request {
        round, kind, who, ..
    } = request;
    let mut what = in_words(event, &request);
    event.requests.push(request);
    if kind == RequestKind::Withdraw {
        let asked = event.requests.len();
        // A withdrawn participant has no further byes.
        event
            .requests
            .retain(|known| known.who != who || !known.kind.is_bye() || known.round < round);
        what.push_str(&what_becomes(event, who));
        match asked - event.requests.len() {
            0 => {}
            1 => what.push_str("; the bye requested for a later round is dropped"),
            many => what.push_str(&format!(
                "; the {many} byes requested for later rounds are dropped"
            )),
        }
    }
    Ok(what)
}

/// A request as a sentence, for the log.
fn in_words(event: &Event, request: &Request) -> String {
    let Request {
        round,
        kind,
        who,
        other,
        points,
        ..
    } = request;
    let name = event.called(*who);
    let other = other.map_or_else(String::new, |other| event.called(other));
    let scores = if event.settings.is_of_teams() {
        vec![
            (points.matches, "match points"),
            (points.games, "game points"),
        ]
    } else {
        vec![(points.matches, "points")]
    };
    let points: Vec<String> = scores
        .into_iter()
        .filter(|(points, _)| *points != Points::ZERO)
        .map(|(points, noun)| format!("{noun} {points}"))
        .collect();
    match kind {
        RequestKind::Forbid => format!("{name} and {other} must not meet from round {round} on"),
        RequestKind::Penalty => {
            format!("Penalty for {name} in round {round}: {}", points.join(", "))
        }
        RequestKind::Withdraw => format!("{name} withdraws from round {round} on"),
        RequestKind::Late => format!("{name} plays from round {round} on"),
        _ => format!("{name} has a {kind} in round {round}", kind = kind.as_str()),
    }
}

/// Whether the results of a participant who withdraws from a round robin still count.
fn what_becomes(event: &Event, who: TeamNo) -> String {
    if !matches!(
        event.settings.system,
        System::RoundRobin | System::Scheveningen
    ) {
        return String::new();
    }
    if event.annulled().contains(&who) {
        "; fewer than half of the matches are played, so none of them counts".into()
    } else {
        "; at least half of the matches are played, so the others are lost by forfeit".into()
    }
}
