// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/error.hpp>
#include <isserlis/ring/exp_polynomial.hpp>
#include <isserlis/ring/polynomial.hpp>

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "strand/depth_powers.hpp"
#include "strand/flow.hpp"

namespace isserlis {

/// v (T / denominator)^K by what is below, as a formula in K: the digits of x^K in the basis of the factors' products,
/// put into v q_0(T) .. q_(j-1)(T). The product vanishes once all factors are used up, which proves them complete.
///
/// `below` takes a flow further down, and is linear in it.
/// Errors  UnsupportedError when the product does not vanish.
template <class F, class Below>
[[nodiscard]] ExpPolynomial depth_run(DepthPowers const& depth, TransferRows<F> const& rows,
                                      Polynomial const& denominator, Flow<F> v, Below const& below) {
    auto const& factors = depth.factors();
    DepthDigits digits(depth);
    // In front of each root's power: by the powers of runs further below.
    std::vector<std::vector<ExpPolynomial>> rational(depth.distinct().size());
    std::vector<std::vector<ExpPolynomial>> with_root(depth.distinct().size());
    auto const add = [&](Flow<F> const& f, std::vector<Quadratic> const& digit) {
        ExpPolynomial const value = below(f);
        for (std::size_t i = 0; i < digit.size(); ++i) {
            rational[i].push_back(value * digit[i].a);
            with_root[i].push_back(value * digit[i].b);
        }
    };
    auto const plus = [](Flow<F>& f, Flow<F> const& g, Polynomial const& scale) {
        for (unsigned const s : g.active) f.add(s, g.values[s], scale);
    };
    auto const vanishes = [](Flow<F> const& f) {
        return std::all_of(f.active.begin(), f.active.end(), [&](unsigned s) { return f.values[s].is_zero(); });
    };
    for (std::size_t j = 0; !vanishes(v); ++j) {
        if (j == factors.size())
            throw UnsupportedError(
                "the eigenvalues of the repeated block could not be found; give the depth a `value`");
        auto const& [trace, product] = factors[j];
        DepthDigit const digit = digits.next();
        add(v, digit.constant);
        Flow<F> next = times(v, rows);
        if (product) {
            add(next, digit.slope);
            Flow<F> twice = times(next, rows);
            plus(twice, next, Polynomial(-1) * trace);
            plus(twice, v, *product);
            next = std::move(twice);
        } else {
            plus(next, v, Polynomial(-1) * trace);
        }
        v = std::move(next);
    }
    ExpPolynomial sum;
    auto const put = [&](ExpPolynomial::Term const& value, std::vector<ExpPolynomial::Term> const& powers) {
        for (auto term : powers) {
            term.powers.insert(term.powers.begin(), value.powers.begin(), value.powers.end());
            sum.add(std::move(term));
        }
    };
    for (std::size_t i = 0; i < depth.distinct().size(); ++i) {
        auto const without = ExpPolynomial::sum(rational[i]);
        auto const with = ExpPolynomial::sum(with_root[i]);
        for (auto const& x : without.terms()) put(x, depth.terms(i, {x.coefficient, 0}, denominator));
        for (auto const& x : with.terms()) put(x, depth.terms(i, {0, x.coefficient}, denominator));
    }
    return sum;
}

}  // namespace isserlis
