//! Many elements in one call, read where they are.

use crate::backend::kernels;
use crate::hash::Hash;
use crate::memory::{self, Key};
use crate::status::Status;
use lthash::{Accumulator, LtHash};
use std::ffi::c_void;

/// Bytes of the caller's. NULL with length 0 stands for no bytes.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Bytes {
    /// The first byte.
    pub data: *const c_void,
    /// The number of bytes.
    pub length: usize,
}

impl Bytes {
    /// # Safety
    ///
    /// As [`memory::bytes`].
    pub(crate) unsafe fn get<'a>(self) -> Result<&'a [u8], Status> {
        // SAFETY: as the caller.
        unsafe { memory::bytes(self.data, self.length) }
    }
}

/// Inserts elements, hashed many at a time: an array of `count`. `key` is 32 bytes, or NULL for none.
///
/// If an element has a wrong pointer or length, none is inserted.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lthash_insert_many(
    hash: *mut Hash,
    key: *const u8,
    elements: *const Bytes,
    count: usize,
) -> Status {
    // SAFETY: as the header says of pointers.
    unsafe { mix_many(hash, key, elements, count, Hash::mix_in) }.into()
}

/// Removes elements, as `lthash_insert_many` inserts them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lthash_remove_many(
    hash: *mut Hash,
    key: *const u8,
    elements: *const Bytes,
    count: usize,
) -> Status {
    // SAFETY: as the header says of pointers.
    unsafe { mix_many(hash, key, elements, count, Hash::mix_out) }.into()
}

unsafe fn mix_many(
    hash: *mut Hash,
    key: *const u8,
    elements: *const Bytes,
    count: usize,
    mix: fn(&mut Hash, &LtHash),
) -> Result<(), Status> {
    // SAFETY: as the header says of pointers.
    let (hash, elements) = unsafe { (memory::change(hash)?, memory::items(elements, count)?) };
    for element in elements {
        // SAFETY: as above.
        unsafe { element.get() }?;
    }
    // SAFETY: as above; they are all right.
    let elements = elements
        .iter()
        .map(|element| unsafe { element.get() }.unwrap_or(&[]));
    // SAFETY: as above.
    mix(hash, &sum(unsafe { memory::key(key) }, elements));
    Ok(())
}

/// Inserts elements that are contiguous in memory, hashed many at a time: `count` of these `lengths`. `key` is 32
/// bytes, or NULL for none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lthash_insert_packed(
    hash: *mut Hash,
    key: *const u8,
    elements: *const c_void,
    lengths: *const usize,
    count: usize,
) -> Status {
    // SAFETY: as the header says of pointers.
    unsafe { mix_packed(hash, key, elements, lengths, count, Hash::mix_in) }.into()
}

/// Removes elements, as `lthash_insert_packed` inserts them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lthash_remove_packed(
    hash: *mut Hash,
    key: *const u8,
    elements: *const c_void,
    lengths: *const usize,
    count: usize,
) -> Status {
    // SAFETY: as the header says of pointers.
    unsafe { mix_packed(hash, key, elements, lengths, count, Hash::mix_out) }.into()
}

unsafe fn mix_packed(
    hash: *mut Hash,
    key: *const u8,
    elements: *const c_void,
    lengths: *const usize,
    count: usize,
    mix: fn(&mut Hash, &LtHash),
) -> Result<(), Status> {
    // SAFETY: as the header says of pointers.
    let (hash, lengths) = unsafe { (memory::change(hash)?, memory::items(lengths, count)?) };
    let total = lengths
        .iter()
        .try_fold(0, |sum: usize, &length| sum.checked_add(length));
    // SAFETY: as above.
    let mut rest = unsafe { memory::bytes(elements, total.ok_or(Status::TooLong)?) }?;
    let elements = lengths.iter().map(|&length| {
        let (element, behind) = rest.split_at(length);
        rest = behind;
        element
    });
    // SAFETY: as above.
    mix(hash, &sum(unsafe { memory::key(key) }, elements));
    Ok(())
}

/// The hash of a multiset.
fn sum<'a>(key: Option<&Key>, elements: impl Iterator<Item = &'a [u8]>) -> LtHash {
    let mut accumulator = accumulator(key);
    accumulator.extend(elements);
    accumulator.finish()
}

/// An empty accumulator on the chosen backend's kernels.
pub(crate) fn accumulator(key: Option<&Key>) -> Accumulator {
    let accumulator = Accumulator::with_kernels(kernels());
    match key {
        Some(key) => accumulator.keyed(key),
        None => accumulator,
    }
}
