//! [`Hash`]: a multiset's hash in the caller's memory.

use crate::backend::kernels;
use crate::memory::{self, Key};
use crate::status::Status;
use lthash::LtHash;
use std::ffi::c_void;
use std::mem::MaybeUninit;

/// The number of a hash's limbs.
pub const LTHASH_LIMBS: usize = 1024;

/// The length of a hash's byte form.
pub const LTHASH_BYTES: usize = 2048;

/// The length of a checksum.
pub const LTHASH_CHECKSUM_BYTES: usize = 32;

/// The length of a key.
pub const LTHASH_KEY_BYTES: usize = 32;

/// The hash of a multiset of byte strings: the sum of its elements' hashes, limb by limb mod 2^16. An element that occurs
/// 65,536 times adds up to nothing, so compare the number of elements too where duplicates are possible.
///
/// It is a plain value: copy it, and keep it anywhere. All limbs are 0 in the empty multiset's hash.
#[repr(C)]
pub struct Hash {
    /// The limbs. How their numbers are stored depends on the processor: store `lthash_to_bytes` instead.
    pub(crate) limbs: [u16; LTHASH_LIMBS],
}

const _: () = assert!(LTHASH_LIMBS == LtHash::LIMBS && LTHASH_BYTES == LtHash::BYTES);
const _: () = assert!(LTHASH_KEY_BYTES == size_of::<Key>());

impl Hash {
    pub(crate) fn to_lt_hash(&self) -> LtHash {
        LtHash::from(self.limbs)
    }

    pub(crate) fn mix_in(&mut self, other: &LtHash) {
        kernels().add_limbs(&mut self.limbs, other.limbs());
    }

    pub(crate) fn mix_out(&mut self, other: &LtHash) {
        kernels().sub_limbs(&mut self.limbs, other.limbs());
    }
}

impl From<&LtHash> for Hash {
    fn from(hash: &LtHash) -> Hash {
        let limbs = *hash.limbs();
        Hash { limbs }
    }
}

/// Sets a hash to that of the empty multiset, in which all limbs are 0. `memset`, or `lthash_hash hash = {0};`, does the same.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lthash_init(hash: *mut Hash) -> Status {
    let limbs = [0; LTHASH_LIMBS];
    // SAFETY: as the header says of pointers.
    unsafe { memory::write(hash) }
        .map(|hash| _ = hash.write(Hash { limbs }))
        .into()
}

/// Sets a hash to that of the multiset that holds the element once. The empty element hashes like any other.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lthash_of(
    hash: *mut Hash,
    element: *const c_void,
    length: usize,
) -> Status {
    // SAFETY: as the header says of pointers.
    unsafe { of(hash, None, element, length) }.into()
}

/// As `lthash_of`, under a key of 32 bytes: BLAKE3's keyed mode takes the place of its hash mode. Hashes under different
/// keys, or with and without one, must not be mixed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lthash_of_keyed(
    hash: *mut Hash,
    key: *const u8,
    element: *const c_void,
    length: usize,
) -> Status {
    // SAFETY: as the header says of pointers.
    match unsafe { memory::key(key) } {
        // SAFETY: as above.
        Some(key) => unsafe { of(hash, Some(key), element, length) }.into(),
        None => Status::NullPointer,
    }
}

unsafe fn of(
    hash: *mut Hash,
    key: Option<&Key>,
    element: *const c_void,
    length: usize,
) -> Result<(), Status> {
    // SAFETY: as the header says of pointers.
    let (hash, element) = unsafe { (memory::write(hash)?, memory::bytes(element, length)?) };
    // SAFETY: a hash is its limbs.
    let limbs = unsafe { &mut *hash.as_mut_ptr().cast::<MaybeUninit<[u16; LTHASH_LIMBS]>>() };
    kernels().expand_limbs(key, element, limbs);
    Ok(())
}

/// Inserts an element. Many are faster through `lthash_insert_many` or a batch.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lthash_insert(
    hash: *mut Hash,
    element: *const c_void,
    length: usize,
) -> Status {
    // SAFETY: as the header says of pointers.
    unsafe { mix_element(hash, element, length, Hash::mix_in) }.into()
}

/// Removes an element. Removing what was never inserted is no error: multiplicities may be negative.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lthash_remove(
    hash: *mut Hash,
    element: *const c_void,
    length: usize,
) -> Status {
    // SAFETY: as the header says of pointers.
    unsafe { mix_element(hash, element, length, Hash::mix_out) }.into()
}

unsafe fn mix_element(
    hash: *mut Hash,
    element: *const c_void,
    length: usize,
    mix: fn(&mut Hash, &LtHash),
) -> Result<(), Status> {
    // SAFETY: as the header says of pointers.
    let (hash, element) = unsafe { (memory::change(hash)?, memory::bytes(element, length)?) };
    mix(hash, &kernels().expand(element));
    Ok(())
}

/// Adds a multiset. Both may be the same hash, which is then doubled.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lthash_mix_in(hash: *mut Hash, other: *const Hash) -> Status {
    // SAFETY: as the header says of pointers.
    unsafe {
        mix(hash, other, |limbs, other| {
            kernels().add_limbs(limbs, other)
        })
    }
    .into()
}

/// Subtracts a multiset. Both may be the same hash, which is then that of the empty multiset.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lthash_mix_out(hash: *mut Hash, other: *const Hash) -> Status {
    // SAFETY: as the header says of pointers.
    unsafe {
        mix(hash, other, |limbs, other| {
            kernels().sub_limbs(limbs, other)
        })
    }
    .into()
}

unsafe fn mix(
    hash: *mut Hash,
    other: *const Hash,
    mix: impl FnOnce(&mut [u16; LTHASH_LIMBS], &[u16; LTHASH_LIMBS]),
) -> Result<(), Status> {
    if hash.is_null() || other.is_null() {
        return Err(Status::NullPointer);
    }
    if hash.addr().abs_diff(other.addr()) < size_of::<Hash>() {
        // SAFETY: as the header says of pointers; copied, as the one may not be borrowed while the other is changed.
        unsafe {
            let other = (*other).limbs;
            mix(&mut (*hash).limbs, &other);
        }
    } else {
        // SAFETY: as the header says of pointers; they do not overlap.
        unsafe { mix(&mut (*hash).limbs, &(*other).limbs) };
    }
    Ok(())
}

/// Writes the 32 bytes to compare, to store and to sign: BLAKE3 of `lthash_to_bytes`. Compare all of them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lthash_checksum(hash: *const Hash, checksum: *mut u8) -> Status {
    let write = |hash: &Hash, checksum: &mut MaybeUninit<[u8; LTHASH_CHECKSUM_BYTES]>| {
        checksum.write(hash.to_lt_hash().checksum().0);
    };
    // SAFETY: as the header says of pointers; arrays of bytes have no alignment.
    unsafe { convert(hash, checksum.cast(), write) }.into()
}

/// Writes the 2048 bytes of the limbs, little-endian on every processor.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lthash_to_bytes(hash: *const Hash, bytes: *mut u8) -> Status {
    let write = |hash: &Hash, bytes: &mut MaybeUninit<[u8; LTHASH_BYTES]>| {
        bytes.write(hash.to_lt_hash().to_bytes());
    };
    // SAFETY: as the header says of pointers; arrays of bytes have no alignment.
    unsafe { convert(hash, bytes.cast(), write) }.into()
}

/// Sets a hash to the one of which these are the 2048 bytes (see `lthash_to_bytes`). Any 2048 bytes are those of a hash.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lthash_from_bytes(hash: *mut Hash, bytes: *const u8) -> Status {
    let write = |bytes: &[u8; LTHASH_BYTES], hash: &mut MaybeUninit<Hash>| {
        hash.write(Hash::from(&LtHash::from_bytes(bytes)));
    };
    // SAFETY: as the header says of pointers; arrays of bytes have no alignment.
    unsafe { convert(bytes.cast(), hash, write) }.into()
}

unsafe fn convert<T, U>(
    from: *const T,
    to: *mut U,
    write: impl FnOnce(&T, &mut MaybeUninit<U>),
) -> Result<(), Status> {
    // SAFETY: as the header says of pointers.
    let (from, to) = unsafe { (memory::read(from)?, memory::write(to)?) };
    write(from, to);
    Ok(())
}

/// Whether two hashes are equal. A NULL is equal to nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lthash_equal(hash: *const Hash, other: *const Hash) -> bool {
    // SAFETY: as the header says of pointers.
    match unsafe { (hash.as_ref(), other.as_ref()) } {
        (Some(hash), Some(other)) => hash.limbs == other.limbs,
        _ => false,
    }
}

/// Whether a hash is the empty multiset's. A NULL is not.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lthash_is_identity(hash: *const Hash) -> bool {
    // SAFETY: as the header says of pointers.
    unsafe { hash.as_ref() }.is_some_and(|hash| hash.limbs.iter().all(|&limb| limb == 0))
}
