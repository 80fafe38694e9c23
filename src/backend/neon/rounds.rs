//! BLAKE3's rounds (paper, section 2.2) on vectors, K of them for each state word.

use super::vectors::Vector;
use core::array;

/// K vectors for each of the 16 state words.
pub(super) type State<const K: usize> = [[Vector; K]; 16];

/// State words 8 to 11 of every compression begin as the first four of BLAKE3's initial chaining value (table 1).
pub(super) const IV: [u32; 4] = [0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a];

/// The order of the message words in each round: the permutation of table 2 applied once more than in the one before.
pub(super) const ORDERS: [[usize; 16]; 7] = {
    const PERMUTATION: [usize; 16] = [2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8];
    let mut orders = [[0; 16]; 7];
    let mut round = 0;
    while round < 7 {
        let mut i = 0;
        while i < 16 {
            orders[round][i] = if round == 0 {
                i
            } else {
                orders[round - 1][PERMUTATION[i]]
            };
            i += 1;
        }
        round += 1;
    }
    orders
};

/// Columns: the state words of four quarter rounds.
pub(super) const COLUMNS: [[usize; 4]; 4] =
    [[0, 4, 8, 12], [1, 5, 9, 13], [2, 6, 10, 14], [3, 7, 11, 15]];
/// Diagonals.
pub(super) const DIAGONALS: [[usize; 4]; 4] =
    [[0, 5, 10, 15], [1, 6, 11, 12], [2, 7, 8, 13], [3, 4, 9, 14]];

/// Message words, K vectors each.
pub(super) trait Message<const K: usize> {
    fn word(&self, index: usize) -> [Vector; K];
}

/// Words that all vectors have in common.
impl<const K: usize> Message<K> for [Vector; 16] {
    #[inline(always)]
    fn word(&self, index: usize) -> [Vector; K] {
        [self[index]; K]
    }
}

impl<const K: usize> Message<K> for [[Vector; K]; 16] {
    #[inline(always)]
    fn word(&self, index: usize) -> [Vector; K] {
        self[index]
    }
}

/// `x` op `y`, vector by vector.
#[inline(always)]
pub(super) fn each<const K: usize>(
    x: [Vector; K],
    y: [Vector; K],
    op: impl Fn(Vector, Vector) -> Vector,
) -> [Vector; K] {
    array::from_fn(|k| op(x[k], y[k]))
}

/// Four quarter rounds side by side. Their message words are those of the order from `first` on, two each.
#[inline(always)]
fn quarter_rounds<const K: usize>(
    v: &mut State<K>,
    words: [[usize; 4]; 4],
    message: &impl Message<K>,
    order: &[usize; 16],
    first: usize,
) {
    for (i, [a, b, c, d]) in words.into_iter().enumerate() {
        v[a] = each(v[a], message.word(order[first + 2 * i]), Vector::add);
        v[a] = each(v[a], v[b], Vector::add);
        v[d] = each(v[d], v[a], |d, a| d.xor(a).rotate_16());
        v[c] = each(v[c], v[d], Vector::add);
        v[b] = each(v[b], v[c], |b, c| b.xor(c).rotate_12());
        v[a] = each(v[a], message.word(order[first + 2 * i + 1]), Vector::add);
    }
    second_halves(v, words);
}

/// The second halves of quarter rounds side by side, after the addition of their message words.
#[inline(always)]
pub(super) fn second_halves<const K: usize, const Q: usize>(
    v: &mut State<K>,
    words: [[usize; 4]; Q],
) {
    for [a, b, c, d] in words {
        v[a] = each(v[a], v[b], Vector::add);
        v[d] = each(v[d], v[a], |d, a| d.xor(a).rotate_8());
        v[c] = each(v[c], v[d], Vector::add);
        v[b] = each(v[b], v[c], |b, c| b.xor(c).rotate_7());
    }
}

/// One round. Which one is a constant, so that every message word is at a known place.
#[inline(always)]
fn round<const ROUND: usize, const K: usize>(v: &mut State<K>, message: &impl Message<K>) {
    let order = const { &ORDERS[ROUND] };
    quarter_rounds(v, COLUMNS, message, order, 0);
    quarter_rounds(v, DIAGONALS, message, order, 8);
}

/// The first round.
#[inline(always)]
pub(super) fn first_round<const K: usize>(v: &mut State<K>, message: &impl Message<K>) {
    round::<0, K>(v, message);
}

/// The six rounds after the first.
#[inline(always)]
pub(super) fn rounds_2_to_7<const K: usize>(v: &mut State<K>, message: &impl Message<K>) {
    round::<1, K>(v, message);
    round::<2, K>(v, message);
    round::<3, K>(v, message);
    round::<4, K>(v, message);
    round::<5, K>(v, message);
    round::<6, K>(v, message);
}
