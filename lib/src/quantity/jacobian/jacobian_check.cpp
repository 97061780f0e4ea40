// SPDX-License-Identifier: MIT
#include "quantity/jacobian/jacobian_check.hpp"

#include <cmath>
#include <iomanip>
#include <isserlis/error.hpp>
#include <isserlis/verify/feasible.hpp>
#include <isserlis/verify/observable.hpp>
#include <sstream>

#include <isserlis/model/sampling_model.hpp>
#include <isserlis/question/reason.hpp>
#include "quantity/observable_check.hpp"
#include "question/model_statement.hpp"

namespace isserlis::quantity {

NumericModel behind_one_matrix(NumericModel const& model) {
    NumericModel out = model;
    auto graph = model.graph();
    GraphStage<Surd, std::uint64_t> stage;
    stage.nodes = {{.name = "x", .width = graph.input_width}};
    GraphEdge<Surd> edge{.name = input_weights};
    edge.variance = Surd(1);
    stage.edges = {edge};
    stage.numbered = false;
    graph.input_width = Surd(1);
    graph.stages.insert(graph.stages.begin(), stage);
    out.network = std::move(graph);
    out.input = {Surd(1)};
    out.squared_norm = Surd(1);
    out.fourth = Surd(1);
    return out;
}

NumericModel by_blocks(NumericModel const& model, unsigned first_source) {
    NumericModel out = model;
    GraphStage<Surd, std::uint64_t> whole;
    whole.numbered = false;
    for (std::size_t k = 1; k <= model.graph().stages.size(); ++k) {
        auto const& stage = model.graph().stages[k - 1];
        whole.nodes.push_back(stage.nodes.front());
        whole.nodes.back().name = std::to_string(k);
        for (std::size_t source = k == 1 ? 0 : first_source; source < k; ++source) {
            auto edge = stage.edges.front();
            edge.name = std::to_string(k) + "." + std::to_string(source);
            edge.from = source;
            edge.to = k;
            whole.edges.push_back(std::move(edge));
        }
    }
    auto graph = model.graph();
    graph.stages = {std::move(whole)};
    out.network = std::move(graph);
    return out;
}

JacobianSampling::JacobianSampling(NumericModel const& model, Wiring wiring, Session const& session, Answer& answer)
    : model_(model), session_(session), graph_(sampling_graph(model)), residual_(wiring == Wiring::residual) {
    auto const width = static_cast<std::size_t>(numerator_of(model.graph().input_width.to_rational()));
    Surd const per_output = model.target_second / model.graph().output_width();
    settings_.inputs[""] = sampling_input(model, width);
    settings_.target_second_moment = to_double(per_output);
    settings_.parameters["t"] = to_double(per_output);
    setting_.parameters["t"] = per_output;
    setting_.target_second = model.target_second;
    state_sampled_input(model, answer);
    if (model.input.empty()) {
        setting_.inputs.squared_norm = model.squared_norm;
        setting_.inputs.fourth = model.fourth;
    } else {
        setting_.inputs.names = {""};
        setting_.inputs.vectors = {model.input};
    }
    output_ = model.graph().stages.back().nodes.back().gate ? "h" : "z";
}

void JacobianSampling::require_feasible(std::vector<std::string> const& index, std::size_t matrices) const {
    Query const norm = parse_query(output_ + "[i;m]^2 where m in " + weights(index));
    double const work = monte_carlo::ObservableSampler(graph_, norm, settings_).work_per_sample();
    isserlis::require_feasible(static_cast<double>(matrices) * work, *session_.samples, session_.run_control());
}

void JacobianSampling::sample(std::vector<std::vector<std::string>> const& indices) {
    std::vector<std::string> texts{output_ + "[i]^2", "(" + output_ + "[i]^2)^2"};
    for (auto const& index : indices) {
        std::string const norm = output_ + "[i;m]^2";
        std::string const where = " where m in " + weights(index);
        texts.insert(texts.end(), {norm + where, "(" + norm + ")^2" + where, gradient_query(index)});
    }
    std::vector<Query> queries;
    for (auto const& text : texts) queries.push_back(parse_query(text));
    monte_carlo::ObservableSampler const sampler(graph_, queries, settings_);
    require_feasible_sampler(sampler, *session_.samples, session_.run_control());
    auto const all = sample_observables(sampler, *session_.samples, session_.seed, session_.run_control());
    for (std::size_t q = 0; q < texts.size(); ++q) estimates_[texts[q]] = all[q];
}

std::vector<monte_carlo::TypicalSize> JacobianSampling::typical_sizes(
    std::vector<std::vector<std::string>> const& indices, std::vector<double> const& shares) const {
    if (indices.empty()) return {};
    std::vector<Query> queries;
    for (auto const& index : indices) {
        std::string const where = " where m in " + weights(index);
        queries.push_back(parse_query(output_ + "[i;m]^2" + where));
        if (output_ == "z") queries.push_back(parse_query("(D[m] loss)^2" + where));
    }
    monte_carlo::ObservableSampler const sampler(graph_, queries, settings_);
    require_feasible_sampler(sampler, *session_.samples, session_.run_control());
    return monte_carlo::sample_typical_sizes(sampler, shares, *session_.samples, session_.seed, session_.run_control());
}

monte_carlo::Estimate JacobianSampling::estimate(std::string const& query) const {
    auto const found = estimates_.find(query);
    if (found != estimates_.end()) return found->second;
    monte_carlo::ObservableSampler const sampler(graph_, parse_query(query), settings_);
    require_feasible_sampler(sampler, *session_.samples, session_.run_control());
    return sample_observables(sampler, *session_.samples, session_.seed, session_.run_control()).front();
}

std::string JacobianSampling::weights(std::vector<std::string> const& index) const {
    return index[0] + (residual_ ? "." + index[1] : "");
}

std::string JacobianSampling::gradient_query(std::vector<std::string> const& index) const {
    return "(" + output_ + "[i] " + output_ + "[i;m])^2 + t " + output_ + "[i;m]^2 where m in " + weights(index);
}

JacobianSampling::Sampled JacobianSampling::check(std::string const& query, double exact, double second) const {
    double const error = std::sqrt((second - exact * exact) / static_cast<double>(*session_.samples));
    if (!(error <= std::fabs(exact)) && second > exact * exact) {
        std::ostringstream why;
        why << "the tails are too heavy for sampling to mean anything: over " << *session_.samples
            << " networks the standard error is ";
        if (std::isfinite(error) && exact != 0) {
            why << std::setprecision(2) << error / std::fabs(exact) << " times the value";
        } else {
            why << "beyond a double";
        }
        return {.check = {}, .why = why.str()};
    }
    return {.check = check_estimate(exact, second, estimate(query)), .why = {}};
}

JacobianSampling::Sampled JacobianSampling::check(std::string const& query, double exact) const {
    std::string const why = "a sampled error says nothing about tails this heavy, and for the exact one ";
    try {
        auto const value = expectation(squared(parse_query(query)), model_.graph(), setting_, effort_of_errors(1));
        return check(query, exact, to_double(value));
    } catch (UnsupportedError const& e) {
        return {.check = {}, .why = why + reason_of_own_query(e)};
    } catch (DomainError const& e) {
        return {.check = {}, .why = why + reason_of_own_query(e)};
    }
}

JacobianChecks JacobianSampling::of_norm(std::string const& norm, std::string const& where, double mean,
                                         double second) const {
    Sampled const first = check(norm + where, mean, second);
    Sampled const square = check("(" + norm + ")^2" + where, second);
    return {.mean = first.check,
            .second = square.check,
            .gradient = {},
            .no_mean = first.why,
            .no_second = square.why,
            .no_gradient = {}};
}

JacobianChecks JacobianSampling::norm(std::string const& weights, double mean, double second) const {
    return of_norm(output_ + "[i;m]^2", " where m in " + weights, mean, second);
}

JacobianChecks JacobianSampling::positive_part(std::vector<std::string> const& index, double mean,
                                               double second) const {
    JacobianSampling by_p = *this;
    by_p.settings_.labels_of_p_alone = true;
    Sampled const sampled = by_p.check(output_ + "[i;m]^2 where m in " + weights(index), mean, second);
    JacobianChecks out;
    out.mean = sampled.check;
    out.no_mean = sampled.why;
    return out;
}

JacobianChecks JacobianSampling::matrix(std::vector<std::string> const& index, JacobianValues const& exact) const {
    std::string const at = weights(index);
    JacobianChecks out = norm(at, exact.mean, exact.second);
    // The targets are integrated out: they are independent of the weights and of mean 0.
    Sampled const gradient = check(gradient_query(index), exact.gradient);
    out.gradient = gradient.check;
    out.no_gradient = gradient.why;
    return out;
}

JacobianSampling::Sampled JacobianSampling::spectral(unsigned power, double exact) const {
    std::string const j = output_ == "h" ? "Jh" : "J";
    return check("tr((" + j + " " + j + "^T)^" + std::to_string(power) + ")", exact);
}

JacobianChecks JacobianSampling::network(double mean, double second) const {
    return of_norm(output_ + "[i]^2", "", mean, second);
}

}  // namespace isserlis::quantity
