//! Orders in which more than plies happens: a flag falls, an illegal ply stands, the kings are counted.
//!
//! Such an act is on the sheet of one board. Where a team may be left with its last king by it, or the kings are counted, it
//! changes what is legal on all boards; then every order is tried, as far as the budget allows. Otherwise it touches the plies
//! of the boards around.

use super::{
    Made, Pair, Plan, PlyAt, Problem, SheetPly, TRIED_COUNTING,
    budget::{MOST_IDLE, ReachedPosition},
    contact::Contact,
    search::{Found, Guide},
};
use crate::acts::{ActsAround, OtherAct};
use overboard_games::strategichess::linked::{Edition, FallenFlag, Linked, LinkedBoard};
use overboard_referee::{
    game::record::Record as _,
    record_state::players::{Chair, Players},
};
use overboard_rules::{
    by_side::BySide,
    game::{Game as _, Happening},
    square::Side,
};

impl<'a> Plan<'a> {
    pub fn entry(&self, PlyAt { board, at }: PlyAt) -> &'a SheetPly {
        &self.sheets[board].entries[at]
    }

    /// The plies with which something else happens.
    pub fn eventful(&self) -> impl Iterator<Item = (PlyAt, &'a ActsAround)> {
        let eventful = self.eventful.iter();
        eventful.filter_map(|ply| Some((*ply, self.entry(*ply).acts.as_deref()?)))
    }

    /// What happens, and with which ply.
    fn acts(&self) -> Vec<(PlyAt, &'a OtherAct)> {
        let mut all = Vec::new();
        for (ply, acts) in self.eventful() {
            all.extend(acts.all().map(|act| (ply, act)));
        }
        all
    }

    /// The boards of a side's illegal attempts.
    fn attempts(&self, side: Side) -> Vec<usize> {
        let mut boards = Vec::new();
        for (ply, act) in self.acts() {
            if *act == OtherAct::Attempt(side) {
                boards.push(ply.board);
            }
        }
        boards
    }

    /// Whether a side's illegal attempts may cost a king.
    fn may_cost(&self, side: Side) -> bool {
        self.attempts(side).len() as u32 >= self.terms.attempts
    }

    /// How many kings a side may lose by what happens.
    fn may_lose(&self, side: Side) -> usize {
        let may_cost = self.may_cost(side);
        let loses = |(ply, act): &(PlyAt, &OtherAct)| match act {
            OtherAct::Flag(of, _) => *of == side,
            OtherAct::Stands(_) => self.entry(*ply).side != side,
            OtherAct::Attempt(of) => *of == side && may_cost,
            _ => false,
        };
        self.acts().into_iter().filter(loses).count()
    }

    /// The first ply with which something happens that matters on other boards, the count of kings apart.
    pub fn special(&self) -> Option<&'a SheetPly> {
        let may_cost = BySide::from_fn(|side| self.may_cost(side));
        let matters = |act: &OtherAct| match act {
            OtherAct::Flag(..) | OtherAct::Stands(_) => true,
            OtherAct::Attempt(side) => may_cost[*side],
            OtherAct::Player(..) | OtherAct::Count | OtherAct::Resigns | OtherAct::Draw => false,
        };
        let mut acts = self.acts().into_iter();
        let (ply, _) = acts.find(|(_, act)| matters(act))?;
        Some(self.entry(ply))
    }

    /// Considers what happens besides plies: which kings may be lost by it, and how far it reaches.
    pub fn see_acts(&mut self, first: &Linked) {
        if self.special().is_none() {
            return;
        }
        let lost = BySide::from_fn(|side| self.may_lose(side));
        self.touch = Contact::of(self.sheets, first, Some(lost));
        self.is_local = first.edition() == Edition::Of2003
            && first.flag() == FallenFlag::default()
            && !self.counts
            && !self.touch.may_be_last.contains(&true)
            && self.acts_are_near();
    }

    /// Whether what happens is on its board or one beside it, and what costs a king on one board.
    fn acts_are_near(&self) -> bool {
        for (ply, act) in self.acts() {
            if let OtherAct::Flag(..) | OtherAct::Stands(_) = act
                && let Some(of) = act.board()
                && of.abs_diff(ply.board) > 1
            {
                return false;
            }
        }
        let mut sides = Side::BOTH.into_iter();
        sides.all(|side| !self.may_cost(side) || self.attempts_on_one_board(side))
    }

    fn attempts_on_one_board(&self, side: Side) -> bool {
        let boards = self.attempts(side);
        boards.iter().all(|board| *board == boards[0])
    }

    /// The first ply after which a captain has the kings counted.
    pub fn claim(&self) -> Option<&'a SheetPly> {
        let found = self
            .eventful()
            .find(|(_, acts)| acts.after.contains(&OtherAct::Count));
        found.map(|(ply, _)| self.entry(ply))
    }

    /// Nothing is played after a resignation or an agreed draw, so what stands on other sheets was played before.
    pub fn end_last(&mut self, edition: Edition) {
        let (mut ending, mut others) = (Vec::new(), Vec::new());
        for (board, sheet) in self.sheets.iter().enumerate() {
            let Some(last) = sheet.entries.last() else {
                continue;
            };
            let at = sheet.entries.len() - 1;
            if is_end(last, edition) {
                ending.push(PlyAt { board, at });
            } else {
                others.push(PlyAt { board, at });
            }
        }
        for last in ending {
            self.after[last.board][last.at].extend(&others);
        }
    }

    /// An order in which what else happens is taken into account, if all orders lead to the same end; `special` is a ply with
    /// which it happens.
    pub fn with_acts(&self, first: &Linked, special: &SheetPly) -> Result<Vec<usize>, Problem> {
        self.heed.turn_on();
        let mut found = Found::default();
        if self.is_local {
            found = self.walk_from(first, TRIED_COUNTING, false);
        }
        if !found.is_all {
            found = self.walk_from(first, TRIED_COUNTING, true);
        }
        let Found {
            mut runs,
            is_all,
            dead,
            ..
        } = found;
        let is_sure = is_all && !self.may_be_idle();
        match (runs.pop(), runs.pop()) {
            (Some(other), Some(one)) => Err(self.open(self.parting(&one.boards, &other.boards))),
            (Some(run), None) if is_sure => Ok(run.boards),
            (None, _) if is_sure => Err(self.stuck(dead)),
            _ => Err(self.too_many(special)),
        }
    }

    /// Whether there is, or may be, an order in which an illegal ply that stands is legal.
    fn may_be_idle(&self) -> bool {
        let idle = self.heed.take_idle();
        // They share the budget.
        let guide = Guide {
            most: TRIED_COUNTING / idle.len().max(1),
            counts: true,
            first: &|_| None,
            is_known: &|_, _| false,
            end: None,
        };
        if idle.len() == MOST_IDLE {
            return true;
        }
        for ReachedPosition { made, position } in idle {
            let found = self.visit(made, &position, &guide);
            if !found.runs.is_empty() || !found.is_all {
                return true;
            }
        }
        false
    }

    /// The position after the next ply of a board and what happens around it; `None` if the ply is not legal.
    pub fn step(&self, made: &Made, position: &Linked, board: usize) -> Option<Linked> {
        let entry = self.next(made, board)?;
        let acts = if self.heed.is_on() {
            entry.acts.as_deref()
        } else {
            None
        };
        let Some(acts) = acts else {
            return Some(position.after(self.meant(made, position, board)?));
        };
        let mut players = self.players_after(made);
        let mut next = position.clone();
        self.carry_out(&acts.before, board, &mut next, &mut players);
        if next.end_by_itself().is_some() {
            return None;
        }
        match (self.meant(made, &next, board), acts.stands()) {
            (Some(ply), None) => next.play(ply),
            (Some(ply), Some(_)) => {
                next.play(ply);
                // Where it is legal, the order is another one, wherever it leads.
                if self.heed.wants_idle() {
                    let mut made = made.clone();
                    made[board] += 1;
                    self.carry_out(&acts.after, board, &mut next, &mut players);
                    let position = next;
                    self.heed.keep(ReachedPosition { made, position });
                    return None;
                }
            }
            (None, Some(squares)) if next.turn(board) == self.next(made, board)?.side => {
                let at = LinkedBoard::of(board);
                next.happen(at, Happening::Stood(next.standing_act(Some(at), squares)?))?;
            }
            (None, _) => return None,
        }
        self.carry_out(&acts.after, board, &mut next, &mut players);
        Some(next)
    }

    /// The players after so many plies of each board.
    fn players_after(&self, made: &Made) -> Players {
        let mut players = self.terms.players.clone();
        for (ply, acts) in self.eventful() {
            if ply.at < made[ply.board] as usize {
                for act in acts.all() {
                    record(act, ply.board, &mut players);
                }
            }
        }
        players
    }

    /// What happens on a board until the game is over.
    fn carry_out(
        &self,
        acts: &[OtherAct],
        board: usize,
        position: &mut Linked,
        players: &mut Players,
    ) {
        for act in acts {
            if position.end_by_itself().is_some() {
                return;
            }
            let attempts = record(act, board, players);
            let falls = match act {
                OtherAct::Flag(side, board) if *board < self.sheets.len() => Some((*board, *side)),
                OtherAct::Attempt(side) if attempts >= self.terms.attempts => Some((board, *side)),
                OtherAct::Count => {
                    position.claim_count();
                    None
                }
                _ => None,
            };
            if let Some((board, side)) = falls {
                // A flag that fell before changes nothing.
                let _ = position.happen(LinkedBoard::of(board), Happening::Flag(side));
            }
        }
    }

    /// A ply with which something else happens, and one that was made before it in one order and after it in another.
    pub fn parted_by_acts(&self, here: &[Vec<usize>], there: &[Vec<usize>]) -> Option<Pair> {
        for (ply, _) in self.eventful() {
            if let Some(other) = first_parted(ply, here, there) {
                let is_before = here[other.board][other.at] < here[ply.board][ply.at];
                return Some(if is_before {
                    [other, ply]
                } else {
                    [ply, other]
                });
            }
        }
        None
    }
}

/// Of the plies of other boards made before a ply in one order and after it in another the one that is made first.
fn first_parted(
    PlyAt { board, at }: PlyAt,
    here: &[Vec<usize>],
    there: &[Vec<usize>],
) -> Option<PlyAt> {
    let mut first = None;
    for other in 0..here.len() {
        for (then, (one, two)) in here[other].iter().zip(&there[other]).enumerate() {
            let is_parted = (*one < here[board][at]) != (*two < there[board][at]);
            let place = *one.min(two);
            if other != board && is_parted && first.is_none_or(|(earliest, _)| place < earliest) {
                let ply = PlyAt {
                    board: other,
                    at: then,
                };
                first = Some((place, ply));
            }
        }
    }
    let (_, ply) = first?;
    Some(ply)
}

/// Whether a game ends with a ply because a team resigns or a draw is agreed.
fn is_end(entry: &SheetPly, edition: Edition) -> bool {
    let Some(acts) = &entry.acts else {
        return false;
    };
    acts.after.iter().any(|act| match act {
        OtherAct::Resigns => edition == Edition::Of2003,
        OtherAct::Draw => true,
        _ => false,
    })
}

fn chair(side: Side, board: usize) -> Chair {
    Chair {
        side,
        board: u16::try_from(board).ok(),
    }
}

/// Notes who plays, and an illegal attempt; returns how many the player has made.
fn record(act: &OtherAct, board: usize, players: &mut Players) -> u32 {
    match act {
        OtherAct::Player(side, board, name) => {
            players.substitute(chair(*side, *board), name.clone());
        }
        OtherAct::Attempt(side) => return players.attempt(chair(*side, board)),
        _ => {}
    }
    0
}
