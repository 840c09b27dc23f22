//! The record in which a sheet is judged, for those who show what is found there.

use super::{Cleaned, SheetBundle, parents::ParentPlace};
use crate::sheets::{Items, Tagged as _, inside::Inside, text::NodesAsText};
use std::io::Read as _;

/// A record in which a sheet is judged.
pub struct JudgedIn {
    /// The record, in no particular layout.
    pub text: String,
    /// Whether the sheet is that of a sub-game, which also stands for itself.
    pub is_of_a_sub_game: bool,
}

impl SheetBundle {
    /// The record in which the sheet that was added with this number is judged; `None` for one that is judged alone.
    #[must_use]
    pub fn judged_in(mut self, file: usize) -> Option<JudgedIn> {
        self.families();
        let at = self.sheets.iter().position(|member| member.file == file)?;
        // Another sheet of the same game may stand for both.
        let at = self.sheets.iter().position(|member| member.united.contains(&at)).unwrap_or(at);
        let member = &self.sheets[at];
        let is_of_a_sub_game = matches!(member.place, ParentPlace::Behind(..));
        if member.parent.is_none() && member.kept.tag("Parent").is_some() {
            let text = written(Box::new(Cleaned::of(Inside::of(&member.kept)?.items())));
            return Some(JudgedIn { text, is_of_a_sub_game: true });
        }
        let root = self.root(at);
        if self.family(root).len() == 1 {
            return None;
        }
        let whole = self.put_together(root).ok()?;
        Some(JudgedIn { text: written(whole.cleaned()), is_of_a_sub_game })
    }
}

fn written(items: Items<'_>) -> String {
    let mut text = String::new();
    // Memory can be read, and what is made of nodes is text.
    let _ = NodesAsText::of(items).read_to_string(&mut text);
    text
}
