// SPDX-License-Identifier: MIT
#include <isserlis/error.hpp>
#include <isserlis/network/branch_multiplier.hpp>
#include <isserlis/report/tidy.hpp>

#include "quantity/observable_check.hpp"
#include "quantity/unchecked.hpp"
#include "quantity/wired/wired.hpp"

namespace isserlis::quantity {
namespace {

constexpr std::size_t most_matrices = 100;

/// Derivatives by the weights themselves, whatever a file says of labels.
template <class R, class Count>
Model<R, Count> without_label_factors(Model<R, Count> model) {
    auto graph = model.graph();
    auto const& typed = model.derivatives;
    for (auto& stage : graph.stages) {
        for (auto& edge : stage.edges) edge.label_factor = typed.unit_parameters ? edge.variance : R(1);
        auto* const last = last_of_branch(stage);
        if (last != nullptr && typed.branch_multiplier_squared && !typed.unit_parameters)
            last->label_factor = *typed.branch_multiplier_squared;
    }
    model.network = std::move(graph);
    model.derivatives.factors.clear();
    return model;
}

/// The first two moments of a square that is not negative.
template <class R>
struct SquareMoments {
    std::string name;
    std::vector<std::string> index;
    std::string query;
    R mean;
    R second;
};

template <class R, class Count>
std::vector<SquareMoments<R>> all_moments(Model<R, Count> const& model) {
    auto const names = weight_names(model.graph(), most_matrices);
    if (!names)
        throw UnsupportedError(
            "Jacobians of networks with biases, and of those that go by strands, are served by each of "
            "up to " +
            std::to_string(most_matrices) + " weight matrices, at a depth in numbers");
    std::vector<SquareMoments<R>> out;
    auto const add = [&](std::string const& name, std::vector<std::string> const& index, std::string const& square,
                         std::string const& where) {
        std::string const query = square + where;
        out.push_back({.name = name,
                       .index = index,
                       .query = query,
                       .mean = exact_mean(query, model),
                       .second = exact_mean("(" + square + ")^2" + where, model)});
    };
    add("output", {}, "z[i]^2", "");
    for (auto const& name : *names) add("jacobian", {name}, "z[i;m]^2", " where m in " + name);
    return out;
}

template <class R, class Count>
void add_all(Model<R, Count> const& given, Session const& session, Answer& answer) {
    auto const model = without_label_factors(given);
    auto const all = all_moments(model);
    std::vector<std::optional<Check>> checks(2 * all.size());
    if constexpr (std::is_same_v<R, Surd>) {
        std::vector<AskedMean> asked;
        for (auto const& x : all) {
            auto const where = x.query.find(" where");
            std::string const end = where == std::string::npos ? "" : x.query.substr(where);
            asked.push_back({.query = x.query, .exact = to_double(x.mean)});
            asked.push_back({.query = "(" + x.query.substr(0, where) + ")^2" + end, .exact = to_double(x.second)});
        }
        checks = observable_checks(asked, model, session, answer);
    }
    std::string const why = std::is_same_v<R, Surd> ? "" : not_numeric;
    std::string const derived = why.empty() ? "computed from the mean and the second moment" : why;
    for (std::size_t k = 0; k < all.size(); ++k) {
        auto const& x = all[k];
        answer.add(x.name + "_mean", x.index, tidy(x.mean), checks[2 * k], why);
        answer.add(x.name + "_second_moment", x.index, tidy(x.second), checks[2 * k + 1], why);
        answer.add(x.name + "_variance", x.index, tidy(R(x.second - x.mean * x.mean)), {}, derived);
    }
}

}  // namespace

void add_wired_jacobian(NumericModel const& model, Session const& session, Answer& answer) {
    add_all(model, session, answer);
}
void add_wired_jacobian(SymbolicModel const& model, Session const& session, Answer& answer) {
    declare_orthogonal(model, 2, answer);
    add_all(model, session, answer);
}

}  // namespace isserlis::quantity
