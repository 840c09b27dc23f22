//! Who is to act, by name: as the tags say it, and the players who have taken over since.

use super::Keeper;
use crate::record::Judged;
use overboard_games::overchess::judge::call_sheet::{Calls, Party, Stage};
use overboard_rules::{ply::BoardName, square::Side};

/// Somebody who is to act.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DuePlayer {
    /// The board, or the path to the game.
    pub path: String,
    /// The side there.
    pub side: Side,
    /// The people any of whom may act; none if the record names nobody.
    pub names: Vec<String>,
}

impl Keeper {
    /// Who is to act. The record is judged for it, which takes longer the longer it is.
    #[must_use]
    pub fn due_players(&self) -> Vec<DuePlayer> {
        let dues = match self.state.over {
            Some(_) => Vec::new(),
            None => self.state.game.dues(),
        };
        let judged = self.check().ok();
        let players = dues.into_iter().map(|(path, side)| DuePlayer {
            names: self.names(judged.as_ref(), &path, side),
            path,
            side,
        });
        players.collect()
    }

    fn names(&self, judged: Option<&Judged>, path: &str, side: Side) -> Vec<String> {
        let game = self.state.game.game();
        if game.boards() > 1 {
            let names = judged.map_or(&[][..], |judged| &judged.teams[side]);
            let board = (0..names.len()).find(|board| BoardName(*board).to_string() == path);
            let name = board.and_then(|board| names.get(board));
            return name
                .filter(|name| is_known(name))
                .cloned()
                .into_iter()
                .collect();
        }
        let depth = path.split('.').filter(|step| !step.is_empty()).count();
        let team = game.team(depth, side);
        let called = judged.and_then(|judged| called(judged.calls.as_ref()?, path, side));
        let called = called.filter(|names| !names.is_empty());
        called.unwrap_or_else(|| {
            let tag = match team {
                Side::White => "White",
                Side::Black => "Black",
            };
            let name = self.state.tag(tag).filter(|name| is_known(name));
            name.map(str::to_owned).into_iter().collect()
        })
    }
}

fn is_known(name: &str) -> bool {
    !matches!(name, "" | "?")
}

/// The people called in a game of Overchess: to the over-move, or to the sub-game with this path.
fn called(calls: &Calls, path: &str, side: Side) -> Option<Vec<String>> {
    if let Some(mover) = calls.mover.as_ref().filter(|mover| mover.path == path) {
        return Some(mover.names.clone());
    }
    let is_due = |stage: Stage| stage != Stage::Waits;
    let sub_game = calls
        .games
        .iter()
        .find(|game| game.path == path && is_due(game.stage))?;
    let attacks = side == Side::White;
    let own = |party: &&Party| party.attacks == attacks;
    sub_game
        .parties
        .iter()
        .find(own)
        .map(|party| party.names.clone())
}
