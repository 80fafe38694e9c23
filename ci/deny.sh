#!/usr/bin/env bash
# Checks with cargo-deny what the repository's crates depend on: ci/deny.sh CHECK... (advisories, bans, licenses, sources)
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

deny=$(ci/tool.sh cargo-deny)
for manifest in Cargo.toml benches/*/Cargo.toml ci/*/Cargo.toml tests/consumers/Cargo.toml; do
  echo "$manifest:"
  "$deny" --manifest-path "$manifest" --config deny.toml --all-features check "$@"
done
echo "engines/Cargo.toml:"
"$deny" --manifest-path engines/Cargo.toml --config engines/deny.toml --all-features check "$@"
