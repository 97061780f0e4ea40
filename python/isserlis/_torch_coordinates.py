# SPDX-License-Identifier: MIT
"""Coordinate checks: what one step of training changes, by width, as `isserlis.coord_check(measured=..)` reads it."""
import math

import torch

from . import DomainError
from ._torch_reading import network

COLUMNS = ("layer", "width", "quantity", "statistic", "value", "samples", "std_error")


def _one(module, x, optimiser):
    """{layer: (coordinates before the step, after it)} of what each Linear returns."""
    linears = [t.linear for t in network(module).linears]

    def seen():
        out = {}
        hooks = [linear.register_forward_hook(lambda m, given, got, l=l: out.update({l: got.detach()[0].double()}))
                 for l, linear in enumerate(linears, 1)]
        try:
            result = module(x)
        finally:
            for hook in hooks:
                hook.remove()
        return out, result

    before, result = seen()
    target = torch.sign(torch.randn(result.shape, dtype=torch.double)).to(result)  # of mean 0
    target = target / math.sqrt(result.numel())  # E|y|^2 = 1
    loss = (result - target).square().sum() / 2
    optimiser.zero_grad()
    loss.backward()
    optimiser.step()
    after, _ = seen()
    return {l: (before[l], after[l]) for l in before}


def _mean_and_error(values):
    values = torch.tensor(values, dtype=torch.double)
    return values.mean().item(), (values.std() / math.sqrt(len(values))).item()


def measure(module_factory, widths, *, samples=200, seed=1, eta=0.01, optimiser=None, input=None):
    """Networks before and after one step of gradient descent, by width, for isserlis.coord_check(measured=..).

    module_factory : callable
        Makes a module of that width, drawn anew at each call: module_factory(64).
    widths
        At least one.
    samples, seed
        How many networks of each width, and torch's seed.
    eta, optimiser
        The rate of torch.optim.SGD, or a function of (module, width) that returns an optimiser.
    input
        The input vector; ones unless given.

    The loss is half the squared distance to a target of random signs with E|y|^2 = 1. Rows are the mean and the root
    mean square of the coordinates that each Linear returns, before the step (preactivation), after it (updated), and of
    their change. Returns a dictionary of columns. Torch's random numbers are left as they were.

    >>> import torch, isserlis.torch
    >>> def factory(n):
    ...     module = torch.nn.Sequential(torch.nn.Linear(4, n, bias=False), torch.nn.ReLU(), torch.nn.Linear(n, 1, bias=False))
    ...     for linear in (module[0], module[2]):
    ...         torch.nn.init.kaiming_normal_(linear.weight)
    ...     return module
    >>> run = isserlis.torch.measure(factory, [8, 16], samples=100)
    >>> isserlis.coord_check("4,n,1", measured=run, input_squared_norm=4, scheme="he", eta="1/100").agrees
    True
    """
    if samples < 2:
        raise DomainError(f"samples = {samples}; at least 2 are required", "samples")
    rows = []
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        for width in widths:
            found = {}
            for _ in range(samples):
                module = module_factory(width)
                weight = next(module.parameters())
                if input is None:
                    x = torch.ones(network(module).nodes[0].width)
                else:
                    x = torch.as_tensor(input)
                step = optimiser(module, width) if optimiser else torch.optim.SGD(module.parameters(), lr=eta)
                for layer, pair in _one(module, x.to(weight).reshape(1, -1), step).items():
                    found.setdefault(layer, []).append(pair)
            for layer, pairs in found.items():
                for name, pick in (("preactivation", lambda b, a: b), ("change", lambda b, a: a - b),
                                   ("updated", lambda b, a: a)):
                    rows += _rows_of(layer, width, name, [pick(b, a) for b, a in pairs])
    return {name: [row[c] for row in rows] for c, name in enumerate(COLUMNS)}


def _rows_of(layer, width, name, vectors):
    value, error = _mean_and_error([v.mean().item() for v in vectors])
    square, of_square = _mean_and_error([v.square().mean().item() for v in vectors])
    root = math.sqrt(square)
    rows = [(layer, width, name, "mean", value, len(vectors), error)]
    if root > 0:
        rows.append((layer, width, name, "rms", root, len(vectors), of_square / (2 * root)))
    return rows
