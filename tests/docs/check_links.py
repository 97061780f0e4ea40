#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks that the pages lead somewhere: every link to a file or a heading, and every page from the first one.

usage: check_links.py ROOT

Pages are README.md and docs/**/*.md below ROOT; links to other places of the web are not followed. Headings get the
names that GitHub gives them.
"""
import os
import re
import sys

FENCE = re.compile(r" *(```|~~~)")
LINK = re.compile(r"\]\(([^()\s]+)\)")
START = "docs/index.md"


def prose_of(text):
    """[(line number, line)] without fenced blocks."""
    inside, out = False, []
    for number, line in enumerate(text.split("\n"), 1):
        if FENCE.match(line):
            inside = not inside
        elif not inside:
            out.append((number, line))
    return out


def anchor_of(title):
    """The name of a heading: lower case, hyphens for spaces, other signs left out."""
    title = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title).strip().lower()
    return re.sub(r"[^\w\- ]", "", title).replace(" ", "-")


def anchors_of(titles):
    """One name a heading, in their order; the second of two equal ones ends in -1."""
    seen, out = {}, []
    for title in titles:
        name = anchor_of(title)
        seen[name] = seen.get(name, -1) + 1
        out.append(name if seen[name] == 0 else f"{name}-{seen[name]}")
    return out


def titles_of(text):
    return [match[1] for _, line in prose_of(text) if (match := re.match(r"#{1,6} +(.*?)[ #]*$", line))]


def links_of(text):
    """[(line number, target)] outside code; a link may run over the end of a line."""
    lines = prose_of(text)
    flat = "\n".join(line for _, line in lines)
    flat = re.sub(r"(`+)(?!`).+?(?<!`)\1(?!`)", lambda code: re.sub(r"[^\n]", " ", code[0]), flat, flags=re.S)
    return [(lines[flat.count("\n", 0, match.start())][0], match[1]) for match in LINK.finditer(flat)]


def pages_of(root):
    found = ["README.md"] if os.path.exists(os.path.join(root, "README.md")) else []
    for folder, folders, files in os.walk(os.path.join(root, "docs")):
        folders.sort()
        found += [os.path.relpath(os.path.join(folder, name), root) for name in sorted(files) if name.endswith(".md")]
    return found


def read(root, page):
    with open(os.path.join(root, page), encoding="utf-8") as file:
        return file.read()


def offences(root):
    pages = pages_of(root)
    texts = {page: read(root, page) for page in pages}
    anchors = {page: set(anchors_of(titles_of(text))) for page, text in texts.items()}
    found, leads = [], {}
    for page, text in texts.items():
        for line, link in links_of(text):
            if re.match(r"[a-z]+:", link):
                continue
            path, _, anchor = link.partition("#")
            target = os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page
            leads.setdefault(page, set()).add(target)
            if not os.path.exists(os.path.join(root, target)):
                found.append(f"{page}:{line}: there is no {target}")
            elif anchor and anchor not in anchors.get(target, {anchor}):
                found.append(f"{page}:{line}: {target} has no heading #{anchor}")
    reached, ahead = set(), [START]
    while ahead:
        page = ahead.pop()
        if page not in reached:
            reached.add(page)
            ahead += leads.get(page, ())
    found += [f"{page}: no link leads here from {START}" for page in pages if page not in reached]
    return found


def main(root):
    found = offences(root)
    print("\n".join(found) or "Every link leads to a file and a heading that are there.")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
