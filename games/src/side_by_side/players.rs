//! Who plays on which of several boards.

use overboard_formats::header::{Header, Name, unescape_list};
use overboard_rules::{by_side::BySide, square::Side};

/// The players of both teams, board A's first, and their illegal attempts.
#[derive(Clone, Debug, Default)]
pub struct Players {
    names: BySide<Vec<String>>,
    attempts: BySide<Vec<u32>>,
}

impl Players {
    /// The players whom the tags list, for this many boards.
    pub fn of(header: &Header, boards: usize) -> Self {
        let [white, black] =
            [Name::White, Name::Black].map(|name| header.text(name).unwrap_or_default());
        Self::listed([&white, &black], boards)
    }

    /// The players in the lists of White and Black, for this many boards.
    pub fn listed(lists: [&str; 2], boards: usize) -> Self {
        let names = lists.map(|list| {
            let mut names: Vec<_> = list.split(':').map(unescape_list).collect();
            names.resize(boards, String::new());
            names
        });
        Self {
            names: names.into(),
            attempts: BySide::from_fn(|_| vec![0; boards]),
        }
    }

    /// The names of a team's players, board A's first.
    pub fn team(&self, side: Side) -> &[String] {
        &self.names[side]
    }

    /// From here on someone else plays for a side on a board (SC-43).
    pub fn substitute(&mut self, side: Side, board: usize, name: String) {
        if let Some(seat) = self.names[side].get_mut(board) {
            *seat = name;
        }
    }

    /// All boards of the player who has this one.
    pub(crate) fn held_with(&self, side: Side, board: usize) -> impl Iterator<Item = usize> + '_ {
        let names = self.team(side);
        let name = names.get(board).map_or("", String::as_str);
        let is_known = !matches!(name, "" | "?");
        (0..names.len()).filter(move |other| *other == board || is_known && names[*other] == name)
    }

    /// Counts an illegal attempt of the player on a board. Returns how many that player has made on all their boards.
    pub fn attempt(&mut self, side: Side, board: usize) -> u32 {
        if let Some(count) = self.attempts[side].get_mut(board) {
            *count += 1;
        }
        self.held_with(side, board)
            .map(|board| self.attempts[side][board])
            .sum()
    }
}
