#!/usr/bin/env bash
# Checks and tests engines/arrow: format, clippy, documentation, tests against other libraries, benches once each: ci/engines.sh
# The rest of the workspace is ci/sql.sh's.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../engines"

PYTHONPATH=$(../ci/python-engines.sh)
export PYTHONPATH CARGO_PROFILE_DEV_DEBUG=0
cargo fmt --package lthash-arrow --check
cargo clippy --package lthash-arrow --all-targets -- -D warnings
RUSTDOCFLAGS="-D warnings" cargo doc --package lthash-arrow --no-deps
cargo test --package lthash-arrow
cargo test --package lthash-arrow --bench rows
