//! `pair generate`: complete random events of the Swiss system.

use crate::{
    commands::event::begin,
    exit::{CliError, Exit},
    options::{ChangeArgs, FolderArgs},
};
use clap::Args;
use overboard_events::{
    Event,
    roster::{Player, Team},
    rounds::{Bye, ByeKind, GameResult, Match, Round},
    settings::Settings,
    store::StoreError,
};
use overboard_rules::refusal::counted;
use overboard_schedules::{
    generator::{Plan, RandomEvent},
    ids::TeamNo,
    points::Points,
    swiss_team::{
        next_round::{Event as Happened, Past},
        pair,
        pairing::Pairing,
        settings::Settings as Regulations,
    },
    team::Colour,
};

/// Make a random Swiss event (RTG).
///
/// Rounds are paired by the Swiss system, and results depend on strength. The same seed gives the same event on every
/// machine.
#[derive(Args, Debug)]
#[command(
    after_help = "Exit codes: 0 done, 2 there is an event already, or a round cannot be paired.\n\nExample:\n  overboard pair generate random --teams 20 --rounds 7 --seed 3"
)]
pub struct GenerateArgs {
    #[command(flatten)]
    pub folder: FolderArgs,
    /// Teams.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(2..=2000))]
    pub teams: u16,
    /// Rounds.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=100))]
    pub rounds: u16,
    /// Boards of a match.
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..=20))]
    pub boards: u16,
    /// The seed.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Forfeited matches per thousand.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u16).range(0..=500))]
    pub forfeits: u16,
    /// Requested byes per thousand rounds of a team.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u16).range(0..=500))]
    pub byes: u16,
    #[command(flatten)]
    pub change: ChangeArgs,
}

pub fn run(args: &GenerateArgs) -> Result<Exit, CliError> {
    let most = args.teams - 1 + args.teams % 2;
    if args.rounds > most {
        return Err(CliError::Event(format!(
            "{} teams cannot play {} rounds without meeting twice; at most {most}",
            args.teams, args.rounds
        )));
    }
    crate::ui::note(&format!("seed {}", args.seed));
    let plan = Plan {
        forfeits: args.forfeits,
        byes: args.byes,
        ..Plan::plain(Regulations::new(args.rounds), args.teams, args.boards)
    };
    let mut random = RandomEvent::new(plan, args.seed, 0);
    let mut event = empty(args, &random)?;
    while !random.is_over() {
        let pairing = pair(random.field())?;
        random.play(&pairing);
        let round = round(&event, &random, &pairing);
        event.rounds.push(round);
    }
    let what = format!(
        "Created a random event (seed {}: {}, {})",
        args.seed,
        counted(args.teams, "team"),
        counted(args.rounds, "round")
    );
    begin(&args.folder, &what, &event, &[], &args.change)
}

/// The event before its first round: teams of `boards` players.
fn empty(args: &GenerateArgs, random: &RandomEvent) -> Result<Event, CliError> {
    let settings = format!(
        "name = \"Random event, seed {}\"\ngame = \"Chess\"\nsystem = \"swiss-team\"\nrounds = {}\n\
         participants = \"teams\"\nscoring = \"boards\"\nboards = {}\ntie-breaks = [\"MPvGP\", \"BH/C1\"]\n",
        args.seed, args.rounds, args.boards
    );
    let settings = Settings::read(&settings).map_err(|fault| StoreError::Faults(vec![fault]))?;
    let boards = u32::from(args.boards);
    let team = |number: TeamNo| Team {
        number,
        name: format!("Team {number}").into(),
        strength: random
            .strengths()
            .get(number.index())
            .map(|strength| u32::from(*strength))
            .filter(|strength| *strength > 0),
        ..Team::default()
    };
    let player = |id: u32| {
        let (team, board) = (TeamNo::new((id - 1) / boards + 1), (id - 1) % boards + 1);
        Player {
            id,
            team: Some(team),
            board,
            name: format!("Player {team}.{board}").into(),
            ..Player::default()
        }
    };
    let teams = u32::from(args.teams);
    if teams * boards > 9999 {
        return Err(CliError::Event(
            "an event holds at most 9999 players".into(),
        ));
    }
    Ok(Event {
        settings,
        teams: TeamNo::first(teams).map(team).collect(),
        players: (1..=teams * boards).map(player).collect(),
        ..Event::default()
    })
}

/// The round that has just been played.
fn round(event: &Event, random: &RandomEvent, pairing: &Pairing) -> Round {
    let past = |team: TeamNo| random.field().teams[team.index()].history.last();
    let matches = (1..).zip(&pairing.matches).map(|(table, this)| {
        let (white, black) = (this.white, this.black);
        let mut game = Match {
            table,
            white,
            black,
            boards: event.line_up(white, black),
            ..Match::default()
        };
        if let Some(past) = past(this.white) {
            fill(event, &mut game, past);
        }
        game
    });
    let byes = random.field().teams.iter().filter_map(|team| {
        let kind = match team.history.last()?.event {
            Happened::PairingBye => ByeKind::Bye,
            Happened::FullBye => ByeKind::Full,
            Happened::HalfBye => ByeKind::Half,
            Happened::Absent => ByeKind::Zero,
            _ => return None,
        };
        Some(Bye::new(team.tpn, kind))
    });
    Round {
        matches: matches.collect(),
        byes: byes.collect(),
    }
}

/// Results on boards that give White its game points: wins from board 1 on, then a draw, then losses.
fn fill(event: &Event, this: &mut Match, past: &Past) {
    this.result = match past.event {
        Happened::ForfeitWin { .. } => Some(GameResult::WhiteForfeit),
        Happened::ForfeitLoss { .. } => Some(GameResult::BlackForfeit),
        Happened::DoubleForfeit { .. } => Some(GameResult::BothForfeit),
        _ => None,
    };
    if this.result.is_some() {
        return;
    }
    let Points(mut left) = past.game_points;
    for board in &mut this.boards {
        let (for_team, taken) = match left {
            10.. => (GameResult::White, 10),
            5..=9 => (GameResult::Draw, 5),
            _ => (GameResult::Black, 0),
        };
        left -= taken;
        board.result = Some(match (event.colour(board.board), for_team) {
            (Colour::Black, GameResult::White) => GameResult::Black,
            (Colour::Black, GameResult::Black) => GameResult::White,
            (_, result) => result,
        });
    }
}
