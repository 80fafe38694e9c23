#!/usr/bin/env bash
# Runs the AVX2 kernels as COFF objects in a Windows program, with mingw-w64 and Wine: ci/windows.sh
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

blake3=$(cargo metadata --format-version 1 | python3 -c '
import json, os, sys
packages = json.load(sys.stdin)["packages"]
print(next(os.path.dirname(p["manifest_path"]) for p in packages if p["name"] == "blake3"))')/c
folder=target/windows
mkdir -p "$folder"
for assembler in x86_64-w64-mingw32-gcc "clang-19 --target=x86_64-pc-windows-gnu"; do
  objects=()
  for source in asm/*_avx2.S; do
    object=$folder/$(basename "$source" .S).o
    $assembler -DLTHASH_PREFIX=lthash_0_1_0_ -I asm -c "$source" -o "$object"
    objects+=("$object")
  done
  x86_64-w64-mingw32-gcc -O2 -DBLAKE3_NO_SSE2 -DBLAKE3_NO_SSE41 -DBLAKE3_NO_AVX2 -DBLAKE3_NO_AVX512 -I "$blake3" \
    tests/windows/harness.c "$blake3"/{blake3,blake3_dispatch,blake3_portable}.c "${objects[@]}" -static -o "$folder/harness.exe"
  echo "$assembler:"
  WINEDEBUG=-all WINEPREFIX=$PWD/$folder/wine /usr/lib/wine/wine64 "$folder/harness.exe" | tr -d '\r'
done
