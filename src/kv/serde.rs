//! [`Delta`] in serde's formats: a struct of its fields (feature `serde`).

use super::Delta;
use ::serde::de::{Deserialize, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use ::serde::ser::{Serialize, SerializeStruct, Serializer};
use core::fmt;

const FIELDS: &[&str] = &["hash", "keys", "bytes"];

impl Serialize for Delta {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Delta", FIELDS.len())?;
        fields.serialize_field("hash", &self.hash)?;
        fields.serialize_field("keys", &self.keys)?;
        fields.serialize_field("bytes", &self.bytes)?;
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
        f.write_str("a delta: hash, keys and bytes")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut fields: A) -> Result<Delta, A::Error> {
        let missing = |index| A::Error::invalid_length(index, &self);
        Ok(Delta {
            hash: fields.next_element()?.ok_or_else(|| missing(0))?,
            keys: fields.next_element()?.ok_or_else(|| missing(1))?,
            bytes: fields.next_element()?.ok_or_else(|| missing(2))?,
        })
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Delta, A::Error> {
        let (mut hash, mut keys, mut bytes) = (None, None, None);
        while let Some(name) = fields.next_key()? {
            match name {
                Name::Hash => set(&mut hash, "hash", fields.next_value()?)?,
                Name::Keys => set(&mut keys, "keys", fields.next_value()?)?,
                Name::Bytes => set(&mut bytes, "bytes", fields.next_value()?)?,
                // As derived code does, so that a later version may have more fields.
                Name::Other => drop(fields.next_value::<IgnoredAny>()?),
            }
        }
        Ok(Delta {
            hash: hash.ok_or_else(|| A::Error::missing_field("hash"))?,
            keys: keys.ok_or_else(|| A::Error::missing_field("keys"))?,
            bytes: bytes.ok_or_else(|| A::Error::missing_field("bytes"))?,
        })
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
                    _ => Name::Other,
                })
            }
        }

        deserializer.deserialize_identifier(Text)
    }
}
