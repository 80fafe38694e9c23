use consumer_dylib::lthash::{kv, Accumulator, Backend, LtHash};

fn main() {
    let mut names = Vec::new();
    for backend in Backend::available() {
        let kernels = backend.kernels().unwrap();
        let mut accumulator = Accumulator::with_kernels(kernels);
        accumulator.extend([b"hello".as_slice(), b"world!"]);
        let mut hash = kernels.expand(b"hello");
        kernels.add(&mut hash, &kernels.expand(b"world!"));
        kernels.add(&mut hash, &kernels.expand(b""));
        kernels.sub(&mut hash, &LtHash::of(b""));
        assert_eq!(accumulator.finish(), hash);
        names.push(backend.name());
    }
    let mutation = kv::Mutation { key: b"key", value: Some(b"value"), previous: None };
    assert_eq!(kv::hash_chunk(&[mutation]).hash, kv::hash_kv(b"key", b"value"));
    println!("backends: {}", names.join(", "));
}
