//! Tie-breaks: a second implementation, as the regulations state them, with plain loops over tables of numbers in
//! tenths; for single players in a Swiss or a round robin.

/// The kind of a round: `p`layed, `+`, `-` forfeits, `u` allocated bye, `f`ull, `h`alf, `z`ero bye.
#[derive(Clone, Debug)]
pub struct Cell {
    pub what: char,
    pub opponent: Option<usize>,
    pub black: bool,
    /// In tenths.
    pub points: i64,
}

pub struct CrossTable {
    pub swiss: bool,
    pub new_edition: bool,
    pub rounds: usize,
    /// The points for a draw, in tenths.
    pub draw: i64,
    /// By player, then by round.
    pub cells: Vec<Vec<Cell>>,
}

/// What a round contributes: value in hundredths, opponent's score in tenths, whether it was voluntarily unplayed.
type Part = (i64, i64, bool);

impl CrossTable {
    pub fn score(&self, player: usize) -> i64 {
        self.cells[player].iter().map(|cell| cell.points).sum()
    }

    fn voluntary(&self, player: usize, round: usize) -> bool {
        matches!(self.cells[player][round].what, 'h' | 'z' | '-')
    }

    /// 16.3: a player's score as it counts for the opponents, in tenths.
    pub fn seen(&self, player: usize) -> i64 {
        let mut score = self.score(player);
        if !self.swiss {
            return score;
        }
        for round in 0..self.cells[player].len() {
            let requested = matches!(self.cells[player][round].what, 'h' | 'z');
            let nothing_after =
                (round + 1..self.cells[player].len()).all(|later| self.voluntary(player, later));
            if requested && nothing_after {
                score += self.draw - self.cells[player][round].points;
            }
        }
        score
    }

    fn is_met(&self, cell: &Cell) -> bool {
        cell.what == 'p'
            || (!self.swiss && matches!(cell.what, '+' | '-') && cell.opponent.is_some())
    }

    /// The opponents' scores round by round, with dummies where no game was played (16.4).
    fn parts(&self, player: usize, times_points: bool) -> Vec<Part> {
        let mut parts = Vec::new();
        for (round, cell) in self.cells[player].iter().enumerate() {
            let opponent = if self.is_met(cell) {
                self.seen(cell.opponent.unwrap())
            } else if self.swiss {
                let own = self.score(player);
                let cap = match cell.what {
                    '+' | '-' if cell.opponent.is_some() => self.seen(cell.opponent.unwrap()),
                    _ => self.draw * self.rounds as i64,
                };
                if self.new_edition { own.min(cap) } else { own }
            } else {
                continue;
            };
            let value = if times_points {
                opponent * cell.points
            } else {
                opponent * 10
            };
            parts.push((
                value,
                opponent,
                !self.is_met(cell) && self.voluntary(player, round),
            ));
        }
        parts
    }

    fn cut(mut parts: Vec<Part>, least: usize, most: usize) -> i64 {
        for _ in 0..least {
            if parts.is_empty() {
                break;
            }
            let mut out = 0;
            for index in 1..parts.len() {
                if (parts[index].1, parts[index].0) < (parts[out].1, parts[out].0) {
                    out = index;
                }
            }
            let mut unplayed: Option<usize> = None;
            for index in 0..parts.len() {
                if parts[index].2 && unplayed.is_none_or(|best| parts[index].0 < parts[best].0) {
                    unplayed = Some(index);
                }
            }
            if let Some(index) = unplayed.filter(|index| parts[*index].0 >= parts[out].0) {
                out = index;
            }
            parts.remove(out);
        }
        for _ in 0..most {
            let top = (0..parts.len()).max_by_key(|index| (parts[*index].1, parts[*index].0));
            if let Some(top) = top {
                parts.remove(top);
            }
        }
        parts.iter().map(|part| part.0).sum()
    }

    /// In hundredths.
    pub fn buchholz(&self, player: usize, least: usize, most: usize) -> i64 {
        Self::cut(self.parts(player, false), least, most)
    }

    /// In hundredths.
    pub fn sonneborn_berger(&self, player: usize, least: usize) -> i64 {
        Self::cut(self.parts(player, true), least, 0)
    }

    /// In tenths.
    pub fn progressive(&self, player: usize, least: usize) -> i64 {
        let mut sum = 0;
        let mut all = 0;
        for (round, cell) in self.cells[player].iter().enumerate() {
            sum += cell.points;
            if round >= least {
                all += sum;
            }
        }
        all
    }

    /// In tenths.
    pub fn koya(&self, player: usize) -> i64 {
        let half = 10 * self.rounds as i64;
        let mut sum = 0;
        for (part, cell) in self.parts(player, false).iter().zip(
            self.cells[player]
                .iter()
                .filter(|cell| self.swiss || self.is_met(cell)),
        ) {
            if 2 * part.1 >= half {
                sum += cell.points;
            }
        }
        sum
    }

    pub fn wins(&self, player: usize) -> i64 {
        self.cells[player]
            .iter()
            .filter(|cell| cell.points == 10)
            .count() as i64
    }

    /// WON, BPG, BWG.
    pub fn over_the_board(&self, player: usize) -> [i64; 3] {
        let mut counts = [0; 3];
        for cell in &self.cells[player] {
            let played =
                cell.what == 'p' || (!self.swiss && cell.what == '+' && cell.opponent.is_some());
            if played {
                counts[0] += i64::from(cell.points == 10);
                counts[1] += i64::from(cell.black);
                counts[2] += i64::from(cell.black && cell.points == 10);
            }
        }
        counts
    }

    pub fn elected(&self, player: usize) -> i64 {
        (0..self.cells[player].len())
            .filter(|round| !self.voluntary(player, *round))
            .count() as i64
    }

    /// STD, in halves.
    pub fn standard(&self, player: usize) -> i64 {
        let mut halves = 0;
        for (round, cell) in self.cells[player].iter().enumerate() {
            let other = cell
                .opponent
                .map_or(5, |other| self.cells[other][round].points);
            halves += match cell.points.cmp(&other) {
                std::cmp::Ordering::Greater => 2,
                std::cmp::Ordering::Equal => 1,
                std::cmp::Ordering::Less => 0,
            };
        }
        halves
    }
}

/// Teams: a table of match points and one of game points, with the same opponents.
pub struct Teams {
    pub mp: CrossTable,
    pub gp: CrossTable,
}

impl Teams {
    const fn table(&self, game_points: bool) -> &CrossTable {
        if game_points { &self.gp } else { &self.mp }
    }

    /// 13.2, in hundredths: the opponents' totals of one kind, each times the points of a kind scored against that
    /// opponent; opponents with the lowest totals are cut first.
    pub fn extended(
        &self,
        totals_gp: bool,
        points_gp: bool,
        team: usize,
        least: usize,
        most: usize,
    ) -> i64 {
        let totals = self.table(totals_gp);
        let points = self.table(points_gp);
        let mut parts = Vec::new();
        let counted: Vec<&Cell> = points.cells[team]
            .iter()
            .filter(|cell| points.swiss || points.is_met(cell))
            .collect();
        for (part, cell) in totals.parts(team, false).iter().zip(counted) {
            parts.push((part.1 * cell.points, part.1, part.2));
        }
        CrossTable::cut(parts, least, most)
    }

    /// 13.4 as numerator and denominator: the second score, plus the Buchholz of the first score over a factor. The
    /// factor is the highest first score possible in the event, divided by the highest second score of one match,
    /// without remainder.
    pub fn strength(
        &self,
        primary_gp: bool,
        team: usize,
        wins: [i64; 2],
        stated: Option<i64>,
    ) -> Option<(i64, i64)> {
        let first = self.table(primary_gp);
        let second = self.table(!primary_gp);
        let [match_win, game_win] = wins;
        let (win, other) = if primary_gp {
            (game_win, match_win)
        } else {
            (match_win, game_win)
        };
        let factor = stated.unwrap_or(first.rounds as i64 * win / other);
        // Numerator and denominator are in hundredths times the factor.
        (factor > 0).then(|| {
            (
                second.score(team) * 10 * factor + first.buchholz(team, 0, 0),
                100 * factor,
            )
        })
    }
}
