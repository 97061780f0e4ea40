# SPDX-License-Identifier: MIT
"""Units of the library and their derivatives, by mpmath at the precision that is set when they are asked for."""

import mpmath as mp


def units():
    half = mp.mpf(1) / 2
    alpha = 1 / mp.sqrt(2 * mp.pi) / (half - mp.sqrt(mp.e) * mp.ncdf(-1))
    second = half + alpha**2 * (mp.exp(2) * mp.ncdf(-2) - 2 * mp.exp(half) * mp.ncdf(-1) + half)
    scale = 1 / mp.sqrt(second)

    def logistic(z):
        return 1 / (1 + mp.exp(-z))

    return {
        "tanh": (mp.tanh, lambda z: 1 - mp.tanh(z) ** 2),
        "sigmoid": (logistic, lambda z: logistic(z) * logistic(-z)),
        "softplus": (lambda z: mp.log(1 + mp.exp(z)), logistic),
        "silu": (lambda z: z * logistic(z), lambda z: logistic(z) + z * logistic(z) * logistic(-z)),
        "gelu": (lambda z: z * mp.ncdf(z), lambda z: mp.ncdf(z) + z * mp.npdf(z)),
        "elu": (lambda z: z if z > 0 else mp.expm1(z), lambda z: mp.mpf(1) if z > 0 else mp.exp(z)),
        "selu": (
            lambda z: scale * z if z > 0 else scale * alpha * mp.expm1(z),
            lambda z: scale if z > 0 else scale * alpha * mp.exp(z),
        ),
        "erf": (mp.erf, lambda z: 2 / mp.sqrt(mp.pi) * mp.exp(-z * z)),
        "sin": (mp.sin, mp.cos),
        "cos": (mp.cos, lambda z: -mp.sin(z)),
    }
