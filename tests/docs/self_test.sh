#!/bin/sh
# SPDX-License-Identifier: MIT
# Shows that the scripts beside it accept pages that tell the truth and reject those that do not.
set -eu
scripts=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
export ISSERLIS_DOCS_SECONDS=1

stop() {
    printf '%s\n' "$1"
    cat output
    exit 1
}

# accepts 'what it says' SCRIPT ARGUMENTS...
accepts() {
    said=$1 script=$2
    shift 2
    sh "$scripts/$script" "$@" > output 2>&1 || stop "$script rejects what is right:"
    [ -z "$said" ] || grep -qF -- "$said" output || stop "$script does not say: $said"
}

rejects() {
    said=$1 script=$2
    shift 2
    if sh "$scripts/$script" "$@" > output 2>&1; then stop "$script accepts what is wrong: $said"; fi
    [ -z "$said" ] || grep -qF -- "$said" output || stop "$script does not say: $said"
}

cat > right.md <<'END'
```console
$ printf 'a\nb\n'
a
b
$ sh -c 'exit 3'
$ echo "it's $?" >&2
it's 3
$ x=5; cat > file <<EOF
> two \
> lines
> EOF
$ cat file; ls; echo $x
two lines
file
5
```
- in a list:
  ```console
  $ ls; seq 1000
  1
  ...
  999
  ...
  1000
  $ echo ...; printf '  indented\n'
  ...
    indented
  ```
```console skip
$ false claim
```
```sh
$ not a console block
```
END
accepts 'right.md: 2 console blocks run, 1 skipped' run_console_blocks.sh right.md

# wrong 'what the runner says' 'line of the block'...
wrong() {
    said=$1
    shift
    { echo '```console'; printf '%s\n' "$@"; echo '```'; } > wrong.md
    rejects "$said" run_console_blocks.sh wrong.md
}
wrong '+b' '$ echo b' 'a'
wrong '+b' '$ echo b' '$ echo a' 'a'
wrong '-b' '$ echo a' 'a' 'b'
wrong '+c' '$ seq 3; echo c' '...' '3'
wrong '-4' '$ seq 3' '...' '4' '...'
wrong 'the block prints' '$ echo a' '...' '$ echo b' 'a' '...'
wrong '+0' '$ false' '$ echo $?' '1' '$ true; echo $?' '1'
wrong 'not found' '$ no_such_command' ''
wrong 'wrong.md:1: not done after 1 seconds' '$ sleep 5'
wrong 'wrong.md:2: a console block starts with a command' 'a' '$ echo a'
printf '```console\n$ echo a\na\n' > wrong.md
rejects 'wrong.md:1: the block does not end' run_console_blocks.sh wrong.md

# What is updated is accepted afterwards, elisions stay, and a page that tells the truth stays as it is.
updates() {
    { echo '```console'; printf '%s\n' "$1"; echo '```'; } > wrong.md
    { echo '```console'; printf '%s\n' "$2"; echo '```'; } > right.md
    python3 "$scripts/update_console_blocks.py" wrong.md > output 2>&1
    cmp -s wrong.md right.md || stop "update_console_blocks.py makes something else of: $1"
    accepts '1 console blocks run' run_console_blocks.sh wrong.md
    python3 "$scripts/update_console_blocks.py" --check wrong.md > output 2>&1 || stop "update_console_blocks.py changes what is right"
}
nl='
'
updates "\$ echo b${nl}a" "\$ echo b${nl}b"
updates "\$ echo title more; seq 9${nl}title${nl}...${nl}8${nl}9" "\$ echo title more; seq 9${nl}title more${nl}...${nl}8${nl}9"
updates "\$ echo head; seq 9; echo row 5 new; seq 3${nl}hold${nl}...${nl}row 5 old${nl}..." \
    "\$ echo head; seq 9; echo row 5 new; seq 3${nl}head${nl}...${nl}row 5 new${nl}..."
updates "\$ seq 3${nl}1${nl}...${nl}\$ false${nl}\$ echo \$?${nl}0" "\$ seq 3${nl}1${nl}...${nl}\$ false${nl}\$ echo \$?${nl}1"

mkdir -p root/docs/examples
printf '// SPDX-License-Identifier: MIT\nint main() {}\n' > root/docs/examples/x.cpp
printf '```cpp\n// docs/examples/x.cpp\nint main() {}\n```\n```cpp\nint y;\n```\n' > root/README.md
accepts '1 programs shown' check_programs.sh root
printf '```cpp\n// docs/examples/x.cpp\nint main() { }\n```\n' > root/docs/page.md
rejects 'docs/page.md:2: shows another text than docs/examples/x.cpp' check_programs.sh root
printf '```cpp\n// docs/examples/none.cpp\n```\n' > root/docs/page.md
rejects 'docs/page.md:2: there is no docs/examples/none.cpp' check_programs.sh root

printf '#!/bin/sh\necho a; exit ${1:-0}\n' > program
chmod +x program
echo a > a.output
echo b > b.output
accepts '' compare_output.sh a.output ./program
rejects '+a' compare_output.sh b.output ./program
printf '#!/bin/sh\necho a; exit 1\n' > program
rejects '' compare_output.sh a.output ./program

# A page of docs/papers: a program that prints its arguments stands for isserlis.
mkdir -p paper/docs/papers paper/docs/examples paper/lib/include/isserlis/formula
printf '### I3 to I4. Equation (8)\n' > paper/docs/errata.md
: > paper/lib/include/isserlis/formula/sum.hpp
printf 'sum  4\n' > paper/docs/examples/x.output
printf '#!/bin/sh\necho "$@"; [ "$1" != fail ] || exit 3\n' > isserlis
chmod +x isserlis
PATH=$work:$PATH

# paper SUMMARY ROW...
paper() {
    {
        printf '\n%s\n\n| item | what it says | status | command | header |\n|---|---|---|---|---|\n' "$1"
        shift
        for row in "$@"; do printf '%s\n' "$row"; done
    } > paper/docs/papers/iyer_2023.md
}
numbers='(1) to (11), Lemmas 1 to 4, Theorem 1, Corollaries 1 to 6, Figures 1, 2 to 13, Algorithm 1'
right="| $numbers "'| `a \| b` | corrected I3 to I4: 2 | `isserlis sum  2`: `sum 2` | `formula/sum.hpp` |'
paper '4 items: 2 exact, 1 corrected, 1 out of scope.' "$right" '| a | b | exact | `isserlis fail` (exit 3): `fail` | - |' \
    '| a | b | out of scope: a drawing | - | - |' '| a | b | exact | `docs/examples/x.cpp`: `sum 4` | - |'
python3 "$scripts/check_paper_pages.py" paper iyer_2023.md > output 2>&1 || stop 'check_paper_pages.py rejects what is right:'

# misprints 'what it says' 'summary' 'row'
misprints() {
    paper "$2" "$right" "$3"
    if python3 "$scripts/check_paper_pages.py" paper iyer_2023.md > output 2>&1; then stop "check_paper_pages.py accepts: $3"; fi
    grep -qF -- "$1" output || stop "check_paper_pages.py does not say: $1"
}
two='2 items: 1 exact, 1 corrected.'
misprints "'sum 3' is not printed" "$two" '| a | b | exact | `isserlis sum 2`: `sum 3` | - |'
misprints "'sum 2' is not printed" "$two" '| a | b | exact | `isserlis sum 25`: `sum 2` | - |'
misprints 'exit code 3, not 0' "$two" '| a | b | exact | `isserlis fail`: `fail` | - |'
misprints 'exit code 0, not 3' "$two" '| a | b | exact | `isserlis sum` (exit 3): `sum` | - |'
misprints 'exact, by no command' "$two" '| a | b | exact | - | - |'
misprints 'what the command prints is missing' "$two" '| a | b | exact | `isserlis sum` | - |'
misprints 'no header formula/none.hpp' "$two" '| a | b | exact | `isserlis sum`: `sum` | `formula/none.hpp` |'
misprints 'no such errata: I9' '2 items: 2 corrected.' '| a | b | corrected I9 | - | - |'
misprints 'corrected, by no erratum' '2 items: 2 corrected.' '| a | b | corrected | - | - |'
misprints 'the reason is missing' '2 items: 1 corrected, 1 out of scope.' '| a | b | out of scope | - | - |'
misprints "status 'right'" "$two" '| a | b | right | `isserlis sum`: `sum` | - |'
misprints 'the summary has to say' '2 items: 2 exact.' '| a | b | exact | `isserlis sum`: `sum` | - |'
misprints 'is not in x.output' "$two" '| a | b | exact | `docs/examples/x.cpp`: `sum 5` | - |'
right=$(printf '%s\n' "$right" | sed 's/Lemmas 1 to 4/Lemmas 1, 2, 4/')
misprints 'has no Lemma 3' "$two" '| a | b | exact | `isserlis sum`: `sum` | - |'
printf '### I3 to I5. Equation (8)\n' > paper/docs/errata.md
misprints 'names no I5' "$two" '| a | b | exact | `isserlis sum`: `sum` | - |'

echo 'Pages and programs that tell the truth are accepted, others are rejected.'
