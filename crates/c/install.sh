#!/usr/bin/env bash
# Builds the C library and lays it out under a prefix, on Linux: crates/c/install.sh PREFIX
#
# The same as `cargo cinstall --release --prefix PREFIX --libdir PREFIX/lib` in this folder, for those who have no cargo-c.
set -euo pipefail
prefix=$(realpath --canonicalize-missing "${1:?usage: install.sh PREFIX}")
cd "$(dirname "${BASH_SOURCE[0]}")"

id=$(cargo pkgid)
version=${id##*[#@]}
IFS=.- read -r major minor patch _ <<<"$version"
case $major.$minor in
0.0) interface=0.0.$patch ;;
0.*) interface=0.$minor ;;
*) interface=$major ;;
esac

build=(cargo rustc --release --package lthash-c --lib --target-dir ../../target/c-library)
"${build[@]}" --crate-type cdylib -- -C link-arg=-Wl,-soname,"liblthash.so.$interface"
notes=$("${build[@]}" --crate-type staticlib --color never -- --print native-static-libs 2>&1) || { echo "$notes"; exit 1; }
private=$(sed -n 's/^note: native-static-libs: //p' <<<"$notes")
built=${build[-1]}/release

install -d "$prefix/lib/pkgconfig" "$prefix/include"
install -m 644 include/lthash.h "$prefix/include"
install -m 644 "$built/liblthash_c.a" "$prefix/lib/liblthash.a"
install -m 755 "$built/liblthash_c.so" "$prefix/lib/liblthash.so.$version"
ln -sf "liblthash.so.$version" "$prefix/lib/liblthash.so.$interface"
ln -sf "liblthash.so.$version" "$prefix/lib/liblthash.so"
cat >"$prefix/lib/pkgconfig/lthash.pc" <<PC
prefix=$prefix
exec_prefix=\${prefix}
libdir=\${exec_prefix}/lib
includedir=\${prefix}/include

Name: lthash
Description: The lattice multiset hash LtHash-16-1024 with BLAKE3
Version: $version
Libs: -L\${libdir} -llthash
Cflags: -I\${includedir}
Libs.private: $private
PC
echo "lthash $version is in $prefix"
