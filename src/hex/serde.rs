//! Bytes in serde's formats: digits where people read it, bytes elsewhere (feature `serde`).
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

use super::Error;
use ::serde::de::{self, Deserializer, Visitor};
use ::serde::ser::Serializer;
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
}

fn serialize_with<S: Serializer>(
    bytes: &[u8],
    serializer: S,
    encode: fn(&[u8]) -> String,
) -> Result<S::Ok, S::Error> {
    if serializer.is_human_readable() {
        serializer.serialize_str(&encode(bytes))
    } else {
        serializer.serialize_bytes(bytes)
    }
}

type Decode = fn(&str) -> Result<Vec<u8>, Error>;

fn deserialize_with<'de, T, D>(deserializer: D, decode: Decode) -> Result<T, D::Error>
where
    T: TryFrom<Vec<u8>>,
    D: Deserializer<'de>,
{
    let is_text = deserializer.is_human_readable();
    let bytes = Bytes {
        decode,
        of: PhantomData,
    };
    if is_text {
        deserializer.deserialize_str(bytes)
    } else {
        deserializer.deserialize_byte_buf(bytes)
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
