# SPDX-License-Identifier: MIT
"""The public headers as pages, a page a room, from Doxygen's XML."""
import collections
import html
import os
import re
import xml.etree.ElementTree as ElementTree

HIDDEN = re.compile(r"(^|::)(\w+_)?detail(::|$)")  # namespaces that are nobody's business
SIGNS = {"ndash": "--", "mdash": "---", "lsquo": "'", "rsquo": "'", "linebreak": " "}


def plain(node):
    """The text of a type or a default, as it is written in the header."""
    text = "".join(node.itertext()) if node is not None else ""
    return re.sub(r"\s+", " ", text).strip()


def type_of(node):
    """Doxygen puts spaces where the headers have none."""
    return re.sub(r" (?=&|\*(?!\w))", "", re.sub(r"(?<=<) | (?=>)", "", plain(node)))


def prose(node):
    """(HTML of the paragraphs, [(word of the schema, HTML)]) of a description."""
    paragraphs, entries = [], []

    def inline(part):
        if part.tag == "simplesect":
            entries.append((plain(part.find("title")), "".join(inline(p) for p in part.findall("para")).strip()))
            return ""
        if part.tag in SIGNS:
            return SIGNS[part.tag]
        inside = html.escape(part.text or "") + "".join(inline(p) + html.escape(p.tail or "") for p in part)
        if part.tag == "ulink":
            return f'<a href="{html.escape(part.get("url"))}">{inside}</a>'
        if part.tag in ("itemizedlist", "orderedlist"):
            return f"<ul>{inside}</ul>"
        names = {"computeroutput": "code", "emphasis": "em", "bold": "strong", "listitem": "li"}
        name = names.get(part.tag)
        if name is None and part.tag != "para":
            raise SystemExit(f"headers.py: Doxygen wrote <{part.tag}>: {plain(part)[:80]}")
        return f"<{name}>{inside}</{name}>" if name else inside

    for kind in ("briefdescription", "detaileddescription"):
        for para in node.findall(f"{kind}/para"):
            text = inline(para).strip()
            if text:
                paragraphs.append(f"<p>{text}</p>")
    return "".join(paragraphs), entries


def described(node):
    text, entries = prose(node)
    if entries:
        text += '<dl class="schema">' + "".join(f"<dt>{w}</dt><dd>{t}</dd>" for w, t in entries) + "</dl>"
    return text


def template_of(node):
    names = []
    for param in node.findall("templateparamlist/param"):
        kind, name, default = type_of(param.find("type")), plain(param.find("declname")), plain(param.find("defval"))
        names.append(f"{kind} {name}".strip() + (f" = {default}" if default else ""))
    return f"template <{', '.join(names)}>\n" if names else ""


def arguments_of(node):
    parts = []
    for param in node.findall("param"):
        kind, name, default = type_of(param.find("type")), plain(param.find("declname")), plain(param.find("defval"))
        parts.append(f"{kind} {name}".strip() + (f" = {default}" if default else ""))
    one = ", ".join(parts)
    return f"({one})" if len(one) < 80 else "(\n    " + ",\n    ".join(parts) + ")"


def signature(node):
    kind, name = node.get("kind"), plain(node.find("name"))
    if kind == "function":
        end = " const" if node.get("const") == "yes" else ""
        before = type_of(node.find("type"))
        return template_of(node) + f"{before} {name}{arguments_of(node)}{end}".strip()
    if kind == "enum":
        values = ", ".join(plain(value.find("name")) for value in node.findall("enumvalue"))
        return f"enum {'class ' if node.get('strong') == 'yes' else ''}{name} {{ {values} }}"
    if kind == "typedef":
        return template_of(node) + f"using {name} = {type_of(node.find('type'))}"
    start = plain(node.find("initializer"))
    return template_of(node) + f"{type_of(node.find('type'))} {name} {start}".strip()


def entry(name, shown, text, anchor):
    return (f'<h3 id="{anchor}"><code>{html.escape(name)}</code></h3>'
            f'<pre><code>{html.escape(shown)}</code></pre>{text}')


def of_class(compound, members):
    """A class with its fields, and the members that have a docstring of their own."""
    name = plain(compound.find("compoundname")).removeprefix("isserlis::")
    rows = []
    for member in members:
        text = described(member)
        field = member.get("kind") == "variable"
        shown = field or text and member.get("kind") in ("function", "typedef", "enum")
        if member.get("prot") != "public" or not shown:
            continue
        if "detail::" not in plain(member.find("definition")):
            rows.append(f"<dt><code>{html.escape(signature(member))}</code></dt><dd>{text}</dd>")
    listed = f'<dl class="members">{"".join(rows)}</dl>' if rows else ""
    return name, template_of(compound) + f"{compound.get('kind')} {name}", described(compound) + listed


def collected(folder):
    """{header: [(line, name, signature, HTML)]} of all that has a docstring."""
    found = collections.defaultdict(list)
    for file in sorted(os.listdir(folder)):
        compound = ElementTree.parse(os.path.join(folder, file)).getroot().find("compounddef")
        if compound is None or HIDDEN.search(plain(compound.find("compoundname"))):
            continue
        members = [m for section in compound.findall("sectiondef") for m in section.findall("memberdef")]
        place = compound.find("location")
        if compound.get("kind") in ("class", "struct", "concept"):
            name, shown, text = of_class(compound, members)
            if compound.get("kind") == "concept":
                shown = plain(compound.find("initializer"))
            if text:
                found[place.get("file")].append((int(place.get("line")), name, shown, text))
        elif compound.get("kind") == "namespace":
            for member in members:
                text = described(member)
                where = member.find("location")
                if text:
                    found[where.get("file")].append((int(where.get("line")), plain(member.find("name")),
                                                     signature(member), text))
    return found


def rooms(folder):
    """[(room, HTML)], every header with all of its docstrings, in the order of the file."""
    by_room = collections.defaultdict(list)
    for header, entries in collected(folder).items():
        parts = header.removeprefix("isserlis/").split("/")
        by_room[parts[0] if len(parts) > 1 else "isserlis"].append((header, sorted(entries)))
    out = []
    for room, headers in sorted(by_room.items()):
        seen, body = collections.Counter(), ""
        for header, entries in sorted(headers):
            stem = header.rsplit("/", 1)[-1].removesuffix(".hpp")
            body += f'<h2 id="{stem}.hpp"><code>{html.escape(header)}</code></h2>'
            for _, name, shown, text in entries:
                seen[name] += 1
                anchor = re.sub(r"\W+", "-", name) + (f"-{seen[name]}" if seen[name] > 1 else "")
                body += entry(name, shown, text, anchor)
        out.append((room, f"<h1>Headers of {room}/</h1>" + body if room != "isserlis" else "<h1>Headers</h1>" + body))
    return out
