// SPDX-License-Identifier: MIT
#include "ring/word_fraction.hpp"

#include <isserlis/ring/fractions.hpp>

namespace isserlis {

WordFraction::WordFraction(Rational const& x) {
    mpz_srcptr const n = mpq_numref(x.backend().data());
    mpz_srcptr const d = mpq_denref(x.backend().data());
    if (mpz_fits_slong_p(n) != 0 && mpz_fits_slong_p(d) != 0 && mpz_get_si(n) != lowest) {
        numerator_ = mpz_get_si(n);
        denominator_ = mpz_get_si(d);
    } else {
        large_ = x;
    }
}

Rational WordFraction::to_rational() const {
    if (large_) return *large_;
    Rational out;
    mpq_set_si(out.backend().data(), numerator_, static_cast<unsigned long>(denominator_));
    return out;
}

WordFraction WordFraction::slow_product(WordFraction const& a, WordFraction const& b) {
    return WordFraction(Rational(a.to_rational() * b.to_rational()));
}

WordFraction WordFraction::slow_quotient(WordFraction const& a, WordFraction const& b) {
    return WordFraction(quotient(a.to_rational(), b.to_rational()));
}

WordFraction WordFraction::slow_sum(WordFraction const& a, WordFraction const& b) {
    return WordFraction(Rational(a.to_rational() + b.to_rational()));
}

WordFraction power(WordFraction base, std::uint64_t exponent) {
    WordFraction out(1);
    for (; exponent != 0; exponent /= 2) {
        if (exponent % 2 == 1) out = out * base;
        if (exponent > 1) base = base * base;
    }
    return out;
}

std::pair<std::vector<Integer>, Integer> over_common(std::vector<WordFraction> const& values) {
    std::int64_t common = 1;
    bool fits = true;
    for (auto const& x : values) {
        fits = fits && !x.large_ &&
               !__builtin_mul_overflow(common, x.denominator_ / std::gcd(common, x.denominator_), &common);
    }
    if (!fits) {
        std::vector<Rational> fractions;
        for (auto const& x : values) fractions.push_back(x.to_rational());
        return Fractions<Rational>::over_common(fractions);
    }
    std::vector<Integer> out(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        mpz_ptr const n = out[i].backend().data();
        mpz_set_si(n, values[i].numerator_);
        mpz_mul_si(n, n, common / values[i].denominator_);
    }
    return {std::move(out), Integer(common)};
}

}  // namespace isserlis
