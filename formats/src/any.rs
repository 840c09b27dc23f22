//! A position of any game, for those who ask before they know which.

use crate::{
    coordinates::Turn,
    linked, mega,
    notation::{Notation, Unusable},
    overchess,
    registry::Game,
    san::{PlyText, board_index},
};
use overboard_pictures::diagram::{Diagram, Panel};
use overboard_rules::{
    chess::Chess,
    mega::Mega,
    metachess::Meta,
    olympic::Olympic,
    outcome::{Cause, Outcome, Ruling},
    overchess::{
        Due, Over,
        deep::{self, Deep},
    },
    perft,
    position::Position,
    square::{Side, Square},
    strategichess::{Strategi, linked::Linked},
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
    /// Of Overchess.
    Over(Box<Over>),
    /// Of Overchess of depth 2 and more.
    Deep(Deep),
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

impl From<Deep> for AnyPosition {
    fn from(position: Deep) -> Self {
        Self::Deep(position)
    }
}

/// Does the same whatever the game of one board, and something else on linked and on nested boards.
macro_rules! whichever {
    ($any:expr, $position:ident => $what:expr, $linked:ident => $otherwise:expr, $mega:ident => $nested:expr,
     $over:ident => $deeper:expr, $deep:ident => $deepest:expr) => {
        match $any {
            AnyPosition::Chess($position) => $what,
            AnyPosition::Olympic($position) => $what,
            AnyPosition::Strategi($position) => $what,
            AnyPosition::Meta($position) => $what,
            AnyPosition::Linked($linked) => $otherwise,
            AnyPosition::Mega($mega) => $nested,
            AnyPosition::Over($over) => $deeper,
            AnyPosition::Deep($deep) => $deepest,
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
    /// One of `ongoing check mate stalemate dead seventyfive repetition kingfall megamate
    /// megastalemate megamoves kingscounted`.
    pub word: &'static str,
    /// Its outcome, where it ends the game.
    pub outcome: Option<Outcome>,
}

impl AnyPosition {
    /// The first position of a game as it was agreed on: on so many boards, of this level, under rules such
    /// as the tag Rules holds; `None` for what the game has not: boards side by side, a level, a depth beyond
    /// the deepest.
    #[must_use]
    pub fn agreed(game: Game, boards: u16, level: Option<u8>, rules: &str) -> Option<Self> {
        let info = game.info();
        if (boards != 1 && !info.has_boards) || boards == 0 || (level.is_some() && !info.has_levels) {
            return None;
        }
        Some(match game {
            Game::Chess => Self::Chess(Chess::default()),
            Game::Olympic => Self::Olympic(Olympic::default()),
            Game::Strategi if boards > 1 => {
                Self::Linked(Linked::start(boards.into(), linked::edition(rules)))
            }
            Game::Strategi => Self::Strategi(Strategi::default()),
            Game::Meta => Self::Meta(Meta::default()),
            Game::Mega => Self::at_level(level.unwrap_or(1)),
            Game::Over => match overchess::depth(rules) {
                0 => Self::Chess(Chess::default()),
                1 => Over::start(overchess::options(rules)).into(),
                depth => {
                    let depth = u8::try_from(depth).ok().filter(|depth| *depth <= deep::DEEPEST)?;
                    Deep::start(depth, overchess::options(rules)).into()
                }
            },
        })
    }

    /// The position from which a game starts under rules such as the tag Rules holds, on one board and of
    /// the first level; `None` where the depth is beyond the deepest.
    #[must_use]
    pub fn start_under(game: Game, rules: &str) -> Option<Self> {
        Self::agreed(game, 1, None, rules)
    }

    /// The first position of Recursive-Chess(N); N counts up to 64, and 0 is chess (MG-20).
    #[must_use]
    pub fn at_level(level: u8) -> Self {
        if level == 0 { Self::Chess(Chess::default()) } else { Self::Mega(Mega::start(level)) }
    }

    /// The position from which its game starts; that of one board for linked ones.
    #[must_use]
    pub fn first(&self) -> Self {
        match self {
            Self::Chess(_) => Self::Chess(Chess::default()),
            Self::Olympic(_) => Self::Olympic(Olympic::default()),
            Self::Meta(_) => Self::Meta(Meta::default()),
            Self::Strategi(_) | Self::Linked(_) => Self::Strategi(Strategi::default()),
            Self::Mega(mega) => Self::Mega(Mega::start(mega.level())),
            Self::Over(over) => Over::start(over.options()).into(),
            Self::Deep(deep) => Deep::start(deep.depth(), deep.options()).into(),
        }
    }

    /// The game that it is a position of.
    #[must_use]
    pub const fn game(&self) -> Game {
        match self {
            Self::Chess(_) => Game::Chess,
            Self::Olympic(_) => Game::Olympic,
            Self::Meta(_) => Game::Meta,
            Self::Strategi(_) | Self::Linked(_) => Game::Strategi,
            Self::Mega(_) => Game::Mega,
            Self::Over(_) | Self::Deep(_) => Game::Over,
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
                let options = if rules.is_empty() { first.options() } else { overchess::options(rules) };
                overchess::read(fen, options).map(|(position, lenient)| (position.into(), lenient))
            }
            Self::Deep(first) => {
                let options = if rules.is_empty() { first.options() } else { overchess::options(rules) };
                overchess::deep::read(fen, first.depth(), options)
                    .map(|(position, lenient)| (position.into(), lenient))
            }
        }
    }

    /// The position as FEN.
    #[must_use]
    pub fn fen(&self) -> String {
        whichever!(self, position => position.fen(), boards => linked::fen(boards), mega => mega::position(mega), over => overchess::position(over),
            deep => overchess::deep::position(deep))
    }

    /// The side to move; on linked boards there is none for all.
    #[must_use]
    pub fn turn(&self) -> Option<Side> {
        whichever!(self, position => Some(position.turn()), _boards => None, mega => Some(mega.turn()), over => Some(over.actor()),
            deep => Some(deep.actor()))
    }

    /// What the position is by itself (GEN-11).
    #[must_use]
    pub fn status(&self) -> Status {
        whichever!(self, position => status(position), boards => status_of(boards), mega => status_of_mega(mega),
            over => status_of_over(over), deep => status_of_over(deep.outermost()))
    }

    /// What ends the game in this position by itself (GEN-11).
    #[must_use]
    pub fn ending(&self) -> Option<Ruling> {
        whichever!(self, position => position.ending(), boards => boards.ending(), mega => mega.ending(), over => over.ending(),
            deep => deep.ending())
    }

    /// How many legal plies there are to choose from, on all boards together; `None` where they are more
    /// than 64 bits count.
    #[must_use]
    pub fn choices(&self) -> Option<u64> {
        whichever!(self, position => Some(position.count_legal()), boards => {
            let mut choices = 0;
            (0..boards.boards()).for_each(|board| boards.for_each_legal(board, |_| choices += 1));
            Some(choices)
        }, mega => mega.count_legal(), over => Some(over.count_legal()), deep => Some(deep.count_legal()))
    }

    /// White's and Black's kings as they count at the end, where the game may have many (SC-36).
    #[must_use]
    pub fn kings(&self) -> Option<[u32; 2]> {
        whichever!(self, _position => None, boards => Some(linked::score(boards)), _mega => None, _over => None, _deep => None)
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
        }), boards => list_boards(&boards.going_on(), list), mega => {
            mega::for_each_listed(mega, |coord, san| list.push(Listed { coord, san, made: None }));
        }, over => over.for_each_legal(|ply| {
            let (coord, san) = (overchess::coordinates(over, &ply), overchess::san(over, &ply));
            list.push(Listed { coord, san, made: None });
        }), deep => deep.for_each_legal(|ply| {
            let (coord, san) = (overchess::deep::coordinates(deep, &ply), overchess::deep::san(deep, &ply));
            list.push(Listed { coord, san, made: None });
        }));
        if let Self::Mega(_) | Self::Over(_) | Self::Deep(_) = self {
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
            let mut after = boards.going_on();
            after.play(ply);
            Some((text(&linked::san(boards, ply)), Self::Linked(after)))
        }, mega => {
            let ply = mega::at(mega, coordinates)?;
            Some((mega::san(mega, &ply), Self::Mega(mega.after(&ply))))
        }, over => {
            let ply = overchess::at(over, coordinates)?;
            Some((overchess::san(over, &ply), over.after(&ply).into()))
        }, deep => {
            let ply = overchess::deep::at(deep, coordinates)?;
            Some((overchess::deep::san(deep, &ply), deep.after(&ply).into()))
        })
    }

    /// The position behind each legal ply, in byte order of their coordinates, also behind an end by
    /// count or dead position (GEN-6).
    #[must_use]
    pub fn branches(&self) -> Vec<(PlyText, Self)> {
        let mut branches = Vec::with_capacity(64);
        whichever!(self, position => position.for_each_legal(|m| {
            branches.push((text(&position.coordinates(m)), Self::from(position.after(m))));
        }), boards => linked::for_each_after(&boards.going_on(), |ply, after| {
            branches.push((text(&linked::coordinates(ply)), Self::Linked(after)));
        }), mega => {
            let _ = mega.for_each_legal(&mut |ply| {
                branches.push((mega::coordinates(&ply), Self::Mega(mega.after(&ply))));
                ControlFlow::Continue(())
            });
        }, over => over.for_each_legal(|ply| {
            branches.push((overchess::coordinates(over, &ply), over.after(&ply).into()));
        }), deep => deep.for_each_legal(|ply| {
            branches.push((overchess::deep::coordinates(deep, &ply), deep.after(&ply).into()));
        }));
        branches.sort_unstable_by(|(a, _), (b, _)| a.as_bytes().cmp(b.as_bytes()));
        branches
    }

    /// Number of the move to come; on linked boards there is none for all.
    #[must_use]
    pub fn fullmove(&self) -> Option<u32> {
        whichever!(self, position => Some(position.fullmove()), _boards => None, mega => Some(mega.fullmove()),
            over => Some(over.fullmove()), deep => Some(deep.outermost().fullmove()))
    }

    /// How many boards there are side by side.
    #[must_use]
    pub fn boards(&self) -> usize {
        whichever!(self, _position => 1, boards => boards.boards(), _mega => 1, _over => 1, _deep => 1)
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
        over => Turn { number: over.fullmove(), side: over.turn(), board: None },
        deep => Turn { number: deep.outermost().fullmove(), side: deep.outermost().turn(), board: None })
    }

    /// The board or the boards, to be drawn; the squares of the last ply are marked.
    #[must_use]
    pub fn diagram(&self, last: &[Square]) -> Diagram {
        whichever!(self, position => {
            Diagram::of(Panel { last: last.to_vec(), ..position.panel() })
        }, boards => linked::diagram(boards), mega => mega::diagram(mega),
            over => overchess::diagram(over, last), deep => overchess::deep::diagram(deep, last))
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
            let (Some(chess), Due::Sub(on)) = (over.sub_game(), over.due()) else { return None };
            let named = on.to_string().eq_ignore_ascii_case(name);
            drawn.keep(1);
            named.then(|| (drawn, chess.fen()))
        }, deep => {
            let (board, fen) = overchess::deep::zoomed(deep, name)?;
            drawn.keep(board);
            drawn.tables = overchess::deep::tables(deep, board);
            Some((drawn, fen))
        })
    }

    /// How many lines of so many plies there are (GEN-6).
    #[must_use]
    pub fn perft(&self, depth: u32) -> u64 {
        whichever!(self, position => perft::perft(position, depth), boards => linked::perft(boards, depth),
            mega => mega::perft(mega, depth), over => overchess::perft(over, depth),
            deep => overchess::deep::perft(deep, depth))
    }

    /// How many plies would be listed, where they are many: on nested boards; `None` where a number of 64
    /// bits does not hold them.
    #[must_use]
    pub fn count_nested(&self) -> Option<u64> {
        if let Self::Mega(mega) = self { mega.count_legal() } else { Some(0) }
    }
}

fn text(short: &str) -> PlyText {
    PlyText::from(short)
}

fn read<P: Notation + Into<AnyPosition>>(fen: &str) -> Result<(AnyPosition, bool), Unusable> {
    P::read(fen).map(|(position, lenient)| (position.into(), lenient))
}

fn list_boards(boards: &Linked, list: &mut Vec<Listed>) {
    for board in 0..boards.boards() {
        boards.for_each_legal(board, |ply| {
            let made = Some((board as u16, boards.turn(board)));
            let (coord, san) = (text(&linked::coordinates(ply)), text(&linked::san(boards, ply)));
            list.push(Listed { coord, san, made });
        });
    }
}

fn status_of(boards: &Linked) -> Status {
    match boards.ending() {
        None => Status { word: "ongoing", outcome: None },
        Some(ruling) => {
            let mated = ruling.cause == Cause::Checkmate;
            Status { word: if mated { "mate" } else { "kingscounted" }, outcome: Some(ruling.outcome) }
        }
    }
}

fn status_of_mega(mega: &Mega) -> Status {
    let Some(ruling) = mega.ending() else {
        let checked = mega.in_check() && mega.is_between_turns();
        return Status { word: if checked { "check" } else { "ongoing" }, outcome: None };
    };
    let word = match ruling.cause {
        Cause::MegaMate => "megamate",
        Cause::MegaStalemate => "megastalemate",
        Cause::DeadPosition => "dead",
        Cause::MegaMoves => "megamoves",
        _ => "repetition",
    };
    Status { word, outcome: Some(ruling.outcome) }
}

fn status_of_over(over: &Over) -> Status {
    let Some(ruling) = over.ending() else {
        let checked = over.in_check() && over.due() == Due::Over;
        return Status { word: if checked { "check" } else { "ongoing" }, outcome: None };
    };
    let word = match ruling.cause {
        Cause::KingFalls => "kingfall",
        Cause::Checkmate => "mate",
        Cause::Stalemate => "stalemate",
        Cause::DeadPosition => "dead",
        Cause::SeventyFiveMoves => "seventyfive",
        _ => "repetition",
    };
    Status { word, outcome: Some(ruling.outcome) }
}

fn status<P: Notation>(position: &P) -> Status {
    let Some(ruling) = position.ending() else {
        return Status { word: if position.in_check() { "check" } else { "ongoing" }, outcome: None };
    };
    let word = match ruling.cause {
        Cause::Checkmate => "mate",
        Cause::Stalemate => "stalemate",
        Cause::DeadPosition => "dead",
        Cause::SeventyFiveMoves => "seventyfive",
        _ => "repetition",
    };
    Status { word, outcome: Some(ruling.outcome) }
}
