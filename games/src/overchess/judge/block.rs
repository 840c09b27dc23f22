//! Sub-games in blocks: their set-ups, their results, their states.

use super::{
    Alone, Over, blocks_on, contained, contested, is_in_chess, judged, level, make_end,
    refusal::{Reason, Refused, refuse_act},
    roles_here,
    set_up::judge_set_up,
    silence::fill_in,
    way,
};
use crate::overchess::{
    self, Effects, Ended,
    judge::roles::{Inside, Roles},
    laws as law, team_in,
};
use overboard_formats::{command, encoding::decode, span::TextSpan};
use overboard_referee::{
    finding as code,
    game::judge::Judge as _,
    hearing::Hearing,
    numbering::{Unjudged, moment_before},
    record_state::RecordState,
    referee::{Referee, StateAtEnd},
    report::GameResult,
    verdict,
};
use overboard_rules::{
    game::Said,
    general as common,
    outcome::{Cause, Outcome, Ruling},
    path::BoardPath,
    rule::Rule,
    square::{Role, Side, Square},
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
    pub entered: bool,
    /// Whether it is judged by itself, so that the game around it has nothing to say about its end.
    pub is_alone: bool,
    /// Whether the game around it can be judged on after it, even if something in it cannot be judged.
    pub is_contained: bool,
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
            is_alone: false,
            is_contained: false,
            over: None,
        }
    }

    /// The sub-game on a square that was drawn without a move.
    fn dead(on: Square) -> Self {
        Self {
            on,
            over: Some(Outcome::Draw),
            ..Self::on(on)
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

pub(super) fn open_sub_game(hearing: &mut Hearing<'_, Over>) {
    let place = hearing.place();
    let label = decode(hearing.parser.text(place.span)).0;
    if is_in_chess(hearing.referee) {
        return refuse_in_chess(hearing, &label, place);
    }
    let named = overchess::square_named(&label).or_else(|| small_letter(hearing, &label, place));
    let on = named.unwrap_or(Square::new(0, 0));
    let here = Over::here(hearing.referee).on(on);
    let around = hearing.referee.open.blocks.len();
    let (mut dead, mut alone) = (None, None);
    if named.is_some() {
        let open = &hearing.referee.open;
        dead = open.dead.iter().position(|dead| *dead == here);
        alone = Alone::opening(hearing, around);
    }
    // A sub-game that is dead at its set-up is settled after its block, so no plies are omitted before it.
    if dead.is_none() {
        enter(hearing, Some(Said::Unreadable));
    }
    hearing.state.brackets.open();
    hearing.state.numbers.interrupt();
    if dead.is_none() && judged(hearing).is_some() {
        judge_block(hearing, on, named, place);
    }
    let is_contained = contained::can_be(hearing);
    if contained::depends_on_another(hearing, on) {
        hearing.lose(BoardPath::OUTERMOST, Unjudged::ThisMove);
        alone = Alone::opening(hearing, around);
    }
    if let Some(alone) = alone {
        // What stands is a matter of the game that it was made in.
        hearing.referee.refused = None;
        hearing.referee.own.alone = Some(Box::new(alone));
    }
    let is_any = hearing.referee.now().is_any();
    if hearing.state.at_main_line()
        && let Some(roles) = hearing.referee.own.roles.get_mut(around)
    {
        roles.open(if is_any { named } else { None });
    }
    let after = attack_before(hearing.referee, on);
    hearing.state.games.enter(overchess::said(&here));
    hearing.referee.line.enter();
    match dead {
        Some(at) => {
            hearing.referee.open.dead.remove(at);
            hearing.referee.open.blocks.push(Block::dead(on));
            hearing.state.course_mut().ended = Some(unexplained(Outcome::Draw));
        }
        None => hearing.referee.open.blocks.push(Block {
            after,
            is_contained,
            ..Block::on(on)
        }),
    }
}

/// A game of chess has no sub-games: nothing in the block is judged.
fn refuse_in_chess(hearing: &mut Hearing<'_, Over>, label: &str, place: TextSpan) {
    if judged(hearing).is_some() {
        let words = "a sub-game of chess holds no sub-games".to_string();
        let refused = Refused::of((words, &law::SUB_GAME));
        refuse_act(hearing, &format!("<{label}:"), refused, place);
    }
    hearing.state.brackets.open_foreign();
}

/// The over-move that a sub-game follows in the record, if it is due, as [`Block::after`] has it.
fn attack_before(referee: &Referee<Over>, on: Square) -> Option<String> {
    let level = referee.position()?.level(referee.open.blocks.len())?;
    if !level.contested().any(|contest| contest.to == on) {
        return None;
    }
    Some(moment_before(Some((level.fullmove(), level.turn()))))
}

/// Reads the square of a label with an upper-case letter, `<D5:`, and reports the letter.
fn small_letter(hearing: &mut Hearing<'_, Over>, label: &str, place: TextSpan) -> Option<Square> {
    let small = label.to_lowercase();
    let on = overchess::square_named(&small)?;
    if judged(hearing).is_some() {
        let message = format!(
            "the square of a sub-game is written with a small letter: `<{small}:`, not `<{label}:`"
        );
        hearing.find(&code::BAD_TOKEN, place, message);
        hearing.lose(BoardPath::OUTERMOST, Unjudged::ThisMove);
    }
    Some(on)
}

/// Reports a block on a square where no sub-game is due, or in a game that is over.
fn judge_block(
    hearing: &mut Hearing<'_, Over>,
    on: Square,
    named: Option<Square>,
    place: TextSpan,
) {
    let here = Over::here(hearing.referee);
    if hearing.is_past_the_end(here) {
        return hearing.report_past_the_end(here, place);
    }
    let Some(position) = hearing.referee.position() else {
        return;
    };
    let refused = match contested(position, level(hearing.referee)) {
        Some(due) if Some(due) == named => return,
        Some(due) => {
            let rule: &'static Rule = if position.rules().fog {
                &law::FOG_ORDER
            } else {
                &law::ATTACK
            };
            Refused {
                possible: blocks_on(due),
                ..Refused::of((format!("the sub-game on {due} is due"), rule))
            }
        }
        None if hearing.referee.own.closed == Some(here.on(on)) => {
            Refused::of((format!("the sub-game on {on} had ended"), &common::ENDED))
        }
        None => Refused::of(no_block_here(hearing, on)),
    };
    refuse_act(hearing, &format!("<{on}:"), refused, place);
}

/// Why no sub-game is due on a square, in an over-game where none is due anywhere.
fn no_block_here(hearing: &Hearing<'_, Over>, on: Square) -> Reason {
    let none_is_due = ("no sub-game is due".to_string(), &law::ATTACK as &Rule);
    let Some(over) = hearing.referee.latest().level(level(hearing.referee)) else {
        return none_is_due;
    };
    if over.contested().any(|contest| contest.to == on) {
        let side = over.turn();
        let words = format!("the sub-game on {on} is played only after {side}'s next over-move");
        return (words, &law::FOG);
    }
    match over.piece_at(on) {
        Some(over) if over.piece.role == Role::King => {
            let side = over.piece.side.adjective();
            let words =
                format!("the {side} over-king on {on} plays no sub-game: it captures as in chess");
            (words, &law::KING)
        }
        _ => none_is_due,
    }
}

pub(super) fn sub_tag(hearing: &mut Hearing<'_, Over>) {
    hearing.state.tag(hearing.parser);
    let around = hearing.referee.open.blocks.len().saturating_sub(1);
    if hearing.state.at_main_line()
        && !hearing.referee.open.blocks.is_empty()
        && let Some(roles) = hearing.referee.own.roles.get_mut(around)
    {
        roles.tag(hearing.parser);
    }
}

/// Called at the first thing other than a tag in the game being read: the tags of a sub-game are complete, and its
/// set-ups are made.
pub(super) fn enter(hearing: &mut Hearing<'_, Over>, said: Option<Said<'_, Over>>) {
    let mut inside = None;
    if let Some(block) = hearing.referee.open.blocks.last_mut()
        && !std::mem::replace(&mut block.entered, true)
    {
        inside = begin_block(hearing);
    }
    if said.is_some() {
        fill_in(hearing, said);
    }
    begin_roles(hearing, inside);
}

/// The tags of a sub-game are complete: checks them and makes its set-ups.
#[cold]
fn begin_block(hearing: &mut Hearing<'_, Over>) -> Option<Inside> {
    let inside = Over::inner_game(&hearing.referee.options, hearing.state.games.around());
    hearing.state.check_tags(inside, hearing.parser);
    judged(hearing)?;
    let inside = judge_players(hearing);
    if let Some((fen, place)) = hearing.state.fen_tag(hearing.parser) {
        judge_set_up(hearing, &fen, place);
    }
    inside
}

/// Checks who plays the sub-game, and the roles in it.
fn judge_players(hearing: &mut Hearing<'_, Over>) -> Option<Inside> {
    if !hearing.state.at_main_line() {
        return None;
    }
    let around = hearing.referee.open.blocks.len().checked_sub(1)?;
    let way = way(hearing.referee);
    let inside = hearing.referee.own.roles.get_mut(around)?.judge(&way);
    report_objections(hearing, around);
    inside
}

/// A sub-game that is itself Overchess begins with its roles.
fn begin_roles(hearing: &mut Hearing<'_, Over>, inside: Option<Inside>) {
    let Some(inside) = inside else { return };
    let level = hearing.referee.open.blocks.len();
    let position = hearing.referee.position();
    let is_over = hearing.referee.open.is_over();
    let roles = match position.and_then(|position| position.level(level)) {
        Some(position) => Roles::within(position, inside),
        // Dead at its set-up: the kings alone were left.
        None if is_over && !is_in_chess(hearing.referee) => Roles::within_bare_kings(inside),
        None => return,
    };
    hearing.referee.own.roles.truncate(level);
    hearing.referee.own.roles.push(roles);
    report_objections(hearing, level);
}

/// Reports what is wrong with the roles of an over-game; level 0 is the outermost.
pub(super) fn report_objections(hearing: &mut Hearing<'_, Over>, level: usize) {
    let parser = hearing.parser;
    let Some(roles) = hearing.referee.own.roles.get_mut(level) else {
        return;
    };
    for objection in std::mem::take(&mut roles.objections) {
        let found = hearing.find(objection.code, objection.place, objection.words);
        let Some(finding) = found else { continue };
        finding.rule = Some(objection.rule);
        if let Some((place, words)) = objection.since {
            RecordState::explain_by(finding, Some(place), &words, parser);
        }
    }
}

/// Games inside are over: closes their blocks, and remembers those whose blocks are still to come.
pub(super) fn close_ended(hearing: &mut Hearing<'_, Over>, brought: &Effects) {
    for Ended {
        game, outcome, by, ..
    } in brought.all()
    {
        let level = game.len().saturating_sub(1);
        let open = &mut hearing.referee.open;
        match open.blocks.get_mut(level) {
            Some(block) if game.squares().last() == Some(block.on) => {
                block.over = Some(*outcome);
                if let Some(game) = hearing.state.games.with_around(level + 1)
                    && game.course.ended.is_none()
                {
                    game.course.ended = Some(by.unwrap_or(unexplained(*outcome)));
                }
            }
            _ => open.dead.push(*game),
        }
    }
}

pub(super) fn close_sub_game(hearing: &mut Hearing<'_, Over>) {
    hearing.state.brackets.close();
    enter(hearing, None);
    let here = Over::here(hearing.referee);
    let block = hearing.referee.open.blocks.last();
    let is_alone = block.is_some_and(|block| block.is_alone);
    let contained = contained::go_on(hearing);
    let outcome = if is_alone {
        end_as_recorded(hearing, here)
    } else {
        conclude(hearing, here)
    };
    contained::settle(hearing, contained, outcome);
    hearing.referee.own.has_fought = true;
    let open = &mut hearing.referee.open;
    open.dead.retain(|dead| dead.outer(here.len()) != here);
    let closed = open.blocks.pop();
    hearing.referee.own.closed = Some(here);
    hearing.referee.line.leave();
    hearing
        .state
        .games
        .unwind(hearing.referee.open.blocks.len());
    // A block belongs to its ply: unlike after other interruptions, the next ply needs no new number.
    hearing.state.numbers.pass();
    // The side that moved last in the sub-game has no clock in the game around it.
    hearing.state.last.moved = false;
    hearing.state.last.refused = None;
    if hearing.state.at_main_line() {
        if hearing.referee.open.blocks.is_empty()
            && let (Some(block), Some(outcome)) = (closed, outcome)
        {
            count(hearing.referee, block.on, outcome);
        }
        // If the record ends in the middle of a sub-game, its roles are still needed.
        let open = hearing.referee.position().map_or(0, Over::open);
        hearing
            .referee
            .own
            .roles
            .truncate(open.max(hearing.referee.open.blocks.len() + 1));
    }
    settle_roles(hearing);
    contained::take_nothing(hearing);
}

/// Ends a sub-game, and compares its result with what happened. Returns how it ended; the game around it continues
/// from there.
fn conclude(hearing: &mut Hearing<'_, Over>, here: BoardPath) -> Option<Outcome> {
    let block = hearing.referee.open.blocks.last();
    let by_moves = block.and_then(|block| block.over);
    hearing.state.games.conclude(GameResult::default());
    if !hearing.state.judging.is_on() {
        return None;
    }
    let ended = verdict::with_offence(
        hearing.state.course().ended,
        hearing.state.games.current(),
        hearing.parser,
    );
    let mut by_law = ended;
    if by_moves.is_some()
        && let Some(ruling) = &mut by_law
    {
        // A result is required even where the moves end the sub-game (OV-16).
        ruling.rule = &law::SUB_RESULT;
    }
    let standing: StateAtEnd = hearing.standing_here(by_law);
    let known = hearing.state.findings.len();
    let concluded = hearing.state.conclude(standing, hearing.parser);
    let recorded = concluded.outcome();
    hearing.state.games.conclude(concluded);
    hearing.mark(known);
    if standing.complete
        && hearing.state.games.current().marker.is_none()
        && hearing.state.games.current().plies > 0
        && ended.is_none()
        && !hearing.state.options().limits.so_far
    {
        let message = "the result is missing after the moves of this sub-game: `1-0`, `0-1`, `1/2-1/2` or `*`";
        hearing.find(&code::MISSING_RESULT, hearing.place(), message.into());
    }
    // If a command and the result differ, the players continued according to the result.
    let outcome = by_moves
        .or(recorded)
        .or(ended.map(|ruling| ruling.outcome))?;
    if by_moves.is_none() {
        // Its end counts in the game around it, but belongs to the state of neither.
        make_end(hearing, here, outcome);
    }
    Some(outcome)
}

/// Ends a sub-game that was judged by itself, if the game around it goes on. Returns how it ended.
fn end_as_recorded(hearing: &mut Hearing<'_, Over>, here: BoardPath) -> Option<Outcome> {
    if !hearing.referee.now().is_any() {
        return None;
    }
    let outcome = hearing.state.games.concluded().outcome()?;
    make_end(hearing, here, outcome);
    Some(outcome)
}

/// Counts a sub-game of the outermost over-game for its winner. In a sub-game White is the attacker.
fn count(referee: &mut Referee<Over>, on: Square, outcome: Outcome) {
    if let Outcome::Win(winner) = outcome
        && let Some(roles) = referee.own.roles.first()
        && let Some(attacker) = roles.attacker(on)
    {
        referee.own.won[team_in(winner, attacker)] += 1;
    }
}

/// Updates who leads what, after a sub-game or a consolidation.
pub(super) fn settle_roles(hearing: &mut Hearing<'_, Over>) {
    if !hearing.state.at_main_line() {
        return;
    }
    if let Some((roles, over)) = roles_here(hearing.referee) {
        roles.settle(over);
    }
}

/// `W d1 "Bob"`: from here on Bob holds a role of the over-game being read.
pub(super) fn appoint(hearing: &mut Hearing<'_, Over>, arguments: &[u8], place: TextSpan) -> bool {
    let blocks = &hearing.referee.open.blocks;
    let begins = blocks.last().is_some_and(|block| !block.entered);
    let level = blocks.len() - usize::from(begins);
    let Some(roles) = hearing.referee.own.roles.get_mut(level) else {
        // A game of chess has no roles.
        return command::appointed(arguments).is_some();
    };
    if begins {
        return roles.appoint_inside(arguments, place);
    }
    let understood = roles.command(arguments, place);
    report_objections(hearing, level);
    understood
}
