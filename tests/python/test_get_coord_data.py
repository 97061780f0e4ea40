# SPDX-License-Identifier: MIT
# The statistics of get_coord_data of the package mup, as reference/get_coord_data.py has recorded them over 40,000 seeds, beside
# the exact means and spreads.
import json
import math
import os
import pathlib
import subprocess

import pytest

REFERENCE = json.loads((pathlib.Path(__file__).parent / "reference" / "get_coord_data.json").read_text())
ROWS = {(r["width"], r["layer"], r["t"], r["statistic"]): r for r in REFERENCE["rows"]}


def ask(eta):
    network = ["coord-check", "8,n:2,1", "--input-squared-norm", "8", "--parametrisation", "0:0:1,0:1/2:0,-1:0:-1"]
    run = subprocess.run([os.environ["ISSERLIS_CLI_PATH"], *network, "--widths", "4,32", "--eta", eta, "--format", "json"],
                         capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    return {(r["name"], r["index"][0], r["index"][1]): float(r["decimal"]) for r in json.loads(run.stdout)["results"]}


EXACT = ask("1/1000")
RATE = REFERENCE["eta"]


def near(row, of, value):
    assert row[of + "_error"] > 0 or row[of] == value
    assert abs(row[of] - value) < 5 * row[of + "_error"]


@pytest.mark.parametrize("width", [4, 32])
@pytest.mark.parametrize("layer", [1, 2, 3])
def test_means_and_spreads_before_the_step(width, layer):
    def exact(name):
        return EXACT[name, layer, width]

    n = width if layer < 3 else 1
    near(ROWS[width, layer, 1, "l1"], "mean", exact("preactivation_absolute_mean"))
    near(ROWS[width, layer, 1, "l1"], "spread", exact("preactivation_absolute_spread"))
    near(ROWS[width, layer, 1, "l2_squared"], "mean", exact("preactivation_std") ** 2)
    near(ROWS[width, layer, 1, "mean"], "mean", 0)
    near(ROWS[width, layer, 1, "mean"], "spread", exact("preactivation_std") / math.sqrt(n))


# A whole step of rate 1/1000 is the first order in it but for a thousandth, times what the change itself is.
@pytest.mark.parametrize("width", [4, 32])
@pytest.mark.parametrize("layer", [1, 2, 3])
def test_means_after_the_step(width, layer):
    def exact(name):
        return EXACT[name, layer, width]

    near(ROWS[width, layer, 2, "mean"], "mean", exact("updated_mean"))
    near(ROWS[width, layer, 2, "l2_squared"], "mean", exact("updated_rms") ** 2)
    change = ROWS[width, layer, "change", "mean"]
    assert abs(change["mean"] - exact("change_mean") / RATE) < 5 * change["mean_error"] + 0.02 * abs(change["mean"])
    square = ROWS[width, layer, "change", "l2_squared"]
    value = (exact("change_rms") / RATE) ** 2
    assert abs(square["mean"] - value) < 5 * square["mean_error"] + 0.02 * value
