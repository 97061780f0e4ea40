#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes units.txt: smooth units and their derivatives to 400 bits, rounded to double. Needs mpmath.

usage: units.py > units.txt
"""
import mpmath
from mpmath import mp, mpf

mp.prec = 400

sizes = [1e-300, 1e-20, 1e-8, 1e-3, 0.1, 0.3, 0.5, 0.9, 1.0, 1.1, 1.5, 2.0, 3.0, 4.5, 6.0, 8.0, 10.0, 14.0, 19.9, 20.0,
         20.1, 25.0, 30.0, 36.0, 37.5, 50.0, 100.0, 300.0, 600.0, 700.0, 1e4, 1e10, 1e100]


def sigmoid(z):
    return 1 / (1 + mpmath.exp(-z))


def normal(z):
    return mpmath.erfc(-z / mpmath.sqrt(2)) / 2


def density(z):
    return mpmath.exp(-z * z / 2) / mpmath.sqrt(2 * mp.pi)


def elu(alpha, scale):
    def jet(z):
        if z > 0:
            return scale * z, scale, mpf(0)
        return scale * alpha * mpmath.expm1(z), scale * alpha * mpmath.exp(z), scale * alpha * mpmath.exp(z)
    return jet


def sech2(z):
    return 1 / mpmath.cosh(z) ** 2


# The fixed point of [Klambauer 2017], from its closed form.
root = mpmath.sqrt(2)
alpha = -root / mpmath.sqrt(mp.pi) / (mpmath.exp(mpf(1) / 2) * mpmath.erfc(1 / root) - 1)
scale = ((1 - mpmath.erfc(1 / root) * mpmath.sqrt(mp.e)) * mpmath.sqrt(2 * mp.pi) *
         (2 * mpmath.erfc(root) * mp.e ** 2 + mp.pi * mpmath.erfc(1 / root) ** 2 * mp.e
          - 2 * (2 + mp.pi) * mpmath.erfc(1 / root) * mpmath.sqrt(mp.e) + mp.pi + 2) ** mpf(-0.5))

units = {
    'sigmoid': lambda z: (sigmoid(z), sigmoid(z) * sigmoid(-z), -sigmoid(z) * sigmoid(-z) * mpmath.tanh(z / 2)),
    'tanh': lambda z: (mpmath.tanh(z), sech2(z), -2 * mpmath.tanh(z) * sech2(z)),
    'arctan': lambda z: (mpmath.atan(z), 1 / (1 + z * z), -2 * z / (1 + z * z) ** 2),
    'softsign': lambda z: (z / (1 + abs(z)), 1 / (1 + abs(z)) ** 2, -2 * mpmath.sign(z) / (1 + abs(z)) ** 3),
    'softplus': lambda z: (z + mpmath.log1p(mpmath.exp(-z)) if z > 0 else mpmath.log1p(mpmath.exp(z)), sigmoid(z),
                           sigmoid(z) * sigmoid(-z)),
    'elu': elu(mpf(0.7), mpf(1)),
    'selu': elu(alpha, scale),
    'swish': lambda z: (z * sigmoid(z), sigmoid(z) * (1 + z * sigmoid(-z)),
                        sigmoid(z) * sigmoid(-z) * (2 - z * mpmath.tanh(z / 2))),
    'gelu': lambda z: (z * normal(z), normal(z) + z * density(z), density(z) * (2 - z * z)),
    'erf': lambda z: (mpmath.erf(z), 2 * density(root * z) * root, -4 * z * density(root * z) * root),
    'sin': lambda z: (mpmath.sin(z), mpmath.cos(z), -mpmath.sin(z)),
    'cos': lambda z: (mpmath.cos(z), -mpmath.sin(z), -mpmath.cos(z)),
}

for name, jet in units.items():
    for size in sizes:
        for z in (-size, size):
            values = [float(x) for x in jet(mpf(z))]
            print(name, repr(z), *(repr(x) for x in values))
