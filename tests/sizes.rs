//! The length of files and functions, in tokens: formatting cannot hide them.
//!
//! What is too long to keep in mind is split where it divides naturally. What was longer when this test began to count
//! is listed in `tests/house/long.txt`. Nothing is added there, and no number may grow: the list only shrinks.
//!
//! `tests/house/rooms.txt` has the tokens of each room. A change that makes a room more than a fiftieth larger, or smaller, writes
//! the new number there with `UPDATE_DOCS=1`, so that it is seen, and its message says what the room is larger for.

use proc_macro2::{Delimiter, Punct, Spacing, TokenStream, TokenTree};
use std::{collections::BTreeMap, fs, path::Path};

/// The maximum number of tokens of a file.
const FILE: usize = 5_000;
/// The maximum number of tokens of a function, with its signature.
const FUNCTION: usize = 700;

/// Folders with source files. The naive models are independent of the code and stay as they are.
const FOLDERS: [&str; 13] = [
    "cli",
    "desk",
    "engines",
    "events",
    "formats",
    "games",
    "pictures",
    "referee",
    "rules",
    "schedules",
    "sheets",
    "tests",
    "examples",
];
const APART: [&str; 2] = ["tests/naive/", "tests/norms/naive.rs"];

/// Lines of `tokens file` or `tokens file function`; a line that begins with `#` is a comment.
const LONG: &str = include_str!("house/long.txt");
/// Lines of `tokens room`.
const ROOMS: &str = "house/rooms.txt";
/// By which part of it a room may grow without notice.
const UNNOTICED: usize = 50;

fn sources(folder: &Path, files: &mut Vec<String>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() && path.file_name().is_some_and(|name| name != "target") {
            sources(&path, files);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            files.push(path.display().to_string());
        }
    }
}

/// The number of tokens of a file, and that of each function in it by its name. Of several functions with one name
/// the longest counts: a list by line numbers would change with every edit.
#[derive(Default)]
struct Sizes {
    file: usize,
    functions: BTreeMap<String, usize>,
}

impl Sizes {
    fn of(text: &str) -> Self {
        let stream: TokenStream = text.parse().expect("a source file can be read");
        let mut sizes = Self::default();
        sizes.file = sizes.count(stream);
        sizes
    }

    /// Counts `stream`, and notes the functions in it. A function inside another one counts for both.
    fn count(&mut self, stream: TokenStream) -> usize {
        let mut tokens = 0;
        // The name of the function whose body has not come yet, and the number of tokens before it.
        let mut function: Option<(String, usize)> = None;
        let mut rest = stream.into_iter().peekable();
        while let Some(token) = rest.next() {
            let start = tokens;
            let mut is_body = false;
            match token {
                TokenTree::Group(group) => {
                    is_body = group.delimiter() == Delimiter::Brace;
                    if group.delimiter() != Delimiter::None {
                        tokens += 2;
                    }
                    tokens += self.count(group.stream());
                }
                TokenTree::Punct(punct) if punct.as_char() == '#' && is_doc(rest.peek()) => {
                    rest.next();
                }
                // Imports follow from where things lie. (`use<'a>` in a type is no import.)
                TokenTree::Ident(word) if word == "use" && !is_punct(rest.peek(), '<') => {
                    for token in rest.by_ref() {
                        if is_punct(Some(&token), ';') {
                            break;
                        }
                    }
                }
                // Whether a comma ends the last item of a list is a matter of layout.
                TokenTree::Punct(punct) if punct.as_char() == ',' && rest.peek().is_none() => {}
                TokenTree::Punct(punct) => {
                    tokens += usize::from(!is_joined(&punct, rest.peek()));
                    if punct.as_char() == ';' {
                        function = None;
                    }
                }
                TokenTree::Ident(word) => {
                    tokens += 1;
                    if let (true, Some(TokenTree::Ident(name))) = (word == "fn", rest.peek()) {
                        function = Some((name.to_string(), start));
                    }
                }
                TokenTree::Literal(_) => tokens += 1,
            }
            if is_body && let Some((name, before)) = function.take() {
                let size = self.functions.entry(name).or_default();
                *size = (*size).max(tokens - before);
            }
        }
        tokens
    }
}

/// Whether this character and the next one are one token for a reader, such as `::` or `'a`.
fn is_joined(punct: &Punct, next: Option<&TokenTree>) -> bool {
    if punct.as_char() == '\'' {
        return true;
    }
    let (Spacing::Joint, Some(TokenTree::Punct(next))) = (punct.spacing(), next) else {
        return false;
    };
    match next.as_char() {
        ':' | '&' | '|' | '.' | '<' => punct.as_char() == next.as_char(),
        '>' => matches!(punct.as_char(), '-' | '=' | '>'),
        '=' => "=!<>+-*/%^&|.".contains(punct.as_char()),
        _ => false,
    }
}

fn is_punct(token: Option<&TokenTree>, character: char) -> bool {
    matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == character)
}

/// Whether the token after `#` makes it a comment for the documentation.
fn is_doc(token: Option<&TokenTree>) -> bool {
    let Some(TokenTree::Group(group)) = token else {
        return false;
    };
    let first = group.stream().into_iter().next();
    matches!(first, Some(TokenTree::Ident(word)) if word == "doc")
}

#[test]
fn files_and_functions_are_short_or_listed() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let prefix = format!("{}/", root.display());
    let mut files = Vec::new();
    for folder in FOLDERS {
        sources(&root.join(folder), &mut files);
    }
    assert!(files.len() > 300, "the sources are not where they were");
    let mut found = BTreeMap::new();
    for file in &files {
        let name = file.strip_prefix(&prefix).unwrap();
        if APART.iter().any(|apart| name.starts_with(apart)) {
            continue;
        }
        let sizes = Sizes::of(&fs::read_to_string(file).unwrap());
        if sizes.file > FILE {
            found.insert(name.to_owned(), sizes.file);
        }
        for (function, tokens) in sizes.functions {
            if tokens > FUNCTION {
                found.insert(format!("{name} {function}"), tokens);
            }
        }
    }
    let mut known = BTreeMap::new();
    for line in LONG.lines().filter(|line| !line.starts_with('#')) {
        let (tokens, place) = line
            .split_once(' ')
            .expect("a line has a number and a place");
        known.insert(place.to_owned(), tokens.parse::<usize>().unwrap());
    }
    agree(&found, &known);
}

/// The tokens of the source of a room, without its tests.
fn tokens_of(room: &Path) -> usize {
    let mut files = Vec::new();
    sources(&room.join("src"), &mut files);
    let is_of_tests = |file: &String| file.contains("/tests/") || file.ends_with("/tests.rs");
    let mut tokens = 0;
    for file in files.iter().filter(|file| !is_of_tests(file)) {
        let text = fs::read_to_string(file).unwrap();
        // Unit tests are the last module of a file.
        let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap();
        tokens += Sizes::of(code).file;
    }
    tokens
}

#[test]
fn rooms_grow_only_where_it_is_seen() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let list = root.join("tests").join(ROOMS);
    let known = fs::read_to_string(&list).unwrap_or_default();
    let (mut now, mut changed) = (String::new(), Vec::new());
    for line in known.lines() {
        if line.starts_with('#') {
            now += &format!("{line}\n");
            continue;
        }
        let (before, room) = line.split_once(' ').expect("a number and a room");
        let (before, tokens) = (
            before.parse::<usize>().unwrap(),
            tokens_of(&root.join(room)),
        );
        if tokens.abs_diff(before) * UNNOTICED > before {
            now += &format!("{tokens} {room}\n");
            changed.push(format!("{room}: {before} -> {tokens}"));
        } else {
            now += &format!("{line}\n");
        }
    }
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&list, now).unwrap();
        return;
    }
    assert!(
        changed.is_empty(),
        "rooms have changed by more than 2 %; UPDATE_DOCS=1 writes the new numbers: {changed:#?}"
    );
}

/// Checks that nothing is longer than permitted, and that nothing listed has become short.
fn agree(found: &BTreeMap<String, usize>, known: &BTreeMap<String, usize>) {
    let is_longer = |place: &str, tokens: usize| known.get(place).is_none_or(|most| *most < tokens);
    let longer: Vec<_> = found
        .iter()
        .filter(|(place, tokens)| is_longer(place, **tokens))
        .collect();
    assert!(
        longer.is_empty(),
        "longer than they may be, with their tokens: {longer:#?}"
    );
    let shorter: Vec<_> = known
        .keys()
        .filter(|place| !found.contains_key(*place))
        .collect();
    assert!(
        shorter.is_empty(),
        "short now, to be removed from the list: {shorter:#?}"
    );
}

#[test]
fn tokens_are_counted_as_a_reader_counts_them() {
    let text =
        "/// Words.\nfn name(a: &'static str) -> u8 { // why\n    inner::call(a)?;\n    1\n}";
    let sizes = Sizes::of(text);
    // fn name ( a : & 'static str ) -> u8 { inner :: call ( a ) ? ; 1 }
    assert_eq!(sizes.functions, BTreeMap::from([("name".to_owned(), 22)]));
    assert_eq!(sizes.file, 22);
}
