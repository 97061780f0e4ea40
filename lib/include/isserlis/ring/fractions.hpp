// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/ring/polynomial.hpp>
#include <isserlis/ring/power.hpp>
#include <isserlis/ring/rational.hpp>
#include <isserlis/ring/rational_function.hpp>
#include <isserlis/ring/scaled_double.hpp>
#include <isserlis/ring/surd.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

namespace isserlis {

/// A denominator that is known as it grows: a product of powers.
template <class E>
class KnownDenominator {
public:
    struct Power {
        E base;
        std::uint64_t exponent;
    };

    KnownDenominator() = default;
    explicit KnownDenominator(std::vector<Power> powers) : powers_(std::move(powers)) {}

    void multiply(E const& base, std::uint64_t times) {
        if (base == E(1) || times == 0) return;
        for (std::size_t i = powers_.size(); i-- > 0 && powers_.size() - i <= remembered;) {
            if (powers_[i].base == base) {
                powers_[i].exponent += times;
                return;
            }
        }
        powers_.push_back({.base = base, .exponent = times});
    }
    void multiply(KnownDenominator const& other, std::uint64_t times = 1) {
        for (auto const& [base, exponent] : other.powers_) multiply(base, exponent * times);
    }
    /// What this has beyond the other.
    [[nodiscard]] KnownDenominator beyond(KnownDenominator other) const {
        KnownDenominator out;
        for (auto const& [base, exponent] : powers_) {
            std::uint64_t left = exponent;
            for (auto& shared : other.powers_) {
                if (!(shared.base == base)) continue;
                std::uint64_t const both = shared.exponent < left ? shared.exponent : left;
                left -= both;
                shared.exponent -= both;
            }
            if (left != 0) out.powers_.push_back({.base = base, .exponent = left});
        }
        return out;
    }
    [[nodiscard]] std::vector<Power> const& powers() const { return powers_; }

private:
    static constexpr std::size_t remembered = 16;  ///< how many recent bases are compared
    std::vector<Power> powers_;
};

/// Numbers carried as they are: what is known to divide them is multiplied up beside them, where there is anything.
template <class R>
struct PlainFractions {
    using Value = R;
    using Element = R;
    static constexpr bool tree = std::is_same_v<R, Surd>;  ///< numbers grow with the number of steps
    class Denominator {
    public:
        void multiply(R const& base, std::uint64_t times) {
            if (!(base == R(1))) product_ = product_ * power(base, times);
        }
        /// A symbolic number of times.
        template <class Count>
        requires std::is_same_v<Count, Exponent>
        void multiply(R const& base, Count const& times) { product_ = product_ * power(base, times); }
        void multiply(Denominator const& other, std::uint64_t times = 1) { multiply(other.product_, times); }
        [[nodiscard]] Denominator beyond(Denominator const& other) const {
            Denominator out;
            if (!(product_ == other.product_)) out.product_ = product_ / other.product_;
            return out;
        }
        [[nodiscard]] R const& product() const { return product_; }

    private:
        R product_{1};
    };
    /// The values over one denominator.
    static std::pair<std::vector<R>, R> over_common(std::vector<R> values) { return {std::move(values), R(1)}; }
    static R divided(R const& numerator, Denominator const& denominator) {
        return denominator.product() == R(1) ? numerator : R(numerator / denominator.product());
    }
    static R expanded(Denominator const& denominator) { return denominator.product(); }
};

/// How a recursion over R carries its numbers: numerators over denominators that every step makes known, so that one
/// division at the end is all.
///
/// `over_common` puts numbers over one denominator; `divided` is numerator/denominator in R, `expanded` the denominator
/// multiplied out. `tree` says whether products of many steps should be balanced: then operands stay of equal size,
/// which turns a quadratic product of integers into a quasi-linear one. Polynomials and floats gain nothing by it.
/// Surds, formulas with roots of symbols (`PlainFractions<RationalFunction>`) and other rings go as they are.
template <class R>
struct Fractions : PlainFractions<R> {};

template <>
struct Fractions<Rational> {
    using Value = Rational;
    using Element = Integer;
    using Denominator = KnownDenominator<Integer>;
    static constexpr bool tree = true;
    static std::pair<std::vector<Integer>, Integer> over_common(std::vector<Rational> const& values);
    /// A few bases are cancelled prime by prime; one gcd is cheaper than many bases.
    /// Errors  DomainError when the base of a power is not positive.
    static Rational divided(Integer numerator, Denominator const& denominator);
    static Integer expanded(Denominator const& denominator);
    /// Takes from both what they share, where there are a few bases.
    /// Errors  DomainError when the base of a power is not positive.
    static void cancel(Integer& numerator, Denominator& denominator);
};

template <>
struct Fractions<RationalFunction> {
    using Value = RationalFunction;
    using Element = Polynomial;
    using Denominator = KnownDenominator<Polynomial>;
    static constexpr bool tree = false;
    /// Errors  UnsupportedError for roots and symbolic exponents.
    static std::pair<std::vector<Polynomial>, Polynomial> over_common(std::vector<RationalFunction> const& values);
    static RationalFunction divided(Polynomial const& numerator, Denominator const& denominator);
    static Polynomial expanded(Denominator const& denominator);
};

/// No product over thousands of layers leaves the range.
template <>
struct Fractions<double> {
    using Value = double;
    using Element = ScaledDouble;
    using Denominator = KnownDenominator<ScaledDouble>;
    static constexpr bool tree = false;
    static std::pair<std::vector<ScaledDouble>, ScaledDouble> over_common(std::vector<double> const& values);
    static double divided(ScaledDouble const& numerator, Denominator const& denominator);
    static ScaledDouble expanded(Denominator const& denominator);
};

/// One number of R so carried. Sums, products and powers divide nothing.
template <class R>
struct Fraction {
    using F = Fractions<R>;
    typename F::Element numerator{1};
    typename F::Denominator denominator;

    Fraction() = default;
    explicit Fraction(typename F::Element top, typename F::Denominator bottom)
        : numerator(std::move(top)), denominator(std::move(bottom)) {}
    explicit Fraction(R const& x) {
        auto over = F::over_common({x});
        numerator = std::move(over.first[0]);
        denominator.multiply(over.second, 1);
    }

    [[nodiscard]] R value() const { return F::divided(numerator, denominator); }
    /// Cancelled as far as that is cheap: worth it where many products share it.
    [[nodiscard]] Fraction reduced() const {
        Fraction out = *this;
        if constexpr (requires { F::cancel(out.numerator, out.denominator); })
            F::cancel(out.numerator, out.denominator);
        return out;
    }

    friend Fraction operator*(Fraction a, Fraction const& b) {
        a.numerator = a.numerator * b.numerator;
        a.denominator.multiply(b.denominator);
        return a;
    }
    friend Fraction operator+(Fraction const& a, Fraction const& b) {
        auto const more = b.denominator.beyond(a.denominator);
        Fraction out(typename F::Element(a.numerator * F::expanded(more) +
                                         b.numerator * F::expanded(a.denominator.beyond(b.denominator))),
                     a.denominator);
        out.denominator.multiply(more);
        return out;
    }
    friend Fraction power(Fraction const& x, std::uint64_t exponent) {
        Fraction out(isserlis::power(x.numerator, exponent), {});
        out.denominator.multiply(x.denominator, exponent);
        return out;
    }
};

}  // namespace isserlis
