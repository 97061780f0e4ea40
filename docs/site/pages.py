# SPDX-License-Identifier: MIT
"""A page of docs/ as HTML: GitHub's Markdown by cmark-gfm, then headings, links, formulas, console blocks."""
import functools
import html
import os
import re
import subprocess

import pygments
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name

import answers  # also puts tests/docs into the path
import check_links
from update_console_blocks import commands_of

README = "../README.md"
HIGHLIGHTED = {"cpp", "python", "json", "sh", "cmake", "bibtex"}


def sources(root):
    """Pages, named from docs/; the first page of all comes first."""
    found = [os.path.relpath(page, "docs") for page in check_links.pages_of(root)]
    return sorted(found, key=lambda source: (source != "index.md", source))


def target_of(source):
    return "readme.html" if source == README else source[:-len(".md")] + ".html"


@functools.cache
def keys_of(root):
    """The keys of the references."""
    return re.findall(r"^- \[([^\]]+)\]", check_links.read(root, "docs/references.md"), re.M)


def key_anchor(key):
    return "key-" + re.sub(r"\W+", "-", key)


def outside(body, names, change):
    """The HTML with its text changed, but for what stands inside elements of these names."""
    pieces = re.split(rf"(<({names})\b.*?</\2>|<[^>]*>)", body, flags=re.S)
    return "".join(change(piece) if number % 3 == 0 else piece
                   for number, piece in enumerate(pieces) if number % 3 != 2)


def cited(body, target, keys):
    """The HTML with its citations leading to the references."""
    up = "../" * target.count("/")
    wanted = re.compile(r"\[(" + "|".join(re.escape(html.escape(key)) for key in keys) + r")(?=[,\]])")

    def change(text):
        return wanted.sub(lambda found: f'[<a href="{up}references.html#{key_anchor(html.unescape(found[1]))}">'
                                        f"{found[1]}</a>", text)

    return outside(body, "a|code|pre|h1|h2|h3|h4", change)


class Page:
    """source, target, title, body; `formulas` are typeset later, all pages at once."""

    def __init__(self, root, source, all_sources, program, out):
        self.source, self.target = source, target_of(source)
        self.root, self.all_sources, self.program, self.out = root, set(all_sources), program, out
        self.formulas, self.charts = [], []
        self.text = check_links.read(root, os.path.join("docs", source))
        titles = check_links.titles_of(self.text)
        self.title = re.sub(r"`", "", titles[0])
        self.body = self.linked(self.with_anchors(self.marked_up(), titles))

    def marked_up(self):
        made = subprocess.run(["cmark-gfm", "--unsafe", "--full-info-string", "-e", "table", "-e", "autolink"],
                              input=self.text, text=True, stdout=subprocess.PIPE, check=True).stdout
        made = re.sub(r'<pre><code class="language-(\w+)"(?: data-meta="([^"]*)")?>(.*?)</code></pre>',
                      lambda found: self.block(found[1], found[2] or "", html.unescape(found[3])), made, flags=re.S)
        made = re.sub(r"\$<code>(.*?)</code>\$", lambda found: self.place(html.unescape(found[1]), False), made)
        made = re.sub(r"<table>.*?</table>", lambda found: f'<div class="wide">{found[0]}</div>', made, flags=re.S)
        made = re.sub(r"<p>(<img [^>]*>)</p>", r'<div class="chart">\1</div>', made)
        if self.source == "references.md":
            return re.sub(r"<li>\[([^\]]+)\]",
                          lambda found: f'<li id="{key_anchor(html.unescape(found[1]))}">[{found[1]}]', made)
        return cited(made, self.target, keys_of(self.root))

    def place(self, tex, display):
        self.formulas.append((tex, display))
        return f"\x02{len(self.formulas) - 1}\x03"

    def block(self, language, meta, text):
        if language == "math":
            return f'<div class="formula">{self.place(text, True)}</div>'
        if language == "console":
            return self.console(text.rstrip("\n").split("\n"), "skip" in meta.split())
        if language in HIGHLIGHTED:
            inside = pygments.highlight(text, get_lexer_by_name(language), HtmlFormatter(nowrap=True))
        else:
            inside = html.escape(text, quote=False)
        return f"<pre><code>{inside}</code></pre>"

    def console(self, lines, skipped):
        """A block, cut where a command has a formula or a chart to show."""
        asked = any("isserlis" in line for line in lines)
        found, charts = answers.run(lines, self.program) if asked and not skipped else ({}, {})
        out, shown = [], ""
        for number, (command, first, end) in enumerate(commands_of(lines)):
            typed = ("$ " + command).split("\n")
            marked = [("$ ", typed[0][2:])] + [("&gt; ", line) for line in typed[1:]]
            shown += "".join(f'<span class="prompt">{mark}</span><b>{html.escape(line, quote=False)}</b>\n'
                             for mark, line in marked)
            shown += "".join(html.escape(line, quote=False) + "\n" for line in lines[first:end])
            after = ""
            formula = answers.formula(found[number], lines[first:end]) if number in found else None
            if formula:
                said = ["for " + self.inline_tex(formula[1])] if formula[1] else []
                if re.search(r"expect .*[a-zD}]\[[^]]*[a-z]", command):
                    said.append("letters that occur twice or more are summed over")
                after += (f'<div class="formula">{self.place(formula[0], True)}'
                          f'<p class="range">{"; ".join(said)}</p></div>')
            for name in [name for name in charts if name in command and f"/{name})" not in self.text]:
                after += self.chart(name, charts.pop(name), command)
            if after:
                out.append(f'<pre class="console"><code>{shown}</code></pre>{after}')
                shown = ""
        if shown:
            out.append(f'<pre class="console"><code>{shown}</code></pre>')
        return f'<div class="session">{"".join(out)}</div>'

    def inline_tex(self, text):
        return re.sub(r"\$([^$]+)\$", lambda found: self.place(found[1], False), text)

    def chart(self, name, svg, command):
        file = f"charts/{self.target[:-len('.html')].replace('/', '-')}-{name}"
        os.makedirs(os.path.join(self.out, "charts"), exist_ok=True)
        with open(os.path.join(self.out, file), "w", encoding="utf-8") as stream:
            stream.write(svg)
        self.charts.append(file)
        said = "The chart that the command draws: " + html.escape(command)
        return f'<div class="chart"><img src="{self.up()}{file}" alt="{said}"></div>'

    def with_anchors(self, body, titles):
        names = iter(check_links.anchors_of(titles))
        body = re.sub(r"<h([1-6])>", lambda found: f'<h{found[1]} id="{next(names)}">', body)
        if next(names, None) is not None:
            raise SystemExit(f"pages.py: docs/{self.source}: headings are counted differently by cmark-gfm")
        return body

    def linked(self, body):
        # Where charts lie is known already.
        body = re.sub(r'<img src="(?!(?:\.\./)*charts/)([^":]*)"',
                      lambda found: f'<img src="{self.up()}{self.resolved(found[1])}"', body)
        return re.sub(r'<a href="([^"]*)">(.*?)</a>', lambda found: self.link(found[1], found[2]), body, flags=re.S)

    def up(self):
        return "../" * self.target.count("/")

    def resolved(self, path):
        """What a path in the page means, from docs/."""
        return os.path.normpath(os.path.join(os.path.dirname(self.source), path)).removeprefix("../docs/")

    def link(self, href, text):
        """Pages lead to pages, folders of headers to the page of their room; other folders are named only."""
        path, mark, anchor = href.partition("#")
        if not path or re.match(r"[a-z]+:", href):
            return f'<a href="{href}">{text}</a>'
        source, up = self.resolved(path), self.up()
        if source in self.all_sources:
            return f'<a href="{up}{target_of(source)}{mark}{anchor}">{text}</a>'
        room = re.fullmatch(r"\.\./lib/include/isserlis/(\w+)(/\w+\.hpp)?", source)
        if room:
            return f'<a href="{up}headers/{room[1]}.html{"#" + room[2][1:] if room[2] else ""}">{text}</a>'
        if source.startswith("..") or os.path.isdir(os.path.join(self.root, "docs", source)):
            return text
        return f'<a href="{up}{source}{mark}{anchor}">{text}</a>'

    def typeset(self, made):
        self.body = re.sub("\x02(\\d+)\x03", lambda found: made[self.formulas[int(found[1])]], self.body)
