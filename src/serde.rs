//! [`LtHash`] and [`Checksum`] in serde's formats: hex where people read it, bytes elsewhere (feature `serde`).

use crate::{Checksum, LtHash, hex};
use ::serde::de::{Deserialize, Deserializer, Error, Visitor};
use ::serde::ser::{Serialize, Serializer};
use core::fmt;

impl Serialize for LtHash {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize(&self.to_bytes(), serializer)
    }
}

impl<'de> Deserialize<'de> for LtHash {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<LtHash, D::Error> {
        deserialize(deserializer).map(|bytes| LtHash::from_bytes(&bytes))
    }
}

impl Serialize for Checksum {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize(&self.0, serializer)
    }
}

impl<'de> Deserialize<'de> for Checksum {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Checksum, D::Error> {
        deserialize(deserializer).map(Checksum)
    }
}

fn serialize<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
    if serializer.is_human_readable() {
        serializer.serialize_str(&hex::encode(bytes))
    } else {
        serializer.serialize_bytes(bytes)
    }
}

fn deserialize<'de, const N: usize, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<[u8; N], D::Error> {
    if deserializer.is_human_readable() {
        deserializer.deserialize_str(Array)
    } else {
        deserializer.deserialize_bytes(Array)
    }
}

/// Reads `N` bytes.
struct Array<const N: usize>;

impl<const N: usize> Visitor<'_> for Array<N> {
    type Value = [u8; N];

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{N} bytes or {} hex digits", 2 * N)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<[u8; N], E> {
        let mut bytes = [0; N];
        match hex::decode_to_slice(text, &mut bytes) {
            Ok(()) => Ok(bytes),
            Err(hex::Error::Length { .. }) => Err(E::invalid_length(text.len(), &self)),
            Err(error) => Err(E::custom(error)),
        }
    }

    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<[u8; N], E> {
        bytes
            .try_into()
            .map_err(|_| E::invalid_length(bytes.len(), &self))
    }
}
