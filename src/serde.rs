//! [`LtHash`], [`Guarded`] and [`Checksum`] in serde's formats: hex in human-readable formats, bytes in others
//! (feature `serde`).

use crate::hex::serde::deserialize_text_or_bytes;
use crate::{Checksum, Guarded, LtHash, hex};
use ::serde::de::{Deserialize, Deserializer, Error, Visitor};
use ::serde::ser::{Serialize, Serializer};
use core::fmt;

impl Serialize for LtHash {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        hex::serde::serialize(&self.to_bytes(), serializer)
    }
}

impl<'de> Deserialize<'de> for LtHash {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<LtHash, D::Error> {
        deserialize_text_or_bytes(deserializer, Array).map(|bytes| LtHash::from_bytes(&bytes))
    }
}

impl Serialize for Guarded {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        hex::serde::serialize(&self.to_bytes(), serializer)
    }
}

impl<'de> Deserialize<'de> for Guarded {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Guarded, D::Error> {
        deserialize_text_or_bytes(deserializer, Array).map(|bytes| Guarded::from_bytes(&bytes))
    }
}

impl Serialize for Checksum {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        hex::serde::serialize(&self.0, serializer)
    }
}

impl<'de> Deserialize<'de> for Checksum {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Checksum, D::Error> {
        deserialize_text_or_bytes(deserializer, Array).map(Checksum)
    }
}

/// Reads `N` bytes.
pub(crate) struct Array<const N: usize>;

impl<const N: usize> Visitor<'_> for Array<N> {
    type Value = [u8; N];

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{N} bytes or {} hex digits", 2 * N)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<[u8; N], E> {
        hex::to_array(text).map_err(|error| match error {
            hex::Error::Length { .. } => E::invalid_length(text.len(), &self),
            error => E::custom(error),
        })
    }

    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<[u8; N], E> {
        bytes
            .try_into()
            .map_err(|_| E::invalid_length(bytes.len(), &self))
    }
}
