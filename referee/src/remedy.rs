//! What an arbiter does about a finding of play, from its article (GEN-16).
//!
//! Articles are those of the FIDE Laws of Chess in force from 1 January 2023 (FIDE Handbook E.01).

use crate::{
    finding::{Code, Finding},
    record_state::players::{Chair, Players},
};
use overboard_formats::command::TimeControl;
use overboard_rules::{by_side::BySide, ply::BoardName, rule::Rule, square::Side};
use serde::{Serialize, Serializer};

/// How fast a game is: some articles differ.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pace {
    /// The record does not say.
    Unknown,
    /// An hour or more for each player.
    Standard,
    /// More than ten minutes, less than an hour (A.1).
    Rapid,
    /// Ten minutes or less (B.1).
    Blitz,
}

impl Pace {
    /// That of a time control: the time for sixty moves decides.
    ///
    /// ```
    /// use overboard_formats::command::time_control;
    /// use overboard_referee::remedy::Pace;
    ///
    /// let pace = |text| Pace::of(time_control(text).unwrap().as_ref());
    /// assert_eq!([pace("180+2"), pace("600+5"), pace("?")], [Pace::Blitz, Pace::Rapid, Pace::Unknown]);
    /// assert_eq!(pace("40/5400+30:1800+30"), Pace::Standard);
    /// ```
    #[must_use]
    pub fn of(control: Option<&TimeControl>) -> Self {
        match control.and_then(|control| control.for_sixty_moves) {
            None => Self::Unknown,
            Some(..=600_000) => Self::Blitz,
            Some(..3_600_000) => Self::Rapid,
            Some(_) => Self::Standard,
        }
    }

    /// The time that an opponent gets for an illegal move or a wrong claim, in seconds (7.5.5, 9.5.3; A.3). Read
    /// literally, supervised blitz lacks A.3, since only B.3 refers to it.
    #[must_use]
    pub const fn given(self, supervised: bool) -> u64 {
        match self {
            Self::Unknown | Self::Standard => 120,
            Self::Blitz if supervised => 120,
            Self::Rapid | Self::Blitz => 60,
        }
    }

    /// The same in words.
    const fn given_in_words(self, supervised: bool) -> &'static str {
        match (self, self.given(supervised)) {
            (Self::Unknown, _) => "two minutes (one in rapid and blitz)",
            (_, 120) => "two minutes",
            _ => "one minute",
        }
    }
}

/// Time that the arbiter gives a player.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Given {
    /// The player who gets it: `white` or `black`.
    #[serde(serialize_with = "in_small_letters")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub side: Side,
    /// How much, in seconds.
    pub seconds: u64,
    /// What the player's clock then shows, in seconds; null if the record does not say what it showed.
    pub clock: Option<u64>,
}

/// What an arbiter does now about a finding.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Remedy {
    /// In English; for people.
    pub text: String,
    /// The articles of the FIDE Laws of Chess, or the ids of the rules of the game, from which it follows.
    pub articles: Vec<&'static str>,
    /// Whether the articles are those of chess, which this game has no laws of its own for.
    pub by_analogy: bool,
    /// The time that a player gets; null if nobody does.
    pub given: Option<Given>,
    /// Who broke the rule.
    #[serde(skip)]
    pub by: Option<Chair>,
}

impl Remedy {
    /// That this is to be done, by these articles; nobody gets time, and nobody is to blame.
    fn of(text: String, articles: &[&'static str], by_analogy: bool) -> Self {
        Self {
            text,
            articles: articles.to_vec(),
            by_analogy,
            given: None,
            by: None,
        }
    }

    /// The articles in one line: `FIDE 7.5.1, 7.5.5, by analogy`.
    #[must_use]
    pub fn sources(&self) -> String {
        let articles = self.articles.join(", ");
        let is_fide = |article: &&str| {
            article.starts_with(|c: char| c.is_ascii_digit() || "ABC".contains(c))
                && article.contains('.')
        };
        let name = if self.articles.iter().all(is_fide) {
            "FIDE "
        } else {
            ""
        };
        let analogy = if self.by_analogy { ", by analogy" } else { "" };
        format!("{name}{articles}{analogy}")
    }
}

/// What is to be done about a move that is written so that it could be another one, too. Nobody has made an illegal
/// move by it.
#[must_use]
pub fn of_unclear(is_under_fide: bool) -> Remedy {
    let text = "find out from the players and the other scoresheet which piece moved, and write it: only the record is at fault";
    Remedy::of(text.into(), &["8.1.1", "C.10"], !is_under_fide)
}

/// What decides how an arbiter acts.
pub struct Case<'a> {
    /// How fast the game is.
    pub pace: Pace,
    /// Whether it is supervised, so that the competition rules apply in rapid and blitz, too (A.4, B.2).
    pub supervised: bool,
    /// Who made the move before the finding, or tried it.
    pub mover: Chair,
    /// That move with its number, as it is written.
    pub ply: Option<&'a str>,
    /// How many illegal moves and attempts of the same player came before.
    pub before: u32,
    /// The illegal moves that cost the game.
    pub allowed: u32,
    /// What the clocks there last showed, in milliseconds.
    pub clocks: BySide<Option<u64>>,
    /// What too many of them cost, where that is not a game of two players.
    pub law: Option<&'static Rule>,
    /// Whether the move lacks only the piece that the pawn becomes.
    pub unpromoted: bool,
    /// Whether the game has the FIDE Laws of Chess as its own.
    pub is_under_fide: bool,
}

impl Case<'_> {
    /// What is to be done about a finding of this kind; `None` if it is not about play, or nothing is to be done.
    #[must_use]
    pub fn remedy(&self, code: &Code) -> Option<Remedy> {
        let remedy = match code.id {
            "illegal-move" => self.illegal_move(),
            "illegal-stands" => self.illegal_stands(),
            "legal-attempt" => self.by_fide("no penalty is due, since the move was legal", &["7.5.1"]),
            "move-after-end" | "after-end" => self.by_fide(
                "what came after the end does not count; a result that both players signed stands unless the arbiter decides otherwise",
                &["5.1", "8.7"],
            ),
            "wrong-result" | "result-mismatch" | "unknown-result" | "score-tag" => self.by_fide(
                "compare the signed scoresheets, and enter the result that the game had; what both players signed stands unless the arbiter decides otherwise",
                &["8.7"],
            ),
            "wrong-claim" => self.wrong_claim(),
            "announced-move" => self.by_fide(
                "restore the position before it: the move announced with the claim is played, as it is legal",
                &["9.5.3", "7.5.1"],
            ),
            "winner-out-of-time" | "clock-left" => self.by_fide(
                "find out whose flag fell first: that player loses, or draws if the opponent cannot mate",
                &["6.8", "6.9"],
            ),
            "clock-rises" => self.by_fide("set the clocks as they should be, and adjust the time", &["6.10.2"]),
            "unreachable-position" => self.by_fide(
                "if the game did not begin from this position on purpose, it is cancelled and a new one is played, unless ten moves were made by each player in rapid or blitz",
                &["7.2.1", "A.5.1"],
            ),
            _ => return None,
        };
        Some(remedy)
    }

    fn by_fide(&self, text: &str, articles: &[&'static str]) -> Remedy {
        Remedy::of(text.into(), articles, !self.is_under_fide)
    }

    /// A remedy that gives the opponent of `by` time.
    fn giving(&self, by: Side, text: String, articles: &[&'static str]) -> Remedy {
        let (side, seconds) = (by.other(), self.pace.given(self.supervised));
        let clock = self.clocks[side].map(|shown| shown / 1000 + seconds);
        let set = clock.map_or_else(String::new, |clock| {
            format!("; {side}'s clock is set to {}", clock_face(clock))
        });
        Remedy {
            text: text + &set,
            given: Some(Given {
                side,
                seconds,
                clock,
            }),
            by: Some(Chair {
                side: by,
                ..self.mover
            }),
            ..self.by_fide("", articles)
        }
    }

    fn before_it(&self) -> String {
        self.ply
            .map_or_else(|| "before it".into(), |ply| format!("before {ply}"))
    }

    fn illegal_move(&self) -> Remedy {
        let (by, other) = (self.mover.side, self.mover.side.other());
        if self.allowed > 0 && self.before + 1 >= self.allowed {
            return self.too_many();
        }
        let (before, given) = (self.before_it(), self.pace.given_in_words(self.supervised));
        if self.unpromoted {
            let text = format!(
                "if the clock was pressed with the pawn on the last rank, put a queen in its place and give {other} {given}; if another piece was put there, only the record is at fault"
            );
            let articles: &[_] = match self.pace.given(self.supervised) {
                60 => &["7.5.2", "7.5.5", "A.3"],
                _ => &["7.5.2", "7.5.5"],
            };
            return self.giving(by, text, articles);
        }
        let restore = format!(
            "restore the position {before}, move the piece touched if it can, and give {other} {given}"
        );
        let late = format!("{restore}, however late it is found");
        match self.pace {
            Pace::Rapid if self.supervised => {
                self.giving(by, late, &["A.4", "7.5.1", "7.5.5", "A.3"])
            }
            Pace::Blitz if self.supervised => self.giving(by, late, &["B.2", "7.5.1", "7.5.5"]),
            Pace::Standard => self.giving(by, late, &["7.5.1", "7.5.5"]),
            Pace::Unknown => self.giving(
                by,
                format!("{restore}; in rapid and blitz only if {other} has not moved since, else the move stands"),
                &["7.5.1", "7.5.5", "A.5.2"],
            ),
            Pace::Rapid => self.giving(
                by,
                format!("if {other} has not moved since, {restore}; else the move stands, unless the competition rules apply (A.4)"),
                &["A.3", "A.5.2"],
            ),
            Pace::Blitz => self.giving(
                by,
                format!("if {other} has not moved since, {restore}; else the move stands, unless the competition rules apply (B.2)"),
                &["B.3", "A.3", "A.5.2"],
            ),
        }
    }

    /// One more illegal move than the player may make.
    fn too_many(&self) -> Remedy {
        let (by, known) = (self.mover.side, self.before + 1);
        let remedy = match (self.law, self.mover.board) {
            (Some(law), Some(board)) => {
                let board = BoardName(board.into());
                let text = format!(
                    "{by} on board {board} has made {known} illegal moves, with the effect of a fallen flag there"
                );
                Remedy::of(text, &[law.id], false)
            }
            _ => {
                let other = by.other();
                let text = format!(
                    "{by} has made {known} illegal moves and loses the game, or draws it if {other} cannot checkmate"
                );
                self.by_fide(&text, &["7.5.5"])
            }
        };
        Remedy {
            by: Some(self.mover),
            ..remedy
        }
    }

    fn illegal_stands(&self) -> Remedy {
        let before = self.before_it();
        let (text, articles): (String, &[_]) = match self.pace {
            Pace::Rapid | Pace::Blitz if !self.supervised => (
                "none: both players went on, so the move stands, unless the competition rules apply".into(),
                &["A.5.2"],
            ),
            Pace::Standard | Pace::Rapid | Pace::Blitz => (
                format!("if the game still goes on, restore the position {before} and go on from there; else the move stands"),
                &["7.5.1"],
            ),
            Pace::Unknown => (
                format!("in standard chess, restore the position {before} if the game still goes on; in rapid and blitz the move stands"),
                &["7.5.1", "A.5.2"],
            ),
        };
        Remedy {
            by: Some(self.mover),
            ..self.by_fide(&text, articles)
        }
    }

    /// The claim is of the player to move.
    fn wrong_claim(&self) -> Remedy {
        let claimant = self.mover.side.other();
        let text = format!(
            "the game goes on, and {} gets {}; a legal move that {claimant} announced must be played",
            claimant.other(),
            self.pace.given_in_words(self.supervised)
        );
        self.giving(claimant, text, &["9.5.3"])
    }
}

/// What the laws of the game itself say about a finding that breaks one of them.
#[must_use]
pub fn by_own_law(code: &Code, rule: &'static Rule) -> Option<Remedy> {
    let text = match code.id {
        "no-resignation" => "the game goes on: nobody can resign",
        "ends-no-board" => "the board goes on, and the entry is struck out",
        "bad-order" => "note the offence: the team loses when the game is over",
        "order-form" => "let the captain repeat it in the prescribed form",
        "order-unfit" => "the instruction cannot be carried out and binds nobody",
        "open-offence" => "note the offence: it decides when the game is over",
        "not-entitled" => "the sub-game counts; see that the player named plays the next one",
        _ => return None,
    };
    Some(Remedy::of(text.into(), &[rule.id], false))
}

/// How many of these findings are illegal moves of the player at a chair.
pub fn illegal_moves_of<'f>(
    chair: Chair,
    players: &Players,
    findings: impl Iterator<Item = &'f Finding>,
) -> u32 {
    let mut count = 0;
    for finding in findings {
        if !matches!(finding.code.id, "illegal-move" | "illegal-stands") {
            continue;
        }
        let by = finding.remedy.as_ref().and_then(|remedy| remedy.by);
        if by.is_some_and(|by| players.is_one_player(by, chair)) {
            count += 1;
        }
    }
    count
}

fn in_small_letters<S: Serializer>(side: &Side, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(side.adjective())
}

/// Seconds as a chess clock shows them: `1:02:03`.
#[must_use]
pub fn clock_face(seconds: u64) -> String {
    format!(
        "{}:{:02}:{:02}",
        seconds / 3600,
        seconds / 60 % 60,
        seconds % 60
    )
}
