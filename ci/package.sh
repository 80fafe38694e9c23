#!/usr/bin/env bash
# Packages the crate, checks the package's size and the number of dependencies, and tests the unpacked package offline:
#
#   ci/package.sh [ARGUMENTS OF THE TESTS...]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

cargo package --package lthash --allow-dirty --no-verify
package=$(ls -t target/package/lthash-[0-9]*.crate | head -1)
files=$(tar -tzf "$package" | sed 's|^[^/]*/||')
for wanted in build.rs README.md CHANGELOG.md LICENSE-MIT LICENSE-APACHE asm/README.md $(git ls-files asm src 'tests/*.rs' ':!tests/consumers'); do
  grep -qxF "$wanted" <<<"$files" || { echo "the package lacks $wanted"; exit 1; }
done
size=$(stat -c %s "$package")
echo "$package: $size bytes, $(wc -l <<<"$files") files"
((size < 300000)) || { echo "300,000 bytes are the limit"; exit 1; }

dependencies=$(cargo tree --package lthash --edges normal,build --prefix none --no-dedupe | sort -u)
printf 'the library and its dependencies:\n%s\n' "$dependencies"
(($(wc -l <<<"$dependencies") < 12)) || { echo "11 crates are the limit"; exit 1; }

export CARGO_TARGET_DIR=$PWD/target CARGO_NET_OFFLINE=true
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
unpacked="$folder/a folder with spaces"
mkdir "$unpacked"
tar -xzf "$package" -C "$unpacked" --strip-components 1
cd "$unpacked"
cargo test --all-features -- "$@"
