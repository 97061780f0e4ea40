# SPDX-License-Identifier: MIT
import math
import random
from fractions import Fraction

import pytest
from isserlis import DomainError, ParseError, UnsupportedError, _expression as e


@pytest.mark.parametrize(
    "text, value",
    [
        ("3/4", Fraction(3, 4)),
        ("-2^2", -4),
        ("2^-3", Fraction(1, 8)),
        ("2^3^2", 512),  # powers from the right
        ("7 - 2 - 1", 4),
        ("8/2/2", 2),
        ("8/(2*2)", 2),
        ("2*3/4*5", Fraction(15, 2)),
        ("sqrt(49/4)", Fraction(7, 2)),
        ("4^(3/2)", 8),
        ("-(1 - 3)*2", 4),
        ("exp(0)", 1),
    ],
)
def test_values_by_hand(text, value):
    assert e.to_fraction(e.read(text)) == value


def test_numbers_beyond_the_interpreters_limit_of_digits():
    assert e.to_fraction(e.read("12" + "0" * 10000)) == 12 * 10**10000


@pytest.mark.parametrize("text", ["", "2 +", "(2", "2)", "f(2)", "2 3", "__import__('os')", "a.b", "2**3", "1.5"])
def test_what_is_no_exact_value(text):
    with pytest.raises(ParseError):
        e.read(text)


def test_roots_that_are_no_fractions():
    with pytest.raises(e.Irrational):
        e.to_fraction(e.read("sqrt(2)"))
    assert e.to_float(e.read("3*sqrt(2)/4")) == math.sqrt(9 / 8)


def test_divisions_by_zero_are_refused():
    for text in ("1/0", "0^-1", "1/(2 - 2)"):
        with pytest.raises(DomainError):
            e.to_fraction(e.read(text))


def test_doubles_survive_cancellation():
    # (n + 1)^2 - n^2 - 2 n = 1, of terms up to 1e60.
    assert e.to_float(e.read("(n + 1)^2 - n^2 - 2*n"), {"n": Fraction(10) ** 30}) == 1
    # Exactly 0, which no interval shows.
    assert e.to_float(e.read("(n + 1)*(n - 1) - n^2 + 1"), {"n": Fraction(1, 3)}) == 0
    # (1 + 1/n)^n at n = 1e12: e (1 - 1/(2 n) + ..), where doubles lose four digits.
    value = e.to_float(e.read("(n + 1)^n/n^n"), {"n": Fraction(10**12)})
    assert value == pytest.approx(math.e * (1 - 0.5e-12), rel=2e-16)
    assert e.to_float(e.read("sqrt(2)*sqrt(3) - sqrt(6)")) == 0


def test_doubles_beyond_their_range():
    assert e.to_float(e.read("10^400")) == math.inf
    assert e.to_float(e.read("10^400/10^399")) == 10
    with pytest.raises(UnsupportedError):
        e.to_fraction(e.read("3^n"), {"n": Fraction(10**12)})


def test_sympy_reads_the_same_values():
    sympy = pytest.importorskip("sympy")
    random.seed(1)
    texts = ["4*(3*(n + 5)^L - n^L)/(n^L*n0^2)", "44*sqrt(5)/(25*sqrt(n))", "-a^2 + b/(a - 3*b)^3 - 2^-L", "a - (b - n)"]
    for text in texts:
        tree = e.read(text)
        expression = e.to_sympy(tree)
        assert all(s.is_positive for s in expression.free_symbols)
        for _ in range(20):
            values = {s: Fraction(random.randint(1, 9), random.choice([1, 1, 2])) for s in e.symbols(tree)}
            values = {s: Fraction(math.ceil(v)) if s == "L" else v for s, v in values.items()}
            try:
                exact = e.to_float(tree, values)
            except DomainError:
                continue
            there = expression.subs({sympy.Symbol(s, positive=True): sympy.Rational(v.numerator, v.denominator)
                                     for s, v in values.items()})
            assert float(there) == pytest.approx(exact, rel=1e-13)
