#!/bin/sh
# SPDX-License-Identifier: MIT
# Every [Author Year] and [Author Year, Thm n] in a comment or a page has one entry in docs/references.md: a line that
# starts, after list, heading or bold marks, with the key.
# usage: check_citations.sh ROOT
set -eu
cd "$1"

{
    printf '%s\n' docs/references.md
    find lib cli README.md docs \( -name '*.[ch]pp' -o -name '*.md' \) ! -path docs/references.md 2>/dev/null | sort
} | xargs awk '
    FILENAME == "docs/references.md" {
        sub(/^[-*# \t[]+/, "")
        if (match($0, /^[A-Z][^][0-9]* [0-9][0-9][0-9][0-9][a-z]?/)) ++entries[substr($0, 1, RLENGTH)]
        next
    }
    FILENAME ~ /pp$/ && !/\/\// { next }
    {
        rest = $0
        while (match(rest, /\[[A-Z][^][0-9]* [0-9][0-9][0-9][0-9][a-z]?[],]/)) {
            key = substr(rest, RSTART + 1, RLENGTH - 2)
            rest = substr(rest, RSTART + RLENGTH)
            if (entries[key] == 1) continue
            print FILENAME ":" FNR ": [" key "] has " (entries[key] ? entries[key] " entries" : "no entry") " in docs/references.md"
            failed = 1
        }
    }
    END { exit failed }
'
