//! Ratings and breakdowns of games: as text, as JSON, and as rows.

use crate::figures::words;
use clap::ValueEnum;
use overboard_engines::stats::{Account, By, Interval, Pool, Survival, survival};
use overboard_formats::foreign::Foreign;
use serde::Serialize;
use std::io::{self, Write};

/// By what games are taken apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum ByName {
    /// Initial position and plies of the opening.
    Opening,
    /// First ply.
    FirstPly,
    /// Reason of the ending, and winner.
    End,
    /// How many games last longer than each number of plies.
    Length,
}

impl From<ByName> for By {
    fn from(name: ByName) -> Self {
        match name {
            ByName::Opening => Self::Opening,
            ByName::FirstPly => Self::FirstPly,
            ByName::End => Self::End,
            ByName::Length => Self::Length,
        }
    }
}

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

impl Split {
    fn of(name: Foreign<&str>, [white, drawn, black]: [u64; 3]) -> Self {
        Self {
            name: name.kept(),
            games: white + drawn + black,
            white,
            drawn,
            black,
        }
    }
}

/// The parts with most games first; equal ones by name.
fn splits<'a>(parts: impl Iterator<Item = (Foreign<&'a str>, [u64; 3])>) -> Vec<Split> {
    let mut splits: Vec<_> = parts
        .map(|(name, results)| Split::of(name, results))
        .collect();
    splits.sort_by(|a, b| b.games.cmp(&a.games).then_with(|| a.name.cmp(&b.name)));
    splits
}

impl Parts {
    /// The breakdowns of counted games.
    pub fn of(account: &Account) -> Self {
        let apart = &account.apart;
        let asked = |by| apart.is_by(by);
        let point = |Survival {
                         plies,
                         ended,
                         stopped,
                         share,
                     }: Survival| Point {
            plies,
            ended,
            stopped,
            share,
        };
        // With two players, the meeting says everything.
        let players = account.field.players();
        let is_asked = players.len() > 2;
        let pools = if is_asked {
            account.field.pools()
        } else {
            Vec::new()
        };
        let is_rated = |player: &&Foreign| {
            pools
                .iter()
                .flat_map(|pool| &pool.players)
                .any(|rated| rated.player == **player)
        };
        let left_out = players
            .iter()
            .filter(|player| is_asked && !is_rated(player));
        Self {
            unrated: left_out.cloned().collect(),
            ratings: pools.into_iter().map(Ratings::from).collect(),
            openings: asked(By::Opening).then(|| {
                splits(
                    apart
                        .openings
                        .iter()
                        .map(|(name, results)| (name.lent(), *results)),
                )
            }),
            first_plies: asked(By::FirstPly).then(|| {
                splits(
                    apart
                        .first_plies
                        .iter()
                        .map(|(name, results)| (name.lent(), *results)),
                )
            }),
            ends: asked(By::End).then(|| {
                splits(
                    apart
                        .ends
                        .iter()
                        .map(|(name, results)| (Foreign::new(*name), *results)),
                )
            }),
            survival: asked(By::Length).then(|| {
                survival(&account.lengths, &account.stopped)
                    .into_iter()
                    .map(point)
                    .collect()
            }),
        }
    }

    /// Prints the ratings as text.
    pub fn print_ratings(&self, out: &mut impl Write) -> io::Result<()> {
        for (
            at,
            Ratings {
                first_move,
                players,
            },
        ) in self.ratings.iter().enumerate()
        {
            let apart = if at == 0 {
                ""
            } else {
                ", which cannot be compared with those above"
            };
            writeln!(
                out,
                "ratings of {} players in Elo{apart}: the first move is worth {}",
                players.len(),
                words(*first_move)
            )?;
            for Rating {
                player,
                points,
                games,
                rating,
            } in players
            {
                writeln!(
                    out,
                    "  {}: {}, {points} points in {games} games",
                    player.shown(),
                    words(*rating)
                )?;
            }
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
        for (title, splits) in tables
            .into_iter()
            .filter_map(|(title, splits)| Some((title, splits.as_ref()?)))
        {
            writeln!(out, "by {title}: White won, drawn, Black won")?;
            for Split {
                name,
                games,
                white,
                drawn,
                black,
            } in splits
            {
                let share = 100.0 * (*white as f64 + *drawn as f64 / 2.0) / *games as f64;
                writeln!(
                    out,
                    "  {}: +{white} ={drawn} -{black}, {share:.1} % for White",
                    name.shown()
                )?;
            }
        }
        let Some(survival) = &self.survival else {
            return Ok(());
        };
        writeln!(out, "games still in progress after so many plies:")?;
        // Text output has every tenth of the games that have ended; programs get the whole curve.
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

    /// Writes a row for each figure.
    pub fn rows<W: Write>(&self, rows: &mut csv::Writer<W>) -> Result<(), csv::Error> {
        let text = |value: Option<f64>| value.map(|value| value.to_string()).unwrap_or_default();
        let mut row = |of: Foreign<&str>,
                       against: &str,
                       figure: &str,
                       Interval { value, low, high }: Interval| {
            rows.write_record([
                &*of.harmless_cell(),
                against,
                figure,
                &text(value),
                &text(low),
                &text(high),
            ])
        };
        let single = |value: f64| Interval {
            value: Some(value),
            ..Interval::default()
        };
        for Ratings {
            first_move,
            players,
        } in &self.ratings
        {
            row(Foreign::new("White"), "Black", "first_move", *first_move)?;
            players
                .iter()
                .try_for_each(|rated| row(rated.player.lent(), "", "rating", rated.rating))?;
        }
        let tables = [
            ("opening", &self.openings),
            ("first_ply", &self.first_plies),
            ("end", &self.ends),
        ];
        for (title, splits) in tables
            .into_iter()
            .filter_map(|(title, splits)| Some((title, splits.as_ref()?)))
        {
            for Split {
                name,
                white,
                drawn,
                black,
                ..
            } in splits
            {
                for (what, count) in [("white", white), ("drawn", drawn), ("black", black)] {
                    row(
                        name.lent(),
                        "",
                        &format!("{title}_{what}"),
                        single(*count as f64),
                    )?;
                }
            }
        }
        self.survival.iter().flatten().try_for_each(|point| {
            row(
                Foreign::new(&point.plies.to_string()),
                "",
                "survival",
                single(point.share),
            )
        })
    }
}
