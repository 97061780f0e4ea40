# SPDX-License-Identifier: MIT
"""Exact expectations of random neural networks: a function for each command of the program `isserlis`.

>>> import isserlis
>>> answer = isserlis.norm("n,n:L,1", input_squared_norm="n")
>>> answer["squared_norm_mean", "L + 1"].exact
Fraction(2, 1)
>>> isserlis.ntk([4, 8, 8, 2], scheme="ntk")["ntk_mean"].exact
Fraction(3, 16)

help(isserlis.norm) shows parameters, results, sources and assumptions; `commands` lists the functions.
"""
from . import _functions, _isserlis, _table
from ._answer import Answer
from ._call import ask
from ._errors import DomainError, Error, ParseError, UnsupportedError
from ._range import Range
from ._result import Check, Result

for _public in (Answer, Check, DomainError, Error, ParseError, Range, Result, UnsupportedError, ask):
    _public.__module__ = "isserlis"

__version__ = _isserlis.version

#: Names of the functions of the commands, in the order of help.
commands = tuple(_functions.function_name(c) for c in _table.commands())

globals().update({_functions.function_name(c): _functions.make(c) for c in _table.commands()})


def __getattr__(name):
    # isserlis.torch takes as long to import as torch does.
    if name == "torch":
        import importlib

        return importlib.import_module("isserlis.torch")
    raise AttributeError(f"module 'isserlis' has no attribute {name!r}")


# `from isserlis import *` leaves Python's own list alone.
__all__ = [
    "Answer", "Check", "DomainError", "Error", "ParseError", "Range", "Result", "UnsupportedError", "ask", "commands",
    *(name for name in commands if name != "list"),
]
