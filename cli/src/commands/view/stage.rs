//! The parts of a page that its script fills: the board, the controls, and what is beside them. Without script they are
//! hidden.

use maud::{Markup, html};

/// What each key does.
const KEYS: [(&str, &str); 17] = [
    ("\u{2192} \u{2190}", "next and previous step"),
    ("Shift + \u{2192} \u{2190}", "the same on this board only"),
    ("Home, End", "beginning and end"),
    ("\u{2193} \u{2191}", "into a variation and out of it"),
    ("Enter, Esc", "into a board and out of it"),
    ("Space", "play automatically"),
    ("+ \u{2212}", "play faster or slower"),
    ("f", "flip the board"),
    ("l", "figurines or letters"),
    ("d", "dark or light"),
    ("c", "copy the position (FEN)"),
    ("r", "copy the record"),
    ("a", "copy the address of this moment"),
    ("s", "save the record"),
    ("wheel, swipe", "next and previous step"),
    ("right mouse button", "draw a circle or an arrow"),
    ("?", "this list"),
];

fn button(id: &str, sign: &str, name: &str, key: &str) -> Markup {
    html! { button id=(id) aria-label=(name) title=(format!("{name} ({key})")) { (sign) } }
}

/// The board between its players.
pub fn stage() -> Markup {
    html! {
        section #stage hidden aria-label="Board" {
            nav #crumbs aria-label="Outer boards" {}
            div.side { span #upper {} span #kings {} }
            div.frame { svg #picture aria-hidden="true" {} }
            div.side { span #lower {} }
            div.unseen { table #squares { caption {} tbody {} } }
        }
    }
}

/// The current move and the controls that step through the game.
pub fn desk() -> Markup {
    html! {
        section #desk hidden aria-label="Steps" {
            p #answer role="status" {}
            p #caption {}
            div #notes {}
            p #live.unseen aria-live="polite" {}
            div.bar role="group" aria-label="Steps" {
                (button("first", "|\u{25c0}", "Beginning", "Home"))
                (button("back", "\u{25c0}", "Back", "left arrow"))
                (button("next", "\u{25b6}", "Next", "right arrow"))
                (button("last", "\u{25b6}|", "End", "End"))
                button #play title="Play automatically (space)" { "Play" }
                select #speed aria-label="Seconds for each step" title="Seconds for each step (+ and \u{2212})" {
                    option value="300" { "0.3 s" }
                    option value="900" selected { "0.9 s" }
                    option value="2000" { "2 s" }
                    option value="5000" { "5 s" }
                }
                (button("in", "\u{21b3} In", "Enter the board", "Enter"))
                (button("out", "\u{21b0} Out", "Leave the board", "Esc"))
                button #aside hidden title="Into a variation (down arrow) and out of it (up arrow)" { "Variation" }
            }
            input #time type="range" min="0" value="0" aria-label="Time";
            svg #lanes preserveAspectRatio="none" aria-hidden="true" {}
        }
    }
}

/// Display, and what can be copied and saved.
pub fn tools(has_record: bool) -> Markup {
    html! {
        section #tools hidden aria-label="Tools" {
            div.bar role="group" aria-label="Display" {
                (button("flip", "Flip", "Flip the board", "f"))
                (button("letters", "Letters", "Letters instead of figurines", "l"))
                (button("dark", "Dark", "Dark or light theme", "d"))
                button #help title="Keys (?)" aria-haspopup="dialog" { "Keys" }
            }
            div.bar role="group" aria-label="Copy" {
                (button("copy", "Copy FEN", "Copy FEN", "c"))
                @if has_record { (button("record-copy", "Copy record", "Copy record", "r")) }
                (button("address", "Copy address", "Copy address", "a"))
                @if has_record { (button("save", "Save record", "Save record", "s")) }
            }
            input #fen readonly aria-label="Position as FEN";
            details #words { summary { "The board in words" } p #said {} }
        }
    }
}

/// The boards around, the inner games, and the rosters.
pub fn beside() -> Markup {
    html! {
        aside #beside hidden aria-label="Other boards" {
            button #around hidden {}
            label #all hidden { "Go to board " select #board {} }
            div #rosters tabindex="0" hidden aria-label="What a sub-game has changed" role="region" {}
            div #tree hidden { h2 { "Sub-games" } ul #games {} }
        }
    }
}

/// The list of keys, which is shown when it is asked for.
pub fn keys() -> Markup {
    html! {
        dialog #keys aria-label="Keys" {
            table { @for (key, act) in KEYS { tr { th scope="row" { (key) } td { (act) } } } }
            form method="dialog" { button { "Close" } }
        }
    }
}
