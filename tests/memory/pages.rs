//! Pages of games need bounded memory, whatever they are about, and say what they leave out.

use crate::{BOUND, is_deep, peak};
use rayon::prelude::*;
use std::fs;

/// What a file is full of: its name, its beginning, and what is repeated after it.
const FULL_OF: [(&str, &str, &str); 12] = [
    ("tags", "", "[Event \"y\"]\n"),
    ("results", "", "1-0 "),
    ("illegal words", "[Event \"x\"]\n\n", "Zzz9 "),
    ("plies", "[Event \"x\"]\n\n", "Nf3 Nf6 Ng1 Ng8 "),
    (
        "games",
        "",
        "[Event \"x\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *\n\n",
    ),
    (
        "games with errors",
        "",
        "[Event \"x\"]\n\n1. e4 e5 2. Nf4 Nc6 3. Bb5 a6 *\n\n",
    ),
    (
        "a long comment",
        "[Event \"x\"]\n\n1. e4 {",
        "words and words ",
    ),
    ("comments", "[Event \"x\"]\n\n1. e4 ", "{a remark} "),
    (
        "marks",
        "[Event \"x\"]\n\n1. e4 ",
        "{[%csl Ra1,Ga2,Rb3][%cal Ra1a2]} ",
    ),
    ("variations", "[Event \"x\"]\n\n1. e4 ", "(1. d4 d5) "),
    ("depth", "[Event \"x\"]\n\n1. e4 ", "(1. d4 "),
    (
        "blocks",
        "[Variant \"Overchess\"]\n\n1. e4 d5 2. exd5 ",
        "<d5: 1. e4 e5 2. Nf3 *> ",
    ),
];

#[test]
fn pages_of_games_keep_their_memory_within_bounds() {
    let too_much: Vec<String> = FULL_OF.par_iter().flat_map_iter(over_the_bound).collect();
    assert!(too_much.is_empty(), "{too_much:#?}");
}

/// The commands that need too much memory for the page of a game that is full of something.
fn over_the_bound((name, start, part): &(&str, &str, &str)) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let (file, page) = (folder.path().join("all.npgn"), folder.path().join("page"));
    let [file_name, page_name] = [&file, &page].map(|path| path.to_str().unwrap());
    let size = if is_deep() { 100 << 20 } else { 1 << 14 };
    let text = String::from(*start) + &part.repeat(size / part.len());
    fs::write(&file, text).unwrap();
    let mut over = Vec::new();
    for words in [
        &["view", "--output", page_name, file_name][..],
        &["check", "--html", page_name, file_name],
    ] {
        let most = peak(words);
        println!("{most:>9} KiB  {:<8} {name}", words[0]);
        if most > BOUND {
            over.push(format!("{name}: {}: {most} KiB", words[0]));
        }
    }
    over
}

/// The record of a game of an event is matched with that game, and counted if it is StrategiChess, before its page is made.
#[test]
fn published_games_keep_their_memory_within_bounds() {
    let size = if is_deep() { 100 << 20 } else { 1 << 14 };
    for (game, start, part) in [
        ("chess", "", "Nf3 Nf6 Ng1 Ng8 "),
        ("chess", "1. e4 {", "words and words "),
        ("chess", "1. e4 ", "(1. d4 d5) "),
        (
            "strategichess",
            "[Variant \"StrategiChess\"]\n\n",
            "Nd5 Nd10 Nc3 Nc12 ",
        ),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let [cup, site, file] = ["cup", "site", "all.npgn"].map(|name| folder.path().join(name));
        let [cup, site, file_name] = [&cup, &site, &file].map(|path| path.to_str().unwrap());
        for words in [
            &["event", "new", cup, "--game", game, "--of", "players"][..],
            &["event", "enter", cup, "Ann"],
            &["event", "enter", cup, "Bob"],
            &["pair", "next", cup],
        ] {
            peak(words);
        }
        let tags = "[Event \"cup\"]\n[White \"Ann\"]\n[Black \"Bob\"]\n[Round \"1.1\"]\n";
        let between = if start.starts_with('[') { "" } else { "\n" };
        let record = format!("{tags}{between}{start}{}", part.repeat(size / part.len()));
        fs::write(&file, record).unwrap();
        let most = peak(&["event", "publish", cup, site, "--games", file_name]);
        println!("{most:>9} KiB  publish  {game}: {part}");
        assert!(most < BOUND, "{game}: {part}: {most} KiB");
    }
}

#[test]
fn a_page_says_what_it_leaves_out() {
    let folder = tempfile::tempdir().unwrap();
    let (file, page) = (folder.path().join("all.npgn"), folder.path().join("page"));
    let [file_name, page_name] = [&file, &page].map(|path| path.to_str().unwrap());
    let comment = "words ".repeat(1 << 18);
    let plies = "Nf3 Nf6 Ng1 Ng8\n".repeat(20_000);
    let game = format!("[Event \"x\"]\n\n1. e4 {{{comment}}} e5 {plies} (d4 d5) *\n");
    fs::write(&file, game).unwrap();
    peak(&["view", "--output", page_name, file_name]);
    let text = fs::read_to_string(&page).unwrap();
    let (_, said) = text.split_once("This page is full. Left out: ").unwrap();
    let said = said.split("</p>").next().unwrap();
    for words in [
        " steps from line ",
        " moves in variations",
        " bytes of comments",
    ] {
        assert!(said.contains(words), "{said}");
    }
    let games = "[Event \"x\"]\n\n1. e4 *\n\n".repeat(10_100);
    fs::write(&file, games).unwrap();
    peak(&["check", "--html", page_name, file_name]);
    let text = fs::read_to_string(&page).unwrap();
    assert!(text.contains("This page is full: the last games are only listed."));
}
