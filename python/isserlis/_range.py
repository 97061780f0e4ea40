# SPDX-License-Identifier: MIT
"""Where a formula holds."""
from fractions import Fraction

from . import _expression
from ._errors import DomainError


class Range:
    """Values of the symbols for which a result holds.

    `symbols` has a dictionary for each: symbol, whole, least, most, open, without; `nonzero`, `positive` and
    `not_negative` are expressions. str() says it all; `check(values)` refuses values outside.
    """

    __slots__ = ("symbols", "nonzero", "positive", "not_negative", "endless", "_text")

    def __init__(self, plain, endless):
        self.symbols = plain["symbols"]
        self.nonzero = plain["nonzero"]
        self.positive = plain["positive"]
        self.not_negative = plain["not_negative"]
        self.endless = endless
        self._text = plain["text"]

    def __str__(self):
        return ", ".join([t for t in [self._text] if t] + [f"{s} -> oo" for s in self.endless])

    def __repr__(self):
        return f"<Range {self}>"

    def __getstate__(self):
        return {name: getattr(self, name) for name in self.__slots__}

    def __setstate__(self, state):
        for name, value in state.items():
            setattr(self, name, value)

    def check(self, values):
        """Errors  DomainError for values, fractions by symbol, outside; what has other symbols is not looked at."""
        for s in self.symbols:
            if s["symbol"] in values:
                self._check_symbol(s, values)
        for kind, holds, wanted in (
            (self.nonzero, lambda v: v != 0, "other than 0"),
            (self.positive, lambda v: v > 0, "above 0"),
            (self.not_negative, lambda v: v >= 0, "at least 0"),
        ):
            for text in kind:
                value = _value(text, values)
                if value is not None and not holds(value):
                    raise DomainError(f"{text} = {value}; a value {wanted} is required, in {self}", "")

    def _check_symbol(self, s, values):
        name, value = s["symbol"], values[s["symbol"]]
        least, most = _value(s["least"], values), _value(s["most"], values)
        good = not s["whole"] or value.denominator == 1
        good = good and (least is None or value > least or (value == least and not s["open"]))
        good = good and (most is None or value <= most)
        good = good and all(_value(text, values) != value for text in s["without"])
        if not good:
            kind = "a whole number" if s["whole"] else "a number"
            raise DomainError(f"{name} = {value}; {kind} with {s['text']} is required", name)


def _value(text, values):
    """The value of an expression, as a fraction; None where there is none, or symbols are left."""
    if not text:
        return None
    tree = _expression.read(text)
    if any(s not in values for s in _expression.symbols(tree)):
        return None
    try:
        return _expression.to_fraction(tree, values)
    except _expression.Irrational:
        return Fraction(_expression.to_float(tree, values))
