//! A Rust dynamic library: what is inlined from lthash into the program must not need the kernels' hidden symbols.

pub use lthash;
