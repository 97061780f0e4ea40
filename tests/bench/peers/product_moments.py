# SPDX-License-Identifier: MIT
"""T1 over Python's fractions: the recursion of Lemma A.6 as printed."""
from fractions import Fraction

from measure import PRIME, measure, residue


def width(r):
    return 2 + (31 * r * r + 17 * r + 7) % 999


def moments(depth):
    rho_1 = Fraction(9, 5)
    rho, gamma, nu, tau, eta = rho_1, Fraction(1), Fraction(1), Fraction(1), Fraction(0)
    for r in range(1, depth):
        m = width(r)
        mm = m * (m - 1)
        rho, gamma, nu, tau, eta = (
            m * rho_1 * rho + 3 * mm * gamma,
            m * rho + mm * gamma,
            m * rho_1 * nu + mm * tau + 2 * mm * eta,
            m * nu + mm * tau,
            m * nu + mm * eta,
        )
    return rho, gamma, nu, tau, eta


def check(values):
    return sum(i * residue(x) for i, x in enumerate(values, 1)) % PRIME


for depth in (10, 100, 1000):
    measure("T1", f"depth:{depth}", "Python Fraction", lambda: moments(depth), check)
