//! The events of a record, put into rows as they are read.

use super::{Rows, SeenRow};
use crate::record_state::RecordState;
use overboard_formats::{
    encoding::decode,
    lex::Prose,
    parse::{Event, Open, Parser},
    ply_rows::{Kind, PlyRow},
};

/// What the rows were like before an event.
#[derive(Clone, Copy, Debug)]
pub struct BeforeEvent {
    pub(super) is_ply: bool,
    pub(super) was_main: bool,
    /// The finding about the ply refused last.
    pub(super) refused: Option<usize>,
    /// The number of rows that wait.
    pub(super) first: usize,
    /// The number of rows of plies that the record contains.
    pub(super) written: u64,
    /// The number of findings.
    pub(super) findings: usize,
    /// Whether a bracket of another game was open.
    pub(super) in_foreign: bool,
    /// Whether everything was judged.
    pub(super) is_judged: bool,
}

impl RecordState {
    /// The number, in its game, of the row that remarks belong to now; `None` unless rows are kept.
    #[must_use]
    pub fn row_now(&self) -> Option<u64> {
        self.rows.as_ref().map(|rows| rows.taken + rows.last as u64)
    }

    /// From here on until the end of the record no scenes are kept, nor plies of variations.
    pub fn stop_drawing(&mut self) {
        if let Some(rows) = &mut self.rows {
            rows.with_scenes = false;
        }
    }

    /// Of the rows before this one no scenes are kept: they are known.
    pub fn draw_from(&mut self, row: u64) {
        if let Some(rows) = &mut self.rows {
            rows.drawn_from = row;
        }
    }

    /// The bytes of remarks and tags of the current record that rows have no room for.
    #[must_use]
    pub fn words_left_out(&self) -> u64 {
        self.rows.as_ref().map_or(0, |rows| rows.left_out)
    }

    /// The next complete row of the main line, with its scenes if the options ask for them; `None` unless rows are kept.
    pub fn next_seen(&mut self) -> Option<SeenRow> {
        self.rows.as_mut()?.take()
    }

    /// The next ply of a variation with its scenes, if the options ask for scenes: in the order of the text, as soon as
    /// it has been read.
    pub fn next_aside(&mut self) -> Option<SeenRow> {
        self.rows.as_mut()?.aside.pop_front()
    }

    /// Prepares the rows for an event, before it is handled; `None` unless rows are kept.
    pub fn before_event(
        &mut self,
        event: Event,
        is_ply: bool,
        parser: &Parser<'_>,
    ) -> Option<BeforeEvent> {
        let was_main = self.at_main_line();
        let refused = self.last.refused;
        let is_judged = self.judging.unjudged_from().is_none();
        let findings = self.findings.len();
        let in_foreign = self.brackets.in_foreign();
        let rows = self.rows.as_mut()?;
        if event == Event::Begin {
            *rows = Rows {
                opening: Some(PlyRow::default()),
                ..Rows::new(rows.is_bounded)
            };
        }
        let begins_act = matches!(
            event,
            Event::ActionOpen(_) | Event::SubgameOpen | Event::TurnOpen | Event::Unread
        );
        if (is_ply || begins_act) && !in_foreign {
            rows.keep_place(parser);
        }
        Some(BeforeEvent {
            is_ply,
            was_main,
            refused,
            first: rows.rows.len(),
            written: rows.written,
            findings,
            in_foreign,
            is_judged: is_judged && rows.unjudged == 0,
        })
    }

    /// Puts the effects of an event into rows, after it was handled; `is_known` says whether the position is known
    /// since.
    pub fn after_event(
        &mut self,
        event: Event,
        before: BeforeEvent,
        is_known: bool,
        parser: &Parser<'_>,
    ) {
        if self.judging.has_begun() {
            let row = self.row();
            // A game with unknown rules, or from an impossible position, has no start.
            if let Some(rows) = &mut self.rows
                && rows.taken == 0
                && rows.rows.is_empty()
            {
                rows.begin(row);
            }
        }
        if !before.was_main || !self.at_main_line() {
            return;
        }
        if before.in_foreign || self.brackets.in_foreign() {
            self.report_foreign(event, before, parser);
        } else {
            self.report(event, before, is_known, parser);
        }
    }

    /// Puts the effects of an event of the game itself into rows.
    fn report(&mut self, event: Event, before: BeforeEvent, is_known: bool, parser: &Parser<'_>) {
        self.follow_text(event, parser);
        let is_said = matches!(event, Event::Prose(..));
        if !is_said {
            self.mark_unjudged(event, before, parser);
        }
        if !self.report_as_written(event, before, parser) {
            self.report_in_rows(event, before, is_known, parser);
        }
        // What is said at the beginning of a block comes before its set-up.
        if is_said {
            self.mark_unjudged(event, before, parser);
        }
        let has_turned = match event {
            Event::BlockClose(Open::Subgame) => true,
            Event::SubgameOpen => self.are_blocks_written(),
            _ => false,
        };
        let Some(rows) = &mut self.rows else { return };
        if matches!(event, Event::BlockClose(Open::Subgame)) {
            rows.leave_block();
        }
        if before.is_ply || matches!(event, Event::BlockClose(Open::Action)) {
            rows.given = None;
        }
        if !has_turned {
            rows.turn_to(before.first);
        }
    }

    fn report_in_rows(
        &mut self,
        event: Event,
        before: BeforeEvent,
        is_known: bool,
        parser: &Parser<'_>,
    ) {
        let BeforeEvent {
            is_ply,
            refused,
            written,
            is_judged,
            ..
        } = before;
        let state = self;
        // A result in a turn is that of a board.
        let is_of_whole = state.brackets.depth() == 0;
        let remark = state.in_english(parser.text(parser.place().span));
        let is_refused = is_judged && state.are_blocks_written();
        let around = match event {
            Event::BlockClose(Open::Subgame) => PlyRow {
                path: state.games.current().path.clone(),
                ..state.row()
            },
            _ => PlyRow::default(),
        };
        let Some(rows) = &mut state.rows else { return };
        // The set-up of a sub-game has rows of its own, and comes with the first act there, legal or not.
        let is_unplayed = rows.written == written || is_refused;
        match event {
            Event::Tag => rows.tag(parser),
            Event::Glyphs | Event::Nag | Event::Prose(Prose::Brace | Prose::Line, _) => {
                rows.remark(event, &remark);
                // A wrong claim makes the act before it illegal.
                let is_refused_now = refused.is_none() && state.last.refused.is_some();
                if is_refused_now
                    && let Some(row) = rows.last()
                    && row.kind == Kind::Ply
                {
                    (row.kind, row.coord, row.at, row.fen) = (Kind::Illegal, None, None, None);
                    rows.unjudged += 1;
                }
            }
            _ if is_ply && is_unplayed => {
                let ply = state.ply_in_english(parser.text(parser.place().span));
                let ply = decode(&ply).0.into_owned();
                state.row_of_unplayed(Some(ply), before);
            }
            Event::SubgameOpen if !rows.turn_to_next(Kind::Start) => {
                rows.opening = Some(PlyRow {
                    path: state.games.current().path.clone(),
                    ..PlyRow::default()
                });
            }
            Event::BlockClose(Open::Subgame) => rows.close_block(around),
            Event::ActionOpen(verb) => rows.action = Some((verb.word().into(), rows.written)),
            Event::Argument => {
                if let Some((said, _)) = &mut rows.action {
                    let word = decode(parser.text(parser.place().span)).0;
                    said.push_str(if word == ":" { "" } else { " " });
                    said.push_str(&word);
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
                        if let Some(row) = rows.last() {
                            let remarks = row.remarks.get_or_insert_default();
                            remarks.push_str(&format!(" <{said}>"));
                        }
                    }
                    Some((said, _)) => {
                        state.row_of_unplayed(Some(format!("<{said}>")), before);
                    }
                    None => {}
                }
            }
            Event::Result | Event::UnderWay if is_of_whole => rows.after = Some(PlyRow::default()),
            _ => {}
        }
    }
}
