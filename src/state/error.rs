//! Why bytes cannot be read as a state, and why two states cannot be merged or compared.

use super::fingerprint::Fingerprint;
use super::records::Records;
use crate::hex;
use core::fmt;

/// Why bytes cannot be read as a state.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DecodeError {
    /// They do not begin as a state does.
    NotAState {
        /// The first bytes of a state.
        expected: [u8; 8],
        /// The first of these bytes, and how many of the eight there are.
        actual: ([u8; 8], usize),
    },
    /// This crate does not know their version.
    Version(u32),
    /// A state of their version has another length.
    Length {
        /// The length that a state has, at least.
        expected: usize,
        /// Their length.
        actual: usize,
    },
    /// The integrity check fails: they are not what was written.
    Damaged,
    /// The kind of records or the byte after it is unknown.
    Records(u8, u8),
    /// The bytes that say whether there is a key are unknown.
    Key(u8, u8),
}

impl DecodeError {
    pub(super) fn not_a_state(bytes: &[u8], expected: [u8; 8]) -> DecodeError {
        let length = bytes.len().min(expected.len());
        let mut beginning = [0; 8];
        beginning[..length].copy_from_slice(&bytes[..length]);
        DecodeError::NotAState {
            expected,
            actual: (beginning, length),
        }
    }
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DecodeError::NotAState { expected, actual } => {
                let (bytes, length) = actual;
                let found = hex::display(&bytes[..*length]);
                let expected = hex::display(expected);
                write!(
                    f,
                    "not a state of lthash: begins with \"{found}\", expected {expected}"
                )
            }
            DecodeError::Version(version) => write!(
                f,
                "a state in format version {version}: versions 1 and 2 can be read"
            ),
            DecodeError::Length { expected, actual } if actual < expected => {
                write!(f, "truncated: {actual} bytes, expected {expected}")
            }
            DecodeError::Length { expected, actual } => {
                write!(f, "damaged: {actual} bytes, expected {expected}")
            }
            DecodeError::Damaged => {
                f.write_str("damaged: the integrity check is not that of the bytes before it")
            }
            DecodeError::Records(kind, detail) => {
                write!(f, "unknown kind of records: {kind}, {detail}")
            }
            DecodeError::Key(keyed, reserved) => {
                write!(f, "unknown flags of the key: {keyed}, {reserved}")
            }
        }
    }
}

impl core::error::Error for DecodeError {}

/// Why two states cannot be merged or compared, or why a multiset cannot be added to a state.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MergeError {
    /// They hold records of these different kinds.
    Records(Records, Records),
    /// Their records are hashed under these different keys.
    Key(Option<Fingerprint>, Option<Fingerprint>),
    /// A count of records or bytes does not fit 64 bits.
    Count,
}

impl fmt::Display for MergeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MergeError::Records(one, other) => {
                write!(f, "different kinds of records: {one} and {other}")
            }
            MergeError::Key(one, other) => {
                write!(f, "different keys: {} and {}", Key(*one), Key(*other))
            }
            MergeError::Count => f.write_str("a count of records or bytes does not fit 64 bits"),
        }
    }
}

impl core::error::Error for MergeError {}

/// A key in an error.
struct Key(Option<Fingerprint>);

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            None => f.write_str("none"),
            Some(fingerprint) => fingerprint.fmt(f),
        }
    }
}
