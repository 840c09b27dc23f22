//! What can never happen on a blocked board.
//!
//! For each man two things are found: the squares that it may ever reach, and whether it may ever be taken. These are the
//! least sets closed under every move that the sets themselves do not rule out. Turns, checks and pins are not looked at,
//! so the sets are too large rather than too small, and what they rule out is impossible.

use super::{Wall, freedom, mating, squares};
use shakmaty::{
    Bitboard, ByColor, CastlingSide, Chess, Color, Position as _, Rank, Role, Square, attacks,
};

/// A man of the position, and what may become of it.
pub(super) struct Man {
    pub color: Color,
    pub role: Role,
    /// Where it stands.
    pub home: Square,
    /// Where it may ever stand as what it is.
    pub reach: Bitboard,
    /// Where it may ever stand when it has promoted.
    pub promoted: Bitboard,
    may_be_taken: bool,
}

impl Man {
    /// Whether it stands where it is for ever.
    fn is_fixed(&self) -> bool {
        !self.may_be_taken && self.reach == Bitboard::from(self.home)
    }

    /// Whether it is a pawn that stays on its file for ever: no pawn that comes towards it on that file gets past.
    fn abides(&self) -> bool {
        let is_pawn = self.role == Role::Pawn && self.promoted.is_empty() && !self.may_be_taken;
        is_pawn && self.keeps_its_file()
    }

    fn keeps_its_file(&self) -> bool {
        self.reach.is_subset(Bitboard::from(self.home.file()))
    }

    /// Where it may ever stand.
    pub fn stands(&self) -> Bitboard {
        self.reach | self.promoted
    }
}

/// A board, and what is known of all that may happen on it.
pub(super) struct Board {
    pub men: Vec<Man>,
    /// The side that wants to mate.
    pub winner: Color,
    /// Men that stand where they are for ever.
    fixed: Bitboard,
    /// The same without the king who is to be mated: attacks go through him.
    pub solid: Bitboard,
    /// What fixed men of Black and of White guard for ever.
    guarded: Both,
    /// Where men of each side may stand, kings apart.
    present: Both,
    /// What men of each side may attack.
    attacked: Both,
    /// The same without the kings.
    checked: Both,
    /// Where pawns of each side stand that stay on their files.
    abiding: Both,
    /// What the winner's pawns may attack as pawns.
    pub by_pawns: Bitboard,
}

/// A set of squares for each side.
type Both = ByColor<Bitboard>;

/// What keeps the men apart so that a side can never mate, if the board is blocked like that.
pub(super) fn keep_out(position: &Chess, winner: Color) -> Option<Wall> {
    // A pawn that may be taken in passing is not where it could be taken later. One move on there is none.
    // Where no pawns face each other, nothing stands fast.
    if position.legal_ep_square().is_some() || freedom::rams(position.board()) == 0 {
        return None;
    }
    let mut board = Board::of(position, winner);
    loop {
        board.look();
        if mating::may_be(&board) {
            return None;
        }
        if !board.grow() {
            return Some(board.wall());
        }
    }
}

impl Board {
    fn of(position: &Chess, winner: Color) -> Self {
        let board = position.board();
        let mut men = Vec::with_capacity(32);
        for (home, piece) in board {
            men.push(Man {
                color: piece.color,
                role: piece.role,
                home,
                reach: Bitboard::from(home),
                promoted: Bitboard::EMPTY,
                may_be_taken: false,
            });
        }
        let mut board = Self {
            men,
            winner,
            fixed: Bitboard::EMPTY,
            solid: Bitboard::EMPTY,
            guarded: Both::default(),
            present: Both::default(),
            attacked: Both::default(),
            checked: Both::default(),
            abiding: Both::default(),
            by_pawns: Bitboard::EMPTY,
        };
        for color in Color::ALL {
            for side in CastlingSide::ALL {
                if let Some(rook) = position.castles().rook(color, side) {
                    board.castle(color, side, rook);
                }
            }
        }
        board
    }

    /// Takes a castling as possible.
    fn castle(&mut self, color: Color, side: CastlingSide, rook: Square) {
        for man in &mut self.men {
            if man.color == color && man.role == Role::King {
                man.reach.add(side.king_to(color));
            }
            if man.home == rook {
                man.reach.add(side.rook_to(color));
            }
        }
    }

    /// Finds what follows for the board from what is known of each man.
    fn look(&mut self) {
        self.look_at_places();
        self.look_at_attacks();
    }

    fn look_at_places(&mut self) {
        self.fixed = Bitboard::EMPTY;
        self.solid = Bitboard::EMPTY;
        self.guarded = Both::default();
        self.present = Both::default();
        self.abiding = Both::default();
        let mut occupied = Bitboard::EMPTY;
        for man in &self.men {
            occupied |= man.stands();
            if man.role != Role::King {
                self.present[man.color] |= man.stands();
            }
            if man.abides() {
                self.abiding[man.color] |= Bitboard::from(man.home);
            }
            if man.is_fixed() {
                self.fixed.add(man.home);
                let is_the_king = man.role == Role::King && man.color != self.winner;
                if !is_the_king {
                    self.solid.add(man.home);
                }
            }
        }
        for man in &self.men {
            if man.is_fixed() {
                let guarded = attacks::attacks(man.home, man.role.of(man.color), occupied);
                self.guarded[man.color] |= guarded;
            }
        }
    }

    fn look_at_attacks(&mut self) {
        self.attacked = Both::default();
        self.checked = Both::default();
        self.by_pawns = Bitboard::EMPTY;
        for man in &self.men {
            let mut attacked = Bitboard::EMPTY;
            for from in man.reach {
                attacked |= attacks::attacks(from, man.role.of(man.color), self.solid);
            }
            if man.role == Role::Pawn && man.color == self.winner {
                self.by_pawns |= attacked;
            }
            for from in man.promoted {
                attacked |= of_promoted(from, self.solid);
            }
            self.attacked[man.color] |= attacked;
            if man.role != Role::King {
                self.checked[man.color] |= attacked;
            }
        }
    }

    /// Adds every move that is not ruled out. Returns whether there was one.
    fn grow(&mut self) -> bool {
        let mut has_grown = false;
        for at in 0..self.men.len() {
            let man = &self.men[at];
            let (reach, promoted) = self.steps(man);
            let may_be_taken = man.may_be_taken || self.may_be_taken(man);
            let man = &mut self.men[at];
            let was = (man.reach, man.promoted, man.may_be_taken);
            has_grown |= was != (reach, promoted, may_be_taken);
            man.reach = reach;
            man.promoted = promoted;
            man.may_be_taken = may_be_taken;
        }
        has_grown
    }

    fn may_be_taken(&self, man: &Man) -> bool {
        if man.role == Role::King {
            return false;
        }
        let enemy = !man.color;
        let mut takers = self.checked[enemy];
        for king in self.kings(enemy) {
            for from in king.reach {
                takers |= attacks::king_attacks(from) & !self.guarded[man.color];
            }
        }
        (takers & man.stands()).any()
    }

    /// The kings of a side.
    pub fn kings(&self, color: Color) -> impl Iterator<Item = &Man> {
        let is_king = move |man: &&Man| man.role == Role::King && man.color == color;
        self.men.iter().filter(is_king)
    }

    /// Where a man may stand after one more move: as what it is, and promoted.
    fn steps(&self, man: &Man) -> (Bitboard, Bitboard) {
        let (mut reach, mut promoted) = (man.reach, man.promoted);
        let enemy = !man.color;
        // A man of the other side may be taken where it stands, fixed or not: then it is not fixed.
        let open = !self.fixed | self.present[enemy];
        for from in man.reach {
            reach |= match man.role {
                Role::Pawn => self.pawn_steps(man, from),
                Role::King => attacks::king_attacks(from) & open & !self.guarded[enemy],
                role => attacks::attacks(from, role.of(man.color), self.fixed) & open,
            };
        }
        if man.role == Role::Pawn {
            let last = man.color.fold_wb(Rank::Eighth, Rank::First);
            promoted |= reach & Bitboard::from(last);
        }
        for from in promoted {
            promoted |= of_promoted(from, self.fixed) & open;
        }
        (reach, promoted)
    }

    fn pawn_steps(&self, man: &Man, from: Square) -> Bitboard {
        let mut to = attacks::pawn_attacks(man.color, from) & self.present[!man.color];
        let ahead = man.color.fold_wb(8, -8);
        let Some(next) = from.offset(ahead).filter(|next| !self.is_shut(man, *next)) else {
            return to;
        };
        to.add(next);
        let starts = man.color.fold_wb(Rank::Second, Rank::Seventh);
        if from.rank() == starts
            && let Some(far) = next.offset(ahead)
            && !self.is_shut(man, far)
        {
            to.add(far);
        }
        to
    }

    /// Whether a pawn can never step straight on a square.
    fn is_shut(&self, man: &Man, square: Square) -> bool {
        let comes_towards = self.abiding[!man.color].contains(square) && man.keeps_its_file();
        self.fixed.contains(square) || comes_towards
    }

    /// What the men of the winner may attack, or men of the other side may fill.
    pub fn closed(&self) -> Bitboard {
        self.attacked[self.winner] | self.present[!self.winner]
    }

    /// Where a king may be in check.
    pub fn checked(&self) -> Bitboard {
        self.checked[self.winner]
    }

    fn wall(&self) -> Wall {
        let king = self.kings(!self.winner).next();
        Wall {
            fixed: squares(self.fixed),
            reach: king.map_or_else(Vec::new, |king| squares(king.reach)),
        }
    }
}

/// What a promoted pawn attacks, whatever it has become.
pub(super) fn of_promoted(from: Square, occupied: Bitboard) -> Bitboard {
    attacks::queen_attacks(from, occupied) | attacks::knight_attacks(from)
}
