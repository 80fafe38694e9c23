#!/usr/bin/env bash
# Prints the backends that this machine must have, by the processor's features as the system lists them: ci/backends.sh
set -euo pipefail

flags=" $(sed -n '/^flags/{s/.*: //p;q}' /proc/cpuinfo) "
has() {
  local name
  for name; do [[ $flags == *" $name "* ]] || return; done
}
backends=portable
if has avx2 bmi2; then
  backends+=", avx2"
  if has avx512f avx512bw avx512vl; then backends+=", avx512"; fi
fi
echo "$backends"
