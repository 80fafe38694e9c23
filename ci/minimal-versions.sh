#!/usr/bin/env bash
# Builds with the oldest dependencies that Cargo.toml allows: ci/minimal-versions.sh
#
# It needs an unstable option of Cargo, which RUSTC_BOOTSTRAP=1 turns on in a stable one. Works on a copy, to leave Cargo.lock
# alone.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

export RUSTC_BOOTSTRAP=1 CARGO_TARGET_DIR=$PWD/target/minimal-versions
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
git ls-files -z | tar --null -T - -c | tar -x -C "$copy"
cd "$copy"
rm Cargo.lock
# The tests' and benches' dependencies are nobody else's.
sed -i -E '/^\[(target\..*\.)?dev-dependencies\]|^\[\[(test|bench)\]\]/,/^$/d' Cargo.toml crates/cli/Cargo.toml
cargo update -Z direct-minimal-versions
cargo tree --edges normal,build --depth 1 --all-features
cargo check --all-features
