#!/bin/sh
# SPDX-License-Identifier: MIT
# Our benchmarks and those peers that are installed, side by side, as one table of ratios against our targets:
#   cmake --preset release -DISSERLIS_BUILD_BENCHMARKS=ON -B build/bench &&
#   cmake --build build/bench --target isserlis_bench isserlis_cli && sh tests/bench/run.sh build/bench
# Builds nothing. All times are CPU seconds of one thread, but for start-up, which is wall time. Rounds alternate between
# us and the peers, and medians are compared, since the machine may be shared.
# usage: run.sh BUILD_DIR [ROUNDS]
set -eu
build=${1:?usage: run.sh BUILD_DIR [ROUNDS]}
rounds=${2:-3}
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

export ISSERLIS="$build/bin/isserlis" PYTHONDONTWRITEBYTECODE=1 OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1
for program in "$ISSERLIS" "$build/bin/isserlis_bench"; do
    [ -x "$program" ] || { echo "run.sh: $program is not built" >&2; exit 1; }
done

# CSV of Google Benchmark as lines of: test, case, who, seconds, check value.
ours() {
    if ! "$build/bin/isserlis_bench" --benchmark_format=csv --benchmark_min_time=0.2 --benchmark_filter="$1" \
        > "$work/csv" 2> "$work/messages"; then
        cat "$work/messages" >&2
        exit 1
    fi
    awk -F, -v OFS='\t' '
        !/^"/ { next }
        /,true,/ {
            print "isserlis_bench: " $0 > "/dev/stderr"
            exit 1
        }
        {
            text = substr($0, 2)
            name = substr(text, 1, index(text, "\"") - 1)  # may contain commas
            split(substr(text, length(name) + 3), column, ",")
            split(name, part, "/")
            seconds = (name ~ /manual_time/ ? column[2] : column[3]) / 1e9
            gsub(/"/, "", column[7])
            print part[1], part[3], part[2], seconds, column[7]
        }' "$work/csv" >> "$work/figures"
}

# peer COMMAND...: prints such lines itself.
peer() {
    "$@" >> "$work/figures" 2> "$work/messages" || { cat "$work/messages" >&2; exit 1; }
}

# The interpreter on which SymPy is fastest: with gmpy2.
python=
for candidate in ${PYTHON:-python3 /usr/bin/python3}; do
    if "$candidate" -c 'import sympy, gmpy2' 2> /dev/null; then
        python=$candidate
        break
    fi
done
[ -n "$python" ] || python=$(command -v "${PYTHON:-python3}") || true

# The interpreter that has NumPy, and torch if any has.
numpy=
for candidate in ${PYTHON:-/usr/bin/python3 python3}; do
    if "$candidate" -c 'import numpy' 2> /dev/null; then
        numpy=$candidate
        break
    fi
done

missing=
fractions=
rings=
pari=
if [ -z "$python" ]; then
    missing="$missing python3"
else
    fractions=yes
    if "$python" -c 'import sympy' 2> /dev/null; then rings=yes; else missing="$missing sympy"; fi
fi
torch=
if [ -n "$numpy" ] && "$numpy" -c 'import torch' 2> /dev/null; then torch=yes; else missing="$missing torch"; fi
[ -n "$numpy" ] || missing="$missing numpy"
if command -v gp > /dev/null; then pari=yes; else missing="$missing gp"; fi

round=1
while [ "$round" -le "$rounds" ]; do
    printf 'round %s of %s\n' "$round" "$rounds" >&2
    # One process each: what ran before leaves FLINT's pool of numbers scattered, and a parent's memory would count.
    for filter in start-up T1/isserlis T1/integer 'T1/boost.*:(10|100|1000)$' 'T2.*isserlis' 'T2.*FLINT'; do
        ours "$filter"
    done
    [ "$round" -gt 1 ] || ours 'T1/boost.*:10000/'  # takes long: once
    [ -z "$pari" ] || peer gp -q -f "$here/peers/pari.gp"
    [ -z "$fractions" ] || peer "$python" "$here/peers/product_moments.py"
    ours T3
    ours T4
    [ -z "$numpy" ] || peer "$numpy" "$here/peers/one_step.py"
    ours T5
    [ -z "$numpy" ] || peer "$numpy" "$here/peers/hessian_norm.py"
    ours T6
    ours T7
    [ -z "$torch" ] || peer "$numpy" "$here/peers/sampling.py"
    ours T8
    [ -z "$torch" ] || peer "$numpy" "$here/peers/training_step.py"
    [ -z "$fractions" ] || [ "$round" -gt 1 ] || peer "$python" "$here/peers/strands.py"  # takes long: once
    [ -z "$rings" ] || peer "$python" "$here/peers/symbolic.py"
    round=$((round + 1))
done

awk -f "$here/table.awk" "$work/figures"
[ -z "$numpy" ] || echo "dgemm and sgemm are NumPy's, from $("$numpy" "$here/peers/one_step.py" --blas)"
[ -z "$missing" ] || echo "Not installed, hence not compared:$missing"
