//! Pairs the next round of an event, and checks the rounds that exist against the system.

use crate::{
    Event,
    checks::Review,
    csv::{At, CsvError},
    pairing_basis::Change,
    roster::{Player, Request, RequestKind},
    rounds::{Board, Bye, ByeKind, GameResult, Match, Round, file},
    settings::{Missed, Participants, System},
};
use overboard_formats::foreign::Foreign;
use overboard_schedules::{
    checker, hutton,
    ids::{RoundNo, TeamNo},
    knockout, molter, round_robin, scheveningen,
    swiss_team::{article::Article, check::Verdict},
    team::{Game, Pair, Round as Table, Seat},
};
use std::collections::BTreeMap;

/// The most games of an event to which rounds are added, those on all boards of its matches.
const MOST_GAMES: usize = 250_000;

/// Why there is no next round.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RoundError {
    /// The event would have too many games.
    #[error(
        "round {0} is not paired: an event has at most {MOST_GAMES} games, those on all boards of its matches together"
    )]
    Large(RoundNo),
    /// All rounds have been paired.
    #[error("{}", if *.0 == 1 { "the only round is paired; `overboard standings FOLDER` prints the standings".to_owned() } else { format!("all {} rounds are paired; `overboard standings FOLDER` prints the standings", .0) })]
    Over(u32),
    /// There are too few participants.
    #[error("an event needs at least two participants; there {}", if *.0 == 1 { "is one" } else { "are none" })]
    Few(usize),
    /// A match of the previous round is undecided.
    #[error("round {round}, table {table} has no result yet; the next round needs it")]
    Undecided {
        /// The round.
        round: RoundNo,
        /// The table.
        table: u32,
    },
    /// A match of a knockout is drawn.
    #[error(
        "round {round}, table {table} is drawn; `overboard result FOLDER {round} {table} 1-0 --play-off` enters that White advances, 0-1 that Black does"
    )]
    Drawn {
        /// The round.
        round: RoundNo,
        /// The table.
        table: u32,
    },
    /// The groups are not two, or not of the same size.
    #[error(
        "a Scheveningen event needs two groups of the same size (column `{column}` of {file}); found {found}"
    )]
    Groups {
        /// The column that defines the groups.
        column: &'static str,
        /// Its file.
        file: &'static str,
        /// What was found instead.
        found: String,
    },
    /// The organiser's own table cannot be followed.
    #[error(transparent)]
    Table(CsvError),
    /// There is no table of this system.
    #[error(transparent)]
    NoTable(#[from] molter::MolterError),
    /// The numbers have gaps.
    #[error("pairing numbers must run from 1 to {0} without gaps; {1} is missing")]
    Gap(usize, TeamNo),
    /// A team does not have the players that it needs.
    #[error("{name} has {found} players, but each team needs {boards}")]
    Short {
        /// The team.
        name: String,
        /// Its players.
        found: usize,
        /// The number needed.
        boards: u32,
    },
    /// The Swiss system finds no pairing.
    #[error("{0}")]
    Swiss(String),
    /// The event's pairings are made elsewhere.
    #[error(
        "this event is not paired by overboard; `overboard pair set FOLDER {1} 1-4 5-2` enters pairs by number, with --from FILE those of a pairing program; or write them to {0} (columns table,white,black)"
    )]
    ByHand(String, RoundNo),
    /// A pair is forbidden in a system in which everyone meets.
    #[error("{0} and {1} are forbidden to meet, but in this system every pair is fixed")]
    Forbidden(String, String),
}

/// The result of checking the pairings of an event.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Looked {
    /// What is wrong.
    pub faults: Vec<String>,
    /// What is not wrong, or not known to be, but worth knowing.
    pub notes: Vec<RoundNote>,
}

impl Looked {
    /// The same, with the folder of the rounds as the place.
    #[must_use]
    pub fn placed(self) -> Review {
        let mut review = Review::default();
        let at = At::file("rounds");
        for fault in self.faults {
            review.faults.push(at.fault(fault));
        }
        for note in self.notes {
            review.notes.push(at.fault(note.text));
        }
        review
    }
}

/// What is worth knowing about the pairing of a round.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RoundNote {
    /// The round.
    pub round: RoundNo,
    /// The note, which names the round.
    pub text: String,
}

impl Event {
    /// The next round.
    ///
    /// # Errors
    /// Why there is no next round.
    pub fn next_round(&self) -> Result<Round, RoundError> {
        let round = self.upcoming();
        let count = self.participants().len();
        if count < 2 {
            return Err(RoundError::Few(count));
        }
        if round.get() > self.scheduled() {
            return Err(RoundError::Over(self.scheduled()));
        }
        if let Some(missing) = self.gap() {
            return Err(RoundError::Gap(count, missing));
        }
        match self.settings.system {
            System::RoundRobin | System::Scheveningen => {
                self.may_all_meet()?;
                let table = self.planned_round(round.index())?;
                Ok(self.dressed(&table, ByeKind::Free))
            }
            System::Knockout => Ok(self.dressed(&self.knockout_round()?, ByeKind::Full)),
            System::Molter | System::Hutton => self.players_round(round.index()),
            System::SwissTeam => self.swiss_round(),
            System::ByHand => Err(RoundError::ByHand(file(round), round)),
        }
    }

    /// Pairs the next round, and keeps what it was paired from.
    ///
    /// # Errors
    /// Why there is no next round.
    pub fn pair_next(&mut self) -> Result<(), RoundError> {
        let round = self.next_round()?;
        let games: usize = self.rounds.iter().map(Round::games).sum();
        if games + round.games() > MOST_GAMES {
            return Err(RoundError::Large(self.upcoming()));
        }
        self.keep_basis();
        self.rounds.push(round);
        Ok(())
    }

    fn may_all_meet(&self) -> Result<(), RoundError> {
        for request in &self.requests {
            if request.kind == RequestKind::Forbid {
                return Err(RoundError::Forbidden(
                    self.called(request.who),
                    self.called(request.other.unwrap_or_default()),
                ));
            }
        }
        Ok(())
    }

    /// All rounds of a system that does not depend on results.
    ///
    /// # Errors
    /// Why there are none.
    pub fn all_rounds(&self) -> Result<Vec<Table>, RoundError> {
        if let Some(own) = self.own_rounds()? {
            return Ok(own);
        }
        let order = self.table_order()?;
        Ok((0..self.scheduled())
            .map(|round| self.standard_round(round, &order))
            .collect())
    }

    /// One of them, from 0.
    fn planned_round(&self, round: usize) -> Result<Table, RoundError> {
        match self.own_rounds()? {
            Some(own) => own
                .into_iter()
                .nth(round)
                .ok_or_else(|| RoundError::Over(self.scheduled())),
            None => Ok(self.standard_round(round as u32, &self.table_order()?)),
        }
    }

    /// A round of the standard table, from 0, for participants in this order.
    fn standard_round(&self, round: u32, order: &[TeamNo]) -> Table {
        let count = order.len() as u32;
        let table = match self.settings.system {
            System::Scheveningen => scheveningen::scheveningen_round(count / 2, round),
            _ => round_robin::berger_round(count, self.settings.cycles, round),
        };
        renumbered(&table, &|place| order[place.index()])
    }

    /// The numbers of the participants in the order in which a table counts them: the first group of a Scheveningen
    /// event before the second.
    pub(super) fn table_order(&self) -> Result<Vec<TeamNo>, RoundError> {
        let numbers = self.numbers();
        if self.settings.system != System::Scheveningen {
            return Ok(numbers);
        }
        let mut groups: Vec<(Foreign, Vec<TeamNo>)> = Vec::new();
        for (number, name) in numbers.into_iter().zip(self.groups()) {
            match groups.iter_mut().find(|(known, _)| *known == name) {
                Some((_, group)) => group.push(number),
                None => groups.push((name, vec![number])),
            }
        }
        match &groups[..] {
            [(_, first), (_, second)] if first.len() == second.len() => {
                Ok([&first[..], second].concat())
            }
            _ => Err(self.unequal(&groups)),
        }
    }

    /// Why these are not the groups of a Scheveningen event.
    fn unequal(&self, groups: &[(Foreign, Vec<TeamNo>)]) -> RoundError {
        let mut found = Vec::new();
        for (name, group) in groups {
            let size = group.len();
            found.push(if name.is_empty() {
                format!("{size} without a group")
            } else {
                format!("{size} in group {}", name.shown())
            });
        }
        let (column, file) = match self.settings.participants {
            Participants::Players => ("team", crate::roster::PLAYERS),
            Participants::Teams => ("group", crate::roster::TEAMS),
        };
        RoundError::Groups {
            column,
            file,
            found: found.join(", "),
        }
    }

    /// The group of each participant, by number.
    fn groups(&self) -> Vec<Foreign> {
        match self.settings.participants {
            Participants::Players => self.players.iter().map(group_of).collect(),
            Participants::Teams => self.teams.iter().map(|team| team.group.clone()).collect(),
        }
    }

    /// What is wrong with the rounds of a round robin or a Scheveningen event.
    pub(super) fn check_rounds(&self, rounds: &[Table]) -> Vec<checker::CheckError> {
        if self.settings.system == System::Scheveningen {
            return self.check_groups(rounds);
        }
        let count = self.participants().len() as u32;
        checker::round_robin(count, self.settings.cycles, rounds)
    }

    /// What is wrong with the games of an event by Molter or Hutton.
    pub(super) fn check_games(&self, games: Vec<Vec<Game>>) -> Vec<checker::CheckError> {
        let teams = self.teams.len() as u32;
        if self.settings.system == System::Hutton {
            return checker::hutton(teams, &crate::table::by_board(games));
        }
        checker::molter(teams, self.settings.boards, &games)
    }

    /// What is wrong with the rounds of a Scheveningen event.
    fn check_groups(&self, rounds: &[Table]) -> Vec<checker::CheckError> {
        let Ok(order) = self.table_order() else {
            return Vec::new();
        };
        let mut places = BTreeMap::new();
        for (number, place) in order.iter().zip(TeamNo::all()) {
            places.insert(*number, place);
        }
        let place = |number: TeamNo| places.get(&number).copied().unwrap_or_default();
        let rounds: Vec<_> = rounds
            .iter()
            .map(|round| renumbered(round, &place))
            .collect();
        checker::scheveningen(order.len() as u32 / 2, self.settings.cycles, &rounds)
    }

    /// The pairs of a table as a round with line-ups; participants that have withdrawn are not paired.
    #[must_use]
    pub fn dressed(&self, table: &Table, free: ByeKind) -> Round {
        let number = self.upcoming();
        let mut round = Round::default();
        let mut byes = Vec::new();
        for Pair { white, black } in &table.pairs {
            let sides = [*white, *black];
            // Others win by forfeit, unless the results of the withdrawn participant no longer count.
            let result = self.default_result(sides, number);
            let is_void = result.is_some() && sides.iter().any(|one| self.is_void(*one, number));
            if is_void || result == Some(GameResult::BothForfeit) {
                byes.extend(sides);
                continue;
            }
            let table = round.matches.len() as u32 + 1;
            round.matches.push(Match {
                result,
                ..self.new_match(table, *white, *black)
            });
        }
        for who in byes.iter().chain(&table.free) {
            let is_there = self.is_in(*who, number);
            let kind = if is_there { free } else { ByeKind::Zero };
            round.byes.push(Bye::new(*who, kind));
        }
        round
    }

    /// Whether matches against an absent participant are void rather than forfeited: those of a participant whose
    /// results do not count, and of a late entry if the settings say so.
    fn is_void(&self, who: TeamNo, round: RoundNo) -> bool {
        if self.annulled().contains(&who) {
            return true;
        }
        let Some(late) = self.request(who, RequestKind::Late) else {
            return false;
        };
        late.round > round && self.settings.missed == Missed::Unplayed
    }

    pub(crate) fn new_match(&self, table: u32, white: TeamNo, black: TeamNo) -> Match {
        Match {
            table,
            white,
            black,
            boards: self.line_up(white, black),
            ..Match::default()
        }
    }

    fn knockout_round(&self) -> Result<Table, RoundError> {
        let count = self.participants().len() as u32;
        let mut alive = knockout::bracket(count);
        for round in RoundNo::first(self.rounds.len() as u32) {
            // A participant of the next round has advanced, even if a result has been corrected since.
            let winners = match self.went_on(round) {
                Some(known) => known,
                None => self.winners(round)?,
            };
            let winner = |one: TeamNo, other: TeamNo| {
                let mut all = winners.iter().copied();
                all.find(|who| [one, other].contains(who))
            };
            let next = knockout::survivors(&alive, winner);
            alive = next.ok_or(RoundError::Undecided { round, table: 1 })?;
        }
        Ok(knockout::round(&alive, self.upcoming()))
    }

    /// Who advanced from a round of a knockout.
    fn winners(&self, round: RoundNo) -> Result<Vec<TeamNo>, RoundError> {
        self.rounds[round.index()]
            .matches
            .iter()
            .map(|this| self.winner(round, this))
            .collect()
    }

    /// Who advanced from a match of a knockout.
    pub(crate) fn winner(&self, round: RoundNo, this: &Match) -> Result<TeamNo, RoundError> {
        let table = this.table;
        let outcome = self
            .outcome(this)
            .ok_or(RoundError::Undecided { round, table })?;
        match outcome.scores[0].cmp(&outcome.scores[1]) {
            std::cmp::Ordering::Greater => Ok(this.white),
            std::cmp::Ordering::Less => Ok(this.black),
            std::cmp::Ordering::Equal => match self.play_off_of(this) {
                Some(GameResult::White) => Ok(this.white),
                Some(GameResult::Black) => Ok(this.black),
                _ => Err(RoundError::Drawn { round, table }),
            },
        }
    }

    /// A round of games between players of many teams: a table for each game.
    fn players_round(&self, round: usize) -> Result<Round, RoundError> {
        let (teams, boards) = (self.teams.len() as u32, self.settings.boards);
        for team in &self.teams {
            let found = self.roster(team.number).len();
            if found < boards as usize {
                return Err(RoundError::Short {
                    name: team.name.shown().into_owned(),
                    found,
                    boards,
                });
            }
        }
        let games = match (self.own_games()?, self.settings.system) {
            (Some(rounds), System::Hutton) => rounds.concat(),
            (Some(rounds), _) => rounds.into_iter().nth(round).unwrap_or_default(),
            (None, System::Hutton) => hutton::hutton(teams, boards).concat(),
            (None, _) => molter::molter(teams, boards, self.scheduled())?.swap_remove(round),
        };
        let id = |seat: Seat| {
            let player = *self.roster(seat.team).get(seat.board as usize - 1)?;
            Some(player.id)
        };
        let table = |(table, game): (u32, Game)| {
            let board = Board {
                board: 1,
                white: id(game.white),
                black: id(game.black),
                ..Board::default()
            };
            Match {
                table,
                white: game.white.team,
                black: game.black.team,
                boards: vec![board],
                ..Match::default()
            }
        };
        Ok(Round {
            matches: (1..).zip(games).map(table).collect(),
            byes: Vec::new(),
        })
    }

    /// The rounds without results and line-ups.
    pub(super) fn pairs(&self) -> Vec<Table> {
        let pair = |this: &Match| Pair::new(this.white, this.black);
        let round = |round: &Round| Table {
            pairs: round.matches.iter().map(pair).collect(),
            free: round.byes.iter().map(|bye| bye.who).collect(),
        };
        self.rounds.iter().map(round).collect()
    }

    /// What is wrong with the pairings, and what is worth knowing about them, found by checks that are independent of
    /// the code that made them.
    #[must_use]
    pub fn look_at_pairings(&self) -> Looked {
        let count = self.participants().len() as u32;
        let faults = match self.settings.system {
            System::RoundRobin | System::Scheveningen => {
                self.without_the_withdrawn(self.check_rounds(&self.pairs()))
            }
            System::Knockout => {
                let winners = RoundNo::first(self.rounds.len().saturating_sub(1) as u32)
                    .map_while(|round| self.winners_then(round));
                checker::knockout(count, &self.pairs(), &winners.collect::<Vec<_>>())
            }
            System::Molter | System::Hutton => self.check_games(self.seats()),
            System::SwissTeam => {
                let mut looked = self.check_swiss();
                looked.notes.extend(self.old_results());
                return looked;
            }
            System::ByHand => Vec::new(),
        };
        // What is permitted in the organiser's own table is permitted in the rounds.
        let may_be =
            |fault: &checker::CheckError| self.table.is_some() && crate::table::is_slight(fault);
        let mut looked = Looked {
            notes: self.old_results(),
            ..Looked::default()
        };
        for fault in &faults {
            if !may_be(fault) {
                looked.faults.push(fault.to_string());
            }
        }
        looked.faults.extend(self.off_the_table());
        looked
    }

    /// Who advanced from a round, by the results from which the next one was paired; if those are unknown, by the next
    /// round itself.
    fn winners_then(&self, round: RoundNo) -> Option<Vec<TeamNo>> {
        let before = self.before(round.next());
        let basis = if before.source.is_known() {
            &before.event
        } else {
            self
        };
        basis.winners(round).ok()
    }

    /// What the checker of the Swiss system finds in each round, given what it was paired from.
    fn check_swiss(&self) -> Looked {
        let mut looked = Looked::default();
        for round in RoundNo::first(self.rounds.len() as u32) {
            let before = self.before(round);
            let (text, article) = match before.event.swiss_verdict(round) {
                Ok(Verdict {
                    broken: Some(broken),
                    ..
                }) => (
                    format!("{} ({})", broken.text, broken.article),
                    Some(broken.article),
                ),
                Ok(_) => continue,
                Err(error) => (error.to_string(), None),
            };
            // These two do not depend on results.
            let is_certain = matches!(article, Some(Article::Complete | Article::Rematch));
            if let Some(set) = self.set_in(round) {
                let text =
                    format!("round {round}: the arbiter has set {set}, against an article: {text}");
                looked.notes.push(RoundNote { round, text });
            } else if before.source.is_known() || is_certain {
                looked.faults.push(format!("round {round}: {text}"));
            } else {
                let text = format!(
                    "round {round}: it cannot be checked, since the data from which it was paired are neither in the round nor in the log. By the present data: {text}"
                );
                looked.notes.push(RoundNote { round, text });
            }
        }
        looked
    }

    /// Rounds that were paired from results that have been corrected since.
    fn old_results(&self) -> Vec<RoundNote> {
        let mut notes = Vec::new();
        if !self.is_paired_by_results() {
            return notes;
        }
        for round in RoundNo::first(self.rounds.len() as u32) {
            for change in self.changed_since(round) {
                notes.push(stays_as_paired(round, change));
            }
        }
        notes
    }

    /// Drops faults that follow from a withdrawal: the withdrawn player and the opponents are free, and meetings are
    /// missing.
    fn without_the_withdrawn(
        &self,
        mut faults: Vec<checker::CheckError>,
    ) -> Vec<checker::CheckError> {
        use checker::CheckError as F;
        let is_gone =
            |request: &Request| [RequestKind::Withdraw, RequestKind::Late].contains(&request.kind);
        if self.requests.iter().any(is_gone) {
            faults.retain(|fault| {
                !matches!(
                    fault,
                    F::Free { .. }
                        | F::TooSeldom { .. }
                        | F::Unbalanced { .. }
                        | F::ThreeRunning { .. }
                )
            });
        }
        faults
    }

    /// The games of each round, by the boards of the players in their teams.
    pub(super) fn seats(&self) -> Vec<Vec<Game>> {
        let game = |this: &Match| {
            let board = this.boards.first()?;
            Some(Game {
                white: self.place_in_team(board.white?)?,
                black: self.place_in_team(board.black?)?,
            })
        };
        let of = |round: &Round| round.matches.iter().filter_map(game).collect();
        self.rounds.iter().map(of).collect()
    }

    /// The place of a player in its team.
    fn place_in_team(&self, id: u32) -> Option<Seat> {
        let team = self.player(id)?.team?;
        let place = self.roster(team).iter().position(|one| one.id == id)?;
        Some(Seat {
            team,
            board: place as u32 + 1,
        })
    }
}

/// A table with its numbers replaced.
/// The number of the group of a player without a team of its own.
fn group_of(player: &Player) -> Foreign {
    match player.team {
        Some(team) => team.to_string().into(),
        None => Foreign::default(),
    }
}

fn stays_as_paired(round: RoundNo, change: Change) -> RoundNote {
    let Change {
        round: earlier,
        table,
        then,
        now,
    } = change;
    let text = format!(
        "round {round} was paired when round {earlier}, table {table} was {then}; it is {now} now; the round stays as paired"
    );
    RoundNote { round, text }
}

fn renumbered(table: &Table, number: &dyn Fn(TeamNo) -> TeamNo) -> Table {
    Table {
        pairs: table
            .pairs
            .iter()
            .map(|pair| Pair::new(number(pair.white), number(pair.black)))
            .collect(),
        free: table.free.iter().map(|free| number(*free)).collect(),
    }
}
