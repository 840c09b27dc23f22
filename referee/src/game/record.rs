//! [`Record`]: a game as records and lines of coordinates contain it.

use crate::game::{notation::Notation, position::castling_of};
use overboard_formats::canonical::after_move;
use overboard_pictures::diagram::{Diagram, Panel, WordTable};
use overboard_rules::{
    game::{Game, Step},
    outcome::Outcome,
    ply::{BoardName, StandingAct, Wing},
    square::{Side, Square},
};

/// A game in progress that can be recorded as it is played: what its lines of coordinates mean, and the movetext that
/// they become.
///
/// ```
/// use overboard_games::{chess::Chess, one_board::{OneBoard, record::Moves}};
/// use overboard_referee::game::record::{Movetext, Record};
/// use overboard_rules::game::Game;
///
/// let (mut game, mut text) = (OneBoard(Chess::default()), Moves::default());
/// for word in ["e2e4", "e7e5"] {
///     let (before, step) = (game.clone(), game.at(word).unwrap());
///     let effects = step.make(&mut game);
///     text.take(&step, &before, &game, &effects, "");
/// }
/// assert_eq!(text.finish(&game).trim(), "1. e4\ne5");
/// ```
pub trait Record: Notation {
    /// The writer of the movetext of a record.
    type Movetext: Movetext<Self>;

    /// How many words after the first one belong to the same ply; `next` is the word after it.
    fn words_after(_word: &str, _next: Option<&str>) -> usize {
        0
    }

    /// What these coordinates mean here; `None` if that is not legal.
    fn at(&self, coordinates: &str) -> Option<Step<Self>> {
        self.by_coordinates(coordinates).map(Step::Ply)
    }

    /// Whether a referee counts a step made here among the plies of the main line.
    fn is_counted(&self, _step: &Step<Self>) -> bool {
        true
    }

    /// A step made here, in coordinates; empty if a line of coordinates cannot express it.
    fn in_line(&self, step: &Step<Self>) -> String {
        match step {
            Step::Ply(ply) => self.coordinates(*ply).to_string(),
            Step::Event(..) => String::new(),
        }
    }
    /// The board on which a step made here is shown, and its result there; `after` is the position after it.
    /// `None` for a step that is visible only by the games that it ends.
    fn seen(&self, step: &Step<Self>, after: &Self) -> Option<Seen<Self::Board>> {
        let board = match step {
            Step::Ply(ply) => self.spell(*ply).0,
            Step::Event(at, _) => *at,
        };
        let made = self.next_move(board);
        let moment = made.map(|(number, side)| moment_after(number, side, &board.to_string()));
        Some(Seen {
            board,
            made,
            moment,
            fen: after.fen_on(board),
        })
    }
    /// The board on which a step made here is shown, as the step leaves it, if no game is played there any more.
    fn left(&self, _step: &Step<Self>, _after: &Self) -> Option<Panel> {
        None
    }
    /// The board with a name as [`seen`](Self::seen) gives it; `None` if there is no such board.
    fn board_named(&self, name: &str) -> Option<Self::Board>;
    /// Parses the arguments of `[%stands …]`, an illegal act on this board that stands, or on any; `None` if they cannot
    /// be parsed.
    fn standing_act(&self, at: Option<Self::Board>, words: &[u8]) -> Option<StandingAct>;
    /// The wing to which a king would castle if this king move means castling. Whether it is legal is not checked.
    fn castling_of(&self, from: Square, to: Square) -> Option<Wing> {
        castling_of(from, to)
    }
    /// Reports the inner games that a step made here has ended, the innermost first, and those that it has begun.
    fn beside(
        &self,
        _step: &Step<Self>,
        _after: &Self,
        _brought: &Self::Effects,
        _visit: &mut dyn FnMut(Beside<Self::Board>),
    ) {
    }
}

/// The board on which a step is shown, and its effect there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Seen<B> {
    /// The board.
    pub board: B,
    /// The number of the move to which it belongs, and the side that makes it.
    pub made: Option<(u32, Side)>,
    /// The moment after it, as `show --at` takes it (`12b`, `2w.d5.7b`); `None` in the middle of a move of several
    /// steps.
    pub moment: Option<String>,
    /// The position on that board afterwards; `None` if no game is played there any more.
    pub fen: Option<String>,
}

/// A board to be drawn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Scene {
    /// Its name, as [`Record::board_named`] takes it.
    pub path: String,
    /// Its picture.
    pub panel: Panel,
    /// Whether it adjoins the board beside it.
    pub joined: bool,
    /// Its position; `None` if no game is played there any more.
    pub fen: Option<String>,
    /// The tables below its picture.
    pub tables: Vec<WordTable>,
}

/// The boards to be drawn with one, as [`Record::board_named`] names them: those around it, the outermost first, and
/// itself; of linked boards all.
pub fn scenes<G: Record>(game: &G, name: &str) -> Vec<Scene> {
    let picture = game.diagram(&[]);
    if game.boards() > 1 {
        return linked_scenes(game, picture);
    }
    let mut scenes = Vec::new();
    scenes.extend(Scene::of("", picture.clone(), game.fen()));
    if name.is_empty() {
        return scenes;
    }
    let around = name.match_indices('.').map(|(dot, _)| &name[..dot]);
    for path in around.chain([name]) {
        if let Ok((picture, fen)) = game.zoomed(path, picture.clone()) {
            scenes.extend(Scene::of(path, picture, fen));
        }
    }
    scenes
}

/// Each of linked boards.
fn linked_scenes<G: Record>(game: &G, picture: Diagram) -> Vec<Scene> {
    let panels = picture.rows.into_iter().flat_map(|row| {
        let joined = row.joined;
        row.panels.into_iter().map(move |panel| (panel, joined))
    });
    let mut scenes = Vec::new();
    for (number, (panel, joined)) in panels.enumerate() {
        let path = BoardName(number).to_string();
        let board = game.board_named(&path);
        scenes.push(Scene {
            path,
            panel,
            joined,
            fen: board.and_then(|board| game.fen_on(board)),
            tables: Vec::new(),
        });
    }
    scenes
}

impl Scene {
    /// The first board of a picture.
    fn of(path: &str, picture: Diagram, fen: String) -> Option<Self> {
        let panel = picture.rows.into_iter().next()?.panels.into_iter().next()?;
        Some(Self {
            path: path.into(),
            panel,
            joined: false,
            fen: Some(fen),
            tables: picture.tables,
        })
    }
}

/// What happened to inner games.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Beside<B> {
    /// One has begun, and is shown on its board.
    Begun(Seen<B>),
    /// One stops before its last over-move is settled.
    Stopped(Seen<B>),
    /// One has ended: the result in coordinates, the outcome, and what is shown on the board around it.
    Ended(String, Outcome, Seen<B>),
}

/// A moment such as `12w`; `12A` or `12a` if a board is named.
pub fn moment_after(number: u32, side: Side, board: &str) -> String {
    match (board, side) {
        ("", side) => after_move(number, side),
        (board, Side::White) => format!("{number}{board}"),
        (board, Side::Black) => format!("{number}{}", board.to_lowercase()),
    }
}

/// Writes the movetext of a record step by step, without the result.
///
/// ```
/// use overboard_games::{chess::Chess, one_board::{OneBoard, record::Moves}};
/// use overboard_referee::game::record::{Movetext, Record};
/// use overboard_rules::game::Game;
///
/// let before = OneBoard(Chess::default());
/// let step = before.at("e2e4").unwrap();
/// let mut after = before.clone();
/// let effects = step.make(&mut after);
/// let mut text = Moves::default();
/// text.take(&step, &before, &after, &effects, " {Best by test.}");
/// assert_eq!(text.finish(&after).trim(), "1. e4 {Best by test.}");
/// ```
pub trait Movetext<G: Game>: Clone + Default + Send {
    /// Adds a step, given the positions before and after it, its effects, and its remarks: glyphs, NAGs and comments as
    /// written, or nothing. For an illegal move that stands, the remarks begin with the move itself.
    fn take(&mut self, step: &Step<G>, before: &G, after: &G, brought: &G::Effects, remarks: &str);
    /// Adds a step that the record omits.
    fn leave_out(&mut self, step: &Step<G>, before: &G, after: &G, brought: &G::Effects) {
        self.take(step, before, after, brought, "");
    }
    /// Adds the tag pairs and comments at the beginning of the inner game that the next step begins or ends.
    fn open(&mut self, _said: &str) {}
    /// Adds the remarks after a turn or an inner game, once for each that the last step has ended, the innermost first;
    /// or after an event that is not a ply and was omitted. With `ended`, the name of an inner game and how it ended as it is
    /// recorded, which may be wrong.
    fn close(&mut self, _remarks: &str, _ended: Option<(&str, &str)>) {}
    /// The movetext of the game so far, not necessarily in canonical form.
    fn finish(self, last: &G) -> String;
    /// The movetext before an act on the board with this name that is not judged, and the path of the turn or block that
    /// is open in it, as the games inside are named; `None` in a game without such. `last` is the position there.
    fn until(self, last: &G, _name: &str) -> (String, Option<String>) {
        (self.finish(last), None)
    }
}
