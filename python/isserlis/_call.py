# SPDX-License-Identifier: MIT
"""Questions to the library, with its errors, and progress where somebody sees it."""
import sys
from contextlib import contextmanager

from . import _isserlis
from ._answer import Answer
from ._errors import OF_KIND, Error


@contextmanager
def library_errors():
    try:
        yield
    except _isserlis.Failure as failure:
        kind, message, parameter = failure.args
        raise OF_KIND.get(kind, Error)(message, parameter) from None


class _Bar:
    """A bar of tqdm, made when long work first reports."""

    def __init__(self, tqdm):
        self._tqdm = tqdm
        self._bar = None

    def __call__(self, doing, done, of, total, units):
        if self._bar is None:
            self._bar = self._tqdm(total=total, desc=doing, unit=f" {units}", leave=False)
        self._bar.total = total
        self._bar.n = done
        self._bar.refresh()

    def close(self):
        if self._bar is not None:
            self._bar.close()


def _bar():
    """A bar, where tqdm is installed and standard error is a terminal."""
    if sys.stderr is None or not sys.stderr.isatty():
        return None
    try:
        from tqdm import tqdm
    except ImportError:
        return None
    return _Bar(tqdm)


def ask(command, words=(), parameters=None):
    """The answer to a command, its words and its parameters by name, all of them text.

    What the functions of the commands do once arguments are text:

    >>> import isserlis
    >>> isserlis.ask("norm", ["2,10:3,1"], {"order": ["2"]})["squared_norm_mean", 4].exact
    Fraction(1, 1)

    A flag has no values, an empty list. Errors  ParseError, DomainError, UnsupportedError; MemoryError.
    """
    bar = _bar()
    try:
        with library_errors():
            return Answer(_isserlis.ask(command, list(words), dict(parameters or {}), bar))
    finally:
        if bar is not None:
            bar.close()
