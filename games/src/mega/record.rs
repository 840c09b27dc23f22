//! Mega-Chess in records and lines of coordinates.

use crate::{
    mega::{self, Act, Board, Mega, Ply},
    one_board::notation::BoardNotation as _,
};
use overboard_formats::san::CHESS;
use overboard_pictures::diagram::Panel;
use overboard_referee::game::{
    notation::Notation as _,
    record::{Record, Seen, moment_after},
};
use overboard_rules::{
    game::{Game as _, Happening, Step},
    path::BoardPath,
    ply::StandingAct,
    position::Movegen as _,
};

impl Record for Mega {
    type Movetext = mega::Movetext;

    fn board_named(&self, name: &str) -> Option<BoardPath> {
        if name.is_empty() {
            Some(BoardPath::OUTERMOST)
        } else {
            mega::path(name)
        }
    }

    /// `e2e5` on a board of chess, `B1D6` for a mega-piece.
    fn standing_act(&self, at: Option<BoardPath>, words: &[u8]) -> Option<StandingAct> {
        let is_capital = at.is_some_and(|at| at.len() < usize::from(Self::level(self)));
        // What is no move is written alike on every board.
        let standing_act = CHESS.standing_act(words).or_else(|| {
            let letters = words.to_ascii_lowercase();
            CHESS.standing_act(&letters)
        })?;
        let files = words.iter().step_by(2).take(2);
        let fits = files.map(u8::is_ascii_uppercase).all(|is| is == is_capital);
        if !fits && matches!(standing_act, StandingAct::Moved { .. }) {
            return None;
        }
        Some(standing_act)
    }

    /// Within a turn a moment is named by the board of its last item.
    fn seen(&self, step: &Step<Self>, after: &Self) -> Option<Seen<BoardPath>> {
        let board = match step {
            Step::Ply(ply) => ply.path,
            // The closing bracket of a turn already says that it stops.
            Step::Event(_, Happening::Stopped) => return None,
            Step::Event(at, _) => *at,
        };
        let made = (self.fullmove(), self.turn());
        let turn = moment_after(made.0, made.1, "");
        let moment = if after.is_between_turns() {
            Some(turn)
        } else if board.is_empty() {
            None
        } else {
            Some(format!("{turn}.{board}"))
        };
        // A board on which the last ply has ended the game is no longer in play, and is shown as that ply left it.
        let fen = after.fen_on(board).or_else(|| {
            Some(match left_by(&self.board_at(&board)?, step)? {
                Board::Chess(chess) => chess.fen(),
                Board::Mega(mega) => mega.fen(),
            })
        });
        Some(Seen {
            board,
            made: Some(made),
            moment,
            fen,
        })
    }

    fn left(&self, step: &Step<Self>, after: &Self) -> Option<Panel> {
        let Step::Ply(Ply { path, .. }) = step else {
            return None;
        };
        if after.board_at(path).is_some() {
            return None;
        }
        Some(match left_by(&self.board_at(path)?, step)? {
            Board::Chess(chess) => chess.panel(),
            Board::Mega(mega) => mega::panel(&mega, true),
        })
    }
}

/// A board by itself after a ply on it.
fn left_by(board: &Board, step: &Step<Mega>) -> Option<Board> {
    let Step::Ply(Ply { act, .. }) = *step else {
        return None;
    };
    match (board, act) {
        (Board::Chess(chess), Act::Move(m)) => Some(Board::Chess(chess.after(m))),
        (Board::Mega(mega), Act::Mega(_)) => {
            Some(Board::Mega(mega.after(act.on(BoardPath::OUTERMOST))))
        }
        _ => None,
    }
}
