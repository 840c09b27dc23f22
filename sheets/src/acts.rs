//! What happens in a match of linked boards besides its plies and matters on all boards, as the comments of a sheet say it.

use overboard_formats::{
    command::{Command, appointed, side as side_of},
    header::unescape_list,
    san::board_index,
};
use overboard_games::strategichess::linked::judge::fallen;
use overboard_referee::record_state::players::Players;
use overboard_rules::square::Side;

/// Something that happens besides plies.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OtherAct {
    /// The flag of a side's player on a board falls (SC-35).
    Flag(Side, usize),
    /// The illegal ply before it stands: the squares that it went from and to, as they are written.
    Stands(Vec<u8>),
    /// An illegal attempt of a side on the board of the sheet (SC-37).
    Attempt(Side),
    /// From here on someone else plays for a side on a board.
    Player(Side, usize, String),
    /// A captain has the kings counted (SC-28).
    Count,
    /// A team resigns.
    Resigns,
    /// A draw is agreed.
    Draw,
}

impl OtherAct {
    /// What a command says; `mover` is the side to move on the board of the sheet.
    pub fn of(command: &Command<'_>, mover: Side) -> Option<Self> {
        let arguments = command.arguments;
        match command.name {
            b"flag" => fallen(arguments).map(|(side, board)| Self::Flag(side, usize::from(board))),
            b"stands" => Some(Self::Stands(arguments.to_vec())),
            b"illegal" => Some(Self::Attempt(mover)),
            b"player" => {
                let player = appointed(arguments).filter(|player| player.seat != "captain")?;
                let board = board_index(player.seat.as_bytes())?;
                Some(Self::Player(
                    player.side,
                    usize::from(board),
                    unescape_list(&player.name),
                ))
            }
            b"claim" if arguments == b"kings" => Some(Self::Count),
            b"resign" => side_of(arguments).map(|_| Self::Resigns),
            b"draw" if arguments == b"agreed" => Some(Self::Draw),
            _ => None,
        }
    }

    /// The board where it happens, if it says so.
    pub fn board(&self) -> Option<usize> {
        match self {
            Self::Flag(_, board) => Some(*board),
            // `n5a5/B`.
            Self::Stands(squares) => {
                let slash = squares.iter().position(|byte| *byte == b'/')?;
                board_index(&squares[slash + 1..]).map(usize::from)
            }
            _ => None,
        }
    }
}

/// What happens around a ply, each in its order.
#[derive(Clone, Default, Debug)]
pub struct ActsAround {
    /// Between its number and the ply.
    pub before: Vec<OtherAct>,
    /// After it, and before the next number.
    pub after: Vec<OtherAct>,
}

impl ActsAround {
    /// All of them, in their order.
    pub fn all(&self) -> impl Iterator<Item = &OtherAct> {
        self.before.iter().chain(&self.after)
    }

    /// The squares of its ply, if that is illegal and stands.
    pub fn stands(&self) -> Option<&[u8]> {
        self.after.iter().find_map(|act| match act {
            OtherAct::Stands(squares) => Some(&squares[..]),
            _ => None,
        })
    }
}

/// What the tags of a match settle about acts.
#[derive(Clone, Debug)]
pub struct MatchTerms {
    /// Who plays on which board at the beginning.
    pub players: Players,
    /// The number of illegal attempts that cost a player the king.
    pub attempts: u32,
}

#[cfg(test)]
impl MatchTerms {
    /// Of a match on this many boards whose tags say nothing.
    pub fn of_any(boards: usize) -> Self {
        Self {
            players: Players::listed(
                ["", ""],
                boards,
                overboard_games::strategichess::linked::judge::SEATING,
            ),
            attempts: 2,
        }
    }
}
