//! Alpha-beta for games on one board: iterative deepening with a transposition table, quiescence search over captures
//! and promotions, and detection of repetitions and all other ends of the game.

mod memory;

use crate::{
    chance::Chance,
    ending::worth,
    live_game::LiveGame,
    move_limits::MoveLimits,
    players::{DEEPEST, Evaluator, Limit, Player, Thought},
};
use memory::{Bound, Known, Memory};
use overboard_games::one_board::{OneBoard, play::BoardValues};
use overboard_rules::{
    game::Game as _,
    outcome::Ruling,
    position::{Act, Position},
    repetition::{self, Look, Times},
    square::{Role, Side, Square},
};
use std::{sync::Arc, time::Instant};

/// The score of an immediate win; each ply later is worth one less.
const WIN: i32 = 1_000_000;
/// Scores beyond this are forced wins and losses.
const SEEN: i32 = WIN - 10_000;
/// The most plies of quiescence search.
const QUIET: u32 = 8;
/// The most plies of a line, including quiescence search.
const LONGEST: usize = (DEEPEST + QUIET) as usize + 1;
/// Nodes between two checks of the clock.
const GLANCE: u64 = 512;

/// The moves to mate that a score implies, negative for the losing side; `None` for any other score.
#[must_use]
pub const fn moves_to_mate(score: i32) -> Option<i32> {
    match score {
        SEEN.. => Some((WIN - score + 1) / 2),
        ..=-990_000 => Some(-(WIN + score + 1) / 2),
        _ => None,
    }
}

/// A player that searches. It keeps its tables from move to move of one game.
pub struct Search<P: Position, E> {
    evaluator: E,
    limit: Limit,
    /// What limits the next choice in addition to `limit`.
    limits: Arc<MoveLimits>,
    memory: Memory<P::Move>,
    killers: Vec<[Option<P::Move>; 2]>,
    history: History,
    lists: Vec<Vec<(i32, P::Move)>>,
    thought: Thought,
}

impl<P: BoardValues, E: Evaluator<OneBoard<P>>> Search<P, E> {
    /// A player with this evaluator, and this limit for each move.
    #[must_use]
    pub fn with(evaluator: E, limit: Limit) -> Self {
        let bits = match limit {
            Limit::Depth(depth) => (8 + 2 * depth).min(18),
            Limit::Nodes(nodes) => (nodes.ilog2() + 2).clamp(10, 18),
            Limit::Time(_) => 18,
        };
        Self {
            evaluator,
            limit,
            limits: Arc::default(),
            memory: Memory::of(bits),
            killers: vec![[None; 2]; LONGEST],
            history: History::default(),
            lists: vec![Vec::new(); LONGEST + 1],
            thought: Thought::default(),
        }
    }

    fn budget(&self) -> Budget {
        let (nodes, until) = match self.limit {
            Limit::Depth(_) => (u64::MAX, None),
            Limit::Nodes(nodes) => (nodes, None),
            Limit::Time(time) => (u64::MAX, Instant::now().checked_add(time)),
        };
        Budget {
            nodes: self.limits.nodes(nodes),
            until,
            limits: Arc::clone(&self.limits),
            spent: 0,
            out: false,
        }
    }

    fn depth(&self) -> u32 {
        let depth = match self.limit {
            Limit::Depth(depth) => depth,
            _ => DEEPEST,
        };
        self.limits.depth(depth)
    }
}

impl<P: BoardValues, E: Evaluator<OneBoard<P>>> Player<OneBoard<P>> for Search<P, E> {
    fn choose(&mut self, table: &LiveGame<OneBoard<P>>, chance: &mut Chance) -> Option<P::Move> {
        let mut moves = table.plies().to_vec();
        chance.shuffle(&mut moves);
        let mut thought = Thought::default();
        self.thought = thought;
        if moves.len() < 2 {
            return moves.pop();
        }
        self.history.fade();
        self.killers.fill([None; 2]);
        let (depth, budget) = (self.depth(), self.budget());
        let passed = table.history().cloned().unwrap_or_default();
        let mut run = SearchRun {
            search: self,
            passed,
            budget,
        };
        for depth in 1..=depth {
            let score = run.root(table.game(), &mut moves, depth);
            thought.nodes = Some(run.budget.spent);
            // The moves of an incomplete iteration are not comparable.
            if !run.budget.out {
                (thought.score, thought.depth) = (Some(score), Some(depth));
                run.report(thought, table.game(), &moves);
            }
            if run.budget.out || score.abs() > WIN - depth as i32 {
                break;
            }
        }
        self.thought = thought;
        moves.first().copied()
    }

    fn thought(&self) -> Thought {
        self.thought
    }

    fn bind(&mut self, limits: &Arc<MoveLimits>) {
        self.limits = Arc::clone(limits);
    }
}

/// What a search may still spend.
struct Budget {
    nodes: u64,
    until: Option<Instant>,
    limits: Arc<MoveLimits>,
    spent: u64,
    out: bool,
}

impl Budget {
    #[inline]
    fn spend(&mut self) {
        self.spent += 1;
        self.out |= self.spent > self.nodes || (self.spent.is_multiple_of(GLANCE) && self.is_due());
    }

    #[cold]
    fn is_due(&self) -> bool {
        self.until.is_some_and(|until| Instant::now() >= until) || self.limits.is_over()
    }
}

/// The search for one move.
struct SearchRun<'a, P: Position, E> {
    search: &'a mut Search<P, E>,
    /// The positions up to the current node.
    passed: repetition::History<P::Snapshot>,
    budget: Budget,
}

/// A window of scores (alpha and beta).
#[derive(Clone, Copy)]
struct Window {
    alpha: i32,
    beta: i32,
}

impl Window {
    const ALL: Self = Self {
        alpha: -WIN - 1,
        beta: WIN + 1,
    };

    /// The same window from the other side.
    const fn turned(self) -> Self {
        Self {
            alpha: -self.beta,
            beta: -self.alpha,
        }
    }

    /// The null window at `alpha`.
    const fn narrow(self) -> Self {
        Self {
            alpha: self.alpha,
            beta: self.alpha + 1,
        }
    }
}

impl<P: BoardValues, E: Evaluator<OneBoard<P>>> SearchRun<'_, P, E> {
    /// Searches every move at the root and puts the best first; a move whose search was cut off keeps its place.
    fn root(&mut self, position: &OneBoard<P>, moves: &mut [P::Move], depth: u32) -> i32 {
        let mut window = Window::ALL;
        for index in 0..moves.len() {
            let m = moves[index];
            let score = self.scout(position, m, depth, window, 1, index > 0);
            if self.budget.out {
                break;
            }
            if score > window.alpha {
                window.alpha = score;
                moves[..=index].rotate_right(1);
            }
        }
        window.alpha
    }

    /// Reports the evaluation and the best move to the listener, if there is one.
    fn report(&self, thought: Thought, position: &OneBoard<P>, moves: &[P::Move]) {
        if let Some(best) = moves.first() {
            let text = || position.0.coordinates(*best).to_string();
            self.budget.limits.report(thought, text);
        }
    }

    /// The score of a move. Moves that are not expected to be best are first searched with a null window.
    fn scout(
        &mut self,
        before: &OneBoard<P>,
        m: P::Move,
        depth: u32,
        window: Window,
        ply: usize,
        later: bool,
    ) -> i32 {
        let after = before.after(m);
        let irreversible = before.is_irreversible(m);
        let times = self
            .passed
            .push(after.key(), after.snapshot(), irreversible);
        // A position that recurs once is assumed to recur for ever.
        let assumed = Times {
            now: if times.now > 1 { usize::MAX } else { 1 },
            since: self.passed.since(times),
            has_plies: true,
            look: Look::AtMaterial,
        };
        let score = match after.ruling(assumed) {
            Some(ruling) => self.score_of(&after, &ruling, before.0.turn(), ply),
            None if later => {
                let narrow = -self.node(&after, depth - 1, window.narrow().turned(), ply);
                if narrow > window.alpha && narrow < window.beta {
                    -self.node(&after, depth - 1, window.turned(), ply)
                } else {
                    narrow
                }
            }
            None => -self.node(&after, depth - 1, window.turned(), ply),
        };
        self.passed.pop();
        score
    }

    fn node(&mut self, position: &OneBoard<P>, depth: u32, mut window: Window, ply: usize) -> i32 {
        if depth == 0 {
            return self.quiet(position, window, ply, QUIET);
        }
        self.budget.spend();
        if self.budget.out {
            return 0;
        }
        let key = position.key();
        let known = self.search.memory.get(key);
        if let Some(score) = known.and_then(|known| known.settles(depth, window, ply)) {
            return score;
        }
        let mut list = std::mem::take(&mut self.search.lists[ply]);
        self.rank(position, known.and_then(|known| known.best), ply, &mut list);
        let was = window.alpha;
        let (mut top, mut best) = (-WIN - 1, None);
        for index in 0..list.len() {
            let m = next(&mut list, index);
            let score = self.scout(position, m, depth, window, ply + 1, index > 0);
            if self.budget.out {
                break;
            }
            if score > top {
                (top, best) = (score, Some(m));
                window.alpha = window.alpha.max(score);
            }
            if window.alpha >= window.beta {
                self.note(position, m, depth, ply);
                break;
            }
        }
        let is_over = list.is_empty();
        self.search.lists[ply] = list;
        if is_over {
            return self.over(position, ply);
        }
        if !self.budget.out {
            let bound = Bound::of(top, was, window.beta);
            self.search.memory.put(Known {
                key,
                best,
                score: lift(top, ply),
                depth: depth as u8,
                bound,
            });
        }
        top
    }

    /// The static evaluation for the side to move.
    fn look(&self, position: &OneBoard<P>) -> i32 {
        self.search.evaluator.look(position, position.0.turn())
    }

    /// Quiescence search: captures and promotions only, or every move out of check, until the position is quiet.
    fn quiet(&mut self, position: &OneBoard<P>, mut window: Window, ply: usize, left: u32) -> i32 {
        self.budget.spend();
        if self.budget.out {
            return 0;
        }
        let in_check = position.0.in_check();
        if left == 0 {
            return self.look(position);
        }
        let mut top = -WIN - 1;
        if !in_check {
            top = self.look(position);
            window.alpha = window.alpha.max(top);
            if top >= window.beta {
                return if position.0.has_legal_move() {
                    top
                } else {
                    self.over(position, ply)
                };
            }
        }
        let mut list = std::mem::take(&mut self.search.lists[ply]);
        let any = self.rank_noisy(position, in_check, &mut list);
        for index in 0..list.len() {
            let m = next(&mut list, index);
            let after = position.after(m);
            let times = Times::FIRST.with_plies().with_look(Look::AtMaterial);
            let score = match after.ruling(times) {
                Some(ruling) => self.score_of(&after, &ruling, position.0.turn(), ply + 1),
                None => -self.quiet(&after, window.turned(), ply + 1, left - 1),
            };
            top = top.max(score);
            window.alpha = window.alpha.max(score);
            if window.alpha >= window.beta || self.budget.out {
                break;
            }
        }
        self.search.lists[ply] = list;
        if any { top } else { self.over(position, ply) }
    }

    /// All moves with their ranks: the move from the transposition table, captures and promotions, killers, then the
    /// history heuristic.
    fn rank(
        &self,
        position: &OneBoard<P>,
        known: Option<P::Move>,
        ply: usize,
        list: &mut Vec<(i32, P::Move)>,
    ) {
        list.clear();
        let killers = self.search.killers[ply];
        position.0.legal_moves(|m| {
            let rank = if known == Some(m) {
                i32::MAX
            } else {
                let act = position.0.act(m);
                if is_noisy(&act) {
                    (1 << 28) + noise(&position.0, &act)
                } else if killers.contains(&Some(m)) {
                    1 << 27
                } else {
                    self.search.history.of(position.0.turn(), &act)
                }
            };
            list.push((rank, m));
        });
    }

    /// Captures and promotions with their ranks, or all moves; returns whether there is any move.
    fn rank_noisy(
        &self,
        position: &OneBoard<P>,
        all: bool,
        list: &mut Vec<(i32, P::Move)>,
    ) -> bool {
        list.clear();
        let mut any = false;
        position.0.legal_moves(|m| {
            any = true;
            let act = position.0.act(m);
            if all || is_noisy(&act) {
                list.push((noise(&position.0, &act), m));
            }
        });
        any
    }

    /// The score of a position without a legal move.
    fn over(&self, position: &OneBoard<P>, ply: usize) -> i32 {
        let score = |ruling| self.score_of(position, &ruling, position.0.turn(), ply);
        position.0.end_by_itself().map_or(0, score)
    }

    /// The score of an end for a side.
    fn score_of(&self, last: &OneBoard<P>, ruling: &Ruling, side: Side, ply: usize) -> i32 {
        let prize = self.search.evaluator.prize(last, ruling.outcome);
        score_of(ruling, side, ply) + if side == Side::White { prize } else { -prize }
    }

    /// Records a move that caused a cut-off.
    fn note(&mut self, position: &OneBoard<P>, m: P::Move, depth: u32, ply: usize) {
        let act = position.0.act(m);
        if is_noisy(&act) {
            return;
        }
        let killers = &mut self.search.killers[ply];
        if killers[0] != Some(m) {
            *killers = [Some(m), killers[0]];
        }
        self.search.history.praise(position.0.turn(), &act, depth);
    }
}

/// The move with the highest rank from `index` on, swapped to `index`; of equal ones the first listed.
fn next<M: Copy>(list: &mut [(i32, M)], index: usize) -> M {
    let mut best = index;
    for at in index + 1..list.len() {
        if list[at].0 > list[best].0 {
            best = at;
        }
    }
    list.swap(index, best);
    list[index].1
}

/// Whether a move changes material at once.
fn is_noisy(act: &Act) -> bool {
    act.captures || (act.promotion.is_some() && act.role == Role::Pawn)
}

/// Most valuable victim first, then least valuable attacker.
fn noise<P: BoardValues>(position: &P, act: &Act) -> i32 {
    let victim = if act.captures {
        position
            .piece_at(act.to)
            .map_or(P::worth(Role::Pawn), |piece| P::worth(piece.role))
    } else {
        0
    };
    let gained = act.promotion.map_or(0, P::worth);
    16 * (victim + gained) - P::worth(act.role)
}

/// The score of a result for a side.
fn score_of(ruling: &Ruling, side: Side, ply: usize) -> i32 {
    worth(ruling.outcome, side) * (WIN - ply as i32)
}

/// A mate score relative to the position itself, not to the root.
const fn lift(score: i32, ply: usize) -> i32 {
    match score {
        SEEN.. => score + ply as i32,
        ..=-990_000 => score - ply as i32,
        _ => score,
    }
}

const fn lower(score: i32, ply: usize) -> i32 {
    match score {
        SEEN.. => score - ply as i32,
        ..=-990_000 => score + ply as i32,
        _ => score,
    }
}

/// The history heuristic: how often quiet moves were good, by side, kind of piece and square.
struct History(Vec<i32>);

impl Default for History {
    fn default() -> Self {
        Self(vec![0; 2 * 8 * 256])
    }
}

impl History {
    fn index(side: Side, act: &Act) -> usize {
        let Square { file, rank } = act.to;
        (side as usize * 8 + act.role as usize) * 256
            + usize::from(rank & 15) * 16
            + usize::from(file & 15)
    }

    fn of(&self, side: Side, act: &Act) -> i32 {
        self.0[Self::index(side, act)]
    }

    fn praise(&mut self, side: Side, act: &Act, depth: u32) {
        let worth = &mut self.0[Self::index(side, act)];
        *worth = (*worth + (depth * depth) as i32).min(1 << 26);
    }

    fn fade(&mut self) {
        for worth in &mut self.0 {
            *worth /= 2;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::players::Plain;
    use overboard_games::{
        chess::Chess, metachess::Meta, olympic::Olympic, one_board::notation::BoardNotation as _,
    };
    use overboard_rules::position::{DrawLaw, Movegen as _};

    type Passed<P> = repetition::History<<P as DrawLaw>::Snapshot>;

    fn passed<P: Position>(position: &P) -> Passed<P> {
        Passed::<P>::from(position.repetition_key(), position.snapshot())
    }

    /// The score without any pruning.
    fn plain<P: BoardValues>(position: &P, passed: &mut Passed<P>, depth: u32, ply: usize) -> i32 {
        let mut top = None;
        position.legal_moves(|m| {
            let after = position.after(m);
            let irreversible = position.is_irreversible(m);
            let times = passed.push(after.repetition_key(), after.snapshot(), irreversible);
            let assumed = if times.now > 1 { usize::MAX } else { 1 };
            let score = match after.end_by_record(assumed, passed.since(times)) {
                Some(ruling) => score_of(&ruling, position.turn(), ply + 1),
                None if depth == 1 => {
                    let limit = Limit::Depth(1);
                    let mut search = Search::with(Plain, limit);
                    let budget = search.budget();
                    let mut run = SearchRun {
                        search: &mut search,
                        passed: passed.clone(),
                        budget,
                    };
                    -run.quiet(&OneBoard(after), Window::ALL, ply + 1, QUIET)
                }
                None => -plain(&after, passed, depth - 1, ply + 1),
            };
            passed.pop();
            top = top.max(Some(score));
        });
        top.unwrap_or_else(|| {
            position
                .end_by_itself()
                .map_or(0, |ruling| score_of(&ruling, position.turn(), ply))
        })
    }

    fn agrees<P: BoardValues>(fen: &str) {
        let position = P::read(fen).unwrap().position;
        for depth in 1..=2 {
            let mut search = Search::with(Plain, Limit::Depth(depth));
            let budget = search.budget();
            let mut run = SearchRun {
                search: &mut search,
                passed: passed(&position),
                budget,
            };
            let mut moves = position.moves_in_order();
            let mut score = 0;
            for depth in 1..=depth {
                score = run.root(&OneBoard(position.clone()), &mut moves, depth);
            }
            assert_eq!(
                score,
                plain(&position, &mut passed(&position), depth, 0),
                "{fen} {depth}"
            );
        }
    }

    #[test]
    fn shortcuts_do_not_change_the_score() {
        agrees::<Chess>("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1");
        agrees::<Chess>("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1");
        agrees::<Chess>("6k1/5ppp/8/8/8/8/q4PPP/1R4K1 w - - 0 1");
        agrees::<Olympic>("rbsgk/4p/5/P4/KGSBR[] w - - 0 1");
        agrees::<Olympic>("4k/1+P3/2+s2/5/K4[RRBgspp] b - - 7 31");
        agrees::<Meta>("4k3/8/3(pn)4/8/8/2(PN)5/3(rB)4/4K3 w - - 7 31");
        agrees::<Meta>("3(rk)4/8/2b5/8/(PR)7/8/4(PK)3/8 b - - 7 31");
    }

    #[test]
    fn a_repetition_ahead_is_a_draw() {
        // White has only checks from e8 and h5, and loses without them.
        let position = Chess::read("6k1/6p1/8/7Q/8/8/1rq3PP/6K1 w - - 0 1")
            .unwrap()
            .position;
        let mut search = Search::with(Plain, Limit::Depth(6));
        let budget = search.budget();
        let mut run = SearchRun {
            search: &mut search,
            passed: passed(&position),
            budget,
        };
        let mut moves = position.moves_in_order();
        assert_eq!(run.root(&OneBoard(position), &mut moves, 6), 0);
    }

    #[test]
    fn scores_are_kept_from_where_they_were_seen() {
        assert_eq!(lower(lift(WIN - 7, 3), 3), WIN - 7);
        assert_eq!(lower(lift(7 - WIN, 3), 3), 7 - WIN);
        assert_eq!(lift(120, 9), 120);
        assert_eq!(Chess::worth(Role::Queen), 900);
    }
}
