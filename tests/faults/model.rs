//! What is legal by the naive models, in words that a record could say.

use crate::{
    depth::tries,
    naive::{
        matryoshka, mega,
        metachess::Naive as NaiveMeta,
        olympic::Naive as NaiveOlympic,
        strategichess::{
            One,
            linked::{Edition, Linked},
        },
    },
    overchess::levels::{FIRST, model_options},
    records::{Agreed, NEAR_ENDS, Played},
};
use overboard_games::{
    game_notation::GameNotation as _,
    overchess,
    registry::{AnyGame, Variant},
};
use shakmaty::{CastlingMode, Chess, Position as _, fen::Fen, san::San};
use std::collections::BTreeSet;

/// What a written ply says at least: the piece, where it arrives, what becomes of it. Its origin and its sign are not in it.
pub fn gist(written: &str) -> String {
    let own = written.rsplit('.').next().unwrap_or(written).trim_end_matches(['+', '#', '!', '?']);
    if own.starts_with("O-O") || own == "--" || own.contains("1/2") {
        return own.into();
    }
    let tail = own.find(['/', '^', '=']).unwrap_or(own.len());
    let (body, tail) = own.split_at(tail);
    let square = body.rfind(|c: char| c.is_ascii_lowercase() && c != 'x').unwrap_or(0);
    let role = body.chars().next().filter(char::is_ascii_uppercase).unwrap_or('P');
    let drop = if body.contains('@') { "@" } else { "" };
    format!("{role}{drop}{}{tail}", &body[square..])
}

/// The address of an act in coordinates: `A2.`, `B.`, nothing on one board.
fn address(word: &str) -> &str {
    word.rfind('.').map_or("", |dot| &word[..=dot])
}

/// What is legal where an act of a game was made, on its board: the gists of all plies.
pub fn legal(agreed: &Agreed, played: &Played, nth: usize) -> BTreeSet<String> {
    let act = &played.acts[nth];
    let (before, fen) = (&act.before, act.before.fen());
    let on = address(&act.word);
    let here = |coord: &String| address(coord) == on;
    // Which piece moves is for the game to say; whether it may, for the model.
    let spelt = |coord: String| {
        let ply = before.by_coordinates(&coord).unwrap_or_else(|| panic!("{coord} in {fen}"));
        gist(before.san(ply).as_ref())
    };
    match before {
        AnyGame::Chess(_) => {
            let position: Chess = fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap();
            position.legal_moves().iter().map(|m| gist(&San::from_move(&position, *m).to_string())).collect()
        }
        AnyGame::Olympic(_) => {
            let naive = NaiveOlympic::parse(&fen);
            naive.moves().iter().map(|coord| gist(&naive.san(coord))).collect()
        }
        AnyGame::Meta(_) => {
            let naive = NaiveMeta::parse(&fen);
            naive.moves().iter().map(|coord| gist(&naive.san(coord))).collect()
        }
        AnyGame::Strategi(_) => {
            let naive = One::parse(&fen);
            naive.moves().iter().map(|coord| gist(&naive.san(coord))).collect()
        }
        AnyGame::Linked(_) => {
            let edition =
                if agreed.rules.contains("edition=2025") { Edition::Of2025 } else { Edition::Of2003 };
            let naive = Linked::parse(&fen, edition);
            let coords = naive.moves().into_iter().map(|(_, _, coord)| coord).filter(here);
            coords.map(|coord| gist(&naive.san(&coord))).collect()
        }
        AnyGame::Mega(_) => {
            let free = agreed.rules.contains("turns=free");
            let naive = mega::Naive::parse_under(agreed.level.unwrap_or(1).into(), free, &fen);
            let all = naive.moves().into_iter().chain(naive.passable()).chain(naive.drawable());
            all.filter(here).map(spelt).collect()
        }
        AnyGame::Over(_) => {
            let depth = overchess::depth(&agreed.rules);
            let options = model_options(&agreed.rules, u8::try_from(depth).unwrap());
            let mut naive = matryoshka::Game::from_fen(options, &format!("{FIRST} -"));
            played.acts[..nth].iter().for_each(|act| naive.play(&act.word));
            let moves = naive.plies().into_iter().filter(here).filter(|coord| {
                let own = &coord[address(coord).len()..];
                own.as_bytes().get(1).is_some_and(u8::is_ascii_digit)
            });
            moves.map(spelt).collect()
        }
    }
}

/// Games, levels, options and numbers of boards, each with plies to play at a time.
pub fn agreements() -> Vec<(Agreed, usize)> {
    let mut all: Vec<_> = [Variant::Chess, Variant::Olympic, Variant::Meta, Variant::Strategi]
        .into_iter()
        .map(|game| (Agreed::on(game, 1, None, ""), 120))
        .collect();
    // The naive model of linked boards takes its time: a usual run has one mix of options for each number of boards.
    let mixes = ["edition=2025", "", "flag=end", "edition=2025:flag=end"];
    for boards in 2..=8 {
        for (nth, rules) in mixes.into_iter().enumerate() {
            if tries(1) > 1 || nth == boards % mixes.len() {
                all.push((Agreed::on(Variant::Strategi, boards as u16, None, rules), 40 + 15 * boards));
            }
        }
    }
    for rules in crate::overchess::levels::all_rules() {
        all.push((Agreed::on(Variant::Over, 1, None, &rules), 90));
    }
    for rules in [
        "depth=2",
        "depth=2:fog:prisoners:consolidation:subdraw=defender:reserves=team/2P1N/3P",
        "depth=3:prisoners",
    ] {
        all.push((Agreed::on(Variant::Over, 1, None, rules), 160));
    }
    for rules in ["", "turns=free"] {
        for level in 1..=2 {
            all.push((Agreed::on(Variant::Mega, 1, Some(level), rules), 40));
        }
        all.push((Agreed::on(Variant::Mega, 1, Some(1), rules).from(NEAR_ENDS), 60));
    }
    all
}
