# SPDX-License-Identifier: MIT
"""Exact values as text, `4*(3*(n + 5)^L - n^L)/(n^L*n0^2)`: read into a tree, and evaluated in any arithmetic.

A tree is a number (Fraction), a symbol (str) or a tuple (operation, operands ..): "+", "*" of any number of operands,
"-" of one, "/", "^" of two, and functions of one by their names.
"""
import re
from fractions import Fraction
from functools import lru_cache

from ._errors import DomainError, ParseError, UnsupportedError

FUNCTIONS = ("sqrt", "exp")

_token = re.compile(r"\s*(?:(\d+)|([A-Za-z_][A-Za-z_0-9]*)|(.))")
_most_bits = 200_000_000


def whole_number(digits):
    """int(digits) without the interpreter's limit on their number."""
    if len(digits) < 4000:
        return int(digits)
    low = len(digits) // 2
    return whole_number(digits[:-low]) * 10**low + whole_number(digits[-low:])


class _Reader:
    def __init__(self, text):
        self._text = text
        self._tokens = [m.groups() for m in _token.finditer(text) if m.group().strip()]
        self._at = 0

    def _sign(self):
        return self._tokens[self._at][2] if self._at < len(self._tokens) else None

    def _fail(self):
        raise ParseError(f"'{self._text[:60]}' is no exact value")

    def whole(self):
        out = self.total()
        if self._at != len(self._tokens):
            self._fail()
        return out

    def total(self):
        terms = [self.product()]
        while self._sign() in ("+", "-"):
            minus = self._sign() == "-"
            self._at += 1
            term = self.product()
            terms.append(("-", term) if minus else term)
        return terms[0] if len(terms) == 1 else ("+", *terms)

    def product(self):
        if self._sign() == "-":
            self._at += 1
            return ("-", self.product())
        out = self.power()
        while self._sign() in ("*", "/"):
            sign = self._sign()
            self._at += 1
            factor = self.power()
            if sign == "*" and isinstance(out, tuple) and out[0] == "*":
                out = (*out, factor)
            else:
                out = (sign, out, factor)
        return out

    def power(self):
        base = self.atom()
        if self._sign() != "^":
            return base
        self._at += 1
        if self._sign() == "-":
            self._at += 1
            return ("^", base, ("-", self.power()))
        return ("^", base, self.power())

    def atom(self):
        if self._at == len(self._tokens):
            self._fail()
        digits, name, sign = self._tokens[self._at]
        self._at += 1
        if digits:
            return Fraction(whole_number(digits))
        if name and self._sign() == "(":
            if name not in FUNCTIONS:
                self._fail()
            return (name, self.atom())
        if name:
            return name
        if sign != "(":
            self._fail()
        out = self.total()
        if self._sign() != ")":
            self._fail()
        self._at += 1
        return out


@lru_cache(maxsize=512)
def read(text):
    """The tree of an exact value. Errors  ParseError."""
    return _Reader(text).whole()


def symbols(tree):
    """The names in a tree, in alphabetical order."""
    found, todo = set(), [tree]
    while todo:
        here = todo.pop()
        if isinstance(here, str):
            found.add(here)
        elif isinstance(here, tuple):
            todo.extend(here[1:])
    return sorted(found)


class Irrational(Exception):
    """The value is no fraction."""


def _power_of_fraction(base, exponent):
    if exponent.denominator != 1:
        return _root_of_fraction(base**exponent.numerator, exponent.denominator)
    bits = max(base.numerator.bit_length(), base.denominator.bit_length())
    if base not in (-1, 0, 1) and bits * abs(exponent.numerator) > _most_bits:
        raise UnsupportedError("a power of more than 60 million digits; use float or lambdify")
    if base == 0 and exponent < 0:
        raise DomainError("division by zero")
    return base**exponent.numerator


def _root_of_fraction(value, degree):
    import math

    if degree != 2 or value < 0:
        raise Irrational
    root = Fraction(math.isqrt(value.numerator), math.isqrt(value.denominator))
    if root * root != value:
        raise Irrational
    return root


class FractionArithmetic:
    """Fractions; raises Irrational for roots that are none."""

    number = staticmethod(lambda value: value)
    power = staticmethod(_power_of_fraction)

    @staticmethod
    def quotient(a, b):
        if b == 0:
            raise DomainError("division by zero")
        return a / b

    @staticmethod
    def apply(name, value):
        if name == "sqrt":
            return _root_of_fraction(value, 2)
        if value == 0:
            return Fraction(1)
        raise Irrational


class SympyArithmetic:
    """Expressions of sympy."""

    def __init__(self):
        import sympy

        self._sympy = sympy

    def number(self, value):
        return self._sympy.Rational(value.numerator, value.denominator)

    @staticmethod
    def power(base, exponent):
        return base**exponent

    @staticmethod
    def quotient(a, b):
        return a / b

    def apply(self, name, value):
        return getattr(self._sympy, name)(value)


class IntervalArithmetic:
    """Intervals of mpmath, at the precision that its context has now."""

    def __init__(self, context):
        self._context = context

    def number(self, value):
        return self._context.mpf(value.numerator) / self._context.mpf(value.denominator)

    def power(self, base, exponent):
        if exponent.a == exponent.b and int(exponent.a) == exponent.a:
            return base ** int(exponent.a)
        return self._context.exp(exponent * self._context.log(base))

    @staticmethod
    def quotient(a, b):
        return a / b

    def apply(self, name, value):
        return getattr(self._context, name)(value)


def evaluate(tree, arithmetic, values):
    """The value of a tree, with values of that arithmetic for its symbols."""

    def value_of(here):
        if isinstance(here, Fraction):
            return arithmetic.number(here)
        if isinstance(here, str):
            return values[here]
        kind, *operands = here
        parts = [value_of(o) for o in operands]
        if kind == "+":
            out = parts[0]
            for p in parts[1:]:
                out = out + p
            return out
        if kind == "*":
            out = parts[0]
            for p in parts[1:]:
                out = out * p
            return out
        if kind == "-":
            return -parts[0]
        if kind == "/":
            return arithmetic.quotient(*parts)
        if kind == "^":
            return arithmetic.power(*parts)
        return arithmetic.apply(kind, parts[0])

    return value_of(tree)


def to_fraction(tree, values=None):
    """Errors  Irrational."""
    return evaluate(tree, FractionArithmetic, values or {})


def to_sympy(tree):
    """An expression of sympy, whose symbols are positive."""
    arithmetic = SympyArithmetic()
    import sympy

    return evaluate(tree, arithmetic, {s: sympy.Symbol(s, positive=True) for s in symbols(tree)})


def to_float(tree, values=None, exactly=False):
    """The nearest double: by intervals of growing precision, whatever cancels; `exactly` tries fractions first.

    `values` are fractions. Errors  DomainError for a division by zero; UnsupportedError for what stays undecided.
    """
    if exactly:
        try:
            return _float_of_fraction(to_fraction(tree, values))
        except Irrational:
            pass
    from mpmath import mp
    from mpmath.ctx_iv import MPIntervalContext

    context = MPIntervalContext()
    for bits in (100, 400, 1600, 6400, 25600):
        context.prec = bits
        arithmetic = IntervalArithmetic(context)
        try:
            out = evaluate(tree, arithmetic, {k: arithmetic.number(v) for k, v in (values or {}).items()})
        except (ZeroDivisionError, ValueError):
            continue  # an interval around 0 in a divisor or under a root
        # The ends themselves, at their own precision.
        low, high = _as_float(out.a, mp), _as_float(out.b, mp)
        if low == high:
            return high  # not -0.0, where the ends are closer to 0 than any double
    try:
        return _float_of_fraction(to_fraction(tree, values))
    except Irrational:
        raise UnsupportedError("the value cannot be told from its neighbours in 25600 bits") from None


def _as_float(end, mp):
    return float(mp.make_mpf(end._mpi_[0]))


def _float_of_fraction(value):
    try:
        return float(value)
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")


def replaced(tree, values):
    """The tree with fractions in place of some of its symbols."""
    if isinstance(tree, str):
        return values.get(tree, tree)
    if isinstance(tree, tuple):
        return (tree[0], *(replaced(t, values) for t in tree[1:]))
    return tree
