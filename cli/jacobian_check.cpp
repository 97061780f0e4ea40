// SPDX-License-Identifier: MIT
#include <isserlis/error.hpp>
#include <isserlis/strand/expectation.hpp>
#include <isserlis/verify/observable.hpp>

#include "jacobian_check.hpp"
#include "sampling_model.hpp"

namespace isserlis::cli {

NumericModel behind_one_matrix(NumericModel const& model) {
    NumericModel out = model;
    auto& graph = out.graph;
    GraphBlock<Surd, std::uint64_t> block;
    block.nodes = {{.name = "x", .width = graph.input_width}};
    GraphEdge<Surd> edge{.name = input_weights};
    edge.variance = Surd(1);
    block.edges = {edge};
    block.numbered = false;
    graph.input_width = Surd(1);
    graph.blocks.insert(graph.blocks.begin(), block);
    out.input = {Surd(1)};
    out.squared_norm = Surd(1);
    out.fourth = Surd(1);
    return out;
}

NumericModel by_blocks(NumericModel const& model, unsigned first_source) {
    NumericModel out = model;
    GraphBlock<Surd, std::uint64_t> whole;
    whole.numbered = false;
    for (std::size_t k = 1; k <= model.graph.blocks.size(); ++k) {
        auto const& block = model.graph.blocks[k - 1];
        whole.nodes.push_back(block.nodes.front());
        whole.nodes.back().name = std::to_string(k);
        for (std::size_t source = k == 1 ? 0 : first_source; source < k; ++source) {
            auto edge = block.edges.front();
            edge.name = std::to_string(k) + "." + std::to_string(source);
            edge.from = source;
            edge.to = k;
            whole.edges.push_back(std::move(edge));
        }
    }
    out.graph.blocks = {std::move(whole)};
    return out;
}

JacobianSampling::JacobianSampling(NumericModel const& model, Wiring wiring, Session const& session, Answer& answer)
    : model_(model), session_(session), graph_(sampling_graph(model)), residual_(wiring == Wiring::residual) {
    auto const width = static_cast<std::size_t>(numerator_of(model.graph.input_width.to_rational()));
    Surd const per_output = model.target_second / model.graph.output_width();
    settings_.inputs[""] = sampling_input(model, width);
    settings_.target_second_moment = to_double(per_output);
    settings_.parameters["t"] = to_double(per_output);
    setting_.parameters["t"] = per_output;
    setting_.target_second = model.target_second;
    if (model.input.empty()) {
        setting_.inputs.squared_norm = model.squared_norm;
        setting_.inputs.fourth = model.fourth;
        answer.assume("sampled with an input of the stated |x|^2");
    } else {
        setting_.inputs.names = {""};
        setting_.inputs.vectors = {model.input};
    }
    output_ = model.graph.blocks.back().nodes.back().gated ? "h" : "z";
}

Check JacobianSampling::check(std::string const& query, double exact, double second) const {
    return check_observable(graph_, parse_query(query), settings_, exact, second, *session_.samples, session_.seed,
                            session_.run_control());
}

JacobianSampling::Reached JacobianSampling::second_moment(std::string const& query) const {
    std::string const why = "a sampled error says nothing about tails this heavy, and for the exact one ";
    try {
        auto const value =
            expectation<Carrier<Surd>>(squared(parse_query(query)), model_.graph, setting_, RecursionOptions{});
        return {.second = to_double(value), .why = {}};
    } catch (UnsupportedError const& e) {
        return {.second = std::nullopt, .why = why + e.what()};
    } catch (DomainError const& e) {
        return {.second = std::nullopt, .why = why + e.what()};
    }
}

JacobianChecks JacobianSampling::norm(std::string const& weights, double mean, double second) const {
    std::string const where = " where m in " + weights;
    std::string const norm = output_ + "[i;m]^2";
    JacobianChecks out;
    out.mean = check(norm + where, mean, second);
    std::string const square = "(" + norm + ")^2" + where;
    auto const of_square = second_moment(square);
    out.no_second = of_square.why;
    if (of_square.second) out.second = check(square, second, *of_square.second);
    return out;
}

JacobianChecks JacobianSampling::matrix(std::vector<std::string> const& index, JacobianValues const& exact) const {
    std::string const weights = index[0] + (residual_ ? "." + index[1] : "");
    std::string const where = " where m in " + weights;
    std::string const norm = output_ + "[i;m]^2";
    JacobianChecks out = this->norm(weights, exact.mean, exact.second);
    // The targets are integrated out: they are independent of the weights and of mean 0.
    std::string const gradient = "(" + output_ + "[i] " + output_ + "[i;m])^2 + t " + norm + where;
    auto const of_gradient = second_moment(gradient);
    out.no_gradient = of_gradient.why;
    if (of_gradient.second) out.gradient = check(gradient, exact.gradient, *of_gradient.second);
    return out;
}

JacobianChecks JacobianSampling::network(double mean, double second) const {
    std::string const norm = output_ + "[i]^2";
    JacobianChecks out;
    out.mean = check(norm, mean, second);
    auto const of_square = second_moment("(" + norm + ")^2");
    out.no_second = of_square.why;
    if (of_square.second) out.second = check("(" + norm + ")^2", second, *of_square.second);
    return out;
}

}  // namespace isserlis::cli
