# SPDX-License-Identifier: MIT
"""T7 over PyTorch: the sampled checks of ../sampling_bench.cpp at real sizes by the same algorithms, sums over weights as
products of norms and one pass back for all outputs, in double on one thread. The check value is the number of networks,
and stands for means within 6 standard errors of E |z|^2 and of the mean kernel, and for slopes that are minus the square
of the gradient."""
import math
import sys

import torch
from measure import measure

INPUTS, WIDTH, HIDDEN, OUTPUTS, BLOCKS, NETWORKS, SAMPLES = 784, 512, 5, 10, 29, 4, 16
CHAIN = [INPUTS] + HIDDEN * [WIDTH] + [OUTPUTS]
X = torch.full((INPUTS,), 1 / 28, dtype=torch.float64)


def draw(rows, cols, variance):
    return torch.randn(rows, cols, dtype=torch.float64).mul_(math.sqrt(variance))


def chain():
    return [draw(b, a, 2 / a) for a, b in zip(CHAIN, CHAIN[1:])]


def forward(weights, x):
    """Features below each matrix, gates above each but the last, outputs."""
    features, gates = [x], []
    for w in weights[:-1]:
        z = w @ features[-1]
        gates.append((z > 0).to(torch.float64))
        features.append(z.clamp(min=0))
    return features, gates, weights[-1] @ features[-1]


def backward(weights, gates):
    """The derivatives of the outputs by every pre-activation."""
    rows = [torch.eye(OUTPUTS, dtype=torch.float64)]
    for w, gate in zip(reversed(weights[1:]), reversed(gates)):
        rows.append((rows[-1] @ w) * gate)
    return rows[::-1]


def norms():
    for _ in range(NETWORKS):
        features, _, z = forward(chain(), X)
        values = [(f * f).sum() for f in features] + [(z * z).sum()]
    return values


def kernel_of(rows, features):
    return sum((r @ r.T) * (f @ f) for r, f in zip(rows, features))


def ntk():
    for _ in range(NETWORKS):
        weights = chain()
        features, gates, _ = forward(weights, X)
        k = kernel_of(backward(weights, gates), features)
    return k.trace(), (k * k).sum(), k.trace() ** 2, k[0, 0]


def jacobians():
    for _ in range(NETWORKS):
        weights = chain()
        features, gates, _ = forward(weights, X)
        values = [(r * r).sum() * (f @ f) for r, f in zip(backward(weights, gates), features)]
    return values


def hessians():
    """The parts by block norms, with the maps from above each matrix to below each later one, over open gates."""
    for _ in range(NETWORKS):
        weights = chain()
        features, gates, z = forward(weights, X)
        rows = backward(weights, gates)
        norms = [f @ f for f in features]
        is_open = [g.nonzero().squeeze(1) for g in gates]
        kernel = kernel_of(rows, features)
        functional = cross = target = 0
        for a in range(len(gates)):
            through = None
            for b in range(a + 1, len(weights)):
                if through is None:
                    through = torch.eye(len(is_open[a]), dtype=torch.float64)
                else:
                    open_rows = weights[b - 1][is_open[b - 1]][:, is_open[b - 2]]
                    through = open_rows if b == a + 2 else open_rows @ through
                square = norms[a] * (through * through).sum()
                along = z @ rows[b]
                functional = functional + 2 * square * (along @ along)
                target = target + 2 * square * (rows[b] * rows[b]).sum()
                below = rows[a][:, is_open[a]] @ (through.T @ features[b][is_open[b - 1]])
                cross = cross + 2 * norms[a] * ((rows[b] @ along) @ below)
    return (kernel * kernel).sum(), functional, cross, target


def mup():
    for _ in range(NETWORKS):
        weights = chain()
        features, gates, z = forward(weights, X)
        rows = backward(weights, gates)
        values, below = [], None
        for w, r, f, gate in zip(weights[:-1], rows, features, gates):
            moves = r.T * (f @ f)  # of this layer along the gradient of each output
            if below is not None:
                moves = moves + w @ below
            values += [((moves @ z) ** 2).sum(), (moves**2).sum()]
            below = gate[:, None] * moves
    return values


def loss_curves():
    samples = (torch.arange(1, SAMPLES + 1, dtype=torch.float64) / 100).expand(INPUTS, SAMPLES)
    targets = torch.arange(SAMPLES, dtype=torch.float64).expand(OUTPUTS, SAMPLES)
    for _ in range(NETWORKS):
        weights = chain()
        features, gates, z = forward(weights, samples)
        by_z = 2 * (z - targets)
        delta, updates = by_z / SAMPLES, []
        for q in range(len(weights) - 1, -1, -1):
            updates.append(delta @ features[q].T)
            if q > 0:
                delta = (weights[q].T @ delta) * gates[q - 1]
        updates.reverse()
        first = second = None
        for q, (w, d) in enumerate(zip(weights, updates)):
            moved, bent = -(d @ features[q]), 0
            if first is not None:
                bent = w @ second - 2 * (d @ first)
                moved = moved + w @ first
            if q < len(gates):
                moved, bent = moved * gates[q], bent * gates[q]
            first, second = moved, bent if isinstance(bent, torch.Tensor) else torch.zeros_like(moved)
        slope = (by_z * first).sum() / SAMPLES
        curvature = ((by_z * second).sum() + 2 * (first * first).sum()) / SAMPLES
    return slope, curvature, -sum((d * d).sum() for d in updates)


def residual_forward():
    """Both plain matrices, and of each branch its matrices and gates; features below each matrix, outputs."""
    into, out = draw(WIDTH, INPUTS, 1 / INPUTS), draw(OUTPUTS, WIDTH, 1 / WIDTH)
    y, branches, features = into @ X, [], [X]
    for _ in range(BLOCKS):
        first, last = draw(WIDTH, WIDTH, 2 / WIDTH), draw(WIDTH, WIDTH, 1 / (WIDTH * BLOCKS))
        z = first @ y
        features += [y, z.clamp(min=0)]
        branches.append((first, last, (z > 0).to(torch.float64)))
        y = y + last @ features[-1]
    features.append(y)
    return into, out, branches, features, out @ y


def residual_backward(out, branches):
    """Derivatives of the outputs above each matrix."""
    rows, at = [torch.eye(OUTPUTS, dtype=torch.float64)], out
    for first, last, gate in reversed(branches):
        inside = (at @ last) * gate
        rows += [at, inside]
        at = at + inside @ first
    rows.append(at)
    return rows[::-1]


def residual_passes():
    """Derivatives above each matrix and features below it."""
    _, out, branches, features, _ = residual_forward()
    return residual_backward(out, branches), features


def residual_tangents(rows, branches, features):
    """How the features below each matrix but the first move along the gradients of these rows."""
    y = rows[0].T * (features[0] @ features[0])
    moved = [y]
    for k, (first, last, gate) in enumerate(branches):
        inside = gate[:, None] * (first @ y + rows[2 * k + 1].T * (features[2 * k + 1] @ features[2 * k + 1]))
        y = y + last @ inside + rows[2 * k + 2].T * (features[2 * k + 2] @ features[2 * k + 2])
        moved += [inside, y]
    return moved


def residual_norms():
    for _ in range(NETWORKS):
        *_, features, z = residual_forward()
        values = [(f * f).sum() for f in features[3::2]]
    return values


def residual_mup():
    for _ in range(NETWORKS):
        _, out, branches, features, z = residual_forward()
        moved = residual_tangents(residual_backward(out, branches), branches, features)
        values = [value for y in moved[2::2] for value in (((y @ z) ** 2).sum(), (y**2).sum())]
    return values


def residual_hessians():
    """The parts by block norms; maps between all layers are summed as covariances that go up through the blocks, over
    open gates."""
    for _ in range(NETWORKS):
        _, out, branches, features, z = residual_forward()
        rows = residual_backward(out, branches)
        norms = [f @ f for f in features]
        moved = residual_tangents(rows, branches, features)
        maps, y = [], norms[0] * torch.eye(WIDTH, dtype=torch.float64)
        for k, (first, last, gate) in enumerate(branches):
            is_open = gate.nonzero().squeeze(1)
            first, last = first[is_open], last[:, is_open]
            maps.append(y.trace())
            with_y = first @ y
            inside = with_y @ first.T
            inside.diagonal().add_(norms[2 * k + 1])
            maps.append(inside.trace())
            step = last @ with_y
            y = y + step.T + step + (last @ inside) @ last.T
            y.diagonal().add_(norms[2 * k + 2])
        maps.append(y.trace())
        kernel = kernel_of(rows, features)
        functional = cross = target = 0
        for above, m, feature, move in zip(rows[1:], maps, features[1:], moved):
            along = z @ above
            functional = functional + 2 * m * (along @ along)
            target = target + 2 * m * (above * above).sum()
            cross = cross + 2 * ((above @ along) * (feature @ move)).sum()
    return (kernel * kernel).sum(), functional, cross, target


def residual_curves():
    """Slope and curvature of the loss |z|^2/2 along its gradient: one pass back and one along."""
    for _ in range(NETWORKS):
        _, out, branches, features, z = residual_forward()
        rows = [z @ out]
        for first, last, gate in reversed(branches):
            inside = (rows[-1] @ last) * gate
            rows += [inside, rows[-1] + inside @ first]
        rows = [z] + rows
        rows = [row[None, :] for row in reversed(rows)]
        moved = residual_tangents(rows, branches, features)
        norms = [f @ f for f in features]
        slope = sum((r * r).sum() * n for r, n in zip(rows, norms))
        output = (out @ moved[-1] + rows[-1].T * norms[-1]).squeeze(1)
        bent = 2 * sum((r * r).sum() * (f @ m).sum() for r, f, m in zip(rows[1:], features[1:], moved))
    return slope, output @ output + bent


def residual_ntk():
    for _ in range(NETWORKS):
        k = kernel_of(*residual_passes())
    return k.trace(), (k * k).sum(), k.trace() ** 2, k[0, 0]


def residual_jacobians():
    for _ in range(NETWORKS):
        values = [(r * r).sum() * (f @ f) for r, f in zip(*residual_passes())]
    return values


def check_definitions():
    squares, kernels = [], []
    for _ in range(40):
        weights = chain()
        features, gates, z = forward(weights, X)
        squares.append((z * z).sum().item() / OUTPUTS)
        kernels.append(kernel_of(backward(weights, gates), features).trace().item() / OUTPUTS)
    # |x|^2 = 1. E z_i^2 is 2/INPUTS, a gate's 1/2 against a variance of 2/fan_in; the derivatives by one matrix square to
    # that over its variance.
    by_hand = {"E z^2": (squares, 2 / INPUTS), "E K_ii": (kernels, 1 + HIDDEN * WIDTH / INPUTS)}
    for name, (values, expected) in by_hand.items():
        mean = sum(values) / len(values)
        error = sum((v - mean) ** 2 for v in values) ** 0.5 / len(values)
        if abs(mean - expected) > 6 * error:
            sys.exit(f"{name} is {mean} with error {error}, not {expected}")
    slope, _, square = loss_curves()
    if abs(slope / square - 1) > 1e-9:
        sys.exit(f"slope {slope}, not {square}")


def main():
    torch.set_num_threads(1)
    torch.set_grad_enabled(False)
    check_definitions()
    case = "784,512:5,10"
    for name, call in (
        ("norm", norms),
        ("ntk", ntk),
        ("jacobian", jacobians),
        ("hessian", hessians),
        ("mup", mup),
        ("loss-curve", loss_curves),
    ):
        measure(f"T7 {name}", case, "PyTorch", call, lambda _: NETWORKS)
    case = "512:30 residual"
    for name, call in (
        ("norm", residual_norms),
        ("ntk", residual_ntk),
        ("jacobian", residual_jacobians),
        ("hessian", residual_hessians),
        ("mup", residual_mup),
        ("loss-curve", residual_curves),
    ):
        measure(f"T7 {name}", case, "PyTorch", call, lambda _: NETWORKS)


if __name__ == "__main__":
    main()
