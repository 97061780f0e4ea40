// SPDX-License-Identifier: MIT
#include <isserlis/ring/asymptotics.hpp>

#include <isserlis/error.hpp>
#include <isserlis/ring/power.hpp>

#include <algorithm>

#include "laurent_series.hpp"

namespace isserlis {
namespace {

using detail::Coefficients;
using detail::Growing;
using detail::LaurentSeries;

Growing alone(std::string const& n, long root) { return {.multiples = {{n, RationalFunction(1)}}, .root = root}; }

/// limit and logarithm of base = limit (1 + O(1/n)).
detail::BaseGrowth steady_growth(RationalFunction const& base, std::string const& n, long root, std::size_t terms) {
    auto out = detail::growth_of(base, alone(n, root), terms);
    if (out.degree < 0) {
        throw UnsupportedError("a part of the value falls like a power of " + n +
                               " with the depth in its exponent; at a depth in numbers it has an expansion");
    }
    if (out.degree > 0) {
        throw UnsupportedError("the value grows like a power of " + n +
                               " with the depth in its exponent; with variances of order 1/fan_in it has an expansion");
    }
    return out;
}

constexpr std::size_t most_expanded_terms = 64;

/// No symbol stands in an exponent.
bool is_polynomial_in_exponents(RationalFunction const& x) {
    for (auto const& term : x.terms()) {
        for (auto const& factor : term.factors) {
            if (!factor.exponent.is_constant()) return false;
        }
    }
    return true;
}

/// The sum of all terms, without leading zeros.
/// Errors  Cancels when a divisor does.
LaurentSeries summed(ExpPolynomial const& x, std::string const& n, long root, std::size_t terms) {
    LaurentSeries total{.leading = 0, .c = {}};
    bool first = true;
    for (auto const& term : x.terms()) {
        LaurentSeries s = detail::expanded(term.coefficient, alone(n, root), terms);
        RationalFunction limit(1);
        for (auto const& [base, exponent] : term.powers) {
            auto const growth = steady_growth(base, n, root, terms);
            limit = limit * power(growth.limit, exponent);
            Coefficients logs = growth.logarithm;
            for (auto& l : logs) l = l * RationalFunction(exponent);
            s = s * LaurentSeries{.leading = 0, .c = detail::exponential(logs)};
        }
        for (auto& c : s.c) c = c * limit;
        total = first ? s : total + s;
        first = false;
    }
    return detail::trimmed(std::move(total));
}

LaurentSeries summed_or_cancelled(ExpPolynomial const& x, std::string const& n, long root, std::size_t terms) {
    try {
        return summed(x, n, root, terms);
    } catch (detail::Cancels const&) {
        return {};
    }
}

PowerSeries series_in_roots(ExpPolynomial const& x, std::string const& n, long root, std::size_t order) {
    for (std::size_t terms = order + 4;; terms *= 2) {
        LaurentSeries total = summed_or_cancelled(x, n, root, terms);
        if (total.c.size() > order) {
            total.c.resize(order + 1);
            return {.leading = total.leading, .coefficients = std::move(total.c), .root = root};
        }
        if (terms > most_expanded_terms)
            throw UnsupportedError("the expansion cancels beyond " + std::to_string(terms) + " orders");
    }
}

}  // namespace

PowerSeries series_at_infinity(ExpPolynomial const& x, std::string const& n, std::size_t order) {
    if (x.terms().empty()) return {};
    // A coefficient would have n in it: (1 + 5/n)^n is no 1 + n 5/n + ..
    for (auto const& term : x.terms()) {
        for (auto const& [base, exponent] : term.powers) {
            for (auto const& [symbol, times] : exponent.symbols()) {
                if (symbol == n) throw UnsupportedError("the value has " + n + " in an exponent");
            }
        }
    }
    for (long const root : {1L, 2L}) {
        try {
            return series_in_roots(x, n, root, order);
        } catch (detail::NeedsRoot const&) {
        }
    }
    throw UnsupportedError("the expansion has other roots of " + n + " than square roots");
}

LeadingTerm leading_term(ExpPolynomial const& x, std::string const& n, std::string const& depth) {
    return leading_term(series_at_infinity(x, n, 0), n, depth);
}

LeadingTerm leading_term(PowerSeries const& series, std::string const& n, std::string const& depth) {
    if (series.coefficients.empty()) return {.value = RationalFunction(0), .in_depth = false};
    RationalFunction const first = series.coefficients.front().merged();
    auto const width = power(RationalFunction::symbol(n), Exponent(series.power(0)));
    auto const symbols = first.symbols();
    bool const in_depth = !depth.empty() && is_polynomial_in_exponents(first) &&
                          std::find(symbols.begin(), symbols.end(), depth) != symbols.end();
    if (!in_depth) return {.value = first * width, .in_depth = false};
    auto const deep = series_at_infinity(ExpPolynomial(first), depth, 0);
    return {
        .value = deep.coefficients.front() * width * power(RationalFunction::symbol(depth), Exponent(deep.power(0))),
        .in_depth = true};
}

}  // namespace isserlis
