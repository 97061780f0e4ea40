// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <cstdint>

namespace isserlis {

/// A double with a 64-bit exponent of its own: products over thousands of layers neither overflow nor vanish.
class ScaledDouble {
public:
    ScaledDouble() = default;
    ScaledDouble(int value) : ScaledDouble(static_cast<double>(value)) {}  // NOLINT(google-explicit-constructor)
    explicit ScaledDouble(double value) : mantissa_(value) { normalise(); }

    [[nodiscard]] double mantissa() const { return mantissa_; }
    [[nodiscard]] std::int64_t exponent() const { return exponent_; }
    /// Infinity or 0 when the value does not fit a double.
    [[nodiscard]] double value() const {
        if (!std::isfinite(mantissa_)) return mantissa_;
        if (exponent_ > 4096) return mantissa_ * INFINITY;
        if (exponent_ < -4096) return mantissa_ * 0.0;
        return std::ldexp(mantissa_, static_cast<int>(exponent_));
    }

    friend ScaledDouble operator*(ScaledDouble a, ScaledDouble b) {
        a.mantissa_ *= b.mantissa_;
        a.exponent_ += b.exponent_;
        a.normalise();
        return a;
    }
    friend ScaledDouble operator/(ScaledDouble a, ScaledDouble b) {
        a.mantissa_ /= b.mantissa_;
        a.exponent_ -= b.exponent_;
        a.normalise();
        return a;
    }
    friend ScaledDouble operator+(ScaledDouble a, ScaledDouble b) {
        if (!std::isfinite(a.mantissa_) || !std::isfinite(b.mantissa_)) return ScaledDouble(a.value() + b.value());
        if (a.mantissa_ == 0.0) return b;
        if (b.mantissa_ == 0.0) return a;
        if (a.exponent_ < b.exponent_) return b + a;
        // Below 2^-64 of the other, a summand is rounded away anyway.
        if (a.exponent_ - b.exponent_ > 128) return a;
        a.mantissa_ += std::ldexp(b.mantissa_, static_cast<int>(b.exponent_ - a.exponent_));
        a.normalise();
        return a;
    }
    friend ScaledDouble operator-(ScaledDouble a, ScaledDouble b) {
        b.mantissa_ = -b.mantissa_;
        return a + b;
    }
    friend bool operator==(ScaledDouble a, ScaledDouble b) = default;

private:
    void normalise() {
        if (mantissa_ == 0.0 || !std::isfinite(mantissa_)) {
            exponent_ = 0;
            return;
        }
        int shift = 0;
        mantissa_ = std::frexp(mantissa_, &shift);
        exponent_ += shift;
    }
    double mantissa_ = 0.0;
    std::int64_t exponent_ = 0;
};

}  // namespace isserlis
