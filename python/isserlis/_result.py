# SPDX-License-Identifier: MIT
"""One number or formula of an answer."""
from collections import namedtuple
from decimal import Decimal
from fractions import Fraction

from . import _expression, _table
from ._arguments import is_sympy, plain
from ._errors import DomainError, Error, UnsupportedError
from ._range import Range

Check = namedtuple("Check", "mean std_error std_error_kind z samples verdict power sampled_error")
Check.__doc__ = """A sampled mean beside the exact value, `z` standard errors from it; `verdict` says what follows.

`power` is the probability with which an error of 10 % would be seen; None for bounds and for a value of 0.
`sampled_error` is the standard error from the sample where `std_error` is known exactly, else None.
"""


def index_entry(text):
    """Layer numbers as int; formulas such as "L + 1" stay text."""
    return int(text) if text.lstrip("-").isdigit() and len(text) < 18 else text


def as_fraction(value, name):
    """A value for a symbol, exactly; floats are the shortest decimal that names them."""
    value = plain(value)
    if is_sympy(value):
        if not value.is_Rational:
            raise DomainError(f"{name} = {value}; a rational number is required", name)
        return Fraction(int(value.p), int(value.q))
    if isinstance(value, float):
        try:
            return Fraction(repr(value))
        except ValueError:
            raise DomainError(f"{name} = {value}; a finite number is required", name) from None
    if isinstance(value, bool) or not isinstance(value, (int, str, Fraction, Decimal)):
        raise TypeError(f"{name}: a number is required, not {type(value).__name__}")
    try:
        return Fraction(value)
    except (ValueError, OverflowError):
        raise DomainError(f"{name} = {value}; a number is required", name) from None


class Result:
    """One value: exact, as a decimal, as LaTeX, with its source, assumptions, range and check.

    >>> import isserlis
    >>> r = isserlis.norm("n0,n:L,1")["squared_norm_variance", "L + 1"]
    >>> r.text
    '4*(3*(n + 5)^L - n^L)/(n^L*n0^2)'
    >>> r.subs(n0=2, n=10, L=3)
    Fraction(73, 8)
    """

    __slots__ = ("_plain", "_command")

    def __init__(self, plain_result, command):
        self._plain = plain_result
        self._command = command

    @property
    def name(self):
        return self._plain["name"]

    @property
    def index(self):
        """Layer numbers, counted from 1, or formulas such as "L + 1"; values of swept symbols come first."""
        return tuple(index_entry(i) for i in self._plain["index"])

    @property
    def text(self):
        """The exact value as text; None where the value lies outside the exact rings."""
        return self._plain["exact"]

    @property
    def exact(self):
        """A Fraction, or an expression of sympy with positive symbols; None where there is no exact value."""
        if self.text is None:
            return None
        tree = _expression.read(self.text)
        if not _expression.symbols(tree):
            try:
                return _expression.to_fraction(tree)
            except _expression.Irrational:
                pass
        return _expression.to_sympy(tree)

    @property
    def decimal(self):
        """The value in as many digits as `digits` asked for, correctly rounded; None for a formula with symbols.

        Of what lies outside the exact rings only digits that are known; `form` says what it is.
        """
        text = self._plain["decimal"]
        return None if text is None else Decimal(text)

    @property
    def latex(self):
        return self._plain["latex"]

    @property
    def form(self):
        """What a value outside the exact rings is, or why there is none."""
        return self._plain["form"]

    @property
    def certified(self):
        """Whether every digit of `decimal` is right though there is no exact value."""
        return self._plain["certified"]

    @property
    def symbols(self):
        """The names in the formula, in alphabetical order."""
        return _expression.symbols(_expression.read(self.text)) if self.text is not None else []

    @property
    def check(self):
        """The sampled mean beside the value, where `check` asked for one."""
        given = self._plain["check"]
        return None if given is None else Check(*given)

    @property
    def unchecked(self):
        """Why there is no check though one was asked for."""
        return self._plain["unchecked"]

    @property
    def bound(self):
        """Of a bound: "holds" or "fails" for the exact value, where that is known."""
        return self._plain["bound"]

    @property
    def range(self):
        """The values of the symbols for which the formula holds."""
        return Range(self._plain["range"], self._plain["endless"])

    @property
    def summary(self):
        return self._entry("summary")

    @property
    def formula(self):
        """In plain text, as published."""
        return self._entry("formula")

    @property
    def source(self):
        """Where the formula comes from: keys are those of docs/references.md."""
        return self._entry("source")

    @property
    def assumptions(self):
        """Under which the formula holds; those of this very answer are `answer.assumptions`."""
        return self._entry("assumptions")

    def _entry(self, key):
        entry = _table.quantity(self._command, self.name)
        return entry[key] if entry is not None else ""

    def _tree(self):
        if self.text is None:
            raise UnsupportedError(f"{self._label()} has no exact value: {self.form}")
        return _expression.read(self.text)

    def __float__(self):
        """The nearest double; of what lies outside the exact rings that of `decimal`.

        Errors  DomainError where symbols are left; UnsupportedError where there is no value.
        """
        if self.text is None:
            if self._plain["decimal"] is None:
                raise UnsupportedError(f"{self._label()} has no value: {self.form}")
            return float(self._plain["decimal"])
        if self.symbols:
            names = ", ".join(self.symbols)
            raise DomainError(f"{self._label()} is a formula in {names}; give them values by subs or lambdify", "")
        return _expression.to_float(self._tree(), exactly=True)

    def _values(self, given, names):
        values = {str(name): as_fraction(value, str(name)) for name, value in {**given, **names}.items()}
        unknown = [n for n in values if n not in self.symbols and all(n != s["symbol"] for s in self.range.symbols)]
        if unknown:
            there = ", ".join(self.symbols) or "none"
            raise DomainError(f"{unknown[0]} is no symbol of {self._label()}; its symbols: {there}", unknown[0])
        self.range.check(values)
        return values

    def subs(self, given=(), **names):
        """The exact value at values of the symbols: a Fraction, or an expression of sympy where symbols or roots are left.

        Errors  DomainError for values outside the range.
        """
        tree = self._tree()
        values = self._values(dict(given), names)
        if all(s in values for s in self.symbols):
            try:
                return _expression.to_fraction(tree, values)
            except _expression.Irrational:
                pass
        return _expression.to_sympy(_expression.replaced(tree, values))

    def lambdify(self, *names):
        """A function of the symbols, in alphabetical order or in that of `names`, that returns doubles.

        Each value is the nearest double, whatever cancels in the formula; arrays give arrays. Values outside the range
        are refused.
        """
        names = names or tuple(self.symbols)
        names = tuple(str(n) for n in names)
        missing = [s for s in self.symbols if s not in names]
        if missing:
            raise DomainError(f"lambdify: {self._label()} has the symbol {missing[0]} too", missing[0])
        tree = self._tree()

        def one(*values):
            return _expression.to_float(tree, self._values(dict(zip(names, values)), {}))

        def function(*values):
            if len(values) != len(names):
                raise TypeError(f"{self.name}({', '.join(names)}) takes {len(names)} values, not {len(values)}")
            if not any(isinstance(plain(v), list) for v in values):
                return one(*values)
            import numpy

            arrays = numpy.broadcast_arrays(*(numpy.asarray(v, dtype=object) for v in values))
            flat = [one(*entry) for entry in zip(*(a.ravel() for a in arrays))]
            return numpy.array(flat, dtype=float).reshape(arrays[0].shape)

        function.__name__ = self.name
        function.__doc__ = f"{self.name}({', '.join(names)}) = {self.text}, for {self.range}"
        return function

    def _label(self):
        return self.name + (f"[{','.join(self._plain['index'])}]" if self._plain["index"] else "")

    def _value_text(self):
        for text in (self.text, self._plain["decimal"], self.form):
            if text:
                return text
        return ""

    def __str__(self):
        return f"{self._label()} = {self._value_text()}"

    def __repr__(self):
        return f"<Result {self}>"

    def _repr_latex_(self):
        label = "\\mathtt{" + self._label().replace("_", "\\_") + "}"
        return f"$\\displaystyle {label} = {self.latex}$" if self.latex else f"${label}$: {self._value_text()}"

    def __getstate__(self):
        return (self._plain, self._command)

    def __setstate__(self, state):
        self._plain, self._command = state

    def __eq__(self, other):
        return isinstance(other, Result) and self.__getstate__() == other.__getstate__()

    __hash__ = None


def number_of(result):
    """The value as a double, NaN where it has none or has symbols."""
    try:
        return float(result)
    except Error:
        return float("nan")
