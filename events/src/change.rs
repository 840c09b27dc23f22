//! Changes to an event under way: settings, entries, pairs set by the arbiter, line-ups.

use crate::{
    Event, count,
    dates::is_birth,
    names,
    roster::{self, Player, Role},
    settings::{self, Participants, When, WhyWrong},
};
use overboard_formats::foreign::{Foreign, visible};
use overboard_rules::refusal::list;
use overboard_schedules::ids::TeamNo;

mod pairs;
mod results;

pub use results::{Cleared, EmptySeat, Existing};

/// Changes to a participant or player; what is `None` stays.
#[derive(Clone, Debug, Default)]
pub struct Amendment {
    /// Name.
    pub name: Option<String>,
    /// Short name of a team.
    pub short: Option<String>,
    /// Group of a team, or of a single player.
    pub group: Option<String>,
    /// Captain of a team.
    pub captain: Option<String>,
    /// Rating, or a team's strength; 0 for none.
    pub rating: Option<u32>,
    /// Title of a player.
    pub title: Option<String>,
    /// Federation of a player.
    pub federation: Option<String>,
    /// Identity number of a player.
    pub fide_id: Option<String>,
    /// Date of birth of a player.
    pub birth: Option<String>,
    /// Sex of a player.
    pub sex: Option<String>,
    /// Role of a player.
    pub role: Option<Role>,
    /// Over-pieces of a player.
    pub pieces: Option<String>,
    /// Place of a player in the team.
    pub board: Option<u32>,
}

impl Amendment {
    /// The fields that are text, except the name.
    const fn texts(&self) -> [&Option<String>; 9] {
        [
            &self.short,
            &self.captain,
            &self.group,
            &self.title,
            &self.federation,
            &self.fide_id,
            &self.birth,
            &self.sex,
            &self.pieces,
        ]
    }

    /// Whether it has details that only players have.
    #[must_use]
    pub const fn is_of_a_player(&self) -> bool {
        self.title.is_some()
            || self.federation.is_some()
            || self.fide_id.is_some()
            || self.birth.is_some()
            || self.sex.is_some()
            || self.pieces.is_some()
            || self.role.is_some()
            || self.board.is_some()
    }

    /// Refuses texts of several lines, and dates of birth that are none.
    fn make_sense(&self) -> Result<(), String> {
        for text in self.texts() {
            names::line(text.as_deref().unwrap_or_default()).map_err(|none| none.to_string())?;
        }
        match &self.birth {
            Some(birth) if !is_birth(birth) => Err(format!(
                "`{}` is not a date of birth; expected 1990-05-17 or 1990",
                visible(birth)
            )),
            _ => Ok(()),
        }
    }

    /// The rating after the change; 0 means none.
    fn rating_after(&self, old: Option<u32>) -> Option<u32> {
        match self.rating {
            Some(0) => None,
            None => old,
            rating => rating,
        }
    }
}

/// Sets a text, if there is one.
fn put(place: &mut Foreign, text: &Option<String>) {
    if let Some(text) = text {
        *place = text.trim().into();
    }
}

impl Event {
    /// Changes a setting, or restores its default.
    ///
    /// # Errors
    /// Why it cannot be changed, or not to this value.
    pub fn set(&mut self, key: &str, value: Option<&str>) -> Result<(), String> {
        let paired = self.rounds.len();
        let setting = settings::named(key).map_err(|unknown| unknown.to_string())?;
        if setting.when == When::Unpaired && paired > 0 {
            return Err(format!(
                "`{key}` can only be changed before round 1 is paired, and {}; `overboard event cancel FOLDER 1` cancels the pairings",
                count::paired(paired)
            ));
        }
        let settings = self.settings.with(key, value).map_err(|why| match why {
            // The number of rounds can be set first, whatever the system.
            WhyWrong::NeedsRounds(_) if key == "system" => {
                format!("{key}: {why}; set it first: overboard event set FOLDER rounds N")
            }
            _ => format!("{key}: {why}"),
        })?;
        settings.make_sense(key).map_err(|none| none.to_string())?;
        if let Some(rounds) = settings.rounds
            && (rounds as usize) < paired
        {
            return Err(format!("{} already", count::paired(paired)));
        }
        self.settings = settings;
        Ok(())
    }

    /// Changes the entry of a participant, or of a player of a team.
    ///
    /// # Errors
    /// Why it cannot be changed.
    pub fn amend(
        &mut self,
        who: TeamNo,
        player: Option<&str>,
        to: &Amendment,
    ) -> Result<(), String> {
        let name = match &to.name {
            Some(name) => Some(names::name(name).map_err(|none| none.to_string())?),
            None => None,
        };
        let of_team = self.settings.is_of_teams();
        let id = match player {
            Some(text) if of_team => Some(self.find_player(who, text)?),
            Some(_) => {
                return Err("--player is only for events of teams".into());
            }
            None if of_team => None,
            None => Some(who.get()),
        };
        if let Some(name) = &name
            && player.is_none()
        {
            self.is_free(who, name)?;
        }
        to.make_sense()?;
        match id {
            Some(id) => self.amend_player(id, name, to),
            None => self.amend_team(who, name, to),
        }
    }

    /// Makes sure that no other participant has this name.
    fn is_free(&self, who: TeamNo, name: &str) -> Result<(), String> {
        for one in self.participants() {
            if one.number != who && names::same(one.name.as_it_came(), name) {
                return Err(format!("the name `{}` is taken", visible(name)));
            }
        }
        Ok(())
    }

    fn amend_team(
        &mut self,
        who: TeamNo,
        name: Option<String>,
        to: &Amendment,
    ) -> Result<(), String> {
        if to.is_of_a_player() {
            return Err("this belongs to a player and not to a team; add --player NAME".into());
        }
        let team = self
            .teams
            .iter_mut()
            .find(|team| team.number == who)
            .ok_or("there is no such team")?;
        team.name = name.map_or_else(|| team.name.clone(), Foreign::new);
        team.strength = to.rating_after(team.strength);
        put(&mut team.short, &to.short);
        put(&mut team.group, &to.group);
        put(&mut team.captain, &to.captain);
        Ok(())
    }

    fn amend_player(
        &mut self,
        id: u32,
        name: Option<String>,
        to: &Amendment,
    ) -> Result<(), String> {
        let of_team = self.settings.is_of_teams();
        if to.short.is_some() || to.captain.is_some() || (of_team && to.group.is_some()) {
            return Err("only teams have a short name, a group and a captain".into());
        }
        let group = match &to.group {
            Some(group) => Some(roster::group_of_player(group).map_err(|wrong| wrong.to_string())?),
            None => None,
        };
        if let Some(name) = &name
            && of_team
            && self.has_namesake(id, name)
        {
            return Err(format!("the team already has a player {}", visible(name)));
        }
        let federation = match &to.federation {
            Some(federation) => Some(roster::federation(federation)?),
            None => None,
        };
        if let Some(fide_id) = &to.fide_id {
            self.is_nobody_elses(id, fide_id)?;
        }
        let one = self
            .players
            .iter_mut()
            .find(|player| player.id == id)
            .ok_or("there is no such player")?;
        one.name = name.map_or_else(|| one.name.clone(), Foreign::new);
        one.rating = to.rating_after(one.rating);
        one.team = group.unwrap_or(one.team);
        one.role = to.role.unwrap_or(one.role);
        put(&mut one.title, &to.title);
        put(&mut one.federation, &federation);
        put(&mut one.fide_id, &to.fide_id);
        put(&mut one.birth, &to.birth);
        put(&mut one.sex, &to.sex);
        put(&mut one.pieces, &to.pieces);
        if let Some(board) = to.board {
            self.move_to_board(id, board.max(1));
        }
        Ok(())
    }

    /// Whether another player of the team of this one has a name.
    fn has_namesake(&self, id: u32, name: &str) -> bool {
        let team = self.player(id).and_then(|player| player.team);
        let mut players = self.players.iter();
        players.any(|other| {
            other.team == team && other.id != id && names::same(other.name.as_it_came(), name)
        })
    }

    /// Makes sure that no other player has this FIDE id.
    fn is_nobody_elses(&self, id: u32, fide_id: &str) -> Result<(), String> {
        let has_it = |player: &&Player| {
            player.id != id
                && player.fide_id.as_it_came() == fide_id
                && !["", "0"].contains(&fide_id)
        };
        match self.players.iter().find(has_it) {
            Some(other) => Err(format!(
                "{} has the FIDE id {} already",
                other.name.shown(),
                visible(fide_id)
            )),
            None => Ok(()),
        }
    }

    /// Gives a player of a team a board; the others keep their order on the boards that are left.
    fn move_to_board(&mut self, id: u32, board: u32) {
        let Some(team) = self.player(id).and_then(|player| player.team) else {
            return;
        };
        let mut others = self.roster_ids(team);
        others.retain(|other| *other != id);
        others.insert((board as usize - 1).min(others.len()), id);
        self.put_on_boards(others);
    }

    /// Puts these players on the boards from 1 in their order.
    fn put_on_boards(&mut self, ids: Vec<u32>) {
        for (board, id) in (1..).zip(ids) {
            for player in &mut self.players {
                if player.id == id {
                    player.board = board;
                }
            }
        }
    }

    /// The id of a player of a team, by id, name or an unambiguous beginning of the name.
    ///
    /// # Errors
    /// Why the name does not identify a player.
    pub fn find_player(&self, team: TeamNo, text: &str) -> Result<u32, String> {
        let roster = self.roster(team);
        if let Some(one) = roster.iter().find(|player| player.id.to_string() == text) {
            return Ok(one.id);
        }
        let key = names::key(text);
        let mut exact = Vec::new();
        let mut begun = Vec::new();
        for player in &roster {
            let name = names::key(player.name.as_it_came());
            if name == key {
                exact.push(player);
            }
            if !key.is_empty() && name.starts_with(&key) {
                begun.push(player);
            }
        }
        let found = if exact.is_empty() { begun } else { exact };
        match found[..] {
            [one] => Ok(one.id),
            [] => Err(self.no_player(team, text)),
            _ => {
                let names = found.iter().map(|player| player.name.shown());
                Err(format!(
                    "`{text}` is ambiguous in {}: {}",
                    self.called(team),
                    list(names, "or")
                ))
            }
        }
    }

    /// That a team has no player of this name, and whom it has.
    fn no_player(&self, team: TeamNo, text: &str) -> String {
        let mut all = Vec::new();
        for player in self.roster(team) {
            all.push(format!("{} ({})", player.name.shown(), player.id));
        }
        format!(
            "{} has no player `{text}`; it has {}",
            self.called(team),
            all.join(", ")
        )
    }

    /// Removes a participant as if it had never entered; the numbers of those after it decrease by one.
    ///
    /// # Errors
    /// Why it cannot be.
    pub fn remove(&mut self, who: TeamNo) -> Result<(), String> {
        let has_played = self.rounds.iter().any(|round| round.of(who).is_some());
        let is_last = self.numbers().last() == Some(&who);
        if has_played || !(is_last || self.rounds.is_empty()) {
            let what = if has_played {
                "is already paired"
            } else {
                "has a number before others who are already paired"
            };
            return Err(format!(
                "{} {what}; to withdraw it from the next round on: overboard event request FOLDER withdraw {who}",
                self.called(who)
            ));
        }
        // A late entry that has not played yet has nothing but byes.
        for round in &mut self.rounds {
            round.byes.retain(|bye| bye.who != who);
        }
        let down = |number: TeamNo| {
            if number > who {
                TeamNo::at(number.index() - 1)
            } else {
                number
            }
        };
        match self.settings.participants {
            Participants::Teams => {
                self.teams.retain(|team| team.number != who);
                self.players.retain(|player| player.team != Some(who));
            }
            Participants::Players => {
                self.players.retain(|player| player.id != who.get());
            }
        }
        self.requests
            .retain(|request| request.who != who && request.other != Some(who));
        self.renumber(down);
        Ok(())
    }

    /// Adds a player to a team, on this board or after the last; the others move down. Returns the id.
    ///
    /// # Errors
    /// If the team has a player of this name.
    pub fn add_player(
        &mut self,
        team: TeamNo,
        player: Player,
        board: Option<u32>,
    ) -> Result<u32, String> {
        let roster = self.roster(team);
        let is_there =
            |known: &&Player| names::same(known.name.as_it_came(), player.name.as_it_came());
        if roster.iter().any(is_there) {
            return Err(format!(
                "{} already has a player {}",
                self.called(team),
                player.name.shown()
            ));
        }
        let last = roster.iter().map(|player| player.board).max().unwrap_or(0);
        let highest = self.players.iter().map(|player| player.id).max();
        let id = highest.unwrap_or(0) + 1;
        self.players.push(Player {
            id,
            team: Some(team),
            board: last + 1,
            ..player
        });
        if let Some(board) = board {
            self.move_to_board(id, board);
        }
        Ok(id)
    }

    /// Removes a player from a team. Returns the player's name.
    ///
    /// # Errors
    /// Why it cannot be.
    pub fn remove_player(&mut self, team: TeamNo, text: &str) -> Result<String, String> {
        let id = self.find_player(team, text)?;
        let name = self.player_called(id);
        if self.rounds.iter().any(|round| round.board_of(id).is_some()) {
            return Err(format!(
                "{name} is on a board of a round that is already paired; if somebody else sat there, `overboard pair lineup FOLDER ROUND {team} PLAYERS --correct` says so first"
            ));
        }
        self.players.retain(|player| player.id != id);
        self.put_on_boards(self.roster_ids(team));
        Ok(name)
    }
}
