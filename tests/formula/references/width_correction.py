# SPDX-License-Identifier: MIT
"""The four-point vertex and the correction of the kernel of layer 4 by mpmath: one-dimensional quadrature, derivatives of
E sigma^2 by the variance from finite differences. For tests/formula/width_correction_test.cpp; a minute:
python3 width_correction.py > width_correction.txt"""

import mpmath as mp

mp.mp.dps = 30


def logistic(z):
    return 1 / (1 + mp.exp(-z))


half = mp.mpf(1) / 2
alpha = 1 / mp.sqrt(2 * mp.pi) / (half - mp.sqrt(mp.e) * mp.ncdf(-1))
scale = 1 / mp.sqrt(half + alpha**2 * (mp.exp(2) * mp.ncdf(-2) - 2 * mp.exp(half) * mp.ncdf(-1) + half))
units = {
    "tanh": mp.tanh,
    "sigmoid": logistic,
    "softplus": lambda z: mp.log(1 + mp.exp(z)),
    "silu": lambda z: z * logistic(z),
    "gelu": lambda z: z * mp.ncdf(z),
    "elu": lambda z: z if z > 0 else mp.expm1(z),
    "selu": lambda z: scale * z if z > 0 else scale * alpha * mp.expm1(z),
    "erf": mp.erf,
    "sin": mp.sin,
    "cos": mp.cos,
}
places = [-20, -10, -6, -3, -1, 0, 1, 3, 6, 10, 20]
w, b = mp.mpf(3) / 2, mp.mpf(1) / 4


def mean(f, variance):
    return mp.quad(lambda u: f(mp.sqrt(variance) * u) * mp.npdf(u), places)


for name, unit in units.items():
    kernel, vertex, shift = w + b, mp.mpf(0), mp.mpf(0)
    for _ in range(3):
        square = lambda k: mean(lambda z: unit(z) ** 2, k)
        step = mp.mpf(10) ** -5
        values = [square(kernel + i * step) for i in (-2, -1, 0, 1, 2)]
        slope = (values[0] - 8 * values[1] + 8 * values[3] - values[4]) / (12 * step)
        bend = (-values[0] + 16 * values[1] - 30 * values[2] + 16 * values[3] - values[4]) / (12 * step**2)
        spread = mean(lambda z: unit(z) ** 4, kernel) - values[2] ** 2
        shift = w * (slope * shift + bend * vertex / 2)
        vertex = w**2 * spread + (w * slope) ** 2 * vertex
        kernel = w * values[2] + b
    print(name, mp.nstr(vertex, 14), mp.nstr(shift, 14), flush=True)
