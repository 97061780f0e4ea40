#!/bin/sh
# SPDX-License-Identifier: MIT
# What --emit-test writes is a whole program that passes, and that fails once its tolerance is taken away.
# usage: run.sh ISSERLIS CXX
set -eu
isserlis=$1
cxx=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

fail() {
    echo "$1"
    exit 1
}

emit() {  # NAME ARGUMENTS..
    name=$1
    shift
    "$isserlis" "$@" --emit-test cpp --output "$name.cpp"
    "$isserlis" "$@" --emit-test pytorch --output "$name.py"
    "$isserlis" "$@" --emit-test jax > "${name}_jax.py"
}
emit hessian hessian 2,3,2,2 --label-factor 1,1/2,2 --activation leaky:1/10 --target-second-moment 3/2
emit effective hessian 2,4,1 --effective --eta-squared 1/4 --emit-samples 3000
emit ntk ntk 2,3,4,2 --label-factor 1,1/2,2
emit mup mup 3,4,4,2 --eta 1/4,1/2 --input 1,2,1/2

for name in hessian effective ntk mup; do
    "$cxx" -std=c++17 -O1 -Wall -Wextra -Wpedantic -Werror "$name.cpp" -o "$name" || fail "$name.cpp does not compile"
    ./"$name" > out || fail "$name.cpp: $(cat out)"
    grep -q 'exact .* mean .* tolerance' out || fail "$name.cpp says nothing"
    sed 's/standard_errors = 5;/standard_errors = 1e-4;/' "$name.cpp" > strict.cpp
    "$cxx" -std=c++17 -O1 strict.cpp -o strict
    ! ./strict > out || fail "$name.cpp passes without a tolerance"
    grep -q WRONG out || fail "$name.cpp does not say what is wrong"
    python3 -m py_compile "$name.py" "${name}_jax.py" || fail "$name: Python does not read it"
done

if python3 -W ignore -c 'import torch' 2> /dev/null; then
    for name in hessian effective ntk mup; do
        python3 -W ignore "$name.py" || fail "$name.py fails"
    done
else
    echo 'PyTorch is not installed: its files were read by Python, not run'
fi
