//! Overchess as it is played: over-moves, sub-games in blocks, actions, and what a record leaves out.

use super::{Desk, faults::Blow, number_of, play::Standing, roles::Roles};
use crate::finding as code;
use overboard_formats::{
    canonical::Canonical,
    encoding::decode,
    parse::{Event, Fault, Open, Parser, Verb},
    span::Place,
};
use overboard_games::{
    coordinates::overs::Deed,
    overchess::{self, Level, Options, Over, Ply, laws as law},
    registry::AnyGame,
};
use overboard_rules::{
    game::{Claimable, Game},
    path::BoardPath,
    position::Movegen,
    square::Side,
};
use std::{collections::VecDeque, sync::Arc};

mod action;
mod block;
mod calls;
mod comment;
mod line;
mod named;
mod over_move;
mod refusal;
mod silence;

use line::OverLine;
use refusal::attack_number;

/// A game with sub-games.
pub(super) struct OverPlay {
    options: Options,
    /// How many sub-games are inside each other: those of the innermost are chess.
    depth: u8,
    pub line: OverLine,
    outer: Vec<OverLine>,
    /// The action being read, what it says so far, and where.
    action: Option<(Verb, String, Place)>,
    /// Blocks that are open inside one that is not followed.
    ignored: usize,
    /// Whether the number of this ply was seen.
    numbered: bool,
    /// The roles of the over-games that are open in the main line, each inside the one before.
    roles: Vec<Roles>,
    /// Sub-games of the main line that White and Black have won.
    pub won: [u32; 2],
    /// The position in which the last ply was refused.
    refused: Option<Arc<Over>>,
    /// Positions of the main line in which an over-move is due, each with the plies before it, where they are kept.
    pub moments: VecDeque<(u32, Over)>,
}

impl OverPlay {
    /// A game of this depth under these options.
    pub fn new(depth: u8, options: Options) -> Self {
        Self {
            options,
            depth,
            line: OverLine::from(Over::first(depth, options)),
            outer: Vec::new(),
            action: None,
            ignored: 0,
            numbered: false,
            roles: Vec::new(),
            won: [0; 2],
            refused: None,
            moments: VecDeque::new(),
        }
    }

    /// Nothing is left from another game: a new one was made.
    pub const fn reset(&mut self) {
        self.numbered = false;
    }

    /// Sets up the position that the tags ask for.
    pub fn set_up(&mut self, desk: &mut Desk, parser: &Parser<'_>) {
        let read = |fen: &str| overchess::read(fen, self.depth, self.options);
        let form = overchess::form(self.depth);
        if let Some(position) = desk.set_up(read, form, &law::OVER_GAME, parser) {
            self.line = OverLine::from(position);
        }
        let position = self.line.position.as_deref().filter(|_| desk.judging);
        let mut roles = Roles::default();
        roles.start(position.map(Over::outermost), desk, parser);
        self.roles = vec![roles];
    }

    /// The first position stands.
    pub fn start(&mut self, desk: &mut Desk) {
        desk.course.ended =
            self.line.position.as_deref().and_then(|position| position.outermost().end_by_itself());
    }

    /// How things stand at the end of the record.
    pub fn standing(&self, desk: &Desk) -> Standing {
        let position = self.line.position.as_deref();
        Standing {
            complete: desk.judging && position.is_some(),
            ruling: desk.course.ended,
            to_move: position.map_or(Side::White, Over::actor),
            can_mate: [position.is_some_and(|position| position.outermost().can_win()); 2],
            claims: &law::REGULAR,
            score: None,
        }
    }

    /// The position reached, where it is known.
    pub fn reached(&self) -> Option<AnyGame> {
        self.line.position.as_deref().cloned().map(AnyGame::from)
    }

    /// Takes an event of the movetext; answers how a ply found legal is to be written.
    pub fn hear(&mut self, event: Event, desk: &mut Desk, parser: &Parser<'_>) -> Option<Canonical> {
        match event {
            Event::Ply if self.is_in_chess() => return self.sub_ply(desk, parser),
            Event::Ply => return self.over_ply(desk, parser),
            Event::Number => self.number(desk, parser),
            Event::SubgameOpen => self.open_sub_game(desk, parser),
            Event::Tag => self.tag(desk, parser),
            Event::ActionOpen(verb) => {
                desk.block_depth += 1;
                self.action = Some((verb, String::new(), *parser.place()));
            }
            Event::Argument => {
                if let Some((_, said, _)) = &mut self.action {
                    said.push(' ');
                    said.push_str(&decode(parser.text(parser.place().span)).0);
                }
            }
            Event::BlockClose(Open::Action) => {
                desk.block_depth = desk.block_depth.saturating_sub(1);
                self.act(desk, parser);
            }
            Event::BlockClose(Open::Subgame) => self.close_sub_game(desk, parser),
            Event::BlockClose(_) => desk.block_depth = desk.block_depth.saturating_sub(1),
            Event::TurnOpen => {
                desk.foreign_block(event, parser);
                self.lose(desk);
            }
            Event::Result if desk.block_depth > 0 => self.sub_result(desk, parser),
            Event::Result => {
                self.fill_in(None, desk, parser);
                desk.result(parser);
            }
            Event::Prose(prose, part) => self.prose(prose, part, desk, parser),
            Event::Nag => desk.nag(parser),
            Event::Glyphs => desk.glyphs(parser),
            Event::RavOpen => self.open_rav(desk, parser),
            Event::RavClose => self.close_rav(desk),
            Event::Fault(fault) => self.fault(fault, desk, parser),
            _ => {}
        }
        None
    }

    fn fault(&mut self, fault: Fault, desk: &mut Desk, parser: &Parser<'_>) {
        if fault == Fault::NoResult && desk.block_depth == 0 {
            self.fill_in(None, desk, parser);
        }
        match desk.fault(fault, parser) {
            Blow::None => {}
            Blow::Loses => self.lose(desk),
            Blow::ClosesAndLoses => {
                self.close_rav(desk);
                self.lose(desk);
            }
        }
    }

    /// From here on nothing is known.
    fn lose(&mut self, desk: &mut Desk) {
        if desk.at_main_line() && desk.unjudged_from.is_none() && self.line.position.is_some() {
            desk.unjudged_from = Some(self.move_number());
        }
        self.line.position = None;
    }

    /// Whether the game being read is chess.
    fn is_in_chess(&self) -> bool {
        self.line.blocks.len() == usize::from(self.depth)
    }

    /// The over-game that is read, or that the sub-game of chess belongs to.
    fn level(&self) -> usize {
        self.line.blocks.len().min(usize::from(self.depth) - 1)
    }

    /// The way to the game being read.
    fn here(&self) -> BoardPath {
        self.line.blocks.iter().fold(BoardPath::OUTERMOST, |path, block| path.on(block.on))
    }

    /// Does a deed, and keeps it where the options ask for it. Blocks of games that it has ended are over.
    fn make(&mut self, deed: &Deed, desk: &mut Desk) {
        let Some(position) = self.line.position.as_mut().map(Arc::make_mut) else { return };
        let kept = desk.deeds.is_some() && desk.at_main_line();
        let text = kept.then(|| deed.text(position));
        let Some(effects) = deed.bring_about(position) else { return };
        if let (Some(deeds), Some(text)) = (&mut desk.deeds, text) {
            deeds.push_str(if deeds.is_empty() { "" } else { " " });
            deeds.push_str(&text);
        }
        self.line.close_ended(&effects);
        // What a command has ended before a sub-game is not forgotten because it is set up.
        if !matches!(deed, Deed::Ply(Ply::Setup(_) | Ply::Place(..))) {
            self.follow_course(desk);
        }
        self.keep_moment(desk);
    }

    /// Keeps the position where an over-move of the outermost game is due, and all before it is settled.
    fn keep_moment(&mut self, desk: &Desk) {
        let Some(position) = self.line.position.as_deref().filter(|_| desk.options.moments) else { return };
        if desk.at_main_line() && position.is_between_turns() {
            self.moments.push_back((desk.plies, position.clone()));
        }
    }

    /// Which draws can be claimed by now, and whether the game is over.
    fn follow_course(&self, desk: &mut Desk) {
        let Some(position) = self.line.position.as_deref().filter(|_| desk.at_main_line()) else { return };
        let Claimable { repetition, progress } = position.claimable(BoardPath::OUTERMOST, 1);
        for (right, claimable) in [repetition, progress].into_iter().zip(&mut desk.course.claimable) {
            if right {
                claimable.get_or_insert(desk.plies);
            }
        }
        desk.course.ended = position.end_by_itself();
    }

    /// The number of the move to come, behind the way to its game.
    fn move_number(&self) -> String {
        let Some(position) = self.line.position.as_deref() else { return "this move".into() };
        let (number, side) = self.number_due(position);
        let number = number_of(number, side);
        if self.line.blocks.is_empty() { number } else { format!("{}, move {number}", self.way()) }
    }

    /// `over-move 12, sub-game e5`: the way to the game being read, in words.
    fn way(&self) -> String {
        let Some(position) = self.line.position.as_deref() else { return String::new() };
        let steps = self.line.blocks.iter().enumerate().map(|(level, block)| {
            let attack = position.level(level).map_or(0, attack_number);
            format!("over-move {attack}, sub-game {}", block.on)
        });
        steps.collect::<Vec<_>>().join(", ")
    }

    /// `e5.b7`: the same as findings tell it.
    fn path(&self) -> String {
        self.line.blocks.iter().map(|block| block.on.to_string()).collect::<Vec<_>>().join(".")
    }

    /// The roles of the over-game being read, and its position, where the line is the main one.
    fn roles_here(&mut self, desk: &Desk) -> Option<(&mut Roles, &Level)> {
        let level = self.line.blocks.len();
        let position = self.line.position.as_deref().filter(|_| desk.at_main_line())?;
        Some((self.roles.get_mut(level)?, position.level(level)?))
    }

    /// The number and side of the ply to come.
    fn number_due(&self, position: &Over) -> (u32, Side) {
        if !self.is_in_chess() {
            let level = position.level(self.line.blocks.len());
            return level.map_or((1, Side::White), |level| (level.fullmove(), level.turn()));
        }
        match position.current().sub_game() {
            Some(chess) => (chess.fullmove(), chess.turn()),
            None => (1, Side::White),
        }
    }

    fn open_rav(&mut self, desk: &mut Desk, parser: &Parser<'_>) {
        if desk.judging && desk.plies == 0 && desk.at_main_line() {
            desk.find(&code::DANGLING, *parser.place(), parser, "a variation stands before any move".into());
        }
        let variation = self.line.variation();
        self.outer.push(std::mem::replace(&mut self.line, variation));
        desk.ravs = self.outer.len();
        self.interrupt(desk);
    }

    fn close_rav(&mut self, desk: &mut Desk) {
        if let Some(outer) = self.outer.pop() {
            self.line = outer;
        }
        desk.ravs = self.outer.len();
        self.interrupt(desk);
    }

    const fn interrupt(&mut self, desk: &mut Desk) {
        desk.interrupted = true;
        self.numbered = false;
    }

    fn number(&mut self, desk: &mut Desk, parser: &Parser<'_>) {
        self.numbered = true;
        let Some(position) = self.line.position.as_deref().filter(|_| desk.judging && self.ignored == 0)
        else {
            return;
        };
        let place = *parser.place();
        let text = parser.text(place.span);
        let digits = text.iter().take_while(|b| b.is_ascii_digit()).count();
        let told: Option<u32> =
            std::str::from_utf8(&text[..digits]).ok().and_then(|digits| digits.parse().ok());
        let (number, side) = self.number_due(position);
        let expected = number_of(number, side);
        if expected.as_bytes() == text || digits == 0 {
            return;
        }
        if told != Some(number) {
            desk.find(&code::MOVE_NUMBER, place, parser, format!("the number of this move is `{expected}`"));
        } else if digits < text.len() {
            desk.find(&code::NUMBER_FORM, place, parser, format!("expected `{expected}`"));
        }
    }

    /// Whether a ply is to be judged, and whether its number is there.
    fn begin_ply(&mut self, desk: &mut Desk, parser: &Parser<'_>) -> bool {
        desk.last.place = *parser.place();
        desk.last.refused = None;
        if desk.at_main_line() {
            desk.plies += u32::from(desk.block_depth == 0);
            desk.course.wrong_claim = None;
        }
        let numbered = std::mem::take(&mut self.numbered);
        let Some(position) = self.line.position.as_deref().filter(|_| desk.judging && self.ignored == 0)
        else {
            return false;
        };
        let (number, side) = self.number_due(position);
        desk.last.number = (number, side);
        if !numbered && (desk.interrupted || side == Side::White) {
            let message = format!("expected `{}` before the move", number_of(number, side));
            desk.find(&code::MISSING_NUMBER, *parser.place(), parser, message);
        }
        desk.interrupted = false;
        true
    }
}
