// SPDX-License-Identifier: MIT
#include <isserlis/error.hpp>
#include <isserlis/ring/domain.hpp>
#include <isserlis/ring/power.hpp>
#include <isserlis/ring/product_tree.hpp>
#include <map>

namespace isserlis {
namespace {

/// Divides x by p as often as it goes, and says how often. Divisors double in size, which keeps the cost quasi-linear;
/// mpz_remove is quadratic in the number of times.
std::uint64_t remove_all(Integer& x, unsigned long p) {
    std::vector<Integer> powers{Integer(p)};  // p^(2^i)
    auto divide = [&x](Integer const& d) {
        if (mpz_divisible_p(x.backend().data(), d.backend().data()) == 0) return false;
        mpz_divexact(x.backend().data(), x.backend().data(), d.backend().data());
        return true;
    };
    std::uint64_t times = 0;
    while (divide(powers.back())) {
        times += std::uint64_t{1} << (powers.size() - 1);
        powers.push_back(powers.back() * powers.back());
    }
    for (std::size_t i = powers.size() - 1; i-- > 0;) {
        if (divide(powers[i])) times += std::uint64_t{1} << i;
    }
    return times;
}

/// Divides x and p^times by what they share; what is left of `times` is returned.
std::uint64_t cancel_prime(Integer& x, unsigned long p, std::uint64_t times) {
    if (times == 0 || mpz_divisible_ui_p(x.backend().data(), p) == 0) return times;
    if (times <= 64) {
        // Few to cancel, however many there are.
        do {
            mpz_divexact_ui(x.backend().data(), x.backend().data(), p);
        } while (--times > 0 && mpz_divisible_ui_p(x.backend().data(), p) != 0);
        return times;
    }
    std::uint64_t const found = remove_all(x, p);
    if (found > times) x *= power(Integer(p), found - times);
    return found <= times ? times - found : 0;
}

void require_positive(std::vector<DenominatorPower<Integer>> const& denominator) {
    for (auto const& [base, exponent] : denominator) {
        if (base <= 0) {
            throw DomainError("Domain: base of a denominator = " + to_string(base) +
                              "; a known denominator has positive bases");
        }
    }
}

/// Cancels a list of powers against x in place. Bases are split into primes where they are small; each prime and each
/// rest is cancelled once, however many powers have it, since x may be huge.
void cancel(Integer& x, std::vector<DenominatorPower<Integer>>& powers) {
    if (x.is_zero()) {  // which everything divides
        powers.clear();
        return;
    }
    std::map<Integer, std::uint64_t> bases;
    for (auto const& [base, exponent] : powers) bases[base] += exponent;
    std::map<unsigned long, std::uint64_t> primes;
    std::vector<DenominatorPower<Integer>> rests;
    for (auto const& [base, exponent] : bases) {
        Integer n = base;
        for (unsigned long p = 2; p < largest_trial_prime && n > 1; p += (p == 2 ? 1 : 2)) {
            while (mpz_divisible_ui_p(n.backend().data(), p) != 0) {
                mpz_divexact_ui(n.backend().data(), n.backend().data(), p);
                primes[p] += exponent;
            }
        }
        if (n > 1) rests.push_back({.base = n, .exponent = exponent});
    }
    std::vector<DenominatorPower<Integer>> left;
    for (auto const& [p, times] : primes) {
        std::uint64_t const rest = cancel_prime(x, p, times);
        if (rest > 0) left.push_back({.base = Integer(p), .exponent = rest});
    }
    for (auto const& [n, exponent] : rests) {
        Integer whole = power(n, exponent);
        Integer const g = gcd(x, whole);
        x /= g;
        whole /= g;
        if (whole > 1) left.push_back({.base = whole, .exponent = 1});
    }
    powers = std::move(left);
}

}  // namespace

KnownFraction<Integer> Domain<Rational>::reduced(Integer numerator, Powers const& denominator) {
    require_positive(denominator);
    KnownFraction<Integer> out{.numerator = std::move(numerator), .denominator = denominator};
    cancel(out.numerator, out.denominator);
    return out;
}

Rational Domain<Rational>::finish(KnownFraction<Integer> const& common, Integer numerator, Powers const& denominator) {
    require_positive(denominator);
    if (numerator.is_zero() || common.numerator.is_zero()) return 0;
    // common.numerator is coprime to common.denominator already; only the new parts can share something.
    Powers first = common.denominator;
    cancel(numerator, first);
    Powers second = denominator;
    Integer top = common.numerator * numerator;
    cancel(top, second);
    std::vector<Integer> bottom;
    for (auto const& powers : {first, second}) {
        for (auto const& [base, exponent] : powers) bottom.push_back(power(base, exponent));
    }
    Integer const q = product_tree(bottom);
    // In lowest terms already; mpq_canonicalize would take the gcd again.
    Rational out;
    mpz_swap(mpq_numref(out.backend().data()), top.backend().data());
    mpz_set(mpq_denref(out.backend().data()), q.backend().data());
    return out;
}

RationalFunction Domain<RationalFunction>::finish(KnownFraction<Polynomial> const& common, Polynomial const& numerator,
                                                  Powers const& denominator) {
    RationalFunction out(common.numerator * numerator);
    for (auto const& powers : {common.denominator, denominator}) {
        for (auto const& [base, exponent] : powers) out = out / power(RationalFunction(base), exponent);
    }
    return out;
}

double Domain<double>::finish(KnownFraction<ScaledDouble> const& common, ScaledDouble numerator,
                              Powers const& denominator) {
    ScaledDouble out = common.numerator * numerator;
    for (auto const& powers : {common.denominator, denominator}) {
        for (auto const& [base, exponent] : powers) out = out / power(base, exponent);
    }
    return out.value();
}

}  // namespace isserlis
