//! The events of a record, put into rows as they are read.

use super::{Rows, SeenRow};
use crate::AnyReferee;
use overboard_formats::{
    canonical::Canonical,
    encoding::decode,
    lex::Prose,
    parse::{Event, Open, Parser},
    ply_rows::{Kind, PlyRow},
};

impl AnyReferee {
    /// The next complete row of the main line, if [`Options::rows`](crate::Options::rows) is set.
    pub fn next_row(&mut self) -> Option<PlyRow> {
        self.next_seen().map(|reported| reported.row)
    }

    /// The number, in its game, of the row that remarks belong to now; `None` unless rows are kept.
    #[must_use]
    pub fn row_now(&self) -> Option<u64> {
        self.state
            .rows
            .as_ref()
            .map(|rows| rows.taken + rows.last as u64)
    }

    /// Like [`next_row`](Self::next_row), with the row's scenes, if the options ask for them.
    pub fn next_seen(&mut self) -> Option<SeenRow> {
        self.state.rows.as_mut()?.take()
    }

    /// The next ply of a variation with its scenes, if the options ask for scenes: in the order of the text, as soon as
    /// it has been read.
    pub fn next_aside(&mut self) -> Option<SeenRow> {
        self.state.rows.as_mut()?.aside.pop_front()
    }

    /// Handles an event, and puts its effects into rows.
    #[cold]
    pub(crate) fn hear_for_rows(&mut self, event: Event, parser: &Parser<'_>) -> Option<Canonical> {
        let is_ply = self.is_ply(event);
        let was_main = self.state.at_main_line();
        let refused = self.state.last.refused;
        let Some(rows) = &mut self.state.rows else {
            return None;
        };
        if event == Event::Begin {
            *rows = Rows {
                opening: Some(PlyRow::default()),
                ..Rows::new(rows.with_scenes)
            };
        }
        if is_ply || matches!(event, Event::ActionOpen(_) | Event::SubgameOpen) {
            rows.keep_place(parser);
        }
        let (first, written) = (rows.rows.len(), rows.written);
        let reported = self.take_event(event, parser);
        if self.state.in_moves {
            // A game with unknown rules, or from an impossible position, has no start.
            let row = self.state.row();
            let rows = self
                .state
                .rows
                .as_mut()
                .filter(|rows| rows.taken == 0 && rows.rows.is_empty());
            rows.into_iter().for_each(|rows| rows.begin(row.clone()));
        }
        if was_main && self.state.at_main_line() {
            self.report_in_rows(event, is_ply, written, refused, parser);
            self.state.rows.iter_mut().for_each(|rows| {
                if !matches!(event, Event::BlockClose(Open::Subgame)) {
                    rows.turn_to(first);
                }
            });
        }
        reported
    }

    fn report_in_rows(
        &mut self,
        event: Event,
        is_ply: bool,
        written: u64,
        refused: Option<usize>,
        parser: &Parser<'_>,
    ) {
        let text = || decode(parser.text(parser.place().span)).0.into_owned();
        let is_known = self.is_known();
        let state = &mut self.state;
        let is_outermost = state.games_around() == 0;
        let Some(rows) = &mut state.rows else { return };
        // The set-up of a sub-game is a row of its own, and comes with the first act there, legal or not.
        let is_new = state.last.refused.is_some() && state.last.refused != refused;
        let is_unplayed = rows.written == written
            || is_new && rows.rows.back().is_some_and(|row| row.kind == Kind::Start);
        match event {
            Event::Tag => rows.tag(parser),
            Event::Glyphs | Event::Nag | Event::Prose(Prose::Brace | Prose::Line, _) => {
                rows.remark(event, parser);
                // A wrong claim makes the act before it illegal.
                let last = rows
                    .last()
                    .filter(|row| row.kind == Kind::Ply && refused.is_none());
                if let Some(row) = last.filter(|_| state.last.refused.is_some()) {
                    (row.kind, row.coord, row.at, row.fen) = (Kind::Illegal, None, None, None);
                }
            }
            _ if is_ply && is_unplayed => state.row_of_unplayed(text(), parser),
            Event::SubgameOpen if !rows.turn_to_next(Kind::Start) => {
                rows.opening = Some(PlyRow {
                    path: state.current.path.clone(),
                    ..PlyRow::default()
                });
            }
            Event::BlockClose(Open::Subgame) => rows.close_block(),
            Event::ActionOpen(verb) => rows.action = Some((verb.word().into(), rows.written)),
            Event::Argument => {
                if let Some((said, _)) = &mut rows.action {
                    said.push(' ');
                    said.push_str(&text());
                }
            }
            Event::BlockClose(Open::Action) => {
                let unplayed = rows
                    .action
                    .take()
                    .filter(|(_, before)| *before == rows.written);
                match unplayed {
                    // If an act is optional, remarks on it stay with the row before it.
                    Some((said, _)) if is_known => {
                        let last = rows.last().map(|row| row.remarks.get_or_insert_default());
                        last.into_iter()
                            .for_each(|remarks| remarks.push_str(&format!(" <{said}>")));
                    }
                    Some((said, _)) => state.row_of_unplayed(format!("<{said}>"), parser),
                    None => {}
                }
            }
            Event::Result if is_outermost => rows.after = Some(PlyRow::default()),
            _ => {}
        }
    }
}
