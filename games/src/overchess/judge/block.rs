//! Sub-games in blocks: their set-ups, their results, their states.

use super::{
    Over, Referee, contested, is_in_chess, judged, level, make_end,
    named::{self, SetUpFault},
    refusal::{Reason, Refused, refuse_act},
    silence::{fill_in, perform},
    way,
};
use crate::{
    chess::Chess,
    fen::Fen,
    overchess::{
        self, self as rules, Arrangement, Effects, Ended, Level,
        judge::roles::{Inside, Roles},
        laws as law,
    },
};
use overboard_formats::{
    command,
    encoding::decode,
    parse::{Event, Parser},
    span::TextSpan,
};
use overboard_referee::{
    finding as code,
    game::judged::Judged as _,
    numbering::{Unjudged, moment_before},
    record_state::RecordState,
    referee::Standing,
    report::GameResult,
    verdict,
};
use overboard_rules::{
    by_side::BySide,
    game::Said,
    general as common,
    outcome::{Cause, Outcome, Ruling},
    path::BoardPath,
    rule::Rule,
    setup::Setup,
    square::{Piece, Role, Side, Square},
};

/// A sub-game being read.
#[derive(Clone)]
pub struct Block {
    pub on: Square,
    /// The over-move that it follows in the record, as `show --at` takes it; under fog the reply to the attack.
    pub after: Option<String>,
    /// For an over-game: number and side of the next move in it when everything before that was last settled; `None` at
    /// its beginning.
    pub settled: Option<(u32, Side)>,
    /// Whether its tags have ended.
    entered: bool,
    /// How it ended by its moves or a recorded event, if it has.
    pub over: Option<Outcome>,
}

impl Block {
    /// The sub-game on a square, before anything of it is read.
    pub const fn on(on: Square) -> Self {
        Self {
            on,
            after: None,
            settled: None,
            entered: false,
            over: None,
        }
    }

    /// The sub-game on a square that was drawn without a move.
    const fn dead(on: Square) -> Self {
        Self {
            on,
            after: None,
            settled: None,
            entered: true,
            over: Some(Outcome::Draw),
        }
    }

    /// The same, as it is around a variation.
    pub fn outside(&self) -> Self {
        Self {
            entered: self.entered,
            ..Self::on(self.on)
        }
    }
}

/// The end of a sub-game that its moves do not explain.
const fn unexplained(outcome: Outcome) -> Ruling {
    Ruling {
        outcome,
        cause: Cause::DeadPosition,
        rule: &law::SUB_RESULT,
    }
}

pub(super) fn open_sub_game(
    referee: &mut Referee<Over>,
    event: Event,
    state: &mut RecordState,
    parser: &Parser<'_>,
) {
    let place = *parser.place();
    if is_in_chess(referee) {
        if state.judging && referee.line.now().is_any() {
            let words = "a sub-game of chess holds no sub-games".to_string();
            let label = format!("<{}:", decode(parser.text(place.span)).0);
            refuse_act(
                referee,
                &label,
                Refused::of((words, &law::SUB_GAME)),
                place,
                state,
                parser,
            );
        }
        // Nothing in it is judged.
        state.foreign += 1;
        state.block_depth += 1;
        return;
    }
    let label = decode(parser.text(place.span)).0;
    let named = overchess::square_named(&label)
        .or_else(|| small_letter(referee, &label, place, state, parser));
    let on = named.unwrap_or(Square::new(0, 0));
    let here = Over::here(referee).on(on);
    let dead = referee
        .open
        .dead
        .iter()
        .position(|dead| named.is_some() && *dead == here);
    // A sub-game that is dead at its set-up is settled after its block, so no plies are omitted before it.
    if dead.is_none() {
        enter(referee, Some(Said::Unreadable), state, parser);
    }
    state.block_depth += 1;
    state.interrupted = true;
    state.numbered = false;
    if dead.is_none() && judged(referee, state).is_some() {
        judge_block(referee, on, named, event, place, state, parser);
    }
    if state.at_main_line()
        && dead.is_none()
        && let Some(roles) = referee.own.roles.get_mut(referee.open.blocks.len())
    {
        roles.open(named.filter(|_| referee.line.now().is_any()));
    }
    let level = referee
        .line
        .now()
        .position()
        .and_then(|position| position.level(referee.open.blocks.len()));
    let is_due = |level: &&Level| level.contested().any(|contest| contest.to == on);
    let after = level
        .filter(is_due)
        .map(|level| moment_before(Some((level.fullmove(), level.turn()))));
    state.enter(overchess::said(&here));
    referee.line.enter();
    match dead {
        Some(at) => {
            referee.open.dead.remove(at);
            referee.open.blocks.push(Block::dead(on));
            state.current.course.ended = Some(unexplained(Outcome::Draw));
        }
        None => referee.open.blocks.push(Block {
            after,
            ..Block::on(on)
        }),
    }
}

/// Reads the square of a label with an upper-case letter, `<D5:`, and reports the letter.
fn small_letter(
    referee: &mut Referee<Over>,
    label: &str,
    place: TextSpan,
    state: &mut RecordState,
    parser: &Parser<'_>,
) -> Option<Square> {
    let small = label.to_lowercase();
    let on = overchess::square_named(&small)?;
    if state.judging && referee.line.now().is_any() {
        let message = format!(
            "the square of a sub-game is written with a small letter: `<{small}:`, not `<{label}:`"
        );
        state.find(&code::BAD_TOKEN, place, parser, message);
        referee.lose(BoardPath::OUTERMOST, Unjudged::ThisMove, state);
    }
    Some(on)
}

/// Reports a block on a square where no sub-game is due, or in a game that is over.
fn judge_block(
    referee: &mut Referee<Over>,
    on: Square,
    named: Option<Square>,
    _: Event,
    place: TextSpan,
    state: &mut RecordState,
    parser: &Parser<'_>,
) {
    let here = Over::here(referee);
    if referee.is_past_the_end(here, state) {
        return referee.report_past_the_end(here, place, state, parser);
    }
    let Some(position) = referee.line.now().position() else {
        return;
    };
    let reason = match contested(position, level(referee)) {
        Some(due) if Some(due) == named => return,
        Some(due) => {
            let rule: &'static Rule = if position.rules().fog {
                &law::FOG_ORDER
            } else {
                &law::ATTACK
            };
            (format!("the sub-game on {due} is due"), rule)
        }
        None if referee.own.closed == Some(here.on(on)) => {
            (format!("the sub-game on {on} had ended"), &common::ENDED)
        }
        None => (
            "no sub-game is due".to_string(),
            &law::ATTACK as &'static Rule,
        ),
    };
    refuse_act(
        referee,
        &format!("<{on}:"),
        Refused::of(reason),
        place,
        state,
        parser,
    );
}

pub(super) fn sub_tag(referee: &mut Referee<Over>, state: &mut RecordState, parser: &Parser<'_>) {
    state.tag(parser);
    let around = referee.open.blocks.len().saturating_sub(1);
    if state.at_main_line()
        && !referee.open.blocks.is_empty()
        && let Some(roles) = referee.own.roles.get_mut(around)
    {
        roles.tag(parser);
    }
}

/// Called at the first thing other than a tag in the game being read: the tags of a sub-game are complete, and its
/// set-ups are made.
pub(super) fn enter(
    referee: &mut Referee<Over>,
    said: Option<Said<'_, Over>>,
    state: &mut RecordState,
    parser: &Parser<'_>,
) {
    let begins = referee
        .open
        .blocks
        .last_mut()
        .is_some_and(|block| !std::mem::replace(&mut block.entered, true));
    let inside = if begins {
        begin_block(referee, state, parser)
    } else {
        None
    };
    if said.is_some() {
        fill_in(referee, said, state, parser);
    }
    begin_roles(referee, inside, state, parser);
}

/// The tags of a sub-game are complete: checks them and makes its set-ups.
#[cold]
fn begin_block(
    referee: &mut Referee<Over>,
    state: &mut RecordState,
    parser: &Parser<'_>,
) -> Option<Inside> {
    let inside = Over::inner_game(&referee.options, state.games_around());
    state.check_tags(inside, parser);
    judged(referee, state)?;
    let inside = judge_players(referee, state, parser);
    match state.fen_tag(parser) {
        Some((fen, place)) if is_in_chess(referee) => {
            set_up_sub_game(referee, &fen, place, state, parser)
        }
        Some((fen, place)) => set_up_over_game(referee, &fen, place, state, parser),
        None => {}
    }
    inside
}

/// Checks who plays the sub-game, and the roles in it.
fn judge_players(
    referee: &mut Referee<Over>,
    state: &mut RecordState,
    parser: &Parser<'_>,
) -> Option<Inside> {
    let around = referee
        .open
        .blocks
        .len()
        .checked_sub(1)
        .filter(|_| state.at_main_line())?;
    let (way, path) = (way(referee), state.current.path.clone());
    referee
        .own
        .roles
        .get_mut(around)?
        .judge(&way, &path, state, parser)
}

/// A sub-game that is itself Overchess begins with its roles.
fn begin_roles(
    referee: &mut Referee<Over>,
    inside: Option<Inside>,
    state: &mut RecordState,
    parser: &Parser<'_>,
) {
    let Some(inside) = inside else { return };
    let level = referee.open.blocks.len();
    if let Some(position) = referee
        .line
        .now()
        .position()
        .and_then(|position| position.level(level))
    {
        let roles = Roles::within(position, inside, state, parser);
        referee.own.roles.truncate(level);
        referee.own.roles.push(roles);
    }
}

fn set_up_over_game(
    referee: &mut Referee<Over>,
    fen: &str,
    place: TextSpan,
    state: &mut RecordState,
    parser: &Parser<'_>,
) {
    match judge_set_up_of_individuals(referee, fen, state) {
        Ok(()) => {}
        Err(SetUpFault::Unread(what)) => unreadable_set_up(referee, &what, place, state, parser),
        Err(SetUpFault::Refused(reason)) => {
            refuse_act(
                referee,
                "the set-up",
                Refused::of(reason),
                place,
                state,
                parser,
            );
        }
    }
}

fn unreadable_set_up(
    referee: &mut Referee<Over>,
    what: &str,
    place: TextSpan,
    state: &mut RecordState,
    parser: &Parser<'_>,
) {
    state.find(
        &code::BAD_FEN,
        place,
        parser,
        format!("the FEN cannot be read: {what}"),
    );
    referee.lose(BoardPath::OUTERMOST, Unjudged::ThisMove, state);
}

/// Makes the set-up of a FEN, individual by individual, and compares the other fields.
fn judge_set_up_of_individuals(
    referee: &mut Referee<Over>,
    fen: &str,
    state: &mut RecordState,
) -> Result<(), SetUpFault> {
    let level = referee.open.blocks.len() - 1;
    let Some(position) = referee.line.now().position() else {
        return Ok(());
    };
    let Some((reported, seats)) = named::in_words(position, level, fen)? else {
        return Ok(());
    };
    if position.placing().is_some() && position.open() == level + 1 {
        perform(referee, &rules::Block::Seats(seats), state)?;
    }
    let position = referee.line.now().position();
    position.map_or(Ok(()), |position| {
        named::against_rest(position, level, &reported)
    })
}

fn set_up_sub_game(
    referee: &mut Referee<Over>,
    fen: &str,
    place: TextSpan,
    state: &mut RecordState,
    parser: &Parser<'_>,
) {
    let setup = match Fen::parse(fen) {
        Ok(fen) => fen.setup,
        Err(fault) => {
            return unreadable_set_up(referee, &fault.what.to_string(), place, state, parser);
        }
    };
    if let Err(reason) = judge_set_up(referee, &setup, state) {
        refuse_act(
            referee,
            "the set-up",
            Refused::of(reason),
            place,
            state,
            parser,
        );
    }
}

/// Makes the set-ups of both sides from a FEN, or returns why the first illegal one is refused.
fn judge_set_up(
    referee: &mut Referee<Over>,
    setup: &Setup,
    state: &mut RecordState,
) -> Result<(), Reason> {
    let pieces = BySide::new(arranged(setup, Side::White)?, arranged(setup, Side::Black)?);
    perform(referee, &rules::Block::SetUp(pieces), state)?;
    let position = referee.line.now().position();
    let chess = position.and_then(|position| position.current().sub_game());
    let Some(right) = chess.map(Chess::to_setup) else {
        return Ok(());
    };
    if setup.turn != Side::White {
        return Err(("the attacker, White, moves first".into(), &law::SET_UP));
    }
    if setup.castling != right.castling {
        let words = "castling is possible with each rook set up on its corner, and with no other";
        return Err((words.into(), &law::SUB_GAME));
    }
    Ok(())
}

/// Games inside are over: closes their blocks, and remembers those whose blocks are still to come.
pub(super) fn close_ended(referee: &mut Referee<Over>, brought: &Effects, state: &mut RecordState) {
    for Ended {
        game, outcome, by, ..
    } in brought.all()
    {
        let level = game.len().saturating_sub(1);
        match referee
            .open
            .blocks
            .get_mut(level)
            .filter(|block| game.squares().last() == Some(block.on))
        {
            Some(block) => {
                block.over = Some(*outcome);
                if let Some(game) = state.game_at(level + 1) {
                    game.course
                        .ended
                        .get_or_insert(by.unwrap_or(unexplained(*outcome)));
                }
            }
            None => referee.open.dead.push(*game),
        }
    }
}

pub(super) fn close_sub_game(
    referee: &mut Referee<Over>,
    state: &mut RecordState,
    parser: &Parser<'_>,
) {
    state.block_depth = state.block_depth.saturating_sub(1);
    enter(referee, None, state, parser);
    let here = Over::here(referee);
    let reported = conclude(referee, here, state, parser);
    referee
        .open
        .dead
        .retain(|dead| dead.outer(here.len()) != here);
    let closed = referee.open.blocks.pop();
    referee.own.closed = Some(here);
    referee.line.leave();
    state.unwind(referee.open.blocks.len());
    // A block belongs to its ply: unlike after other interruptions, the next ply needs no new number.
    state.numbered = false;
    state.interrupted = false;
    // The side that moved last in the sub-game has no clock in the game around it.
    state.last.moved = false;
    state.last.refused = None;
    if state.at_main_line() {
        if referee.open.blocks.is_empty() {
            count(referee, closed.map(|block| block.on).zip(reported));
        }
        // If the record ends in the middle of a sub-game, its roles are still needed.
        let open = referee.line.now().position().map_or(0, Over::open);
        referee
            .own
            .roles
            .truncate(open.max(referee.open.blocks.len() + 1));
    }
    settle_roles(referee, state);
}

/// Ends a sub-game, and compares its result with what happened. Returns how it ended; the game around it continues
/// from there.
fn conclude(
    referee: &mut Referee<Over>,
    here: BoardPath,
    state: &mut RecordState,
    parser: &Parser<'_>,
) -> Option<Outcome> {
    let by_moves = referee.open.blocks.last().and_then(|block| block.over);
    state.concluded = GameResult::default();
    if !state.judging {
        return None;
    }
    let ended = verdict::with_offence(state.current.course.ended, &state.current, parser);
    // A result is required even where the moves end the sub-game (OV-16).
    let by_law = |ruling| Ruling {
        rule: &law::SUB_RESULT,
        ..ruling
    };
    let standing: Standing = referee.standing_here(
        if by_moves.is_some() {
            ended.map(by_law)
        } else {
            ended
        },
        state,
    );
    let known = state.findings.len();
    state.concluded = verdict::conclude(state, standing, parser);
    referee.mark(known, state);
    let recorded = state.concluded.outcome();
    if standing.complete
        && state.current.marker.is_none()
        && state.current.plies > 0
        && ended.is_none()
    {
        let message = "the result is missing after the moves of this sub-game: `1-0`, `0-1`, `1/2-1/2` or `*`";
        state.find(
            &code::MISSING_RESULT,
            *parser.place(),
            parser,
            message.into(),
        );
    }
    // If a command and the result differ, the players continued according to the result.
    let outcome = by_moves
        .or(recorded)
        .or(ended.map(|ruling| ruling.outcome))?;
    if by_moves.is_none() {
        // Its end counts in the game around it, but belongs to the state of neither.
        make_end(referee, here, outcome, state);
    }
    Some(outcome)
}

/// Counts a sub-game of the outermost over-game for its winner. In a sub-game White is the attacker.
fn count(referee: &mut Referee<Over>, closed: Option<(Square, Outcome)>) {
    let Some((on, Outcome::Win(winner))) = closed else {
        return;
    };
    if let Some(attacker) = referee
        .own
        .roles
        .first()
        .and_then(|roles| roles.attacker(on))
    {
        let side = if winner == Side::White {
            attacker
        } else {
            attacker.other()
        };
        referee.own.won[side] += 1;
    }
}

/// Updates who leads what, after a sub-game or a consolidation.
pub(super) fn settle_roles(referee: &mut Referee<Over>, state: &RecordState) {
    let level = referee.open.blocks.len();
    let Some(position) = referee
        .line
        .now()
        .position()
        .filter(|_| state.at_main_line())
    else {
        return;
    };
    if let (Some(roles), Some(over)) = (referee.own.roles.get_mut(level), position.level(level)) {
        roles.settle(over);
    }
}

/// `W d1 "Bob"`: from here on Bob holds a role of the over-game being read.
pub(super) fn appoint(
    referee: &mut Referee<Over>,
    arguments: &[u8],
    place: TextSpan,
    state: &mut RecordState,
    parser: &Parser<'_>,
) -> bool {
    let blocks = &referee.open.blocks;
    let (level, begins) = (
        blocks.len(),
        blocks.last().is_some_and(|block| !block.entered),
    );
    let level = if begins { level - 1 } else { level };
    match referee.own.roles.get_mut(level) {
        Some(roles) if begins => roles.appoint_inside(arguments, place),
        Some(roles) => roles.command(arguments, place, state, parser),
        // A game of chess has no roles.
        None => command::appointed(arguments).is_some(),
    }
}

/// A side's set-up in a FEN, or why a piece cannot start on its square.
fn arranged(setup: &Setup, side: Side) -> Result<Arrangement, Reason> {
    const BACK: [Role; 8] = [
        Role::Rook,
        Role::Knight,
        Role::Bishop,
        Role::Queen,
        Role::King,
        Role::Bishop,
        Role::Knight,
        Role::Rook,
    ];
    let mut pieces = Arrangement {
        pawns: 0,
        officers: 0,
    };
    let squares = (0..8).flat_map(|rank| (0..8).map(move |file| Square::new(file, rank)));
    for on in squares {
        let Some(piece) = setup
            .piece_at(on)
            .filter(|piece: &Piece| piece.side == side)
        else {
            continue;
        };
        let rank = if side == Side::White {
            on.rank
        } else {
            7 - on.rank
        };
        match (rank, piece.role) {
            (1, Role::Pawn) => pieces.pawns |= 1 << on.file,
            (0, role) if BACK[usize::from(on.file)] == role => pieces.officers |= 1 << on.file,
            (_, role) => {
                let words = format!(
                    "a {} {} does not start on {on}",
                    side.adjective(),
                    role.name()
                );
                return Err((words, &law::SET_UP));
            }
        }
    }
    if pieces.has_king() {
        Ok(pieces)
    } else {
        Err((format!("{side}'s king starts on the e-file"), &law::SET_UP))
    }
}
