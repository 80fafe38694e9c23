//! [`Status`]: the result of a function.

use std::ffi::{CStr, c_char};

/// The result of a function that can fail. If it is not `LTHASH_STATUS_OK`, nothing has changed, unless the function's
/// documentation says otherwise.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Success.
    Ok = 0,
    /// A pointer is NULL that must not be.
    NullPointer = 1,
    /// A length is over the maximum: `PTRDIFF_MAX` bytes, or `UINT32_MAX` for a record's key or value.
    TooLong = 2,
    /// The room for the output has the wrong size.
    WrongSize = 3,
    /// A hex text has an odd number of digits.
    OddLength = 4,
    /// A byte of a hex text is not a hexadecimal digit.
    InvalidDigit = 5,
    /// No backend has this name.
    UnknownBackend = 6,
    /// This build does not contain the backend, or this processor cannot run it.
    UnavailableBackend = 7,
    /// An element has been begun in parts and is neither inserted, removed nor discarded yet.
    ElementOpen = 8,
}

impl From<Result<(), Status>> for Status {
    fn from(result: Result<(), Status>) -> Status {
        result.err().unwrap_or(Status::Ok)
    }
}

/// What a status means, in English: text that is never freed, for any number.
#[unsafe(no_mangle)]
pub extern "C" fn lthash_status_text(status: i32) -> *const c_char {
    text(status).as_ptr()
}

fn text(status: i32) -> &'static CStr {
    const TEXTS: [&CStr; 9] = [
        c"no error",
        c"a pointer is NULL: expected memory, or NULL with a length of 0 for no bytes",
        c"a length is too large: expected at most PTRDIFF_MAX bytes, and UINT32_MAX for a record's key or value",
        c"the room for the output has the wrong size",
        c"hex text has an odd number of digits",
        c"hex text has an invalid digit: expected 0-9, a-f or A-F",
        c"unknown backend: expected a name that lthash_backend_available() gives",
        c"the backend is not available: this build does not contain it, or this processor cannot run it",
        c"an element in parts is open: insert, remove or discard it first",
    ];
    let index = usize::try_from(status).ok();
    (index.and_then(|index| TEXTS.get(index))).unwrap_or(&c"not a status of lthash")
}
