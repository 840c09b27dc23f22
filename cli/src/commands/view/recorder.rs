//! Puts a game on a tape as it is followed, so that no more than the last pictures are kept.

use super::{
    Followed,
    said::said,
    tape::{Step, Tape},
    transcript::{tags, way_of},
};
use overboard_formats::{
    encoding::decode,
    parse::{Event, Parser},
    ply_rows::{Kind, PlyRow, push_remark},
};
use overboard_games::recorded::Scene;
use overboard_referee::{report::Report, rows::SeenRow};
use std::collections::BTreeMap;

/// A game that is being put on a tape.
#[derive(Default)]
pub struct Recorder {
    tape: Tape,
    rows: Vec<PlyRow>,
    last: BTreeMap<String, Scene>,
    ends: Vec<(usize, String)>,
    /// Variations as they are written, by the row that they belong to; the last one may be open.
    variations: Vec<(usize, String)>,
    /// How many variations are open.
    open: usize,
}

impl Recorder {
    /// Takes a row and what is seen there.
    pub fn take(&mut self, reported: SeenRow) {
        let row = &reported.row;
        let is_inside = row.kind == Kind::Start && !row.path.is_empty();
        let names = is_inside.then(|| tags(row)).and_then(|tags| {
            let name =
                |wanted: &str| tags.iter().find(|(name, _)| name == wanted).map(|(_, value)| value.clone());
            Some([name("White")?, name("Black")?])
        });
        let of = match row.kind {
            Kind::Start if is_inside => Some(self.begun_by(&row.path)),
            Kind::Result => Some(way_of(row).to_owned()),
            _ => None,
        };
        if row.kind == Kind::Result
            && let Some(scene) = self.last.get(way_of(row))
        {
            let result = row.result.as_deref().unwrap_or("");
            let title = format!("The end on {}: {result}", way_of(row));
            self.ends.push((self.rows.len(), self.tape.still(scene, &title)));
        }
        let said = said(row.remarks.as_deref().unwrap_or(""));
        self.tape.take(&Step { reported: &reported, said: &said, of, names });
        let SeenRow { row, scenes, .. } = reported;
        self.last.extend(scenes.into_iter().map(|scene| (scene.path.clone(), scene)));
        self.rows.push(row);
    }

    /// Keeps what is written in variations; `row` is the one that what is said now belongs to.
    pub fn hear(&mut self, event: Event, parser: &Parser<'_>, row: Option<u64>) {
        match event {
            Event::RavOpen if self.open == 0 => {
                let row = row.and_then(|row| usize::try_from(row).ok()).unwrap_or(0);
                self.variations.push((row, String::new()));
                self.open = 1;
                return;
            }
            Event::RavOpen => self.open += 1,
            Event::RavClose => self.open = self.open.saturating_sub(1),
            Event::End => self.open = 0,
            _ => {}
        }
        let Some((_, text)) = self.variations.last_mut().filter(|_| self.open > 0) else { return };
        if push_remark(text, event, parser) {
            return;
        }
        let opens = text.is_empty() || text.ends_with(['(', '<']);
        let word = decode(parser.text(parser.place().span)).0;
        text.extend([if opens || matches!(&*word, ")" | ">") { "" } else { " " }, &*word]);
    }

    /// The move that a game inside comes from, as it is written; its square, where that is not known.
    fn begun_by(&self, path: &str) -> String {
        let (around, on) = path.rsplit_once('.').unwrap_or(("", path));
        let is_it =
            |row: &&PlyRow| row.path == around && row.san.as_ref().is_some_and(|san| san.contains(on));
        match self.rows.iter().rev().find(is_it) {
            Some(row) => super::transcript::numbered(row),
            None => on.to_owned(),
        }
    }

    /// The whole game.
    pub fn finish(self, game: u64, report: Report) -> Followed {
        let Self { tape, rows, last, ends, variations, .. } = self;
        // The outermost board has no name, but where others stand beside it.
        let boards = if last.contains_key("") { 1 } else { last.len() };
        Followed { game, rows, tape, last, ends, variations, report, boards }
    }
}
