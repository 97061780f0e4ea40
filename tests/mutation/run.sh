#!/bin/sh
# SPDX-License-Identifier: MIT
# Adds 1 to every integer literal of every formula, one at a time, and shows that killer.cpp notices each of them.
#
#   sh tests/mutation/run.sh                     all mutants; exit 1 when one survives (a few minutes on two cores)
#   sh tests/mutation/run.sh squared_norm.hpp    only the files whose path contains this
#   sh tests/mutation/run.sh --self-check        the unmutated killer passes, and one mutant dies
#   sh tests/mutation/run.sh --list              what would be mutated, and what is excluded
#
# Mutated are lib/include/isserlis/formula/*.hpp, lib/src/formula/*.cpp and the numbers of network/: outside comments,
# strings and preprocessor lines. Floating literals occur in error bounds only, which may be larger, and are left alone.
# excluded.txt lists literals whose change nobody can see, each with its reason; a line there that matches nothing is an
# error. Environment: CXX, JOBS (2). Needs Boost, GMP and MPFR; FLINT is not linked, since nothing symbolic is evaluated.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
CXX=${CXX:-g++}
JOBS=${JOBS:-2}
flags="-std=c++20 -O0 -D_GLIBCXX_ASSERTIONS"
mutated="include/isserlis/formula/*.hpp src/formula/*.cpp include/isserlis/network/activation.hpp
include/isserlis/network/scheme.hpp include/isserlis/network/weight_law.hpp include/isserlis/network/fully_connected.hpp"

# ---- one mutant: run.sh --one WORK NUMBER ---------------------------------------------------------------------------

# Compiles SOURCE to OBJECT with the mutant's headers first.
compile() {
    $CXX $flags -I"$mutant/include" -I"$work/lib/include" -I"$work/lib/src" -include "$work/pch.hpp" -c "$1" -o "$2"
}

build() {
    file=$(cat "$mutant/file")
    killer=$work/killer.o
    others=$(ls "$work"/objects/*.o)
    source=$mutant/$file
    case $file in *.hpp)
        compile "$work/tests/mutation/killer.cpp" "$mutant/killer.o" || return 1
        killer=$mutant/killer.o
        # A header may have its code beside it.
        source=$work/lib/src/formula/$(basename "$file" .hpp).cpp
        ;;
    esac
    if [ -e "$source" ]; then
        compile "$source" "$mutant/source.o" || return 1
        others="$mutant/source.o $(printf '%s\n' $others | grep -v "/formula_$(basename "$source" .cpp)[.]o$")"
    fi
    $CXX $killer $others -lmpfr -lgmp -ldl -o "$mutant/killer" || return 1
}

one() {
    work=$1
    mutant=$work/mutants/$2
    verdict=killed
    if ! build > "$mutant/log" 2>&1; then
        verdict='not compiled'
    elif (ulimit -c 0; ulimit -v 4000000; timeout 20 "$mutant/killer" || exit 1) > "$mutant/log" 2>&1; then
        verdict=survived
    fi
    echo "$verdict" > "$mutant/verdict"
    rm -f "$mutant/killer" "$mutant"/*.o
}

if [ "${1:-}" = --one ]; then
    one "$2" "$3"
    exit 0
fi

# ---- all mutants ----------------------------------------------------------------------------------------------------

# Prints FILE, line, column, length, ordinal within the line, mutated literal and code of every literal, tab-separated.
literals() {
    (cd "$work/lib" && awk '
        function blank(text,    out) {
            out = ""
            while (length(out) < length(text)) out = out " "
            return out
        }
        /^[ \t]*#/ { next }
        {
            code = $0
            # Strings and characters keep their length, so that columns stay; comments go.
            while (match(code, /"([^"\\]|\\.)*"/))
                code = substr(code, 1, RSTART - 1) blank(substr(code, RSTART, RLENGTH)) substr(code, RSTART + RLENGTH)
            comment = index(code, "//")
            if (comment) code = substr(code, 1, comment - 1)
            shown = substr($0, 1, length(code))
            gsub(/^[ \t]+|[ \t]+$/, "", shown)
            at = 1
            ordinal = 0
            while (match(substr(code, at), /[A-Za-z0-9_.\047]+/)) {
                token = substr(code, at + RSTART - 1, RLENGTH)
                start = at + RSTART - 1
                at = start + RLENGTH
                if (token !~ /^[0-9][0-9\047]*[uUlL]*$/) continue
                suffix = token
                sub(/^[0-9\047]+/, "", suffix)
                digits = token
                gsub(/[^0-9]/, "", digits)
                printf "%s\t%d\t%d\t%d\t%d\t%d%s\t%s\n", FILENAME, FNR, start, length(token), ++ordinal, digits + 1, suffix, shown
            }
        }' $mutated)
}

# The same lines, each marked with its reason when excluded.txt has it; complains about exclusions that match nothing.
marked() {
    literals | awk -F '\t' -v OFS='\t' -v excluded="$work/tests/mutation/excluded.txt" '
        BEGIN {
            while ((getline line < excluded) > 0) {
                if (line ~ /^[ \t]*(#.*)?$/) continue
                if (line ~ /^[ \t]/) {
                    sub(/^[ \t]+/, "", line)
                    reason[count] = reason[count] (reason[count] == "" ? "" : " ") line
                    continue
                }
                ++count
                entry[count] = line
                match(line, /^[^ ]+ /)
                file[count] = substr(line, 1, RLENGTH - 1)
                rest = substr(line, RLENGTH + 1)
                match(rest, /^[^ ]+ /)
                ordinal[count] = substr(rest, 1, RLENGTH - 1)
                pattern[count] = substr(rest, RLENGTH + 1)
            }
        }
        {
            name = $1
            sub(/.*\//, "", name)
            why = ""
            for (i = 1; i <= count; ++i) {
                if (file[i] != name) continue
                if (ordinal[i] == "~" ? $7 !~ pattern[i] : ("#" $5) != ordinal[i] || $7 != pattern[i]) continue
                why = reason[i]
                used[i] = 1
            }
            print $0, why
        }
        END {
            for (i = 1; i <= count; ++i) {
                if (i in used && reason[i] != "") continue
                print "excluded.txt: " (reason[i] == "" ? "no reason is given for: " : "matches no literal any more: ") entry[i] > "/dev/stderr"
                failed = 1
            }
            exit failed
        }'
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

# A copy, so that the tree may be edited meanwhile.
mkdir -p "$work/tests/formula" "$work/tests/mutation" "$work/objects"
cp -r "$root/lib" "$work/lib"
cp "$root"/tests/formula/*.hpp "$work/tests/formula"
cp "$here/killer.cpp" "$here/excluded.txt" "$work/tests/mutation"

marked > "$work/literals"
case ${1:-} in
--list)
    awk -F '\t' '{ print $1 ":" $2 ":" $3 ": " $7 "  -> " $6 ($8 == "" ? "" : "  EXCLUDED: " $8) }' "$work/literals"
    exit 0
    ;;
--self-check)
    awk -F '\t' '$7 == ".rho = R(3) * q_plus," && !found++' "$work/literals" > "$work/chosen"
    [ -s "$work/chosen" ] || { echo 'self-check: gaussian_product_moments no longer says ".rho = R(3) * q_plus,"'; exit 1; }
    ;;
-*)
    echo "unknown option $1; see the head of $0" >&2
    exit 2
    ;;
*) awk -F '\t' -v part="${1:-}" '$8 == "" && index($1, part)' "$work/literals" > "$work/chosen" ;;
esac

# What is not mutated is compiled once: the library's objects, and the headers below the formulas.
cat > "$work/pch.hpp" << 'END'
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>
#include <isserlis/error.hpp>
#include <isserlis/ring/fractions.hpp>
#include <isserlis/ring/interval.hpp>
#include <isserlis/ring/linear_recursion.hpp>
#include <isserlis/ring/power.hpp>
#include <isserlis/ring/product_tree.hpp>
END
$CXX $flags -I"$work/lib/include" -I"$work/lib/src" -x c++-header "$work/pch.hpp" -o "$work/pch.hpp.gch"
(cd "$work/lib/src" && ls error.cpp utf8.cpp ring/*.cpp network/*.cpp formula/*.cpp) |
    xargs -P "$JOBS" -I {} sh -c '$1 $2 -I"$3/lib/include" -I"$3/lib/src" -c "$3/lib/src/$4" -o "$3/objects/$(echo "${4%.cpp}" | tr / _).o"' \
        sh "$CXX" "$flags" "$work" {}
$CXX $flags -I"$work/lib/include" -I"$work/lib/src" -include "$work/pch.hpp" -c "$work/tests/mutation/killer.cpp" -o "$work/killer.o"
$CXX "$work/killer.o" "$work"/objects/*.o -lmpfr -lgmp -ldl -o "$work/killer"
"$work/killer" || { echo 'the killer fails on the unmutated library'; exit 1; }

# A mutant that changes nothing has to survive, or the others die of something else than their mutation.
for file in include/isserlis/formula/product_moments.hpp src/formula/chi_mean.cpp; do
    mkdir -p "$work/mutants/0/$(dirname "$file")"
    echo "$file" > "$work/mutants/0/file"
    cp "$work/lib/$file" "$work/mutants/0/$file"
    sh "$0" --one "$work" 0
    [ "$(cat "$work/mutants/0/verdict")" = survived ] || {
        echo "a mutant that changes nothing in $file was: $(cat "$work/mutants/0/verdict")"
        cat "$work/mutants/0/log"
        exit 1
    }
    rm -r "$work/mutants/0"
done

number=0
while IFS="$(printf '\t')" read -r file line column length ordinal literal code reason; do
    number=$((number + 1))
    mutant=$work/mutants/$number
    mkdir -p "$mutant/$(dirname "$file")"
    echo "$file" > "$mutant/file"
    printf '%s:%s:%s: %s  -> %s\n' "lib/$file" "$line" "$column" "$code" "$literal" > "$mutant/what"
    awk -v at="$line" -v column="$column" -v gone="$length" -v literal="$literal" '
        FNR == at { $0 = substr($0, 1, column - 1) literal substr($0, column + gone) }
        { print }' "$work/lib/$file" > "$mutant/$file"
done < "$work/chosen"

seq 1 "$number" | xargs -P "$JOBS" -n 1 sh "$0" --one "$work"

survivors=0
uncompiled=0
for i in $(seq 1 "$number"); do
    case $(cat "$work/mutants/$i/verdict") in
    survived)
        printf 'survived: '
        cat "$work/mutants/$i/what"
        survivors=$((survivors + 1))
        ;;
    'not compiled') uncompiled=$((uncompiled + 1)) ;;
    esac
done
excluded=$(awk -F '\t' '$8 != ""' "$work/literals" | wc -l)
echo "$number mutants: $((number - survivors)) killed ($uncompiled of them by the compiler), $survivors survived;" \
    "$excluded literals excluded, with reasons in tests/mutation/excluded.txt"
[ "$survivors" -eq 0 ]
