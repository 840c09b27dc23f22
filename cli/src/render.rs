//! Findings and verdicts for people.

use crate::{
    pointer::Pointer,
    ui::{BAD, DOUBTFUL, GOOD, STRONG, fill, shown},
};
use annotate_snippets::{
    Annotation, AnnotationKind, Element, Group, Level, Origin, Padding, Renderer, Snippet,
    renderer::DecorStyle,
};
use anstyle::Style;
use overboard_formats::{encoding::decode, span::TextSpan};
use overboard_pictures::{
    diagram::{Diagram, Panel},
    foreign::{Foreign, visible},
    text,
};
use overboard_referee::{
    finding::{Excerpt, Finding, JudgeOn, Severity, Verdict},
    report::{Report, Summary},
};
use std::{
    io::{self, Write},
    ops::Range,
    sync::Arc,
};

/// Draws findings for a terminal of a certain width.
pub struct Draw {
    renderer: Renderer,
    width: usize,
    board: bool,
    pointer: Pointer,
}

/// Moves named as possible before the rest is only counted.
const NAMED: usize = 24;

impl Draw {
    /// Draws for so many columns, with colours or without, with the board or without.
    pub fn new(width: usize, colours: bool, board: bool, pointer: Pointer) -> Self {
        let renderer = if colours { Renderer::styled() } else { Renderer::plain() };
        Self { renderer: renderer.term_width(width).decor_style(DecorStyle::Ascii), width, board, pointer }
    }

    /// A finding, several lines long.
    pub fn finding(&self, file: &Foreign<Arc<str>>, game: u64, finding: &Finding) -> String {
        let level = match finding.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
            Severity::Note => Level::NOTE,
        };
        let head = finding.severity.to_string().len() + finding.code.id.len() + 4;
        let message = finding.message.shown();
        let title = |text: String| Group::with_title(level.primary_title(text).id(finding.code.id));
        if finding.place.line == 0 {
            return self.renderer.render(&[title(message.into_owned())]);
        }
        let mut group = title(self.fill(head, &message));
        group = place(group, file, finding.place, finding.column, finding.excerpt.as_ref(), None);
        if let Some((also, words, excerpt)) = &finding.also {
            let column = also.span.from - also.line_start + 1;
            group = place(group, file, *also, column, excerpt.as_ref(), Some(words));
        }
        group = group.element(Padding);
        for (label, words) in self.notes(finding) {
            group = group.element(note(label, &self.fill(label.len() + 9, &words)));
        }
        if let Some(command) = self.shown_by(file, game, finding) {
            // In one piece, however long it is.
            group = group.element(note("show", &command));
        }
        if let Some(panel) = finding.board.as_ref().filter(|_| self.board) {
            group = group.element(note("board", &board(panel, finding.number.as_deref())));
        }
        self.renderer.render(&[group])
    }

    /// The command that shows the board, where one was concerned and not only how something is spelt.
    fn shown_by(&self, file: &Foreign<Arc<str>>, game: u64, finding: &Finding) -> Option<String> {
        let is_of_a_board = finding.severity == Severity::Error || finding.rule.is_some();
        let moment = finding.moment.as_ref().filter(|_| is_of_a_board)?;
        self.pointer.at(file.as_it_came(), game, moment)
    }

    fn notes(&self, finding: &Finding) -> Vec<(&'static str, String)> {
        let mut notes = Vec::new();
        if let Some(count) = finding.evasions {
            let answers = if count == 1 { "move answers" } else { "moves answer" };
            notes.push(("evasions", format!("{count} {answers} the check: {}", few(&finding.possible))));
        }
        if let Some(nearest) = &finding.nearest {
            notes.push(("nearest", nearest.clone()));
        }
        if finding.evasions.is_none() && !finding.possible.is_empty() {
            notes.push(("possible", few(&finding.possible)));
        }
        if let Some(judge_on) = &finding.judge_on {
            notes.push(going_on(judge_on));
        }
        if let Some(rule) = finding.rule {
            notes.push(("rule", format!("{}, {} (overboard explain {})", rule.id, rule.gist, rule.id)));
        }
        notes
    }

    /// Wraps text into lines that fit after an indent of so many columns.
    fn fill(&self, indent: usize, words: &str) -> String {
        fill(words, self.width.saturating_sub(indent).max(20))
    }
}

/// How the game is judged on, or can be.
fn going_on(judge_on: &JudgeOn) -> (&'static str, String) {
    match judge_on {
        JudgeOn::Certain(squares) => (
            "to judge on",
            format!(
                "if both players played on, write {{[%stands {squares}]}} after the move, or use --judge-on"
            ),
        ),
        JudgeOn::Unclear => (
            "to judge on",
            "if both players played on, write {[%stands …]} after the move, with both squares, as in e2e4"
                .into(),
        ),
        JudgeOn::Nowhere => ("to judge on", "not possible: no legal position results from this move".into()),
        JudgeOn::Done(squares) => (
            "judged on",
            format!("as if the move stood, {squares}, because of --judge-on; the game is not clean"),
        ),
    }
}

fn few(moves: &[String]) -> String {
    let named = moves.iter().take(NAMED).map(String::as_str).collect::<Vec<_>>().join(" ");
    match moves.len().saturating_sub(NAMED) {
        0 => named,
        more => format!("{named} and {more} more"),
    }
}

fn note<'a>(label: &'static str, text: &str) -> Element<'a> {
    Level::NOTE.with_name(label).message(text.to_string()).into()
}

fn place<'a>(
    group: Group<'a>,
    file: &Foreign<Arc<str>>,
    place: TextSpan,
    column: u64,
    excerpt: Option<&Excerpt>,
    label: Option<&Foreign>,
) -> Group<'a> {
    let number = |n: u64| usize::try_from(n).unwrap_or(usize::MAX);
    let file = file.shown().into_owned();
    let Some(excerpt) = excerpt.filter(|excerpt| !excerpt.text.is_empty()) else {
        return group.element(Origin::path(file).line(number(place.line)).char_column(number(column)));
    };
    let (text, span) = excerpt_text(excerpt);
    let whole_line = text[..span.start].chars().count() as u64 + 1 == column;
    let mut mark: Annotation<'a> = AnnotationKind::Primary.span(span);
    if let Some(label) = label {
        mark = mark.label(label.shown().into_owned());
    }
    let snippet = Snippet::source(text).line_start(number(place.line)).fold(false).annotation(mark);
    if whole_line {
        return group.element(snippet.path(file));
    }
    // A snippet counts columns from its own start; what was cut off before it is counted separately.
    let origin = Origin::path(file).line(number(place.line)).char_column(number(column));
    group.element(origin).element(snippet)
}

/// The excerpt with what cannot be seen made visible, and where in it the finding is.
fn excerpt_text(excerpt: &Excerpt) -> (String, Range<usize>) {
    let part = |bytes: &[u8]| visible(&decode(bytes).0.replace('\t', " ")).into_owned();
    let to = excerpt.to.min(excerpt.text.len()).max(excerpt.from);
    let mut text = part(&excerpt.text[..excerpt.from]);
    let from = text.len();
    text.push_str(&part(&excerpt.text[excerpt.from..to]));
    let to = text.len();
    text.push_str(&part(&excerpt.text[excerpt.to.min(excerpt.text.len())..]));
    // An empty span is after the line's last letter.
    let to = if to > from { to } else { (from + 1).min(text.len()) };
    (text, from.min(to)..to)
}

/// A board in letters, and which move was to come.
pub fn board(panel: &Panel, number: Option<&str>) -> String {
    let diagram = Diagram::of(panel.clone());
    let letters = text::Options { ascii: true, ..text::Options::default() };
    let board = text::draw(&diagram, &letters);
    number.map_or(String::new(), |number| format!("before {number}\n")) + board.trim_end()
}

/// One line on a game.
pub fn write_verdict(out: &mut impl Write, report: &Report) -> io::Result<()> {
    write!(out, "{}: ", report.file.shown())?;
    if report.game > 0 {
        write!(out, "game {}", report.game)?;
        write_about(out, report)?;
        out.write_all(b": ")?;
    }
    let style = shown(verdict_style(report.verdict));
    write!(out, "{style}{}{style:#}", report.verdict)?;
    match report.findings.iter().filter(|finding| finding.severity == Severity::Warning).count() {
        0 => {}
        1 => out.write_all(b", 1 warning")?,
        n => write!(out, ", {n} warnings")?,
    }
    match report.judged_on() {
        0 => {}
        1 => out.write_all(b"; judged on after an illegal move")?,
        n => write!(out, "; judged on after {n} illegal moves")?,
    }
    if let Some(from) = &report.unjudged_from {
        write!(out, "; not judged from {from} onwards")?;
    }
    out.write_all(b"\n")
}

/// ` (White - Black, result)`, as much of it as is known.
fn write_about(out: &mut impl Write, report: &Report) -> io::Result<()> {
    let known = report.players.iter().any(Option::is_some);
    let [white, black] =
        report.players.each_ref().map(|player| player.as_ref().map_or("?".into(), Foreign::shown));
    match (known, &report.result.record) {
        (true, Some(result)) => write!(out, " ({} - {}, {})", white, black, result.shown()),
        (true, None) => write!(out, " ({white} - {black})"),
        (false, Some(result)) => write!(out, " ({})", result.shown()),
        (false, None) => Ok(()),
    }
}

fn verdict_style(verdict: Verdict) -> Style {
    match verdict {
        Verdict::Clean => GOOD,
        Verdict::Undetermined => DOUBTFUL,
        _ => BAD,
    }
}

/// The last line, with the number of notes that were not shown.
pub fn summary_line(summary: &Summary, hidden: u64) -> String {
    let Summary { games, clean, findings, unjudged, unreadable, judged_on } = summary;
    let strong = shown(STRONG);
    let noun = if *games == 1 { "game" } else { "games" };
    let mut line = format!(
        "{strong}{games} {noun}{strong:#}: {clean} clean, {findings} with errors, {unjudged} not judged, {unreadable} unreadable"
    );
    match judged_on {
        0 => {}
        1 => line.push_str("; judged on after 1 illegal move"),
        n => line.push_str(&format!("; judged on after {n} illegal moves")),
    }
    match hidden {
        0 => {}
        1 => line.push_str(" (1 note, shown by --notes)"),
        n => line.push_str(&format!(" ({n} notes, shown by --notes)")),
    }
    line
}
