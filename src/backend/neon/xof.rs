//! A root node's 32 output blocks, eight counters at a time; and the sums of many.

use super::compression::{message_words, quarter_round, state};
use super::rounds::{DIAGONALS, IV, State, each, rounds_2_to_7, second_halves};
use super::vectors::{Vector, transposed};
use crate::backend::batch::prelude::*;
use core::array;

/// A root node's words in all lanes, and what all counters have in common in the first round.
///
/// The compressions differ only in the counter, state word 12. So in the first round every word of columns 1 to 3 and several
/// words of the diagonals are the same in all of them, and are computed once.
struct Expansion {
    message: [Vector; 16],
    chaining_value: [Vector; 8],
    /// In column 0: a after the first addition, rotated by 16; a with the second message word; b; IV word 0.
    column_0: [Vector; 4],
    /// The words of columns 1 to 3 that go into the diagonals, by their index in the state. In diagonal 2, d is after its
    /// first rotation.
    words: [Vector; 16],
    /// What is common in the first sums of the diagonals: in 0 and 3 the rest differs, in 1 and 2 it is all.
    first_sums: [Vector; 4],
    /// Those of diagonals 1 and 2 with the second message word.
    second_sums: [Vector; 2],
}

impl Expansion {
    fn of(node: &RootNode) -> Expansion {
        let m = message_words(&node.block);
        let mut v = state(&node.chaining_value, 0, node.block_length, node.flags);
        for i in 1..4 {
            quarter_round(&mut v, [i, 4 + i, 8 + i, 12 + i], m[2 * i], m[2 * i + 1]);
        }
        let sum = |terms: &[u32]| terms.iter().fold(0u32, |sum, &term| sum.wrapping_add(term));
        let a = sum(&[v[0], v[4], m[0]]);
        let first_sums = [
            sum(&[v[5], m[8]]),
            sum(&[v[1], v[6], m[10]]),
            sum(&[v[2], v[7], m[12]]),
            sum(&[v[3], m[14]]),
        ];
        let second_sums = [sum(&[first_sums[1], m[11]]), sum(&[first_sums[2], m[13]])];
        v[13] = (v[13] ^ first_sums[2]).rotate_right(16);
        Expansion {
            message: m.map(Vector::splat),
            chaining_value: node.chaining_value.map(Vector::splat),
            column_0: [a.rotate_right(16), sum(&[a, m[1]]), v[4], IV[0]].map(Vector::splat),
            words: v.map(Vector::splat),
            first_sums: first_sums.map(Vector::splat),
            second_sums: second_sums.map(Vector::splat),
        }
    }

    /// The output blocks of K times four counters from `first` on, word by word.
    #[inline(never)]
    fn output_blocks<const K: usize>(&self, first: u32, out: &mut State<K>) {
        let Expansion {
            message,
            chaining_value,
            words,
            first_sums,
            second_sums,
            ..
        } = self;
        let mut v: State<K> = words.map(|word| [word; K]);
        let all = |word: Vector| [word; K];

        // Column 0. Its d begins as the counter, so after the first rotation it is a, rotated, ^ the counter, rotated.
        let [a_rotated, a, b, c] = self.column_0;
        v[12] = array::from_fn(|k| {
            let counters: [u32; 4] =
                array::from_fn(|lane| (first + (4 * k + lane) as u32).rotate_right(16));
            Vector::of_words(&counters).xor(a_rotated)
        });
        v[8] = each(v[12], all(c), Vector::add);
        v[4] = each(v[8], all(b), |c, b| b.xor(c).rotate_12());
        v[0] = all(a);
        second_halves(&mut v, [[0, 4, 8, 12]]);

        // The diagonals' first halves.
        v[0] = each(v[0], all(first_sums[0]), Vector::add);
        v[1] = all(first_sums[1]);
        v[3] = each(v[4], all(first_sums[3]), Vector::add);
        for [a, d] in [[0, 15], [1, 12], [3, 14]] {
            v[d] = each(v[d], v[a], |d, a| d.xor(a).rotate_16());
        }
        for [_, b, c, d] in DIAGONALS {
            v[c] = each(v[c], v[d], Vector::add);
            v[b] = each(v[b], v[c], |b, c| b.xor(c).rotate_12());
        }
        v[0] = each(v[0], all(message[9]), Vector::add);
        v[1] = all(second_sums[0]);
        v[2] = all(second_sums[1]);
        v[3] = each(v[3], all(message[15]), Vector::add);
        second_halves(&mut v, DIAGONALS);

        rounds_2_to_7(&mut v, message);
        for i in 0..8 {
            out[i] = each(v[i], v[i + 8], Vector::xor);
            out[i + 8] = each(v[i + 8], all(chaining_value[i]), Vector::xor);
        }
    }

    /// All output blocks: `put` takes the first of eight counters, and their blocks word by word.
    #[inline(always)]
    fn expand(&self, mut put: impl FnMut(u32, &State<2>)) {
        let mut blocks = [[Vector::splat(0); 2]; 16];
        for first in [0, 8, 16, 24] {
            self.output_blocks(first, &mut blocks);
            put(first, &blocks);
        }
    }
}

/// Writes a root node's output blocks.
///
/// # Safety
///
/// `node` may be read and `out` written.
pub(super) unsafe fn xof(node: *const RootNode, out: *mut Limbs) {
    // SAFETY: as the caller.
    let expansion = Expansion::of(unsafe { &*node });
    expansion.expand(|first, blocks| {
        for k in 0..2 {
            in_order(
                first as usize + 4 * k,
                |word| blocks[word][k],
                |place, vector| {
                    // SAFETY: as the caller; places are 0 to 127, and 16 bytes each make 2048. Little-endian, as the build is, bytes
                    // are limbs.
                    unsafe { out.cast::<[u8; 16]>().add(place).write(vector.bytes()) };
                },
            );
        }
    });
}

/// Adds a root node's output blocks to lane sums.
///
/// # Safety
///
/// `node` may be read, `sums` read and written, and `guard` written.
pub(super) unsafe fn xof_add(node: *const RootNode, sums: *mut LaneSums, guard: *mut GuardBytes) {
    // SAFETY: as the caller.
    unsafe { xof_mix(node, sums, guard, Vector::add_limbs) }
}

/// Subtracts a root node's output blocks from lane sums.
///
/// # Safety
///
/// `node` may be read, `sums` read and written, and `guard` written.
pub(super) unsafe fn xof_sub(node: *const RootNode, sums: *mut LaneSums, guard: *mut GuardBytes) {
    // SAFETY: as the caller.
    unsafe { xof_mix(node, sums, guard, Vector::sub_limbs) }
}

/// # Safety
///
/// `node` may be read, `sums` read and written, and `guard` written.
#[inline(always)]
unsafe fn xof_mix(
    node: *const RootNode,
    sums: *mut LaneSums,
    guard: *mut GuardBytes,
    mix: impl Fn(Vector, Vector) -> Vector,
) {
    // SAFETY: as the caller.
    let (expansion, LaneSums(sums)) = unsafe { (Expansion::of(&*node), &mut *sums) };
    expansion.expand(|first, blocks| {
        if first == 0 {
            let words = transposed([blocks[0][0], blocks[1][0], blocks[2][0], blocks[3][0]]);
            // SAFETY: as the caller.
            unsafe { guard.write(words[0].bytes()) };
        }
        for (sums, word) in sums.iter_mut().zip(blocks) {
            let fours = sums[first as usize..].chunks_exact_mut(4);
            for (four, &vector) in fours.zip(word) {
                mix(Vector::of_words(four), vector).to_words(four);
            }
        }
    });
}

/// Adds lane sums, put in order, to limbs.
///
/// # Safety
///
/// `sums` may be read, and `limbs` read and written.
pub(super) unsafe fn lanes_to_limbs(sums: *const LaneSums, limbs: *mut Limbs) {
    // SAFETY: as the caller.
    let (LaneSums(sums), limbs) = unsafe { (&*sums, &mut *limbs) };
    for first in (0..32).step_by(4) {
        let word = |word: usize| Vector::of_words(&sums[word][first..first + 4]);
        in_order(first, word, |place, vector| {
            let limbs = &mut limbs[8 * place..8 * place + 8];
            Vector::of_limbs(limbs).add_limbs(vector).to_limbs(limbs);
        });
    }
}

/// Four counters' words, put in order: `put` takes each four words of a counter, and their place in the output in vectors.
#[inline(always)]
fn in_order(first: usize, word: impl Fn(usize) -> Vector, mut put: impl FnMut(usize, Vector)) {
    for quarter in 0..4 {
        let words = array::from_fn(|i| word(4 * quarter + i));
        for (i, vector) in transposed(words).into_iter().enumerate() {
            put(4 * (first + i) + quarter, vector);
        }
    }
}
