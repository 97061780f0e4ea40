# SPDX-License-Identifier: MIT
# What docs/examples/coord_check.py measures in PyTorch, by the definitions of the package mup, beside exact values.
import importlib.util
import json
import math
import os
import pathlib
import statistics
import subprocess
import sys

import pytest

pytest.importorskip("torch")

SCRIPT = pathlib.Path(__file__).parents[2] / "docs" / "examples" / "coord_check.py"
NETWORK = ["coord-check", "8,n:2,1", "--input-squared-norm", "8", "--parametrisation", "0:0:1,0:1/2:0,-1:0:-1"]


def load():
    spec = importlib.util.spec_from_file_location("coord_check", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def ask(*arguments, code=0):
    run = subprocess.run([os.environ["ISSERLIS_CLI_PATH"], *NETWORK, *arguments, "--format", "json"],
                         capture_output=True, text=True, check=False)
    assert run.returncode == code, run.stderr + run.stdout
    return json.loads(run.stdout)["results"]


def test_the_script_writes_what_measured_reads(tmp_path):
    file = tmp_path / "run.csv"
    subprocess.run([sys.executable, "-B", str(SCRIPT), str(file), "--widths", "8,32", "--seeds", "600"], check=True)
    results = ask("--eta", "1/100", "--measured", str(file))
    assert len(results) == 2 * 3 * 6
    assert all(r["check"]["verdict"] != "disagrees" for r in results)
    assert sum(r["check"]["verdict"] == "agrees" for r in results) >= 15
    # Another rate is another change.
    wrong = ask("--eta", "1/50", "--measured", str(file), code=1)
    assert {r["name"] for r in wrong if abs(r["check"]["z"]) > 5} >= {"change_rms"}


def test_get_coord_data_of_mup_has_exact_means_and_spreads():
    seeds, width = 1500, 16
    rows = load().get_coord_data([width], seeds, 0.01)
    exact = {(r["name"], r["index"][0]): float(r["decimal"]) for r in ask("--eta", "1/100", "--widths", str(width))}

    def near(values, value):
        error = statistics.stdev(values) / math.sqrt(seeds)
        assert abs(statistics.fmean(values) - value) < 5 * error + 1e-12

    for layer in 1, 2, 3:
        n = width if layer < 3 else 1
        before = [r for r in rows if (r["layer"], r["t"]) == (layer, 1)]
        after = [r for r in rows if (r["layer"], r["t"]) == (layer, 2)]
        near([r["l1"] for r in before], exact["preactivation_absolute_mean", layer])
        near([r["mean"] for r in before], 0)
        # Coordinates of one network are uncorrelated: the spread of their mean.
        near([r["mean"] ** 2 for r in before], exact["preactivation_std", layer] ** 2 / n)
        near([r["l2"] ** 2 for r in before], exact["preactivation_std", layer] ** 2)
        near([r["mean"] for r in after], exact["updated_mean", layer])
        near([r["l2"] ** 2 for r in after], exact["updated_rms", layer] ** 2)
        near([r["change_mean"] for r in after], exact["change_mean", layer])
        near([r["change_l2"] ** 2 for r in after], exact["change_rms", layer] ** 2)
        assert all(r["change_l2"] == 0 for r in before)
