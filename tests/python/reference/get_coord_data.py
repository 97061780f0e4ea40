# SPDX-License-Identifier: MIT
"""Writes get_coord_data.json: what get_coord_data of the package mup records, in NumPy and without isserlis.

    python3 get_coord_data.py > get_coord_data.json

Its loop, for SGD and one sample: of each seed and width, for t = 1, 2: pass forward and record l1 = mean |z|, l2 = (mean z^2)^(1/2),
mean and std of the coordinates of each layer (FDICT), then the loss, backward, one step. The network is that of MuReadout and
MuSGD at base width 1: the output divides by the width, rates n, 1, n times eta. Over seeds: mean, spread and their errors.
"""
import json

import numpy as np

INPUTS, SEEDS, ETA, CHUNK = 8, 40000, 1e-3, 4000


def networks(rng, width, count):
    deviations = [np.sqrt(2 / INPUTS), np.sqrt(2 / width), 1.0]
    shapes = [(width, INPUTS), (width, width), (1, width)]
    return [d * rng.standard_normal((count, *s)) for d, s in zip(deviations, shapes)]


def forward(weights, x, width):
    z1 = weights[0] @ x
    h1 = np.maximum(z1, 0)
    z2 = np.einsum("kij,kj->ki", weights[1], h1)
    h2 = np.maximum(z2, 0)
    z3 = np.einsum("kij,kj->ki", weights[2], h2 / width)
    return (z1, z2, z3), (h1, h2)


def step(weights, x, y, width):
    (z1, z2, z3), (h1, h2) = forward(weights, x, width)
    g3 = z3 - y
    d2 = np.einsum("kij,ki->kj", weights[2], g3) / width * (z2 > 0)
    d1 = np.einsum("kij,ki->kj", weights[1], d2) * (z1 > 0)
    gradients = [d1[:, :, None] * x, d2[:, :, None] * h1[:, None, :], g3[:, :, None] * h2[:, None, :] / width]
    rates = [ETA * width, ETA, ETA * width]
    return [w - r * g for w, r, g in zip(weights, rates, gradients)]


def statistics(z):
    return {"l1": np.abs(z).mean(1), "l2_squared": (z**2).mean(1), "mean": z.mean(1)}


def summary(values):
    deviation = values.std(ddof=1)
    fourth = ((values - values.mean()) ** 4).mean()
    error = np.sqrt(max(fourth - deviation**4, 0) / len(values)) / (2 * deviation) if deviation > 0 else 0.0
    return {"mean": values.mean(), "mean_error": deviation / np.sqrt(len(values)), "spread": deviation, "spread_error": error}


def main():
    out = {"inputs": INPUTS, "seeds": SEEDS, "eta": ETA, "rows": []}
    x = np.ones(INPUTS)
    for width in (4, 32):
        rng = np.random.default_rng(width)
        seen = {}
        for _ in range(SEEDS // CHUNK):
            weights = networks(rng, width, CHUNK)
            y = rng.choice([-1.0, 1.0], (CHUNK, 1))
            before, _ = forward(weights, x, width)
            after, _ = forward(step(weights, x, y, width), x, width)
            for layer, (z, moved) in enumerate(zip(before, after), 1):
                for t, values in ((1, z), (2, moved), ("change", (moved - z) / ETA)):
                    for name, value in statistics(values).items():
                        seen.setdefault((layer, t, name), []).append(value)
        for (layer, t, name), chunks in seen.items():
            row = {"width": width, "layer": layer, "t": t, "statistic": name}
            out["rows"].append(row | {k: float(f"{v:.9g}") for k, v in summary(np.concatenate(chunks)).items()})
    print(json.dumps(out, indent=1))


if __name__ == "__main__":
    main()
