//! The page that everybody gets from a desk, before anything of the game is in it.

use crate::{
    commands::view::{
        page::{DESK_SCRIPT, STYLE, script},
        stage::{beside, desk, keys, stage, tools},
    },
    page::{self, Look, PageParts},
};
use maud::{Markup, html};
use overboard_desk::{hall, words::WORDS};

/// The style sheet of what a desk adds to the viewer.
const OWN_STYLE: &str = include_str!("desk.css");

/// Words whose answer is a text for a terminal, or which a page needs no word for.
const OF_A_TERMINAL: [&str; 11] = [
    "board", "moves", "due", "fen", "text", "check", "by", "time", "help", "quit", "enter",
];

/// A button that says a line.
fn says(words: &str, line: &str) -> Markup {
    html! { button type="button" data-say=(line) title=(format!("the same as typing: {line}")) { (words) } }
}

/// Who is to act, what the clocks show, and everything that can be said.
fn at_the_desk() -> Markup {
    html! {
        section #hall aria-label="The game" {
            p #line role="alert" hidden {}
            p #earlier hidden { b { "You look at an earlier moment." } " " button #now type="button" { "Back to the game" } }
            p { b #you {} " " button #wall type="button" title="Only the boards, and who is to act: for a display in the hall" { "Wall" } }
            ul #due aria-live="polite" aria-label="Who is to act" {}
            ul #faces aria-label="Clocks" {}
            div #offers.bar role="group" aria-label="Choices" {}
            div #refused role="alert" hidden {}
            p #offer hidden { span #offer-words {} " " (says("Agree", "draw agreed")) (says("Decline", "draw declined")) }
            p #pending hidden { span #pending-words {} " " (says("Record it", "record")) }
            div.act {
                form #typing {
                    input #typed type="text" autocomplete="off" autocapitalize="off" spellcheck="false" maxlength="2000" aria-label="A move, or words" placeholder="Nf3, A:Nf3, resign, claim threefold Nf3";
                    button { "Do" }
                }
                div.bar role="group" aria-label="Words" {
                    span.player {
                        button #resign type="button" { "Resign…" }
                        (says("Offer a draw", "draw offer")) (says("Claim threefold", "claim threefold")) (says("Claim fifty moves", "claim fifty"))
                        button #instruct type="button" title="What a captain says, in the prescribed words" { "Captain's instruction" }
                    }
                    span.timed { (says("Flag", "flag")) }
                }
            }
            div.arbiter {
                div.bar role="group" aria-label="Arbiter" {
                    span.going.timed { (says("Start clocks", "start")) (says("Pause clocks", "pause")) }
                    (says("Take back", "undo"))
                    span.going { (says("1-0", "result 1-0 adjudication")) (says("½-½", "result 1/2-1/2 adjudication")) (says("0-1", "result 0-1 adjudication")) }
                }
                p #enter hidden { (says("Enter the result", "enter")) " in the event" }
                details { summary { "Links" } ul #links {} }
            }
            details.act {
                summary { "What can be typed" }
                dl { @for word in WORDS.iter().filter(|word| !OF_A_TERMINAL.contains(&word.word)) { dt { code { (word.word) " " (word.follows) } } dd { (word.does) } } }
            }
        }
    }
}

/// The page.
pub fn page() -> hall::Page {
    let style = format!("{STYLE}{OWN_STYLE}");
    let script = script(DESK_SCRIPT);
    let look = Look {
        style: &style,
        script: Some(&script),
        connects: true,
    };
    let body = html! {
        div #part-head {}
        main {
            (stage())
            div #column {
                (at_the_desk())
                div #part-facts {}
                div #part-moves {}
                (desk())
                (beside())
                (tools(true))
            }
        }
        div #part-legend {}
        (keys())
        dialog #choice aria-labelledby="choice-title" {
            h2 #choice-title {}
            div #choice-body.bar {}
            form method="dialog" { button { "Not now" } }
        }
        svg #shapes width="0" height="0" aria-hidden="true" { defs #drawings {} }
    };
    hall::Page {
        html: PageParts::of(&"overboard".into(), vec![body], &look).into_text(),
        policy: page::policy(&look) + "; frame-ancestors 'none'",
    }
}
