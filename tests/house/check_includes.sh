#!/bin/sh
# SPDX-License-Identifier: MIT
# Includes run one way, and each outside library stays where it belongs.
# usage: check_includes.sh ROOT
set -eu
cd "$1"

# room: what its files may include besides their own room. A file at the top of include/isserlis is a room of its own;
# a path admits that one header.
rooms='
utf8:
error: utf8
version:
characters:
ring: error characters
network: error characters
random: error network
mlp: error network random/simd.hpp
train: error network random mlp
float_data: error random mlp
monte_carlo: error network random mlp observable
mpi: monte_carlo
formula: error network ring
data: error network ring
observable: error characters
words: error observable ring
strand: error network observable ring words
emit:
report: error utf8 version network observable ring formula strand verify
errata: error ring report
verify: error network observable ring random mlp formula strand monte_carlo
model: error network observable ring random mlp formula strand monte_carlo verify report
loss_curve: error network observable ring random mlp data formula strand monte_carlo verify report model
question: error utf8 version network observable ring data mlp random monte_carlo formula verify report model loss_curve
range: error network observable ring report question
quantity: error network observable ring words data float_data random mlp train formula strand monte_carlo emit report verify model loss_curve question range errata
cli: error version utf8 network ring report question quantity monte_carlo/ranks.hpp
python: error version report question quantity
'

# library | its headers | the files that may include them
libraries='
FLINT and Arb | ^(flint/|((acb|arb|arf|fmpq|fmpz|mag|nmod)(_[a-z_]+)?|flint)[.]h$) | ^(lib/src/ring/flint|tests/bench)/
CLI11         | ^CLI/      | ^cli/
MPI           | ^mpi[.]h$  | ^lib/src/mpi/
pybind11      | ^(pybind11/|Python[.]h$) | ^python/
nlohmann/json | ^nlohmann/ | ^(lib/((include/isserlis|src)/report|src/question)|tests)/
Spectra       | ^Spectra/  | ^lib/src/mlp/
Boost         | ^boost/    | ^(lib/(include/isserlis|src)/(ring|formula|strand|report|verify|model|loss_curve|question|range|quantity)|tests|docs)/
'

find lib cli python/src tests docs/examples -name '*.[ch]pp' 2>/dev/null | sort |
    xargs -r awk -v rooms="$rooms" -v libraries="$libraries" '
    BEGIN {
        n = split(rooms, line, "\n")
        for (i = 1; i <= n; ++i) {
            if (split(line[i], side, ":") < 2) continue
            allowed[side[1]] = side[2]
            m = split(side[2], word, " ")
            for (j = 1; j <= m; ++j) may[side[1], word[j]] = 1
        }
        n = split(libraries, line, "\n")
        for (i = 1; i <= n; ++i) {
            if (split(line[i], column, / +[|] +/) < 3) continue
            ++count
            library[count] = column[1]
            headers[count] = column[2]
            places[count] = column[3]
        }
    }

    function room_of(path) {
        if (path !~ /\//) sub(/[.][a-z]+$/, "", path)
        sub(/\/.*/, "", path)
        return path
    }

    # What `../NAME` in a file of the house means.
    function above(file, name) {
        sub(/[^\/]*$/, "", file)
        while (sub(/^[.][.]\//, "", name)) sub(/[^\/]*\/$/, "", file)
        return file name
    }

    function offence(text) {
        print FILENAME ":" FNR ": " text
        failed = 1
    }

    # Tests and examples are in no room: they include what they like of ours.
    FNR == 1 {
        path = FILENAME
        room = ""
        if (path ~ /^(cli|python)\//) room = substr(path, 1, index(path, "/") - 1)
        if (sub(/^lib\/(include\/isserlis|src)\//, "", path)) room = room_of(path)
        if (room != "" && !(room in allowed)) offence("room " room "/ is missing from the table in tests/house/check_includes.sh")
    }

    /^[ \t]*#[ \t]*include[ \t]*[<"]/ {
        target = $0
        sub(/^[^<"]*[<"]/, "", target)
        sub(/[>"].*/, "", target)
        for (i = 1; i <= count; ++i)
            if (target ~ headers[i] && FILENAME !~ places[i])
                offence("<" target ">: " library[i] " is included only in files matching " places[i])
        if (room == "" || !(room in allowed)) next
        ours = sub(/^isserlis\//, "", target)
        if (target ~ /^[.][.]\//) {
            target = above(path, target)
            ours = 1
        }
        into = room_of(target)
        if (!ours && (target !~ /\// || !(into in allowed))) next
        if (into != room && !((room, into) in may) && !((room, target) in may))
            offence(room "/ includes " into "/; it may include only: " (allowed[room] == "" ? " nothing" : allowed[room]))
    }

    END { exit failed }
'
