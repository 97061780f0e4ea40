#!/bin/sh
# SPDX-License-Identifier: MIT
# A formula is a header, a test and a page of one name, and some other page leads to it.
# usage: check_formula_pages.sh ROOT
set -eu
cd "$1"

failed=0
offence() {
    printf '%s\n' "$1"
    failed=1
}

for header in lib/include/isserlis/formula/*.hpp; do
    [ -e "$header" ] || continue
    name=$(basename "$header" .hpp)
    [ -e "tests/formula/${name}_test.cpp" ] || offence "$header: has no test tests/formula/${name}_test.cpp"
    page=docs/formulas/$name.md
    if [ ! -e "$page" ]; then
        offence "$header: has no page $page"
    elif ! find README.md docs -name '*.md' ! -path "$page" -exec grep -l "[(/]${name}[.]md" {} + 2>/dev/null | grep -q .; then
        offence "$page: no other page links to it"
    fi
done
exit $failed
