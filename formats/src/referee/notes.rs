//! Findings with their places and excerpts.

use super::{CONTEXT, LISTED, Referee, number_of};
use crate::{
    encoding::decode,
    finding::{Code, Excerpt, Finding, Severity},
    parse::Parser,
    span::{Place, Span},
};
use std::io::Read;

impl Referee {
    /// Notes a finding; answers with it, so that more can be said of it, where it is reported.
    pub(super) fn find<R: Read>(
        &mut self,
        code: &'static Code,
        place: Place,
        parser: &Parser<R>,
        message: String,
    ) -> Option<&mut Finding> {
        let severity = self.options.weights.of(code)?;
        if severity == Severity::Note && self.options.count_notes {
            self.notes_counted += 1;
            return None;
        }
        let listed = self.listed.entry(code.id).or_insert(0);
        *listed += 1;
        if *listed > LISTED {
            return None;
        }
        let excerpt = if self.options.no_excerpts { None } else { excerpt(place, parser) };
        let shown = place.span.to.min(place.span.from + 256);
        let text = decode(parser.text(Span::new(place.span.from, shown))).0.into_owned();
        let column = column(place, parser);
        let of_ply = place.line > 0 && place == self.last.place;
        let (number, side) = self.last.number;
        self.findings.push(Finding {
            code,
            severity,
            rule: None,
            place,
            column,
            excerpt,
            path: String::new(),
            ply: (of_ply && self.at_main_line()).then_some(self.plies),
            number: of_ply.then(|| number_of(number, side)),
            text,
            message,
            possible: Vec::new(),
            nearest: None,
            position: None,
            also: None,
        });
        self.findings.last_mut()
    }

    /// Adds a second place to a finding.
    pub(super) fn explain_by<R: Read>(
        finding: &mut Finding,
        place: Option<Place>,
        words: &str,
        parser: &Parser<R>,
    ) {
        if let Some(place) = place {
            finding.also = Some((place, words.into(), excerpt(place, parser)));
        }
    }
}

pub(super) fn column<R: Read>(place: Place, parser: &Parser<R>) -> u64 {
    let bytes = place.span.from.saturating_sub(place.line_start);
    let before = parser.text(Span::new(place.line_start, place.span.from));
    if before.len() as u64 == bytes && before.len() < (64 << 10) {
        decode(before).0.chars().count() as u64 + 1
    } else {
        bytes + 1
    }
}

pub(super) fn excerpt<R: Read>(place: Place, parser: &Parser<R>) -> Option<Excerpt> {
    let from = place.line_start.max(place.span.from.saturating_sub(CONTEXT as u64));
    let line = parser.lexer().line_text(from, CONTEXT * 3)?;
    let start = usize::try_from(place.span.from - from).ok()?.min(line.len());
    let length = usize::try_from(place.span.len()).unwrap_or(usize::MAX);
    let text = line.strip_suffix(b"\r").unwrap_or(line).to_vec();
    let end = start.saturating_add(length).clamp(start, text.len().max(start));
    Some(Excerpt { text, from: start, to: end })
}
