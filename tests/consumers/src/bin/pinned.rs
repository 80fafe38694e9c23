//! Everything that lthash computes, on the backend that is active. ci/links.sh runs it with LTHASH_BACKEND=avx2 under gdb, which
//! tells whether an AVX-512 kernel is called.

use lthash::{hex, kv, Accumulator, Backend, LtHash};

fn main() {
    let bytes: Vec<u8> = (0..100_000_u32).map(|i| (i * 7 % 251) as u8).collect();
    let mut accumulator = Accumulator::new();
    let mut set = LtHash::new();
    for length in [0, 1, 64, 65, 1024, 1025, 5000, 16_384, 16_385, bytes.len()] {
        let element = &bytes[..length];
        set.insert(element);
        set.remove(element);
        accumulator.extend([element; 40]);
        accumulator.remove(element);
        let mut parts = accumulator.element();
        parts.update(&element[..length / 3]).update(&element[length / 3..]);
        parts.remove();
    }
    let mutation = kv::Mutation { key: b"key", value: Some(&bytes), previous: None };
    accumulator.mutate(&mutation);
    set += accumulator.finish();
    let checksum = set.checksum().to_string();
    assert_eq!(hex::decode(&checksum).map(hex::encode), Ok(checksum));
    println!("pinned to {}", Backend::active());
}
