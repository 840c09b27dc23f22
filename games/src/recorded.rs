//! A game as records and lines of coordinates hold it.

use crate::{
    game_notation::GameNotation,
    notation::{Notation, castling_of},
};
use overboard_formats::san::Spelt;
use overboard_pictures::diagram::{Diagram, Panel, Table};
use overboard_rules::{
    game::{Game, Happening, OneBoard, Only, Step},
    outcome::Outcome,
    ply::{Arrival, BoardName, Wing},
    square::{Side, Square},
};
use std::fmt::Write;

/// A game under way that is told as it is played: what its lines of coordinates mean, and the movetext that they make.
pub trait Recorded: GameNotation {
    /// The movetext of a record as it is made.
    type Movetext: Movetext<Self>;

    /// How many words follow the one that begins a ply, behind which `next` stands.
    fn words_behind(_word: &str, _next: Option<&str>) -> usize {
        0
    }

    /// What these coordinates mean here; `None` where that is not legal.
    fn at(&self, coordinates: &str) -> Option<Step<Self>>;

    /// The same, with the number of legal plies that there are, `None` where 64 bits do not hold it.
    fn at_among(&self, coordinates: &str) -> (Option<Step<Self>>, Option<u64>) {
        let count = self.count_legal();
        (self.at(coordinates), Some(count).filter(|count| *count < u64::MAX))
    }

    /// Whether a referee counts a step made here among the plies of the main line.
    fn is_counted(&self, _step: &Step<Self>) -> bool {
        true
    }

    /// Whether games are played inside it that have moments of their own.
    const HAS_MOMENTS: bool = false;
    /// Shows the moments of a game that went on from here as a line of coordinates tells, those of games inside it too:
    /// each as it is asked for, with its position. None where there are no others than those behind its plies.
    fn for_each_moment(&self, _deeds: &str, _visit: &mut dyn FnMut(&str, &str)) {}

    /// A step made here in coordinates, as a line of them holds it; nothing for what no line holds.
    fn in_line(&self, step: &Step<Self>) -> String {
        match step {
            Step::Ply(ply) => self.coordinates(*ply).to_string(),
            Step::Event(..) => String::new(),
        }
    }
    /// Where a step made here is seen, and what has come of it there; `after` is the position after it. `None` for
    /// what is seen only by the games that it ends.
    fn seen(&self, step: &Step<Self>, after: &Self) -> Option<Seen<Self::Board>> {
        let board = match step {
            Step::Ply(ply) => self.spell(*ply).0,
            Step::Event(at, _) => *at,
        };
        let made = self.number(board).zip(self.to_act(board));
        let moment = made.map(|(number, side)| moment_after(number, side, &board.to_string()));
        Some(Seen { board, made, moment, fen: after.fen_on(board) })
    }
    /// The board on which a step made here is seen, as the step leaves it, where no game is played there any more.
    fn left(&self, _step: &Step<Self>, _after: &Self) -> Option<Panel> {
        None
    }
    /// The boards that are seen from one, as [`board_named`](Self::board_named) names them: those around it from the
    /// outermost on, and itself; of boards side by side all.
    fn scenes(&self, name: &str) -> Vec<Scene> {
        let picture = self.diagram(&[]);
        if self.boards() > 1 {
            let panels = picture.rows.into_iter().flat_map(|row| row.panels).enumerate();
            let scene = |(number, panel)| {
                let path = BoardName(number).to_string();
                let fen = self.board_named(&path).and_then(|board| self.fen_on(board));
                Scene { path, panel, fen, tables: Vec::new() }
            };
            return panels.map(scene).collect();
        }
        let ways = name.match_indices('.').map(|(dot, _)| &name[..dot]).chain([name]);
        let inside = ways.filter(|way| !way.is_empty()).filter_map(|way| {
            let (picture, fen) = self.zoomed(way, picture.clone())?;
            Scene::of(way, picture, fen)
        });
        let inside = Vec::from_iter(inside);
        Scene::of("", picture, self.fen()).into_iter().chain(inside).collect()
    }
    /// The board of a name as [`seen`](Self::seen) tells it; `None` where there is no such board.
    fn board_named(&self, name: &str) -> Option<Self::Board>;
    /// What was moved on a board against the rules and stands, as `[%stands …]` tells it; `None` where that cannot be
    /// read.
    fn displacement(&self, at: Self::Board, told: &[u8]) -> Option<Happening>;
    /// The wing to which a king would castle that is said to go so on a board; whether it may is left aside.
    fn castling_of(&self, from: Square, to: Square) -> Option<Wing> {
        castling_of(from, to)
    }
    /// Shows the games inside this one that a step made here has ended, the innermost first, and those that have begun
    /// with it.
    fn beside(
        &self,
        _step: &Step<Self>,
        _after: &Self,
        _brought: &Self::Effects,
        _visit: &mut dyn FnMut(Beside<Self::Board>),
    ) {
    }

    /// The level, in a game that has levels.
    fn level(&self) -> Option<u8> {
        None
    }
}

/// Where a step is seen, and what has come of it there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Seen<B> {
    /// The board.
    pub board: B,
    /// The number of the move that it belongs to, and the side that makes it.
    pub made: Option<(u32, Side)>,
    /// The moment that it has led to, as one asks for it (`12b`, `2w.d5.7b`); `None` in the middle of what is one
    /// move to those who ask.
    pub moment: Option<String>,
    /// The position on that board afterwards; `None` where no game is played there any more.
    pub fen: Option<String>,
}

/// A board as it is seen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Scene {
    /// Its name, as [`Recorded::board_named`] takes it.
    pub path: String,
    /// Its picture.
    pub panel: Panel,
    /// Its position; `None` where no game is played there any more.
    pub fen: Option<String>,
    /// What stands below its picture.
    pub tables: Vec<Table>,
}

impl Scene {
    /// The first board of a picture.
    fn of(path: &str, picture: Diagram, fen: String) -> Option<Self> {
        let panel = picture.rows.into_iter().next()?.panels.into_iter().next()?;
        Some(Self { path: path.into(), panel, fen: Some(fen), tables: picture.tables })
    }
}

/// What became of games inside a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Beside<B> {
    /// One has begun, and is seen on its board.
    Begun(Seen<B>),
    /// One has ended so: told in coordinates, and seen on the board around it.
    Ended(String, Outcome, Seen<B>),
}

/// `12w`, and `12A` and `12a` where a board is named.
pub(crate) fn moment_after(number: u32, side: Side, board: &str) -> String {
    match (board, side) {
        ("", Side::White) => format!("{number}w"),
        ("", Side::Black) => format!("{number}b"),
        (board, Side::White) => format!("{number}{board}"),
        (board, Side::Black) => format!("{number}{}", board.to_lowercase()),
    }
}

/// The movetext of a record as it is made, without the result.
pub trait Movetext<G: Game>: Default {
    /// Takes what was done, the positions before and after it, what it has brought about, and what a record says of
    /// it: glyphs, NAGs and comments as they are written, or nothing. Of an illegal move that stands the record says
    /// the move itself first.
    fn take(&mut self, step: &Step<G>, before: &G, after: &G, brought: &G::Effects, remarks: &str);
    /// Takes a step that the record leaves out.
    fn leave_out(&mut self, step: &Step<G>, before: &G, after: &G, brought: &G::Effects) {
        self.take(step, before, after, brought, "");
    }
    /// Takes the tag pairs and comments at the beginning of the game inside that the next step begins or ends.
    fn open(&mut self, _said: &str) {}
    /// Takes what is said after a turn or a game inside is over, once for each that the last step has ended, the
    /// innermost first; or after what happened beside the plies and was left out.
    fn close(&mut self, _remarks: &str) {}
    /// The movetext of a game that has got here; its form need not be the canonical one.
    ///
    /// # Errors
    /// What the game stops in the middle of, where no record holds it.
    fn finish(self, last: &G) -> Result<String, &'static str>;
}

impl<P: Notation> Recorded for OneBoard<P> {
    type Movetext = Moves;

    fn board_named(&self, name: &str) -> Option<Only> {
        name.is_empty().then_some(Only)
    }

    fn displacement(&self, Only: Only, told: &[u8]) -> Option<Happening> {
        let (squares, arrival) = match told {
            [squares @ .., b'^'] if P::ALPHABET.levels => (squares, Arrival::Above),
            squares => (squares, Arrival::Here),
        };
        let (from, to) = P::ALPHABET.two_squares(squares)?;
        Some(Happening::Displaced { from, to, arrival })
    }

    fn at(&self, coordinates: &str) -> Option<Step<Self>> {
        self.0.at(coordinates).map(Step::Ply)
    }

    fn at_among(&self, coordinates: &str) -> (Option<Step<Self>>, Option<u64>) {
        let (mut found, mut count) = (None, 0);
        self.0.for_each_legal(|m| {
            count += 1;
            if found.is_none() && self.0.coordinates(m).eq_ignore_ascii_case(coordinates) {
                found = Some(Step::Ply(m));
            }
        });
        (found.or_else(|| self.at(coordinates)), Some(count))
    }

    fn castling_of(&self, from: Square, to: Square) -> Option<Wing> {
        self.0.castling_of(from, to)
    }
}

/// Numbered moves, one a line.
#[derive(Default, Debug)]
pub struct Moves {
    text: String,
    /// Whether a comment stands before the move to come.
    interrupted: bool,
}

impl<P: Notation> Movetext<OneBoard<P>> for Moves {
    fn take(
        &mut self,
        step: &Step<OneBoard<P>>,
        OneBoard(before): &OneBoard<P>,
        OneBoard(after): &OneBoard<P>,
        (): &(),
        remarks: &str,
    ) {
        let text = match *step {
            Step::Ply(m) => format!("{}{}", Spelt(before.written(m)).text(), after.suffix().as_str()),
            Step::Event(_, Happening::Displaced { .. }) => String::new(),
            Step::Event(..) => return,
        };
        let interrupted = std::mem::replace(&mut self.interrupted, !remarks.is_empty());
        let follows = !self.text.is_empty() && !interrupted;
        // Memory can be written.
        let _ = match before.turn() {
            Side::White => write!(self.text, "{}. ", before.fullmove()),
            Side::Black if !follows => write!(self.text, "{}... ", before.fullmove()),
            Side::Black => Ok(()),
        };
        let _ = writeln!(self.text, "{text}{remarks}");
    }

    fn finish(self, _: &OneBoard<P>) -> Result<String, &'static str> {
        Ok(self.text)
    }
}
