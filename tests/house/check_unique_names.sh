#!/bin/sh
# SPDX-License-Identifier: MIT
# What is defined for one file alone has a name that is unique in its namespace and unit: unity builds compile a room, or
# several (lib/CMakeLists.txt says which), as one file. And no two headers define types of one name in one namespace, of
# which the linker takes one for the other.
# usage: check_unique_names.sh ROOT
set -eu
cd "$1"

offences=$(find lib/src cli python/src -name '*.cpp' | sort | xargs -r awk -v units=lib/CMakeLists.txt '
    # As lib/CMakeLists.txt has it: if(place MATCHES "PATTERN") set(unit NAME), the last NAME for all other rooms.
    function read_units(line) {
        while ((getline line < units) > 0) {
            if (match(line, /place MATCHES "[^"]+"/)) pattern[++known] = substr(line, RSTART + 15, RLENGTH - 16)
            if (match(line, /set\(unit [a-z_]+\)/)) named[++sets] = substr(line, RSTART + 9, RLENGTH - 10)
        }
    }
    function unit(path, k) {
        if (!sub(/^lib\/src\//, "", path)) {
            sub(/\/[^\/]*$/, "", path)
            return path
        }
        for (k = 1; k <= known; ++k)
            if (path ~ pattern[k]) return named[k]
        return named[sets]
    }
    BEGIN { read_units() }
    FNR == 1 { private = 0; unit_of_file = unit(FILENAME) }
    /^namespace [a-z_:]+ \{/ { room = unit_of_file ":" $2 }
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
        # A function beside a constant or a type of its name.
        called = ""
        if (name != "" && name !~ /\(/) {
            called = name
            is_function = 0
        } else if (match($0, /^[A-Za-z][^=(]*[ *&][A-Za-z_0-9]+\(/)) {
            called = substr($0, 1, RLENGTH - 1)
            sub(/.*[ *&]/, "", called)
            is_function = 1
        }
        if (called != "") {
            other = room ":" called ":" !is_function
            if (other in stands && stands[other] != FILENAME) print FILENAME ":" FNR ": " called " is in " stands[other] " too"
            stands[room ":" called ":" is_function] = FILENAME
        }
        key = room ":" name
        if (name == "" || name == "namespace {") next
        if (key in seen && seen[key] != FILENAME) print FILENAME ":" FNR ": " name " is in " seen[key] " too"
        seen[key] = FILENAME
    }')
types=$(find lib cli python/src -name '*.hpp' | sort | xargs -r awk '
    FNR == 1 { room = "" }
    /^namespace [a-z_:]+ \{/ { room = $2 }
    /^(struct|class) [A-Za-z_0-9]+( final)?( : .*)? \{/ {
        key = room "::" $2
        if (key in seen && seen[key] != FILENAME) print FILENAME ":" FNR ": " key " is in " seen[key] " too"
        seen[key] = FILENAME
    }')
[ -z "$types" ] || {
    printf '%s\nThe linker keeps one of their members: give it another name.\n' "$types"
    exit 1
}
[ -n "$offences" ] || exit 0
printf '%s\nUnity builds compile a room or several as one file: give it another name, or the unit one definition.\n' "$offences"
exit 1
