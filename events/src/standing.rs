//! Converts the results of an event to the input of standings.

use crate::{
    Event,
    roster::RequestKind,
    rounds::{Board, ByeKind, GameResult, Match, Round},
    settings::{ForeForfeits, Missed, Participants, Scoring, Settings, System},
};
use overboard_schedules::{
    ids::{RoundNo, TeamNo},
    points::Points,
    team::Colour,
    tournament::{
        self, ByScore, Edition, Entrant, Kind, RoundEntry, SideResult, Tournament, Worth,
    },
};
use std::collections::BTreeMap;

/// What a match gave to both sides.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// Whether anyone played.
    pub played: bool,
    /// The points of White and of Black.
    pub scores: [ByScore<Points>; 2],
    /// Game points on each board, of White's and of Black's team.
    pub boards: [Vec<Points>; 2],
    /// Kings or sub-games of White and of Black.
    pub tally: Option<[Points; 2]>,
}

impl Outcome {
    /// What the result of a match gives: match points by their worth, and these game points.
    fn of(
        result: GameResult,
        worth: Worth,
        games: [Points; 2],
        tally: Option<[Points; 2]>,
    ) -> Self {
        let sides = result.for_sides();
        Self {
            played: !result.is_forfeit(),
            scores: [0, 1].map(|side| ByScore {
                matches: worth.of(sides[side]),
                games: games[side],
            }),
            boards: [Vec::new(), Vec::new()],
            tally,
        }
    }
}

impl Settings {
    fn worth_of_match(&self) -> Worth {
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
        let worth = self.settings.worth_of_match();
        match self.settings.scoring {
            Scoring::Boards if self.settings.pairs_players() => self.single_game(this),
            Scoring::Boards => self.boards_outcome(this),
            Scoring::Kings => self.kings_outcome(this),
            Scoring::Game => {
                let result = this.result?;
                let games = self.game_points(result);
                Some(Outcome::of(result, worth, games, this.tally))
            }
            Scoring::Subgames => {
                let games = this.tally.unwrap_or_default();
                Some(Outcome::of(this.result?, worth, games, this.tally))
            }
        }
    }

    /// The points of a game for White and for Black.
    fn game_points(&self, result: GameResult) -> [Points; 2] {
        let worth = self.settings.game_points;
        result.for_sides().map(|side| worth.of(side))
    }

    /// A game between players of two teams without a match: its points are both scores.
    fn single_game(&self, this: &Match) -> Option<Outcome> {
        let own = this.boards.first().and_then(|board| board.result);
        let result = own.or(this.result)?;
        let (worth, games) = (self.settings.game_points, self.game_points(result));
        Some(Outcome::of(result, worth, games, None))
    }

    /// A match on several boards: their points are summed. A result of the whole match counts for each board.
    fn boards_outcome(&self, this: &Match) -> Option<Outcome> {
        let results: Vec<GameResult> = match this.result {
            Some(result) => vec![result; self.settings.boards as usize],
            None if this.boards.is_empty() => return None,
            None => self.board_results(this)?,
        };
        let worth = self.settings.game_points;
        let mut boards = [Vec::new(), Vec::new()];
        let mut games = [Points::ZERO; 2];
        for result in &results {
            for (side, result) in result.for_sides().into_iter().enumerate() {
                boards[side].push(worth.of(result));
                games[side] += worth.of(result);
            }
        }
        let nobody = results.iter().all(|one| *one == GameResult::BothForfeit);
        let sum = if nobody {
            GameResult::BothForfeit
        } else {
            GameResult::of_scores(games[0], games[1])
        };
        Some(Outcome {
            played: results.iter().any(|result| !result.is_forfeit()),
            boards,
            ..Outcome::of(sum, self.settings.match_points, games, this.tally)
        })
    }

    /// The result of a board for the players with White and Black there. A result of the match as a whole is that of
    /// the White team, which has Black on some boards.
    #[must_use]
    pub fn result_on(&self, this: &Match, board: &Board) -> Option<GameResult> {
        if self.settings.pairs_players() {
            return board.result.or(this.result);
        }
        match this.result {
            Some(result) => Some(self.turned_on(board.board, result)),
            None => board.result,
        }
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
        let worth = self.settings.match_points;
        Some(Outcome::of(result, worth, tally, Some(tally)))
    }

    /// How many matches each participant has in a system in which all meet.
    fn matches_of_each(&self) -> Option<usize> {
        let opponents = match self.settings.system {
            System::Scheveningen => self.participants().len() / 2,
            System::RoundRobin => self.participants().len().saturating_sub(1),
            _ => return None,
        };
        Some(opponents * self.settings.cycles as usize)
    }

    /// The participants whose results do not count, because they withdrew from a round robin before they had played
    /// half of their matches (C.05).
    #[must_use]
    pub fn annulled(&self) -> Vec<TeamNo> {
        let Some(all) = self.matches_of_each() else {
            return Vec::new();
        };
        let mut annulled = Vec::new();
        for request in &self.requests {
            if request.kind == RequestKind::Withdraw && 2 * self.met(request.who) < all {
                annulled.push(request.who);
            }
        }
        annulled
    }

    /// How many matches a participant plays before withdrawing, including those that are still open.
    fn met(&self, who: TeamNo) -> usize {
        let until = self
            .request(who, RequestKind::Withdraw)
            .map_or(usize::MAX, |request| request.round.index());
        let mut met = 0;
        for round in self.rounds.iter().take(until) {
            if let Some(this) = round.of(who)
                && self.outcome(this).is_none_or(|outcome| outcome.played)
            {
                met += 1;
            }
        }
        let paired = self.rounds.len();
        if until <= paired {
            return met;
        }
        let planned = self.all_rounds().unwrap_or_default();
        for round in planned.iter().take(until).skip(paired) {
            if round.pairs.iter().any(|pair| pair.opponent(who).is_some()) {
                met += 1;
            }
        }
        met
    }

    /// The event as the input of standings, after this many rounds.
    #[must_use]
    pub fn tournament(&self, after: usize) -> Tournament {
        let participants = self.participants();
        let index: BTreeMap<TeamNo, usize> = self.numbers().into_iter().zip(0..).collect();
        let annulled = self.annulled();
        let rounds = RoundNo::first(after.min(self.rounds.len()) as u32);
        let mut rows = Vec::new();
        for one in &participants {
            let entry = |round| self.entry(one.number, round, &index, &annulled);
            rows.push(Entrant {
                number: one.number,
                rating: one.rating,
                rounds: rounds.clone().map(entry).collect(),
                extra: self.penalties(one.number, after),
            });
        }
        Tournament {
            system: match self.settings.system {
                System::SwissTeam | System::ByHand => tournament::System::Swiss,
                System::Knockout => tournament::System::Knockout,
                _ => tournament::System::RoundRobin,
            },
            edition: self.settings.edition().unwrap_or(Edition::Of2026),
            rounds: self.scheduled().max(after as u32) - self.free_rounds(),
            primary: self.settings.primary,
            teams: self.settings.is_of_teams(),
            worth: self.settings.worth(),
            fore_forfeits: self.settings.fore_forfeits == ForeForfeits::Drawn,
            rows,
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

    fn penalties(&self, who: TeamNo, after: usize) -> ByScore<Points> {
        let mut sums = ByScore::ZERO;
        for request in &self.requests {
            let is_penalty = request.kind == RequestKind::Penalty && request.who == who;
            if is_penalty && request.round.index() < after {
                sums += request.points;
            }
        }
        sums
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
            let bye = sheet.bye_of(number);
            return self.bye_entry(bye.map_or(ByeKind::Zero, |bye| bye.kind));
        };
        let side = usize::from(this.white != number);
        let other = if side == 0 { this.black } else { this.white };
        let opponent = index.get(&other).copied();
        if annulled.contains(&number) || annulled.contains(&other) {
            return nothing(Kind::Free);
        }
        let colour = Some(if side == 0 {
            Colour::White
        } else {
            Colour::Black
        });
        let Some(outcome) = self.outcome_now(this, round) else {
            return nothing(Kind::Free);
        };
        let [mut own, theirs] = [side, 1 - side].map(|side| outcome.scores[side]);
        if let Some(decided) = self.play_off_of(this) {
            own.matches = self.settings.worth_of_match().of(decided.for_sides()[side]);
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
        let Some(sheet) = self.rounds.get(round.index()) else {
            return 0;
        };
        let mut open = 0;
        for this in &sheet.matches {
            let is_void = annulled.contains(&this.white) || annulled.contains(&this.black);
            if !is_void && self.outcome_now(this, round).is_none() {
                open += 1;
            }
        }
        open
    }

    /// What a withdrawn participant's match without a result counts as, in words: a forfeit, or nothing.
    #[must_use]
    pub fn default_words(&self, this: &Match, round: RoundNo) -> Option<String> {
        let annulled = self.annulled();
        if annulled.contains(&this.white) || annulled.contains(&this.black) {
            return Some("not counted".into());
        }
        let result = self.default_result(this.sides(), round)?;
        Some(result.to_string())
    }

    /// The result of a match of these two, White first, by who is present in the round; `None` if both are.
    pub(crate) fn default_result(&self, sides: [TeamNo; 2], round: RoundNo) -> Option<GameResult> {
        match sides.map(|number| self.is_in(number, round)) {
            [true, true] => None,
            [true, false] => Some(GameResult::WhiteForfeit),
            [false, true] => Some(GameResult::BlackForfeit),
            [false, false] => Some(GameResult::BothForfeit),
        }
    }

    /// What a match counts as; without a result, that of a withdrawn participant is a forfeit.
    fn outcome_now(&self, this: &Match, round: RoundNo) -> Option<Outcome> {
        if let Some(outcome) = self.outcome(this) {
            return Some(outcome);
        }
        let result = self.default_result(this.sides(), round)?;
        self.outcome(&Match {
            result: Some(result),
            tally: None,
            ..this.clone()
        })
    }

    /// The points of a bye.
    #[must_use]
    pub fn worth_of_bye(&self, kind: ByeKind) -> ByScore<Points> {
        self.bye_entry(kind).scores
    }

    fn bye_entry(&self, kind: ByeKind) -> RoundEntry {
        let worth = self.settings.worth();
        let (kind, scores) = match kind {
            ByeKind::Bye => (Kind::Pab, self.settings.bye()),
            ByeKind::Full => (Kind::FullBye, worth.map(|worth| worth.win)),
            ByeKind::Half => (Kind::HalfBye, worth.map(|worth| worth.draw)),
            ByeKind::Zero => (Kind::ZeroBye, ByScore::ZERO),
            ByeKind::Free => (Kind::Free, ByScore::ZERO),
        };
        RoundEntry {
            scores,
            ..nothing(kind)
        }
    }

    /// What the players of a team scored in a round of games without matches.
    fn sum_of_games(&self, team: TeamNo, round: RoundNo) -> RoundEntry {
        let mut entry = nothing(Kind::Played);
        for this in &self.rounds[round.index()].matches {
            let Some(outcome) = self.outcome(this) else {
                continue;
            };
            for (side, number) in this.sides().into_iter().enumerate() {
                if number == team {
                    entry.scores += outcome.scores[side];
                }
            }
        }
        entry
    }

    /// The games of the players after this many rounds, whoever is paired.
    #[must_use]
    pub fn game_tournament(&self, after: usize) -> Tournament {
        match self.settings.participants {
            Participants::Players => self.tournament(after),
            Participants::Teams => self.player_tournament(after),
        }
    }

    /// The input of the standings of players: their games on the boards of matches.
    #[must_use]
    pub fn player_tournament(&self, after: usize) -> Tournament {
        let ids = self.players.iter().map(|player| player.id);
        let index: BTreeMap<u32, usize> = ids.zip(0..).collect();
        let rounds = &self.rounds[..after.min(self.rounds.len())];
        let mut rows = Vec::new();
        for player in &self.players {
            let entry = |round: &Round| self.game_entry(player.id, round, &index);
            rows.push(Entrant {
                number: TeamNo::new(player.id),
                rating: player.rating,
                rounds: rounds.iter().map(entry).collect(),
                extra: ByScore::ZERO,
            });
        }
        Tournament {
            system: tournament::System::RoundRobin,
            edition: self.settings.edition().unwrap_or(Edition::Of2026),
            rounds: self.scheduled().max(rounds.len() as u32),
            primary: tournament::Score::Game,
            teams: false,
            worth: ByScore::both(self.settings.game_points),
            fore_forfeits: self.settings.fore_forfeits == ForeForfeits::Drawn,
            rows,
        }
    }

    /// The game of a player in a round.
    fn game_entry(&self, id: u32, round: &Round, index: &BTreeMap<u32, usize>) -> RoundEntry {
        // A match that was forfeited as a whole was so on each board.
        let Some((this, board)) = round.board_of(id) else {
            return nothing(Kind::Free);
        };
        let Some(result) = self.result_on(this, board) else {
            return nothing(Kind::Free);
        };
        let (side, colour, other) = if board.white == Some(id) {
            (0, Colour::White, board.black)
        } else {
            (1, Colour::Black, board.white)
        };
        let own = result.for_sides()[side];
        let kind = match (result.is_forfeit(), own) {
            (false, _) => Kind::Played,
            (true, SideResult::Win) => Kind::ForfeitWin,
            (true, _) => Kind::ForfeitLoss,
        };
        RoundEntry {
            colour: Some(colour),
            opponent: other.and_then(|other| index.get(&other).copied()),
            scores: ByScore::both(self.settings.game_points.of(own)),
            ..nothing(kind)
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

const fn nothing(kind: Kind) -> RoundEntry {
    RoundEntry {
        kind,
        opponent: None,
        colour: None,
        scores: ByScore::ZERO,
        boards: Vec::new(),
        tally: None,
    }
}
