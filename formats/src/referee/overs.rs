//! Overchess as it is played: over-moves, sub-games in blocks, actions, and what a record leaves out.

use super::{Canonical, Desk, faults::Blow, nested::spelt, number_of, play::Standing, roles::Roles};
use crate::{
    any::AnyPosition,
    command::{self, Command, commands, duration, side as side_of},
    encoding::decode,
    fen::{self, Fen},
    finding::{self as code, Finding},
    lex::{Part, Prose},
    notation::Notation,
    overchess::{self, AsRoster},
    parse::{Event, Fault, Open, Parser, Verb},
    san::{CHESS, MoveText, San, Spelt, Suffix},
    span::{Place, Span},
};
use overboard_rules::{
    chess::{Chess, Move},
    laws::{chess as regular, common, overchess as law},
    outcome::{Cause, Outcome},
    overchess::{Arrangement, Asked, Breach, Due, Options, Over, Ply, Roster, difference},
    path::BoardPath,
    ply::Written,
    position::Position,
    rule::Rule,
    setup::Setup,
    square::{Piece, Role, Side, Square},
};
use std::{io::Read, sync::Arc};

/// A game with sub-games.
pub(super) struct OverPlay {
    options: Options,
    pub line: OverLine,
    outer: Vec<OverLine>,
    /// The action being read, what it says so far, and where.
    action: Option<(Verb, String, Place)>,
    /// Blocks that are open inside one that is not followed.
    ignored: usize,
    /// Whether the number of this ply was seen.
    numbered: bool,
    roles: Roles,
}

/// A line of play: the game itself, or a variation of it.
#[derive(Clone)]
pub(super) struct OverLine {
    position: Option<Arc<Over>>,
    /// The position before the last ply of the over-game.
    before: Option<Arc<Over>>,
    /// The sub-game being read.
    block: Option<Block>,
}

/// A sub-game being read.
#[derive(Clone)]
struct Block {
    on: Square,
    /// The FEN of its set-up, and where it stands.
    fen: Option<(String, Place)>,
    /// Whether its tags are over.
    entered: bool,
    /// How its moves ended it.
    over: Option<Outcome>,
    /// The position in which its moves began, and the moves.
    began: Option<Arc<Over>>,
    moves: Vec<Move>,
    /// The position before its last ply, once it was asked for.
    before: Option<Arc<Over>>,
}

impl Block {
    /// The position before its last ply, made again from its beginning.
    fn before(&mut self) -> Option<Arc<Over>> {
        if self.before.is_none() {
            let mut position = self.began.clone()?;
            if let Some((_, earlier)) = self.moves.split_last() {
                let replayed = Arc::make_mut(&mut position);
                earlier.iter().for_each(|m| replayed.play(&Ply::Sub(*m)));
            }
            self.before = Some(position);
        }
        self.before.clone()
    }
}

impl OverLine {
    fn from(position: Over) -> Self {
        Self { position: Some(Arc::new(position)), before: None, block: None }
    }

    fn variation(&mut self) -> Self {
        let Some(block) = &mut self.block else {
            return Self { position: self.before.clone(), before: self.before.clone(), block: None };
        };
        let position = block.before();
        let inner = Block {
            on: block.on,
            fen: None,
            entered: block.entered,
            over: None,
            began: position.clone(),
            moves: Vec::new(),
            before: None,
        };
        Self { position, before: self.before.clone(), block: Some(inner) }
    }

    /// Whether everything is known.
    pub const fn is_known(&self) -> bool {
        self.position.is_some()
    }
}

impl OverPlay {
    /// A game under these options.
    pub fn new(options: Options) -> Self {
        Self {
            options,
            line: OverLine::from(Over::start(options)),
            outer: Vec::new(),
            action: None,
            ignored: 0,
            numbered: false,
            roles: Roles::default(),
        }
    }

    /// Nothing is left from another game: a new one was made.
    pub const fn reset(&mut self) {
        self.numbered = false;
    }

    /// Sets up the position that the tags ask for.
    pub fn set_up<R: Read>(&mut self, desk: &mut Desk, parser: &Parser<R>) {
        let read = |fen: &str| overchess::read(fen, self.options);
        if let Some(position) = desk.set_up(read, overchess::FORM, &law::OVER_GAME, parser) {
            self.line = OverLine::from(position);
        }
        let position = self.line.position.as_deref().filter(|_| desk.judging);
        self.roles.start(position, desk, parser);
    }

    /// The first position stands.
    pub fn start(&mut self, desk: &mut Desk) {
        desk.course.ended = self.line.position.as_deref().and_then(Over::ending);
    }

    /// How things stand at the end of the record.
    pub fn standing(&self, desk: &Desk) -> Standing {
        let position = self.line.position.as_deref();
        Standing {
            complete: desk.judging && position.is_some(),
            ruling: desk.course.ended,
            to_move: position.map_or(Side::White, Over::actor),
            can_mate: [position.is_some_and(Over::can_win); 2],
            claims: &law::REGULAR,
            score: None,
        }
    }

    /// The position reached, where it is known.
    pub fn reached(&self) -> Option<AnyPosition> {
        self.line.position.as_deref().cloned().map(AnyPosition::from)
    }

    /// Takes an event of the movetext; answers how a ply found legal is to be written.
    pub fn hear<R: Read>(&mut self, event: Event, desk: &mut Desk, parser: &Parser<R>) -> Option<Canonical> {
        match event {
            Event::Ply if self.line.block.is_some() => return self.sub_ply(desk, parser),
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
                self.settle(desk);
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

    fn fault<R: Read>(&mut self, fault: Fault, desk: &mut Desk, parser: &Parser<R>) {
        if fault == Fault::NoResult && desk.block_depth == 0 {
            self.settle(desk);
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

    /// The number of the over-move to come, and of the sub-game's where one is read.
    fn move_number(&self) -> String {
        let Some(position) = self.line.position.as_deref() else { return "this move".into() };
        let (number, side) = self.number_due(position);
        match &self.line.block {
            Some(block) => {
                let attack = attack_number(position);
                format!("over-move {attack}, sub-game {}, move {}", block.on, number_of(number, side))
            }
            None => number_of(number, side),
        }
    }

    /// The number and side of the ply to come.
    fn number_due(&self, position: &Over) -> (u32, Side) {
        match (position.sub_game(), &self.line.block) {
            (Some(chess), Some(_)) => (chess.fullmove(), chess.turn()),
            (None, Some(_)) => (1, Side::White),
            (_, None) => (position.fullmove(), position.turn()),
        }
    }

    fn open_rav<R: Read>(&mut self, desk: &mut Desk, parser: &Parser<R>) {
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

    fn number<R: Read>(&mut self, desk: &mut Desk, parser: &Parser<R>) {
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
    fn begin_ply<R: Read>(&mut self, desk: &mut Desk, parser: &Parser<R>) -> bool {
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

    // The over-game.

    fn over_ply<R: Read>(&mut self, desk: &mut Desk, parser: &Parser<R>) -> Option<Canonical> {
        self.settle(desk);
        if !self.begin_ply(desk, parser) {
            return None;
        }
        let san = match San::parse(parser.text(desk.last.place.span), &CHESS) {
            Ok(san) => san,
            Err(fault) => {
                desk.find(&code::BAD_PLY, desk.last.place, parser, format!("this is no move: {fault}"));
                self.lose(desk);
                return None;
            }
        };
        if self.is_past_the_end(desk, parser) || self.lacks_a_block(desk, parser) {
            return None;
        }
        self.end_consolidation();
        let position = self.line.position.as_deref()?;
        match position.judge(Asked::Over(san.written)) {
            Ok(ply) => self.accept(&ply, &san, desk, parser),
            Err(breach) => {
                self.refuse_ply(&san, *breach, desk, parser);
                None
            }
        }
    }

    fn is_past_the_end<R: Read>(&mut self, desk: &mut Desk, parser: &Parser<R>) -> bool {
        let Some(ended) = desk.course.ended.filter(|_| desk.at_main_line()) else { return false };
        let message = format!("the game had ended by {} ({})", ended.cause, ended.outcome);
        if let Some(finding) = desk.find(&code::MOVE_AFTER_END, desk.last.place, parser, message) {
            finding.rule = Some(&common::ENDED);
        }
        self.lose(desk);
        true
    }

    /// Whether a sub-game is to be played first and is not there; then nothing is judged any more.
    fn lacks_a_block<R: Read>(&mut self, desk: &mut Desk, parser: &Parser<R>) -> bool {
        let due = self.line.position.as_deref().map(Over::due);
        let Some(Due::Sub(on) | Due::Setup(on, _)) = due else { return false };
        let message = format!(
            "the sub-game on {on} is to be played first and is not recorded, or not to its end: the game is not judged from here"
        );
        if let Some(finding) = desk.find(&code::OPEN_PLY, desk.last.place, parser, message) {
            finding.rule = Some(&law::ATTACK);
        }
        self.lose(desk);
        true
    }

    fn accept<R: Read>(
        &mut self,
        ply: &Ply,
        san: &San,
        desk: &mut Desk,
        parser: &Parser<R>,
    ) -> Option<Canonical> {
        let before = self.line.position.take()?;
        let Ply::Over(m) = ply else { return None };
        let written = before.written(*m);
        tell_spelling(san, &written, before.captures(*m), desk, parser);
        let after = before.after(ply);
        if desk.at_main_line() {
            self.roles.moved(*m, &before, &after);
        }
        let suffix = overchess::suffix(&before, ply, &after);
        if san.suffix != suffix {
            desk.wrong_suffix(suffix, desk.last.place, parser);
        }
        desk.last.moved = true;
        let coordinates = match desk.canonical {
            true => MoveText::from(&overchess::coordinates(&before, ply)).unwrap_or_default(),
            false => MoveText::new(),
        };
        self.line.position = Some(Arc::new(after));
        self.line.before = Some(before);
        self.follow_course(desk);
        self.told(written, suffix, coordinates, desk)
    }

    fn told(
        &self,
        written: Written,
        suffix: Suffix,
        coordinates: MoveText,
        desk: &Desk,
    ) -> Option<Canonical> {
        let (number, side) = desk.last.number;
        let path = BoardPath::OUTERMOST;
        desk.canonical.then_some(Canonical {
            written,
            suffix,
            side,
            number,
            coordinates,
            act: None,
            board: None,
            path,
        })
    }

    fn follow_course(&self, desk: &mut Desk) {
        let Some(position) = self.line.position.as_deref().filter(|_| desk.at_main_line()) else { return };
        for (right, claimable) in position.claimable().into_iter().zip(&mut desk.course.claimable) {
            if right {
                claimable.get_or_insert(desk.plies);
            }
        }
        desk.course.ended = position.ending();
    }

    /// What a record leaves out of settling a sub-game: all prisoners that fit, and no spares (GEN-8).
    fn settle(&mut self, desk: &mut Desk) {
        let is_due = |position: &Over| matches!(position.due(), Due::Settling(_));
        if !self.line.position.as_deref().is_some_and(is_due) {
            return;
        }
        let Some(position) = self.line.position.as_mut().map(Arc::make_mut) else { return };
        while let Due::Settling(_) = position.due() {
            let prisoners = position.settling().next().map_or(Roster::NONE, |(_, men)| men);
            position.play(&if prisoners.is_none() { Ply::Done } else { Ply::Prisoners(prisoners) });
        }
        self.follow_course(desk);
    }

    /// What a record leaves out of a consolidation: what has only one way (OV-24).
    fn end_consolidation(&mut self) {
        if let Some(position) = &mut self.line.position
            && position.due() == Due::Giving
        {
            hand_over_the_rest(Arc::make_mut(position));
        }
    }

    // Sub-games.

    fn open_sub_game<R: Read>(&mut self, desk: &mut Desk, parser: &Parser<R>) {
        desk.block_depth += 1;
        self.interrupt(desk);
        let place = *parser.place();
        if self.line.block.is_some() || self.ignored > 0 {
            self.ignored += 1;
            if self.line.position.is_some() {
                let words = "a sub-game of chess holds no sub-games".to_string();
                self.refuse_act("<", (words, &law::SUB_GAME), Vec::new(), place, desk, parser);
            }
            return;
        }
        self.settle(desk);
        self.end_consolidation();
        let named = overchess::square(&decode(parser.text(place.span)).0);
        let on = named.unwrap_or(Square::new(0, 0));
        if let Some(position) = self.line.position.as_deref().filter(|_| desk.judging) {
            let reason = match position.due() {
                Due::Sub(due) | Due::Setup(due, _) if Some(due) == named => None,
                Due::Sub(due) | Due::Setup(due, _) => {
                    Some((format!("the sub-game on {due} is due"), &law::FOG_ORDER as &'static Rule))
                }
                _ => Some(("no sub-game is due".to_string(), &law::ATTACK as &'static Rule)),
            };
            if let Some(reason) = reason {
                self.refuse_act(&format!("<{on}:"), reason, Vec::new(), place, desk, parser);
            }
        }
        self.roles.open(named.filter(|_| desk.at_main_line() && self.line.is_known()));
        self.line.block = Some(Block {
            on,
            fen: None,
            entered: false,
            over: None,
            began: None,
            moves: Vec::new(),
            before: None,
        });
    }

    fn tag<R: Read>(&mut self, desk: &mut Desk, parser: &Parser<R>) {
        desk.tag(parser);
        let tag = parser.lexer().tag();
        let Some(block) = self.line.block.as_mut().filter(|_| self.ignored == 0) else { return };
        self.roles.tag(parser);
        if parser.text(tag.name) == b"FEN" && block.fen.is_none() {
            block.fen = Some((decode(parser.text(tag.value)).0.into_owned(), parser.place().at(tag.value)));
        }
    }

    /// The tags of the sub-game are over: its set-ups are made.
    fn enter<R: Read>(&mut self, played: bool, desk: &mut Desk, parser: &Parser<R>) {
        let Some(block) = self.line.block.as_mut().filter(|block| !block.entered) else { return };
        block.entered = true;
        let told = block.fen.take();
        let Some(position) = self.line.position.as_deref().filter(|_| desk.judging) else { return };
        self.roles.judge(
            &format!("over-move {}, sub-game {}", attack_number(position), block.on),
            desk,
            parser,
        );
        match told {
            Some((fen, place)) => self.set_up_sub_game(&fen, place, desk, parser),
            None if played => {
                if let Some(Due::Setup(on, _)) = self.line.position.as_deref().map(Over::due) {
                    let words = format!("a sub-set on {on} is not complete, and no FEN tells the set-up");
                    let place = *parser.place();
                    self.refuse_act("the sub-game", (words, &law::SET_UP), Vec::new(), place, desk, parser);
                }
            }
            None => {}
        }
    }

    fn set_up_sub_game<R: Read>(&mut self, fen: &str, place: Place, desk: &mut Desk, parser: &Parser<R>) {
        let setup = match Fen::parse(fen) {
            Ok(fen) => fen.setup,
            Err(fault) => {
                desk.find(&code::BAD_FEN, place, parser, fault.what);
                return self.lose(desk);
            }
        };
        if let Err(reason) = self.judge_set_up(&setup) {
            self.refuse_act("the set-up", reason, Vec::new(), place, desk, parser);
        }
        self.note_the_end(Outcome::Draw);
    }

    /// Makes both set-ups that a FEN tells, or says what is wrong with the first that is.
    fn judge_set_up(&mut self, setup: &Setup) -> Result<(), (String, &'static Rule)> {
        let Some(position) = self.line.position.as_mut().map(Arc::make_mut) else { return Ok(()) };
        let armies = position.armies().unwrap_or_default();
        for (side, right) in [Side::White, Side::Black].into_iter().zip(armies) {
            let men = arranged(setup, side)?;
            let who = if side == Side::White { "the attacker's" } else { "the defender's" };
            if let Some(words) = difference(right, men.roster()) {
                let rule = if men.roster().fits_in(right) { &law::SET_UP } else { &law::DEPLETION };
                return Err((format!("{who} set-up holds {words}"), rule));
            }
            if let Due::Setup(_, due) = position.due()
                && due == side
            {
                let ply = position.judge(Asked::Ply(Ply::Setup(men)));
                let ply = ply.map_err(|breach| (breach.words, breach.rule))?;
                position.play(&ply);
            }
        }
        let Some(right) = position.sub_game().map(Chess::to_setup) else { return Ok(()) };
        if setup.turn != Side::White {
            return Err(("the attacker, White, moves first".into(), &law::SET_UP));
        }
        if setup.castling != right.castling {
            let words = "castling is possible with each rook set up on its corner, and with no other";
            return Err((words.into(), &law::SUB_GAME));
        }
        Ok(())
    }

    /// Marks the sub-game as over where the position has gone on from it.
    fn note_the_end(&mut self, outcome: Outcome) {
        let due = self.line.position.as_deref().map(Over::due);
        let Some(block) = &mut self.line.block else { return };
        let goes_on = matches!(due, Some(Due::Sub(on) | Due::Setup(on, _)) if on == block.on);
        if due.is_some() && !goes_on {
            block.over = Some(outcome);
        }
    }

    fn sub_ply<R: Read>(&mut self, desk: &mut Desk, parser: &Parser<R>) -> Option<Canonical> {
        self.enter(true, desk, parser);
        if !self.begin_ply(desk, parser) {
            return None;
        }
        let san = match San::parse(parser.text(desk.last.place.span), &CHESS) {
            Ok(san) => san,
            Err(fault) => {
                desk.find(&code::BAD_PLY, desk.last.place, parser, format!("this is no move: {fault}"));
                self.lose(desk);
                return None;
            }
        };
        let block = self.line.block.as_ref()?;
        if block.over.is_some() {
            let message = format!("the sub-game on {} had ended", block.on);
            let path = block.on.to_string();
            if let Some(finding) = desk.find(&code::MOVE_AFTER_END, desk.last.place, parser, message) {
                finding.rule = Some(&law::SUB_RESULT);
                finding.path = path;
            }
            self.lose(desk);
            return None;
        }
        match self.line.position.as_deref()?.judge(Asked::Sub(san.written)) {
            Ok(Ply::Sub(m)) => {
                let mut before = self.line.position.take()?;
                let chess = before.sub_game()?.clone();
                let written = spelt(|| Some(chess.clone()), m, Some(&san), desk);
                tell_spelling(&san, &written, chess.captures(m), desk, parser);
                let after = chess.after(m);
                if san.suffix != after.suffix() {
                    desk.wrong_suffix(after.suffix(), desk.last.place, parser);
                }
                if let Some(block) = &mut self.line.block {
                    block.began.get_or_insert_with(|| Arc::clone(&before));
                    block.moves.push(m);
                    block.before = None;
                }
                Arc::make_mut(&mut before).play(&Ply::Sub(m));
                self.line.position = Some(before);
                let mates = after.suffix() == Suffix::Mate;
                self.note_the_end(if mates { Outcome::Win(chess.turn()) } else { Outcome::Draw });
                desk.last.moved = true;
                self.follow_course(desk);
                self.told(written, after.suffix(), fen::coordinates(m), desk)
            }
            Ok(_) => None,
            Err(breach) => {
                self.refuse_ply(&san, *breach, desk, parser);
                None
            }
        }
    }

    fn sub_result<R: Read>(&mut self, desk: &mut Desk, parser: &Parser<R>) {
        self.enter(false, desk, parser);
        let Some(block) = self.line.block.as_ref().filter(|_| self.ignored == 0 && desk.judging) else {
            return;
        };
        let place = *parser.place();
        let text = parser.text(place.span);
        let outcome = match text {
            b"1-0" => Some(Outcome::Win(Side::White)),
            b"0-1" => Some(Outcome::Win(Side::Black)),
            b"*" => None,
            _ => Some(Outcome::Draw),
        };
        if let (Some(right), true) = (block.over, self.line.position.is_some()) {
            if outcome != Some(right) {
                let told = decode(text).0.into_owned();
                let message = format!("the sub-game on {} ended {right}, and {told} is recorded", block.on);
                let path = block.on.to_string();
                if let Some(finding) = desk.find(&code::WRONG_RESULT, place, parser, message) {
                    finding.rule = Some(&law::SUB_RESULT);
                    finding.path = path;
                }
            }
            return;
        }
        if let (Some(outcome), Some(position)) = (outcome, &mut self.line.position) {
            Arc::make_mut(position).conclude(outcome);
            self.note_the_end(outcome);
            self.follow_course(desk);
        }
    }

    fn close_sub_game<R: Read>(&mut self, desk: &mut Desk, parser: &Parser<R>) {
        desk.block_depth = desk.block_depth.saturating_sub(1);
        // A block belongs to its ply and does not part it from the next.
        self.numbered = false;
        desk.interrupted = false;
        if self.ignored > 0 {
            self.ignored -= 1;
            return;
        }
        self.enter(false, desk, parser);
        self.line.block = None;
        self.settle_roles(desk);
    }

    /// Who leads what, behind a sub-game or a consolidation.
    fn settle_roles(&mut self, desk: &Desk) {
        if let Some(position) = self.line.position.as_deref().filter(|_| desk.at_main_line()) {
            self.roles.settle(position);
        }
    }

    // Actions.

    fn act<R: Read>(&mut self, desk: &mut Desk, parser: &Parser<R>) {
        let Some((verb, said, place)) = self.action.take() else { return };
        let Some(position) = self.line.position.as_deref().filter(|_| desk.judging && self.ignored == 0)
        else {
            return;
        };
        if let Some(ended) = desk.course.ended.filter(|_| desk.at_main_line()) {
            let message = format!("the game had ended by {} ({})", ended.cause, ended.outcome);
            if let Some(finding) = desk.find(&code::MOVE_AFTER_END, place, parser, message) {
                finding.rule = Some(&common::ENDED);
            }
            return self.lose(desk);
        }
        let mut after = position.clone();
        let acted = match verb {
            Verb::Prisoners => take_prisoners(&mut after, &said),
            Verb::Reserve => call_in(&mut after, &said),
            Verb::Consolidate => consolidate(&mut after, &said),
        };
        match acted {
            Ok(()) => {
                if verb == Verb::Consolidate {
                    self.line.before = self.line.position.take();
                    desk.plies += u32::from(desk.at_main_line());
                    self.numbered = false;
                }
                self.line.position = Some(Arc::new(after));
                self.settle_roles(desk);
                self.follow_course(desk);
            }
            Err(Act::Unread(expected)) => {
                let message = format!("this action cannot be read; expected {expected}");
                desk.find(&code::BAD_PLY, place, parser, message);
                self.lose(desk);
            }
            Err(Act::Refused(breach)) => {
                let possible = names(&after, &breach);
                let text = format!("<{}{said}>", verb.word());
                self.refuse_act(&text, (breach.words, breach.rule), possible, place, desk, parser);
            }
        }
    }

    // Refusals.

    fn refuse_ply<R: Read>(&mut self, san: &San, breach: Breach, desk: &mut Desk, parser: &Parser<R>) {
        let Some(position) = self.line.position.as_deref() else { return };
        let possible = names(position, &breach);
        let (number, side) = desk.last.number;
        let within = breach.within.map_or(String::new(), |on| {
            format!("over-move {}, sub-game {on}, move ", attack_number(position))
        });
        let message = format!(
            "{within}{} {} is illegal: {}",
            number_of(number, side),
            Spelt(san.written),
            breach.words
        );
        let path = breach.within.map_or(String::new(), |on| on.to_string());
        let place = desk.last.place;
        self.refuse((message, breach.rule), possible, path, place, desk, parser);
    }

    fn refuse_act<R: Read>(
        &mut self,
        text: &str,
        (words, rule): (String, &'static Rule),
        possible: Vec<String>,
        place: Place,
        desk: &mut Desk,
        parser: &Parser<R>,
    ) {
        let path = self.line.block.as_ref().map_or(String::new(), |block| block.on.to_string());
        let at = match (&self.line.block, &self.line.position) {
            (Some(block), Some(position)) => {
                format!("over-move {}, sub-game {}:", attack_number(position), block.on)
            }
            _ => self.move_number(),
        };
        let message = format!("{at} {text} is illegal: {words}");
        self.refuse((message, rule), possible, path, place, desk, parser);
    }

    fn refuse<R: Read>(
        &mut self,
        (message, rule): (String, &'static Rule),
        possible: Vec<String>,
        path: String,
        place: Place,
        desk: &mut Desk,
        parser: &Parser<R>,
    ) {
        let kind = if desk.at_main_line() { &code::ILLEGAL_MOVE } else { &code::ILLEGAL_VARIATION };
        let board = self.line.position.as_deref().map(|position| match position.sub_game() {
            Some(chess) if !path.is_empty() => chess.panel(),
            _ => overchess::panel(position),
        });
        let note = |finding: &mut Finding| {
            finding.rule = Some(rule);
            finding.possible = possible;
            finding.path = path;
            finding.board = board.map(Box::new);
        };
        if let Some(finding) = desk.find(kind, place, parser, message) {
            note(finding);
        }
        self.lose(desk);
    }

    // Comments.

    fn prose<R: Read>(&mut self, prose: Prose, part: Part, desk: &mut Desk, parser: &Parser<R>) {
        if prose == Prose::Escape {
            return;
        }
        desk.look_at_comment(part, parser);
        desk.interrupted = true;
        if !desk.in_moves || !desk.at_main_line() {
            return;
        }
        let place = *parser.place();
        for found in commands(parser.text(place.span)) {
            let at = |index: usize| place.span.from + index as u64;
            let here = place.at(Span::new(at(found.bytes.start), at(found.bytes.end)));
            self.command(&found, here, desk, parser);
        }
    }

    fn command<R: Read>(&mut self, command: &Command<'_>, place: Place, desk: &mut Desk, parser: &Parser<R>) {
        let arguments = command.arguments;
        let known = desk.judging && self.line.position.is_some();
        let understood = match command.name {
            b"clk" | b"emt" => duration(arguments).is_some(),
            b"ts" => desk.time_stamp(arguments, place, parser),
            b"penalty" => desk.penalty(arguments).is_some(),
            b"infraction" => desk.infraction(arguments),
            // Inside a sub-game they speak of it, and its result says what came of them.
            name if (!known || desk.block_depth > 0) && command::is_known(name) => true,
            b"resign" => resign(arguments, desk),
            b"draw" => desk.agree(arguments, &regular::AGREED_END),
            b"flag" => self.flag(arguments, desk),
            b"claim" => self.claim(arguments, place, desk, parser),
            b"illegal" => self.attempt(arguments, place, desk, parser),
            b"player" => self.roles.command(arguments, place, desk, parser),
            name if command::is_known(name) && name != b"stands" => true,
            name => {
                desk.unknown_command(name, place, parser);
                true
            }
        };
        if !understood {
            desk.bad_command(command, place, parser);
        }
    }

    fn flag(&self, arguments: &[u8], desk: &mut Desk) -> bool {
        let Some(side) = side_of(arguments) else { return false };
        let can_win = self.line.position.as_deref().is_some_and(Over::can_win);
        desk.end_by(Outcome::win_if(side.other(), can_win), Cause::Flag, &common::FLAG);
        true
    }

    /// `threefold` or `fifty`, with the over-move intended if there is one.
    fn claim<R: Read>(
        &mut self,
        arguments: &[u8],
        place: Place,
        desk: &mut Desk,
        parser: &Parser<R>,
    ) -> bool {
        let mut words = arguments.split(|b| *b == b' ').filter(|word| !word.is_empty());
        let (repeats, cause) = match words.next() {
            Some(b"threefold") => (true, Cause::ThreefoldClaim),
            Some(b"fifty") => (false, Cause::FiftyMoveClaim),
            _ => return false,
        };
        self.settle(desk);
        let Some(position) = self.line.position.as_deref() else { return true };
        let position = match (words.next(), words.next()) {
            (None, _) => position.clone(),
            (Some(intended), None) => {
                let asked = San::parse(intended, &CHESS).map(|san| Asked::Over(san.written));
                let Some(ply) = asked.ok().and_then(|asked| position.judge(asked).ok()) else { return false };
                position.after(&ply)
            }
            _ => return false,
        };
        let [repeated, idle] = position.claimable();
        if if repeats { repeated } else { idle } {
            desk.end_by(Outcome::Draw, cause, if repeats { &law::REPETITION } else { &law::REGULAR });
            return true;
        }
        let (why, rule) = if repeats {
            ("this position is not there for the third time".to_string(), &law::REPETITION)
        } else {
            (format!("{} over-moves without progress, not 100", position.halfmove()), &law::REGULAR)
        };
        desk.wrong_claim(format!("the claim is not correct: {why}"), rule, place, parser);
        true
    }

    fn attempt<R: Read>(&self, arguments: &[u8], place: Place, desk: &mut Desk, parser: &Parser<R>) -> bool {
        let Some(position) = self.line.position.as_deref().filter(|_| !arguments.is_empty()) else {
            return false;
        };
        let asked = San::parse(arguments, &CHESS).map(|san| Asked::Over(san.written));
        if asked.is_ok_and(|asked| position.judge(asked).is_ok()) {
            let message = "this move is legal here and is not counted as an illegal attempt";
            if let Some(finding) = desk.find(&code::LEGAL_ATTEMPT, place, parser, message.into()) {
                finding.rule = Some(&common::ILLEGAL_ATTEMPTS);
            }
            return true;
        }
        let side = position.turn();
        let count = &mut desk.course.attempts[side as usize];
        *count += 1;
        if *count >= desk.attempts_allowed {
            let outcome = Outcome::win_if(side.other(), position.can_win());
            desk.end_by(outcome, Cause::IllegalAttempts, &common::ILLEGAL_ATTEMPTS);
        }
        true
    }
}

/// The number of the over-move that made the attack to be settled first.
fn attack_number(position: &Over) -> u32 {
    let attack = position.contested().next().and_then(|contest| position.piece_at(contest.to));
    let moved_since = attack.is_some_and(|attacker| attacker.piece.side == position.turn());
    let number = position.fullmove();
    if moved_since || position.turn() == Side::White { number.saturating_sub(1) } else { number }
}

fn resign(arguments: &[u8], desk: &mut Desk) -> bool {
    let Some(side) = side_of(arguments) else { return false };
    desk.end_by(Outcome::Win(side.other()), Cause::Resignation, &regular::AGREED_END);
    true
}

/// Says where a legal ply is written otherwise than it should be.
fn tell_spelling<R: Read>(san: &San, right: &Written, captures: bool, desk: &mut Desk, parser: &Parser<R>) {
    if let (Written::Move(given), Written::Move(right)) = (&san.written, right)
        && given != right
    {
        desk.tell_spelling(given, right, captures, parser);
    }
    if let Some(leniency) = san.leniency {
        desk.forgive(leniency, parser);
    }
}

/// What was possible, as it is written.
fn names(position: &Over, breach: &Breach) -> Vec<String> {
    let name = |ply: &Ply| {
        let san = overchess::san(position, ply);
        san.rsplit_once('.').map_or(san.to_string(), |(_, own)| own.to_string())
    };
    let mut names: Vec<_> = breach.possible.iter().take(64).map(name).collect();
    names.sort_unstable();
    names
}

/// A side's set-up in a FEN, or what stands where nothing of it starts.
fn arranged(setup: &Setup, side: Side) -> Result<Arrangement, (String, &'static Rule)> {
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
    let mut men = Arrangement { pawns: 0, officers: 0 };
    let squares = (0..8).flat_map(|rank| (0..8).map(move |file| Square::new(file, rank)));
    for on in squares {
        let Some(piece) = setup.piece_at(on).filter(|piece: &Piece| piece.side == side) else { continue };
        let rank = if side == Side::White { on.rank } else { 7 - on.rank };
        match (rank, piece.role) {
            (1, Role::Pawn) => men.pawns |= 1 << on.file,
            (0, role) if BACK[usize::from(on.file)] == role => men.officers |= 1 << on.file,
            (_, role) => {
                let words = format!("a {} {} does not start on {on}", side.adjective(), role.name());
                return Err((words, &law::SET_UP));
            }
        }
    }
    if men.has_king() { Ok(men) } else { Err((format!("{side}'s king starts on the e-file"), &law::SET_UP)) }
}

/// Why an action was not made.
enum Act {
    /// It cannot be read; what was expected.
    Unread(&'static str),
    /// It is not legal.
    Refused(Box<Breach>),
}

impl From<Box<Breach>> for Act {
    fn from(breach: Box<Breach>) -> Self {
        Self::Refused(breach)
    }
}

/// The roster of words such as `2P N`.
fn men<'a>(words: impl Iterator<Item = &'a str>) -> Option<Roster> {
    overchess::roster(&words.collect::<String>())
}

fn make(position: &mut Over, ply: Ply) -> Result<(), Act> {
    let ply = position.judge(Asked::Ply(ply))?;
    position.play(&ply);
    Ok(())
}

fn take_prisoners(position: &mut Over, said: &str) -> Result<(), Act> {
    let Some(men) = men(said.split_whitespace()) else { return Err(Act::Unread("men such as `2P N`")) };
    let offered = position.settling().next().is_some_and(|(_, men)| !men.is_none());
    if men.is_none() && offered {
        return make(position, Ply::Done);
    }
    make(position, Ply::Prisoners(men))
}

/// A square, a colon and what stands behind them.
fn addressed(said: &str) -> Option<(Square, Vec<&str>)> {
    let (on, rest) = said.split_once(':').unwrap_or((said, ""));
    Some((overchess::square(on.trim())?, rest.split_whitespace().collect()))
}

fn call_in(position: &mut Over, said: &str) -> Result<(), Act> {
    const EXPECTED: &str = "a square and men, such as `f6: 2P N`";
    let Some((on, words)) = addressed(said) else { return Err(Act::Unread(EXPECTED)) };
    let Some(roster) = men(words.into_iter()) else { return Err(Act::Unread(EXPECTED)) };
    // The prisoners are taken first, and those who come before are done.
    while let Due::Settling(due) = position.due() {
        let prisoners = position.settling().next().map_or(Roster::NONE, |(_, men)| men);
        if due == on && prisoners.is_none() {
            break;
        }
        position.play(&if prisoners.is_none() { Ply::Done } else { Ply::Prisoners(prisoners) });
    }
    for role in overboard_rules::overchess::KINDS {
        for _ in 0..roster.count(role) {
            make(position, Ply::Reserve(on, role))?;
        }
    }
    Ok(())
}

/// `c3: d2+2P f1+N`, and what has only one way to go.
fn consolidate(position: &mut Over, said: &str) -> Result<(), Act> {
    const EXPECTED: &str = "a square and where its men go, such as `c3: d2+2P f1+N`";
    let Some((from, words)) = addressed(said) else { return Err(Act::Unread(EXPECTED)) };
    while let Due::Settling(_) = position.due() {
        let prisoners = position.settling().next().map_or(Roster::NONE, |(_, men)| men);
        position.play(&if prisoners.is_none() { Ply::Done } else { Ply::Prisoners(prisoners) });
    }
    let mut gifts = Vec::new();
    for word in words {
        let read = word
            .split_once('+')
            .and_then(|(to, men)| Some((overchess::square(to)?, overchess::roster(men)?)));
        gifts.push(read.ok_or(Act::Unread(EXPECTED))?);
    }
    gifts.sort_by_key(|(to, _)| (to.rank, to.file));
    make(position, Ply::Consolidate(from))?;
    for role in overboard_rules::overchess::KINDS {
        for (to, men) in &gifts {
            for _ in 0..men.count(role) {
                // A kind that has one way to go may be left out before another that is told.
                while position.judge(Asked::Ply(Ply::Give(*to, role))).is_err() && give_the_only_one(position)
                {
                }
                make(position, Ply::Give(*to, role))?;
            }
        }
    }
    hand_over_the_rest(position);
    if position.due() == Due::Giving {
        let (left, _) = position.giving().unwrap_or_default();
        let words = format!("men are left to be handed over, and it is not told to whom: {}", AsRoster(left));
        let mut possible = Vec::new();
        position.for_each_legal(|ply| possible.push(ply));
        return Err(Act::Refused(Box::new(Breach {
            words,
            rule: &law::CONSOLIDATED,
            within: None,
            possible,
        })));
    }
    Ok(())
}

/// Hands over a man where there is only one way; answers whether there was.
fn give_the_only_one(position: &mut Over) -> bool {
    let mut ways = Vec::new();
    position.for_each_legal(|ply| ways.push(ply));
    match ways[..] {
        [only @ (Ply::Give(..) | Ply::Done)] => {
            position.play(&only);
            true
        }
        _ => false,
    }
}

fn hand_over_the_rest(position: &mut Over) {
    while position.due() == Due::Giving && give_the_only_one(position) {}
}
