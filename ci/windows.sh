#!/usr/bin/env bash
# Runs the AVX2 kernels as COFF objects in a Windows program, with mingw-w64 and Wine: ci/windows.sh
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

blake3=$(ci/blake3-c.sh)
folder=$PWD/target/windows
export WINEDEBUG=-all WINEPREFIX=$folder/wine
mkdir -p "$folder"

prefix=-DLTHASH_PREFIX=lthash_windows_
harness() { # ASM ASSEMBLER...: builds the kernels of a folder into the harness and runs it
  local source object objects=()
  for source in "$1"/*_avx2.S; do
    object=$folder/$(basename "$source" .S).o
    "${@:2}" $prefix -I "$1" -c "$source" -o "$object"
    objects+=("$object")
  done
  x86_64-w64-mingw32-gcc -O2 -Wall -I "$blake3" $prefix tests/windows/{harness.c,registers.S} "$blake3/blake3_portable.c" "${objects[@]}" \
    -static -o "$folder/harness.exe"
  /usr/lib/wine/wine64 "$folder/harness.exe" | tr -d '\r'
}

for assembler in x86_64-w64-mingw32-gcc "clang-19 --target=x86_64-pc-windows-gnu"; do
  echo "$assembler:"
  harness asm $assembler
done

# The control: kernels that do not restore rbp have to fail.
rm -rf "$folder/broken"
cp -r asm "$folder/broken"
sed -i '/^\.macro frame_close/,/^\.endm/s/pop     rbp/lea     rsp, [rsp + 8]/' "$folder/broken/abi.h"
output=$(harness "$folder/broken" x86_64-w64-mingw32-gcc) && { echo "kernels that do not restore rbp pass"; exit 1; }
grep -x 'xof spoils rbp' <<<"$output" >/dev/null || { printf 'the harness does not report rbp:\n%s\n' "$output"; exit 1; }
echo "kernels that do not restore rbp fail, as they should"
