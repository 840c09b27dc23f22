//! Games of Overchess as lines of coordinates: the plies read from words, and the record that they make.

use crate::{
    notation::Notation,
    overchess::{self, AsArrangement},
    parse::Verb,
};
use overboard_rules::{
    outcome::Outcome,
    overchess::{Arrangement, Asked, Due, KINDS, Over, Ply, Roster},
    position::Position,
    square::{Role, Side, Square},
};
use std::fmt::Write;

mod deep;
#[cfg(test)]
mod tests;

pub use deep::{DeepMovetext, follow};

/// What is done in a game: a ply, or an end of a sub-game that its moves do not bring about (OV-16).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Deed<P = Ply> {
    /// A ply.
    Ply(P),
    /// The sub-game of an open over-game, 0 the outermost, that is due or being played ends so; its attacker
    /// is White.
    Conclude(usize, Outcome),
}

/// How many words follow the one that begins a ply, which `next` stands behind.
#[must_use]
pub fn words_behind(word: &str, next: Option<&str>) -> usize {
    match word.rsplit_once('.').map_or(word, |(_, own)| own) {
        "reserve" | "give" => 2,
        "prisoners" | "prisoner" | "consolidate" => 1,
        // An individual and its square, or the set-up of a sub-game of chess as a whole.
        "setup" if next.is_some_and(|next| next.starts_with(char::is_lowercase)) => 2,
        "setup" => 1,
        _ => 0,
    }
}

impl Deed {
    /// The deed of these words, one space between them; `None` where it is not legal.
    #[must_use]
    pub fn read(over: &Over, text: &str) -> Option<Self> {
        let ply = match text.split_once('.') {
            Some((on, inner)) => {
                let (Due::Sub(due) | Due::Setup(due, _)) = over.due() else { return None };
                if overchess::square(on) != Some(due) {
                    return None;
                }
                if let Some(outcome) = outcome(inner) {
                    return Some(Self::Conclude(0, outcome));
                }
                match inner.strip_prefix("setup ") {
                    Some(men) => Ply::Setup(overchess::arrangement(men)?),
                    None => return over.sub_game()?.at(inner).map(|m| Self::Ply(Ply::Sub(m))),
                }
            }
            None => act(over, text)?,
        };
        over.judge(Asked::Ply(ply)).ok().map(Self::Ply)
    }

    /// How it is written where it is done.
    #[must_use]
    pub fn text(&self, over: &Over) -> String {
        match self {
            Self::Ply(ply) => overchess::coordinates(over, ply).to_string(),
            Self::Conclude(_, outcome) => {
                let (Due::Sub(on) | Due::Setup(on, _)) = over.due() else { return outcome.as_str().into() };
                format!("{on}.{outcome}")
            }
        }
    }

    /// Whether a referee counts it among the plies of the main line: over-moves and consolidations.
    #[must_use]
    pub const fn is_counted(&self) -> bool {
        matches!(self, Self::Ply(Ply::Over(_) | Ply::Consolidate(_)))
    }

    /// Does it.
    pub fn make(&self, over: &mut Over) {
        match self {
            Self::Ply(ply) => over.play(ply),
            Self::Conclude(_, outcome) => over.conclude(*outcome),
        }
    }
}

fn outcome(text: &str) -> Option<Outcome> {
    [Outcome::Win(Side::White), Outcome::Win(Side::Black), Outcome::Draw]
        .into_iter()
        .find(|outcome| outcome.as_str() == text)
}

fn act(over: &Over, text: &str) -> Option<Ply> {
    let words: Vec<_> = text.split(' ').collect();
    let role = |text: &str| text.bytes().next().filter(|_| text.len() == 1).and_then(Role::from_letter);
    Some(match words[..] {
        ["prisoners", men] => Ply::Prisoners(overchess::roster(men)?),
        ["reserve", on, man] => Ply::Reserve(overchess::square(on)?, role(man)?),
        ["consolidate", on] => Ply::Consolidate(overchess::square(on)?),
        ["give", on, man] => Ply::Give(overchess::square(on)?, role(man)?),
        ["done"] => Ply::Done,
        [_] => return overchess::at(over, text),
        _ => return None,
    })
}

/// The movetext of a game, made as its deeds are done.
#[derive(Default, Debug)]
pub struct Movetext {
    text: String,
    /// The sub-game that is open.
    block: Option<Square>,
    /// The attacker's set-up, while the defender's is due.
    attackers: Option<Arrangement>,
    /// Spares for one over-piece, not yet written.
    spares: Option<(Square, Roster)>,
    /// A consolidation not yet written: the over-piece and who gets what.
    gifts: Option<(Square, Vec<(Square, Roster)>)>,
}

impl Movetext {
    /// Takes a deed, the position before it and the one behind it.
    pub fn take(&mut self, deed: &Deed, before: &Over, after: &Over) {
        match deed {
            Deed::Ply(Ply::Reserve(on, role)) => return self.reserve(*on, *role, before),
            _ => self.write_spares(),
        }
        match deed {
            Deed::Ply(Ply::Over(m)) => {
                if before.due() == Due::Over {
                    self.number(before);
                }
                self.word(&overchess::san(before, &Ply::Over(*m)));
            }
            Deed::Ply(Ply::Setup(men)) => self.set_up(*men, before, after),
            Deed::Ply(Ply::Sub(m)) => {
                let Some(chess) = before.sub_game() else { return };
                self.open(before, None);
                let dots = if chess.turn() == Side::White { "." } else { "..." };
                self.word(&format!("{}{dots}", chess.fullmove()));
                self.word(&chess.san(*m));
                self.close_where_over(before, after, || {
                    mated(chess.after(*m).ending().map(|end| end.outcome))
                });
            }
            Deed::Ply(Ply::Prisoners(men)) => self.prisoners(*men),
            Deed::Ply(Ply::Consolidate(on)) => {
                self.number(before);
                self.gifts = Some((*on, Vec::new()));
            }
            Deed::Ply(Ply::Give(to, role)) => self.give(*to, *role),
            Deed::Ply(Ply::Done) if before.due() == Due::Giving => self.consolidate(),
            Deed::Ply(Ply::Done) => {
                let offered = before.settling().next().is_some_and(|(_, men)| !men.is_none());
                if offered {
                    self.prisoners(Roster::NONE);
                }
            }
            Deed::Conclude(_, outcome) => {
                self.open(before, None);
                self.close(*outcome);
            }
            Deed::Ply(Ply::Reserve(..)) => {}
        }
    }

    /// The movetext, without the result of the game.
    ///
    /// # Errors
    /// What the game stops in the middle of, where no record holds it: two set-ups, a consolidation.
    pub fn finish(mut self) -> Result<String, &'static str> {
        if self.attackers.is_some() {
            return Err("the set-ups of a sub-game");
        }
        if self.gifts.is_some() {
            return Err("a consolidation");
        }
        self.write_spares();
        if self.block.take().is_some() {
            self.text.push_str(" *\n>");
        }
        Ok(self.text)
    }

    fn word(&mut self, word: &str) {
        self.text.push_str(if self.text.is_empty() { "" } else { " " });
        self.text.push_str(word);
    }

    fn number(&mut self, over: &Over) {
        let dots = if over.turn() == Side::White { "." } else { "..." };
        self.text.push_str(if self.text.is_empty() { "" } else { "\n" });
        self.text.push_str(&format!("{}{dots}", over.fullmove()));
    }

    /// Spares of one action come in the order of the kinds.
    fn reserve(&mut self, on: Square, role: Role, before: &Over) {
        let place = |role: Role| KINDS.iter().position(|kind| *kind == role);
        let joins = |(at, men): &(Square, Roster)| {
            *at == on && KINDS.into_iter().all(|kind| men.count(kind) == 0 || place(kind) <= place(role))
        };
        if !self.spares.as_ref().is_some_and(joins) {
            self.write_spares();
        }
        if before.due() == Due::Over {
            self.number(before);
        }
        let (_, men) = self.spares.get_or_insert((on, Roster::NONE));
        *men = men.plus(role);
    }

    fn write_spares(&mut self) {
        if let Some((on, men)) = self.spares.take() {
            self.word(&format!("<{} {on}: {}>", Verb::Reserve.word(), words(men)));
        }
    }

    fn prisoners(&mut self, men: Roster) {
        let men = if men.is_none() { "0".into() } else { words(men) };
        self.word(&format!("<{} {men}>", Verb::Prisoners.word()));
    }

    fn give(&mut self, to: Square, role: Role) {
        let Some((_, gifts)) = &mut self.gifts else { return };
        match gifts.iter_mut().find(|(known, _)| *known == to) {
            Some((_, men)) => *men = men.plus(role),
            None => gifts.push((to, Roster::NONE.plus(role))),
        }
    }

    fn consolidate(&mut self) {
        let Some((on, mut gifts)) = self.gifts.take() else { return };
        gifts.sort_by_key(|(to, _)| (to.rank, to.file));
        let mut said = format!("<{} {on}:", Verb::Consolidate.word());
        for (to, men) in gifts {
            words(men).split(' ').for_each(|men| said.push_str(&format!(" {to}+{men}")));
        }
        // Where nothing is handed over, no colon is needed.
        self.word(&format!("{}>", said.trim_end_matches(':')));
    }

    fn set_up(&mut self, men: Arrangement, before: &Over, after: &Over) {
        let Due::Setup(on, side) = before.due() else { return };
        if side == Side::White && after.due() == Due::Setup(on, Side::Black) {
            self.attackers = Some(men);
            return;
        }
        self.open(before, Some(men));
        self.close_where_over(before, after, || Outcome::Draw);
    }

    /// Opens the block of the sub-game that is due, unless it is open; `told` is the set-up just made.
    fn open(&mut self, before: &Over, told: Option<Arrangement>) {
        let (Due::Sub(on) | Due::Setup(on, _)) = before.due() else { return };
        if self.block.is_some() {
            return;
        }
        self.block = Some(on);
        self.word(&format!("<{on}:"));
        let Some(armies) = before.armies() else { return };
        let [attacker, defender] = armies.map(Arrangement::only_one);
        let attackers = self.attackers.take().or(before.attackers_setup());
        let set_up = match (before.due(), told) {
            (Due::Setup(_, Side::White), Some(men)) => [Some(men), defender],
            (Due::Setup(_, Side::Black), Some(men)) => [attackers.or(attacker), Some(men)],
            // A result alone stands for no set-up.
            (Due::Setup(..), _) => return,
            _ => [attacker, defender],
        };
        if let [Some(white), Some(black)] = set_up
            && armies != [Roster::FULL; 2]
        {
            self.text.push_str(&format!("\n[FEN \"{}\"]\n[SetUp \"1\"]\n", first_position(white, black)));
        }
    }

    fn close_where_over(&mut self, before: &Over, after: &Over, outcome: impl FnOnce() -> Outcome) {
        let (Due::Sub(on) | Due::Setup(on, _)) = before.due() else { return };
        if !matches!(after.due(), Due::Sub(at) | Due::Setup(at, _) if at == on) {
            self.close(outcome());
        }
    }

    fn close(&mut self, outcome: Outcome) {
        self.word(outcome.as_str());
        self.text.push_str("\n>");
        self.block = None;
        self.attackers = None;
    }
}

/// Mate wins, and every other end of a sub-game is a draw.
fn mated(outcome: Option<Outcome>) -> Outcome {
    outcome.unwrap_or(Outcome::Draw)
}

/// `2P N`.
fn words(men: Roster) -> String {
    let word = |role: Role| match men.count(role) {
        0 => None,
        1 => Some(role.letter().to_string()),
        count => Some(format!("{count}{}", role.letter())),
    };
    overchess::ORDER.into_iter().filter_map(word).collect::<Vec<_>>().join(" ")
}

/// The FEN from which a sub-game starts.
fn first_position(attacker: Arrangement, defender: Arrangement) -> String {
    let (white, black) = (AsArrangement(attacker).to_string(), AsArrangement(defender).to_string());
    let (white_pawns, white_men) = white.split_once('/').unwrap_or_default();
    let black = black.to_lowercase();
    let (black_pawns, black_men) = black.split_once('/').unwrap_or_default();
    let rights = [(attacker, 7, 'K'), (attacker, 0, 'Q'), (defender, 7, 'k'), (defender, 0, 'q')];
    let rights: String = rights
        .into_iter()
        .filter(|(men, file, _)| men.officers >> file & 1 == 1)
        .map(|(.., letter)| letter)
        .collect();
    let rights = if rights.is_empty() { "-" } else { &rights };
    let mut fen = String::new();
    // Memory can be written.
    let _ = write!(fen, "{black_men}/{black_pawns}/8/8/8/8/{white_pawns}/{white_men} w {rights} - 0 1");
    fen
}
