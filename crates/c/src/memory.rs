//! Pointers from C, checked as far as they can be.

use crate::status::Status;
use std::ffi::c_void;
use std::mem::MaybeUninit;
use std::slice;

/// The length of a key.
pub(crate) type Key = [u8; 32];

/// The value at a pointer, to read.
///
/// # Safety
///
/// If it is not NULL, it points to a `T` that nothing writes to while the result lives.
pub(crate) unsafe fn read<'a, T>(pointer: *const T) -> Result<&'a T, Status> {
    // SAFETY: as the caller.
    unsafe { pointer.as_ref() }.ok_or(Status::NullPointer)
}

/// The value at a pointer, to change.
///
/// # Safety
///
/// If it is not NULL, it points to a `T` that nothing else reads or writes while the result lives.
pub(crate) unsafe fn change<'a, T>(pointer: *mut T) -> Result<&'a mut T, Status> {
    // SAFETY: as the caller.
    unsafe { pointer.as_mut() }.ok_or(Status::NullPointer)
}

/// The memory at a pointer, to write, initialised or not.
///
/// # Safety
///
/// If it is not NULL, it points to room for a `T` that nothing else reads or writes while the result lives.
pub(crate) unsafe fn write<'a, T>(pointer: *mut T) -> Result<&'a mut MaybeUninit<T>, Status> {
    // SAFETY: as the caller; a MaybeUninit may be uninitialised.
    unsafe { pointer.cast::<MaybeUninit<T>>().as_mut() }.ok_or(Status::NullPointer)
}

/// `count` items at a pointer, which may be NULL if there are none.
///
/// # Safety
///
/// If it is not NULL, it points to so many items that nothing writes to while the result lives.
pub(crate) unsafe fn items<'a, T>(items: *const T, count: usize) -> Result<&'a [T], Status> {
    if count == 0 {
        return Ok(&[]);
    }
    if items.is_null() {
        return Err(Status::NullPointer);
    }
    if count > isize::MAX as usize / size_of::<T>() {
        return Err(Status::TooLong);
    }
    // SAFETY: so many items by the caller's word, in no more bytes than a slice may have.
    Ok(unsafe { slice::from_raw_parts(items, count) })
}

/// `length` bytes at a pointer, which may be NULL if there are none.
///
/// # Safety
///
/// As [`items`].
pub(crate) unsafe fn bytes<'a>(data: *const c_void, length: usize) -> Result<&'a [u8], Status> {
    // SAFETY: as the caller.
    unsafe { items(data.cast(), length) }
}

/// Room for `length` bytes at a pointer, which may be NULL if there are none.
///
/// # Safety
///
/// If it is not NULL, it points to so many initialised bytes that nothing else reads or writes while the result lives.
pub(crate) unsafe fn bytes_mut<'a>(data: *mut u8, length: usize) -> Result<&'a mut [u8], Status> {
    // SAFETY: the checks are the same, and what is borrowed is dropped at once.
    unsafe { items(data.cast_const(), length) }?;
    if length == 0 {
        return Ok(&mut []);
    }
    // SAFETY: as the caller; neither NULL nor too long, as has been checked.
    Ok(unsafe { slice::from_raw_parts_mut(data, length) })
}

/// A key, or none if the pointer is NULL.
///
/// # Safety
///
/// If it is not NULL, it points to 32 bytes that nothing writes to while the result lives.
pub(crate) unsafe fn key<'a>(key: *const u8) -> Option<&'a Key> {
    // SAFETY: as the caller; arrays of bytes have no alignment.
    unsafe { key.cast::<Key>().as_ref() }
}
