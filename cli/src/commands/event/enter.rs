//! `event enter`: enters a team or a player, also during the event.

use super::{commit, keeps_valid};
use crate::{
    exit::{CliError, Exit},
    options::{ChangeArgs, DetailArgs, FolderArgs, from_one},
    show_command::quoted,
    ui,
};
use clap::Args;
use overboard_events::{
    Event,
    count::paired,
    names,
    roster::{self, Player, Request, RequestKind, Role, Team},
    rounds::{Bye, ByeKind, Match},
    settings::{Participants, System},
};
use overboard_formats::foreign::visible;
use overboard_schedules::{
    ids::{RoundNo, TeamNo},
    round_robin::berger,
    team::Pair,
};

/// Enter a team or a player, also late, or into a team.
///
/// A late entry in a round robin takes the pairing number that had the byes; its missed rounds are forfeit losses,
/// unless the settings say otherwise.
#[derive(Args, Debug)]
#[command(
    after_help = "Exit codes: 0 done, 2 there is no room, or the name is taken.\n\nExamples:\n  overboard event enter cup Leeds --players 'Ann;Bob;Cy' --captain Dee\n  overboard event enter cup Hull --players 'Kim;Lou;Max' --round 3\n  overboard event enter cup Eve --team Leeds --board 2 --rating 1950 --fide-id 1234567\n  overboard event enter open 'Ann Bell' --rating 2310 --title FM --federation ENG"
)]
pub struct EnterArgs {
    #[command(flatten)]
    pub folder: FolderArgs,
    /// The name.
    #[arg(value_name = "NAME")]
    pub name: String,
    /// The players of a team in board order, separated by `;`. `role=name` gives a role: commander, lieutenant or
    /// reserve.
    #[arg(long, value_name = "NAMES", value_delimiter = ';')]
    pub players: Vec<String>,
    /// The team's captain.
    #[arg(
        long,
        value_name = "NAME",
        default_value = "",
        hide_default_value = true
    )]
    pub captain: String,
    /// Club, country or other group; A or B for a player in a Scheveningen event.
    #[arg(
        long,
        value_name = "NAME",
        default_value = "",
        hide_default_value = true
    )]
    pub group: String,
    #[command(flatten)]
    pub details: DetailArgs,
    /// Add a player of this name to a team, instead of entering a team.
    #[arg(long, value_name = "TEAM", conflicts_with_all = ["players", "captain", "group", "round"])]
    pub team: Option<String>,
    /// With --team: the place in the team [default: the last].
    #[arg(long, value_name = "N", requires = "team", value_parser = from_one())]
    pub board: Option<u32>,
    /// The first round to be played [default: the next].
    #[arg(long, value_name = "N", value_parser = from_one())]
    pub round: Option<u32>,
    #[command(flatten)]
    pub change: ChangeArgs,
}

pub fn run(args: &EnterArgs) -> Result<Exit, CliError> {
    let (mut folder, mut event) = args.folder.open_event(&args.change)?;
    let name = names::name(&args.name)?;
    if let Some(team) = &args.team {
        let before = event.clone();
        let what = enter_player(&mut event, team, &name, args)?;
        keeps_valid(&before, &event)?;
        return commit(&mut folder, &what, &event, &args.change);
    }
    is_free(&event, &name)?;
    let number = event
        .participants()
        .last()
        .map_or(TeamNo::new(1), |last| last.number.next());
    let first = first_round(&event, args)?;
    match event.settings.participants {
        Participants::Teams => enter_team(&mut event, number, &name, args)?,
        Participants::Players if !args.players.is_empty() || !args.captain.trim().is_empty() => {
            return Err(CliError::Event(format!(
                "this is an event of players, so {name} has no players and no captain; enter each player with a command, or all from a table: overboard event import FOLDER --players FILE"
            )));
        }
        Participants::Players => enter_single(&mut event, number, &name, args)?,
    }
    if first > 1 {
        enter_late(&mut event, number, RoundNo::new(first))?;
    }
    warn_of_gaps(&event, number, &name, args);
    let what = format!("Entered {name} as number {number}");
    commit(&mut folder, &what, &event, &args.change)
}

/// Refuses the name of another participant.
fn is_free(event: &Event, name: &str) -> Result<(), CliError> {
    for one in event.participants() {
        if names::same(one.name.as_it_came(), name) {
            let number = one.number;
            return Err(CliError::Event(format!(
                "the name `{name}` is taken: number {number} has it"
            )));
        }
    }
    Ok(())
}

/// The first round of a new participant, which cannot be paired yet.
fn first_round(event: &Event, args: &EnterArgs) -> Result<u32, CliError> {
    let played = event.rounds.len();
    let next = played as u32 + 1;
    match args.round {
        Some(round) if round < next => Err(CliError::Event(format!(
            "{}; a late entry can play from round {next} on",
            paired(played)
        ))),
        round => Ok(round.unwrap_or(next)),
    }
}

/// Warns of what a new participant still lacks.
fn warn_of_gaps(event: &Event, number: TeamNo, name: &str, args: &EnterArgs) {
    let settings = &event.settings;
    if settings.has_roles()
        && settings.is_of_teams()
        && let Err(fault) = event.roles(number)
    {
        ui::warn(&fault.to_string());
    }
    if settings.system == System::Scheveningen && args.group.trim().is_empty() {
        ui::warn(&format!(
            "{name} has no group; a Scheveningen event needs two, such as --group A and --group B"
        ));
    }
}

fn enter_team(
    event: &mut Event,
    number: TeamNo,
    name: &str,
    args: &EnterArgs,
) -> Result<(), CliError> {
    if args.players.is_empty() {
        return Err(CliError::Event(
            "a team needs players: --players 'Ann;Bob;Cy'".into(),
        ));
    }
    let line = |text: &str| names::line(text).map_err(CliError::from);
    event.teams.push(Team {
        number,
        name: name.into(),
        group: line(&args.group)?.into(),
        captain: line(&args.captain)?.into(),
        ..Team::default()
    });
    let details = args.details.amendment();
    if details.is_of_a_player() {
        return Err(CliError::Event(format!(
            "details of a player do not belong to a team: enter the team, then `overboard event amend FOLDER {} --player PLAYER`",
            quoted(name)
        )));
    }
    event.amend(number, None, &details)?;
    for (board, text) in (1..).zip(&args.players) {
        let member = member(event, number, board, text)?;
        event.players.push(member);
    }
    Ok(())
}

/// A member of a new team, from `lieutenant=Ann` or `Ann`.
fn member(event: &Event, team: TeamNo, board: u32, text: &str) -> Result<Player, CliError> {
    let (role, name) = role_and_name(text)?;
    let name = names::name(name).map_err(|none| {
        CliError::Event(format!(
            "player {board}: {none}; separate names with one `;`"
        ))
    })?;
    let is_same =
        |other: &Player| other.team == Some(team) && names::same(other.name.as_it_came(), &name);
    if event.players.iter().any(is_same) {
        return Err(CliError::Event(format!(
            "{} occurs twice in the team",
            visible(&name)
        )));
    }
    let last = event.players.iter().map(|player| player.id).max();
    Ok(Player {
        id: last.unwrap_or(0) + 1,
        team: Some(team),
        board,
        name: name.into(),
        role,
        ..Player::default()
    })
}

fn role_and_name(text: &str) -> Result<(Role, &str), CliError> {
    let Some((role, name)) = text.split_once('=') else {
        return Ok((Role::Player, text));
    };
    match role.trim().parse() {
        Ok(role) => Ok((role, name)),
        Err(()) => Err(CliError::Event(format!(
            "`{role}` is not a role; expected commander, lieutenant, reserve or player"
        ))),
    }
}

/// Adds a player to a team; returns what was done, in words.
fn enter_player(
    event: &mut Event,
    team: &str,
    name: &str,
    args: &EnterArgs,
) -> Result<String, CliError> {
    if !event.settings.is_of_teams() {
        return Err(CliError::Event("--team is only for events of teams".into()));
    }
    let team = event.find(team)?;
    let player = Player {
        name: name.into(),
        ..Player::default()
    };
    let id = event.add_player(team, player, args.board)?;
    event.amend(team, Some(&id.to_string()), &args.details.amendment())?;
    Ok(format!(
        "Entered {name} in {} (id {id})",
        event.called(team)
    ))
}

fn enter_single(
    event: &mut Event,
    number: TeamNo,
    name: &str,
    args: &EnterArgs,
) -> Result<(), CliError> {
    event.players.push(Player {
        id: number.get(),
        team: roster::group_of_player(&args.group)?,
        board: 1,
        name: name.into(),
        ..Player::default()
    });
    event.amend(number, None, &args.details.amendment())?;
    Ok(())
}

/// Records the first round; in a round robin also takes the place that was free in earlier rounds.
fn enter_late(event: &mut Event, number: TeamNo, first: RoundNo) -> Result<(), CliError> {
    let refuse = |message: &str| Err(CliError::Event(message.into()));
    let rounds = event.rounds.len();
    if rounds > 0 && event.table.is_some() && event.is_by_table() {
        let planned = event.all_rounds()?;
        if !planned.iter().any(|round| {
            round
                .pairs
                .iter()
                .any(|pair| pair.opponent(number).is_some())
        }) {
            return refuse(
                "rounds are already paired by the event's own table, and it has no place for a late entry",
            );
        }
    }
    match event.settings.system {
        System::SwissTeam => {}
        System::RoundRobin if number.get().is_multiple_of(2) => {
            take_free_place(event, number, rounds);
        }
        System::RoundRobin if rounds > 0 => {
            return refuse(
                "rounds are already paired and every pairing number is taken: a late entry takes the place of the bye, and this round robin has none",
            );
        }
        _ if rounds > 0 => {
            return refuse("this system takes no late entries once a round is paired");
        }
        _ => {}
    }
    let request = Request::new(first, RequestKind::Late, number);
    event.accept(&request)?;
    event.requests.push(request);
    Ok(())
}

/// Participants that were free in the paired rounds should have met the late entry.
fn take_free_place(event: &mut Event, number: TeamNo, rounds: usize) {
    let table = match event.table {
        Some(_) => event.all_rounds().unwrap_or_default(),
        None => berger(number.get(), event.settings.cycles),
    };
    for (round, plan) in table.iter().enumerate().take(rounds) {
        let Some(pair) = plan
            .pairs
            .iter()
            .copied()
            .find(|pair| pair.opponent(number).is_some())
        else {
            continue;
        };
        let Some(result) = event.missed(pair.white == number) else {
            event.rounds[round]
                .byes
                .push(Bye::new(number, ByeKind::Zero));
            continue;
        };
        let Pair { white, black } = pair;
        let other = if white == number { black } else { white };
        let boards = event.line_up(white, black);
        let sheet = &mut event.rounds[round];
        sheet.byes.retain(|bye| bye.who != other);
        let table = sheet
            .matches
            .iter()
            .map(|this| this.table)
            .max()
            .unwrap_or(0)
            + 1;
        sheet.matches.push(Match {
            table,
            white,
            black,
            result: Some(result),
            boards,
            ..Match::default()
        });
    }
}
