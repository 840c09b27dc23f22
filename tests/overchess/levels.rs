//! At every depth the library and the recursive model agree on lists, moves and ends of games.

use crate::{
    chance::Chance,
    naive::matryoshka::{self, Drawn, End, Game},
    parallel::from_each,
};
use overboard_games::overchess::{self, Asked, Over, Ply};
use overboard_referee::game::notation::Notation as _;
use overboard_rules::{
    game::Game as _,
    outcome::{Cause, Outcome},
    square::Side,
};
use std::collections::HashMap;

/// The legal plies with their coordinates.
fn listed(game: &Over) -> Vec<(String, Ply)> {
    let mut list = Vec::new();
    game.legal_moves(|ply| list.push((game.coordinates(ply).to_string(), ply)));
    list
}

/// Whether a ply is judged legal; otherwise it must be refused with a reason and a rule.
fn judges(game: &Over, ply: Ply) -> bool {
    match game.judge(Asked::Ply(ply)) {
        Ok(judged) => judged == ply,
        Err(breach) => {
            assert!(
                !breach.words.is_empty() && !breach.rule.id.is_empty(),
                "{ply:?}"
            );
            false
        }
    }
}

fn end(outcome: Outcome) -> End {
    match outcome {
        Outcome::Win(Side::White) => End::White,
        Outcome::Win(Side::Black) => End::Black,
        Outcome::Draw => End::Draw,
    }
}

/// The cause of an end, in the vocabulary of the model.
fn cause(cause: Cause) -> &'static str {
    match cause {
        Cause::KingFalls => "the king falls",
        Cause::Checkmate => "mate",
        Cause::Stalemate => "stalemate",
        Cause::DeadPosition => "dead",
        Cause::SeventyFiveMoves => "seventy-five moves",
        _ => "repetition",
    }
}

/// Numbers of pieces, in the model's order of kinds.
fn spares(text: &str) -> [u8; 5] {
    let letters: Vec<char> = text.chars().collect();
    let mut counts = [0; 5];
    for pair in letters.chunks(2) {
        let kind = ['P', 'N', 'B', 'R', 'Q']
            .iter()
            .position(|letter| *letter == pair[1]);
        counts[kind.unwrap()] = u8::try_from(pair[0].to_digit(10).unwrap()).unwrap();
    }
    counts
}

pub fn model_options(rules: &str, depth: u8) -> matryoshka::Options {
    let has = |word: &str| rules.split(':').any(|rule| rule == word);
    let agreed = rules
        .split(':')
        .find_map(|rule| rule.strip_prefix("reserves="));
    let (each_set, lists) = match agreed.and_then(|agreed| agreed.split_once('/')) {
        Some((whose, lists)) => (whose == "set", lists),
        None => (false, ""),
    };
    let (white, black) = lists.split_once('/').unwrap_or((lists, lists));
    matryoshka::Options {
        depth: depth.into(),
        fog: has("fog"),
        prisoners: has("prisoners"),
        consolidation: has("consolidation"),
        drawn: match () {
            () if has("subdraw=defender") => Drawn::AttackerGoes,
            () if has("subdraw=both") => Drawn::BothGo,
            () => Drawn::Withdraws,
        },
        spares: [spares(white), spares(black)],
        each_set,
    }
}

/// A random ply: attacks, and plies that options allow, more often than others.
pub fn choose(game: &Over, list: &[(String, Ply)], chance: &mut Chance) -> (String, Ply) {
    let rare = |ply: &Ply| match ply {
        Ply::Over(m) => game.current().attacks(*m),
        Ply::Reserve(..) => true,
        _ => false,
    };
    let rare: Vec<_> = list.iter().filter(|(_, ply)| rare(ply)).collect();
    let all: Vec<_> = list.iter().collect();
    let from = if rare.is_empty() || chance.below(4) == 0 {
        all
    } else {
        rare
    };
    chance.pick(&from).unwrap().clone()
}

struct Trial<'a> {
    rules: &'a str,
    fen: &'a str,
    depth: u8,
    plies: u32,
    /// One ply in this many is a result that ends a sub-game.
    stops: usize,
    /// Whether all sub-sets have few pieces left.
    few: bool,
}

fn play_alike(trial: &Trial, chance: &mut Chance, met: &mut HashMap<String, u32>) {
    let fen = format!("{} {}", trial.fen, sub_sets(trial, chance));
    let position = format!("{fen} - {}", all_spares(trial.rules, trial.fen));
    let read = overchess::read(&position, trial.depth, overchess::options(trial.rules));
    let mut ours = read
        .unwrap_or_else(|why| panic!("{position}: {why}"))
        .position;
    let mut theirs = Game::from_fen(model_options(trial.rules, trial.depth), &fen);
    let mut way = Vec::new();
    let mut others: Vec<Ply> = Vec::new();
    for _ in 0..trial.plies {
        let here = || {
            format!(
                "{} from {}: {}\n{}",
                trial.rules,
                trial.fen,
                way.join(", "),
                ours.fen()
            )
        };
        let ended = ours
            .end_by_itself()
            .map(|ruling| (end(ruling.outcome), cause(ruling.cause)));
        assert_eq!(
            ended,
            theirs.end.map(|end| (end, theirs.cause)),
            "{}",
            here()
        );
        if let Some((_, cause)) = ended {
            *met.entry(cause.into()).or_default() += 1;
            return;
        }
        let mut list = listed(&ours);
        list.sort_by(|a, b| a.0.cmp(&b.0));
        let coordinates: Vec<_> = list
            .iter()
            .map(|(coordinates, _)| coordinates.clone())
            .collect();
        let mut plies = theirs.plies();
        plies.sort();
        let only = |of: &[String], other: &[String]| -> Vec<String> {
            of.iter()
                .filter(|ply| !other.contains(ply))
                .cloned()
                .collect()
        };
        assert!(
            coordinates == plies,
            "{:?} and {:?}: {}",
            only(&coordinates, &plies),
            only(&plies, &coordinates),
            here()
        );
        assert_eq!(ours.count_legal(), list.len() as u64, "{}", here());
        assert!(
            list.iter().all(|(_, ply)| judges(&ours, *ply)),
            "{}",
            here()
        );
        // Of the plies seen in other positions, only those that are listed here are legal.
        let mut strange = others
            .iter()
            .filter(|other| list.iter().all(|(_, ply)| ply != *other));
        assert!(strange.all(|other| !judges(&ours, *other)), "{}", here());
        let open = theirs.open_games();
        if !open.is_empty() && chance.below(trial.stops) == 0 {
            let (result, outcome) = *[
                ("1-0", Outcome::Win(Side::White)),
                ("0-1", Outcome::Win(Side::Black)),
                ("1/2-1/2", Outcome::Draw),
            ]
            .get(chance.below(3))
            .unwrap();
            let level = chance.below(open.len());
            ours.conclude(level, outcome);
            theirs.play(&format!("{}{result}", open[level]));
            *met.entry(format!("stopped {}", open.len() - level))
                .or_default() += 1;
            way.push(format!("{}{result}", open[level]));
            continue;
        }
        let (coordinates, ply) = choose(&ours, &list, chance);
        let word = coordinates
            .rsplit('.')
            .next()
            .unwrap_or_default()
            .split(' ')
            .next()
            .unwrap_or_default();
        let is_move = word.as_bytes().get(1).is_some_and(u8::is_ascii_digit);
        *met.entry(if is_move { "move" } else { word }.into())
            .or_default() += 1;
        others.push(ply);
        others.truncate(40);
        ours.play(ply);
        theirs.play(&coordinates);
        way.push(coordinates);
    }
}

/// The over-pieces of a FEN that have sub-sets, from a1 on: square and letter.
fn pieces(fen: &str) -> Vec<(String, char)> {
    let mut pieces = Vec::new();
    for (rank, row) in (1..=8).zip(fen.split(' ').next().unwrap().rsplit('/')) {
        let mut file = b'a';
        for letter in row.chars() {
            match letter.to_digit(10) {
                Some(empty) => file += empty as u8,
                None => {
                    pieces.push((format!("{}{rank}", char::from(file)), letter));
                    file += 1;
                }
            }
        }
    }
    pieces.retain(|(_, letter)| !letter.eq_ignore_ascii_case(&'k'));
    pieces
}

/// The squares where the pieces of a letter start.
fn homes(letter: char) -> Vec<String> {
    let files = match letter.to_ascii_lowercase() {
        'r' => "ah",
        'n' => "bg",
        'b' => "cf",
        'q' => "d",
        _ => "abcdefgh",
    };
    let rank = match letter {
        'P' => 2,
        'p' => 7,
        white if white.is_uppercase() => 1,
        _ => 8,
    };
    files.chars().map(|file| format!("{file}{rank}")).collect()
}

/// A list of sub-sets. From depth 2 on, every over-piece has a name of its side, as in `d2:d7`; with `few`, every
/// sub-set is small.
fn sub_sets(trial: &Trial, chance: &mut Chance) -> String {
    let pieces = pieces(trial.fen);
    let at_home = |square: &String, letter: char| homes(letter).contains(square);
    let mut taken: Vec<String> = pieces
        .iter()
        .filter(|(square, letter)| at_home(square, *letter))
        .map(|(square, _)| square.clone())
        .collect();
    let mut items = Vec::new();
    for (square, letter) in &pieces {
        let mut item = square.clone();
        if trial.depth > 1 && !at_home(square, *letter) {
            let name = homes(*letter)
                .into_iter()
                .find(|home| !taken.contains(home))
                .unwrap();
            item += &format!(":{name}");
            taken.push(name);
        }
        if trial.few {
            item += &format!("={}", little(trial.depth, chance));
        }
        if item != *square {
            items.push(item);
        }
    }
    if items.is_empty() {
        "-".into()
    } else {
        items.join(",")
    }
}

/// A sub-set with few pieces left.
fn little(depth: u8, chance: &mut Chance) -> String {
    if depth == 1 {
        let most = [('P', 4), ('R', 2), ('N', 2), ('B', 2), ('Q', 2)];
        let left = most.map(|(letter, most)| (chance.below(most), letter));
        let pieces: String = left
            .iter()
            .filter(|(many, _)| *many > 0)
            .map(|(many, kind)| format!("{many}{kind}"))
            .collect();
        return if pieces.is_empty() {
            "0".into()
        } else {
            pieces
        };
    }
    let files = "abcdfgh".chars().map(|file| format!("{file}1"));
    let mut items = Vec::new();
    for place in files.chain("abcdefgh".chars().map(|file| format!("{file}2"))) {
        if chance.below(4) == 0 {
            let army = little(depth - 1, chance);
            items.push(if chance.below(3) == 0 {
                place
            } else {
                format!("{place}={army}")
            });
        }
    }
    format!("{{{}}}", items.join(","))
}

/// The agreed spares, all still available.
fn all_spares(rules: &str, fen: &str) -> String {
    let agreed = rules
        .split(':')
        .find_map(|rule| rule.strip_prefix("reserves="));
    let Some((whose, spares)) = agreed.and_then(|agreed| agreed.split_once('/')) else {
        return "-".into();
    };
    if whose == "team" {
        return spares.into();
    }
    let (white, black) = spares.split_once('/').unwrap_or((spares, spares));
    let own = |letter: char| if letter.is_uppercase() { white } else { black };
    let items: Vec<_> = pieces(fen)
        .iter()
        .map(|(square, letter)| format!("{square}:{}", own(*letter)))
        .collect();
    items.join(",")
}

pub const FIRST: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// Positions in which attacks, castling, promotion, en passant or an end are soon possible.
const BEGINNINGS: [&str; 8] = [
    FIRST,
    "r3k2r/pP2pp1p/8/2pPp3/4P3/8/P2p1PPP/R3K2R w KQkq c6 0 1",
    "4k3/2P5/8/1pPp4/1R5r/8/4p3/2B1K3 w - b6 0 9",
    "3r2k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1",
    "r3k3/8/8/3b4/8/5N2/8/R3K2R b KQq - 3 20",
    "4k3/pp6/8/8/1B6/8/PP4q1/4K2R b K - 0 30",
    "2k5/8/8/3pP3/8/K7/1r6/8 w - d6 0 5",
    "4k3/8/3p4/4P3/3B4/8/5n2/4K3 w - - 140 90",
];

const DRAWN: [&str; 3] = ["", ":subdraw=defender", ":subdraw=both"];
const SPARES: [&str; 3] = ["", ":reserves=team/2P1N/3P", ":reserves=set/1P1N"];

pub fn all_rules() -> Vec<String> {
    let mut all = Vec::new();
    for number in 0..8 {
        let named = ["fog", "prisoners", "consolidation"];
        let on: Vec<_> = (0..3)
            .filter(|bit| number >> bit & 1 == 1)
            .map(|bit| named[bit])
            .collect();
        for drawn in DRAWN {
            for spares in SPARES {
                all.push(
                    format!("{}{drawn}{spares}", on.join(":"))
                        .trim_start_matches(':')
                        .into(),
                );
            }
        }
    }
    all
}

/// Plays games under all rules, a part of the rules for each seed, from about half of the positions, which in a deep run come
/// to all; returns how often each thing occurred.
fn play_all(depth: u8, plies: u32, seeds: [u64; 4]) -> HashMap<String, u32> {
    let all: Vec<_> = all_rules().into_iter().enumerate().collect();
    let parts: Vec<_> = all.chunks(all.len().div_ceil(seeds.len())).collect();
    let walks = from_each(&seeds, |part, seed| {
        let (mut chance, mut met) = (Chance::seeded(seed), HashMap::new());
        for (number, rules) in parts[part] {
            for fen in BEGINNINGS {
                if chance.below(2) == 0 {
                    continue;
                }
                let few = number % 3 > 0;
                let stops = if few { 200 } else { 10 * usize::from(depth) };
                play_alike(
                    &Trial {
                        rules,
                        fen,
                        depth,
                        plies,
                        stops,
                        few,
                    },
                    &mut chance,
                    &mut met,
                );
            }
        }
        met
    });
    let mut met = HashMap::new();
    for (word, count) in walks.into_iter().flatten() {
        *met.entry(word).or_default() += count;
    }
    met
}

fn met_all(met: &HashMap<String, u32>, words: &[&str]) {
    let always = [
        "setup",
        "reserve",
        "consolidate",
        "give",
        "done",
        "the king falls",
        "mate",
        "dead",
        "stopped 1",
    ];
    for word in always.iter().chain(words) {
        assert!(met.contains_key(*word), "{word} among {met:?}");
    }
}

#[test]
fn games_of_depth_1_agree_with_the_recursive_model() {
    met_all(
        &play_all(
            1,
            160,
            [
                101,
                0x5dcd_6f07_ce84_caf2,
                0x866f_d830_cfce_ddd6,
                0x6df3_8e59_e721_3c7e,
            ],
        ),
        &["prisoners"],
    );
}

#[test]
fn games_of_depth_2_agree_with_the_recursive_model() {
    met_all(
        &play_all(
            2,
            160,
            [
                103,
                0xa473_77f4_a628_24b7,
                0x3e6f_61e0_10d0_c82b,
                0x293b_136d_d886_5f8c,
            ],
        ),
        &["prisoner", "prisoners", "stopped 2"],
    );
}

#[test]
fn games_of_depth_3_agree_with_the_recursive_model() {
    met_all(
        &play_all(
            3,
            130,
            [
                107,
                0x99b5_886e_1683_b14e,
                0x385a_0c95_54de_f360,
                0xc977_85b1_adb4_8c5f,
            ],
        ),
        &["prisoner", "prisoners", "stopped 2", "stopped 3"],
    );
}
