# SPDX-License-Identifier: MIT
"""Writes __init__.pyi, what editors know of the functions of the commands.

usage: python3 -m isserlis._stubs > python/isserlis/__init__.pyi
"""
from . import _functions, _table

_HEAD = '''# SPDX-License-Identifier: MIT
# Made by `python3 -m isserlis._stubs`; a test compares.
import os
from collections.abc import Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any, Literal, Union

from ._answer import Answer as Answer
from ._errors import DomainError as DomainError, Error as Error, ParseError as ParseError
from ._errors import UnsupportedError as UnsupportedError
from ._range import Range as Range
from ._result import Check as Check, Result as Result

# Numbers, symbols and formulas: those of sympy and numpy are Any.
Number = Union[int, float, Fraction, Decimal, str, Any]
Numbers = Union[Number, Sequence[Number]]
Path = Union[str, "os.PathLike[str]"]

__version__: str
commands: tuple[str, ...]

def ask(command: str, words: Sequence[str] = ..., parameters: Mapping[str, Sequence[str]] | None = ...) -> Answer: ...
'''


def _annotation(row):
    if not row["value"]:
        return "bool"
    if row["name"] in ("set", "table"):
        return "Mapping[str, Numbers] | str | Sequence[str] | None"
    if row["name"] in ("data", "validation", "measured", "with", "network", "weights", "input"):
        return "Any"
    if row["value"] == "FILE":
        return "Path | None"
    if row["choices"] and "|".join(row["choices"]) == row["value"]:
        return "Literal[" + ", ".join(f'"{c}"' for c in row["choices"]) + "] | None"
    return "Numbers | None"


def _function(command):
    parts = []
    for name in _functions.positionals(command):
        parts.append(f"{name}: Numbers" + (" | None = ..." if name == "widths" else ""))
    if not parts or not parts[-1].startswith("*"):
        parts.append("*")
    for row in command["parameters"] + _functions.COMMON:
        parts.append(f"{row['keyword']}: {_annotation(row)} = ...")
    body = "".join(f"    {p},\n" for p in parts)
    summary = command["summary"].replace('"', "'")
    return f'def {_functions.function_name(command)}(\n{body}) -> Answer:\n    """{summary}."""\n'


def text():
    return _HEAD + "".join("\n" + _function(c) for c in _table.commands())


if __name__ == "__main__":
    print(text(), end="")
