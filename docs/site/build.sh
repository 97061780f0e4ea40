#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds the site: every page of docs/, with typeset answers and charts made by the program, and the headers.
# usage: build.sh PROGRAM OUT
# PROGRAM is a built isserlis, OUT a folder that is made anew; open OUT/index.html. Then: check.py OUT
set -eu
[ $# -eq 2 ] || { sed -n 's/^# usage: /usage: /p' "$0"; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
program=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
[ -x "$program" ] || { echo "build.sh: $1: no program; build it first (README.md)"; exit 2; }
export PATH="/usr/bin:$PATH"  # the Python that the packages belong to, where there is another

missing=
# needs PACKAGE TEST...
needs() {
    package=$1
    shift
    "$@" > /dev/null 2>&1 || missing="$missing $package"
}
needs cmark-gfm cmark-gfm --version
needs doxygen doxygen --version
needs gnuplot-nox gnuplot --version
needs katex node -e 'require("/usr/share/nodejs/katex")'
needs python3-pygments python3 -c 'import pygments'
if [ -n "$missing" ]; then
    echo "build.sh: missing Debian packages; in a root shell: apt-get install -y --no-install-recommends$missing"
    exit 3
fi

if [ -e "$2" ] && [ ! -e "$2/search_index.js" ] && [ -n "$(ls -A "$2")" ]; then
    echo "build.sh: $2 is there and holds something else than a site; name another folder"
    exit 2
fi
rm -rf "$2"
mkdir -p "$2"
: > "$2/search_index.js"  # says that the folder is ours, should the build end early
out=$(cd "$2" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if ! (cd "$root" && SITE_WORK=$work SITE_HERE=$here doxygen "$here/Doxyfile") 2> "$work/warnings"; then
    cat "$work/warnings"
    exit 1
fi
if [ -s "$work/warnings" ]; then
    cat "$work/warnings"
    echo "build.sh: doxygen has $(grep -c warning: "$work/warnings") warnings"
    exit 1
fi
python3 "$here/build.py" "$root" "$program" "$work/xml" "$out"
