//! For all tests: the backends to test, and expected values from the `blake3` crate.
#![allow(dead_code, reason = "each test file uses its own part")]

use lthash::{Backend, Kernels};
use std::io::Write;
use std::sync::OnceLock;

/// The available backends' kernels, in all their forms. Each test binary prints their names once.
///
/// # Panics
///
/// If `LTHASH_REQUIRE`, a comma-separated list, names a backend that is not among them.
pub fn backends() -> &'static [&'static Kernels] {
    static BACKENDS: OnceLock<Vec<&Kernels>> = OnceLock::new();
    BACKENDS.get_or_init(|| {
        let backends: Vec<&Kernels> = Backend::available().flat_map(Backend::forms).collect();
        let tested: Vec<String> = backends.iter().map(|kernels| name(kernels)).collect();
        say(&format!("backends tested: {}", tested.join(", ")));
        let names: Vec<&str> = Backend::available().map(Backend::name).collect();
        let required = std::env::var("LTHASH_REQUIRE").unwrap_or_default();
        for name in required.split(',').filter(|name| !name.is_empty()) {
            assert!(
                names.contains(&name),
                "LTHASH_REQUIRE names {name}, which is not available here: available are {}",
                names.join(", ")
            );
        }
        backends
    })
}

/// A backend's name, with its form if it has several.
fn name(kernels: &Kernels) -> String {
    let name = kernels.backend().name();
    match kernels.form() {
        Some(form) => format!("{name} {form}"),
        None => name.into(),
    }
}

/// Prints what cannot be tested here, so that a test that is skipped does not look like one that passed.
pub fn not_tested(what: &str) {
    say(&format!("NOT TESTED: {what}"));
}

fn say(line: &str) {
    // Not by a macro, since the test harness captures a macro's output. First a line break: the harness may be within a line.
    let line = format!("\n{line}\n");
    std::io::stderr().write_all(line.as_bytes()).unwrap();
}

/// Limbs and a guard as the tests compute them, with the `blake3` crate and plain loops.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    limbs: Box<[u16; 1024]>,
    guard: u128,
}

impl Reference {
    pub fn new() -> Reference {
        Reference {
            limbs: Box::new([0; 1024]),
            guard: 0,
        }
    }

    /// An element's, keyed if there is a key.
    pub fn of(key: Option<&[u8; 32]>, element: &[u8]) -> Reference {
        let mut hasher = key.map_or_else(blake3::Hasher::new, blake3::Hasher::new_keyed);
        Reference::from_output(hasher.update(element).finalize_xof())
    }

    /// Those of BLAKE3's output for an element.
    pub fn from_output(mut output: blake3::OutputReader) -> Reference {
        let mut bytes = [0; 2048];
        output.fill(&mut bytes);
        let mut reference = Reference::new();
        for (limb, bytes) in reference.limbs.iter_mut().zip(bytes.chunks_exact(2)) {
            *limb = u16::from_le_bytes([bytes[0], bytes[1]]);
        }
        reference.guard = u128::from_le_bytes(bytes[..16].try_into().unwrap());
        reference
    }

    /// The sum of elements'.
    pub fn sum<T: AsRef<[u8]>>(elements: impl IntoIterator<Item = T>) -> Reference {
        let mut sum = Reference::new();
        for element in elements {
            sum.add(&Reference::of(None, element.as_ref()), 1);
        }
        sum
    }

    /// Adds `other` this many times, or subtracts it if that is negative.
    pub fn add(&mut self, other: &Reference, times: i32) {
        for (limb, other) in self.limbs.iter_mut().zip(other.limbs.iter()) {
            *limb = limb.wrapping_add(other.wrapping_mul(times as u16));
        }
        let guard = other.guard.wrapping_mul(times as u128);
        self.guard = self.guard.wrapping_add(guard);
    }

    /// The limbs' bytes, little-endian.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.limbs
            .iter()
            .flat_map(|limb| limb.to_le_bytes())
            .collect()
    }
}

impl PartialEq<[u16; 1024]> for Reference {
    fn eq(&self, limbs: &[u16; 1024]) -> bool {
        *self.limbs == *limbs
    }
}

impl PartialEq<Reference> for lthash::LtHash {
    fn eq(&self, reference: &Reference) -> bool {
        *self.limbs() == *reference.limbs
    }
}

/// With its guard, which there has to be.
impl PartialEq<Reference> for Option<lthash::Guarded> {
    fn eq(&self, reference: &Reference) -> bool {
        self.as_ref().is_some_and(|guarded| {
            guarded.hash() == reference && guarded.guard() == reference.guard
        })
    }
}

/// The first `length` bytes of BLAKE3's output for a label and an index, the rule that tests/vectors use for inputs.
pub fn generated(label: &str, index: u32, length: usize) -> Vec<u8> {
    let mut bytes = vec![0; length];
    blake3::Hasher::new()
        .update(label.as_bytes())
        .update(&index.to_le_bytes())
        .finalize_xof()
        .fill(&mut bytes);
    bytes
}
