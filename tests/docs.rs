//! Every example in the documentation works as shown.

use crate::text::judge;
use overboard_games::registry::Variant;
use overboard_referee::finding::Verdict;
use overboard_rules::outcome::Cause;
use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

const OVERBOARD: &str = env!("CARGO_BIN_EXE_overboard");

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .unwrap()
        .to_owned()
}

/// All Markdown files in the root folder, in `docs`, and of the standard.
fn pages() -> Vec<PathBuf> {
    let in_folder = |folder: PathBuf| {
        fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().path())
    };
    let mut pages: Vec<_> = in_folder(root())
        .chain(in_folder(root().join("docs")))
        .chain(in_folder(root().join("docs/npgn")))
        .chain(in_folder(root().join("docs/play")))
        .chain(in_folder(root().join("docs/npgn/suite")))
        .collect();
    pages.retain(|path| path.extension().is_some_and(|ending| ending == "md"));
    pages.sort();
    pages
}

/// The fenced blocks of a page that are marked with `language`, each with the number of its first line.
fn blocks(page: &Path, language: &str) -> Vec<(usize, String)> {
    let text = fs::read_to_string(page).unwrap();
    let mut blocks = Vec::new();
    let mut open: Option<(usize, String)> = None;
    let mut fenced = false;
    for (index, line) in text.lines().enumerate() {
        if let Some(mark) = line.strip_prefix("```") {
            if let Some(block) = open.take() {
                blocks.push(block);
            } else if !fenced && mark == language {
                open = Some((index + 2, String::new()));
            }
            fenced = !fenced;
        } else if let Some((_, block)) = &mut open {
            block.push_str(line);
            block.push('\n');
        }
    }
    blocks
}

/// A command in a console block, and its expected output.
struct Shown {
    line: usize,
    command: String,
    output: Vec<String>,
}

fn commands(first: usize, block: &str) -> Vec<Shown> {
    let mut shown: Vec<Shown> = Vec::new();
    for (index, line) in block.lines().enumerate() {
        match (line.strip_prefix("$ "), shown.last_mut()) {
            (Some(command), _) => {
                shown.push(Shown {
                    line: first + index,
                    command: command.into(),
                    output: Vec::new(),
                });
            }
            (None, Some(last)) => last.output.push(line.trim_end().into()),
            (None, None) => panic!("line {}: output before any command", first + index),
        }
    }
    shown
}

/// Runs a command line from the documentation in the root folder of the project.
fn run(command: &str) -> Output {
    let command = command.replace("cargo run --", "overboard");
    let folder = Path::new(OVERBOARD).parent().unwrap();
    let path = format!("{}:{}", folder.display(), std::env::var("PATH").unwrap());
    Command::new("bash")
        .args(["-c", &format!("exec 2>&1; {command}")])
        .current_dir(root())
        .env("PATH", path)
        .env("NO_COLOR", "1")
        .env("OVERBOARD_CONFIG", "")
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

fn is_ours(command: &str) -> bool {
    command.contains("overboard") || command.contains("cargo run")
}

/// Whether the only optional program in the examples is installed.
fn can_run(command: &str) -> bool {
    !command.contains("jq ") || Command::new("jq").arg("--version").output().is_ok()
}

/// Whether the output has the expected lines; a line `…` stands for any number of lines.
fn agree(expected: &[String], printed: &[String]) -> bool {
    match expected.split_first() {
        None => printed.is_empty(),
        Some((first, rest)) if first == "…" => {
            (0..=printed.len()).any(|skip| agree(rest, &printed[skip..]))
        }
        Some((first, rest)) => printed
            .split_first()
            .is_some_and(|(line, after)| line == first && agree(rest, after)),
    }
}

#[test]
fn console_blocks_print_what_they_show() {
    let mut wrong = Vec::new();
    for page in pages() {
        for (first, block) in blocks(&page, "console") {
            for shown in commands(first, &block) {
                if !is_ours(&shown.command) || !can_run(&shown.command) {
                    continue;
                }
                let output = run(&shown.command);
                let printed: Vec<String> = String::from_utf8_lossy(&output.stdout)
                    .lines()
                    .map(|line| line.trim_end().to_string())
                    .collect();
                let mut expected = shown.output.clone();
                while expected.last().is_some_and(String::is_empty)
                    && printed.last().is_none_or(|line| !line.is_empty())
                {
                    expected.pop();
                }
                if !agree(&expected, &printed) {
                    wrong.push(format!(
                        "{}:{}: $ {}\n{}",
                        page.display(),
                        shown.line,
                        shown.command,
                        printed.join("\n")
                    ));
                }
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "these print something else:\n\n{}",
        wrong.join("\n\n")
    );
}

#[test]
fn records_in_the_documentation_are_canonical() {
    let mut wrong = Vec::new();
    for page in pages() {
        for (first, block) in blocks(&page, "npgn")
            .into_iter()
            .filter(|(_, block)| block.starts_with("[Event "))
        {
            let mut file = tempfile::NamedTempFile::new().unwrap();
            std::io::Write::write_all(&mut file, format!("{block}\n").as_bytes()).unwrap();
            let done = Command::new(OVERBOARD)
                .env("OVERBOARD_CONFIG", "")
                .arg("fmt")
                .arg(file.path())
                .output()
                .unwrap();
            let written = String::from_utf8_lossy(&done.stdout).into_owned();
            if written.trim_end() != block.trim_end() {
                wrong.push(format!("{}:{first}:\n{written}", page.display()));
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "these are written otherwise:\n\n{}",
        wrong.join("\n\n")
    );
}

/// The page that teaches a game in five minutes has first moves, and they are legal.
#[test]
fn first_moves_are_legal() {
    let mut taught = BTreeSet::new();
    for page in fs::read_dir(root().join("docs/play")).unwrap() {
        let page = page.unwrap().path();
        let [(_, record)] = &blocks(&page, "npgn")[..] else {
            panic!("{}: one record", page.display());
        };
        let report = judge(record.as_bytes()).remove(0);
        assert_eq!(report.verdict, Verdict::Clean, "{}", page.display());
        assert!(report.plies > 2, "{}", page.display());
        let game = record.split('"').nth(1).unwrap();
        taught.insert(Variant::of(Some(game.as_bytes())).unwrap().name());
    }
    // Chess is known, also from an array drawn by lot, and one page serves for a game and its like.
    let known = ["Chess", "Chess960", "Crazyhouse960", "Recursive Chess"];
    for game in Variant::ALL {
        let name = game.name();
        assert!(taught.contains(name) || known.contains(&name), "{name}");
    }
}

/// The contents of the site lead to every page once.
#[test]
fn the_site_has_every_page() {
    let docs = root().join("docs");
    let contents = fs::read_to_string(docs.join("SUMMARY.md")).unwrap();
    let links = contents.split("](").skip(1);
    let listed: Vec<_> = links.map(|rest| rest.split(')').next().unwrap()).collect();
    let once: BTreeSet<_> = listed.iter().copied().collect();
    assert_eq!(listed.len(), once.len());
    let mut found = Vec::new();
    ending_in(&docs, "md", &mut found);
    let there: BTreeSet<_> = found
        .iter()
        .map(|path| path.strip_prefix(&docs).unwrap().to_str().unwrap())
        .filter(|name| *name != "SUMMARY.md")
        .collect();
    assert_eq!(once, there);
}

/// The front page of the site leads to pages, and to games that `packages/site` makes.
#[test]
fn the_front_page_of_the_site_leads_somewhere() {
    let page = fs::read_to_string(root().join("packages/site.html")).unwrap();
    let script = fs::read_to_string(root().join("packages/site")).unwrap();
    for attribute in ["href=\"", "src=\""] {
        for link in page.split(attribute).skip(1) {
            let link = link.split(['"', '#']).next().unwrap();
            let is_there = match link.strip_prefix("view/") {
                Some(name) => {
                    let name = name.strip_suffix(".html").unwrap();
                    script
                        .lines()
                        .any(|line| line.starts_with(&format!("view {name} ")))
                }
                None => {
                    let file = link.replace("index.html", "README.md");
                    root().join(file.replace(".html", ".md")).exists()
                }
            };
            assert!(is_there, "{link}");
        }
    }
}

/// The README is for a first minute: what more there is to say stands in the pages that it leads to.
#[test]
fn the_front_page_is_short() {
    let text = fs::read_to_string(root().join("README.md")).unwrap();
    let mut is_code = false;
    let mut words = 0;
    for line in text.lines() {
        is_code ^= line.starts_with("```");
        let is_prose = !is_code && !line.starts_with(['|', '!', '`']);
        if is_prose {
            words += line.split_whitespace().count();
        }
    }
    assert!((200..900).contains(&words), "{words} words");
}

#[test]
fn links_between_pages_lead_somewhere() {
    let mut wrong = Vec::new();
    for page in pages() {
        let text = fs::read_to_string(&page).unwrap();
        for link in text
            .split("](")
            .skip(1)
            .filter_map(|rest| rest.split(')').next())
        {
            let file = link.split('#').next().unwrap();
            let target = page.parent().unwrap().join(file);
            if !file.is_empty() && !link.contains("://") && !target.exists() {
                wrong.push(format!("{}: {link}", page.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "these lead nowhere: {wrong:#?}");
}

/// The words in the first column of the table of a page whose header row begins like this.
fn listed(page: &str, head: &str) -> BTreeSet<String> {
    let text = fs::read_to_string(root().join("docs").join(page)).unwrap();
    let table: Vec<&str> = text
        .lines()
        .skip_while(|line| !line.starts_with(head))
        .skip(2)
        .collect();
    let rows = table.iter().take_while(|line| line.starts_with('|'));
    let words = rows.flat_map(|row| row.split('|').nth(1).unwrap().split('`').skip(1).step_by(2));
    words.map(ToString::to_string).collect()
}

#[test]
fn tables_of_ends_hold_them_all() {
    let words =
        |is_one: &dyn Fn(&Cause) -> bool, word: &dyn Fn(Cause) -> String| -> BTreeSet<String> {
            Cause::ALL
                .iter()
                .filter(|cause| is_one(cause))
                .map(|cause| word(*cause))
                .collect()
        };
    let all = words(&|_| true, &|cause| cause.word().into());
    assert_eq!(listed("json.md", "| termination |"), all);
    let mut shown = words(&|cause| cause.status().is_some(), &|cause| {
        cause.status().unwrap().into()
    });
    shown.extend(["ongoing", "check"].map(ToString::to_string));
    assert_eq!(listed("json.md", "| status | the position"), shown);
    // In self-play no flag falls, and no player claims, agrees or resigns.
    let played = |cause: &Cause| {
        *cause == Cause::PlyCap || cause.status().is_some() && *cause != Cause::Flag
    };
    assert_eq!(
        listed("self-play.md", "| termination |"),
        words(&played, &|cause| cause.word().into())
    );
}

/// The files in a folder, and in those inside it, whose names end like this.
fn ending_in(folder: &Path, ending: &str, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            ending_in(&path, ending, found);
        } else if path.extension().is_some_and(|own| own == ending) {
            found.push(path);
        }
    }
}

/// The first pages that a reader of `cargo doc` sees have an example: the front page of each crate, each public trait,
/// each game, and the file formats. The doctests verify that the examples run.
#[test]
fn what_a_reader_of_the_api_meets_first_has_an_example() {
    let crates = [
        "rules",
        "pictures",
        "formats",
        "games",
        "referee",
        "sheets",
        "schedules",
        "events",
        "engines",
    ];
    let mut files = Vec::new();
    for name in crates {
        ending_in(&root().join(name).join("src"), "rs", &mut files);
    }
    let mut wrong = Vec::new();
    let mut traits = 0;
    for file in &files {
        let text = fs::read_to_string(file).unwrap();
        let front = text
            .lines()
            .take_while(|line| line.starts_with("//!"))
            .any(|line| line.contains("```"));
        let mut doc = false;
        for line in text.lines() {
            if line.starts_with("pub trait ") {
                traits += 1;
                if !(front || doc) {
                    wrong.push(format!("{}: {line}", file.display()));
                }
            }
            doc = (line.starts_with("///") || line.starts_with("#["))
                && (doc || line.contains("```"));
        }
        let name = file.strip_prefix(root()).unwrap().display().to_string();
        let is_game = name.starts_with("games/src/")
            && name.ends_with("/mod.rs")
            && name.matches('/').count() == 3;
        let is_format = [
            "formats/src/parse.rs",
            "formats/src/header.rs",
            "formats/src/encoding.rs",
            "formats/src/record.rs",
            "formats/src/json_lines.rs",
            "events/src/settings.rs",
            "events/src/roster.rs",
            "events/src/rounds.rs",
            "events/src/table.rs",
            "events/src/pairing_basis.rs",
            "events/src/store.rs",
            "events/src/trf.rs",
            "engines/src/manifest.rs",
            "engines/src/journal.rs",
            "engines/src/book.rs",
        ]
        .contains(&&*name);
        // Code shared by games on eight by eight squares is not a game.
        let has_to =
            name.ends_with("src/lib.rs") || is_format || is_game && !name.contains("/board8/");
        // A game in one file has its front page in `mod.rs`; a folder inside a game is not a game.
        if has_to && !front && !name.contains("/notation/") && !name.contains("/coordinates/") {
            wrong.push(format!("{name}: its first paragraph"));
        }
    }
    assert!(
        traits > 15 && files.len() > 200,
        "{traits} traits in {} files",
        files.len()
    );
    assert!(
        wrong.is_empty(),
        "these have no example:\n{}",
        wrong.join("\n")
    );
}

/// Every dependency has a row in the table of the page about the code.
#[test]
fn every_dependency_has_its_reason() {
    let manifest = fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let page = fs::read_to_string(root().join("docs/architecture.md")).unwrap();
    let (_, table) = page.split_once("## Dependencies").unwrap();
    let (_, listed) = manifest.split_once("[workspace.dependencies]").unwrap();
    let names = listed
        .lines()
        .take_while(|line| !line.starts_with('['))
        .filter_map(|line| line.split_once(" = "));
    let unnamed: Vec<_> = names
        .map(|(name, _)| name)
        .filter(|name| !name.starts_with("overboard-") && !table.contains(&format!("`{name}`")))
        .collect();
    assert!(
        unnamed.is_empty(),
        "docs/architecture.md does not say why: {unnamed:?}"
    );
}
