// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/ring/interval.hpp>

#include <cmath>
#include <utility>

namespace isserlis {

/// A real number within `radius` of a double-double, the unevaluated sum of two doubles: some 31 digits, rigorous as an
/// `Interval` of 128 bits is, thirty times as fast.
///
/// Rounding to nearest is assumed, and that no product is fused with a sum. Where a radius is not finite nothing is
/// known: beyond the range of doubles, after a division by what may be 0.
/// Source  the bounds of [Joldes 2017] for sums (their algorithm 6) and products (10 to 12); quotients
///         and roots are bounded by what is left of them.
class Ball {
public:
    Ball(double value = 0) : high_(value) {}  // NOLINT(google-explicit-constructor): it is that number
    explicit Ball(Interval const& x);

    [[nodiscard]] double high() const { return high_; }
    [[nodiscard]] double low() const { return low_; }
    [[nodiscard]] double radius() const { return radius_; }
    [[nodiscard]] bool is_zero() const { return high_ == 0 && radius_ == 0; }
    /// Bounds of |x| over all x in the ball.
    [[nodiscard]] double most() const { return (std::fabs(high_) + radius_) * up; }
    [[nodiscard]] double least() const { return std::fabs(high_) * down - radius_ * up; }
    [[nodiscard]] bool contains_zero() const { return !(least() > 0); }
    /// Errors  UnsupportedError where nothing is known of the number.
    [[nodiscard]] Interval enclose() const;

    /// Two numbers of 26 bits with the sum a.
    static std::pair<double, double> halves(double a) {
        double const c = 0x1.0000002p27 * a;
        double const high = c - (c - a);
        return {high, a - high};
    }

    /// a + b, and what its rounding loses.
    static std::pair<double, double> two_sum(double a, double b) {
        double const s = a + b;
        double const of_b = s - a;
        return {s, (a - (s - of_b)) + (b - of_b)};
    }

    /// The same ball, as every ring has it; its numbers may differ.
    friend bool operator==(Ball const& a, Ball const& b) = default;

    [[nodiscard]] Ball operator-() const { return {-high_, -low_, radius_}; }
    [[nodiscard]] Ball give_or_take(double by) const { return {high_, low_, (radius_ + by) * up}; }

    // Some hundred for each pair of samples: a call would take longer than the sum.
    [[gnu::always_inline]] friend Ball operator+(Ball const& a, Ball const& b) {
        auto const [s, t] = two_sum(a.high_, b.high_);
        auto const [v, w] = two_sum(a.low_, b.low_);
        auto const [x, y] = fast_two_sum(s, t + v);
        auto const [high, low] = fast_two_sum(x, w + y);
        return {high, low, (a.radius_ + b.radius_ + of_a_sum * std::fabs(high)) * up};
    }
    [[gnu::always_inline]] friend Ball operator-(Ball const& a, Ball const& b) { return a + -b; }
    [[gnu::always_inline]] friend Ball operator*(Ball const& a, Ball const& b) {
        if (a.is_zero() || b.is_zero()) return 0;
        auto const [p, e] = two_product(a.high_, b.high_);
        auto const [high, low] = fast_two_sum(p, e + (a.high_ * b.low_ + a.low_ * b.high_));
        double const size_a = std::fabs(a.high_);
        double const size_b = std::fabs(b.high_);
        return {
            high, low,
            (size_a * b.radius_ + size_b * a.radius_ + a.radius_ * b.radius_ + of_a_product * std::fabs(high)) * up +
                tiny};
    }
    friend Ball operator/(Ball const& a, Ball const& b) {
        if (a.is_zero() && !b.contains_zero()) return 0;
        double const q = a.high_ / b.high_;
        auto const [high, low] = fast_two_sum(q, (a - Ball(q) * b).high_ / b.high_);
        Ball const quotient{high, low, 0};
        // x/y - q = (x - q y)/y
        double const least = b.least();
        return {high, low, least > 0 ? (a - quotient * b).most() / least * up + tiny : unknown};
    }
    /// Of a number that is not negative, though the ball may say otherwise.
    friend Ball sqrt(Ball const& x) {
        if (x.contains_zero()) {
            double const half = std::sqrt(x.most()) / 2;
            return {half, 0, half * up};
        }
        double const r = std::sqrt(x.high_);
        auto const [high, low] = fast_two_sum(r, (x - Ball(r) * Ball(r)).high_ / (2 * r));
        Ball const root{high, low, 0};
        // sqrt(x) - r = (x - r^2)/(sqrt(x) + r)
        return {high, low, (x - root * root).most() / high * up + tiny};
    }

private:
    // Radii are rounded, by less than these; what underflows is less than `tiny`.
    static constexpr double up = 1 + 0x1p-40;
    static constexpr double down = 1 - 0x1p-40;
    static constexpr double of_a_sum = 4 * 0x1p-106;
    static constexpr double of_a_product = 8 * 0x1p-106;
    static constexpr double tiny = 0x1p-960;
    static constexpr double unknown = HUGE_VAL;

    Ball(double high, double low, double radius) : high_(high), low_(low), radius_(radius) {}

    using Two = std::pair<double, double>;
    /// |a| >= |b|, or a = 0
    static Two fast_two_sum(double a, double b) {
        double const s = a + b;
        return {s, b - (s - a)};
    }
    static Two two_product(double a, double b) {
        double const p = a * b;
        auto const [a1, a2] = halves(a);
        auto const [b1, b2] = halves(b);
        return {p, ((a1 * b1 - p) + a1 * b2 + a2 * b1) + a2 * b2};
    }

    double high_;
    double low_ = 0;
    double radius_ = 0;
};

}  // namespace isserlis
