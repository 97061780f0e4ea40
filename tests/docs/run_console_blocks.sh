#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs every ```console block of a page, each in an empty folder, all its commands in one shell, and compares what they
# print (both streams) with what the page shows.
# usage: run_console_blocks.sh PAGE
#
#   $ command       a command; it ends with the lines of output below it
#   > continued     as an interactive shell shows the second and later lines of a command
#   ...             any number of lines of output
#
# A block whose fence says ```console skip is counted, not run.
set -eu
page=$1
seconds=${ISSERLIS_DOCS_SECONDS:-60}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Block N becomes N.expected and N.sh. Command lines are marked with \001 in what is expected and in what is printed, so
# that no output can be mistaken for one.
awk -v work="$work" '
    function fail(text) {
        print FILENAME ":" FNR ": " text
        failed = 1
        exit 1
    }
    function quoted(text) {
        gsub(/\047/, "\047\\\047\047", text)
        return "\047" text "\047"
    }
    # $? goes through unharmed from one command to the next.
    function end_command() {
        if (shown != "") print "shown=$?; printf \"\\001%s\\n\"" shown "; (exit $shown)\n" command > script
        shown = command = ""
    }

    !inside && /^ *```console/ {
        if ($0 ~ / skip/) {
            ++skipped
            skipping = 1
        } else {
            ++blocks
            script = work "/" blocks ".sh"
            expected = work "/" blocks ".expected"
            print FNR > (work "/" blocks ".line")
            printf "" > script
            printf "" > expected
        }
        inside = FNR
        match($0, /^ */)
        indent = RLENGTH
        next
    }
    !inside { next }
    /^ *```/ {
        if (!skipping) {
            end_command()
            close(script)
            close(expected)
        }
        inside = skipping = 0
        next
    }
    skipping { next }
    {
        match($0, /^ */)
        line = substr($0, (RLENGTH < indent ? RLENGTH : indent) + 1)
    }
    line ~ /^[$] / {
        end_command()
        commands = FNR
        command = substr(line, 3)
        shown = " " quoted(line)
        print "\001" line > expected
        next
    }
    line ~ /^> / && shown != "" && commands == FNR - 1 {
        commands = FNR
        command = command "\n" substr(line, 3)
        shown = shown " " quoted(line)
        print "\001" line > expected
        next
    }
    shown == "" { fail("a console block starts with a command, `$ ...`") }
    { print line > expected }

    END {
        if (failed) exit 1
        if (inside) { print FILENAME ":" inside ": the block does not end"; exit 1 }
        print blocks + 0, skipped + 0 > (work "/counts")
    }
' "$page"
read -r blocks skipped < "$work/counts"

# matches EXPECTED ACTUAL: equal line by line, where `...` stands for any lines but a command.
matches() {
    awk '
        FILENAME == ARGV[1] { want[++wanted] = $0; next }
        { got[++printed] = $0 }
        END {
            i = j = 1
            dots = 0
            while (j <= printed) {
                if (i <= wanted && want[i] == "...") {
                    dots = i++
                    resume = j
                } else if (i <= wanted && want[i] == got[j]) {
                    ++i
                    ++j
                } else if (dots && got[resume] !~ /^\001/) {
                    i = dots + 1
                    j = ++resume
                } else {
                    exit 1
                }
            }
            while (i <= wanted && want[i] == "...") ++i
            exit i <= wanted
        }
    ' "$1" "$2"
}

failed=0
block=0
while [ "$block" -lt "$blocks" ]; do
    block=$((block + 1))
    read -r line < "$work/$block.line"
    mkdir "$work/folder"
    status=0
    (cd "$work/folder" && timeout "$seconds" sh "$work/$block.sh") > "$work/$block.printed" 2>&1 < /dev/null || status=$?
    rm -rf "$work/folder"
    # How long a command takes is the machine's affair.
    grep -v '^isserlis: still working; ' "$work/$block.printed" > "$work/$block.quiet" || true
    mv "$work/$block.quiet" "$work/$block.printed"
    if [ "$status" -eq 124 ]; then
        printf '%s:%s: not done after %s seconds\n' "$page" "$line" "$seconds"
        failed=1
    elif ! matches "$work/$block.expected" "$work/$block.printed"; then
        printf '%s:%s: the block prints something else\n' "$page" "$line"
        for kind in expected printed; do tr -d '\001' < "$work/$block.$kind" > "$work/$kind"; done
        diff -U 100 --label 'the page shows' --label 'the commands print' "$work/expected" "$work/printed" || true
        failed=1
    fi
done
printf '%s: %s console blocks run, %s skipped\n' "$page" "$blocks" "$skipped"
exit $failed
