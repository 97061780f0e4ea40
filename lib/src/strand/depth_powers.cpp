// SPDX-License-Identifier: MIT
#include "strand/depth_powers.hpp"

#include <algorithm>
#include <utility>

namespace isserlis {
namespace depth_digits_detail {

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
    [[nodiscard]] Quadratic difference(Quadratic const& x, Quadratic const& y) const {
        return {(x.a - y.a).merged(), (x.b - y.b).merged()};
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

/// With as many terms as x.
Series series_quotient(RootField const& field, Series const& x, Series const& divisor) {
    Quadratic const inverse = field.inverse(divisor.front());
    Series out;
    for (std::size_t k = 0; k < x.size(); ++k) {
        Quadratic rest = x[k];
        for (std::size_t i = 1; i < divisor.size() && i <= k; ++i)
            rest = field.difference(rest, field.product(divisor[i], out[k - i]));
        out.push_back(field.product(rest, inverse));
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

}  // namespace depth_digits_detail

using namespace depth_digits_detail;

DepthPowers::DepthPowers(std::vector<DepthFactor> factors, Exponent count)
    : factors_(std::move(factors)), count_(std::move(count)) {
    for (auto const& q : factors_) {
        if (std::find(distinct_.begin(), distinct_.end(), q) == distinct_.end()) distinct_.push_back(q);
    }
    // Whatever the order of the states is, formulas have their summands in this one.
    auto const product = [](DepthFactor const& q) { return q.product.value_or(Polynomial()); };
    std::sort(distinct_.begin(), distinct_.end(), [&](DepthFactor const& p, DepthFactor const& q) {
        int const by_trace = compare(p.trace, q.trace);
        return by_trace != 0 ? by_trace < 0 : compare(product(p), product(q)) < 0;
    });
}

/// 1 / (q_0 .. q_j) about a root, without the powers of its own factor's zero there.
struct DepthDigits::Residue {
    RootField field;
    Quadratic inverse_root;
    std::size_t place;      ///< among the distinct factors
    std::size_t times = 0;  ///< how often the factor has been met
    Series series;          ///< as many terms as it will be met
};

DepthDigits::DepthDigits(DepthPowers const& powers) : powers_(powers) {
    auto const& distinct = powers.distinct();
    for (std::size_t i = 0; i < distinct.size(); ++i) {
        if (!distinct[i].product && distinct[i].trace.is_zero()) continue;  // 0^K is 0 for the K that are asked
        RootField const field(distinct[i]);
        auto const all = std::count(powers.factors().begin(), powers.factors().end(), distinct[i]);
        Series series(static_cast<std::size_t>(all), Quadratic{0, 0});
        series.front() = {1, 0};
        residues_.push_back(
            {.field = field, .inverse_root = field.inverse(field.root()), .place = i, .series = std::move(series)});
    }
}

DepthDigits::~DepthDigits() = default;

DepthDigit DepthDigits::next() {
    DepthFactor const& last = powers_.factors()[next_++];
    RationalFunction const k(powers_.count());
    std::vector<Quadratic> const none(powers_.distinct().size(), Quadratic{0, 0});
    DepthDigit out{.constant = none, .slope = none};
    for (auto& residue : residues_) {
        auto const& field = residue.field;
        Series divisor = about_root(field, last);
        if (powers_.distinct()[residue.place] == last) {
            divisor.erase(divisor.begin());  // its zero; what is left meets the other root
            ++residue.times;
        }
        residue.series = series_quotient(field, residue.series, divisor);
        std::size_t const times = residue.times;
        if (times == 0) continue;
        auto const coefficient = [&](Series const& series) {
            Quadratic sum{0, 0};
            Quadratic scale{1, 0};
            for (std::size_t a = 0; a < times; ++a) {
                Quadratic const x = field.product(series[times - 1 - a], scale);
                sum = field.sum(sum, {binomial(k, a) * x.a, binomial(k, a) * x.b});
                scale = field.product(scale, residue.inverse_root);
            }
            return sum;
        };
        if (last.product) {
            out.slope[residue.place] = coefficient(residue.series);
            Quadratic const gap = field.sum(field.root(), {-RationalFunction(last.trace), 0});
            out.constant[residue.place] = coefficient(series_product(field, residue.series, {gap, {1, 0}}, times));
        } else {
            out.constant[residue.place] = coefficient(residue.series);
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
