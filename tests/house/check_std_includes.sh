#!/bin/sh
# SPDX-License-Identifier: MIT
# A header includes what it takes from the standard library: Boost's numbers, which are read ahead of the sources, bring
# much of it along, and would hide what is missing.
# usage: check_std_includes.sh ROOT
set -eu
cd "$1"

# header: what it is included for
names='
algorithm: all_of any_of max min none_of sort
array: array
atomic: atomic
chrono: chrono
cmath: exp log pow sqrt
complex: complex
concepts: convertible_to same_as
cstdint: int32_t int64_t uint8_t uint32_t uint64_t
deque: deque
exception: exception_ptr
functional: function
initializer_list: initializer_list
limits: numeric_limits
map: map multimap
memory: make_shared make_unique shared_ptr unique_ptr
mutex: mutex
numeric: accumulate
optional: nullopt optional
set: set
span: span
stdexcept: invalid_argument runtime_error
string: string to_string
string_view: string_view
thread: thread
tuple: tuple
type_traits: conditional_t decay_t is_same_v remove_cvref_t
unordered_map: unordered_map
unordered_set: unordered_set
utility: move pair swap
variant: variant
vector: vector
'

find lib cli -name '*.hpp' | sort | xargs -r awk -v names="$names" '
    BEGIN {
        n = split(names, line, "\n")
        for (i = 1; i <= n; ++i) {
            if (split(line[i], side, ": ") < 2) continue
            m = split(side[2], word, " ")
            for (j = 1; j <= m; ++j) header[word[j]] = side[1]
        }
    }
    FNR == 1 {
        delete included
        delete missed
    }
    match($0, /^#include <[a-z_]+>/) { included[substr($0, 11, RLENGTH - 11)] = 1 }
    {
        gsub(/"([^"\\]|\\.)*"/, "")
        sub(/\/\/.*/, "")
        while (match($0, /std::[a-z_0-9]+/)) {
            name = substr($0, RSTART + 5, RLENGTH - 5)
            $0 = substr($0, RSTART + RLENGTH)
            if (!(name in header) || header[name] in included || header[name] in missed) continue
            missed[header[name]] = 1
            print FILENAME ":" FNR ": std::" name " without <" header[name] ">"
            failed = 1
        }
    }
    END { exit failed }
'
