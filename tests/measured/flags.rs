//! A flag that falls on linked boards (SC-35): what becomes of the match under each reading.

use super::sets::{Played, Set};
use overboard_engines::{
    chance::{Chance, Purpose},
    live_game::LiveGame,
    players::{Seats, Spec},
};
use overboard_games::strategichess::linked::Linked;
use overboard_rules::{
    game::{Game, Happening, Step},
    outcome::Outcome,
    square::Side,
};

/// Whether the match has another result under `flag=end`, if a flag falls at a moment drawn by lot and random players
/// play on where the match goes on.
pub fn matters(set: &Set, game: &Played) -> bool {
    let number = game.plies.len() as u64;
    let mut chance = Chance::of(number, Purpose::Shuffle);
    let moment = chance.below(game.plies.len());
    let outcome = |rules| after_flag(set, game, moment, rules, chance.clone());
    outcome("") != outcome("flag=end")
}

/// The outcome if the flag of the player to move falls after so many plies.
fn after_flag(
    set: &Set,
    game: &Played,
    moment: usize,
    rules: &str,
    mut chance: Chance,
) -> Option<Outcome> {
    let start = set.start(rules);
    let mut table = LiveGame::from(start.as_one_of::<Linked>().unwrap().clone());
    for ply in &game.plies[..moment] {
        let ply = overboard_referee::game::notation::Notation::by_coordinates(table.game(), ply);
        table.play(ply.unwrap());
    }
    let board = table.board().unwrap();
    let side: Side = table.game().next_move(board).unwrap().1;
    table.step(&Step::Event(board, Happening::Flag(side)));
    let mut player = Linked::seat(Spec::Random).unwrap();
    while table.end().is_none() {
        let ply = player.choose(&table, &mut chance)?;
        table.play(ply);
    }
    table.end().map(|end| end.outcome)
}
