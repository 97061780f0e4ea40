# SPDX-License-Identifier: MIT
"""Arguments as people write them in Python, made into the words and parameters of a question."""
import math
import os
from fractions import Fraction

from ._errors import DomainError


class Files:
    """Arrays and dictionaries that go to the library as files; they are gone after the call."""

    def __init__(self):
        self._folder = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self._folder is not None:
            import shutil

            shutil.rmtree(self._folder, ignore_errors=True)

    def write(self, name, text):
        if self._folder is None:
            import tempfile

            self._folder = tempfile.mkdtemp(prefix="isserlis-")
        path = os.path.join(self._folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path


def is_sympy(value):
    return type(value).__module__.split(".")[0] == "sympy"


def plain(value):
    """Arrays, tensors, series and ranges as lists, scalars of numpy and torch as numbers of Python."""
    if isinstance(value, (str, bool, int, float, Fraction, os.PathLike, dict)) or is_sympy(value):
        return value
    if hasattr(value, "tolist"):
        return value.tolist()
    if isinstance(value, (list, tuple, range)):
        return [plain(v) for v in value]
    return value


def scalar_text(value, keyword):
    """A number, a symbol, a formula or a word; floats by the shortest decimal that names them."""
    value = plain(value)
    if isinstance(value, bool):
        raise TypeError(f"{keyword}: a number or text is required, not {value}")
    if isinstance(value, str):
        return value
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        if not math.isfinite(value):
            raise DomainError(f"{keyword} = {value}; a finite number is required", keyword)
        return repr(value)
    if isinstance(value, Fraction):
        return f"{value.numerator}/{value.denominator}"
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if is_sympy(value):
        return str(value).replace("**", "^")
    if type(value).__module__ == "isserlis.observable":
        return str(value)
    if type(value).__module__ == "decimal":
        return str(value).replace("E+", "e").replace("E", "e")
    raise TypeError(f"{keyword}: {type(value).__name__} is no number, symbol, text or list of these")


def list_text(values, keyword):
    return ",".join(scalar_text(v, keyword) for v in values)


def values_text(value, keyword):
    """One value or several, joined by commas."""
    value = plain(value)
    return list_text(value, keyword) if isinstance(value, list) else scalar_text(value, keyword)


def word(value, keyword):
    """A word of the command: widths as text or as a list, an expression."""
    return values_text(value, keyword)


def _range_text(values, with_steps):
    if values.step == 1 and len(values) > 0:
        return f"{values[0]}..{values[-1]}"
    if with_steps and values.step > 1 and len(values) > 1:
        return f"{values[0]}..{values[-1]}..{values.step}"
    return None


def _table(value, keyword):
    if not isinstance(value, dict):
        return [values_text(value, keyword)] if not isinstance(value, list) else [scalar_text(v, keyword) for v in value]
    out = []
    for name, values in value.items():
        text = _range_text(values, True) if isinstance(values, range) else None
        out.append(f"{name}={text or values_text(values, keyword)}")
    return out


def _json(value):
    """What JSON has no form for, as text that is read exactly."""
    value = plain(value)
    if isinstance(value, dict):
        return {str(k): _json(v) for k, v in value.items()}
    if isinstance(value, list):
        return [_json(v) for v in value]
    if isinstance(value, Fraction) or is_sympy(value):
        return scalar_text(value, "with_")
    return value


def _column_names(prefix, count):
    return [f"{prefix}{i + 1}" for i in range(count)]


def _rows(values):
    values = plain(values)
    return [v if isinstance(v, list) else [v] for v in values]


def _csv(header, rows, keyword):
    lines = [",".join(header)] + [list_text(row, keyword) for row in rows]
    return "\n".join(lines) + "\n"


def table_text(value, keyword):
    """A CSV file of a pandas frame, by its columns, or of a pair of arrays (inputs, targets)."""
    if hasattr(value, "columns") and hasattr(value, "to_numpy"):
        return _csv([str(c) for c in value.columns], value.astype(object).to_numpy().tolist(), keyword)
    if isinstance(value, dict):
        columns = {str(k): plain(v) for k, v in value.items()}
        if len({len(c) for c in columns.values()}) > 1:
            raise DomainError(f"{keyword}: columns of one length are required", keyword)
        return _csv(list(columns), zip(*columns.values()), keyword)
    if isinstance(value, tuple) and len(value) == 2:
        inputs, targets = _rows(value[0]), _rows(value[1])
        if len(inputs) != len(targets):
            raise DomainError(f"{keyword}: {len(inputs)} inputs, but {len(targets)} targets", keyword)
        if not inputs:
            raise DomainError(f"{keyword}: at least one sample is required", keyword)
        header = _column_names("x", len(inputs[0])) + _column_names("y", len(targets[0]))
        return _csv(header, [x + y for x, y in zip(inputs, targets)], keyword)
    raise TypeError(
        f"{keyword}: a file, a pandas frame with columns x1, .., y1, .., a dict of columns or a pair of arrays "
        f"(inputs, targets) is required, not {type(value).__name__}"
    )


def _is_text(value):
    return isinstance(value, (str, os.PathLike))


def parameter(row, value, files):
    """The values of a parameter; None where it is not given, which for a flag False says too."""
    name, keyword = row["name"], row["keyword"]
    if not row["value"]:
        if not isinstance(value, bool):
            raise TypeError(f"{keyword}: True or False is required, not {value!r}")
        return [] if value else None
    if name == "table":
        return _table(value, keyword)
    if isinstance(value, range):
        text = _range_text(value, False) if ".." in row["value"] else None
        return [text or list_text(value, keyword)]
    if name in ("data", "validation", "measured") and not _is_text(value):
        return [files.write(f"{name}.csv", table_text(value, keyword))]
    if name in ("with", "weights", "network") and not _is_text(value):
        import json

        return [files.write(f"{name}.json", json.dumps(_json(getattr(value, "document", value))))]
    if isinstance(value, dict):
        return [",".join(f"{k}={values_text(v, keyword)}" for k, v in value.items())]
    value = plain(value)
    if name == "input" and isinstance(value, list) and value and isinstance(value[0], list):
        return [files.write("input.csv", "\n".join(list_text(row, keyword) for row in value) + "\n")]
    return [values_text(value, keyword)]
