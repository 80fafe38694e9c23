#!/usr/bin/env bash
# Checks and tests engines/datafusion: format, clippy, tests on one machine and on a cluster of processes, licences: ci/sql.sh
#
# Without debug information, in a debug build: five hundred crates take some ten minutes of two cores from scratch.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../engines"

export CARGO_PROFILE_DEV_DEBUG=0
cargo fmt --package lthash-datafusion --check
cargo test --package lthash-datafusion
cargo clippy --package lthash-datafusion --all-targets -- -D warnings
cargo check --package lthash-datafusion --no-default-features
