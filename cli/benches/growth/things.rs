//! What records can have many of, and the commands that read them: for the benchmark of growth, and the test that
//! limits it.

use overboard_rules::ply::BoardName;

/// The commands that read records.
pub const READERS: [&[&str]; 11] = [
    &["check", "--quiet"],
    &["check", "--json"],
    &["fmt"],
    &["stats"],
    &["convert", "--to", "jsonl"],
    &["convert", "--to", "coord"],
    &["convert", "--to", "plies"],
    &["convert", "--to", "games"],
    &["select", "--verdict", "clean"],
    &["show", "--list"],
    &["unbundle"],
];
/// The commands that read the sheets of boards.
pub const BUNDLERS: [&[&str]; 2] = [&["bundle"], &["check", "--quiet"]];

/// The commands that make pages, and one that judges what they show.
pub const PAGES: [&[&str]; 3] = [
    &["check", "--html", "/dev/null"],
    &["view", "--game", "1", "--output", "/dev/null"],
    &["check", "--quiet"],
];

/// A thing that a record can have many of.
pub struct Thing {
    pub name: &'static str,
    pub record: fn(usize) -> String,
    /// Copies of the record in a file, so that its time can be measured.
    pub copies: usize,
    /// The commands that read it.
    pub readers: &'static [&'static [&'static str]],
}

pub const THINGS: [Thing; 15] = [
    Thing {
        name: "games",
        record: |n| record("", "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6").repeat(n),
        copies: 10,
        readers: &READERS,
    },
    Thing {
        name: "plies",
        record: plies,
        copies: 100,
        readers: &READERS,
    },
    Thing {
        name: "tags",
        record: |n| record(&repeated(n, |i| format!("[Tag{i} \"x\"]\n")), "1. e4"),
        copies: 500,
        readers: &READERS,
    },
    Thing {
        name: "variations",
        record: |n| record("", &format!("1. e4{}", " (1. d4 d5)".repeat(n))),
        copies: 200,
        readers: &READERS,
    },
    Thing {
        name: "comments",
        record: |n| {
            record(
                "",
                &format!("1. e4{}", " {[%clk 1:00:00] so it went}".repeat(n)),
            )
        },
        copies: 200,
        readers: &READERS,
    },
    Thing {
        name: "depth",
        record: |n| {
            record(
                "",
                &format!("1. e4{}{}", " (1. d4".repeat(n), ")".repeat(n)),
            )
        },
        copies: 200,
        readers: &READERS,
    },
    Thing {
        name: "findings",
        record: |n| record("", &format!("1. e4{} e5", " $999".repeat(n))),
        copies: 200,
        readers: &READERS,
    },
    Thing {
        name: "boards",
        record: |n| boards(n, &["1{A}. a5", "1{a}. a10"]),
        copies: 10,
        readers: &READERS,
    },
    Thing {
        name: "boards, a pass on each",
        record: |n| boards(n, &["1{A}. --"]),
        copies: 1,
        readers: &READERS,
    },
    Thing {
        name: "sub-games",
        record: sub_games,
        copies: 12,
        readers: &READERS,
    },
    Thing {
        name: "sheets of matches",
        record: |n| repeated(n, |at| sheets_of(at, 2)),
        copies: 1,
        readers: &BUNDLERS,
    },
    Thing {
        name: "sheets of boards",
        record: |n| sheets_of(7, n),
        copies: 1,
        readers: &BUNDLERS,
    },
    Thing {
        name: "sheets, each inside the one before",
        record: chain,
        copies: 1,
        readers: &BUNDLERS,
    },
    Thing {
        name: "sheets that are one sheet again and again",
        record: |n| sheets_of(7, 2) + &sheet_of(7, "B", "StrategiChess").repeat(n),
        copies: 1,
        readers: &BUNDLERS,
    },
    Thing {
        name: "blocks at one attack",
        record: blocks,
        copies: 1,
        readers: &PAGES,
    },
];

fn repeated(times: usize, text: impl Fn(usize) -> String) -> String {
    (0..times).map(text).collect()
}

/// A record with these tags in addition to those that every record has.
pub fn record(tags: &str, moves: &str) -> String {
    let roster = "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n";
    format!("{roster}{tags}\n{moves} *\n\n")
}

/// A variation of this many moves, where no repetition is counted.
fn plies(moves: usize) -> String {
    let there_and_back = ["Nf3 Nf6", "Ng1 Ng8"];
    let text = repeated(moves, |at| {
        format!(" {}. {}", at + 1, there_and_back[at % 2])
    });
    record("", &format!("1. e4 ({})", text.trim_start()))
}

/// These plies on each of this many boards, whose letters replace `{A}` and `{a}`.
fn boards(boards: usize, plies: &[&str]) -> String {
    let names: Vec<_> = (0..boards)
        .map(|board| BoardName(board).to_string())
        .collect();
    let on = |name: &String| {
        let lettered = |ply: &&str| {
            ply.replace("{A}", name)
                .replace("{a}", &name.to_lowercase())
        };
        plies.iter().map(lettered).collect::<Vec<_>>().join(" ")
    };
    let moves = names.iter().map(on).collect::<Vec<_>>().join("\n");
    record(
        &format!(
            "[Variant \"StrategiChess\"]\n[Boards \"{}\"]\n",
            names.join(":")
        ),
        &moves,
    )
}

/// The sheets of this many boards of a game, without marks of their order.
fn sheets_of(game: usize, boards: usize) -> String {
    let names: Vec<_> = (0..boards)
        .map(|board| BoardName(board).to_string())
        .collect();
    let of_match = "[Variant \"StrategiChess\"]\n";
    let of_board = |name: &String| {
        record(
            &format!("[Parent \"{game}/{name}\"]\n{of_match}"),
            "1. a5 a10 2. b5 b10 3. c5 c10 4. d5 d10",
        )
    };
    let outer = record(
        &format!(
            "[GameId \"{game}\"]\n[Boards \"{}\"]\n{of_match}",
            names.join(":")
        ),
        "",
    );
    outer + &names.iter().map(of_board).collect::<String>()
}

/// The sheet of a board of a game.
fn sheet_of(game: usize, board: &str, variant: &str) -> String {
    record(
        &format!("[Parent \"{game}/{board}\"]\n[Variant \"{variant}\"]\n"),
        "1. a5 a10 2. b5 b10 3. c5 c10 4. d5 d10",
    )
}

/// Sheets of which each names the one before as its parent.
fn chain(count: usize) -> String {
    let link = |at: usize| {
        let parent = match at {
            0 => String::new(),
            _ => format!("[Parent \"{}/d5\"]\n", at - 1),
        };
        record(
            &format!("[GameId \"{at}\"]\n{parent}[Variant \"Overchess\"]\n"),
            "1. e4 d5 2. exd5",
        )
    };
    repeated(count, link)
}

/// Four times as many sub-games of Overchess at one attack, one after the other: fewer take less time than can be measured.
fn blocks(count: usize) -> String {
    let block = " <d5: 1. e4 e5 2. Nf3 *>";
    record(
        "[Variant \"Overchess\"]\n",
        &format!("1. e4 d5 2. exd5{}", block.repeat(4 * count)),
    )
}

/// Four times as many sub-games of Overchess in variations, each of a few moves.
fn sub_games(count: usize) -> String {
    let attack = "1. e4 d5 2. exd5 <d5: 1. e4 e5 2. Nf3 *>";
    let again = " (2. exd5 <d5: 1. d4 d5 *>)";
    record(
        "[Variant \"Overchess\"]\n",
        &format!("{attack}{}", again.repeat(4 * count)),
    )
}
