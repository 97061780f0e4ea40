# SPDX-License-Identifier: MIT
"""Values of printed formulas at numbers: exact ones where there are no roots, else 80 digits."""
import ast
import decimal
import fractions
import functools
import math

F = fractions.Fraction
decimal.getcontext().prec = 80


class Undefined(Exception):
    """A division by 0, or the root of a negative number."""


@functools.lru_cache(maxsize=4096)
def parsed(text):
    return ast.parse(text.replace("^", "**"), mode="eval").body


def as_decimal(x):
    return x if isinstance(x, decimal.Decimal) else decimal.Decimal(x.numerator) / decimal.Decimal(x.denominator)


def root(x):
    if x < 0:
        raise Undefined(f"the root of {float(x)}")
    if isinstance(x, F):
        above, below = math.isqrt(x.numerator), math.isqrt(x.denominator)
        if above * above == x.numerator and below * below == x.denominator:
            return F(above, below)
    return as_decimal(x).sqrt()


def combined(a, b, f):
    if isinstance(a, F) and isinstance(b, F):
        return f(a, b)
    return f(as_decimal(a), as_decimal(b))


def power(base, exponent):
    if not isinstance(exponent, F) or (2 * exponent).denominator != 1:
        raise Undefined(f"the exponent {exponent}")
    if exponent.denominator == 2:
        base, exponent = root(base), 2 * exponent
    if exponent < 0 and base == 0:
        raise Undefined("a division by 0")
    return base ** int(exponent) if isinstance(base, F) else base ** int(exponent)


def walk(e, at):
    if isinstance(e, ast.Constant):
        return F(str(e.value))
    if isinstance(e, ast.Name):
        return at[e.id]
    if isinstance(e, ast.UnaryOp):
        value = walk(e.operand, at)
        return -value if isinstance(e.op, ast.USub) else value
    if isinstance(e, ast.BinOp):
        a, b = walk(e.left, at), walk(e.right, at)
        if isinstance(e.op, ast.Add):
            return combined(a, b, lambda x, y: x + y)
        if isinstance(e.op, ast.Sub):
            return combined(a, b, lambda x, y: x - y)
        if isinstance(e.op, ast.Mult):
            return combined(a, b, lambda x, y: x * y)
        if isinstance(e.op, ast.Div):
            if b == 0:
                raise Undefined("a division by 0")
            return combined(a, b, lambda x, y: x / y)
        if isinstance(e.op, ast.Pow):
            return power(a, b)
    if isinstance(e, ast.Call) and e.func.id == "sqrt":
        return root(walk(e.args[0], at))
    if isinstance(e, ast.Call) and e.func.id == "Product":
        term, (name, first, last) = e.args[0], e.args[1].elts
        out = F(1)
        for k in range(int(walk(first, at)), int(walk(last, at)) + 1):
            out = combined(out, walk(term, {**at, name.id: F(k)}), lambda x, y: x * y)
        return out
    raise ValueError(f"no formula: {ast.dump(e)[:80]}")


def value(text, at=None):
    return walk(parsed(text), at or {})


def symbols(text):
    return {e.id for e in ast.walk(parsed(text)) if isinstance(e, ast.Name)} - {"sqrt", "Product", "exp"}


def same(a, b):
    if isinstance(a, F) and isinstance(b, F):
        return a == b
    a, b = as_decimal(a), as_decimal(b)
    return abs(a - b) <= decimal.Decimal("1e-50") * max(abs(a), abs(b), decimal.Decimal("1e-20"))
