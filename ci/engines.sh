#!/usr/bin/env bash
# Checks and tests engines/arrow: format, clippy, documentation, tests against other libraries, benches once each: ci/engines.sh
# The rest of the workspace is ci/sql.sh's.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../engines"

packages=$PWD/../target/python-engines
[[ -d $packages ]] || python3 -m pip install --quiet --target "$packages" cbor2==6.3.0 blake3==1.0.11 numpy==2.4.6 pyarrow==26.0.1
export PYTHONPATH=$packages CARGO_PROFILE_DEV_DEBUG=0
cargo fmt --package lthash-arrow --check
cargo clippy --package lthash-arrow --all-targets -- -D warnings
RUSTDOCFLAGS="-D warnings" cargo doc --package lthash-arrow --no-deps
cargo test --package lthash-arrow
cargo test --package lthash-arrow --bench rows
