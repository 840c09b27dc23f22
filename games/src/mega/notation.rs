//! How positions and plies of Mega-Chess and Recursive-Chess(N) are written.

use crate::{
    chess,
    chess::{Chess, laws as regular},
    fen::{AsFen, Fen, FenFault, clip, fault, items, six, write_rank, write_state},
    game_notation::{GameNotation, Listed},
    mega::{Act, Asked, Board, BoardSetup, Effects, Mega, MegaMove, MegaSetup, Ply, State},
    notation::{Notation, Unusable},
    registry::Variant,
};
use overboard_formats::{
    canonical::addressed,
    parse::is_address,
    san::{CHESS, MoveText, PlyText, Spelt, Suffix},
};
use overboard_pictures::diagram::{Cell, Diagram, Man, Mark, Panel};
use overboard_rules::{
    game::Game,
    path::{BoardPath, DEEPEST, MegaSquare},
    ply::Written,
    position::Movegen,
    refusal::list,
    setup::Setup,
    square::{Side, Square},
    variant::{Sample, Spelling, VariantInfo},
};
use std::{
    fmt::{self, Write},
    ops::{ControlFlow, Range},
};

/// Mega-Chess and Recursive-Chess(N) in words.
pub static INFO: VariantInfo = VariantInfo {
    name: "Recursive Chess",
    in_words: "Recursive Chess",
    spellings: &[
        Spelling::of_level("mega-chess", 1),
        Spelling::of_level("mega chess", 1),
        Spelling::of_level("megachess", 1),
        Spelling::new("recursive chess"),
        Spelling::new("recursive-chess"),
        Spelling::new("recursive"),
        Spelling::of_level("moser-chess", 2),
        Spelling::of_level("aleph-chess", 8),
    ],
    arguments: &["mega-chess", "recursive"],
    options: &[],
    has_levels: true,
    has_boards: false,
    has_roles: false,
    counts_kings: false,
    laws: super::laws::LAWS,
    linked_laws: None,
    samples: &[Sample::PLAIN, Sample::at(2)],
};

/// How the text of a position is made.
pub const FORM: &str = "a mega-position has seven fields, `placement side castling en-passant half full used`, then the boards in braces, `{A2: …; B1: armed}`, by file and rank, those in their first position left out";

/// The address that a text names.
#[must_use]
pub fn address(text: &[u8]) -> Option<Square> {
    let [file, rank] = text else { return None };
    let file = file.to_ascii_uppercase();
    is_address(&[file, *rank]).then(|| Square::new(file - b'A', rank - b'1'))
}

/// The way to a board that a text such as `A2.B1` names.
#[must_use]
pub fn path(text: &str) -> Option<BoardPath> {
    let mut path = BoardPath::OUTERMOST;
    for name in text.split('.') {
        if path.len() >= DEEPEST {
            return None;
        }
        path = path.on(address(name.as_bytes())?);
    }
    Some(path)
}

/// All squares as positions list them: by file, then by rank.
fn squares() -> impl Iterator<Item = Square> {
    (0..8).flat_map(|file| (0..8).map(move |rank| Square::new(file, rank)))
}

// Positions as text.

/// Reads a position of a level from 1 on; answers also whether its form had to be forgiven.
///
/// # Errors
/// What is wrong with the text, or why it is no position.
pub fn read(text: &str, level: u8) -> Result<(Mega, bool), Unusable> {
    let mut reader = Reader { text, at: 0, path: BoardPath::OUTERMOST };
    let mega = reader.game(level)?;
    reader.skip();
    if reader.at < text.len() {
        let rest = reader.at..text.len();
        let found = clip(&text[rest.clone()]);
        return Ok(fault(rest, format!("`{found}` stands behind the position"))?);
    }
    let lenient = position(&mega) != text;
    Ok((mega, lenient))
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    path: BoardPath,
}

/// The fields before the braces, each with its name.
const FIELDS: [&str; 7] = [
    "the placement of the mega-pieces",
    "the side to move",
    "the castling rights",
    "the en passant square",
    "the mega-moves in a row",
    "the number of the turn",
    "the boards used in this turn",
];

impl Reader<'_> {
    fn skip(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start_matches(' ').len();
    }

    fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    fn eat(&mut self, mark: char) -> bool {
        self.skip();
        let there = self.peek() == Some(mark);
        self.at += usize::from(there);
        there
    }

    /// A word up to a space or a mark of the notation.
    fn word(&mut self) -> Range<usize> {
        self.skip();
        let rest = &self.text[self.at..];
        let length = rest.find([' ', '{', '}', ';', ':']).unwrap_or(rest.len());
        let word = self.at..self.at + length;
        self.at = word.end;
        word
    }

    /// A game of this level and all in it: calls itself once for each level.
    fn game(&mut self, level: u8) -> Result<Mega, Unusable> {
        let mut fields = FIELDS.map(|_| 0..0);
        for (field, name) in fields.iter_mut().zip(FIELDS) {
            *field = self.word();
            if field.start == field.end {
                return Ok(fault(field.clone(), format!("{name} is missing: {FORM}"))?);
            }
        }
        let text = self.text;
        let [chess @ .., used] = &fields;
        let (used, moved) = used_boards(text, used)?;
        let named = |name: &str| address(name.as_bytes());
        let Setup { board, turn, castling, en_passant, halfmove, fullmove } =
            six(text, chess, named, ["the mega-moves in a row", "the number of the turn"])?;
        let mut setup = MegaSetup {
            pieces: board,
            turn,
            castling,
            en_passant,
            halfmove,
            fullmove,
            used,
            moved,
            boards: Vec::new(),
        };
        if self.eat('{') {
            self.boards(level, &mut setup)?;
        }
        Mega::from_setup(level, setup).map_err(|unfit| {
            let at = if self.path.is_empty() { String::new() } else { format!("board {}: ", self.path) };
            Unusable::Mega(format!("{at}{}", unfit.words), unfit.rule)
        })
    }

    /// `A2: …; B1: armed}`.
    fn boards(&mut self, level: u8, setup: &mut MegaSetup) -> Result<(), Unusable> {
        if self.eat('}') {
            return Ok(());
        }
        let mut named = 0_u64;
        loop {
            let word = self.word();
            let Some(on) = address(self.text[word.clone()].as_bytes()) else {
                let found = clip(&self.text[word.clone()]);
                return Ok(fault(
                    word,
                    format!("the address of a board such as A2 was expected, not `{found}`"),
                )?);
            };
            let bit = 1 << (on.rank * 8 + on.file);
            if named & bit != 0 {
                return Ok(fault(word, format!("the board {} stands twice", MegaSquare(on)))?);
            }
            named |= bit;
            if !self.eat(':') {
                return Ok(fault(self.at..self.at, "`:` was expected behind the address".into())?);
            }
            let outer = self.path;
            self.path = outer.on(on);
            setup.boards.push((on, self.board(level)?));
            self.path = outer;
            if self.eat('}') {
                return Ok(());
            }
            if !self.eat(';') {
                return Ok(fault(self.at..self.at, "`;` or `}` was expected behind a board".into())?);
            }
        }
    }

    fn board(&mut self, level: u8) -> Result<BoardSetup, Unusable> {
        self.skip();
        let start = self.at;
        let word = self.word();
        let state = match &self.text[word] {
            "armed" => Some(State::Armed),
            "disarmed" => Some(State::Disarmed),
            "dethroned" => Some(State::Dethroned),
            _ => None,
        };
        if let Some(state) = state {
            return Ok(BoardSetup::State(state));
        }
        self.at = start;
        if level > 1 {
            return self.game(level - 1).map(BoardSetup::Mega);
        }
        let rest = &self.text[start..];
        let length = rest.find([';', '}', '{']).unwrap_or(rest.len());
        self.at = start + length;
        if self.peek() == Some('{') {
            let what = "a board of chess holds no boards";
            return Ok(fault(self.at..self.at + 1, what.into())?);
        }
        let shift = |FenFault { what, bytes }: FenFault| FenFault {
            what,
            bytes: bytes.start + start..bytes.end + start,
        };
        let setup = Fen::parse(rest[..length].trim_end()).map_err(shift)?.setup;
        let chess = Chess::from_setup(&setup).map_err(|why| {
            let words = format!("board {}: {}", self.path, list(why, "and"));
            Unusable::Mega(words, &regular::SET_UP)
        })?;
        Ok(BoardSetup::Chess(Box::new(chess)))
    }
}

/// The boards used in the turn, and whether one of them was moved on: `A2,B2`, or `A2=,B2=` where they were
/// only drawn by agreement.
fn used_boards(text: &str, field: &Range<usize>) -> Result<(Vec<Square>, bool), FenFault> {
    let mut used = Vec::new();
    let mut moved = false;
    for item in items(text, field)? {
        let told = &text[item.clone()];
        let name = told.strip_suffix('=').unwrap_or(told);
        let Some(on) = address(name.as_bytes()) else {
            let what =
                format!("the boards used in this turn are `-` or such as `A2,B2`, not `{}`", clip(told));
            return fault(item, what);
        };
        moved |= name == told;
        used.push(on);
    }
    Ok((used, moved))
}

/// The text of a position.
#[must_use]
pub fn position(mega: &Mega) -> String {
    let mut text = String::new();
    // Memory can be written.
    let _ = write_game(mega, &mut text);
    text
}

/// Calls itself once for each level.
fn write_game(mega: &Mega, out: &mut String) -> fmt::Result {
    for rank in (0..8).rev() {
        let men = (0..8).map(|file| mega.mega_piece_at(Square::new(file, rank)));
        write_rank(out, men, |out, man| out.write_char(man.piece.letter()))?;
        out.push_str(if rank > 0 { "/" } else { "" });
    }
    write_state(out, mega.turn(), mega.castling(), mega.en_passant().map(MegaSquare))?;
    write!(out, " {} {} ", mega.halfmove(), mega.fullmove())?;
    write_used(mega, out)?;
    out.push_str(" {");
    let mut first = true;
    for on in squares() {
        let Some(man) = mega.mega_piece_at(on) else { continue };
        let touched = mega.touched_board(on);
        if man.state == State::Neutral && touched.is_none() {
            continue;
        }
        write!(out, "{}{}: ", if first { "" } else { "; " }, MegaSquare(on))?;
        first = false;
        match touched {
            Some(Board::Chess(chess)) => write!(out, "{}", AsFen(&chess.to_setup()))?,
            Some(Board::Mega(game)) => write_game(&game, out)?,
            None => out.push_str(man.state.word()),
        }
    }
    out.push('}');
    Ok(())
}

fn write_used(mega: &Mega, out: &mut String) -> fmt::Result {
    let used: Vec<_> = mega.used().collect();
    let mark = if mega.has_moved() { "" } else { "=" };
    let named: Vec<_> =
        squares().filter(|on| used.contains(on)).map(|on| format!("{}{mark}", MegaSquare(on))).collect();
    out.write_str(if named.is_empty() { "-" } else { "" })?;
    out.write_str(&named.join(","))
}

// Plies as text.

/// A ply in coordinates: `A2.e2e4`, `B1C3`, `A2.B1C3`, `A2.1/2-1/2`, `--`.
#[must_use]
pub fn coordinates(ply: &Ply) -> PlyText {
    let mut text = addressed(&ply.path);
    match ply.act {
        Act::Move(m) => text.push_str(&chess::coordinates(m)),
        Act::Mega(m) => text.push_str(&mega_move(m)),
        Act::Draw => text.push_str("1/2-1/2"),
        _ => text.push_str("--"),
    }
    text
}

/// A mega-move in coordinates, without an address.
#[must_use]
pub fn mega_move(m: MegaMove) -> MoveText {
    let mut text = MoveText::new();
    // Five letters.
    let _ = write!(text, "{}{}", MegaSquare(m.from()), MegaSquare(m.to()));
    if let Some(role) = m.promotion() {
        text.push(role.letter().to_ascii_lowercase());
    }
    text
}

/// The legal ply of these coordinates, capitals and small letters alike.
#[must_use]
pub fn at(mega: &Mega, text: &str) -> Option<Ply> {
    let mut path = BoardPath::OUTERMOST;
    let mut rest = text;
    while let Some((name, inner)) = rest.split_once('.') {
        if path.len() >= usize::from(mega.level()) {
            return None;
        }
        path = path.on(address(name.as_bytes())?);
        rest = inner;
    }
    let asked = match mega.board_at(&path)? {
        _ if rest == "1/2-1/2" => Asked::Draw,
        Board::Chess(chess) => Asked::Written(chess.written(chess.at(rest)?)),
        Board::Mega(_) if rest == "--" => Asked::Written(Written::Pass),
        Board::Mega(game) => {
            let mut found = None;
            game.for_each_mega_move(|m| {
                if mega_move(m).eq_ignore_ascii_case(rest) {
                    found = Some(m);
                }
            });
            Asked::Written(game.written(found?))
        }
    };
    mega.judge(&path, asked).ok()
}

/// The sign of what stands behind a ply: mega-mate, mega-check or neither.
#[must_use]
pub const fn suffix((check, mate): (bool, bool)) -> Suffix {
    match (check, mate) {
        (_, true) => Suffix::Mate,
        (true, false) => Suffix::Check,
        (false, false) => Suffix::None,
    }
}

/// A legal ply as an item of a turn, with the address of its board and its sign: `A2.e4`.
#[must_use]
pub fn san(mega: &Mega, ply: &Ply) -> PlyText {
    let mut text = addressed(&ply.path);
    if let Some(board) = mega.board_at(&ply.path) {
        push_san(&mut text, &board, ply.act);
    }
    text
}

/// An act on a board as SAN, without an address.
#[must_use]
pub fn act_san(board: &Board, act: Act) -> PlyText {
    let mut text = PlyText::default();
    push_san(&mut text, board, act);
    text
}

fn push_san(text: &mut PlyText, board: &Board, act: Act) {
    match (act, board) {
        (Act::Move(m), Board::Chess(chess)) => text.push_str(&chess.san(m)),
        (Act::Mega(m), Board::Mega(game)) => {
            let effects = game.clone().play(Ply { path: BoardPath::OUTERMOST, act });
            text.push_str(&Spelt(game.written(m)).text());
            text.push_str(suffix(effects.checks_at(0)).as_str());
        }
        (Act::Draw, _) => text.push_str("1/2-1/2"),
        _ => text.push_str("--"),
    }
}

/// Shows every legal ply in coordinates and as SAN.
pub fn for_each_listed(mega: &Mega, mut visit: impl FnMut(PlyText, PlyText)) {
    let mut last: Option<(BoardPath, Option<Board>)> = None;
    let _ = mega.legal(|ply| {
        let (_, board) = match &mut last {
            Some(known) if known.0 == ply.path => known,
            other => other.insert((ply.path, mega.board_at(&ply.path))),
        };
        let mut san = addressed(&ply.path);
        if let Some(board) = board {
            push_san(&mut san, board, ply.act);
        }
        visit(coordinates(&ply), san);
        ControlFlow::Continue(())
    });
}

// Turns as text.

/// Plies, one after the other, written as turns: `<A2.e4 B1.<…> …>`.
#[derive(Clone, Debug, Default)]
pub struct Turns {
    text: String,
    /// Turns that are open, and whether the innermost holds no item yet.
    open: usize,
    fresh: bool,
}

impl Turns {
    /// Takes a legal ply of a position: its text as [`san`] gives it, and what it brings about.
    pub fn take(&mut self, path: &BoardPath, san: &str, effects: &Effects) {
        let steps: Vec<_> = path.squares().collect();
        let own = san.rsplit_once('.').map_or(san, |(_, own)| own);
        for depth in self.open..=steps.len() {
            self.text.push_str(if self.fresh || self.text.is_empty() { "" } else { " " });
            self.fresh = false;
            if let Some(on) = depth.checked_sub(1).and_then(|before| steps.get(before)) {
                // Memory can be written.
                let _ = write!(self.text, "{}.", MegaSquare(*on));
            }
            if depth < steps.len() {
                self.text.push('<');
                self.fresh = true;
                self.open = depth + 1;
            } else {
                self.text.push_str(own);
            }
        }
        while self.open > 0 && effects.ends_turn_at(self.open - 1) {
            self.open -= 1;
            self.text.push('>');
            self.text.push_str(suffix(effects.checks_at(self.open)).as_str());
            self.fresh = false;
        }
    }

    /// Whether no turn is open.
    #[must_use]
    pub const fn is_closed(&self) -> bool {
        self.open == 0
    }

    /// Closes the turns that are open.
    pub fn close(&mut self) {
        self.text.push_str(&">".repeat(std::mem::take(&mut self.open)));
    }

    /// What was written since this was last asked.
    pub fn text(&mut self) -> String {
        std::mem::take(&mut self.text)
    }
}

/// The movetext of a game, made as its plies are played: turns with their numbers.
#[derive(Default, Debug)]
pub struct Movetext {
    turns: Turns,
    text: String,
}

impl Movetext {
    /// Takes a ply, the position before it and what it brings about.
    pub fn take(&mut self, before: &Mega, ply: &Ply, effects: &Effects) {
        if self.turns.is_closed() {
            let number = match before.turn() {
                Side::White => format!("\n{}. ", before.fullmove()),
                Side::Black if self.text.is_empty() => format!("\n{}... ", before.fullmove()),
                Side::Black => " ".into(),
            };
            self.text.push_str(&number);
        }
        self.turns.take(&ply.path, &san(before, ply), effects);
        if self.turns.is_closed() {
            self.text.push_str(&self.turns.text());
        }
    }

    /// The movetext of a game that goes no further, without its result.
    #[must_use]
    pub fn finish(mut self) -> String {
        self.turns.close();
        self.text.push_str(&self.turns.text());
        self.text
    }
}

// Pictures.

/// The mega-board with the boards on it.
#[must_use]
pub fn diagram(mega: &Mega) -> Diagram {
    Diagram::of(panel(mega, true))
}

/// One board, with the boards on it where `boards` says so.
#[must_use]
pub fn panel(mega: &Mega, boards: bool) -> Panel {
    let mut panel = Panel::new(8, 8);
    panel.capitals = true;
    for on in squares() {
        let Some(man) = mega.mega_piece_at(on) else { continue };
        let piece = Man::of(man.piece);
        let mark = match man.state {
            State::Neutral => None,
            State::Armed => Some(Mark::Armed),
            State::Disarmed => Some(Mark::Disarmed),
            State::Dethroned => Some(Mark::Dethroned),
        };
        let cell = match (mark, mega.board(on).filter(|_| boards)) {
            (Some(mark), _) => Cell::Man(Man::marked(man.piece, mark)),
            (None, Some(Board::Chess(chess))) => Cell::Board(piece, Box::new(chess.panel())),
            (None, Some(Board::Mega(game))) => Cell::Board(piece, Box::new(self::panel(&game, false))),
            (None, None) => Cell::Man(piece),
        };
        panel.put(on, cell);
    }
    panel.turn = Some(mega.turn());
    panel.checked =
        mega.king(mega.turn()).filter(|_| mega.in_check() && mega.is_between_turns()).into_iter().collect();
    panel
}

/// Marks the squares of a ply, given by the way to its board and in coordinates, on the mega-board or on a
/// board drawn on it.
pub fn mark(diagram: &mut Diagram, path: &BoardPath, coordinates: &str) {
    let outermost = diagram.rows.first_mut().and_then(|row| row.panels.first_mut());
    let mut steps = path.squares();
    let (Some(panel), first, None) = (outermost, steps.next(), steps.next()) else { return };
    let Some(squares) = CHESS.two_squares(coordinates.to_ascii_lowercase().as_bytes()) else { return };
    let squares = vec![squares.0, squares.1];
    match first {
        None => panel.last = squares,
        Some(on) => {
            panel.last = vec![on];
            if let Some(Cell::Board(_, board)) = panel.cell_mut(on) {
                board.last = squares;
            }
        }
    }
}

/// The board that a path leads to, alone.
#[must_use]
pub fn zoomed(mega: &Mega, path: &BoardPath) -> Option<Diagram> {
    let mut diagram = match mega.board_at(path)? {
        Board::Chess(chess) => Diagram::of(chess.panel()),
        Board::Mega(game) => diagram(&game),
    };
    if let Some(panel) = diagram.rows.first_mut().and_then(|row| row.panels.first_mut()) {
        panel.title = (!path.is_empty()).then(|| format!("Board {path}"));
    }
    Some(diagram)
}

/// The position of the board at this path; `None` where no game is played on such a board.
#[must_use]
pub fn board_fen(mega: &Mega, path: &BoardPath) -> Option<String> {
    Some(match mega.board_at(path)? {
        Board::Chess(chess) => chess.fen(),
        Board::Mega(game) => position(&game),
    })
}

impl GameNotation for Mega {
    const LONG_COORDINATES: bool = true;

    fn variant(&self) -> Variant {
        Variant::Mega
    }

    fn fen(&self) -> String {
        position(self)
    }

    fn coordinates(&self, ply: Ply) -> PlyText {
        coordinates(&ply)
    }

    fn san(&self, ply: Ply) -> PlyText {
        san(self, &ply)
    }

    fn by_coordinates(&self, text: &str) -> Option<Ply> {
        at(self, text)
    }

    fn is_check(&self) -> bool {
        self.in_check() && self.is_between_turns()
    }

    /// Within a turn on the board that is used since; of a turn inside, nobody can tell once it is over.
    fn made_since(&self, before: &Self) -> Option<(Side, u32, BoardPath)> {
        let mut path = BoardPath::OUTERMOST;
        let made = (before.turn(), before.fullmove());
        let (mut here, mut there) = (self.clone(), before.clone());
        while here.turn() == there.turn() {
            if let Some(open) = here.open() {
                path = path.on(open);
                let (Some(Board::Mega(inner)), Some(Board::Mega(was))) =
                    (here.board(open), there.board(open))
                else {
                    return None;
                };
                (here, there) = (inner, was);
                continue;
            }
            let known = Vec::from_iter(there.used());
            let used = here.used().find(|on| !known.contains(on)).filter(|_| here.level() == 1)?;
            path = path.on(used);
            break;
        }
        Some((made.0, made.1, path))
    }

    fn diagram(&self, _last: &[Square]) -> Diagram {
        diagram(self)
    }

    fn mark(&self, diagram: &mut Diagram, path: &BoardPath, coordinates: &str) {
        mark(diagram, path, coordinates);
    }

    /// `A2.B1`.
    fn zoomed(&self, name: &str, drawn: Diagram) -> Option<(Diagram, String)> {
        let path = path(name)?;
        let alone = Diagram { caption: drawn.caption, ..zoomed(self, &path)? };
        Some((alone, board_fen(self, &path)?))
    }

    fn boards_in_words(&self) -> String {
        "no game is played there; an address is such as A2 or A2.B1".into()
    }

    fn is_between_turns(&self) -> bool {
        Self::is_between_turns(self)
    }

    fn turn(&self) -> Option<Side> {
        Some(Self::turn(self))
    }

    fn fullmove(&self) -> Option<u32> {
        Some(Self::fullmove(self))
    }

    fn choices(&self) -> Option<u64> {
        self.count_legal_exactly()
    }

    fn count_many(&self) -> Option<u64> {
        self.count_legal_exactly()
    }

    fn for_each_listed(&self, mut visit: impl FnMut(Listed)) {
        for_each_listed(self, |coord, san| visit(Listed { coord, san, made: None }));
    }
}
