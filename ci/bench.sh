#!/usr/bin/env bash
# Runs the criterion benches and compares the backends: ci/bench.sh [ARGUMENTS OF CRITERION...]
#
# First the backends that the processor has and lacks. The comparison is critcmp's: of each case, the fastest backend has 1.00.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

cargo run --quiet --release --package lthash-cli -- backends
cargo bench --bench lthash -- --save-baseline backends "$@"
"$(ci/tool.sh critcmp)" backends --group '([^/]+/)[^/]+/(.*)'
