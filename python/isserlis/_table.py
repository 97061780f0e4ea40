# SPDX-License-Identifier: MIT
"""The tables of the library: commands, their parameters, quantities."""
from functools import lru_cache

from . import _isserlis


@lru_cache(maxsize=1)
def commands():
    return _isserlis.commands()


@lru_cache(maxsize=1)
def common_parameters():
    return _isserlis.common_parameters()


@lru_cache(maxsize=1)
def quantities():
    return _isserlis.quantities()


def quantity(command, name):
    """The row of a quantity: that of the command, else of any; None where there is none."""
    named = [q for q in quantities() if q["name"] == name]
    return next((q for q in named if q["command"] == command), named[0] if named else None)
