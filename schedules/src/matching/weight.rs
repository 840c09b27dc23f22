//! Integers that can be the weight of an edge.

use std::{
    cmp::Ordering,
    fmt,
    ops::{Add, Neg, Sub},
};

/// An integer that can be added, compared and halved, with one value reserved for "no edge".
///
/// ```
/// use overboard_schedules::matching::{Matching, Weight, Wide};
///
/// assert!(<i64 as Weight>::ABSENT < 0);
/// // If the criteria of a pairing do not fit into 64 bits, a wider number holds them.
/// let heavy = Wide::<2>::ONE.shifted(100);
/// let mut pair = Matching::new(2);
/// pair.set(0, 1, Some(heavy));
/// assert_eq!(pair.solve(), Ok(heavy));
/// ```
pub trait Weight:
    Copy + Ord + Default + fmt::Debug + Add<Output = Self> + Sub<Output = Self> + Neg<Output = Self>
{
    /// The value of an edge that does not exist: the least of all.
    const ABSENT: Self;
    /// One.
    const ONE: Self;
    /// How many bits a sum may have, without the sign.
    const BITS: u32;

    /// Half of an even number.
    #[must_use]
    fn half(self) -> Self;

    /// This number times two to the power of `bits`.
    #[must_use]
    fn shifted(self, bits: u32) -> Self;
}

macro_rules! primitive {
    ($type:ty) => {
        impl Weight for $type {
            const ABSENT: Self = <$type>::MIN;
            const ONE: Self = 1;
            const BITS: u32 = <$type>::BITS - 1;

            fn half(self) -> Self {
                self >> 1
            }

            fn shifted(self, bits: u32) -> Self {
                self << bits
            }
        }
    };
}

primitive!(i8);
primitive!(i64);
primitive!(i128);

/// A signed integer of `64 * N` bits in two's complement, the least significant limb first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wide<const N: usize>([u64; N]);

impl<const N: usize> Wide<N> {
    const fn is_negative(self) -> bool {
        self.0[N - 1] >> 63 == 1
    }
}

impl<const N: usize> From<i64> for Wide<N> {
    fn from(number: i64) -> Self {
        let mut limbs = [if number < 0 { u64::MAX } else { 0 }; N];
        limbs[0] = number.cast_unsigned();
        Self(limbs)
    }
}

impl<const N: usize> Default for Wide<N> {
    fn default() -> Self {
        Self([0; N])
    }
}

impl<const N: usize> Add for Wide<N> {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        let mut carry = false;
        Self(std::array::from_fn(|i| {
            let (sum, over) = self.0[i].overflowing_add(other.0[i]);
            let (sum, again) = sum.overflowing_add(u64::from(carry));
            carry = over || again;
            sum
        }))
    }
}

impl<const N: usize> Neg for Wide<N> {
    type Output = Self;
    fn neg(self) -> Self {
        Self(self.0.map(|limb| !limb)) + Self::ONE
    }
}

impl<const N: usize> Sub for Wide<N> {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl<const N: usize> Ord for Wide<N> {
    fn cmp(&self, other: &Self) -> Ordering {
        let signs = other.is_negative().cmp(&self.is_negative());
        signs.then_with(|| self.0.iter().rev().cmp(other.0.iter().rev()))
    }
}

impl<const N: usize> PartialOrd for Wide<N> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<const N: usize> Weight for Wide<N> {
    const ABSENT: Self = {
        let mut limbs = [0; N];
        limbs[N - 1] = 1 << 63;
        Self(limbs)
    };
    const ONE: Self = {
        let mut limbs = [0; N];
        limbs[0] = 1;
        Self(limbs)
    };
    const BITS: u32 = 64 * N as u32 - 1;

    fn half(self) -> Self {
        let above = |i: usize| {
            if i + 1 < N {
                self.0[i + 1] << 63
            } else {
                self.0[i] & 1 << 63
            }
        };
        Self(std::array::from_fn(|i| self.0[i] >> 1 | above(i)))
    }

    fn shifted(self, bits: u32) -> Self {
        let (limbs, bits) = ((bits / 64) as usize, bits % 64);
        let limb = |i: usize| if i < N { self.0[i] } else { 0 };
        let below = |i: usize| if bits == 0 { 0 } else { limb(i) >> (64 - bits) };
        Self(std::array::from_fn(|i| match i.checked_sub(limbs) {
            None => 0,
            Some(0) => limb(0) << bits,
            Some(from) => limb(from) << bits | below(from - 1),
        }))
    }
}
