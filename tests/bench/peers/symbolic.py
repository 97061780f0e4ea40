# SPDX-License-Identifier: MIT
"""T2 over sympy.ring, SymPy's sparse polynomials: rho at depth 100 in one symbol, or in three by turns.
usage: symbolic.py [SYMBOLS...]"""
import sys

import sympy

from measure import measure, residue


def rho(symbols):
    _, *widths = sympy.ring("n" if symbols == 1 else "a,b,c", sympy.QQ)
    rho_1 = sympy.QQ(9, 5)
    rho, gamma = widths[0].ring(rho_1), widths[0].ring(1)
    for r in range(99):
        m = widths[r % symbols]
        rho, gamma = m * rho_1 * rho + 3 * m * (m - 1) * gamma, m * rho + m * (m - 1) * gamma
    return rho


for symbols in map(int, sys.argv[1:] or (1, 3)):
    at = [2, 3, 5][:symbols]
    measure(
        "T2 rho expanded",
        f"symbols:{symbols}",
        "sympy.ring (gmpy2)" if sympy.external.gmpy.HAS_GMPY else "sympy.ring",
        lambda: rho(symbols),
        lambda p: residue(p.evaluate(list(zip(p.ring.gens, at)))),
    )
