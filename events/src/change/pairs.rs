//! Pairs set by the arbiter, and line-ups.

use super::Existing;
use crate::{
    Event,
    roster::{Request, RequestKind},
    rounds::{Bye, ByeKind},
    settings::{BoardOrder, Scoring, System},
};
use overboard_schedules::ids::{RoundNo, TeamNo};
use std::collections::BTreeSet;

impl Event {
    /// Sets pairs of a round, and who has the bye, by the arbiter's decision (C.04.6, 3.3.3; C.04.2, 4.4). Whoever
    /// loses an opponent by this must be in one of these pairs, or have the bye.
    ///
    /// # Errors
    /// Why they cannot be set.
    pub fn set_pairs(
        &mut self,
        round: RoundNo,
        pairs: &[(TeamNo, TeamNo)],
        bye: Option<TeamNo>,
    ) -> Result<(), String> {
        let mut named = Vec::new();
        for (white, black) in pairs {
            named.extend([*white, *black]);
        }
        named.extend(bye);
        let set: BTreeSet<TeamNo> = named.iter().copied().collect();
        if set.len() < named.len() {
            for (place, one) in named.iter().enumerate() {
                if named[place + 1..].contains(one) {
                    return Err(format!("{} is given twice", self.called(*one)));
                }
            }
        }
        let tables = self.free_tables(round, &set, pairs.len())?;
        let mut made = Vec::new();
        for (table, (white, black)) in tables.into_iter().zip(pairs) {
            made.push(self.new_match(table, *white, *black));
        }
        let sheet = &mut self.rounds[round.index()];
        sheet
            .matches
            .retain(|this| !set.contains(&this.white) && !set.contains(&this.black));
        sheet.byes.retain(|bye| !set.contains(&bye.who));
        sheet.matches.extend(made);
        sheet.matches.sort_by_key(|this| this.table);
        for (table, this) in (1..).zip(&mut sheet.matches) {
            this.table = table;
        }
        if let Some(who) = bye {
            sheet.byes.push(Bye::new(who, ByeKind::Bye));
        }
        self.note_set(round, pairs, bye, &set);
        Ok(())
    }

    /// The tables for this many pairs: those whose matches are replaced because all their teams or players are in
    /// `set`, then new ones after the last.
    fn free_tables(
        &self,
        round: RoundNo,
        set: &BTreeSet<TeamNo>,
        pairs: usize,
    ) -> Result<Vec<u32>, String> {
        let sheet = self.paired(round)?;
        let mut tables = Vec::new();
        let mut left = Vec::new();
        let mut most = 0;
        for this in &sheet.matches {
            most = most.max(this.table);
            let sides = this.sides();
            if !sides.iter().any(|who| set.contains(who)) {
                continue;
            }
            if self.outcome(this).is_some() {
                let table = this.table;
                return Err(format!(
                    "table {table} already has a result; `overboard result FOLDER {round} {table} --clear` clears it"
                ));
            }
            tables.push(this.table);
            for who in sides {
                if !set.contains(&who) {
                    left.push(self.called(who));
                }
            }
        }
        if !left.is_empty() {
            return Err(format!(
                "{} would have no opponent: add a pair with them, or --bye",
                left.join(" and ")
            ));
        }
        tables.extend(most + 1..most + 1 + pairs as u32);
        Ok(tables)
    }

    /// Records what the arbiter has set, replacing what was set for the same participants before.
    fn note_set(
        &mut self,
        round: RoundNo,
        pairs: &[(TeamNo, TeamNo)],
        bye: Option<TeamNo>,
        set: &BTreeSet<TeamNo>,
    ) {
        self.requests.retain(|request| {
            let is_replaced = set.contains(&request.who)
                || request.other.is_some_and(|other| set.contains(&other));
            !(is_replaced && request.kind == RequestKind::Set && request.round == round)
        });
        let request = |who: TeamNo, other: Option<TeamNo>| Request {
            other,
            ..Request::new(round, RequestKind::Set, who)
        };
        for (white, black) in pairs {
            self.requests.push(request(*white, Some(*black)));
        }
        self.requests.extend(bye.map(|who| request(who, None)));
    }

    /// What the arbiter has set in a round, in words: `2-5 and the bye of 7`; `None` if nothing.
    #[must_use]
    pub fn set_in(&self, round: RoundNo) -> Option<String> {
        let mut words = Vec::new();
        for request in &self.requests {
            if request.kind != RequestKind::Set || request.round != round {
                continue;
            }
            words.push(match request.other {
                Some(other) => format!("{}-{other}", request.who),
                None => format!("the bye of {}", request.who),
            });
        }
        if words.is_empty() {
            return None;
        }
        Some(words.join(", "))
    }

    /// Gives a participant without an opponent another bye in a round that is paired.
    ///
    /// # Errors
    /// If it has an opponent.
    pub fn set_bye(&mut self, round: RoundNo, who: TeamNo, kind: ByeKind) -> Result<(), String> {
        let name = self.called(who);
        if !self.takes_pairs_by_hand() {
            return Err("byes can only be requested in the systems swiss-team and by-hand".into());
        }
        let sheet = self.round_mut(round)?;
        if let Some(this) = sheet.of(who) {
            return Err(format!(
                "{name} has an opponent in round {round}, at table {}; `overboard pair set FOLDER {round} PAIRS --bye {who}` changes who meets whom",
                this.table
            ));
        }
        match sheet.byes.iter_mut().find(|bye| bye.who == who) {
            Some(bye) => bye.kind = kind,
            None => sheet.byes.push(Bye::new(who, kind)),
        }
        // It is no longer the bye that the arbiter had set.
        self.requests
            .retain(|request| !request.is_bye_set(round, who));
        Ok(())
    }

    /// Seats the players of a team in a round, from board 1 on; `None` is an empty chair. Results on boards stay, if
    /// they are replaced where others sat.
    ///
    /// # Errors
    /// Why they cannot sit there.
    pub fn seat(
        &mut self,
        round: RoundNo,
        team: TeamNo,
        players: &[Option<u32>],
        existing: Existing,
    ) -> Result<(), String> {
        if !self.settings.is_of_teams() || self.settings.pairs_players() {
            return Err("only teams have line-ups".into());
        }
        if !matches!(self.settings.scoring, Scoring::Boards | Scoring::Kings) {
            return Err("in this event a match is one game, so there are no line-ups".into());
        }
        let name = self.called(team);
        let this = self.paired(round)?.of(team);
        let this = this.ok_or_else(|| format!("{name} has no opponent in round {round}"))?;
        let this = this.clone();
        let boards = self.settings.boards as usize;
        if players.len() > boards {
            return Err(format!(
                "a match has {boards} boards, but {} players are given",
                players.len()
            ));
        }
        self.is_in_order(team, players)?;
        let mut boards: Vec<_> = if this.boards.is_empty() {
            self.line_up(this.white, this.black)
        } else {
            this.boards.clone()
        };
        for board in &mut boards {
            let id = players
                .get(board.board as usize - 1)
                .copied()
                .unwrap_or_default();
            let has_white = self.team_with_white(&this, board.board) == team;
            let seat = if has_white {
                &mut board.white
            } else {
                &mut board.black
            };
            if *seat == id {
                continue;
            }
            *seat = id;
            let label = format!("table {}, board {}", this.table, board.board);
            if let Some(result) = board.result {
                if existing == Existing::Kept && !result.is_forfeit() {
                    return Err(format!(
                        "{label} already has a result; --correct changes who sat there and keeps the result"
                    ));
                }
                board.takes(result).map_err(|why| {
                    format!(
                        "{label} has the result {result}: {why}; `overboard result FOLDER {round} {} --board {} --clear` clears it",
                        this.table, board.board
                    )
                })?;
            }
        }
        self.table_mut(round, this.table)?.boards = boards;
        Ok(())
    }

    /// Checks that nobody is seated twice, and that the players of a team sit in its order if that is fixed.
    fn is_in_order(&self, team: TeamNo, players: &[Option<u32>]) -> Result<(), String> {
        let roster = self.roster_ids(team);
        let mut seen = BTreeSet::new();
        let mut places = Vec::new();
        for id in players.iter().flatten() {
            if !seen.insert(*id) {
                return Err(format!("{} is given twice", self.player_called(*id)));
            }
            places.extend(roster.iter().position(|one| one == id));
        }
        if self.settings.board_order == BoardOrder::Fixed
            && let Some(two) = places.windows(2).find(|two| two[0] > two[1])
        {
            let of = |place: usize| self.player_called(roster[place]);
            return Err(format!(
                "{} comes after {} in the roster, and the setting `board-order` fixes that order",
                of(two[0]),
                of(two[1])
            ));
        }
        Ok(())
    }

    /// Whether pairs can be set by hand: in systems in which a round follows from results, or from nothing.
    #[must_use]
    pub const fn takes_pairs_by_hand(&self) -> bool {
        matches!(self.settings.system, System::SwissTeam | System::ByHand)
    }
}
