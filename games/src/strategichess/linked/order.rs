//! The captain's instructions of StrategiChess (SC-40): their one form, departures from it, and their meaning.

mod read;

use overboard_rules::{
    refusal::list,
    square::{Role, Side, Square},
};
use read::Reader;
use std::fmt;

/// An instruction as it was passed on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Order {
    /// Who is to send.
    pub sender: String,
    /// What to send; empty for `reinforcements`.
    pub items: Vec<Item>,
    /// Who is to receive.
    pub receiver: String,
    /// How its frame departs from the form: each kind of departure once, in the order of [`Departure`].
    pub departures: Vec<Departure>,
}

/// Pieces of one kind to be sent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Item {
    /// How many of them, in a word.
    pub share: Option<Share>,
    /// How many of them, if given; 1 for `a`.
    pub count: Option<u32>,
    /// Whether that number has a minus sign, so that nobody can send so many.
    pub is_negative: bool,
    /// Their kind.
    pub role: Role,
    /// Whether it is named in the plural.
    pub plural: bool,
    /// The squares of origin: each as written, and as a square if the board has it.
    pub squares: Vec<(String, Option<Square>)>,
}

/// How many of a kind, in a word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Share {
    /// `all`.
    All,
    /// `both`.
    Both,
    /// `some`.
    Some,
    /// `any`.
    Any,
}

/// A departure from the form of an instruction that does not change its words.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Departure {
    /// Letters in the wrong case.
    Capitals,
    /// Quotation marks that are not straight double ones.
    Quotes,
    /// A name without quotation marks.
    NoQuotes,
    /// Not exactly one space.
    Spaces,
    /// No full stop.
    NoFullStop,
    /// Other punctuation.
    Signs,
}

/// Where an instruction departs from the form of SC-40, and what was expected there.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("expected {expected}")]
pub struct OrderError {
    /// The byte at which it stops being such an instruction.
    pub at: usize,
    /// What was expected.
    pub expected: &'static str,
}

impl Order {
    /// Parses `Team Player "Ann" send 2 Knights and a Pawn to Team Player "Bob".`.
    ///
    /// The words are binding, the punctuation is not: case, quotation marks, spaces and the full stop may depart from
    /// the form.
    ///
    /// # Errors
    /// The first place at which the words differ.
    pub fn parse(text: &str) -> Result<Self, OrderError> {
        let mut reader = Reader::new(text);
        reader.words("Team Player", "`Team Player`")?;
        let sender = reader.name()?;
        reader.words("send", "`send`")?;
        let items = reader.pieces()?;
        reader.words("to Team Player", "`to Team Player`")?;
        let receiver = reader.name()?;
        reader.end()?;
        Ok(Self {
            sender,
            items,
            receiver,
            departures: reader.departures(),
        })
    }

    /// The same between these players: a name that is none of theirs is the one of theirs that it is without the signs
    /// around it, as in `to Team Player "Bob."`.
    #[must_use]
    pub fn among(mut self, players: &[&[String]]) -> Self {
        let all = || players.iter().copied().flatten();
        for name in [&mut self.sender, &mut self.receiver] {
            if all().any(|player| player == name) {
                continue;
            }
            let meant = all().find(|player| bare(player) == bare(name));
            if let Some(meant) = meant {
                name.clone_from(meant);
            }
        }
        self
    }

    /// Why it cannot be carried out by these players against those (SC-42).
    #[must_use]
    pub fn unfit(&self, own: &[String], other: &[String]) -> Option<String> {
        for name in [&self.sender, &self.receiver] {
            if !own.contains(name) && other.contains(name) {
                return Some(format!("{name} is of the other team"));
            }
            if !own.contains(name) {
                return Some(format!("no player of the team is called {name}"));
            }
        }
        if self.sender == self.receiver {
            return Some("both players are the same".into());
        }
        if let Some(item) = self.items.iter().find(|item| item.is_negative) {
            return Some(format!("nobody can send {item}"));
        }
        if self.items.iter().any(|item| item.role == Role::King) {
            return Some("a king never leaves its board".into());
        }
        None
    }

    /// What the sender, who has `has` pieces of each kind, lacks of the pieces to be sent, and on which square;
    /// `stands` says whether the sender has a piece of some kind on a square.
    #[must_use]
    pub fn lacking(
        &self,
        has: impl Fn(Role) -> u32,
        stands: impl Fn(Role, Square) -> bool,
    ) -> Option<String> {
        for item in &self.items {
            let too_many = self.too_many(item.role, has(item.role));
            let lacks = too_many.or_else(|| self.misplaced(item, &stands));
            if lacks.is_some() {
                return lacks;
            }
        }
        None
    }

    fn too_many(&self, role: Role, has: u32) -> Option<String> {
        let mut asked = 0_u32;
        for item in &self.items {
            if item.role == role {
                asked = asked.saturating_add(item.least());
            }
        }
        let (name, sender) = (role.name(), &self.sender);
        let plural = if has == 1 { "" } else { "s" };
        match has {
            _ if asked == 0 => Some(format!("no {name} is to be sent")),
            0 => Some(format!("{sender} has no {name}")),
            _ if asked > has => Some(format!("{sender} has {has} {name}{plural}, not {asked}")),
            _ => None,
        }
    }

    fn misplaced(&self, item: &Item, stands: impl Fn(Role, Square) -> bool) -> Option<String> {
        let (name, sender) = (item.role.name(), &self.sender);
        let named = item.squares.len();
        let asked = item.count.unwrap_or(0) as usize;
        for (nth, (text, square)) in item.squares.iter().enumerate() {
            match square {
                None => return Some(format!("there is no square {text}")),
                Some(square) if !stands(item.role, *square) => {
                    return Some(format!("{sender} has no {name} on {square}"));
                }
                Some(square)
                    if item.squares[..nth]
                        .iter()
                        .any(|(_, other)| *other == Some(*square)) =>
                {
                    return Some(format!("{square} is named twice"));
                }
                Some(_) => {}
            }
        }
        let squares = if named == 1 { "square" } else { "squares" };
        if named == 0 || asked <= named {
            return None;
        }
        Some(format!("{asked} {name}s do not stand on {named} {squares}"))
    }
}

impl Item {
    /// The least number of pieces needed to carry it out.
    fn least(&self) -> u32 {
        let said = match (self.count, self.share) {
            (Some(count), _) => count,
            (None, Some(Share::Both)) => 2,
            (None, _) => 1,
        };
        said.max(self.squares.len() as u32)
    }
}

/// The meaning: `2 knights`, `all pawns`, `knight on n5`.
impl fmt::Display for Item {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(share) = self.share {
            write!(f, "{} ", share.word())?;
        }
        if let Some(count) = self.count {
            let minus = if self.is_negative { "-" } else { "" };
            write!(f, "{minus}{count} ")?;
        }
        f.write_str(self.role.name())?;
        if self.plural || self.count.is_some_and(|count| count != 1) {
            f.write_str("s")?;
        }
        if self.squares.is_empty() {
            return Ok(());
        }
        write!(
            f,
            " on {}",
            list(self.squares.iter().map(|(text, _)| text), "and")
        )
    }
}

/// The meaning: `from Ann to Bob: 2 knights and 1 pawn`.
impl fmt::Display for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = if self.items.is_empty() {
            "reinforcements".to_string()
        } else {
            list(&self.items, "and")
        };
        write!(f, "from {} to {}: {what}", self.sender, self.receiver)
    }
}

/// A name without the signs and spaces around it.
fn bare(name: &str) -> &str {
    name.trim_matches(|c: char| c.is_whitespace() || read::SIGNS.contains(c))
}

/// The side whose captain gave an instruction, by the first word of the command, and the instruction. `W` and `B` stand
/// for the sides, or their names; the sign after them does not matter.
#[must_use]
pub fn addressed(arguments: &str) -> (Option<Side>, &str) {
    let arguments = arguments.trim_start();
    let (first, rest) = arguments
        .split_once(char::is_whitespace)
        .unwrap_or((arguments, ""));
    let side = match bare(first).to_lowercase().as_str() {
        "w" | "white" => Some(Side::White),
        "b" | "black" => Some(Side::Black),
        _ => None,
    };
    match side {
        Some(_) => (side, rest.trim_start()),
        None => (None, arguments),
    }
}

impl Share {
    const ALL: [Self; 4] = [Self::All, Self::Both, Self::Some, Self::Any];

    /// The word for it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Both => "both",
            Self::Some => "some",
            Self::Any => "any",
        }
    }
}

impl Departure {
    /// Its name, for programs.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Capitals => "capitals",
            Self::Quotes => "quotes",
            Self::NoQuotes => "no-quotes",
            Self::Spaces => "spaces",
            Self::NoFullStop => "no-full-stop",
            Self::Signs => "signs",
        }
    }
}

/// What is wrong, in words.
impl fmt::Display for Departure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Capitals => "capital letters",
            Self::Quotes => "the kind of quotes",
            Self::NoQuotes => "a name without quotes",
            Self::Spaces => "spaces",
            Self::NoFullStop => "no full stop",
            Self::Signs => "signs that do not belong there",
        })
    }
}

#[cfg(test)]
mod tests;
