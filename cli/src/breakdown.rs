//! Ratings and breakdowns of games: as text, as JSON, and as rows.

use crate::{
    figures::{Rows, SIDES, score},
    ui,
};
use overboard_engines::stats::{Account, Breakdown, By, Pool, Rated, Survival, Wdl, survival};
use overboard_formats::foreign::Foreign;
use serde::Serialize;
use std::{cmp::Reverse, collections::BTreeMap, fmt};

/// All breakdowns, and the ratings.
#[derive(Serialize, Default)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Parts {
    /// Players rated together, the largest group first; only if more than two met and can be compared.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    ratings: Vec<Pool>,
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
    survival: Option<Vec<Survival>>,
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

impl Split {
    fn of((name, results): (&Foreign, &Wdl)) -> Self {
        Self {
            name: name.clone(),
            games: results.games(),
            white: results.wins,
            drawn: results.draws,
            black: results.losses,
        }
    }

    /// As those of White.
    const fn results(&self) -> Wdl {
        Wdl::new(self.white, self.drawn, self.black)
    }
}

impl fmt::Display for Split {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let share = 50.0 * self.results().half_points() as f64 / self.games as f64;
        let (name, score) = (self.name.shown(), score(self.results()));
        write!(f, "  {name}: {score}, {share:.1} % for White")
    }
}

/// What a figure is about that is about no two players.
const fn alone(name: Foreign<&str>) -> [Foreign<&str>; 2] {
    [name, Foreign::new("")]
}

/// The parts with most games first, equal ones by name; `None` if they were not asked for.
fn splits(apart: &Breakdown, by: By, parts: &BTreeMap<Foreign, Wdl>) -> Option<Vec<Split>> {
    if !apart.is_by(by) {
        return None;
    }
    let mut splits = Vec::from_iter(parts.iter().map(Split::of));
    splits.sort_by_key(|split| Reverse(split.games));
    Some(splits)
}

/// Text has every tenth of the games that have ended; programs get the whole curve.
fn write_survival(survival: &[Survival], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    writeln!(f, "games still in progress after so many plies:")?;
    let mut tenth = 10;
    for Survival { plies, share, .. } in survival {
        let now = (share * 10.0).ceil() as i64;
        if now < tenth {
            writeln!(f, "  {plies}: {:.1} %", 100.0 * share)?;
            tenth = now;
        }
    }
    Ok(())
}

fn write_pool(pool: &Pool, apart: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let (count, first_move) = (pool.players.len(), pool.first_move.words(2));
    writeln!(
        f,
        "ratings of {count} players in Elo{apart}: the first move is worth {first_move}"
    )?;
    for Rated {
        player,
        points,
        games,
        rating,
    } in &pool.players
    {
        let (player, rating) = (player.shown(), rating.words(2));
        writeln!(f, "  {player}: {rating}, {points} points in {games} games")?;
    }
    Ok(())
}

impl Parts {
    /// The breakdowns of counted games.
    pub fn of(account: &Account) -> Self {
        let (apart, mut parts) = (&account.apart, Self::default());
        // With two players, the meeting says everything.
        let players = account.field.players();
        if players.len() > 2 {
            parts.ratings = account.field.pools();
            for player in players {
                let mut rated = parts.ratings.iter().flat_map(|pool| &pool.players);
                if !rated.any(|rated| rated.player == *player) {
                    parts.unrated.push(player.clone());
                }
            }
        }
        parts.openings = splits(apart, By::Opening, &apart.openings);
        parts.first_plies = splits(apart, By::FirstPly, &apart.first_plies);
        parts.ends = splits(apart, By::End, &apart.ends);
        if apart.is_by(By::Length) {
            parts.survival = Some(survival(&account.lengths, &account.stopped));
        }
        parts
    }

    /// Writes the ratings as text.
    pub fn write_ratings(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut apart = "";
        for pool in &self.ratings {
            write_pool(pool, apart, f)?;
            apart = ", which cannot be compared with those above";
        }
        if self.unrated.is_empty() {
            return Ok(());
        }
        let names: Vec<_> = self.unrated.iter().map(Foreign::shown).collect();
        writeln!(
            f,
            "not rated, since their games give no finite rating (all won or all lost, or one colour only): {}",
            names.join(", ")
        )
    }

    /// The breakdowns by what is counted in each, with their titles.
    fn tables(&self) -> [(&'static str, &Option<Vec<Split>>); 3] {
        [
            ("opening", &self.openings),
            ("first ply", &self.first_plies),
            ("end", &self.ends),
        ]
    }

    /// Adds a row for each figure.
    pub fn rows(&self, rows: &mut Rows) {
        for pool in &self.ratings {
            rows.add(SIDES, "first_move", pool.first_move);
            for rated in &pool.players {
                rows.add(alone(rated.player.lent()), "rating", rated.rating);
            }
        }
        for (title, splits) in self.tables() {
            let title = title.replace(' ', "_");
            for split in splits.iter().flatten() {
                for (what, count) in [
                    ("white", split.white),
                    ("drawn", split.drawn),
                    ("black", split.black),
                ] {
                    let figure = format!("{title}_{what}");
                    rows.add(alone(split.name.lent()), &figure, count as f64);
                }
            }
        }
        for point in self.survival.iter().flatten() {
            let plies = point.plies.to_string();
            rows.add(alone(Foreign::new(&plies)), "survival", point.share);
        }
    }
}

impl fmt::Display for Parts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (title, splits) in self.tables() {
            if let Some(splits) = splits {
                writeln!(f, "by {title}: White won, drawn, Black won")?;
                ui::lines(f, splits)?;
            }
        }
        match &self.survival {
            Some(survival) => write_survival(survival, f),
            None => Ok(()),
        }
    }
}
