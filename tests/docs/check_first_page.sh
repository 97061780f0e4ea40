#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs every command of the first page's table, and draws anew each picture that a page shows beside its command.
# usage: check_first_page.sh ROOT, with isserlis in PATH
set -eu
cd "$1"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

sed -n 's/^| [^|]* | `\(isserlis .*\)` |$/\1/p' docs/index.md > "$work/commands"
[ -s "$work/commands" ] || { echo 'docs/index.md: no table of questions and commands'; exit 1; }
while read -r command; do
    if ! (cd "$work" && timeout 60 sh -c "$command") > "$work/printed" 2>&1 < /dev/null; then
        printf 'docs/index.md: %s fails:\n' "$command"
        cat "$work/printed"
        failed=1
    fi
done < "$work/commands"

# The picture of another gnuplot has the same curves and other text; only the one that made the file is compared.
for page in README.md docs/index.md; do
    sed -n 's/^[$] \(isserlis .*--plot \([a-z_]*[.]svg\).*\)$/\2 \1/p' "$page" > "$work/pictures"
    while read -r name command; do
        kept=docs/images/$name
        [ -e "$kept" ] || { echo "$page: there is no $kept"; failed=1; continue; }
        (cd "$work" && sh -c "$command") < /dev/null > /dev/null 2>&1 || true
        made() { sed -n 's/.*Produced by \(GNUPLOT .*[0-9]\).*/\1/p' "$1"; }
        if [ ! -s "$work/$name" ]; then
            echo "$page: $command draws nothing"
            failed=1
        elif [ "$(made "$work/$name")" = "$(made "$kept")" ] && ! cmp -s "$work/$name" "$kept"; then
            echo "$page: $command draws something else than $kept"
            failed=1
        fi
    done < "$work/pictures"
done
printf '%s commands run\n' "$(grep -c . "$work/commands")"
exit $failed
