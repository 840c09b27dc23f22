//! Playing: acts on boards, mega-moves, and the ends of turns.

use super::{
    Act, Again, Boards, GOES_ON, Game, MegaMove, OUTCOMES, Step, TURN, UNTOUCHED, hash::square_hash,
};
use crate::{
    board8::board::{bit, squares},
    mega::{laws as law, leaf::Leaf, mega_board::MegaBoard},
};
use overboard_rules::{
    outcome::{Cause, Outcome, Ruling},
    ply::StandingAct,
    position::Movegen,
    square::{Piece, Role, Side},
};
use std::sync::Arc;

impl Game {
    /// Makes a legal act on the board at a path.
    pub fn play(&mut self, path: &[u8], act: Act) -> Step {
        match (path.split_first(), act) {
            (Some((at, rest)), act) => self.play_on(*at, rest, act),
            (None, Act::Mega(m)) => self.play_mega(m),
            (None, Act::Stood(standing_act)) => self.stand(standing_act),
            (None, Act::Stop) => {
                self.open = None;
                self.lasting = true;
                self.half = 0;
                self.end_turn()
            }
            (None, _) => {
                self.field.board.en_passant = None;
                self.half += 1;
                self.end_turn()
            }
        }
    }

    /// Ends the game on the board at a path, whatever its position.
    pub fn end_board(&mut self, path: &[u8], outcome: Outcome) {
        let Some((at, rest)) = path.split_first() else {
            return;
        };
        match &mut self.boards {
            Boards::Games(games) if !rest.is_empty() => {
                if let Some(game) = &mut games[usize::from(*at)] {
                    Arc::make_mut(game).end_board(rest, outcome);
                }
            }
            _ => {
                self.settle(*at, outcome);
                if self.open == Some(*at) {
                    self.open = None;
                }
            }
        }
        self.seen.clear();
        self.checked = self.field.checkers(self.turn) != 0;
        self.resum();
        self.seen.push(self.position_hash());
    }

    fn play_on(&mut self, at: u8, rest: &[u8], act: Act) -> Step {
        let there = self.word_at(at);
        let before = there.map_or(0, |there| square_hash(there, self.board_hash(at)));
        self.field.board.en_passant = None;
        let step = self.act_on(at, rest, act);
        if step.over {
            self.close(at, step, act == Act::Draw && rest.is_empty());
        } else {
            self.open = Some(at);
            self.waiting.put(at, self.turn, Again::Barred);
        }
        let there = if step.end.is_some() {
            self.word_at(at)
        } else {
            there
        };
        let after = there.map_or(0, |there| square_hash(there, self.board_hash(at)));
        self.sum = self.sum.wrapping_sub(before).wrapping_add(after);
        if step.over {
            self.ended_item(step)
        } else {
            step
        }
    }

    /// Does an act on a board, of which the rest of the game does not know yet.
    #[inline(always)]
    fn act_on(&mut self, at: u8, rest: &[u8], act: Act) -> Step {
        let mover = self.turn;
        match (&mut self.boards, act) {
            (_, Act::Draw) if rest.is_empty() => {
                let agreed = Ruling::draw(Cause::Agreement, &law::AGREED);
                Step {
                    over: true,
                    lasting: true,
                    end: Some(agreed),
                    ..GOES_ON
                }
            }
            (boards, Act::Unknown) if rest.is_empty() => {
                // Its position is unknown, so nothing is judged on it from here on.
                boards.forget(at);
                Step {
                    over: true,
                    lasting: true,
                    ..GOES_ON
                }
            }
            (Boards::Leaves(leaves), Act::Move(m)) => {
                let leaf = touched(&mut leaves[usize::from(at)], mover);
                let (lasting, end) = leaf.play(m);
                on_chess(leaf, lasting, end)
            }
            (Boards::Leaves(leaves), Act::Stood(standing_act)) => {
                let leaf = touched(&mut leaves[usize::from(at)], mover);
                let end = leaf.stand(standing_act);
                on_chess(leaf, true, end)
            }
            (Boards::Games(games), act) => {
                let start = || Arc::clone(Self::start(self.level - 1, self.free_turns));
                let game = Arc::make_mut(games[usize::from(at)].get_or_insert_with(start));
                game.face(mover);
                game.play(rest, act)
            }
            // These are the only acts on a board of chess.
            (Boards::Leaves(_), _) => GOES_ON,
        }
    }

    /// The consequences of an act in the turn: its own effects and those of the turn, which may be over.
    #[inline(always)]
    fn ended_item(&mut self, step: Step) -> Step {
        let item = if self.used.count_ones() < TURN && self.offers_any() {
            GOES_ON
        } else {
            self.half = 0;
            self.end_turn()
        };
        let mut ended = step.ended;
        if let Some(end) = step.end {
            for (set, outcome) in ended.iter_mut().zip(OUTCOMES) {
                *set |= if end.outcome == outcome {
                    bit(self.level - 1)
                } else {
                    0
                };
            }
        }
        Step {
            closed: item.closed | step.closed,
            checks: item.checks | step.checks,
            mates: item.mates | step.mates,
            chess: step.chess,
            ended,
            forfeited: step.forfeited,
            forfeited_to: step.forfeited_to,
            ..item
        }
    }

    /// A move on a board has been made.
    fn close(&mut self, at: u8, step: Step, agreed: bool) {
        self.open = None;
        self.used |= bit(at);
        self.moved |= !agreed;
        self.lasting |= step.lasting || step.end.is_some();
        match step.end {
            Some(ruling) => self.settle(at, ruling.outcome),
            None => self.waiting.put(at, self.turn.other(), self.again_on(at)),
        }
    }

    /// The game on a board is over (MG-6).
    fn settle(&mut self, at: u8, outcome: Outcome) {
        match outcome {
            Outcome::Win(side) => self.field.won(at, side),
            Outcome::Draw => self.field.drawn(at),
        }
        self.boards.forget(at);
        self.waiting.remove(at);
    }

    fn play_mega(&mut self, m: MegaMove) -> Step {
        let lost = self.lost_by_answering();
        let rights = self.field.board.castling;
        let is_pawn = self.field.kind(Role::Pawn) & bit(m.from) != 0;
        let captured = self.field.board.target(m);
        let rook = self.field.board.rook_of(m);
        let lost = carried(&self.field, lost, m);
        let moved = rook.map_or(0, |(from, to)| bit(from) | bit(to)) | bit(m.from) | bit(m.to);
        let changed = moved | captured.map_or(0, bit) | lost;
        let before = self.sum_of(changed);
        self.field.play(m);
        if let Some(captured) = captured {
            self.boards.forget(captured);
        }
        for (from, to) in [Some((m.from, m.to)), rook].into_iter().flatten() {
            self.boards.carry(from, to);
            self.waiting.carry(from, to);
        }
        for at in squares(lost) {
            self.settle(at, Outcome::Win(self.turn.other()));
        }
        let counts = captured.is_none() && !is_pawn && lost == 0;
        self.half = if counts { self.half + 1 } else { 0 };
        self.lasting |= !counts || rook.is_some() || rights != self.field.board.castling;
        self.sum = self
            .sum
            .wrapping_sub(before)
            .wrapping_add(self.sum_of(changed));
        let forfeited_to = Some(self.turn.other());
        Step {
            forfeited: lost,
            forfeited_to,
            ..self.end_turn()
        }
    }

    /// Whether an act of the side to move, which has not begun its turn, can be done against the rules, as far as can be
    /// decided without doing it.
    pub fn may_stand(&self, standing_act: StandingAct) -> bool {
        let can_be_done =
            standing_act == StandingAct::Passed || self.mega_move_of(standing_act).is_some();
        can_be_done && self.is_between_turns()
    }

    /// The mega-move that an act made which stands; `None` if it made none.
    fn mega_move_of(&self, standing_act: StandingAct) -> Option<MegaMove> {
        self.field.board.move_that_stood(standing_act, self.turn, 0)
    }

    /// Lets an act on the mega-board stand.
    fn stand(&mut self, standing_act: StandingAct) -> Step {
        let Some(m) = self.mega_move_of(standing_act) else {
            self.field.board.en_passant = None;
            self.half += 1;
            return self.end_turn();
        };
        if self.field.board.castling_meant(m, self.turn, 0).is_some() {
            self.play_mega(m)
        } else {
            self.displace(m)
        }
    }

    fn displace(&mut self, m: MegaMove) -> Step {
        let MegaMove {
            from,
            to,
            promotion,
        } = m;
        let (Some(piece), Some(state)) = (self.field.piece_at(from), self.field.state_at(from))
        else {
            return GOES_ON;
        };
        let lost = carried(&self.field, self.lost_by_answering() & !bit(to), m);
        self.boards.forget(to);
        self.boards.carry(from, to);
        self.waiting.carry(from, to);
        self.field.clear(from);
        let role = promotion.unwrap_or(piece.role);
        self.field.put(to, Piece { role, ..piece }, state);
        self.field.board.en_passant = None;
        self.field.keep_rights();
        for at in squares(lost) {
            self.settle(at, Outcome::Win(self.turn.other()));
        }
        self.half = 0;
        self.lasting = true;
        self.resum();
        self.end_turn()
    }

    fn end_turn(&mut self) -> Step {
        self.turn = self.turn.other();
        self.full = self
            .full
            .saturating_add(u32::from(self.turn == Side::White));
        self.used = 0;
        self.moved = false;
        self.checked = self.field.checkers(self.turn) != 0;
        if self.field.board.en_passant.is_some() && !self.takes_in_passing() {
            self.field.board.en_passant = None;
        }
        let lasting = std::mem::take(&mut self.lasting);
        if lasting {
            self.seen.clear();
        }
        self.seen.push(self.position_hash());
        let end = self.end_by_itself();
        let here = bit(self.level - 1);
        let when = |is: bool| if is { here } else { 0 };
        let mated = end.is_some_and(|ruling| ruling.cause == Cause::MegaMate);
        Step {
            over: true,
            lasting,
            end,
            closed: here,
            checks: when(self.checked),
            mates: when(mated),
            ..GOES_ON
        }
    }
}

/// A board that a side plays on, which may have moved there last (MG-18).
fn touched(leaf: &mut Option<Arc<Leaf>>, mover: Side) -> &mut Leaf {
    let leaf = Arc::make_mut(leaf.get_or_insert_with(|| Arc::clone(&UNTOUCHED)));
    leaf.face(mover);
    leaf
}

/// What an act on a board of chess did.
#[inline(always)]
fn on_chess(leaf: &Leaf, lasting: bool, end: Option<Ruling>) -> Step {
    let mates = end.is_some_and(|end| end.cause == Cause::Checkmate);
    Step {
        over: true,
        lasting,
        end,
        chess: (leaf.chess.in_check(), mates),
        ..GOES_ON
    }
}

/// Which boards are where after a mega-move that carries one or two of them.
pub(super) fn carried(field: &MegaBoard, boards: u64, m: MegaMove) -> u64 {
    let mut set = boards;
    for (from, to) in [Some((m.from, m.to)), field.board.rook_of(m)]
        .into_iter()
        .flatten()
    {
        if boards & bit(from) != 0 {
            set = (set & !bit(from)) | bit(to);
        }
    }
    set
}
