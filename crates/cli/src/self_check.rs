//! `lthash backends --check`: a backend against published values and against the `blake3` crate.

use anyhow::{Result, ensure};
use lthash::{Accumulator, Backend, Checksum, Kernels, LtHash};
use std::fmt;
use std::time::{Duration, Instant};

/// Checksums that the published crate solana-lattice-hash 4.4.0 computes of single messages: each is the first so many
/// bytes of `random("msg", length)`.
const MESSAGES: [(u32, &str); 5] = [
    (
        63,
        "266109e47d8fc9782229239e50da5826cc10d88e24b8d5ebd80c47b69b74d4a6",
    ),
    (
        65,
        "8b6dbb3dcd96f634f7df421282e9b6e91a611bfd1492451af17fcc12d3568786",
    ),
    (
        1024,
        "3ea1131cbcd7701d3d2800ed765452ae213d10c02b937fef049fbce4c8d66225",
    ),
    (
        2048,
        "fc946d53b9e22aca874a257348d1ee955d8d7865238b1522547136b59607a0ce",
    ),
    (
        5000,
        "440f8ac2dd02a834ef4c5f9b8245f0ea145a0d8f9a85c9928b94da4058b016bf",
    ),
];

/// The same crate's checksum of the multiset of `hello` and `world!`.
const HELLO_WORLD: &str = "2373c49a9c365a1d6ccaf3a8e6e84570b901cd342e3980f4568ba269ad508b09";
/// The same crate's checksum of the empty multiset less `hello`.
const MINUS_HELLO: &str = "3ec0db392f305ec8f1abcb3d02930e13d36a57f7c7f0c4a611f70752c861dddc";

/// How long random multisets are compared.
const COMPARING: Duration = Duration::from_secs(1);
const LONGEST_ELEMENT: u32 = 5000;

/// What a check found in order.
pub struct Report {
    values: usize,
    elements: usize,
    one_at_a_time: Duration,
    in_batches: Duration,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} published values and {} random elements right; 64 bytes: {} ns an element in batches, {} ns one at a time",
            self.values,
            self.elements,
            self.in_batches.as_nanos(),
            self.one_at_a_time.as_nanos()
        )
    }
}

/// Checks a backend and measures it.
pub fn run(backend: Backend) -> Result<Report> {
    let kernels = backend.kernels()?;
    Ok(Report {
        values: published_values(kernels)?,
        elements: random_multisets(kernels)?,
        one_at_a_time: fastest_per_element(|elements| {
            let mut hash = LtHash::new();
            for element in elements {
                kernels.add(&mut hash, &kernels.expand(element));
            }
            hash
        }),
        in_batches: fastest_per_element(|elements| {
            let mut accumulator = Accumulator::with_kernels(kernels);
            accumulator.extend(elements);
            accumulator.finish()
        }),
    })
}

fn published_values(kernels: &'static Kernels) -> Result<usize> {
    let check = |name: &str, hash: LtHash, published: &str| -> Result<()> {
        let (found, expected) = (hash.checksum(), published.parse::<Checksum>()?);
        ensure!(
            found == expected,
            "backend {} is wrong: {name} has the checksum {found}, expected {expected}",
            kernels.backend()
        );
        Ok(())
    };
    for (length, published) in MESSAGES {
        let message = random("msg", length, length);
        check(
            &format!("a message of {length} bytes"),
            kernels.expand(&message),
            published,
        )?;
    }
    let mut set = Accumulator::with_kernels(kernels);
    set.extend(["hello", "world!"]);
    check("hello and world!", set.take(), HELLO_WORLD)?;
    set.remove(b"hello");
    check("less hello", set.finish(), MINUS_HELLO)?;
    Ok(MESSAGES.len() + 2)
}

/// Compares multisets of random elements, some of them removed, with the `blake3` crate's output and plain additions.
fn random_multisets(kernels: &'static Kernels) -> Result<usize> {
    const ELEMENTS: u32 = 50;
    let begin = Instant::now();
    let mut compared = 0;
    while begin.elapsed() < COMPARING {
        let mut accumulator = Accumulator::with_kernels(kernels);
        let mut single = LtHash::new();
        let mut expected = [0_u16; LtHash::LIMBS];
        for _ in 0..ELEMENTS {
            let removed = compared % 3 == 0;
            let element = random("difference", compared, random_length(compared));
            let hash = kernels.expand(&element);
            if removed {
                accumulator.remove(&element);
                kernels.sub(&mut single, &hash);
            } else {
                accumulator.insert(&element);
                kernels.add(&mut single, &hash);
            }
            for (sum, limb) in expected.iter_mut().zip(reference(&element)) {
                let limb = if removed { limb.wrapping_neg() } else { limb };
                *sum = sum.wrapping_add(limb);
            }
            compared += 1;
        }
        for (way, hash) in [
            ("in a batch", accumulator.finish()),
            ("one at a time", single),
        ] {
            ensure!(
                *hash.limbs() == expected,
                "backend {} is wrong: random elements {} to {}, hashed {way}, differ from the blake3 crate's output",
                kernels.backend(),
                compared - ELEMENTS,
                compared - 1
            );
        }
    }
    Ok(compared as usize)
}

/// BLAKE3's output for the element, by the `blake3` crate alone.
fn reference(element: &[u8]) -> impl Iterator<Item = u16> {
    let mut output = [0; LtHash::BYTES];
    blake3::Hasher::new()
        .update(element)
        .finalize_xof()
        .fill(&mut output);
    (0..LtHash::LIMBS).map(move |i| u16::from_le_bytes([output[2 * i], output[2 * i + 1]]))
}

/// Half of the lengths are of one chunk, where most of the kernels' work differs.
fn random_length(index: u32) -> u32 {
    let drawn = random("length", index, 4)
        .try_into()
        .map(u32::from_le_bytes)
        .unwrap_or(0);
    let longest = if index % 2 == 0 {
        1024
    } else {
        LONGEST_ELEMENT
    };
    drawn % (longest + 1)
}

/// The first `length` bytes of BLAKE3's output for the label and the index as four little-endian bytes.
fn random(label: &str, index: u32, length: u32) -> Vec<u8> {
    let mut bytes = vec![0; length as usize];
    let mut hasher = blake3::Hasher::new();
    hasher.update(label.as_bytes()).update(&index.to_le_bytes());
    hasher.finalize_xof().fill(&mut bytes);
    bytes
}

/// The time that an element takes in the fastest of several runs over elements of 64 bytes.
fn fastest_per_element(hash: impl Fn(&[[u8; 64]]) -> LtHash) -> Duration {
    const ELEMENTS: u32 = 1000;
    const MEASURING: Duration = Duration::from_millis(200);
    let elements: Vec<[u8; 64]> = (0..ELEMENTS)
        .map(|index| *random("time", index, 64).first_chunk().expect("64 bytes"))
        .collect();
    let begin = Instant::now();
    let mut fastest = Duration::MAX;
    while begin.elapsed() < MEASURING || fastest == Duration::MAX {
        let begin = Instant::now();
        std::hint::black_box(hash(std::hint::black_box(&elements)));
        fastest = fastest.min(begin.elapsed());
    }
    fastest / ELEMENTS
}
