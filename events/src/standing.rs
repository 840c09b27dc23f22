//! Converts the results of an event to the input of standings.

use crate::{
    Event,
    roster::RequestKind,
    rounds::{Board, Bye, ByeKind, GameResult, Match},
    settings::{ForeForfeits, Missed, Participants, Scoring, Settings, System},
};
use overboard_schedules::{
    ids::{RoundNo, TeamNo},
    points::Points,
    team::Colour,
    tournament::{self, Edition, Entrant, Kind, RoundEntry, Tournament, Worth},
};
use std::collections::BTreeMap;

/// What a match gave to both sides.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// Whether anyone played.
    pub played: bool,
    /// Match points and game points of White and of Black.
    pub scores: [[Points; 2]; 2],
    /// Game points on each board, of White's and of Black's team.
    pub boards: [Vec<Points>; 2],
    /// Kings or sub-games of White and of Black.
    pub tally: Option<[Points; 2]>,
}

impl Settings {
    fn worth_of_game(&self) -> [Points; 3] {
        self.game_points
    }

    fn worth_of_match(&self) -> [Points; 3] {
        match self.participants {
            Participants::Teams => self.match_points,
            Participants::Players => self.game_points,
        }
    }
}

impl Event {
    /// What a match gave; `None` while it is undecided.
    #[must_use]
    pub fn outcome(&self, this: &Match) -> Option<Outcome> {
        match self.settings.scoring {
            Scoring::Boards if self.settings.pairs_players() => self.single_game(this),
            Scoring::Boards => self.boards_outcome(this),
            Scoring::Kings => self.kings_outcome(this),
            Scoring::Game => Some(self.game_outcome(this.result?, this.tally)),
            Scoring::Subgames => {
                let outcome = self.game_outcome(this.result?, this.tally);
                let tally = this.tally.unwrap_or_default();
                let scores = [0, 1].map(|side| [outcome.scores[side][0], tally[side]]);
                Some(Outcome { scores, ..outcome })
            }
        }
    }

    /// A match that consists of one game.
    fn game_outcome(&self, result: GameResult, tally: Option<[Points; 2]>) -> Outcome {
        let places = result.places();
        let points = |side: usize| {
            [
                self.settings.worth_of_match()[places[side]],
                self.settings.worth_of_game()[places[side]],
            ]
        };
        Outcome {
            played: !result.is_forfeit(),
            scores: [points(0), points(1)],
            boards: [Vec::new(), Vec::new()],
            tally,
        }
    }

    /// A game between players of two teams without a match: its points are both scores.
    fn single_game(&self, this: &Match) -> Option<Outcome> {
        let result = this
            .boards
            .first()
            .and_then(|board| board.result)
            .or(this.result)?;
        let scores = result
            .places()
            .map(|place| [self.settings.worth_of_game()[place]; 2]);
        Some(Outcome {
            played: !result.is_forfeit(),
            scores,
            boards: [Vec::new(), Vec::new()],
            tally: None,
        })
    }

    /// A match on several boards: their points are summed. A result of the whole match counts for each board.
    fn boards_outcome(&self, this: &Match) -> Option<Outcome> {
        let results: Vec<GameResult> = match this.result {
            Some(result) => vec![result; self.settings.boards as usize],
            None if this.boards.is_empty() => return None,
            None => self.board_results(this)?,
        };
        let worth = self.settings.worth_of_game();
        let side = |side: usize| {
            results
                .iter()
                .map(|result| worth[result.places()[side]])
                .collect::<Vec<_>>()
        };
        let boards = [side(0), side(1)];
        let games = boards
            .each_ref()
            .map(|points| points.iter().copied().sum::<Points>());
        let nobody = results
            .iter()
            .all(|result| *result == GameResult::BothForfeit);
        let places = match games[0].cmp(&games[1]) {
            _ if nobody => [2, 2],
            std::cmp::Ordering::Greater => [0, 2],
            std::cmp::Ordering::Equal => [1, 1],
            std::cmp::Ordering::Less => [2, 0],
        };
        let scores = [0, 1].map(|side| [self.settings.match_points[places[side]], games[side]]);
        Some(Outcome {
            played: results.iter().any(|result| !result.is_forfeit()),
            scores,
            boards,
            tally: this.tally,
        })
    }

    /// The result of a board for the players with White and Black there. A result of the match as a whole is that of
    /// the White team, which has Black on some boards.
    #[must_use]
    pub fn result_on(&self, this: &Match, board: &Board) -> Option<GameResult> {
        if self.settings.pairs_players() {
            return board.result.or(this.result);
        }
        this.result
            .map(|result| self.turned_on(board.board, result))
            .or(board.result)
    }

    /// Converts a result between the view of a board's White and Black players and that of the White and Black team. It
    /// is its own inverse.
    #[must_use]
    pub fn turned_on(&self, board: u32, result: GameResult) -> GameResult {
        if self.colour(board) == Colour::White {
            result
        } else {
            turned(result)
        }
    }

    /// The results of all boards from the view of the White team.
    fn board_results(&self, this: &Match) -> Option<Vec<GameResult>> {
        let result = |board: &Board| Some(self.turned_on(board.board, board.result?));
        this.boards.iter().map(result).collect()
    }

    /// A match on linked boards: the kings left are the game points; after a forfeit, all kings.
    fn kings_outcome(&self, this: &Match) -> Option<Outcome> {
        let result = this.result?;
        let all = Points::whole(self.settings.boards as i32);
        let tally = match result {
            GameResult::WhiteForfeit => [all, Points::ZERO],
            GameResult::BlackForfeit => [Points::ZERO, all],
            GameResult::BothForfeit => [Points::ZERO; 2],
            _ => this.tally?,
        };
        let places = result.places();
        let scores = [0, 1].map(|side| [self.settings.match_points[places[side]], tally[side]]);
        Some(Outcome {
            played: !result.is_forfeit(),
            scores,
            boards: [Vec::new(), Vec::new()],
            tally: Some(tally),
        })
    }

    /// The participants whose results do not count, because they withdrew from a round robin before they had played
    /// half of their matches (C.05).
    #[must_use]
    pub fn annulled(&self) -> Vec<TeamNo> {
        if !matches!(
            self.settings.system,
            System::RoundRobin | System::Scheveningen
        ) {
            return Vec::new();
        }
        let withdrawn = self
            .requests
            .iter()
            .filter(|request| request.kind == RequestKind::Withdraw);
        let all = match self.settings.system {
            System::Scheveningen => self.participants().len() / 2,
            _ => self.participants().len().saturating_sub(1),
        } * self.settings.cycles as usize;
        withdrawn
            .map(|request| request.who)
            .filter(|who| 2 * self.met(*who) < all)
            .collect()
    }

    /// How many matches a participant plays before withdrawing, including those that are still open.
    fn met(&self, who: TeamNo) -> usize {
        let until = self
            .request(who, RequestKind::Withdraw)
            .map_or(usize::MAX, |request| request.round.index());
        let is_met = |round: &&crate::rounds::Round| {
            let this = round.of(who);
            this.is_some_and(|this| self.outcome(this).is_none_or(|outcome| outcome.played))
        };
        let paired = self.rounds.len();
        let to_come = || {
            let planned = self.all_rounds().unwrap_or_default();
            let plays = |round: &overboard_schedules::team::Round| {
                round.pairs.iter().any(|pair| pair.opponent(who).is_some())
            };
            planned
                .iter()
                .take(until)
                .skip(paired)
                .filter(|round| plays(round))
                .count()
        };
        self.rounds.iter().take(until).filter(is_met).count()
            + if until > paired { to_come() } else { 0 }
    }

    /// The event as the input of standings, after this many rounds.
    #[must_use]
    pub fn field(&self, after: usize) -> Tournament {
        let participants = self.participants();
        let index: BTreeMap<TeamNo, usize> = participants
            .iter()
            .enumerate()
            .map(|(at, one)| (one.number, at))
            .collect();
        let annulled = self.annulled();
        let entries = |number: TeamNo| {
            let rounds = RoundNo::first(after.min(self.rounds.len()) as u32);
            rounds
                .map(|round| self.entry(number, round, &index, &annulled))
                .collect()
        };
        let rows = participants.iter().map(|one| Entrant {
            number: one.number,
            rating: one.rating,
            rounds: entries(one.number),
            extra: self.penalties(one.number, after),
        });
        Tournament {
            system: match self.settings.system {
                System::SwissTeam | System::ByHand => tournament::System::Swiss,
                System::Knockout => tournament::System::Knockout,
                _ => tournament::System::RoundRobin,
            },
            edition: self.settings.edition().unwrap_or(Edition::Of2026),
            rounds: self.scheduled().max(after as u32) - self.free_rounds(),
            primary: self.settings.primary(),
            teams: self.settings.participants == Participants::Teams,
            worth: self.settings.worth(),
            fore_forfeits: self.settings.fore_forfeits == ForeForfeits::Drawn,
            rows: rows.collect(),
        }
    }

    /// The number of free rounds of each participant in a round robin with an odd field; nobody can score in them.
    fn free_rounds(&self) -> u32 {
        let is_odd =
            self.settings.system == System::RoundRobin && self.participants().len() % 2 == 1;
        if is_odd {
            self.settings.cycles.min(self.scheduled())
        } else {
            0
        }
    }

    fn penalties(&self, who: TeamNo, after: usize) -> [Points; 2] {
        let given = self.requests.iter().filter(|request| {
            request.kind == RequestKind::Penalty
                && request.who == who
                && request.round.index() < after
        });
        given.fold([Points::ZERO; 2], |[a, b], request| {
            [a + request.points[0], b + request.points[1]]
        })
    }

    fn entry(
        &self,
        number: TeamNo,
        round: RoundNo,
        index: &BTreeMap<TeamNo, usize>,
        annulled: &[TeamNo],
    ) -> RoundEntry {
        let sheet = &self.rounds[round.index()];
        if self.settings.pairs_players() {
            return self.sum_of_games(number, round);
        }
        let Some(this) = sheet.of(number) else {
            let bye = sheet.byes.iter().find(|bye| bye.who == number);
            return self.bye_entry(bye.map_or(ByeKind::Zero, |Bye { kind, .. }| *kind));
        };
        let side = usize::from(this.white != number);
        let other = if side == 0 { this.black } else { this.white };
        let opponent = index.get(&other).copied();
        if annulled.contains(&number) || annulled.contains(&other) {
            return nothing(Kind::Free, None);
        }
        let colour = Some(if side == 0 {
            Colour::White
        } else {
            Colour::Black
        });
        let outcome = self
            .outcome(this)
            .or_else(|| self.default_outcome(this, round));
        let Some(outcome) = outcome else {
            return nothing(Kind::Free, None);
        };
        let [mut own, theirs] = [side, 1 - side].map(|side| outcome.scores[side]);
        if let Some(decided) = self.play_off_of(this) {
            own[0] = self.settings.worth_of_match()[decided.places()[side]];
        }
        let kind = match outcome.played {
            true => Kind::Played,
            false if own > theirs => Kind::ForfeitWin,
            false => Kind::ForfeitLoss,
        };
        let tally = outcome.tally.map(|tally| [tally[side], tally[1 - side]]);
        RoundEntry {
            kind,
            opponent,
            colour,
            scores: own,
            boards: outcome.boards[side].clone(),
            tally,
        }
    }

    /// How many matches of the first rounds have no result, so that they do not count yet.
    #[must_use]
    pub fn open_matches(&self, after: usize) -> usize {
        RoundNo::all()
            .take(after.min(self.rounds.len()))
            .map(|round| self.open_in(round))
            .sum()
    }

    /// How many matches of a round have no result, so that they do not count yet.
    #[must_use]
    pub fn open_in(&self, round: RoundNo) -> usize {
        let annulled = self.annulled();
        let is_open = |this: &&Match| {
            let is_void = [this.white, this.black]
                .iter()
                .any(|number| annulled.contains(number));
            !is_void
                && self
                    .outcome(this)
                    .or_else(|| self.default_outcome(this, round))
                    .is_none()
        };
        self.rounds
            .get(round.index())
            .map_or(0, |sheet| sheet.matches.iter().filter(is_open).count())
    }

    /// What a withdrawn participant's match without a result counts as, in words: a forfeit, or nothing.
    #[must_use]
    pub fn default_words(&self, this: &Match, round: RoundNo) -> Option<String> {
        if [this.white, this.black]
            .iter()
            .any(|number| self.annulled().contains(number))
        {
            return Some("not counted".into());
        }
        self.default_result(this, round)
            .map(|result| result.to_string())
    }

    fn default_result(&self, this: &Match, round: RoundNo) -> Option<GameResult> {
        match [this.white, this.black].map(|number| self.is_in(number, round)) {
            [true, true] => None,
            [true, false] => Some(GameResult::WhiteForfeit),
            [false, true] => Some(GameResult::BlackForfeit),
            [false, false] => Some(GameResult::BothForfeit),
        }
    }

    /// What a withdrawn participant's match without a result counts as: a forfeit.
    fn default_outcome(&self, this: &Match, round: RoundNo) -> Option<Outcome> {
        let result = self.default_result(this, round)?;
        self.outcome(&Match {
            result: Some(result),
            tally: None,
            ..this.clone()
        })
    }

    /// Match points and game points of a bye.
    #[must_use]
    pub fn worth_of_bye(&self, kind: ByeKind) -> [Points; 2] {
        self.bye_entry(kind).scores
    }

    fn bye_entry(&self, kind: ByeKind) -> RoundEntry {
        let [matches, games]: [Worth; 2] = self.settings.worth();
        let (kind, scores) = match kind {
            ByeKind::Bye => (Kind::Pab, self.settings.bye()),
            ByeKind::Full => (Kind::FullBye, [matches.win, games.win]),
            ByeKind::Half => (Kind::HalfBye, [matches.draw, games.draw]),
            ByeKind::Zero => (Kind::ZeroBye, [Points::ZERO; 2]),
            ByeKind::Free => (Kind::Free, [Points::ZERO; 2]),
        };
        RoundEntry {
            scores,
            ..nothing(kind, None)
        }
    }

    /// What the players of a team scored in a round of games without matches.
    fn sum_of_games(&self, team: TeamNo, round: RoundNo) -> RoundEntry {
        let mut entry = nothing(Kind::Played, None);
        for this in &self.rounds[round.index()].matches {
            let Some(outcome) = self.outcome(this) else {
                continue;
            };
            for (side, number) in [(0, this.white), (1, this.black)] {
                if number == team {
                    entry.scores =
                        [0, 1].map(|score| entry.scores[score] + outcome.scores[side][score]);
                }
            }
        }
        entry
    }

    /// The games of the players after this many rounds, whoever is paired.
    #[must_use]
    pub fn games_field(&self, after: usize) -> Tournament {
        match self.settings.participants {
            Participants::Players => self.field(after),
            Participants::Teams => self.players_field(after),
        }
    }

    /// The input of the standings of players: their games on the boards of matches.
    #[must_use]
    pub fn players_field(&self, after: usize) -> Tournament {
        let index: BTreeMap<u32, usize> = self
            .players
            .iter()
            .enumerate()
            .map(|(at, one)| (one.id, at))
            .collect();
        let worth = self.settings.worth_of_game();
        let entry = |id: u32, round: usize| {
            let matches = self.rounds[round].matches.iter();
            let mut boards =
                matches.flat_map(|this| this.boards.iter().map(move |board| (this, board)));
            let own = boards.find(|(_, board)| board.white == Some(id) || board.black == Some(id));
            // A match that was forfeited as a whole was so on each board.
            let Some((board, result)) =
                own.and_then(|(this, board)| Some((board, self.result_on(this, board)?)))
            else {
                return nothing(Kind::Free, None);
            };
            let side = usize::from(board.white != Some(id));
            let other = if side == 0 { board.black } else { board.white };
            let points = worth[result.places()[side]];
            let kind = match (result.is_forfeit(), result.places()[side]) {
                (false, _) => Kind::Played,
                (true, 0) => Kind::ForfeitWin,
                (true, _) => Kind::ForfeitLoss,
            };
            let colour = if side == 0 {
                Colour::White
            } else {
                Colour::Black
            };
            let opponent = other.and_then(|other| index.get(&other).copied());
            RoundEntry {
                kind,
                opponent,
                colour: Some(colour),
                scores: [points; 2],
                boards: Vec::new(),
                tally: None,
            }
        };
        let rounds = after.min(self.rounds.len());
        let row = |player: &crate::roster::Player| Entrant {
            number: TeamNo::new(player.id),
            rating: player.rating,
            rounds: (0..rounds).map(|round| entry(player.id, round)).collect(),
            extra: [Points::ZERO; 2],
        };
        let [win, draw, loss] = worth;
        Tournament {
            system: tournament::System::RoundRobin,
            edition: self.settings.edition().unwrap_or(Edition::Of2026),
            rounds: self.scheduled().max(rounds as u32),
            primary: tournament::Score::Game,
            teams: false,
            worth: [Worth { win, draw, loss }; 2],
            fore_forfeits: self.settings.fore_forfeits == ForeForfeits::Drawn,
            rows: self.players.iter().map(row).collect(),
        }
    }

    /// How the rounds missed by a late entry count, from its side; `None` if they count as unplayed.
    #[must_use]
    pub fn missed(&self, is_white: bool) -> Option<GameResult> {
        match (self.settings.missed, is_white) {
            (Missed::Forfeit, true) => Some(GameResult::BlackForfeit),
            (Missed::Forfeit, false) => Some(GameResult::WhiteForfeit),
            (Missed::Unplayed, _) => None,
        }
    }
}

/// A result with the sides exchanged.
const fn turned(result: GameResult) -> GameResult {
    match result {
        GameResult::White => GameResult::Black,
        GameResult::Black => GameResult::White,
        GameResult::WhiteForfeit => GameResult::BlackForfeit,
        GameResult::BlackForfeit => GameResult::WhiteForfeit,
        other => other,
    }
}

const fn nothing(kind: Kind, opponent: Option<usize>) -> RoundEntry {
    RoundEntry {
        kind,
        opponent,
        colour: None,
        scores: [Points::ZERO; 2],
        boards: Vec::new(),
        tally: None,
    }
}
