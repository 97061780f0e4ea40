# SPDX-License-Identifier: MIT
"""Observables measured on the values of a drawn network: polynomials in z and h and their first derivatives."""
import itertools
import re
from fractions import Fraction

import torch

from . import UnsupportedError

_token = re.compile(r"\s*(?:(\d+(?:\.\d+)?)|([A-Za-z_]\w*)|(.))")


def _refuse(what):
    raise UnsupportedError(
        f"quantity: {what} is not measured on modules; polynomials in z[..], h[..] and their first derivatives are",
        "quantity",
    )


class _Reader:
    """A sum is a list of (number, factors), a factor (z or h, node or None, letter or number, label or None)."""

    def __init__(self, text):
        self._tokens = [m.groups() for m in _token.finditer(text) if m.group().strip()]
        self._at = 0
        self._fresh = itertools.count()

    def _next(self):
        number, name, sign = self._tokens[self._at] if self._at < len(self._tokens) else (None, None, None)
        return number or name or sign

    def _take(self, wanted=None):
        token = self._next()
        if token is None or wanted is not None and token != wanted:
            _refuse(f"an observable with {token!r} there")
        self._at += 1
        return token

    def whole(self):
        out = self.total()
        if self._next() is not None:
            _refuse(f"'{self._next()}'")
        return out

    def total(self):
        minus = self._next() == "-" and bool(self._take())
        out = _scaled(self.product(), -1 if minus else 1)
        while self._next() in ("+", "-"):
            sign = -1 if self._take() == "-" else 1
            out = out + _scaled(self.product(), sign)
        return [(number, self._bound(factors)) for number, factors in out]

    def _bound(self, factors):
        """Letters and labels that occur twice are summed here; they get names of their own."""
        for place in (2, 3):
            names = [f[place] for f in factors if isinstance(f[place], str)]
            for name in {n for n in names if names.count(n) > 1}:
                new = f"_{next(self._fresh)}" if not name.startswith("_") else name
                factors = [f[:place] + (new,) + f[place + 1:] if f[place] == name else f for f in factors]
        return factors

    def product(self):
        out = self.power()
        while self._next() not in (None, "+", "-", ")"):
            if self._next() == "/":
                self._take()
                out = _scaled(out, 1 / Fraction(self._take()))
                continue
            if self._next() == "*":
                self._take()
            factor = self.power()
            out = [(a * b, f + g) for a, f in out for b, g in factor]
        return out

    def power(self):
        start = self._at
        out = self.atom()
        if self._next() != "^":
            return out
        self._take()
        exponent = int(self._take())
        end = self._at
        in_brackets = self._tokens[start][2] == "("
        if in_brackets and any(isinstance(n, str) and not n.startswith("_") for _, fs in out for f in fs for n in f[2:]):
            _refuse("a power of a bracket with a free letter")
        total = [(Fraction(1), [])]
        for _ in range(exponent):  # read anew each time: sums in brackets have letters of their own
            self._at = start
            factor = self.atom()
            total = [(a * b, f + g) for a, f in total for b, g in factor]
        self._at = end
        return total

    def atom(self):
        token = self._take()
        if token == "(":
            out = self.total()
            self._take(")")
            return out
        if re.fullmatch(r"\d+(\.\d+)?", token):
            return [(Fraction(token), [])]
        if token not in ("z", "h"):
            _refuse(f"'{token}'")
        node, index, label = None, 1, None
        if self._next() == "{":
            self._take()
            node = ""
            while self._next() != "}":
                node += self._take()
            self._take()
        if self._next() == "[":
            self._take()
            if self._next() != ";":
                index = self._take()
                index = int(index) if index.isdigit() else index
            if self._next() == ";":
                self._take()
                label = self._take()
            self._take("]")
        return [(Fraction(1), [(token, node, index, label)])]


def _scaled(total, number):
    return [(number * a, f) for a, f in total]


def read(text):
    """The sum of monomials that an observable is. Errors  UnsupportedError."""
    return _Reader(str(text)).whole()


def needs_gradients(total):
    return any(f[3] is not None for _, factors in total for f in factors)


def nodes_of(total):
    return {f[1] for _, factors in total for f in factors if f[1] is not None}


class Values:
    """Neurons of a drawn network, z and h by node, and their derivatives by all weights, each taken once."""

    def __init__(self, neurons, weights):
        self._neurons, self._weights, self._jacobians = neurons, weights, {}

    def _jacobian(self, kind, node):
        if (kind, node) not in self._jacobians:
            rows = []
            for value in self._neurons[kind, node]:
                parts = torch.autograd.grad(value, self._weights, retain_graph=True, allow_unused=True)
                rows.append(torch.cat([(torch.zeros_like(w) if p is None else p).reshape(-1).double()
                                       for p, w in zip(parts, self._weights)]))
            self._jacobians[kind, node] = torch.stack(rows)
        return self._jacobians[kind, node]

    def of(self, total):
        return sum(float(number) * self._monomial(factors) for number, factors in total)

    def _monomial(self, factors):
        letters, operands = {}, []
        for kind, node, index, label in factors:
            value = self._neurons[kind, node].detach().double() if label is None else self._jacobian(kind, node)
            names = []
            if isinstance(index, int):
                value = value[index - 1]
            else:
                names.append(letters.setdefault(index, len(letters)))
            if label is not None:
                names.append(letters.setdefault(";" + label, len(letters)))
            operands += [value, names]
        return float(torch.einsum(*operands, [])) if operands else 1.0
