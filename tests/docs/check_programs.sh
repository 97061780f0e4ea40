#!/bin/sh
# SPDX-License-Identifier: MIT
# A ```cpp block that starts with `// docs/examples/NAME.cpp` shows that file (without its licence line), to the letter.
# usage: check_programs.sh ROOT
set -eu
cd "$1"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

find README.md docs -name '*.md' 2>/dev/null | sort | xargs -r awk -v work="$work" '
    FNR == 1 { inside = 0 }
    /^```cpp/ { inside = 1; first = 1; out = ""; next }
    /^```/ { inside = 0; if (out != "") close(out); next }
    !inside { next }
    first {
        first = 0
        if ($0 !~ /^\/\/ docs\/examples\/[A-Za-z0-9_]+[.]cpp$/) { inside = 0; next }
        out = work "/" (++count) ".shown"
        print FILENAME, FNR, $2 > (work "/" count ".where")
        close(work "/" count ".where")
        printf "" > out
        next
    }
    { print > out }
'

failed=0
count=0
while [ -e "$work/$((count + 1)).where" ]; do
    count=$((count + 1))
    read -r page line program < "$work/$count.where"
    if [ ! -e "$program" ]; then
        printf '%s:%s: there is no %s\n' "$page" "$line" "$program"
        failed=1
    elif ! sed -e '/^\/\/ SPDX-License-Identifier/d' "$program" |
        diff -U 100 --label "$page" --label "$program" "$work/$count.shown" - > "$work/diff"; then
        printf '%s:%s: shows another text than %s\n' "$page" "$line" "$program"
        cat "$work/diff"
        failed=1
    fi
done
printf '%s programs shown in README.md and docs\n' "$count"
exit $failed
