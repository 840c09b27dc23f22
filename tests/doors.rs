//! The places where foreign text is used unescaped, and where markup is written directly: each file with the number of
//! places and the reason. All other text from outside can only be printed through a function that makes it safe to
//! display. The numbers may fall, but must not rise without a reason.

use std::{collections::BTreeMap, fs, path::Path};

/// Files in which foreign text is used as it came: to be compared, looked up or read, or to be written back to a record
/// or a file of the same kind, whose writer does its own escaping.
const AS_IT_CAME: &[(&str, usize, &str)] = &[
    (
        "cli/src/batch.rs",
        4,
        "names of players are read, and the path of a book",
    ),
    (
        "cli/src/commands/check/sarif.rs",
        2,
        "the path of a file becomes a URI; characters are counted",
    ),
    (
        "cli/src/commands/convert.rs",
        1,
        "the words of a finding become those of a complaint, which is made visible",
    ),
    (
        "cli/src/commands/desk/round.rs",
        1,
        "the time control of an event is written into records",
    ),
    ("cli/src/commands/event/enter.rs", 2, "names are compared"),
    ("cli/src/commands/event/import.rs", 1, "names are compared"),
    (
        "cli/src/commands/event/publish/pages.rs",
        5,
        "cells are compared and read; JSON escapes on its own",
    ),
    (
        "cli/src/commands/orders.rs",
        1,
        "the path of a file, which is opened",
    ),
    (
        "cli/src/commands/result.rs",
        1,
        "where a record lies, as the event keeps it",
    ),
    (
        "cli/src/commands/score.rs",
        1,
        "the path of a file, made visible where it is written",
    ),
    (
        "cli/src/commands/stats.rs",
        2,
        "variants are compared, and the forms of a name",
    ),
    (
        "cli/src/commands/view.rs",
        1,
        "the words of a finding become those of a complaint, which is made visible",
    ),
    ("cli/src/engines.rs", 3, "names are compared"),
    (
        "cli/src/commands/view/page.rs",
        4,
        "a list of names is taken apart into foreign names; the name of a game is looked up, a time control read, and `?` compared",
    ),
    (
        "cli/src/finding_details.rs",
        1,
        "squares are looked for in a message",
    ),
    ("cli/src/games.rs", 1, "a message is taken apart"),
    ("cli/src/grid.rs", 1, "cells are read as numbers"),
    (
        "cli/src/moments.rs",
        2,
        "captions are put together, and are foreign again",
    ),
    (
        "cli/src/render.rs",
        1,
        "the path of a file, which a shell is to read",
    ),
    ("cli/src/sheets.rs", 1, "the path of a file is looked up"),
    (
        "cli/src/summary.rs",
        1,
        "a variant is read, and is foreign again",
    ),
    (
        "desk/src/keeper.rs",
        1,
        "the words of a finding become those of a refusal, which is made visible",
    ),
    ("desk/src/state.rs", 1, "the recorded result is read"),
    (
        "engines/src/external/pool.rs",
        1,
        "letters and digits of it become the name of a file",
    ),
    ("engines/src/external/program.rs", 4, "a name is judged"),
    ("engines/src/external/seat.rs", 1, "a move is read"),
    (
        "engines/src/journal/line.rs",
        1,
        "put into an opening, which is foreign again",
    ),
    (
        "engines/src/manifest.rs",
        2,
        "the names of a player and of a game are read",
    ),
    (
        "engines/src/records.rs",
        5,
        "given back to a record, whose writer escapes on its own; a position is read",
    ),
    (
        "engines/src/stats/listener.rs",
        3,
        "teams are compared, and how long a name is",
    ),
    ("engines/src/stats/ratings.rs", 2, "names are looked up"),
    (
        "cli/src/input_copies.rs",
        2,
        "the path of a file is looked up",
    ),
    (
        "events/src/calls.rs",
        4,
        "names are compared, and become those of the referee",
    ),
    (
        "events/src/card.rs",
        4,
        "tags of records, whose writer escapes on its own",
    ),
    (
        "events/src/change.rs",
        6,
        "names and ids are compared and judged",
    ),
    ("events/src/checks.rs", 3, "names are compared and judged"),
    ("events/src/entry.rs", 1, "names are compared"),
    ("events/src/event.rs", 3, "names are compared and lent"),
    ("events/src/results.rs", 6, "names and results are compared"),
    ("events/src/roles.rs", 1, "lists of pieces are read"),
    (
        "events/src/roster.rs",
        13,
        "given back to the event's own tables",
    ),
    (
        "events/src/settings/sense.rs",
        2,
        "texts of settings are judged",
    ),
    ("events/src/settings.rs", 1, "the name of a game is read"),
    ("events/src/store.rs", 1, "who makes changes, for the log"),
    (
        "events/src/roster/foreign.rs",
        2,
        "names and ids are compared",
    ),
    ("events/src/trf.rs", 1, "a number is read"),
    ("events/src/trf/proof.rs", 2, "codes of tie-breaks are read"),
    (
        "events/src/trf/proof/claims.rs",
        3,
        "ids are compared, and the form of a federation and of a date is checked",
    ),
    ("events/src/trf/import.rs", 1, "names are judged"),
    (
        "events/src/trf/import/settings.rs",
        2,
        "texts and lists are read",
    ),
    ("events/src/trf/import/swiss.rs", 2, "codes are read"),
    ("referee/src/finding.rs", 2, "how long it is"),
    (
        "referee/src/report.rs",
        1,
        "a result is read for the score that it means",
    ),
    (
        "referee/src/rows.rs",
        1,
        "given back to a table of rows, which is a form of the record",
    ),
    (
        "games/src/overchess/judge/alone.rs",
        1,
        "the words of a finding, with the place of its sub-game before them",
    ),
    (
        "games/src/referee/mod.rs",
        1,
        "the words of a finding, with the game that can read its FEN after them",
    ),
    (
        "games/src/strategichess/linked/score/account.rs",
        2,
        "results and variants are compared",
    ),
    (
        "games/src/strategichess/linked/score/notes.rs",
        1,
        "put into a note, which is made visible where it is written",
    ),
    (
        "sheets/src/chess_records.rs",
        1,
        "the words of a finding become those of a problem",
    ),
    (
        "sheets/src/judge/lost_games.rs",
        1,
        "the words of one finding become those of another",
    ),
    (
        "sheets/src/judge/so_far.rs",
        1,
        "the words of one finding become those of another",
    ),
    (
        "sheets/src/text.rs",
        1,
        "the words of a finding become those of a problem",
    ),
    (
        "referee/src/standing.rs",
        1,
        "put into a message, which is foreign again",
    ),
];

/// Files that contain unescaped markup.
const AS_MARKUP: &[(&str, usize, &str)] = &[
    (
        "cli/src/commands/check/page.rs",
        4,
        "drawings, which take foreign text as strokes and as XML; lines of markup; the tags around a body in parts",
    ),
    (
        "cli/src/commands/view/page.rs",
        5,
        "drawings, which take foreign text as strokes and as XML, and JSON, which is escaped",
    ),
    (
        "cli/src/grid.rs",
        4,
        "the tags around a table that is written row by row, and those rows, which are escaped already",
    ),
    (
        "cli/src/page.rs",
        6,
        "a style sheet, a script and a mark of our own, and the tags around a body that is written in parts",
    ),
];

const ROOMS: [&str; 11] = [
    "desk",
    "rules",
    "formats",
    "games",
    "referee",
    "sheets",
    "engines",
    "cli",
    "schedules",
    "events",
    "pictures",
];

/// How often a call occurs in each file below a folder, tests excluded.
fn count(folder: &Path, root: &Path, call: &str, found: &mut BTreeMap<String, usize>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path
            .strip_prefix(root)
            .unwrap()
            .to_str()
            .unwrap()
            .replace('\\', "/");
        if path.is_dir() && !name.ends_with("/tests") {
            count(&path, root, call, found);
        } else if name.ends_with(".rs") && !name.ends_with("/tests.rs") {
            let times = fs::read_to_string(&path).unwrap().matches(call).count();
            if times > 0 {
                found.insert(name, times);
            }
        }
    }
}

fn check(call: &str, listed: &[(&str, usize, &str)], own: &str) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut found = BTreeMap::new();
    ROOMS
        .iter()
        .for_each(|room| count(&root.join(room).join("src"), root, call, &mut found));
    found.remove(own);
    let known: BTreeMap<String, usize> = listed
        .iter()
        .map(|(file, times, _)| ((*file).to_owned(), *times))
        .collect();
    assert_eq!(
        found, known,
        "`{call}` is listed in tests/doors.rs with the reason of each"
    );
    assert!(listed.iter().all(|(.., why)| !why.is_empty()));
}

#[test]
fn whoever_takes_foreign_text_as_it_came_has_a_reason() {
    check("as_it_came", AS_IT_CAME, "formats/src/foreign.rs");
}

#[test]
fn whoever_writes_raw_markup_has_a_reason() {
    check("PreEscaped(", AS_MARKUP, "");
}

/// Places that use standard output directly.
const WITHOUT_DOORS: &[(&str, usize, &str)] = &[
    ("cli/src/commands/completions.rs", 1, "a script of our own"),
    (
        "cli/src/commands/desk/input.rs",
        1,
        "only asked whether it is a terminal",
    ),
    ("cli/src/commands/man.rs", 1, "a page of our own"),
    (
        "cli/src/commands/score.rs",
        1,
        "asks what kind of stream it is",
    ),
    (
        "cli/src/commands/serve.rs",
        1,
        "a protocol, spoken to a program",
    ),
    (
        "cli/src/commands/show.rs",
        1,
        "asks what kind of stream it is",
    ),
    ("cli/src/ui.rs", 6, "the doors are made there"),
];

#[test]
fn standard_output_is_written_by_its_doors_alone() {
    check("io::stdout()", WITHOUT_DOORS, "");
}
