#!/usr/bin/env bash
# Builds with assemblers that are absent, too old or idle, with the overrides, and for targets without kernels; and checks which
# kernels are built, which warnings are printed and what is built again: ci/builds.sh
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

root=$PWD
export CARGO_TARGET_DIR=$root/target/builds
tools=$CARGO_TARGET_DIR/tools
mkdir -p "$tools"
output=$tools/output
count=0

build() { # VARIABLE=VALUE... : builds the consumer; its program prints the backends
  env "$@" cargo build --manifest-path tests/consumers/Cargo.toml --bin consumer >"$output" 2>&1
}
ok() {
  echo "ok: $1"
  count=$((count + 1))
}
fail() {
  echo "FAILED: $1"
  cat "$output"
  exit 1
}
builds() { # NAME BACKENDS WARNINGS VARIABLE=VALUE...
  build "${@:4}" || fail "$1: does not build"
  [[ $("$CARGO_TARGET_DIR/debug/consumer") == "backends: $2" ]] || fail "$1: $("$CARGO_TARGET_DIR/debug/consumer")"
  [[ $(grep -c '^warning: lthash@' "$output") == "$3" ]] || fail "$1: expected $3 warnings"
  ok "$1"
}
refuses() { # NAME MESSAGE VARIABLE=VALUE...
  if build "${@:3}"; then fail "$1: builds"; fi
  grep -q "^error: lthash@.*$2" "$output" || fail "$1: expected an error with: $2"
  ok "$1"
}
compiler() { # NAME SCRIPT: a compiler that runs the script for lthash's assembly files
  printf '#!/bin/sh\nfor word; do case $word in */asm/*.S) %s ;; esac; done\nexec cc "$@"\n' "$2" >"$tools/$1"
  chmod +x "$tools/$1"
}

all=$(ci/backends.sh)
old=$tools/old idle=$tools/idle
compiler old 'exec cc -Wa,-march=znver2 "$@"'
compiler idle 'exit 0'

builds "everything" "$all" 0 LTHASH_REQUIRE_ASM=1
builds "no compiler" "portable" 1 CC=/nonexistent/cc
builds "an assembler without AVX-512" "${all%, avx512}" 1 CC="$old"
builds "an assembler that does nothing" "portable" 1 CC="$idle"
# Compilers that always do nothing, or always fail. The blake3 crate does not build with them, so its feature `pure` keeps it from
# using one.
for compiler in true false; do
  builds "CC=$compiler" "portable" 1 CC=$compiler CARGO_FEATURE_PURE=1
  refuses "CC=$compiler, but kernels required" "apt install gcc" CC=$compiler CARGO_FEATURE_PURE=1 LTHASH_REQUIRE_ASM=1
done
refuses "no compiler, but kernels required" "apt install gcc" CC=/nonexistent/cc LTHASH_REQUIRE_ASM=1
refuses "an assembler that does nothing, but kernels required" "apt install gcc" CC="$idle" LTHASH_REQUIRE_ASM=1
refuses "no AVX-512, but kernels required" "apt install gcc" CC="$old" LTHASH_REQUIRE_ASM=1
builds "the portable pin, no compiler" "portable" 0 CC=/nonexistent/cc RUSTFLAGS='--cfg lthash_backend="portable"'
builds "a pin to avx2" "$all" 0 RUSTFLAGS='--cfg lthash_backend="avx2"'
refuses "a pin to nothing" 'expected "portable", "neon", "avx2" or "avx512"' RUSTFLAGS='--cfg lthash_backend="sse2"'
builds "as under Miri" "portable" 0 CC=/nonexistent/cc RUSTFLAGS='--cfg miri'
builds "as on docs.rs" "portable" 0 CC=/nonexistent/cc DOCS_RS=1

# Variables that keep an assembler from working: a build without them has the kernels again. (Here, too, the blake3 crate is built
# without a compiler.)
mkdir -p "$tools/broken"
printf '#!/bin/sh\nexit 1\n' >"$tools/broken/as"
# A wrapper like sccache, which starts the program that it is given, unless that is an assembler.
printf '#!/bin/sh\nfor word; do case $word in */asm/*.S) exit 1 ;; esac; done\nexec "$@"\n' >"$tools/sccache"
chmod +x "$tools/broken/as" "$tools/sccache"
for variable in CC_FORCE_DISABLE=1 COMPILER_PATH="$tools/broken" "RUSTC_WRAPPER=$tools/sccache CC=gcc"; do
  read -ra variables <<<"$variable"
  builds "with ${variable%%=*}" "portable" 1 CARGO_FEATURE_PURE=1 "${variables[@]}"
  builds "without ${variable%%=*} again" "$all" 0 CARGO_FEATURE_PURE=1
done
touch build.rs
builds "without the wrapper, where no compiler is named" "$all" 0 CARGO_FEATURE_PURE=1 RUSTC_WRAPPER="$tools/sccache"

# Sources of which a filter has kept Rust's files only. The error names the missing files; the portable backend builds, and is
# not built a second time.
filtered=$tools/filtered
rm -rf "$filtered"
mkdir -p "$filtered"
git ls-files -z '*.rs' '*Cargo.toml' '*Cargo.lock' | tar --null -T - -c | tar -x -C "$filtered"
build_filtered() { # VARIABLE=VALUE...
  env "$@" cargo build --manifest-path "$filtered/tests/consumers/Cargo.toml" --bin consumer >"$output" 2>&1
}
if build_filtered A=B; then fail "incomplete sources: builds"; fi
grep -q "^error: lthash@.*asm/ lacks abi.h, .*xof_avx512.S" "$output" || fail "incomplete sources: expected their names"
if grep -q "apt install" "$output"; then fail "incomplete sources: expected no advice on compilers"; fi
ok "incomplete sources"
for times in once twice; do
  build_filtered RUSTFLAGS='--cfg lthash_backend="portable"' || fail "incomplete sources, portable: does not build"
done
if grep -q Compiling "$output"; then fail "incomplete sources, portable: built twice"; fi
ok "incomplete sources, portable"

# With -ffile-prefix-map, kernels and their debug information do not depend on the folder that they are built in.
for folder in one other; do
  mkdir -p "$tools/$folder"
  cp -r build.rs asm src Cargo.toml benches crates "$tools/$folder"
  (cd "$tools/$folder" && CARGO_TARGET_DIR=target CARGO_PROFILE_DEV_DEBUG=2 CFLAGS="-ffile-prefix-map=$PWD=/source" \
    cargo build --lib >"$output" 2>&1) || fail "a build in another folder"
done
cmp "$tools"/{one,other}/target/debug/build/lthash-*/out/liblthash_kernels.a || fail "kernels that depend on the folder"
if grep -q "$tools" "$tools"/one/target/debug/build/lthash-*/out/liblthash_kernels.a; then fail "kernels that name the folder"; fi
ok "the same kernels in any folder"

# What is built again: a changed assembly file rebuilds the crate, a changed document does not.
build A=B
for file in asm/README.md README.md tests/vectors.rs; do
  touch "$file"
  build A=B
  if grep -q Compiling "$output"; then fail "$file is rebuilt"; fi
done
ok "documents and tests rebuild nothing"
for file in asm/xof_avx2.S asm/abi.h build.rs; do
  touch "$file"
  build A=B
  grep -q "Compiling lthash" "$output" || fail "$file rebuilds nothing"
done
ok "kernels, headers and build.rs rebuild the crate"
build LTHASH_REQUIRE_ASM=1
grep -q "Compiling lthash" "$output" || fail "LTHASH_REQUIRE_ASM rebuilds nothing"
ok "LTHASH_REQUIRE_ASM rebuilds the crate"

# The build script by itself, as it is run for other targets, whose standard library need not be installed. It must not fail, not
# start Microsoft's tools and not take the host's objects for the target's.
program=$(ls -t "$CARGO_TARGET_DIR"/debug/build/lthash-*/build-script-build | sed 1q)
for name in cl cl.exe ml64 ml64.exe lib.exe; do
  printf '#!/bin/sh\necho "$0" >>%s/started\nexit 1\n' "$tools" >"$tools/$name"
  chmod +x "$tools/$name"
done
script() { # NAME INSTRUCTION-SETS WARNINGS TARGET "ARCH WIDTH VENDOR OS ENV" VARIABLE=VALUE...
  local arch width vendor os env
  read -r arch width vendor os env <<<"$5"
  rm -rf "$tools/out" "$tools/started"
  mkdir "$tools/out"
  env -i PATH="$tools:$PATH" HOST=x86_64-unknown-linux-gnu TARGET="$4" OUT_DIR="$tools/out" CARGO_MANIFEST_DIR="$root" \
    OPT_LEVEL=0 DEBUG=false CARGO_CFG_TARGET_ARCH="$arch" CARGO_CFG_TARGET_POINTER_WIDTH="$width" \
    CARGO_CFG_TARGET_VENDOR="$vendor" CARGO_CFG_TARGET_OS="$os" CARGO_CFG_TARGET_ENV="${env/-/}" CARGO_CFG_TARGET_ABI= \
    CARGO_CFG_TARGET_FEATURE= CARGO_ENCODED_RUSTFLAGS= "${@:6}" "$program" >"$output" 2>&1 || fail "$1: exit status $?"
  [[ $(sed -n 's/^cargo::rustc-cfg=lthash_//p' "$output" | xargs) == "$2" ]] || fail "$1: expected kernels: ${2:-none}"
  [[ $(grep -c '^cargo::warning=' "$output") == "$3" ]] || fail "$1: expected $3 warnings"
  [[ ! -e $tools/started ]] || fail "$1: started $(xargs <"$tools/started")"
  ok "$1"
}
ln -sf "$(command -v clang-19)" "$tools/clang-cl" # under this name, clang takes MSVC's options
msvc="x86_64 64 pc windows msvc"
script "MSVC from Linux" "" 1 x86_64-pc-windows-msvc "$msvc"
script "MSVC from Linux, with cl named" "" 1 x86_64-pc-windows-msvc "$msvc" CC=cl
script "MSVC from Linux, with clang" "avx2 avx512" 0 x86_64-pc-windows-msvc "$msvc" CC=clang-19 AR=llvm-lib-19
script "MSVC from Linux, with clang-cl" "avx2 avx512" 0 x86_64-pc-windows-msvc "$msvc" CC=clang-cl AR=llvm-lib-19
script "Windows, GNU, from Linux" "avx2 avx512" 0 x86_64-pc-windows-gnu "x86_64 64 pc windows gnu"
script "Windows, GNU, with the host's compiler" "" 1 x86_64-pc-windows-gnu "x86_64 64 pc windows gnu" CC=gcc
script "macOS from Linux" "" 1 x86_64-apple-darwin "x86_64 64 apple macos -"
script "musl, with the host's compiler" "avx2 avx512" 0 x86_64-unknown-linux-musl "x86_64 64 unknown linux musl"
script "x32" "" 1 x86_64-unknown-linux-gnux32 "x86_64 32 unknown linux gnu"
script "aarch64, no compiler" "" 1 aarch64-unknown-linux-gnu "aarch64 64 unknown linux gnu" PATH=/nonexistent
script "WebAssembly, no compiler" "" 1 wasm32-unknown-unknown "wasm32 32 unknown unknown -" PATH=/nonexistent
script "docs.rs for macOS, no compiler" "" 0 x86_64-apple-darwin "x86_64 64 apple macos -" PATH=/nonexistent DOCS_RS=1

echo "$count passed, 0 failed"
