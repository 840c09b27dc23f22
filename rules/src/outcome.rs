//! How a game ends.

use crate::{general, rule::Rule, square::Side};
use std::fmt;

/// The score of a finished game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// One side won.
    Win(Side),
    /// Nobody won.
    Draw,
}

impl Outcome {
    /// Every score.
    pub const ALL: [Self; 3] = [Self::Win(Side::White), Self::Win(Side::Black), Self::Draw];

    /// The score that PGN writes so, if any.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|outcome| outcome.as_str() == text)
    }

    /// The result as PGN writes it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Win(Side::White) => "1-0",
            Self::Win(Side::Black) => "0-1",
            Self::Draw => "1/2-1/2",
        }
    }

    /// A win for `side` if it can still mate, else a draw (GEN-10).
    #[must_use]
    pub const fn win_if(side: Side, can_mate: bool) -> Self {
        if can_mate {
            Self::Win(side)
        } else {
            Self::Draw
        }
    }
}

/// Whether a side can still win the game on the board by any series of legal moves (GEN-10).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Prospect {
    /// It can.
    Open,
    /// It cannot.
    Never,
    /// A search has found neither in the time it is given; it counts as possible.
    Undecided,
}

impl Prospect {
    /// What material alone, or another rule that leaves no doubt, says.
    #[must_use]
    pub const fn of(can_win: bool) -> Self {
        if can_win { Self::Open } else { Self::Never }
    }

    /// Whether a win is possible for all that is known.
    #[must_use]
    pub const fn is_possible(self) -> bool {
        !matches!(self, Self::Never)
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Declares the list of ends: their meanings, and their spelling in every output.
macro_rules! causes {
    ($($(#[doc = $doc:literal])* $name:ident: $word:literal, $prose:literal, status $status:tt, tag $tag:tt;)*) => {
        /// Why a game is over: the single list of ends, whether by the rules or otherwise.
        ///
        /// Ledgers, `stats`, `moves`, `show` and all messages take their words from it.
        ///
        /// ```
        /// use overboard_rules::outcome::Cause;
        ///
        /// let cause = Cause::SeventyFiveMoves;
        /// assert_eq!((cause.word(), cause.status()), ("seventy-five-moves", Some("seventyfive")));
        /// assert_eq!(cause.to_string(), "the seventy-five-move rule");
        /// assert_eq!(Cause::from_word("seventy-five-moves"), Some(cause));
        /// assert_eq!(Cause::from_tag("Time forfeit"), Some(Cause::Flag));
        /// ```
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum Cause {
            $($(#[doc = $doc])* $name,)*
        }

        impl Cause {
            /// All of them, in the order in which summaries list them.
            pub const ALL: &'static [Self] = &[$(Self::$name),*];

            /// Whether the end is declared by people and cannot be seen in a position, such as a resignation.
            #[must_use]
            pub const fn is_said(self) -> bool {
                matches!(
                    self,
                    Self::Resignation
                        | Self::Agreement
                        | Self::Flag
                        | Self::ThreefoldClaim
                        | Self::FiftyMoveClaim
                        | Self::MegaMovesClaim
                        | Self::IllegalAttempts
                ) || self.is_fault()
            }

            /// Whether it is a fault that only engines commit and that loses the game. A fallen flag is not among
            /// these, as people's flags fall, too.
            #[must_use]
            pub const fn is_fault(self) -> bool {
                matches!(
                    self,
                    Self::Stall | Self::Crash | Self::IllegalMove | Self::WrongClaim | Self::Withdrawn
                )
            }

            const fn spelling(self) -> Spelling {
                match self {
                    $(Self::$name => Spelling {
                        word: $word,
                        prose: $prose,
                        status: causes!(@optional $status),
                        tag: causes!(@optional $tag),
                    },)*
                }
            }
        }
    };
    (@optional -) => { None };
    (@optional $text:literal) => { Some($text) };
}

/// How outputs spell an end.
struct Spelling {
    /// The word in ledgers and statistics, for programs.
    word: &'static str,
    /// Within a sentence.
    prose: &'static str,
    /// In `moves` and `show`, if a position shows that the game has ended like this.
    status: Option<&'static str>,
    /// In the PGN tag Termination, if it says more than `normal`.
    tag: Option<&'static str>,
}

// Released words never change, since programs read them.
causes! {
    /// Checkmate.
    Checkmate: "checkmate", "checkmate", status "mate", tag -;
    /// Stalemate.
    Stalemate: "stalemate", "stalemate", status "stalemate", tag -;
    /// No series of legal moves leads to mate.
    DeadPosition: "dead-position", "dead position", status "dead", tag -;
    /// Seventy-five moves by each side without capture or pawn move.
    SeventyFiveMoves: "seventy-five-moves", "the seventy-five-move rule", status "seventyfive", tag -;
    /// The same position for the fifth time.
    Fivefold: "fivefold", "fivefold repetition", status "repetition", tag -;
    /// The same position for the third time, where that ends the game without a claim.
    Threefold: "threefold", "threefold repetition", status "repetition", tag -;
    /// The third occurrence of a position, if that loses.
    Repetition: "repetition", "the third occurrence of a position, which White loses", status "repetition", tag -;
    /// The third occurrence of a position by perpetual check.
    PerpetualCheck: "perpetual-check",
        "the third occurrence of a position after nothing but checks by Black, who loses",
        status "repetition", tag -;
    /// Kings counted after a long time without a capture, or when a flag ends play.
    KingsCounted: "kings-counted", "counting the kings", status "kingscounted", tag -;
    /// Kings counted because every linked board is closed.
    AllClosed: "all-closed", "counting the kings, all boards being closed", status "kingscounted", tag -;
    /// The over-king is attacked after an attack by its own side failed.
    KingFalls: "king-falls", "the fall of the king", status "kingfall", tag -;
    /// Mega-checkmate.
    MegaMate: "mega-mate", "mega-mate", status "megamate", tag -;
    /// Mega-stalemate, which the side to move loses.
    MegaStalemate: "mega-stalemate", "mega-stalemate, which loses", status "megastalemate", tag -;
    /// A hundred and fifty mega-moves in a row.
    MegaMoves: "mega-moves", "a hundred and fifty mega-moves in a row", status "megamoves", tag -;
    /// A correct claim after a hundred mega-moves in a row.
    MegaMovesClaim: "mega-moves-claim", "a correct claim after a hundred mega-moves in a row", status -, tag -;
    /// A correct claim of threefold repetition.
    ThreefoldClaim: "threefold-claim", "a correct claim of threefold repetition", status -, tag -;
    /// A correct claim under the fifty-move rule.
    FiftyMoveClaim: "fifty-move-claim", "a correct claim under the fifty-move rule", status -, tag -;
    /// Resignation.
    Resignation: "resignation", "resignation", status -, tag -;
    /// A draw agreed.
    Agreement: "agreement", "agreed draw", status -, tag -;
    /// A fallen flag. On linked boards it removes the king, and if that was the last one, the position shows the end.
    Flag: "time-forfeit", "a fallen flag", status "kingscounted", tag "time forfeit";
    /// Too many illegal attempts by one player.
    IllegalAttempts: "illegal-attempts", "repeated illegal attempts", status -, tag -;
    /// A communication that captains may not pass on, or another infraction that loses.
    Infraction: "rules-infraction", "a rules infraction", status -, tag "rules infraction";
    /// Stopped from outside and scored (GEN-5).
    Adjudication: "adjudication", "adjudication", status -, tag "adjudication";
    /// The ply limit of a batch of games, which is an adjudication, too (GEN-5).
    PlyCap: "ply-cap", "the limit of plies", status -, tag "adjudication";
    /// A player left.
    Abandoned: "abandoned", "abandonment", status -, tag "abandoned";
    /// A player died.
    Death: "death", "the death of a player", status -, tag "death";
    /// Something unforeseen.
    Emergency: "emergency", "an emergency", status -, tag "emergency";
    /// An engine no longer answered.
    Stall: "stall", "a player who no longer answered", status -, tag "time forfeit";
    /// An engine ended in mid-game.
    Crash: "crash", "the crash of a player", status -, tag "abandoned";
    /// An engine made an illegal move, which loses at once.
    IllegalMove: "illegal-move", "an illegal move, which loses", status -, tag "rules infraction";
    /// An engine made a wrong claim, which loses at once.
    WrongClaim: "wrong-claim", "a wrong claim, which loses", status -, tag "rules infraction";
    /// An engine was withdrawn.
    Withdrawn: "withdrawn", "a withdrawal", status -, tag "abandoned";
}

impl Cause {
    /// The word for programs, in ledgers and in the output of `stats`. No two ends share one.
    #[must_use]
    pub const fn word(self) -> &'static str {
        self.spelling().word
    }

    /// The end with this [`word`](Self::word).
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|cause| cause.word() == word)
    }

    /// The word in `moves` and `show` for a position in which the game has ended like this; `None` for an end that no
    /// position shows. Ends that a single position cannot tell apart share a word.
    #[must_use]
    pub const fn status(self) -> Option<&'static str> {
        self.spelling().status
    }

    /// The word in the PGN tag Termination; `None` if that is `normal`.
    #[must_use]
    pub const fn tag(self) -> Option<&'static str> {
        self.spelling().tag
    }

    /// The end that a value of the tag Termination names, ignoring case; `None` if it names none.
    #[must_use]
    pub fn from_tag(tag: &str) -> Option<Self> {
        // If two ends share a word, the more general one is listed first and is returned.
        Self::ALL.iter().copied().find(|cause| {
            cause
                .tag()
                .is_some_and(|known| known.eq_ignore_ascii_case(tag))
        })
    }

    /// Whether the game was scored as it stood, and did not end by its rules (GEN-5).
    #[must_use]
    pub const fn is_adjudication(self) -> bool {
        matches!(self, Self::Adjudication | Self::PlyCap)
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.spelling().prose)
    }
}

/// The end of a game: its score, its cause, and the rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ruling {
    /// The score.
    pub outcome: Outcome,
    /// What ended it.
    pub cause: Cause,
    /// The rule.
    pub rule: &'static Rule,
}

impl Ruling {
    /// A draw by this rule.
    #[must_use]
    pub const fn draw(cause: Cause, rule: &'static Rule) -> Self {
        Self {
            outcome: Outcome::Draw,
            cause,
            rule,
        }
    }

    /// Why the score is a draw although a player ran out of time or of attempts; empty for all other ends.
    #[must_use]
    pub fn why_drawn(&self) -> &'static str {
        let is_by_loss = matches!(self.cause, Cause::Flag | Cause::IllegalAttempts);
        if self.outcome != Outcome::Draw || !is_by_loss {
            return "";
        }
        let is_by_material = [&general::FLAG, &general::ILLEGAL_ATTEMPTS].contains(&self.rule);
        if is_by_material {
            ", since the opponent cannot mate"
        } else {
            ", since both sides ran out of time"
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_end_has_a_distinct_word_that_reads_back() {
        let words: BTreeSet<_> = Cause::ALL.iter().map(|cause| cause.word()).collect();
        assert_eq!(words.len(), Cause::ALL.len());
        for (index, cause) in Cause::ALL.iter().enumerate() {
            assert_eq!(
                (Cause::from_word(cause.word()), *cause as usize),
                (Some(*cause), index)
            );
            assert!(
                cause
                    .word()
                    .bytes()
                    .all(|byte| byte.is_ascii_lowercase() || byte == b'-'),
                "{cause:?}"
            );
        }
        assert_eq!(Cause::from_word("rules"), None);
    }

    #[test]
    fn every_tag_reads_back_as_its_end() {
        for cause in Cause::ALL {
            let Some(tag) = cause.tag() else { continue };
            // Of ends that share a word, the first one is found.
            let first = Cause::ALL
                .iter()
                .copied()
                .find(|other| other.tag() == Some(tag));
            let known = if cause.is_adjudication() {
                Some(Cause::Adjudication)
            } else {
                first
            };
            assert_eq!(Cause::from_tag(&tag.to_uppercase()), known);
        }
        assert_eq!(
            (Cause::from_tag("normal"), Cause::from_tag("unterminated")),
            (None, None)
        );
    }
}
