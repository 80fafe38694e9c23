//! [`Delta`] in serde's formats: a struct of its fields (feature `serde`).

use super::{Delta, Hashed};
use crate::hex::serde::deserialize_text_or_bytes;
use crate::serde::Array;
use crate::{Guarded, LtHash, hex};
use ::serde::de::{Deserialize, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use ::serde::ser::{Serialize, SerializeStruct, Serializer};
use core::fmt;

const FIELDS: &[&str] = &["hash", "keys", "bytes", "guard"];

impl Serialize for Delta {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Delta", FIELDS.len())?;
        fields.serialize_field("hash", &self.hash)?;
        fields.serialize_field("keys", &self.keys)?;
        fields.serialize_field("bytes", &self.bytes)?;
        let guard = self.guarded().map(|guarded| Guard(guarded.guard()));
        fields.serialize_field("guard", &guard)?;
        fields.end()
    }
}

impl<'de> Deserialize<'de> for Delta {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Delta, D::Error> {
        deserializer.deserialize_struct("Delta", FIELDS, Fields)
    }
}

/// Reads a delta's fields, by name or in order.
struct Fields;

impl<'de> Visitor<'de> for Fields {
    type Value = Delta;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a delta: hash, keys, bytes and guard")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut fields: A) -> Result<Delta, A::Error> {
        let missing = |index| A::Error::invalid_length(index, &self);
        let hash = fields.next_element()?.ok_or_else(|| missing(0))?;
        let keys = fields.next_element()?.ok_or_else(|| missing(1))?;
        let bytes = fields.next_element()?.ok_or_else(|| missing(2))?;
        let guard = fields.next_element()?.ok_or_else(|| missing(3))?;
        Ok(delta(hash, keys, bytes, guard))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Delta, A::Error> {
        let (mut hash, mut keys, mut bytes, mut guard) = (None, None, None, None);
        while let Some(name) = fields.next_key()? {
            match name {
                Name::Hash => set(&mut hash, "hash", fields.next_value()?)?,
                Name::Keys => set(&mut keys, "keys", fields.next_value()?)?,
                Name::Bytes => set(&mut bytes, "bytes", fields.next_value()?)?,
                Name::Guard => set(&mut guard, "guard", fields.next_value()?)?,
                // As derived code does, so that a later version may have more fields.
                Name::Other => drop(fields.next_value::<IgnoredAny>()?),
            }
        }
        let hash = hash.ok_or_else(|| A::Error::missing_field("hash"))?;
        let keys = keys.ok_or_else(|| A::Error::missing_field("keys"))?;
        let bytes = bytes.ok_or_else(|| A::Error::missing_field("bytes"))?;
        Ok(delta(hash, keys, bytes, guard.flatten()))
    }
}

fn delta(hash: LtHash, keys: i64, bytes: i64, guard: Option<Guard>) -> Delta {
    let guarded = guard.map(|Guard(guard)| Guarded::from_parts(hash.clone(), guard));
    Delta {
        hash,
        keys,
        bytes,
        hashed: Hashed::new(guarded),
    }
}

/// A guard, as its 16 bytes are written.
struct Guard(u128);

impl Serialize for Guard {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        hex::serde::serialize(&self.0.to_le_bytes(), serializer)
    }
}

impl<'de> Deserialize<'de> for Guard {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Guard, D::Error> {
        deserialize_text_or_bytes(deserializer, Array)
            .map(|bytes| Guard(u128::from_le_bytes(bytes)))
    }
}

fn set<T, E: Error>(field: &mut Option<T>, name: &'static str, value: T) -> Result<(), E> {
    match field.replace(value) {
        None => Ok(()),
        Some(_) => Err(E::duplicate_field(name)),
    }
}

/// A field's name.
enum Name {
    Hash,
    Keys,
    Bytes,
    Guard,
    Other,
}

impl<'de> Deserialize<'de> for Name {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Name, D::Error> {
        struct Text;

        impl Visitor<'_> for Text {
            type Value = Name;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a field's name")
            }

            fn visit_str<E: Error>(self, name: &str) -> Result<Name, E> {
                Ok(match name {
                    "hash" => Name::Hash,
                    "keys" => Name::Keys,
                    "bytes" => Name::Bytes,
                    "guard" => Name::Guard,
                    _ => Name::Other,
                })
            }
        }

        deserializer.deserialize_identifier(Text)
    }
}
