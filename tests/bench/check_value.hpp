// SPDX-License-Identifier: MIT
#pragma once
#include <benchmark/benchmark.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <isserlis/formula/product_moments.hpp>
#include <isserlis/ring/rational.hpp>
#include <string>

namespace isserlis::bench {

/// Ends the program: a fast wrong answer is no answer.
inline void require(bool holds, char const* claim) {
    if (holds) return;
    std::fprintf(stderr, "isserlis_bench: not so: %s\n", claim);
    std::exit(1);
}

/// 2^61 - 1. Values are compared across languages by their residues modulo this prime.
inline Integer const& prime() {
    static Integer const value = power(Integer(2), 61) - 1;
    return value;
}

/// x modulo the prime, which does not divide the denominator.
inline Integer residue(Rational const& x) {
    Integer const inverse = powm(denominator_of(x), Integer(prime() - 2), prime());
    Integer const out = numerator_of(x) * inverse % prime();
    return out < 0 ? Integer(out + prime()) : out;
}

/// rho + 2 gamma + 3 nu + 4 tau + 5 eta, as a residue.
inline Integer residue(ProductMoments<Rational> const& m) {
    Integer sum = 0;
    int factor = 0;
    for (auto const* x : {&m.rho, &m.gamma, &m.nu, &m.tau, &m.eta}) sum += ++factor * residue(*x);
    return sum % prime();
}

/// What run.sh compares between us and the peers.
inline void set_check(benchmark::State& state, Integer const& value) { state.SetLabel(to_string(value)); }

}  // namespace isserlis::bench
