#!/usr/bin/env bash
# Runs llvm-mca on a kernel in the release build of the program, or on the body of the kernel's longest loop:
#
#   ci/mca.sh xof_add_avx512 -mcpu=znver4
#   ci/mca.sh --loop xof_add_avx2 -mcpu=znver3 -timeline
#
# The cycles are those of 100 runs, one after the other. LLVM_SUFFIX selects the installed tools, for instance -19.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

part=all
if [[ $1 == --loop ]]; then
  part=loop
  shift
fi
kernel=$1
shift

longest_loop() {
  awk '{ line[NR] = $0 }
    /^L[0-9]+:/ { sub(":.*", ""); begin[$0] = NR + 1; next }
    /^[ \t]+j/ && $2 in begin && NR - begin[$2] > last - first { first = begin[$2]; last = NR - 1 }
    END { for (i = first; i <= last; i++) if (line[i] !~ /^L|^[ \t]+j/) print line[i] }'
}

cargo build --quiet --release
program=${CARGO_TARGET_DIR:-target}/release/lthash
symbol=$(nm "$program" | grep -oE "lthash_[0-9]+_[0-9]+_[0-9]+_[0-9a-f]{16}_$kernel\$") || { echo "$program has no kernel $kernel"; exit 2; }
# In llvm-mca's syntax: labels without brackets, [rip] as the address of every constant, no padding, no ret.
"llvm-objdump${LLVM_SUFFIX:-}" -d --x86-asm-syntax=intel --no-show-raw-insn --no-leading-addr --symbolize-operands \
  --disassemble-symbols="$symbol" "$program" |
  sed -nE 's/<(L[0-9]+)>/\1/; s/ptr( *\{1to16\})? +<[^>]*>/ptr [rip]\1/; s/ *[<#].*//; /\t(nop|ret)/d; /^(L[0-9]|\s+[a-z])/p' |
  if [[ $part == loop ]]; then longest_loop; else cat; fi |
  sed '1i .intel_syntax noprefix' |
  "llvm-mca${LLVM_SUFFIX:-}" -iterations=100 "$@"
