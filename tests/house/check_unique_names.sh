#!/bin/sh
# SPDX-License-Identifier: MIT
# What is defined for one file alone has a name that is unique in its unit: unity builds compile a room, or several
# (lib/CMakeLists.txt says which), as one file.
# usage: check_unique_names.sh ROOT
set -eu
cd "$1"

offences=$(find lib/src cli python/src -name '*.cpp' | sort | xargs -r awk '
    function unit(path) {
        sub(/\/[^\/]*$/, "", path)
        if (path ~ /^lib\/src\/quantity\//) return "questions"
        if (path ~ /^lib\/src\/quantity$/) return "quantity"
        if (path ~ /^lib\/src\/(question|range|verify|errata|emit)$/) return "question"
        if (path ~ /^lib\/src\/(report|words|monte_carlo\/plan)$/) return "report"
        if (path ~ /^lib\/src\/(ring|strand)$/) return "exact"
        if (path ~ /^lib\/src\/(mlp|train)$/) return "mlp"
        if (path ~ /^lib\/src\/(monte_carlo|random)$/) return "sampling"
        return path ~ /^lib\/src/ ? "formula" : path
    }
    FNR == 1 { private = 0; room = unit(FILENAME) }
    /^namespace \{/ { private = 1 }
    /^\}  \/\/ namespace$/ { private = 0 }
    !private || /:$/ { next }  # a line of Python ends with a colon
    {
        name = ""
        if (match($0, /^(struct|class|enum class|enum) [A-Za-z_0-9]+/)) {
            name = substr($0, 1, RLENGTH)
            sub(/.* /, "", name)
        } else if (match($0, /^(inline )?(constexpr|const) [^=({]*/)) {
            name = substr($0, 1, RLENGTH)
            gsub(/\[[^]]*\]| +$/, "", name)
            sub(/.*[ *&]/, "", name)
        } else if (/^using [A-Za-z_0-9]+ = /) {
            if ((room, $2) in alias && alias[room, $2] != $0) print FILENAME ":" FNR ": " $2 " means something else too"
            alias[room, $2] = $0
        } else if (/^[A-Za-z][^=]*\(.*\{/) {
            name = $0  # functions may be overloaded: the same name and parameters
        }
        key = room ":" name
        if (name == "" || name == "namespace {") next
        if (key in seen && seen[key] != FILENAME) print FILENAME ":" FNR ": " name " is in " seen[key] " too"
        seen[key] = FILENAME
    }')
[ -n "$offences" ] || exit 0
printf '%s\nUnity builds compile a room or several as one file: give it another name, or the unit one definition.\n' "$offences"
exit 1
