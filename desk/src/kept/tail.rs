//! The last rows of a game, and where remarks stand among them.

use super::{Place, Remark};
use overboard_formats::ply_rows::{Kind, PlyRow};

/// The row of a turn that is over; `path` leads to a board inside, and the turn has this depth.
pub(super) fn turn_row(path: &str, depth: usize) -> PlyRow {
    let steps: Vec<_> = path.split('.').take(depth).collect();
    PlyRow {
        kind: Kind::Turn,
        path: steps.join("."),
        san: Some(String::new()),
        ..PlyRow::default()
    }
}

/// The last rows of a game, which may still get remarks.
pub(super) struct Tail<'t> {
    pub(super) rows: &'t mut Vec<PlyRow>,
    /// The number of the first of them.
    pub(super) first: usize,
    pub(super) open_turns: usize,
    pub(super) last: &'t str,
    /// The game in which something is due.
    pub(super) here: String,
    pub(super) has_sub_games: bool,
}

impl Tail<'_> {
    fn push(&mut self, row: PlyRow) -> &mut PlyRow {
        let row = PlyRow {
            row: (self.first + self.rows.len()) as u64,
            ..row
        };
        self.rows.push(row);
        let last = self.rows.len() - 1;
        &mut self.rows[last]
    }

    pub(super) fn add(mut self, remark: &Remark) {
        let row = match &remark.place {
            Place::Ply => self.last_ply(),
            Place::Game(path) => self.last_in(path),
            Place::End(path) => {
                self.stop(path);
                self.last_in(path)
            }
            Place::Last => {
                let last = self.rows.len() - 1;
                &mut self.rows[last]
            }
        };
        if !remark.text.is_empty() {
            let remarks = row.remarks.get_or_insert_default();
            remarks.push(' ');
            remarks.push_str(&remark.text);
        }
    }

    /// Closes what is open in the game with this path.
    fn stop(&mut self, path: &str) {
        for depth in (0..self.open_turns).rev() {
            let row = turn_row(self.last, depth);
            self.push(row);
        }
        let inside = self.here.strip_prefix(path).unwrap_or_default();
        let Some(step) = inside.split('.').find(|step| !step.is_empty()) else {
            return;
        };
        let inner = match path {
            "" => step.to_owned(),
            path => format!("{path}.{step}"),
        };
        self.push(PlyRow {
            kind: Kind::Result,
            path: path.into(),
            coord: Some(format!("{inner}.*")),
            ..PlyRow::default()
        });
    }

    fn last_ply(&mut self) -> &mut PlyRow {
        let is_act = |row: &PlyRow| row.is_ply() || row.kind == Kind::Flag;
        let last = self.rows.iter().rposition(is_act);
        let at = last.unwrap_or(self.rows.len() - 1);
        &mut self.rows[at]
    }

    /// The row after which a remark stands in the game with this path. A game that has begun and has no ply has a row of
    /// its own, or gets one.
    fn last_in(&mut self, path: &str) -> &mut PlyRow {
        let begins = |row: &PlyRow| row.kind == Kind::Start && row.path == path;
        let begun = self.rows.iter().rposition(begins);
        let end = self.rows.len() - 1;
        let is_inside = !self.has_sub_games || self.rows[end].path == path;
        match begun {
            Some(at) => &mut self.rows[at],
            None if is_inside => &mut self.rows[end],
            None => self.push(PlyRow {
                kind: Kind::Start,
                path: path.into(),
                ..PlyRow::default()
            }),
        }
    }
}
