// SPDX-License-Identifier: MIT
#pragma once
#include <numeric>
#include <stdexcept>
#include <string>

namespace isserlis::test {

__extension__ typedef __int128 Wide;

/// p/q in 128 bits: the tests' own exact numbers, which share nothing with the library.
class Fraction {
public:
    Fraction(long long value = 0) : p_(value) {}  // NOLINT(google-explicit-constructor)
    Fraction(Wide p, Wide q) : p_(p), q_(q) {
        Wide a = p_ < 0 ? -p_ : p_;
        Wide b = q_;
        while (b != 0) {
            Wide const rest = a % b;
            a = b;
            b = rest;
        }
        if (a > 1) {
            p_ /= a;
            q_ /= a;
        }
        if (q_ < 0) {
            p_ = -p_;
            q_ = -q_;
        }
    }
    friend Fraction operator+(Fraction const& a, Fraction const& b) {
        return {multiply(a.p_, b.q_) + multiply(b.p_, a.q_), multiply(a.q_, b.q_)};
    }
    friend Fraction operator-(Fraction const& a, Fraction const& b) { return a + Fraction(-b.p_, b.q_); }
    friend Fraction operator*(Fraction const& a, Fraction const& b) {
        Fraction const left(a.p_, b.q_);
        Fraction const right(b.p_, a.q_);
        return {multiply(left.p_, right.p_), multiply(left.q_, right.q_)};
    }
    friend Fraction operator/(Fraction const& a, Fraction const& b) { return a * Fraction(b.q_, b.p_); }
    friend bool operator==(Fraction const& a, Fraction const& b) { return a.p_ == b.p_ && a.q_ == b.q_; }

    [[nodiscard]] double value() const { return static_cast<double>(p_) / static_cast<double>(q_); }
    [[nodiscard]] std::string text() const { return digits(p_) + (q_ == 1 ? "" : "/" + digits(q_)); }

private:
    static Wide multiply(Wide a, Wide b) {
        Wide out = 0;
        if (__builtin_mul_overflow(a, b, &out)) throw std::overflow_error("Fraction: 128 bits are too few");
        return out;
    }
    static std::string digits(Wide x) {
        if (x < 0) return "-" + digits(-x);
        std::string out;
        do {
            out.insert(out.begin(), static_cast<char>('0' + static_cast<int>(x % 10)));
            x /= 10;
        } while (x != 0);
        return out;
    }
    Wide p_ = 0;
    Wide q_ = 1;
};

}  // namespace isserlis::test
