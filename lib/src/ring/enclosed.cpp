// SPDX-License-Identifier: MIT
#include <isserlis/ring/enclosed.hpp>

#include <isserlis/error.hpp>
#include <optional>

namespace isserlis {
namespace {

/// Rationals by one operation, intervals by the other; a rational that meets an interval takes its precision.
template <class Exact, class Outwards>
Enclosed combined(std::variant<Rational, Interval> const& a, std::variant<Rational, Interval> const& b,
                  Exact const& exact, Outwards const& outwards) {
    auto const* x = std::get_if<Rational>(&a);
    auto const* y = std::get_if<Rational>(&b);
    if (x != nullptr && y != nullptr) return Rational(exact(*x, *y));
    if (x != nullptr) return outwards(Interval(*x, std::get<Interval>(b).bits()), std::get<Interval>(b));
    if (y != nullptr) return outwards(std::get<Interval>(a), Interval(*y, std::get<Interval>(a).bits()));
    return outwards(std::get<Interval>(a), std::get<Interval>(b));
}

}  // namespace

bool Enclosed::is_zero() const {
    auto const* x = std::get_if<Rational>(&content_);
    return x != nullptr && x->is_zero();
}

Interval Enclosed::enclose(unsigned bits) const {
    if (auto const* x = std::get_if<Rational>(&content_)) return {*x, bits};
    return std::get<Interval>(content_);
}

Enclosed enclosed(Surd const& x, unsigned bits) {
    return x.is_rational() ? Enclosed(x.to_rational()) : Enclosed(isserlis::enclose(x, bits));
}

Enclosed operator+(Enclosed const& a, Enclosed const& b) {
    if (a.is_zero()) return b;
    if (b.is_zero()) return a;
    auto const sum = [](auto const& x, auto const& y) { return x + y; };
    return combined(a.content_, b.content_, sum, sum);
}

Enclosed operator-(Enclosed const& a, Enclosed const& b) {
    if (b.is_zero()) return a;
    auto const difference = [](auto const& x, auto const& y) { return x - y; };
    return combined(a.content_, b.content_, difference, difference);
}

Enclosed operator*(Enclosed const& a, Enclosed const& b) {
    if (a.is_zero() || b.is_zero()) return 0;
    auto const product = [](auto const& x, auto const& y) { return x * y; };
    return combined(a.content_, b.content_, product, product);
}

Enclosed operator/(Enclosed const& a, Enclosed const& b) {
    if (b.is_zero()) throw DomainError("division of an enclosed number by 0");
    if (a.is_zero()) return 0;
    auto const ratio_of = [](auto const& x, auto const& y) { return x / y; };
    return combined(a.content_, b.content_, ratio_of, ratio_of);
}

Enclosed dot(std::vector<Enclosed> const& a, std::vector<Enclosed> const& b) {
    Enclosed rest;
    std::optional<Interval> sum;
    for (std::size_t i = 0; i < a.size(); ++i) {
        auto const* x = std::get_if<Interval>(&a[i].content_);
        auto const* y = std::get_if<Interval>(&b[i].content_);
        if (x == nullptr || y == nullptr) {
            rest = rest + a[i] * b[i];
        } else if (sum) {
            add_product(*sum, *x, *y);
        } else {
            sum = *x * *y;
        }
    }
    return sum ? rest + *sum : rest;
}

bool operator==(Enclosed const& a, Enclosed const& b) {
    if (a.content_.index() != b.content_.index()) return false;
    if (auto const* x = std::get_if<Rational>(&a.content_)) return *x == std::get<Rational>(b.content_);
    auto const& p = std::get<Interval>(a.content_);
    auto const& q = std::get<Interval>(b.content_);
    return mpfr_equal_p(p.lower(), q.lower()) != 0 && mpfr_equal_p(p.upper(), q.upper()) != 0;
}

Interval operator*(Interval const& a, Surd const& b) { return a * enclose(b, a.bits()); }

}  // namespace isserlis
