// SPDX-License-Identifier: MIT
#include <isserlis/error.hpp>
#include <isserlis/model/sampling_model.hpp>

#include "quantity/given_samples.hpp"
#include "quantity/wired/sample_curve.hpp"
#include "quantity/wired/wired.hpp"

namespace isserlis::quantity {
namespace {

/// The same moments by Gram matrices: sums over samples in place of sums over features.
template <class R>
SampleMoments<R> sample_moments(GramSamples<R> const& samples) {
    auto const& g = samples.inputs;
    auto const& t = samples.targets;
    std::size_t const size = g.size();
    R const n = from_count<R>(size);
    std::vector<std::vector<R>> square(size, std::vector<R>(size, R(0)));  // g g
    std::vector<R> sums(size, R(0));                                       // g 1
    std::vector<R> target_sums(size, R(0));
    for (std::size_t k = 0; k < size; ++k) {
        for (std::size_t l = 0; l < size; ++l) {
            for (std::size_t q = 0; q < size; ++q) square[k][l] = square[k][l] + g[k][q] * g[q][l];
            sums[k] = sums[k] + g[k][l];
            target_sums[k] = target_sums[k] + t[k][l];
        }
    }
    SampleMoments<R> out{};
    auto const add = [](R& to, R const& x) { to = to + x; };
    for (std::size_t k = 0; k < size; ++k) {
        add(out.all.p1, g[k][k] / n);
        add(out.all.p2, square[k][k] / (n * n));
        add(out.all.target, t[k][k] / n);
        add(out.centre.square, sums[k] / (n * n));
        add(out.centre.sigma, sums[k] * sums[k] / (n * n * n));
        add(out.centre.target, target_sums[k] / (n * n));
        add(out.centre.cross, target_sums[k] * sums[k] / (n * n * n));
        add(out.centre.own_square, g[k][k] * sums[k] / (n * n));
        add(out.centre.own_target, t[k][k] * sums[k] / (n * n));
        add(out.centre.own_target_cross, g[k][k] * target_sums[k] / (n * n));
        add(out.own.fourth, g[k][k] * g[k][k] / n);
        add(out.own.sigma, g[k][k] * square[k][k] / (n * n));
        add(out.own.target, t[k][k] * g[k][k] / n);
        add(out.own.target_sigma, t[k][k] * square[k][k] / (n * n));
        for (std::size_t l = 0; l < size; ++l) {
            add(out.all.p3, square[k][l] * g[k][l] / (n * n * n));
            add(out.all.cross, t[k][l] * g[k][l] / (n * n));
            add(out.all.cross_sigma, t[k][l] * square[k][l] / (n * n * n));
            add(out.own.target_cross, g[k][k] * t[k][l] * g[k][l] / (n * n));
        }
    }
    out.share = samples.batch ? R(Surd(own_share(*samples.batch, size))) : R(0);
    return out;
}

template <class R, class Count>
SquaredLossCurve<R> curve_at(Model<R, Count> const& model, GramSamples<R> const& samples) {
    require_linear_between_matrices(model.graph(), gates_of_a_curve);
    if (!has_gaussian_weights(model.graph()))
        throw UnsupportedError(
            "`law`: samples by their inner products are served for Gaussian weights; others ask for coordinates, such "
            "as "
            "those of `data`",
            "law");
    require_symmetric_products(samples.targets, "targets");
    return curve_of(model, sample_moments(samples)).scaled(samples.factor);
}

}  // namespace

SquaredLossCurve<Surd> gram_curve(NumericModel const& model, GramSamples<Surd> const& samples) {
    return curve_at(model, samples);
}
SquaredLossCurve<RationalFunction> gram_curve(SymbolicModel const& model,
                                              GramSamples<RationalFunction> const& samples) {
    return curve_at(model, samples);
}

void add_wired_gram_curve(NumericModel const& model, GramSamples<Surd> const& samples, std::string const& k,
                          Session const& session, Answer& answer) {
    auto const inputs = vectors_of(samples.inputs, model.graph().input_width, "gram");
    auto const targets = vectors_of(samples.targets, model.graph().output_width(), "targets");
    auto const curve = gram_curve(model, samples);
    std::array<std::optional<Check>, 3> checks;
    if (session.samples) {
        checks = sampled_beside(curve,
                                {.network = sampling_graph(model),
                                 .inputs = inputs,
                                 .targets = targets,
                                 .half = !(samples.factor == Surd(1)),
                                 .batch = samples.batch},
                                session);
    }
    add_curve(curve, checks, k, answer);
}

void add_wired_gram_curve(SymbolicModel const& model, GramSamples<RationalFunction> const& samples,
                          std::string const& k, Session const&, Answer& answer) {
    add_curve(gram_curve(model, samples), {}, k, answer);
}

}  // namespace isserlis::quantity
