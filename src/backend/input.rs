//! What the kernels of a backend work on.

/// BLAKE3's modes that element hashes come in.
#[derive(Clone, Copy)]
pub(crate) enum Mode<'k> {
    Hash,
    KeyedHash(&'k [u8; 32]),
}

impl Mode<'_> {
    pub(crate) fn hasher(self) -> blake3::Hasher {
        match self {
            Mode::Hash => blake3::Hasher::new(),
            Mode::KeyedHash(key) => blake3::Hasher::new_keyed(key),
        }
    }

    pub(crate) fn hazmat(&self) -> blake3::hazmat::Mode<'_> {
        match self {
            Mode::Hash => blake3::hazmat::Mode::Hash,
            Mode::KeyedHash(key) => blake3::hazmat::Mode::KeyedHash(key),
        }
    }
}

/// What an expansion starts from.
#[derive(Clone, Copy)]
pub(crate) enum Input<'a> {
    /// A whole element.
    Element(&'a [u8]),
    /// The chaining values of the left and the right half of an element of more than one chunk.
    Parent(&'a [blake3::hazmat::ChainingValue; 2]),
}

/// Whether an element is added to a set or taken out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Mix {
    In,
    Out,
}

impl Mix {
    /// Mixes an element's guard into a multiset's.
    #[inline]
    pub(crate) fn guard(self, guard: &mut u128, element: u128) {
        *guard = match self {
            Mix::In => guard.wrapping_add(element),
            Mix::Out => guard.wrapping_sub(element),
        };
    }
}

/// An input of a batch, and of which group if there are several.
#[derive(Clone, Copy)]
pub(crate) struct Staged<'a, G = ()> {
    pub(crate) input: Input<'a>,
    pub(crate) mix: Mix,
    pub(crate) group: G,
}
