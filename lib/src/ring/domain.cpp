// SPDX-License-Identifier: MIT
#include <isserlis/error.hpp>
#include <isserlis/ring/domain.hpp>
#include <isserlis/ring/power.hpp>
#include <isserlis/ring/product_tree.hpp>

namespace isserlis {
namespace {

/// Divides numerator and p^times by what they share, and returns what is left of p^times.
Integer cancel_prime(Integer& numerator, unsigned long p, std::uint64_t times) {
    if (mpz_divisible_ui_p(numerator.backend().data(), p) == 0) return power(Integer(p), times);
    Integer const prime = p;
    Integer rest;
    std::uint64_t const found = mpz_remove(rest.backend().data(), numerator.backend().data(), prime.backend().data());
    if (found <= times) {
        numerator = rest;
        return power(prime, times - found);
    }
    numerator = rest * power(prime, found - times);
    return 1;
}

constexpr unsigned long largest_trial_prime = 1000;

}  // namespace

Rational Domain<Rational>::finish(Integer numerator, std::vector<DenominatorPower<Integer>> const& denominator) {
    if (numerator.is_zero()) return 0;
    std::vector<Integer> left;   // of small primes: coprime to the numerator by now
    std::vector<Integer> rough;  // of large ones
    for (auto const& [base, exponent] : denominator) {
        Integer n = base;
        for (unsigned long p = 2; p < largest_trial_prime && n > 1; p += (p == 2 ? 1 : 2)) {
            std::uint64_t times = 0;
            while (mpz_divisible_ui_p(n.backend().data(), p) != 0) {
                mpz_divexact_ui(n.backend().data(), n.backend().data(), p);
                ++times;
            }
            if (times > 0) left.push_back(cancel_prime(numerator, p, times * exponent));
        }
        if (n > 1) rough.push_back(power(n, exponent));
    }
    Integer const small = product_tree(left);
    Integer large = product_tree(rough);
    if (large != 1) {
        Integer const g = gcd(numerator, large);
        numerator /= g;
        large /= g;
    }
    Integer const bottom = small * large;
    // In lowest terms already; mpq_canonicalize would take the gcd again.
    Rational out;
    mpz_set(mpq_numref(out.backend().data()), numerator.backend().data());
    mpz_set(mpq_denref(out.backend().data()), bottom.backend().data());
    return out;
}

RationalFunction Domain<RationalFunction>::finish(Polynomial const& numerator,
                                                  std::vector<DenominatorPower<Polynomial>> const& denominator) {
    RationalFunction out(numerator);
    for (auto const& [base, exponent] : denominator) out = out / power(RationalFunction(base), exponent);
    return out;
}

double Domain<double>::finish(ScaledDouble const& numerator,
                              std::vector<DenominatorPower<ScaledDouble>> const& denominator) {
    ScaledDouble out = numerator;
    for (auto const& [base, exponent] : denominator) out = out / power(base, exponent);
    return out.value();
}

}  // namespace isserlis
