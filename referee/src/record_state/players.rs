//! Who plays on which of several boards, and how many illegal attempts each has made.

use overboard_formats::header::{Header, Name, unescape_list};
use overboard_rules::{by_side::BySide, rule::Rule, square::Side};

/// The chair of a player: a side, and on several boards the index of one of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Chair {
    /// The side that is played there.
    pub side: Side,
    /// The board; `None` where a game has but one player for each side.
    pub board: Option<u16>,
}

/// How a game seats the players of its teams.
#[derive(Clone, Copy, Debug)]
pub struct Seating {
    /// The team, by the colour that names it, which has a side on the board with this index.
    pub team: fn(usize, Side) -> Side,
    /// The law that says what too many illegal attempts cost a player.
    pub law: &'static Rule,
}

/// The players of both teams, board A's first. Empty in a game of two players.
#[derive(Clone, Debug, Default)]
pub struct Players {
    seating: Option<Seating>,
    names: BySide<Vec<String>>,
    attempts: BySide<Vec<u32>>,
}

impl Players {
    /// The players whom the tags list, for this many boards.
    #[must_use]
    pub fn of(header: &Header, boards: usize, seating: Seating) -> Self {
        let [white, black] =
            [Name::White, Name::Black].map(|name| header.text(name).unwrap_or_default());
        Self::listed([&white, &black], boards, seating)
    }

    /// The players in the lists of White and Black, for this many boards.
    #[must_use]
    pub fn listed(lists: [&str; 2], boards: usize, seating: Seating) -> Self {
        let names = lists.map(|list| {
            let mut names: Vec<_> = list.split(':').map(unescape_list).collect();
            names.resize(boards, String::new());
            names
        });
        Self {
            seating: Some(seating),
            names: names.into(),
            attempts: BySide::from_fn(|_| vec![0; boards]),
        }
    }

    /// The names of a team's players, board A's first; empty in a game of two players.
    #[must_use]
    pub fn team(&self, team: Side) -> &[String] {
        &self.names[team]
    }

    /// The law that says what too many illegal attempts cost one of several players of a team.
    #[must_use]
    pub fn law(&self) -> Option<&'static Rule> {
        self.seating.map(|seating| seating.law)
    }

    /// From here on someone else sits on a chair (SC-43).
    pub fn substitute(&mut self, chair: Chair, name: String) {
        let Some((team, board)) = self.seat(chair) else {
            return;
        };
        if let Some(seat) = self.names[team].get_mut(board) {
            *seat = name;
        }
    }

    /// All boards of the player of a team who has this one.
    pub fn held_with(&self, team: Side, board: usize) -> impl Iterator<Item = usize> + '_ {
        let names = self.team(team);
        let name = names.get(board).map_or("", String::as_str);
        // Without a name it is no other.
        let others = if is_known(name) {
            0..names.len()
        } else {
            board..(board + 1).min(names.len())
        };
        others.filter(move |other| *other == board || names[*other] == name)
    }

    /// Counts an illegal attempt made on a chair. Returns how many its player has made on all their boards.
    pub fn attempt(&mut self, chair: Chair) -> u32 {
        if let Some((team, board)) = self.seat(chair)
            && let Some(count) = self.attempts[team].get_mut(board)
        {
            *count += 1;
        }
        self.attempts_of(chair)
    }

    /// How many illegal attempts the player on a chair has made on all their boards.
    #[must_use]
    pub fn attempts_of(&self, chair: Chair) -> u32 {
        let Some((team, board)) = self.seat(chair) else {
            return 0;
        };
        let boards = self.held_with(team, board);
        boards.map(|board| self.attempts[team][board]).sum()
    }

    /// Whether one player has both chairs.
    #[must_use]
    pub fn is_one_player(&self, one: Chair, other: Chair) -> bool {
        match (self.seat(one), self.seat(other)) {
            (Some((one, board)), Some((other, beside))) => {
                let names = self.team(one);
                let is_named_alike = is_known(&names[board]) && names[board] == names[beside];
                one == other && (board == beside || is_named_alike)
            }
            _ => one == other,
        }
    }

    /// The team and the board of a chair, if there is one.
    fn seat(&self, chair: Chair) -> Option<(Side, usize)> {
        let board = usize::from(chair.board?);
        let team = (self.seating?.team)(board, chair.side);
        (board < self.names[team].len()).then_some((team, board))
    }
}

/// Whether a name says who someone is.
fn is_known(name: &str) -> bool {
    !matches!(name, "" | "?")
}
