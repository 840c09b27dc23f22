//! Overchess of depth 2 and more: every man is a soul with a folk of its own (OV-40, OV-41, OV-42).

use super::{
    CASTLINGS, FULL, GIVEN, Man, NONE, Naive, Options, Phase, Ply, Roster, Sub, parse_roster, slot, square,
};
use shakmaty::{Color, Role, Square};

/// An individual: its name for life, its place in the set that it is of, and those behind it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Soul {
    name: String,
    place: Square,
    folk: Folk,
}

/// Who stands behind a piece.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Folk {
    /// All, untouched.
    Whole,
    /// So many of each kind, who stand for nothing more.
    Plain(Roster),
    /// These.
    Souls(Vec<Soul>),
}

/// What goes on inside, at depth 2 and more.
#[derive(Clone, Debug)]
pub(super) enum Within {
    /// Those of attacker and defender still to be set up, and those that are.
    Placing([Vec<Soul>; 2], [Vec<(Square, Soul)>; 2]),
    /// A game.
    Game(Box<Naive>),
    /// Captives for the winner on a square, and who is left of the two.
    Captives(Square, Vec<Soul>, Vec<Square>),
    /// Those of a consolidated piece.
    Hand(Vec<Soul>),
}

/// The regular squares of a kind in a White set, by square.
fn regular(kind: Role) -> Vec<Square> {
    let squares: &[&str] = match kind {
        Role::Pawn => &["a2", "b2", "c2", "d2", "e2", "f2", "g2", "h2"],
        Role::Knight => &["b1", "g1"],
        Role::Bishop => &["c1", "f1"],
        Role::Rook => &["a1", "h1"],
        Role::Queen => &["d1"],
        Role::King => &["e1"],
    };
    squares.iter().map(|at| square(at)).collect()
}

fn kind_of(place: Square) -> Role {
    let kinds = GIVEN.into_iter().find(|kind| regular(*kind).contains(&place));
    kinds.expect("a place of a White set")
}

/// All places: P N B R Q, then by square.
fn places() -> Vec<Square> {
    GIVEN.into_iter().flat_map(regular).collect()
}

fn rank_of(place: Square) -> usize {
    places().iter().position(|other| *other == place).expect("a place of a White set")
}

/// A square of White's as Black's.
fn turned(at: Square, side: Color) -> Square {
    if side.is_white() { at } else { at.flip_vertical() }
}

fn counts(souls: &[Soul]) -> Roster {
    let mut roster = NONE;
    souls.iter().for_each(|soul| roster[slot(kind_of(soul.place))] += 1);
    roster
}

/// Everybody behind a piece of this name, in the order of places.
fn everybody(name: &str, folk: &Folk) -> Vec<Soul> {
    match folk {
        Folk::Souls(souls) => souls.clone(),
        Folk::Whole => {
            let own = |place: Square| Soul { name: format!("{name}/{place}"), place, folk: Folk::Whole };
            places().into_iter().map(own).collect()
        }
        Folk::Plain(roster) => panic!("{roster:?} has no names"),
    }
}

/// Kind by kind what the folk are worth, whoever they are.
fn worth(folk: &Folk) -> String {
    match folk {
        Folk::Whole => "whole".into(),
        Folk::Plain(FULL) => "whole".into(),
        Folk::Plain(roster) => format!("{roster:?}"),
        Folk::Souls(souls) => {
            let mut all: Vec<String> = souls
                .iter()
                .map(|soul| format!("{}{}", kind_of(soul.place).char(), worth(&soul.folk)))
                .collect();
            all.sort();
            let whole = all.len() == 15 && souls.iter().all(|soul| worth(&soul.folk) == "whole");
            if whole { "whole".into() } else { format!("({})", all.join(" ")) }
        }
    }
}

impl Naive {
    /// The first position of this depth; spares as `team/2P1N/3P` or `set/1P`.
    pub fn start(options: Options, depth: u32, reserves: &str) -> Naive {
        let first = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 - - -";
        let mut naive = Naive::parse(options, first);
        naive.depth = depth;
        let mut parts = reserves.split('/');
        let team = parts.next() == Some("team");
        let white = parts.next().map_or(NONE, parse_roster);
        naive.agreed = [white, parts.next().map_or(white, parse_roster)];
        for at in Square::ALL {
            let Some(mut man) = naive.at(at).filter(|man| man.role != Role::King) else { continue };
            man.soul = naive.souls.len();
            let place = turned(at, man.side);
            naive.souls.push(Soul { name: at.to_string(), place, folk: Folk::Whole });
            if !team {
                man.spares = naive.agreed[usize::from(man.side.is_black())];
            }
            naive.cells[at as usize] = Some(man);
        }
        if team {
            naive.pools = naive.agreed;
        }
        naive.seen = vec![naive.key()];
        naive
    }

    /// What a piece's folk are worth, for repetition.
    pub(super) fn worth(&self, man: &Man) -> String {
        match man.role {
            Role::King => String::new(),
            _ if self.depth > 1 => worth(&self.souls[man.soul].folk),
            _ => String::new(),
        }
    }

    pub(super) fn folk_of(&self, soul: usize) -> Vec<Soul> {
        everybody(&self.souls[soul].name, &self.souls[soul].folk)
    }

    /// Gives a soul these folk; untouched ones are whole.
    fn set_folk(&mut self, soul: usize, souls: Vec<Soul>) {
        let whole = everybody(&self.souls[soul].name, &Folk::Whole);
        self.souls[soul].folk = if souls == whole { Folk::Whole } else { Folk::Souls(souls) };
    }

    /// Somebody joins the folk of the piece on a square, in the first free place of the kind.
    fn join(&mut self, at: Square, mut joins: Soul) {
        let man = self.at(at).expect("somebody to join");
        let mut souls = self.folk_of(man.soul);
        let free = regular(kind_of(joins.place))
            .into_iter()
            .find(|place| souls.iter().all(|soul| soul.place != *place));
        joins.place = free.expect("room to join");
        souls.push(joins);
        souls.sort_by_key(|soul| rank_of(soul.place));
        self.set_folk(man.soul, souls);
    }

    /// A spare of this kind comes in; it is counted elsewhere.
    pub(super) fn name_spare(&mut self, at: Square, kind: Role) {
        let man = self.at(at).expect("a spare is for an over-piece");
        let side = usize::from(man.side.is_black());
        let left = self.pools[side][slot(kind)] + man.spares[slot(kind)];
        let number = self.agreed[side][slot(kind)] - left + 1;
        let name = format!("{}/{}{number}", self.souls[man.soul].name, kind.upper_char());
        self.join(at, Soul { name, place: regular(kind)[0], folk: Folk::Whole });
    }
}

/// Set-ups, individual by individual.
impl Naive {
    pub(super) fn begin_placing(&mut self) {
        let attacker = self.attacker().soul;
        let defender = self.contests[0].defender.soul;
        let armies = [self.folk_of(attacker), self.folk_of(defender)];
        self.go_on_placing(armies, [Vec::new(), Vec::new()]);
    }

    /// Who has no choice is set up; a set-up that is made begins the game.
    fn go_on_placing(&mut self, mut left: [Vec<Soul>; 2], mut placed: [Vec<(Square, Soul)>; 2]) {
        loop {
            let Some(side) = (0..2).find(|side| !left[*side].is_empty()) else { break };
            let free = free_squares(side, &left, &placed);
            if free.len() > 1 {
                self.phase = Phase::Deep(Within::Placing(left, placed));
                return;
            }
            let next = left[side].remove(0);
            placed[side].push((free[0], next));
        }
        let inner = self.begin_inner(&placed);
        self.phase = Phase::Deep(Within::Game(Box::new(inner)));
        self.judge_inner();
    }

    fn begin_inner(&self, placed: &[Vec<(Square, Soul)>; 2]) -> Naive {
        let mut inner = Naive {
            options: self.options,
            cells: vec![None; 64],
            side: Color::White,
            rights: [false; 4],
            passed: None,
            half: 0,
            full: 1,
            contests: Vec::new(),
            pools: [NONE; 2],
            phase: Phase::Over(None),
            at_once: false,
            fallen: None,
            seen: Vec::new(),
            depth: self.depth - 1,
            souls: Vec::new(),
            agreed: [NONE; 2],
        };
        for (side, all) in [Color::White, Color::Black].into_iter().zip(placed) {
            let king = Man { side, role: Role::King, roster: NONE, spares: NONE, soul: 0 };
            inner.cells[turned(Square::E1, side) as usize] = Some(king);
            for (at, soul) in all {
                let roster = match &soul.folk {
                    Folk::Whole => FULL,
                    Folk::Plain(roster) => *roster,
                    Folk::Souls(souls) => counts(souls),
                };
                let role = kind_of(soul.place);
                inner.cells[*at as usize] =
                    Some(Man { side, role, roster, spares: NONE, soul: inner.souls.len() });
                inner.souls.push(soul.clone());
            }
        }
        for (index, (_, _, rook, _)) in CASTLINGS.into_iter().enumerate() {
            inner.rights[index] = inner.at(rook).is_some();
        }
        inner.seen.push(inner.key());
        inner
    }
}

fn free_squares(side: usize, left: &[Vec<Soul>; 2], placed: &[Vec<(Square, Soul)>; 2]) -> Vec<Square> {
    let colour = Color::from_white(side == 0);
    let mut free: Vec<Square> =
        regular(kind_of(left[side][0].place)).into_iter().map(|at| turned(at, colour)).collect();
    free.retain(|at| placed[side].iter().all(|(other, _)| other != at));
    free
}

/// Games inside.
impl Naive {
    /// Settles the game inside where it has ended.
    fn judge_inner(&mut self) {
        let Phase::Deep(Within::Game(inner)) = &self.phase else { panic!("a game is open") };
        let end = match (inner.fallen, inner.status()) {
            (Some(Color::White), _) => Some(Sub::Lost),
            (Some(Color::Black), _) => Some(Sub::Won),
            (_, "mate") if inner.side.is_white() => Some(Sub::Lost),
            (_, "mate") => Some(Sub::Won),
            (_, "open" | "ongoing" | "check") => None,
            _ => Some(Sub::Drawn),
        };
        if let Some(end) = end {
            self.settle_inner(end);
        }
    }

    /// The game inside is over, or was not begun; its survivors go home.
    fn settle_inner(&mut self, sub: Sub) {
        let souls = [self.attacker().soul, self.contests[0].defender.soul];
        let before = souls.map(|soul| self.souls[soul].folk.clone());
        if let Phase::Deep(Within::Game(inner)) = &self.phase {
            let left = inner.clone().closed();
            for (soul, left) in souls.into_iter().zip(left) {
                self.set_folk(soul, left);
            }
        }
        let took = souls.map(|soul| self.souls[soul].folk.clone()) != before;
        let [white, black] = souls.map(|soul| counts(&self.folk_of(soul)));
        let loser = match sub {
            Sub::Won => Some(souls[1]),
            Sub::Lost => Some(souls[0]),
            Sub::Drawn => None,
        };
        // Until it is known what is left open by the settlement.
        let captives = loser.map(|soul| self.folk_of(soul)).unwrap_or_default();
        self.phase = Phase::Deep(Within::Captives(self.contests[0].to, captives, Vec::new()));
        self.settle_with(sub, white, black, took);
    }

    /// What is left of both sides: whatever is contested is drawn (OV-41).
    fn closed(mut self) -> [Vec<Soul>; 2] {
        match self.phase.clone() {
            Phase::Game { .. } => {
                let (white, black) = (self.survivors(Color::White), self.survivors(Color::Black));
                let to = self.contests[0].to;
                self.man_mut(to).roster = white;
                self.contests[0].defender.roster = black;
            }
            Phase::Deep(Within::Game(inner)) => {
                let souls = [self.attacker().soul, self.contests[0].defender.soul];
                for (soul, left) in souls.into_iter().zip(inner.closed()) {
                    self.set_folk(soul, left);
                }
            }
            _ => {}
        }
        for contest in self.contests.clone() {
            self.settle_squares(&contest, Sub::Drawn);
        }
        [Color::White, Color::Black].map(|side| {
            let men = self.men(side).into_iter().filter(|(_, man)| man.role != Role::King);
            let mut left: Vec<Soul> = men
                .map(|(_, man)| {
                    let mut soul = self.souls[man.soul].clone();
                    if self.depth == 1 {
                        soul.folk = if man.roster == FULL { Folk::Whole } else { Folk::Plain(man.roster) };
                    }
                    soul
                })
                .collect();
            left.sort_by_key(|soul| rank_of(soul.place));
            left
        })
    }
}

/// Prisoners and consolidations.
impl Naive {
    /// The winner on a square may take who fits of those that were noted.
    pub(super) fn offer_captives(&mut self, winner: Square, survivors: Vec<Square>) {
        let Phase::Deep(Within::Captives(_, captives, _)) = self.phase.clone() else {
            panic!("captives were noted")
        };
        self.go_on_taking(winner, captives, survivors);
    }

    fn go_on_taking(&mut self, winner: Square, mut captives: Vec<Soul>, survivors: Vec<Square>) {
        let room = self.at(winner).map_or(NONE, |man| man.room());
        captives.retain(|soul| room[slot(kind_of(soul.place))] > 0);
        if self.options.prisoners && !captives.is_empty() {
            self.phase = Phase::Deep(Within::Captives(winner, captives, survivors));
        } else {
            self.offer_spares(survivors);
        }
    }

    /// Who may be handed over next, and where to: the first kind that has room, enough of it left for the rest
    /// of the room.
    fn hands(&self, left: &[Soul]) -> Vec<Ply> {
        for kind in GIVEN {
            let room = self.room_from(kind, Square::A1);
            let sum: usize = room.iter().map(|(_, room)| usize::from(*room)).sum();
            let own: Vec<&Soul> = left.iter().filter(|soul| kind_of(soul.place) == kind).collect();
            let due = own.len().min(sum);
            if due == 0 {
                continue;
            }
            let chosen = own.iter().enumerate().filter(|(index, _)| own.len() - index >= due);
            let to_all = |soul: &Soul| -> Vec<Ply> {
                room.iter().map(|(at, _)| Ply::Hand(*at, soul.name.clone())).collect()
            };
            return chosen.flat_map(|(_, soul)| to_all(soul)).collect();
        }
        vec![Ply::Done]
    }

    pub(super) fn deep_plies(&self, within: &Within) -> Vec<Ply> {
        match within {
            Within::Placing(left, placed) => {
                let side = usize::from(left[0].is_empty());
                let (to, name) = (self.contests[0].to, &left[side][0].name);
                let free = free_squares(side, left, placed).into_iter();
                free.map(|at| Ply::Place(to, name.clone(), at)).collect()
            }
            Within::Game(inner) => {
                let to = self.contests[0].to;
                inner.plies().into_iter().map(|ply| Ply::Inner(to, Box::new(ply))).collect()
            }
            Within::Captives(_, captives, _) => {
                let taken = captives.iter().map(|soul| Ply::Take(soul.name.clone()));
                taken.chain([Ply::Done]).collect()
            }
            Within::Hand(left) => self.hands(left),
        }
    }

    pub(super) fn play_deep(&mut self, ply: Ply, within: Within) {
        match (ply, within) {
            (Ply::Place(_, _, at), Within::Placing(mut left, mut placed)) => {
                let side = usize::from(left[0].is_empty());
                let next = left[side].remove(0);
                placed[side].push((at, next));
                self.go_on_placing(left, placed);
            }
            (Ply::Inner(_, ply), Within::Game(inner)) => {
                self.phase = Phase::Deep(Within::Game(Box::new(inner.after(&ply))));
                self.judge_inner();
            }
            (Ply::Take(name), Within::Captives(winner, captives, survivors)) => {
                let index = captives.iter().position(|soul| soul.name == name).expect("a captive");
                self.join(winner, captives[index].clone());
                let kind = kind_of(captives[index].place);
                self.man_mut(winner).roster[slot(kind)] += 1;
                self.go_on_taking(winner, captives[index + 1..].to_vec(), survivors);
            }
            (Ply::Done, Within::Captives(_, _, survivors)) => self.offer_spares(survivors),
            (Ply::Hand(at, name), Within::Hand(mut left)) => {
                let index = left.iter().position(|soul| soul.name == name).expect("one in hand");
                let kind = kind_of(left[index].place);
                self.join(at, left[index].clone());
                self.man_mut(at).roster[slot(kind)] += 1;
                let passed: Vec<String> = left[..=index].iter().map(|soul| soul.name.clone()).collect();
                left.retain(|soul| kind_of(soul.place) != kind || !passed.contains(&soul.name));
                self.phase = Phase::Deep(Within::Hand(left));
            }
            (Ply::Done, Within::Hand(_)) => {
                self.half = 0;
                self.passed = None;
                self.end_turn(false);
            }
            (other, within) => panic!("{other:?} in {within:?}"),
        }
    }

    /// The position after the game of the sub-game on this many levels inwards is resigned or agreed drawn.
    pub fn resolve_inside(&self, level: usize, sub: Sub) -> Naive {
        let mut next = self.clone();
        match (&mut next.phase, level) {
            (Phase::Deep(Within::Game(inner)), 1..) => {
                **inner = inner.resolve_inside(level - 1, sub);
                next.judge_inner();
            }
            (Phase::Deep(_), 0) => next.settle_inner(sub),
            (Phase::Game { .. }, 0) => next.settle(sub),
            (phase, _) => panic!("{phase:?} has no game so deep"),
        }
        next
    }
}
