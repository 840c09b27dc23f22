//! Ratings and breakdowns of games: as text, as JSON, and as rows.

use crate::figures::{Rows, SIDES, row, single};
use overboard_engines::stats::{Account, By, Interval, Pool, Survival, survival};
use overboard_formats::foreign::Foreign;
use serde::Serialize;
use std::{
    cmp::Ordering,
    io::{self, Write},
};

/// All breakdowns, and the ratings.
#[derive(Serialize, Default)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Parts {
    /// Players rated together, the largest group first; only if more than two met and can be compared.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    ratings: Vec<Ratings>,
    /// Players that are in no pool, if there are more than two players; for text output.
    #[serde(skip)]
    unrated: Vec<Foreign>,
    /// Games by their openings, the most frequent first; only with `--by opening`.
    #[serde(skip_serializing_if = "Option::is_none")]
    openings: Option<Vec<Split>>,
    /// Games by their first plies, the most frequent first; only with `--by first-ply`.
    #[serde(skip_serializing_if = "Option::is_none")]
    first_plies: Option<Vec<Split>>,
    /// Games by the reason why they ended; only with `--by end`.
    #[serde(skip_serializing_if = "Option::is_none")]
    ends: Option<Vec<Split>>,
    /// How many games last how long; only with `--by length`.
    #[serde(skip_serializing_if = "Option::is_none")]
    survival: Option<Vec<Point>>,
}

/// Players whose ratings are comparable.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Ratings {
    /// The advantage of the first move, in Elo.
    first_move: Interval,
    /// The players, the best first.
    players: Vec<Rating>,
}

/// A rated player.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Rating {
    /// The name.
    player: Foreign,
    /// Points, a draw being half of one.
    points: f64,
    /// The number of games.
    games: u64,
    /// The rating in Elo.
    rating: Interval,
}

/// Games that have something in common.
#[derive(Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "Group")
)]
struct Split {
    /// What they have in common; `-` if there is nothing.
    name: Foreign,
    /// Their number.
    games: u64,
    /// Games that White won.
    white: u64,
    /// Drawn games.
    drawn: u64,
    /// Games that Black won.
    black: u64,
}

/// A point of the curve of lengths.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Point {
    /// The number of plies.
    plies: i64,
    /// Games that ended after so many.
    ended: u64,
    /// Games that were stopped after so many.
    stopped: u64,
    /// The share of the games that continue, from 0 to 1.
    share: f64,
}

impl From<Pool> for Ratings {
    fn from(
        Pool {
            players,
            first_move,
        }: Pool,
    ) -> Self {
        let players = players.into_iter().map(|rated| Rating {
            player: rated.player,
            points: rated.points,
            games: rated.games,
            rating: rated.rating,
        });
        Self {
            first_move,
            players: players.collect(),
        }
    }
}

impl Ratings {
    fn has(&self, player: &Foreign) -> bool {
        self.players.iter().any(|rated| rated.player == *player)
    }

    fn print(&self, apart: &str, out: &mut impl Write) -> io::Result<()> {
        let Self {
            first_move,
            players,
        } = self;
        let count = players.len();
        let first_move = first_move.words(2);
        writeln!(
            out,
            "ratings of {count} players in Elo{apart}: the first move is worth {first_move}"
        )?;
        for player in players {
            player.print(out)?;
        }
        Ok(())
    }

    fn rows<W: Write>(&self, rows: &mut Rows<W>) -> Result<(), csv::Error> {
        row(rows, SIDES, "first_move", self.first_move)?;
        for rated in &self.players {
            row(rows, alone(rated.player.lent()), "rating", rated.rating)?;
        }
        Ok(())
    }
}

impl From<Survival> for Point {
    fn from(survival: Survival) -> Self {
        Self {
            plies: survival.plies,
            ended: survival.ended,
            stopped: survival.stopped,
            share: survival.share,
        }
    }
}

impl Split {
    fn before(&self, other: &Self) -> Ordering {
        let by_games = other.games.cmp(&self.games);
        by_games.then_with(|| self.name.cmp(&other.name))
    }

    fn of(name: Foreign<&str>, [white, drawn, black]: [u64; 3]) -> Self {
        Self {
            name: name.kept(),
            games: white + drawn + black,
            white,
            drawn,
            black,
        }
    }

    fn print(&self, out: &mut impl Write) -> io::Result<()> {
        let Self {
            games,
            white,
            drawn,
            black,
            ..
        } = self;
        let share = 100.0 * (*white as f64 + *drawn as f64 / 2.0) / *games as f64;
        let name = self.name.shown();
        writeln!(
            out,
            "  {name}: +{white} ={drawn} -{black}, {share:.1} % for White"
        )
    }

    fn rows<W: Write>(&self, title: &str, rows: &mut Rows<W>) -> Result<(), csv::Error> {
        let counts = [
            ("white", self.white),
            ("drawn", self.drawn),
            ("black", self.black),
        ];
        for (what, count) in counts {
            let figure = format!("{title}_{what}");
            row(rows, alone(self.name.lent()), &figure, single(count as f64))?;
        }
        Ok(())
    }
}

/// What a figure is about that is about no two players.
const fn alone(name: Foreign<&str>) -> [Foreign<&str>; 2] {
    [name, Foreign::new("")]
}

/// The parts with most games first; equal ones by name.
fn splits<'a>(parts: impl Iterator<Item = (Foreign<&'a str>, [u64; 3])>) -> Vec<Split> {
    let mut splits = Vec::from_iter(parts.map(|(name, results)| Split::of(name, results)));
    splits.sort_by(Split::before);
    splits
}

/// Text has every tenth of the games that have ended; programs get the whole curve.
fn print_survival(survival: &[Point], out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "games still in progress after so many plies:")?;
    let mut tenth = 10;
    for Point { plies, share, .. } in survival {
        let now = (share * 10.0).ceil() as i64;
        if now < tenth {
            writeln!(out, "  {plies}: {:.1} %", 100.0 * share)?;
            tenth = now;
        }
    }
    Ok(())
}

impl Rating {
    fn print(&self, out: &mut impl Write) -> io::Result<()> {
        let Self { points, games, .. } = self;
        let (player, rating) = (self.player.shown(), self.rating.words(2));
        writeln!(
            out,
            "  {player}: {rating}, {points} points in {games} games"
        )
    }
}

impl Parts {
    /// The breakdowns of counted games.
    pub fn of(account: &Account) -> Self {
        let apart = &account.apart;
        let mut parts = Self::default();
        // With two players, the meeting says everything.
        let players = account.field.players();
        if players.len() > 2 {
            parts.ratings = account
                .field
                .pools()
                .into_iter()
                .map(Ratings::from)
                .collect();
            let is_rated = |player: &Foreign| parts.ratings.iter().any(|pool| pool.has(player));
            let left_out = players.iter().filter(|player| !is_rated(player));
            parts.unrated = left_out.cloned().collect();
        }
        if apart.is_by(By::Opening) {
            let openings = apart.openings.iter();
            parts.openings = Some(splits(openings.map(|(name, own)| (name.lent(), *own))));
        }
        if apart.is_by(By::FirstPly) {
            let plies = apart.first_plies.iter();
            parts.first_plies = Some(splits(plies.map(|(name, own)| (name.lent(), *own))));
        }
        if apart.is_by(By::End) {
            let ends = apart.ends.iter();
            parts.ends = Some(splits(ends.map(|(name, own)| (Foreign::new(*name), *own))));
        }
        if apart.is_by(By::Length) {
            let survival = survival(&account.lengths, &account.stopped);
            parts.survival = Some(survival.into_iter().map(Point::from).collect());
        }
        parts
    }

    /// Prints the ratings as text.
    pub fn print_ratings(&self, out: &mut impl Write) -> io::Result<()> {
        for (at, pool) in self.ratings.iter().enumerate() {
            let apart = if at == 0 {
                ""
            } else {
                ", which cannot be compared with those above"
            };
            pool.print(apart, out)?;
        }
        if !self.unrated.is_empty() {
            let names: Vec<_> = self.unrated.iter().map(Foreign::shown).collect();
            writeln!(
                out,
                "not rated, since their games give no finite rating (all won or all lost, or one colour only): {}",
                names.join(", ")
            )?;
        }
        Ok(())
    }

    /// Prints the breakdowns as text.
    pub fn print(&self, out: &mut impl Write) -> io::Result<()> {
        let tables = [
            ("opening", &self.openings),
            ("first ply", &self.first_plies),
            ("end", &self.ends),
        ];
        for (title, splits) in tables {
            if let Some(splits) = splits {
                writeln!(out, "by {title}: White won, drawn, Black won")?;
                for split in splits {
                    split.print(out)?;
                }
            }
        }
        match &self.survival {
            Some(survival) => print_survival(survival, out),
            None => Ok(()),
        }
    }

    /// Writes a row for each figure.
    pub fn rows<W: Write>(&self, rows: &mut Rows<W>) -> Result<(), csv::Error> {
        for pool in &self.ratings {
            pool.rows(rows)?;
        }
        let tables = [
            ("opening", &self.openings),
            ("first_ply", &self.first_plies),
            ("end", &self.ends),
        ];
        for (title, splits) in tables {
            for split in splits.iter().flatten() {
                split.rows(title, rows)?;
            }
        }
        for point in self.survival.iter().flatten() {
            let plies = point.plies.to_string();
            let of = alone(Foreign::new(&plies));
            row(rows, of, "survival", single(point.share))?;
        }
        Ok(())
    }
}
