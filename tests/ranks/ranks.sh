#!/bin/sh
# SPDX-License-Identifier: MIT
# Ranks of mpirun print the bytes of one process, also after one of them was killed. Exit code 77 where there is no MPI.
# usage: ranks.sh PROGRAM [RANKS..]
set -eu
# Open MPI leaves memory behind, which a build with AddressSanitizer would take for ours.
export ASAN_OPTIONS="detect_leaks=0${ASAN_OPTIONS:+:$ASAN_OPTIONS}"
program=$1
shift
[ $# -gt 0 ] || set -- 1 2 3 8
command -v mpirun > /dev/null || { echo "no mpirun"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

fail() {
    echo "ranks.sh: $*" >&2
    exit 1
}
launch() {
    ranks=$1
    shift
    mpirun --allow-run-as-root --oversubscribe -n "$ranks" "$program" "$@" < /dev/null
}

if ! launch 2 norm 2,3,1 --check 100 > out 2> err; then
    grep -q 'takes MPI when isserlis is built' err || { cat err >&2; fail "2 ranks do not answer"; }
    echo "built without MPI"
    exit 77
fi

while read -r line; do
    # shellcheck disable=SC2086  # words of a command
    "$program" $line > whole
    for ranks; do
        # shellcheck disable=SC2086
        launch "$ranks" $line > out 2> err || { cat err >&2; fail "$ranks ranks: $line"; }
        cmp -s whole out || fail "$ranks ranks print other bytes: $line"
    done
done << 'LINES'
norm 3,8,4,1 --check 20000 --order 2
hessian 3,6,1 --check 777 --format json
expect z^2 2,3,1 --until 5%
norm 3,n,1 --table n=4,8 --check 500
loss-curve 2,5,1 --data cos --gradient random --check 300
norm 2,3,1 --check 2
ntk 6,60:2,3 --check 700 --precision float
hessian 3,6,1 --check 300 --precision float
LINES

# What is wrong is said once, by rank 0, with its exit code.
code=0
launch 3 norm 2,3,1 --check nothing > out 2> err || code=$?
[ "$code" -eq 2 ] || fail "exit code $code of bad input"
[ "$(grep -c '^isserlis: --check' err)" -eq 1 ] || { cat err >&2; fail "bad input is not said once"; }
code=0
launch 2 norm 2,3,1 --time 1s > out 2> err || code=$?
[ "$code" -eq 2 ] || fail "exit code $code of --time"
grep -q -- '--time: the clocks' err || fail "--time is not refused"

# A rank is killed once something has been kept; what was kept is not done again.
die() {
    line=$1
    rm -f kept.json out err
    # shellcheck disable=SC2086
    "$program" $line > whole
    # shellcheck disable=SC2086
    mpirun --allow-run-as-root --oversubscribe -n 3 "$program" $line --keep kept.json > out 2> err < /dev/null &
    job=$!
    seconds=0
    until [ -s kept.json ]; do
        sleep 0.2
        seconds=$((seconds + 1))
        kill -0 $job 2> /dev/null || break
        [ $seconds -lt 600 ] || fail "nothing is kept"
    done
    rank=$(ps -o pid= --ppid $job | tail -1)
    if [ -n "$rank" ] && kill -9 "$rank" 2> /dev/null; then
        ! wait $job || fail "a killed rank is not noticed"
        grep -q 'signal 9' err || { cat err >&2; fail "a killed rank is not reported"; }
        [ ! -s out ] || fail "a killed job has printed"
    else
        wait $job || fail "a job that was not killed failed"
        echo "the job was done before it could be killed" >&2
    fi
    [ -s kept.json ] || fail "nothing was kept"
    for ranks in 2 1; do
        cp kept.json again.json
        # shellcheck disable=SC2086
        launch $ranks $line --keep again.json > out 2> err || { cat err >&2; fail "$ranks ranks do not go on"; }
        cmp -s whole out || fail "$ranks ranks that go on print other bytes"
    done
}
die "norm 60,200:4,10 --check 20000 --threads 1"
die "norm 60,200:4,10 --check 40000 --threads 1 --precision float"
echo "the same bytes in $* ranks"
