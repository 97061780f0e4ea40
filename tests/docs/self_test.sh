#!/bin/sh
# SPDX-License-Identifier: MIT
# Shows that the scripts beside it accept pages that tell the truth and reject those that do not.
set -eu
scripts=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
export ISSERLIS_DOCS_SECONDS=3

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
wrong 'wrong.md:1: not done after 3 seconds' '$ sleep 5'
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

mkdir -p site/docs/sub
printf '# First page\n[two](sub/two.md#the-second-heading-1) and\n[one](#first-page), `[no](link.md)`\n' > site/docs/index.md
printf '# Two\n## `The` second: heading\n## The second heading\n```sh\n# [no](link.md)\n```\n[up](..)\n' > site/docs/sub/two.md
links_right() {
    python3 "$scripts/check_links.py" site > output 2>&1 || stop 'check_links.py rejects what is right:'
}
# links_wrong 'what it says' PAGE 'another line of it'
links_wrong() {
    cp "site/docs/$2" kept.md
    echo "$3" >> "site/docs/$2"
    if python3 "$scripts/check_links.py" site > output 2>&1; then stop "check_links.py accepts what is wrong: $1"; fi
    grep -qF -- "$1" output || stop "check_links.py does not say: $1"
    mv kept.md "site/docs/$2"
}
links_right
links_wrong 'docs/sub/two.md:8: there is no docs/sub/index.md' sub/two.md '[back](index.md)'
links_wrong 'docs/sub/two.md:8: docs/index.md has no heading #two' sub/two.md '[back](../index.md#two)'
links_wrong 'docs/index.md:4: docs/index.md has no heading #second' index.md '[on](#second)'
echo '# Alone' > site/docs/alone.md
links_wrong 'docs/alone.md: no link leads here from docs/index.md' sub/two.md ''
rm site/docs/alone.md
links_right

# The check of the site, but for what needs a browser.
mkdir -p made/sub
page='<h1 id="top">Title</h1><a href="sub/two.html#part">two</a><code>\\frac</code>'
echo "$page" > made/index.html
echo '<h1 id="part">Two</h1><a href="../index.html#top">up</a><img src="../p.svg"><a href="https://example.org">out</a>' > made/sub/two.html
touch made/p.svg
# site_wrong 'what it says' 'HTML added to the first page'
site_wrong() {
    echo "$page$2" > made/index.html
    if python3 "$scripts/../../docs/site/check.py" made --no-browser > output 2>&1; then stop "check.py accepts what is wrong: $1"; fi
    grep -qF -- "$1" output || stop "check.py does not say: $1"
    echo "$page" > made/index.html
}
python3 "$scripts/../../docs/site/check.py" made --no-browser > output 2>&1 || stop 'check.py rejects what is right:'
site_wrong 'index.html: there is no none.html' '<a href="none.html">x</a>'
site_wrong 'index.html: there is no none.svg' '<img src="none.svg">'
site_wrong 'index.html: sub/two.html has no #none' '<a href="sub/two.html#none">x</a>'
site_wrong 'index.html: https://example.org/x.js is fetched from elsewhere' '<script src="https://example.org/x.js"></script>'
site_wrong 'index.html: https://example.org/x.css is fetched from elsewhere' '<link rel="stylesheet" href="https://example.org/x.css">'
site_wrong 'index.html: a formula is left raw: $$' '<p>$$x$$</p>'
site_wrong 'index.html: a formula is left raw: \frac' '<p>\\frac{1}{2}</p>'
site_wrong 'index.html: two elements have the id top' '<p id="top">x</p>'
echo '<p>alone</p>' > made/alone.html
site_wrong 'alone.html: no link leads here' ''

mkdir -p root/docs/examples
printf '// SPDX-License-Identifier: MIT\nint main() {}\n' > root/docs/examples/x.cpp
printf '```cpp\n// docs/examples/x.cpp\nint main() {}\n```\n```cpp\nint y;\n```\n' > root/README.md
accepts '1 programs and outputs shown' check_programs.sh root
printf '```cpp\n// docs/examples/x.cpp\nint main() {}\n```\nprints\n```text\n1\n```\n' > root/docs/page.md
echo 1 > root/docs/examples/x.output
accepts '3 programs and outputs shown' check_programs.sh root
echo 2 > root/docs/examples/x.output
rejects 'docs/page.md:6: shows another text than docs/examples/x.output' check_programs.sh root
rm root/docs/examples/x.output
rejects 'docs/page.md:6: there is no docs/examples/x.output' check_programs.sh root
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
