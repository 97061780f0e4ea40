// SPDX-License-Identifier: MIT
#include <isserlis/loss_curve/curve_data.hpp>

#include <algorithm>
#include <isserlis/data/distinct_samples.hpp>
#include <isserlis/ring/members.hpp>

namespace isserlis {
namespace {

std::optional<Rows<Rational>> rationals(Rows<Surd> const& rows) {
    Rows<Rational> out;
    for (auto const& row : rows) {
        out.emplace_back();
        for (auto const& x : row) {
            if (!x.is_rational()) return std::nullopt;
            out.back().push_back(x.to_rational());
        }
    }
    return out;
}

}  // namespace

bool CurveData::has_one_input() const {
    return std::all_of(set.inputs.begin(), set.inputs.end(), [&](auto const& x) { return x == set.inputs.front(); });
}

CurveData CurveData::with_distinct_inputs() const {
    if (!set.has_exact_targets()) return *this;  // a built-in set, whose inputs differ
    CurveData out = *this;
    auto merged = distinct_samples(set, *at);
    out.set = std::move(merged.data);
    out.at = std::move(merged.derivatives);
    return out;
}

std::optional<GradientMoments<Surd>> CurveData::gradient_moments() const {
    if (!at->is_exact()) return std::nullopt;
    auto const inputs = exact_inputs(set);
    auto const hessians = exact_hessians(*at);
    if (!at->uses_targets()) return isserlis::gradient_moments(inputs, exact_gradients(set, *at), hessians);
    // V = sum g x' = at_zero sum share x' + factor sum y x': sums over targets can be exact where targets are not.
    auto const sums = exact_target_sums(set);
    if (!sums) return std::nullopt;
    std::vector<Surd> of_inputs(set.input_width());
    for (std::size_t k = 0; k < inputs.size(); ++k) {
        for (std::size_t j = 0; j < of_inputs.size(); ++j)
            of_inputs[j] = of_inputs[j] + Surd(at->shares[k]) * inputs[k][j];
    }
    Rows<Surd> v;
    for (std::size_t i = 0; i < set.output_width(); ++i) {
        v.emplace_back();
        for (std::size_t j = 0; j < of_inputs.size(); ++j)
            v.back().push_back(*at->at_zero[i].exact() * of_inputs[j] + Surd(at->factor) * sums->products[i][j]);
    }
    return gradient_moments_of_sum(inputs, v, hessians);
}

GradientMoments<Enclosed> CurveData::enclosed_gradient_moments(unsigned bits) const {
    return isserlis::gradient_moments(converted<Enclosed>(enclosed_inputs(set, bits)),
                                      enclosed_gradients(set, *at, bits), enclosed_hessians(*at, bits));
}

std::optional<TargetMoments<Surd>> CurveData::target_moments() const {
    auto const sums = exact_target_sums(set);
    if (!sums) return std::nullopt;
    return target_moments_of_sums(exact_inputs(set), sums->products, sums->squares);
}

OwnMoments<Surd> CurveData::own_moments(bool targets) const {
    Rows<Surd> const none(samples(), std::vector<Surd>(set.output_width(), Surd(0)));
    return isserlis::own_moments(exact_inputs(set), targets ? exact_targets(set) : none);
}

OwnMoments<Enclosed> CurveData::enclosed_own_moments(unsigned bits) const {
    return isserlis::own_moments(converted<Enclosed>(enclosed_inputs(set, bits)),
                                 converted<Enclosed>(enclosed_targets(set, bits)));
}

std::optional<CentreMoments<Surd>> CurveData::centre_moments(bool targets) const {
    auto const sums = exact_target_sums(set);
    if (!sums || (targets && !set.has_exact_targets())) return std::nullopt;
    auto const inputs = exact_inputs(set);
    // The last feature is one constant, so that the sum of the targets is among the products.
    Surd const constant = inputs.front().back();
    if (constant.is_zero()) return std::nullopt;
    std::vector<Surd> of_targets;
    for (auto const& row : sums->products) of_targets.push_back(row.back() / constant);
    return isserlis::centre_moments(inputs, sums->products, of_targets, targets ? exact_targets(set) : Rows<Surd>{});
}

InputGrams CurveData::grams() const { return {.inner = gram(set), .rectified = rectified_gram(set)}; }

std::optional<Rows<Rational>> CurveData::rational_gradients() const {
    if (!at->is_exact() || (at->uses_targets() && !set.has_exact_targets())) return std::nullopt;
    return rationals(exact_gradients(set, *at));
}

Rows<Interval> CurveData::gradient_intervals(unsigned bits) const {
    Rows<Interval> out;
    for (auto const& row : enclosed_gradients(set, *at, bits)) {
        out.emplace_back();
        for (auto const& x : row) out.back().push_back(x.enclose(bits));
    }
    return out;
}

std::optional<Rows<Rational>> CurveData::rational_targets() const {
    return set.has_exact_targets() ? rationals(exact_targets(set)) : std::nullopt;
}

monte_carlo::LossCurveModel CurveData::sampling_model(monte_carlo::NetworkModel const& network,
                                                      std::vector<double> rates) const {
    monte_carlo::LossCurveModel out;
    out.network = network;
    out.rates = std::move(rates);
    out.inputs = input_doubles(set);
    out.targets = target_doubles(set);
    out.loss = loss;
    out.batch = batch;
    if (fixed) out.given = {.gradients = gradient_doubles(set, *at), .hessians = hessian_doubles(*at)};
    return out;
}

}  // namespace isserlis
