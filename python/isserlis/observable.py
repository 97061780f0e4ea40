# SPDX-License-Identifier: MIT
"""Observables by operators, in place of text, wherever a command takes one.

>>> import isserlis
>>> from isserlis.observable import D, E, Var, h, loss, z
>>> print(D("m", "n")(loss) ** 2)
(D[m,n] loss)^2
>>> isserlis.expect(D("m", "n")(loss) ** 2, "2,3,1")["value"].exact
Fraction(71, 3)
>>> print((z["i"] ** 2 - h.of("2")["i"] ** 2 / 2) * 3)
(z[i]^2 - h{2}[i]^2/2)*3
>>> print(Var(z**2) / E(z**2) ** 2)
Var[z^2]/E[z^2]^2
>>> print((z["i", "m"] * z["i", "m"]).where(m="2"))
z[i;m]*z[i;m] where m in 2

Letters run over neurons, labels over weights, as docs/observables.md says; what is no observable is refused by the
command that reads it.
"""
from fractions import Fraction

_SUM, _PRODUCT, _POWER, _ATOM = range(4)


class Observable:
    """Text of an observable, and what binds it together."""

    def __init__(self, text, rank=_ATOM, places=()):
        self._text, self._rank, self._places = text, rank, tuple(places)

    def __str__(self):
        return self._text + (" where " + ", ".join(self._places) if self._places else "")

    def __repr__(self):
        return f"Observable({str(self)!r})"

    def __eq__(self, other):
        return isinstance(other, Observable) and str(self) == str(other)

    def __hash__(self):
        return hash(str(self))

    def _at_least(self, rank):
        return self._text if self._rank >= rank else f"({self._text})"

    def _joined(self, sign, other, rank, right_rank, swapped=False):
        other = _observable(other)
        if other is NotImplemented:
            return other
        left, right = (other, self) if swapped else (self, other)
        places = list(dict.fromkeys(left._places + right._places))
        return Observable(left._at_least(rank) + sign + right._at_least(right_rank), rank, places)

    def __add__(self, other):
        return self._joined(" + ", other, _SUM, _PRODUCT)

    def __radd__(self, other):
        return self._joined(" + ", other, _SUM, _PRODUCT, True)

    def __sub__(self, other):
        return self._joined(" - ", other, _SUM, _PRODUCT)

    def __rsub__(self, other):
        return self._joined(" - ", other, _SUM, _PRODUCT, True)

    def __mul__(self, other):
        return self._joined("*", other, _PRODUCT, _POWER)

    def __rmul__(self, other):
        return self._joined("*", other, _PRODUCT, _POWER, True)

    def __truediv__(self, other):
        return self._joined("/", other, _PRODUCT, _POWER)

    def __rtruediv__(self, other):
        return self._joined("/", other, _PRODUCT, _POWER, True)

    def __neg__(self):
        return Observable("-" + self._at_least(_PRODUCT), _SUM, self._places)

    def __pow__(self, exponent):
        if not isinstance(exponent, int) or isinstance(exponent, bool):
            return NotImplemented
        base = f"({self._text})" if self._text.startswith("D[") else self._at_least(_ATOM)
        return Observable(f"{base}^{exponent}", _POWER, self._places)

    def where(self, **places):
        """Labels that run over the weights of some layers alone: where(m="2", n="1..3")."""
        return Observable(self._text, self._rank, [*self._places, *(f"{k} in {v}" for k, v in places.items())])


def _observable(value):
    if isinstance(value, Observable):
        return value
    if isinstance(value, str):
        return parameter(value)
    if isinstance(value, (int, Fraction)) and not isinstance(value, bool):
        return Observable(str(value), _ATOM if value >= 0 and Fraction(value).denominator == 1 else _SUM)
    return NotImplemented


def parameter(name):
    """A symbol of your own, as in 2*a*z^2."""
    return Observable(str(name))


class Vector(Observable):
    """Outputs, or a constant: z["i"], z["i", "m", "n"] with labels, z["", "m"] of the only output."""

    def __init__(self, text, point=""):
        super().__init__(text + point)
        self._bare, self._point = text, point

    def __getitem__(self, index):
        letter, *labels = index if isinstance(index, tuple) else (index,)
        if self._bare in ("z", "h") or self._bare.startswith(("z{", "h{")):
            inside = str(letter) + (";" + ",".join(map(str, labels)) if labels else "")
        else:
            inside = ",".join(map(str, (letter, *labels)))
        return Observable(f"{self._bare}[{inside}]{self._point}")

    def __iter__(self):
        raise TypeError("an observable is no sequence")

    def of(self, node):
        """The same of another node than the output."""
        return Vector(f"{self._bare}{{{node}}}", self._point)

    def at(self, input):
        """The same at the input of that name."""
        return Vector(self._bare, f"@{input}")


def constant(name):
    """A constant vector w["i"] or symmetric matrix P["i", "j"]."""
    return Vector(str(name))


def D(*labels):
    """The derivative by those labels of what follows: D("m", "n")(loss)."""

    def derivative(of):
        return Observable(f"D[{','.join(map(str, labels))}] {of._at_least(_ATOM)}", _ATOM, of._places)

    return derivative


def _statistic(name, count):
    def statistic(*of):
        if len(of) != count:
            raise TypeError(f"{name} takes {count} observable{'s' if count > 1 else ''}, not {len(of)}")
        places = [p for o in of for p in o._places]
        return Observable(f"{name}[{', '.join(o._text for o in of)}]", _ATOM, places)

    statistic.__name__ = name
    statistic.__doc__ = {"E": "Expectation.", "Var": "Variance.", "Cov": "Covariance of two."}[name]
    return statistic


E, Var, Cov = (_statistic(name, count) for name, count in (("E", 1), ("Var", 1), ("Cov", 2)))

z, h, y = Vector("z"), Vector("h"), Vector("y")
loss = Observable("loss")
