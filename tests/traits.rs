//! What a new game has to write: the required functions of its traits, as `docs/adding-a-game.md` lists them.

use std::{collections::BTreeMap, fs, path::Path};
use syn::{Item, TraitItem};

/// The traits of a game of any shape, and where they are.
const OF_A_GAME: [(&str, &str); 5] = [
    ("Game", "rules/src/game.rs"),
    ("Notation", "referee/src/game/notation.rs"),
    ("Record", "referee/src/game/record.rs"),
    ("Play", "referee/src/game/play.rs"),
    ("Judge", "referee/src/game/judge.rs"),
];

/// The traits of a position on one board, from which a game follows.
const OF_A_POSITION: [(&str, &str); 6] = [
    ("Movegen", "rules/src/position.rs"),
    ("Explain", "rules/src/position.rs"),
    ("DrawLaw", "rules/src/position.rs"),
    ("Irregular", "rules/src/position.rs"),
    ("BoardNotation", "games/src/one_board/notation.rs"),
    ("BoardValues", "games/src/one_board/play.rs"),
];

fn read(path: &str) -> String {
    let top = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    fs::read_to_string(top.join(path)).unwrap_or_else(|why| panic!("{path}: {why}"))
}

/// The functions of a trait: its required ones, and how many there are in all.
fn functions(name: &str, path: &str) -> (Vec<String>, usize) {
    let file = syn::parse_file(&read(path)).unwrap();
    let found = file.items.iter().find_map(|item| match item {
        Item::Trait(found) if found.ident == name => Some(found),
        _ => None,
    });
    let mut required = Vec::new();
    let mut all = 0;
    for item in &found
        .unwrap_or_else(|| panic!("no trait {name} in {path}"))
        .items
    {
        if let TraitItem::Fn(function) = item {
            all += 1;
            if function.default.is_none() {
                required.push(function.sig.ident.to_string());
            }
        }
    }
    (required, all)
}

/// The functions that the page lists in a table row for each trait: `` | `Game` | `start`, `options` | ``.
fn listed() -> BTreeMap<String, Vec<String>> {
    let mut listed = BTreeMap::new();
    for line in read("docs/adding-a-game.md").lines() {
        let cells: Vec<_> = line.split('|').map(str::trim).collect();
        let [_, name, functions, ..] = cells[..] else {
            continue;
        };
        let words = functions.split(", ");
        let bare = |word: &str| Some(word.strip_prefix('`')?.strip_suffix('`')?.to_owned());
        if let (Some(name), Some(functions)) = (bare(name), words.map(bare).collect()) {
            listed.insert(name, functions);
        }
    }
    listed
}

#[test]
fn the_page_lists_what_a_game_has_to_write() {
    let page = listed();
    for (name, path) in OF_A_GAME.into_iter().chain(OF_A_POSITION) {
        let (required, _) = functions(name, path);
        assert_eq!(page.get(name), Some(&required), "{name}");
    }
}

#[test]
fn a_game_has_few_functions_to_write() {
    let (mut required, mut all) = (0, 0);
    for (name, path) in OF_A_GAME {
        let (these, of_all) = functions(name, path);
        required += these.len();
        all += of_all;
    }
    assert!(required <= 40 && all <= 105, "{required} of {all}");
    let of_positions = OF_A_POSITION.map(|(name, path)| functions(name, path).0.len());
    assert!(of_positions.iter().sum::<usize>() <= 30, "{of_positions:?}");
}
