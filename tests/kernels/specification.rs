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

const CHUNK_START: u64 = 1;

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

/// `xof`: a root node's output blocks 0 to 31, one behind the other.
pub fn xof<D: Domain>(buffers: &mut Buffers<D>) {
    let node = buffers.words("node", 4);
    let (node, length_and_flags) = node.split_at(24);
    for block in 0..OUTPUT_BLOCKS {
        let counter = [block as u64, 0].map(|half| buffers.domain.number(4, half));
        let node = Node {
            chaining_value: node[..8].to_vec(),
            block: node[8..].to_vec(),
            counter,
            block_length: length_and_flags[0],
            flags: length_and_flags[1],
        };
        let output = compress(buffers.domain, &node);
        buffers.store("out", 64 * block, &output);
    }
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

/// `absorb`: blocks of 64 bytes from the beginning of chunk 0, into its chaining value.
pub fn absorb<D: Domain>(buffers: &mut Buffers<D>) {
    let mut chaining_value = buffers.words("chaining_value", 4);
    let (flags, start) = (
        buffers.argument("flags"),
        buffers.domain.number(4, CHUNK_START),
    );
    let first_flags = operate(buffers.domain, Operation::Or, flags, start);
    for (i, block) in buffers.words("blocks", 4).chunks(16).enumerate() {
        let node = Node {
            chaining_value,
            block: block.to_vec(),
            counter: [buffers.domain.number(4, 0); 2],
            block_length: buffers.domain.number(4, 64),
            flags: if i == 0 { first_flags } else { flags },
        };
        chaining_value = compress(buffers.domain, &node)[..8].to_vec();
    }
    buffers.store("chaining_value", 0, &chaining_value);
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
