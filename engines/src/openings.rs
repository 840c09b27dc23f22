//! The opening of each round, which depends only on the round's number.

use crate::{
    book::{Book, Faults, Line},
    chance::{Chance, Purpose},
    live_game::LiveGame,
    manifest::{Order, Source},
};
use overboard_formats::foreign::Foreign;
use overboard_referee::game::play::Play;
use std::{collections::HashSet, sync::Arc};

/// How often a round draws again if its opening has been used before.
const DRAWS: usize = 64;

/// How a game starts.
pub struct Opening<G: Play> {
    /// The position from which it starts as FEN, if it is not that of the game.
    pub fen: Option<String>,
    /// That position.
    pub start: LiveGame<G>,
    /// The plies that are played before the players begin.
    pub plies: Vec<G::Ply>,
}

/// Why openings cannot be used.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum OpeningsError {
    /// The book cannot be read.
    #[error("{0}")]
    Unread(String),
    /// It is larger than a book may be.
    #[error("the book is larger than the limit of {0} MiB")]
    TooLarge(u64),
    /// It has too many openings.
    #[error("the book has more than the limit of {0} openings")]
    TooMany(usize),
    /// It has unusable lines.
    #[error("{}", .0.lines(None))]
    Unusable(Faults),
    /// These are not the openings with which the manifest was made.
    #[error("these are not the openings that the run was planned with")]
    Foreign,
    /// There is no opening of the requested length.
    #[error("no opening of {0} random plies was found in which the game goes on")]
    TooLong(u32),
}

impl OpeningsError {
    /// The message, with the name of the book.
    #[must_use]
    pub fn of_file(&self, file: &Foreign) -> String {
        match self {
            Self::Unusable(faults) => faults.lines(Some(file)),
            other => format!("{}: {other}", file.shown()),
        }
    }
}

/// The openings, round by round from the first.
pub struct Openings<'b, G: Play> {
    seed: u64,
    next: u64,
    first: LiveGame<G>,
    last: Option<Arc<Opening<G>>>,
    /// The openings of the book, if there is one.
    stock: Option<Stock<'b>>,
    /// The number of random plies after them.
    random: u32,
    /// Hashes of the positions to which random plies have led.
    taken: HashSet<u64>,
}

/// The openings of a book, and how rounds take them.
struct Stock<'b> {
    book: &'b Book,
    /// Their indices in random order; `None` if they are taken in the order of the book.
    shuffled: Option<Vec<u32>>,
    start: u64,
    plies: Option<u32>,
}

impl Stock<'_> {
    /// The index of a round's opening. The first round uses number `start` (from 1), and after the last opening the
    /// first one follows again.
    fn at(&self, round: u64) -> usize {
        let count = self.book.count();
        let at = ((round % count) + (self.start - 1) % count) % count;
        match &self.shuffled {
            Some(places) => places[at as usize] as usize,
            None => at as usize,
        }
    }
}

impl<'b, G: Play> Openings<'b, G> {
    /// The openings of a manifest for a game that starts from `first`; the book is empty if they do not come from one.
    ///
    /// # Errors
    /// Openings that are not those of the manifest.
    pub fn new(
        first: G,
        source: &Source,
        book: &'b Book,
        seed: u64,
    ) -> Result<Self, OpeningsError> {
        let (stock, random) = match source {
            Source::RandomPlies(plies) => (None, *plies),
            Source::Positions {
                hash,
                order,
                start,
                plies,
                random_plies,
                ..
            } => {
                if book.hash() != hash || book.count() == 0 {
                    return Err(OpeningsError::Foreign);
                }
                let mut stock = Stock {
                    book,
                    shuffled: None,
                    start: *start,
                    plies: *plies,
                };
                if *order == Order::Random {
                    let mut places: Vec<u32> = (0..book.count() as u32).collect();
                    Chance::of(seed, Purpose::Shuffle).shuffle(&mut places);
                    stock.shuffled = Some(places);
                }
                (Some(stock), *random_plies)
            }
        };
        Ok(Self {
            seed,
            next: 0,
            first: LiveGame::from(first),
            last: None,
            stock,
            random,
            taken: HashSet::new(),
        })
    }

    /// The opening of a round; rounds must be requested in order.
    ///
    /// # Errors
    /// A line of a book that cannot be used; or no game lasts as long as the requested random opening.
    pub fn of(&mut self, round: u64) -> Result<Arc<Opening<G>>, OpeningsError> {
        while self.next <= round {
            self.last = Some(Arc::new(self.draw(self.next)?));
            self.next += 1;
        }
        match &self.last {
            Some(opening) => Ok(Arc::clone(opening)),
            None => Err(OpeningsError::Foreign),
        }
    }

    fn draw(&mut self, round: u64) -> Result<Opening<G>, OpeningsError> {
        let mut fen = None;
        let Line { start, plies, end } = match &self.stock {
            Some(stock) => {
                let (at, first) = (stock.at(round), self.first.game());
                let line = stock.book.line(at, first, stock.plies)?;
                fen = Some(line.start.game().fen()).filter(|fen| *fen != first.fen());
                line
            }
            None => Line {
                start: self.first.clone(),
                plies: Vec::new(),
                end: self.first.clone(),
            },
        };
        let random = if self.random > 0 {
            self.wander_off(&end, round)?
        } else {
            Vec::new()
        };
        Ok(Opening {
            fen,
            start,
            plies: [plies, random].concat(),
        })
    }

    /// Random plies of a round, to a position that no earlier round has reached if possible.
    fn wander_off(&mut self, from: &LiveGame<G>, round: u64) -> Result<Vec<G::Ply>, OpeningsError> {
        let mut chance = Chance::of(self.seed, Purpose::Opening { round });
        let mut found = None;
        for _ in 0..DRAWS {
            let Some((table, line)) = wander(from, self.random, &mut chance) else {
                continue;
            };
            let is_new = self.taken.insert(table.game().opening_key());
            found = Some(line);
            if is_new {
                break;
            }
        }
        found.ok_or(OpeningsError::TooLong(self.random))
    }
}

/// Plays this many random plies from a position; `None` if the game is over then.
fn wander<G: Play>(
    first: &LiveGame<G>,
    plies: u32,
    chance: &mut Chance,
) -> Option<(LiveGame<G>, Vec<G::Ply>)> {
    let mut table = first.clone();
    let mut line = Vec::new();
    for _ in 0..plies {
        let ply = table.any(chance)?;
        table.play(ply);
        line.push(ply);
    }
    table.end().is_none().then_some((table, line))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        book::Form,
        manifest::{Manifest, Order, Schedule, tests::manifest},
    };
    use overboard_games::{chess::Chess, olympic::Olympic, one_board::OneBoard};
    use overboard_referee::game::notation::Notation as _;

    type Game = OneBoard<Chess>;

    /// A run that takes its openings from a book with this text.
    fn planned(text: &str, form: Form) -> (Manifest, Book) {
        let run = manifest(Schedule::Pairs, &["random"]);
        let book = Book::read(text.as_bytes(), form, &run).unwrap();
        let (count, hash) = (book.count(), book.hash().to_owned());
        let (order, start, plies, random_plies) = (Order::Random, 1, None, 0);
        let openings = Source::Positions {
            file: "x".into(),
            count,
            hash,
            form,
            order,
            start,
            plies,
            random_plies,
        };
        (Manifest { openings, ..run }, book)
    }

    /// The positions after the openings of the first rounds.
    fn ends(run: &Manifest, book: &Book, rounds: u64) -> Vec<String> {
        let mut openings = Openings::new(Game::default(), &run.openings, book, run.seed).unwrap();
        let end = |round| {
            let opening = openings.of(round).unwrap();
            let mut table = opening.start.clone();
            for ply in &opening.plies {
                table.play(*ply);
            }
            table.game().fen()
        };
        (0..rounds).map(end).collect()
    }

    #[test]
    fn no_two_rounds_have_one_random_opening() {
        let (first, book) = (OneBoard::<Olympic>::default(), Book::default());
        let mut openings = Openings::new(first, &Source::RandomPlies(6), &book, 3).unwrap();
        let mut seen = HashSet::new();
        for round in 0..2000 {
            let opening = openings.of(round).unwrap();
            let mut table = opening.start.clone();
            for ply in &opening.plies {
                table.play(*ply);
            }
            assert!(table.end().is_none());
            assert!(seen.insert(table.game().opening_key()));
        }
    }

    #[test]
    fn an_opening_is_reported_by_its_round_alone() {
        let (source, book) = (Source::RandomPlies(5), Book::default());
        let mut one = Openings::new(Game::default(), &source, &book, 9).unwrap();
        let mut other = Openings::new(Game::default(), &source, &book, 9).unwrap();
        let last = (0..50)
            .map(|round| one.of(round).unwrap().plies.clone())
            .last();
        assert_eq!(Some(other.of(49).unwrap().plies.clone()), last);
    }

    const TWO: &str = "# two\n8/8/4k3/8/8/3K4/4P3/8 w - - 0 1\n\nrnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -\n";

    #[test]
    fn positions_of_a_book_all_come_before_any_comes_again() {
        let (run, book) = planned(TWO, Form::Positions);
        let fens = ends(&run, &book, 4);
        assert!(fens[0] != fens[1] && fens[..2] == fens[2..]);
        let other = Book::read(
            &b"8/8/4k3/8/8/3K4/4P3/8 w - - 0 1"[..],
            Form::Positions,
            &run,
        )
        .unwrap();
        assert!(matches!(
            Openings::new(Game::default(), &run.openings, &other, 4),
            Err(OpeningsError::Foreign)
        ));
    }

    #[test]
    fn the_order_the_start_and_the_length_are_those_asked_for() {
        let text = "1. e4 e5 2. Nf3 *\n\n1. d4 d5 *\n\n1. c4 c5 (1... e5) 2. g3 {so} g6 3. Bg2 *\n";
        let (run, book) = planned(text, Form::Games);
        let Source::Positions {
            file,
            count,
            hash,
            form,
            ..
        } = run.openings.clone()
        else {
            panic!()
        };
        let of = |order, start, plies, random_plies| {
            let (file, hash) = (file.clone(), hash.clone());
            let openings = Source::Positions {
                file,
                count,
                hash,
                form,
                order,
                start,
                plies,
                random_plies,
            };
            let run = Manifest {
                openings,
                ..run.clone()
            };
            book.check(&run, &Game::default()).unwrap();
            ends(&run, &book, 4)
        };
        let mark = |fen: &String| fen.split(' ').next().unwrap().matches('/').count();
        let (all, cut) = (
            of(Order::Sequential, 2, None, 0),
            of(Order::Sequential, 1, Some(1), 0),
        );
        assert!(all.iter().all(|fen| mark(fen) == 7));
        assert!(
            all[0].ends_with("0 2") && all[1].ends_with("1 3") && all[2].contains(" b "),
            "{all:?}"
        );
        assert_eq!(all[0], all[3]);
        assert!(
            cut.iter()
                .all(|fen| fen.ends_with("0 1") && fen.contains(" b ")),
            "{cut:?}"
        );
        let wandered = of(Order::Sequential, 1, Some(2), 3);
        assert!(wandered.iter().all(|fen| fen.contains(" b ")) && wandered[0] != wandered[3]);
    }

    #[test]
    fn every_bad_line_is_named() {
        let over = "7k/5Q2/5K2/8/8/8/8/8 b - - 0 1";
        let (run, book) = planned(
            &format!("# nothing\n{over}\nnonsense\n{over}\n"),
            Form::Positions,
        );
        let why = book.check(&run, &Game::default()).unwrap_err();
        let file = "book.epd".into();
        let reported = why.of_file(&file);
        assert!(reported.starts_with("book.epd:3: "), "{reported}");
        assert_eq!(reported.lines().count(), 1, "{reported}");
        // What is over already only has nothing to offer.
        let left_out = book.left_out().unwrap().lines(Some(&file));
        let expected = "left out, since the game is over in this position";
        let expected = [2, 4].map(|line| format!("book.epd:{line}: {expected}"));
        assert_eq!(left_out, expected.join("\n"));

        let games = "1. e4 *\n\n1. e4 e5\n2. Ke3 *\n\n[Variant \"Olympic Chess\"]\n\n1. a3 *\n\n1. f3 e5 2. g4 Qh4# 0-1\n";
        let (run, book) = planned(games, Form::Games);
        let reported = book
            .check(&run, &Game::default())
            .unwrap_err()
            .of_file(&"b.pgn".into());
        let places: Vec<_> = reported
            .lines()
            .map(|line| line.split(": ").next().unwrap())
            .collect();
        assert_eq!(places, ["b.pgn:4", "b.pgn:6", "b.pgn:10"], "{reported}");
        assert!(
            reported.contains("Olympic Chess") && reported.contains("over after 4 plies"),
            "{reported}"
        );

        let (run, book) = planned(&"x\n".repeat(30), Form::Positions);
        let reported = book.check(&run, &Game::default()).unwrap_err().to_string();
        assert!(
            reported.lines().count() == 11
                && reported.ends_with("and 20 more lines cannot be used"),
            "{reported}"
        );
    }
}
