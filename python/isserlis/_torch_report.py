# SPDX-License-Identifier: MIT
"""Measured means beside exact ones: rows, thresholds, verdicts."""
import math
import statistics
from collections import namedtuple

Row = namedtuple("Row", "name index exact mean std_error z threshold verdict detects")
Row.__doc__ = """A measured mean beside its exact value.

`std_error` is that of the mean, from the exact variance; `z` their distance in it; beyond `threshold` they disagree.
Where it is more than a tenth of the exact value the row is inconclusive. `detects` is the power: the relative deviation
of the mean that is found with a probability of 99 %.
"""

#: False alarms of a whole report, where all is right.
FALSE_ALARMS = 1e-7

#: Largest standard error, as a share of the exact value, with which a row can confirm it.
CONCLUSIVE = 0.1

#: Standard normal numbers are above minus this with a probability of 99 %.
_POWER = statistics.NormalDist().inv_cdf(0.99)

#: E w^2k of weights of variance 1, k = 2, 3, 4.
MOMENTS = {"gaussian": (3, 15, 105), "uniform": (9 / 5, 27 / 7, 9), "rademacher": (1, 1, 1), "laplace": (6, 90, 2520)}


def threshold(share, skewness, kurtosis, count):
    """Standard errors that a mean of `count` values exceeds with that probability: Cornish-Fisher to second order."""
    t = statistics.NormalDist().inv_cdf(1 - share / 2)
    s, k = abs(skewness) / math.sqrt(count), max(kurtosis - 3, 0) / count
    return t + s * (t * t - 1) / 6 + k * (t**3 - 3 * t) / 24


def shape(values):
    """Skewness and kurtosis of samples."""
    mean = statistics.fmean(values)
    moments = [statistics.fmean((v - mean) ** p for v in values) for p in (2, 3, 4)]
    if moments[0] == 0:
        return 0.0, 3.0
    return moments[1] / moments[0] ** 1.5, moments[2] / moments[0] ** 2


def shape_of_square(law):
    """(variance, skewness, kurtosis) of w^2 for weights of variance 1."""
    fourth, sixth, eighth = MOMENTS[law]
    spread = fourth - 1
    if not spread:
        return 0.0, 0.0, 3.0
    return spread, (sixth - 3 * fourth + 2) / spread**1.5, (eighth - 4 * sixth + 6 * fourth - 3) / spread**2


class Report(list):
    """Rows of a check; true where none of them disagrees."""

    def add(self, share, name, index, value, variance, skewness, kurtosis, mean, count):
        error = math.sqrt(variance / count)
        gap = mean - value
        # Sums of doubles, and of what the module computes in its own precision.
        rounding = 1e-5 * abs(value)
        z = gap / error if error > 0 else (0.0 if abs(gap) <= rounding else math.copysign(math.inf, gap))
        limit = threshold(share, skewness, kurtosis, count)
        good = abs(gap) <= limit * error + rounding
        vague = value != 0 and error > CONCLUSIVE * abs(value)
        verdict = "disagrees" if not good else "inconclusive" if vague else "agrees"
        detects = (limit + _POWER) * error / abs(value) if value else math.inf
        self.append(Row(name, index, value, mean, error, z, limit, verdict, detects))

    def add_certain(self, name, index, meant, found, agrees):
        """A row without chance."""
        z = 0.0 if agrees else math.inf
        self.append(Row(name, index, meant, found, 0.0, z, 0.0, "agrees" if agrees else "disagrees", 0.0))

    @property
    def agrees(self):
        return all(row.verdict != "disagrees" for row in self)

    def __bool__(self):
        return self.agrees

    def to_frame(self):
        import pandas

        return pandas.DataFrame(list(self), columns=Row._fields)

    def __str__(self):
        wide = max([5, *(len(str(r.index)) for r in self)])
        out = [f"{'quantity':18} {'index':{wide}} {'exact':>13} {'measured':>13} {'std error':>10} {'z':>8}  "
               f"{'verdict':12}  detects"]
        for r in self:
            start = f"{r.name:18} {r.index!s:{wide}} "
            if isinstance(r.exact, str):
                out.append(start + f"{r.exact:>13} {r.mean:>13} {'':10} {'':8}  {r.verdict}")
                continue
            power = f"{100 * r.detects:.2g} %" if math.isfinite(r.detects) else ""
            out.append((start + f"{r.exact:13.6g} {r.mean:13.6g} {r.std_error:10.2g} {r.z:+8.2f}  {r.verdict:12}  {power}").rstrip())
        return "\n".join(out)
