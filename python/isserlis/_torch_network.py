# SPDX-License-Identifier: MIT
"""What a PyTorch module is: a graph of layers."""
import math
from dataclasses import dataclass, field, replace
from fractions import Fraction

from torch import nn

from . import DomainError, UnsupportedError
from ._arguments import scalar_text
from .graph import Graph, Weights

SERVED = "Linear, ReLU, LeakyReLU, Identity, Dropout of probability 0, sums, factors and concatenation are served"


def refuse(why):
    raise UnsupportedError(f"module: {why}; {SERVED}", "module")


@dataclass
class Term:
    """What a node sums: a Linear of another node times a factor, or, without one, the other node as it is.

    `before` is the part of the factor that the Linear meets already in what it reads.
    """

    linear: nn.Linear
    path: str
    source: int
    factor: float
    before: float = 1.0


@dataclass
class Node:
    """A node: its terms, or its parts one after the other; and the slope of the gate behind it, 1 without a gate."""

    name: str
    width: int
    terms: list = field(default_factory=list)
    parts: list = field(default_factory=list)
    slope: float = 1.0

    @property
    def activation(self):
        return "linear" if self.slope == 1 else "relu" if self.slope == 0 else "leaky:" + scalar_text(self.slope, "module")


@dataclass
class Network:
    """What a module is: nodes from the input to the output.

    `graph` has them with the variances that the layers are meant to have. A chain with one activation has widths,
    activation and head too, as the functions of the commands take them; else they are None.
    """

    widths: list
    activation: str
    head: str
    nodes: list = field(repr=False, default_factory=list)

    @property
    def linears(self):
        """The terms with weights, from the input on."""
        return [t for n in self.nodes for t in n.terms if t.linear is not None]

    @property
    def is_chain(self):
        return self.widths is not None

    def keywords(self):
        return {"activation": self.activation, "head": self.head}

    def meant(self, activation=None, residual_scale=None):
        """The network with another gate wherever there is one, and another factor of what is added to a skip."""
        slope = {None: None, "linear": 1.0, "relu": 0.0}.get(str(activation) if activation is not None else None, "leaky")
        if slope == "leaky":
            slope = slope_of_name(activation)
        nodes = []
        for n in self.nodes:
            terms, skips = n.terms, any(t.linear is None for t in n.terms)
            if residual_scale is not None and skips:
                scale = float(Fraction(residual_scale) if isinstance(residual_scale, str) else residual_scale)
                terms = [t if t.linear is None else replace(t, factor=t.before * scale) for t in terms]
            gated = slope is not None and n.slope != 1
            nodes.append(replace(n, terms=terms, slope=slope if gated else n.slope))
        return described(nodes)

    def graph(self, variances=None, law=None, bias_variances=None, bias_law=None):
        """A Graph for `network`. `variances` are those of the entries of each Linear, without the factor behind it; so are
        `bias_variances`."""
        variances = variances or [None] * len(self.linears)
        out = Graph(self.nodes[0].width, self.nodes[0].name)
        left = iter(variances)
        biases = iter(bias_variances or [None] * len(self.linears))
        for node in self.nodes[1:]:
            if node.parts:
                out.concatenate(*(self.nodes[p].name for p in node.parts), name=node.name)
                continue
            weights, bias = [], []
            for t in (t for t in node.terms if t.linear is not None):
                share = square(t.factor)
                variance = next(left)
                if variance is None and share != 1:
                    variance = f"{share.numerator}/({share.denominator}*{default_gain(node)}*fan_in)"
                elif variance is not None:
                    variance = f"({share.numerator}/{share.denominator})*({variance})" if share != 1 else variance
                weights.append(Weights(self.nodes[t.source].name, variance, law, name=t.path + "'",
                                       label_factor=None if share == 1 else share))
                own = next(biases)
                if own not in (None, "0"):
                    share = square(t.factor / t.before)
                    bias.append(f"({share.numerator}/{share.denominator})*({own})" if share != 1 else own)
            if len(bias) > 1 and bias_law not in (None, "gaussian"):
                refuse(f"a sum of several biases of law {bias_law}, which is no bias of that law")
            skips = [self.nodes[t.source].name for t in node.terms if t.linear is None]
            out.layer(*weights, width=node.width, activation=node.activation, skip=skips, name=node.name,
                      bias_variance=" + ".join(bias) or None, bias_law=bias_law if bias else None)
        return out


def slope_of_name(activation):
    name, _, slope = str(activation).partition(":")
    try:
        if name != "leaky":
            raise ValueError
        return float(Fraction(slope))
    except (ValueError, ZeroDivisionError):
        raise DomainError(f"activation: {activation!r} is not linear, relu or leaky:S", "activation") from None


def default_gain(node):
    slope = Fraction(repr(float(node.slope)))
    gain = (1 + slope**2) / 2
    return f"({gain.numerator}/{gain.denominator})"


def square(factor):
    """The fraction that the square of a factor was meant to be: 1/2 of 2**-0.5, whose double has a square beside it."""
    close = Fraction(factor * factor).limit_denominator(10**6)
    return close if math.isclose(close, factor * factor, rel_tol=1e-15) else Fraction(factor) ** 2


def described(nodes):
    chain = all(len(n.terms) == 1 and n.terms[0].linear is not None and n.terms[0].factor == 1
                and n.terms[0].source == k for k, n in enumerate(nodes[1:]))
    hidden, last = {n.activation for n in nodes[1:-1]}, nodes[-1].activation
    activation = hidden.pop() if hidden else last
    if not chain or hidden or last not in ("linear", activation):
        return Network(None, None, None, nodes)
    head = "linear" if last == "linear" else "activation"
    return Network([n.width for n in nodes], activation, head, nodes)


class Residual(nn.Module):
    """x + scale * branch(x), as residual networks are made of."""

    def __init__(self, branch, scale=1.0):
        super().__init__()
        if not math.isfinite(scale):
            raise DomainError(f"scale = {scale}; a finite number is required", "scale")
        self.branch, self.scale = branch, scale

    def forward(self, x):
        return x + self.scale * self.branch(x)
