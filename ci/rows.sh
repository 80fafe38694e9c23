#!/usr/bin/env bash
# Generates the test values of rows again, with Python's cbor2, and compares them with tests/vectors/rows.json: ci/rows.sh
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

packages=target/python-rows
[[ -d $packages ]] || python3 -m pip install --quiet --target "$packages" cbor2==6.3.0 blake3==1.0.11 numpy==2.4.6
PYTHONPATH=$packages tests/vectors/rows.py --check
