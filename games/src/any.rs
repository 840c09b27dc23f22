//! A position of any game, for those who ask before they know which.

use crate::{
    chess::Chess,
    coordinates::Turn,
    mega::{self, Mega},
    metachess::Meta,
    notation::{Notation, Unusable},
    olympic::Olympic,
    overchess::{self, DEEPEST, Due, Level, Over},
    registry::Variant,
    strategichess::{
        Strategi,
        linked::{self, Linked},
    },
};
use overboard_formats::san::{PlyText, board_index};
use overboard_pictures::diagram::{Diagram, Panel};
use overboard_rules::{
    game::{Game as _, OneBoard},
    outcome::{Outcome, Ruling},
    perft::perft,
    position::Position,
    square::{Side, Square},
};
use std::ops::ControlFlow;

/// A legal position of one of the games whose rules are here.
#[derive(Clone, Debug)]
pub enum AnyPosition {
    /// Of orthodox chess.
    Chess(Chess),
    /// Of Olympic Chess.
    Olympic(Olympic),
    /// Of `StrategiChess` on one board.
    Strategi(Strategi),
    /// Of `MetaChess` #4.
    Meta(Meta),
    /// Of `StrategiChess` on linked boards.
    Linked(Linked),
    /// Of Recursive-Chess(N), N from 1 on.
    Mega(Mega),
    /// Of Overchess of any depth.
    Over(Box<Over>),
}

impl From<Chess> for AnyPosition {
    fn from(position: Chess) -> Self {
        Self::Chess(position)
    }
}

impl From<Olympic> for AnyPosition {
    fn from(position: Olympic) -> Self {
        Self::Olympic(position)
    }
}

impl From<Strategi> for AnyPosition {
    fn from(position: Strategi) -> Self {
        Self::Strategi(position)
    }
}

impl From<Meta> for AnyPosition {
    fn from(position: Meta) -> Self {
        Self::Meta(position)
    }
}

impl From<Linked> for AnyPosition {
    fn from(position: Linked) -> Self {
        Self::Linked(position)
    }
}

impl From<Mega> for AnyPosition {
    fn from(position: Mega) -> Self {
        Self::Mega(position)
    }
}

impl From<Over> for AnyPosition {
    fn from(position: Over) -> Self {
        Self::Over(Box::new(position))
    }
}

/// Does the same whatever the game of one board, and something else on linked and on nested boards.
macro_rules! whichever {
    ($any:expr, $position:ident => $what:expr, $linked:ident => $otherwise:expr, $mega:ident => $nested:expr,
     $over:ident => $deeper:expr) => {
        match $any {
            AnyPosition::Chess($position) => $what,
            AnyPosition::Olympic($position) => $what,
            AnyPosition::Strategi($position) => $what,
            AnyPosition::Meta($position) => $what,
            AnyPosition::Linked($linked) => $otherwise,
            AnyPosition::Mega($mega) => $nested,
            AnyPosition::Over($over) => $deeper,
        }
    };
}

/// A legal ply in both its spellings.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Listed {
    /// In coordinates.
    pub coord: PlyText,
    /// As SAN, with its sign; on nested boards the address of its board stands before it.
    pub san: PlyText,
    /// On linked boards: the board that it is made from, and the side that makes it.
    pub made: Option<(u16, Side)>,
}

impl Listed {
    /// A number that grows as the first bytes of the coordinates do.
    fn key(&self) -> u128 {
        let mut bytes = [0; 16];
        let length = self.coord.len().min(16);
        bytes[..length].copy_from_slice(&self.coord.as_bytes()[..length]);
        u128::from_be_bytes(bytes)
    }
}

/// What a position is by itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Status {
    /// `ongoing`, `check`, or the end that it has come to ([`overboard_rules::outcome::Cause::status`]).
    pub word: &'static str,
    /// Its outcome, where it ends the game.
    pub outcome: Option<Outcome>,
}

impl AnyPosition {
    /// The first position of a game as it was agreed on: on so many boards, of this level, under rules such
    /// as the tag Rules holds; `None` for what the game has not: boards side by side, a level, a depth beyond
    /// the deepest.
    #[must_use]
    pub fn agreed(game: Variant, boards: u16, level: Option<u8>, rules: &str) -> Option<Self> {
        let info = game.info();
        if (boards != 1 && !info.has_boards) || boards == 0 || (level.is_some() && !info.has_levels) {
            return None;
        }
        Some(match game {
            Variant::Chess => Self::Chess(Chess::default()),
            Variant::Olympic => Self::Olympic(Olympic::default()),
            Variant::Strategi if boards > 1 => {
                Self::Linked(Linked::first(boards.into(), linked::edition(rules)))
            }
            Variant::Strategi => Self::Strategi(Strategi::default()),
            Variant::Meta => Self::Meta(Meta::default()),
            Variant::Mega => Self::at_level(level.unwrap_or(1)),
            Variant::Over => match overchess::depth(rules) {
                0 => Self::Chess(Chess::default()),
                depth => {
                    let depth = u8::try_from(depth).ok().filter(|depth| *depth <= DEEPEST)?;
                    Over::first(depth, overchess::options(rules)).into()
                }
            },
        })
    }

    /// The position from which a game starts under rules such as the tag Rules holds, on one board and of
    /// the first level; `None` where the depth is beyond the deepest.
    #[must_use]
    pub fn start_under(game: Variant, rules: &str) -> Option<Self> {
        Self::agreed(game, 1, None, rules)
    }

    /// The first position of Recursive-Chess(N); N counts up to 64, and 0 is chess (MG-20).
    #[must_use]
    pub fn at_level(level: u8) -> Self {
        if level == 0 { Self::Chess(Chess::default()) } else { Self::Mega(Mega::first(level)) }
    }

    /// The position from which its game starts; that of one board for linked ones.
    #[must_use]
    pub fn first(&self) -> Self {
        match self {
            Self::Chess(_) => Self::Chess(Chess::default()),
            Self::Olympic(_) => Self::Olympic(Olympic::default()),
            Self::Meta(_) => Self::Meta(Meta::default()),
            Self::Strategi(_) | Self::Linked(_) => Self::Strategi(Strategi::default()),
            Self::Mega(mega) => Self::Mega(Mega::first(mega.level())),
            Self::Over(over) => Over::first(over.depth(), over.rules()).into(),
        }
    }

    /// The game that it is a position of.
    #[must_use]
    pub const fn game(&self) -> Variant {
        match self {
            Self::Chess(_) => Variant::Chess,
            Self::Olympic(_) => Variant::Olympic,
            Self::Meta(_) => Variant::Meta,
            Self::Strategi(_) | Self::Linked(_) => Variant::Strategi,
            Self::Mega(_) => Variant::Mega,
            Self::Over(_) => Variant::Over,
        }
    }

    /// Reads a position of this one's game; answers also whether its form had to be forgiven.
    ///
    /// # Errors
    /// What is wrong with the text, or why it is no position.
    pub fn read(&self, fen: &str) -> Result<(Self, bool), Unusable> {
        self.read_under(fen, "")
    }

    /// The same under rules such as the tag Rules holds.
    ///
    /// # Errors
    /// What is wrong with the text, or why it is no position.
    pub fn read_under(&self, fen: &str, rules: &str) -> Result<(Self, bool), Unusable> {
        match self {
            Self::Chess(_) => read::<Chess>(fen),
            Self::Olympic(_) => read::<Olympic>(fen),
            Self::Meta(_) => read::<Meta>(fen),
            Self::Strategi(_) | Self::Linked(_) if fen.contains('|') => {
                linked::read(fen, linked::edition(rules))
                    .map(|(position, lenient)| (Self::Linked(position), lenient))
            }
            Self::Strategi(_) | Self::Linked(_) => read::<Strategi>(fen),
            Self::Mega(first) => {
                mega::read(fen, first.level()).map(|(position, lenient)| (Self::Mega(position), lenient))
            }
            Self::Over(first) => {
                let options = if rules.is_empty() { first.rules() } else { overchess::options(rules) };
                overchess::read(fen, first.depth(), options)
                    .map(|(position, lenient)| (position.into(), lenient))
            }
        }
    }

    /// The position as FEN.
    #[must_use]
    pub fn fen(&self) -> String {
        whichever!(self, position => position.fen(), boards => linked::fen(boards), mega => mega::position(mega), over => overchess::position(over))
    }

    /// The side to move; on linked boards there is none for all.
    #[must_use]
    pub fn turn(&self) -> Option<Side> {
        whichever!(self, position => Some(position.turn()), _boards => None, mega => Some(mega.turn()), over => Some(over.actor()))
    }

    /// What the position is by itself (GEN-11).
    #[must_use]
    pub fn status(&self) -> Status {
        let Some(Ruling { outcome, cause, .. }) = self.ending() else {
            return Status { word: if self.is_check() { "check" } else { "ongoing" }, outcome: None };
        };
        Status { word: cause.status().unwrap_or(cause.word()), outcome: Some(outcome) }
    }

    /// Whether the side to move is in check; within a turn or a sub-game, and on linked boards, nobody is.
    fn is_check(&self) -> bool {
        let over_check = |over: &Level| over.in_check() && over.due() == Due::Over;
        whichever!(self, position => position.in_check(), _boards => false,
            mega => mega.in_check() && mega.is_between_turns(), over => over_check(over.outermost()))
    }

    /// What ends the game in this position by itself (GEN-11).
    #[must_use]
    pub fn ending(&self) -> Option<Ruling> {
        whichever!(self, position => position.ending(), boards => boards.ending(), mega => mega.ending(), over => over.ending())
    }

    /// How many legal plies there are to choose from, on all boards together; `None` where they are more
    /// than 64 bits count.
    #[must_use]
    pub fn choices(&self) -> Option<u64> {
        whichever!(self, position => Some(position.count_legal()), boards => {
            Some(if boards.ending().is_none() { boards.count_legal() } else { 0 })
        }, mega => mega.count_legal_exactly(), over => Some(over.count_legal()))
    }

    /// White's and Black's kings as they count at the end, where the game may have many (SC-36).
    #[must_use]
    pub fn kings(&self) -> Option<[u32; 2]> {
        whichever!(self, _position => None, boards => Some(linked::score(boards)), _mega => None, _over => None)
    }

    /// Writes the legal plies into `list`, in byte order of their coordinates; none in a position that
    /// has ended (GEN-11). Answers what the position is by itself.
    pub fn list_into(&self, list: &mut Vec<Listed>) -> Status {
        list.clear();
        let status = self.status();
        if status.outcome.is_none() {
            self.plies_into(list);
        }
        status
    }

    /// The same, also behind an end by count or dead position, where lines of play go on (GEN-6).
    pub fn plies_into(&self, list: &mut Vec<Listed>) {
        list.clear();
        whichever!(self, position => position.for_each_legal(|m| {
            let (coord, san) = (text(&position.coordinates(m)), text(&position.san(m)));
            list.push(Listed { coord, san, made: None });
        }), boards => list_boards(boards, list), mega => {
            mega::for_each_listed(mega, |coord, san| list.push(Listed { coord, san, made: None }));
        }, over => over.for_each_legal(|ply| {
            let (coord, san) = (overchess::coordinates(over, &ply), overchess::san(over, &ply));
            list.push(Listed { coord, san, made: None });
        }));
        if let Self::Mega(_) | Self::Over(_) = self {
            return list.sort_unstable_by(|a, b| a.coord.cmp(&b.coord));
        }
        // The keys are small beside what they are the keys of.
        list.sort_by_cached_key(Listed::key);
    }

    /// The legal ply of these coordinates as SAN, and the position behind it; `None` where there is no
    /// such ply.
    #[must_use]
    pub fn played(&self, coordinates: &str) -> Option<(PlyText, Self)> {
        whichever!(self, position => {
            let m = position.at(coordinates)?;
            Some((text(&position.san(m)), Self::from(position.after(m))))
        }, boards => {
            let ply = linked::at(boards, coordinates)?;
            Some((text(&linked::san(boards, ply)), Self::Linked(boards.after(ply))))
        }, mega => {
            let ply = mega::at(mega, coordinates)?;
            Some((mega::san(mega, &ply), Self::Mega(mega.after(ply))))
        }, over => {
            let ply = overchess::at(over, coordinates)?;
            Some((overchess::san(over, &ply), over.after(ply).into()))
        })
    }

    /// The position behind each legal ply, in byte order of their coordinates, also behind an end by
    /// count or dead position (GEN-6).
    #[must_use]
    pub fn branches(&self) -> Vec<(PlyText, Self)> {
        let mut branches = Vec::with_capacity(64);
        whichever!(self, position => position.for_each_legal(|m| {
            branches.push((text(&position.coordinates(m)), Self::from(position.after(m))));
        }), boards => {
            let _ = boards.legal(|ply| {
                branches.push((text(&linked::coordinates(ply)), Self::Linked(boards.after(ply))));
                ControlFlow::Continue(())
            });
        }, mega => {
            let _ = mega.legal(|ply| {
                branches.push((mega::coordinates(&ply), Self::Mega(mega.after(ply))));
                ControlFlow::Continue(())
            });
        }, over => over.for_each_legal(|ply| {
            branches.push((overchess::coordinates(over, &ply), over.after(ply).into()));
        }));
        branches.sort_unstable_by(|(a, _), (b, _)| a.as_bytes().cmp(b.as_bytes()));
        branches
    }

    /// Number of the move to come; on linked boards there is none for all.
    #[must_use]
    pub fn fullmove(&self) -> Option<u32> {
        whichever!(self, position => Some(position.fullmove()), _boards => None, mega => Some(mega.fullmove()),
            over => Some(over.outermost().fullmove()))
    }

    /// How many boards there are side by side.
    #[must_use]
    pub fn boards(&self) -> usize {
        whichever!(self, _position => 1, boards => boards.boards(), _mega => 1, _over => 1)
    }

    /// Whose ply these coordinates are, and which; board A's where no board is named.
    #[must_use]
    pub fn turn_of(&self, coordinates: &str) -> Turn {
        whichever!(self, position => {
            Turn { number: position.fullmove(), side: position.turn(), board: None }
        }, boards => {
            let board = linked::board_of(coordinates).filter(|board| *board < boards.boards()).unwrap_or(0);
            Turn { number: boards.fullmove(board), side: boards.turn(board), board: Some(board as u16) }
        }, mega => Turn { number: mega.fullmove(), side: mega.turn(), board: None },
        over => Turn { number: over.outermost().fullmove(), side: over.outermost().turn(), board: None })
    }

    /// The board or the boards, to be drawn; the squares of the last ply are marked.
    #[must_use]
    pub fn diagram(&self, last: &[Square]) -> Diagram {
        whichever!(self, position => {
            Diagram::of(Panel { last: last.to_vec(), ..position.panel() })
        }, boards => linked::diagram(boards), mega => mega::diagram(mega),
            over => overchess::diagram(over, last))
    }

    /// One of many boards alone, out of the picture of all, and its FEN: `B` of linked boards, `A2.B1` of
    /// nested ones, `e5` of the sub-game being played there; `None` where no game is played on such a board.
    #[must_use]
    pub fn zoomed(&self, name: &str, mut drawn: Diagram) -> Option<(Diagram, String)> {
        whichever!(self, _position => None, boards => {
            let board = board_index(name.to_ascii_uppercase().as_bytes()).map(usize::from);
            let board = board.filter(|board| *board < boards.boards())?;
            drawn.keep(board);
            Some((drawn, linked::board_fen(boards, board)))
        }, mega => {
            let path = mega::path(name)?;
            let alone = Diagram { caption: drawn.caption, ..mega::zoomed(mega, &path)? };
            Some((alone, mega::board_fen(mega, &path)?))
        }, over => {
            let (board, fen) = overchess::zoomed(over, name)?;
            drawn.keep(board);
            if over.depth() > 1 {
                drawn.tables = overchess::tables(over, board);
            }
            Some((drawn, fen))
        })
    }

    /// How many lines of so many plies there are (GEN-6).
    #[must_use]
    pub fn perft(&self, depth: u32) -> u64 {
        whichever!(self, position => perft(&OneBoard(position.clone()), depth), boards => perft(boards, depth),
            mega => perft(mega, depth), over => perft(&**over, depth))
    }

    /// How many plies would be listed, where they are many: on nested boards; `None` where a number of 64
    /// bits does not hold them.
    #[must_use]
    pub fn count_nested(&self) -> Option<u64> {
        if let Self::Mega(mega) = self { mega.count_legal_exactly() } else { Some(0) }
    }
}

fn text(short: &str) -> PlyText {
    PlyText::from(short)
}

fn read<P: Notation + Into<AnyPosition>>(fen: &str) -> Result<(AnyPosition, bool), Unusable> {
    P::read(fen).map(|(position, lenient)| (position.into(), lenient))
}

fn list_boards(boards: &Linked, list: &mut Vec<Listed>) {
    let _ = boards.legal(|ply| {
        let made = Some((ply.board() as u16, boards.turn(ply.board())));
        let (coord, san) = (text(&linked::coordinates(ply)), text(&linked::san(boards, ply)));
        list.push(Listed { coord, san, made });
        ControlFlow::Continue(())
    });
}
