// SPDX-License-Identifier: MIT
#include "strand/depth_powers.hpp"

#include <algorithm>
#include <utility>

namespace isserlis {
namespace {

/// The field that a factor's root generates: the rational formulas, for a factor of degree 1.
class RootField {
public:
    explicit RootField(DepthFactor const& factor)
        : trace_(factor.trace),
          discriminant_(factor.product ? RationalFunction(factor.trace * factor.trace - Polynomial(4) * *factor.product)
                                       : RationalFunction(0)),
          quadratic_(factor.product.has_value()) {}

    /// Of sqrt(d), in the roots of the factor.
    [[nodiscard]] std::vector<int> signs() const { return quadratic_ ? std::vector<int>{1, -1} : std::vector<int>{1}; }
    /// The factor's root; its other root has the other sign of sqrt(d).
    [[nodiscard]] Quadratic root() const {
        RationalFunction const half = RationalFunction(1) / RationalFunction(2);
        return quadratic_ ? Quadratic{trace_ * half, half} : Quadratic{trace_, 0};
    }
    [[nodiscard]] Quadratic sum(Quadratic const& x, Quadratic const& y) const {
        return {(x.a + y.a).merged(), (x.b + y.b).merged()};
    }
    [[nodiscard]] Quadratic product(Quadratic const& x, Quadratic const& y) const {
        if (!quadratic_) return {(x.a * y.a).merged(), 0};
        return {(x.a * y.a + x.b * y.b * discriminant_).merged(), (x.a * y.b + x.b * y.a).merged()};
    }
    [[nodiscard]] Quadratic inverse(Quadratic const& x) const {
        if (!quadratic_) return {RationalFunction(1) / x.a, 0};
        RationalFunction const norm = (x.a * x.a - x.b * x.b * discriminant_).merged();
        return {(x.a / norm).merged(), (-x.b / norm).merged()};
    }
    /// With the root of d taken positive, or negative.
    [[nodiscard]] RationalFunction value(Quadratic const& x, int sign) const {
        return quadratic_ ? (x.a + RationalFunction(sign) * x.b * sqrt(discriminant_)).merged() : x.a;
    }

private:
    RationalFunction trace_;
    RationalFunction discriminant_;
    bool quadratic_;
};

using Series = std::vector<Quadratic>;  ///< in t = x - root, cut at a number of terms

Series series_product(RootField const& field, Series const& x, Series const& y, std::size_t terms) {
    Series out(terms, Quadratic{0, 0});
    for (std::size_t i = 0; i < std::min(x.size(), terms); ++i) {
        for (std::size_t k = 0; k < y.size() && i + k < terms; ++k)
            out[i + k] = field.sum(out[i + k], field.product(x[i], y[k]));
    }
    return out;
}

Series series_inverse(RootField const& field, Series const& x) {
    Quadratic const first = field.inverse(x.front());
    Series out{first};
    for (std::size_t k = 1; k < x.size(); ++k) {
        Quadratic sum{0, 0};
        for (std::size_t i = 1; i <= k; ++i) sum = field.sum(sum, field.product(x[i], out[k - i]));
        out.push_back(field.product({-1, 0}, field.product(sum, first)));
    }
    return out;
}

/// A factor about the root of the field.
Series about_root(RootField const& field, DepthFactor const& factor) {
    Quadratic const root = field.root();
    Quadratic const minus_trace{-RationalFunction(factor.trace), 0};
    Quadratic const gap = field.sum(root, minus_trace);
    if (!factor.product) return {gap, {1, 0}};
    return {field.sum(field.product(root, gap), {RationalFunction(*factor.product), 0}), field.sum(root, gap), {1, 0}};
}

RationalFunction binomial(RationalFunction const& k, std::size_t a) {
    RationalFunction out(1);
    for (std::size_t i = 0; i < a; ++i) {
        out = out * (k - RationalFunction(static_cast<int>(i))) / RationalFunction(static_cast<int>(i) + 1);
    }
    return out;
}

}  // namespace

DepthPowers::DepthPowers(std::vector<DepthFactor> factors, Exponent count)
    : factors_(std::move(factors)), count_(std::move(count)) {
    for (auto const& q : factors_) {
        if (std::find(distinct_.begin(), distinct_.end(), q) == distinct_.end()) distinct_.push_back(q);
    }
}

DepthDigit DepthPowers::digit(std::size_t j) const {
    std::vector<std::size_t> times;
    for (auto const& q : distinct_) {
        times.push_back(static_cast<std::size_t>(
            std::count(factors_.begin(), factors_.begin() + static_cast<std::ptrdiff_t>(j) + 1, q)));
    }
    RationalFunction const k(count_);
    DepthFactor const& last = factors_[j];
    std::vector<Quadratic> const none(distinct_.size(), Quadratic{0, 0});
    DepthDigit out{.constant = none, .slope = none};
    for (std::size_t own = 0; own < distinct_.size(); ++own) {
        if (times[own] == 0) continue;
        if (!distinct_[own].product && distinct_[own].trace.is_zero()) continue;  // 0^K is 0 for the K that are asked
        RootField const field(distinct_[own]);
        Quadratic const inverse_root = field.inverse(field.root());
        Series cofactor(times[own], Quadratic{0, 0});  // of (x - root)^times
        cofactor[0] = {1, 0};
        for (std::size_t other = 0; other < distinct_.size(); ++other) {
            Series at = about_root(field, distinct_[other]);
            if (other == own) at.erase(at.begin());  // its zero; what is left meets the other root
            for (std::size_t i = 0; i < times[other]; ++i) cofactor = series_product(field, cofactor, at, times[own]);
        }
        Series const residue = series_inverse(field, cofactor);
        auto const coefficient = [&](Series const& series) {
            Quadratic sum{0, 0};
            Quadratic scale{1, 0};
            for (std::size_t a = 0; a < times[own]; ++a) {
                Quadratic const x = field.product(series[times[own] - 1 - a], scale);
                sum = field.sum(sum, {binomial(k, a) * x.a, binomial(k, a) * x.b});
                scale = field.product(scale, inverse_root);
            }
            return sum;
        };
        if (last.product) {
            out.slope[own] = coefficient(residue);
            Quadratic const gap = field.sum(field.root(), {-RationalFunction(last.trace), 0});
            out.constant[own] = coefficient(series_product(field, residue, {gap, {1, 0}}, times[own]));
        } else {
            out.constant[own] = coefficient(residue);
        }
    }
    return out;
}

std::vector<ExpPolynomial::Term> DepthPowers::terms(std::size_t place, Quadratic const& coefficient,
                                                    Polynomial const& denominator) const {
    RootField const field(distinct_[place]);
    std::vector<ExpPolynomial::Term> out;
    for (int const sign : field.signs()) {
        RationalFunction const base = (field.value(field.root(), sign) / RationalFunction(denominator)).merged();
        out.push_back({.powers = {{base, count_}}, .coefficient = field.value(coefficient, sign)});
    }
    return out;
}

std::vector<RationalFunction> roots(DepthFactor const& factor, Polynomial const& denominator) {
    RootField const field(factor);
    std::vector<RationalFunction> out;
    for (int const sign : field.signs())
        out.push_back((field.value(field.root(), sign) / RationalFunction(denominator)).merged());
    return out;
}

}  // namespace isserlis
