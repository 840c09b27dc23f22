//! Games of a ledger in other forms: as records, and as rows of a table.

use crate::{ending::End, game::PlyData, journal::LedgerEntry, manifest::Manifest};
use overboard_formats::{
    figures::Figures,
    foreign::Foreign,
    header::{escape, escape_list},
};
use overboard_games::{registry::Variant, with_game};
use overboard_referee::{
    editions::NUMBERED_BY,
    game::{play::Play, record::Movetext as _},
};
use overboard_rules::by_side::BySide;
use std::{borrow::Cow, fmt::Write};

/// Why a game cannot be written as a record.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RecordError {
    /// Its initial position is invalid.
    #[error("game {0}: its first position is invalid")]
    Start(u64),
    /// One of its plies is not legal.
    #[error("game {game}: `{}`, ply {number}, is not a legal move", .ply.shown())]
    Ply {
        /// The game.
        game: u64,
        /// The ply.
        ply: Foreign,
        /// Its number, from 1.
        number: usize,
    },
    /// Its moves lead to another end.
    #[error("game {game}: its moves {}, and its ledger says {}", in_words(.played), by(.booked))]
    End {
        /// The game.
        game: u64,
        /// How it ends by its moves.
        played: Option<End>,
        /// How it ended according to its ledger.
        booked: End,
    },
    /// It has more or fewer plies.
    #[error("game {game}: it has {made} plies, and its ledger says {booked}")]
    Plies {
        /// The game.
        game: u64,
        /// The plies on its line.
        made: u32,
        /// The number of plies according to its ledger.
        booked: u32,
    },
    /// It continues although the run stops games at that length.
    #[error("game {game}: it goes on after the {limit} plies at which its run stops games")]
    Late {
        /// The game.
        game: u64,
        /// The limit.
        limit: u32,
    },
    /// It was stopped although the run lets games continue at that length.
    #[error("game {game}: it was stopped after {made} plies, and its run stops games at {limit}")]
    Early {
        /// The game.
        game: u64,
        /// Its plies.
        made: u32,
        /// The limit.
        limit: u32,
    },
    /// The game is not supported.
    #[error("this version does not know the rules of {}", .0.shown())]
    NoRules(Foreign),
}

impl RecordError {
    /// The error for an illegal ply, given its index.
    pub(crate) fn at(entry: &LedgerEntry<'_>, index: usize, ply: &str) -> Self {
        Self::Ply {
            game: entry.game,
            ply: ply.into(),
            number: index + 1,
        }
    }
}

fn in_words(end: &Option<End>) -> String {
    end.as_ref().map_or("do not end it".into(), |end| {
        format!("end it by {}", by(end))
    })
}

fn by(End { outcome, cause }: &End) -> String {
    format!("{cause} ({outcome})")
}

/// Writes a game as a record, not yet in canonical form. What players said of their plies is in comments, in the form in
/// which cutechess and fastchess write it: `{+0.31/12 0.532s, n=9001}`. `date` is the day on which it was played, as the
/// tag Date has it; a ledger does not know.
///
/// # Errors
/// If the game is not legal, or not supported.
pub fn write_record(
    entry: &LedgerEntry<'_>,
    manifest: &Manifest,
    date: Option<&str>,
    out: &mut String,
) -> Result<(), RecordError> {
    let game = manifest
        .game()
        .map_err(|_| RecordError::NoRules(manifest.variant.as_str().into()))?;
    let movetext = with_game!(game, manifest.boards, G => movetext::<G>(entry, manifest))?;
    tags(entry, manifest, (game, date), out);
    // Writing to a `String` cannot fail.
    let _ = writeln!(out, "{}\n{}\n", movetext.trim_ascii(), entry.end.outcome);
    Ok(())
}

fn movetext<G: Play>(entry: &LedgerEntry<'_>, manifest: &Manifest) -> Result<String, RecordError> {
    let mut game: G = start(entry, manifest)?;
    let mut movetext = G::Movetext::default();
    for (index, ply) in plies::<G>(&entry.moves).enumerate() {
        let step = game
            .at(ply)
            .ok_or_else(|| RecordError::at(entry, index, ply))?;
        let before = game.clone();
        let brought = step.make(&mut game);
        let remark = remark(&entry.thoughts, index);
        movetext.take(&step, &before, &game, &brought, &remark);
    }
    Ok(movetext.finish(&game))
}

/// What a player said of a ply, as a comment; empty if it said nothing.
fn remark(said: &PlyData, index: usize) -> String {
    let said = said.figures(index);
    if said == Figures::default() {
        return String::new();
    }
    format!(" {{{said}}}")
}

/// The position from which a game of a ledger starts.
pub(crate) fn start<G: Play>(
    entry: &LedgerEntry<'_>,
    manifest: &Manifest,
) -> Result<G, RecordError> {
    match &entry.fen {
        Some(fen) => G::read_fen(&manifest.options::<G>(), fen.as_it_came())
            .map(|read| read.position)
            .map_err(|_| RecordError::Start(entry.game)),
        None => manifest
            .first()
            .map_err(|_| RecordError::NoRules(manifest.variant.as_str().into())),
    }
}

/// The plies of a line; some consist of more than one word.
pub(crate) fn plies<G: Play>(moves: &str) -> impl Iterator<Item = &str> {
    let mut rest = moves;
    std::iter::from_fn(move || {
        rest = rest.trim_ascii_start();
        let mut words = rest.split_ascii_whitespace();
        let more = G::words_after(words.next()?, words.next());
        let mut spaces = rest
            .bytes()
            .enumerate()
            .filter(|(_, byte)| byte.is_ascii_whitespace());
        let end = spaces.nth(more).map_or(rest.len(), |(at, _)| at);
        let ply;
        (ply, rest) = rest.split_at(end);
        Some(ply)
    })
}

fn tags(
    entry: &LedgerEntry<'_>,
    manifest: &Manifest,
    (game, date): (Variant, Option<&str>),
    out: &mut String,
) {
    let half = entry.game % u64::from(manifest.games_per_unit) + 1;
    let round = format!("{}.{half}", entry.unit + 1);
    let kind = if manifest.engines.is_empty() {
        "self-play"
    } else {
        "match"
    };
    let event = format!("overboard {kind} {}", entry.run);
    let mut tag = |name: &str, value: &str| {
        let _ = writeln!(out, "[{name} \"{}\"]", escape(value));
    };
    tag("Event", &event);
    tag("Site", "?");
    tag("Date", date.unwrap_or("????.??.??"));
    tag("Round", &round);
    // The key of the game in tables.
    tag("Run", &entry.run);
    tag("Game", &entry.game.to_string());
    let boards = usize::from(manifest.boards);
    for (colour, name) in [("White", &entry.white), ("Black", &entry.black)] {
        match boards {
            1 => tag(colour, name.as_it_came()),
            _ => tag(
                colour,
                &vec![escape_list(name.as_it_came()); boards].join(":"),
            ),
        }
    }
    tag("Result", entry.end.outcome.as_str());
    for (name, value) in game.tags(boards, Some(manifest.level()), &manifest.rules) {
        tag(name, &value);
    }
    if let Some(fen) = &entry.fen {
        tag("SetUp", "1");
        tag("FEN", fen.as_it_came());
    }
    if let Some(laws) = manifest.laws {
        tag("Laws", &format!("{NUMBERED_BY} {laws}"));
    }
    program_tags(entry, manifest, &mut tag);
    if let Some(word) = entry.end.cause.tag() {
        tag("Termination", word);
    }
    out.push('\n');
}

/// The tags that say what played: time controls, and what engines call themselves, which has their versions.
fn program_tags(entry: &LedgerEntry<'_>, manifest: &Manifest, tag: &mut impl FnMut(&str, &str)) {
    let named = |name: Foreign<&str>| manifest.engines.iter().find(|one| one.name.lent() == name);
    let programs = BySide::new(entry.white.lent(), entry.black.lent()).map(named);
    let controls = programs.map(|program| program.and_then(|program| program.tc));
    match controls.into_array() {
        [Some(white), Some(black)] if white == black => tag("TimeControl", &white.to_string()),
        controls => {
            for (name, control) in ["WhiteTimeControl", "BlackTimeControl"]
                .iter()
                .zip(controls)
            {
                if let Some(control) = control {
                    tag(name, &control.to_string());
                }
            }
        }
    }
    for (name, program) in ["WhiteEngine", "BlackEngine"]
        .iter()
        .zip(programs.into_array())
    {
        if let Some(program) = program.filter(|program| !program.id.is_empty()) {
            tag(name, program.id.as_it_came());
        }
    }
}

/// The names of the columns of [`row`], which are some of those of tables of games.
pub const COLUMNS: &str = "run,game,unit,run_round,book,white,black,acts,result,ended_by,FEN";

/// A game as a row of comma-separated values.
#[must_use]
pub fn row(entry: &LedgerEntry<'_>) -> String {
    let quoted = |text: &Foreign<Cow<'_, str>>| {
        let cell = text.cell();
        match cell.contains([',', '"', '\n', '\r']) {
            true => format!("\"{}\"", cell.replace('"', "\"\"")),
            false => cell.into_owned(),
        }
    };
    let LedgerEntry {
        run,
        game,
        unit,
        round,
        book,
        plies,
        ..
    } = entry;
    let [white, black] = [&entry.white, &entry.black].map(quoted);
    let fen = entry.fen.as_ref().map(quoted).unwrap_or_default();
    let (result, cause) = (entry.end.outcome, entry.end.cause.word());
    format!("{run},{game},{unit},{round},{book},{white},{black},{plies},{result},{cause},{fen}")
}
