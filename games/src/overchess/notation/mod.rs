//! How positions and plies of Overchess are written.
//!
//! The code is the same for every depth: over-pieces with names are written with them, and those of a game of depth 1
//! have none.

use crate::{
    board8::board::BACK,
    chess,
    fen::write_rank,
    one_board::notation::BoardNotation,
    overchess::{
        Agreed, Arrangement, Drawn, Due, KINDS, Level, Name, Options, Over, OverPiece, Places, Ply,
        Reserves, Roster, Step, SubSetPlace, laws,
    },
};
use overboard_formats::san::{
    CHESS, MoveText, PlyText, Spelt, Suffix, addresses, push_address, push_square,
};
use overboard_pictures::diagram::{Cell, Diagram, DrawnPiece, Mark, Panel};
use overboard_referee::game::notation::{Notation, Read};
use overboard_rules::{
    by_side::BySide,
    game::Game as _,
    outcome::{Cause, Ruling},
    path::{BoardPath, squares},
    position::Movegen,
    square::{Role, Side, Square},
    variant::{
        ChessWithin, Extension, OptionValue, RuleOption, Sample, Sign, SignKind, Spelling,
        VariantInfo,
    },
};
use std::fmt::{self, Write};

mod position;
mod read;
mod rosters;

pub(crate) use position::of_level;
pub(in crate::overchess) use read::block;
pub use read::read;
pub use rosters::tables;

/// The options of the tag Rules.
static OPTIONS: [RuleOption; 6] = [
    RuleOption {
        name: "fog",
        value: OptionValue::Switch,
        words: |_| "fog of war".into(),
        rule: &laws::FOG,
    },
    RuleOption {
        name: "prisoners",
        value: OptionValue::Switch,
        words: |_| "the winner of a sub-game takes prisoners".into(),
        rule: &laws::PRISONERS,
    },
    RuleOption {
        name: "consolidation",
        value: OptionValue::Switch,
        words: |_| "an over-piece may hand its sub-pieces to others".into(),
        rule: &laws::CONSOLIDATION,
    },
    RuleOption {
        name: "subdraw",
        value: OptionValue::OneOf(&["attacker", "defender", "both"]),
        words: |who| match who {
            "defender" => "after a drawn sub-game the attacker is removed".into(),
            "both" => "after a drawn sub-game both are removed".into(),
            _ => "after a drawn sub-game the attacker goes back".into(),
        },
        rule: &laws::DRAWN,
    },
    RuleOption {
        name: "reserves",
        value: OptionValue::Text(is_reserve_list),
        words: |list| {
            let (whose, pieces) = list.split_once('/').unwrap_or(("", list));
            let whose = if whose == "set" { "sub-set" } else { "team" };
            format!(
                "spare pieces of each {whose}: {}",
                pieces.replace('/', ", ")
            )
        },
        rule: &laws::RESERVES,
    },
    RuleOption {
        name: "depth",
        value: OptionValue::Text(|depth| depth.parse::<u32>().is_ok()),
        words: |depth| format!("sub-games to depth {depth}"),
        rule: &laws::DEPTH,
    },
];

/// What is drawn on its boards.
static SIGNS: [Sign; 3] = [
    Sign::new(
        SignKind::Strength,
        "The points of the army that this piece commands: pawn 1, knight and bishop 3, rook 5, queen 9. A full army has 39.",
        &laws::STRENGTH,
    ),
    Sign::new(
        SignKind::Contest,
        "The upper piece attacks the lower one. A sub-game between their armies decides who holds the square.",
        &laws::ATTACK,
    ),
    Sign::new(
        SignKind::Laurel,
        "This sub-game was won. The winner holds the square, and keeps only what is left of its army.",
        &laws::DEPLETION,
    ),
];

/// The registry entry of Overchess.
pub static INFO: VariantInfo = VariantInfo {
    name: "Overchess",
    in_words: "Overchess",
    intro: "Every piece commands an army: who attacks a piece must win a game of chess, the sub-game, to capture it.",
    signs: &SIGNS,
    spellings: &[Spelling::new("overchess")],
    arguments: &["overchess"],
    options: &OPTIONS,
    has_roles: true,
    chess_within: ChessWithin::SubGames,
    pages: &[&laws::PAGE],
    laws: laws::LAWS,
    changes: &chess::laws::CHANGES,
    samples: &[
        Sample::PLAIN,
        Sample::under("prisoners:consolidation:reserves=team/2P1N/3P"),
        Sample::under("fog:consolidation:subdraw=both:reserves=set/1P/1N"),
        Sample::under("depth=2"),
        Sample::under("depth=2:fog:prisoners:consolidation:subdraw=defender:reserves=team/2P1N/3P"),
        Sample::under("depth=3:prisoners"),
    ],
    extensions: &[Extension::SubGame, Extension::Action],
    ..VariantInfo::BASE
};

/// Whether a text is a list of spares, `team/2P1N/3P` or `set/1P`: whose they are, then one list for both sides or one
/// for each.
fn is_reserve_list(text: &str) -> bool {
    let mut parts = text.split('/');
    let owner = matches!(parts.next(), Some("team" | "set"));
    let lists: Vec<_> = parts.collect();
    owner && matches!(lists.len(), 1 | 2) && lists.into_iter().all(is_list_of_pieces)
}

/// Whether a text is a list such as `2P1N`: a letter at its end, and at most two digits before each.
fn is_list_of_pieces(list: &str) -> bool {
    let mut digits = 0;
    for sign in list.chars() {
        match sign {
            '0'..='9' if digits < 2 => digits += 1,
            'P' | 'N' | 'B' | 'R' | 'Q' => digits = 0,
            _ => return false,
        }
    }
    !list.is_empty() && digits == 0
}

/// The form of a position of this depth, in words.
#[must_use]
pub const fn form(depth: u8) -> &'static str {
    match depth {
        0 | 1 => {
            "an over-position has nine fields, `placement side castling en-passant half full sub-sets contested spares`, then in braces what is open, such as `{e4: <FEN>}`"
        }
        _ => {
            "an over-position has nine fields, `placement side castling en-passant half full sub-sets contested spares`, sub-sets of individuals such as `e4:e2={a2:e7/c2,b2,d1}` or `e4=5P2R`, then in braces what is open, such as `{e4: <position>}`"
        }
    }
}

// Options.

/// The depth declared by rules in the form of the tag Rules; 1 without one.
#[must_use]
pub fn depth(rules: &str) -> u32 {
    for item in rules.split(':') {
        if let Some(depth) = item.strip_prefix("depth=") {
            return depth.parse().unwrap_or(1);
        }
    }
    1
}

/// The options that rules in the form of the tag Rules declare; unknown ones are ignored.
#[must_use]
pub fn options(rules: &str) -> Options {
    let mut options = Options::default();
    for item in rules.split(':') {
        match item.split_once('=').unwrap_or((item, "")) {
            ("fog", "") => options.fog = true,
            ("prisoners", "") => options.prisoners = true,
            ("consolidation", "") => options.consolidation = true,
            ("subdraw", "defender") => options.drawn = Drawn::AttackerLeaves,
            ("subdraw", "both") => options.drawn = Drawn::BothLeave,
            ("reserves", agreed) => options.reserves = reserves(agreed),
            _ => {}
        }
    }
    options
}

/// The spares in an option such as `team/2P1N/3P` or `set/1P`.
fn reserves(agreed: &str) -> Reserves {
    let mut parts = agreed.split('/');
    let owner = parts.next();
    let white = parts.next().and_then(roster).unwrap_or_default();
    let black = parts.next().map_or(Some(white), roster).unwrap_or_default();
    match owner {
        Some("team") => Reserves::Team(BySide::new(white, black)),
        Some("set") => Reserves::Set(BySide::new(white, black)),
        _ => Reserves::None,
    }
}

// Rosters and set-ups.

/// The roster in a text such as `5P2R1N2B1Q`, with kinds in any order and each once; `0` is the empty one.
#[must_use]
pub fn roster(text: &str) -> Option<Roster> {
    if text == "0" {
        return Some(Roster::NONE);
    }
    let mut pieces = Roster::NONE;
    let mut rest = text;
    while !rest.is_empty() {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let role = Role::from_letter(*rest.as_bytes().get(digits)?)?;
        let count = if digits == 0 {
            1
        } else {
            rest[..digits].parse().ok()?
        };
        if !KINDS.contains(&role) || count == 0 || pieces.count(role) > 0 {
            return None;
        }
        pieces = pieces.with(role, count);
        rest = &rest[digits + 1..];
    }
    if pieces.is_none() { None } else { Some(pieces) }
}

/// The set-up in a text such as `PPP2PPP/RNBQKBNR`: the second rank, then the first, files a to h.
#[must_use]
pub fn arrangement(text: &str) -> Option<Arrangement> {
    let (pawns, officers) = text.split_once('/')?;
    let pawns = files(pawns, |_, letter| letter == b'P')?;
    let officers = files(officers, |file, letter| letter == b"RNBQKBNR"[file])?;
    Some(Arrangement { pawns, officers })
}

/// The files of a rank on which a piece is on a regular square for it.
fn files(rank: &str, regular: impl Fn(usize, u8) -> bool) -> Option<u8> {
    let mut set = 0;
    let mut file = 0;
    for letter in rank.bytes() {
        match letter {
            b'1'..=b'8' => file += usize::from(letter - b'0'),
            _ if file < 8 && regular(file, letter) => {
                set |= 1 << file;
                file += 1;
            }
            _ => return None,
        }
    }
    if file == 8 { Some(set) } else { None }
}

/// A set-up as text.
#[derive(Clone, Copy, Debug)]
pub struct AsArrangement(pub Arrangement);

impl fmt::Display for AsArrangement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_files(f, self.0.pawns, ['P'; 8])?;
        f.write_char('/')?;
        write_files(f, self.0.officers, BACK.map(Role::letter))
    }
}

/// Writes a rank that has its pieces on these files only.
fn write_files(f: &mut fmt::Formatter<'_>, set: u8, pieces: [char; 8]) -> fmt::Result {
    let there = |file| (set >> file & 1 == 1).then_some(pieces[file]);
    write_rank(f, (0..8).map(there), |f, piece| f.write_char(piece))
}

/// The square with a name such as `e4`.
#[must_use]
pub fn square_named(text: &str) -> Option<Square> {
    crate::fen::square_named(text)
}

// Names.

/// The name in a text such as `e7/a2`.
#[must_use]
pub fn name(text: &str) -> Option<Name> {
    let mut steps = Vec::new();
    for step in text.split('/') {
        if steps.len() >= 64 {
            return None;
        }
        steps.push(self::step(step)?);
    }
    Name::of(&steps)
}

/// The step in a text such as `a2`, or `P1` for a spare.
fn step(text: &str) -> Option<Step> {
    if let Some(on) = square_named(text) {
        return Some(Step::Square(on));
    }
    let (kind, number) = text.split_at_checked(1)?;
    let role = Role::from_letter(*kind.as_bytes().first()?)?;
    let number = number.parse().ok()?;
    if number == 0 || text.starts_with(char::is_lowercase) {
        return None;
    }
    Some(Step::Spare(role, number))
}

/// The square of a place as its own side sees it.
#[must_use]
pub const fn seen_by(side: Side, on: Square) -> Square {
    match side {
        Side::White => on,
        Side::Black => Square::new(on.file, 7 - on.rank),
    }
}

// Plies as text.

/// The prefix for a path to a game, `e5.b7.`; empty for the outermost.
#[must_use]
pub fn addressed(path: &BoardPath) -> PlyText {
    addresses(path, push_square)
}

/// A ply in coordinates, starting from the innermost over-game.
#[must_use]
pub fn own_coordinates(over: &Over, ply: &Ply) -> PlyText {
    let mut text = PlyText::default();
    // Writing to a `String` cannot fail.
    let _ = write_coordinates(over, ply, &mut text);
    text
}

fn write_coordinates(over: &Over, ply: &Ply, text: &mut PlyText) -> fmt::Result {
    match ply {
        Ply::Over(m) => {
            let mut own = MoveText::new();
            push_square(&mut own, m.from());
            push_square(&mut own, m.to());
            if let Some(role) = m.promotion() {
                own.push(role.letter().to_ascii_lowercase());
            }
            text.push_str(&own);
            Ok(())
        }
        Ply::Sub(m) => {
            address(over.current(), text);
            text.push_str(&chess::coordinates(*m));
            Ok(())
        }
        Ply::Setup(pieces) => {
            address(over.current(), text);
            write!(text, "setup {}", AsArrangement(*pieces))
        }
        Ply::Prisoners(pieces) => write!(text, "prisoners {pieces}"),
        Ply::Reserve(on, role) => write!(text, "reserve {on} {}", role.letter()),
        Ply::Consolidate(on) => write!(text, "consolidate {on}"),
        Ply::Give(on, role) => write!(text, "give {on} {}", role.letter()),
        Ply::Done => text.write_str("done"),
        Ply::Place(place, on) => {
            address(over.current(), text);
            let side = over.placing().map_or(Side::White, |(side, _)| side);
            let armies = over.current().armies();
            let name = match &armies {
                Some(armies) => named(&armies[side], *place),
                None => place.square().to_string(),
            };
            write!(text, "setup {name} {}", seen_by(side, on.square()))
        }
        Ply::Take(place) => write!(text, "prisoner {}", named(over.captives(), *place)),
        Ply::Hand(place, to) => write!(text, "give {to} {}", named(over.hand(), *place)),
    }
}

fn named(places: &Places, place: SubSetPlace) -> String {
    match places.at(place) {
        Some(one) => one.name.to_string(),
        None => place.square().to_string(),
    }
}

/// The square of the sub-game, with its dot.
fn address(level: &Level, text: &mut PlyText) {
    if let Due::Sub(on) | Due::Setup(on, _) = level.due() {
        push_address(text, on, push_square);
    }
}

/// The sign of an over-move of the innermost game, assuming that its attack succeeds; `after` is the position after it.
#[must_use]
pub fn suffix(before: &Over, ply: &Ply, after: &Over) -> Suffix {
    let Ply::Over(m) = ply else {
        return Suffix::None;
    };
    let level = before.open() - 1;
    let ending = match after.level(level) {
        Some(level) if after.open() == before.open() => level.end_by_itself(),
        // The game to which the ply belongs is over, or continues inside.
        _ => before.alone(level).after(*ply).end_by_itself(),
    };
    match ending {
        Some(Ruling {
            cause: Cause::Checkmate,
            ..
        }) => Suffix::Mate,
        _ if before.current().gives_check(*m) => Suffix::Check,
        _ => Suffix::None,
    }
}

/// A legal ply as SAN with its sign, starting from the innermost over-game (for a sub-game of chess, with its square);
/// other acts as in coordinates.
#[must_use]
pub fn own_san(over: &Over, ply: &Ply) -> PlyText {
    let mut text = PlyText::default();
    match ply {
        Ply::Over(m) => {
            text.push_str(&Spelt(over.current().written(*m)).text());
            text.push_str(suffix(over, ply, &over.after(*ply)).as_str());
        }
        Ply::Sub(m) => {
            address(over.current(), &mut text);
            if let Some(chess) = over.current().sub_game() {
                text.push_str(&chess.san(*m));
            }
        }
        _ => return own_coordinates(over, ply),
    }
    text
}

// Pictures.

/// The open boards with the path to each.
fn panels(over: &Over) -> Vec<(Panel, BoardPath)> {
    let mut panels = Vec::new();
    for (at, level) in over.levels().enumerate() {
        panels.push((panel(level), over.path_of(at)));
    }
    if let (Some(chess), Due::Sub(_)) = (over.current().sub_game(), over.due()) {
        panels.push((chess.panel(), over.path()));
    }
    panels
}

/// A path as messages show it: `e5.b7`.
#[must_use]
pub fn said(path: &BoardPath) -> String {
    addressed(path).trim_end_matches('.').to_string()
}

/// The index of the drawn board at a path such as `e5.b7`, and its position.
#[must_use]
pub fn zoomed(over: &Over, name: &str) -> Option<(usize, String)> {
    let all = panels(over);
    let is_named = |(_, way): &(Panel, BoardPath)| said(way).eq_ignore_ascii_case(name);
    let found = all.iter().position(is_named)?;
    if found == 0 {
        return None;
    }
    Some((found, over.fen_on(all[found].1)?))
}

/// The board of an over-game with the strength of each over-piece.
#[must_use]
pub fn panel(level: &Level) -> Panel {
    let mut panel = Panel::new(8, 8);
    let occupant = |OverPiece { piece, pieces, .. }| match piece.role {
        Role::King => DrawnPiece::of(piece),
        _ => DrawnPiece::marked(piece, Mark::Strength(pieces.points())),
    };
    for on in squares() {
        let Some(there) = level.piece_at(on) else {
            continue;
        };
        let attacker = occupant(there);
        let cell = match level.contested().find(|contest| contest.to == on) {
            None => Cell::Piece(attacker),
            Some(contest) => Cell::Contest {
                attacker,
                defender: occupant(contest.defender),
            },
        };
        panel.put(on, cell);
    }
    panel.turn = Some(level.turn());
    if level.in_check() {
        panel.checked = level.king(level.turn()).into_iter().collect();
    }
    panel
}

impl Notation for Over {
    const INFO: &'static VariantInfo = &INFO;
    const LONG_COORDINATES: bool = true;

    fn read_fen(agreed: &Agreed, fen: &str) -> Read<Self> {
        read(fen, agreed.depth, agreed.rules)
    }

    fn fen(&self) -> String {
        of_level(self, 0)
    }

    fn fen_on(&self, at: BoardPath) -> Option<String> {
        if self.level_at(at).is_some() {
            return Some(self.inside(at.len()).fen());
        }
        if !self.is_at(at) {
            return None;
        }
        self.current().sub_game().map(BoardNotation::fen)
    }

    fn coordinates(&self, ply: Ply) -> PlyText {
        addressed(&self.current_path()) + own_coordinates(self, &ply).as_str()
    }

    fn san(&self, ply: Ply) -> PlyText {
        addressed(&self.current_path()) + own_san(self, &ply).as_str()
    }

    fn by_coordinates(&self, text: &str) -> Option<Ply> {
        let mut found = None;
        self.legal_moves(|ply| {
            if found.is_none() && self.coordinates(ply) == text {
                found = Some(ply);
            }
        });
        found
    }

    fn is_check(&self, at: BoardPath) -> bool {
        match (self.chess_at(at), self.level(at.len())) {
            (Some(chess), _) => chess.in_check(),
            (None, Some(level)) => level.in_check() && level.due() == Due::Over,
            (None, None) => false,
        }
    }

    /// All open boards, the outermost first, with the strength of each over-piece.
    fn diagram(&self, last: &[Square]) -> Diagram {
        let mut diagram = Diagram::of(Panel {
            last: last.to_vec(),
            ..panel(self.outermost())
        });
        for (panel, path) in panels(self).into_iter().skip(1) {
            let title = Some(format!("Sub-game on {}", said(&path)).into());
            diagram.rows[0].panels.push(Panel { title, ..panel });
        }
        for level in 0..self.open() {
            diagram.tables.extend(tables(self, level));
        }
        diagram
    }

    fn mark(&self, diagram: &mut Diagram, path: &BoardPath, coordinates: &str) {
        let drawn = diagram.rows.iter_mut().flat_map(|row| &mut row.panels);
        for (panel, (_, way)) in drawn.zip(panels(self)) {
            if way == *path {
                panel.last = CHESS.squares_in(coordinates);
                return;
            }
        }
    }

    /// The sub-game being played on a square such as `e5`.
    fn zoomed(&self, name: &str, mut drawn: Diagram) -> Result<(Diagram, String), String> {
        let Some((board, fen)) = zoomed(self, name) else {
            return Err("no sub-game is being played on such a square".into());
        };
        drawn.keep(board);
        if self.depth() > 1 {
            drawn.tables = tables(self, board);
        }
        Ok((drawn, fen))
    }

    fn is_between_turns(&self) -> bool {
        Self::is_between_turns(self)
    }
}
