//! What an act on a board means, and why it is illegal.
//!
//! Goes inwards board by board; on a board of chess, the refusal is that of chess.

use super::{
    Mega,
    leaf::mates,
    mega_board::State,
    state::{Act, Game, Ply},
};
use crate::{
    board8::{
        attacks::{self, reach},
        board::{
            BoardMove as MegaMove, PROMOTIONS, ahead, bit, last_rank, pawn_rank, set_of, squares,
            victim_of,
        },
    },
    chess::laws as regular,
    mega::laws as law,
};
use overboard_rules::{
    game::Refusal,
    path::{BoardPath, MegaSquare, index, square},
    ply::{Pattern, Wing, Written},
    position::{Found, Movegen},
    refusal::{self, list},
    rule::Rule,
    square::{Role, Square},
};

/// What a record says about a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Asked {
    /// A move, or a pass.
    Written(Written),
    /// An agreed draw.
    Draw,
    /// A move that cannot be judged; only whether a move is possible on the board at all.
    Unknown,
}

/// A refused act.
pub type Breach = Refusal<Mega>;

type Judged = Result<Ply, Box<Breach>>;
type Reason = (String, &'static Rule);

fn breach(words: impl Into<String>, rule: &'static Rule, at: BoardPath) -> Judged {
    Err(Box::new(Breach::new(words, rule, at)))
}

/// `A2`, `A2 and B1`.
fn named(set: u64) -> String {
    list(squares(set).map(|at| MegaSquare(square(at))), "and")
}

impl Game {
    /// The legal ply written on the board at a path, followed from step `depth` on: like [`Self::judge`],
    /// without explanations.
    pub fn find(&self, path: &BoardPath, depth: usize, written: &Written) -> Found<Ply> {
        let Some(at) = path.steps().get(depth) else {
            return self.find_here(path, written);
        };
        if !self.may_move_on(*at) {
            return Found::None;
        }
        let found = if self.level > 1 {
            self.with_inner(*at, |game| game.find(path, depth + 1, written))
        } else if path.len() > depth + 1 {
            Found::None
        } else {
            let found = self.with_chess(*at, |chess| chess.find(written));
            found.map(|m| Act::Move(m).on(*path))
        };
        match found {
            Found::One(ply) if self.wins_shield_away(*at, &ply, depth) => Found::None,
            found => found,
        }
    }

    fn find_here(&self, path: &BoardPath, written: &Written) -> Found<Ply> {
        if !self.is_between_turns() {
            return Found::None;
        }
        if *written == Written::Pass {
            return if self.may_pass() {
                Found::One(Act::Pass.on(*path))
            } else {
                Found::None
            };
        }
        self.mega_move_meant(written)
            .map(|m| Act::Mega(m).on(*path))
    }

    /// The ply that an act means on the board that a path leads to, from the step of this depth on.
    pub fn judge(&self, path: &BoardPath, depth: usize, asked: Asked) -> Judged {
        match path.steps().get(depth) {
            Some(at) => self.judge_on(*at, path, depth, asked),
            None => self.judge_here(path, asked),
        }
    }

    fn judge_on(&self, at: u8, path: &BoardPath, depth: usize, asked: Asked) -> Judged {
        self.judge_board(at, &path.outer(depth))?;
        let inner = depth + 1;
        let ply = if asked == Asked::Unknown && path.len() == inner && self.open != Some(at) {
            return Ok(Act::Unknown.on(*path));
        } else if asked == Asked::Draw && path.len() == inner {
            self.judge_draw(at, path)?
        } else if self.level > 1 {
            self.with_inner(at, |game| game.judge(path, inner, asked))?
        } else {
            self.judge_chess(at, path, inner, asked)?
        };
        self.judge_shield(at, ply, depth)
    }

    /// Checks that a board may be moved on at all.
    fn judge_board(&self, at: u8, here: &BoardPath) -> Result<(), Box<Breach>> {
        if self.may_move_on(at) {
            return Ok(());
        }
        let on = MegaSquare(square(at));
        let side = self.turn;
        let (words, rule) = if self.field.occupied() & bit(at) == 0 {
            let was = if self.used & bit(at) != 0 {
                "its mega-piece was captured"
            } else {
                "it is empty"
            };
            (format!("there is no board on {on}: {was}"), &law::ARRAY)
        } else if let Some(open) = self.open
            && open != at
        {
            let owed = self.game(open).map_or(0, |game| game.offering());
            let open = MegaSquare(square(open));
            (
                format!(
                    "the turn on {open} is not over: a move is owed on {}",
                    named(owed)
                ),
                &law::NESTED_TURN,
            )
        } else if self.checked {
            (
                format!(
                    "{side} is in mega-check from {} and must answer it with a mega-move",
                    self.givers()
                ),
                &law::ANSWER,
            )
        } else if self.used & bit(at) != 0 {
            (
                format!("a move has already been made on {on} in this turn"),
                &law::EIGHT,
            )
        } else if self.in_play() & bit(at) == 0 {
            let state = self.field.state_at(at).map_or("", State::word);
            (
                format!("the game on {on} is over: its mega-piece is {state}"),
                &law::BOARD_ENDS,
            )
        } else if self.free_turns {
            let king = if self.level > 1 {
                "mega-king is in mega-check"
            } else {
                "king is in check"
            };
            let other = side.other();
            (
                format!("{other}'s {king} on {on}, and the board waits for {other}"),
                &law::FREE_TURNS,
            )
        } else {
            (
                format!("it is {}'s move on {on}", side.other()),
                &law::EIGHT,
            )
        };
        Err(Box::new(Breach::new(words, rule, *here)))
    }

    fn givers(&self) -> String {
        named(self.field.checkers(self.turn))
    }

    fn judge_draw(&self, at: u8, path: &BoardPath) -> Judged {
        if self.open == Some(at) {
            return breach(
                "a board is not drawn in the middle of the turn on it",
                &law::NESTED_TURN,
                *path,
            );
        }
        if self.leaves_no_move(at) {
            return breach(
                "at least one other item of the turn has to be a move, and none could follow",
                &law::AGREED,
                *path,
            );
        }
        Ok(Act::Draw.on(*path))
    }

    fn judge_chess(&self, at: u8, path: &BoardPath, inner: usize, asked: Asked) -> Judged {
        if path.len() > inner {
            let words = format!(
                "{} is a board of chess, which has no boards inside",
                path.outer(inner)
            );
            return breach(words, &law::LEVELS, path.outer(inner));
        }
        let Asked::Written(written) = asked else {
            return breach(
                "a board is drawn in place of a move on it",
                &law::AGREED,
                *path,
            );
        };
        self.with_chess(at, |chess| match chess.find(&written) {
            Found::One(m) => Ok(Act::Move(m).on(*path)),
            Found::None | Found::Several => {
                Err(Box::new(match refusal::Refusal::of(chess, &written) {
                    Some(refusal) => {
                        let acts = refusal.possible(chess).into_iter().map(Act::Move);
                        Breach {
                            words: refusal.to_string(),
                            rule: refusal.rule(),
                            at: *path,
                            possible: acts.map(|act| act.on(*path)).collect(),
                        }
                    }
                    None => Breach::new("this is not a legal move", &regular::TURN, *path),
                }))
            }
        })
    }

    /// Checks that a ply does not win a board whose mega-piece shields the mover's king (MG-10, MG-17).
    fn judge_shield(&self, at: u8, ply: Ply, depth: usize) -> Judged {
        if !self.wins_shield_away(at, &ply, depth) {
            return Ok(ply);
        }
        let on = MegaSquare(square(at));
        let king = format!("the mega-piece on {on} shields {}'s mega-king", self.turn);
        let (words, rule) = match self.level {
            1 => (format!("{king} and may not be mated away"), &law::KING_SAFE),
            _ => (
                format!("{king}, and every turn that begins so wins it away"),
                &law::DETAILS,
            ),
        };
        breach(words, rule, ply.path.outer(depth))
    }

    /// Whether a ply wins the board on a square although its mega-piece shields the mover's king, or begins a turn that
    /// must win it.
    fn wins_shield_away(&self, at: u8, ply: &Ply, depth: usize) -> bool {
        if self.barred() & bit(at) == 0 {
            return false;
        }
        let rest = &ply.path.steps()[depth + 1..];
        match ply.act {
            Act::Move(m) if self.level == 1 => self.with_chess(at, |chess| mates(chess, m)),
            _ if self.level == 1 => false,
            Act::Unknown => false,
            Act::Draw if rest.is_empty() => false,
            act => self.with_inner(at, |game| !game.can_end_unwon_by(rest, act)),
        }
    }

    /// Judges a mega-move or a pass in this game.
    fn judge_here(&self, path: &BoardPath, asked: Asked) -> Judged {
        let here = *path;
        if asked == Asked::Draw {
            return breach("a board is drawn as an item of a turn", &law::AGREED, here);
        }
        if !self.is_between_turns() {
            let on = named(self.used | self.open.map_or(0, bit));
            let words =
                format!("the turn has begun with board moves on {on}, and is one or the other");
            return breach(words, &law::TURN, here);
        }
        let Asked::Written(written) = asked else {
            return Ok(Act::Unknown.on(here));
        };
        if written == Written::Pass {
            return self.judge_pass(here);
        }
        let meant = self.mega_moves_meant(&written);
        match meant[..] {
            [m] => Ok(Act::Mega(m).on(here)),
            [] => {
                let (words, rule) = self.against_mega_move(&written);
                let possible = self.mega_moves_like(&written, here);
                Err(Box::new(Breach {
                    words,
                    rule,
                    at: here,
                    possible,
                }))
            }
            _ => {
                let from = named(set_of(meant.iter().map(|m| m.from)));
                let possible = meant.into_iter().map(|m| Act::Mega(m).on(here));
                let words = format!("ambiguous between the mega-pieces on {from}");
                Err(Box::new(Breach {
                    words,
                    rule: &regular::ONE_MOVE,
                    at: here,
                    possible: possible.collect(),
                }))
            }
        }
    }

    fn judge_pass(&self, here: BoardPath) -> Judged {
        if self.may_pass() {
            return Ok(Act::Pass.on(here));
        }
        let side = self.turn;
        if self.checked {
            let words = format!(
                "{side} is in mega-check from {} and may not pass",
                self.givers()
            );
            return breach(words, &law::ANSWER, here);
        }
        let words = match self.offering() {
            0 => format!("{side} may not pass: no board is in play"),
            offering => format!(
                "{side} may not pass: a move can be made on {}",
                named(offering)
            ),
        };
        breach(words, &law::EIGHT, here)
    }

    /// The legal mega-move that a written one means.
    pub fn mega_move_meant(&self, written: &Written) -> Found<MegaMove> {
        Found::only(self.mega_moves_meant(written).into_iter())
    }

    /// The legal mega-moves that a written one may mean.
    fn mega_moves_meant(&self, written: &Written) -> Vec<MegaMove> {
        let mut meant = Vec::new();
        self.for_each_mega_move(|m| {
            if self.field.board.fits(m, written) {
                meant.push(m);
            }
        });
        meant
    }

    fn mega_moves_like(&self, written: &Written, path: BoardPath) -> Vec<Ply> {
        let (mut like, mut all) = (Vec::new(), Vec::new());
        self.for_each_mega_move(|m| {
            let ply = Act::Mega(m).on(path);
            all.push(ply);
            let role = self.field.piece_at(m.from).map(|piece| piece.role);
            if matches!(written, Written::Move(pattern) if role == Some(pattern.role)) {
                like.push(ply);
            }
        });
        if like.is_empty() { all } else { like }
    }

    fn against_mega_move(&self, written: &Written) -> Reason {
        let mut exposed = None;
        self.field.for_each_pseudo(self.turn, &mut |m| {
            if self.field.board.fits(m, written) {
                exposed = Some(m);
            }
        });
        match (exposed, written) {
            (Some(m), _) => self.against_exposure(m),
            (None, Written::Castle(wing)) => self.against_castling(*wing),
            (None, Written::Move(pattern)) => self.against_pattern(pattern),
            _ => ("nothing is dropped in this game".into(), &regular::TURN),
        }
    }

    fn against_exposure(&self, m: MegaMove) -> Reason {
        let lost = self.lost_by_answering();
        let by = named(self.exposers(m, lost));
        let side = self.turn;
        if self.checked && self.exposers(m, 0) == 0 {
            let boards = named(lost);
            let words = format!(
                "{side} loses the boards in check, {boards}, and is then in mega-check from {by}"
            );
            return (words, &law::ANSWER);
        }
        if self.checked {
            return (
                format!("it leaves {side}'s mega-king in mega-check from {by}"),
                &law::ANSWER,
            );
        }
        (
            format!("{side}'s mega-king would be in mega-check from {by}"),
            &law::KING_SAFE,
        )
    }

    fn against_castling(&self, wing: Wing) -> Reason {
        let right = self.turn as usize * 2 + wing as usize;
        if !self.field.board.castling[right] {
            let rook = if wing == Wing::KingSide {
                "king's"
            } else {
                "queen's"
            };
            let words = format!(
                "{} no longer has the right to castle with the {rook} mega-rook",
                self.turn
            );
            return (words, &law::DETAILS);
        }
        let words = match self.field.against_castling(self.turn, right) {
            Some((on, true)) => {
                format!(
                    "the mega-piece on {} stands between king and rook",
                    MegaSquare(square(on))
                )
            }
            Some((on, false)) => {
                format!(
                    "an armed mega-piece attacks {} on the king's path",
                    MegaSquare(square(on))
                )
            }
            None => "the mega-king would be in mega-check".into(),
        };
        (words, &law::MEGA_CHECK)
    }

    /// What is wrong with a mega-king's move that looks like castling.
    fn against_leap(&self, pattern: &Pattern, kings: u64) -> Option<Reason> {
        if pattern.role != Role::King {
            return None;
        }
        let king = squares(kings).next()?;
        let wing = refusal::castling_step(square(king), self.turn, pattern.to)?;
        if self.mega_move_meant(&Written::Castle(wing)) == Found::None {
            return Some(self.against_castling(wing));
        }
        let castling = wing.letters();
        let words = format!(
            "the mega-king goes two squares only when it castles, which is written {castling}"
        );
        Some((words, &law::MEGA_CHECK))
    }

    fn against_pattern(&self, pattern: &Pattern) -> Reason {
        let field = &self.field;
        let role = pattern.role.name();
        let to = MegaSquare(pattern.to);
        let side = self.turn;
        let own = field.kind(pattern.role) & field.of(side);
        let named_ones = set_of(squares(own).filter(|from| pattern.may_start_on(square(*from))));
        if named_ones == 0 {
            return (
                format!("{side} has no mega-{role} {}", origin(pattern)),
                &law::MEGA_MOVE,
            );
        }
        let target = index(pattern.to);
        let goes = |from: &u8| self.goes(pattern.role, *from, target);
        let near = set_of(squares(named_ones).filter(goes));
        if near == 0
            && let Some(reason) = self.against_leap(pattern, named_ones)
        {
            return reason;
        }
        if near == 0 {
            let words = format!("no mega-{role} on {} can move to {to}", named(named_ones));
            return (words, &law::MEGA_MOVE);
        }
        self.against_arrival(pattern, near, target)
    }

    /// Whether a mega-piece moves or captures like this, whatever its state and whatever is on the target.
    fn goes(&self, role: Role, from: u8, target: u8) -> bool {
        let occupied = self.field.occupied();
        if role != Role::Pawn {
            return reach(role, from, occupied) & bit(target) != 0;
        }
        if let Some(one) = ahead(self.turn, from) {
            let may_go_on = occupied & bit(one) == 0 && from / 8 == pawn_rank(self.turn);
            if one == target || may_go_on && ahead(self.turn, one) == Some(target) {
                return true;
            }
        }
        attacks::pawn(from, self.turn) & bit(target) != 0
    }

    /// The reason why mega-pieces that could reach a square may not go there.
    fn against_arrival(&self, pattern: &Pattern, near: u64, target: u8) -> Reason {
        let field = &self.field;
        let side = self.turn;
        let (role, to, who) = (pattern.role.name(), MegaSquare(pattern.to), named(near));
        if near & !field.with(State::Dethroned) == 0 {
            return (
                format!("the mega-king on {who} is dethroned and does not move"),
                &law::MEGA_MOVE,
            );
        }
        let there = field.piece_at(target);
        let armed = near & field.with(State::Armed) != 0;
        let aslant = pattern.role == Role::Pawn && squares(near).all(|from| from % 8 != target % 8);
        let straight = pattern.role == Role::Pawn && !aslant;
        match there {
            Some(piece) if piece.side == side => (
                format!(
                    "{to} is occupied by {side}'s own mega-{}",
                    piece.role.name()
                ),
                &law::MEGA_MOVE,
            ),
            Some(_) if straight => (
                format!("the mega-pawn's way to {to} is blocked"),
                &law::MEGA_MOVE,
            ),
            Some(piece) if piece.role == Role::King => (
                format!("the mega-king on {to} cannot be captured"),
                &law::MEGA_CHECK,
            ),
            Some(_) if !armed => (
                format!("the mega-{role} on {who} is not armed and does not capture"),
                &law::MEGA_MOVE,
            ),
            Some(_) if field.with(State::Neutral) & bit(target) != 0 => (
                format!("the mega-piece on {to} is neutral and cannot be captured"),
                &law::MEGA_MOVE,
            ),
            None if aslant => self.against_passing(target, armed),
            None if straight && pattern.capture => (
                format!("a mega-pawn captures diagonally, and there is nothing to capture on {to}"),
                &law::MEGA_MOVE,
            ),
            _ => self.against_promotion(pattern, armed),
        }
    }

    /// The reason against a capture on an empty square. A double step is kept only if an en passant capture is legal,
    /// so otherwise it only shows that a pawn is where a double step would have ended.
    fn against_passing(&self, target: u8, armed: bool) -> Reason {
        let victim = victim_of(self.turn, target);
        let crossed = target / 8 == last_rank(self.turn).abs_diff(2);
        let stands = crossed
            && self.field.of(self.turn.other()) & self.field.kind(Role::Pawn) & bit(victim) != 0;
        if stands && !armed {
            return (
                "only an armed mega-pawn captures en passant".into(),
                &law::PROMOTION,
            );
        }
        if stands && self.field.with(State::Neutral) & bit(victim) != 0 {
            let on = MegaSquare(square(victim));
            let words =
                format!("the mega-pawn on {on} is neutral and cannot be captured en passant");
            return (words, &law::PROMOTION);
        }
        if stands {
            return (
                "mega en passant is possible only in the turn after the double step".into(),
                &law::DETAILS,
            );
        }
        (
            format!(
                "there is nothing to capture on {}",
                MegaSquare(square(target))
            ),
            &law::MEGA_MOVE,
        )
    }

    fn against_promotion(&self, pattern: &Pattern, armed: bool) -> Reason {
        let last = pattern.to.rank == last_rank(self.turn);
        let words = match (pattern.role, last, pattern.promotion) {
            (Role::Pawn, true, _) if !armed => {
                "an unarmed mega-pawn may not enter the last rank".into()
            }
            (Role::Pawn, true, None) => {
                "the mega-pawn reaches the last rank and must promote".into()
            }
            (Role::Pawn, true, Some(role)) if !PROMOTIONS.contains(&role) => {
                format!("a mega-pawn cannot become a mega-{}", role.name())
            }
            (Role::Pawn, false, Some(_)) => "a mega-pawn promotes on the last rank only".into(),
            (_, _, Some(_)) => "only a mega-pawn promotes".into(),
            _ => "this is not a legal mega-move".into(),
        };
        (words, &law::PROMOTION)
    }
}

fn origin(pattern: &Pattern) -> String {
    match (pattern.file, pattern.rank) {
        (Some(file), Some(rank)) => format!("on {}", MegaSquare(Square::new(file, rank))),
        (Some(file), None) => {
            format!(
                "on the {}-file",
                Square::file_letter(file).to_ascii_uppercase()
            )
        }
        (None, Some(rank)) => format!("on rank {}", rank + 1),
        (None, None) => "on the mega-board".into(),
    }
}
