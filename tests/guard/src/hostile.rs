//! Hostile text: random bytes, thousands of brackets, numbers out of range, names of a mebibyte.

use crate::chance::Chance;

/// A file's name and its bytes.
pub type Named = (String, Vec<u8>);

fn around(moves: &str) -> String {
    format!(
        "[Event \"?\"]\n[Result \"*\"]\n\n{moves} *\n\n[Event \"after\"]\n[Result \"*\"]\n\n1. e4 *\n"
    )
}

/// All hostile files, the same in every run.
pub fn files() -> Vec<Named> {
    let deep = |open: &str, close: &str, times: usize| open.repeat(times) + &close.repeat(times);
    let texts = [
        ("empty", String::new()),
        ("blank", "\n \n\t\n".into()),
        (
            "rav-deep",
            around(&format!("1. e4 {}", deep("(1. d4 ", ")", 3000))),
        ),
        ("rav-open", around(&format!("1. e4 {}", "(".repeat(5000)))),
        ("rav-close", around(&format!("1. e4 {}", ")".repeat(500)))),
        (
            "blocks-deep",
            around(&format!("1. e4 {}", deep("<d5: 1. e4 ", ">", 1200))),
        ),
        (
            "turns-deep",
            format!(
                "[Variant \"Mega-Chess\"]\n[Level \"64\"]\n\n1. {} *\n",
                deep("<A2.", ">", 80)
            ),
        ),
        (
            "overchess-deep",
            format!(
                "[Variant \"Overchess\"]\n[Rules \"depth=64\"]\n\n1. e4 d5 2. exd5 {} *\n",
                deep("<d5: 1. e4 d5 2. exd5 ", ">", 70)
            ),
        ),
        (
            "level-huge",
            "[Variant \"Recursive Chess\"]\n[Level \"99999999999999999999\"]\n\n1. Nc3 *\n".into(),
        ),
        (
            "level-65",
            "[Variant \"Recursive Chess\"]\n[Level \"65\"]\n\n1. Nc3 *\n".into(),
        ),
        (
            "depth-65",
            "[Variant \"Overchess\"]\n[Rules \"depth=65\"]\n\n1. e4 *\n".into(),
        ),
        (
            "boards-2000",
            format!(
                "[Variant \"StrategiChess\"]\n[Boards \"{}\"]\n\n1A. b5 *\n",
                vec!["A"; 2000].join(":")
            ),
        ),
        (
            "tags-many",
            (0..5000)
                .map(|n| format!("[T{n} \"x\"]\n"))
                .collect::<String>()
                + "\n1. e4 *\n",
        ),
        (
            "tags-double",
            "[White \"a\"]\n[White \"b\"]\n[white \"c\"]\n\n1. e4 *\n".into(),
        ),
        (
            "tag-long",
            format!("[Event \"{}\"]\n\n1. e4 *\n", "x".repeat(200_000)),
        ),
        ("tag-open", "[Event \"abc\n\n1. e4 *\n".into()),
        (
            "tag-escapes",
            "[Event \"a\\\"b\\\\c\\d\"]\n[Site \"\u{1b}[31mred\"]\n\n1. e4 *\n".into(),
        ),
        (
            "comment-long",
            around(&format!("1. e4 {{{}}}", "word ".repeat(30_000))),
        ),
        ("comment-open", around("1. e4 {no end")),
        ("line-long", format!("{} *\n", "1. e4 e5 ".repeat(20_000))),
        (
            "number-huge",
            around("99999999999999999999. e4 184467440737095516160... e5 $99999999999999"),
        ),
        (
            "symbols-long",
            around(&format!("1. {} {}", "N".repeat(300), "e4".repeat(200))),
        ),
        (
            "bidi",
            around("1. e4 {\u{202e}abc\u{2066}} e5 \u{feff} \u{200b}Nf3"),
        ),
        ("figurines", around("1. ♘f3 ♞f6 2. ♙e4")),
        (
            "glued",
            "[Event\"a\"][Site\"b\"]1.e4e5 2.Nf3Nc6(2...d6)1-0[Event\"c\"]1.d4 *".into(),
        ),
        ("crlf", around("1. e4 e5").replace('\n', "\r\n")),
        ("cr", around("1. e4 e5").replace('\n', "\r")),
        ("results", around("1. e4 1-0 e5 0-1 1/2-1/2 * 1-0")),
        ("percent", "% escape\n1. e4\n% again\n1... e5 *\n%".into()),
        (
            "commands",
            around(&format!(
                "1. e4 {{{}}}",
                "[%clk 0:00:01] [%x ] [% ] [%flag W".repeat(300)
            )),
        ),
        ("only-results", "* * 1-0 0-1 1/2-1/2".into()),
        (
            "nothing-but-tags",
            "[Event \"a\"]\n\n[Event \"b\"]\n".into(),
        ),
        ("repetition", around(&"1. Nf3 Nf6 2. Ng1 Ng8 ".repeat(60))),
        (
            "knights",
            around(
                &(0..400)
                    .map(|n| format!("{}. {} ", n + 1, ["Nf3 Nf6", "Ng1 Ng8"][n % 2]))
                    .collect::<String>(),
            ),
        ),
    ];
    let mut files: Vec<Named> = texts
        .into_iter()
        .map(|(name, text)| (name.to_owned(), text.into_bytes()))
        .collect();
    files.push((
        "bom".into(),
        [b"\xef\xbb\xbf".as_slice(), around("1. e4").as_bytes()].concat(),
    ));
    files.push((
        "latin1".into(),
        b"[White \"M\xfcller\"]\n\n1. e4 {\xe9\xff} e5 *\n".to_vec(),
    ));
    files.push((
        "nul".into(),
        b"[White \"a\0b\"]\n\n1. e4\0 e5 {\0} *\n\0".to_vec(),
    ));
    files.push((
        "utf16".into(),
        around("1. e4")
            .encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect(),
    ));
    files.push((
        "cut-character".into(),
        b"[White \"a\"]\n\n1. e4 {\xe2\x99".to_vec(),
    ));
    for index in 0..24 {
        let name = format!("noise-{index}");
        let mut chance = Chance::named(&name);
        let length = 40 + chance.below(1500);
        let sign = b"[]{}()<>\"\\%$;:.*! ?\n-+=#/@1230KQRBNOabcdefghx/ ";
        let bytes = (0..length)
            .map(|_| {
                if index % 3 == 0 {
                    chance.below(256) as u8
                } else {
                    sign[chance.below(sign.len())]
                }
            })
            .collect();
        files.push((name, bytes));
    }
    files
}
