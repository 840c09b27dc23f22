//! The captain's instructions of StrategiChess (SC-40): one form, and what it says.

use overboard_rules::square::Role;
use std::ops::Range;

/// An instruction as it was passed on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Order {
    /// Who is to send.
    pub sender: String,
    /// What: kinds with their numbers; none for `reinforcements`.
    pub pieces: Vec<(u32, Role)>,
    /// Who is to receive.
    pub receiver: String,
}

/// Where an instruction leaves the form of SC-40, and what was expected there.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("expected {expected}")]
pub struct OrderFault {
    /// Bytes from which on it is no such instruction.
    pub at: usize,
    /// What was expected.
    pub expected: &'static str,
}

impl Order {
    /// Reads `Team Player "Ann" send 2 Knights and a Pawn to Team Player "Bob".`.
    ///
    /// # Errors
    /// The first place where it is something else.
    pub fn parse(text: &str) -> Result<Self, OrderFault> {
        let mut reader = Reader { text, at: 0 };
        reader.words("Team Player", "`Team Player`")?;
        let sender = reader.name()?;
        reader.words("send", "`send`")?;
        let pieces = reader.pieces()?;
        reader.words("to Team Player", "`to Team Player`")?;
        let receiver = reader.name()?;
        reader.end()?;
        Ok(Self { sender, pieces, receiver })
    }
}

/// What is wrong with an instruction of the right form.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unfit {
    /// It breaks SC-40 after all.
    Breach(String),
    /// It is reported, not punished (SC-42).
    Report(String),
}

impl Order {
    /// What is wrong with it, passed on among these players and against those.
    #[must_use]
    pub fn unfit(&self, own: &[String], other: &[String]) -> Option<Unfit> {
        if self.sender == self.receiver {
            return Some(Unfit::Breach("both players are the same".into()));
        }
        for name in [&self.sender, &self.receiver] {
            if !own.contains(name) && other.contains(name) {
                return Some(Unfit::Breach(format!("{name} is of the other team")));
            }
            if !own.contains(name) {
                return Some(Unfit::Report(format!("no player of the team is called {name}")));
            }
        }
        let king = self.pieces.iter().any(|(_, role)| *role == Role::King);
        king.then(|| Unfit::Report("a king never leaves its board".into()))
    }

    /// What the sender, who has so many men of each kind, lacks of what he is to send.
    #[must_use]
    pub fn lacking(&self, has: impl Fn(Role) -> u32) -> Option<String> {
        let asked =
            |role| self.pieces.iter().filter(|(_, of)| *of == role).map(|(count, _)| count).sum::<u32>();
        let (role, has) = self
            .pieces
            .iter()
            .map(|(_, role)| (*role, has(*role)))
            .find(|(role, has)| asked(*role) > *has)?;
        let (name, plural) = (role.name(), if has == 1 { "" } else { "s" });
        Some(match has {
            0 => format!("{} has no {name}", self.sender),
            _ => format!("{} has {has} {name}{plural}, not {}", self.sender, asked(role)),
        })
    }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl Reader<'_> {
    fn fault<T>(&self, expected: &'static str) -> Result<T, OrderFault> {
        Err(OrderFault { at: self.at, expected })
    }

    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn skip_spaces(&mut self) {
        self.at += self.rest().len() - self.rest().trim_start().len();
    }

    /// Passes over these words, with any white space between them.
    fn words(&mut self, words: &str, expected: &'static str) -> Result<(), OrderFault> {
        for word in words.split(' ') {
            self.skip_spaces();
            let next = self.word();
            if &self.text[next.clone()] != word {
                return self.fault(expected);
            }
            self.at = next.end;
        }
        Ok(())
    }

    /// The letters and digits that come next.
    fn word(&self) -> Range<usize> {
        let length = self.rest().find(|c: char| !c.is_alphanumeric()).unwrap_or(self.rest().len());
        self.at..self.at + length
    }

    /// A name in double quotes.
    fn name(&mut self) -> Result<String, OrderFault> {
        self.skip_spaces();
        let Some(inside) = self.rest().strip_prefix('"') else {
            return self.fault("a player's name in double quotes");
        };
        let Some(length) = inside.find('"').filter(|length| *length > 0) else {
            return self.fault("a player's name in double quotes");
        };
        let name = inside[..length].to_string();
        self.at += length + 2;
        Ok(name)
    }

    /// `reinforcements`, or a list of pieces.
    fn pieces(&mut self) -> Result<Vec<(u32, Role)>, OrderFault> {
        self.skip_spaces();
        for whole in ["\"reinforcements\"", "reinforcements"] {
            if self.rest().starts_with(whole) {
                self.at += whole.len();
                return Ok(Vec::new());
            }
        }
        let mut pieces = vec![self.piece()?];
        loop {
            self.skip_spaces();
            if self.rest().starts_with(',') {
                self.at += 1;
                self.skip_spaces();
                self.skip_word("and");
            } else if !self.skip_word("and") {
                return Ok(pieces);
            }
            pieces.push(self.piece()?);
        }
    }

    fn skip_word(&mut self, word: &str) -> bool {
        let next = self.word();
        let there = &self.text[next.clone()] == word;
        self.at = if there { next.end } else { self.at };
        there
    }

    /// `Rook`, `a Pawn`, `2 Knights`.
    fn piece(&mut self) -> Result<(u32, Role), OrderFault> {
        self.skip_spaces();
        let first = self.word();
        let count = match &self.text[first.clone()] {
            "a" | "an" | "one" => Some(1),
            digits => digits.parse().ok().filter(|count| (1..=999).contains(count)),
        };
        if count.is_some() {
            self.at = first.end;
            self.skip_spaces();
        }
        let next = self.word();
        let Some(role) = role_of(&self.text[next.clone()]) else {
            return self.fault("`reinforcements`, or pieces such as `2 Knights and a Pawn`");
        };
        self.at = next.end;
        Ok((count.unwrap_or(1), role))
    }

    fn end(&mut self) -> Result<(), OrderFault> {
        self.skip_spaces();
        if !self.rest().starts_with('.') {
            return self.fault("`.` behind the second name");
        }
        self.at += 1;
        self.skip_spaces();
        if self.rest().is_empty() { Ok(()) } else { self.fault("nothing behind the instruction") }
    }
}

fn role_of(word: &str) -> Option<Role> {
    let small = word.to_lowercase();
    let one = small.strip_suffix('s').unwrap_or(&small);
    [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::King]
        .into_iter()
        .find(|role| role.name() == one)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instructions_of_the_form_are_read() {
        for (text, pieces) in [
            (
                r#"Team Player "Ann" send 2 Knights and a Pawn to Team Player "Bob"."#,
                vec![(2, Role::Knight), (1, Role::Pawn)],
            ),
            (
                r#"Team Player "Ann" send Rook, Bishop to Team Player "Bob"."#,
                vec![(1, Role::Rook), (1, Role::Bishop)],
            ),
            (r#"Team Player "Ann" send "reinforcements" to Team Player "Bob"."#, vec![]),
            (r#"Team Player "Ann" send reinforcements to Team Player "Bob"."#, vec![]),
            (
                r#"Team Player "Ann" send a King, 3 pawns, and Queen to Team Player "Bob"."#,
                vec![(1, Role::King), (3, Role::Pawn), (1, Role::Queen)],
            ),
        ] {
            let order = Order::parse(text).unwrap();
            assert_eq!(
                (order.sender.as_str(), order.receiver.as_str(), order.pieces),
                ("Ann", "Bob", pieces)
            );
        }
    }

    #[test]
    fn the_first_deviation_is_pointed_at() {
        for (text, at) in [
            (r#"team Player "Ann" send Rook to Team Player "Bob"."#, 0),
            (r#"Team Player Ann send Rook to Team Player "Bob"."#, 12),
            (r#"Team Player "Ann" please send Rook to Team Player "Bob"."#, 18),
            (r#"Team Player "Ann" send the Rook to Team Player "Bob"."#, 23),
            (r#"Team Player "Ann" send Rook quickly to Team Player "Bob"."#, 28),
            (r#"Team Player "Ann" send Rook to Team Player "Bob""#, 48),
            (r#"Team Player "Ann" send Rook to Team Player "Bob". Hurry!"#, 50),
            ("", 0),
        ] {
            assert_eq!(Order::parse(text).unwrap_err().at, at, "{text}");
        }
    }
}
