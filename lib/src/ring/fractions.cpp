// SPDX-License-Identifier: MIT
#include <isserlis/ring/fractions.hpp>

#include <isserlis/error.hpp>
#include <isserlis/ring/product_tree.hpp>
#include <map>

namespace isserlis {
namespace {

using KnownPower = KnownDenominator<Integer>::Power;

/// Up to here bases are cancelled one by one.
constexpr std::size_t few_bases = 8;

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

void require_positive(std::vector<KnownPower> const& denominator) {
    for (auto const& [base, exponent] : denominator) {
        if (base <= 0) {
            throw DomainError("Fractions: base of a denominator = " + to_string(base) +
                              "; a known denominator has positive bases");
        }
    }
}

/// Cancels a list of powers against x in place. Bases are split into primes where they are small; each prime and each
/// rest is cancelled once, however many powers have it, since x may be huge.
void cancel_powers(Integer& x, std::vector<KnownPower>& powers) {
    if (x.is_zero()) {  // which everything divides
        powers.clear();
        return;
    }
    std::map<Integer, std::uint64_t> bases;
    for (auto const& [base, exponent] : powers) bases[base] += exponent;
    std::map<unsigned long, std::uint64_t> primes;
    std::vector<KnownPower> rests;
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
    std::vector<KnownPower> left;
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

template <class E>
E multiplied_out(KnownDenominator<E> const& denominator) {
    std::vector<E> factors;
    for (auto const& [base, exponent] : denominator.powers()) factors.push_back(power(base, exponent));
    return product_tree(factors);
}

}  // namespace

std::pair<std::vector<Integer>, Integer> Fractions<Rational>::over_common(std::vector<Rational> const& values) {
    // By GMP's own functions: most denominators divide one another, and this is the inner loop of small queries.
    Integer common = 1;
    mpz_ptr const c = common.backend().data();
    for (auto const& x : values) {
        mpz_srcptr const d = mpq_denref(x.backend().data());
        if (mpz_divisible_p(c, d) == 0) mpz_lcm(c, c, d);
    }
    std::vector<Integer> out(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        mpz_ptr const n = out[i].backend().data();
        mpz_divexact(n, c, mpq_denref(values[i].backend().data()));
        mpz_mul(n, n, mpq_numref(values[i].backend().data()));
    }
    return {std::move(out), std::move(common)};
}

Rational Fractions<Rational>::divided(Integer numerator, Denominator const& denominator) {
    require_positive(denominator.powers());
    if (denominator.powers().size() > few_bases) return ratio(numerator, expanded(denominator));
    auto left = denominator.powers();
    cancel_powers(numerator, left);
    // In lowest terms already; mpq_canonicalize would take the gcd again.
    Integer const bottom = multiplied_out(Denominator(std::move(left)));
    Rational out;
    mpz_swap(mpq_numref(out.backend().data()), numerator.backend().data());
    mpz_set(mpq_denref(out.backend().data()), bottom.backend().data());
    return out;
}

void Fractions<Rational>::cancel(Integer& numerator, Denominator& denominator) {
    require_positive(denominator.powers());
    if (denominator.powers().size() > few_bases) return;
    auto left = denominator.powers();
    cancel_powers(numerator, left);
    denominator = Denominator(std::move(left));
}

Integer Fractions<Rational>::expanded(Denominator const& denominator) { return multiplied_out(denominator); }

std::pair<std::vector<Polynomial>, Polynomial> Fractions<RationalFunction>::over_common(
    std::vector<RationalFunction> const& values) {
    Polynomial common(1);
    std::vector<std::pair<Polynomial, Polynomial>> fractions;
    for (auto const& x : values) {
        fractions.push_back(x.merged().as_fraction());
        Polynomial const& d = fractions.back().second;
        if (!divide_exactly(common, d)) common = common * *divide_exactly(d, gcd(common, d));
    }
    std::vector<Polynomial> out;
    for (auto const& [n, d] : fractions) out.push_back(n * *divide_exactly(common, d));
    return {out, common};
}

RationalFunction Fractions<RationalFunction>::divided(Polynomial const& numerator, Denominator const& denominator) {
    RationalFunction out(numerator);
    for (auto const& [base, exponent] : denominator.powers()) out = out / power(RationalFunction(base), exponent);
    return out;
}

Polynomial Fractions<RationalFunction>::expanded(Denominator const& denominator) { return multiplied_out(denominator); }

std::pair<std::vector<ScaledDouble>, ScaledDouble> Fractions<double>::over_common(std::vector<double> const& values) {
    std::vector<ScaledDouble> out;
    for (double const x : values) out.emplace_back(x);
    return {out, ScaledDouble(1)};
}

double Fractions<double>::divided(ScaledDouble const& numerator, Denominator const& denominator) {
    ScaledDouble out = numerator;
    for (auto const& [base, exponent] : denominator.powers()) out = out / power(base, exponent);
    return out.value();
}

ScaledDouble Fractions<double>::expanded(Denominator const& denominator) { return multiplied_out(denominator); }

}  // namespace isserlis
