//! A value for each side.

use crate::square::Side;
use std::ops::{Index, IndexMut};

/// One value for White and one for Black.
///
/// ```
/// use overboard_rules::{by_side::BySide, square::Side};
///
/// let mut kings = BySide::from_fn(|side| if side == Side::White { 2 } else { 3 });
/// kings[Side::Black] -= 1;
/// assert_eq!(kings, BySide::both(2));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct BySide<T>([T; 2]);

impl<T> BySide<T> {
    /// White's value, then Black's.
    #[must_use]
    pub const fn new(white: T, black: T) -> Self {
        Self([white, black])
    }

    /// The same value for both.
    #[must_use]
    pub const fn both(value: T) -> Self
    where
        T: Copy,
    {
        Self([value; 2])
    }

    /// A side's value, for constants, in which `Index` cannot be used.
    #[must_use]
    pub const fn at(self, side: Side) -> T
    where
        T: Copy,
    {
        self.0[side as usize]
    }

    /// Whether either side has this value.
    pub fn contains(&self, value: &T) -> bool
    where
        T: PartialEq,
    {
        self.0.contains(value)
    }

    /// Calls the function for each side, White first, and keeps what it returns.
    // Not by the array's own `map`: its loop is compiled anew for every function, for two values.
    #[inline]
    pub fn from_fn(mut of: impl FnMut(Side) -> T) -> Self {
        Self([of(Side::White), of(Side::Black)])
    }

    /// Applies a function to each value, White's first.
    #[inline]
    pub fn map<U>(self, mut of: impl FnMut(T) -> U) -> BySide<U> {
        let [white, black] = self.0;
        BySide([of(white), of(black)])
    }

    /// References to both values.
    #[must_use]
    pub const fn as_ref(&self) -> BySide<&T> {
        BySide(self.0.each_ref())
    }

    /// White's value, then Black's.
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.0.iter()
    }

    /// White's value, then Black's, mutable.
    pub fn iter_mut(&mut self) -> std::slice::IterMut<'_, T> {
        self.0.iter_mut()
    }

    /// The sides with their values, White first.
    pub fn pairs(&self) -> impl Iterator<Item = (Side, &T)> {
        Side::BOTH.into_iter().zip(&self.0)
    }

    /// White's value, then Black's, as an array.
    #[must_use]
    pub fn into_array(self) -> [T; 2] {
        self.0
    }
}

impl<T> Index<Side> for BySide<T> {
    type Output = T;

    #[inline]
    fn index(&self, side: Side) -> &T {
        &self.0[side as usize]
    }
}

impl<T> IndexMut<Side> for BySide<T> {
    #[inline]
    fn index_mut(&mut self, side: Side) -> &mut T {
        &mut self.0[side as usize]
    }
}

impl<T> From<[T; 2]> for BySide<T> {
    /// White's value, then Black's.
    fn from(both: [T; 2]) -> Self {
        Self(both)
    }
}

impl<T> IntoIterator for BySide<T> {
    type Item = T;
    type IntoIter = std::array::IntoIter<T, 2>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'a, T> IntoIterator for &'a BySide<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<'a, T> IntoIterator for &'a mut BySide<T> {
    type Item = &'a mut T;
    type IntoIter = std::slice::IterMut<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter_mut()
    }
}
