//! The questions that are asked about every game, and how their answers are counted.

use super::{
    cases, flags,
    sets::{Played, Set, done},
};
use crate::run::{overboard, printed};
use overboard_games::registry::AnyGame;
use rayon::prelude::*;
use serde_json::Value;
use std::{fs, path::Path};

/// One question about the games of a set.
pub struct Question {
    /// The set.
    pub set: &'static str,
    /// The rule with the ruling.
    pub rule: &'static str,
    /// The option that chooses the other reading; empty if there is none.
    pub other: &'static str,
    /// What the games that are counted have in common, in words.
    pub counted: &'static str,
    /// How it is found.
    pub ask: Ask,
}

/// How it is found whether a ruling matters in a game.
pub enum Ask {
    /// The record, with this in its tag Rules, is not clean.
    Under(&'static str),
    /// The game ended by one of these, in the words of ledgers.
    Ended(&'static [&'static str]),
    /// A ply, with the positions before and after it, is such a case.
    Ply(fn(&Moment) -> bool),
    /// The game as a whole is such a case.
    Game(fn(&Set, &Played) -> bool),
    /// From this position a ply of the game is illegal.
    From(&'static str),
}

/// A ply with the positions around it.
pub struct Moment<'a> {
    /// The position before it.
    pub before: &'a AnyGame,
    /// The ply in coordinates.
    pub ply: &'a str,
    /// The position after it.
    pub after: &'a AnyGame,
}

const UNDER: &str = "judged under it, the record breaks a rule or has another result";

const fn question(
    set: &'static str,
    rule: &'static str,
    counted: &'static str,
    ask: Ask,
) -> Question {
    Question {
        set,
        rule,
        other: "",
        counted,
        ask,
    }
}

const fn option(set: &'static str, rule: &'static str, other: &'static str) -> Question {
    Question {
        other,
        ..question(set, rule, UNDER, Ask::Under(other))
    }
}

/// The other position of SC-3: each queen on a square of its own colour.
const OWN_COLOURS: &str = "14/14/rnbbnrkqrnbbnr/pppppppppppppp/14/14/14/14/14/14/PPPPPPPPPPPPPP/RNBBNRKQRNBBNR/14/14 w ABCDEFGHIJKLMNabcdefghijklmn 0 1";

/// All questions.
pub const QUESTIONS: &[Question] = &[
    question(
        "metachess",
        "MC-4",
        "an officer on the first level can capture an enemy piece, and could mount it by the other reading",
        Ask::Ply(cases::could_mount),
    ),
    question(
        "metachess",
        "MC-7a",
        "a carrier is captured below its rider",
        Ask::Ply(cases::captures_below),
    ),
    question(
        "metachess",
        "MC-7b",
        "an officer on the first level reaches a rider on an enemy carrier, and could capture it by the other reading",
        Ask::Ply(cases::could_capture_above),
    ),
    question(
        "metachess",
        "MC-10",
        "a king rides",
        Ask::Ply(cases::king_rides),
    ),
    question(
        "metachess",
        "MC-11",
        "a side castles",
        Ask::Ply(cases::castles),
    ),
    question(
        "metachess",
        "MC-12",
        "a pawn promotes by capturing a carrier",
        Ask::Ply(cases::promotes_below),
    ),
    question(
        "metachess",
        "MC-13",
        "a king and one minor piece are left against a king, and the game goes on",
        Ask::Ply(cases::minor_left),
    ),
    question(
        "olympic",
        "OC-8",
        "a Pawn is dropped with mate, or on a file with another Pawn of its side",
        Ask::Ply(cases::drops_unlike_shogi),
    ),
    question(
        "olympic",
        "OC-9",
        "a player who is not in check can only drop",
        Ask::Ply(cases::can_only_drop),
    ),
    question(
        "olympic",
        "OC-10",
        "a position occurs a third time if promoted pieces are not distinguished, and not otherwise",
        Ask::Game(cases::repeats_alike),
    ),
    question(
        "olympic",
        "OC-11",
        "fifty moves by each side pass without a capture or a Pawn's move",
        Ask::Ply(cases::fifty_moves),
    ),
    question(
        "strategichess",
        "SC-3",
        "from the other starting position a move of the game is illegal",
        Ask::From(OWN_COLOURS),
    ),
    question(
        "strategichess",
        "SC-5a",
        "a pawn that has moved stands where it began, with room for a double step",
        Ask::Ply(cases::could_step_again),
    ),
    question(
        "strategichess",
        "SC-6b",
        "a pawn stands next to an enemy piece on a road, or in front of one, and could capture it by another reading",
        Ask::Ply(cases::could_capture_aside),
    ),
    question(
        "strategichess",
        "SC-11",
        "the game ends by the seventy-five-move rule although a pawn has moved since the last capture",
        Ask::Game(cases::pawn_put_off),
    ),
    question(
        "linked",
        "SC-21",
        "a piece captures across an edge",
        Ask::Ply(cases::captures_across),
    ),
    question(
        "linked",
        "SC-21a",
        "a Knight next to the edge file could jump across it by the other reading",
        Ask::Ply(cases::could_jump_across),
    ),
    option("linked", "SC-23", "edition=2025"),
    question(
        "linked",
        "SC-24",
        "a king is captured",
        Ask::Ply(cases::takes_king),
    ),
    question(
        "linked",
        "SC-27",
        "a player passes",
        Ask::Ply(cases::passes),
    ),
    question(
        "linked",
        "SC-28",
        "the game ends by the count of kings after 150 plies without a capture",
        Ask::Ended(&["kings-counted"]),
    ),
    question(
        "linked",
        "SC-30",
        "kings are counted, and their numbers are equal",
        Ask::Game(cases::equal_kings),
    ),
    Question {
        other: "flag=end",
        ..question(
            "linked",
            "SC-35",
            "a flag falls at a random moment, random players play on, and the result is another under it",
            Ask::Game(flags::matters),
        )
    },
    question(
        "overchess",
        "OV-3",
        "a pawn is promoted in a sub-game",
        Ask::Ply(cases::promotes_inside),
    ),
    option("overchess", "OV-6", "subdraw=defender"),
    option("overchess", "OV-6", "subdraw=both"),
    question(
        "overchess",
        "OV-7",
        "an over-king captures",
        Ask::Ply(cases::over_king_captures),
    ),
    question(
        "overchess",
        "OV-8",
        "a check is answered by an attack",
        Ask::Ply(cases::attacks_in_check),
    ),
    question(
        "overchess",
        "OV-9",
        "the game ends by the fall of a king",
        Ask::Ended(&["king-falls"]),
    ),
    question(
        "overchess",
        "OV-10",
        "an over-pawn attacks en passant",
        Ask::Ply(cases::attacks_in_passing),
    ),
    question(
        "overchess",
        "OV-11",
        "an over-pawn promotes",
        Ask::Ply(cases::over_pawn_promotes),
    ),
    question(
        "overchess",
        "OV-12",
        "the game ends by the seventy-five-move rule",
        Ask::Ended(&["seventy-five-moves"]),
    ),
    question(
        "overchess",
        "OV-17",
        "the over-board alone repeats five times in a game that does not end so",
        Ask::Game(cases::over_board_repeats),
    ),
    option("mega", "MG-3", "turns=free"),
    question(
        "mega",
        "MG-12",
        "the game ends by mega-stalemate",
        Ask::Ended(&["mega-stalemate"]),
    ),
    question(
        "mega",
        "MG-14",
        "the game ends by such a draw",
        Ask::Ended(&["mega-moves", "dead-position", "fivefold"]),
    ),
];

impl Question {
    /// Whether it matters in a game, as far as that needs no position.
    fn matters(&self, set: &Set, game: &Played) -> bool {
        match self.ask {
            Ask::Under(_) | Ask::Ply(_) => false,
            Ask::Ended(ends) => ends.contains(&game.end.as_str()),
            Ask::Game(is_case) => is_case(set, game),
            Ask::From(fen) => {
                let mut at = set.start("").read(fen).unwrap().position;
                let legal = |ply: &String| at.by_coordinates(ply).is_some_and(|ply| at.play(ply));
                !game.plies.iter().all(legal)
            }
        }
    }
}

/// In how many games each ruling matters. Every game is played through once.
pub fn counts(asked: &[&Question], set: &Set, games: &[Played], ledger: &Path) -> Vec<usize> {
    let is_judged = |question: &&&Question| matches!(question.ask, Ask::Under(_));
    let records = asked.iter().find(is_judged).map(|_| records(ledger));
    if let Some(records) = &records {
        let wrong = not_clean(records, "", ledger);
        assert_eq!(wrong, 0, "the games keep their own rules");
    }
    let answers: Vec<Vec<bool>> = games
        .par_iter()
        .map(|game| answers(asked, set, game))
        .collect();
    let mut counts = Vec::new();
    for (index, question) in asked.iter().enumerate() {
        counts.push(match (&question.ask, &records) {
            (Ask::Under(rules), Some(records)) => not_clean(records, rules, ledger),
            _ => answers.iter().filter(|answers| answers[index]).count(),
        });
    }
    counts
}

/// Whether each ruling matters in a game.
fn answers(asked: &[&Question], set: &Set, game: &Played) -> Vec<bool> {
    let mut found: Vec<bool> = asked
        .iter()
        .map(|question| question.matters(set, game))
        .collect();
    if asked
        .iter()
        .all(|question| !matches!(question.ask, Ask::Ply(_)))
    {
        return found;
    }
    game.any(set.start(""), |moment| {
        for (found, question) in found.iter_mut().zip(asked) {
            if let (Ask::Ply(is_case), false) = (&question.ask, *found) {
                *found = is_case(moment);
            }
        }
        false
    });
    found
}

/// The games of a ledger as records.
fn records(ledger: &Path) -> String {
    done(&[
        "ledger",
        "--to",
        "npgn",
        "--no-replay",
        ledger.to_str().unwrap(),
    ])
}

/// How many of these records are not clean under these rules.
fn not_clean(records: &str, rules: &str, ledger: &Path) -> usize {
    let tagged = if rules.is_empty() {
        records.to_owned()
    } else {
        records.replace("\n[Variant ", &format!("\n[Rules \"{rules}\"]\n[Variant "))
    };
    let file = ledger.with_extension("npgn");
    fs::write(&file, tagged).unwrap();
    let (verdicts, _) = printed(&overboard(&["check", "--json", file.to_str().unwrap()]));
    let is_faulty = |line: &&str| {
        let line: Value = serde_json::from_str(line).unwrap();
        line["verdict"].is_string() && line["verdict"] != "clean"
    };
    verdicts.lines().filter(is_faulty).count()
}

impl Played {
    /// Whether some ply is such a case. The games of a ledger are legal.
    pub fn any(&self, start: AnyGame, mut is_case: impl FnMut(&Moment) -> bool) -> bool {
        let mut before = start;
        for ply in &self.plies {
            let mut after = before.clone();
            let played = after.by_coordinates(ply).is_some_and(|ply| after.play(ply));
            assert!(played, "{ply} at {}", before.fen());
            let moment = Moment {
                before: &before,
                ply,
                after: &after,
            };
            if is_case(&moment) {
                return true;
            }
            before = after;
        }
        false
    }
}
