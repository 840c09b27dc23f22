//! The problems that prevent a unique order.

use super::{Made, Origin, Plan, Problem, SheetPly, TextSpan, name, search::Dead};

/// What to write so that the order is determined.
const REMEDY: &str = "write `%ts` or `%seq` after plies, or `%in` where pieces arrive";

impl Plan<'_> {
    fn in_words(
        &self,
        made: &Made,
        boards: impl IntoIterator<Item = usize>,
    ) -> Vec<(Origin, String)> {
        let next = |board: usize| self.next(made, board).map(|entry| reported(board, entry));
        boards.into_iter().filter_map(next).collect()
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
            let made = vec![0; self.sheets.len()];
            return problem(
                "open-order",
                message,
                self.in_words(&made, 0..self.sheets.len()),
            );
        };
        // The plies that are in the way, if any can be named.
        let stuck = |board: &usize| self.meant(&made, &position, *board).is_none();
        let mut boards: Vec<_> = boards.into_iter().filter(stuck).collect();
        boards.sort_unstable();
        // One of them, and the ply that may have to be made on the other side of it.
        let pair = boards
            .iter()
            .find_map(|board| Some([(*board, made[*board] as usize), self.beside(&made, *board)?]));
        match pair {
            Some(pair) => self.of_pair(message, pair),
            None => problem("open-order", message, self.in_words(&made, boards)),
        }
    }

    /// A ply that touches the next one of a board: of those made the last of its board, else of those to come the first.
    fn beside(&self, made: &Made, board: usize) -> Option<(usize, usize)> {
        let at = made[board] as usize;
        let others = || {
            self.touch
                .others(board, at)
                .map(|other| (other, made[other] as usize))
        };
        let touches = |other: usize, then: &usize| self.touch.touch((board, at), (other, *then));
        let made_last = |(other, made): (usize, usize)| {
            Some((other, (0..made).rev().find(|then| touches(other, then))?))
        };
        let due_first = |(other, made): (usize, usize)| {
            let plies = self.sheets[other].entries.len();
            Some((other, (made..plies).find(|then| touches(other, then))?))
        };
        others()
            .find_map(made_last)
            .or_else(|| others().find_map(due_first))
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
        let ended = position.end_by_itself();
        let why = ended.map_or(String::new(), |end| {
            format!("; the game had ended by {}", end.cause)
        });
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
    pub fn open(&self, pair: [(usize, usize); 2]) -> Problem {
        let message = format!(
            "more than one order of these plies is legal, and it matters which was made first; {REMEDY}"
        );
        self.of_pair(message, pair)
    }

    /// Two plies either of which may come first, where it is unknown whether that matters.
    pub fn unsettled(&self, pair: [(usize, usize); 2]) -> Problem {
        let message = format!(
            "these plies touch; so many orders are possible that it could not be determined whether it matters which was made first; {REMEDY}"
        );
        self.of_pair(message, pair)
    }

    fn of_pair(&self, message: String, pair: [(usize, usize); 2]) -> Problem {
        let entry = |(board, at): (usize, usize)| reported(board, &self.sheets[board].entries[at]);
        problem("open-order", message, pair.map(entry).into())
    }

    /// The plies that part two orders with different ends.
    pub fn parting(&self, one: &[usize], other: &[usize]) -> [(usize, usize); 2] {
        let by_deeds = || self.parted_by_deeds(&self.places(one)?, &self.places(other)?);
        self.turned_round(one, other)
            .or_else(by_deeds)
            .unwrap_or_else(|| {
                let at = one.iter().zip(other).position(|(a, b)| a != b).unwrap_or(0);
                let made = |board: usize| one[..at].iter().filter(|known| **known == board).count();
                [one[at], other[at]].map(|board| (board, made(board)))
            })
    }

    /// The first two touching plies whose order differs between two orders.
    fn turned_round(&self, one: &[usize], other: &[usize]) -> Option<[(usize, usize); 2]> {
        let [here, there] = [self.places(one)?, self.places(other)?];
        let mut made = vec![0; self.sheets.len()];
        for board in one {
            let at = made[*board];
            made[*board] += 1;
            for beside in self.touch.others(*board, at) {
                let earlier = (0..made[beside])
                    .rev()
                    .take_while(|then| there[beside][*then] > there[*board][at]);
                for then in earlier {
                    let touches = self.touch.touch((*board, at), (beside, then));
                    if touches && here[beside][then] < here[*board][at] {
                        return Some([(beside, then), (*board, at)]);
                    }
                }
            }
        }
        None
    }
}

fn reported(board: usize, entry: &SheetPly) -> (Origin, String) {
    (entry.origin, name(board, entry))
}

fn problem(code: &'static str, message: String, places: Vec<(Origin, String)>) -> Problem {
    let mut places = places.into_iter();
    let Some((origin, first)) = places.next() else {
        return Problem::at(
            code,
            message,
            Origin {
                file: 0,
                place: TextSpan::NOWHERE,
            },
        );
    };
    let mut problem = Problem::at(code, format!("{message}: {first}"), origin);
    problem.others = places.collect();
    problem
}
