//! What the kernels must compute, written once and plainly, over any domain.
//!
//! Source: O'Connor, Aumasson, Neves, Wilcox-O'Hearn, "BLAKE3: one function, fast everywhere", 2021-11-05: section 2.2
//! (the compression function), table 1 (the initial chaining value), table 2 (the permutation), table 3 (the flags), section
//! 2.6 (output blocks). The limb operations are LtHash's: Lewi, Kim, Maykov, Weis, "Securing update propagation with
//! homomorphic hashing", IACR ePrint 2019/227.

use crate::claims::Buffers;
use crate::domain::{Domain, Numbers, Operation};

const IV: [u32; 8] = [
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
];

const MESSAGE_PERMUTATION: [usize; 16] = [2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8];

/// Limbs in an LtHash.
pub const LIMBS: usize = 1024;
/// Output blocks in an element's 2048 bytes.
const OUTPUT_BLOCKS: usize = 32;

/// The operations of the specification never fail: every domain can express them.
fn operate<D: Domain>(
    domain: &mut D,
    operation: Operation,
    left: D::Word,
    right: D::Word,
) -> D::Word {
    domain.operate(operation, left, right).unwrap()
}

fn add<D: Domain>(domain: &mut D, left: D::Word, right: D::Word) -> D::Word {
    operate(domain, Operation::Add, left, right)
}

fn xor<D: Domain>(domain: &mut D, left: D::Word, right: D::Word) -> D::Word {
    operate(domain, Operation::Xor, left, right)
}

fn xor_rotate<D: Domain>(domain: &mut D, left: D::Word, right: D::Word, count: u64) -> D::Word {
    let (value, count) = (xor(domain, left, right), domain.number(4, count));
    operate(domain, Operation::RotateRight, value, count)
}

/// The quarter round G on state words a, b, c and d, with two message words.
fn quarter_round<D: Domain>(
    domain: &mut D,
    state: &mut [D::Word; 16],
    [a, b, c, d]: [usize; 4],
    message: [D::Word; 2],
) {
    for (word, rotations) in message.into_iter().zip([(16, 12), (8, 7)]) {
        let sum = add(domain, state[a], state[b]);
        state[a] = add(domain, sum, word);
        state[d] = xor_rotate(domain, state[d], state[a], rotations.0);
        state[c] = add(domain, state[c], state[d]);
        state[b] = xor_rotate(domain, state[b], state[c], rotations.1);
    }
}

/// A node's inputs to the compression function.
#[derive(Clone)]
pub struct Node<D: Domain> {
    pub chaining_value: Vec<D::Word>,
    pub block: Vec<D::Word>,
    /// Low and high word.
    pub counter: [D::Word; 2],
    pub block_length: D::Word,
    pub flags: D::Word,
}

/// The compression function: sixteen words, of which the first eight are the next chaining value.
pub fn compress<D: Domain>(domain: &mut D, node: &Node<D>) -> [D::Word; 16] {
    let iv: Vec<D::Word> = IV[..4]
        .iter()
        .map(|&word| domain.number(4, word.into()))
        .collect();
    let tail = [
        node.counter[0],
        node.counter[1],
        node.block_length,
        node.flags,
    ];
    let mut state: [D::Word; 16] = [&node.chaining_value, &iv, &tail[..]]
        .concat()
        .try_into()
        .unwrap();
    let mut message = node.block.clone();
    for _ in 0..7 {
        let mut words = message.chunks(2).map(|pair| [pair[0], pair[1]]);
        for i in 0..4 {
            quarter_round(
                domain,
                &mut state,
                [i, 4 + i, 8 + i, 12 + i],
                words.next().unwrap(),
            );
        }
        for i in 0..4 {
            let diagonal = [i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4];
            quarter_round(domain, &mut state, diagonal, words.next().unwrap());
        }
        message = MESSAGE_PERMUTATION.map(|i| message[i]).to_vec();
    }
    for i in 0..8 {
        state[i] = xor(domain, state[i], state[i + 8]);
        state[i + 8] = xor(domain, state[i + 8], node.chaining_value[i]);
    }
    state
}

/// The output blocks 0 to 31 of the root node in the buffer `node`.
fn output_blocks<D: Domain>(buffers: &mut Buffers<D>) -> Vec<[D::Word; 16]> {
    let words = buffers.words("node", 4);
    let zero = buffers.domain.number(4, 0);
    let mut node = Node {
        chaining_value: words[..8].to_vec(),
        block: words[8..24].to_vec(),
        counter: [zero; 2],
        block_length: words[24],
        flags: words[25],
    };
    let mut output_block = |counter| {
        node.counter[0] = buffers.domain.number(4, counter);
        compress(buffers.domain, &node)
    };
    (0..OUTPUT_BLOCKS as u64).map(&mut output_block).collect()
}

/// The two limbs of a word.
fn limbs_of<D: Domain>(domain: &mut D, word: D::Word) -> [D::Word; 2] {
    let bytes = domain.split(word);
    [domain.join(&bytes[..2]), domain.join(&bytes[2..])]
}

/// `xof`: the output blocks one behind the other.
pub fn xof<D: Domain>(buffers: &mut Buffers<D>) {
    let blocks = output_blocks(buffers).concat();
    buffers.store("out", 0, &blocks);
}

/// `xof_add` and `xof_sub`: the output blocks' limbs with lane sums, which hold word i of block j at 32 · i + j. The first
/// four words are the guard.
pub fn xof_mix<D: Domain>(buffers: &mut Buffers<D>, operation: Operation) {
    let mut sums = buffers.words("sums", 2);
    let blocks = output_blocks(buffers);
    buffers.store("guard", 0, &blocks[0][..4]);
    for (j, block) in blocks.into_iter().enumerate() {
        for (i, word) in block.into_iter().enumerate() {
            for (half, limb) in limbs_of(buffers.domain, word).into_iter().enumerate() {
                let sum = &mut sums[2 * (32 * i + j) + half];
                *sum = operate(buffers.domain, operation, *sum, limb);
            }
        }
    }
    buffers.store("sums", 0, &sums);
}

/// `lanes_to_limbs`: lane sums in the order of the output blocks, added to limbs.
pub fn lanes_to_limbs<D: Domain>(buffers: &mut Buffers<D>) {
    let (sums, mut limbs) = (buffers.words("sums", 2), buffers.words("limbs", 2));
    for (index, limb) in limbs.iter_mut().enumerate() {
        let (word, half) = (index / 2, index % 2);
        let (j, i) = (word / 16, word % 16);
        *limb = add(buffers.domain, *limb, sums[2 * (32 * i + j) + half]);
    }
    buffers.store("limbs", 0, &limbs);
}

/// `limbs_add` and `limbs_sub`: 1024 limbs with 1024 limbs.
pub fn limbs<D: Domain>(buffers: &mut Buffers<D>, operation: Operation) {
    let (limbs, other) = (buffers.words("limbs", 2), buffers.words("other", 2));
    assert_eq!((limbs.len(), other.len()), (LIMBS, LIMBS));
    for (i, (limb, other)) in limbs.into_iter().zip(other).enumerate() {
        let result = operate(buffers.domain, operation, limb, other);
        buffers.store("limbs", 2 * i, &[result]);
    }
}

/// A chaining value with a chunk's blocks absorbed into it, each with its own length and flags.
fn absorb_blocks<D: Domain>(
    domain: &mut D,
    mut chaining_value: Vec<D::Word>,
    counter: [D::Word; 2],
    blocks: &[D::Word],
    lengths_and_flags: impl Iterator<Item = (D::Word, D::Word)>,
) -> Vec<D::Word> {
    for (block, (block_length, flags)) in blocks.chunks(16).zip(lengths_and_flags) {
        let block = block.to_vec();
        let node = Node {
            chaining_value,
            block,
            counter,
            block_length,
            flags,
        };
        chaining_value = compress(domain, &node)[..8].to_vec();
    }
    chaining_value
}

/// `absorb`: any number of blocks, all of one length and with the same flags.
pub fn absorb<D: Domain>(buffers: &mut Buffers<D>) {
    let chaining_value = buffers.words("chaining_value", 4);
    let counter = buffers.domain.split(buffers.argument("counter"));
    let counter = [&counter[..4], &counter[4..]].map(|half| buffers.domain.join(half));
    let each = (buffers.argument("block_length"), buffers.argument("flags"));
    let blocks = buffers.words("blocks", 4);
    let each = std::iter::repeat(each);
    let result = absorb_blocks(buffers.domain, chaining_value, counter, &blocks, each);
    buffers.store("chaining_value", 0, &result);
}

/// The rows of a vector of lanes before its pointers: chaining values, counters, first flags, first lengths.
pub const ROWS: usize = 12;

/// The name of a lane's blocks.
pub fn blocks(vector: usize, lane: usize) -> String {
    format!("blocks[{vector}][{lane}]")
}

/// `absorb_lanes` and `absorb_all_lanes`: the same number of blocks in every lane, the first with the lane's own length and
/// flags.
pub fn absorb_side_by_side<D: Domain>(buffers: &mut Buffers<D>, lanes: usize, vectors: usize) {
    let words = buffers.words("lanes", 4);
    let (later_length, later_flags) = (buffers.domain.number(4, 64), buffers.argument("flags"));
    for (vector, lane) in (0..vectors).flat_map(|vector| (0..lanes).map(move |lane| (vector, lane)))
    {
        let place = |row: usize| ((ROWS + 2) * vector + row) * lanes + lane;
        let row = |row: usize| words[place(row)];
        let chaining_value = (0..8).map(row).collect();
        let first = std::iter::once((row(11), row(10)));
        let each = first.chain(std::iter::repeat((later_length, later_flags)));
        let blocks = buffers.words(&blocks(vector, lane), 4);
        let counter = [row(8), row(9)];
        let result = absorb_blocks(buffers.domain, chaining_value, counter, &blocks, each);
        for (i, word) in result.into_iter().enumerate() {
            buffers.store("lanes", 4 * place(i), &[word]);
        }
    }
}

/// A root node of one block, as `xof` takes it.
#[test]
fn the_specification_is_blake3() {
    let input: Vec<u8> = (0..50).map(|i| 5 * i + 1).collect();
    let mut expected = [0; 2048];
    blake3::Hasher::new()
        .update(&input)
        .finalize_xof()
        .fill(&mut expected);

    let domain = &mut Numbers::new(0, Vec::new());
    let mut number = |value: usize| domain.number(4, value as u64);
    let [zero, length, flags] = [0, input.len(), 0b1011].map(&mut number); // CHUNK_START, CHUNK_END and ROOT
    let mut block = [0; 64];
    block[..input.len()].copy_from_slice(&input);
    let node = Node {
        chaining_value: IV.map(|word| number(word as usize)).to_vec(),
        block: block.chunks(4).map(|word| domain.join(word)).collect(),
        counter: [zero; 2],
        block_length: length,
        flags,
    };
    for (i, expected) in expected.chunks(64).enumerate() {
        let counter = [domain.number(4, i as u64), zero];
        let output = compress(
            domain,
            &Node {
                counter,
                ..node.clone()
            },
        );
        assert_eq!(
            output
                .iter()
                .flat_map(|&word| domain.split(word))
                .collect::<Vec<u8>>(),
            expected,
            "output block {i}"
        );
    }
}
