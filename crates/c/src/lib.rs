//! The C interface of `lthash`. Its documentation is the header that cbindgen makes of this crate: include/lthash.h.
//!
//! Every function checks its pointers and lengths and returns a [`status::Status`]; what they point to is up to the caller,
//! as the header's introduction (cbindgen.toml) says. So each function is unsafe for that one reason, which is not said
//! again for each. None panics; where the library or an allocation should fail all the same, `extern "C"` aborts.
#![deny(missing_docs, unsafe_op_in_unsafe_fn)]
#![allow(clippy::missing_safety_doc, reason = "said once, above")]

mod backend;
mod batch;
mod hash;
mod hex;
mod kv;
mod many;
mod memory;
mod status;
