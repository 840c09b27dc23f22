//! Scores and arithmetic with them: exact, so that equal scores compare as equal.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};
use std::{
    cmp::Ordering,
    fmt,
    iter::Sum,
    ops::{Add, AddAssign, Neg, Sub},
    str::FromStr,
};

/// Points in tenths: a drawn board is 5, a won match 20. May be negative (penalties).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Points(pub i32);

/// Why a text is not a number of points.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("expected points such as 2, 0.5 or 2½ with at most one decimal, found `{0}`")]
pub struct PointsError(String);

impl Points {
    /// No points.
    pub const ZERO: Self = Self(0);

    /// A whole number of points.
    #[must_use]
    pub const fn whole(points: i32) -> Self {
        Self(points * 10)
    }

    /// These points, `times` times.
    #[must_use]
    pub const fn times(self, times: i32) -> Self {
        Self(self.0.saturating_mul(times))
    }

    /// The points as a fraction.
    #[must_use]
    pub fn ratio(self) -> Ratio {
        Ratio::new(i64::from(self.0), 10)
    }

    /// The product with other points, as in Sonneborn-Berger.
    #[must_use]
    pub fn product(self, other: Self) -> Ratio {
        Ratio::new(i64::from(self.0) * i64::from(other.0), 100)
    }
}

impl Add for Points {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl AddAssign for Points {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sub for Points {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }
}

impl Neg for Points {
    type Output = Self;

    fn neg(self) -> Self {
        Self(self.0.saturating_neg())
    }
}

impl Sum for Points {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::ZERO, Add::add)
    }
}

impl FromStr for Points {
    type Err = PointsError;

    fn from_str(text: &str) -> Result<Self, PointsError> {
        read(text.trim()).ok_or_else(|| PointsError(text.chars().take(20).collect()))
    }
}

fn read(text: &str) -> Option<Points> {
    let (is_negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let points = if let Some(whole) = digits.strip_suffix('½') {
        if whole.is_empty() {
            5
        } else {
            natural(whole)? * 10 + 5
        }
    } else {
        let (whole, part) = digits.split_once(['.', ',']).unwrap_or((digits, "0"));
        let part = match part.strip_suffix('0') {
            Some(rest) if rest.len() == 1 => rest,
            _ => part,
        };
        if part.len() != 1 {
            return None;
        }
        let tenths = natural(part)?;
        if whole.is_empty() && digits.starts_with('.') {
            tenths
        } else {
            natural(whole)? * 10 + tenths
        }
    };
    Some(Points(if is_negative { -points } else { points }))
}

/// A number of at most six digits, so that sums cannot overflow.
fn natural(text: &str) -> Option<i32> {
    let is_number = (1..=6).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    if !is_number {
        return None;
    }
    text.parse().ok()
}

impl fmt::Display for Points {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.ratio().fmt(f)
    }
}

impl<'de> Deserialize<'de> for Points {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let tenths = (f64::deserialize(deserializer)? * 10.0).round();
        if tenths.abs() <= 1e8 {
            Ok(Self(tenths as i32))
        } else {
            Err(D::Error::custom("too many points"))
        }
    }
}

/// Serialised as a number of points: 2.5.
impl Serialize for Points {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.ratio().serialize(serializer)
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Points {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Points".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        f64::json_schema(generator)
    }
}

/// A fraction in lowest terms.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Ratio {
    above: i64,
    below: i64,
}

impl Ratio {
    /// Zero.
    pub const ZERO: Self = Self { above: 0, below: 1 };

    /// The fraction `above / below`; `below` is not 0.
    #[must_use]
    pub fn new(above: i64, below: i64) -> Self {
        Self::reduced(i128::from(above), i128::from(below))
    }

    fn reduced(above: i128, below: i128) -> Self {
        let common = divisor(above.unsigned_abs(), below.unsigned_abs()).max(1) as i128;
        let sign = if below < 0 { -1 } else { 1 };
        let part = |number: i128| i64::try_from(sign * number / common).unwrap_or(i64::MAX);
        Self {
            above: part(above),
            below: part(below).max(1),
        }
    }

    /// This number divided by `parts`.
    #[must_use]
    pub fn over(self, parts: i64) -> Self {
        Self::reduced(
            i128::from(self.above),
            i128::from(self.below) * i128::from(parts.max(1)),
        )
    }

    /// The nearest integer, halves rounded up.
    #[must_use]
    pub fn rounded(self) -> i64 {
        (2 * self.above + self.below).div_euclid(2 * self.below)
    }

    /// The greatest integer not above it.
    #[must_use]
    pub const fn truncated(self) -> i64 {
        self.above / self.below
    }

    /// The nearest floating-point number, for output only.
    #[must_use]
    pub fn approximate(self) -> f64 {
        self.above as f64 / self.below as f64
    }
}

fn divisor(a: u128, b: u128) -> u128 {
    let (mut a, mut b) = (a, b);
    while b > 0 {
        (a, b) = (b, a % b);
    }
    a
}

impl Add for Ratio {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        let [a, b, c, d] = [self.above, self.below, other.above, other.below].map(i128::from);
        Self::reduced(a * d + c * b, b * d)
    }
}

impl Neg for Ratio {
    type Output = Self;

    fn neg(self) -> Self {
        Self {
            above: -self.above,
            ..self
        }
    }
}

impl Sum for Ratio {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::ZERO, Add::add)
    }
}

impl Ord for Ratio {
    fn cmp(&self, other: &Self) -> Ordering {
        let [a, b, c, d] = [self.above, self.below, other.above, other.below].map(i128::from);
        (a * d).cmp(&(c * b))
    }
}

impl PartialOrd for Ratio {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// As many decimals as needed, at most four.
impl fmt::Display for Ratio {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let above = i128::from(self.above).abs() * 20_000 + i128::from(self.below);
        let rounded = above / (2 * i128::from(self.below));
        let (whole, part) = (rounded / 10_000, rounded % 10_000);
        let sign = if self.above < 0 && rounded > 0 {
            "-"
        } else {
            ""
        };
        let text = if part == 0 {
            format!("{sign}{whole}")
        } else {
            format!("{sign}{whole}.{part:04}")
        };
        f.pad(if part == 0 {
            &text
        } else {
            text.trim_end_matches('0')
        })
    }
}

impl Serialize for Ratio {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.below == 1 {
            serializer.serialize_i64(self.above)
        } else {
            serializer.serialize_f64(self.approximate())
        }
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Ratio {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Ratio".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        f64::json_schema(generator)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_read_and_written() {
        for (text, tenths, again) in [
            ("2", 20, "2"),
            ("0.5", 5, "0.5"),
            ("½", 5, "0.5"),
            ("2½", 25, "2.5"),
            ("-1,2", -12, "-1.2"),
            (".5", 5, "0.5"),
            ("1.50", 15, "1.5"),
        ] {
            let points: Points = text.parse().unwrap();
            assert_eq!((points.0, points.to_string().as_str()), (tenths, again));
        }
        for text in [
            "", "-", "1.", "1.25", "a", "1e3", "1234567", "--1", "1½½", ".",
        ] {
            assert!(text.parse::<Points>().is_err(), "{text}");
        }
    }

    #[test]
    fn fractions_are_exact() {
        let third = Ratio::new(1, 3);
        assert_eq!(third + third + third, Ratio::new(1, 1));
        assert_eq!(Ratio::new(5, 2).rounded(), 3);
        assert_eq!(Ratio::new(-5, 2).rounded(), -2);
        assert_eq!(Ratio::new(2, 3).to_string(), "0.6667");
        assert!(Ratio::new(1, 3) < Ratio::new(34, 100));
    }
}
