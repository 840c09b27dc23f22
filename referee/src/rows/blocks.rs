//! Where the blocks of games inside end, as rows say it.

use super::{
    Rows, SeenRow,
    as_written::{game_of, path_around},
};
use overboard_formats::ply_rows::{Kind, PlyRow};

/// How many steps a path has.
fn steps(path: &str) -> usize {
    path.split('.').filter(|step| !step.is_empty()).count()
}

impl Rows {
    /// A block opens on this square.
    pub(super) fn enter_block(&mut self, on: &str) {
        if !self.way.is_empty() {
            self.way.push('.');
        }
        self.way.push_str(&on.to_lowercase());
        self.around.push(self.made.take());
        self.result = None;
    }

    /// The innermost block closes.
    pub(super) fn leave_block(&mut self) {
        let around = self.way.rfind('.').unwrap_or(0);
        self.way.truncate(around);
        self.made = self.around.pop().flatten();
        self.result = None;
    }

    /// The game in whose block the current token is begins; something before it is not judged.
    pub(super) fn begin_as_written(&mut self, ply: u32) {
        let path = self.way.clone();
        self.opening = None;
        self.begin(PlyRow {
            path,
            ply,
            ..PlyRow::default()
        });
        self.last = self.rows.len() - 1;
    }

    /// The block of a game inside closes, where something is not judged.
    pub(super) fn close_as_written(&mut self, row: PlyRow) {
        let result = self.result.take();
        let said = result.as_deref().unwrap_or("*");
        self.rows.push_back(
            PlyRow {
                kind: Kind::Result,
                coord: Some(format!("{}.{said}", self.way)),
                result,
                path: path_around(&self.way).to_owned(),
                ..row
            }
            .into(),
        );
        self.opening = None;
        self.last = self.rows.len() - 1;
    }
    /// The block of a game inside is over; `around` is a row of the board around it.
    pub(super) fn close_block(&mut self, around: PlyRow) {
        let at = self.last + 1;
        let has_ended = self.turn_to_next(Kind::Result);
        if has_ended {
            self.stopped.clear();
            let recorded = self.result.take();
            if let Some(row) = self.last()
                && recorded.is_some()
            {
                row.result = recorded;
            }
        }
        let level = steps(&around.path) + 1;
        // A block may hold a set-up and nothing else: then the game has no row but that of its start.
        let is_start =
            |seen: &SeenRow| seen.row.kind == Kind::Start && steps(&seen.row.path) == level;
        if !has_ended && let Some(start) = self.rows.iter().skip(at).position(is_start) {
            self.last = at + start;
        }
        if !has_ended && let Some(last) = self.last() {
            let way: Vec<_> = last.path.split('.').take(level).collect();
            let coord = Some(format!("{}.*", way.join(".")));
            self.stopped.push(PlyRow {
                kind: Kind::Result,
                coord,
                result: self.result.take(),
                ..around
            });
        }
        if has_ended && let Some(PlyRow { tags, remarks, .. }) = self.opening.take() {
            // The game was over before its block, so the block's contents, even if only a result, come before
            // its end row.
            let said = PlyRow {
                kind: Kind::Start,
                tags,
                remarks,
                ..self.rows[self.last].row.clone()
            };
            let said = PlyRow {
                path: game_of(&said).to_owned(),
                coord: None,
                at: None,
                fen: None,
                result: None,
                ..said
            };
            self.rows.insert(at.min(self.last), said.into());
            self.last += 1;
        }
        self.opening = None;
    }
}
