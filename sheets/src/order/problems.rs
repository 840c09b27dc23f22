//! The problems that prevent a unique order.

use super::{Made, Origin, Pair, Plan, PlyAt, Problem, SheetPly, name, next_at, search::Dead};

/// What to write so that the order is determined.
const REMEDY: &str = "write `%ts` or `%seq` after plies, or `%in` where pieces arrive";

impl Plan<'_> {
    fn in_words(
        &self,
        made: &Made,
        boards: impl IntoIterator<Item = usize>,
    ) -> Vec<(Origin, String)> {
        let mut all = Vec::new();
        for board in boards {
            all.extend(self.next(made, board).map(|entry| named(board, entry)));
        }
        all
    }

    /// No order was found, though there may be one.
    pub fn not_found(&self, dead: Option<Box<Dead>>) -> Problem {
        let message = format!(
            "no order of these plies was found in which all are legal, and not all could be tried; {REMEDY}. The longest order found stops before the first of these, and the second touches it"
        );
        let Some(Dead {
            made,
            position,
            boards,
        }) = dead.map(|dead| *dead)
        else {
            let first = self.in_words(&self.none_made(), 0..self.sheets.len());
            return problem("open-order", message, first);
        };
        // The plies that are in the way, if any can be named.
        let stuck = |board: &usize| self.meant(&made, &position, *board).is_none();
        let mut boards: Vec<_> = boards.into_iter().filter(stuck).collect();
        boards.sort_unstable();
        // One of them, and the ply that may have to be made on the other side of it.
        for board in &boards {
            if let Some(beside) = self.beside(&made, *board) {
                return self.of_pair(message, [next_at(&made, *board), beside]);
            }
        }
        problem("open-order", message, self.in_words(&made, boards))
    }

    /// A ply that touches the next one of a board: of those made the last of its board, else of those to come the first.
    fn beside(&self, made: &Made, board: usize) -> Option<PlyAt> {
        let ply = next_at(made, board);
        let touches = |beside: &PlyAt| self.touch.touch(ply, *beside);
        let made_on = |board: usize| {
            let mut plies = (0..made[board] as usize).map(|at| PlyAt { board, at });
            plies.rfind(touches)
        };
        let due_on = |board: usize| {
            let plies = made[board] as usize..self.sheets[board].entries.len();
            plies.map(|at| PlyAt { board, at }).find(touches)
        };
        let last_made = self.touch.others(ply).find_map(made_on);
        last_made.or_else(|| self.touch.others(ply).find_map(due_on))
    }

    /// There is none.
    pub fn stuck(&self, dead: Option<Box<Dead>>) -> Problem {
        let Some(Dead {
            made,
            position,
            mut boards,
        }) = dead.map(|dead| *dead)
        else {
            return problem("unfit", "there are no plies".into(), Vec::new());
        };
        boards.sort_unstable();
        let count: u32 = made.iter().sum();
        let why = match position.end_by_itself() {
            Some(end) => format!("; the game had ended by {}", end.cause),
            None => String::new(),
        };
        let message = format!(
            "the sheets do not fit: after {count} plies no possible next ply is legal{why}; the next ply is"
        );
        problem("unfit", message, self.in_words(&made, boards))
    }

    /// A ply with which something happens that is on the sheet of its board alone, and matters on all: so many orders are
    /// possible that not all could be tried.
    pub fn too_many(&self, special: &SheetPly) -> Problem {
        let what = "a flag that fell, illegal attempts, an illegal move that stands and a count of kings matter on all boards, and these sheets allow too many orders to try them all, or orders in which this move would be legal; write `%seq` or `%ts` after every ply";
        Problem::at("open-order", what.into(), special.origin)
    }

    /// Two plies either of which may be made first, with different ends.
    pub fn open(&self, pair: Pair) -> Problem {
        let message = format!(
            "more than one order of these plies is legal, and it matters which was made first; {REMEDY}"
        );
        self.of_pair(message, pair)
    }

    /// Two plies either of which may come first, where it is unknown whether that matters.
    pub fn unsettled(&self, pair: Pair) -> Problem {
        let message = format!(
            "these plies touch; so many orders are possible that it could not be determined whether it matters which was made first; {REMEDY}"
        );
        self.of_pair(message, pair)
    }

    fn of_pair(&self, message: String, pair: Pair) -> Problem {
        let entry = |ply: PlyAt| named(ply.board, self.entry(ply));
        problem("open-order", message, pair.map(entry).into())
    }

    /// The plies that part two orders with different ends.
    pub fn parting(&self, one: &[usize], other: &[usize]) -> Pair {
        if let (Some(here), Some(there)) = (self.places(one), self.places(other)) {
            let turned = self.turned_round(one, &here, &there);
            let pair = turned.or_else(|| self.parted_by_acts(&here, &there));
            if let Some(pair) = pair {
                return pair;
            }
        }
        let at = one.iter().zip(other).position(|(a, b)| a != b).unwrap_or(0);
        let made = |board: usize| one[..at].iter().filter(|known| **known == board).count();
        [one[at], other[at]].map(|board| PlyAt {
            board,
            at: made(board),
        })
    }

    /// The first two touching plies of an order that another one has the other way round; both by the places of their plies.
    fn turned_round(
        &self,
        order: &[usize],
        here: &[Vec<usize>],
        there: &[Vec<usize>],
    ) -> Option<Pair> {
        let mut made = self.none_made();
        for board in order {
            let ply = next_at(&made, *board);
            made[*board] += 1;
            for beside in self.touch.others(ply) {
                for then in (0..made[beside] as usize).rev() {
                    if there[beside][then] <= there[ply.board][ply.at] {
                        break;
                    }
                    let other = PlyAt {
                        board: beside,
                        at: then,
                    };
                    let touches = self.touch.touch(ply, other);
                    if touches && here[beside][then] < here[ply.board][ply.at] {
                        return Some([other, ply]);
                    }
                }
            }
        }
        None
    }
}

fn named(board: usize, entry: &SheetPly) -> (Origin, String) {
    (entry.origin, name(board, entry))
}

fn problem(code: &'static str, message: String, places: Vec<(Origin, String)>) -> Problem {
    let mut places = places.into_iter();
    let Some((origin, first)) = places.next() else {
        return Problem::at(code, message, Origin::FIRST);
    };
    let mut problem = Problem::at(code, format!("{message}: {first}"), origin);
    problem.others = places.collect();
    problem
}
