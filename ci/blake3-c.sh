#!/usr/bin/env bash
# Prints the folder of the C sources that the blake3 crate comes with: ci/blake3-c.sh
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

cargo metadata --format-version 1 | python3 -c '
import json, os, sys
packages = json.load(sys.stdin)["packages"]
print(next(os.path.dirname(package["manifest_path"]) for package in packages if package["name"] == "blake3") + "/c")'
