#!/bin/sh
# SPDX-License-Identifier: MIT
# The library names parameters, between backticks in messages; the command line says which option sets them. The rows
# of quantities are left out: they say which command prints what, under which of its options.
# usage: check_option_names.sh ROOT
set -eu
cd "$1"

offences=$(find lib -name '*.[ch]pp' ! -path 'lib/src/quantity/rows/*' | sort | xargs -r awk '
    /^[ \t]*\/\// { next }
    {
        rest = $0
        gsub(/"--default-settings"/, "", rest)  # an option of gnuplot
        while (match(rest, /"([^"\\]|\\.)*"/)) {
            text = substr(rest, RSTART, RLENGTH)
            rest = substr(rest, RSTART + RLENGTH)
            if (text ~ /--[a-z]/ || text ~ /(^|[^A-Za-z_])(EXPR|WIDTHS)([^A-Za-z_]|$)/)
                print FILENAME ":" FNR ": " text " speaks of the command line"
        }
    }')
[ -n "$offences" ] || exit 0
printf '%s\nName the parameter, `such_as_this`, and what sets it in cli/parameters.cpp.\n' "$offences"
exit 1
