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
emit theta ntk 4,3,2 --scheme ntk --label-factor 1,2 --input 1,2,-1,1
emit theta_hessian hessian 3,2,2 --scheme ntk --emit-samples 3000
emit mup mup 3,4,4,2 --eta 1/4,1/2 --input 1,2,1/2
emit norm norm 2,4,3 --order 3 --activation leaky:1/5 --emit-samples 20000
emit norm_pre norm 2,4,3 --pre --head activation
emit init init 3,4,2 --scheme xavier --c 3/2
emit jacobian jacobian 2,4,3,2 --input 1,2 --variance 1/2
emit steps coord-check 3,4,4,2 --eta 1/4,1/2,1 --target-second-moment 2
observable() {  # NAME ARGUMENTS..
    name=$1
    shift
    emit "$name" expect "$@"
}
observable brackets '(z[i;m] z[j;m])^2 where m in 1..2' 2,3,2,2 --emit-samples 4000
observable letters 'z[i]^2 z[i]^2 - 0.5*((z[i])^2)^2' 2,3,2 --emit-samples 4000
observable hidden 'h{1}[i]^2 + c loss' 2,3,2 --set c=2 --activation leaky:1/3 --target-second-moment 3/2
observable trace 'D[m,m] loss' 2,3,1 --scheme ntk --input 1,2
observable third '(z[;m,n,p])^2 where n in 2' 1,2,2,2,1 --activation linear --emit-samples 8000
observable outside '(D[m,n] ((z[i])^2 y[1]))^2 + 1/2' 2,2,2 --activation leaky:1/2 --emit-samples 8000
observable factors 'z[i;m] z[i;n] z[1;m] z[1;n]' 2,3,2 --label-factor 3,1/2 --emit-samples 8000
quick='hessian effective ntk theta theta_hessian mup norm norm_pre init jacobian steps brackets letters hidden trace factors'
names="$quick third outside"  # PyTorch takes half an hour for so many derivatives of one another

for name in $names; do
    "$cxx" -std=c++17 -O1 -Wall -Wextra -Wpedantic -Werror "$name.cpp" -o "$name" || fail "$name.cpp does not compile"
    ./"$name" > out || fail "$name.cpp: $(cat out)"
    grep -q 'exact .* mean .* tolerance' out || fail "$name.cpp says nothing"
    sed 's/standard_errors = 5;/standard_errors = 1e-4;/' "$name.cpp" > strict.cpp
    "$cxx" -std=c++17 -O1 strict.cpp -o strict
    ! ./strict > out || fail "$name.cpp passes without a tolerance"
    grep -q WRONG out || fail "$name.cpp does not say what is wrong"
    grep -q '// within [0-9.e+-]*%; off by [0-9.e+-]*% fails' "$name.cpp" || fail "$name.cpp does not say what it sees"
    python3 -m py_compile "$name.py" "${name}_jax.py" || fail "$name: Python does not read it"
done

# At a tolerance of 4 % a mistake of 10 % in one variance, or in the kernel, is seen, and so is leaky ReLU for ReLU.
"$isserlis" ntk 4,8,8,2 --emit-test cpp --emit-tolerance 4% > narrow.cpp
mutant() {  # NAME SED-SCRIPT
    sed "$2" narrow.cpp > "$1.cpp"
    ! cmp -s narrow.cpp "$1.cpp" || fail "mutant $1 is no mutant"
    "$cxx" -std=c++17 -O2 "$1.cpp" -o mutant
    ! ./mutant > out || fail "mutant $1 passes: $(cat out)"
}
"$cxx" -std=c++17 -O2 narrow.cpp -o narrow
./narrow > out || fail "narrow.cpp: $(cat out)"
mutant second_variance 's/variances{0.5, 0.25, 0.25}/variances{0.5, 0.275, 0.25}/'
mutant last_variance 's/variances{0.5, 0.25, 0.25}/variances{0.5, 0.25, 0.275}/'
mutant leaky 's/slope = 0.0/slope = 0.3/'
mutant kernel 's/kernel += factors/kernel += 1.1 * factors/'

# So is a mistake in a derivative, in a contraction, or in the observable itself.
"$isserlis" expect '(D[m,n] loss)^2 where m in 2' 2,3,1 --label-factor 1,2 --emit-test cpp --emit-tolerance 4% > narrow.cpp
"$cxx" -std=c++17 -O2 narrow.cpp -o narrow
./narrow > out || fail "narrow.cpp: $(cat out)"
mutant places "s/{'b', {2, 2}}/{'b', {1, 2}}/; s/{'a', {2, 2}}/{'a', {1, 2}}/"
mutant pairs 's/factors{1.0, 2.0}/factors{1.0, 1.9}/'
mutant residuals 's/T(-net.y\[k\])/T(net.y[k] * 0.0)/'
mutant backwards 's/above\[i\] \* h;/1.05 * (above[i] * h);/'
mutant direction 's/w.change = T(1.0)/w.change = T(1.05)/'

if python3 -W ignore -c 'import torch' 2> /dev/null; then
    for name in $quick; do
        python3 -W ignore "$name.py" || fail "$name.py fails"
    done
    # Nothing of the user's generator is touched, by one file of each way to draw.
    for name in hessian mup brackets; do
        python3 -W ignore -c "import torch
torch.manual_seed(7)
import $name as known
known.test_known_answer()
assert torch.rand(1) == torch.rand(1, generator=torch.Generator().manual_seed(7))" > /dev/null ||
            fail "$name.py draws from the global generator"
    done
else
    echo 'PyTorch is not installed: its files were read by Python, not run'
fi
