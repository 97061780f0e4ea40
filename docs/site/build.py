# SPDX-License-Identifier: MIT
"""Writes the site; called by build.sh. usage: build.py ROOT PROGRAM XML OUT"""
import html
import json
import os
import re
import shutil
import subprocess
import sys

import headers
import pages

KATEX = "/usr/share/javascript/katex"


def navigation(root, titles):
    """[(section, [(title, page)])]: the headings and first links of the index, then what it does not name."""
    sections, named = [], {"index.md"}
    for line in open(os.path.join(root, "docs", "index.md"), encoding="utf-8").read().split("\n"):
        if heading := re.match(r"#{2,3} (.*)", line):
            sections.append((heading[1], []))
        elif line.startswith("| [") and sections:
            for title, page in re.findall(r"\[([^\]]*)\]\(([^)#]*\.md)\)", line.split(" | ")[0]):
                if page in titles and page not in named:
                    named.add(page)
                    sections[-1][1].append((title, page))
    papers = [(title, page) for page, title in sorted(titles.items())
              if page.startswith("papers/") and page != "papers/index.md"]
    if papers:
        first = [] if "papers/index.md" not in titles else [("Item by item", "papers/index.md")]
        sections = [(name, [link for link in links if not link[1].startswith("papers/")]) for name, links in sections]
        sections.append(("The papers", first + papers))
    else:
        named |= {"papers/index.md"}
    rest = [page for page in titles if page not in named and not page.startswith("papers/")]
    if rest:
        sys.exit("build.py: docs/index.md has no table row that begins with " + ", ".join(rest))
    return [(name, links) for name, links in sections if links]


def frame(template, page, title, body, contents, sections, rooms):
    """A page in the site's frame: navigation, text, contents of the page."""
    up = "../" * page.count("/")

    def link(name, target):
        current = ' aria-current="page"' if target == page else ""
        return f'<li><a href="{up}{target}"{current}>{html.escape(name)}</a></li>'

    parts = []
    for name, links in sections + [("Headers", [(room, f"headers/{room}.html") for room in rooms])]:
        targets = [(said, pages.target_of(target) if target.endswith(".md") else target) for said, target in links]
        here = page in [target for _, target in targets]
        opened = " open" if here or page == "index.html" and len(parts) < 3 else ""
        parts.append(f"<details{opened}><summary>{html.escape(name)}</summary><ul>" +
                     "".join(link(*target) for target in targets) + "</ul></details>")
    listed = "".join(f'<li class="level{level}"><a href="#{anchor}">{text}</a></li>'
                     for level, anchor, text in contents)
    values = {"title": html.escape(title), "root": up, "navigation": "".join(parts), "body": body,
              "contents": f"<p>On this page</p><ul>{listed}</ul>" if len(contents) > 1 else ""}
    return re.sub(r"\{\{(\w+)\}\}", lambda found: values[found[1]], template)


def contents_of(body):
    """[(level, anchor, text)] of the headings below the first."""
    found = re.findall(r'<h([23]) id="([^"]*)">(.*?)</h\1>', body, re.S)
    deep = 3 if sum(level == "3" for level, _, _ in found) + len(found) <= 60 else 2
    left_out = r"</?a\b[^>]*>|isserlis/(\w+/)?(?=\w+\.hpp)"
    return [(level, anchor, re.sub(left_out, "", text)) for level, anchor, text in found if int(level) <= deep]


def with_headers(page, rooms):
    """The text of a page, the headers that it names leading to their docstrings."""
    up = "../" * page.target.count("/")

    def link(found):
        known = f'id="{found[3]}"' in rooms.get(found[2], "")
        return f'<a href="{up}headers/{found[2]}.html#{found[3]}">{found[1]}</a>' if known else found[0]

    return re.sub(r"(?<!>)(<code>(?:isserlis/)?(\w+)/(\w+\.hpp)</code>)", link, page.body)


def text_of(body):
    return " ".join(html.unescape(re.sub(r"<(?:math|svg)\b.*?</(?:math|svg)>|<[^>]*>", " ", body, flags=re.S)).split())


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def copy_assets(here, root, out):
    for name in ("style.css", "search.js"):
        shutil.copy(os.path.join(here, name), out)
    shutil.copytree(os.path.join(KATEX, "fonts"), os.path.join(out, "fonts"),
                    ignore=lambda folder, names: [name for name in names if not name.endswith(".woff2")])
    shutil.copy(os.path.join(KATEX, "katex.min.css"), out)
    docs = os.path.join(root, "docs")
    for folder, folders, names in os.walk(docs):
        folders[:] = [name for name in folders if os.path.join(folder, name) != here]
        for name in names:
            if not name.endswith(".md"):
                target = os.path.join(out, os.path.relpath(os.path.join(folder, name), docs))
                os.makedirs(os.path.dirname(target), exist_ok=True)
                shutil.copy(os.path.join(folder, name), target)


def main(root, program, xml, out):
    here = os.path.dirname(os.path.abspath(__file__))
    template = open(os.path.join(here, "frame.html"), encoding="utf-8").read()
    sources = pages.sources(root)
    made = [pages.Page(root, source, sources, program, out) for source in sources]
    formulas = sorted({formula for page in made for formula in page.formulas})
    typeset = subprocess.run(["node", os.path.join(here, "typeset.js")], input=json.dumps(formulas), text=True,
                             stdout=subprocess.PIPE, check=True).stdout
    for page in made:
        page.typeset(dict(zip(formulas, json.loads(typeset))))
    sections = navigation(root, {page.source: page.title for page in made})
    rooms = headers.rooms(xml)
    written = [(page.target, page.title, with_headers(page, dict(rooms))) for page in made]
    for room, body in rooms:
        target = f"headers/{room}.html"
        written.append((target, f"Headers of {room}/", pages.cited(body, target, pages.keys_of(root))))
    index = []
    for target, title, body in written:
        write(os.path.join(out, target),
              frame(template, target, title, body, contents_of(body), sections, [room for room, _ in rooms]))
        # A result is a heading with what stands below it.
        pieces = re.split(r'<h[123] id="([^"]*)">(.*?)</h[123]>', body, flags=re.S)
        for anchor, heading, text in zip(pieces[1::3], pieces[2::3], pieces[3::3]):
            name = text_of(heading)
            index.append({"url": f"{target}#{anchor}", "title": name if name == title else f"{title}: {name}",
                          "text": text_of(text)[:1500]})
    write(os.path.join(out, "search_index.js"), "window.siteIndex = " + json.dumps(index, ensure_ascii=False) + ";\n")
    copy_assets(here, root, out)
    print(f"{len(written)} pages, {len(formulas)} formulas, {sum(len(page.charts) for page in made)} charts: "
          f"{os.path.join(out, 'index.html')}")


if __name__ == "__main__":
    main(*sys.argv[1:])
