//! Hexadecimal text.

use crate::backend::kernels;
use crate::memory;
use crate::status::Status;
use lthash::hex::Error;
use std::ffi::{c_char, c_void};

/// Writes bytes as lower-case hex digits and a NUL into `text`, whose size is twice the length plus one.
///
/// Returns `LTHASH_STATUS_WRONG_SIZE` if it has another size.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lthash_hex_encode(
    bytes: *const c_void,
    length: usize,
    text: *mut c_char,
    text_size: usize,
) -> Status {
    // SAFETY: as the header says of pointers.
    unsafe { encode(bytes, length, text.cast(), text_size) }.into()
}

unsafe fn encode(
    bytes: *const c_void,
    length: usize,
    text: *mut u8,
    text_size: usize,
) -> Result<(), Status> {
    // SAFETY: as the header says of pointers.
    let bytes = unsafe { memory::bytes(bytes, length) }?;
    if text_size != 2 * length + 1 {
        return Err(Status::WrongSize);
    }
    // SAFETY: as above; encoding reads nothing of it, and any memory of C's is some bytes.
    let text = unsafe { memory::bytes_mut(text, text_size) }?;
    let (digits, nul) = text.split_at_mut(2 * length);
    kernels()
        .hex_encode(bytes, digits)
        .map_err(|_| Status::WrongSize)?;
    nul[0] = 0;
    Ok(())
}

/// Decodes hex digits of either case into `bytes`, which is half as long as the text. The text need not end in a NUL and must not
/// begin with `0x`.
///
/// Returns `LTHASH_STATUS_ODD_LENGTH`, `LTHASH_STATUS_WRONG_SIZE` or `LTHASH_STATUS_INVALID_DIGIT`, the first that applies;
/// if there is a bad digit, `position`, unless it is NULL, is set to the digit's index.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lthash_hex_decode(
    text: *const c_char,
    text_length: usize,
    bytes: *mut u8,
    length: usize,
    position: *mut usize,
) -> Status {
    // SAFETY: as the header says of pointers.
    unsafe { decode(text.cast(), text_length, bytes, length, position) }.into()
}

unsafe fn decode(
    text: *const c_void,
    text_length: usize,
    bytes: *mut u8,
    length: usize,
    position: *mut usize,
) -> Result<(), Status> {
    // SAFETY: as the header says of pointers.
    let (text, bytes) = unsafe {
        (
            memory::bytes(text, text_length)?,
            memory::bytes_mut(bytes, length)?,
        )
    };
    kernels()
        .hex_decode(text, bytes)
        .map_err(|error| match error {
            Error::OddLength => Status::OddLength,
            Error::InvalidDigit {
                position: index, ..
            } => {
                // SAFETY: as above.
                if let Ok(position) = unsafe { memory::write(position) } {
                    position.write(index);
                }
                Status::InvalidDigit
            }
            _ => Status::WrongSize,
        })
}
