//! Limbs that the caller keeps, at every address that a `u16` may have within a cache line.

mod common;

use common::{Reference, backends, generated};
use std::mem::MaybeUninit;

const CANARY: u16 = 0xaaaa;

/// The 1024 limbs that begin at an index.
fn limbs_at(memory: &mut [u16], index: usize) -> &mut [u16; 1024] {
    memory[index..].first_chunk_mut().unwrap()
}

#[test]
fn at_every_address() {
    #[repr(align(64))]
    struct Memory([u16; 1024 + 64]);

    let key = [7; 32];
    let short = generated("limbs", 0, 50);
    let long = generated("limbs", 1, 3000);
    for kernels in backends() {
        for index in 1..63 {
            for (element, key) in [(&short, None), (&long, Some(&key))] {
                let expected = Reference::of(key, element);
                let mut memory = Memory([CANARY; 1024 + 64]);
                let limbs = limbs_at(&mut memory.0, index);
                // SAFETY: initialised memory of the same size and alignment.
                let uninit = unsafe { &mut *(&raw mut *limbs).cast::<MaybeUninit<[u16; 1024]>>() };
                let expanded = kernels.expand_limbs(key, element, uninit);
                assert!(expected == *expanded, "{kernels:?}, {index}");

                let mut other = [0; 1025];
                kernels.add_limbs(limbs_at(&mut other, 1), expanded);
                kernels.add_limbs(expanded, limbs_at(&mut other, 1));
                let mut double = Reference::new();
                double.add(&expected, 2);
                assert!(double == *expanded, "{kernels:?}, {index}");
                kernels.sub_limbs(expanded, limbs_at(&mut other, 1));
                assert!(expected == *expanded, "{kernels:?}, {index}");

                let (before, rest) = memory.0.split_at(index);
                assert!(before.iter().chain(&rest[1024..]).all(|&x| x == CANARY));
            }
        }
    }
}
