//! Sums and differences of multisets as operators: limb by limb mod 2^16.

use super::LtHash;
use core::iter::Sum;
use core::ops::{Add, AddAssign, Neg, Sub, SubAssign};

impl AddAssign<&LtHash> for LtHash {
    fn add_assign(&mut self, other: &LtHash) {
        self.mix_in(other);
    }
}

impl SubAssign<&LtHash> for LtHash {
    fn sub_assign(&mut self, other: &LtHash) {
        self.mix_out(other);
    }
}

impl Neg for &LtHash {
    type Output = LtHash;

    /// The inverse: every multiplicity negated.
    fn neg(self) -> LtHash {
        let mut negative = LtHash::new();
        negative -= self;
        negative
    }
}

impl Neg for LtHash {
    type Output = LtHash;

    /// The inverse: every multiplicity negated.
    fn neg(self) -> LtHash {
        -&self
    }
}

impl<'a> Sum<&'a LtHash> for LtHash {
    fn sum<I: Iterator<Item = &'a LtHash>>(hashes: I) -> LtHash {
        let mut sum = LtHash::new();
        hashes.for_each(|hash| sum += hash);
        sum
    }
}

impl Sum<LtHash> for LtHash {
    fn sum<I: Iterator<Item = LtHash>>(hashes: I) -> LtHash {
        let mut sum = LtHash::new();
        hashes.for_each(|hash| sum += &hash);
        sum
    }
}

impl AddAssign for LtHash {
    fn add_assign(&mut self, other: LtHash) {
        *self += &other;
    }
}

impl SubAssign for LtHash {
    fn sub_assign(&mut self, other: LtHash) {
        *self -= &other;
    }
}

/// The sum of both multisets. ([`AddAssign`] moves no hash about, which has 2 KiB.)
impl Add<&LtHash> for LtHash {
    type Output = LtHash;

    fn add(mut self, other: &LtHash) -> LtHash {
        self += other;
        self
    }
}

/// The sum of both multisets.
impl Add for LtHash {
    type Output = LtHash;

    fn add(self, other: LtHash) -> LtHash {
        self + &other
    }
}

/// The sum of both multisets.
impl Add for &LtHash {
    type Output = LtHash;

    fn add(self, other: &LtHash) -> LtHash {
        self.clone() + other
    }
}

/// The sum of both multisets.
impl Add<LtHash> for &LtHash {
    type Output = LtHash;

    fn add(self, other: LtHash) -> LtHash {
        other + self
    }
}

/// The difference of both multisets. ([`SubAssign`] moves no hash about, which has 2 KiB.)
impl Sub<&LtHash> for LtHash {
    type Output = LtHash;

    fn sub(mut self, other: &LtHash) -> LtHash {
        self -= other;
        self
    }
}

/// The difference of both multisets.
impl Sub for LtHash {
    type Output = LtHash;

    fn sub(self, other: LtHash) -> LtHash {
        self - &other
    }
}

/// The difference of both multisets.
impl Sub for &LtHash {
    type Output = LtHash;

    fn sub(self, other: &LtHash) -> LtHash {
        self.clone() - other
    }
}

/// The difference of both multisets.
impl Sub<LtHash> for &LtHash {
    type Output = LtHash;

    fn sub(self, other: LtHash) -> LtHash {
        self - &other
    }
}
