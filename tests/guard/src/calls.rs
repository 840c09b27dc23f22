//! The calls: what both programs are asked to do with the inputs.

use crate::{
    case::{Case, Step},
    chance::Chance,
    games::Recipe,
    inputs::{Inputs, List},
    mutants,
};
use std::io;

/// Files that go into one call, since starting a process takes longer than judging a game.
const TOGETHER: usize = 6;

/// All calls about games, positions and self-play.
pub fn cases(inputs: &Inputs) -> io::Result<Vec<Case>> {
    let mut list = Vec::new();
    let corpus = inputs.files("corpus", &[".pgn", ".npgn"])?;
    let mutants = inputs.files("mutants", &[".npgn"])?;
    let hostile = inputs.files("hostile", &[".npgn"])?;
    let games: Vec<String> = inputs
        .recipes
        .iter()
        .map(|recipe| format!("games/{}.npgn", recipe.name))
        .collect();
    for files in corpus
        .chunks(40)
        .chain(games.chunks(TOGETHER))
        .chain(mutants.chunks(TOGETHER))
    {
        about_records(&mut list, files);
    }
    // Each hostile file has calls of its own: its effect on a call must not hide that of the next file.
    for file in &hostile {
        about_records(&mut list, std::slice::from_ref(file));
    }
    for files in [&corpus, &mutants, &hostile] {
        for file in files {
            about_limits(&mut list, file);
        }
    }
    for file in &corpus {
        show(&mut list, file, &inputs.text(file)?, 2, 1);
    }
    for files in corpus.chunks(12) {
        there_and_back(&mut list, files, &["--variant", "chess"].map(Into::into));
    }
    for file in &mutants {
        show(&mut list, file, &inputs.text(file)?, 3, 1);
    }
    for recipe in &inputs.recipes {
        let file = format!("games/{}.npgn", recipe.name);
        show(&mut list, &file, &inputs.text(&file)?, 2, 3);
        there_and_back(
            &mut list,
            std::slice::from_ref(&file),
            &game_of_a_record(recipe),
        );
        about_ledger(&mut list, recipe);
        list.push(play(recipe));
    }
    for one in &inputs.lists {
        about_positions(&mut list, one);
    }
    bare(&mut list);
    linked(&mut list, &corpus, &games, &mutants);
    plans(&mut list);
    Ok(list)
}

fn with<'a>(words: &[&'a str], files: &'a [String]) -> Vec<&'a str> {
    words
        .iter()
        .copied()
        .chain(files.iter().map(String::as_str))
        .collect()
}

/// The calls for any records.
fn about_records(list: &mut Vec<Case>, files: &[String]) {
    for words in [
        &["check", "--json", "-j", "1"][..],
        &[
            "check",
            "--json",
            "-j",
            "2",
            "--strict",
            "--allow",
            "missing-tag",
            "--rules",
            "illegal=3",
        ],
        &[
            "check",
            "--json",
            "-j",
            "1",
            "--deny",
            "missing-capture",
            "--deny",
            "check-suffix",
            "--allow",
            "move-number",
        ],
        &["fmt"],
        &["fmt", "--check", "--json"],
        &["convert", "--to", "coord"],
        &["convert", "--to", "jsonl"],
        &["convert", "--to", "fen"],
        &["convert", "--to", "pgn"],
        &[
            "select",
            "-j",
            "1",
            "--json",
            "--verdict",
            "illegal",
            "--verdict",
            "wrong-result",
            "--verdict",
            "unreadable",
        ],
        &["select", "-j", "1", "--verdict", "clean", "--number", "2-3"],
        &[
            "select", "-j", "2", "--json", "--invert", "--tag", "White~a", "--number", "2-",
        ],
        &["stats", "-j", "1", "--json"],
        &["stats", "-j", "1", "--csv", "--by-games", "--no-replay"],
        &["unbundle"],
        &["bundle"],
        &["score", "-j", "1", "--json", "--expiry", "0:10:00"],
        &["score", "-j", "1", "--csv"],
        &["orders", "-j", "1", "--json"],
        &["check"],
    ] {
        list.push(Case::call(with(words, files)));
    }
    if let [file] = files {
        list.push(Case::piped(["check", "--json", "-"], file));
        list.push(Case::piped(["fmt", "-"], file));
    }
}

/// Limits, each so low that some record exceeds it.
fn about_limits(list: &mut Vec<Case>, file: &str) {
    let mut chance = Chance::named(&format!("limits for {file}"));
    let limits = [
        ("--max-rav-depth", "1"),
        ("--max-block-depth", "1"),
        ("--max-level", "1"),
        ("--max-boards", "2"),
        ("--max-tags", "6"),
        ("--max-tag-value", "9"),
        ("--max-action", "4"),
        ("--max-symbol", "3"),
    ];
    let Some((limit, value)) = chance.pick(&limits) else {
        return;
    };
    let words = [
        &["check", "--json"][..],
        &["fmt"],
        &["convert", "--to", "jsonl"],
        &["unbundle"],
    ];
    let Some(words) = chance.pick(&words) else {
        return;
    };
    let mut words = words.to_vec();
    words.extend([*limit, *value, file]);
    list.push(Case::call(words));
}

/// The moments of a game, as `show --at` takes them, and its boards.
struct Moments {
    at: Vec<String>,
    boards: Vec<String>,
}

fn moments(words: &[String]) -> Moments {
    let mut found = Moments {
        at: Vec::new(),
        boards: Vec::new(),
    };
    // For each open game, from the outermost in: the path to it, its move number, and the plies since that number.
    let mut open = vec![(String::new(), String::new(), 0)];
    let mut turn = 0_usize;
    for word in words {
        let Some((way, number, plies)) = open.last_mut() else {
            break;
        };
        let now = |number: &str, plies: usize| {
            format!("{way}{number}{}", if plies < 2 { 'w' } else { 'b' })
        };
        if turn > 0 || (word.starts_with('<') && !word.ends_with(':')) {
            turn = (turn + word.matches('<').count()).saturating_sub(word.matches('>').count());
            if let Some((board, _)) = word.trim_start_matches('<').rsplit_once('.') {
                found.boards.push(board.replace('<', ""));
            }
            if turn == 0 {
                *plies += 1;
                found.at.push(now(number, *plies));
            }
        } else if let Some(square) = word
            .strip_prefix('<')
            .and_then(|word| word.strip_suffix(':'))
        {
            let way = format!("{}.{square}", now(number, *plies));
            found.at.push(way.clone());
            found.boards.push(square.into());
            open.push((way + ".", String::new(), 0));
        } else if word.starts_with('>') {
            if open.len() > 1 {
                open.pop();
            }
        } else if word.starts_with(|sign: char| sign.is_ascii_digit()) && word.contains('.') {
            let digits = word.trim_end_matches('.');
            if digits.ends_with(|sign: char| sign.is_ascii_alphabetic()) {
                found.boards.push(
                    digits
                        .trim_start_matches(|sign: char| sign.is_ascii_digit())
                        .to_uppercase(),
                );
                found.at.push(digits.into());
            } else {
                (*number, *plies) = (digits.into(), usize::from(word.ends_with("...")));
            }
        } else if word.starts_with(|sign: char| sign.is_ascii_alphabetic() || sign == '-') {
            *plies += 1;
            if !number.is_empty() {
                found.at.push(now(number, *plies));
            }
        }
    }
    found
}

/// Positions from some games of a file, at some moments and in some forms.
fn show(list: &mut Vec<Case>, file: &str, text: &str, games: usize, times: usize) {
    let all = mutants::games(text);
    let mut chance = Chance::named(&format!("moments of {file}"));
    const FORMS: [&[&str]; 6] = [
        &["--as-fen"],
        &["--json"],
        &[],
        &["--ascii"],
        &["--svg", "-"],
        &["--svg", "-", "--letters", "--size", "33"],
    ];
    for _ in 0..games.min(all.len()) {
        let number = chance.below(all.len());
        let moments = moments(&all[number].words);
        let number = (number + 1).to_string();
        let start = ["show", "--game", &number, file];
        for time in 0..times {
            let mut words = start.to_vec();
            let at = chance
                .pick(&moments.at)
                .cloned()
                .unwrap_or_else(|| "start".into());
            if time > 0 {
                words.extend(["--at", &at]);
            }
            words.extend(chance.pick(&FORMS).copied().unwrap_or_default());
            list.push(Case::call(words));
            if times > 1 {
                let mut words = start.to_vec();
                words.extend(["--at", &at, "--json"]);
                list.push(Case::call(words));
            }
        }
        if let Some(board) = chance.pick(&moments.boards).filter(|_| times > 1) {
            let at = chance
                .pick(&moments.at)
                .cloned()
                .unwrap_or_else(|| "end".into());
            let mut words = start.to_vec();
            words.extend(["--board", board, "--at", &at]);
            words.extend(chance.pick(&FORMS).copied().unwrap_or_default());
            list.push(Case::call(words));
        }
    }
}

/// The options of a recipe for `convert --from coord`. The number of boards is left out, as it follows from the initial
/// position.
fn game_of_a_record(recipe: &Recipe) -> Vec<String> {
    let mut words = Vec::new();
    for name in ["--variant", "--level", "--rules"] {
        if let Some(value) = recipe.option(name) {
            words.extend([name.to_owned(), value.to_owned()]);
        }
    }
    words
}

fn call(args: &[&str]) -> Step {
    Step::Call {
        args: args.iter().map(ToString::to_string).collect(),
        stdin: None,
        save: None,
    }
}

fn saved(args: &[&str], file: &str) -> Step {
    Step::Call {
        args: args.iter().map(ToString::to_string).collect(),
        stdin: None,
        save: Some(file.into()),
    }
}

fn script(name: String, steps: Vec<Step>) -> Case {
    Case {
        name,
        in_folder: true,
        steps,
    }
}

/// Records converted to other forms and back: coordinates, JSON Lines, sheets.
fn there_and_back(list: &mut Vec<Case>, files: &[String], game: &[String]) {
    let Some(first) = files.first() else { return };
    let names: Vec<String> = (1..=files.len())
        .map(|number| format!("{number}.npgn"))
        .collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let game: Vec<&str> = game.iter().map(String::as_str).collect();
    let of_all = |words: &[&str]| -> Vec<String> {
        words
            .iter()
            .chain(&names)
            .map(ToString::to_string)
            .collect()
    };
    let all = |words: &[&str]| Step::Call {
        args: of_all(words),
        stdin: None,
        save: None,
    };
    let all_saved = |words: &[&str], file: &str| Step::Call {
        args: of_all(words),
        stdin: None,
        save: Some(file.into()),
    };
    let back = [
        &["convert", "--from", "coord", "--to", "npgn", "moves.txt"][..],
        &game,
    ]
    .concat();
    let take = |(from, to): (&String, &&str)| Step::Take {
        from: from.clone(),
        to: (*to).to_owned(),
    };
    let mut steps: Vec<Step> = files.iter().zip(&names).map(take).collect();
    steps.extend([
        all_saved(&["convert", "--to", "coord"], "moves.txt"),
        saved(&back, "b.npgn"),
        call(&["check", "--json", "b.npgn"]),
        all_saved(&["convert", "--to", "jsonl"], "a.jsonl"),
        call(&["convert", "--from", "jsonl", "--to", "npgn", "a.jsonl"]),
        all_saved(&["unbundle"], "sheets.npgn"),
        saved(&["bundle", "sheets.npgn"], "c.npgn"),
        call(&["check", "--json", "sheets.npgn", "c.npgn"]),
        all(&["fmt", "--write"]),
        all(&["select", "--number", "1-2", "--split", "split"]),
    ]);
    list.push(script(format!("there and back: {first}"), steps));
}

fn about_ledger(list: &mut Vec<Case>, recipe: &Recipe) {
    let file = format!("games/{}.jsonl", recipe.name);
    for words in [
        &["ledger", "--json"][..],
        &["ledger", "--to", "csv"],
        &["ledger", "--to", "npgn"],
        &["stats", "-j", "1", "--json", "--sprt", "0,5"],
    ] {
        let mut words = words.to_vec();
        words.push(&file);
        list.push(Case::call(words));
    }
}

/// Plays the recipe once more: every byte of the ledger must be the same. Long games are cut short here.
fn play(recipe: &Recipe) -> Case {
    let mut line = Recipe {
        games: recipe.games.min(6),
        max_plies: recipe.max_plies.min(500),
        ..recipe.clone()
    }
    .command();
    line.extend(["--ledger".into(), "ledger.jsonl".into(), "--json".into()]);
    let mut steps = Vec::new();
    if let Some(openings) = &recipe.openings {
        line.extend(["--openings".into(), "openings.txt".into()]);
        steps.push(Step::Take {
            from: format!("lists/{openings}.txt"),
            to: "openings.txt".into(),
        });
    }
    steps.push(Step::Call {
        args: line,
        stdin: None,
        save: None,
    });
    script(format!("selfplay: {}", recipe.name), steps)
}

/// Lists of positions, valid and damaged.
fn about_positions(list: &mut Vec<Case>, one: &List) {
    let game: Vec<&str> = one.game.iter().map(String::as_str).collect();
    let (file, broken) = (
        format!("lists/{}.txt", one.name),
        format!("lists/{}.broken", one.name),
    );
    let boards = one.game.iter().any(|word| word == "--boards");
    let deep = if boards || one.name.contains("mega") || one.name.contains("recursive") {
        "1"
    } else {
        "2"
    };
    // Each further level of Mega-Chess has more than a hundred times as many plies.
    let level = one.game.iter().skip_while(|word| *word != "--level").nth(1);
    let is_deep = level.is_some_and(|level| level.parse::<u32>().is_ok_and(|level| level > 2));
    for (words, file) in [
        (&["moves", "-j", "1", "--json", "--fens"][..], &file),
        (&["moves", "-j", "1", "--fens"], &file),
        (&["perft", deep, "-j", "1", "--json", "--fens"], &file),
        (&["perft", "1", "-j", "2", "--divide", "--fens"], &file),
        (&["moves", "-j", "1", "--json", "--fens"], &broken),
        (&["perft", "1", "-j", "1", "--json", "--fens"], &broken),
    ] {
        if is_deep && words[0] == "perft" {
            continue;
        }
        let mut words = words.to_vec();
        words.push(file);
        words.extend(&game);
        list.push(Case::call(words));
    }
    if boards {
        list.push(Case::call(["score", "--json", "--fens", &file]));
        list.push(Case::call(["score", "--json", "--fens", &broken]));
    }
    let mut words = vec!["moves", "--json"];
    words.extend(&game);
    list.push(Case::call(words.clone()));
    words[0] = "show";
    words.retain(|word| *word != "--rules" && !word.contains('='));
    list.push(Case::call(words));
}

/// Calls that need no input.
fn bare(list: &mut Vec<Case>) {
    for words in [
        &["explain", "--json"][..],
        &["explain"],
        &[
            "explain",
            "--json",
            "CH-14",
            "missing-capture",
            "SC-42",
            "nonsense",
        ],
        &["completions", "bash"],
        &["completions", "klingon"],
        &["stats", "--json", "--wdl", "10,20,30"],
        &["stats", "--json", "--pairs", "1,9,81,8,1", "--sprt", "0,5"],
        &[
            "stats",
            "--csv",
            "--pairs",
            "1,9,81,8,1",
            "--sprt",
            "0,5",
            "--model",
            "normalised",
        ],
        &[
            "stats",
            "--json",
            "--outcomes",
            "0:3,0.25:4,1:9",
            "--unit-games",
            "4",
        ],
        &["stats", "--json", "--wdl", "0,0,0"],
        &["perft", "4", "--json"],
        &["perft", "3", "--variant", "olympic", "--divide"],
        &["perft", "3", "--variant", "metachess", "--json"],
        &["perft", "2", "--variant", "strategichess", "--json"],
        &[
            "perft",
            "2",
            "--variant",
            "strategichess",
            "--boards",
            "2",
            "--json",
        ],
        &["perft", "2", "--variant", "mega-chess", "--json"],
        &[
            "perft",
            "1",
            "--variant",
            "recursive",
            "--level",
            "2",
            "--json",
        ],
        &["perft", "3", "--variant", "overchess", "--json"],
        &[
            "perft",
            "3",
            "--variant",
            "overchess",
            "--rules",
            "depth=2:fog",
            "--json",
        ],
        &["moves", "--variant", "recursive", "--level", "0", "--json"],
        &["moves", "--variant", "overchess", "--rules", "nonsense"],
        &["moves", "--fen", "8/8/8/8/8/8/8/8 w - - 0 1"],
        &[
            "show",
            "--fen",
            "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
            "--svg",
            "-",
        ],
        &["show", "--variant", "mega-chess", "--ascii"],
        &["check", "corpus/none.pgn"],
        &[
            "check",
            "--json",
            "corpus/none.pgn",
            "corpus/examples/history.pgn",
        ],
        &["nonsense"],
        &["check", "--nonsense"],
        &[],
    ] {
        list.push(Case::call(words.iter().copied()));
    }
    for verb in [
        "check", "fmt", "show", "convert", "select", "moves", "perft", "selfplay", "stats",
        "event", "pair",
    ] {
        list.push(Case::call([verb, "--help"]));
    }
    for system in [
        "round-robin",
        "scheveningen",
        "knockout",
        "molter",
        "hutton",
    ] {
        for number in 2..=20_u32 {
            let cycles = (number % 3 + 1).to_string();
            let (boards, rounds) = ((number % 4 + 1).to_string(), (number % 5 + 1).to_string());
            let number = number.to_string();
            let mut words = vec!["pair", "table", system, &number];
            match system {
                "molter" => words.extend(["--boards", &boards, "--rounds", &rounds]),
                "hutton" => words.extend(["--boards", &boards]),
                "knockout" => {}
                _ => words.extend(["--cycles", &cycles]),
            }
            list.push(Case::call([&words[..], &["--json"]].concat()));
            list.push(Case::call(
                [&words[..], &["--to", "csv", "--safe"]].concat(),
            ));
        }
        list.push(Case::call(["pair", "table", system, "6", "--to", "html"]));
        list.push(Case::call([
            "pair", "table", system, "6", "--to", "markdown",
        ]));
    }
}

/// Matches on linked boards: kings at the end of time, and captains' instructions.
fn linked(list: &mut Vec<Case>, corpus: &[String], games: &[String], mutants: &[String]) {
    let of_boards = |files: &[String]| -> Vec<String> {
        let marks = ["linked", "scoring", "/SC-", "strategi"];
        files
            .iter()
            .filter(|file| marks.iter().any(|mark| file.contains(mark)))
            .cloned()
            .collect()
    };
    for files in [of_boards(corpus), of_boards(games), of_boards(mutants)] {
        for files in files.chunks(8) {
            for expiry in ["0:00:00", "0:02:30", "0:30:00", "1:30:00"] {
                list.push(Case::call(with(
                    &["score", "-j", "1", "--json", "--expiry", expiry],
                    files,
                )));
            }
            for team in ["W", "B"] {
                list.push(Case::call(with(
                    &["orders", "-j", "1", "--json", "--team", team],
                    files,
                )));
            }
            list.push(Case::call(with(
                &["score", "-j", "1", "--json", "--rules", "flag=end"],
                files,
            )));
            for rules in ["edition=2025", "flag=king", "edition=2025:flag=end"] {
                list.push(Case::call(with(
                    &["check", "-j", "1", "--json", "--rules", rules],
                    files,
                )));
            }
        }
    }
}

/// Plans, shards and merging, also with ledgers that were truncated or damaged.
fn plans(list: &mut Vec<Case>) {
    for (name, options) in [
        ("chess", &["--variant", "chess"][..]),
        ("olympic", &["--variant", "olympic", "--random-plies", "3"]),
        (
            "linked",
            &[
                "--variant",
                "strategichess",
                "--boards",
                "2",
                "--rules",
                "edition=2025",
            ],
        ),
        ("mega", &["--variant", "mega-chess"]),
        (
            "over",
            &["--variant", "overchess", "--rules", "fog:prisoners"],
        ),
        (
            "over-deep",
            &["--variant", "overchess", "--rules", "depth=2"],
        ),
        ("meta", &["--variant", "metachess"]),
    ] {
        let players = [
            "--player",
            "greedy",
            "--player",
            "random",
            "--pairs",
            "3",
            "--seed",
            "5",
            "--max-plies",
            "90",
        ];
        let plan = [
            &["plan", "plan.json", "--shards", "3"][..],
            options,
            &players,
        ]
        .concat();
        let single = [
            &["selfplay", "--ledger", "single.jsonl", "--json", "-j", "2"][..],
            options,
            &players,
        ]
        .concat();
        let steps = vec![
            call(&plan),
            call(&plan),
            call(&["run", "plan.json", "--shard", "0/3", "-j", "1", "--json"]),
            call(&["run", "plan.json", "--shard", "2/3", "-j", "1", "--json"]),
            call(&[
                "merge",
                "--out",
                "gaps.jsonl",
                "plan.0-of-3.jsonl",
                "plan.2-of-3.jsonl",
                "--json",
            ]),
            call(&[
                "merge",
                "--allow-gaps",
                "--out",
                "gaps.jsonl",
                "plan.0-of-3.jsonl",
                "plan.2-of-3.jsonl",
                "--json",
            ]),
            call(&["run", "plan.json", "--shard", "1/3", "-j", "1", "--json"]),
            call(&[
                "merge",
                "--out",
                "all.jsonl",
                "plan.0-of-3.jsonl",
                "plan.1-of-3.jsonl",
                "plan.2-of-3.jsonl",
                "--json",
            ]),
            call(&single),
            // A ledger torn in the middle of a line, and continued.
            Step::Edit {
                from: "single.jsonl".into(),
                to: "torn.jsonl".into(),
                edit: crate::case::Edit::Cut(700),
            },
            call(
                &[
                    &["selfplay", "--ledger", "torn.jsonl", "--json"][..],
                    options,
                    &players,
                ]
                .concat(),
            ),
            Step::Edit {
                from: "single.jsonl".into(),
                to: "damaged.jsonl".into(),
                edit: crate::case::Edit::Damage(format!("ledger of {name}")),
            },
            call(&["ledger", "--json", "damaged.jsonl"]),
            call(&["stats", "--json", "damaged.jsonl"]),
            call(&[
                "selfplay",
                "--ledger",
                "single.jsonl",
                "--player",
                "random",
                "--games",
                "1",
            ]),
            call(&[
                "stats",
                "--json",
                "all.jsonl",
                "--plot-score",
                "score.svg",
                "--plot-lengths",
                "lengths.svg",
            ]),
            call(&[
                "stats",
                "--csv",
                "all.jsonl",
                "--sprt",
                "0,30",
                "--plot-llr",
                "llr.svg",
            ]),
        ];
        list.push(script(format!("plan: {name}"), steps));
    }
    for schedule in ["pairs", "round-robin", "gauntlet"] {
        let steps = vec![
            call(&[
                "selfplay",
                "--schedule",
                schedule,
                "--player",
                "random",
                "--player",
                "greedy",
                "--player",
                "search:nodes=40",
                "--games",
                "2",
                "--max-plies",
                "60",
                "--ledger",
                "a.jsonl",
                "--json",
            ]),
            call(&["stats", "--json", "a.jsonl"]),
        ];
        list.push(script(format!("schedule: {schedule}"), steps));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> (Vec<String>, Vec<String>) {
        let words: Vec<String> = text.split_whitespace().map(Into::into).collect();
        let found = moments(&words);
        (found.at, found.boards)
    }

    #[test]
    fn moments_of_one_board() {
        assert_eq!(at("1. e4 e5 2. Nf3 1/2-1/2").0, ["1w", "1b", "2w"]);
        assert_eq!(at("7... e5 8. Nf3").0, ["7b", "8w"]);
    }

    #[test]
    fn moments_of_sub_games() {
        let (at, boards) = at("2. exd5 <d5: 1. a3 b6 2. axb6 <b6: 1. e4 > > Nf6");
        assert_eq!(
            at,
            [
                "2w",
                "2w.d5",
                "2w.d5.1w",
                "2w.d5.1b",
                "2w.d5.2w",
                "2w.d5.2w.b6",
                "2w.d5.2w.b6.1w",
                "2b"
            ]
        );
        assert_eq!(boards, ["d5", "b6"]);
    }

    #[test]
    fn moments_of_boards() {
        assert_eq!(
            at("12A. b5 12a. Nc3"),
            (
                vec!["12A".into(), "12a".into()],
                vec!["A".into(), "A".into()]
            )
        );
        let (at, boards) = at("1. <A2.e4 B1.<C1.d4 D1.e4>> <E7.e5> 2. Nc3");
        assert_eq!(at, ["1w", "1b", "2w"]);
        assert_eq!(boards, ["A2", "B1.C1", "D1", "E7"]);
    }
}
