// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/ring/rational.hpp>

#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

namespace isserlis {

/// A rational number, in two machine words where it fits there: sums and products of small fractions take no memory.
/// Where it does not fit it is a `Rational`.
class WordFraction {
public:
    explicit WordFraction(std::int64_t whole = 0) {
        if (whole == lowest)
            large_ = Rational(whole);
        else
            numerator_ = whole;
    }
    explicit WordFraction(Rational const& x);

    [[nodiscard]] Rational to_rational() const;

    friend WordFraction operator*(WordFraction const& a, WordFraction const& b) {
        if (a.large_ || b.large_) return slow_product(a, b);
        // Each numerator shares factors with the other denominator only.
        std::int64_t const left = std::gcd(a.numerator_, b.denominator_);
        std::int64_t const right = std::gcd(b.numerator_, a.denominator_);
        WordFraction out;
        if (__builtin_mul_overflow(a.numerator_ / left, b.numerator_ / right, &out.numerator_) ||
            out.numerator_ == lowest ||
            __builtin_mul_overflow(a.denominator_ / right, b.denominator_ / left, &out.denominator_))
            return slow_product(a, b);
        return out;
    }
    friend WordFraction operator+(WordFraction const& a, WordFraction const& b) {
        if (a.large_ || b.large_) return slow_sum(a, b);
        std::int64_t const shared = std::gcd(a.denominator_, b.denominator_);
        std::int64_t const beyond = b.denominator_ / shared;
        WordFraction out;
        std::int64_t left = 0;
        std::int64_t right = 0;
        if (__builtin_mul_overflow(a.numerator_, beyond, &left) ||
            __builtin_mul_overflow(b.numerator_, a.denominator_ / shared, &right) ||
            __builtin_add_overflow(left, right, &out.numerator_) || out.numerator_ == lowest ||
            __builtin_mul_overflow(a.denominator_, beyond, &out.denominator_))
            return slow_sum(a, b);
        std::int64_t const common = std::gcd(out.numerator_, out.denominator_);
        out.numerator_ /= common;
        out.denominator_ /= common;
        return out;
    }
    friend WordFraction operator-(WordFraction const& a, WordFraction const& b) { return a + WordFraction(-1) * b; }
    /// Errors  DomainError when b is 0.
    friend WordFraction operator/(WordFraction const& a, WordFraction const& b) {
        if (b.large_ || b.numerator_ == 0) return slow_quotient(a, b);
        WordFraction reciprocal;
        reciprocal.numerator_ = b.numerator_ < 0 ? -b.denominator_ : b.denominator_;
        reciprocal.denominator_ = b.numerator_ < 0 ? -b.numerator_ : b.numerator_;
        return a * reciprocal;
    }
    friend bool operator==(WordFraction const& a, WordFraction const& b) {
        if (a.large_ || b.large_) return a.to_rational() == b.to_rational();
        return a.numerator_ == b.numerator_ && a.denominator_ == b.denominator_;
    }
    friend WordFraction power(WordFraction base, std::uint64_t exponent);
    /// Numerators over the least common denominator, which is last.
    friend std::pair<std::vector<Integer>, Integer> over_common(std::vector<WordFraction> const& values);

private:
    static constexpr std::int64_t lowest = std::numeric_limits<std::int64_t>::min();  ///< has no negative

    static WordFraction slow_product(WordFraction const& a, WordFraction const& b);
    static WordFraction slow_quotient(WordFraction const& a, WordFraction const& b);
    static WordFraction slow_sum(WordFraction const& a, WordFraction const& b);

    std::int64_t numerator_ = 0;     ///< in lowest terms
    std::int64_t denominator_ = 1;   ///< positive
    std::optional<Rational> large_;  ///< in place of the words
};

[[nodiscard]] WordFraction power(WordFraction base, std::uint64_t exponent);
[[nodiscard]] std::pair<std::vector<Integer>, Integer> over_common(std::vector<WordFraction> const& values);

}  // namespace isserlis
