//! What records of Overchess have of their own: sub-games in blocks, actions, what is left out, roles.

use super::{Desk, Unjudged, moment_before, number_of, referee::Referee, roles::Roles};
use crate::{finding as code, judged::Judged};
use overboard_formats::{
    canonical::Canonical,
    command::Command,
    encoding::decode,
    parse::{Event, Open, Parser, Verb},
    san::{Alphabet, CHESS, MoveText, Suffix},
    span::Place,
};
use overboard_games::{
    chess::{self, Chess},
    coordinates::overs,
    game_notation::Read,
    notation::Notation as _,
    overchess::{self, Agreed, Due, Effects, Ended, Level, Over, Ply, laws as law},
};
use overboard_pictures::diagram::Panel;
use overboard_rules::{
    game::{Game as _, Happening, Refusal, Said, Spelt, Step},
    general as common,
    origin::only_origin,
    outcome::{Cause, Outcome, Ruling},
    path::BoardPath,
    ply::{Pattern, Written},
    position::{DrawLaw as _, Movegen as _},
    rule::Rule,
    square::{Role, Side, Square},
};
use std::collections::VecDeque;

mod action;
mod block;
mod calls;
mod named;
mod refusal;
mod silence;

use block::Block;
use refusal::attack_number;

/// What is kept of a record of Overchess.
#[derive(Default)]
pub(crate) struct Blocks {
    /// The action being read, what it says so far, and where.
    action: Option<(Verb, String, Place)>,
    /// The roles of the over-games that are open in the main line, each inside the one before.
    roles: Vec<Roles>,
    /// Sub-games of the main line that White and Black have won.
    pub won: [u32; 2],
    /// Positions of the main line in which an over-move is due, each with the plies before it, where they are kept.
    pub moments: VecDeque<(u32, Over)>,
    /// Whether the over-move made last is castling.
    castles: bool,
    /// Number and side of the over-move that was due when all before it was last settled; `None` at the beginning.
    settled: Option<(u32, Side)>,
    /// The way to the sub-game whose block closed last, while nothing else was played around it.
    closed: Option<BoardPath>,
}

/// What is open in a line of play.
#[derive(Clone, Default)]
pub(crate) struct Nesting {
    /// The sub-games being read, each inside the one before.
    blocks: Vec<Block>,
    /// The sub-games that were over before any block of theirs, dead at their set-ups (OV-15).
    dead: Vec<BoardPath>,
}

impl Referee<Over> {
    /// The position, where it is known and judged.
    fn judged(&self, desk: &Desk) -> Option<&Over> {
        self.line.now().position().filter(|_| desk.judging)
    }

    /// Whether the game being read is chess.
    fn is_in_chess(&self) -> bool {
        self.open.blocks.len() == usize::from(self.options.depth)
    }

    /// The over-game that is read, or that the sub-game of chess belongs to.
    fn level(&self) -> usize {
        self.open.blocks.len().min(usize::from(self.options.depth) - 1)
    }

    /// Plays what a record says by a block, or leaves out. Blocks of games that it has ended are over.
    fn make(&mut self, ply: Ply, desk: &mut Desk) {
        if self.line.now().is_any() {
            Over::playing(self, ply, desk);
            let brought = self.play(ply, desk);
            Over::made(self, Some(ply), &brought, desk);
            self.follow_course(true, desk);
        }
    }

    /// Ends a sub-game by what its moves do not bring about.
    fn make_end(&mut self, at: BoardPath, outcome: Outcome, desk: &mut Desk) {
        let event = Happening::Ended(outcome);
        let can_end = |over: &Over| over.sub_game_of(at.len().saturating_sub(1)) == Some(at);
        if !self.line.now().position().is_some_and(can_end) {
            return;
        }
        self.keep(&Step::Event(at, event), desk);
        if let Some(brought) = self.happen(at, event, desk) {
            Over::made(self, None, &brought, desk);
            self.follow_course(true, desk);
        }
    }

    /// Keeps a step that is about to be made, in coordinates, where the options ask for it.
    fn keep(&self, step: &Step<Over>, desk: &mut Desk) {
        if desk.deeds.is_some() {
            desk.keep_deed(&overs::text(self.line.now().latest(), step));
        }
    }

    /// Keeps the position where an over-move of the outermost game is due, and all before it is settled.
    fn keep_moment(&mut self, desk: &Desk) {
        let Some(position) = self.line.now().position().filter(|_| desk.at_main_line()) else { return };
        if position.is_between_turns() {
            let level = position.outermost();
            self.own.settled = Some((level.fullmove(), level.turn()));
            if desk.options.moments {
                self.own.moments.push_back((desk.whole().plies, position.clone()));
            }
        }
    }

    /// `over-move 12, sub-game e5`: the way to the game being read, in words.
    fn way(&self) -> String {
        let Some(position) = self.line.now().position() else { return String::new() };
        let steps = self.open.blocks.iter().enumerate().map(|(level, block)| {
            let attack = position.level(level).map_or(0, attack_number);
            format!("over-move {attack}, sub-game {}", block.on)
        });
        steps.collect::<Vec<_>>().join(", ")
    }

    /// The number of the move to come, after the way to its game.
    fn move_number(&self) -> String {
        let due = self.line.now().position().and_then(|position| position.due_at(Over::here(self)));
        let (number, side) = due.unwrap_or((1, Side::White));
        let number = number_of(number, side);
        if self.open.blocks.is_empty() { number } else { format!("{}, move {number}", self.way()) }
    }

    /// Whether a sub-game is to be played first and is not there; then nothing is judged any more.
    fn lacks_a_block(&mut self, place: Place, desk: &mut Desk, parser: &Parser<'_>) -> bool {
        let level = self.level();
        let due = self.line.now().position().and_then(|position| contested(position, level));
        let Some(on) = due else { return false };
        let message = format!(
            "the sub-game on {on} comes first and is not recorded, or not to its end: the game is not judged from here onwards"
        );
        let moment = self.moment(desk);
        if let Some(finding) = desk.find(&code::OPEN_PLY, place, parser, message) {
            finding.rule = Some(&law::ATTACK);
            finding.moment = moment;
        }
        self.lose(BoardPath::OUTERMOST, Unjudged::ThisMove, desk);
        true
    }
}

impl Judged for Over {
    type Open = Nesting;
    type Own = Blocks;
    /// The sign of an over-move as far as it is seen beforehand.
    type Memo = Suffix;

    const ALPHABET: &'static Alphabet = &CHESS;
    const SET_UP: &'static Rule = &law::OVER_GAME;

    fn read_fen(agreed: &Agreed, fen: &str) -> Read<Self> {
        overchess::read(fen, agreed.depth, agreed.rules)
    }

    fn form(agreed: &Agreed) -> &'static str {
        overchess::form(agreed.depth)
    }

    fn begin(table: &mut Referee<Self>, desk: &mut Desk, parser: &Parser<'_>) {
        let position = table.judged(desk);
        let mut roles = Roles::default();
        roles.start(position.map(Self::outermost), desk, parser);
        table.own.roles = vec![roles];
    }

    /// The way to the game being read.
    fn here(table: &Referee<Self>) -> BoardPath {
        table.open.blocks.iter().fold(BoardPath::OUTERMOST, |path, block| path.on(block.on))
    }

    /// Also where another game is due.
    fn due_at(&self, at: BoardPath) -> Option<(u32, Side)> {
        if at.len() < usize::from(self.depth()) {
            let level = self.level(at.len());
            return Some(level.map_or((1, Side::White), |level| (level.fullmove(), level.turn())));
        }
        let chess = self.current().sub_game();
        Some(chess.map_or((1, Side::White), |chess| (chess.fullmove(), chess.turn())))
    }

    fn path(_: &Referee<Self>, at: BoardPath) -> String {
        overchess::said(&at)
    }

    fn told(table: &Referee<Self>, _: BoardPath, text: &str, desk: &Desk) -> String {
        let (number, side) = desk.last.number;
        let way =
            if table.open.blocks.is_empty() { String::new() } else { format!("{}, move ", table.way()) };
        format!("{way}{} {text}", number_of(number, side))
    }

    fn unjudged(table: &Referee<Self>, _: BoardPath, _: Unjudged) -> String {
        table.move_number()
    }

    fn panel(&self, at: BoardPath) -> Option<Panel> {
        match self.current().sub_game() {
            Some(chess) if at.len() == usize::from(self.depth()) => Some(chess.panel()),
            _ => {
                let level = at.len().min(usize::from(self.depth()) - 1);
                Some(overchess::panel(self.level(level).unwrap_or_else(|| self.outermost())))
            }
        }
    }

    /// In a sub-game after the way to it, `2w.d5.7b`; in the over-game where all that belongs to the last over-move was done.
    fn moment(table: &Referee<Self>, _: &Desk) -> Option<String> {
        let position = table.line.now().latest();
        let blocks = &table.open.blocks;
        let Some(last) = blocks.last() else { return Some(moment_before(table.own.settled)) };
        let steps = blocks.iter().map(|block| Some(format!("{}.{}", block.attack.as_ref()?, block.on)));
        let way = steps.collect::<Option<Vec<_>>>()?.join(".");
        match last.over {
            Some(_) => Some(way),
            None => Some(format!("{way}.{}", moment_before(position.due_at(Self::here(table))))),
        }
    }

    fn is_in_check(&self, at: BoardPath) -> bool {
        match self.current().sub_game() {
            Some(chess) if at.len() == usize::from(self.depth()) => chess.in_check(),
            _ => self.level(at.len()).is_some_and(|level| level.in_check() && level.due() == Due::Over),
        }
    }

    fn origin(&self, at: BoardPath, pattern: &Pattern) -> Option<Square> {
        match self.current().sub_game() {
            Some(chess) if at.len() == usize::from(self.depth()) => only_origin(chess, pattern),
            _ => self.level(at.len())?.only_origin(pattern),
        }
    }

    fn bracket(
        table: &mut Referee<Self>,
        event: Event,
        desk: &mut Desk,
        parser: &Parser<'_>,
    ) -> Option<Canonical> {
        match event {
            Event::SubgameOpen => table.open_sub_game(event, desk, parser),
            Event::BlockClose(Open::Subgame) => table.close_sub_game(desk, parser),
            Event::ActionOpen(verb) => {
                desk.block_depth += 1;
                table.own.action = Some((verb, String::new(), *parser.place()));
            }
            Event::Argument => {
                if let Some((_, said, _)) = &mut table.own.action {
                    let word = decode(parser.text(parser.place().span)).0;
                    said.push_str(if word == ":" { "" } else { " " });
                    said.push_str(&word);
                }
            }
            Event::BlockClose(Open::Action) => {
                desk.block_depth = desk.block_depth.saturating_sub(1);
                table.act_out(desk, parser);
            }
            _ => table.foreign(event, desk, parser),
        }
        None
    }

    fn tag(table: &mut Referee<Self>, desk: &mut Desk, parser: &Parser<'_>) {
        table.sub_tag(desk, parser);
    }

    fn result_inside(
        table: &mut Referee<Self>,
        desk: &mut Desk,
        parser: &Parser<'_>,
    ) -> Option<Option<Canonical>> {
        if table.open.blocks.is_empty() {
            return None;
        }
        table.enter(Some(Said::Draw), desk, parser);
        desk.result(parser);
        Some(None)
    }

    fn settle(table: &mut Referee<Self>, desk: &mut Desk, parser: &Parser<'_>) {
        table.fill_in(None, desk, parser);
    }

    fn close_rav(table: &mut Referee<Self>, desk: &mut Desk) {
        desk.unwind(table.open.blocks.len());
    }

    fn open_in_variation(open: &Nesting) -> Nesting {
        Nesting { blocks: open.blocks.iter().map(Block::outside).collect(), dead: Vec::new() }
    }

    /// Nothing is played on an over-board before a sub-game that is due there.
    fn address(table: &mut Referee<Self>, desk: &mut Desk, parser: &Parser<'_>) -> Option<BoardPath> {
        let at = Self::here(table);
        desk.last.number = table.line.now().latest().due_at(at).unwrap_or(desk.last.number);
        let is_asked =
            !table.is_in_chess() && table.judged(desk).is_some() && !table.is_past_the_end(at, desk);
        if is_asked && table.open.blocks.last().is_none_or(|block| block.over.is_none()) {
            table.lacks_a_block(desk.last.place, desk, parser);
        }
        Some(at)
    }

    fn begin_ply(table: &mut Referee<Self>, desk: &mut Desk, parser: &Parser<'_>) {
        table.enter(Some(Said::Unreadable), desk, parser);
        table.count_ply(desk);
        table.line.remember();
    }

    /// In a game that is over nothing is played.
    fn bars(_: &Blocks, open: &Nesting, _: &Self, at: BoardPath) -> Option<Box<Refusal<Self>>> {
        let block = open.blocks.last().filter(|block| block.over.is_some())?;
        let words = format!("the sub-game on {} had ended", block.on);
        Some(Box::new(Refusal::new(words, &common::ENDED, at)))
    }

    fn captures(&self, ply: Ply) -> bool {
        match ply {
            Ply::Over(m) => self.current().captures(m),
            Ply::Sub(m) => self.current().sub_game().is_some_and(|chess| chess.captures(m)),
            _ => false,
        }
    }

    fn canonical(&self, ply: Ply) -> Canonical {
        let (at, spelt) = self.spell(ply);
        let written = if let Spelt::Ply(written) = spelt { written } else { Written::Pass };
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

    fn memo(&self, ply: Ply) -> Self::Memo {
        match ply {
            Ply::Over(m) if self.current().gives_check(m) => Suffix::Check,
            _ => Suffix::None,
        }
    }

    fn sign(table: &Referee<Self>, ply: Ply, seen: Suffix, brought: &Effects) -> Suffix {
        let over = table.line.now().latest();
        let mates = |ruling: Option<Ruling>| ruling.is_some_and(|ruling| ruling.cause == Cause::Checkmate);
        let own = table.open.blocks.len();
        let ended = || brought.all().iter().find(|ended| ended.game.len() == own);
        match ply {
            Ply::Over(_) => {
                let level = over.level(own);
                let ruling = level.map_or_else(|| ended().and_then(|ended| ended.by), Level::end_by_itself);
                if mates(ruling) { Suffix::Mate } else { seen }
            }
            Ply::Sub(_) => match (ended(), over.current().sub_game()) {
                (Some(ended), _) if mates(ended.by) => Suffix::Mate,
                (Some(Ended { check: true, .. }), _) => Suffix::Check,
                (None, Some(chess)) => chess.suffix(),
                _ => Suffix::None,
            },
            _ => Suffix::None,
        }
    }

    #[inline]
    fn playing(table: &mut Referee<Self>, ply: Ply, desk: &mut Desk) {
        if desk.deeds.is_some() {
            table.keep(&Step::Ply(ply), desk);
        }
        if let Ply::Over(m) = ply {
            let moved = table.line.now().latest().current().piece_at(m.from());
            let is_king = moved.is_some_and(|over| over.piece.role == Role::King);
            table.own.castles = is_king && m.from().file.abs_diff(m.to().file) == 2;
        }
    }

    fn made(table: &mut Referee<Self>, ply: Option<Ply>, brought: &Effects, desk: &mut Desk) {
        if let Some(Ply::Over(m)) = ply {
            let here = Self::here(table);
            table.open.dead.retain(|dead| dead.outer(dead.len().saturating_sub(1)) != here);
            table.own.closed = None;
            let level = table.open.blocks.len();
            let castles = table.own.castles;
            if let (true, Some(roles), Some(over)) =
                (desk.at_main_line(), table.own.roles.get_mut(level), table.line.now().latest().level(level))
            {
                roles.moved((m.from(), m.to()), castles, over);
            }
        }
        table.close_ended(brought, desk);
        table.keep_moment(desk);
    }

    fn offer(&self, refusal: &Refusal<Self>) -> Vec<String> {
        refusal::offer(self, refusal)
    }

    fn command(
        table: &mut Referee<Self>,
        command: &Command<'_>,
        place: Place,
        desk: &mut Desk,
        parser: &Parser<'_>,
    ) -> Option<bool> {
        let is_own = command.name == b"player" && table.line.now().is_any();
        is_own.then(|| table.appoint(command.arguments, place, desk, parser))
    }

    /// In a sub-game as in chess; in an over-game as its dead positions say.
    fn can_win(&self, at: BoardPath, side: Side) -> bool {
        match self.current().sub_game() {
            Some(chess) if at.len() == usize::from(self.depth()) => chess.can_mate(side),
            _ => self.level(at.len()).is_none_or(Level::can_win),
        }
    }

    fn claim_rule(&self, at: BoardPath, repeats: bool) -> Result<&'static Rule, &'static Rule> {
        let in_chess = at.len() == usize::from(self.depth());
        Ok(if repeats && !in_chess { &law::REPETITION } else { &law::REGULAR })
    }

    fn progress(&self, at: BoardPath) -> (Cause, String) {
        let words = match self.current().sub_game() {
            Some(chess) if at.len() == usize::from(self.depth()) => {
                format!("{} plies without {}", chess.halfmove(), Chess::PROGRESS)
            }
            _ => {
                let moves = self.level(at.len()).map_or(0, Level::halfmove);
                format!("{moves} over-moves without progress")
            }
        };
        (Cause::FiftyMoveClaim, words)
    }

    fn stood(table: &mut Referee<Self>, _: BoardPath, event: Happening, brought: &Effects, desk: &mut Desk) {
        // No line of coordinates tells it.
        desk.deeds = None;
        let level = table.open.blocks.len();
        let in_chess = table.is_in_chess();
        if let (Happening::Displaced { from, to, .. }, false, Some(roles), Some(over)) =
            (event, in_chess, table.own.roles.get_mut(level), table.line.now().latest().level(level))
        {
            roles.moved((from, to), false, over);
        }
        table.close_ended(brought, desk);
        table.keep_moment(desk);
    }

    fn side_at_end(table: &Referee<Self>) -> Side {
        let position = table.line.now().latest();
        match table.open.blocks.is_empty() {
            true => position.actor(),
            false => position.due_at(Self::here(table)).map_or(Side::White, |(_, side)| side),
        }
    }
}

/// The square of the sub-game that is due or being played in an over-game, 0 the outermost.
fn contested(over: &Over, level: usize) -> Option<Square> {
    if over.open() > level + 1 {
        return over.level(level)?.contested().next().map(|contest| contest.to);
    }
    match over.due() {
        Due::Sub(on) | Due::Setup(on, _) if over.open() == level + 1 => Some(on),
        _ => None,
    }
}
