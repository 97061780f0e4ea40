#!/bin/sh
# SPDX-License-Identifier: MIT
# What readelf says of the program and the library: position independent, no executable stack, relocations read-only
# from the start, nothing searched for in the current folder. With `hardened`, as the release, test and check
# presets compile: stack protector and checked library calls too.
# usage: check_binaries.sh FILE.. [hardened]
set -eu
command -v readelf > /dev/null || {
    echo 'readelf is not installed'
    exit 77
}
failed=0
fail() {
    printf '%s: %s\n' "$file" "$1"
    failed=1
}
hardened=
for file; do
    if [ "$file" = hardened ]; then hardened=yes; fi
done
for file; do
    if [ "$file" = hardened ]; then continue; fi
    segments=$(readelf -lW "$file")
    dynamic=$(readelf -dW "$file")
    printf '%s\n' "$segments" | grep -q 'DYN (' || fail 'is not position independent'
    printf '%s\n' "$segments" | grep 'GNU_STACK' | grep -q 'RWE' && fail 'has an executable stack'
    printf '%s\n' "$segments" | grep -q 'GNU_RELRO' || fail 'has no read-only relocations (-z relro)'
    printf '%s\n' "$dynamic" | grep -Eq 'BIND_NOW|Flags:.* NOW' || fail 'binds symbols late (-z now)'
    printf '%s\n' "$dynamic" | grep -q 'TEXTREL' && fail 'has relocations in its code'
    printf '%s\n' "$dynamic" | grep -E 'R(UN)?PATH' | grep -Eq '\[:|:\]|::|\[\]' &&
        fail 'looks for libraries in the current folder'
    if [ -n "$hardened" ]; then
        symbols=$(readelf --dyn-syms -W "$file")
        printf '%s\n' "$symbols" | grep -q '__stack_chk_fail' || fail 'has no stack protector'
        printf '%s\n' "$symbols" | grep -Eq '__[a-z]+_chk' || fail 'has no checked library calls (_FORTIFY_SOURCE)'
    fi
done
exit $failed
