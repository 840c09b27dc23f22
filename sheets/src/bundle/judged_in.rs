//! The record in which a sheet is judged, for those who show what is found there.

use super::{SheetBundle, parents::ParentPlace};
use crate::{
    Count, Problem, Tagged as _,
    inside::Inside,
    judge::{NO_ROOT, is_of_a_board},
    tags,
    text::written,
};
use overboard_referee::numbering::moment_before;

/// A record in which a sheet is judged.
pub struct JudgedIn {
    /// The record, in no particular layout, with everything that only sheets have.
    pub text: String,
    /// Of the sheet of a sub-game, the steps to that, each with the moment after which it is played: `12w.d5`. Empty where the
    /// sheet is that of a board or the outermost one.
    pub way: Vec<String>,
}

impl SheetBundle {
    /// The record in which the sheet that was added with this number is judged; `None` for one that is judged alone, and for
    /// that of a sub-game in which nothing was played.
    ///
    /// # Errors
    /// Why a sheet that belongs to others is not judged with them.
    pub fn judged_in(mut self, file: usize) -> Result<Option<JudgedIn>, Problem> {
        self.families();
        let Some(at) = self.sheets.iter().position(|member| member.file == file) else {
            return Ok(None);
        };
        // Another sheet of the same game may stand for both.
        let at = self
            .sheets
            .iter()
            .position(|member| member.united.contains(&at))
            .unwrap_or(at);
        let kept = &self.sheets[at].kept;
        let is_said = kept.items().any(|(node, _)| tags::says_something(&node));
        if self.sheets[at].parent.is_none() && kept.tag("Parent").is_some() {
            if is_of_a_board(kept) {
                return Err(Problem::at(
                    "missing-sheet",
                    NO_ROOT.into(),
                    kept.place_of("Parent"),
                ));
            }
            let inside = if is_said { Inside::of(kept) } else { None };
            return Ok(inside.map(|inside| JudgedIn {
                text: written(inside.items()),
                way: inside.way(),
            }));
        }
        let (root, way) = (self.root(at), self.way(at));
        if self.family(root).len() == 1 || (!way.is_empty() && !is_said) {
            return Ok(None);
        }
        let whole = self
            .put_together(root)
            .map_err(|mut problems| problems.swap_remove(0))?;
        Ok(Some(JudgedIn {
            text: written(whole.items()),
            way,
        }))
    }

    /// The steps to the sub-game of a sheet.
    fn way(&self, mut at: usize) -> Vec<String> {
        let mut way = Vec::new();
        while let Some(parent) = self.sheets[at].parent {
            if let ParentPlace::Behind(plies, square) = &self.sheets[at].place {
                let Count { number, side } = self.sheets[parent].first.after(*plies);
                way.push(format!("{}.{square}", moment_before(Some((number, side)))));
            }
            at = parent;
        }
        way.reverse();
        way
    }
}
