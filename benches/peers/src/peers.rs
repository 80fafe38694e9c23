//! What lthash and the other crates do with an element, and what a compiler does with the loops.

use lthash::{Backend, Kernels};
use solana_lattice_hash::lt_hash::LtHash as SolanaLtHash;
use std::hint::black_box;

/// lthash's kernels for every backend that this processor has, in all their forms.
pub fn kernels() -> impl Iterator<Item = &'static Kernels> {
    Backend::available().flat_map(Backend::forms)
}

/// A contender's name: the backend's, with the form where it is not the one that is used here.
pub fn name(kernels: &'static Kernels) -> String {
    let backend = kernels.backend();
    match kernels.form() {
        Some(form) if !is_used(kernels) => format!("lthash {backend} {form}"),
        _ => format!("lthash {backend}"),
    }
}

fn is_used(kernels: &'static Kernels) -> bool {
    let used = kernels.backend().kernels();
    used.is_ok_and(|used| std::ptr::eq(used, kernels))
}

/// The `blake3` crate's XOF to 2048 bytes, the obvious way to an element's hash.
pub fn blake3_xof(element: &[u8]) -> [u8; 2048] {
    let mut bytes = [0; 2048];
    blake3::Hasher::new()
        .update(element)
        .finalize_xof()
        .fill(&mut bytes);
    bytes
}

/// The same, then a plain loop that adds it to a set's limbs.
pub fn blake3_insert(limbs: &mut [u16; 1024], element: &[u8]) {
    let bytes = blake3_xof(element);
    // A caller reads the bytes back as limbs: the two steps are not fused.
    let bytes = black_box(&bytes);
    for (limb, bytes) in limbs.iter_mut().zip(bytes.as_chunks().0) {
        *limb = limb.wrapping_add(u16::from_le_bytes(*bytes));
    }
}

/// The loop of a mix in, vectorised by the compiler for AVX2.
#[target_feature(enable = "avx2")]
#[inline(never)]
pub fn add_loop_avx2(limbs: &mut [u16; 1024], other: &[u16; 1024]) {
    for (limb, other) in limbs.iter_mut().zip(other) {
        *limb = limb.wrapping_add(*other);
    }
}

/// The same loop, compiled for what every x86-64 processor has.
#[inline(never)]
pub fn add_loop_baseline(limbs: &mut [u16; 1024], other: &[u16; 1024]) {
    for (limb, other) in limbs.iter_mut().zip(other) {
        *limb = limb.wrapping_add(*other);
    }
}

/// solana-lattice-hash's hash of one element.
pub fn solana_of(element: &[u8]) -> SolanaLtHash {
    SolanaLtHash::with(blake3::Hasher::new().update(element))
}

/// `blake3::Hasher` under the version of the `digest` traits that lthash-rs takes its hash function by.
#[derive(Default)]
pub struct Blake3(blake3::Hasher);

impl digest::Update for Blake3 {
    fn update(&mut self, data: &[u8]) {
        self.0.update(data);
    }
}

impl digest::ExtendableOutput for Blake3 {
    type Reader = Blake3Reader;

    fn finalize_xof(self) -> Blake3Reader {
        Blake3Reader(self.0.finalize_xof())
    }
}

/// [`Blake3`]'s output.
pub struct Blake3Reader(blake3::OutputReader);

impl digest::XofReader for Blake3Reader {
    fn read(&mut self, buffer: &mut [u8]) {
        self.0.fill(buffer);
    }
}

/// lthash-rs's set hash with BLAKE3.
pub type LtHashRs = lthash_rs::LtHash16<Blake3>;
