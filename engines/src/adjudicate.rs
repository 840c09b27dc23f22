//! Adjudication: ends games by the evaluations of both players.

use overboard_formats::as_text;
use overboard_rules::{by_side::BySide, outcome::Outcome, square::Side};
use std::{fmt, str::FromStr};

/// A game is drawn from move `move` on once both players' scores were within `score` centipawns for `count`
/// moves each: `move=34 count=8 score=20`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DrawWhen {
    /// Moves of each side before which no game is drawn.
    pub from: u32,
    /// Moves of each side in a row.
    pub count: u32,
    /// The largest absolute score of either side, in centipawns.
    pub score: u32,
}

/// A game is lost by the side whose own player has scored it at `-score` centipawns or worse for `count` moves, if the
/// other player agreed: `count=4 score=600`. With `sides=one` only the loser's score counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ResignWhen {
    /// Moves in a row.
    pub count: u32,
    /// How bad the position must be, in centipawns.
    pub score: u32,
    /// Whether both players must agree.
    pub both: bool,
}

/// Why a text is not such a condition.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum AdjudicationError {
    /// It is not a condition for a draw.
    #[error("expected words such as `move=34 count=8 score=20`, found `{0}`")]
    Draw(String),
    /// It is not a condition for a loss.
    #[error(
        "expected words such as `count=4 score=600` or `count=4 score=600 sides=one`, found `{0}`"
    )]
    Resign(String),
}

/// The values of these names; `None` if a name is unknown, missing, or has an invalid value.
fn values<const N: usize>(text: &str, names: [&str; N]) -> Option<[Option<u32>; N]> {
    let mut values = [None; N];
    for word in text.split([' ', ',']).filter(|word| !word.is_empty()) {
        let (name, value) = word.split_once('=')?;
        let place = names.iter().position(|known| *known == name)?;
        let value = match (name, value) {
            ("sides", "both") => 2,
            ("sides", "one") => 1,
            ("sides", _) => return None,
            _ => value.parse().ok()?,
        };
        if values[place].replace(value).is_some() {
            return None;
        }
    }
    Some(values)
}

impl FromStr for DrawWhen {
    type Err = AdjudicationError;

    fn from_str(text: &str) -> Result<Self, AdjudicationError> {
        match values(text, ["move", "count", "score"]) {
            Some([from, Some(count @ 1..), Some(score)]) => Ok(Self {
                from: from.unwrap_or(0),
                count,
                score,
            }),
            _ => Err(AdjudicationError::Draw(text.into())),
        }
    }
}

impl FromStr for ResignWhen {
    type Err = AdjudicationError;

    fn from_str(text: &str) -> Result<Self, AdjudicationError> {
        match values(text, ["count", "score", "sides"]) {
            Some([Some(count @ 1..), Some(score @ 1..), sides]) => Ok(Self {
                count,
                score,
                both: sides != Some(1),
            }),
            _ => Err(AdjudicationError::Resign(text.into())),
        }
    }
}

impl fmt::Display for DrawWhen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { from, count, score } = self;
        write!(f, "move={from} count={count} score={score}")
    }
}

impl fmt::Display for ResignWhen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { count, score, both } = self;
        let sides = if *both { "both" } else { "one" };
        write!(f, "count={count} score={score} sides={sides}")
    }
}

as_text!(DrawWhen, ResignWhen);

/// Follows the scores of both players, and ends the game by them.
#[derive(Clone, Copy, Debug)]
pub struct Adjudicator {
    draw: Option<DrawWhen>,
    resign: Option<ResignWhen>,
    sides: BySide<Streaks>,
}

/// How long one player's scores have been within each bound without a break.
#[derive(Clone, Copy, Debug, Default)]
struct Streaks {
    moves: u32,
    level: u32,
    lost: u32,
    won: u32,
}

impl Adjudicator {
    /// An adjudicator with these conditions; `None` without any.
    #[must_use]
    pub fn new(draw: Option<DrawWhen>, resign: Option<ResignWhen>) -> Option<Self> {
        let judges = draw.is_some() || resign.is_some();
        judges.then(|| Self {
            draw,
            resign,
            sides: BySide::default(),
        })
    }

    /// Records a ply that its side did not choose: one of an opening.
    pub fn pass(&mut self, side: Side) {
        self.sides[side].moves += 1;
    }

    /// Takes a side's score for its ply, in centipawns from its own point of view, if it reported one. Returns the
    /// result if that ends the game.
    pub fn hear(&mut self, side: Side, score: Option<i32>) -> Option<Outcome> {
        let streaks = &mut self.sides[side];
        let go_on = |count: &mut u32, goes_on: bool| *count = if goes_on { *count + 1 } else { 0 };
        let score = score.map(i64::from);
        streaks.moves += 1;
        if let Some(draw) = self.draw {
            let most = i64::from(draw.score);
            let is_level = score.is_some_and(|score| score.abs() <= most);
            go_on(&mut streaks.level, is_level);
        }
        if let Some(resign) = self.resign {
            let least = i64::from(resign.score);
            go_on(
                &mut streaks.lost,
                score.is_some_and(|score| score <= -least),
            );
            go_on(&mut streaks.won, score.is_some_and(|score| score >= least));
        }
        self.outcome()
    }

    fn outcome(&self) -> Option<Outcome> {
        let [white, black] = self.sides.as_ref().into_array();
        if let Some(DrawWhen { from, count, .. }) = self.draw
            && [white, black]
                .iter()
                .all(|side| side.moves >= from && side.level >= count)
        {
            return Some(Outcome::Draw);
        }
        let ResignWhen { count, both, .. } = self.resign?;
        let loses = |loser: &Streaks, winner: &Streaks| {
            loser.lost >= count && (!both || winner.won >= count)
        };
        if loses(white, black) {
            return Some(Outcome::Win(Side::Black));
        }
        loses(black, white).then_some(Outcome::Win(Side::White))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The result by the scores of White and Black in turn, and the number of plies.
    fn end(draw: &str, resign: &str, scores: &[Option<i32>]) -> Option<(usize, Outcome)> {
        let mut adjudicator = Adjudicator::new(draw.parse().ok(), resign.parse().ok()).unwrap();
        scores.iter().enumerate().find_map(|(ply, score)| {
            let side = if ply % 2 == 0 {
                Side::White
            } else {
                Side::Black
            };
            adjudicator
                .hear(side, *score)
                .map(|outcome| (ply + 1, outcome))
        })
    }

    #[test]
    fn conditions_are_read_as_they_are_written() {
        for text in ["move=34 count=8 score=20", "move=0 count=1 score=0"] {
            assert_eq!(text.parse::<DrawWhen>().unwrap().to_string(), text);
        }
        for text in [
            "count=4 score=600 sides=both",
            "count=4 score=600 sides=one",
        ] {
            assert_eq!(text.parse::<ResignWhen>().unwrap().to_string(), text);
        }
        for text in [
            "",
            "count=0 score=3",
            "count=3",
            "count=3 score=-1",
            "count=3 score=5 count=4",
            "x=1",
        ] {
            assert!(
                text.parse::<DrawWhen>().is_err() && text.parse::<ResignWhen>().is_err(),
                "{text}"
            );
        }
    }

    #[test]
    fn a_game_is_drawn_that_both_find_level() {
        let level = [Some(0); 20];
        assert_eq!(
            end("move=3 count=2 score=10", "", &level),
            Some((6, Outcome::Draw))
        );
        assert_eq!(
            end("count=2 score=10", "", &level),
            Some((4, Outcome::Draw))
        );
        let mut broken = level;
        (broken[2], broken[5]) = (None, Some(11));
        assert_eq!(
            end("count=2 score=10", "", &broken),
            Some((10, Outcome::Draw))
        );
    }

    #[test]
    fn a_game_is_lost_that_both_find_lost() {
        let lost: Vec<_> = [Some(-700), Some(650)].repeat(4);
        assert_eq!(
            end("", "count=3 score=600", &lost),
            Some((6, Outcome::Win(Side::Black)))
        );
        let alone: Vec<_> = [Some(-700), Some(50)].repeat(4);
        assert_eq!(end("", "count=3 score=600", &alone), None);
        assert_eq!(
            end("", "count=3 score=600 sides=one", &alone),
            Some((5, Outcome::Win(Side::Black)))
        );
        assert_eq!(end("", "count=3 score=600", &[Some(i32::MIN); 9]), None);
    }
}
