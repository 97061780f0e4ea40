# SPDX-License-Identifier: MIT
"""How often isserlis.torch.check cries wolf: right modules under many seeds; exit code 1 where one report disagrees.

    python3 false_alarms.py [SEEDS] [SAMPLES] [chain|residual]      1000 seeds of 100 samples unless said; minutes
"""
import statistics
import sys

import isserlis.torch
import torch
from torch import nn


def he(module):
    for linear in (p for p in module.modules() if isinstance(p, nn.Linear)):
        nn.init.kaiming_normal_(linear.weight)
        nn.init.zeros_(linear.bias)


def chain():
    return nn.Sequential(nn.Linear(10, 32), nn.ReLU(), nn.Linear(32, 32), nn.ReLU(), nn.Linear(32, 4))


def residual():
    def branch():
        return nn.Sequential(nn.Linear(16, 16), nn.ReLU(), nn.Linear(16, 16))

    return nn.Sequential(nn.Linear(6, 16), isserlis.torch.Residual(branch(), 0.5), isserlis.torch.Residual(branch(), 0.5),
                         nn.Linear(16, 3))


def main(seeds="1000", samples="100", which=""):
    torch.set_num_threads(1)
    alarms = 0
    for make in (chain, residual):
        if which not in ("", make.__name__):
            continue
        rows, nearest = {}, 0.0
        for seed in range(int(seeds)):
            report = isserlis.torch.check(make(), samples=int(samples), initialise=he, seed=seed)
            alarms += not report.agrees
            for r in report[1:]:
                rows.setdefault((r.name, r.index), []).append(r.z)
                nearest = max(nearest, abs(r.z) / r.threshold)
        print(f"{make.__name__}: largest |z| over threshold {nearest:.2f}")
        for key, zs in rows.items():
            print(f"  {key[0]:16} {key[1]!s:18} mean {statistics.fmean(zs):+.3f}  deviation {statistics.pstdev(zs):.3f}")
    print(f"{alarms} false alarms")
    return 1 if alarms else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
