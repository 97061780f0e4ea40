// SPDX-License-Identifier: MIT
#include "quantity/norm_rows.hpp"
#include "quantity/observable_check.hpp"
#include "quantity/unchecked.hpp"
#include "quantity/wired/wired.hpp"

namespace isserlis::quantity {
namespace {

constexpr unsigned least_order = 2;  ///< of the variance

/// E q^p as an observable.
std::string power_of(std::string const& square, unsigned p) {
    return p == 1 ? square : "(" + square + ")^" + std::to_string(p);
}

template <class R, class Count>
void add_norms(Model<R, Count> const& model, unsigned order, bool preactivations, Session const& session,
               Answer& answer) {
    bool const numeric = std::is_same_v<R, Surd>;
    auto const nodes = listed_nodes(model.graph(), session, answer);
    unsigned const highest = std::max(order, least_order);
    answer.expect((6 + order) * nodes.size());
    bool is_gaussian = true;
    for (auto const& stage : model.graph().stages) {
        for (auto const& edge : stage.edges) is_gaussian = is_gaussian && edge.law.kind == LawKind::gaussian;
    }
    std::vector<std::vector<R>> moments;
    std::vector<AskedMean> asked;
    for (auto const& node : nodes) {
        std::string const square = (node.gated && !preactivations ? "h" : "z") + node.place() + "[i]^2";
        auto& raw = moments.emplace_back(1, R(1));
        for (unsigned p = 1; p <= highest; ++p) {
            std::string const query = power_of(square, p);
            raw.push_back(exact_mean(query, model));
            if constexpr (std::is_same_v<R, Surd>) asked.push_back({.query = query, .exact = to_double(raw.back())});
        }
    }
    std::vector<std::optional<Check>> checks;
    if constexpr (std::is_same_v<R, Surd>) checks = observable_checks(asked, model, session, answer);
    for (std::size_t k = 0; k < nodes.size(); ++k) {
        NormChecks check;
        for (unsigned p = 0; p < highest && !checks.empty() && checks[k * highest + p]; ++p)
            check.raw.push_back(*checks[k * highest + p]);
        add_norm_rows(moments[k], moments[k],
                      is_gaussian ? "with `order` 4 and higher" : "of Gaussian weights, with `order` 4 and higher",
                      nodes[k].name, order, check,
                      numeric ? "computed from the mean and the second moment" : not_numeric, answer);
        answer.add("log_squared_norm_mean", {nodes[k].name},
                   Value::absent("served for fully connected (vanilla) networks"), {}, "no exact value to check");
    }
}

}  // namespace

void add_wired_norms(NumericModel const& model, unsigned order, bool preactivations, Session const& session,
                     Answer& answer) {
    add_norms(model, order, preactivations, session, answer);
}

void add_wired_norms(SymbolicModel const& model, unsigned order, bool preactivations, Session const& session,
                     Answer& answer) {
    declare_orthogonal(model, std::max(order, least_order), answer);
    add_norms(model, order, preactivations, session, answer);
}

}  // namespace isserlis::quantity
