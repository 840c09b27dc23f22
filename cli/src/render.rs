//! Findings and verdicts as text.

use crate::{
    finding_details,
    show_command::ShowCommand,
    ui::{BAD, DOUBTFUL, GOOD, STRONG, fill, shown},
};
use annotate_snippets::{
    Annotation, AnnotationKind, Element, Group, Level, Origin, Padding, Renderer, Snippet,
    renderer::DecorStyle,
};
use anstream::adapter::strip_str;
use anstyle::Style;
use overboard_formats::{foreign::Foreign, span::TextSpan};
use overboard_pictures::{
    diagram::{Diagram, Panel},
    text,
};
use overboard_referee::{
    finding::{Excerpt, Finding, Severity, Verdict},
    report::{Report, Summary},
};
use overboard_rules::rule::Rule;
use std::{
    borrow::Cow,
    io::{self, Write},
    sync::Arc,
};

/// Draws findings for a terminal of a given width.
pub struct Draw {
    renderer: Renderer,
    width: usize,
    board: bool,
    pointer: ShowCommand,
}

impl Draw {
    /// Draws for this many columns, with or without colours and boards.
    pub fn new(width: usize, colours: bool, board: bool, pointer: ShowCommand) -> Self {
        let renderer = if colours {
            Renderer::styled()
        } else {
            Renderer::plain()
        };
        Self {
            renderer: renderer.term_width(width).decor_style(DecorStyle::Ascii),
            width,
            board,
            pointer,
        }
    }

    /// A finding, several lines long; its board is shown by the game of this number.
    pub fn finding(
        &self,
        file: &Foreign<Arc<str>>,
        game: Option<u64>,
        finding: &Finding,
    ) -> String {
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
        group = place(
            group,
            file,
            finding.place,
            finding.column,
            finding.excerpt.as_ref(),
            None,
        );
        if let Some((also, words, excerpt)) = &finding.also {
            let column = also.span.from - also.line_start + 1;
            group = place(group, file, *also, column, excerpt.as_ref(), Some(words));
        }
        group = group.element(Padding);
        let rule = |rule: &'static Rule| ("rule", format!("{}, {}", rule.id, rule.gist));
        let mut notes = finding_details::notes(finding);
        notes.extend(finding.rule.map(rule));
        for (label, words) in notes {
            group = group.element(note(label, &self.fill(label.len() + 9, &words)));
        }
        if let Some(other) = &finding.other_sheet {
            group = group.element(note("side by side", &other.columns()));
        }
        // Commands are not wrapped, however long they are, so that they can be copied.
        if let Some(rule) = finding.rule {
            group = group.element(note("help", &format!("overboard explain {}", rule.id)));
        }
        if let Some(command) = game.and_then(|game| self.shown_by(file, game, finding)) {
            group = group.element(note("show", &command));
        }
        if self.board
            && let Some(panel) = &finding.board
        {
            group = group.element(note("board", &board(panel, finding.number.as_deref())));
        }
        without_empty_origins(&self.renderer.render(&[group]))
    }

    /// The command that shows the board, unless the finding is only about spelling.
    fn shown_by(&self, file: &Foreign<Arc<str>>, game: u64, finding: &Finding) -> Option<String> {
        let is_of_a_board = finding.severity == Severity::Error || finding.rule.is_some();
        if !is_of_a_board {
            return None;
        }
        let moment = finding.moment.as_ref()?;
        self.pointer.at(file.as_it_came(), game, moment)
    }

    /// Wraps text to lines that fit after an indent of this many columns.
    fn fill(&self, indent: usize, words: &str) -> String {
        fill(words, self.width.saturating_sub(indent).max(20))
    }
}

/// Drops the lines `:::` that the renderer puts before an excerpt whose place is on a separate line.
fn without_empty_origins(text: &str) -> String {
    let lines = text
        .lines()
        .filter(|line| strip_str(line).to_string().trim() != ":::");
    lines.collect::<Vec<_>>().join("\n")
}

fn note<'a>(label: &'static str, text: &str) -> Element<'a> {
    Level::NOTE
        .with_name(label)
        .message(text.to_string())
        .into()
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
    let origin = |file: String| {
        let origin = Origin::path(file).line(number(place.line));
        origin.char_column(number(column))
    };
    let excerpt = match excerpt {
        Some(excerpt) if !excerpt.text.is_empty() => excerpt,
        _ => return group.element(origin(file)),
    };
    let (text, span) = finding_details::excerpt_text(excerpt);
    let whole_line = text[..span.start].chars().count() as u64 + 1 == column;
    let mut mark: Annotation<'a> = AnnotationKind::Primary.span(span);
    if let Some(label) = label {
        mark = mark.label(label.shown().into_owned());
    }
    let snippet = Snippet::source(text)
        .line_start(number(place.line))
        .fold(false)
        .annotation(mark);
    if whole_line {
        return group.element(snippet.path(file));
    }
    // A snippet counts columns from its own start; what was cut off before it is added.
    group.element(origin(file)).element(snippet)
}

/// A board in letters, and the number of the move.
pub fn board(panel: &Panel, number: Option<&str>) -> String {
    let diagram = Diagram::of(panel.clone());
    let letters = text::Options {
        ascii: true,
        ..text::Options::default()
    };
    let board = text::draw(&diagram, &letters);
    match number {
        Some(number) => format!("before {number}\n{}", board.trim_end()),
        None => board.trim_end().to_owned(),
    }
}

/// Writes one line about a game.
pub fn write_verdict(out: &mut impl Write, report: &Report) -> io::Result<()> {
    write!(out, "{}: ", report.file.shown())?;
    if report.game > 0 {
        write!(out, "game {}{}: ", report.game, about(report))?;
    }
    let style = shown(verdict_style(report.verdict));
    write!(out, "{style}{}{style:#}", report.verdict)?;
    writeln!(out, "{}", finding_details::beyond_verdict(report))
}

/// ` (White - Black, result)`, as far as it is known.
fn about(report: &Report) -> String {
    let mut words = Vec::new();
    if report.players != [None, None] {
        let [white, black] = report.players.each_ref().map(shown_or_unknown);
        words.push(format!("{white} - {black}"));
    }
    if let Some(result) = &report.result.record {
        words.push(result.shown().into_owned());
    }
    if words.is_empty() {
        return String::new();
    }
    format!(" ({})", words.join(", "))
}

/// The name of a player, or `?`.
pub fn shown_or_unknown(player: &Option<Foreign>) -> Cow<'_, str> {
    match player {
        Some(player) => player.shown(),
        None => "?".into(),
    }
}

fn verdict_style(verdict: Verdict) -> Style {
    match verdict {
        Verdict::Clean => GOOD,
        Verdict::Undetermined => DOUBTFUL,
        _ => BAD,
    }
}

/// The last line, with the number of warnings and of notes that were not shown.
pub fn summary_line(summary: &Summary, warnings: u64, hidden: u64) -> String {
    let [games, words] = finding_details::summary_words(summary, warnings, hidden);
    let strong = shown(STRONG);
    format!("{strong}{games}{strong:#}: {words}")
}
