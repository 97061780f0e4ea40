#!/bin/sh
# SPDX-License-Identifier: MIT
# A ```cpp block that starts with `// docs/examples/NAME.cpp` shows that file (without its licence line), to the letter, and
# a ```text block below it, under the same heading, NAME.output.
# usage: check_programs.sh ROOT
set -eu
cd "$1"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

find README.md docs -name '*.md' 2>/dev/null | sort | xargs -r awk -v work="$work" '
    function shows(file) {
        out = work "/" (++count) ".shown"
        print FILENAME, FNR, file > (work "/" count ".where")
        close(work "/" count ".where")
        printf "" > out
    }
    FNR == 1 { inside = 0; program = "" }
    /^```/ && inside { inside = 0; close(out); next }
    /^```cpp/ { first = 1; program = ""; next }
    first {
        first = 0
        if ($0 !~ /^\/\/ docs\/examples\/[A-Za-z0-9_]+[.]cpp$/) next
        program = $2
        inside = 1
        shows(program)
        next
    }
    /^```text/ && program != "" {
        sub(/cpp$/, "output", program)
        inside = 1
        shows(program)
        program = ""
        next
    }
    /^#/ && !inside { program = "" }
    inside { print > out }
'

failed=0
count=0
while [ -e "$work/$((count + 1)).where" ]; do
    count=$((count + 1))
    read -r page line shown < "$work/$count.where"
    if [ ! -e "$shown" ]; then
        printf '%s:%s: there is no %s\n' "$page" "$line" "$shown"
        failed=1
    elif ! sed -e '/^\/\/ SPDX-License-Identifier/d' "$shown" |
        diff -U 100 --label "$page" --label "$shown" "$work/$count.shown" - > "$work/diff"; then
        printf '%s:%s: shows another text than %s\n' "$page" "$line" "$shown"
        cat "$work/diff"
        failed=1
    fi
done
printf '%s programs and outputs shown in README.md and docs\n' "$count"
exit $failed
