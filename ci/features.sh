#!/usr/bin/env bash
# Builds the library with every combination of features: ci/features.sh
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

features=($(cargo metadata --no-deps --format-version 1 |
  python3 -c 'import json, sys; print(*sorted(next(p for p in json.load(sys.stdin)["packages"] if p["name"] == "lthash")["features"]))'))
printf 'features: %s\n' "${features[*]}"
for ((set = 0; set < 1 << ${#features[@]}; set++)); do
  chosen=()
  for i in "${!features[@]}"; do
    if ((set >> i & 1)); then chosen+=("${features[i]}"); fi
  done
  [[ " ${chosen[*]} " == *" default "* ]] && continue # the same as `std`
  list=$(IFS=,; echo "${chosen[*]}")
  if ! output=$(RUSTFLAGS="-D warnings" CARGO_TARGET_DIR=target/features cargo check --package lthash --quiet --no-default-features --features "$list" 2>&1); then
    printf -- '--features "%s":\n%s\n' "$list" "$output"
    exit 1
  fi
  echo "ok: ${list:-none}"
done
