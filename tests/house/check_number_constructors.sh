#!/bin/sh
# SPDX-License-Identifier: MIT
# Boost's string and two-argument constructors of numbers accept "1/0", "6/4" and (1, -2), and give wrong numbers or a
# dead process. Only ring/ may use them; everyone else calls its parser and ratio().
# usage: check_number_constructors.sh ROOT
set -eu
cd "$1"

find lib cli tests docs/examples -name '*.[ch]pp' ! -path 'lib/include/isserlis/ring/*' ! -path 'lib/src/ring/*' 2>/dev/null |
    sort | xargs -r awk '
    # The line without comments and without what is inside quotes; remembers what goes on into the next line.
    function code(line,    out, end) {
        out = ""
        while (line != "") {
            if (closing != "") {  # inside a block comment or a raw string
                end = index(line, closing)
                if (!end) return out
                line = substr(line, end + length(closing))
                closing = ""
            }
            if (!match(line, /\/\/|\/\*|R"|"|\047/)) return out line
            out = out substr(line, 1, RSTART - 1)
            token = substr(line, RSTART, RLENGTH)
            line = substr(line, RSTART + RLENGTH)
            if (token == "//") return out
            if (token == "/*") {
                closing = "*/"
            } else if (token == "R\"") {
                closing = ")" substr(line, 1, index(line, "(") - 1) "\""
                out = out "\"\""
            } else if (token == "\"") {
                match(line, /^([^"\\]|\\.)*"/)
                line = substr(line, RLENGTH + 1)
                out = out "\"\""
            } else if (out !~ /[0-9a-fA-F]$/) {  # a character, not a digit separator
                match(line, /^([^\047\\]|\\.)*\047/)
                line = substr(line, RLENGTH + 1)
            }
        }
        return out
    }

    # What stands between the first bracket, where the text starts, and the one that closes it.
    function argument_list(text,    depth, i, c) {
        depth = 1
        for (i = 2; depth > 0 && i <= length(text); ++i) {
            c = substr(text, i, 1)
            if (c ~ /[({[]/) ++depth
            if (c ~ /[])}]/) --depth
        }
        return substr(text, 2, i - 3)
    }

    function has_outer_comma(text,    depth, i, c) {
        depth = 0
        for (i = 1; i <= length(text); ++i) {
            c = substr(text, i, 1)
            if (c ~ /[({[]/) ++depth
            if (c ~ /[])}]/) --depth
            if (c == "," && depth == 0) return 1
        }
        return 0
    }

    function check(    line, next_line, before, call, arguments) {
        next_line = 1
        while (match(text, /(Rational|Integer)(([ \t]+const)?[ \t]+[a-z_][A-Za-z0-9_]*)?[ \t\n]*[({]/)) {
            before = substr(text, 1, RSTART - 1)
            call = substr(text, RSTART, RLENGTH)
            line = next_line + gsub(/\n/, "\n", before)
            next_line = line + gsub(/\n/, "\n", call)
            arguments = argument_list(substr(text, RSTART + RLENGTH - 1))
            text = substr(text, RSTART + RLENGTH)
            # Part of a longer name; a function type as a template argument; the body of a function.
            if (before ~ /[A-Za-z0-9_<]$/ || arguments ~ /;/) continue
            if (arguments ~ /^[ \t\n]*"/)
                offence(line, "a number from a string: use parse_rational() or parse_integer()")
            # `Rational f(int a, int b)` may declare a function: only what cannot is looked at.
            else if (call ~ /^Rational/ && (call ~ /{$/ || call !~ /[ \t][a-z_]/) && has_outer_comma(arguments))
                offence(line, "a Rational from two arguments: use ratio()")
        }
        text = ""
    }

    function offence(line, message) {
        print file ":" line ": " message
        failed = 1
    }

    FNR == 1 {
        check()
        file = FILENAME
        closing = ""
    }
    { text = text code($0) "\n" }
    END {
        check()
        exit failed
    }
'
