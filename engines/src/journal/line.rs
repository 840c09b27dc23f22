//! A line of a ledger: a game, and the checksum that ends every line.

use crate::{
    ending::{Booked, End},
    game::{Blame, Played, PlyData},
    manifest::{Fixture, Manifest, Run},
    records::plies,
};
use overboard_formats::foreign::Foreign;
use overboard_games::with_game;
use overboard_rules::by_side::BySide;
use serde::Deserialize;
use std::{borrow::Cow, io::Write};

/// A line of a ledger: a game.
#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct Line<'a> {
    /// The name of the run.
    #[serde(borrow)]
    run: Cow<'a, str>,
    /// The number of the game in the whole run, from 0.
    game: u64,
    /// The number of its unit: the games of a pair share it.
    unit: u64,
    /// The number of its round: the games of a round share an opening.
    round: u64,
    /// The name of the player with White.
    #[serde(borrow)]
    white: Cow<'a, str>,
    /// The name of the player with Black.
    #[serde(borrow)]
    black: Cow<'a, str>,
    /// The position from which the game started as FEN; null for the normal starting position.
    #[serde(borrow)]
    fen: Option<Cow<'a, str>>,
    /// The number of plies of the opening, at the front of `moves`.
    book: u32,
    /// The plies in coordinates, one space between them.
    #[serde(borrow)]
    moves: Cow<'a, str>,
    /// The number of plies.
    plies: u32,
    /// The result: `1-0`, `0-1` or `1/2-1/2`.
    #[serde(borrow)]
    result: Cow<'a, str>,
    /// Why the game ended, as one word.
    #[serde(borrow)]
    termination: Cow<'a, str>,
    /// For each ply, the player's evaluation from its own side, in hundredths of a pawn; a forced win in N plies is
    /// 1,000,000 − N. Null for plies of the opening and where the player gives none. Only if the manifest's `tells` has
    /// it, as the next three.
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<Vec<Option<i32>>>,
    /// For each ply, the depth of the search in plies.
    #[serde(skip_serializing_if = "Option::is_none")]
    depth: Option<Vec<Option<u32>>>,
    /// For each ply, the number of positions searched.
    #[serde(skip_serializing_if = "Option::is_none")]
    nodes: Option<Vec<Option<u64>>>,
    /// For each ply, the seconds used.
    #[serde(skip_serializing_if = "Option::is_none")]
    time: Option<Vec<Option<f64>>>,
    /// The fault of an external engine; only if there was one.
    #[serde(skip_serializing_if = "Option::is_none")]
    fault: Option<Blame>,
}

/// A game in a ledger.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LedgerEntry<'a> {
    /// The run id.
    pub run: Cow<'a, str>,
    /// The game's number, from 0.
    pub game: u64,
    /// The number of its unit.
    pub unit: u64,
    /// The round.
    pub round: u64,
    /// White's name.
    pub white: Foreign<Cow<'a, str>>,
    /// Black's name.
    pub black: Foreign<Cow<'a, str>>,
    /// The position from which it started as FEN, if it is not that of the game.
    pub fen: Option<Foreign<Cow<'a, str>>>,
    /// The number of plies of the opening, at the beginning of the moves.
    pub book: u32,
    /// The plies in coordinates, separated by one space.
    pub moves: Cow<'a, str>,
    /// The number of plies.
    pub plies: u32,
    /// How the game ended.
    pub end: End,
    /// Whether its line uses an outdated word for that end.
    pub old_word: bool,
    /// The data of its plies.
    pub thoughts: PlyData,
    /// The fault of an external engine, if that ended the game.
    pub fault: Option<Blame>,
}

impl<'a> LedgerEntry<'a> {
    /// Parses the line of a game, whatever version wrote it.
    ///
    /// # Errors
    /// What is wrong with it, in words.
    pub fn read(line: &'a [u8], manifest: &Manifest) -> Result<Self, &'static str> {
        let line: Line<'a> = serde_json::from_slice(line).map_err(|_| "it is not a game")?;
        let Booked { end, old_word } = Booked::read(&line.result, &line.termination, manifest)
            .ok_or("its result or termination is unknown")?;
        let thoughts = PlyData {
            score: line.score,
            depth: line.depth,
            nodes: line.nodes,
            time: line.time,
        };
        if !thoughts.fits(line.plies) {
            return Err("it does not have one item for each of its plies");
        }
        Ok(Self {
            run: line.run,
            game: line.game,
            unit: line.unit,
            round: line.round,
            white: Foreign::new(line.white),
            black: Foreign::new(line.black),
            fen: line.fen.map(Foreign::new),
            book: line.book,
            moves: line.moves,
            plies: line.plies,
            end,
            old_word,
            thoughts,
            fault: line.fault,
        })
    }

    /// Its opening: the position from which it started, if that is not the game's, and the plies that were prescribed;
    /// `None` if neither was.
    #[must_use]
    pub fn opening(&self, manifest: &Manifest) -> Option<Foreign> {
        let mut opening = self
            .fen
            .as_ref()
            .map_or(String::new(), |fen| fen.as_it_came().to_owned());
        for ply in self.some_plies(manifest, self.book as usize) {
            opening.push_str(if opening.is_empty() { "" } else { " " });
            opening.push_str(ply);
        }
        Some(opening)
            .filter(|opening| !opening.is_empty())
            .map(Foreign::new)
    }

    /// Its first ply, in coordinates.
    #[must_use]
    pub fn first_ply(&self, manifest: &Manifest) -> Option<Foreign> {
        self.some_plies(manifest, 1)
            .first()
            .copied()
            .map(Foreign::from)
    }

    /// Its first plies, at most this many.
    fn some_plies(&self, manifest: &Manifest, most: usize) -> Vec<&str> {
        let Ok(game) = manifest.game() else {
            return Vec::new();
        };
        with_game!(game, manifest.boards, G => plies::<G>(&self.moves).take(most).collect())
    }

    /// The number of the player at fault, if a fault ended the game.
    #[must_use]
    pub fn blamed(&self, fixture: &Fixture) -> Option<usize> {
        self.fault
            .as_ref()
            .map(|blame| fixture.seats[blame.by.into()])
    }

    /// Whether the line names the players that the manifest has for this game.
    pub(crate) fn is_of(&self, fixture: &Fixture, manifest: &Manifest) -> bool {
        let names = fixture.seats.map(|seat| manifest.players[seat].lent());
        (self.unit, self.round) == (fixture.unit, fixture.round)
            && BySide::new(self.white.lent(), self.black.lent()) == names
    }
}

/// Writes the lines of one run.
#[derive(Clone, Debug)]
pub struct Scribe {
    run: String,
    players: Vec<String>,
    timed: bool,
}

impl Scribe {
    /// A writer for this run.
    #[must_use]
    pub fn of(manifest: &Manifest) -> Self {
        let quoted = |name: &Foreign| serde_json::to_string(name).unwrap_or_default();
        Self {
            run: manifest.run().0,
            players: manifest.players.iter().map(quoted).collect(),
            timed: manifest.timed,
        }
    }

    /// Appends the line of a game.
    pub fn write(&self, line: &mut Vec<u8>, fixture: &Fixture, played: &Played) {
        let from = line.len();
        let [white, black] = fixture.seats.map(|seat| &self.players[seat]).into_array();
        let fen = played.fen.as_ref().map_or("null".into(), |fen| {
            serde_json::to_string(fen).unwrap_or_default()
        });
        let Fixture {
            game, unit, round, ..
        } = fixture;
        let Played {
            book,
            moves,
            plies,
            end: End { outcome, cause },
            ..
        } = played;
        // Writing to a `String` cannot fail.
        let _ = write!(
            line,
            "{{\"run\":\"{}\",\"game\":{game},\"unit\":{unit},\"round\":{round},\"white\":{white},\"black\":{black},\
             \"fen\":{fen},\"book\":{book},\"moves\":\"{moves}\",\"plies\":{plies},\"result\":\"{outcome}\",\
             \"termination\":\"{}\"",
            self.run,
            cause.word()
        );
        line.extend_from_slice(timed(self.timed));
        played.thoughts.write(line);
        if let Some(fault) = &played.fault {
            let _ = write!(
                line,
                ",\"fault\":{}",
                serde_json::to_string(fault).unwrap_or_default()
            );
        }
        seal(line, from);
    }
}

pub(super) const CHECKSUM: &str = "its checksum is wrong";

/// Ends the line that begins at `from` with its checksum.
pub(super) fn seal(line: &mut Vec<u8>, from: usize) {
    let sum = crc32fast::hash(&line[from..]);
    let _ = writeln!(line, ",\"sum\":\"{sum:08x}\"}}");
}

const fn timed(timed: bool) -> &'static [u8] {
    if timed {
        b",\"timed\":true"
    } else {
        b",\"timed\":false"
    }
}

/// Converts the line of a game from a ledger of form 1 to the present form.
pub(super) fn lifted(line: &[u8], is_timed: bool) -> Vec<u8> {
    let mut line = [unsealed(line), timed(is_timed)].concat();
    seal(&mut line, 0);
    line
}

/// A line without its checksum and line end.
pub(super) fn unsealed(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    &line[..line.len().saturating_sub(SEAL)]
}

/// The line of a game with another run id.
#[must_use]
pub fn renamed(line: &[u8], run: &Run) -> Vec<u8> {
    // A line begins with the run id and ends with its checksum; both have a fixed length.
    const NAME: std::ops::Range<usize> = 8..24;
    let mut line = unsealed(line).to_vec();
    if let Some(name) = line.get_mut(NAME).filter(|name| name.len() == run.0.len()) {
        name.copy_from_slice(run.0.as_bytes());
    }
    seal(&mut line, 0);
    line
}

/// The length of `,"sum":"01234567"}`.
const SEAL: usize = 18;

/// Whether the checksum of a line, with or without its end, is right.
pub(super) fn is_sealed(line: &[u8]) -> bool {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    let Some(at) = line.len().checked_sub(SEAL) else {
        return false;
    };
    let mut seal = *b",\"sum\":\"........\"}";
    let sum = format!("{:08x}", crc32fast::hash(&line[..at]));
    seal[8..16].copy_from_slice(sum.as_bytes());
    line[at..] == seal
}
