# SPDX-License-Identifier: MIT
"""Notebooks say what is recorded in them, and their pages say the same."""
import json
import subprocess
import sys

import pytest
from conftest import ROOT

FOLDER = ROOT / "docs" / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))


def run(*notebooks):
    return subprocess.run([sys.executable, "-B", str(FOLDER / "run.py"), *map(str, notebooks)], capture_output=True, text=True)


def test_there_are_three():
    assert len(NOTEBOOKS) == 3


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda p: p.stem)
def test_outputs_are_those_recorded(notebook):
    for package in ("numpy", "sympy", "pandas", "matplotlib"):
        pytest.importorskip(package)
    if "import torch" in notebook.read_text():
        pytest.importorskip("torch")
    done = run(notebook)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda p: p.stem)
def test_pages_are_made_of_the_notebooks(notebook, monkeypatch):
    monkeypatch.syspath_prepend(str(FOLDER))
    from run import page_of

    page, pictures = page_of(notebook, json.loads(notebook.read_text()))
    assert page == notebook.with_suffix(".md").read_text()
    assert pictures and all((FOLDER / name).read_bytes() == data for name, data in pictures.items())


def test_another_output_is_found(tmp_path):
    cells = [{"cell_type": "code", "source": ["1 + 1"], "outputs": [
        {"output_type": "stream", "name": "stdout", "text": ["3\n"]}]}]
    (tmp_path / "a.ipynb").write_text(json.dumps({"cells": cells}))
    pytest.importorskip("matplotlib")
    assert run(tmp_path / "a.ipynb").returncode == 1
