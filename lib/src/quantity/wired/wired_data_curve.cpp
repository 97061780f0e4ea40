// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <isserlis/error.hpp>
#include <isserlis/model/sampling_model.hpp>
#include <isserlis/monte_carlo/graph_curve_sampler.hpp>
#include <isserlis/report/tidy.hpp>
#include <isserlis/ring/members.hpp>
#include <isserlis/ring/power.hpp>

#include "quantity/given_samples.hpp"
#include "quantity/mean_over_inputs.hpp"
#include "quantity/unchecked.hpp"
#include "quantity/wired/power_means.hpp"
#include "quantity/wired/sample_curve.hpp"
#include "quantity/wired/wired.hpp"
#include "question/spelling.hpp"

namespace isserlis::quantity {
namespace {

constexpr double most_products = 2e7;  ///< some ten seconds

/// Of weights of any law.
template <class R, class Count>
SquaredLossCurve<R> power_curve(Model<R, Count> const& model, CurveData const& data, bool batched) {
    auto const sums = *exact_target_sums(data.set);
    std::vector<Surd> target_sum;
    auto const inputs = exact_inputs(data.set);
    for (auto const& row : sums.products) target_sum.push_back(row.back() / inputs.front().back());
    Surd const share = batched ? Surd(own_share(*data.batch, data.samples())) : Surd(0);
    PowerMeans const means(inputs, sums.products, target_sum, batched ? exact_targets(data.set) : Rows<Surd>{}, share);
    if (means.work() > most_products)
        throw UnsupportedError(
            "`law`: sums over triples of features take too long here; fewer features are served, or Gaussian weights",
            "law");
    R const target(Surd(sums.squares / from_count<Surd>(data.samples())));
    return curve_of(model, target, [&](auto const& strands, Targets targets, bool over_batches) {
        return means.template means<R>(strands, targets, over_batches);
    });
}

template <class R, class Count>
SquaredLossCurve<R> curve_over(Model<R, Count> const& model, CurveData const& data) {
    require_linear_between_matrices(model.graph(), gates_of_a_curve);
    require_data_widths(model.graph(), data.set);
    bool const batched = data.batch && !data.batch->is_all(data.samples());
    auto const moments = data.target_moments();
    auto const centre = data.centre_moments(batched);
    if (!moments || !centre) {
        char const* const parameter = moments && batched ? "batch" : "data";
        throw UnsupportedError(named(parameter) + ": the targets are no sums of square roots, which " +
                                   (has_biases(model.graph()) ? "biases" : "other wirings than vanilla") + " need",
                               parameter);
    }
    if (!has_gaussian_weights(model.graph())) return power_curve(model, data, batched).scaled(R(data.squared_factor()));
    OwnMoments<Surd> const none{};
    SampleMoments<R> const numbers{.all = converted<R>(*moments),
                                   .centre = converted<R>(*centre),
                                   .own = converted<R>(batched ? data.own_moments(true) : none),
                                   .share = batched ? R(Surd(own_share(*data.batch, data.samples()))) : R(0)};
    return curve_of(model, numbers).scaled(R(data.squared_factor()));
}

}  // namespace

SquaredLossCurve<Surd> data_curve(NumericModel const& model, CurveData const& data) { return curve_over(model, data); }
SquaredLossCurve<RationalFunction> data_curve(SymbolicModel const& model, CurveData const& data) {
    return curve_over(model, data);
}

std::array<std::optional<Check>, 3> sampled_beside(SquaredLossCurve<Surd> const& curve,
                                                   monte_carlo::GraphCurveModel const& model, Session const& session) {
    auto const sampled = monte_carlo::sample_graph_curve(model, *session.samples, session.seed, session.run_control());
    auto const beside = [](Surd const& exact, monte_carlo::Estimate const& e) {
        return compare_sampled(to_double(exact), e.mean, e.std_error, e.samples);
    };
    return {beside(curve.loss, sampled.loss), beside(curve.slope, sampled.slope),
            beside(curve.curvature(), sampled.curvature)};
}

void add_wired_data_curve(NumericModel const& model, SquaredLossCurve<Surd> const& curve, CurveData const& data,
                          std::string const& k, Session const& session, Answer& answer) {
    std::array<std::optional<Check>, 3> checks;
    if (session.samples) {
        auto const samples = data.sampling_model({});
        checks = sampled_beside(curve,
                                {.network = sampling_graph(model),
                                 .inputs = samples.inputs,
                                 .targets = samples.targets,
                                 .half = data.loss == LossKind::half_squared,
                                 .batch = data.batch},
                                session);
    }
    add_curve(curve, checks, k, answer);
}

void add_wired_data_curve(SymbolicModel const&, SquaredLossCurve<RationalFunction> const& curve, CurveData const&,
                          std::string const& k, Session const&, Answer& answer) {
    add_curve(curve, {}, k, answer);
}

}  // namespace isserlis::quantity
