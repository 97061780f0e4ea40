#!/bin/sh
# SPDX-License-Identifier: MIT
# What nm says of the compiled files: no function has one body in a header and another in a source file. The linker
# takes either without a word, so that what a program prints hangs on what the compiler inlines.
# usage: check_one_definition.sh FOLDER
set -eu
command -v nm > /dev/null || {
    echo 'nm is not installed'
    exit 77
}
offences=$(find "$1" -name '*.o' | xargs -r nm --defined-only -P | awk '
    $2 == "T" { strong[$1] = 1 }
    $2 == "W" { weak[$1] = 1 }
    END { for (name in weak) if (name in strong) print name }' | sort | c++filt)
[ -z "$offences" ] && exit 0
printf '%s\n' "$offences"
echo 'has one definition in a header and another in a source file; give one of them another name'
exit 1
