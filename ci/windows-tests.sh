#!/usr/bin/env bash
# Tests the crate as Windows programs, with mingw-w64 and Wine: ci/windows-tests.sh CARGO, which runs Debian's Rust 1.85
#
# Debian has no standard library of that Rust for Windows, so this builds it from Debian's source.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

cargo=$1
target=x86_64-pc-windows-gnu
export CARGO_TARGET_DIR=$PWD/target/windows-tests RUSTC_BOOTSTRAP=1
folder=$CARGO_TARGET_DIR/rust
if [[ ! -d $folder/library ]]; then
  rm -rf "$folder"
  mkdir -p "$folder"
  apt-get update -qq
  version=$(apt-cache madison rust-web-src | grep -o '1\.85\.[^ ]*' | head -1)
  (cd "$folder" && apt-get -qq download "rust-web-src=$version" 2> >(grep -v unsandboxed >&2) && dpkg -x ./*.deb . && rm ./*.deb)
  mv "$folder"/usr/src/rustc-*/library "$folder/library"
fi
# Cargo looks here for the standard library's source if it is not beside the compiler.
export __CARGO_TESTS_ONLY_SRC_ROOT=$folder/library

# Two objects that the standard library has and every program is linked with. On x86-64 they are empty.
for object in rsbegin rsend; do
  x86_64-w64-mingw32-gcc -x c -c /dev/null -o "$folder/$object.o"
done
x86_64-w64-mingw32-gcc -shared tests/windows/bcryptprimitives.c -o "$folder/bcryptprimitives.dll" -ladvapi32

wine=/usr/lib/wine/wine64
export WINEDEBUG=-all WINEPREFIX=$CARGO_TARGET_DIR/wine WINEPATH=$folder
export CARGO_TARGET_X86_64_PC_WINDOWS_GNU_LINKER=x86_64-w64-mingw32-gcc CARGO_TARGET_X86_64_PC_WINDOWS_GNU_RUNNER=$wine
export CARGO_TARGET_X86_64_PC_WINDOWS_GNU_RUSTFLAGS="-L $folder"
LTHASH_REQUIRE=avx2 LTHASH_REQUIRE_ASM=1 "$cargo" test -Z build-std=std,test,panic_unwind,proc_macro --target $target \
  --all-features --lib --tests

# The program, whose own tests run on Unix only: it replaces a state.
cd "$CARGO_TARGET_DIR"
lthash() { "$wine" "$target/debug/lthash.exe" "$@" | tr -d '\r'; }
printf 'alice\nbob\n' >one
printf 'carol\n' >two
lthash sum --state state one
lthash update state --insert two
cat two one | lthash sum --state whole
lthash compare state whole
