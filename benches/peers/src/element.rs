//! One element at a time: expansion, insertion, and the limb addition below both.
//!
//! A hash is looked at where it was made (`black_box` of a reference): to move its 2 KiB would cost each contender the same some 150
//! cycles, and so bring ratios nearer to 1.

use crate::inputs::buffer;
use crate::output::{print_heading, print_rows};
use crate::paired::{Contender, compare};
use crate::peers::{
    LtHashRs, add_loop_avx2, add_loop_baseline, blake3_insert, blake3_xof, kernels, name, solana_of,
};
use lthash::LtHash;
use lthash_rs::LtHash as _;
use solana_lattice_hash::lt_hash::LtHash as SolanaLtHash;
use std::hint::black_box;

const HASH: &str = "An element's hash";
const INSERTED: &str = "An element inserted";
const MIX_IN: &str = "mix_in";

const LENGTHS: [usize; 7] = [32, 64, 128, 256, 512, 1024, 1025];

/// An element's hash, against the `blake3` crate's XOF to 2048 bytes.
pub fn of() {
    print_heading(HASH);
    for length in LENGTHS {
        let input = buffer(length);
        let element = |offset: usize| black_box(&input[offset..offset + length]);
        assert_eq!(LtHash::of(element(0)).limbs(), &solana_of(element(0)).0);
        let mut contenders = vec![
            Contender::new("blake3", |times, offset| {
                for _ in 0..times {
                    let hash = blake3_xof(element(offset));
                    black_box(&hash);
                }
            }),
            Contender::new("solana-lattice-hash", |times, offset| {
                for _ in 0..times {
                    let hash = solana_of(element(offset));
                    black_box(&hash);
                }
            }),
        ];
        for kernels in kernels() {
            contenders.push(Contender::new(name(kernels), move |times, offset| {
                for _ in 0..times {
                    let hash = kernels.expand(element(offset));
                    black_box(&hash);
                }
            }));
        }
        print_rows(HASH, &format!("{length} bytes"), &compare(&mut contenders));
    }
}

/// An element inserted into a set, one at a time, against the `blake3` crate's XOF and a plain loop.
pub fn insert() {
    print_heading(INSERTED);
    for length in LENGTHS {
        let input = buffer(length);
        let element = |offset: usize| black_box(&input[offset..offset + length]);
        let mut contenders = vec![
            Contender::new("blake3 and a loop", |times, offset| {
                let mut limbs = [0; 1024];
                for _ in 0..times {
                    blake3_insert(black_box(&mut limbs), element(offset));
                }
            }),
            Contender::new("solana-lattice-hash", |times, offset| {
                let mut set = SolanaLtHash::identity();
                for _ in 0..times {
                    black_box(&mut set).mix_in(&solana_of(element(offset)));
                }
            }),
            Contender::new("lthash-rs", |times, offset| {
                let mut set = LtHashRs::new();
                for _ in 0..times {
                    black_box(&mut set).insert(element(offset));
                }
            }),
        ];
        for kernels in kernels() {
            contenders.push(Contender::new(name(kernels), move |times, offset| {
                let mut set = LtHash::new();
                for _ in 0..times {
                    kernels.add(black_box(&mut set), &kernels.expand(element(offset)));
                }
            }));
        }
        print_rows(
            INSERTED,
            &format!("{length} bytes"),
            &compare(&mut contenders),
        );
    }
}

/// Limbs as an [`LtHash`] has them.
#[derive(Clone)]
#[repr(align(64))]
struct Limbs([u16; 1024]);

/// A set's hash mixed into another, against a loop that the compiler vectorises for AVX2.
pub fn mix() {
    type AddLoop = unsafe fn(&mut [u16; 1024], &[u16; 1024]);
    let add_loop = |name, add: AddLoop| {
        Contender::new(name, move |times, _| {
            let mut limbs = Limbs([1; 1024]);
            let other = limbs.clone();
            for _ in 0..times {
                // SAFETY: main() has made sure of AVX2.
                unsafe { add(black_box(&mut limbs.0), black_box(&other.0)) }
            }
        })
    };
    let mut contenders = vec![
        add_loop("loop compiled for AVX2", add_loop_avx2),
        add_loop("loop compiled for SSE2", add_loop_baseline),
        Contender::new("solana-lattice-hash", |times, _| {
            let mut set = SolanaLtHash::identity();
            let other = SolanaLtHash([1; 1024]);
            for _ in 0..times {
                black_box(&mut set).mix_in(black_box(&other));
            }
        }),
        // Against the same backend's row below: what choosing it costs, each time.
        Contender::new("lthash, backend chosen", |times, _| {
            let mut set = LtHash::of(b"set");
            let other = LtHash::of(b"other");
            for _ in 0..times {
                black_box(&mut set).mix_in(black_box(&other));
            }
        }),
    ];
    for kernels in kernels() {
        contenders.push(Contender::new(name(kernels), move |times, _| {
            let mut set = LtHash::of(b"set");
            let other = LtHash::of(b"other");
            for _ in 0..times {
                kernels.add(black_box(&mut set), black_box(&other));
            }
        }));
    }
    print_heading(MIX_IN);
    print_rows(MIX_IN, "2048 bytes", &compare(&mut contenders));
}
