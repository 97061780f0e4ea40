# SPDX-License-Identifier: MIT
"""What docstrings and pages show is what happens, and what the program prints is what the package answers."""
import doctest
import importlib
import json
import os
import pathlib
import pkgutil
import re
import shlex
import subprocess

import isserlis
import pytest
from conftest import ROOT
from isserlis import _table

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def examples_of(page):
    """The lines of ```python blocks, of one page one session."""
    return "\n".join(re.findall(r"^```python\n(.*?)^```", page.read_text(), re.M | re.S))


MODULES = [f"isserlis.{m.name}" for m in pkgutil.iter_modules(isserlis.__path__) if not m.name.startswith("lib")]


@pytest.mark.parametrize("module", ["isserlis", *MODULES])
def test_docstrings(module):
    if "torch" in module:
        pytest.importorskip("torch")
    assert doctest.testmod(importlib.import_module(module)).failed == 0


@pytest.mark.parametrize("page", [p for p in PAGES if ">>> " in examples_of(p)], ids=lambda p: p.name)
def test_pages(page, tmp_path, monkeypatch):
    for package in ("numpy", "sympy", "pandas", "matplotlib"):
        pytest.importorskip(package)
    monkeypatch.chdir(tmp_path)
    examples = doctest.DocTestParser().get_doctest(examples_of(page), {}, page.name, str(page), 0)
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    assert len(examples.examples) > 1 and runner.run(examples).failed == 0


COMMANDS = {c["name"]: c for c in _table.commands()}
LETTERS = {"f": "format", "d": "digits", "l": "layer", "c": "check", "S": "seed", "j": "threads", "s": "set",
           "t": "table", "e": "explain"}
OUTPUTS = {"plot", "save", "checkpoint"}


def commands_of(block):
    """The commands of a console block, as tests/docs/run_console_blocks.sh reads them."""
    return [c.replace("\n> ", "\n") for c in re.findall(r"^ *\$ (.*(?:\n *> .*)*)", block, re.M)]


def recorded_lines():
    """{words: commands of its block} of the lines of console blocks that are one command of the program."""
    out = {}
    for page in PAGES:
        for block in re.findall(r"^ *```console\n(.*?)^ *```", page.read_text(), re.M | re.S):
            for command in commands_of(block):
                try:
                    words = shlex.split(command.replace("\\\n", " "))
                except ValueError:
                    continue
                for i, word in enumerate(words):
                    if re.fullmatch(r"(\||\|\||&&|;|2?>.*)", word):
                        words = words[:i]
                        break
                if words[:1] == ["isserlis"] and words[1:] and words[1] in COMMANDS and "$" not in command:
                    out.setdefault(tuple(words[1:]), commands_of(block))
    return dict(sorted(out.items()))


def make_files(commands, program, folder):
    """What a block writes before its commands read it."""
    folder.mkdir()
    if any(re.search(r"> ?\w+[.]\w+|--save", c) for c in commands):
        path = {**os.environ, "PATH": str(pathlib.Path(program).parent) + ":" + os.environ["PATH"]}
        subprocess.run(["sh", "-c", "\n".join(commands)], cwd=folder, env=path, capture_output=True, timeout=120)


def as_call(words):
    """(positional arguments, keywords) of a command line."""
    rows = {r["name"]: r for r in COMMANDS[words[0]]["parameters"] + _table.common_parameters()}
    args, keywords = [], {}
    rest = list(words[1:])
    while rest:
        word = rest.pop(0)
        value = None
        if word.startswith("--"):
            name, _, value = word[2:].partition("=")
            name = "width_list" if name == "widths" else name.replace("-", "_")
            value = value or None
        elif re.fullmatch(r"-[a-zA-Z].*", word) and word[1] in LETTERS:
            name, value = LETTERS[word[1]], word[2:] or None
        else:
            args.append(word)
            continue
        if name in ("output", "o", "timeout", "help") or name not in rows or name in OUTPUTS:
            return None
        row = rows[name]
        if not row["value"]:
            keywords[row["keyword"]] = True
        else:
            value = rest.pop(0) if value is None else value
            if name in ("set", "table"):
                keywords.setdefault(row["keyword"], []).append(value)
            else:
                keywords[row["keyword"]] = value
    if isinstance(keywords.get("set"), list):
        keywords["set"] = ",".join(keywords["set"])
    return args, keywords


def test_the_walk_has_lines_of_every_command():
    seen = {words[0] for words in recorded_lines() if as_call(words)}
    assert seen == set(COMMANDS) and len(recorded_lines()) > 200


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_values_are_those_of_the_program(command, program, tmp_path, monkeypatch):
    ask = getattr(isserlis, command.replace("-", "_"))
    compared = refused = 0
    for words, block in recorded_lines().items():
        call = as_call(words) if words[0] == command else None
        if call is None or "--keep" in words:  # what one of the two leaves the other would go on with
            continue
        make_files(block, program, tmp_path / f"{compared}_{refused}")
        monkeypatch.chdir(tmp_path / f"{compared}_{refused}")
        args, keywords = call
        keywords = {k: v for k, v in keywords.items() if k != "format"}
        line = [program, *without_format(words), "--format", "json"]
        try:
            # verify has no shorter line than some seconds, which other work on the machine makes many.
            patience = 100 if command == "verify" else 10
            done = subprocess.run(line, capture_output=True, text=True, timeout=patience)
        except subprocess.TimeoutExpired:
            refused += 1  # what takes long is in other tests
            continue
        if done.returncode in (0, 1) and not done.stdout.startswith("{"):
            assert ask(*args, **keywords).document == done.stdout
            compared += 1
        elif done.returncode in (0, 1):
            expected = json.loads(done.stdout)
            answer = ask(*args, **keywords)
            got = [(r.name, list(map(str, r.index)), r.text, None if r.decimal is None else r._plain["decimal"],
                    None if r.check is None or r.check.z != r.check.z else r.check.z) for r in answer.results]
            want = [(r["name"], list(map(str, r["index"])), r["exact"], r["decimal"],
                     r["check"]["z"] if r.get("check") else None) for r in expected["results"]]
            assert got == want, words
            # Each exact text can be read.
            assert all(r.text is None or isinstance(r.symbols, list) for r in answer.results)
            assert answer.agrees == (done.returncode == 0)
            compared += 1
        else:
            error = json.loads(done.stderr.splitlines()[-1])["error"]
            with pytest.raises((isserlis.Error, TypeError)) as caught:
                ask(*args, **keywords)
            if isinstance(caught.value, isserlis.Error):
                kinds = {"domain": isserlis.DomainError, "parse": isserlis.ParseError,
                         "unsupported": isserlis.UnsupportedError}
                assert type(caught.value) is kinds[error["kind"]], words
            refused += 1
    # The pages show refusals of merge alone by themselves; what it prints has the format of its parts.
    assert compared > 0 or (command == "merge" and refused > 0)


def without_format(words):
    out, rest = [], list(words)
    while rest:
        word = rest.pop(0)
        if word in ("--format", "-f"):
            rest.pop(0)
        elif not word.startswith("--format=") and not re.fullmatch(r"-f(json|csv|latex|text|cpp)", word):
            out.append(word)
    return out
