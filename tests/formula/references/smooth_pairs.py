# SPDX-License-Identifier: MIT
"""E sigma(u) sigma(v) and E sigma'(u) sigma'(v) at E u^2 = 2.1, E uv = 1.1, E v^2 = 3.1 by mpmath's Gauss-Legendre
quadrature over the plane, for tests/formula/smooth_pairs_test.cpp. Two minutes:
python3 smooth_pairs.py > smooth_pairs.txt"""

import mpmath as mp
from units import units

mp.mp.dps = 25


def mean(f, a, c, b, has_corner):
    along, across = mp.sqrt(a), mp.sqrt(b - c * c / a)

    def inner(x):
        middle = c / along * x
        places = [-12, -6, -3, 0, 3, 6, 12]
        if has_corner:
            corner = -middle / across
            ends = [-12, corner, 12] if -12 < corner < 12 else [-12, 12]
            places = [p + (q - p) * j / mp.mpf(3) for p, q in zip(ends, ends[1:]) for j in range(3)] + [ends[-1]]
        values = mp.quad(lambda y: f(middle + across * y) * mp.npdf(y), places, maxdegree=5, method="gauss-legendre")
        return f(along * x) * mp.npdf(x) * values

    return mp.quad(inner, [-12, -6, -3, 0, 3, 6, 12], maxdegree=5, method="gauss-legendre")


for name, (value, derivative) in units().items():
    if name in ("erf", "sin", "cos"):  # in closed form
        continue
    numbers = [mp.mpf(tenths) / 10 for tenths in (21, 11, 31)]
    corner = name in ("elu", "selu")
    print(name, *(mp.nstr(mean(f, *numbers, corner), 18) for f in (value, derivative)), flush=True)
