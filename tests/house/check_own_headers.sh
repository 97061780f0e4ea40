#!/bin/sh
# SPDX-License-Identifier: MIT
# What a header needs, it includes: the source of its name reads it before any other, so that compiling the source shows it
# but for what comes with Boost's numbers, which are read ahead of it (check_std_includes.sh). Headers without a source are
# compiled alone (lib/CMakeLists.txt). A public header includes no private one.
# usage: check_own_headers.sh ROOT
set -eu
cd "$1"

offences=$(
    find lib/src cli -name '*.cpp' | sort | while read -r source; do
        room=${source#lib/src/}
        own=${room%.cpp}.hpp
        [ -e "${source%.cpp}.hpp" ] || [ -e "lib/include/isserlis/$own" ] || continue
        first=$(grep -m1 '^#include' "$source")
        case $first in
            "#include <isserlis/$own>" | "#include \"$own\"" | "#include \"${own##*/}\"") ;;
            *) echo "$source: reads another header before its own" ;;
        esac
    done
    grep -rn '^#include "' lib/include | sed 's/$/: a private header in a public one/' || true
)
[ -z "$offences" ] && exit 0
echo "$offences"
exit 1
