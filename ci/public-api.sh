#!/usr/bin/env bash
# Lists the library's public interface with the crate public-api and compares it with ci/public-api.txt: ci/public-api.sh [--write]
#
# The listing changes only on purpose: a change of the interface is made together with the listing (--write), where review
# sees it. Every function must also be named in tests/stack.rs, which calls them on a small stack. rustdoc's JSON is unstable,
# so a new Rust may want a new version of public-api.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

target=${CARGO_TARGET_DIR:-$PWD/target}
RUSTC_BOOTSTRAP=1 cargo rustdoc --quiet --package lthash --lib --all-features -- -Zunstable-options --output-format=json
listing=$(CARGO_TARGET_DIR=$target/public-api cargo run --quiet --manifest-path ci/public-api/Cargo.toml "$target/doc/lthash.json")
if [[ ${1-} == --write ]]; then
  printf '%s\n' "$listing" >ci/public-api.txt
  exit
fi

# The names of all functions but those that implement a trait: these stand below an `impl Trait for Type` and begin with the type.
functions=$(awk '
  { gsub(/<\047[a-z_]+>/, "") }
  /^impl/ { sub(/ where .*/, ""); type = sub(/.* for /, "") ? $0 : ""; next }
  match($0, /^pub (const )?(unsafe )?fn /) && !(type && index($0, "fn " type "::")) {
    name = substr($0, RLENGTH + 1); sub(/[<(].*/, "", name); sub(/.*::/, "", name); print name
  }' <<<"$listing" | sort -u)
untried=$(comm -23 <(echo "$functions") <(grep -oE '\w+' tests/stack.rs | sort -u))
[[ -z $untried ]] || { printf 'not in tests/stack.rs:\n%s\n' "$untried"; exit 1; }

diff -u --label recorded --label now ci/public-api.txt - <<<"$listing" || {
  echo "The public interface has changed. If that is meant: ci/public-api.sh --write"
  exit 1
}
echo "$(wc -l <<<"$listing") items, as recorded; $(wc -l <<<"$functions") names of functions"
