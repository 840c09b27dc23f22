//! Games of a ledger in other forms: as records, as rows of a table.

use crate::{contest::Flat, ending::End, journal::Entry, manifest::Manifest};
use overboard_formats::{
    canonical::board_number,
    header::{escape, escape_list},
};
use overboard_games::{
    chess::Chess,
    coordinates::{Line, LineFault, overs::words_behind},
    metachess::Meta,
    olympic::Olympic,
    registry::{AnyGame, Variant},
    strategichess::{
        Strategi,
        linked::{self, Linked},
    },
};
use overboard_rules::{game::Game as _, square::Side};
use std::fmt::Write;

/// Why a game cannot be written as a record.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Unwritable {
    /// Its first position is none.
    #[error("game {0}: its first position cannot be read")]
    Start(u64),
    /// One of its plies is not legal.
    #[error("game {game}: `{ply}`, ply {number}, is no legal move")]
    Ply {
        /// The game.
        game: u64,
        /// The ply.
        ply: String,
        /// Its number, from 1.
        number: usize,
    },
    /// By its moves it ends otherwise.
    #[error("game {game}: its moves {}, and its ledger says {}", in_words(.played), by(.booked))]
    End {
        /// The game.
        game: u64,
        /// How it ends by its moves.
        played: Option<End>,
        /// How its ledger says that it ended.
        booked: End,
    },
    /// It stops where no record can.
    #[error("game {game}: {fault}")]
    Halfway {
        /// The game.
        game: u64,
        /// Within what.
        fault: LineFault,
    },
    /// No rules of the game are here.
    #[error("the rules of {0} are not in this version")]
    NoRules(String),
}

fn in_words(end: &Option<End>) -> String {
    end.as_ref().map_or("do not end it".into(), |end| format!("end it by {}", by(end)))
}

fn by(End { outcome, cause }: &End) -> String {
    format!("{cause} ({outcome})")
}

/// Writes a game as a record; its form is not yet the canonical one.
///
/// # Errors
/// A game that is not legal, or whose rules are not here.
pub fn write_record(entry: &Entry<'_>, manifest: &Manifest, out: &mut String) -> Result<(), Unwritable> {
    match manifest.game().map_err(|_| Unwritable::NoRules(manifest.variant.clone()))? {
        Variant::Chess => record::<Chess>(entry, manifest, out),
        Variant::Olympic => record::<Olympic>(entry, manifest, out),
        Variant::Strategi if manifest.boards > 1 => linked_record(entry, manifest, out),
        Variant::Strategi => record::<Strategi>(entry, manifest, out),
        Variant::Meta => record::<Meta>(entry, manifest, out),
        game @ (Variant::Mega | Variant::Over) => nested_record(game, entry, manifest, out),
    }
}

fn record<P: Flat>(entry: &Entry<'_>, manifest: &Manifest, out: &mut String) -> Result<(), Unwritable> {
    let mut position = match &entry.fen {
        Some(fen) => P::read(fen).map_err(|_| Unwritable::Start(entry.game))?.0,
        None => P::default(),
    };
    tags(entry, manifest, P::GAME, out);
    for (index, word) in entry.moves.split_whitespace().enumerate() {
        let m = position.at(word).ok_or_else(|| Unwritable::Ply {
            game: entry.game,
            ply: word.into(),
            number: index + 1,
        })?;
        let number = position.fullmove();
        // Memory can be written.
        let _ = match position.turn() {
            Side::White => write!(out, "{number}. "),
            Side::Black if index == 0 => write!(out, "{number}... "),
            Side::Black => Ok(()),
        };
        let _ = writeln!(out, "{}", position.san(m));
        position.play(m);
    }
    let _ = writeln!(out, "{}\n", entry.end.outcome);
    Ok(())
}

/// The first position of linked boards.
pub(crate) fn linked_start(entry: &Entry<'_>, manifest: &Manifest) -> Result<Linked, Unwritable> {
    let edition = linked::edition(&manifest.rules);
    match &entry.fen {
        Some(fen) => Ok(linked::read(fen, edition).map_err(|_| Unwritable::Start(entry.game))?.0),
        None => Ok(Linked::first(usize::from(manifest.boards), edition)),
    }
}

fn linked_record(entry: &Entry<'_>, manifest: &Manifest, out: &mut String) -> Result<(), Unwritable> {
    let mut boards = linked_start(entry, manifest)?;
    tags(entry, manifest, Variant::Strategi, out);
    for (index, word) in entry.moves.split_whitespace().enumerate() {
        let ply = linked::at(&boards, word).ok_or_else(|| Unwritable::Ply {
            game: entry.game,
            ply: word.into(),
            number: index + 1,
        })?;
        let (board, side) = (ply.board(), boards.turn(ply.board()));
        let number = board_number(board as u16, boards.fullmove(board), side);
        // Memory can be written.
        let _ = writeln!(out, "{number} {}", linked::san(&boards, ply));
        boards.play(ply);
    }
    let _ = writeln!(out, "{}\n", entry.end.outcome);
    Ok(())
}

fn nested_record(
    game: Variant,
    entry: &Entry<'_>,
    manifest: &Manifest,
    out: &mut String,
) -> Result<(), Unwritable> {
    let first = nested_start(game, manifest)?;
    let start = entry.fen.as_ref().map_or(String::new(), |fen| format!("{fen}\t"));
    let line = format!("{start}{}", entry.moves);
    let read = Line::read_under(&line, game, &first, &manifest.rules).map_err(|fault| match fault {
        LineFault::Start { .. } => Unwritable::Start(entry.game),
        LineFault::Late { word, at } | LineFault::Move { word, at, .. } => Unwritable::Ply {
            game: entry.game,
            ply: word,
            number: plies(game, &line[start.len()..at]).count() + 1,
        },
        fault @ LineFault::Halfway { .. } => Unwritable::Halfway { game: entry.game, fault },
    })?;
    tags(entry, manifest, game, out);
    let _ = writeln!(out, "{}\n{}\n", read.turns().unwrap_or_default().trim_start(), entry.end.outcome);
    Ok(())
}

/// The first position of a nested game.
pub(crate) fn nested_start(game: Variant, manifest: &Manifest) -> Result<AnyGame, Unwritable> {
    let level = game.info().has_levels.then(|| manifest.level());
    AnyGame::agreed(game, manifest.boards, level, &manifest.rules)
        .ok_or_else(|| Unwritable::NoRules(manifest.variant.clone()))
}

/// The plies of a line; those of Overchess are of one to three words.
pub(crate) fn plies(game: Variant, moves: &str) -> impl Iterator<Item = String> {
    let mut words = moves.split_ascii_whitespace().peekable();
    std::iter::from_fn(move || {
        let mut ply = words.next()?.to_string();
        let behind = if game == Variant::Over { words_behind(&ply, words.peek().copied()) } else { 0 };
        for word in words.by_ref().take(behind) {
            ply.push(' ');
            ply.push_str(word);
        }
        Some(ply)
    })
}

fn tags(entry: &Entry<'_>, manifest: &Manifest, game: Variant, out: &mut String) {
    let half = entry.game % u64::from(manifest.games_per_unit) + 1;
    let round = format!("{}.{half}", entry.unit + 1);
    let event = format!("overboard self-play {}", entry.run);
    let mut tag = |name: &str, value: &str| {
        let _ = writeln!(out, "[{name} \"{}\"]", escape(value));
    };
    tag("Event", &event);
    tag("Site", "?");
    tag("Date", "????.??.??");
    tag("Round", &round);
    let boards = usize::from(manifest.boards);
    for (colour, name) in [("White", &entry.white), ("Black", &entry.black)] {
        match boards {
            1 => tag(colour, name),
            _ => tag(colour, &vec![escape_list(name); boards].join(":")),
        }
    }
    tag("Result", entry.end.outcome.as_str());
    for (name, value) in game.tags(boards, Some(manifest.level()), &manifest.rules) {
        tag(name, &value);
    }
    if let Some(fen) = &entry.fen {
        tag("SetUp", "1");
        tag("FEN", fen);
    }
    if let Some(word) = entry.end.cause.tag() {
        tag("Termination", word);
    }
    out.push('\n');
}

/// The names of the columns of [`row`].
pub const COLUMNS: &str = "game,unit,round,white,black,fen,book,plies,result,termination";

/// A game as a row of comma-separated values.
#[must_use]
pub fn row(entry: &Entry<'_>) -> String {
    let quoted = |text: &str| match text.contains([',', '"', '\n']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_string(),
    };
    format!(
        "{},{},{},{},{},{},{},{},{},{}",
        entry.game,
        entry.unit,
        entry.round,
        quoted(&entry.white),
        quoted(&entry.black),
        quoted(entry.fen.as_deref().unwrap_or_default()),
        entry.book,
        entry.plies,
        entry.end.outcome,
        entry.end.cause.word()
    )
}
