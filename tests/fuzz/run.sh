#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs every fuzzer for its share of the time, until one finds something; then its last line is the command that shows
# it, and the exit status is 1. Without BUILD the preset fuzz is built first, which takes clang, and libFuzzer goes on
# from what it has kept in build/fuzz/corpora; `fast` in its place is the preset fuzz-fast, the readers alone without
# AddressSanitizer. A build of another preset mutates tests/fuzz/ by itself, in turns with another seed each.
# usage: run.sh MINUTES [BUILD|fast] [FIRST_SEED]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
minutes=$1
seed=${3:-1}
preset=
if [ $# -lt 2 ]; then
    preset=fuzz
elif [ "$2" = fast ]; then
    preset=fuzz-fast
fi
if [ -n "$preset" ]; then
    cd "$here/../.."
    cmake --preset $preset > /dev/null
    cmake --build --preset $preset
    build=build/$preset
else
    build=$2
fi
if [ -w /dev/shm ]; then
    export TMPDIR=/dev/shm  # for readers that take files
fi

# One input of a line-by-line corpus for each file.
split() { # LINES_EACH FOLDER
    awk -v each="$1" -v folder="$2" '{ printf "%s%s", NR % each == 1 % each ? "" : "\n", $0 > (folder "/" int((NR - 1) / each)) }'
}

engine() { # NAME LONGEST SECONDS
    kept=$build/corpora/$1
    mkdir -p "$kept"
    first=$(mktemp -d)
    case $1 in
        query) cat "$here"/corpus/* | split 2 "$first" ;;
        expr) cat "$here"/corpus/* | sed -n 'p;n' | split 1 "$first" ;;
        network | graph) cp "$here"/networks/* "$first" ;;
        *) sed -n "s/^$(letter "$1")://p" "$here"/texts/* | split 1 "$first" ;;
    esac
    status=0
    "$build/bin/fuzz_$1" "$kept" "$first" -dict="$here/words.dict" -max_len="$2" -max_total_time="$3" -timeout=30 -rss_limit_mb=4096 \
        -artifact_prefix="$build/corpora/$1-" -print_final_stats=1 > "$build/corpora/$1.log" 2>&1 || status=$?
    rm -rf "$first"
    if [ $status -ne 0 ]; then
        tail -n 40 "$build/corpora/$1.log"
        echo "$build/bin/fuzz_$1 $(sed -n 's/.*Test unit written to //p' "$build/corpora/$1.log" | tail -n 1) fails"
        exit 1
    fi
    executed=$(sed -n 's/^stat::number_of_executed_units: *//p' "$build/corpora/$1.log")
    echo "fuzz_$1: $executed inputs, $(find "$kept" -type f | wc -l) kept: nothing found"
}

letter() {
    case $1 in
        formula) echo f ;;
        number) echo n ;;
        widths) echo w ;;
        trace) echo t ;;
        form) echo q ;;
        inputs) echo i ;;
        data) echo d ;;
        weights) echo p ;;
        measured) echo m ;;
    esac
}

if [ -x "$build/bin/fuzz_formula" ]; then
    targets="formula:100 number:100 widths:100 expr:200 trace:200 data:300 graph:1000 weights:500 measured:300 form:300 inputs:300"
    if [ -x "$build/bin/fuzz_query" ]; then
        targets="query:200 network:1000 $targets"
    fi
    # shellcheck disable=SC2086 # words
    set -- $targets
    share=$((minutes * 60 / $#))
    total=0
    for target in $targets; do
        engine "${target%:*}" "${target#*:}" "$share"
        total=$((total + executed))
    done
    echo "$total inputs"
    exit 0
fi

end=$(($(date +%s) + minutes * 60))
total=0
while :; do
    for driver in query:corpus:20000 text:texts:20000 network:networks:1000; do
        name=${driver%%:*}
        rest=${driver#*:}
        if ! "$build/bin/fuzz_$name" "$here/${rest%%:*}" "${rest#*:}" "$seed" > /dev/null; then
            echo "fuzz_$name $here/${rest%%:*} ${rest#*:} $seed fails"
            exit 1
        fi
        total=$((total + ${rest#*:}))
        if [ "$(date +%s)" -ge "$end" ]; then
            echo "$total mutations up to seed $seed: nothing found"
            exit 0
        fi
    done
    seed=$((seed + 1))
done
