//! The bytes of a state (docs/STATE.md).

use super::{DecodeError, Fingerprint, Hash, Records, State};
use crate::{Guarded, LtHash};
use alloc::vec::Vec;

const DELIMITED: u8 = 0;
const LENGTH_PREFIXED: u8 = 1;
const KEY_VALUE: u8 = 2;
const ROWS: u8 = 3;

/// The version of the normal form that rows are in.
const ROWS_VERSION: u8 = 1;

/// The bytes before the hash, and those of the integrity check.
const HEADER: usize = 64;
const CHECK: usize = blake3::OUT_LEN;

impl State {
    /// The first bytes of every state. No text begins so, and a translation of newlines changes them.
    pub const MAGIC: [u8; 8] = *b"\x89LtHash\n";

    /// The length of the longest state.
    pub const MAX_BYTES: usize = HEADER + Guarded::BYTES + CHECK;

    /// The state as bytes to store: 2160, or 2144 without a guard.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let (kind, detail) = match self.kind {
            Records::Delimited(delimiter) => (DELIMITED, delimiter),
            Records::LengthPrefixed => (LENGTH_PREFIXED, 0),
            Records::KeyValue => (KEY_VALUE, 0),
            Records::Rows => (ROWS, ROWS_VERSION),
        };
        let fingerprint = self.key.map_or([0; 32], |Fingerprint(bytes)| bytes);
        let mut bytes = Vec::with_capacity(Self::MAX_BYTES);
        bytes.extend(Self::MAGIC);
        bytes.extend(self.version().to_le_bytes());
        bytes.extend([kind, detail, u8::from(self.key.is_some()), 0]);
        bytes.extend(fingerprint);
        bytes.extend(self.records.to_le_bytes());
        bytes.extend(self.bytes.to_le_bytes());
        match &self.hash {
            Hash::Bare(hash) => bytes.extend(hash.to_bytes()),
            Hash::Guarded(guarded) => bytes.extend(guarded.to_bytes()),
        }
        let check = blake3::hash(&bytes);
        bytes.extend(check.as_bytes());
        bytes
    }

    /// The state that these bytes stand for, of either version of the format.
    ///
    /// # Errors
    ///
    /// If they are not a state's, or the state is damaged or of a version that this crate does not know.
    pub fn from_bytes(bytes: &[u8]) -> Result<State, DecodeError> {
        let Some(after_magic) = bytes.strip_prefix(&Self::MAGIC) else {
            return Err(DecodeError::not_a_state(bytes, Self::MAGIC));
        };
        // The first length that a state may have, until its version says which.
        let mut expected = Self::MAGIC.len() + size_of::<u32>();
        let truncated = |expected| DecodeError::Length {
            expected,
            actual: bytes.len(),
        };
        let mut fields = Fields(after_magic);
        let version = fields.take().map(u32::from_le_bytes);
        let hash_length = match version.ok_or_else(|| truncated(expected))? {
            1 => LtHash::BYTES,
            2 => Guarded::BYTES,
            version => return Err(DecodeError::Version(version)),
        };
        expected = HEADER + hash_length + CHECK;
        if bytes.len() != expected {
            return Err(truncated(expected));
        }
        let (checked, recorded) = bytes.split_at(HEADER + hash_length);
        let found = blake3::hash(checked);
        if found.as_bytes() != recorded {
            return Err(DecodeError::Damaged);
        }

        let mut field = || fields.take().ok_or_else(|| truncated(expected));
        let [kind, detail, keyed, reserved] = field()?;
        let kind = match (kind, detail) {
            (DELIMITED, delimiter) => Records::Delimited(delimiter),
            (LENGTH_PREFIXED, 0) => Records::LengthPrefixed,
            (KEY_VALUE, 0) => Records::KeyValue,
            (ROWS, ROWS_VERSION) if hash_length == Guarded::BYTES => Records::Rows,
            _ => return Err(DecodeError::Records(kind, detail)),
        };
        let fingerprint = fields.take().ok_or_else(|| truncated(expected))?;
        let key = match (keyed, reserved) {
            (0, 0) if fingerprint == [0; 32] => None,
            (1, 0) => Some(Fingerprint(fingerprint)),
            _ => return Err(DecodeError::Key(keyed, reserved)),
        };
        let mut count = || fields.take().map(i64::from_le_bytes);
        let counts = count().zip(count()).ok_or_else(|| truncated(expected))?;
        let hash = &checked[HEADER..];
        let hash = match hash.try_into() {
            Ok(guarded) => Hash::Guarded(Guarded::from_bytes(guarded).into()),
            Err(_) => match hash.try_into() {
                Ok(bare) => Hash::Bare(LtHash::from_bytes(bare).into()),
                Err(_) => return Err(truncated(expected)),
            },
        };
        Ok(State {
            kind,
            key,
            records: counts.0,
            bytes: counts.1,
            hash,
        })
    }
}

/// The fields that are yet to be read.
struct Fields<'a>(&'a [u8]);

impl Fields<'_> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (field, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*field)
    }
}
