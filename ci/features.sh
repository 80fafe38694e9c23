#!/usr/bin/env bash
# Checks the library with every combination of features, by cargo-hack: ci/features.sh
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# `default` is `std`.
RUSTFLAGS="-D warnings" CARGO_TARGET_DIR=target/features \
  "$(ci/tool.sh cargo-hack)" hack check --package lthash --feature-powerset --exclude-features default
