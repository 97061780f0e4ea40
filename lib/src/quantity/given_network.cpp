// SPDX-License-Identifier: MIT
#include "quantity/given_network.hpp"

#include <isserlis/error.hpp>
#include <isserlis/mlp/batch_pass.hpp>
#include <isserlis/mlp/loss_derivatives.hpp>

#include <isserlis/loss_curve/curve_number.hpp>
#include "question/weights_file.hpp"

namespace isserlis::quantity {
namespace {

using Net = mlp::Network<double>;

mlp::LossDerivatives derivatives(Net const& net, CurveData const& data) {
    auto const model = data.sampling_model({});
    if (!data.fixed) {
        return mlp::loss_derivatives(
            net, {.inputs = mlp::columns(model.inputs), .targets = mlp::columns(model.targets)}, data.loss);
    }
    mlp::GivenDerivatives given{.gradients = mlp::columns(model.given->gradients), .hessians = {}};
    for (auto const& h : model.given->hessians) given.hessians.push_back(mlp::columns(h));
    return mlp::loss_derivatives(net, mlp::columns(model.inputs), given);
}

/// The first sample, counted from 1, that has a hidden pre-activation of exactly 0 where the activation has a kink.
std::optional<std::size_t> sample_at_a_kink(Net const& net, CurveData const& data) {
    bool const kink = net.activation.is_concatenated() || net.activation.gate().negative != 1;
    if (!kink) return std::nullopt;
    auto const chain = mlp::architecture_of(net);
    auto const weights = mlp::parameters_of(net);
    auto const inputs = mlp::columns(input_doubles(data.set));
    mlp::BatchPass<double> pass(chain);
    pass.forward(weights, inputs);
    for (Eigen::Index k = 0; k < inputs.cols(); ++k)
        for (std::size_t v = 1; v < net.layers.size(); ++v)
            if ((pass.preactivations(v).col(k).array() == 0).any()) return static_cast<std::size_t>(k) + 1;
    return std::nullopt;
}

}  // namespace

void add_given_network(Session const& session, CurveData const& data, std::string const& file, Answer& answer) {
    auto const net = read_weights_file(file, "weights");
    answer.assume("the network of " + file + ": nothing is random; in double precision");
    require_widths(data.set, static_cast<std::size_t>(net.layers.front().weights.cols()),
                   static_cast<std::size_t>(net.layers.back().weights.rows()));
    if (auto const k = sample_at_a_kink(net, data)) {
        answer.warn("a hidden pre-activation of sample " + std::to_string(*k) +
                    " is exactly 0, where the loss has no derivative: " +
                    (net.activation.is_concatenated() ? "P and N have half of it each there, h(0) = 1/2 of "
                                                        "[Hettinger 2019, Def 3.13]"
                                                      : "the gate is taken as closed there, relu'(0) = 0"));
    }
    auto const at = derivatives(net, data);
    auto number = [&](char const* name, std::optional<double> x, char const* why_absent) {
        auto const value = x ? CurveNumber::rounded(ScaledDouble(*x)) : CurveNumber::absent(why_absent);
        answer.add(name, {"1"}, value.value(), {},
                   x ? "the weights are given, with nothing to sample" : std::string(why_absent));
    };
    number("loss", at.loss, "constant gradients do not say what the loss is");
    number("slope", at.slope, "");
    number("curvature", at.curvature(), "");
    number("curvature_chi", at.curvature_chi, "");
    number("curvature_gamma", at.curvature_gamma, "");
    number("vertex_rate", mlp::greedy_rate(at), "the curvature is not positive");
    if (session.printed) number("vertex_rate_printed", mlp::greedy_rate_printed(at), "the curvature is not positive");
}

}  // namespace isserlis::quantity
