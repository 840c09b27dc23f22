//! One over-game of many in each other: its board, and which individual stands where.

use super::{
    army::{Army, Individual, Places},
    name::{KING, Name, Place, Step},
    placing::Placing,
};
use crate::{
    digest,
    outcome::Outcome,
    overchess::{
        Options, Over, OverMove, Reserves,
        board::{Board, squares},
        contest::{Contest, Places as Standing, SubSet},
        game::{Game, Phase, rook_of},
        roster::Roster,
    },
    path::{index, square},
    square::{Piece, Role, Side, Square},
};

/// Nobody stands there.
const NOBODY: u8 = u8::MAX;

/// An over-game. Its own [`Over`] knows how many men stand behind each piece; who they are is known here.
#[derive(Clone, Debug)]
pub struct Level {
    /// How deep it goes: the sub-games of an over-game of depth 1 are chess.
    pub(crate) depth: u8,
    pub(crate) over: Over,
    /// The over-pieces of White and Black by their places.
    pub(crate) sides: [Places; 2],
    /// Whose place it is that stands on each square: its number, 16 more for Black.
    holders: [u8; 64],
    /// The same for those attacked, the one to be settled first in front.
    attacked: [u8; 2],
    /// The set-up that is being made for the game inside.
    pub(crate) placing: Option<Placing>,
    /// The loser's individuals that the winner may still take.
    pub(crate) captives: Places,
    /// The individuals of a consolidated over-piece that may still be handed over.
    pub(crate) hand: Places,
}

/// The number of a place among those of both sides.
const fn holder(side: Side, place: u8) -> u8 {
    side as u8 * 16 + place
}

const fn side_of(holder: u8) -> Side {
    if holder < 16 { Side::White } else { Side::Black }
}

/// A square of the first two ranks of a side, as that of the other.
pub(crate) const fn seen_by(side: Side, number: u8) -> u8 {
    match side {
        Side::White => number,
        Side::Black => number ^ 56,
    }
}

impl Level {
    /// The first position of the outermost over-game.
    pub fn start(depth: u8, options: Options) -> Self {
        let mut sides = [Places::default(), Places::default()];
        let mut holders = [NOBODY; 64];
        for (side, places) in [Side::White, Side::Black].into_iter().zip(&mut sides) {
            for place in Place::ALL {
                let at = seen_by(side, place.number());
                let name = Name::over_piece(square(at));
                places.put(place, Individual { name, army: Army::Untouched });
                holders[usize::from(at)] = holder(side, place.number());
            }
            holders[usize::from(seen_by(side, KING))] = holder(side, KING);
        }
        let mut level = Self::around(depth, Over { game: Game::start(options) }, sides, holders);
        level.forget_what_was();
        level
    }

    fn around(depth: u8, mut over: Over, sides: [Places; 2], holders: [u8; 64]) -> Self {
        if depth == 1 {
            over.game.settled = Some(Vec::new());
        }
        let attacked = [NOBODY; 2];
        let [captives, hand] = [Places::default(), Places::default()];
        Self { depth, over, sides, holders, attacked, placing: None, captives, hand }
    }

    /// The over-game of these armies set up on these squares; the attacker is White.
    pub fn of(depth: u8, options: Options, sides: [Places; 2], squares: [[u8; 16]; 2]) -> Self {
        let mut board = Board::default();
        let mut sets = [SubSet::default(); 64];
        let mut holders = [NOBODY; 64];
        for (side, (places, squares)) in [Side::White, Side::Black].into_iter().zip(sides.iter().zip(squares))
        {
            let king = seen_by(side, KING);
            board.put(king, Piece { side, role: Role::King });
            holders[usize::from(king)] = holder(side, KING);
            for place in places.held() {
                let at = squares[usize::from(place.number())];
                board.put(at, Piece { side, role: place.role() });
                holders[usize::from(at)] = holder(side, place.number());
                let men = places.at(place).map_or(Roster::NONE, |one| one.army.roster());
                sets[usize::from(at)] = SubSet { men, spares: Roster::NONE };
            }
        }
        board.castling = [7, 0, 63, 56].map(|corner| board.occupied() >> corner & 1 == 1);
        let options = Options { reserves: Reserves::None, ..options };
        let game = Game::of(options, board, sets, [Roster::NONE; 2], Side::White);
        let mut level = Self::around(depth, Over { game }, sides, holders);
        level.forget_what_was();
        level
    }

    /// The turn begins with nothing seen before.
    fn forget_what_was(&mut self) {
        self.tell_beside();
        self.over.game.begin_anew();
    }

    /// Lets the counts know what stands behind them.
    pub fn tell_beside(&mut self) {
        if self.depth == 1 {
            return;
        }
        let mut words = Vec::with_capacity(100);
        let standing = (0..).zip(self.holders);
        let attacked = (64..).zip(self.attacked);
        for (at, holder) in standing.chain(attacked) {
            if let Some(one) = self.individual(holder) {
                let digest = one.army.digest();
                words.extend([at, digest as u64, (digest >> 64) as u64]);
            }
        }
        self.over.game.beside = Some(digest::of(&words));
    }

    fn individual(&self, holder: u8) -> Option<&Individual> {
        let place = Place::numbered(holder % 16).filter(|_| holder != NOBODY)?;
        self.sides[side_of(holder) as usize].at(place)
    }

    fn individual_mut(&mut self, holder: u8) -> Option<&mut Individual> {
        let place = Place::numbered(holder % 16).filter(|_| holder != NOBODY)?;
        self.sides[side_of(holder) as usize].at_mut(place)
    }

    fn remove(&mut self, holder: u8) -> Option<Individual> {
        let place = Place::numbered(holder % 16).filter(|_| holder != NOBODY)?;
        self.sides[side_of(holder) as usize].take(place)
    }

    /// Who stands on a square; on a contested one the attacker.
    pub fn at(&self, on: Square) -> Option<&Individual> {
        self.individual(self.holders[usize::from(index(on))])
    }

    /// The attacked over-piece of a contested square; 0 is the one to be settled first.
    pub fn attacked(&self, slot: usize) -> Option<&Individual> {
        self.individual(self.attacked.get(slot).copied().unwrap_or(NOBODY))
    }

    /// Puts an individual of a side's place on a square, or among those attacked.
    pub fn seat(&mut self, side: Side, number: u8, seat: Seat) {
        let slot = match seat {
            Seat::On(at) => &mut self.holders[usize::from(at)],
            Seat::Attacked(slot) => &mut self.attacked[slot],
        };
        *slot = holder(side, number);
    }

    /// A level of nobody around an over-position.
    pub fn empty(depth: u8, over: Over) -> Self {
        Self::around(depth, over, [Places::default(), Places::default()], [NOBODY; 64])
    }

    /// The pieces of the contest to be settled first: the attacker and the attacked.
    pub fn parties(&self) -> Option<[&Individual; 2]> {
        let contest = self.over.game.contests[0]?;
        Some([self.individual(self.holders[usize::from(contest.to)])?, self.individual(self.attacked[0])?])
    }

    /// The individuals of attacker and attacked.
    pub fn armies(&self) -> Option<[Places; 2]> {
        let [attacker, attacked] = self.parties()?;
        Some([attacker, attacked].map(|one| one.army.places(&one.name)))
    }

    // What a ply does beside the counts.

    /// An over-move takes its individuals along.
    pub fn carry(&mut self, m: OverMove) {
        let game = &self.over.game;
        let (target, rook) = (game.board.target(m), rook_of(&game.board, m));
        let (from, to) = (usize::from(m.from), usize::from(m.to));
        let king = self.holders[from] % 16 == KING;
        let slot = usize::from(game.contests[0].is_some());
        if let Some(at) = target {
            let victim = std::mem::replace(&mut self.holders[usize::from(at)], NOBODY);
            if king {
                self.remove(victim);
            } else {
                self.attacked[slot] = victim;
            }
        }
        self.holders[to] = std::mem::replace(&mut self.holders[from], NOBODY);
        if let Some((from, to)) = rook {
            self.holders[usize::from(to)] = std::mem::replace(&mut self.holders[usize::from(from)], NOBODY);
        }
        self.tell_beside();
    }

    /// A man of the sub-game of chess or an over-piece was put on another square against the rules (GEN-9);
    /// nothing where that makes no position.
    pub fn displace(&mut self, from: Square, to: Square) -> Option<()> {
        if !matches!(self.over.game.phase, Phase::Sub(_)) {
            let game = &self.over.game;
            let [mover, taken] = [from, to].map(|on| game.board.piece_at(index(on)));
            let attacks = taken.is_some_and(|taken| mover.is_some_and(|mover| taken.side != mover.side));
            let slot = usize::from(game.contests[0].is_some());
            let by_king = mover.is_some_and(|piece| piece.role == Role::King);
            let (from, to) = (usize::from(index(from)), usize::from(index(to)));
            let arrives = std::mem::replace(&mut self.holders[from], NOBODY);
            let victim = std::mem::replace(&mut self.holders[to], arrives);
            if attacks && !by_king {
                *self.attacked.get_mut(slot)? = victim;
            } else {
                self.remove(victim);
            }
            self.tell_beside();
        }
        self.over = self.over.displaced(from, to)?;
        self.follow();
        self.drop_captives();
        Some(())
    }

    /// Follows what sub-games of chess have settled.
    pub fn follow(&mut self) {
        let settled = self.over.game.settled.as_mut().map(std::mem::take).unwrap_or_default();
        for (contest, standing) in settled {
            self.rise(&contest, standing);
        }
    }

    /// The game inside is over: who is left of attacker and attacked, and what that changes here.
    pub fn conclude(&mut self, outcome: Outcome, left: Option<[Places; 2]>) {
        let Some(contest) = self.over.game.open_contest() else { return };
        self.placing = None;
        let taken = left.is_some_and(|left| self.bring_home(&contest, left));
        let Some(contest) = self.over.game.open_contest() else { return };
        let rosters = self.over.game.armies(&contest);
        let loser = match outcome {
            Outcome::Win(Side::White) => self.individual(self.attacked[0]),
            Outcome::Win(Side::Black) => self.individual(self.holders[usize::from(contest.to)]),
            Outcome::Draw => None,
        };
        self.captives = loser
            .filter(|_| self.over.game.options.prisoners)
            .map_or_else(Places::default, |one| one.army.places(&one.name));
        let mut board = self.over.game.board;
        let standing = contest.settle(&mut board, outcome, self.over.game.options.drawn);
        self.rise(&contest, standing);
        self.tell_beside();
        self.over.game.conclude_with(outcome, rosters, taken);
        self.drop_captives();
    }

    /// Gives attacker and attacked what is left of them; answers whether anything was taken.
    fn bring_home(&mut self, contest: &Contest, left: [Places; 2]) -> bool {
        let parties = [self.holders[usize::from(contest.to)], self.attacked[0]];
        let mut taken = false;
        for (holder, left) in parties.into_iter().zip(left) {
            let roster = left.roster();
            if let Some(one) = self.individual_mut(holder) {
                let army = Army::of_places(left, &one.name);
                taken |= one.army != army;
                one.army = army;
            }
            if holder == parties[0] {
                self.over.game.sets[usize::from(contest.to)].men = roster;
            } else if let Some(contest) = &mut self.over.game.contests[0] {
                contest.set.men = roster;
            }
        }
        taken
    }

    /// Where the individuals of a contest stand once it is settled; who is gone is gone.
    fn rise(&mut self, contest: &Contest, standing: Standing) {
        let attacker = std::mem::replace(&mut self.holders[usize::from(contest.to)], NOBODY);
        let attacked = self.attacked[0];
        self.attacked = [self.attacked[1], NOBODY];
        for (holder, at) in [(attacker, standing.attacker), (attacked, standing.defender)] {
            match at {
                Some(at) => self.holders[usize::from(at)] = holder,
                None => drop(self.remove(holder)),
            }
        }
    }

    /// Captives of whose kind no more can be taken are lost.
    pub fn drop_captives(&mut self) {
        let most = self.over.game.part().map_or(Roster::NONE, |part| part.prisoners);
        for place in Place::ALL.into_iter().filter(|place| most.count(place.role()) == 0) {
            self.captives.take(place);
        }
    }

    /// A captive joins the over-piece that is being settled; those before it are let go.
    pub fn take(&mut self, place: Place) {
        let Some(part) = self.over.game.part() else { return };
        let Some(captive) = self.captives.take(place) else { return };
        for before in Place::ALL.into_iter().take(place.order()) {
            self.captives.take(before);
        }
        self.join(part.at, place, captive);
        let room = self.over.game.set(part.at).men.plus(place.role()).room();
        let more = self.captives.roster().common(room);
        self.tell_beside();
        self.over.game.take_some(Roster::NONE.plus(place.role()), more);
        self.drop_captives();
    }

    /// An individual joins the sub-set of who stands on a square.
    fn join(&mut self, at: u8, from: Place, individual: Individual) {
        let holder = self.holders[usize::from(at)];
        if let Some(one) = self.individual_mut(holder) {
            let mut places = one.army.places(&one.name);
            places.join(from, individual);
            one.army = Army::of_places(places, &one.name);
        }
    }

    /// A spare comes in, with a complete sub-set (OV-25).
    pub fn call_in(&mut self, at: u8, role: Role) {
        let game = &self.over.game;
        let side = game.board.piece_at(at).map_or(game.turn, |piece| piece.side) as usize;
        let (agreed, left) = match game.options.reserves {
            Reserves::None => return,
            Reserves::Team(agreed) => (agreed[side], game.spares[side]),
            Reserves::Set(agreed) => (agreed[side], game.set(at).spares),
        };
        let number = u16::from(agreed.count(role).saturating_sub(left.count(role))) + 1;
        let holder = self.holders[usize::from(at)];
        let Some(owner) = self.individual(holder).map(|one| one.name.clone()) else { return };
        let Some(place) = Place::of_kind(role).next() else { return };
        let name = owner.inner(Step::Spare(role, number));
        self.join(at, place, Individual { name, army: Army::Untouched });
        self.tell_beside();
    }

    /// An over-piece leaves the board, and its individuals are in hand.
    pub fn consolidate(&mut self, at: u8) {
        let holder = std::mem::replace(&mut self.holders[usize::from(at)], NOBODY);
        if let Some(one) = self.remove(holder).filter(|_| self.depth > 1) {
            self.hand = one.army.places(&one.name);
        }
        self.tell_beside();
    }

    /// An individual in hand goes to who stands on a square; those of its kind before it are lost.
    pub fn hand_over(&mut self, place: Place, to: u8) {
        let Some(individual) = self.hand.take(place) else { return };
        for before in Place::of_kind(place.role()).take_while(|before| *before != place) {
            self.hand.take(before);
        }
        self.join(to, place, individual);
        self.tell_beside();
    }

    /// The room that other sub-sets have for a kind.
    pub fn room(&self, role: Role) -> usize {
        self.over.game.rooms(role).map(|(_, room)| usize::from(room)).sum()
    }

    /// Who may be handed over next: those in hand of the first kind for which there is room, as far as
    /// enough come behind them to fill it.
    pub fn next_in_hand(&self) -> Vec<Place> {
        for role in crate::overchess::KINDS {
            let (room, left) =
                (self.room(role), Vec::from_iter(self.hand.held().filter(|p| p.role() == role)));
            if room > 0 && !left.is_empty() {
                let spare = left.len().saturating_sub(room);
                return left.into_iter().take(spare + 1).collect();
            }
        }
        Vec::new()
    }

    /// The game is over, however it stands: contested squares are drawn (OV-41), and those who are left go
    /// home to their places.
    pub fn end(mut self) -> [Places; 2] {
        while let Some(contest) = self.over.game.contests[0] {
            let game = &mut self.over.game;
            let left = game.sub_game().map_or_else(|| game.armies(&contest), |sub| sub.left);
            game.phase = Phase::Over;
            game.sets[usize::from(contest.to)] = SubSet::default();
            let standing = contest.settle(&mut game.board, Outcome::Draw, game.options.drawn);
            for (at, men) in [standing.attacker, standing.defender].into_iter().zip(left) {
                if let Some(at) = at {
                    game.sets[usize::from(at)].men = men;
                }
            }
            game.contests = [game.contests[1], None];
            self.rise(&contest, standing);
        }
        if self.depth == 1 {
            let board = self.over.game.board;
            for at in squares(board.occupied() & !board.kind(Role::King)) {
                let men = self.over.game.set(at).men;
                if let Some(one) = self.individual_mut(self.holders[usize::from(at)]) {
                    one.army = Army::of_men(men);
                }
            }
        }
        self.sides
    }

    /// The game inside has broken off: its armies are what they are, and the attack is still open.
    pub fn break_off(&mut self, left: [Places; 2]) {
        if let Some(contest) = self.over.game.open_contest() {
            self.bring_home(&contest, left);
        }
    }
}

/// Where an individual is: on a square, or attacked on one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Seat {
    /// On the square of this number.
    On(u8),
    /// In the contest of this place in their order.
    Attacked(usize),
}
