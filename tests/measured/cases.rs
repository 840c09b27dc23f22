//! The cases of which rulings speak, found in the positions and plies of games.

use super::{
    grid::{At, Grid, Piece, is_white, squares},
    questions::Moment,
    sets::{Played, Set},
};
use overboard_games::registry::AnyGame;
use overboard_rules::square::Side;
use std::collections::HashMap;
use std::ops::ControlFlow;

/// The places on the board of a ply, and the board before it.
struct Move {
    grid: Grid,
    white: bool,
    from: At,
    to: At,
    /// What follows the squares: `^`, a promotion.
    rest: String,
}

impl Move {
    fn of(before: &AnyGame, ply: &str) -> Option<Self> {
        let (from, to, rest) = squares(ply)?;
        let fen = before.fen();
        Some(Self {
            grid: Grid::of(&fen),
            white: is_white(&fen),
            from,
            to,
            rest: rest.to_owned(),
        })
    }

    fn made(moment: &Moment) -> Option<Self> {
        Self::of(moment.before, moment.ply)
    }

    /// The enemy carrier on the square of arrival, for a move to the first level.
    fn carrier_taken(&self) -> Option<Piece> {
        let taken = self.grid.at(self.to)?;
        let is_taken = !self.rest.contains('^') && !taken.is_of(self.white);
        (is_taken && taken.rider.is_some()).then_some(taken)
    }

    /// The officer that moves, if it stands on the first level.
    fn officer(&self) -> Option<Piece> {
        let piece = self.grid.at(self.from)?;
        let is_officer = !piece.letter.eq_ignore_ascii_case(&'p');
        (is_officer && piece.rider.is_none() && piece.is_of(self.white)).then_some(piece)
    }
}

/// Whether some legal ply is such a case.
fn some_legal(before: &AnyGame, is_case: impl Fn(&Move) -> bool) -> bool {
    let fen = before.fen();
    let (grid, white) = (Grid::of(&fen), is_white(&fen));
    let mut made = Move {
        grid,
        white,
        from: (0, 0),
        to: (0, 0),
        rest: String::new(),
    };
    let found = before.legal(|ply| {
        let text = before.coordinates(ply);
        let Some((from, to, rest)) = squares(text.as_str()) else {
            return ControlFlow::Continue(());
        };
        (made.from, made.to, made.rest) = (from, to, rest.to_owned());
        if is_case(&made) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    found.is_break()
}

pub fn could_mount(moment: &Moment) -> bool {
    some_legal(moment.before, |made| {
        let taken = made.grid.at(made.to);
        let is_capture =
            taken.is_some_and(|piece| !piece.is_of(made.white) && piece.rider.is_none());
        is_capture && !made.rest.contains('^') && made.officer().is_some()
    })
}

pub fn captures_below(moment: &Moment) -> bool {
    Move::made(moment).is_some_and(|made| made.carrier_taken().is_some())
}

pub fn could_capture_above(moment: &Moment) -> bool {
    some_legal(moment.before, |made| {
        let rider = made.carrier_taken().and_then(|taken| taken.rider);
        let is_enemy = rider.is_some_and(|rider| rider.is_uppercase() != made.white);
        is_enemy && made.officer().is_some()
    })
}

pub fn king_rides(moment: &Moment) -> bool {
    let grid = Grid::of(&moment.after.fen());
    grid.pieces()
        .any(|(_, piece)| matches!(piece.rider, Some('k' | 'K')))
}

pub fn castles(moment: &Moment) -> bool {
    Move::made(moment).is_some_and(|made| {
        let king = made.officer();
        king.is_some_and(|piece| piece.letter.eq_ignore_ascii_case(&'k'))
            && (made.from.0 - made.to.0).abs() == 2
    })
}

pub fn promotes_below(moment: &Moment) -> bool {
    Move::made(moment).is_some_and(|made| {
        let is_promotion = made
            .rest
            .starts_with(|letter: char| letter.is_ascii_alphabetic());
        is_promotion && made.carrier_taken().is_some()
    })
}

pub fn minor_left(moment: &Moment) -> bool {
    let grid = Grid::of(&moment.after.fen());
    let mut letters: Vec<char> = grid
        .pieces()
        .flat_map(|(_, piece)| [Some(piece.letter), piece.rider])
        .flatten()
        .map(|letter| letter.to_ascii_lowercase())
        .collect();
    letters.sort_unstable();
    matches!(letters[..], ['b', 'k', 'k'] | ['k', 'k', 'n'])
}

pub fn drops_unlike_shogi(moment: &Moment) -> bool {
    let Some(square) = moment.ply.strip_prefix("P@") else {
        return false;
    };
    let fen = moment.before.fen();
    let (grid, white) = (Grid::of(&fen), is_white(&fen));
    let file = i32::from(square.as_bytes()[0] - b'a') + 1;
    let has_another = grid.pieces().any(|((on, _), piece)| {
        on == file
            && piece.letter.eq_ignore_ascii_case(&'p')
            && piece.is_of(white)
            && !piece.promoted
    });
    has_another || (moment.after.is_check() && moment.after.count_legal() == 0)
}

pub fn can_only_drop(moment: &Moment) -> bool {
    if moment.after.is_check() || moment.after.count_legal() == 0 {
        return false;
    }
    let moves = moment.after.legal(|ply| {
        if moment.after.coordinates(ply).as_str().contains('@') {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    });
    moves.is_continue()
}

/// What repetition would compare if promoted pieces were not distinguished, and what it compares.
pub fn repeats_alike(set: &Set, game: &Played) -> bool {
    let (mut alike, mut exact) = (HashMap::new(), HashMap::new());
    game.any(set.start(""), |moment| {
        let fen = moment.after.fen();
        let compared: Vec<&str> = fen.split(' ').take(2).collect();
        let compared = compared.join(" ");
        let plain = compared.replace("+p", "g").replace("+s", "g");
        let plain = plain.replace("+P", "G").replace("+S", "G");
        let here = *exact
            .entry(compared)
            .and_modify(|times| *times += 1)
            .or_insert(1);
        let like = *alike
            .entry(plain)
            .and_modify(|times| *times += 1)
            .or_insert(1);
        like >= 3 && here < 3
    })
}

pub fn fifty_moves(moment: &Moment) -> bool {
    let fen = moment.after.fen();
    let counted = fen.split(' ').nth_back(1);
    counted.is_some_and(|plies| plies.parse::<u32>().is_ok_and(|plies| plies >= 100))
}

/// The direction in which a side's pawns go.
const fn ahead(white: bool) -> i32 {
    if white { 1 } else { -1 }
}

/// The pawns of the side to move, with the board and whether they are White's.
fn pawns(before: &AnyGame) -> (Grid, bool, Vec<At>) {
    let fen = before.fen();
    let (grid, white) = (Grid::of(&fen), is_white(&fen));
    let is_pawn = |piece: Piece| piece.letter.eq_ignore_ascii_case(&'p') && piece.is_of(white);
    let pawns = grid
        .pieces()
        .filter(|(_, piece)| is_pawn(*piece))
        .map(|(at, _)| at)
        .collect();
    (grid, white, pawns)
}

pub fn could_step_again(moment: &Moment) -> bool {
    let fen = moment.before.fen();
    let unmoved = fen.split(' ').nth(2).unwrap_or_default().to_owned();
    let (grid, white, pawns) = pawns(moment.before);
    let first = if white { 4 } else { 11 };
    pawns.iter().any(|(file, rank)| {
        let letter = char::from(b'a' + (*file - 1) as u8);
        let letter = if white {
            letter.to_ascii_uppercase()
        } else {
            letter
        };
        let is_free = |steps| grid.at((*file, rank + steps * ahead(white))).is_none();
        *rank == first && !unmoved.contains(letter) && is_free(1) && is_free(2)
    })
}

pub fn could_capture_aside(moment: &Moment) -> bool {
    let (grid, white, pawns) = pawns(moment.before);
    let is_enemy = |at: At| {
        let piece = grid.at(at);
        piece.is_some_and(|piece| !piece.is_of(white) && !piece.letter.eq_ignore_ascii_case(&'k'))
    };
    pawns.iter().any(|(file, rank)| {
        let on_road = matches!(rank, 1 | 2 | 7 | 8 | 13 | 14);
        let aside = on_road && (is_enemy((file - 1, *rank)) || is_enemy((file + 1, *rank)));
        aside || is_enemy((*file, rank - ahead(white)))
    })
}

pub fn pawn_put_off(set: &Set, game: &Played) -> bool {
    if game.end != "seventy-five-moves" {
        return false;
    }
    let last = game.plies.len().saturating_sub(150);
    let mut nth = 0;
    game.any(set.start(""), |moment| {
        nth += 1;
        nth > last
            && Move::made(moment).is_some_and(|made| {
                let piece = made.grid.at(made.from);
                piece.is_some_and(|piece| piece.letter.eq_ignore_ascii_case(&'p'))
            })
    })
}

/// The boards of a position, by their places from the left.
fn boards(game: &AnyGame) -> Vec<Grid> {
    game.fen().split(" | ").map(Grid::of).collect()
}

/// The place of a board from its letter.
fn place(letter: &str) -> usize {
    usize::from(letter.as_bytes()[0] - b'A')
}

pub fn captures_across(moment: &Moment) -> bool {
    let Some((ply, to)) = moment.ply.split_once('/') else {
        return false;
    };
    let Some((_, ply)) = ply.split_once('.') else {
        return false;
    };
    let there = &boards(moment.before)[place(to)];
    squares(ply).is_some_and(|(_, to, _)| there.at(to).is_some())
}

pub fn could_jump_across(moment: &Moment) -> bool {
    let Some((board, _)) = moment.ply.split_once('.') else {
        return false;
    };
    let (here, fen) = (place(board), moment.before.fen());
    let white = fen.split(" | ").nth(here).is_some_and(is_white);
    let boards = boards(moment.before);
    let is_open = |board: Option<&Grid>, at: At| {
        let piece = board.map(|board| board.at(at));
        piece.is_some_and(|piece| piece.is_none_or(|piece| !piece.is_of(white)))
    };
    let left = here.checked_sub(1).and_then(|left| boards.get(left));
    let right = boards.get(here + 1);
    boards[here].pieces().any(|((file, rank), piece)| {
        let is_knight = piece.letter.eq_ignore_ascii_case(&'n') && piece.is_of(white);
        let lands = |board, file| {
            let ranks = [rank - 1, rank + 1];
            let is_inside = |rank: &i32| (1..=14).contains(rank);
            ranks
                .iter()
                .filter(|rank| is_inside(rank))
                .any(|rank| is_open(board, (file, *rank)))
        };
        is_knight && ((file == 2 && lands(left, 14)) || (file == 13 && lands(right, 1)))
    })
}

pub fn takes_king(moment: &Moment) -> bool {
    let count = |game: &AnyGame| {
        game.kings()
            .map(|kings| kings[Side::White] + kings[Side::Black])
    };
    count(moment.after) < count(moment.before)
}

pub fn passes(moment: &Moment) -> bool {
    moment.ply.ends_with("--")
}

pub fn equal_kings(_: &Set, game: &Played) -> bool {
    matches!(game.end.as_str(), "kings-counted" | "all-closed") && game.result == "1/2-1/2"
}

/// A ply of the over-board: one inside a sub-game names its square first.
fn over_move(moment: &Moment) -> Option<Move> {
    let is_over = !moment.ply.contains('.');
    is_over.then(|| Move::made(moment)).flatten()
}

pub fn promotes_inside(moment: &Moment) -> bool {
    let inner = moment
        .ply
        .split_once('.')
        .and_then(|(_, inner)| squares(inner));
    inner.is_some_and(|(_, _, rest)| rest.len() == 1)
}

pub fn over_king_captures(moment: &Moment) -> bool {
    over_move(moment).is_some_and(|made| {
        let piece = made.grid.at(made.from);
        let is_king = piece.is_some_and(|piece| piece.letter.eq_ignore_ascii_case(&'k'));
        is_king
            && made
                .grid
                .at(made.to)
                .is_some_and(|taken| !taken.is_of(made.white))
    })
}

pub fn attacks_in_check(moment: &Moment) -> bool {
    over_move(moment).is_some_and(|made| {
        let is_attack = made.grid.at(made.to).is_some() && !over_king_captures(moment);
        is_attack && moment.before.is_check()
    })
}

pub fn attacks_in_passing(moment: &Moment) -> bool {
    over_move(moment).is_some_and(|made| {
        let piece = made.grid.at(made.from);
        let is_pawn = piece.is_some_and(|piece| piece.letter.eq_ignore_ascii_case(&'p'));
        is_pawn && made.from.0 != made.to.0 && made.grid.at(made.to).is_none()
    })
}

pub fn over_pawn_promotes(moment: &Moment) -> bool {
    over_move(moment).is_some_and(|made| made.rest.len() == 1)
}

pub fn over_board_repeats(set: &Set, game: &Played) -> bool {
    let mut seen = HashMap::new();
    game.end != "fivefold"
        && game.any(set.start(""), |moment| {
            if moment.ply.contains('.') {
                return false;
            }
            let fen = moment.before.fen();
            let compared: Vec<&str> = fen.split(' ').take(4).collect();
            let times = seen.entry(compared.join(" ")).or_insert(0);
            *times += 1;
            *times >= 5
        })
}
