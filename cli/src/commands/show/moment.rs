//! Where in a game to stop, and the position there.

use super::{Scene, ShowArgs, ShowError, options, short_of_end, written};
use crate::{
    exit::CliError,
    sheets::{Opened, open_game},
};
use overboard_formats::{
    canonical::{Canonical, after_move, board_number},
    header::Name,
    limits::Limits,
    parse::Parser,
    record::Record,
};
use overboard_games::{
    mega,
    overchess::{self, Over, follow},
    referee::replay::{Moment, Replay, Stand},
    registry::AnyGame,
};
use overboard_referee::{Options, finding::Severity, report::Report};
use overboard_rules::{ply::BoardName, square::Side};
use overboard_sheets::{Sheet, chess_records};
use std::{io, path::Path};

/// The ply that led to a position: its side and number, and its board if there are several.
type Made = (Side, u32, String);

/// The ply that led to a position, from its spelling; if it was not legal, from the position before it.
fn made(position: &AnyGame, stand: &Stand, before: Option<&AnyGame>) -> Option<Made> {
    match &stand.last {
        Some(ply) => Some((ply.side, ply.number, board_of(ply))),
        None => position.made_since(before?),
    }
}

fn board_of(ply: &Canonical) -> String {
    match ply.board {
        Some(board) => BoardName(usize::from(board)).to_string(),
        None => ply.path.to_string(),
    }
}

/// A ply on linked boards: `12A`, or `12a` for Black.
fn on_board((side, number, board): &Made) -> String {
    match side {
        Side::White => format!("{number}{board}"),
        Side::Black => format!("{number}{}", board.to_lowercase()),
    }
}

/// The moment as --at takes it, if it has such a name.
pub(super) fn at_of(position: &AnyGame, stand: &Stand, before: Option<&AnyGame>) -> Option<String> {
    if stand.ply == 0 {
        return Some("start".into());
    }
    if position.boards() > 1 {
        return made(position, stand, before).as_ref().map(on_board);
    }
    if !position.is_between_turns() {
        // Within a turn of several plies, it is named by the board of the last one.
        let (side, number, board) = made(position, stand, before)?;
        if board.is_empty() {
            return None;
        }
        return Some(format!("{}.{board}", after_move(number, side)));
    }
    let (number, side) = last_move(position.turn()?, position.fullmove()?)?;
    Some(after_move(number, side))
}

/// The number and the side of the last move, from the side to move and the number of the next one; `None` before the first.
const fn last_move(to_move: Side, number: u32) -> Option<(u32, Side)> {
    match (to_move, number) {
        (Side::Black, _) => Some((number, Side::White)),
        (Side::White, 0 | 1) => None,
        (Side::White, _) => Some((number - 1, Side::Black)),
    }
}

/// Where in a game to stop.
#[derive(Clone, PartialEq, Eq)]
enum At {
    Start,
    End,
    Behind(u32, Side),
    /// After the ply with this number, on linked boards.
    OnBoard(String),
    /// Within a turn, after its ply on this board.
    Within(u32, Side, String),
}

impl At {
    /// Parses `23w` and `23b`, or `23.` and `23...` as in records; `23A` and `23a` on linked boards; `23w.A2` within a
    /// turn.
    fn of(text: &str) -> Option<Self> {
        let digits = text.bytes().take_while(u8::is_ascii_digit).count();
        let (digits, mark) = text.split_at(digits);
        match mark {
            "start" if digits.is_empty() => return Some(Self::Start),
            "end" if digits.is_empty() => return Some(Self::End),
            "w" | "." => return Some(Self::Behind(digits.parse().ok()?, Side::White)),
            "b" | "..." => return Some(Self::Behind(digits.parse().ok()?, Side::Black)),
            _ => {}
        }
        for (side, letter) in [(Side::White, "w."), (Side::Black, "b.")] {
            if let Some(path) = mark.strip_prefix(letter) {
                let path = mega::path(path)?.to_string();
                return Some(Self::Within(digits.parse().ok()?, side, path));
            }
        }
        let is_board =
            (1..4).contains(&mark.len()) && mark.bytes().all(|b| b.is_ascii_alphabetic());
        if digits.is_empty() || !is_board {
            return None;
        }
        Some(Self::OnBoard(format!("{text}.")))
    }

    /// Whether this is the moment of a position.
    fn is(&self, position: &AnyGame, stand: &Stand, before: Option<&AnyGame>) -> bool {
        let last = match (position.turn(), position.fullmove()) {
            (Some(to_move), Some(number)) => last_move(to_move, number),
            _ => None,
        };
        let played = stand.ply > 0;
        let made = || made(position, stand, before);
        let is_numbered = |number: &str| match made() {
            Some(made) => played && number.strip_suffix('.') == Some(on_board(&made).as_str()),
            None => false,
        };
        let unsettled = unsettled(position);
        match self {
            Self::Start => !played,
            Self::End => false,
            // A spare may come in before the first move.
            Self::Behind(0, Side::Black) => false,
            Self::Behind(moved, side) if position.boards() > 1 => {
                // `23b` is a move of Black on board B, and `23w` one of White on board W if there is such a board.
                let letter = if *side == Side::White { "w" } else { "b" };
                is_numbered(&format!("{moved}{letter}."))
            }
            Self::Behind(moved, side) if unsettled.is_some() => {
                played && unsettled == Some(after_move(*moved, *side))
            }
            Self::Behind(moved, side) => played && last == Some((*moved, *side)),
            Self::OnBoard(written) if position.boards() == 1 => {
                match Self::of(written.to_lowercase().trim_end_matches('.')) {
                    Some(at @ Self::Behind(..)) => at.is(position, stand, before),
                    _ => false,
                }
            }
            Self::OnBoard(written) => is_numbered(written),
            Self::Within(number, side, board) => {
                let made = made();
                let is_it = made.is_some_and(|made| made == (*side, *number, board.clone()));
                is_it && played && position.boards() == 1
            }
        }
    }
}

/// The moment of the last over-move of Overchess, if that is not settled.
fn unsettled(position: &AnyGame) -> Option<String> {
    let AnyGame::Over(over) = position else {
        return None;
    };
    overchess::unsettled_in(over, 0)?.moment
}

impl At {
    /// Whether this is the moment of an over-game after this many acts in it.
    fn is_in(&self, over: &Over, acts: u32) -> bool {
        let level = over.outermost();
        match self {
            Self::Start => acts == 0,
            Self::End | Self::OnBoard(_) | Self::Within(..) => false,
            Self::Behind(moved, side) => {
                acts > 0 && last_move(level.turn(), level.fullmove()) == Some((*moved, *side))
            }
        }
    }
}

/// The move number: `23.` or `23...`, and `23A.` or `23a.` on linked boards.
pub(super) fn number_of(ply: &Canonical) -> String {
    match (ply.board, ply.side) {
        (Some(board), side) => board_number(board, ply.number, side),
        (None, Side::White) => format!("{}.", ply.number),
        (None, Side::Black) => format!("{}...", ply.number),
    }
}

/// The requested scene; if the game does not get there, another one.
pub(super) fn from_record(path: &Path, args: &ShowArgs) -> Result<Scene, CliError> {
    let (mut steps, moment) = within(&args.at);
    let at = At::of(moment).ok_or_else(|| ShowError::Moment(args.at.clone()))?;
    let limits = Limits::from(&args.limits);
    let opened = open_game(path, args.game, limits)?;
    // A moment without a way to it is one of the sub-game whose sheet it is.
    if steps.is_empty() {
        steps.clone_from(&opened.way);
    }
    if !steps.is_empty() {
        return from_sub_game(opened, path, &steps, &at, args);
    }
    let Opened { input, game, .. } = opened;
    let mut replay = Replay::new(Parser::new(input, 0, limits), options(args));
    reached(&mut replay, &at, game, path, args)
}

/// The steps to the sub-game of a moment, such as `2w.d5` for `2w.d5.7b`, and the moment in that sub-game.
fn within(at: &str) -> (Vec<String>, &str) {
    let (mut steps, mut rest) = (Vec::new(), at);
    while let Some((step, inside)) = first_step(rest) {
        steps.push(step);
        rest = inside;
    }
    if rest.is_empty() && !steps.is_empty() {
        rest = "end";
    }
    (steps, rest)
}

/// The step with which a text begins, and the rest of the text.
fn first_step(text: &str) -> Option<(String, &str)> {
    let (label, inner) = text.split_once('.')?;
    let (square, rest) = inner.split_once('.').unwrap_or((inner, ""));
    if !label.ends_with(['w', 'b']) || overchess::square_named(square).is_none() {
        return None;
    }
    Some((format!("{label}.{square}"), rest))
}

/// The scene of a sub-game.
fn from_sub_game(
    Opened { input, game, .. }: Opened,
    path: &Path,
    steps: &[String],
    at: &At,
    args: &ShowArgs,
) -> Result<Scene, CliError> {
    let fail = CliError::on(path);
    let limits = Limits::from(&args.limits);
    let mut parser = Parser::new(input, 0, limits);
    let mut count = 0;
    let record = loop {
        let Some(record) = Record::read(&mut parser).map_err(fail)? else {
            return Err(ShowError::no_game(path, args.game, count).into());
        };
        count += 1;
        if count == game {
            break record;
        }
    };
    let refused = |why: String| CliError::from(ShowError::NoSubGame(args.at.clone(), why));
    let sheet = Sheet::of(&record, 0).map_err(|problem| refused(problem.message))?;
    let steps: Vec<_> = steps.iter().map(String::as_str).collect();
    let depth = sheet.tag("Rules").map_or(1, overchess::depth);
    let is_over_game = steps.len() < usize::try_from(depth).unwrap_or(0);
    if is_over_game
        && let Some(scene) = within_over_game(&sheet.text(), &steps, at, args).map_err(fail)?
    {
        return Ok(scene);
    }
    let found =
        chess_records::sub_game(sheet, &steps).map_err(|problem| refused(problem.message))?;
    let text = found.map_err(|there| {
        let there = if there.is_empty() {
            "none".into()
        } else {
            there.join(" ")
        };
        refused(format!(
            "no sub-game with recorded moves is there; sub-games with moves: {there}"
        ))
    })?;
    // Without a set-up it would be a game of other individuals.
    if is_over_game && !text.contains("[FEN \"") {
        let why = "this over-game is not set up, or nothing is judged up to there";
        return Err(refused(why.into()));
    }
    let mut replay = Replay::new(Parser::new(text.as_bytes(), 0, limits), options(args));
    reached(&mut replay, at, 1, path, args)
}

/// The scene of a sub-game that is itself an over-game; `None` if the steps lead to none.
fn within_over_game(
    record: &str,
    steps: &[&str],
    at: &At,
    args: &ShowArgs,
) -> io::Result<Option<Scene>> {
    let limits = Limits::from(&args.limits);
    let options = Options {
        acts: true,
        ..options(args)
    };
    let mut replay = Replay::new(Parser::new(record.as_bytes(), 0, limits), options);
    let (mut start, mut why) = (None, None);
    let mut scene = Scene {
        way: Some(steps.join(".")),
        ..Scene::default()
    };
    while let Some(moment) = replay.next_moment()? {
        match moment {
            // A record may begin inside a sub-game, before the first ply of the over-game.
            Moment::Position(_) if start.is_some() => {}
            Moment::Position(_) => start = replay.position(),
            Moment::End(report) => why = Some(report),
        }
    }
    let (Some(AnyGame::Over(first)), Some(acts)) = (start, replay.referee().acts()) else {
        return Ok(None);
    };
    let (mut plies, mut reached, mut settled) = (0, false, false);
    follow(&first, acts, steps, |over| {
        let is_there = at.is_in(over, plies);
        // What settles an over-move belongs to it; what precedes the next one does not.
        if (is_there && !settled) || !reached {
            scene.position = Some(over.clone().into());
            scene.ply = plies;
        }
        reached |= is_there;
        settled |= is_there && over.is_between_turns();
        plies += 1;
    });
    if scene.position.is_none() {
        return Ok(None);
    }
    scene.short = match why {
        _ if reached || *at == At::End => None,
        Some(report) if report.unjudged_from.is_some() => short_of(at, &scene, &report, args),
        _ => Some(format!("this sub-game has no move {}", args.at)),
    };
    Ok(Some(scene))
}

/// The scene of the game with this number among those that are replayed.
fn reached(
    replay: &mut Replay<'_>,
    at: &At,
    wanted: u64,
    path: &Path,
    args: &ShowArgs,
) -> Result<Scene, CliError> {
    let fail = CliError::on(path);
    let mut scene = Scene::default();
    let mut game = 1;
    while let Some(moment) = replay.next_moment().map_err(fail)? {
        match moment {
            Moment::End(report) if game == wanted => {
                scene.short = short_of(at, &scene, &report, args);
                return Ok(scene);
            }
            Moment::End(_) => game += 1,
            Moment::Position(_) if game < wanted => {}
            Moment::Position(stand) => {
                if let Some(position) = replay.position() {
                    let reached = at.is(&position, &stand, scene.position.as_ref());
                    scene = Scene {
                        position: Some(position),
                        ply: stand.ply,
                        last: stand.last,
                        players: [Name::White, Name::Black].map(|name| replay.referee().tag(name)),
                        ..Scene::default()
                    };
                    if reached {
                        return Ok(scene);
                    }
                }
            }
        }
    }
    Err(ShowError::no_game(path, args.game, game - 1).into())
}

/// Why a game does not reach the requested moment.
fn short_of(at: &At, scene: &Scene, report: &Report, args: &ShowArgs) -> Option<String> {
    let error = report
        .findings
        .iter()
        .find(|finding| finding.severity == Severity::Error);
    match (short_of_end(report), error) {
        (Some(why), Some(error)) => Some(format!("{why}: {}", error.message.shown())),
        (Some(why), None) => Some(why),
        (None, Some(error)) if scene.position.is_none() => Some(error.message.shown().into_owned()),
        _ if scene.position.is_none() => Some("no position of this game is known".into()),
        _ if *at == At::End => None,
        _ => Some(match &scene.last {
            Some(last) => format!(
                "this game has no move {}; its last one is {}",
                args.at,
                written(last)
            ),
            None => format!("this game has no move {}", args.at),
        }),
    }
}
