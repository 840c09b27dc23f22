//! Who is to act, by name: as the tags say it, and the players who have taken over since.

use super::Keeper;
use crate::{journal::Part, record::People};
use overboard_formats::ply_rows::Kind;
use overboard_games::overchess::judge::call_sheet::{Calls, Command, Party, SubGame, SubGameStage};
use overboard_rules::{ply::BoardName, square::Side};

impl Keeper {
    /// The people any of whom may act now for a side in the game with this path; none if the record names nobody.
    pub(crate) fn due_names(&self, path: &str, side: Side) -> Vec<String> {
        self.without_vote(self.names(path, side))
    }

    /// The people of the record. Finding them takes longer the longer it is, so they are kept until something may have
    /// changed them.
    fn people(&self) -> &People {
        self.people.get_or_init(|| {
            let judged = self.check().ok();
            judged.map_or_else(People::default, |judged| judged.inside.people)
        })
    }

    /// The people are looked for again, unless the parts of an act, which began in the game with this path, are moves and
    /// words after which the same people play the same game.
    pub(super) fn forget_people(&mut self, began: &str, parts: &[Part]) {
        let is_usual = |part: &Part| match part {
            Part::Made(made) => made.kind == Kind::Ply,
            Part::Remark(remark) => !remark.text.contains("[%player "),
            Part::Clocks(_) | Part::Vote(..) | Part::Offer(_) => true,
            _ => false,
        };
        let is_same = began == self.state.game.here() && parts.iter().all(is_usual);
        if !is_same {
            self.people.take();
        }
    }

    /// The people any of whom may act for a side in the game with this path; none if the record names nobody.
    pub(super) fn names(&self, path: &str, side: Side) -> Vec<String> {
        if self.state.game.boards() > 1 {
            let names = &self.people().teams[self.state.game.team(path, side)];
            let board = (0..names.len()).find(|board| BoardName(*board).to_string() == path);
            return known(board.map(|board| &*names[board]));
        }
        let called = self
            .people()
            .calls
            .as_ref()
            .and_then(|calls| called(calls, path, side));
        if let Some(names) = called.filter(|names| !names.is_empty()) {
            return names;
        }
        let team = self.state.game.team(path, side);
        known(self.state.tag(&team.to_string()))
    }

    /// Whether the game is one in which the record says who leads what.
    pub(super) fn has_roles(&self) -> bool {
        self.people().calls.is_some()
    }

    /// Whether the game with this path is one of Overchess in which over-moves are made.
    pub(super) fn is_commanded(&self, path: &str) -> bool {
        let calls = self.people().calls.as_ref();
        calls.is_some_and(|calls| command(calls, path).is_some())
    }

    /// The people who speak for a side in the game of the record: its captain, its Commanders, else its players.
    pub(super) fn speakers(&self, side: Side) -> Vec<String> {
        match self.captain(side) {
            Some(captain) => vec![captain],
            None if self.state.game.boards() > 1 => self.team(side),
            None => self.names("", side),
        }
    }

    /// The captain of a side of linked boards, if the record names one.
    pub(super) fn captain(&self, side: Side) -> Option<String> {
        if self.state.game.boards() == 1 {
            return None;
        }
        known(self.state.tag(&format!("{side}Captain"))).pop()
    }

    /// Everybody on a side whom the record names.
    pub(super) fn team(&self, side: Side) -> Vec<String> {
        let people = self.people();
        let mut names: Vec<_> = people.teams[side]
            .iter()
            .flat_map(|name| known(Some(name)))
            .collect();
        names.extend(self.captain(side));
        if let Some(calls) = &people.calls {
            names.extend_from_slice(&calls.people[side]);
        }
        if self.state.game.boards() == 1 {
            names.extend(self.names("", side));
        }
        names
    }
}

/// A name, unless it is unknown.
fn known(name: Option<&str>) -> Vec<String> {
    match name {
        None | Some("" | "?") => Vec::new(),
        Some(name) => vec![name.to_owned()],
    }
}

/// The sub-game with this path, if it is going on.
fn sub_game<'c>(calls: &'c Calls, path: &str) -> Option<&'c SubGame> {
    let is_this = |game: &&SubGame| game.path == path && game.stage != SubGameStage::Waits;
    calls.games.iter().find(is_this)
}

/// The over-game with this path, if over-moves are made in it.
fn command<'c>(calls: &'c Calls, path: &str) -> Option<&'c Command> {
    if sub_game(calls, path).is_some() {
        return None;
    }
    calls.commands.iter().find(|command| command.path == path)
}

/// The people called in a game of Overchess: to the over-moves, or to the sub-game with this path.
fn called(calls: &Calls, path: &str, side: Side) -> Option<Vec<String>> {
    if let Some(command) = command(calls, path) {
        return Some(command.names[side].clone());
    }
    let attacks = side == Side::White;
    let own = |party: &&Party| party.attacks == attacks;
    let party = sub_game(calls, path)?.parties.iter().find(own)?;
    Some(party.names.clone())
}
