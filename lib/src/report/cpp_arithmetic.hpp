// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <cstdint>
#include <string>

namespace isserlis {

/// What functions printed by --format cpp stand on: C++17, the standard library alone.
inline constexpr char const* cpp_arithmetic = R"header(#ifndef ISSERLIS_FORMULA_ARITHMETIC
#define ISSERLIS_FORMULA_ARITHMETIC
// Formulas are evaluated in doubles with a bound of the error. Where terms cancel and the bound exceeds 1e-13 of the
// value, they are evaluated again in numbers of 512, then of 1024 bits, again with a bound; beyond that they throw
// std::domain_error.
namespace isserlis_formula {

constexpr double tolerance = 1e-13;

/// A double and a bound of its distance from the true value.
struct Bounded {
    double value;
    double error;
    Bounded(double x = 0, double distance = 0) : value(x), error(distance) {}
    explicit Bounded(const char* digits) : Bounded(rounded(std::strtod(digits, nullptr), 0)) {}

    /// x after one more rounding; what overflows or underflows has no bound.
    static Bounded rounded(double x, double distance, double roundings = 1) {
        const double size = std::abs(x);
        const bool normal = size >= 1e-290 && size <= 1e290;
        if (!normal && !(x == 0 && distance == 0)) return Bounded(x, HUGE_VAL);
        return Bounded(x, 1.000001 * (distance + roundings * 1.2e-16 * size));
    }
    double share() const { return error == 0 ? 0 : value == 0 ? HUGE_VAL : error / std::abs(value); }
    bool certain() const { return share() <= tolerance; }
    double number() const { return value; }
};
/// Whole, so that sums are exact.
inline bool is_whole(Bounded a) {
    return a.error == 0 && a.value == std::floor(a.value) && std::abs(a.value) < 4503599627370496.0;
}
inline Bounded operator+(Bounded a, Bounded b) {
    if (is_whole(a) && is_whole(b)) return a.value + b.value;
    return Bounded::rounded(a.value + b.value, a.error + b.error);
}
inline Bounded operator-(Bounded a) { return Bounded(-a.value, a.error); }
inline Bounded operator-(Bounded a, Bounded b) { return a + -b; }
inline Bounded operator*(Bounded a, Bounded b) {
    const double product = a.value * b.value;
    if (product == 0 && a.value != 0 && b.value != 0) return Bounded(0, HUGE_VAL);
    return Bounded::rounded(product, std::abs(a.value) * b.error + std::abs(b.value) * a.error + a.error * b.error);
}
inline Bounded operator/(Bounded a, Bounded b) {
    const double rest = std::abs(b.value) - b.error;
    if (!(rest > 0)) return Bounded(0, HUGE_VAL);
    const double quotient = a.value / b.value;
    if (quotient == 0 && a.value != 0) return Bounded(0, HUGE_VAL);
    return Bounded::rounded(quotient, (a.error + std::abs(quotient) * b.error) / rest);
}
inline Bounded pow(Bounded a, Bounded b) {
    if (b.value == 1 && b.error == 0) return a;
    const double power = std::pow(a.value, b.value);
    if (a.error == 0 && b.error == 0 && (a.value == 0 || a.value == 1 || b.value == 0)) return power;
    const double share = a.share();
    if (!(share < 0.5) || !(power != 0)) return Bounded(power, HUGE_VAL);
    const double slope = std::abs(b.value) + b.error;
    const double exponent = slope * share / (1 - share) + (std::abs(std::log(std::abs(a.value))) + 1) * b.error;
    return Bounded::rounded(power, std::abs(power) * std::expm1(exponent), 8);
}
inline Bounded sqrt(Bounded a) {
    if (a.value == 0 && a.error == 0) return a;
    if (!(a.value > 0) || !(a.share() < 0.5)) return Bounded(0, HUGE_VAL);
    return Bounded::rounded(std::sqrt(a.value), std::sqrt(a.value) * a.share());
}
inline Bounded exp(Bounded a) {
    const double value = std::exp(a.value);
    return Bounded::rounded(value, value * std::expm1(a.error), 8);
}

/// 0.m 2^exponent with 32 N bits m, first bit 1; `ulps` bounds the relative error in units of 2^(1 - 32 N), or of
/// 2^-1000.
template <unsigned N>
class Wide {
public:
    Wide(double x = 0) {
        if (x == 0) return;
        negative_ = x < 0;
        int e = 0;
        double m = std::frexp(std::abs(x), &e);
        exponent_ = e;
        for (unsigned i = 0; i < 2; ++i) {
            m = std::ldexp(m, 32);
            limb_[i] = static_cast<std::uint32_t>(m);
            m -= limb_[i];
        }
    }

    bool zero() const { return limb_[0] == 0; }
    bool negative() const { return negative_; }
    double ulps = 0;

    /// |a| over |b| as a double, rounded up somewhat; b is not 0.
    friend double ratio(const Wide& a, const Wide& b) {
        if (a.zero()) return 0;
        const double e = static_cast<double>(a.exponent_ - b.exponent_);
        return e > 1000 ? HUGE_VAL : 1.000001 * (a.top() / b.top()) * std::ldexp(1.0, e < -1000 ? -1000 : int(e));
    }
    double number() const {
        if (zero()) return 0;
        const double e = static_cast<double>(exponent_ > 5000 ? 5000 : exponent_ < -5000 ? -5000 : exponent_);
        const double size = std::ldexp(top(), static_cast<int>(e));
        return negative_ ? -size : size;
    }

    friend Wide operator-(Wide a) {
        a.negative_ = !a.negative_;
        return a;
    }
    friend Wide operator*(const Wide& a, const Wide& b) {
        if (!(a.ulps + b.ulps < HUGE_VAL)) return unknown();
        if (a.zero() || b.zero()) return Wide();
        std::uint32_t product[2 * N] = {};
        for (unsigned i = N; i-- > 0;) {
            std::uint64_t carry = 0;
            for (unsigned j = N; j-- > 0;) {
                carry += product[i + j + 1] + std::uint64_t(a.limb_[i]) * b.limb_[j];
                product[i + j + 1] = static_cast<std::uint32_t>(carry);
                carry >>= 32;
            }
            product[i] = static_cast<std::uint32_t>(carry);
        }
        return settled(product, a.exponent_ + b.exponent_, a.negative_ != b.negative_,
                       1.000001 * (a.ulps + b.ulps + a.ulps * b.ulps * unit()));
    }
    friend Wide operator+(const Wide& a, const Wide& b) {
        if (a.zero() && a.ulps == 0) return b;
        if (b.zero() && b.ulps == 0) return a;
        if (a.zero() || b.zero()) return unknown();
        const bool ordered = a.exponent_ > b.exponent_ || (a.exponent_ == b.exponent_ && !less(a.limb_, b.limb_));
        const Wide& big = ordered ? a : b;
        const Wide& small = ordered ? b : a;
        // Fixed point of 2 N limbs below one for the carry.
        const std::int64_t shift = big.exponent_ - small.exponent_ + 32;
        bool cut = shift >= 32 * (2 * N);
        std::uint32_t sum[2 * N + 1] = {};
        for (unsigned i = 0; i < N; ++i) sum[i + 1] = big.limb_[i];
        std::uint32_t other[2 * N + 2] = {};
        for (unsigned i = 0; i < N && !cut; ++i) {
            const std::int64_t at = i + shift / 32;
            const std::uint64_t bits = (std::uint64_t(small.limb_[i]) << 32) >> (shift % 32);
            if (at < 2 * N + 1) other[at] |= static_cast<std::uint32_t>(bits >> 32);
            if (at + 1 < 2 * N + 1) other[at + 1] |= static_cast<std::uint32_t>(bits);
            if ((at >= 2 * N + 1 && bits >> 32 != 0) || (at + 1 >= 2 * N + 1 && std::uint32_t(bits) != 0)) cut = true;
        }
        std::int64_t carry = 0;
        const bool opposite = a.negative_ != b.negative_;
        for (unsigned i = 2 * N + 1; i-- > 0;) {
            carry += std::int64_t(sum[i]) + (opposite ? -std::int64_t(other[i]) : std::int64_t(other[i]));
            sum[i] = static_cast<std::uint32_t>(carry);
            carry >>= 32;
        }
        bool none = !cut;
        for (const std::uint32_t limb : sum) none = none && limb == 0;
        if (none) return a.ulps == 0 && b.ulps == 0 ? Wide() : unknown();
        Wide out = settled(sum, big.exponent_ + 32, big.negative_, 0);
        const double rounding = out.ulps + (cut ? 1 : 0);
        out.ulps = a.ulps == 0 && b.ulps == 0 ? rounding : rounding + a.ulps * ratio(a, out) + b.ulps * ratio(b, out);
        return out;
    }
    friend Wide operator-(const Wide& a, const Wide& b) { return a + -b; }
    friend Wide operator/(const Wide& a, const Wide& b) {
        if (b.zero() || !(b.ulps * unit() < 0.5)) return unknown();
        if (a.zero()) return a;
        // Bit by bit: remainder < divisor all the time.
        std::uint32_t remainder[N + 1] = {};
        for (unsigned i = 0; i < N; ++i) remainder[i + 1] = a.limb_[i];
        std::uint32_t divisor[N + 1] = {};
        for (unsigned i = 0; i < N; ++i) divisor[i + 1] = b.limb_[i];
        std::uint32_t quotient[2 * N] = {};
        bool left = false;
        for (unsigned bit = 0; bit <= 32 * N + 1; ++bit) {
            if (!less(remainder, divisor)) {
                std::int64_t carry = 0;
                for (unsigned i = N + 1; i-- > 0;) {
                    carry += std::int64_t(remainder[i]) - divisor[i];
                    remainder[i] = static_cast<std::uint32_t>(carry);
                    carry >>= 32;
                }
                quotient[bit / 32] |= std::uint32_t(1) << (31 - bit % 32);
            }
            std::uint32_t carry = 0;
            for (unsigned i = N + 1; i-- > 0;) {
                const std::uint32_t next = remainder[i] >> 31;
                remainder[i] = remainder[i] << 1 | carry;
                carry = next;
            }
        }
        for (const std::uint32_t limb : remainder) left = left || limb != 0;
        const double inherited = a.ulps + b.ulps;
        Wide out = settled(quotient, a.exponent_ - b.exponent_ + 1, a.negative_ != b.negative_,
                           inherited / (1 - b.ulps * unit()));
        if (left) out.ulps += 1;
        return out;
    }
    friend Wide sqrt(const Wide& a) {
        if (a.zero() && a.ulps == 0) return a;
        if (a.zero() || a.negative_ || !(a.ulps * unit() < 0.5)) return unknown();
        const bool odd = a.exponent_ % 2 != 0;
        Wide root(std::sqrt(odd ? a.top() / 2 : a.top()));
        root.exponent_ += (a.exponent_ + (odd ? 1 : 0)) / 2;
        Wide exact = a;
        exact.ulps = 0;
        for (unsigned bits = 50; bits < 64 * N; bits *= 2) {
            root = (root + exact / root) * Wide(0.5);
            root.ulps = 0;
        }
        // Newton's method says nothing of its error: the residual does.
        const Wide residual = root * root - exact;
        root.ulps = a.ulps + (residual.zero() ? 0 : ratio(residual, exact) / unit()) + (residual.ulps == 0 ? 0 : 4);
        return root;
    }

    static double unit() { return std::ldexp(1.0, 32 * N > 1000 ? -1000 : 1 - 32 * static_cast<int>(N)); }
    static Wide unknown() {
        Wide out;
        out.ulps = HUGE_VAL;
        return out;
    }

private:
    template <class Limbs>
    static bool less(const Limbs& a, const Limbs& b) {
        return std::lexicographical_compare(std::begin(a), std::end(a), std::begin(b), std::end(b));
    }
    double top() const { return std::ldexp(double(limb_[0]), -32) + std::ldexp(double(limb_[1]), -64); }

    /// The leading N limbs of a number below 1 times 2^exponent, cut off.
    template <std::size_t M>
    static Wide settled(const std::uint32_t (&limbs)[M], std::int64_t exponent, bool negative, double ulps) {
        std::size_t first = 0;
        while (first < M && limbs[first] == 0) ++first;
        if (first == M) return unknown();
        int shift = 0;
        while ((limbs[first] << shift >> 31) == 0) ++shift;
        Wide out;
        const auto limb = [&](std::size_t i) { return i < M ? std::uint64_t(limbs[i]) : 0; };
        for (std::size_t i = 0; i < N; ++i)
            out.limb_[i] = static_cast<std::uint32_t>(((limb(first + i) << 32 | limb(first + i + 1)) << shift) >> 32);
        bool cut = (limb(first + N) << shift & 0xffffffffU) != 0;
        for (std::size_t i = first + N + 1; i < M; ++i) cut = cut || limbs[i] != 0;
        out.exponent_ = exponent - 32 * static_cast<std::int64_t>(first) - shift;
        out.negative_ = negative;
        out.ulps = ulps + (cut ? 1 : 0);
        return out;
    }

    std::uint32_t limb_[N] = {};
    std::int64_t exponent_ = 0;
    bool negative_ = false;
};

/// A fraction of wide numbers: what is whole stays exact as long as it fits, so that an exact 0 is one.
template <unsigned N>
struct Fraction {
    Wide<N> above;
    Wide<N> below = Wide<N>(1);
    Fraction(double x = 0) : above(x) {}
    Fraction(const Wide<N>& a, const Wide<N>& b) : above(a), below(b) {}
    explicit Fraction(const char* digits) : above(0.0) {
        for (; *digits != 0; ++digits) above = above * Wide<N>(10) + Wide<N>(*digits - '0');
    }

    Wide<N> quotient() const { return above / below; }
    bool certain() const {
        if (above.zero()) return above.ulps == 0 && below.ulps * Wide<N>::unit() < 0.5;
        const double share = quotient().ulps * Wide<N>::unit();
        return share <= tolerance;
    }
    double number() const { return quotient().number(); }

    friend Fraction operator+(const Fraction& a, const Fraction& b) {
        return {a.above * b.below + b.above * a.below, a.below * b.below};
    }
    friend Fraction operator-(const Fraction& a) { return {-a.above, a.below}; }
    friend Fraction operator-(const Fraction& a, const Fraction& b) { return a + -b; }
    friend Fraction operator*(const Fraction& a, const Fraction& b) { return {a.above * b.above, a.below * b.below}; }
    friend Fraction operator/(const Fraction& a, const Fraction& b) {
        if (b.above.zero()) return {Wide<N>::unknown(), Wide<N>(1)};
        return {a.above * b.below, a.below * b.above};
    }
    friend Fraction sqrt(const Fraction& a) {
        const bool negative = a.below.negative();
        return {sqrt(negative ? -a.above : a.above), sqrt(negative ? -a.below : a.below)};
    }
    /// Whole and half exponents only.
    friend Fraction pow(const Fraction& a, const Fraction& b) {
        const double twice = 2 * b.number();
        const bool whole = twice == std::floor(twice) && (b - Fraction(twice / 2)).above.zero();
        if (!whole || b.above.ulps + b.below.ulps != 0 || std::abs(twice) > 1e15)
            return {Wide<N>::unknown(), Wide<N>(1)};
        Fraction base = std::fmod(twice, 2) == 0 ? a : sqrt(a);
        if (twice < 0) base = Fraction(1) / base;
        Fraction out(1);
        for (double left = std::abs(std::fmod(twice, 2) == 0 ? twice / 2 : twice); left >= 1;
             left = std::floor(left / 2)) {
            if (std::fmod(left, 2) == 1) out = out * base;
            if (left > 1) base = base * base;
        }
        return out;
    }
    friend Fraction exp(const Fraction& a) {
        if (a.above.zero() && a.above.ulps == 0) return Fraction(1);
        Wide<N> x = a.quotient();
        if (!(std::abs(x.number()) < 1e6)) return {Wide<N>::unknown(), Wide<N>(1)};
        int halvings = 0;
        for (; std::abs(x.number()) > 0.001; ++halvings) x = x * Wide<N>(0.5);
        Wide<N> sum(1);
        Wide<N> term(1);
        for (int k = 1; ratio(term, sum) > Wide<N>::unit(); ++k) {
            term = term * x / Wide<N>(k);
            sum = sum + term;
        }
        sum.ulps += 2 + a.quotient().ulps * std::abs(x.number());
        for (; halvings > 0; --halvings) sum = sum * sum;
        return {sum, Wide<N>(1)};
    }
};

/// The value as a double that keeps its digits.
template <unsigned N>
double in_range(const char* name, const Fraction<N>& x) {
    const double out = x.number();
    if (!std::isnormal(out) && !x.above.zero())
        throw std::range_error(std::string(name) + ": the value is beyond the range of double");
    return out;
}

/// Errors  std::domain_error for arguments that are negative or not finite, and where fewer digits are certain;
///         std::range_error for values beyond the range of double.
template <class Formula, class... Arguments>
double value(const char* name, const Formula& formula, Arguments... arguments) {
    for (const double x : {arguments...}) {
        if (!(x >= 0) || std::isinf(x))
            throw std::domain_error(std::string(name) + ": an argument is negative or not finite");
    }
    const Bounded quick = formula(Bounded(arguments)...);
    if (quick.certain()) return quick.value;
    const Fraction<16> wide = formula(Fraction<16>(arguments)...);
    if (wide.certain()) return in_range(name, wide);
    const Fraction<32> widest = formula(Fraction<32>(arguments)...);
    if (widest.certain()) return in_range(name, widest);
    throw std::domain_error(std::string(name) + ": the value is undefined, or 1000 bits do not give 12 digits of it");
}

}  // namespace isserlis_formula
#endif
)header";

}  // namespace isserlis
