//! One compression, word by word: for what all lanes have in common, and for a chunk alone. Vectors of a state's rows would take
//! twice as long: a vector operation takes two cycles or more on an Apple M1 and a Neoverse V2, one on a word takes one.

use super::rounds::{COLUMNS, DIAGONALS, IV, ORDERS};
use core::array;

/// A block's message words.
#[inline]
pub(super) fn message_words(block: &[u8; 64]) -> [u32; 16] {
    array::from_fn(|i| u32::from_le_bytes(array::from_fn(|byte| block[4 * i + byte])))
}

/// The state before the first round (BLAKE3 paper, section 2.2).
#[inline(always)]
pub(super) fn state(
    chaining_value: &[u32; 8],
    counter: u64,
    block_length: u32,
    flags: u32,
) -> [u32; 16] {
    let mut v = [0; 16];
    v[..8].copy_from_slice(chaining_value);
    v[8..12].copy_from_slice(&IV[..4]);
    v[12..].copy_from_slice(&[counter as u32, (counter >> 32) as u32, block_length, flags]);
    v
}

/// A quarter round of the state words a, b, c and d, with message words x and y.
#[inline(always)]
pub(super) fn quarter_round(v: &mut [u32; 16], [a, b, c, d]: [usize; 4], x: u32, y: u32) {
    for (word, d_right, b_right) in [(x, 16, 12), (y, 8, 7)] {
        v[a] = v[a].wrapping_add(word).wrapping_add(v[b]);
        v[d] = (v[d] ^ v[a]).rotate_right(d_right);
        v[c] = v[c].wrapping_add(v[d]);
        v[b] = (v[b] ^ v[c]).rotate_right(b_right);
    }
}

/// One round. Which one is a constant, so that every message word is at a known place.
#[inline(always)]
fn round<const ROUND: usize>(v: &mut [u32; 16], message: &[u32; 16]) {
    let order = const { &ORDERS[ROUND] };
    for (i, words) in COLUMNS.into_iter().chain(DIAGONALS).enumerate() {
        quarter_round(v, words, message[order[2 * i]], message[order[2 * i + 1]]);
    }
}

/// All rounds.
#[inline]
pub(super) fn rounds(v: &mut [u32; 16], message: &[u32; 16]) {
    round::<0>(v, message);
    round::<1>(v, message);
    round::<2>(v, message);
    round::<3>(v, message);
    round::<4>(v, message);
    round::<5>(v, message);
    round::<6>(v, message);
}
