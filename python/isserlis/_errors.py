# SPDX-License-Identifier: MIT
"""Exceptions; each names the parameter that is at fault by its keyword."""


class Error(Exception):
    """Base of what this package raises. `parameter` is the keyword that is at fault, or empty."""

    def __init__(self, message, parameter=""):
        super().__init__(message, parameter)
        self.parameter = parameter

    def __str__(self):
        return self.args[0]


class DomainError(Error, ValueError):
    """There is no such value: a width of 0, a kurtosis below 1, a value outside the range of a formula."""


class ParseError(Error, ValueError):
    """Text that does not follow its grammar."""


class UnsupportedError(Error):
    """The value exists, but it is not served here, or it would not fit."""


OF_KIND = {"domain": DomainError, "parse": ParseError, "unsupported": UnsupportedError}
