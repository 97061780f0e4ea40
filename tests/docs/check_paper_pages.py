#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks the tables of docs/papers: every command is run, in docs/papers, and prints what its row says.

usage: PATH=BUILD/bin:$PATH check_paper_pages.py ROOT [PAGE...]

A row is `| item | what it says | status | command | header |`. In the fourth cell the first `code` is the command, the
others have to occur in what it prints, as whole words, blanks counted as one; `(exit N)` is the exit code, 0 unless said,
and `(--quick)` what this test adds. In place of a command there may be a program of docs/examples, whose .output is read.
The status begins with one of STATUSES; `corrected` names its errata, which docs/errata.md has. The fifth cell names
headers below lib/include/isserlis. The line `N items: ..` of a page counts its rows by status, the table of index.md
those of all pages. Each page has all numbers that its source gives out, NUMBERED, and names every erratum of it.
"""
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys

STATUSES = ("exact", "corrected", "bound", "asymptotic", "sampled", "out of scope", "not served")
COMPUTED = ("exact", "bound", "asymptotic", "sampled")
HEAD = ["item", "what it says", "status", "command", "header"]
LETTERS = {"hettinger_2019": "H", "residual_2019": "R", "iyer_2023": "I", "jelassi_2023": "M", "liquet_2024": "B"}
# The numbers that each source gives out; a page has them all. `(5.` 53 stands for (5.1) to (5.53).
RESULTS = "Definition Lemma Theorem Corollary Proposition"
NUMBERED = {
    "hettinger_2019": [(RESULTS, "3.", 25), (RESULTS, "4.", 23), (RESULTS, "A.", 15), ("Figure", "2.", 23),
                       ("Figure", "4.", 5), ("Table", "4.", 1)],
    "residual_2019": [("", "(", 123), ("Definition", "", 1), ("Lemma", "", 4), ("Theorem", "", 3), ("Proposition", "", 3),
                      ("Figure", "", 4), ("Table", "", 1)],
    "iyer_2023": [("", "(", 11), ("Lemma", "", 4), ("Theorem", "", 1), ("Corollary", "", 6), ("Figure", "", 13),
                  ("Algorithm", "", 1)],
    "jelassi_2023": [("", "(1.", 5), ("", "(2.", 27), (RESULTS, "1.", 1), (RESULTS, "2.", 9)],
    "liquet_2024": [("", "(5.", 53), (RESULTS, "5.", 1), ("Figure", "5.", 11), ("Algorithm", "5.", 2)],
}
SECONDS = 2 * float(os.environ.get("ISSERLIS_DOCS_SECONDS", "60"))  # of commands that take 15 on an idle machine


def cells_of(line):
    return [cell.strip().replace(r"\|", "|") for cell in re.split(r"(?<!\\)\|", line.strip())[1:-1]]


def codes_of(cell):
    return [code.strip() for code in re.findall(r"(?<!`)`([^`]+)`", cell)]


def errata_named(text):
    """H3, `I3 to I7` and `M1, M10` as a set."""
    named = set()
    for letter, first, last in re.findall(r"\b([HRIMB])(\d+)(?: to [HRIMB](\d+))?\b", text):
        named.update(f"{letter}{number}" for number in range(int(first), int(last or first) + 1))
    return named


def numbers_named(items, words, series):
    """Those of a series in the first cells: `Lemmas 3.1, 3.2`, `(5.4) to (5.7)`."""
    number = re.escape(series) + r"(\d+)\)?"
    plural = [word[:-1] + "(?:y|ies)" if word[-1] == "y" else word + "s?" for word in words.split()]
    start = r"\b(?:" + "|".join(plural) + ") " if words else ""
    named = set()
    for item in items:
        for run in re.findall(start + f"({number}(?:(?:,| to) {number})*)", item):
            last = None
            for joint, text in re.findall(r"(^|, | to )" + number, run[0]):
                named.update(range(last if joint == " to " else int(text), int(text) + 1))
                last = int(text)
    return named


def one_blank(text):
    return re.sub(r"\s+", " ", text)


def occurs(text, printed):
    return re.search(r"(?<![\w.])" + re.escape(one_blank(text)) + r"(?![\w.])", printed) is not None


class Pages:
    def __init__(self, root):
        self.docs = pathlib.Path(root) / "docs"
        self.headers = pathlib.Path(root) / "lib" / "include" / "isserlis"
        headings = re.findall(r"^### (.*?)\. ", (self.docs / "errata.md").read_text(encoding="utf-8"), re.M)
        self.errata = set().union(*(errata_named(heading) for heading in headings))
        self.wrong = []
        self.commands = {}
        self.counts = {}

    def fail(self, where, what):
        self.wrong.append(f"{where}: {what}")

    def read(self, page):
        text = page.read_text(encoding="utf-8")
        counts = dict.fromkeys(STATUSES, 0)
        self.items = []
        inside = False
        for number, line in enumerate(text.split("\n"), 1):
            if not line.startswith("|"):
                inside = False
                continue
            cells = cells_of(line)
            if cells == HEAD:
                inside = True
            elif inside and not set(line) <= set("|- "):
                self.row(f"{page.name}:{number}", cells, counts)
        self.counts[page.stem] = counts
        for words, series, count in NUMBERED[page.stem]:
            lacking = sorted(set(range(1, count + 1)) - numbers_named(self.items, words, series))
            if lacking:
                self.fail(page.name, f"has no {words or 'equation'} " + ", ".join(f"{series}{n}" for n in lacking))
        total = sum(counts.values())
        said = ", ".join(f"{count} {status}" for status, count in counts.items() if count)
        if f"\n{total} items: {said}." not in text.replace(",\n", ", "):
            self.fail(page.name, f"the summary has to say: {total} items: {said}.")
        letter = LETTERS[page.stem]
        missing = sorted({e for e in self.errata if e[0] == letter} - errata_named(text), key=lambda e: int(e[1:]))
        if missing:
            self.fail(page.name, "names no " + ", ".join(missing))

    def row(self, where, cells, counts):
        if len(cells) != len(HEAD):
            self.fail(where, f"{len(cells)} cells; {len(HEAD)} are required")
            return
        item, _, status, command, header = cells
        self.items.append(item)
        kind = next((s for s in STATUSES if re.match(s + r"\b", status)), None)
        if kind is None:
            self.fail(where, f"{item}: status '{status}'; one of {', '.join(STATUSES)} is required")
            return
        counts[kind] += 1
        named = errata_named(status)
        if unknown := sorted(named - self.errata):
            self.fail(where, f"{item}: no such errata: {', '.join(unknown)}")
        if kind == "corrected" and not named:
            self.fail(where, f"{item}: corrected, by no erratum")
        if kind in ("out of scope", "not served") and len(status) <= len(kind) + 2:
            self.fail(where, f"{item}: {kind}, and the reason is missing")
        codes = codes_of(command)
        if codes and re.fullmatch(r"docs/examples/\w+\.cpp", codes[0]):
            self.program(f"{where}: {item}", codes)
        elif codes and not codes[0].startswith("isserlis "):
            self.fail(where, f"{item}: '{codes[0]}' is no command")
        elif codes:
            code = re.search(r"\(exit (\d)\)", command)
            line = codes[0] + (" --quick" if "(--quick)" in command else "")
            self.commands.setdefault(line, []).append((where, item, int(code[1]) if code else 0, codes[1:]))
        elif kind in COMPUTED:
            self.fail(where, f"{item}: {kind}, by no command")
        if kind in COMPUTED and not codes[1:]:
            self.fail(where, f"{item}: what the command prints is missing")
        for name in codes_of(header):
            if not (self.headers / name).is_file():
                self.fail(where, f"{item}: there is no header {name}")

    def program(self, where, codes):
        output = (self.docs.parent / codes[0]).with_suffix(".output")
        if not output.is_file():
            self.fail(where, f"there is no {output.name}")
            return
        printed = one_blank(output.read_text(encoding="utf-8"))
        for text in codes[1:]:
            if not occurs(text, printed):
                self.fail(where, f"'{text}' is not in {output.name}")

    def run(self, line):
        try:
            done = subprocess.run(["sh", "-c", line], cwd=self.docs / "papers", stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=SECONDS, check=False)
        except subprocess.TimeoutExpired:
            return [f"{rows[0]}: not done after {SECONDS:g} seconds: {line}" for rows in self.commands[line]]
        printed = one_blank(done.stdout.decode(errors="replace"))
        wrong = []
        for where, item, code, shown in self.commands[line]:
            if done.returncode != code:
                wrong.append(f"{where}: {item}: exit code {done.returncode}, not {code}: {line}\n  {printed[:300]}")
                continue
            wrong += [f"{where}: {item}: '{text}' is not printed by: {line}" for text in shown
                      if not occurs(text, printed)]
        return wrong

    def check_index(self):
        text = (self.docs / "papers" / "index.md").read_text(encoding="utf-8")
        for stem, counts in self.counts.items():
            numbers = [sum(counts.values())] + list(counts.values())
            row = f"({stem}.md) | " + " | ".join(map(str, numbers)) + " |"
            if row not in text:
                self.fail("index.md", f"the row of this page has to end in: {row}")


def main(arguments):
    root, chosen = arguments[0], arguments[1:]
    pages = Pages(root)
    for stem in LETTERS:
        page = pages.docs / "papers" / f"{stem}.md"
        if not chosen or page.name in chosen:
            pages.read(page)
    if not chosen:
        pages.check_index()
    with concurrent.futures.ThreadPoolExecutor(2) as workers:
        for wrong in workers.map(pages.run, pages.commands):
            pages.wrong += wrong
    print("\n".join(pages.wrong) if pages.wrong else
          f"{sum(sum(c.values()) for c in pages.counts.values())} items, {len(pages.commands)} commands run")
    return 1 if pages.wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
