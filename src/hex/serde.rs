//! Bytes in serde's formats: digits in human-readable formats, bytes in others (feature `serde`).
//!
//! For anything that gives its bytes and is made from a `Vec<u8>`, arrays among them:
//!
//! ```
//! #[derive(serde::Serialize, serde::Deserialize)]
//! struct Block {
//!     #[serde(with = "lthash::hex::serde")]
//!     hash: [u8; 4],
//!     #[serde(with = "lthash::hex::serde::prefixed")]
//!     data: Vec<u8>,
//! }
//!
//! let text = r#"{"hash":"deadbeef","data":"0x01"}"#;
//! let block: Block = serde_json::from_str(text).unwrap();
//! assert_eq!(block.hash, [0xde, 0xad, 0xbe, 0xef]);
//! assert_eq!(serde_json::to_string(&block).unwrap(), text);
//! ```
//!
//! [`option`] and [`prefixed::option`] are for an `Option` of such a type.
//!
//! Inside `#[serde(flatten)]` and tagged or untagged enums, serde buffers values and does not pass on whether the format is
//! human-readable. There, both digits and bytes are read, whichever the format has. Formats that do not describe themselves, such as
//! postcard and bincode, cannot read such types at all.

use super::error::Error;
use ::serde::de::{self, Deserializer, Visitor};
use ::serde::ser::{Serialize, Serializer};
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;

/// Writes bytes as lower-case digits, or as bytes in a binary format.
///
/// # Errors
///
/// The format's own.
pub fn serialize<T, S>(bytes: &T, serializer: S) -> Result<S::Ok, S::Error>
where
    T: AsRef<[u8]> + ?Sized,
    S: Serializer,
{
    serialize_with(bytes.as_ref(), serializer, |bytes| super::encode(bytes))
}

/// Reads digits of either case, or bytes in a binary format.
///
/// # Errors
///
/// If the text is not such digits, if `T` has another length, and the format's own.
pub fn deserialize<'de, T, D>(deserializer: D) -> Result<T, D::Error>
where
    T: TryFrom<Vec<u8>>,
    D: Deserializer<'de>,
{
    deserialize_with(deserializer, |text| super::decode(text))
}

/// The same for an `Option`: `None` is the format's own null. (Under `#[serde(default)]` a field may also be absent.)
///
/// ```
/// #[derive(serde::Serialize, serde::Deserialize)]
/// struct Block {
///     #[serde(with = "lthash::hex::serde::option", default, skip_serializing_if = "Option::is_none")]
///     parent: Option<[u8; 4]>,
/// }
///
/// for (text, parent) in [(r#"{"parent":"deadbeef"}"#, Some([0xde, 0xad, 0xbe, 0xef])), ("{}", None)] {
///     let block: Block = serde_json::from_str(text).unwrap();
///     assert_eq!(block.parent, parent);
///     assert_eq!(serde_json::to_string(&block).unwrap(), text);
/// }
/// ```
pub mod option {
    use super::*;

    /// Writes bytes, if there are any, as [`serialize`](super::serialize) does, else null.
    ///
    /// # Errors
    ///
    /// The format's own.
    pub fn serialize<T, S>(bytes: &Option<T>, serializer: S) -> Result<S::Ok, S::Error>
    where
        T: AsRef<[u8]>,
        S: Serializer,
    {
        serialize_option(bytes, serializer, |bytes| crate::hex::encode(bytes))
    }

    /// Reads null, or what [`deserialize`](super::deserialize) reads.
    ///
    /// # Errors
    ///
    /// As [`deserialize`](super::deserialize).
    pub fn deserialize<'de, T, D>(deserializer: D) -> Result<Option<T>, D::Error>
    where
        T: TryFrom<Vec<u8>>,
        D: Deserializer<'de>,
    {
        deserializer.deserialize_option(OptionOf(bytes(|text| crate::hex::decode(text))))
    }
}

/// The same, with `0x` before the digits.
pub mod prefixed {
    use super::*;

    /// Writes bytes as `0x` and lower-case digits, or as bytes in a binary format.
    ///
    /// # Errors
    ///
    /// The format's own.
    pub fn serialize<T, S>(bytes: &T, serializer: S) -> Result<S::Ok, S::Error>
    where
        T: AsRef<[u8]> + ?Sized,
        S: Serializer,
    {
        serialize_with(bytes.as_ref(), serializer, |bytes| {
            crate::hex::encode_prefixed(bytes)
        })
    }

    /// Reads `0x` and digits of either case, or bytes in a binary format.
    ///
    /// # Errors
    ///
    /// If the text is not that, if `T` has another length, and the format's own.
    pub fn deserialize<'de, T, D>(deserializer: D) -> Result<T, D::Error>
    where
        T: TryFrom<Vec<u8>>,
        D: Deserializer<'de>,
    {
        deserialize_with(deserializer, |text| crate::hex::decode_prefixed(text))
    }

    /// The same for an `Option`: `None` is the format's own null.
    pub mod option {
        use super::*;

        /// Writes bytes, if there are any, as [`serialize`](super::serialize) does, else null.
        ///
        /// # Errors
        ///
        /// The format's own.
        pub fn serialize<T, S>(bytes: &Option<T>, serializer: S) -> Result<S::Ok, S::Error>
        where
            T: AsRef<[u8]>,
            S: Serializer,
        {
            serialize_option(bytes, serializer, |bytes| {
                crate::hex::encode_prefixed(bytes)
            })
        }

        /// Reads null, or what [`deserialize`](super::deserialize) reads.
        ///
        /// # Errors
        ///
        /// As [`deserialize`](super::deserialize).
        pub fn deserialize<'de, T, D>(deserializer: D) -> Result<Option<T>, D::Error>
        where
            T: TryFrom<Vec<u8>>,
            D: Deserializer<'de>,
        {
            deserializer
                .deserialize_option(OptionOf(bytes(|text| crate::hex::decode_prefixed(text))))
        }
    }
}

type Encode = fn(&[u8]) -> String;

fn serialize_with<S: Serializer>(
    bytes: &[u8],
    serializer: S,
    encode: Encode,
) -> Result<S::Ok, S::Error> {
    if serializer.is_human_readable() {
        serializer.serialize_str(&encode(bytes))
    } else {
        serializer.serialize_bytes(bytes)
    }
}

fn serialize_option<T: AsRef<[u8]>, S: Serializer>(
    bytes: &Option<T>,
    serializer: S,
    encode: Encode,
) -> Result<S::Ok, S::Error> {
    struct Encoded<'a>(&'a [u8], Encode);

    impl Serialize for Encoded<'_> {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serialize_with(self.0, serializer, self.1)
        }
    }

    match bytes {
        Some(bytes) => serializer.serialize_some(&Encoded(bytes.as_ref(), encode)),
        None => serializer.serialize_none(),
    }
}

type Decode = fn(&str) -> Result<Vec<u8>, Error>;

fn deserialize_with<'de, T, D>(deserializer: D, decode: Decode) -> Result<T, D::Error>
where
    T: TryFrom<Vec<u8>>,
    D: Deserializer<'de>,
{
    deserialize_text_or_bytes(deserializer, bytes(decode))
}

/// Asks for text in human-readable formats, for bytes in others. (It asks for owned bytes, because some formats lend no more bytes than
/// a buffer of theirs holds.)
pub(crate) fn deserialize_text_or_bytes<'de, D: Deserializer<'de>, V: Visitor<'de>>(
    deserializer: D,
    visitor: V,
) -> Result<V::Value, D::Error> {
    if deserializer.is_human_readable() {
        deserializer.deserialize_str(visitor)
    } else {
        deserializer.deserialize_byte_buf(visitor)
    }
}

fn bytes<T>(decode: Decode) -> Bytes<T> {
    Bytes {
        decode,
        of: PhantomData,
    }
}

/// Reads bytes, or text that decodes to bytes, and makes a `T` of them.
struct Bytes<T> {
    decode: Decode,
    of: PhantomData<T>,
}

impl<T: TryFrom<Vec<u8>>> Visitor<'_> for Bytes<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("bytes or hex digits, as many as the type has")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<T, E> {
        let bytes = (self.decode)(text).map_err(E::custom)?;
        self.visit_byte_buf(bytes)
    }

    fn visit_bytes<E: de::Error>(self, bytes: &[u8]) -> Result<T, E> {
        self.visit_byte_buf(bytes.into())
    }

    fn visit_byte_buf<E: de::Error>(self, bytes: Vec<u8>) -> Result<T, E> {
        let length = bytes.len();
        T::try_from(bytes).map_err(|_| E::invalid_length(length, &self))
    }
}

/// Reads null, or what [`Bytes`] reads.
struct OptionOf<T>(Bytes<T>);

impl<'de, T: TryFrom<Vec<u8>>> Visitor<'de> for OptionOf<T> {
    type Value = Option<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.expecting(f)
    }

    fn visit_none<E: de::Error>(self) -> Result<Option<T>, E> {
        Ok(None)
    }

    fn visit_unit<E: de::Error>(self) -> Result<Option<T>, E> {
        Ok(None)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Option<T>, D::Error> {
        deserialize_text_or_bytes(deserializer, self.0).map(Some)
    }
}
