#!/usr/bin/env bash
# Checks the kernels with tools that share nothing with tests/kernels: ci/trace.sh [INSTRUCTION-SET or KERNEL...]
#
# ci/trace.py says what is checked; this installs what it needs: Capstone, to decode, and NumPy, to compute what is expected.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

folder=$PWD/target/trace
install() { # PACKAGE: installs the package, unless it is there
  [[ -d $folder/python/${1%%==*} ]] ||
    python3 -m pip install --quiet --root-user-action ignore --target "$folder/python" "$1"
}
install capstone==5.0.7
install numpy==2.2.6
export PYTHONPATH=$folder/python

assemble() { # ASM OBJECT: assembles a folder's kernels into a shared object, under short names
  local source objects=()
  for source in "$1"/*.S; do
    objects+=("$folder/$(basename "$source" .S).o")
    cc -c -I"$1" -DLTHASH_PREFIX=kernel_ "$source" -o "${objects[-1]}"
  done
  cc -shared -nostdlib -Wl,-z,noexecstack "${objects[@]}" -o "$2"
}

# Controls: a kernel that begins with these lines has to fail, with these words.
control() { # WORDS LINES
  rm -rf "$folder/wrong"
  cp -r asm "$folder/wrong"
  sed -i "s/^KERNEL(limbs_add_avx2)/&\n$2/" "$folder/wrong/limbs_avx2.S"
  assemble "$folder/wrong" "$folder/wrong.so"
  ci/trace.py "$folder/wrong.so" avx2 limbs_add >"$folder/wrong.txt" 2>&1 && { echo "this should have failed: $2"; exit 1; }
  grep -q "$1" "$folder/wrong.txt" || { cat "$folder/wrong.txt"; echo "the report lacks: $1"; exit 1; }
}
if grep -qw avx2 /proc/cpuinfo; then
  control "differs from what is expected" "add rsi, 2"
  control "are in no buffer" "movzx eax, byte ptr [rsi + 2048]"
  control "depend on data" "cmp byte ptr [rsi], 0; je 1f; nop; 1:"
  control "reads what it did not write" "sub rsp, 8; pop rax"
  control "rbx is not" "xor ebx, ebx"
fi

assemble asm "$folder/kernels.so"
ci/trace.py "$folder/kernels.so" "$@"
