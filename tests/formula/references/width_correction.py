# SPDX-License-Identifier: MIT
"""The four-point vertex and the corrections of the kernel and of the mean tangent kernel of layer 4 by mpmath:
one-dimensional quadrature, derivatives of E sigma^2 and E sigma'^2 by the variance from finite differences. For
tests/formula/width_correction_test.cpp; a minute:
python3 width_correction.py > width_correction.txt"""

import mpmath as mp
from units import units

mp.mp.dps = 30
places = [-20, -10, -6, -3, -1, 0, 1, 3, 6, 10, 20]
w, b = mp.mpf(3) / 2, mp.mpf(1) / 4


def mean(f, variance):
    return mp.quad(lambda u: f(mp.sqrt(variance) * u) * mp.npdf(u), places)


def derivatives(f, variance):
    """The mean of f and two derivatives of it by the variance."""
    step = mp.mpf(10) ** -5
    values = [mean(f, variance + i * step) for i in (-2, -1, 0, 1, 2)]
    slope = (values[0] - 8 * values[1] + 8 * values[3] - values[4]) / (12 * step)
    bend = (-values[0] + 16 * values[1] - 30 * values[2] + 16 * values[3] - values[4]) / (12 * step**2)
    return values[2], slope, bend


for name, (unit, derivative) in units().items():
    kernel = tangent = w + b
    vertex = shift = tangent_shift = mixed = exchange = mp.mpf(0)
    for _ in range(3):
        g, g1, g2 = derivatives(lambda z: unit(z) ** 2, kernel)
        d, d1, d2 = derivatives(lambda z: derivative(z) ** 2, kernel)
        quartic = mean(lambda z: unit(z) ** 4, kernel)
        joint = mean(lambda z: unit(z) ** 2 * derivative(z) ** 2, kernel)
        # E Q H to first order, H the mean of the tangent kernel given Q: d(Q) H and what W shares with z.
        below = (vertex, shift, tangent_shift, mixed, exchange)
        shift = w * (g1 * below[1] + g2 * below[0] / 2)
        vertex = w**2 * (quartic - g**2) + (w * g1) ** 2 * below[0]
        gated = d * below[2] + d1 * below[3] + tangent * (d1 * below[1] + d2 * below[0] / 2)
        tangent_shift = shift + w * (gated + 2 * d1 * below[4])
        mixed = vertex + w**2 * (tangent * (joint - g * d) + g1 * (d * below[3] + tangent * d1 * below[0]))
        exchange = w**2 * (tangent * joint + g1**2 * below[4])
        kernel = w * g + b
        tangent = kernel + w * d * tangent
    print(name, mp.nstr(vertex, 14), mp.nstr(shift, 14), mp.nstr(tangent_shift, 14), flush=True)
