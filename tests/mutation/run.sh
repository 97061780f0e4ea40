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
    $CXX $flags -I"$mutant/include" -I"$root/lib/include" -include "$work/pch.hpp" -c "$1" -o "$2"
}

one() {
    work=$1
    mutant=$work/mutants/$2
    file=$(cat "$mutant/file")
    name=$(basename "$file")
    killer=$work/killer.o
    others=$(ls "$work"/lib/*.o)
    verdict=killed
    if {
        case $file in
        *.hpp)
            compile "$here/killer.cpp" "$mutant/killer.o" && killer=$mutant/killer.o
            # A header may have its code beside it.
            source=$root/lib/src/formula/${name%.hpp}.cpp
            ;;
        *) source=$mutant/$file ;;
        esac
        if [ -e "$source" ]; then
            compile "$source" "$mutant/source.o"
            others="$mutant/source.o $(printf '%s\n' $others | grep -v "/formula_$(basename "$source" .cpp)\.o$")"
        fi
        $CXX $killer $others -lmpfr -lgmp -ldl -o "$mutant/killer"
    } > "$mutant/log" 2>&1; then
        if (ulimit -v 4000000; exec timeout 20 "$mutant/killer") > "$mutant/log" 2>&1; then verdict=survived; fi
    else
        verdict='not compiled'
    fi
    echo "$verdict" > "$mutant/verdict"
    rm -rf "$mutant"/killer "$mutant"/*.o
}

if [ "${1:-}" = --one ]; then
    one "$2" "$3"
    exit 0
fi

# ---- all mutants ----------------------------------------------------------------------------------------------------

# Prints FILE, line, column, length, ordinal within the line, mutated literal and code of every literal, tab-separated.
literals() {
    (cd "$root/lib" && awk '
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

# The same lines, each marked with its reason when excluded.txt has it; complains about stale exclusions.
marked() {
    literals | awk -F '\t' -v OFS='\t' -v excluded="$here/excluded.txt" '
        BEGIN {
            while ((getline line < excluded) > 0) {
                if (line ~ /^[ \t]*(#.*)?$/) continue
                if (line ~ /^[ \t]/) {
                    sub(/^[ \t]+/, "", line)
                    reason[key] = line
                } else {
                    key = line
                    reason[key] = ""
                }
            }
        }
        {
            name = $1
            sub(/.*\//, "", name)
            key = name " #" $5 " " $7
            used[key] = 1
            print $0, reason[key]
        }
        END {
            for (key in reason) {
                if (reason[key] == "") continue
                if (key in used) continue
                print "excluded.txt: matches no literal any more: " key > "/dev/stderr"
                failed = 1
            }
            exit failed
        }'
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

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
mkdir "$work/lib"
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
#include <isserlis/ring/domain.hpp>
#include <isserlis/ring/interval.hpp>
#include <isserlis/ring/linear_recursion.hpp>
#include <isserlis/ring/power.hpp>
#include <isserlis/ring/product_tree.hpp>
END
$CXX $flags -I"$root/lib/include" -x c++-header "$work/pch.hpp" -o "$work/pch.hpp.gch"
(cd "$root/lib/src" && ls ring/*.cpp network/*.cpp formula/*.cpp) |
    xargs -P "$JOBS" -I {} sh -c 'o=$(echo "$4" | sed "s|/|_|g; s|\.cpp$|.o|"); $1 $2 -I"$3/include" -c "$3/src/$4" -o "$5/lib/$o"' \
        sh "$CXX" "$flags" "$root/lib" {} "$work"
$CXX $flags -I"$root/lib/include" -include "$work/pch.hpp" -c "$here/killer.cpp" -o "$work/killer.o"
$CXX "$work/killer.o" "$work"/lib/*.o -lmpfr -lgmp -ldl -o "$work/killer"
"$work/killer" || { echo 'the killer fails on the unmutated library'; exit 1; }

number=0
while IFS="$(printf '\t')" read -r file line column length ordinal literal code reason; do
    number=$((number + 1))
    mutant=$work/mutants/$number
    mkdir -p "$mutant/$(dirname "$file")"
    echo "$file" > "$mutant/file"
    printf '%s:%s:%s: %s  -> %s\n' "lib/$file" "$line" "$column" "$code" "$literal" > "$mutant/what"
    awk -v at="$line" -v column="$column" -v gone="$length" -v literal="$literal" '
        FNR == at { $0 = substr($0, 1, column - 1) literal substr($0, column + gone) }
        { print }' "$root/lib/$file" > "$mutant/$file"
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
