# SPDX-License-Identifier: MIT
"""What the program adds to the console blocks of a page: its answers as formulas, its charts.

A block is run as the tests run it, but each command that asks for a formula is asked for LaTeX, and of the others only
those that draw a chart are run.
"""
import json
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tests", "docs"))
from update_console_blocks import commands_of  # noqa: E402


FORMULAS = "expect|trace|norm|ntk|hessian|jacobian|mup|moments|products|form|init"
# Tables, numbers beside sampled ones and texts are no formulas.
REFUSED = r"--(check|time|until|table|plot|explain|help|output|measured|solve|budget|list)(=.*)?|-[ctoeh]"
WIDEST = 1500  # characters of TeX: beyond, typeset is no easier to read than the line above

# Stands first in PATH. What it is asked for is kept under the number of the command in its block.
STAND_IN = """#!/bin/sh
for word; do
    case $word in --plot | --plot=*) exec '{program}' "$@" ;; esac
done
case $1 in {formulas}) ;; *) exit 0 ;; esac
printf '%s\\n' "$@" | grep -qxE -e '{refused}' && exit 0
name='{records}'/$ISSERLIS_SITE_COMMAND
[ ! -e "$name.json" ] || exit 0
'{program}' "$@" --format json > "$name.json" 2> /dev/null && '{program}' "$@" --format latex > "$name.tex" 2> /dev/null
"""


def run(block, program):
    """({number of a command: (JSON, TeX)}, {name: SVG}) of a block's lines."""
    with tempfile.TemporaryDirectory() as work:
        folders = {name: os.path.join(work, name) for name in ("bin", "records", "folder")}
        for folder in folders.values():
            os.mkdir(folder)
        stand_in = os.path.join(folders["bin"], "isserlis")
        with open(stand_in, "w", encoding="utf-8") as file:
            file.write(STAND_IN.format(program=program, formulas=FORMULAS, refused=REFUSED, records=folders["records"]))
        os.chmod(stand_in, 0o755)
        script = "".join(f"export ISSERLIS_SITE_COMMAND={number}\n{command[0]}\n"
                         for number, command in enumerate(commands_of(block)))
        subprocess.run(["sh", "-c", script], cwd=folders["folder"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL, timeout=300, check=False,
                       env={**os.environ, "PATH": folders["bin"] + ":" + os.environ["PATH"]})
        answers, charts = {}, {}
        for file in os.listdir(folders["records"]):
            number, kind = file.split(".")
            tex = os.path.join(folders["records"], number + ".tex")
            if kind == "json" and os.path.exists(tex):
                answers[int(number)] = (read(os.path.join(folders["records"], file)), read(tex))
        for file in sorted(os.listdir(folders["folder"])):
            if file.endswith(".svg"):
                charts[file] = read(os.path.join(folders["folder"], file))
        return answers, charts


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def rows_of(tex):
    """[[left side, right side]] and the range of an answer in LaTeX."""
    body = re.search(r"\\begin\{align\*\}\n(.*)\n\\end\{align\*\}", tex, re.S)
    if body is None:
        return [], ""
    rows = [line.split(" &", 1) for line in body[1].split(" \\\\\n")]
    stated = re.search(r"^for (.*)\.$", tex[body.end():], re.M)
    return rows, stated[1] if stated else ""


def formula(answer, shown):
    """TeX of those rows of an answer that the block shows and that are formulas; none for numbers.

    The rows of both formats have one order; where their numbers differ, a row is known by its name alone.
    """
    try:
        results = [r for r in json.loads(answer[0])["results"] if r["exact"] is not None or r["decimal"] is not None]
    except (json.JSONDecodeError, KeyError):
        return None
    rows, stated = rows_of(answer[1])
    if len(rows) != len(results):
        return None
    names = {line.split()[0] for line in shown if line.strip()}
    texts = " ".join(" ".join(shown).split())
    picked = [row for row, result in zip(rows, results)
              if result["name"] in names and result["exact"] is not None and re.search("[a-zA-Z]", result["exact"])
              and result["exact"] in texts]
    if not picked or any(not re.match(r"(=|\\approx) *[^ ,]", right) for _, right in picked):
        return None
    tex = "\\begin{aligned}\n" + " \\\\\n".join(f"{left} &{right}" for left, right in picked) + "\n\\end{aligned}"
    return (tex, stated) if len(tex) <= WIDEST else None
