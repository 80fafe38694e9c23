//! Hexadecimal text between inaccessible pages: no function reads outside its source or writes outside its destination.
#![cfg(all(target_os = "linux", target_arch = "x86_64", not(miri)))]

mod common;

use common::backends;
use std::ptr;

const PAGE: usize = 4096;

/// A page between two inaccessible ones.
struct Guarded(*mut u8);

impl Guarded {
    fn new() -> Guarded {
        let (length, protection) = (3 * PAGE, libc::PROT_READ | libc::PROT_WRITE);
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
        // SAFETY: a new mapping, whose outer pages are made inaccessible.
        unsafe {
            let pages = libc::mmap(ptr::null_mut(), length, protection, flags, -1, 0);
            assert!(pages != libc::MAP_FAILED);
            let page = pages.cast::<u8>();
            for outer in [page, page.add(2 * PAGE)] {
                assert_eq!(libc::mprotect(outer.cast(), PAGE, libc::PROT_NONE), 0);
            }
            Guarded(page.add(PAGE))
        }
    }

    /// The page's bytes.
    fn bytes(&mut self) -> &mut [u8] {
        // SAFETY: the page is mapped, and borrowed with the guard.
        unsafe { std::slice::from_raw_parts_mut(self.0, PAGE) }
    }
}

/// Every length, at every offset from the page's beginning and from its end.
#[test]
fn nothing_outside_is_touched() {
    let (mut source, mut destination) = (Guarded::new(), Guarded::new());
    let (source, destination) = (source.bytes(), destination.bytes());
    for length in 0..=300 {
        let bytes = common::generated("bounds", 0, length);
        let text: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        for offset in 0..64 {
            let places = |length: usize| [offset, PAGE - offset - length];
            for end in [0, 1] {
                for kernels in backends() {
                    let (from, to) = (places(length)[end], places(2 * length)[end]);
                    source[from..][..length].copy_from_slice(&bytes);
                    destination.fill(0xa5);
                    let out = &mut destination[to..][..2 * length];
                    let result = kernels.hex_encode(&source[from..][..length], out);
                    assert_eq!(result.as_deref(), Ok(&*text));
                    assert!(is_rest_untouched(destination, to, 2 * length));

                    let (from, to) = (places(2 * length)[end], places(length)[end]);
                    source[from..][..2 * length].copy_from_slice(text.as_bytes());
                    destination.fill(0xa5);
                    let out = &mut destination[to..][..length];
                    let result = kernels.hex_decode(&source[from..][..2 * length], out);
                    assert_eq!(result, Ok(()));
                    assert_eq!(out, bytes);
                    assert!(is_rest_untouched(destination, to, length));
                    if length > 0 {
                        source[from + 2 * length - 1] = b'g';
                        destination.fill(0xa5);
                        let out = &mut destination[to..][..length];
                        let result = kernels.hex_decode(&source[from..][..2 * length], out);
                        assert!(result.is_err());
                        assert!(is_rest_untouched(destination, to, 0));
                    }
                }
            }
        }
    }
}

fn is_rest_untouched(page: &[u8], from: usize, length: usize) -> bool {
    let (before, rest) = page.split_at(from);
    let untouched = [0xa5; PAGE];
    before == &untouched[..from] && rest[length..] == untouched[..PAGE - from - length]
}
