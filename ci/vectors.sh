#!/usr/bin/env bash
# Makes the guards of the published vectors anew with Python's blake3 and compares them with tests/vectors/guards.json: ci/vectors.sh
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

packages=target/python-vectors
[[ -d $packages ]] || python3 -m pip install --quiet --target "$packages" blake3==1.0.11
PYTHONPATH=$packages tests/vectors/guards.py --check
