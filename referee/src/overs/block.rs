//! Sub-games in blocks: their set-ups, their moves, their results.

use super::{
    OverPlay,
    line::Block,
    named::{self, SetUpFault},
    over_move::{contested, tell_spelling},
    refusal::{Refused, judge},
};
use crate::{
    Desk, finding as code,
    nested::spelt,
    roles::{Inside, Roles},
};
use overboard_formats::{
    canonical::Canonical,
    encoding::decode,
    parse::Parser,
    san::{CHESS, San, Suffix},
    span::Place,
};
use overboard_games::{
    chess,
    chess::Chess,
    fen::Fen,
    notation::Notation,
    overchess::{self, Arrangement, Asked, Due, Ply, difference, laws as law},
};
use overboard_rules::{
    outcome::Outcome,
    position::Position,
    rule::Rule,
    setup::Setup,
    square::{Piece, Role, Side, Square},
};
use std::sync::Arc;

impl OverPlay {
    pub(super) fn open_sub_game(&mut self, desk: &mut Desk, parser: &Parser<'_>) {
        desk.block_depth += 1;
        self.interrupt(desk);
        let place = *parser.place();
        if self.is_in_chess() || self.ignored > 0 {
            self.ignored += 1;
            if self.line.position.is_some() {
                let words = "a sub-game of chess holds no sub-games".to_string();
                self.refuse_act("<", Refused::of((words, &law::SUB_GAME)), place, desk, parser);
            }
            return;
        }
        self.enter(true, desk, parser);
        self.settle(desk, parser);
        self.end_consolidation(desk);
        let named = overchess::square_named(&decode(parser.text(place.span)).0);
        let on = named.unwrap_or(Square::new(0, 0));
        if let Some(at) = self.line.dead.iter().position(|dead| Some(*dead) == named) {
            self.line.dead.remove(at);
            self.line.blocks.push(Block::dead(on));
            return;
        }
        if let Some(position) = self.line.position.as_deref().filter(|_| desk.judging) {
            let reason = match contested(position, self.level()) {
                Some(due) if Some(due) == named => None,
                Some(due) => {
                    Some((format!("the sub-game on {due} is due"), &law::FOG_ORDER as &'static Rule))
                }
                None => Some(("no sub-game is due".to_string(), &law::ATTACK as &'static Rule)),
            };
            if let Some(reason) = reason {
                self.refuse_act(&format!("<{on}:"), Refused::of(reason), place, desk, parser);
            }
        }
        if desk.at_main_line()
            && let Some(roles) = self.roles.get_mut(self.line.blocks.len())
        {
            roles.open(named.filter(|_| self.line.is_known()));
        }
        self.line.blocks.push(Block::on(on));
    }

    pub(super) fn tag(&mut self, desk: &mut Desk, parser: &Parser<'_>) {
        desk.tag(parser);
        let tag = parser.lexer().tag();
        let around = self.line.blocks.len().saturating_sub(1);
        let Some(block) = self.line.blocks.last_mut().filter(|_| self.ignored == 0) else { return };
        if desk.at_main_line()
            && let Some(roles) = self.roles.get_mut(around)
        {
            roles.tag(parser);
        }
        if parser.text(tag.name) == b"FEN" && block.fen.is_none() {
            block.fen = Some((decode(parser.text(tag.value)).0.into_owned(), parser.place().at(tag.value)));
        }
    }

    /// The tags of the sub-game are over: its set-ups are made.
    pub(super) fn enter(&mut self, played: bool, desk: &mut Desk, parser: &Parser<'_>) {
        let Some(block) = self.line.blocks.last_mut().filter(|block| !block.entered) else { return };
        block.entered = true;
        let told = block.fen.take();
        if self.line.position.is_none() || !desk.judging {
            return;
        }
        let inside = self.judge_players(desk, parser);
        match told {
            Some((fen, place)) if self.is_in_chess() => self.set_up_sub_game(&fen, place, desk, parser),
            Some((fen, place)) => self.set_up_over_game(&fen, place, desk, parser),
            None if played => {
                let Some(position) = self.line.position.as_mut().map(Arc::make_mut) else { return };
                if let Err(reason) = named::set_up_untold(&mut desk.acting(position)) {
                    let place = *parser.place();
                    self.refuse_act("the sub-game", Refused::of(reason), place, desk, parser);
                }
                self.note_the_end(Outcome::Draw);
            }
            None => {}
        }
        self.begin_roles(inside, desk, parser);
    }

    /// Who plays the sub-game, and the roles in it.
    fn judge_players(&mut self, desk: &mut Desk, parser: &Parser<'_>) -> Option<Inside> {
        let around = self.line.blocks.len().checked_sub(1).filter(|_| desk.at_main_line())?;
        let (way, path) = (self.way(), self.path());
        self.roles.get_mut(around)?.judge(&way, &path, desk, parser)
    }

    /// A sub-game that is Overchess itself begins with its roles.
    fn begin_roles(&mut self, inside: Option<Inside>, desk: &mut Desk, parser: &Parser<'_>) {
        let level = self.line.blocks.len();
        let position = self.line.position.as_deref().and_then(|position| position.level(level));
        if let (Some(inside), Some(position)) = (inside, position) {
            let roles = Roles::within(position, inside, desk, parser);
            self.roles.truncate(level);
            self.roles.push(roles);
        }
    }

    fn set_up_over_game(&mut self, fen: &str, place: Place, desk: &mut Desk, parser: &Parser<'_>) {
        let level = self.line.blocks.len() - 1;
        let Some(position) = self.line.position.as_mut().map(Arc::make_mut) else { return };
        match named::set_up(&mut desk.acting(position), level, fen) {
            Ok(()) => {}
            Err(SetUpFault::Unread(what)) => {
                desk.find(&code::BAD_FEN, place, parser, format!("the FEN cannot be read: {what}"));
                return self.lose(desk);
            }
            Err(SetUpFault::Refused(reason)) => {
                self.refuse_act("the set-up", Refused::of(reason), place, desk, parser);
            }
        }
        self.note_the_end(Outcome::Draw);
    }

    pub(super) fn set_up_sub_game(&mut self, fen: &str, place: Place, desk: &mut Desk, parser: &Parser<'_>) {
        let setup = match Fen::parse(fen) {
            Ok(fen) => fen.setup,
            Err(fault) => {
                desk.find(&code::BAD_FEN, place, parser, fault.what);
                return self.lose(desk);
            }
        };
        if let Err(reason) = self.judge_set_up(&setup, desk) {
            self.refuse_act("the set-up", Refused::of(reason), place, desk, parser);
        }
        self.note_the_end(Outcome::Draw);
    }

    /// Makes both set-ups that a FEN tells, or says what is wrong with the first that is.
    pub(super) fn judge_set_up(
        &mut self,
        setup: &Setup,
        desk: &mut Desk,
    ) -> Result<(), (String, &'static Rule)> {
        let Some(position) = self.line.position.as_mut().map(Arc::make_mut) else { return Ok(()) };
        let mut position = desk.acting(position);
        let armies = position.current().rosters().unwrap_or_default();
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
                let ply = judge(&position, Asked::Ply(Ply::Setup(men)));
                let ply = ply.map_err(|refused| (refused.words, refused.rule))?;
                position.play(&ply);
            }
        }
        let Some(right) = position.current().sub_game().map(Chess::to_setup) else { return Ok(()) };
        if setup.turn != Side::White {
            return Err(("the attacker, White, moves first".into(), &law::SET_UP));
        }
        if setup.castling != right.castling {
            let words = "castling is possible with each rook set up on its corner, and with no other";
            return Err((words.into(), &law::SUB_GAME));
        }
        Ok(())
    }

    /// Marks sub-games as over from which the position has gone on; the innermost with this outcome.
    pub(super) fn note_the_end(&mut self, outcome: Outcome) {
        let Some(position) = self.line.position.as_deref() else { return };
        for (way, outcome) in position.ended() {
            if let Some(block) = way.len().checked_sub(1).and_then(|level| self.line.blocks.get_mut(level)) {
                block.over = Some(*outcome);
            }
        }
        let Some(level) = self.line.blocks.len().checked_sub(1) else { return };
        let Some(block) = self.line.blocks.last_mut().filter(|block| block.entered) else { return };
        if contested(position, level) != Some(block.on) {
            block.over.get_or_insert(outcome);
        }
    }

    pub(super) fn sub_ply(&mut self, desk: &mut Desk, parser: &Parser<'_>) -> Option<Canonical> {
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
        if self.is_past_the_block(desk.last.place, desk, parser) {
            return None;
        }
        match judge(self.line.position.as_deref()?, Asked::Sub(san.written)) {
            Ok(Ply::Sub(m)) => {
                let mut before = self.line.position.take()?;
                let chess = before.current().sub_game()?.clone();
                let written = spelt(|| Some(chess.clone()), m, Some(&san), desk);
                tell_spelling(&san, &written, chess.captures(m), desk, parser);
                let after = chess.after(m);
                if san.suffix != after.suffix() {
                    desk.wrong_suffix(after.suffix(), desk.last.place, parser);
                }
                if let Some(block) = self.line.blocks.last_mut() {
                    block.began.get_or_insert_with(|| Arc::clone(&before));
                    block.moves.push(m);
                    block.before = None;
                }
                desk.acting(Arc::make_mut(&mut before)).play(&Ply::Sub(m));
                self.line.position = Some(before);
                let mates = after.suffix() == Suffix::Mate;
                self.note_the_end(if mates { Outcome::Win(chess.turn()) } else { Outcome::Draw });
                desk.last.moved = true;
                self.follow_course(desk);
                self.told(written, after.suffix(), chess::coordinates(m), desk)
            }
            Ok(_) => None,
            Err(refused) => {
                self.refuse_ply(&san, refused, desk, parser);
                None
            }
        }
    }

    pub(super) fn sub_result(&mut self, desk: &mut Desk, parser: &Parser<'_>) {
        self.enter(false, desk, parser);
        if self.line.blocks.len() == self.level() && self.ignored == 0 {
            self.settle(desk, parser);
            self.end_consolidation(desk);
        }
        let path = self.path();
        let Some(block) = self.line.blocks.last().filter(|_| self.ignored == 0 && desk.judging) else {
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
                if let Some(finding) = desk.find(&code::WRONG_RESULT, place, parser, message) {
                    finding.rule = Some(&law::SUB_RESULT);
                    finding.path = path;
                }
            }
            return;
        }
        let level = self.line.blocks.len() - 1;
        if let (Some(outcome), Some(position)) = (outcome, &mut self.line.position) {
            desk.acting(Arc::make_mut(position)).conclude(level, outcome);
            self.note_the_end(outcome);
            self.follow_course(desk);
        }
    }

    pub(super) fn close_sub_game(&mut self, desk: &mut Desk, parser: &Parser<'_>) {
        desk.block_depth = desk.block_depth.saturating_sub(1);
        // A block belongs to its ply and does not part it from the next.
        self.numbered = false;
        desk.interrupted = false;
        if self.ignored > 0 {
            self.ignored -= 1;
            return;
        }
        self.enter(false, desk, parser);
        let closed = self.line.blocks.pop();
        if desk.at_main_line() {
            if self.line.blocks.is_empty() {
                self.count(closed);
            }
            self.roles.truncate(self.line.blocks.len() + 1);
        }
        self.settle_roles(desk);
    }

    /// Counts a sub-game of the outermost over-game for who won it. In it White is the attacker.
    fn count(&mut self, closed: Option<Block>) {
        let Some((on, Outcome::Win(winner))) = closed.and_then(|block| Some((block.on, block.over?))) else {
            return;
        };
        if let Some(attacker) = self.roles.first().and_then(|roles| roles.attacker(on)) {
            let side = if winner == Side::White { attacker } else { attacker.other() };
            self.won[side as usize] += 1;
        }
    }

    /// Who leads what, behind a sub-game or a consolidation.
    pub(super) fn settle_roles(&mut self, desk: &Desk) {
        if let Some((roles, over)) = self.roles_here(desk) {
            roles.settle(over);
        }
    }
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
