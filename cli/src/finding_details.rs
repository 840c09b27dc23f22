//! What a finding is shown with, on a terminal, in a picture and on a page: its board, its line, and what there is to
//! say beyond its message.

use overboard_formats::{encoding::decode, foreign::visible, san::LINKED};
use overboard_pictures::diagram::Panel;
use overboard_referee::{
    finding::{Excerpt, Finding, JudgeOn, Severity},
    report::{Report, Summary},
};
use overboard_rules::{
    refusal::{counted, list},
    square::Square,
};
use std::ops::Range;

/// The number of possible moves that are named; the rest is only counted.
const NAMED: usize = 24;

/// A board with the squares marked that a finding names, and a dot where the pieces could have gone.
pub fn marked(finding: &Finding, panel: Panel) -> Panel {
    let last = squares_of(finding.message.as_it_came());
    let targets = finding
        .possible
        .iter()
        .filter_map(|written| target(written));
    Panel {
        last: on_board(last, &panel),
        targets: on_board(targets.collect(), &panel),
        ..panel
    }
}

/// Those squares that a board has, in order and once.
fn on_board(mut squares: Vec<Square>, panel: &Panel) -> Vec<Square> {
    squares.retain(|square| square.file < panel.files && square.rank < panel.ranks());
    squares.sort_unstable();
    squares.dedup();
    squares
}

/// The squares that a sentence names.
fn squares_of(sentence: &str) -> Vec<Square> {
    let words = sentence.split(|c: char| !c.is_ascii_alphanumeric());
    // In a move such as `Nb5`, the part after the piece's letter.
    let squares =
        words.map(|word| word.trim_start_matches(|c: char| c.is_ascii_uppercase() || c == 'x'));
    squares.flat_map(|word| LINKED.squares_in(word)).collect()
}

/// The square to which a move goes, unless that is on another board.
fn target(written: &str) -> Option<Square> {
    if written.contains(['/', ' ']) {
        return None;
    }
    let to = &written[..=written.rfind(|c: char| c.is_ascii_digit())?];
    LINKED
        .squares_in(&to[to.rfind(|c: char| !c.is_ascii_digit())?..])
        .first()
        .copied()
}

/// What there is to say beyond the message, as pairs of a label and words; the rule is separate.
pub fn notes(finding: &Finding) -> Vec<(&'static str, String)> {
    let mut notes = details(finding);
    if let Some(remedy) = &finding.remedy {
        notes.push(("remedy", format!("{} ({})", remedy.text, remedy.sources())));
    }
    notes
}

/// The same without what the arbiter does.
pub fn details(finding: &Finding) -> Vec<(&'static str, String)> {
    let mut notes = Vec::new();
    if let Some(count) = finding.evasions {
        let answers = if count == 1 {
            "move answers"
        } else {
            "moves answer"
        };
        notes.push((
            "evasions",
            format!("{count} {answers} the check: {}", few(&finding.possible)),
        ));
    }
    if let Some(nearest) = &finding.nearest {
        // For an illegal move the legal one most like it; for a legal one its right spelling.
        let label = if finding.severity == Severity::Error {
            "nearest"
        } else {
            "write"
        };
        notes.push((label, nearest.clone()));
    }
    if finding.evasions.is_none() && !finding.possible.is_empty() {
        notes.push(("possible", few(&finding.possible)));
    }
    if let Some(other) = &finding.other_sheet {
        let place = format!(
            "{}, game {}, line {}",
            other.file.shown(),
            other.game,
            other.line
        );
        notes.push(("the other one", place));
        notes.push(("fits", other.fits_in_words()));
    }
    notes.extend(finding.judge_on.as_ref().map(going_on));
    notes
}

/// How judging continues after an illegal move, or can.
fn going_on(judge_on: &JudgeOn) -> (&'static str, String) {
    match judge_on {
        JudgeOn::Certain(squares) => (
            "to continue",
            format!(
                "if both players played on, write {{[%stands {squares}]}} after the move, or use --judge-on"
            ),
        ),
        JudgeOn::Several(ways) => (
            "to continue",
            format!(
                "if both players played on, write which piece it was after the move, {}; --judge-on goes on as far as it makes no difference",
                list(ways.iter().map(|way| format!("{{[%stands {way}]}}")), "or")
            ),
        ),
        JudgeOn::Unclear => (
            "to continue",
            "if both players played on, write {[%stands …]} after the move with its origin and target square, such as {[%stands g1f3]}"
                .into(),
        ),
        JudgeOn::Nowhere => ("to continue", "not possible: it leads to no position that can be played on".into()),
        JudgeOn::Done(ways) => (
            "continued",
            format!(
                "as if the move stood, {}, because of --judge-on; the game is not clean",
                list(ways, "or")
            ),
        ),
    }
}

fn few(moves: &[String]) -> String {
    let named = moves[..moves.len().min(NAMED)].join(" ");
    match moves.len().saturating_sub(NAMED) {
        0 => named,
        more => format!("{named} and {more} more"),
    }
}

/// The excerpt with invisible characters made visible, and the range of the finding in it.
pub fn excerpt_text(excerpt: &Excerpt) -> (String, Range<usize>) {
    let part = |bytes: &[u8]| visible(&decode(bytes).0.replace('\t', " ")).into_owned();
    let to = excerpt.to.min(excerpt.text.len()).max(excerpt.from);
    let mut text = part(&excerpt.text[..excerpt.from]);
    let from = text.len();
    text.push_str(&part(&excerpt.text[excerpt.from..to]));
    let to = text.len();
    text.push_str(&part(&excerpt.text[excerpt.to.min(excerpt.text.len())..]));
    // An empty range is after the line's last letter.
    let to = if to > from {
        to
    } else {
        (from + 1).min(text.len())
    };
    (text, from.min(to)..to)
}

/// Words in one line, if there are any.
pub fn joined(words: &[String]) -> Option<String> {
    if words.is_empty() {
        return None;
    }
    Some(words.join(", "))
}

/// What follows the verdict on a game: warnings, and how far it was judged.
pub fn beyond_verdict(report: &Report) -> String {
    let mut warnings = 0;
    for finding in &report.findings {
        warnings += u64::from(finding.severity == Severity::Warning);
    }
    let mut words = warned(warnings) + &continued(report.judged_on(), "an");
    if let Some(from) = &report.unjudged_from {
        words.push_str(&format!("; not judged from {from} onwards"));
    }
    words
}

fn warned(warnings: u64) -> String {
    match warnings {
        0 => String::new(),
        count => format!(", {}", counted(count, "warning")),
    }
}

/// After how many illegal moves games were continued; a single one is `one`.
fn continued(judged_on: u64, one: &str) -> String {
    match judged_on {
        0 => String::new(),
        1 => format!("; continued after {one} illegal move"),
        n => format!("; continued after {n} illegal moves"),
    }
}

/// The summary of a run: the number of games, then their verdicts with the number of warnings and of notes that were
/// not shown.
pub fn summary_words(summary: &Summary, warnings: u64, hidden: u64) -> [String; 2] {
    let Summary {
        games,
        clean,
        findings,
        unjudged,
        unreadable,
        judged_on,
    } = summary;
    let mut words = format!(
        "{clean} clean, {findings} with errors, {unjudged} undetermined, {unreadable} unreadable"
    );
    words += &warned(warnings);
    words += &continued(*judged_on, "1");
    match hidden {
        0 => {}
        1 => words.push_str(" (1 note, shown by --notes)"),
        n => words.push_str(&format!(" ({n} notes, shown by --notes)")),
    }
    [counted(*games, "game"), words]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_lead_to_squares() {
        let to = |written| target(written).map(|square| square.to_string());
        for (written, square) in [
            ("Nbd7", "d7"),
            ("d8=Q+", "d8"),
            ("Ke2^", "e2"),
            ("P@c2", "c2"),
        ] {
            assert_eq!(to(written).as_deref(), Some(square), "{written}");
        }
        assert_eq!(to("Km13").as_deref(), Some("m13"));
        for elsewhere in ["O-O", "--", "a7/B", "give b7 P", "d7/a2", "", "7", "ü"] {
            assert_eq!(to(elsewhere), None, "{elsewhere}");
        }
    }
}
