//! What is special about records of Overchess: sub-games in blocks, actions, omitted plies, roles.

use self::{
    action::act_out,
    block::{
        appoint, close_ended, close_sub_game, enter, open_sub_game, report_objections, sub_tag,
    },
    silence::fill_in,
};
use crate::{
    board8::board::{Castling, castling, promotions_of},
    chess::{self, laws as regular},
    one_board::notation::BoardNotation as _,
    overchess::{
        self, Agreed, Due, Effects, Ended, Level, Over, Ply, judge::roles::Roles, laws as law,
    },
};
use overboard_formats::{
    canonical::Canonical,
    command::Command,
    encoding::decode,
    parse::{Event, Open, Verb},
    san::{Alphabet, CHESS, MoveText, Suffix},
    span::TextSpan,
};
use overboard_pictures::diagram::Panel;
use overboard_referee::{
    finding as code,
    game::{
        judge::{Attempt, InnerGame, Judge, Pause, Tried},
        record::Record as _,
    },
    hearing::Hearing,
    numbering::{Unjudged, moment_before, number_of},
    referee::Referee,
};
use overboard_rules::{
    by_side::BySide,
    game::{Game as _, Happening, Refusal, Said, Spelt, Step},
    general as common,
    origin::{likely_origins, standing_acts_from},
    outcome::{Cause, Outcome},
    path::{BoardPath, square},
    ply::{Pattern, StandingAct, Written},
    position::Movegen as _,
    rule::Rule,
    square::{Side, Square},
};
use std::collections::VecDeque;

mod action;
mod alone;
mod attempt;
mod begun;
mod block;
pub mod call_sheet;
mod calls;
mod contained;
mod named;
mod refusal;
mod roles;
mod set_up;
mod silence;

use alone::Alone;
use block::Block;
pub(crate) use calls::calls;
use refusal::attack_number;

/// State of a record of Overchess.
#[derive(Default)]
pub struct Blocks {
    /// Whether the record says what was made of an act that it was broken off in, after which nothing is omitted.
    has_begun: bool,
    /// The action being read, what it says so far, and its place.
    action: Option<(Verb, String, TextSpan)>,
    /// The roles of the over-games that are open in the main line, each inside the one before.
    roles: Vec<Roles>,
    /// Sub-games of the main line that White and Black have won.
    pub won: BySide<u32>,
    /// If they are kept: the positions of the main line in which an over-move is due, each with the number of plies
    /// before it.
    pub moments: VecDeque<(u32, Over)>,
    /// Whether the over-move made last gave check.
    gives_check: bool,
    /// Number and side of the next over-move when everything before it was last settled; `None` at the beginning.
    settled: Option<(u32, Side)>,
    /// The path to the sub-game whose block closed last, until something else is played around it.
    closed: Option<BoardPath>,
    /// The sub-game that closed last of those whose survivors are not known.
    unsure: Option<BoardPath>,
    /// The sub-game being read, if it is judged by itself.
    alone: Option<Box<Alone>>,
    /// Whether a sub-game was fought, so that sub-sets may have lost something.
    has_fought: bool,
}

/// What is open in a line of play.
#[derive(Clone, Default)]
pub struct Nesting {
    /// The sub-games being read, each inside the one before.
    blocks: Vec<Block>,
    /// The sub-games that were over before they had a block, dead at their set-ups (OV-15).
    dead: Vec<BoardPath>,
}

impl Nesting {
    /// Whether the sub-game being read is over.
    fn is_over(&self) -> bool {
        let block = self.blocks.last();
        block.is_some_and(|block| block.over.is_some())
    }
}

/// The roles in the over-game being read, and its position, as far as it is known.
fn roles_here(referee: &mut Referee<Over>) -> Option<(&mut Roles, &Level)> {
    let level = referee.open.blocks.len();
    let over = referee.line.now().position()?.level(level)?;
    Some((referee.own.roles.get_mut(level)?, over))
}

/// The position, if it is known and judged.
fn judged<'r>(hearing: &'r Hearing<'_, Over>) -> Option<&'r Over> {
    if hearing.state.judging.is_on() {
        hearing.referee.position()
    } else {
        None
    }
}

/// Whether the game being read is chess.
fn is_in_chess(referee: &Referee<Over>) -> bool {
    referee.open.blocks.len() == usize::from(referee.options.depth)
}

/// The level of the over-game being read, or of the one that the sub-game of chess belongs to.
fn level(referee: &Referee<Over>) -> usize {
    referee
        .open
        .blocks
        .len()
        .min(usize::from(referee.options.depth) - 1)
}

/// Plays a ply that the record writes as a block, or omits, and closes the blocks of games that it ended.
fn make(hearing: &mut Hearing<'_, Over>, ply: Ply) {
    if hearing.referee.now().is_any() {
        Over::playing(hearing, ply);
        let brought = hearing.play(ply);
        Over::made(hearing, &Step::Ply(ply), &brought);
        hearing.follow_course(true);
    }
}

/// Ends a sub-game other than by its moves.
fn make_end(hearing: &mut Hearing<'_, Over>, at: BoardPath, outcome: Outcome) {
    let event = Happening::Ended(outcome);
    let can_end = |over: &Over| over.sub_game_of(at.len().saturating_sub(1)) == Some(at);
    if !hearing.referee.position().is_some_and(can_end) {
        return;
    }
    let step = Step::Event(at, event);
    keep(hearing, &step);
    if let Some(brought) = hearing.happen(at, event) {
        Over::made(hearing, &step, &brought);
        hearing.follow_course(true);
    }
}

/// Keeps a step in coordinates before it is made, if the options ask for it.
fn keep(hearing: &mut Hearing<'_, Over>, step: &Step<Over>) {
    if hearing.state.acts().is_some() {
        let act = hearing.referee.latest().in_line(step);
        hearing.state.keep_act(&act);
    }
}

/// An over-piece has moved on the board of the game being read: whoever leads it goes with it.
fn move_leader(referee: &mut Referee<Over>, squares: (Square, Square)) {
    let level = referee.open.blocks.len();
    let over = referee.line.now().latest().level(level);
    if let (Some(roles), Some(over)) = (referee.own.roles.get_mut(level), over) {
        roles.moved(squares, over);
    }
}

/// An act on the over-board of the game being read stands: whoever leads a piece goes with it.
fn lead_on(referee: &mut Referee<Over>, standing_act: StandingAct, side: Side) {
    match standing_act {
        StandingAct::Moved { from, to, .. } => move_leader(referee, (from, to)),
        StandingAct::Castled(wing) => {
            let Castling { king, king_to, .. } = castling(side, wing);
            move_leader(referee, (square(king), square(king_to)));
        }
        StandingAct::Dropped { .. } | StandingAct::Passed => {}
    }
}

/// Keeps where an over-move is due and everything before it is settled; of the outermost game also the position, if
/// the options ask for it.
fn keep_moment(hearing: &mut Hearing<'_, Over>) {
    let Some(position) = hearing.referee.line.now().position() else {
        return;
    };
    let is_seen = hearing.state.at_main_line() && !hearing.referee.is_filled_in;
    if !is_seen || position.due() != Due::Over {
        return;
    }
    let level = position.current();
    let due = Some((level.fullmove(), level.turn()));
    let Some(block) = position.open().checked_sub(2) else {
        hearing.referee.own.settled = due;
        if hearing.state.options().moments {
            let moment = (hearing.state.games.whole().plies, position.clone());
            hearing.referee.own.moments.push_back(moment);
        }
        return;
    };
    if let Some(block) = hearing.referee.open.blocks.get_mut(block) {
        block.settled = due;
    }
}

/// The path to the game being read, in words: `over-move 12, sub-game e5`.
fn way(referee: &Referee<Over>) -> String {
    let Some(position) = referee.position() else {
        return String::new();
    };
    let mut steps = Vec::new();
    for (level, block) in referee.open.blocks.iter().enumerate() {
        let attack = position.level(level).map_or(0, attack_number);
        steps.push(format!("over-move {attack}, sub-game {}", block.on));
    }
    steps.join(", ")
}

/// The number of the next move, after the path to its game.
fn move_number(referee: &Referee<Over>) -> String {
    let due = referee
        .position()
        .and_then(|position| position.due_at(Over::here(referee)));
    numbered(referee, due.unwrap_or((1, Side::White)))
}

/// The number of a move in the game being read, after the path to that.
fn numbered(referee: &Referee<Over>, (number, side): (u32, Side)) -> String {
    let number = number_of(number, side);
    if referee.open.blocks.is_empty() {
        number
    } else {
        format!("{}, move {number}", way(referee))
    }
}

/// Whether a sub-game is due but missing; then nothing more is judged.
fn lacks_a_block(hearing: &mut Hearing<'_, Over>, place: TextSpan) -> bool {
    let level = level(hearing.referee);
    let position = hearing.referee.position();
    let Some(on) = position.and_then(|position| contested(position, level)) else {
        return false;
    };
    let is_begun = hearing.referee.own.closed == Some(Over::here(hearing.referee).on(on));
    let message = format!(
        "the sub-game on {on} comes first and is not recorded, or not to its end: the game is not judged from here on"
    );
    let moment = hearing.moment();
    if let Some(finding) = hearing.find(&code::OPEN_PLY, place, message) {
        finding.rule = Some(&law::ATTACK);
        finding.moment = moment;
        if !is_begun {
            finding.possible = blocks_on(on);
        }
    }
    hearing.lose(BoardPath::OUTERMOST, Unjudged::ThisMove);
    true
}

/// The blocks that a sub-game can have of which only the result is known.
fn blocks_on(on: Square) -> Vec<String> {
    let results = ["1-0", "0-1", "1/2-1/2"];
    results.map(|result| format!("<{on}: {result}>")).into()
}

impl Judge for Over {
    type Open = Nesting;
    type Own = Blocks;

    const ALPHABET: &'static Alphabet = &CHESS;
    const SET_UP: &'static Rule = &law::OVER_GAME;
    const END: &'static Rule = &regular::AGREED_END;

    fn form(agreed: &Agreed) -> &'static str {
        overchess::form(agreed.depth)
    }

    fn begin(hearing: &mut Hearing<'_, Self>) {
        let header = hearing.state.header();
        let declared = |over: &Self| Roles::declared(over.outermost(), header, hearing.parser);
        let roles = judged(hearing).map_or_else(Roles::default, declared);
        hearing.referee.own.roles = vec![roles];
        report_objections(hearing, 0);
    }

    /// The innermost sub-games are chess.
    fn inner_game(agreed: &Agreed, around: usize) -> Option<InnerGame> {
        let left = usize::from(agreed.depth).saturating_sub(around);
        Some(InnerGame {
            game: if left == 0 {
                &chess::INFO
            } else {
                &overchess::INFO
            },
            depth: format!("depth={left}"),
        })
    }

    /// The path to the game being read.
    fn here(referee: &Referee<Self>) -> BoardPath {
        let mut path = BoardPath::OUTERMOST;
        for block in &referee.open.blocks {
            path = path.on(block.on);
        }
        path
    }

    /// Also if another game is due.
    fn due_at(&self, at: BoardPath) -> Option<(u32, Side)> {
        let inner = if at.len() < usize::from(self.depth()) {
            let level = self.level(at.len());
            level.map(|level| (level.fullmove(), level.turn()))
        } else {
            let chess = self.current().sub_game();
            chess.map(|chess| (chess.fullmove(), chess.turn()))
        };
        Some(inner.unwrap_or((1, Side::White)))
    }

    fn path(at: BoardPath) -> String {
        overchess::said(&at)
    }

    fn in_words(hearing: &Hearing<'_, Self>, _: BoardPath, text: &str) -> String {
        let number = numbered(hearing.referee, hearing.state.last.number);
        format!("{number} {text}")
    }

    fn unjudged(referee: &Referee<Self>, _: BoardPath, _: Unjudged) -> String {
        move_number(referee)
    }

    fn panel(&self, at: BoardPath) -> Option<Panel> {
        if let Some(chess) = self.chess_at(at) {
            return Some(chess.panel());
        }
        let level = at.len().min(usize::from(self.depth()) - 1);
        let shown = self.level(level).unwrap_or_else(|| self.outermost());
        Some(overchess::panel(shown))
    }

    /// In a sub-game prefixed with the path to it, `2w.d5.7b`; in an over-game the moment after the last completed
    /// over-move.
    fn moment(hearing: &Hearing<'_, Self>) -> Option<String> {
        let position = hearing.referee.latest();
        let blocks = &hearing.referee.open.blocks;
        let Some(last) = blocks.last() else {
            return Some(moment_before(hearing.referee.own.settled));
        };
        let mut steps = Vec::new();
        for block in blocks {
            steps.push(format!("{}.{}", block.after.as_ref()?, block.on));
        }
        let way = steps.join(".");
        let due = match blocks.len() < usize::from(position.depth()) {
            true => last.settled,
            false => position.due_at(Self::here(hearing.referee)),
        };
        match last.over {
            Some(_) => Some(way),
            None => Some(format!("{way}.{}", moment_before(due))),
        }
    }

    fn standing_acts(&self, at: BoardPath, pattern: &Pattern) -> Vec<StandingAct> {
        let origins = match (self.chess_at(at), self.level(at.len())) {
            (Some(chess), _) => likely_origins(chess, pattern),
            (None, Some(level)) => level.likely_origins(pattern),
            (None, None) => Vec::new(),
        };
        standing_acts_from(&origins, pattern, promotions_of(pattern))
    }

    #[inline]
    fn overhear(hearing: &mut Hearing<'_, Self>, event: Event) -> bool {
        hearing.referee.own.alone.is_some() && alone::hear(hearing, event)
    }

    fn bracket(hearing: &mut Hearing<'_, Self>, event: Event) -> Option<Canonical> {
        match event {
            Event::SubgameOpen => open_sub_game(hearing),
            Event::BlockClose(Open::Subgame) => close_sub_game(hearing),
            Event::ActionOpen(verb) => {
                hearing.state.brackets.open();
                hearing.referee.own.action = Some((verb, String::new(), hearing.place()));
            }
            Event::Argument => {
                let word = decode(hearing.text()).0;
                if let Some((_, said, _)) = &mut hearing.referee.own.action {
                    said.push_str(if word == ":" { "" } else { " " });
                    said.push_str(&word);
                }
            }
            Event::BlockClose(Open::Action) => {
                hearing.state.brackets.close();
                act_out(hearing);
            }
            Event::Tag => sub_tag(hearing),
            _ => hearing.unexpected(event),
        }
        None
    }

    fn result_inside(hearing: &mut Hearing<'_, Self>) -> Option<Option<Canonical>> {
        if hearing.referee.open.blocks.is_empty() {
            return None;
        }
        enter(hearing, Some(Said::Draw));
        hearing.state.result(hearing.parser);
        Some(None)
    }

    fn settle(hearing: &mut Hearing<'_, Self>, _: Pause) {
        fill_in(hearing, None);
    }

    fn close_rav(hearing: &mut Hearing<'_, Self>) {
        hearing
            .state
            .games
            .unwind(hearing.referee.open.blocks.len());
    }

    fn open_in_variation(open: &Nesting) -> Nesting {
        Nesting {
            blocks: open.blocks.iter().map(Block::outside).collect(),
            dead: Vec::new(),
        }
    }

    /// Nothing is played on an over-board while a sub-game is due there.
    fn address(hearing: &mut Hearing<'_, Self>) -> Option<BoardPath> {
        let at = Self::here(hearing.referee);
        hearing.state.last.number = hearing
            .referee
            .latest()
            .due_at(at)
            .unwrap_or(hearing.state.last.number);
        let is_asked = !is_in_chess(hearing.referee)
            && judged(hearing).is_some()
            && !hearing.is_past_the_end(at);
        if is_asked && !hearing.referee.open.is_over() {
            lacks_a_block(hearing, hearing.state.last.place);
        }
        Some(at)
    }

    fn begin_ply(hearing: &mut Hearing<'_, Self>) {
        enter(hearing, Some(Said::Unreadable));
        hearing.count_ply();
        hearing.referee.line.remember();
    }

    /// No ply is possible in a game that is over.
    fn bars(_: &Blocks, open: &Nesting, _: &Self, at: BoardPath) -> Option<Box<Refusal<Self>>> {
        let block = open.blocks.last()?;
        block.over?;
        let words = format!("the sub-game on {} had ended", block.on);
        Some(Box::new(Refusal::new(words, &common::ENDED, at)))
    }

    fn captures(&self, ply: Ply) -> bool {
        match ply {
            Ply::Over(m) => self.current().captures(m),
            Ply::Sub(m) => {
                let chess = self.current().sub_game();
                chess.is_some_and(|chess| chess.captures(m))
            }
            _ => false,
        }
    }

    fn canonical(&self, ply: Ply) -> Canonical {
        let (at, spelt) = self.spell(ply);
        let written = if let Spelt::Ply(written) = spelt {
            written
        } else {
            Written::Pass
        };
        let coordinates = match ply {
            Ply::Sub(m) => chess::coordinates(m),
            _ => MoveText::from(&overchess::own_coordinates(self, &ply)).unwrap_or_default(),
        };
        let (number, side) = self.due_at(at).unwrap_or((1, Side::White));
        Canonical {
            written,
            suffix: Suffix::None,
            side,
            number,
            coordinates,
            act: None,
            board: None,
            path: BoardPath::OUTERMOST,
        }
    }

    fn sign(referee: &Referee<Self>, ply: Ply, brought: &Effects) -> Suffix {
        let over = referee.latest();
        let own = referee.open.blocks.len();
        let ended = brought.all().iter().find(|ended| ended.game.len() == own);
        let by = match (ply, over.level(own)) {
            (Ply::Over(_), Some(level)) => level.end_by_itself(),
            (Ply::Over(_) | Ply::Sub(_), _) => ended.and_then(|ended| ended.by),
            _ => return Suffix::None,
        };
        if by.is_some_and(|ruling| ruling.cause == Cause::Checkmate) {
            return Suffix::Mate;
        }
        match (ply, ended, over.current().sub_game()) {
            (Ply::Over(_), ..) if referee.own.gives_check => Suffix::Check,
            (Ply::Sub(_), Some(Ended { check: true, .. }), _) => Suffix::Check,
            (Ply::Sub(_), None, Some(chess)) => chess.suffix(),
            _ => Suffix::None,
        }
    }

    #[inline]
    fn playing(hearing: &mut Hearing<'_, Self>, ply: Ply) {
        if hearing.state.acts().is_some() {
            keep(hearing, &Step::Ply(ply));
        }
        if let Ply::Over(m) = ply {
            let gives_check = hearing.referee.latest().current().gives_check(m);
            hearing.referee.own.gives_check = gives_check;
        }
    }

    fn made(hearing: &mut Hearing<'_, Self>, step: &Step<Self>, brought: &Effects) {
        if let Step::Event(_, Happening::Stood(standing_act)) = *step {
            // A line of coordinates cannot express it.
            hearing.state.give_up_acts();
            if !is_in_chess(hearing.referee) {
                let (_, side) = hearing.state.last.number;
                lead_on(hearing.referee, standing_act, side);
            }
        }
        if let Step::Ply(Ply::Over(m)) = *step {
            let here = Self::here(hearing.referee);
            hearing
                .referee
                .open
                .dead
                .retain(|dead| dead.outer(dead.len().saturating_sub(1)) != here);
            hearing.referee.own.closed = None;
            if hearing.state.at_main_line() {
                move_leader(hearing.referee, (m.from(), m.to()));
                contained::after_over_move(hearing);
            }
        }
        close_ended(hearing, brought);
        keep_moment(hearing);
    }

    fn offer(&self, refusal: &Refusal<Self>) -> Vec<String> {
        refusal::offer(self, refusal)
    }

    fn command(
        hearing: &mut Hearing<'_, Self>,
        command: &Command<'_>,
        place: TextSpan,
    ) -> Option<bool> {
        if !hearing.referee.now().is_any() {
            return None;
        }
        match command.name {
            b"player" => Some(appoint(hearing, command.arguments, place)),
            b"begun" => Some(begun::begin(hearing, command.arguments, place)),
            // What was played from here on in this game is on no sheet.
            b"unseen" => {
                hearing.lose(BoardPath::OUTERMOST, Unjudged::NextMove);
                Some(true)
            }
            _ => None,
        }
    }

    fn attempted(
        hearing: &mut Hearing<'_, Self>,
        _: Side,
        at: BoardPath,
        tried: Tried<'_>,
    ) -> Option<Attempt> {
        let Tried::Text(text) = tried else {
            return None;
        };
        let action = attempt::of_an_action(hearing, at, text);
        action.or_else(|| attempt::after_silence(hearing, at, text))
    }

    fn side_at_end(referee: &Referee<Self>) -> Option<Side> {
        let position = referee.latest();
        match referee.open.blocks.is_empty() {
            true => Some(position.actor()),
            false => position.due_at(Self::here(referee)).map(|(_, side)| side),
        }
    }
}

/// The square of the sub-game that is due or being played in an over-game; level 0 is the outermost.
fn contested(over: &Over, level: usize) -> Option<Square> {
    if over.open() > level + 1 {
        return Some(over.level(level)?.contested().next()?.to);
    }
    match over.due() {
        Due::Sub(on) | Due::Setup(on, _) if over.open() == level + 1 => Some(on),
        _ => None,
    }
}
