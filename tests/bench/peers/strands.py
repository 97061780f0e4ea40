# SPDX-License-Identifier: MIT
"""T6 over Python's fractions: the strand recursion in its plainest form, all pairings and all label sets."""
from fractions import Fraction
from itertools import combinations

from measure import measure, residue

STIRLING = {1: [0, 1], 2: [0, 1, 1], 3: [0, 1, 3, 1], 4: [0, 1, 7, 6, 1]}


def pairings(items):
    if not items:
        yield ()
        return
    first, rest = items[0], items[1:]
    for k, other in enumerate(rest):
        for tail in pairings(rest[:k] + rest[k + 1:]):
            yield tuple(sorted(((first, other),) + tail))


def cycles(p, q, strands):
    mate = [dict(), dict()]
    for side, pairs in enumerate((p, q)):
        for a, b in pairs:
            mate[side][a], mate[side][b] = b, a
    seen, count = set(), 0
    for start in range(strands):
        if start in seen:
            continue
        count, at = count + 1, start
        while at not in seen:
            seen.add(at)
            at = mate[0][at]
            seen.add(at)
            at = mate[1][at]
    return count


def gate_sum(n, c):
    total, falling = Fraction(0), Fraction(1)
    for k in range(1, c + 1):
        falling *= n - k + 1
        total += STIRLING[c][k] * falling / 2**k
    return total


def choices(strands, labels, free):
    """Labels placed in a layer, and the pairing with them: a label forces its pair."""
    for size in range(len(free) + 1):
        for placed in combinations(free, size):
            forced = [labels[label] for label in placed]
            used = [s for pair in forced for s in pair]
            if len(set(used)) < len(used):
                continue
            for rest in pairings(tuple(s for s in range(strands) if s not in used)):
                yield placed, tuple(sorted(tuple(forced) + rest))


def expectation(widths, strands, labels):
    """Strands from one output; labels are the pairs of strands that carry them."""
    states = {(None, ()): Fraction(1)}
    for layer in range(len(widths) - 1, 0, -1):
        n, variance = widths[layer], Fraction(2, widths[layer - 1])
        below = {}
        for (above, done), value in states.items():
            free = [label for label in range(len(labels)) if label not in done]
            for placed, rows in choices(strands, labels, free):
                weight = Fraction(1) if above is None else gate_sum(n, cycles(above, rows, strands))
                key = (rows, tuple(sorted(done + placed)))
                term = value * weight * variance ** (strands // 2 - len(placed))
                below[key] = below.get(key, 0) + term
        states = below
    everything = tuple(range(len(labels)))
    return sum(value for (_, done), value in states.items() if done == everything)


measure("T6 4 strands", "depth:20", "Python Fraction",
        lambda: expectation([2] + [8] * 20 + [1], 4, [(0, 1), (0, 1)]), residue)
measure("T6 8 strands", "depth:2", "Python Fraction",
        lambda: expectation([2, 8, 8, 1], 8, [(0, 1), (0, 1), (4, 5), (4, 5)]), residue)
