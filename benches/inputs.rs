//! The bytes that are hashed.

use crate::offsets::MAX_OFFSET;

/// A buffer that holds so many bytes at any offset that a sample may ask for.
pub fn buffer(length: usize) -> Vec<u8> {
    let mut bytes = vec![0; MAX_OFFSET + length];
    blake3::Hasher::new().finalize_xof().fill(&mut bytes);
    bytes
}

/// Lengths uniformly random in 1..=1024, the same in every run.
pub fn random_lengths(count: usize) -> Vec<usize> {
    let mut random = blake3::Hasher::new().finalize_xof();
    let mut length = || {
        let mut bytes = [0; 2];
        random.fill(&mut bytes);
        usize::from(u16::from_le_bytes(bytes)) % 1024 + 1
    };
    (0..count).map(|_| length()).collect()
}
