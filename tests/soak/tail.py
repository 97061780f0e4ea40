#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How often a quantity's margins would pass 1, by the law of the largest of them.

    python3 tests/soak/tail.py FILE...      rates of what verdicts.py --keep FILE kept, runs of several seeds together
    python3 tests/soak/tail.py --simulate   what such an estimate can tell: its values for laws whose rate is known

The margin of a verdict is its gap over the least one that is a false alarm. The largest of them are fitted by maximum
likelihood, all others being known to be smaller: P(margin > x) = 2 Phi(-y(x)), where y is b x, the
normal law of any spread, as a mean of many samples has it, or, where Bayes' information criterion prefers that,
a + b (x^p - 1)/p, which is the lognormal tail for p = 0. The rate is 2 Phi(-y(1)).
"""
import argparse
import collections
import json
import math
import pathlib
import random
import statistics
import sys

FEWEST = 1000  # margins that a law is fitted to
SHARE, MOST = 0.05, 1000  # of the largest
POWERS = (-0.5, -0.25, 0, 0.25, 0.5, 0.75, 1)
GOLDEN = (math.sqrt(5) - 1) / 2


def highest(function, low, high):
    """Where a function of one hump is largest, and its value there."""
    left, right = high - GOLDEN * (high - low), low + GOLDEN * (high - low)
    at_left, at_right = function(left), function(right)
    for _ in range(40):
        if at_left[0] < at_right[0]:
            low, left, at_left = left, right, at_right
            right = low + GOLDEN * (high - low)
            at_right = function(right)
        else:
            high, right, at_right = right, left, at_left
            left = high - GOLDEN * (high - low)
            at_left = function(left)
    return max(at_left, at_right)


def two_sided(y):
    return math.erfc(y / math.sqrt(2))


def rate(margins):
    """The probability of a margin above 1."""
    count = len(margins)
    kept = sorted((m for m in margins if m > 0), reverse=True)[:min(MOST, math.ceil(SHARE * count))]
    if len(set(kept)) < 5:
        return 0.0 if max(margins) < 0.5 else math.nan
    k, below = len(kept), count - len(kept)
    expected = statistics.NormalDist().inv_cdf(1 - k / count / 2)  # y at the smallest that is kept
    logs = sum(map(math.log, kept))

    def fitted(power, through_zero):
        of = math.log if power == 0 else lambda x: (x**power - 1) / power
        ts = [of(x) for x in kept]
        first, second = sum(ts), sum(t * t for t in ts)

        def likelihood(start, slope):
            """And y(1), which is `start`."""
            smallest = start + slope * ts[-1]
            if smallest <= 0:
                return -math.inf, start
            squares = k * start**2 + 2 * start * slope * first + slope**2 * second
            return (k * math.log(slope) + (power - 1) * logs - squares / 2
                    + below * math.log1p(-min(two_sided(smallest), 1 - 1e-16)), start)

        if through_zero:
            middle = math.log(expected / kept[-1])
            return highest(lambda b: likelihood(math.exp(b), math.exp(b)), middle - 2, middle + 2)
        middle = -math.log(ts[0] - ts[-1])

        def best_start(log_slope):
            slope = math.exp(log_slope)
            return highest(lambda y: likelihood(y - slope * ts[-1], slope), 0.2 * expected, 2 * expected)
        return highest(best_start, middle - 5, middle + 3)

    normal, start = fitted(1, True)
    other, other_start = max(fitted(power, False) for power in POWERS)
    if other - normal > math.log(k):  # Bayes' information criterion, of two more parameters
        start = other_start
    return two_sided(start)


def print_rates(margins, bounds):
    """Of each quantity the largest rate of its rows: `margins` has those of (network, N, quantity, index), and `bounds` a
    rate that is proved, of some; the lesser of the two counts."""
    worst, verdicts = {}, collections.Counter()
    for key, found in margins.items():
        line, n, name, index = key
        verdicts[name] += len(found)
        if len(found) >= FEWEST:
            estimate = min(bounds[key], rate(found)) if key in bounds else rate(found)
            worst[name] = max(worst.get(name, (-1,)), (estimate, max(found), f"{line} --check {n}: {index}"))
    print(f"\n{'quantity':34} {'verdicts':>9} {'rate':>9} {'margin':>7}  where the rate is largest")
    for name in sorted(verdicts):
        if name not in worst:
            print(f"{name:34} {verdicts[name]:9} {'':>9} {'':>7}  fewer than {FEWEST} of each network")
            continue
        estimate, largest, where = worst[name]
        shown = "<1e-9" if estimate < 1e-9 else f"{estimate:.1e}"
        print(f"{name:34} {verdicts[name]:9} {shown:>9} {largest:7.2f}  {where}")
    rates = [w[0] for w in worst.values()]
    if rates:
        print(f"largest rate {max(rates):.1e}, {sum(r < 1e-6 for r in rates)} of {len(rates)} quantities below 1e-6; "
              f"{len(bounds)} of {len(margins)} rows have the bound of any law")


def simulate():
    """Estimates from 10,000 margins of laws with a known rate, each 200 times."""
    source = random.Random(1)
    log_normal = math.exp(statistics.NormalDist(0, 0.5).inv_cdf(1 - 2.9e-6))
    exponential = -math.log(1e-5)
    laws = [
        ("normal, 5 errors", 5.7e-7, lambda: abs(source.gauss(0, 1)) / 5),
        ("normal, 4.4 errors", two_sided(4.4), lambda: abs(source.gauss(0, 1)) / 4.4),
        ("normal, 4 errors", two_sided(4), lambda: abs(source.gauss(0, 1)) / 4),
        ("lognormal", 2.9e-6, lambda: source.lognormvariate(0, 0.5) / log_normal),
        ("exponential", 1e-5, lambda: source.expovariate(1) / exponential),
    ]
    print(f"{'law':20} {'rate':>8} {'lower 5 %':>10} {'median':>8} {'upper 5 %':>10} {'below 1e-6':>11}")
    for name, truth, draw in laws:
        found = sorted(rate([draw() for _ in range(10000)]) for _ in range(200))
        print(f"{name:20} {truth:8.1e} {found[10]:10.1e} {found[100]:8.1e} {found[189]:10.1e} "
              f"{sum(r < 1e-6 for r in found) / 200:11.0%}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    parser.add_argument("--simulate", action="store_true")
    options = parser.parse_args()
    if options.simulate == bool(options.files):
        parser.error("either files or --simulate")
    if options.simulate:
        simulate()
        return 0
    margins, bounds = collections.defaultdict(list), {}
    for file in options.files:
        for *key, bound, found in json.loads(file.read_text()):
            margins[tuple(key)] += found
            if bound is not None:
                bounds[tuple(key)] = bound
    print_rates(margins, bounds)
    return 0


if __name__ == "__main__":
    sys.exit(main())
