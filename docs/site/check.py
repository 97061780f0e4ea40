#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks a built site: links, anchors, raw formulas; and in Chromium, where there: console, width.

usage: check.py SITE [--no-browser]
"""
import html.parser
import os
import re
import sys
import urllib.parse

RAW = re.compile(r"\$\$|\\\(|\\\[|\\(frac|left|right|mathbb|begin|text|sum|sqrt)\b|katex-error|[\x02\x03]")


class Reader(html.parser.HTMLParser):
    """Ids, links and the text outside code of one page."""

    def __init__(self):
        super().__init__()
        self.ids, self.links, self.text, self.inside = [], [], [], 0

    def handle_starttag(self, tag, attributes):
        named = dict(attributes)
        if "id" in named:
            self.ids.append(named["id"])
        self.links += [(tag, named[key]) for key in ("href", "src") if named.get(key)]
        if "katex-error" in (named.get("class") or ""):
            self.text.append("katex-error")
        # KaTeX keeps the source of a formula beside it for those who copy it.
        if tag in ("code", "pre", "script", "annotation"):
            self.inside += 1

    def handle_endtag(self, tag):
        if tag in ("code", "pre", "script", "annotation"):
            self.inside -= 1

    def handle_data(self, data):
        if not self.inside:
            self.text.append(data)


def read(path):
    reader = Reader()
    with open(path, encoding="utf-8") as file:
        reader.feed(file.read())
    return reader


def offences(site, pages):
    """What is wrong in the files alone."""
    made = {page: read(os.path.join(site, page)) for page in pages}
    for page, reader in made.items():
        for name in sorted({name for name in reader.ids if reader.ids.count(name) > 1}):
            yield f"{page}: two elements have the id {name}"
        if raw := RAW.search(" ".join(reader.text)):
            yield f"{page}: a formula is left raw: {raw[0]}"
        for tag, link in reader.links:
            if link.startswith(("data:", "mailto:")) or tag == "a" and re.match(r"https?://", link):
                continue
            if re.match(r"[a-z]+:|//", link):
                yield f"{page}: {link} is fetched from elsewhere"
                continue
            path, _, anchor = link.partition("#")
            path, anchor = urllib.parse.unquote(path), urllib.parse.unquote(anchor)
            target = os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page
            if not os.path.isfile(os.path.join(site, target)):
                yield f"{page}: there is no {link}"
            elif anchor and target in made and anchor not in made[target].ids:
                yield f"{page}: {target} has no #{anchor}"
    reached, ahead = set(), ["index.html"]
    while ahead:
        page = ahead.pop()
        if page in made and page not in reached:
            reached.add(page)
            ahead += [os.path.normpath(os.path.join(os.path.dirname(page), link.partition("#")[0]))
                      for tag, link in made[page].links if tag == "a" and not re.match(r"[a-z]+:|#", link)]
    for page in pages:
        if page not in reached:
            yield f"{page}: no link leads here"


def main(arguments):
    site = os.path.abspath(arguments[0])
    pages = sorted(os.path.relpath(os.path.join(folder, name), site)
                   for folder, _, names in os.walk(site) for name in names if name.endswith(".html"))
    if "index.html" not in pages:
        sys.exit(f"check.py: {site} is no site; build.sh makes one")
    found = list(offences(site, pages))
    said = f"{len(pages)} pages read"
    if "--no-browser" not in arguments:
        import browser
        opened, seen = browser.offences(site, pages)
        found += seen
        said += f", {opened} opened in Chromium"
    print("\n".join(found + [f"{said}: {len(found)} offences"]))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
