#!/usr/bin/env bash
# Runs the criterion benches and compares the backends: ci/bench.sh [ARGUMENTS OF CRITERION...]
#
# It first prints the backends that the processor has and lacks, and last critcmp's comparison, in which the fastest backend of a
# case has 1.00.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

cargo run --quiet --release --package lthash-cli -- backends
cargo bench --bench lthash -- --save-baseline backends "$@"
"$(ci/tool.sh critcmp)" backends --group '([^/]+/)[^/]+/(.*)'
