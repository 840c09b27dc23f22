//! Checks of an event beyond those of single rows.

use crate::{
    Event,
    csv::{At, CsvError},
    names,
    roster::{PLAYERS, Player, REQUESTS, Request, Role, TEAMS},
    rounds::{Board, ByeKind, Match, file},
    settings::{BoardOrder, Lieutenants, Scoring, System},
};
use overboard_formats::foreign::Foreign;
use overboard_schedules::{
    ids::{RoundNo, TeamNo},
    points::Points,
};
use std::collections::{BTreeMap, BTreeSet};

/// What a check found.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Review {
    /// What is wrong.
    pub faults: Vec<CsvError>,
    /// What is not wrong but worth knowing.
    pub notes: Vec<CsvError>,
}

impl Review {
    /// Adds what another check found.
    pub fn extend(&mut self, other: Self) {
        self.faults.extend(other.faults);
        self.notes.extend(other.notes);
    }
}

impl Event {
    /// What is wrong with the participants and their requests.
    #[must_use]
    pub fn check_entries(&self) -> Vec<CsvError> {
        let mut faults = Vec::new();
        self.check_roster(&mut faults);
        self.check_requests(&mut faults);
        faults
    }

    /// Everything that is wrong, in the order of the files.
    #[must_use]
    pub fn check(&self) -> Vec<CsvError> {
        self.look().faults
    }

    /// Everything that is wrong, in the order of the files; and what is not wrong but worth knowing.
    #[must_use]
    pub fn look(&self) -> Review {
        let mut faults = self.check_entries();
        for (number, round) in RoundNo::all().zip(&self.rounds) {
            let mut seen = BTreeMap::new();
            for this in &round.matches {
                self.check_match(number, this, &mut seen, &mut faults);
            }
            for bye in &round.byes {
                self.check_seen(bye.who, &bye.at, &mut seen, &mut faults);
            }
            self.check_missing(number, &seen, &mut faults);
        }
        let mut notes = self.idle_settings();
        self.check_byes(&mut faults, &mut notes);
        self.check_settings(&mut faults, &mut notes);
        self.check_criteria(&mut faults);
        faults.extend(self.check_table().faults);
        let pairings = self.look_at_pairings().placed();
        faults.extend(pairings.faults);
        faults.dedup();
        notes.extend(self.odd_names());
        notes.extend(self.without_team());
        notes.extend(self.idle_requests());
        notes.extend(pairings.notes);
        Review { faults, notes }
    }

    /// Settings of event.toml that have no effect in this event.
    fn idle_settings(&self) -> Vec<CsvError> {
        let note = |(key, why)| {
            At::file(crate::settings::FILE).fault(format!("`{key}` has no effect: {why}"))
        };
        self.settings.all_idle().into_iter().map(note).collect()
    }

    /// Players of no team, in an event of teams: they do not play.
    #[must_use]
    pub fn without_team(&self) -> Vec<CsvError> {
        let mut alone = Vec::new();
        if !self.settings.is_of_teams() {
            return alone;
        }
        for Player { at, name, team, .. } in &self.players {
            if team.is_none() {
                alone.push(at.fault(format!("{} has no team", name.shown())));
            }
        }
        alone
    }

    /// Names that commands no longer accept, in events that have them.
    #[must_use]
    pub fn odd_names(&self) -> Vec<CsvError> {
        let mut odd = Vec::new();
        let mut look = |name: &Foreign, at: &At| {
            if let Err(why) = names::name(name.as_it_came()) {
                odd.push(at.fault(why.to_string()));
            }
        };
        for team in &self.teams {
            look(&team.name, &team.at);
        }
        for player in &self.players {
            look(&player.name, &player.at);
        }
        odd
    }

    fn check_roster(&self, faults: &mut Vec<CsvError>) {
        for (number, one) in TeamNo::all().zip(self.participants()) {
            if one.number != number {
                faults.push(one.at.fault(format!(
                    "pairing numbers must run from 1 without gaps; expected {number}, found {}",
                    one.number
                )));
                break;
            }
        }
        let mut names = BTreeSet::new();
        for one in self.participants() {
            if !names.insert(names::key(one.name.as_it_came())) {
                let fault = format!("the name `{}` occurs twice", one.name.shown());
                faults.push(one.at.fault(fault));
            }
        }
        if self.settings.is_of_teams() {
            for player in &self.players {
                if let Some(team) = player.team
                    && self.team(team).is_none()
                {
                    faults.push(player.at.fault(format!(
                        "no team has the number {team}; {TEAMS} has {}",
                        self.teams.len()
                    )));
                }
            }
            for team in &self.teams {
                self.check_team(team.number, &team.at, faults);
            }
        }
    }

    fn check_team(&self, team: TeamNo, at: &At, faults: &mut Vec<CsvError>) {
        let roster = self.roster(team);
        let mut names = BTreeSet::new();
        let mut boards = BTreeSet::new();
        for player in &roster {
            if !names.insert(names::key(player.name.as_it_came())) {
                faults.push(
                    player
                        .at
                        .fault(format!("{} occurs twice in one team", player.name.shown())),
                );
            }
            if !boards.insert(player.board) {
                faults.push(player.at.fault(format!(
                    "board {} of team {team} has two players",
                    player.board
                )));
            }
        }
        if roster.is_empty() {
            faults.push(at.fault(format!("{} has no players in {PLAYERS}", self.called(team))));
        }
        let commands = |player: &&Player| player.role == Role::Commander;
        let has_roles =
            self.settings.lieutenants != Lieutenants::Listed || roster.iter().any(commands);
        if has_roles
            && self.settings.has_roles()
            && let Err(why) = self.roles(team)
        {
            faults.push(at.fault(why.to_string()));
        }
    }

    fn check_requests(&self, faults: &mut Vec<CsvError>) {
        let known = BTreeSet::from_iter(self.numbers());
        for request in &self.requests {
            let both = [Some(request.who), request.other];
            for who in both.into_iter().flatten() {
                if !known.contains(&who) {
                    faults.push(request.at.fault(format!(
                        "no participant has the number {who} (in {REQUESTS})"
                    )));
                }
            }
            if request.other == Some(request.who) {
                faults.push(request.at.fault("expected two different numbers"));
            }
        }
    }

    fn check_seen(
        &self,
        who: TeamNo,
        at: &At,
        seen: &mut BTreeMap<TeamNo, At>,
        faults: &mut Vec<CsvError>,
    ) {
        if !self.participants().iter().any(|one| one.number == who) {
            faults.push(at.fault(format!("no participant has the number {who}")));
        }
        if let Some(first) = seen.insert(who, at.clone())
            && !self.settings.pairs_players()
        {
            faults.push(at.fault(format!(
                "{} is in this round twice (first in line {})",
                self.called(who),
                first.line
            )));
        }
    }

    fn check_missing(
        &self,
        number: RoundNo,
        seen: &BTreeMap<TeamNo, At>,
        faults: &mut Vec<CsvError>,
    ) {
        if matches!(
            self.settings.system,
            System::Knockout | System::Hutton | System::Molter
        ) {
            return;
        }
        for one in self.participants() {
            if !seen.contains_key(&one.number) && self.is_in(one.number, number) {
                let fault = format!("{} is not in this round", one.name.shown());
                faults.push(At::file(&file(number)).fault(fault));
            }
        }
    }

    fn check_match(
        &self,
        round: RoundNo,
        this: &Match,
        seen: &mut BTreeMap<TeamNo, At>,
        faults: &mut Vec<CsvError>,
    ) {
        if this.white == this.black {
            faults.push(
                this.at
                    .fault(format!("{} is paired with itself", self.called(this.white))),
            );
            return;
        }
        for who in this.sides() {
            self.check_seen(who, &this.at, seen, faults);
        }
        self.check_tally(this, faults);
        if this.boards.len() > self.settings.boards as usize {
            let message = format!(
                "table {} has {} boards, but a match has {}",
                this.table,
                this.boards.len(),
                self.settings.boards
            );
            faults.push(this.at.fault(message));
        }
        if !self.settings.pairs_players() {
            for board in &this.boards {
                self.check_board(this, board, faults);
            }
            self.check_line_up(round, this, faults);
        }
    }

    fn check_tally(&self, this: &Match, faults: &mut Vec<CsvError>) {
        if this.play_off.is_some() {
            if self.settings.system != System::Knockout {
                faults.push(this.at.fault("only a knockout has play-offs"));
            } else if !self.is_drawn(this) {
                faults.push(
                    this.at
                        .fault("there is a play-off although the match is not drawn"),
                );
            }
        }
        let all = Points::whole(self.settings.boards as i32);
        match (self.settings.scoring, this.tally, this.result) {
            (Scoring::Kings, Some([white, black]), _) if white > all || black > all => {
                faults.push(this.at.fault(format!(
                    "more kings than the {} boards have",
                    self.settings.boards
                )));
            }
            (Scoring::Kings, None, Some(result)) if !result.is_forfeit() => {
                faults.push(this.at.fault("the result needs the number of kings left"));
            }
            (Scoring::Kings, Some(_), None) => {
                faults.push(this.at.fault("the kings are given without a result"));
            }
            (_, Some([white, black]), _) if white < Points::ZERO || black < Points::ZERO => {
                faults.push(this.at.fault("a score cannot be negative"));
            }
            (Scoring::Boards | Scoring::Game, Some(_), _) => {
                faults.push(
                    this.at
                        .fault("this event counts neither kings nor sub-games"),
                );
            }
            _ => {}
        }
    }

    fn check_board(&self, this: &Match, board: &Board, faults: &mut Vec<CsvError>) {
        let [white, black] = self.on_board(board.board, this.sides());
        for (id, team, colour) in [(board.white, white, "White"), (board.black, black, "Black")] {
            let Some(id) = id else { continue };
            match self.player(id) {
                None => faults.push(board.at.fault(format!("no player has the id {id}"))),
                Some(player) if player.team != Some(team) => {
                    let message = format!(
                        "{} has {colour} here but does not play for {}",
                        player.name.shown(),
                        self.called(team)
                    );
                    faults.push(board.at.fault(message));
                }
                Some(_) => {}
            }
        }
        if let Some(result) = board.result
            && let Err(why) = board.takes(result)
        {
            faults.push(board.at.fault(why.to_string()));
        }
        if self.settings.scoring != Scoring::Boards && board.result.is_some() {
            faults.push(
                board
                    .at
                    .fault("the match is one game; its result belongs to the line of the match"),
            );
        }
    }

    /// Checks that nobody sits at two boards, and that players sit in roster order if it is fixed.
    fn check_line_up(&self, round: RoundNo, this: &Match, faults: &mut Vec<CsvError>) {
        for team in this.sides() {
            let mut seats = Vec::new();
            for board in &this.boards {
                if let Some(id) = self.seated(this, board, team) {
                    seats.push((board, id));
                }
            }
            seats.sort_by_key(|(board, _)| board.board);
            let mut seen = BTreeSet::new();
            for (board, id) in &seats {
                if !seen.insert(*id) && self.settings.scoring == Scoring::Boards {
                    let name = self.player_called(*id);
                    faults.push(
                        board
                            .at
                            .fault(format!("{name} is on two boards in round {round}")),
                    );
                }
            }
            let roster = self.roster_ids(team);
            let place = |id: u32| roster.iter().position(|one| *one == id);
            let wrong = seats
                .windows(2)
                .find(|two| place(two[0].1) > place(two[1].1));
            if self.settings.board_order == BoardOrder::Fixed
                && let Some(two) = wrong
            {
                let name = |id: u32| self.player_called(id);
                let message = format!(
                    "{} sits behind {}: the order of the roster is fixed",
                    name(two[1].1),
                    name(two[0].1)
                );
                faults.push(two[1].0.at.fault(message));
            }
        }
    }

    /// The id of the player of a team on a board.
    #[must_use]
    pub fn seated(&self, this: &Match, board: &Board, team: TeamNo) -> Option<u32> {
        let team_has_white = self.team_with_white(this, board.board) == team;
        debug_assert!(team == this.white || team == this.black);
        if team_has_white {
            board.white
        } else {
            board.black
        }
    }

    /// Checks that a participant has the pairing-allocated bye only once (C.04.1, 4). The arbiter may decide otherwise.
    fn check_byes(&self, faults: &mut Vec<CsvError>, notes: &mut Vec<CsvError>) {
        let mut given = BTreeSet::new();
        for (number, round) in RoundNo::all().zip(&self.rounds) {
            for bye in &round.byes {
                if bye.kind != ByeKind::Bye || given.insert(bye.who) {
                    continue;
                }
                let name = self.called(bye.who);
                let fault = format!("{name} has a second pairing-allocated bye");
                // The arbiter may have given it.
                let is_it = |request: &Request| request.is_bye_set(number, bye.who);
                if self.requests.iter().any(is_it) {
                    notes.push(bye.at.fault(format!("{fault}, as set by hand")));
                } else {
                    faults.push(bye.at.fault(fault));
                }
            }
        }
    }

    /// Checks the settings as `event set` does. Texts that are only odd are noted, as odd names are.
    fn check_settings(&self, faults: &mut Vec<CsvError>, notes: &mut Vec<CsvError>) {
        faults.extend(self.without_sense(&["start", "match-points", "game-points"]));
        notes.extend(self.without_sense(&[
            "name",
            "city",
            "federation",
            "arbiter",
            "by",
            "time-control",
        ]));
    }

    /// Those of these settings that make no sense.
    fn without_sense(&self, keys: &[&str]) -> Vec<CsvError> {
        let at = At::file(crate::settings::FILE);
        let mut found = Vec::new();
        for key in keys {
            if let Err(why) = self.settings.make_sense(key) {
                found.push(at.fault(format!("{key}: {why}")));
            }
        }
        found
    }

    fn check_criteria(&self, faults: &mut Vec<CsvError>) {
        let field = self.tournament(self.rounds.len());
        for criterion in self.settings.criteria().unwrap_or_default() {
            if let Some(message) = criterion.objection(&field) {
                faults.push(At::file(crate::settings::FILE).fault(message));
            }
        }
    }
}
