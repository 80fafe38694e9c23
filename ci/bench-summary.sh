#!/usr/bin/env bash
# What this processor is, which backends it has and lacks, and the comparison of criterion's last results, as Markdown:
# cargo bench --bench lthash && ci/bench-summary.sh
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

echo '## Backends'
echo '```text'
cargo run --quiet --release -- backends
echo '```'
echo '## Comparison'
cargo run --quiet --manifest-path benches/report/Cargo.toml
