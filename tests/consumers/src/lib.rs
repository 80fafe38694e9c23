//! What every consumer does: compute a published value and a batch on each backend.

use lthash::{Accumulator, Backend, Kernels, LtHash};

/// The checksum of the set {"hello", "world!"}, as the crate solana-lattice-hash 4.4.0 computes it.
const HELLO_WORLD: &str = "2373c49a9c365a1d6ccaf3a8e6e84570b901cd342e3980f4568ba269ad508b09";

/// Checks every available backend and returns their names.
///
/// # Panics
///
/// If one computes a wrong value.
pub fn check() -> String {
    let mut names = Vec::new();
    let portable = batch(Backend::Portable.kernels().unwrap());
    for backend in Backend::available() {
        let kernels = backend.kernels().unwrap();
        let mut hash = kernels.expand(b"hello");
        kernels.add(&mut hash, &kernels.expand(b"world!"));
        assert_eq!(hash.checksum().to_string(), HELLO_WORLD, "{backend}");
        assert_eq!(lthash::hex::encode(hash.checksum()), HELLO_WORLD, "{backend}");
        assert_eq!(batch(kernels), portable, "{backend}");
        names.push(backend.name());
    }
    let set: LtHash = ["hello", "world!"].into_iter().collect();
    assert_eq!(set.checksum().to_string(), HELLO_WORLD);
    names.join(", ")
}

/// Elements of every length up to 3000, some of them taken out again.
fn batch(kernels: &'static Kernels) -> LtHash {
    let bytes: Vec<u8> = (0..3000_u32).map(|i| (i * 7 % 251) as u8).collect();
    let mut accumulator = Accumulator::with_kernels(kernels);
    for length in 0..bytes.len() {
        accumulator.insert(&bytes[..length]);
        if length % 3 == 0 {
            accumulator.remove(&bytes[..length / 2]);
        }
    }
    accumulator.finish()
}

/// For C: checks and prints the backends.
#[no_mangle]
pub extern "C" fn consumer_check() {
    println!("backends: {}", check());
}
