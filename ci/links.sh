#!/usr/bin/env bash
# Links and runs programs that use lthash, in every way that has broken other crates with assembly: ci/links.sh
#
# Each program must find the backends that this processor has.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

root=$PWD
backends=$(ci/backends.sh)
expect="backends: $backends"
export CARGO_TARGET_DIR=$root/target/links CARGO_TERM_QUIET=true
release=$CARGO_TARGET_DIR/release
count=0

runs() { # NAME COMMAND...: the command prints the backends that are expected
  local output
  output=$("${@:2}") || { echo "$1: failed"; exit 1; }
  grep -qx "$expect" <<<"$output" || { printf '%s: expected "%s", printed "%s"\n' "$1" "$expect" "$output"; exit 1; }
  echo "ok: $1"
  count=$((count + 1))
}

sound() { # NAME FILE: neither text relocations nor an executable stack
  if readelf -dW "$2" | grep TEXTREL >/dev/null; then echo "$1: text relocations"; exit 1; fi
  readelf -lW "$2" | grep -E 'GNU_STACK.* RW ' >/dev/null || { echo "$1: executable stack"; exit 1; }
}

cd tests/consumers

# Profiles. Each builds all crates again.
profile() { # NAME VARIABLE=VALUE...
  env "${@:2}" cargo build --release --bin consumer
  runs "$1" "$release/consumer"
  sound "$1" "$release/consumer"
}
for level in 0 1 2 3 s; do profile "opt-level $level" CARGO_PROFILE_RELEASE_OPT_LEVEL=$level; done
for lto in thin fat; do profile "$lto LTO" CARGO_PROFILE_RELEASE_LTO=$lto; done
profile "panic=abort" CARGO_PROFILE_RELEASE_PANIC=abort
profile "-flto in CFLAGS" CFLAGS=-flto
profile "a distribution's CFLAGS" CFLAGS="-march=core2 -mno-avx2 -mno-avx512f" CRATE_CC_NO_DEFAULTS=1
profile "clang, without flags for AVX-512" CC=clang-19 CFLAGS=-mno-avx512f
# Link-time optimisation by the linker. It has to be the toolchain's own, since others cannot read its bitcode.
lld=$(rustc --print sysroot)/lib/rustlib/x86_64-unknown-linux-gnu/bin/gcc-ld/ld.lld
plugin_lto="-C linker-plugin-lto -C linker=clang-19 -C link-arg=-fuse-ld=$lld"
profile "LTO by the linker" RUSTFLAGS="$plugin_lto"
profile "LTO by the linker, of C too" RUSTFLAGS="$plugin_lto" CC=clang-19 CFLAGS=-flto

# A program that is pinned to AVX2 calls no AVX-512 kernel of ours; nor of the blake3 crate, if that has its feature no_avx512.
avx512_calls() { # FEATURES: whether the pinned program calls an AVX-512 kernel
  cargo build --release --bin pinned --features "$1"
  LTHASH_BACKEND=avx2 gdb -nx -batch -ex "rbreak ^blake3_.*_avx512$" -ex "rbreak ^lthash_.*_avx512$" -ex run "$release/pinned" \
    >"$release/pinned.txt" 2>&1
  grep -q "^Breakpoint .* of\|^Breakpoint 1.* at " "$release/pinned.txt" || { echo "no AVX-512 kernels to stop at"; exit 1; }
  ! grep -q "exited normally" "$release/pinned.txt"
}
if [[ $backends == *avx2* ]]; then
  if avx512_calls no_avx512; then cat "$release/pinned.txt"; exit 1; fi
  grep -x "pinned to avx2" "$release/pinned.txt"
fi
if [[ $backends == *avx512* ]]; then
  avx512_calls "" || { echo "gdb does not notice the blake3 crate's AVX-512 kernels"; exit 1; }
  echo "ok: a pinned program"
  count=$((count + 1))
fi

# Valgrind does not know AVX-512 and reports a processor without it.
cargo build --release --bin consumer
expect="backends: ${backends%, avx512}" runs "under Valgrind" valgrind --quiet --error-exitcode=1 "$release/consumer"

# CET. Rust's own objects lack CET's mark, so a program with Rust code is never marked. The kernels' objects have to have it.
links_marked() { # links the kernels that were built last, by themselves, refusing objects without the mark
  local kernels
  kernels=$(ls -t "$release"/build/lthash-*/out/liblthash_kernels.a | head -1)
  gcc -shared -nostdlib -Wl,-z,cet-report=error -Wl,--whole-archive "$kernels" -o "$release/kernels.so"
}
for compiler in gcc clang-19; do
  profile "CET, $compiler" CC=$compiler CFLAGS=-fcf-protection
  links_marked
  readelf -nW "$release/kernels.so" | grep 'x86 feature: IBT, SHSTK' >/dev/null || { echo "kernels without CET's mark"; exit 1; }
done
profile "without CET" CFLAGS=-fcf-protection=none
if links_marked 2>/dev/null; then echo "the linker accepts objects without CET's mark"; exit 1; fi

# A C program. The linker's warnings are errors.
cargo build --release --lib
libraries=(-lpthread -ldl -lm -lgcc_s)
strict=(-Wl,--fatal-warnings -Wl,-z,noexecstack -Wl,-z,text)
gcc -fcf-protection main.c "$release/libconsumer.a" "${libraries[@]}" "${strict[@]}" -o "$release/static-library"
runs "static library in a C program" "$release/static-library"
sound "static library in a C program" "$release/static-library"
RUSTFLAGS="-C link-arg=-Wl,-z,text" cargo build --release --lib
sound "cdylib" "$release/libconsumer.so"
gcc main.c -L "$release" -lconsumer -Wl,-rpath,"$release" "${strict[@]}" -o "$release/shared-library"
runs "cdylib with -z text in a C program" "$release/shared-library"
if nm -D --defined-only "$release/libconsumer.so" | grep lthash_ >/dev/null; then echo "the cdylib exports kernels"; exit 1; fi

# A shared object from a whole static library.
gcc -shared -Wl,--whole-archive "$release/libconsumer.a" -Wl,--no-whole-archive "${libraries[@]}" -lc "${strict[@]}" -Wl,-z,defs \
  -o "$release/libwhole.so"
gcc main.c -L "$release" -lwhole -Wl,-rpath,"$release" "${strict[@]}" -o "$release/whole"
runs "static library in a shared object" "$release/whole"

# Beside the C BLAKE3 library, which has kernels of its own.
blake3=$("$root/ci/blake3-c.sh")
(
  folder=$CARGO_TARGET_DIR/c-blake3
  mkdir -p "$folder"
  cd "$folder"
  gcc -O2 -c "$blake3"/{blake3,blake3_dispatch,blake3_portable}.c "$blake3"/blake3_{sse2,sse41,avx2,avx512}_x86-64_unix.S
  rm -f libcblake3.a
  ar rcs libcblake3.a ./*.o
)
gcc -DBLAKE3 -I "$blake3" main.c -L "$CARGO_TARGET_DIR/c-blake3" -L "$release" -lconsumer -lcblake3 -Wl,-rpath,"$release" \
  -o "$release/beside-blake3"
runs "beside the C BLAKE3 library" "$release/beside-blake3"

# Executables of all kinds.
target=x86_64-unknown-linux-gnu
RUSTFLAGS="-C target-feature=+crt-static" cargo build --release --bin consumer --target $target
runs "static PIE" "$CARGO_TARGET_DIR/$target/release/consumer"
RUSTFLAGS="-C target-feature=+crt-static -C relocation-model=static" cargo build --release --bin consumer --target $target
runs "static executable" "$CARGO_TARGET_DIR/$target/release/consumer"
if readelf -hW "$CARGO_TARGET_DIR/$target/release/consumer" | grep DYN >/dev/null; then echo "not a static executable"; exit 1; fi
RUSTFLAGS="-C prefer-dynamic" cargo build --release --package consumer-dylib
sysroot=$(rustc --print target-libdir)
runs "dylib with prefer-dynamic" env LD_LIBRARY_PATH="$release:$release/deps:$sysroot" "$release/consumer-dylib"

# Two sources of the crate in one program: two versions; two pre-releases of one version; a fork of the same version whose
# limbs_add subtracts; and one whose assembly files are the same. Each source must call its own kernels.
two=$CARGO_TARGET_DIR/two-sources
other=$two/other
two_sources() { # VERSION-OF-THE-FIRST VERSION-OF-THE-OTHER SED-SCRIPT-FOR-THE-OTHER'S-LIMBS
  local source
  rm -rf "$two"
  mkdir -p "$two/app/src" "$two/app/library/src"
  for source in first other; do
    mkdir -p "$two/$source"
    (cd "$root" && git ls-files -z build.rs asm src Cargo.toml README.md docs | tar --null -T - -c) | tar -x -C "$two/$source"
    sed -i '/^\(default-\)\?members = /d; /^\[\[\(test\|bench\)\]\]/,/^$/d' "$two/$source/Cargo.toml"
  done
  sed -i "0,/^version = .*/s//version = \"$1\"/" "$two/first/Cargo.toml"
  sed -i "0,/^version = .*/s//version = \"$2\"/" "$other/Cargo.toml"
  echo "// Another commit." >>"$other/src/lib.rs"
  sed -i "$3" "$other"/asm/limbs_*.S
  git -C "$other" init --quiet
  git -C "$other" add .
  git -C "$other" -c user.name=test -c user.email=test@example.invalid commit --quiet --message other
  cat >"$two/app/Cargo.toml" <<'TOML'
[workspace]
members = ["library"]
[package]
name = "two-app"
version = "0.0.0"
edition = "2021"
[dependencies]
two-library = { path = "library" }
TOML
  cat >"$two/app/library/Cargo.toml" <<TOML
[package]
name = "two-library"
version = "0.0.0"
edition = "2021"
[lib]
crate-type = ["dylib", "rlib"]
[dependencies]
first = { package = "lthash", path = "../../first" }
other = { package = "lthash", git = "file://$other" }
TOML
  echo 'pub use {first, other};' >"$two/app/library/src/lib.rs"
  cat >"$two/app/src/main.rs" <<'RUST'
use two_library::{first, other};

/// Whether all assembly backends add hashes, or all subtract them. It asserts that batches are right in both cases.
macro_rules! adds {
    ($lthash:ident) => {{
        let batch = |backend: $lthash::Backend| {
            let mut accumulator = $lthash::Accumulator::with_kernels(backend.kernels().unwrap());
            accumulator.extend((0..100_u32).map(|i| i.to_le_bytes()));
            accumulator.finish()
        };
        // The checksum of the set {"hello", "world!"}, as the crate solana-lattice-hash 4.4.0 computes it.
        let known = "2373c49a9c365a1d6ccaf3a8e6e84570b901cd342e3980f4568ba269ad508b09";
        let mut adds = Vec::new();
        for backend in $lthash::Backend::available().skip(1) {
            assert!(batch(backend) == batch($lthash::Backend::Portable));
            let kernels = backend.kernels().unwrap();
            let mut hash = kernels.expand(b"hello");
            kernels.add(&mut hash, &kernels.expand(b"world!"));
            adds.push(hash.checksum().to_string() == known);
        }
        adds.dedup();
        assert_eq!(adds.len(), 1);
        adds[0]
    }};
}

fn main() {
    println!("first adds: {}, other adds: {}", adds!(first), adds!(other));
}
RUST
}
both() { # NAME WHAT IT PRINTS COMMAND...
  local output
  output=$("${@:3}") || { echo "$1: failed"; exit 1; }
  [[ $output == "$2" ]] || { printf '%s: expected "%s", printed "%s"\n' "$1" "$2" "$output"; exit 1; }
  echo "ok: $1"
  count=$((count + 1))
}
build_two() { # VARIABLE=VALUE...
  env "$@" cargo build --release --manifest-path "$two/app/Cargo.toml"
}
prefixes() { # FILE: the number of different prefixes that its symbols of one kernel have
  nm "$1" | sed -nE 's/.* t (lthash_[0-9]+_[0-9]+_[0-9]+_[0-9a-f]{16}_)xof_avx2$/\1/p' | sort -u | wc -l
}
add_and_add="first adds: true, other adds: true" add_and_subtract="first adds: true, other adds: false"
subtract="s/combine_limbs vpaddw/combine_limbs vpsubw/"
two_sources 1.0.0 2.0.0 ""
build_two A=B
both "two versions" "$add_and_add" "$release/two-app"
two_sources 1.0.0-rc.1 1.0.0-rc.2 "$subtract"
build_two A=B
both "two pre-releases" "$add_and_subtract" "$release/two-app"
for kernels in same other; do
  two_sources 1.0.0 1.0.0 "$([[ $kernels == same ]] || echo "$subtract")"
  expected=$([[ $kernels == same ]] && echo "$add_and_add" || echo "$add_and_subtract")
  for lto in false thin fat; do
    build_two CARGO_PROFILE_RELEASE_LTO=$lto
    both "two sources of one version, $kernels kernels, LTO $lto" "$expected" "$release/two-app"
  done
  build_two RUSTFLAGS="-C prefer-dynamic"
  both "two sources of one version, $kernels kernels, dylib" "$expected" \
    env LD_LIBRARY_PATH="$release:$release/deps:$sysroot" "$release/two-app"
  expected=$([[ $kernels == same ]] && echo 1 || echo 2)
  [[ $(prefixes "$release/libtwo_library.so") == "$expected" ]] || { echo "kernels under $(prefixes "$release/libtwo_library.so") prefixes"; exit 1; }
done

echo "$count passed, 0 failed"
