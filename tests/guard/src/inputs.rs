//! The inputs: files that the old version has committed, and files generated from them.
//!
//! They are made once and kept. The name of their folder is a hash of the old commit, of the program that plays the
//! games, and of the source files of the generators; if any of these changes, they are made anew.

use crate::{
    chance::Chance,
    games::{Recipe, recipes},
    hostile, mutants,
    program::{Exit, Program},
};
use rayon::prelude::*;
use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
};

/// The sources that determine the generated inputs.
const GENERATORS: [&str; 5] = [
    include_str!("chance.rs"),
    include_str!("games.rs"),
    include_str!("hostile.rs"),
    include_str!("inputs.rs"),
    include_str!("mutants.rs"),
];

/// Positions of one game, one on each line.
#[derive(Clone)]
pub struct List {
    pub name: String,
    /// The options that choose the game.
    pub game: Vec<String>,
}

/// The inputs of all cases.
pub struct Inputs {
    /// The folder in which the calls are made.
    pub root: PathBuf,
    pub key: String,
    /// The batches of games that were played.
    pub recipes: Vec<Recipe>,
    /// The lists of positions that were written.
    pub lists: Vec<List>,
}

impl Inputs {
    /// The inputs in `cache`, made by the old program and from its sources if they are not there yet; and whether they
    /// had to be made.
    pub fn prepare(
        old: &Program,
        source: &Path,
        commit: &str,
        cache: &Path,
    ) -> io::Result<(Self, bool)> {
        let mut hasher = blake3::Hasher::new();
        hasher.update(commit.as_bytes());
        hasher.update(&fs::read(&old.path)?);
        for generator in GENERATORS {
            hasher.update(generator.as_bytes());
        }
        let key = hasher.finalize().to_hex()[..16].to_owned();
        let root = cache.join(format!("inputs-{key}"));
        let made = !root.is_dir();
        if made {
            // Made in another folder and renamed, so that an interrupted run leaves no incomplete inputs.
            let work = cache.join(format!("inputs-{key}.unfinished"));
            if work.is_dir() {
                fs::remove_dir_all(&work)?;
            }
            fs::create_dir_all(&work)?;
            make(old, source, &work)?;
            fs::rename(&work, &root)?;
        }
        let naive = naive(&root.join("corpus/positions"))?;
        let all = all_recipes(&naive);
        let recipes: Vec<Recipe> = all
            .into_iter()
            .filter(|recipe| root.join(format!("games/{}.npgn", recipe.name)).is_file())
            .collect();
        let mut lists: Vec<List> = naive
            .into_iter()
            .map(|(list, _)| list)
            .chain(recipes.iter().map(|recipe| List {
                name: recipe.name.clone(),
                game: recipe.game.clone(),
            }))
            .collect();
        lists.retain(|list| root.join(format!("lists/{}.txt", list.name)).is_file());
        Ok((
            Self {
                root,
                key,
                recipes,
                lists,
            },
            made,
        ))
    }

    /// The sorted paths of the files below a folder of the inputs that have one of these endings.
    pub fn files(&self, folder: &str, endings: &[&str]) -> io::Result<Vec<String>> {
        let mut found = Vec::new();
        walk(&self.root.join(folder), folder, &mut found)?;
        found.retain(|name| endings.iter().any(|ending| name.ends_with(ending)));
        found.sort();
        Ok(found)
    }

    /// A file of the inputs as text.
    pub fn text(&self, file: &str) -> io::Result<String> {
        Ok(String::from_utf8_lossy(&fs::read(self.root.join(file))?).into_owned())
    }
}

fn walk(folder: &Path, prefix: &str, found: &mut Vec<String>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = format!("{prefix}/{}", entry.file_name().to_string_lossy());
        if entry.file_type()?.is_dir() {
            walk(&entry.path(), &name, found)?;
        } else {
            found.push(name);
        }
    }
    Ok(())
}

fn copy_all(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy_all(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}

/// The positions whose lines were counted with the naive models, as one list for each game and set of options.
fn naive(folder: &Path) -> io::Result<Vec<(List, String)>> {
    let mut lists: BTreeMap<String, (Vec<String>, String)> = BTreeMap::new();
    for (file, game) in [
        ("linked", "strategichess"),
        ("mega", "recursive"),
        ("metachess", "metachess"),
        ("olympic", "olympic"),
        ("overchess", "overchess"),
        ("strategichess", "strategichess"),
    ] {
        let text = fs::read_to_string(folder.join(format!("{file}.txt")))?;
        for line in text
            .lines()
            .filter(|line| !line.is_empty() && !line.starts_with('#'))
        {
            let mut cells = line.split('\t');
            let mut words = vec!["--variant".to_owned(), game.to_owned()];
            let option = if matches!(file, "linked" | "mega" | "overchess") {
                cells.next().unwrap_or_default().replace(',', ":")
            } else {
                String::new()
            };
            let fen = cells.next().unwrap_or_default();
            let boards = fen.split(" | ").count().to_string();
            match file {
                "linked" => words.extend(
                    ["--boards", &boards, "--rules", &format!("edition={option}")].map(Into::into),
                ),
                "mega" => words.extend(["--level".into(), option.clone()]),
                "overchess" if option != "-" => words.extend(["--rules".into(), option.clone()]),
                _ => {}
            }
            let mut name = format!("naive-{file}-{}", option.replace([':', '='], "-"));
            if file == "linked" {
                name.push_str(&format!("-{boards}"));
            }
            let name = name.trim_end_matches('-').to_owned();
            let list = lists.entry(name).or_insert_with(|| (words, String::new()));
            list.1.push_str(fen);
            list.1.push('\n');
        }
    }
    Ok(lists
        .into_iter()
        .map(|(name, (game, text))| (List { name, game }, text))
        .collect())
}

/// All recipes, including those that start from lists.
fn all_recipes(naive: &[(List, String)]) -> Vec<Recipe> {
    let from = naive.iter().map(|(list, text)| {
        Recipe::from_list(
            &list.name,
            &list.game,
            (text.lines().count() as u32).min(24),
        )
    });
    recipes().into_iter().chain(from).collect()
}

fn make(old: &Program, source: &Path, root: &Path) -> io::Result<()> {
    for (from, to) in [
        ("tests/games", "games"),
        ("examples", "examples"),
        ("tests/events", "events"),
        ("tests/naive/positions", "positions"),
    ] {
        copy_all(&source.join(from), &root.join("corpus").join(to))?;
    }
    for folder in ["games", "lists", "mutants", "hostile"] {
        fs::create_dir_all(root.join(folder))?;
    }
    for (name, bytes) in hostile::files() {
        fs::write(root.join(format!("hostile/{name}.npgn")), bytes)?;
    }
    let naive = naive(&root.join("corpus/positions"))?;
    for (list, text) in &naive {
        fs::write(root.join(format!("lists/{}.txt", list.name)), text)?;
        broken_list(root, &list.name, text)?;
    }
    all_recipes(&naive)
        .par_iter()
        .try_for_each(|recipe| play(old, root, recipe))?;
    corpus_mutants(root)
}

/// Plays a recipe and makes its record, mutants and positions. If the old program refuses the recipe there are none,
/// but the refusal itself is compared.
fn play(old: &Program, root: &Path, recipe: &Recipe) -> io::Result<()> {
    let name = &recipe.name;
    let run = |words: &[&str]| {
        old.run(
            &words.iter().map(ToString::to_string).collect::<Vec<_>>(),
            root,
            None,
        )
    };
    let ledger = format!("games/{name}.jsonl");
    let mut line = recipe.command();
    if let Some(list) = &recipe.openings {
        line.extend(["--openings".into(), format!("lists/{list}.txt")]);
    }
    line.extend(["--ledger".into(), ledger.clone()]);
    if old.run(&line, root, None)?.exit != Exit::Code(0) {
        return Ok(());
    }
    let record = format!("games/{name}.npgn");
    let text = run(&["ledger", "--to", "npgn", &ledger])?.stdout;
    fs::write(root.join(&record), &text)?;
    let games = mutants::games(&String::from_utf8_lossy(&text));
    let mut chance = Chance::named(&format!("mutants of {name}"));
    let count = match () {
        // Records of deep levels are long, so a few are enough.
        _ if name.starts_with("recursive") => 8,
        _ if games.len() > 10 || recipe.is_linked() => 40,
        _ => 24,
    };
    let made: String = (0..count)
        .filter_map(|_| {
            Some(mutants::mutant(
                chance.pick(&games)?,
                &mut chance_copy(&mut chance),
            ))
        })
        .collect();
    fs::write(root.join(format!("mutants/{name}.npgn")), made)?;
    // A position of Mega-Chess has up to a hundred boards; positions of deep levels are too long to keep many.
    let fens = run(&["convert", "--to", "fen", &record])?.stdout;
    let fens = String::from_utf8_lossy(&fens);
    let lines: Vec<&str> = fens
        .lines()
        .filter(|line| !line.is_empty() && line.len() < 12_000)
        .collect();
    let count = if name.starts_with("over-") || name.starts_with("recursive") {
        10
    } else {
        40
    };
    let list: String = (0..count)
        .filter_map(|_| Some(format!("{}\n", chance.pick(&lines)?)))
        .collect();
    fs::write(root.join(format!("lists/{name}.txt")), &list)?;
    broken_list(root, name, &list)
}

/// A separate stream for one mutant, so that the next mutant does not depend on how many numbers this one draws.
fn chance_copy(chance: &mut Chance) -> Chance {
    Chance::named(&format!("mutant {}", chance.below(u32::MAX as usize)))
}

fn broken_list(root: &Path, name: &str, text: &str) -> io::Result<()> {
    let mut chance = Chance::named(&format!("positions of {name}"));
    let lines: Vec<&str> = text.lines().collect();
    let count = if name.starts_with("over-") { 24 } else { 90 };
    let line = |_| {
        Some(
            mutants::changed(chance.pick(&lines)?, &mut chance_copy(&mut chance))
                .replace(['\n', '\r'], " ")
                + "\n",
        )
    };
    let broken: String = (0..count).filter_map(line).collect();
    fs::write(root.join(format!("lists/{name}.broken")), broken)
}

/// Mutants of the committed files: examples of rules, records in every notation, and other examples.
fn corpus_mutants(root: &Path) -> io::Result<()> {
    let mut names = Vec::new();
    walk(&root.join("corpus"), "corpus", &mut names)?;
    names.retain(|name| name.ends_with(".pgn") || name.ends_with(".npgn"));
    names.sort();
    for (index, names) in names.chunks(16).enumerate() {
        let mut made = String::new();
        for name in names {
            let text = fs::read(root.join(name))?;
            let games = mutants::games(&String::from_utf8_lossy(&text));
            let mut chance = Chance::named(&format!("mutants of {name}"));
            for _ in 0..10 {
                if let Some(game) = chance.pick(&games) {
                    made.push_str(&mutants::mutant(game, &mut chance));
                }
            }
        }
        fs::write(root.join(format!("mutants/corpus-{index:02}.npgn")), made)?;
    }
    Ok(())
}
