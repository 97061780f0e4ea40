// SPDX-License-Identifier: MIT
#include <cmath>
#include <isserlis/error.hpp>
#include <isserlis/formula/hessian_norm.hpp>
#include <isserlis/formula/rescaled_step.hpp>
#include <isserlis/formula/scaling_factor.hpp>
#include <isserlis/model/exact_cost.hpp>
#include <isserlis/model/sampling_model.hpp>
#include <isserlis/monte_carlo/loss_curve_sampler.hpp>
#include <isserlis/monte_carlo/one_step_loss.hpp>
#include <isserlis/monte_carlo/step_sampler.hpp>
#include <isserlis/monte_carlo/top_eigenvalue.hpp>
#include <isserlis/verify/feasible.hpp>

#include "quantity/chain_models.hpp"
#include "quantity/observable_check.hpp"
#include "quantity/transfer/transfer_rules.hpp"

namespace isserlis::quantity {
namespace {

using monte_carlo::Estimate;

/// Powers of an estimate, to first order in its error.
Estimate to_the_power(Estimate const& x, double exponent) {
    double const value = std::pow(x.mean, exponent);
    return {.mean = value, .std_error = std::abs(exponent * value / x.mean) * x.std_error, .samples = x.samples};
}

double weights_of_net(Numeric const& net) {
    double out = 0;
    for (auto const& run : net.layers)
        out += to_double(Surd(run.fan_in * run.fan_out)) * static_cast<double>(run.count);
    return out;
}

/// The one sample of the rules: an input, targets of equal size, half the squared error.
monte_carlo::LossCurveModel one_sample_model(NumericModel const& model) {
    monte_carlo::LossCurveModel out;
    out.network = sampling_model(model);
    out.inputs = {out.network.input};
    double const outputs = static_cast<double>(out.network.widths.back());
    out.targets = {std::vector<double>(out.network.widths.back(), std::sqrt(to_double(model.target_second) / outputs))};
    out.loss = LossKind::half_squared;
    out.rates = sampling_factors(model);
    return out;
}

/// Calls f; what it refuses is the reason why the rule has no rate.
template <class F>
TransferRule ruled(std::string name, F const& f) {
    TransferRule out{.name = std::move(name)};
    try {
        f(out);
    } catch (UnsupportedError const& e) {
        out.absent = e.what();
    }
    return out;
}

void change_rule(NumericModel const& model, Session const& session, TransferRule& out) {
    std::uint64_t const hidden = checked_depth(model.net(), "transfer") - 1;
    if (hidden == 0) throw UnsupportedError("there is no hidden layer whose change could be kept");
    require_moderate_digits(model.graph());
    RescaledStep<Surd> const step(model.net(), model.target_second);
    Surd const change =
        step.layer(hidden, mup_step_of_layer(step.net(), model.squared_norm, step.target_second(), hidden))
            .change_squared();
    if (change.is_zero()) throw UnsupportedError("no rate changes the last hidden layer");
    out.squared_rate = Surd(1) / change;
    if (!session.samples) return;
    double const outputs = to_double(model.net().output_width());
    auto const steps = monte_carlo::sample_steps(sampling_model(model), sampling_factors(model),
                                                 to_double(model.target_second) / outputs, *session.samples,
                                                 session.seed, session.run_control());
    out.sampled = to_the_power(steps[hidden - 1].change_square, -0.5);
}

/// E|grad L|^2/E grad L . H grad L, each derivative times its rate: the lowest point of the expected parabola.
void vertex_rule(NumericModel const& model, Session const& session, TransferRule& out) {
    Surd const slope = exact_mean("(D[m] loss)^2", model);
    Surd const curvature = exact_mean("D[m] loss D[m,n] loss D[n] loss", model);
    if (sign(curvature) <= 0) throw UnsupportedError("the expected curvature is not positive");
    out.rate = slope / curvature;
    if (!session.samples) return;
    auto const sampled =
        monte_carlo::sample_loss_curve(one_sample_model(model), *session.samples, session.seed, session.run_control());
    out.sampled = monte_carlo::vertex_rate(sampled.plain);
}

void norm_rule(NumericModel const& model, TransferRule& out) {
    Surd const norm = hessian_norm(model.net(), model.squared_norm, model.target_second).total();
    if (norm.is_zero()) throw UnsupportedError("the Hessian is 0");
    out.squared_rate = Surd(1) / norm;
}

void eigenvalue_rule(NumericModel const& model, Session const& session, TransferRule& out) {
    if (!session.samples) throw UnsupportedError("no exact form; `check` N samples it");
    auto const network = sampling_model(model);
    double const outputs = static_cast<double>(network.widths.back());
    auto const tops = monte_carlo::top_eigenvalues(network, {network.input}, sampling_factors(model),
                                                   to_double(model.target_second) / outputs, *session.samples,
                                                   session.seed, session.run_control());
    if (!(tops.modulus.mean > 0)) throw UnsupportedError("every sampled Hessian is 0");
    out.sampled = to_the_power(tops.modulus, -1);
}

void minimiser_rule(NumericModel const& model, TransferRule const& vertex, Session const& session, TransferRule& out) {
    if (!session.samples) throw UnsupportedError("no exact form; `check` N samples it");
    if (!vertex.rate) throw UnsupportedError("no vertex to start from: " + vertex.absent);
    out.sampled = monte_carlo::minimise_one_step_loss(one_sample_model(model), to_double(*vertex.rate),
                                                      *session.samples, session.seed, session.run_control())
                      .rate;
}

}  // namespace

std::vector<TransferRule> transfer_rules(NumericModel const& model, Session const& session) {
    constexpr double passes_of_a_minimiser = 60;
    if (session.samples)
        require_feasible(passes_of_a_minimiser * weights_of_net(model.net()), *session.samples, session.run_control());
    Surd const hidden(Integer(depth(model.net()) - 1));
    std::vector<TransferRule> out;
    out.push_back(
        ruled("scaling_factor", [&](auto& x) { x.rate = Surd(1) / scaling_factor(model.net().layers).value(); }));
    out.push_back(ruled("depth", [&](auto& x) {
        if (hidden.is_zero()) throw UnsupportedError("there is no hidden layer");
        x.rate = Surd(1) / hidden;
    }));
    out.push_back(ruled("depth_root", [&](auto& x) {
        if (hidden.is_zero()) throw UnsupportedError("there is no hidden layer");
        x.squared_rate = Surd(1) / hidden;
    }));
    out.push_back(ruled("change", [&](auto& x) { change_rule(model, session, x); }));
    out.push_back(ruled("vertex", [&](auto& x) { vertex_rule(model, session, x); }));
    TransferRule const vertex = out.back();
    out.push_back(ruled("hessian_norm", [&](auto& x) { norm_rule(model, x); }));
    out.push_back(ruled("top_eigenvalue", [&](auto& x) { eigenvalue_rule(model, session, x); }));
    out.push_back(ruled("minimiser", [&](auto& x) { minimiser_rule(model, vertex, session, x); }));
    return out;
}

}  // namespace isserlis::quantity
