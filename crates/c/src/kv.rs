//! Key-value records, as the flatkv store of Sei's chain hashes them.

use crate::backend::kernels;
use crate::hash::Hash;
use crate::many::{Bytes, accumulator};
use crate::memory;
use crate::status::Status;
use lthash::kv::{self, Mutation as Change};
use std::ffi::c_void;
use std::mem;

/// How much longer a record's element is than its key and its value.
pub const LTHASH_KV_PREFIXES: usize = 8;

/// A change of a key's value. A value that is absent and one that is empty are the same, and nothing is stored under an empty
/// key.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Mutation {
    /// The key.
    pub key: Bytes,
    /// The value from now on; empty if the key is deleted.
    pub value: Bytes,
    /// The value until now; empty if there was none. It has to be right: this library does not know what is stored.
    pub previous: Bytes,
}

impl Mutation {
    /// # Safety
    ///
    /// As [`memory::bytes`].
    unsafe fn get<'a>(&self) -> Result<Change<'a>, Status> {
        // SAFETY: as the caller.
        let [key, value, previous] =
            [self.key, self.value, self.previous].map(|bytes| unsafe { field(bytes) });
        let (value, previous) = (Some(value?), Some(previous?));
        Ok(Change {
            key: key?,
            value,
            previous,
        })
    }
}

/// # Safety
///
/// As [`memory::bytes`].
unsafe fn field<'a>(bytes: Bytes) -> Result<&'a [u8], Status> {
    match u32::try_from(bytes.length) {
        // SAFETY: as the caller.
        Ok(_) => unsafe { bytes.get() },
        Err(_) => Err(Status::TooLong),
    }
}

/// What mutations change. All zeros is no change: `lthash_delta delta = {0};`.
#[repr(C)]
pub struct Delta {
    /// The hash of the records added less that of those removed.
    pub hash: Hash,
    /// The number of records added less that of those removed.
    pub keys: i64,
    /// The lengths of keys and values added less those removed: an update moves it by the values' difference.
    pub bytes: i64,
}

impl Delta {
    fn add(&mut self, keys: i64, bytes: i64) {
        self.keys = self.keys.wrapping_add(keys);
        self.bytes = self.bytes.wrapping_add(bytes);
    }
}

/// Writes a record's element: the key and the value, each preceded by its length, 32 bits little-endian. A record whose key or
/// value is empty has no element.
///
/// `length` holds the size of the room at `element`, and is set to the element's length, or to 0 if there is no element. If the
/// room is too small (it may be 0, with NULL), nothing is written, but `length` is set, and `LTHASH_STATUS_WRONG_SIZE` is
/// returned. The length is `LTHASH_KV_PREFIXES` more than the key's and the value's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lthash_kv_element(
    key: *const c_void,
    key_length: usize,
    value: *const c_void,
    value_length: usize,
    element: *mut u8,
    length: *mut usize,
) -> Status {
    let [key, value] =
        [(key, key_length), (value, value_length)].map(|(data, length)| Bytes { data, length });
    // SAFETY: as the header says of pointers.
    unsafe { write_element(key, value, element, length) }.into()
}

unsafe fn write_element(
    key: Bytes,
    value: Bytes,
    out: *mut u8,
    length: *mut usize,
) -> Result<(), Status> {
    // SAFETY: as the header says of pointers.
    let (key, value, length) = unsafe { (field(key)?, field(value)?, memory::change(length)?) };
    let needed = match key.is_empty() || value.is_empty() {
        true => 0,
        false => LTHASH_KV_PREFIXES + key.len() + value.len(),
    };
    let room = mem::replace(length, needed);
    if room < needed {
        return Err(Status::WrongSize);
    }
    // SAFETY: as above; nothing is read of it, and any memory of C's is some bytes.
    let out = unsafe { memory::bytes_mut(out, needed) }?;
    if let Some(element) = kv::element(key, value) {
        out.copy_from_slice(&element);
    }
    Ok(())
}

/// Adds to `delta` what a changeset changes: an array of `count` mutations, hashed many at a time. `key` is 32 bytes, or NULL for
/// none.
///
/// If a mutation has a wrong pointer or length, nothing is added.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lthash_kv_changeset(
    delta: *mut Delta,
    key: *const u8,
    mutations: *const Mutation,
    count: usize,
) -> Status {
    // SAFETY: as the header says of pointers.
    unsafe { changeset(delta, key, mutations, count) }.into()
}

unsafe fn changeset(
    delta: *mut Delta,
    key: *const u8,
    mutations: *const Mutation,
    count: usize,
) -> Result<(), Status> {
    // SAFETY: as the header says of pointers.
    let (delta, mutations) = unsafe { (memory::change(delta)?, memory::items(mutations, count)?) };
    // SAFETY: as above.
    let mut accumulator = accumulator(unsafe { memory::key(key) });
    let (mut keys, mut bytes) = (0, 0);
    for mutation in mutations {
        // SAFETY: as above.
        let change = accumulator.mutate(&unsafe { mutation.get() }?);
        keys += change.keys;
        bytes += change.bytes;
    }
    delta.hash.mix_in(&accumulator.finish());
    delta.add(keys, bytes);
    Ok(())
}

/// Adds another delta to `delta`. Both may be the same delta.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lthash_delta_add(delta: *mut Delta, other: *const Delta) -> Status {
    // SAFETY: as the header says of pointers.
    unsafe { add(delta, other) }.into()
}

unsafe fn add(delta: *mut Delta, other: *const Delta) -> Result<(), Status> {
    // SAFETY: as the header says of pointers; copied, as they may be one and the same.
    let (limbs, keys, bytes) = unsafe {
        let other = memory::read(other)?;
        (other.hash.limbs, other.keys, other.bytes)
    };
    // SAFETY: as above, and nothing of the other is borrowed any more.
    let delta = unsafe { memory::change(delta) }?;
    kernels().add_limbs(&mut delta.hash.limbs, &limbs);
    delta.add(keys, bytes);
    Ok(())
}
