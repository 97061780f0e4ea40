# SPDX-License-Identifier: MIT
"""Does a PyTorch module do at initialisation what its formulas say?

>>> import torch, isserlis.torch
>>> module = torch.nn.Sequential(torch.nn.Linear(8, 32, bias=False), torch.nn.ReLU(), torch.nn.Linear(32, 1, bias=False))
>>> isserlis.torch.network(module)
Network(widths=[8, 32, 1], activation='relu', head='linear')
>>> isserlis.torch.check(module, samples=200).agrees
True

Served: Sequential of Linear, ReLU, LeakyReLU and Identity, one after another, whose biases are 0.
"""
import math
import statistics
from collections import namedtuple
from dataclasses import dataclass, field

import torch
from torch import nn

from . import DomainError, UnsupportedError, init, norm, ntk
from ._arguments import scalar_text
from ._result import number_of

Row = namedtuple("Row", "name index exact mean std_error z threshold verdict")
Row.__doc__ = """A measured mean beside its exact value.

`std_error` is that of the mean, from the exact variance; `z` their distance in it; beyond `threshold` they disagree.
Where it is more than a tenth of the exact value the row is inconclusive.
"""

#: False alarms of a whole report, where all is right.
FALSE_ALARMS = 1e-7

#: Largest standard error, as a share of the exact value, with which a row can confirm it.
CONCLUSIVE = 0.1

#: E w^2k of weights of variance 1, k = 2, 3, 4.
_MOMENTS = {"gaussian": (3, 15, 105), "uniform": (9 / 5, 27 / 7, 9), "rademacher": (1, 1, 1), "laplace": (6, 90, 2520)}


@dataclass
class Network:
    """What a module is: widths, activation and head as the functions of the commands take them."""

    widths: list
    activation: str
    head: str
    layers: list = field(repr=False, default_factory=list)  #: pairs (Linear, what gates it or None)

    def keywords(self):
        return {"activation": self.activation, "head": self.head}


def _parts(module):
    if isinstance(module, nn.Sequential):
        for child in module:
            yield from _parts(child)
    elif not isinstance(module, nn.Identity):
        yield module


def _kind(gate):
    if gate is None:
        return "linear"
    return "relu" if isinstance(gate, nn.ReLU) else "leaky:" + scalar_text(float(gate.negative_slope), "module")


def _refuse(why):
    raise UnsupportedError(f"module: {why}; Sequential of Linear, ReLU, LeakyReLU and Identity is served", "module")


def network(module):
    """The network that a module is. Errors  UnsupportedError for what is not served."""
    layers = []
    for part in _parts(module):
        if type(part) is nn.Linear:
            if layers and layers[-1][0].out_features != part.in_features:
                raise DomainError(f"module: {layers[-1][0]} is followed by {part}", "module")
            if any(part is linear or part.weight is linear.weight for linear, _ in layers):
                _refuse("two layers share their weights")
            layers.append((part, None))
        elif type(part) in (nn.ReLU, nn.LeakyReLU):
            if not layers or layers[-1][1] is not None:
                _refuse(f"{part} does not follow a Linear")
            layers[-1] = (layers[-1][0], part)
        else:
            _refuse(f"{type(part).__name__} has no exact values here")
    if not layers:
        _refuse("there is no Linear")
    hidden = {_kind(gate) for _, gate in layers[:-1]}
    last = _kind(layers[-1][1])
    if len(hidden) > 1:
        _refuse("its hidden layers have several activations, " + " and ".join(sorted(hidden)))
    activation = hidden.pop() if hidden else last
    if last not in ("linear", activation):
        _refuse(f"its hidden layers are {activation}, its output is {last}")
    widths = [layers[0][0].in_features] + [linear.out_features for linear, _ in layers]
    head = "linear" if last == "linear" else "activation"
    return Network(widths, activation, head, layers)


def reset(module):
    """What `check` draws networks by unless it is told: PyTorch's own initial weights, and no biases."""
    for part in module.modules():
        if isinstance(part, nn.Linear):
            part.reset_parameters()
            if part.bias is not None:
                nn.init.zeros_(part.bias)


class Report(list):
    """Rows of a check; true where none of them disagrees."""

    @property
    def agrees(self):
        return all(row.verdict != "disagrees" for row in self)

    def __bool__(self):
        return self.agrees

    def to_frame(self):
        import pandas

        return pandas.DataFrame(list(self), columns=Row._fields)

    def __str__(self):
        out = [f"{'quantity':18} {'index':5} {'exact':>13} {'measured':>13} {'std error':>10} {'z':>8}  verdict"]
        for r in self:
            if isinstance(r.exact, str):
                out.append(f"{r.name:18} {'':5} {r.exact:>13} {r.mean:>13} {'':10} {'':8}  {r.verdict}")
            else:
                out.append(f"{r.name:18} {r.index!s:5} {r.exact:13.6g} {r.mean:13.6g} {r.std_error:10.2g} {r.z:+8.2f}  {r.verdict}")
        return "\n".join(out)


def _threshold(share, skewness, kurtosis, count):
    """Standard errors that a mean of `count` values exceeds with that probability: Cornish-Fisher to second order."""
    t = statistics.NormalDist().inv_cdf(1 - share / 2)
    s, k = abs(skewness) / math.sqrt(count), max(kurtosis - 3, 0) / count
    return t + s * (t * t - 1) / 6 + k * (t**3 - 3 * t) / 24


def _shape(values):
    """Skewness and kurtosis of samples."""
    mean = statistics.fmean(values)
    moments = [statistics.fmean((v - mean) ** p for v in values) for p in (2, 3, 4)]
    if moments[0] == 0:
        return 0.0, 3.0
    return moments[1] / moments[0] ** 1.5, moments[2] / moments[0] ** 2


class _Measure:
    """Values of the drawn networks: by layer the squared norm of what leaves it, sums of weights, the tangent kernel."""

    def __init__(self, net, x, with_kernel):
        self.net, self.x, self.with_kernel = net, x, with_kernel
        depth = len(net.layers)
        self.norms = [[] for _ in range(depth)]
        self.sums = [0.0] * depth
        self.squares = [0.0] * depth
        self.kernels = []
        self.samples = 0

    def take(self):
        self.samples += 1
        weights = [linear.weight for linear, _ in self.net.layers]
        for linear, _ in self.net.layers:
            if linear.bias is not None and bool((linear.bias != 0).any()):
                raise UnsupportedError("module: biases other than 0 have no exact values here; `initialise` may zero them",
                                       "module")
        with torch.set_grad_enabled(self.with_kernel):
            h = self.x
            for l, (linear, gate) in enumerate(self.net.layers):
                h = linear(h) if gate is None else gate(linear(h))
                self.norms[l].append(float(h.detach().double().square().sum()))
        if self.with_kernel:
            gradients = torch.autograd.grad(h[0], weights, allow_unused=True)
            self.kernels.append(sum(float(g.double().square().sum()) for g in gradients if g is not None))
        for l, w in enumerate(weights):
            w = w.detach().double()
            self.sums[l] += float(w.sum())
            self.squares[l] += float(w.square().sum())


def _draw(module, initialise, samples, seed, measure):
    before = {k: v.clone() for k, v in module.state_dict().items()}
    weights = [linear.weight for linear, _ in measure.net.layers]
    needed = [w.requires_grad for w in weights]
    try:
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            for _ in range(samples):
                with torch.no_grad():
                    initialise(module)
                for w in weights:
                    w.requires_grad_(True)
                measure.take()
    finally:
        module.load_state_dict(before)
        for w, need in zip(weights, needed):
            w.requires_grad_(need)


def check(module, quantity="norm", *, samples=1000, seed=1, initialise=None, input=None, scheme=None, variance=None,
          law=None, activation=None):
    """Draws the module again and again, and sets measured means beside exact ones.

    quantity : "norm" or "ntk"
        Squared norms of what leaves each layer, or the squared gradient of the first output by all weights; the means of
        weights and of their squares by layer in either case.
    samples, seed
        How many networks are drawn, and torch's seed for them.
    initialise
        A function that draws the module's parameters anew in place. Unless given PyTorch's own with biases of 0.
    input
        The input vector; ones unless given.
    scheme, variance, law, activation
        What the module is meant to be, as the functions of the commands take them. Unless given: the activation that
        it has; scheme "pytorch" of law "uniform" without `initialise`; with it He's of Gaussian weights.

    Returns a Report. The module and torch's random numbers are left as they were. Where all is as it is meant to be a
    report disagrees about once in 10^7; standard errors are exact, tails are by the exact skewness and kurtosis for
    Gaussian weights, else by those of the samples.
    """
    if quantity not in ("norm", "ntk"):
        raise DomainError(f"quantity: {quantity!r} is neither 'norm' nor 'ntk'", "quantity")
    if samples < 30:
        raise DomainError(f"samples = {samples}; at least 30 are required", "samples")
    net = network(module)
    if initialise is None:
        initialise = reset
        if scheme is None and variance is None:
            scheme, law = "pytorch", law or "uniform"
    law = law or "gaussian"
    if law not in _MOMENTS:
        raise DomainError(f"law: {law!r} is not a law; choose {', '.join(_MOMENTS)}", "law")
    weight = net.layers[0][0].weight
    x = torch.ones(net.widths[0]) if input is None else torch.as_tensor(input)
    if x.shape != (net.widths[0],):
        raise DomainError(f"input: a vector of {net.widths[0]} entries is required", "input")
    x = x.to(device=weight.device, dtype=weight.dtype)
    meant = dict(net.keywords(), **({"activation": activation} if activation else {}), scheme=scheme, variance=variance)
    exact = _exact_values(net, quantity, meant, law, x)  # refuses what is wrong before anything is drawn
    measure = _Measure(net, x, quantity == "ntk")
    _draw(module, initialise, samples, seed, measure)
    return _report(net, measure, exact, law, activation)


def _exact_values(net, quantity, meant, law, x):
    """(variances of weights by layer, [(name, index, mean, variance, skewness, kurtosis)])"""
    variances = init(net.widths, **meant)
    depth = len(net.layers)
    out = []
    if quantity == "ntk":
        answer = ntk(net.widths, law=law, input=x.tolist(), **meant)
        mean, variance = number_of(answer["ntk_mean"]), number_of(answer["ntk_variance"])
        out.append(("ntk", "", mean, variance, math.nan, math.nan))
    else:
        answer = norm(net.widths, law=law, input=x.tolist(), **meant)
        for l in range(1, depth + 1):
            parts = ("mean", "variance", "skewness", "kurtosis")
            out.append(("squared_norm", l, *(number_of(answer["squared_norm_" + p, l]) for p in parts)))
    return [number_of(variances["weight_variance", l]) for l in range(1, depth + 1)], out


def _report(net, measure, exact, law, activation):
    variances, quantities = exact
    share = FALSE_ALARMS / (2 * len(variances) + len(quantities))
    report = Report()
    if activation is not None and activation != net.activation:
        report.append(Row("activation", "", str(activation), net.activation, 0.0, math.inf, 0.0, "disagrees"))

    def add(name, index, value, variance, skewness, kurtosis, mean, count):
        error = math.sqrt(variance / count)
        gap = mean - value
        # Sums of doubles, and of what the module computes in its own precision.
        rounding = 1e-5 * abs(value)
        z = gap / error if error > 0 else (0.0 if abs(gap) <= rounding else math.copysign(math.inf, gap))
        threshold = _threshold(share, skewness, kurtosis, count)
        good = abs(gap) <= threshold * error + rounding
        vague = value != 0 and error > CONCLUSIVE * abs(value)
        verdict = "disagrees" if not good else "inconclusive" if vague else "agrees"
        report.append(Row(name, index, value, mean, error, z, threshold, verdict))

    fourth, sixth, eighth = _MOMENTS[law]
    spread = fourth - 1  # Var w^2 at variance 1
    skewness = (sixth - 3 * fourth + 2) / spread**1.5 if spread else 0.0
    kurtosis = (eighth - 4 * sixth + 6 * fourth - 3) / spread**2 if spread else 3.0
    for l, v in enumerate(variances):
        count = measure.samples * net.layers[l][0].weight.numel()
        add("weight_mean", l + 1, 0.0, v, 0.0, fourth, measure.sums[l] / count, count)
        add("weight_variance", l + 1, v, spread * v * v, skewness, kurtosis, measure.squares[l] / count, count)
    for name, index, mean, variance, skewness, kurtosis in quantities:
        values = measure.kernels if name == "ntk" else measure.norms[index - 1]
        if math.isnan(skewness):
            skewness, kurtosis = _shape(values)
        add(name, index, mean, variance, skewness, kurtosis, statistics.fmean(values), len(values))
    return report
