//! The games of chess within a game, each as a record that any chess program opens.

use super::{
    Item, Problem, Sheet,
    bundle::Cleaned,
    items_of, tags, text,
    unbundle::{games::Games, no_room},
};
use overboard_formats::{
    canonical::{Canonical, addressed},
    header::{Name, escape},
    limits::Limits,
    parse::Parser,
    record::{Node, Record},
};
use overboard_games::{
    chess::Chess,
    mega::{self, Board, Mega},
    one_board::notation::BoardNotation,
    referee::replay::{Moment, Replay},
    registry::AnyGame,
};
use overboard_referee::Options;
use overboard_rules::{
    outcome::Outcome,
    path::BoardPath,
    ply::{Wing, Written},
    position::{DrawLaw, Movegen},
    square::{Side, Square},
};
use std::collections::HashMap;

/// The sub-games of a record of Overchess as records of chess, in the order in which they were played, in no
/// particular layout: with their remarks and variations, from their set-ups. Their tags Event, Site and Date
/// are those of the game; Round gives the round of the game, the over-move and the square, `1.2w.d5`. A
/// sub-game of which only the result is recorded becomes a record without moves.
///
/// # Errors
/// What keeps the record from being taken apart.
pub fn sub_games(sheet: Sheet) -> Result<Vec<String>, Problem> {
    let games = apart(sheet)?;
    let sheets = (1..games.sheets()).map(|nth| items(&games, nth));
    let of_chess = sheets.filter(|items| is_of_chess(items));
    Ok(of_chess.map(plain).collect())
}

fn is_of_chess(items: &[Item]) -> bool {
    tags::header(items).all(|(name, _)| name != "Variant")
}

/// The sub-game that these steps lead to, such as `2w.d5`, as a record in no particular layout. For steps
/// that lead to none, the inner error lists the steps that exist. The record may have been made of sheets.
///
/// # Errors
/// What keeps the record from being taken apart.
pub fn sub_game(sheet: Sheet, steps: &[&str]) -> Result<Result<String, Vec<String>>, Problem> {
    let games = apart(Sheet {
        items: Cleaned::of(sheet.items.into_iter()).collect(),
    })?;
    let all = games.steps.as_deref().unwrap_or_default();
    if let Some(nth) = (1..all.len()).find(|nth| all[*nth] == steps) {
        return Ok(Ok(plain(items(&games, nth))));
    }
    let there = all.iter().skip(1).map(|steps| steps.join("."));
    Ok(Err(there.collect()))
}

/// The games of a record, with the steps that lead to each.
fn apart(mut sheet: Sheet) -> Result<Games, Problem> {
    let origin = sheet.origin();
    let no_room = |error| no_room(&error, origin);
    let head = tags::before_moves(&sheet.items).count();
    let moves = sheet.items.split_off(head);
    let mut games = Games::begin(sheet, "#1").map_err(no_room)?;
    games.steps = Some(vec![Vec::new()]);
    for item in &moves {
        games.take(item, None).map_err(no_room)?;
    }
    games.end().map_err(no_room)??;
    Ok(games)
}

/// Limits for what was read once, within whatever limits, and is read again.
fn again() -> Limits {
    Limits {
        rav_depth: usize::MAX,
        block_depth: usize::MAX,
        tags: usize::MAX,
        tag_value: usize::MAX,
        action: usize::MAX,
        symbol: usize::MAX,
        ..Limits::default()
    }
}

/// The nodes of one of them.
fn items(games: &Games, nth: usize) -> Vec<Item> {
    // Memory can be read.
    match Record::read(&mut Parser::new(games.read(nth), 0, again())) {
        Ok(Some(record)) => items_of(&record, 0),
        _ => Vec::new(),
    }
}

fn plain(mut items: Vec<Item>) -> String {
    let has = |items: &[Item], name: &str| tags::header(items).any(|(known, _)| known == name);
    let own = |name: &str| matches!(name, "GameId" | "Parent" | "Stated");
    items.retain(|(node, _)| !matches!(node, Node::Tag(name, _) if own(name)));
    if has(&items, "FEN") && !has(&items, "SetUp") {
        let origin = items[0].1;
        tags::add(&mut items, "SetUp", "1".into(), origin);
    }
    text::written(Cleaned::of(items.into_iter()))
}

/// A nested board on which a move was made.
struct Leaf {
    /// Where it stood when its first move was made.
    name: String,
    /// The part of its game, from 1: with free turns (MG-18) a side may move twice in a row, which no record
    /// of chess holds.
    part: u32,
    fen: Option<String>,
    chess: Chess,
    moves: String,
    result: Option<Outcome>,
}

/// The boards of chess in a record of Recursive Chess that were played on, as records of chess in the order
/// of their first moves, in no particular layout. Round gives the round and the board, by its place at the
/// time: `1.A2`. If a side moves twice in a row (MG-18), another record begins with that move, `1.A2.2`.
/// Glyphs, NAGs and comments after an item's move go with it; those of a whole turn and of mega-moves belong
/// to no board and are not kept. A board whose game was not over has the result `*`.
///
/// # Errors
/// Why the moves of the game cannot all be known, and in which line.
pub fn boards(record: &str, limits: Limits) -> Result<Vec<String>, (u64, String)> {
    let options = Options {
        limits,
        count_notes: true,
        no_excerpts: true,
        ..Options::default()
    };
    let mut replay = Replay::new(Parser::new(record.as_bytes(), 0, limits), options).with_remarks();
    let mut leaves = Leaves::default();
    let mut before = None;
    let report = loop {
        // Memory can be read.
        let Ok(Some(moment)) = replay.next_moment() else {
            return Ok(Vec::new());
        };
        match moment {
            Moment::Position(stand) => {
                if let (Some(ply), Some(AnyGame::Mega(mega))) = (stand.last, &before) {
                    leaves.take(&ply, mega, replay.remarks());
                }
                before = replay.position();
            }
            Moment::End(report) => break report,
        }
    };
    if let Some(wrong) = report.spoilt() {
        let message = wrong.message.as_it_came().to_owned();
        return Err((wrong.place.line, message));
    }
    let tag = |(name, unknown): (Name, &str)| {
        replay.referee().tag(name).unwrap_or_else(|| unknown.into())
    };
    let names = [
        (Name::Event, "?"),
        (Name::Site, "?"),
        (Name::Date, "????.??.??"),
        (Name::Round, "?"),
    ];
    let [event, site, date, round] = names.map(tag);
    let head = format!(
        "[Event \"{}\"]\n[Site \"{}\"]\n[Date \"{}\"]\n",
        escape(&event),
        escape(&site),
        escape(&date)
    );
    let round = escape(&round);
    let records = leaves.all.iter().map(|leaf| leaf.record(&head, &round));
    Ok(records.collect())
}

#[derive(Default)]
struct Leaves {
    all: Vec<Leaf>,
    /// Which board stands where.
    at: HashMap<Vec<Square>, usize>,
}

impl Leaves {
    /// Takes a ply made in a position.
    fn take(&mut self, ply: &Canonical, before: &Mega, remarks: &str) {
        let way: Vec<_> = ply.path.squares().collect();
        if way.len() < usize::from(before.level()) {
            return self.mega_move(&way, ply);
        }
        let known = self.at.get(&way).copied();
        let index = match known {
            Some(known) if self.all[known].takes(&ply.coordinates, before.turn()) => Some(known),
            _ => self.begin(known, &ply.path, before),
        };
        let Some(index) = index else { return };
        self.at.insert(way, index);
        self.all[index].play(&ply.coordinates);
        self.all[index].moves.push_str(remarks);
    }

    /// Begins a record: of a board not played on before, or the next part of one that was.
    fn begin(&mut self, known: Option<usize>, path: &BoardPath, before: &Mega) -> Option<usize> {
        let Some(Board::Chess(chess)) = before.faced_at(path) else {
            return None;
        };
        let fen = if chess.to_setup() == Chess::default().to_setup() {
            None
        } else {
            Some(chess.fen())
        };
        let (name, part) = match known.map(|index| &self.all[index]) {
            Some(last) => (last.name.clone(), last.part + 1),
            None => (addressed(path).trim_end_matches('.').to_string(), 1),
        };
        self.all.push(Leaf {
            name,
            part,
            fen,
            chess,
            moves: String::new(),
            result: None,
        });
        Some(self.all.len() - 1)
    }

    /// A mega-piece takes its boards along, and what stood on its square of arrival is gone; so does the rook
    /// in castling.
    fn mega_move(&mut self, outer: &[Square], ply: &Canonical) {
        let coordinates = &ply.coordinates;
        let square = |text: Option<&str>| mega::address(text?.as_bytes());
        let (Some(from), Some(to)) = (square(coordinates.get(..2)), square(coordinates.get(2..4)))
        else {
            return;
        };
        self.go(outer, from, to);
        let (rook, beside) = match ply.written {
            Written::Castle(Wing::KingSide) => (7, 5),
            Written::Castle(Wing::QueenSide) => (0, 3),
            _ => return,
        };
        self.go(
            outer,
            Square::new(rook, from.rank),
            Square::new(beside, from.rank),
        );
    }

    fn go(&mut self, outer: &[Square], from: Square, to: Square) {
        let stands = |way: &[Square], on: Square| {
            way.starts_with(outer) && way.get(outer.len()) == Some(&on)
        };
        self.at.retain(|way, _| !stands(way, to));
        let moved: Vec<_> = self.at.extract_if(|way, _| stands(way, from)).collect();
        self.at.extend(moved.into_iter().map(|(mut way, index)| {
            way[outer.len()] = to;
            (way, index)
        }));
    }
}

impl Leaf {
    /// The record of it, after these tags of its game.
    fn record(&self, head: &str, round: &str) -> String {
        let result = self.result.map_or("*", Outcome::as_str);
        let (place, start, moves) = (self.place(), self.start(), &self.moves);
        let players = "[White \"?\"]\n[Black \"?\"]";
        format!(
            "{head}[Round \"{round}.{place}\"]\n{players}\n[Result \"{result}\"]\n{start}\n{moves} {result}\n\n"
        )
    }

    /// The board, and the part of its game from the second on.
    fn place(&self) -> String {
        let Self { name, part, .. } = self;
        if *part > 1 {
            format!("{name}.{part}")
        } else {
            name.clone()
        }
    }

    /// The tags of its set-up.
    fn start(&self) -> String {
        match &self.fen {
            Some(fen) => format!("[FEN \"{fen}\"]\n[SetUp \"1\"]\n"),
            None => String::new(),
        }
    }

    /// Whether a side's act belongs to this part: it has the move, or it agrees to a draw.
    fn takes(&self, coordinates: &str, side: Side) -> bool {
        self.chess.turn() == side || coordinates == "1/2-1/2"
    }

    fn play(&mut self, coordinates: &str) {
        let Some(m) = self.chess.at(coordinates) else {
            self.result = Some(Outcome::Draw);
            return;
        };
        let dots = match (self.chess.turn(), self.moves.is_empty()) {
            (Side::White, _) => format!("{}. ", self.chess.fullmove()),
            (Side::Black, true) => format!("{}... ", self.chess.fullmove()),
            (Side::Black, false) => String::new(),
        };
        self.moves
            .push_str(if self.moves.is_empty() { "" } else { " " });
        self.moves.push_str(&format!("{dots}{}", self.chess.san(m)));
        self.chess.play(m);
        self.result = self.chess.end_by_itself().map(|end| end.outcome);
    }
}
