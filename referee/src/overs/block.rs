//! Sub-games in blocks: their set-ups, their moves, their results.

use super::{
    OverPlay,
    line::Block,
    named::{self, SetUpFault},
    over_move::{contested, tell_spelling},
    refusal::{Reason, Refused},
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
    san::{CHESS, San},
    span::Place,
};
use overboard_games::{
    chess::{self, Chess, Move},
    coordinates::overs::Deed,
    fen::Fen,
    notation::Notation,
    overchess::{self as rules, self, Arrangement, Over, Ply, laws as law},
};
use overboard_rules::{
    game::{Game as _, Said},
    outcome::Outcome,
    position::{Found, Movegen},
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
        self.enter(Some(Said::Unreadable), desk, parser);
        let named = overchess::square_named(&decode(parser.text(place.span)).0);
        let on = named.unwrap_or(Square::new(0, 0));
        let here = self.here().on(on);
        if let Some(at) = self.line.dead.iter().position(|dead| named.is_some() && *dead == here) {
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

    /// Something is said in the game being read. The tags of a sub-game are over with it: its set-ups are made.
    pub(super) fn enter(&mut self, said: Option<Said<'_, Over>>, desk: &mut Desk, parser: &Parser<'_>) {
        let begun = self.line.blocks.last_mut().filter(|block| !block.entered).map(|block| {
            block.entered = true;
            block.fen.take()
        });
        if self.line.position.is_none() || !desk.judging {
            return;
        }
        let inside = begun.as_ref().and_then(|_| self.judge_players(desk, parser));
        match begun.flatten() {
            Some((fen, place)) if self.is_in_chess() => self.set_up_sub_game(&fen, place, desk, parser),
            Some((fen, place)) => self.set_up_over_game(&fen, place, desk, parser),
            None => {}
        }
        if said.is_some() {
            self.fill_in(said, desk, parser);
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
        match self.judge_set_up_of_individuals(fen, desk) {
            Ok(()) => {}
            Err(SetUpFault::Unread(what)) => {
                desk.find(&code::BAD_FEN, place, parser, format!("the FEN cannot be read: {what}"));
                self.lose(desk);
            }
            Err(SetUpFault::Refused(reason)) => {
                self.refuse_act("the set-up", Refused::of(reason), place, desk, parser);
            }
        }
    }

    /// Makes the set-up that a FEN tells, individual by individual, and compares the rest.
    fn judge_set_up_of_individuals(&mut self, fen: &str, desk: &mut Desk) -> Result<(), SetUpFault> {
        let level = self.line.blocks.len() - 1;
        let Some(position) = self.line.position.as_deref() else { return Ok(()) };
        let Some((told, seats)) = named::told(position, level, fen)? else { return Ok(()) };
        if position.placing().is_some() && position.open() == level + 1 {
            self.perform(&rules::Block::Seats(seats), desk)?;
        }
        let position = self.line.position.as_deref();
        position.map_or(Ok(()), |position| named::against_rest(position, level, &told))
    }

    fn set_up_sub_game(&mut self, fen: &str, place: Place, desk: &mut Desk, parser: &Parser<'_>) {
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
    }

    /// Makes both set-ups that a FEN tells, or says what is wrong with the first that is.
    fn judge_set_up(&mut self, setup: &Setup, desk: &mut Desk) -> Result<(), Reason> {
        let men = [arranged(setup, Side::White)?, arranged(setup, Side::Black)?];
        self.perform(&rules::Block::SetUp(men), desk)?;
        let position = self.line.position.as_deref();
        let chess = position.and_then(|position| position.current().sub_game());
        let Some(right) = chess.map(Chess::to_setup) else { return Ok(()) };
        if setup.turn != Side::White {
            return Err(("the attacker, White, moves first".into(), &law::SET_UP));
        }
        if setup.castling != right.castling {
            let words = "castling is possible with each rook set up on its corner, and with no other";
            return Err((words.into(), &law::SUB_GAME));
        }
        Ok(())
    }

    pub(super) fn sub_ply(&mut self, desk: &mut Desk, parser: &Parser<'_>) -> Option<Canonical> {
        self.enter(Some(Said::Unreadable), desk, parser);
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
        match self.line.position.as_deref()?.find(self.here(), &san.written) {
            Found::One(Ply::Sub(m)) => self.accept_in_chess(m, &san, desk, parser),
            _ => {
                self.refuse_ply(&san, desk, parser);
                None
            }
        }
    }

    fn accept_in_chess(
        &mut self,
        m: Move,
        san: &San,
        desk: &mut Desk,
        parser: &Parser<'_>,
    ) -> Option<Canonical> {
        let position = self.line.position.as_ref()?;
        let chess = position.current().sub_game()?.clone();
        let written = spelt(|| Some(chess.clone()), m, Some(san), desk);
        tell_spelling(san, &written, chess.captures(m), desk, parser);
        let after = chess.after(m);
        if san.suffix != after.suffix() {
            desk.wrong_suffix(after.suffix(), desk.last.place, parser);
        }
        if let Some(block) = self.line.blocks.last_mut() {
            block.began.get_or_insert_with(|| Arc::clone(position));
            block.moves.push(m);
            block.before = None;
        }
        self.make(&Deed::Ply(Ply::Sub(m)), desk);
        desk.last.moved = true;
        self.told(written, after.suffix(), chess::coordinates(m), desk)
    }

    pub(super) fn sub_result(&mut self, desk: &mut Desk, parser: &Parser<'_>) {
        self.enter(Some(Said::Draw), desk, parser);
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
        if let Some(outcome) = outcome {
            self.make(&Deed::Conclude(self.line.blocks.len() - 1, outcome), desk);
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
        self.enter(None, desk, parser);
        let here = self.here();
        self.line.dead.retain(|dead| dead.outer(here.len()) != here);
        let closed = self.line.blocks.pop();
        if desk.at_main_line() {
            if self.line.blocks.is_empty() {
                self.count(closed);
            }
            // A sub-game that a record breaks off in keeps its roles.
            let open = self.line.position.as_deref().map_or(0, Over::open);
            self.roles.truncate(open.max(self.line.blocks.len() + 1));
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
