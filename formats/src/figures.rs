//! What programs say of a ply: its worth, and what the search for it took.
//!
//! Two forms are read: the command `[%eval]`, and the comments of cutechess and fastchess, such as
//! `{+0.31/12 0.532s, n=9001}`.
//!
//! ```
//! use overboard_formats::figures::Figures;
//! use overboard_rules::square::Side;
//!
//! let said = Figures::of_comment("+0.31/12 0.532s, n=9001").unwrap();
//! assert_eq!((said.eval, said.depth, said.seconds, said.nodes), (Some(0.31), Some(12), Some(0.532), Some(9001)));
//! assert_eq!(said.for_white(Side::Black).eval, Some(-0.31));
//! assert_eq!(Figures::of_comment("a good move"), None);
//! ```

use overboard_rules::square::Side;
use std::fmt;

/// What was said of a ply.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Figures {
    /// Its worth in pawns.
    pub eval: Option<f64>,
    /// Moves to a mate instead, negative if it is suffered.
    pub mate: Option<i32>,
    /// The depth of the search, in plies.
    pub depth: Option<u32>,
    /// The positions searched.
    pub nodes: Option<u64>,
    /// The time that it took, to the millisecond.
    pub seconds: Option<f64>,
}

impl Figures {
    /// Reads a comment as cutechess and fastchess write it, from the side that made the ply; `None` if it is another.
    #[must_use]
    pub fn of_comment(comment: &str) -> Option<Self> {
        let mut parts = comment.split(',').map(str::trim);
        let mut said = Self::default();
        let first = parts.next()?;
        for word in first.split_ascii_whitespace() {
            said.take(word)?;
        }
        for part in parts {
            if let Some(nodes) = part.strip_prefix("n=") {
                said.nodes = nodes.parse().ok();
            }
        }
        (said != Self::default()).then_some(said)
    }

    /// Reads a word before the first comma; `None` if such comments have no word like it.
    fn take(&mut self, word: &str) -> Option<()> {
        if let Some(nodes) = word.strip_prefix("n=") {
            self.nodes = Some(nodes.parse().ok()?);
        } else if let Some(depth) = word.strip_prefix("d=") {
            self.depth = Some(depth.parse().ok()?);
        } else if let Some(seconds) = word.strip_suffix('s') {
            self.seconds = Some(decimal(seconds)?);
        } else if let Some((score, depth)) = word.split_once('/') {
            self.score(score)?;
            // The depth of selected lines may follow.
            let depth = depth.split('/').next()?;
            self.depth = Some(depth.parse().ok()?);
        } else if word.starts_with(['+', '-']) {
            self.score(word)?;
        } else {
            return None;
        }
        Some(())
    }

    /// Reads `+0.31`, or `-M4`: a mate in so many plies.
    fn score(&mut self, text: &str) -> Option<()> {
        let (sign, size) = match text.strip_prefix('-') {
            Some(size) => (-1, size),
            None => (1, text.strip_prefix('+').unwrap_or(text)),
        };
        match size.strip_prefix('M') {
            Some(plies) => {
                let plies: u16 = plies.parse().ok()?;
                self.mate = Some(sign * i32::from(plies.div_ceil(2)));
            }
            // Zero has no sign.
            None => {
                if !size.contains('.') {
                    return None;
                }
                let pawns = decimal(size)?;
                self.eval = Some(f64::from(sign) * pawns + 0.0);
            }
        }
        Some(())
    }

    /// Reads the arguments of `[%eval]`, which speak from White's side: `0.31`, `0.31,12`, `#-3`.
    #[must_use]
    pub fn of_command(arguments: &str) -> Self {
        let (worth, depth) = arguments.split_once(',').unwrap_or((arguments, ""));
        let worth = worth.trim();
        let mate = match worth.strip_prefix("-#") {
            Some(moves) => moves.parse().ok().map(|moves: i32| moves.saturating_neg()),
            None => worth.strip_prefix('#').and_then(|moves| moves.parse().ok()),
        };
        let eval = worth.parse().ok().filter(|pawns: &f64| pawns.is_finite());
        Self {
            eval,
            mate,
            depth: depth.trim().parse().ok(),
            ..Self::default()
        }
    }

    /// The same from White's side, given who made the ply.
    #[must_use]
    pub fn for_white(self, mover: Side) -> Self {
        match mover {
            Side::White => self,
            Side::Black => Self {
                // Zero has no sign.
                eval: self.eval.map(|pawns| 0.0 - pawns),
                mate: self.mate.map(i32::saturating_neg),
                ..self
            },
        }
    }
}

/// As a comment, without its braces.
impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let score = match (self.mate, self.eval) {
            (Some(moves), _) if moves > 0 => Some(format!("+M{}", 2 * i64::from(moves) - 1)),
            (Some(moves), _) => Some(format!("-M{}", 2 * moves.unsigned_abs())),
            (None, Some(pawns)) => Some(format!("{pawns:+.2}")),
            (None, None) => None,
        };
        let searched = match (score, self.depth) {
            (Some(score), Some(depth)) => Some(format!("{score}/{depth}")),
            (Some(score), None) => Some(score),
            (None, depth) => depth.map(|depth| format!("d={depth}")),
        };
        let seconds = self.seconds.map(|seconds| format!("{seconds:.3}s"));
        let first: Vec<_> = searched.into_iter().chain(seconds).collect();
        let nodes = self.nodes.map(|nodes| format!("n={nodes}"));
        let first = (!first.is_empty()).then(|| first.join(" "));
        let parts: Vec<_> = first.into_iter().chain(nodes).collect();
        f.write_str(&parts.join(", "))
    }
}

/// A decimal without sign or exponent.
fn decimal(text: &str) -> Option<f64> {
    let is_plain = text
        .bytes()
        .all(|byte| byte.is_ascii_digit() || byte == b'.');
    if is_plain { text.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_of_programs_are_read() {
        let said = |comment: &str| Figures::of_comment(comment);
        let mate = said("-M4/20 0.010s").unwrap();
        assert_eq!(
            (mate.eval, mate.mate, mate.depth),
            (None, Some(-2), Some(20))
        );
        assert_eq!(said("+M5/9 1s, Black mates").unwrap().mate, Some(3));
        let bare = said("0.00/7 12s, n=5, nps=3").unwrap();
        assert_eq!(
            (bare.eval, bare.seconds, bare.nodes),
            (Some(0.0), Some(12.0), Some(5))
        );
        assert!(said("-0.00/1").unwrap().eval.unwrap().is_sign_positive());
        for alone in ["+0.31", "d=12", "0.532s", "n=9001"] {
            assert!(said(alone).is_some(), "{alone}");
        }
    }

    #[test]
    fn other_comments_say_nothing() {
        for other in [
            "",
            "book",
            "0.31",
            "1/2",
            "+-",
            "+1 for this",
            "this",
            "s",
            "+inf",
            "+M",
            "1e9s",
            "n=",
            "d=-1",
            "+0.31/x",
            "Fritz: +0.31/12",
            "+0.31/12 better is Nf3",
        ] {
            assert_eq!(Figures::of_comment(other), None, "{other}");
        }
    }

    #[test]
    fn the_command_speaks_for_white() {
        let said = Figures::of_command("-0.4,20");
        assert_eq!((said.eval, said.depth), (Some(-0.4), Some(20)));
        for (text, mate) in [("#3", 3), ("#-3", -3), ("-#3", -3)] {
            let said = Figures::of_command(text);
            assert_eq!((said.eval, said.mate), (None, Some(mate)), "{text}");
        }
        assert_eq!(Figures::of_command("nan"), Figures::default());
    }
}
