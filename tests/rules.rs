//! Rules, the code that enforces them, their documentation and their example games are consistent.
//!
//! `UPDATE_DOCS=1` rewrites the pages made from the rules, the findings and the help texts.

use crate::{
    run::{overboard, printed},
    text::{self, judge, judge_sheets, judge_with},
};
use overboard_formats::limits::Limits;
use overboard_games::laws::{self, PAGES};
use overboard_referee::{
    Options,
    finding::{CODES, Code, GROUPS, Severity, Verdict, Weights},
    report::Report,
};
use overboard_rules::rule::{Binding, Example, Kind, Page, Rule};
use std::{
    collections::BTreeSet,
    fmt::Write,
    fs,
    path::{Path, PathBuf},
};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn files(folder: &str) -> Vec<PathBuf> {
    let mut files: Vec<_> = fs::read_dir(root().join(folder))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    files
}

/// The folders of example games: for rules of all games, and for rules of one.
const EXAMPLES: [&str; 2] = ["rules/examples", "games/examples"];

fn examples() -> impl Iterator<Item = (&'static Rule, &'static Example)> {
    laws::all().flat_map(|rule| rule.examples.iter().map(move |example| (rule, example)))
}

fn only_game(example: &Example) -> Report {
    let mut reports = judge(example.text.as_bytes());
    assert_eq!(reports.len(), 1, "{} holds one game", example.name);
    reports.remove(0)
}

fn cited(report: &Report) -> impl Iterator<Item = &'static str> {
    report
        .findings
        .iter()
        .filter_map(|finding| finding.rule)
        .chain(report.result.rule)
        .map(|rule| rule.id)
}

#[test]
fn no_two_rules_share_an_id() {
    let mut seen = BTreeSet::new();
    for rule in laws::all() {
        assert!(seen.insert(rule.id.to_lowercase()), "{}", rule.id);
        assert_eq!(laws::find(&rule.id.to_lowercase()), Some(rule));
    }
}

#[test]
fn every_rule_has_the_examples_of_its_kind() {
    for rule in laws::all() {
        let kept = rule
            .examples
            .iter()
            .filter(|example| example.keeps())
            .count();
        let broken = rule.examples.len() - kept;
        let enough = match rule.kind {
            Kind::Law | Kind::Ending => kept > 0 && broken > 0,
            Kind::Definition | Kind::Permission => kept > 0,
        };
        assert!(
            enough,
            "{} is a {} with {kept} kept and {broken} broken games",
            rule.id, rule.kind
        );
        assert!(
            !rule.gist.is_empty() && !rule.text.is_empty(),
            "{} says something",
            rule.id
        );
    }
}

#[test]
fn a_kept_game_is_judged_without_a_word() {
    for (_, example) in examples().filter(|(_, example)| example.keeps()) {
        let findings = only_game(example).findings;
        let words: Vec<_> = findings
            .iter()
            // They only say what a claim rests on, and what another notation is here.
            .filter(|finding| !SAYING.contains(&finding.code.id))
            .map(|finding| format!("{}: {}", finding.code.id, finding.message.as_it_came()))
            .collect();
        assert!(words.is_empty(), "{}: {words:?}", example.name);
    }
}

/// Findings that are no reproach.
const SAYING: [&str; 3] = ["right-claim", "bpgn-form", "board-result"];

/// Whether an example is in the notation of servers for Bughouse.
pub fn is_bpgn(example: &Example) -> bool {
    example.text.contains("[WhiteA ")
}

#[test]
fn a_kept_game_stands_in_canonical_form() {
    for (_, example) in examples().filter(|(_, example)| example.keeps()) {
        let written = String::from_utf8(text::canonical(example.text.as_bytes())).unwrap();
        if is_bpgn(example) {
            let again = text::canonical(written.as_bytes());
            assert_eq!(written.as_bytes(), again, "{}", example.name);
            assert_eq!(judge(&again)[0].findings, [], "{written}");
        } else {
            assert_eq!(written, example.text, "{}", example.name);
        }
    }
}

#[test]
fn a_broken_game_is_found_out_by_its_rule() {
    for (rule, example) in examples().filter(|(_, example)| !example.keeps()) {
        let report = only_game(example);
        assert_ne!(report.verdict, Verdict::Clean, "{}", example.name);
        let cited: Vec<_> = cited(&report).collect();
        assert!(cited.contains(&rule.id), "{} cites {cited:?}", example.name);
    }
}

#[test]
fn every_example_file_belongs_to_a_rule() {
    let named: BTreeSet<_> = examples()
        .map(|(_, example)| format!("{}.pgn", example.name))
        .collect();
    let there: BTreeSet<_> = EXAMPLES
        .iter()
        .flat_map(|folder| files(folder))
        .map(|path| path.file_name().unwrap().to_str().unwrap().to_string())
        .collect();
    assert_eq!(named, there);
}

/// The page is in `docs/` word for word; with `UPDATE_DOCS` it is written there.
pub fn stands(page: &str, text: &str) {
    let path = root().join("docs").join(page);
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
    }
    let there = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        there == text,
        "docs/{page} is not what the code says; UPDATE_DOCS=1 cargo test --test tests rules:: npgn:: rewrites it"
    );
}

/// The explanation on every page of the lines under its headings.
const HOW_TO_READ: &str = "**How to read this page.** Under the heading of each rule are three things. First its kind: a *law* \
    can be broken, an *ending* ends the game, a *definition* says what a word means, a *permission* allows something. Then its \
    source: an article of the FIDE Laws, *the author's text*, or *our ruling*, which is a decision of this project where the \
    source is silent. (Rulings within other rules begin with \"By our ruling\".) Last, whether it is always *in force*, or an \
    *option* that is off unless the tag `Rules` or the event declares it. The examples are records that keep or break the rule; \
    `overboard explain` with the id prints the rule and one of each.";

/// What an example shows, according to its name: `kept`, or `broken: into check`.
fn label(example: &Example) -> String {
    let (_, shows) = example.name.split_once('.').unwrap();
    match shows.split_once('-') {
        Some((verdict, case)) => format!("{verdict}: {}", case.replace('-', " ")),
        None => shows.to_owned(),
    }
}

fn rules_page(page: &Page) -> String {
    let mut text = format!(
        "# {}\n\n{}\n\n{HOW_TO_READ}\n\n## Contents\n\n",
        page.title, page.preface
    );
    for rule in page.rules {
        let option = if rule.standing == Binding::Option {
            " (option)"
        } else {
            ""
        };
        writeln!(text, "- [{0}](#{0}) {1}{option}", rule.id, rule.gist).unwrap();
    }
    for rule in page.rules {
        // Games that keep the rule come first.
        let mut examples: Vec<_> = rule.examples.iter().collect();
        examples.sort_by_key(|example| !example.keeps());
        let links: Vec<_> = examples
            .into_iter()
            .map(|example| {
                let file = format!("{}.pgn", example.name);
                let folder = EXAMPLES
                    .iter()
                    .find(|folder| root().join(folder).join(&file).exists())
                    .unwrap();
                format!("[{}](../../{folder}/{file})", label(example))
            })
            .collect();
        write!(
            text,
            "\n<a id=\"{}\"></a>\n## {} {}\n\n",
            rule.id, rule.id, rule.gist
        )
        .unwrap();
        writeln!(
            text,
            "*{}; {}; {}*\n\n{}\n",
            rule.kind, rule.source, rule.standing, rule.text
        )
        .unwrap();
        writeln!(text, "Examples: {}", links.join(", ")).unwrap();
    }
    text
}

#[test]
fn every_page_of_rules_says_what_the_rules_say() {
    for page in PAGES.iter() {
        stands(&format!("rules/{}.md", page.name), &rules_page(page));
    }
}

fn finding_entry(code: &Code) -> String {
    let mut entry = format!("\n<a id=\"{0}\"></a>\n### {0}\n\n", code.id);
    let meaning = if code.is_leniency() {
        "as an error: verdict"
    } else {
        "verdict"
    };
    writeln!(
        entry,
        "*{} ({meaning} `{}`)*\n\n{}",
        code.severity, code.verdict, code.text
    )
    .unwrap();
    if !code.broken.is_empty() {
        writeln!(
            entry,
            "\nWith this finding:\n\n    {}\n\nWithout it:\n\n    {}",
            code.broken, code.mended
        )
        .unwrap();
    }
    entry
}

/// The first sentence of a text, for a table.
pub fn first_sentence(text: &str) -> &str {
    text.find(". ").map_or(text, |end| &text[..=end])
}

#[test]
fn the_page_of_findings_says_what_the_codes_say() {
    let mut page = String::from(
        "# Findings\n\nEvery kind of finding of `overboard check`, by its code. Codes never change. A warning or a note can be \
         hidden (`--allow CODE`) or made an error (`--deny CODE`; `--strict` does so for all but `claimable`). Errors can be \
         neither hidden nor softened. Under each code are its severity and the verdict on a game in which it is an error; below \
         that, a piece of a record that has it, and the same without it. `overboard explain CODE` prints the same.\n",
    );
    for (group, codes) in GROUPS {
        write!(
            page,
            "\n**{group}**\n\n| code | severity | in short |\n|---|---|---|\n"
        )
        .unwrap();
        for code in *codes {
            writeln!(
                page,
                "| [`{0}`](#{0}) | {1} | {2} |",
                code.id,
                code.severity,
                first_sentence(code.text)
            )
            .unwrap();
        }
    }
    for (group, codes) in GROUPS {
        write!(page, "\n## {group}\n").unwrap();
        page.extend(codes.iter().map(|code| finding_entry(code)));
    }
    assert_eq!(
        GROUPS.iter().map(|(_, codes)| codes.len()).sum::<usize>(),
        CODES.len()
    );
    stands("findings.md", &page);
}

fn help(command: &[&str]) -> String {
    let (text, exit) = printed(&overboard(&[command, &["--help"]].concat()));
    assert_eq!(exit, 0, "{command:?} --help");
    text.lines()
        .map(|line| format!("{}\n", line.trim_end()))
        .collect()
}

/// The commands in the tool's help, except `help` itself.
fn commands(help: &str) -> Vec<&str> {
    let listed = help
        .lines()
        .skip_while(|line| *line != "Commands:")
        .skip(1)
        .take_while(|line| !line.is_empty());
    listed
        .filter_map(|line| {
            line.strip_prefix("  ")?
                .split(' ')
                .next()
                .filter(|name| !name.is_empty())
        })
        .filter(|name| *name != "help")
        .collect()
}

#[test]
fn the_page_of_commands_says_what_help_says() {
    let all = help(&[]);
    let mut page = format!(
        "# Commands\n\nWhat `overboard --help` prints, for each command.\n\n## overboard\n\n```text\n{all}```\n"
    );
    assert!(commands(&all).contains(&"check"), "{all}");
    for command in commands(&all) {
        let text = help(&[command]);
        write!(page, "\n## overboard {command}\n\n```text\n{text}```\n").unwrap();
        for part in commands(&text) {
            write!(
                page,
                "\n### overboard {command} {part}\n\n```text\n{}```\n",
                help(&[command, part])
            )
            .unwrap();
        }
    }
    stands("cli.md", &page);
}

/// Texts for the kinds of finding that neither a file nor their own example produces.
const SNIPPETS: [(&str, &str); 3] = [
    ("dangling", "(1. e4) 1. d4 *"),
    (
        "mated-in-fen",
        "[Variant \"StrategiChess\"]\n[Boards \"A:B\"]\n[Rules \"edition=2025\"]\n[SetUp \"1\"]\n[FEN \"R6k6/R13/14/2p11/14/14/14/14/14/14/14/7K6/14/14 b c 0 1 | 14/14/7k6/14/14/14/14/14/14/14/14/7K6/14/14 w - 0 1\"]\n\n1a. c8 *",
    ),
    // Was Black's king on board A lost? If so, the king on board B is the last, and cannot be captured (SC-25).
    (
        "open-ply",
        "[Variant \"StrategiChess\"]\n[Boards \"A:B:C\"]\n[SetUp \"1\"]\n[FEN \"14/14/11k2/14/14/14/14/14/14/14/14/7K6/14/14 w - 0 1 | 14/14/1k12/14/14/14/14/14/1R12/14/14/7K6/14/14 w - 0 1 | 14/14/14/4p9/14/14/14/14/14/14/4P9/7K6/14/14 w - 0 1\"]\n\n1C. e5 1A. Kh9 1c. e10 1B. Rxb12 *",
    ),
];

fn found(text: &[u8]) -> BTreeSet<&'static str> {
    found_with(text, Options::default())
}

fn found_with(text: &[u8], options: Options) -> BTreeSet<&'static str> {
    judge_sheets(text, options)
        .iter()
        .flat_map(|report| &report.findings)
        .map(|finding| finding.code.id)
        .collect()
}

fn found_in_the_corpus() -> BTreeSet<&'static str> {
    let folders = [
        "docs/npgn/suite/foreign",
        "docs/npgn/suite/notation",
        EXAMPLES[0],
        EXAMPLES[1],
        "examples",
    ];
    let paths = folders.into_iter().flat_map(files).filter(|path| {
        path.extension()
            .is_some_and(|end| end == "pgn" || end == "npgn")
    });
    paths
        .flat_map(|path| found(&fs::read(path).unwrap()))
        .collect()
}

#[test]
fn every_kind_of_finding_comes_about() {
    let mut there = found_in_the_corpus();
    there.extend(
        CODES
            .iter()
            .filter(|code| found(code.broken.as_bytes()).contains(code.id))
            .map(|code| code.id),
    );
    for (code, text) in SNIPPETS {
        assert!(found(text.as_bytes()).contains(code), "{code}: {text}");
        there.insert(code);
    }
    let one_tag = Options {
        limits: Limits {
            tags: 1,
            ..Limits::default()
        },
        ..Options::default()
    };
    there.extend(found_with(b"[Event \"?\"]\n[Site \"?\"]\n\n*", one_tag));
    // At most a thousand findings of one kind are listed for a game.
    there.extend(found(format!("1. e4 {}*", "+- ".repeat(1001)).as_bytes()));
    // A missing file has no text.
    assert!(
        printed(&overboard(&["check", "--json", "nowhere.pgn"]))
            .0
            .contains("\"code\":\"no-file\"")
    );
    there.insert("no-file");
    // One record is no game that comes twice.
    let game = "[Date \"2024.03.01\"] [White \"Doe, Ann\"] [Black \"Roe, Ben\"] 1. e4 *\n\n";
    let folder = tempfile::tempdir().unwrap();
    let twice = folder.path().join("twice.pgn");
    fs::write(&twice, game.repeat(2)).unwrap();
    let twice = twice.display().to_string();
    assert!(
        printed(&overboard(&["check", "--json", &twice]))
            .0
            .contains("\"code\":\"same-game\"")
    );
    there.insert("same-game");
    // Without ordinals, which settle the order of the moves.
    let sheet = |board: &str, moves: &str| {
        format!("[Variant \"StrategiChess\"] [Parent \"7/{board}\"] {moves} *\n\n")
    };
    let sheets = [
        "[Variant \"StrategiChess\"] [GameId \"7\"] [Boards \"A:B\"] *\n\n".into(),
        sheet("A", "1. e4"),
        sheet("B", "1. Ke9"),
    ];
    let both_players = [
        "[Variant \"StrategiChess\"] [GameId \"7\"] [Boards \"A:B\"] *\n\n".into(),
        sheet("A", "1. e4"),
        sheet("B", "1. e4"),
        sheet("B", "1. f4"),
    ];
    for (sheets, code) in [
        (&sheets[..], "no-order"),
        (&both_players[..], "unlike-sheets"),
    ] {
        let slip = folder.path().join("slip.npgn");
        fs::write(&slip, sheets.concat()).unwrap();
        let slip = slip.display().to_string();
        let found = printed(&overboard(&["check", "--json", &slip])).0;
        assert!(found.contains(&format!("\"code\":\"{code}\"")), "{found}");
        there.insert(code);
    }
    let never: Vec<_> = CODES
        .iter()
        .map(|code| code.id)
        .filter(|id| !there.contains(id))
        .collect();
    assert!(never.is_empty(), "{never:?}");
}

/// Findings that a record without a roster and without a result has anyway.
const BARE: [&str; 2] = ["missing-tag", "missing-result"];

#[test]
fn the_example_of_a_finding_brings_it_about_and_its_mended_form_has_none() {
    let mut wrong = Vec::new();
    for code in CODES.iter().filter(|code| !code.broken.is_empty()) {
        if !found(code.broken.as_bytes()).contains(code.id) {
            wrong.push(format!("{}: not found in {}", code.id, code.broken));
        }
        let mut left = found(code.mended.as_bytes());
        if !left.contains(code.id) {
            left.retain(|other| !BARE.contains(other));
        }
        if code.mended.is_empty() || !left.is_empty() {
            wrong.push(format!("{}: {left:?} in {}", code.id, code.mended));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn weights_change_leniencies_and_nothing_else() {
    let codes = |ids: &[&str]| {
        ids.iter()
            .map(|id| Code::find(id).unwrap())
            .collect::<Vec<_>>()
    };
    let judged = |weights, text: &str| {
        let reports = judge_with(
            text.as_bytes(),
            Options {
                weights,
                ..Options::default()
            },
        );
        reports
            .into_iter()
            .next()
            .unwrap()
            .findings
            .into_iter()
            .map(|finding| (finding.code.id, finding.severity))
            .collect::<Vec<_>>()
    };
    let capture = "1. e4 d5 2. ed5 *";
    let allowed = Weights::new(
        &codes(&["missing-capture", "missing-tag", "illegal-move"]),
        &[],
        false,
    );
    let denied = Weights::new(&[], &codes(&["missing-capture"]), false);
    assert_eq!(judged(allowed.clone(), capture), []);
    assert_eq!(
        judged(allowed, "1. e5 *"),
        [("illegal-move", Severity::Error)]
    );
    assert!(judged(denied, capture).contains(&("missing-capture", Severity::Error)));
    assert!(
        judged(Weights::new(&[], &[], true), capture)
            .iter()
            .all(|(_, severity)| *severity == Severity::Error)
    );
}
