#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs the fuzzers of a build in turn, each time with another seed, until the time is over or one finds something; then
# its last line names driver, seed and input, and the exit status is 1.
# usage: run.sh BUILD MINUTES [FIRST_SEED]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$1
minutes=$2
seed=${3:-1}
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
