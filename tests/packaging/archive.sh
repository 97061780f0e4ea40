#!/bin/sh
# SPDX-License-Identifier: MIT
# The archive is unpacked into another folder; the program runs there with libraries of its own, and all is inside.
# usage: archive.sh BUILD VERSION
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$1"
cpack -G TGZ -B "$work" > "$work/log" 2>&1 || { cat "$work/log"; exit 1; }
mkdir "$work/a folder"
tar xzf "$work/isserlis-$2-Linux.tar.gz" -C "$work/a folder"
tree="$work/a folder/isserlis-$2-Linux"
program="$tree/bin/isserlis"
[ "$("$program" --version)" = "isserlis $2" ]
# A formula takes FLINT, so that every library is loaded.
asked="norm n,n:L,1 --layer L --format csv"
LD_DEBUG=libs LD_DEBUG_OUTPUT="$work/loaded" "$program" $asked | grep -q 'squared_norm_moment,L 2,(n + 5)^L/n^L'
for library in gmp mpfr flint stdc++ isserlis isserlis_flint; do
    grep 'calling init' "$work"/loaded* | grep "/lib$library[.]so" | grep -q "$tree" ||
        { echo "lib$library does not come from the archive"; exit 1; }
done
for file in share/man/man1/isserlis.1 share/bash-completion/completions/isserlis share/zsh/site-functions/_isserlis \
    share/fish/vendor_completions.d/isserlis.fish share/doc/isserlis/copyright; do
    [ -s "$tree/$file" ] || { echo "$file is not in the archive"; exit 1; }
done
[ ! -e "$tree/include" ] || { echo 'headers are in the archive'; exit 1; }
