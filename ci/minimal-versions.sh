#!/usr/bin/env bash
# Builds with the oldest dependencies that Cargo.toml allows: ci/minimal-versions.sh
#
# This needs an unstable option of Cargo, which RUSTC_BOOTSTRAP=1 turns on in a stable one. It works on a copy, to keep Cargo.lock
# as it is.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

export RUSTC_BOOTSTRAP=1 CARGO_TARGET_DIR=$PWD/target/minimal-versions
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
git ls-files -z | tar --null -T - -c | tar -x -C "$copy"
cd "$copy"
rm Cargo.lock
# Users of the crates do not build the dependencies of tests and benches.
sed -i -E '/^\[(target\..*\.)?dev-dependencies\]|^\[\[(test|bench)\]\]/,/^$/d' Cargo.toml crates/cli/Cargo.toml
cargo update -Z direct-minimal-versions
cargo tree --edges normal,build --depth 1 --all-features
cargo check --all-features
