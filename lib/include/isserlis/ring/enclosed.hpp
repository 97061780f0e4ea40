// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/ring/interval.hpp>

#include <utility>
#include <variant>
#include <vector>

namespace isserlis {

/// A real number known through enclosures, as an element of a field: the constants of a formula stay rational, and so
/// need no precision, until they meet an interval. Products with 0 are 0.
///
/// Law     none.
/// Shape   a rational or an interval. Equal means the same rational or the same end points.
/// Units   any.
/// Errors  DomainError for a divisor that is, or may be, 0.
/// Source  this library
class Enclosed {
public:
    Enclosed(int value = 0) : content_(Rational(value)) {}            // NOLINT(google-explicit-constructor)
    Enclosed(Rational value) : content_(std::move(value)) {}          // NOLINT(google-explicit-constructor)
    Enclosed(Interval enclosure) : content_(std::move(enclosure)) {}  // NOLINT(google-explicit-constructor)

    [[nodiscard]] bool is_zero() const;
    /// The number itself where it is rational; null for an interval.
    [[nodiscard]] Rational const* exact() const { return std::get_if<Rational>(&content_); }
    /// A rational is rounded outwards to this precision; an interval is what it is.
    [[nodiscard]] Interval enclose(unsigned bits) const;

    friend Enclosed operator+(Enclosed const& a, Enclosed const& b);
    friend Enclosed operator-(Enclosed const& a, Enclosed const& b);
    friend Enclosed operator*(Enclosed const& a, Enclosed const& b);
    friend Enclosed operator/(Enclosed const& a, Enclosed const& b);
    friend bool operator==(Enclosed const& a, Enclosed const& b);
    /// sum_i a_i b_i, faster than one by one.
    friend Enclosed dot(std::vector<Enclosed> const& a, std::vector<Enclosed> const& b);

private:
    std::variant<Rational, Interval> content_;
};

[[nodiscard]] Enclosed dot(std::vector<Enclosed> const& a, std::vector<Enclosed> const& b);
/// The number itself where it is rational, else its enclosure at this precision.
[[nodiscard]] Enclosed enclosed(Surd const& x, unsigned bits);
/// At the precision of a.
[[nodiscard]] Interval operator*(Interval const& a, Surd const& b);

}  // namespace isserlis
