# SPDX-License-Identifier: MIT
"""T4 over NumPy: the loss after one step for 40 rates, as ../gradient_step_bench.cpp has it, by products of all networks
of a chunk at once; and what as many nominal operations cost as dgemm alone, of the same shapes and of large
matrices. The check value is the number of networks, and stands for mean losses within 6 standard errors of the expected
ones, or for products that are right. In float too. With --blas: the library that NumPy's products come from, its
kernel, and how fast it is."""
import ctypes
import sys
import time

import numpy as np
from measure import measure

NETWORKS, CHUNK, SAMPLES, RATES = 1000, 100, 64, np.linspace(0, 0.1, 40)
WIDTHS = {"3x10": [2, 10, 10, 10, 1], "5x20": [2, 20, 20, 20, 20, 1]}
# The mean loss before the step, sqrt(d_n/d_0) |x|^2 + mean y^2 by hand, and after a step of the third rate, with its
# standard error, from 40000 and 12000 networks of this script.
AT_REST = 0.5**0.5 * (2 - 1 / 4096) + 0.5
STEPPED = {"3x10": (1.1953, 0.0041), "5x20": (0.8609, 0.0087)}
ANGLES = 2 * np.pi * (np.arange(SAMPLES) + 0.5) / SAMPLES
INPUTS = np.stack([np.sqrt(3) / np.pi * (ANGLES - np.pi), np.ones(SAMPLES)])
TARGETS = np.cos(ANGLES)[None]


def draw(rng, widths, count, dtype):
    """[P, -N] with P = N."""
    layers = []
    for a, b in zip(widths, widths[1:]):
        p = (rng.standard_normal((count, b, a), dtype=dtype) * (a * b) ** -0.25).astype(dtype, copy=False)
        layers.append(np.concatenate([p, -p], axis=2))
    return layers


def crelu(x):
    d = x.shape[-2]
    z = np.empty(x.shape[:-2] + (2 * d, x.shape[-1]), x.dtype)
    np.maximum(x, 0, out=z[..., :d, :])
    np.maximum(-x, 0, out=z[..., d:, :])
    return z


def losses_of(weights):
    """A row a network, a column a rate."""
    dtype = weights[0].dtype
    targets = TARGETS.astype(dtype)
    features, outputs = [], [INPUTS.astype(dtype)]
    for w in weights:
        features.append(crelu(outputs[-1]))
        outputs.append(w @ features[-1])
    gradient = 2 * (outputs[-1] - targets) / SAMPLES
    updates = [None] * len(weights)
    for q in range(len(weights) - 1, -1, -1):
        updates[q] = gradient @ np.swapaxes(features[q], -1, -2)
        if q > 0:
            back = np.swapaxes(weights[q], -1, -2) @ gradient
            d = outputs[q].shape[-2]
            gradient = np.where(outputs[q] > 0, back[:, :d], -back[:, d:])
    losses = np.empty((len(weights[0]), len(RATES)))
    for t, rate in enumerate(RATES.astype(dtype)):
        x = outputs[0]
        for w, dw in zip(weights, updates):
            x = (w - rate * dw) @ crelu(x)
        losses[:, t] = ((x - targets) ** 2).mean((1, 2))
    return losses


def one_step(rng, widths, dtype, networks=NETWORKS):
    return np.concatenate([losses_of(draw(rng, widths, CHUNK, dtype)) for _ in range(networks // CHUNK)])


def checked(case):
    def check(losses):
        errors = losses.std(axis=0) / len(losses) ** 0.5
        for rate, (mean, error) in ((0, (AT_REST, 0)), (2, STEPPED[case])):
            if abs(losses[:, rate].mean() - mean) > 6 * np.hypot(errors[rate], error):
                sys.exit(f"{case}: mean {losses[:, rate].mean()} with error {errors[rate]} at rate {rate}, not {mean}")
        return NETWORKS

    return check


def shapes(widths):
    """Rows and columns of the weights."""
    return [(b, 2 * a) for a, b in zip(widths, widths[1:])]


def measure_products(rng, test, case, widths, dtype):
    name = "dgemm" if dtype == np.float64 else "sgemm"
    passes = len(RATES) + 3  # one a rate; one forward and the work of two back for the gradient
    normal = lambda *shape: rng.standard_normal(shape, dtype=dtype)
    pairs = [(normal(CHUNK, b, a), normal(CHUNK, a, SAMPLES)) for b, a in shapes(widths)]
    products = [np.empty((CHUNK, b, SAMPLES), dtype) for b, _ in shapes(widths)]
    tolerance = 1e-4 if dtype == np.float32 else 1e-8

    def same_shapes():
        for _ in range(NETWORKS // CHUNK * passes):
            for (w, x), out in zip(pairs, products):
                np.matmul(w, x, out=out)

    def right_products(_):
        for (w, x), out in zip(pairs, products):
            if not np.allclose(out[0], np.einsum("ij,jk->ik", w[0], x[0]), atol=tolerance):
                sys.exit("NumPy's products are wrong")
        return NETWORKS

    measure(test, case, f"{name}, same shapes", same_shapes, right_products)

    size = 512
    operations = NETWORKS * passes * sum(2 * b * a * SAMPLES for b, a in shapes(widths))
    repeats = round(operations / (2 * size**3))
    columns = round(operations / (2 * size**2 * repeats))  # about 512
    left, right = normal(size, size), normal(size, columns)
    product = np.empty((size, columns), dtype)

    def large():
        for _ in range(repeats):
            np.matmul(left, right, out=product)

    def right_product(_):
        if not np.allclose(product[0], np.einsum("j,jk->k", left[0], right), atol=tolerance):
            sys.exit("NumPy's products are wrong")
        return NETWORKS

    measure(test, case, f"{name}, large", large, right_product)


def kernel(library):
    """OpenBLAS chooses one for the processor, and not always the widest."""
    try:
        name = ctypes.CDLL(library).openblas_get_corename
        name.restype = ctypes.c_char_p
        return ", kernel " + name().decode()
    except (OSError, AttributeError):
        return ""


def speed(dtype, size=512):
    """Gflop/s, the best of some products."""
    left = np.random.default_rng(1).standard_normal((size, size), dtype=dtype)
    best = float("inf")
    for _ in range(30):
        begin = time.process_time()
        left @ left
        best = min(best, time.process_time() - begin)
    return 2 * size**3 / best / 1e9


def blas():
    try:
        with open("/proc/self/maps") as maps:
            files = {line.split(maxsplit=5)[5].strip() for line in maps if len(line.split(maxsplit=5)) == 6}
    except OSError:
        files = set()
    found = sorted(f for f in files if any(name in f.rsplit("/", 1)[-1] for name in ("blas", "mkl_core", "Accelerate")))
    library = ", ".join(f + kernel(f) for f in found) or "unknown"
    return f"{library}: {speed(np.float64):.0f} Gflop/s in double, {speed(np.float32):.0f} in float"


def main():
    if sys.argv[1:] == ["--blas"]:
        print(blas())
        return
    rng = np.random.default_rng(5)
    for test, dtype in (("T4 1000 networks", np.float64), ("T4 in float", np.float32)):
        for case, widths in WIDTHS.items():
            measure(test, case, "NumPy", lambda: one_step(rng, widths, dtype), checked(case))
            measure_products(rng, test, case, widths, dtype)


if __name__ == "__main__":
    main()
