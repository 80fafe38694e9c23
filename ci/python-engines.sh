#!/usr/bin/env bash
# Installs what the tests of engines/ check checksums with, and prints the folder for PYTHONPATH: ci/python-engines.sh
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

packages=$PWD/target/python-engines
[[ -d $packages ]] || python3 -m pip install --quiet --target "$packages" cbor2==6.3.0 blake3==1.0.11 numpy==2.4.6 pyarrow==26.0.1 >&2
echo "$packages"
