# SPDX-License-Identifier: MIT
"""Does a PyTorch module do at initialisation what its formulas say?

>>> import torch, isserlis.torch
>>> module = torch.nn.Sequential(torch.nn.Linear(8, 32, bias=False), torch.nn.ReLU(), torch.nn.Linear(32, 1, bias=False))
>>> isserlis.torch.network(module)
Network(widths=[8, 32, 1], activation='relu', head='linear')
>>> isserlis.torch.check(module, samples=200).agrees
True

Served: what the `forward` of a module makes of Linear, ReLU, LeakyReLU, sums, factors and concatenation; biases 0, or
random ones of a `bias_variance`.
"""
import math

import torch
from torch import nn

from . import DomainError, UnsupportedError, _torch_expression, expect, init, norm, ntk
from ._result import number_of
from ._torch_coordinates import measure
from ._torch_draw import Measure, draw
from ._torch_network import Network, Residual, refuse
from ._torch_reading import network
from ._torch_report import CONCLUSIVE, FALSE_ALARMS, MOMENTS, Report, Row, shape, shape_of_square

__all__ = ["CONCLUSIVE", "FALSE_ALARMS", "Network", "Report", "Residual", "Row", "assert_initialisation", "check",
           "measure", "network", "reset"]

for _public in (Network, Report, Residual, Row, measure, network):
    _public.__module__ = "isserlis.torch"


def reset(module, biases=False):
    """What `check` draws networks by unless it is told: PyTorch's own initial weights, and its biases or none."""
    for part in module.modules():
        if isinstance(part, nn.Linear):
            part.reset_parameters()
            if part.bias is not None and not biases:
                nn.init.zeros_(part.bias)


def _reset_with_biases(module):
    reset(module, biases=True)


def check(module, quantity="norm", *, samples=1000, seed=1, initialise=None, input=None, scheme=None, variance=None,
          law=None, activation=None, residual_scale=None, bias_variance=None, bias_law=None):
    """Draws the module again and again, and sets measured means beside exact ones.

    quantity : "norm", "ntk" or an expression
        Squared norms of what leaves each layer; the squared gradient of the first output by all weights; or a polynomial
        in outputs and their first derivatives, as `isserlis.expect` takes it. The wiring, and the means of weights and
        of their squares by layer, in each case.
    samples, seed
        How many networks are drawn, and torch's seed for them.
    initialise
        A function that draws the module's parameters anew in place. Unless given PyTorch's own, with biases of 0 unless
        `bias_variance` is given.
    input
        The input vector; ones unless given.
    scheme, variance, law, activation
        What the module is meant to be, as the functions of the commands take them. Unless given: the activation that
        it has; scheme "pytorch" of law "uniform" without `initialise`; with it He's of Gaussian weights.
    residual_scale
        What is meant to multiply that which is added to a skip. Unless given: what the module has.
    bias_variance, bias_law
        Variances of the entries of biases, one for all layers or one for each, in which fan_in is a word: PyTorch's are
        "1/(3*fan_in)" of law "uniform". Unless given biases are 0. Gradients are by the weights, in any case.

    Returns a Report. The module and torch's random numbers are left as they were. Where all is as it is meant to be a
    report disagrees about once in 10^7; standard errors are exact, tails are by the exact skewness and kurtosis for
    Gaussian weights, else by those of the samples.
    """
    expression = None
    if quantity not in ("norm", "ntk"):
        if isinstance(quantity, str) and quantity.isidentifier() and quantity not in ("z", "h"):
            raise DomainError(f"quantity: {quantity!r} is neither 'norm', 'ntk' nor an expression in z and h", "quantity")
        expression = _torch_expression.read(quantity)
    if samples < 30:
        raise DomainError(f"samples = {samples}; at least 30 are required", "samples")
    found = network(module)
    net = found.meant(activation, residual_scale)
    if initialise is None:
        initialise = reset if bias_variance is None else _reset_with_biases
        if scheme is None and variance is None:
            scheme, law = "pytorch", law or "uniform"
    law = law or "gaussian"
    if law not in MOMENTS:
        raise DomainError(f"law: {law!r} is not a law; choose {', '.join(MOMENTS)}", "law")
    weight = net.linears[0].linear.weight
    x = torch.ones(net.nodes[0].width) if input is None else torch.as_tensor(input)
    if x.shape != (net.nodes[0].width,):
        raise DomainError(f"input: a vector of {net.nodes[0].width} entries is required", "input")
    x = x.to(device=weight.device, dtype=weight.dtype)
    if bias_law is not None and bias_variance is None:
        raise DomainError("bias_law: it means nothing without `bias_variance`", "bias_law")
    if (bias_law or "gaussian") not in MOMENTS:
        raise DomainError(f"bias_law: {bias_law!r} is not a law; choose {', '.join(MOMENTS)}", "bias_law")
    biases = _bias_variances(net, bias_variance)
    variances, quantities = _exact_values(net, quantity, law, x.tolist(), scheme, variance, biases,
                                          bias_law)  # refuses before the draws
    measured = Measure(module, net, x, quantity == "ntk", expression,
                       expression is not None and _torch_expression.needs_gradients(expression), biases is not None)
    draw(module, initialise, samples, seed, measured)
    return _report(found, net, measured, law, variances, quantities, biases, bias_law or "gaussian")


def assert_initialisation(module, quantity="norm", *, detects=0.05, **keywords):
    """For tests: raises AssertionError, with the report, where the module is not initialised as it is meant to be.

    detects : float
        The power: the relative deviation of the variance of any one layer that is found with a probability of 99 %. As
        many networks are drawn as that takes, at least 30.

    Further keywords are those of `check`; with right code it fails once in 10^7 times. Returns the report.
    """
    if not 0 < detects <= 1:
        raise DomainError(f"detects = {detects}; a share above 0, up to 1, is required", "detects")
    if "samples" in keywords:
        raise TypeError("assert_initialisation() draws as many samples as `detects` takes")
    # The threshold of a mean falls with the samples: 1.3 leaves room for its skewness, and the rows are looked at after.
    spread = max(shape_of_square(law)[0] for law in MOMENTS if law in (keywords.get("law") or "gaussian", "uniform"))
    least = min(t.linear.weight.numel() for t in network(module).linears)
    samples = max(30, math.ceil(spread * (1.3 * 8 / detects) ** 2 / least))
    report = check(module, quantity, samples=samples, **keywords)
    missing = [r for r in report if r.name == "weight_variance" and r.detects > detects]
    if not report or missing:
        raise AssertionError(f"{'not initialised as meant' if not report else 'of less power than asked for'}\n{report}")
    return report


def _variances(net, meant):
    """Variances of the entries of each Linear, as the program says them: text."""
    if net.is_chain:
        answer = init(net.widths, **net.keywords(), **meant)
        return [answer["weight_variance", l].text for l in range(1, len(net.linears) + 1)]
    slopes = {n.activation for n in net.nodes if n.slope != 1} or {"linear"}
    if len(slopes) > 1 and meant["variance"] is None:
        raise UnsupportedError(f"module: gates of several kinds, {' and '.join(sorted(slopes))}; `variance` has to say which "
                               "variances are meant, such as '2/fan_in'", "module")
    several = meant["variance"] if isinstance(meant["variance"], (list, tuple)) else None
    if several is not None and len(several) != len(net.linears):
        raise DomainError(f"variance: {len(several)} values for {len(net.linears)} Linear", "variance")
    out = []
    for l, t in enumerate(net.linears):
        one = meant if several is None else {**meant, "variance": several[l]}
        answer = init([t.linear.in_features, t.linear.out_features], activation=slopes.copy().pop(), **one)
        out.append(answer["weight_variance", 1].text)
    return out


def _bias_variances(net, meant):
    """Variances of the biases of each Linear: text, "0" where it has none; None where biases are meant to be 0."""
    if meant is None:
        return None
    several = list(meant) if isinstance(meant, (list, tuple)) else [meant] * len(net.linears)
    if len(several) != len(net.linears):
        raise DomainError(f"bias_variance: {len(several)} values for {len(net.linears)} Linear", "bias_variance")
    out = []
    for t, v in zip(net.linears, several):
        if t.linear.bias is None or v == 0 or str(v) == "0":
            out.append("0")
            continue
        answer = init([t.linear.in_features, t.linear.out_features], activation="linear", variance=v)
        out.append(answer["weight_variance", 1].text)
    return out


def _exact_values(net, quantity, law, x, scheme, variance, biases, bias_law):
    """(variances of weights by layer, [(name, index, node, mean, variance, skewness, kurtosis)])"""
    texts = _variances(net, {"scheme": scheme, "variance": variance})
    if any(t is None for t in texts):
        raise UnsupportedError("scheme: its variances are no exact numbers", "scheme")
    graph = None if net.is_chain else net.graph(texts, law, biases, bias_law)
    meant = {"network": graph, "input": x} if graph else {**net.keywords(), "scheme": scheme, "variance": variance,
                                                          "law": law, "input": x}
    if not graph:
        meant |= {"bias_variance": biases, "bias_law": bias_law} if biases else {"bias_variance": 0}
    closed = not graph and (biases is None or law == (bias_law or "gaussian") == "gaussian")
    out, nothing = [], (math.nan, math.nan)
    if quantity == "ntk":
        last = net.nodes[-1]
        if last.parts or len(last.terms) > 1:
            refuse("'ntk' of outputs that are no single Linear, so that they differ")
        answer = ntk(None if graph else net.widths, **meant)
        out.append(("ntk", "", None, number_of(answer["ntk_mean"]), number_of(answer["ntk_variance"]), *nothing))
    elif quantity != "norm":
        mean, spread = (_expected(net, text, meant) for text in (str(quantity), f"Var[{quantity}]"))
        out.append(("expression", "", None, mean, spread, *nothing))
    elif not closed:
        for index in sorted({t.source for t in net.linears if t.source} | {len(net.nodes) - 1}):
            name = net.nodes[index].name if graph else str(index)
            mean, spread = (_expected(net, text, meant) for text in (f"h{{{name}}}[i]^2", f"Var[h{{{name}}}[i]^2]"))
            out.append(("squared_norm", name if graph else index, index, mean, spread, *nothing))
    else:
        answer = norm(net.widths, **meant)
        for l in range(1, len(net.nodes)):
            parts = ("mean", "variance", "skewness", "kurtosis")
            out.append(("squared_norm", l, l, *(number_of(answer["squared_norm_" + p, l]) for p in parts)))
    return [float(number_of(init([1, 1], variance=t)["weight_variance", 1])) for t in texts], out


def _expected(net, text, meant):
    if "where" in text:
        raise UnsupportedError("quantity: restrictions of labels are not measured on modules", "quantity")
    return number_of(expect(text, *([] if not net.is_chain else [net.widths]), **meant)["value"])


def _report(found, net, measured, law, variances, quantities, biases, bias_law):
    share = FALSE_ALARMS / (2 * len(variances) * (2 if biases else 1) + len(quantities))
    report = Report()
    for was, node in zip(found.nodes, net.nodes):
        if was.slope != node.slope:
            report.add_certain("activation", "", node.activation, was.activation, False)
            break
    index, gap = measured.off or ("", 0.0)
    report.add_certain("wiring", index, 0.0, gap, measured.off is None)
    spread, skewness, kurtosis = shape_of_square(law)
    fourth = MOMENTS[law][0]
    for l, v in enumerate(variances):
        count = measured.samples * net.linears[l].linear.weight.numel()
        report.add(share, "weight_mean", l + 1, 0.0, v, 0.0, fourth, measured.sums[l] / count, count)
        report.add(share, "weight_variance", l + 1, v, spread * v * v, skewness, kurtosis, measured.squares[l] / count, count)
    if biases:
        spread, skewness, kurtosis = shape_of_square(bias_law)
        fourth = MOMENTS[bias_law][0]
        for l, (t, text) in enumerate(zip(net.linears, biases)):
            if t.linear.bias is None:
                continue
            v = float(number_of(init([1, 1], variance=text)["weight_variance", 1])) if text != "0" else 0.0
            count = measured.samples * t.linear.bias.numel()
            report.add(share, "bias_mean", l + 1, 0.0, v, 0.0, fourth, measured.bias_sums[l] / count, count)
            report.add(share, "bias_variance", l + 1, v, spread * v * v, skewness, kurtosis,
                       measured.bias_squares[l] / count, count)
    for name, place, node, mean, variance, skewness, kurtosis in quantities:
        values = measured.values if node is None else measured.norms[node]
        if math.isnan(skewness):
            skewness, kurtosis = shape(values)
        report.add(share, name, place, mean, variance, skewness, kurtosis, sum(values) / len(values), len(values))
    return report
