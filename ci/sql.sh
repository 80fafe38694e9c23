#!/usr/bin/env bash
# Tests engines/datafusion on one machine and on a cluster of processes: ci/sql.sh
#
# In a debug build without debug information. Clippy and a build without default features are left to whoever changes it, since either would check
# DataFusion's five hundred crates once more: cargo clippy --package lthash-datafusion --all-targets, cargo check --package lthash-datafusion --no-default-features
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../engines"

PYTHONPATH=$(../ci/python-engines.sh)
cargo build --manifest-path ../Cargo.toml --package lthash-cli
export PYTHONPATH LTHASH_PROGRAM=$PWD/../target/debug/lthash CARGO_PROFILE_DEV_DEBUG=0
cargo fmt --package lthash-datafusion --check
cargo test --package lthash-datafusion
