# SPDX-License-Identifier: MIT
"""Writes the CSV that `isserlis coord-check --measured` reads, of PyTorch networks before and after one step of SGD.

    python3 coord_check.py run.csv
    isserlis coord-check 8,n:2,1 --input-squared-norm 8 --eta 1/100 --parametrisation 0:0:1,0:1/2:0,-1:0:-1 --measured run.csv

The loop and the statistics l1, l2 and mean are those of get_coord_data in the package mup; so is the parametrisation, of
base width 1: MuReadout divides by the width, MuSGD multiplies the rates of the first and the last layer by it.
"""
import argparse
import csv
import math

import torch
from torch import nn


class Readout(nn.Linear):
    def forward(self, x):
        return super().forward(x / self.in_features)


def model(width, inputs=8, outputs=1):
    net = nn.Sequential(
        nn.Linear(inputs, width, bias=False), nn.ReLU(),
        nn.Linear(width, width, bias=False), nn.ReLU(),
        Readout(width, outputs, bias=False),
    ).double()
    for linear, std in zip(net[::2], [math.sqrt(2 / inputs), math.sqrt(2 / width), 1]):
        nn.init.normal_(linear.weight, std=std)
    return net


def sgd(net, width, eta):
    rates = [eta * width, eta, eta * width]
    return torch.optim.SGD([{"params": [layer.weight], "lr": rate} for layer, rate in zip(net[::2], rates)], lr=eta)


def get_coord_data(widths, seeds, eta, nsteps=2, inputs=8):
    """Rows with width, layer, seed, step t and the statistics of the coordinates; t = 1 is before the first step."""
    rows = []
    x = torch.ones(1, inputs, dtype=torch.double)  # |x|^2 = inputs
    for seed in range(seeds):
        torch.manual_seed(seed)
        for width in widths:
            net = model(width, inputs)
            target = torch.sign(torch.randn(1, 1, dtype=torch.double))  # of mean 0, E y^2 = 1
            optimiser = sgd(net, width, eta)
            first = {}
            for t in range(1, nsteps + 1):
                seen = {}
                hooks = [layer.register_forward_hook(lambda m, i, out, l=l: seen.update({l: out.detach()[0]}))
                         for l, layer in enumerate(net[::2], 1)]
                loss = (net(x) - target).square().sum() / 2
                optimiser.zero_grad()
                loss.backward()
                optimiser.step()
                for hook in hooks:
                    hook.remove()
                for l, z in seen.items():
                    change = z - first.setdefault(l, z)
                    rows.append({"width": width, "layer": l, "seed": seed, "t": t, "l1": z.abs().mean().item(),
                                 "l2": z.square().mean().sqrt().item(), "mean": z.mean().item(),
                                 "change_l2": change.square().mean().sqrt().item(), "change_mean": change.mean().item()})
    return rows


def mean_and_error(values):
    values = torch.tensor(values, dtype=torch.double)
    return values.mean().item(), (values.std() / math.sqrt(len(values))).item()


def measured(rows):
    """Means and root mean squares over seeds, with their standard errors."""
    places = sorted({(r["layer"], r["width"]) for r in rows})
    of = {"preactivation": (1, "mean", "l2"), "change": (2, "change_mean", "change_l2"), "updated": (2, "mean", "l2")}
    for layer, width in places:
        for quantity, (t, mean, l2) in of.items():
            here = [r for r in rows if (r["layer"], r["width"], r["t"]) == (layer, width, t)]
            value, error = mean_and_error([r[mean] for r in here])
            yield [layer, width, quantity, "mean", value, len(here), error]
            square, error = mean_and_error([r[l2] ** 2 for r in here])
            yield [layer, width, quantity, "rms", math.sqrt(square), len(here), error / (2 * math.sqrt(square))]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("file")
    parser.add_argument("--widths", default="16,64")
    parser.add_argument("--seeds", type=int, default=400)
    parser.add_argument("--eta", type=float, default=0.01)
    options = parser.parse_args()
    rows = get_coord_data([int(w) for w in options.widths.split(",")], options.seeds, options.eta)
    with open(options.file, "w", newline="") as out:
        writer = csv.writer(out)
        writer.writerow(["layer", "width", "quantity", "statistic", "value", "samples", "std_error"])
        writer.writerows(measured(rows))


if __name__ == "__main__":
    main()
