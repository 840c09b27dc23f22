//! What a ply does in an over-game, and to the individuals on its board.

use super::Level;
use crate::{
    board8::board::{BoardMove as OverMove, squares},
    overchess::{
        Ply,
        army::{Army, Individual, Places},
        contest::Contest,
        individuals::Individuals,
        name::{Step, SubSetPlace},
        options::Reserves,
        roster::{KINDS, Roster},
        state::{Concluded, Phase},
    },
};
use overboard_rules::{
    by_side::BySide,
    outcome::Outcome,
    path::{index, square},
    ply::StandingAct,
    square::{Role, Side},
};
use std::sync::Arc;

impl Level {
    pub(in crate::overchess) fn for_each_gift(&self, mut visit: impl FnMut(Ply)) {
        let next = self.next_in_hand();
        if next.is_empty() {
            return visit(Ply::Done);
        }
        for place in next {
            for (at, _) in self.game.rooms(place.role()) {
                visit(Ply::Hand(place, square(at)));
            }
        }
    }

    pub(in crate::overchess) fn play(&mut self, ply: &Ply) {
        // A game of depth 1 has no names, and skips this.
        if self.individuals.is_none() {
            self.game.play(ply);
        } else {
            self.play_named(ply);
        }
    }

    fn play_named(&mut self, ply: &Ply) {
        match *ply {
            Ply::Place(_, on) => {
                if let Some(who) = self.individuals_mut()
                    && let Some(placing) = &mut who.placing
                {
                    placing.put(on);
                }
                return;
            }
            Ply::Take(place) => return self.take(place),
            Ply::Hand(place, to) => {
                self.hand_over(place, index(to));
                return self.game.play(&Ply::Give(to, place.role()));
            }
            Ply::Over(m) => self.carry(m),
            Ply::Consolidate(on) => self.consolidate(index(on)),
            Ply::Reserve(on, role) if self.depth > 1 => self.call_in(index(on), role),
            Ply::Done if self.individuals().is_some_and(|who| !who.hand.is_empty()) => {
                if let Some(who) = self.individuals_mut() {
                    who.hand = Places::default();
                }
            }
            _ => {}
        }
        self.game.play(ply);
        self.drop_captives();
    }

    /// Moves the individuals of an over-move.
    fn carry(&mut self, m: OverMove) {
        if let Some(who) = &mut self.individuals {
            Arc::make_mut(who).carry(m, &self.game);
        }
        self.report_beside();
    }

    /// An act in the sub-game of chess, or on the over-board, stands against the rules (GEN-9); `None` if it leads to no
    /// position.
    pub(in crate::overchess) fn stand(&mut self, standing_act: StandingAct) -> Option<()> {
        let after = self.game.stood(standing_act)?;
        if !matches!(self.game.phase, Phase::Sub(_)) {
            if let Some(who) = &mut self.individuals {
                let who = Arc::make_mut(who);
                for (from, to) in self.game.ways_of(standing_act) {
                    who.displace(from, to, &self.game)?;
                }
            }
            self.report_beside();
        }
        self.game = after;
        self.drop_captives();
        Some(())
    }

    /// The sub-games of chess that the last act has concluded; their over-pieces are put where they now are.
    pub(in crate::overchess) fn follow(&mut self) -> impl Iterator<Item = Concluded> + use<> {
        let concluded = self.game.take_concluded();
        if concluded[0].is_some()
            && let Some(who) = &mut self.individuals
        {
            let who = Arc::make_mut(who);
            for this in concluded.iter().flatten() {
                who.rise(&this.contest, this.standing);
            }
        }
        concluded.into_iter().flatten()
    }

    /// The inner over-game is over: takes over what is left of attacker and attacked.
    pub(in crate::overchess) fn conclude(
        &mut self,
        outcome: Outcome,
        left: Option<BySide<Places>>,
    ) {
        let Some(contest) = self.game.open_contest() else {
            return;
        };
        let taken = left.is_some_and(|left| self.bring_home(&contest, left));
        let Some(contest) = self.game.open_contest() else {
            return;
        };
        let rosters = self.game.armies(&contest);
        let mut board = self.game.board;
        let standing = contest.settle(&mut board, outcome, self.game.options.drawn);
        let takes_prisoners = self.game.options.prisoners;
        if let Some(who) = self.individuals_mut() {
            who.placing = None;
            let loser = match outcome {
                Outcome::Win(Side::White) => who.attacked(0),
                Outcome::Win(Side::Black) => who.at(square(contest.to)),
                Outcome::Draw => None,
            };
            who.captives = match loser {
                Some(one) if takes_prisoners => one.army.places(&one.name),
                _ => Places::default(),
            };
            who.rise(&contest, standing);
        }
        self.report_beside();
        self.game.conclude_with(outcome, rosters, taken);
        // The individuals have been put where they belong.
        self.game.take_concluded();
        self.drop_captives();
    }

    /// Gives attacker and attacked what is left of them; returns whether anything was captured.
    fn bring_home(&mut self, contest: &Contest, left: BySide<Places>) -> bool {
        let mut taken = false;
        let rosters = left.as_ref().map(Places::roster);
        if let Some(who) = self.individuals_mut() {
            let parties = [who.holders[usize::from(contest.to)], who.attacked[0]];
            for (holder, left) in parties.into_iter().zip(left) {
                if let Some(one) = who.get_mut(holder) {
                    let army = Army::of_places(left, &one.name);
                    taken |= one.army != army;
                    one.army = army;
                }
            }
        }
        self.game.sets[usize::from(contest.to)].pieces = rosters[Side::White];
        if let Some(contest) = &mut self.game.contests[0] {
            contest.set.pieces = rosters[Side::Black];
        }
        taken
    }

    /// Drops captives of kinds of which no more can be taken.
    fn drop_captives(&mut self) {
        if let Some(who) = &mut self.individuals
            && !who.captives.is_empty()
        {
            let most = self.game.part().map_or(Roster::NONE, |part| part.prisoners);
            let captives = &mut Arc::make_mut(who).captives;
            for place in SubSetPlace::ALL {
                if most.count(place.role()) == 0 {
                    captives.take(place);
                }
            }
        }
    }

    /// A captive joins the over-piece that is being settled; captives before it are released.
    fn take(&mut self, place: SubSetPlace) {
        let Some(part) = self.game.part() else { return };
        let Some(who) = self.individuals_mut() else {
            return;
        };
        let Some(captive) = who.captives.take(place) else {
            return;
        };
        for before in SubSetPlace::ALL.into_iter().take(place.order()) {
            who.captives.take(before);
        }
        who.join(part.at, place, captive);
        let captives = who.captives.roster();
        let room = self.game.set(part.at).pieces.plus(place.role()).room();
        self.report_beside();
        self.game
            .take_some(Roster::NONE.plus(place.role()), captives.common(room));
        self.drop_captives();
    }

    /// A spare comes in, with a complete sub-set (OV-25).
    fn call_in(&mut self, at: u8, role: Role) {
        let game = &self.game;
        let side = game.side_at(at);
        let (agreed, left) = match game.options.reserves {
            Reserves::None => return,
            Reserves::Team(agreed) => (agreed[side], game.spares[side]),
            Reserves::Set(agreed) => (agreed[side], game.set(at).spares),
        };
        let number = u16::from(agreed.count(role).saturating_sub(left.count(role))) + 1;
        let Some(who) = self.individuals_mut() else {
            return;
        };
        let Some(owner) = who.at(square(at)).map(|one| one.name.clone()) else {
            return;
        };
        let Some(place) = SubSetPlace::of_kind(role).next() else {
            return;
        };
        let name = owner.inner(Step::Spare(role, number));
        who.join(at, place, Individual::untouched(name));
        self.report_beside();
    }

    /// An over-piece leaves the board; its individuals are in hand.
    fn consolidate(&mut self, at: u8) {
        let depth = self.depth;
        if let Some(who) = self.individuals_mut()
            && let Some(one) = who.leave(at)
            && depth > 1
        {
            who.hand = one.army.places(&one.name);
        }
        self.report_beside();
    }

    /// Gives an individual in hand to the piece on a square; those of its kind before it are lost.
    fn hand_over(&mut self, place: SubSetPlace, to: u8) {
        let Some(who) = self.individuals_mut() else {
            return;
        };
        let Some(individual) = who.hand.take(place) else {
            return;
        };
        for before in SubSetPlace::of_kind(place.role()) {
            if before == place {
                break;
            }
            who.hand.take(before);
        }
        who.join(to, place, individual);
        self.report_beside();
    }

    /// The room in other sub-sets for a kind.
    fn room(&self, role: Role) -> usize {
        let mut sum = 0;
        for (_, room) in self.game.rooms(role) {
            sum += usize::from(room);
        }
        sum
    }

    /// The individuals that may be handed over next: those in hand of the first kind for which there is room, if enough
    /// of them follow to fill it.
    fn next_in_hand(&self) -> Vec<SubSetPlace> {
        let Some(who) = self.individuals() else {
            return Vec::new();
        };
        for role in KINDS {
            let room = self.room(role);
            let mut left = Vec::from_iter(who.hand.held());
            left.retain(|place| place.role() == role);
            if room > 0 && !left.is_empty() {
                left.truncate(left.len().saturating_sub(room) + 1);
                return left;
            }
        }
        Vec::new()
    }

    /// The game is over, whatever its position: contested squares are drawn (OV-41), and the remaining individuals
    /// return to their places.
    pub(in crate::overchess) fn end(self) -> BySide<Places> {
        let Self {
            depth,
            mut game,
            individuals,
        } = self;
        let mut who = individuals.map_or_else(Individuals::nobody, Arc::unwrap_or_clone);
        while let Some(contest) = game.contests[0] {
            let left = match game.sub_game() {
                Some(sub) => sub.left,
                None => game.armies(&contest),
            };
            game.phase = Phase::Over;
            let standing = game.settle(&contest, Outcome::Draw, left);
            who.rise(&contest, standing);
        }
        if depth == 1 {
            for at in squares(game.board.occupied() & !game.board.kind(Role::King)) {
                let pieces = game.set(at).pieces;
                if let Some(one) = who.get_mut(who.holders[usize::from(at)]) {
                    one.army = Army::of_pieces(pieces);
                }
            }
        }
        who.sides
    }

    /// The inner game has been broken off: its armies stay as they are, and the attack is still open.
    pub(in crate::overchess) fn break_off(&mut self, left: BySide<Places>) {
        if let Some(contest) = self.game.open_contest() {
            self.bring_home(&contest, left);
        }
    }
}
