//! Blocks absorbed into chunks' chaining values.

use super::compression::{message_words, rounds, state};
use super::rounds::{IV, each, first_round, rounds_2_to_7};
use super::vectors::{Vector, transposed};
use crate::backend::batch::prelude::*;
use blake3::BLOCK_LEN;
use core::array;

/// Absorbs blocks of one chunk.
///
/// # Safety
///
/// `chaining_value` may be read and written, and `count` blocks of 64 bytes be read.
pub(super) unsafe fn absorb(
    chaining_value: *mut [u32; 8],
    blocks: *const u8,
    count: usize,
    counter: u64,
    block_length: u32,
    flags: u32,
) {
    // SAFETY: as the caller.
    let chaining_value = unsafe { &mut *chaining_value };
    for block in 0..count {
        // SAFETY: as the caller; arrays of bytes have no alignment.
        let block = unsafe { &*blocks.cast::<[u8; BLOCK_LEN]>().add(block) };
        let mut v = state(chaining_value, counter, block_length, flags);
        rounds(&mut v, &message_words(block));
        *chaining_value = array::from_fn(|i| v[i] ^ v[i + 8]);
    }
}

/// Absorbs blocks of four chunks.
///
/// # Safety
///
/// `lanes` may be read and written, and from the offset on, as many blocks be read of each lane.
pub(super) unsafe fn absorb_lanes(
    lanes: *mut LaneVector<4>,
    offset: usize,
    count: usize,
    flags: u32,
) {
    // SAFETY: as the caller.
    unsafe { absorb_vectors::<1>(&mut *lanes.cast(), offset, count, flags) }
}

/// Absorbs blocks of eight chunks.
///
/// # Safety
///
/// `lanes` may be read and written, and from the offset on, as many blocks be read of each lane.
pub(super) unsafe fn absorb_all_lanes(
    lanes: *mut [LaneVector<4>; 2],
    offset: usize,
    count: usize,
    flags: u32,
) {
    // SAFETY: as the caller.
    unsafe { absorb_vectors(&mut *lanes, offset, count, flags) }
}

/// # Safety
///
/// From the offset on, as many blocks may be read of each lane.
#[inline(always)]
unsafe fn absorb_vectors<const K: usize>(
    lanes: &mut [LaneVector<4>; K],
    offset: usize,
    count: usize,
    flags: u32,
) {
    let all = |word: u32| [Vector::splat(word); K];
    let load =
        |of: fn(&LaneVector<4>) -> &[u32; 4]| array::from_fn(|k| Vector::of_words(of(&lanes[k])));
    let counters = [
        load(|vector| &vector.counters[0]),
        load(|vector| &vector.counters[1]),
    ];
    let mut lengths: [Vector; K] = load(|vector| &vector.first_lengths);
    let mut all_flags: [Vector; K] = load(|vector| &vector.first_flags);
    let mut chaining_values: [[Vector; K]; 8] =
        array::from_fn(|i| array::from_fn(|k| Vector::of_words(&lanes[k].chaining_values[i])));
    for block in 0..count {
        let mut message = [all(0); 16];
        for quarter in 0..4 {
            for (k, vector) in lanes.iter().enumerate() {
                let words = transposed(vector.blocks.map(|blocks| {
                    let bytes = blocks.wrapping_add(offset + BLOCK_LEN * block + 16 * quarter);
                    // SAFETY: as the caller; arrays of bytes have no alignment.
                    Vector::of_bytes(unsafe { &*bytes.cast() })
                }));
                for (i, word) in words.into_iter().enumerate() {
                    message[4 * quarter + i][k] = word;
                }
            }
        }
        let mut v = [all(0); 16];
        v[..8].copy_from_slice(&chaining_values);
        for i in 0..4 {
            v[8 + i] = all(IV[i]);
        }
        v[12..14].copy_from_slice(&counters);
        v[14] = lengths;
        v[15] = all_flags;
        first_round(&mut v, &message);
        rounds_2_to_7(&mut v, &message);
        for i in 0..8 {
            chaining_values[i] = each(v[i], v[i + 8], Vector::xor);
        }
        lengths = all(BLOCK_LEN as u32);
        all_flags = all(flags);
    }
    for (i, words) in chaining_values.iter().enumerate() {
        for (vector, word) in lanes.iter_mut().zip(words) {
            word.to_words(&mut vector.chaining_values[i]);
        }
    }
}
