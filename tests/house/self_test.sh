#!/bin/sh
# SPDX-License-Identifier: MIT
# Shows that each check of the house passes a small house in order and reports each way of breaking it.
set -eu
checks=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# The house in order. What looks like an offence and is none is part of it.
build_house() {
    rm -rf house
    mkdir -p house/.ci house/cli house/docs/formulas house/tests/formula
    (
        cd house
        for room in ring/flint network mlp formula strand monte_carlo verify report; do
            mkdir -p "lib/include/isserlis/$room" "lib/src/$room"
        done
        cat > lib/include/isserlis/formula/layer.hpp <<'END'
#include <boost/multiprecision/gmp.hpp>
#include <isserlis/network/widths.hpp>

#include <functional>
/// Source  [Author 2019, Thm 4.19]; [De Witt and Müller-Lüdenscheidt 1972b].
using F = std::function<Rational(int, int)>;
Rational sum(Rational const& a, Rational const& b);
auto f = [](int a) -> Rational { int b = 0, c = 0; return g(a, b); };
char const* text = "Rational(1, 2)";  // Rational(1, 2)
int const big = 1'000'000; char const quote = '"'; Rational r(g(1, 2));
END
        printf '#include <flint/fmpz_mpoly.h>\n#include "../laurent.hpp"\n' > lib/src/ring/flint/laurent.cpp
        echo 'Rational const half(1, 2), third = Rational("1/3");' > lib/src/ring/rational.cpp
        echo '#include <isserlis/mlp/layer.hpp>' > lib/src/verify/check.cpp
        printf '#include <nlohmann/json.hpp>\n// as --format json\n' > lib/src/report/json.cpp
        mkdir -p lib/src/quantity/rows
        echo 'char const* text = "with --order";' > lib/src/quantity/rows/norm.cpp
        printf '#include <CLI/CLI.hpp>\n#include <isserlis/report/answer.hpp>\n#include "options.hpp"\n' > cli/main.cpp
        echo 'int main() {}' > tests/formula/layer_test.cpp
        echo 'Text' > docs/formulas/layer.md
        echo '[layer](formulas/layer.md)' > docs/index.md
        printf '%s\n' '- [Author 2019] A. Author' '**[De Witt and Müller-Lüdenscheidt 1972b]** D.' > docs/references.md
        printf '#!/bin/bash\nmake check\n' > .ci/run
        printf '%s\n' 'if(place MATCHES "^(ring|strand)/")' 'set(unit exact)' 'else()' 'set(unit formula)' > lib/CMakeLists.txt
        printf '```console skip\n$ make check\n```\n' > README.md
    )
}

passes() {
    if ! sh "$checks/check_$1.sh" house > output 2>&1; then
        printf 'check_%s.sh fails on a house in order:\n' "$1"
        cat output
        exit 1
    fi
}

# fails CHECK 'what it says', after standard input was added to FILE
fails() {
    mkdir -p "$(dirname "house/$3")"
    cat >> "house/$3"
    if sh "$checks/check_$1.sh" house > output 2>&1; then
        printf 'check_%s.sh does not notice: %s\n' "$1" "$2"
        exit 1
    elif ! grep -qF -- "$2" output; then
        printf 'check_%s.sh fails, but does not say: %s\nIt says:\n' "$1" "$2"
        cat output
        exit 1
    fi
    build_house
}

build_house
for check in includes own_headers std_includes unique_names number_constructors citations formula_pages readme_command option_names reasons; do passes "$check"; done

for pair in formula:strand formula:monte_carlo formula:mlp strand:formula monte_carlo:formula monte_carlo:ring mlp:ring \
    mlp:monte_carlo network:ring ring:formula report:mlp verify:report error:ring; do
    from=${pair%:*} into=${pair#*:}
    file=lib/include/isserlis/$from/file.hpp
    [ "$from" != error ] || file=lib/include/isserlis/error.hpp
    printf '#pragma once\n#include <isserlis/%s/x.hpp>\n' "$into" | fails includes "$file:2: $from/ includes $into/" "$file"
done
echo '#include "strand/x.hpp"' | fails includes 'x.cpp:1: formula/ includes strand/' lib/src/formula/x.cpp
echo '#include "../../strand/x.hpp"' | fails includes 'x.cpp:1: formula/ includes strand/' lib/src/formula/sub/x.cpp
echo '#pragma once' | fails includes 'x.hpp:1: room attic/ is missing' lib/include/isserlis/attic/x.hpp
echo '#include <flint/fmpz.h>' | fails includes 'x.cpp:1: <flint/fmpz.h>: FLINT and Arb' lib/src/ring/x.cpp
echo '#include <arb.h>' | fails includes 'x_test.cpp:1: <arb.h>: FLINT and Arb' tests/ring/x_test.cpp
echo '#include <CLI/App.hpp>' | fails includes 'x.cpp:1: <CLI/App.hpp>: CLI11' lib/src/report/x.cpp
echo '#include <nlohmann/json.hpp>' | fails includes 'x.cpp:1: <nlohmann/json.hpp>' lib/src/network/x.cpp
echo '#include <boost/math/x.hpp>' | fails includes 'x.hpp:1: <boost/math/x.hpp>' lib/include/isserlis/mlp/x.hpp

printf '#include <string>\n#include <isserlis/formula/layer.hpp>\n' | fails own_headers 'layer.cpp: reads another header' lib/src/formula/layer.cpp
touch house/lib/src/formula/own.hpp
echo '#include "formula/layer.hpp"' | fails own_headers 'own.cpp: reads another header' lib/src/formula/own.cpp
echo '#include "formula/own.hpp"' | fails own_headers 'layer.hpp:11:#include "formula/own.hpp": a private' lib/include/isserlis/formula/layer.hpp

printf '#include <string>\n// std::map\nstd::string s; std::vector<int> v;\n' | fails std_includes 'x.hpp:3: std::vector without <vector>' lib/src/ring/x.hpp

printf 'namespace {\nconstexpr int most = 3;\n}  // namespace\n' > house/lib/src/ring/a.cpp
printf 'namespace {\nconstexpr int most = 3;\n}  // namespace\n' | fails unique_names 'x.cpp:2: most is in' lib/src/ring/x.cpp
printf 'namespace {\nconstexpr int most = 3;\n}  // namespace\n' > house/lib/src/ring/a.cpp
printf 'namespace {\nconstexpr int most = 3;\n}  // namespace\n' | fails unique_names 'x.cpp:2: most is in' lib/src/strand/x.cpp
printf 'namespace {\nint most(int x,\n         int y) {\n}  // namespace\n' > house/lib/src/ring/a.cpp
printf 'namespace {\nconstexpr int most = 3;\n}  // namespace\n' | fails unique_names 'x.cpp:2: most is in' lib/src/ring/x.cpp
printf 'namespace {\nconstexpr int most = 3;\n}  // namespace\n' > house/lib/src/ring/a.cpp
printf 'namespace {\nint most(int x) {\n}  // namespace\n' | fails unique_names 'x.cpp:2: most is in' lib/src/ring/x.cpp
printf 'namespace {\nstruct Row {};\n}  // namespace\n' > house/cli/a.cpp
printf 'namespace {\nstruct Row final {};\n}  // namespace\n' | fails unique_names 'x.cpp:2: Row is in' cli/x.cpp
printf 'namespace isserlis {\nstruct Row {\n};\n}\n' > house/lib/src/ring/a.hpp
printf 'namespace isserlis {\nstruct Row {\n};\n}\n' | fails unique_names 'x.hpp:2: isserlis::Row is in' lib/src/ring/x.hpp

git -C house init -q && git -C house add -A
passes top_level
touch house/part-1.json && git -C house add part-1.json
echo '{}' | fails top_level 'part-1.json' part-1.json

string='a number from a string'
pair='a Rational from two arguments'
printf '/* a\n b */\nauto x = Rational("1/2");\n' | fails number_constructors "x.cpp:3: $string" cli/x.cpp
printf 'Rational const x{\n    "1/2"};\n' | fails number_constructors "x.cpp:1: $string" lib/src/strand/x.cpp
echo 'Integer x("010");' | fails number_constructors "x.cpp:1: $string" docs/examples/x.cpp
echo 'auto x = f(isserlis::Rational(g(1), -2));' | fails number_constructors "x_test.cpp:1: $pair" tests/formula/x_test.cpp
printf 'auto s = R"(")"; using F = V<Rational\n(int)>;\nauto x = Rational(Rational{1, 2});' | fails number_constructors "x.cpp:3: $pair" lib/src/mlp/x.cpp

echo '/// Source  [Nobody 1999, Thm 1].' | fails citations 'x.hpp:1: [Nobody 1999] has no entry' lib/include/isserlis/ring/x.hpp
echo 'As in [Nobody 1999].' | fails citations 'index.md:2: [Nobody 1999] has no entry' docs/index.md
echo '- [Author 2019] again' | fails citations '[Author 2019] has 2 entries' docs/references.md

rm house/tests/formula/layer_test.cpp
fails formula_pages 'layer.hpp: has no test' README.md < /dev/null
rm house/docs/formulas/layer.md
fails formula_pages 'layer.hpp: has no page' README.md < /dev/null
rm house/docs/index.md
fails formula_pages 'layer.md: no other page links to it' README.md < /dev/null

echo 'auto why = "use `law`, or \"--law\"";' | fails option_names 'x.hpp:1: "use `law`, or \"--law\"" speaks' lib/include/isserlis/ring/x.hpp
echo 'throw Error(" EXPR: too long", "query");' | fails option_names 'x.cpp:1: " EXPR: too long" speaks' lib/src/strand/x.cpp

echo 'answer.warn("no chart: " + std::string(e.what()));' | fails reasons 'x.hpp:1:answer.warn' lib/src/quantity/x.hpp

echo 'make something else' | fails readme_command 'make something else' .ci/run

if clang-format --version 2> /dev/null | grep -q "version 14"; then
    echo 'BasedOnStyle: Google' > house/.clang-format
    rm house/lib/include/isserlis/formula/layer.hpp house/lib/src/ring/rational.cpp house/cli/main.cpp
    echo 'int  x ;' | fails format 'x.cpp:1:4' lib/src/ring/x.cpp
fi
# What is built: a program linked as ours is, and others with one thing undone.
if command -v cc > /dev/null && command -v readelf > /dev/null; then
    echo 'int main(void) { return 0; }' > x.c
    built() {
        cc -pie -fPIE -o x x.c "$@"
        sh "$checks/check_binaries.sh" ./x > output 2>&1
    }
    built -Wl,-z,relro,-z,now || {
        cat output
        exit 1
    }
    for undone in 'position independent:-no-pie' 'executable stack:-Wl,-z,execstack' 'binds symbols late:-Wl,-z,lazy' \
        'current folder:-Wl,-rpath,$ORIGIN:'; do
        if built -Wl,-z,relro,-z,now "${undone#*:}" || ! grep -qF "${undone%%:*}" output; then
            echo "check_binaries.sh does not notice: $undone"
            exit 1
        fi
    done
fi

# One function with one body, then with two.
if command -v c++ > /dev/null && command -v nm > /dev/null; then
    mkdir objects
    defined() {
        echo "$2" | c++ -x c++ -c - -o "objects/$1.o"
    }
    defined a 'inline int f() { return 1; } int g() { return f(); } int (*p)() = f;'
    defined b 'inline int f() { return 1; } int h() { return f(); } int (*q)() = f;'
    sh "$checks/check_one_definition.sh" objects
    defined b 'int f() { return 2; }'
    if sh "$checks/check_one_definition.sh" objects > output || ! grep -qF 'f()' output; then
        echo 'check_one_definition.sh does not notice a second body'
        exit 1
    fi
fi

echo 'Every check of the house passes a house in order and reports what breaks it.'
