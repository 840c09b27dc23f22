//! The recording of a terminal in the documentation: commands are run, and what they print is drawn line by line.
//! `UPDATE_DOCS=1` writes it.

use std::{
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// What is typed.
const COMMANDS: [&str; 2] = [
    "overboard check --quiet examples/history.pgn",
    "overboard select --number 2 examples/faults.pgn | overboard check -",
];

/// The widths and heights of a character, and the room around all, in pixels.
const WIDE: f32 = 8.4;
const HIGH: usize = 18;
const ROOM: usize = 16;
/// Characters in a line.
const COLUMNS: usize = 86;
/// The seconds before a command, and between two lines that it prints.
const THINKING: f32 = 1.2;
const PRINTING: f32 = 0.06;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// What a command prints on a terminal with colours.
fn printed(command: &str) -> String {
    let colours = concat!("'", env!("CARGO_BIN_EXE_overboard"), "' --color always");
    let output = Command::new("sh")
        .args(["-c", &command.replace("overboard", colours)])
        .env("OVERBOARD_CONFIG", "")
        .current_dir(root())
        .output()
        .unwrap();
    String::from_utf8(output.stdout).unwrap()
}

/// A line as text of SVG: what is printed in a colour or bold has a class.
fn spans(line: &str) -> String {
    let mut text = String::new();
    let mut classes: Vec<&str> = Vec::new();
    for (nth, part) in line.split('\x1b').enumerate() {
        let (codes, words) = match nth {
            0 => ("", part),
            _ => part.strip_prefix('[').unwrap().split_once('m').unwrap(),
        };
        match codes {
            "" => {}
            "0" => classes.clear(),
            "1" => classes.push("bold"),
            "31" | "91" => classes.push("red"),
            "94" => classes.push("blue"),
            "32" | "92" => classes.push("green"),
            other => panic!("what is {other}? {line}"),
        }
        let words = words
            .replace('&', "&amp;")
            .replace('<', "&lt;")
            .replace(' ', "\u{a0}");
        if words.is_empty() {
            continue;
        }
        // Writing to a `String` cannot fail.
        let _ = match &classes[..] {
            [] => write!(text, "{words}"),
            all => write!(text, "<tspan class=\"{}\">{words}</tspan>", all.join(" ")),
        };
    }
    text
}

/// The lines of the recording, and the second at which each comes.
fn lines() -> Vec<(f32, String)> {
    let mut lines = Vec::new();
    let mut second = 0.0;
    for command in COMMANDS {
        let typed = spans(command);
        lines.push((second, format!("<tspan class=\"green\">$</tspan> {typed}")));
        second += THINKING;
        for line in printed(command).lines() {
            lines.push((second, spans(line.trim_end())));
            second += PRINTING;
        }
        lines.push((second, String::new()));
        second += THINKING;
    }
    lines
}

fn drawing() -> String {
    let lines = lines();
    let wide = (COLUMNS as f32 * WIDE) as usize + 2 * ROOM;
    let high = lines.len() * HIGH + 2 * ROOM;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {wide} {high}\" role=\"img\" aria-label=\"A terminal: overboard finds an illegal move and says why\">\n\
         <style>\n\
         rect {{ fill: #1f1f1f }}\n\
         text {{ font: 14px ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace; fill: #dcdcdc; animation: come .01s both }}\n\
         .bold {{ font-weight: bold }} .red {{ fill: #ff7b72 }} .blue {{ fill: #79b8ff }} .green {{ fill: #7ee787 }}\n\
         @keyframes come {{ from {{ opacity: 0 }} }}\n\
         @media (prefers-reduced-motion: reduce) {{ text {{ animation: none }} }}\n\
         </style>\n\
         <rect width=\"{wide}\" height=\"{high}\" rx=\"8\"/>\n"
    );
    for (nth, (second, line)) in lines.iter().enumerate() {
        if line.is_empty() {
            continue;
        }
        let y = ROOM + nth * HIGH + HIGH - 4;
        // Writing to a `String` cannot fail.
        let _ = writeln!(
            svg,
            "<text x=\"{ROOM}\" y=\"{y}\" style=\"animation-delay:{second:.2}s\">{line}</text>"
        );
    }
    svg + "</svg>\n"
}

#[test]
fn the_recording_shows_what_is_printed_today() {
    let path = root().join("docs/screens/terminal.svg");
    let drawn = drawing();
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&path, &drawn).unwrap();
    }
    let kept = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        kept == drawn,
        "stale: run this test with UPDATE_DOCS=1 to make docs/screens/terminal.svg again"
    );
}
