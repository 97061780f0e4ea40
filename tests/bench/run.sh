#!/bin/sh
# SPDX-License-Identifier: MIT
# Our benchmarks and those peers that are installed, side by side, as one table of ratios against our targets.
# Builds nothing. All times are CPU seconds of one thread, but for start-up, which is wall time. Rounds alternate between
# us and the peers, and medians are compared, since the machine may be shared.
# usage: run.sh BUILD_DIR [ROUNDS]
set -eu
build=${1:?usage: run.sh BUILD_DIR [ROUNDS]}
rounds=${2:-3}
here=$(cd "$(dirname "$0")" && pwd)
figures=$(mktemp)
trap 'rm -f "$figures"' EXIT

export ISSERLIS="$build/bin/isserlis"
for program in "$ISSERLIS" "$build/bin/isserlis_bench"; do
    [ -x "$program" ] || { echo "run.sh: $program is not built" >&2; exit 1; }
done

# CSV of Google Benchmark as lines of: test, case, who, seconds, check value.
ours() {
    "$build/bin/isserlis_bench" --benchmark_format=csv --benchmark_min_time=0.2 --benchmark_filter="$1" 2> /dev/null |
        awk -F, -v OFS='\t' '
            /^"/ {
                text = $0
                sub(/^"/, "", text)
                name = substr(text, 1, index(text, "\"") - 1)
                split(substr(text, length(name) + 3), column, ",")
                split(name, part, "/")
                seconds = (name ~ /manual_time/ ? column[2] : column[3]) / 1e9
                gsub(/"/, "", column[7])
                print part[1], part[3], part[2], seconds, column[7]
            }'
}

# The interpreter on which SymPy is fastest: with gmpy2.
python=
for candidate in ${PYTHON:-python3 /usr/bin/python3}; do
    "$candidate" -c 'import sympy, gmpy2' 2> /dev/null && python=$candidate && break
done
[ -n "$python" ] || python=$(command -v "${PYTHON:-python3}") || true

missing=
if [ -z "$python" ]; then
    missing="$missing python3"
elif ! "$python" -c 'import sympy' 2> /dev/null; then
    missing="$missing sympy"
fi
command -v gp > /dev/null || missing="$missing gp"

round=1
while [ "$round" -le "$rounds" ]; do
    printf 'round %s of %s\n' "$round" "$rounds" >&2
    ours start-up
    # What takes many seconds is run once.
    if [ "$round" -eq 1 ]; then ours 'T[0-9]'; else ours '-(iterations:1|start-up)'; fi
    case "$missing" in *gp*) ;; *) gp -q -f "$here/peers/pari.gp" 2> /dev/null ;; esac
    case "$missing" in *python3*) ;; *) "$python" "$here/peers/product_moments.py" ;; esac
    case "$missing" in *python3* | *sympy*) ;; *) "$python" "$here/peers/symbolic.py" ;; esac
    round=$((round + 1))
done > "$figures"

awk -f "$here/table.awk" "$figures"
[ -z "$missing" ] || echo "Not installed, hence not compared:$missing"
