//! [`Batch`]: a handle to elements that come one at a time and are hashed many at a time.

use crate::hash::Hash;
use crate::many::accumulator;
use crate::memory;
use crate::status::Status;
use lthash::{Accumulator, Element};
use std::ffi::c_void;
use std::ptr::NonNull;

/// A multiset whose elements come one at a time and are hashed many at a time. It copies them, and has memory of its own: 100
/// KiB at most.
pub struct Batch {
    /// From a box. While an element is open, it alone uses it.
    accumulator: NonNull<Accumulator>,
    /// An element in parts.
    element: Option<Element<'static>>,
}

impl Batch {
    fn accumulator(&mut self) -> Result<&mut Accumulator, Status> {
        match self.element {
            Some(_) => Err(Status::ElementOpen),
            // SAFETY: the box lives as long as the batch, and no element borrows it.
            None => Ok(unsafe { self.accumulator.as_mut() }),
        }
    }

    /// The open element, or a new one.
    fn element(&mut self) -> &mut Element<'static> {
        let mut accumulator = self.accumulator;
        // SAFETY: the box lives as long as the batch, and nothing uses it until this only element is gone.
        let begin = || unsafe { accumulator.as_mut() }.element();
        self.element.get_or_insert_with(begin)
    }

    /// The open element, or a new one, which is open no longer.
    fn take_element(&mut self) -> Element<'static> {
        self.element();
        match self.element.take() {
            Some(element) => element,
            None => unreachable!("there is one now"),
        }
    }
}

impl Drop for Batch {
    fn drop(&mut self) {
        self.element = None;
        // SAFETY: from a box, and nothing borrows it any more.
        drop(unsafe { Box::from_raw(self.accumulator.as_ptr()) });
    }
}

/// A new empty batch on the backend in use, never NULL. `key` is 32 bytes, or NULL for none; it is copied. `lthash_batch_free`
/// frees the batch.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lthash_batch_new(key: *const u8) -> *mut Batch {
    // SAFETY: as the header says of pointers.
    let accumulator = Box::new(accumulator(unsafe { memory::key(key) }));
    Box::into_raw(Box::new(Batch {
        accumulator: NonNull::from(Box::leak(accumulator)),
        element: None,
    }))
}

/// Frees a batch. If it is NULL, nothing happens.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lthash_batch_free(batch: *mut Batch) {
    if !batch.is_null() {
        // SAFETY: from `lthash_batch_new`, and not used again, by the caller's word.
        drop(unsafe { Box::from_raw(batch) });
    }
}

/// Inserts an element.
///
/// Returns `LTHASH_STATUS_ELEMENT_OPEN` if one is begun in parts.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lthash_batch_insert(
    batch: *mut Batch,
    element: *const c_void,
    length: usize,
) -> Status {
    // SAFETY: as the header says of pointers.
    unsafe { mix(batch, element, length, Accumulator::insert) }.into()
}

/// Removes an element.
///
/// Returns `LTHASH_STATUS_ELEMENT_OPEN` if one is begun in parts.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lthash_batch_remove(
    batch: *mut Batch,
    element: *const c_void,
    length: usize,
) -> Status {
    // SAFETY: as the header says of pointers.
    unsafe { mix(batch, element, length, Accumulator::remove) }.into()
}

unsafe fn mix(
    batch: *mut Batch,
    element: *const c_void,
    length: usize,
    mix: impl FnOnce(&mut Accumulator, &[u8]),
) -> Result<(), Status> {
    // SAFETY: as the header says of pointers.
    let (batch, element) = unsafe { (memory::change(batch)?, memory::bytes(element, length)?) };
    mix(batch.accumulator()?, element);
    Ok(())
}

/// Adds a multiset.
///
/// Returns `LTHASH_STATUS_ELEMENT_OPEN` if an element is begun in parts.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lthash_batch_mix_in(batch: *mut Batch, hash: *const Hash) -> Status {
    let mix = |accumulator: &mut Accumulator, hash: &Hash| accumulator.mix_in(&hash.to_lt_hash());
    // SAFETY: as the header says of pointers.
    unsafe { mix_hash(batch, hash, mix) }.into()
}

/// Subtracts a multiset.
///
/// Returns `LTHASH_STATUS_ELEMENT_OPEN` if an element is begun in parts.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lthash_batch_mix_out(batch: *mut Batch, hash: *const Hash) -> Status {
    let mix = |accumulator: &mut Accumulator, hash: &Hash| accumulator.mix_out(&hash.to_lt_hash());
    // SAFETY: as the header says of pointers.
    unsafe { mix_hash(batch, hash, mix) }.into()
}

unsafe fn mix_hash(
    batch: *mut Batch,
    hash: *const Hash,
    mix: impl FnOnce(&mut Accumulator, &Hash),
) -> Result<(), Status> {
    // SAFETY: as the header says of pointers.
    let (batch, hash) = unsafe { (memory::change(batch)?, memory::read(hash)?) };
    mix(batch.accumulator()?, hash);
    Ok(())
}

/// Appends a part to the open element, or begins an element. The batch holds no more than the element's last 16 KiB, and 32
/// bytes for each of at most 55 subtrees before them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lthash_batch_element_update(
    batch: *mut Batch,
    part: *const c_void,
    length: usize,
) -> Status {
    // SAFETY: as the header says of pointers.
    let result = unsafe {
        memory::change(batch).and_then(|batch| Ok((batch, memory::bytes(part, length)?)))
    };
    result
        .map(|(batch, part)| _ = batch.element().update(part))
        .into()
}

/// Inserts the element that is the concatenation of its parts, or the empty element if none is open.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lthash_batch_element_insert(batch: *mut Batch) -> Status {
    // SAFETY: as the header says of pointers.
    unsafe { memory::change(batch) }
        .map(|batch| batch.take_element().insert())
        .into()
}

/// Removes the element that is the concatenation of its parts, or the empty element if none is open.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lthash_batch_element_remove(batch: *mut Batch) -> Status {
    // SAFETY: as the header says of pointers.
    unsafe { memory::change(batch) }
        .map(|batch| batch.take_element().remove())
        .into()
}

/// Drops the open element, if there is one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lthash_batch_element_discard(batch: *mut Batch) -> Status {
    // SAFETY: as the header says of pointers.
    unsafe { memory::change(batch) }
        .map(|batch| batch.element = None)
        .into()
}

/// Writes the multiset's hash. The batch is then empty, and keeps its backend, its key and its memory.
///
/// Returns `LTHASH_STATUS_ELEMENT_OPEN` if an element is begun in parts.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lthash_batch_take(batch: *mut Batch, hash: *mut Hash) -> Status {
    // SAFETY: as the header says of pointers.
    unsafe { take(batch, hash) }.into()
}

unsafe fn take(batch: *mut Batch, hash: *mut Hash) -> Result<(), Status> {
    // SAFETY: as the header says of pointers.
    let (batch, hash) = unsafe { (memory::change(batch)?, memory::write(hash)?) };
    hash.write(Hash::from(&batch.accumulator()?.take()));
    Ok(())
}
