# SPDX-License-Identifier: MIT
"""Two inputs of smooth units to order 1/n behind three hidden layers: Gauss-Legendre sums over the plane of (u, v), panels
that end at 0, derivatives by the covariance as derivatives of the Gaussian density. For
tests/formula/pair_correction_test.cpp; twelve digits or so, some seconds: python3 pair_correction.py > pair_correction.txt"""

import mpmath as mp
import numpy as np
from units import units

w, b = 1.5, 0.25
gram = (1.0, 0.25, 1.5)  # x.x, x.y and y.y over n_0
relative_widths = (1.0, 2.0, 0.5)
nodes, weights = np.polynomial.legendre.leggauss(24)


def axis(deviation):
    edges = deviation * np.linspace(0, 10, 15)
    places = np.concatenate([(q - p) / 2 * nodes + (p + q) / 2 for p, q in zip(edges, edges[1:])])
    steps = np.concatenate([(q - p) / 2 * weights for p, q in zip(edges, edges[1:])])
    return np.concatenate([-places[::-1], places]), np.concatenate([steps[::-1], steps])


class Pair:
    """Sums over the density of covariance (a, c, b), and over its derivatives by u and v."""

    def __init__(self, unit, derivative, a, c, d):
        u, self.du = axis(np.sqrt(a))
        v, self.dv = axis(np.sqrt(d))
        at = np.vectorize(lambda f, x: float(f(mp.mpf(x))))
        self.s = [at(unit, u), at(unit, v)]
        self.t = [at(derivative, u), at(derivative, v)]
        det = a * d - c * c
        uu, uv, vv = d / det, -c / det, a / det
        x, y = u[:, None], v[None, :]
        density = np.exp(-(uu * x * x + 2 * uv * x * y + vv * y * y) / 2) / (2 * np.pi * np.sqrt(det))
        d0 = {(0, 0): density * self.du[:, None] * self.dv[None, :]}
        zero = np.zeros_like(density)
        for total in range(1, 5):
            for i in range(total + 1):
                j = total - i
                if i > 0:  # the derivative by u of that of order i - 1
                    d0[i, j] = (
                        -(uu * x + uv * y) * d0[i - 1, j]
                        - (i - 1) * uu * d0.get((i - 2, j), zero)
                        - j * uv * d0.get((i - 1, j - 1), zero)
                    )
                else:
                    d0[i, j] = -(uv * x + vv * y) * d0[i, j - 1] - (j - 1) * vv * d0.get((i, j - 2), zero)
        self.d = d0

    def mean(self, f, g, i=0, j=0):
        return f @ self.d[i, j] @ g

    def slopes(self, f, g):
        return np.array([self.mean(f, g, 2, 0) / 2, self.mean(f, g, 1, 1), self.mean(f, g, 0, 2) / 2])

    def bends(self, f, g):
        one, two, three = self.mean(f, g, 4, 0) / 4, self.mean(f, g, 3, 1) / 2, self.mean(f, g, 2, 2) / 4
        four, five = self.mean(f, g, 1, 3) / 2, self.mean(f, g, 0, 4) / 4
        return np.array([[one, two, three], [two, 4 * three, four], [three, four, five]])


def rows(unit, derivative):
    K = w * np.array(gram) + b
    theta = K[1]
    V, D, F, G, T = np.zeros((3, 3)), np.zeros(3), np.zeros((2, 2)), np.zeros(3), 0.0
    for r in relative_widths:
        p = Pair(unit, derivative, *K)
        (su, sv), (tu, tv) = p.s, p.t  # sigma and sigma' at u and at v
        one_u, one_v = np.ones_like(su), np.ones_like(sv)
        sides = [(su * su, one_v), (su, sv), (one_u, sv * sv)]
        squares = np.array([p.mean(f, g) for f, g in sides])
        C = np.array([[p.mean(f * h, g * k) for h, k in sides] for f, g in sides]) - np.outer(squares, squares)
        gated = np.array([p.mean(f * tu, g * tv) for f, g in sides])
        M = w * np.array([p.slopes(f, g) for f, g in sides])
        MKK = w * np.array([p.bends(f, g) for f, g in sides])
        f0, fK, fKK = p.mean(tu, tv), p.slopes(tu, tv), p.bends(tu, tv)
        newV = w * w * C / r + M @ V @ M.T
        newG = M @ G + np.einsum("ijk,jk->i", MKK, V) / 2
        newT = newG[1] + w * (f0 * T + fK @ (D + theta * G) + theta * np.sum(fKK * V) / 2)
        newT += w * (2 * fK[0] * F[0, 0] + fK[1] * (F[0, 1] + F[1, 0]) + 2 * fK[2] * F[1, 1])
        newD = newV[1] + w * w * theta * (gated - f0 * squares) / r + M @ (w * f0 * D + w * theta * V @ fK)
        # by parts in the weights of one neuron: the means of d/du and d/dv of sigma(u) sigma'(u), sigma(v) sigma'(u)
        left = np.array([[M[0, 0], 0], [2 * M[1, 0], M[1, 1]]])
        right = np.array([[M[1, 1], 2 * M[1, 2]], [0, M[2, 2]]])
        newF = w * w * theta * np.array([[gated[0], gated[1]], [gated[1], gated[2]]]) / r + left @ F @ right.T
        theta = w * squares[1] + b + w * f0 * theta
        K = w * squares + b
        V, G, T, D, F = newV, newG, newT, newD, newF
    return [V[0, 0], V[0, 1], V[0, 2], V[1, 1], V[1, 2], V[2, 2], G[0], G[1], G[2], T]


if __name__ == "__main__":
    mp.mp.dps = 17
    for name, (unit, derivative) in units().items():
        print(name, *(f"{x:.13g}" for x in rows(unit, derivative)), flush=True)
