# SPDX-License-Identifier: MIT
"""How often isserlis.torch.check cries wolf, and how often it misses a fault: what it finds under many seeds.

    python3 false_alarms.py [SEEDS] [SAMPLES] [NAME]      1000 seeds of 100 samples unless said; most of an hour
    python3 false_alarms.py faults [SEEDS]                each fault at the usual cost; 100 seeds unless said

Right modules: exit code 1 where a report disagrees, or where more rows lie far out than the probabilities that the
thresholds are made of allow. A threshold is a quantile, so each z has a tail probability p; of N rows p N may lie
beyond, at 1e-1, .. 1e-4, up to chance (four standard deviations, and two). What is conservative there, where it can be
counted, is taken to be so at the 1e-7 of a report, where it cannot.
"""
import math
import statistics
import sys

import isserlis.torch
import torch
from isserlis import _torch_report
from test_torch_faults import FAULTS, he, modules

QUANTITIES = ("norm", "ntk", "z[i]^2", "z[1;m]^2", "(z[1]^2 - 1/2)^2")
LEVELS = (1e-1, 1e-2, 1e-3, 1e-4)


def tail(z, skewness, kurtosis, count):
    """The share at which |z| is the threshold."""
    low, high = 1e-15, 1.0
    for _ in range(60):
        middle = math.sqrt(low * high)
        if _torch_report.threshold(middle, skewness, kurtosis, count) > abs(z):
            low = middle
        else:
            high = middle
    return high


class Recorded(_torch_report.Report):
    """Keeps the tail probability of each row of chance."""

    tails = []

    def add(self, share, name, index, value, variance, skewness, kurtosis, mean, count):
        super().add(share, name, index, value, variance, skewness, kurtosis, mean, count)
        Recorded.tails.append(tail(self[-1].z, skewness, kurtosis, count))


isserlis.torch.Report = Recorded  # what `check` makes


def measured(name, make, quantity, seeds, samples):
    """Whether no report disagrees, and no more rows lie far out than may."""
    Recorded.tails, rows, nearest, alarms = [], {}, 0.0, 0
    for seed in range(seeds):
        report = isserlis.torch.check(make(), quantity, samples=samples, initialise=he, seed=seed)
        alarms += not report.agrees
        for r in report:
            if r.threshold:
                rows.setdefault((r.name, r.index), []).append(r.z)
                nearest = max(nearest, abs(r.z) / r.threshold)
    count = len(Recorded.tails)
    assert count == sum(map(len, rows.values())), "rows of chance that were not recorded"
    beyond = {level: sum(p < level for p in Recorded.tails) for level in LEVELS}
    heavy = any(n > level * count + 4 * math.sqrt(level * count) + 2 for level, n in beyond.items())
    print(f"{name}, {quantity}: {alarms} of {seeds} disagree; largest |z| over threshold {nearest:.2f}; " +
          ", ".join(f"{n} of {level * count:g} beyond {level:g}" for level, n in beyond.items()) +
          (" TOO MANY" if heavy else ""), flush=True)
    for key in (k for k in rows if k[0] in ("squared_norm", "ntk", "expression")):
        zs = rows[key]
        print(f"    {key[0]:13} {key[1]!s:10} mean {statistics.fmean(zs):+.3f}  deviation {statistics.pstdev(zs):.3f}  "
              f"least {min(zs):+.2f}  largest {max(zs):+.2f}", flush=True)
    return not alarms and not heavy


def faults(seeds="100"):
    missed = 0
    for name, fault in FAULTS.items():
        found = sum(not fault(seed).agrees for seed in range(int(seeds)))
        missed += int(seeds) - found
        print(f"{name}: found under {found} of {seeds} seeds", flush=True)
    return 1 if missed else 0


def right_code(seeds="1000", samples="100", only=""):
    good = [measured(name, make, quantity, int(seeds), int(samples)) for name, make in modules().items()
            if only in ("", name) for quantity in QUANTITIES]
    return 0 if all(good) else 1


if __name__ == "__main__":
    torch.set_num_threads(1)
    sys.exit(faults(*sys.argv[2:]) if sys.argv[1:2] == ["faults"] else right_code(*sys.argv[1:]))
