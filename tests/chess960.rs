//! Chess960, compared with another program's move generator, and its castling with a naive one.

use crate::{
    chance::Chance,
    depth::tries,
    naive::chess960::{Against, Naive},
    run::{overboard, printed},
    text::judge,
};
use overboard_formats::san::Spelt;
use overboard_games::{
    chess960::{ARRAYS, Chess960, ORTHODOX, array},
    one_board::{OneBoard, notation::BoardNotation},
    registry::Variant,
};
use overboard_referee::{finding::Verdict, game::position::ReadPosition};
use overboard_rules::{
    perft::perft,
    ply::{StandingAct, Wing, Written},
    position::{Explain as _, Found, Irregular as _, Movegen as _},
    refusal::Refusal,
    square::{Side, Square},
};
use rayon::prelude::*;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position as _, fen::Fen, san::SanPlus};
use std::{collections::BTreeSet, fs, path::Path};

/// Positions in which kings and rooks stand in each other's way, with rooks further out and attacks along the rank.
const STARTS: [&str; 10] = [
    "1rkr3r/ppppppp1/8/8/8/8/PPPPPPP1/1RKR3R w DBdb - 0 1",
    "rk2r3/8/8/8/8/8/8/RK2R3 w EAea - 0 1",
    "4k3/8/8/8/8/8/8/5RKR w HF - 0 1",
    "qrk4r/8/8/8/8/8/8/QRK4R w HBhb - 0 1",
    "r1k1r2q/8/8/8/8/8/8/R1K1R2Q b EAea - 0 1",
    "rr1k2rr/4p3/8/8/8/8/3P4/RR1K2RR w GBgb - 0 1",
    "2r1kr2/8/8/8/8/8/8/2R1KR2 w FCfc - 0 1",
    "1rqbkrbn/1ppppp1p/1n6/p1N3p1/8/2P4P/PP1PPPP1/1RQBKRBN w FBfb - 0 9",
    "rbbqn1kr/pp2p1pp/6n1/2pp1p2/2P4P/P7/BP1PPPP1/R1BQNNKR w HAha - 0 9",
    "k6r/8/8/8/8/8/1p6/R3K2R b KQ - 0 1",
];

fn theirs(fen: &str) -> Chess {
    fen.parse::<Fen>()
        .unwrap()
        .into_position(CastlingMode::Chess960)
        .unwrap()
}

fn fen(position: &Chess) -> String {
    Fen::from_position(position, EnPassantMode::Legal).to_string()
}

fn ours(position: &Chess) -> Chess960 {
    Chess960::read(&fen(position)).unwrap().position
}

/// Plays random games from arrays and chosen positions, and visits every position on the way.
fn for_each_position(games: usize, chance: &mut Chance, mut visit: impl FnMut(&Chess)) {
    for game in 0..tries(games) {
        let start = match game % 2 {
            0 => array(chance.below(ARRAYS as usize) as u32).unwrap(),
            _ => STARTS[game / 2 % STARTS.len()].into(),
        };
        let mut position = theirs(&start);
        for _ in 0..60 {
            visit(&position);
            // Castling is chosen more often than at random.
            let moves = position.legal_moves();
            let castlings: Vec<_> = moves.iter().copied().filter(|m| m.is_castle()).collect();
            let from = if castlings.is_empty() || chance.below(3) > 0 {
                &moves[..]
            } else {
                &castlings
            };
            let Some(m) = chance.pick(from) else { break };
            position.play_unchecked(m);
        }
    }
}

#[test]
fn every_array_has_as_many_lines_as_another_generator_counts() {
    let depth = if tries(1) > 1 { 4 } else { 3 };
    (0..ARRAYS).into_par_iter().for_each(|number| {
        let text = array(number).unwrap();
        let ReadPosition {
            position, lenient, ..
        } = Chess960::read(&text).unwrap();
        assert!(!lenient && position.fen() == text, "{text}");
        assert_eq!(
            perft(&OneBoard(position), depth),
            shakmaty::perft(&theirs(&text), depth),
            "{number}: {text}"
        );
    });
    assert_eq!(array(ORTHODOX).unwrap(), Chess960::default().fen());
}

#[test]
fn moves_texts_and_positions_are_those_of_another_generator() {
    let mut castled = 0;
    for_each_position(300, &mut Chance::seeded(1), |position| {
        let (game, at) = (ours(position), fen(position));
        assert_eq!(game.fen(), at);
        let listed: BTreeSet<_> = game
            .moves_in_order()
            .iter()
            .map(|m| game.coordinates(*m).to_string())
            .collect();
        let moves = position.legal_moves();
        let expected: BTreeSet<_> = moves
            .iter()
            .map(|m| m.to_uci(CastlingMode::Chess960).to_string())
            .collect();
        assert_eq!(listed, expected, "{at}");
        for m in moves {
            let uci = m.to_uci(CastlingMode::Chess960).to_string();
            let own = game.at(&uci).unwrap();
            let after = game.after(own);
            let text = format!("{}{}", Spelt(game.written(own)), after.suffix().as_str());
            assert_eq!(
                text,
                SanPlus::from_move(position.clone(), m).to_string(),
                "{at}"
            );
            assert_eq!(
                game.find(&game.written(own)),
                Found::One(own),
                "{text} in {at}"
            );
            let mut next = position.clone();
            next.play_unchecked(m);
            assert_eq!(after.fen(), fen(&next), "{text} in {at}");
            // The notation of chess also means castling if no king's step is written that way.
            let chess = m.to_uci(CastlingMode::Standard).to_string();
            if m.is_castle() && !expected.contains(&chess) {
                assert_eq!(game.at(&chess), Some(own), "{chess} in {at}");
                castled += 1;
            }
        }
        if let Some(passed) = game.passed() {
            assert_eq!(passed.turn(), game.turn().other());
        }
    });
    assert!(castled > 100, "{castled}");
}

#[test]
fn castling_is_refused_for_what_stands_against_it() {
    let mut seen = BTreeSet::new();
    for_each_position(300, &mut Chance::seeded(2), |position| {
        let (game, at) = (ours(position), fen(position));
        let naive = Naive::parse(&at);
        for wing in [Wing::KingSide, Wing::QueenSide] {
            let written = Written::Castle(wing);
            let expected = naive.against(wing == Wing::KingSide);
            let found = matches!(game.find(&written), Found::One(_));
            assert_eq!(found, expected.is_none(), "{wing:?} in {at}");
            if position.legal_moves().is_empty() {
                continue;
            }
            let rule = expected.map(|against| match against {
                Against::Right => "C9-4",
                Against::Room => "C9-5",
                Against::Attack => "C9-6",
            });
            let refused = Refusal::by_geometry(&game, &written);
            if let Some(rule) = rule {
                assert_eq!(refused.rule().id, rule, "{wing:?} in {at}: {refused}");
                assert!(!refused.to_string().ends_with(' '), "{refused}");
            }
            seen.insert(rule);
        }
    });
    assert_eq!(seen.len(), 4, "{seen:?}");
}

#[test]
fn a_king_that_was_put_elsewhere_has_lost_its_rights_and_a_rook_its_own() {
    let game = Chess960::read("1rk1r3/8/8/8/8/8/8/1RK1R3 w EBeb - 0 1")
        .unwrap()
        .position;
    let square = |file, rank| Square::new(file, rank);
    let fen = |from, to| {
        game.stood(StandingAct::moved(from, to))
            .unwrap()
            .fen()
            .split(' ')
            .nth(2)
            .unwrap()
            .to_owned()
    };
    assert_eq!(fen(square(2, 0), square(2, 3)), "kq");
    assert_eq!(fen(square(1, 0), square(0, 4)), "Kkq");
    assert_eq!(fen(square(4, 0), square(4, 7)), "Qq");
}

#[test]
fn the_game_has_the_names_that_records_give_it() {
    for name in [
        "Chess960",
        "chess960",
        "chess 960",
        "Chess 960",
        "Fischerandom",
        "fischerandom",
        "Fischer Random",
        "fischer random chess",
        "freestyle",
        "Freestyle Chess",
    ] {
        let text = format!(
            "[Variant \"{name}\"]\n[SetUp \"1\"]\n[FEN \"{}\"]\n\n1. f4 *\n",
            array(0).unwrap()
        );
        let report = judge(text.as_bytes()).remove(0);
        assert_eq!(
            (report.verdict, Variant::of(Some(name.as_bytes()))),
            (Verdict::Clean, Some(Variant::Chess960))
        );
    }
}

#[test]
fn arrays_are_listed_drawn_counted_and_converted_by_number() {
    let said = |words: &[&str]| {
        let output = overboard(words);
        let (text, exit) = printed(&output);
        assert_eq!(
            exit,
            0,
            "{words:?}: {text}{}",
            String::from_utf8_lossy(&output.stderr)
        );
        text
    };
    assert!(said(&["perft", "2", "--variant", "chess960", "--fen", "0"]).contains("400"));
    let moves = said(&[
        "moves",
        "--variant",
        "chess960",
        "--fen",
        "4k3/8/8/8/8/8/8/5RKR w HF - 0 1",
    ]);
    assert!(moves.contains("g1f1") && moves.contains("O-O-O"), "{moves}");
    assert!(said(&["show", "--variant", "chess960", "--fen", "959"]).contains("White to move"));
    let fen = said(&["show", "--variant", "chess960", "--fen", "959", "--as-fen"]);
    assert_eq!(fen.trim(), array(959).unwrap());
}

#[test]
fn runs_start_from_the_arrays_that_they_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    let starts = |list: &[&str], name: &str| {
        let ledger = folder.path().join(name);
        let words = [
            "selfplay",
            "--variant",
            "chess960",
            "--player",
            "random",
            "--games",
            "6",
            "--max-plies",
            "12",
        ];
        let ledger = ledger.to_str().unwrap();
        let run = overboard(&[&words[..], list, &["--ledger", ledger]].concat());
        assert_eq!(
            run.status.code(),
            Some(0),
            "{}",
            String::from_utf8_lossy(&run.stderr)
        );
        let (records, _) = printed(&overboard(&["ledger", "--to", "npgn", ledger]));
        let file = folder.path().join(format!("{name}.pgn"));
        fs::write(&file, &records).unwrap();
        let (text, exit) = printed(&overboard(&["check", "--quiet", file.to_str().unwrap()]));
        assert_eq!(exit, 0, "{text}");
        let fens = records
            .lines()
            .filter_map(|line| line.strip_prefix("[FEN \""));
        fens.map(|fen| fen.trim_end_matches("\"]").to_owned())
            .collect::<Vec<_>>()
    };
    let numbers = |numbers: &[u32]| {
        numbers
            .iter()
            .map(|number| array(*number).unwrap())
            .collect::<Vec<_>>()
    };
    assert_eq!(
        starts(&["--start", "0-2,959"], "list"),
        numbers(&[0, 1, 2, 959, 0, 1])
    );
    // The orthodox array needs no FEN.
    assert_eq!(starts(&["--start", "518"], "orthodox"), [""; 0]);
    let random = starts(&[], "random");
    assert_eq!(random, starts(&["--start", "random"], "again"));
    assert_ne!(random, starts(&["--seed", "2"], "other"));
    assert_eq!(random.iter().collect::<BTreeSet<_>>().len(), 6);
    for (variant, list, words) in [
        (
            "chess960",
            "960",
            "expected a number from 0 to 959, a range such as `0-9`, or `random`, found `960`",
        ),
        ("chess960", "9-3", "found `9-3`"),
        ("chess", "0", "chess always starts from the same position"),
    ] {
        let words_ = [
            "selfplay",
            "--variant",
            variant,
            "--player",
            "random",
            "--games",
            "1",
            "--start",
            list,
        ];
        let output = overboard(&words_);
        let said = String::from_utf8_lossy(&output.stderr).to_lowercase();
        assert!(
            output.status.code() == Some(2) && said.contains(words),
            "{said}"
        );
    }
}

/// Apart from the game's own folder, docs and tests, the game is named only in the list of games.
#[test]
fn a_game_is_a_folder() {
    fn look(folder: &Path, found: &mut BTreeSet<String>, root: &Path) {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let name = path.strip_prefix(root).unwrap().display().to_string();
            if path.is_dir() {
                if name != "games/src/chess960"
                    // It is built on the arrays and on the castling of this game.
                    && name != "games/src/crazyhouse"
                    && name != "games/examples"
                    && !name.ends_with("/tests")
                {
                    look(&path, found, root);
                }
            } else if fs::read_to_string(&path)
                .is_ok_and(|text| text.to_lowercase().contains("chess960"))
            {
                found.insert(name);
            }
        }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut found = BTreeSet::new();
    for room in [
        "rules",
        "formats",
        "pictures",
        "games",
        "referee",
        "sheets",
        "schedules",
        "events",
        "engines",
        "cli",
    ] {
        look(&root.join(room), &mut found, &root);
    }
    // The orthodox library has this word for boards on which rooks castle from any file.
    let own = [
        "games/src/lib.rs",
        "games/src/registry.rs",
        "games/src/chess/mod.rs",
    ];
    assert_eq!(found, own.map(String::from).into());
    let chess = fs::read_to_string(root.join("games/src/chess/mod.rs")).unwrap();
    assert_eq!(
        chess.matches("hess960").count(),
        chess.matches("CastlingMode::Chess960").count()
    );
    // The page that walks through it names files and items that exist.
    let page = fs::read_to_string(root.join("docs/adding-a-game.md")).unwrap();
    let walk = page
        .split("## Walk-through: Chess960")
        .nth(1)
        .unwrap()
        .split("\n## ")
        .next()
        .unwrap();
    let spans: Vec<_> = walk
        .split("```")
        .step_by(2)
        .flat_map(|text| text.split('`').skip(1).step_by(2))
        .collect();
    let (files, items): (Vec<_>, Vec<_>) = spans.into_iter().partition(|span| span.contains('/'));
    assert!(files.len() > 8 && items.len() > 8, "{files:?} {items:?}");
    for file in files {
        let there = match file.split_once('*') {
            None => root.join(file).exists(),
            Some((before, _)) => {
                let (folder, stem) = before.rsplit_once('/').unwrap();
                let mut entries = fs::read_dir(root.join(folder)).unwrap();
                entries.any(|entry| {
                    entry
                        .unwrap()
                        .file_name()
                        .to_string_lossy()
                        .starts_with(stem)
                })
            }
        };
        assert!(there, "docs/adding-a-game.md names {file}");
    }
    let sources: String = [
        "games/src/chess960",
        "games/src/chess",
        "games/src",
        "rules/src",
    ]
    .iter()
    .flat_map(|folder| fs::read_dir(root.join(folder)).unwrap())
    .filter_map(|entry| fs::read_to_string(entry.unwrap().path()).ok())
    .collect();
    for item in items {
        assert!(
            sources.contains(item.trim_end_matches('!')),
            "docs/adding-a-game.md names {item}"
        );
    }
}

#[test]
fn each_side_has_its_king_where_it_is_asked_for() {
    let game = Chess960::read(&array(0).unwrap()).unwrap().position;
    assert_eq!(game.king(Side::White), Some(Square::new(6, 0)));
}

#[test]
fn castling_rights_of_another_game_lead_to_it() {
    let found = |rights: &str| {
        let text =
            format!("[SetUp \"1\"]\n[FEN \"rk3r2/8/8/8/8/8/8/RK3R2 w {rights} - 0 1\"]\n\n*\n");
        let report = judge(text.as_bytes()).remove(0);
        let fault = report
            .findings
            .iter()
            .find(|finding| finding.code.id == "bad-fen");
        fault.map(|finding| finding.message.as_it_came().to_owned())
    };
    let shredder = found("FAfa").unwrap();
    assert!(shredder.ends_with("[Variant \"Chess960\"]"), "{shredder}");
    assert!(!found("XYxy").unwrap().contains("Chess960"));
}
