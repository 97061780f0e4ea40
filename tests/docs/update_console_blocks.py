#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Rewrites the output that ```console blocks show, where the commands print something else by now.

usage: PATH=BUILD/bin:$PATH update_console_blocks.py [--check] PAGE...

The blocks are those of run_console_blocks.sh and are run as there. Output that still matches is left alone, its `...`
(any number of lines) with it. Else the lines between two `...` are replaced by as many lines of the new output, those
most like them; a block without `...` gets the new output whole. Read the diff: what an elision ought to show is for a
person to say. With --check nothing is written, and the exit code is 1 when something would be.
"""
import difflib
import os
import re
import subprocess
import sys
import tempfile

SECONDS = float(os.environ.get("ISSERLIS_DOCS_SECONDS", "60"))
MARK = "\x01"


def commands_of(lines):
    """[(command text, first output line, end)] of the lines between two fences."""
    out = []
    for i, line in enumerate(lines):
        if line.startswith("$ "):
            out.append([line[2:], i + 1, len(lines)])
            if len(out) > 1:
                out[-2][2] = i
        elif line.startswith("> ") and out and out[-1][1] == i:
            out[-1][0] += "\n" + line[2:]
            out[-1][1] = i + 1
    return out


def printed_by(commands):
    """The lines that each command prints, all of them run in one shell in an empty folder; None after a time-out."""
    script = "".join(f"shown=$?; printf '{MARK}\\n'; (exit $shown)\n{c}\n" for c in commands)
    with tempfile.TemporaryDirectory() as folder:
        try:
            done = subprocess.run(["sh", "-c", script], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, timeout=SECONDS, check=False)
        except subprocess.TimeoutExpired:
            return None
    parts = done.stdout.decode(errors="replace").split(MARK + "\n")[1:]
    # How long a command takes is the machine's affair.
    return [[line for line in part.splitlines() if not line.startswith("isserlis: still working; ")] for part in parts]


def matches(want, got):
    """Line by line, `...` standing for any lines."""
    reach = {0}  # how many lines of got can be used up
    for line in want:
        if line == "...":
            reach = set(range(min(reach), len(got) + 1)) if reach else set()
        else:
            reach = {j + 1 for j in reach if j < len(got) and got[j] == line}
    return len(got) in reach


def likeness(a, b):
    return difflib.SequenceMatcher(None, a[:200], b[:200]).ratio()


def rewritten(want, got):
    """The output to show in place of `want`, with its elisions."""
    if "..." not in want:
        return got
    chunks = [[]]
    for line in want:
        if line == "...":
            chunks.append([])
        else:
            chunks[-1].append(line)
    out, position = list(got[: len(chunks[0])]), len(chunks[0])
    for number, chunk in enumerate(chunks[1:], 1):
        out.append("...")
        if not chunk:
            continue
        last = max(len(got) - len(chunk), 0)
        if number + 1 == len(chunks):
            start = last  # nothing is left out below
        else:
            start = max(range(min(position, last), last + 1),
                        key=lambda at: sum(likeness(a, b) for a, b in zip(chunk, got[at:])))
        out += got[start : start + len(chunk)]
        position = start + len(chunk)
    return out


def updated(page):
    lines = open(page, encoding="utf-8").read().split("\n")
    at = 0
    while at < len(lines):
        fence = re.match(r"( *)```console(.*)$", lines[at])
        if not fence:
            at += 1
            continue
        end = next(i for i in range(at + 1, len(lines)) if re.match(r" *```", lines[i]))
        if " skip" in fence[2]:
            at = end + 1
            continue
        indent = fence[1]
        block = [line[len(indent):] if line.startswith(indent) else line.lstrip() for line in lines[at + 1 : end]]
        commands = commands_of(block)
        printed = printed_by([c[0] for c in commands])
        if printed is None or len(printed) != len(commands):
            print(f"{page}:{at + 1}: not done after {SECONDS:g} seconds, or cut short; left alone")
            at = end + 1
            continue
        for (_, first, stop), got in reversed(list(zip(commands, printed))):
            want = block[first:stop]
            if matches(want, got):
                continue
            block[first:stop] = rewritten(want, got)
            print(f"{page}:{at + 1 + first}: rewritten" if matches(rewritten(want, got), got)
                  else f"{page}:{at + 1 + first}: rewritten, and still does not match; mend it by hand")
        lines[at + 1 : end] = [indent + line if line else line for line in block]
        at += len(block) + 2
    return "\n".join(lines)


def main(arguments):
    check = "--check" in arguments
    differs = False
    for page in (a for a in arguments if a != "--check"):
        before = open(page, encoding="utf-8").read()
        after = updated(page)
        differs = differs or after != before
        if after != before and not check:
            open(page, "w", encoding="utf-8").write(after)
    return 1 if check and differs else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
