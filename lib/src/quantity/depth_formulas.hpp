// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/network/branch_multiplier.hpp>

#include <array>
#include <string>
#include <vector>

#include "quantity/wired/wired.hpp"
#include "question/model.hpp"
#include "question/session.hpp"

namespace isserlis::quantity {

/// A branch multiplier m = C L^(-halves/2).
struct DepthRule {
    char const* name;
    unsigned halves;
};
inline constexpr std::array<DepthRule, 3> depth_rules{{{"none", 0}, {"1/sqrt(L)", 1}, {"1/L", 2}}};
inline constexpr char const* fixed_depth_rule = "fixed";
inline constexpr char const* no_fixed_rule = "no root is sought with samples, biases, or weights that are not Gaussian";
/// What depth_learning_rate is, where it has no short form.
inline constexpr char const* depth_rate_form = "1/sqrt(E (Delta y_i^L)^2)";

/// The network of so many blocks, m inside the last matrix of each branch and its bias: s = m^2.
template <class R, class Count>
[[nodiscard]] Graph<R, Count> graph_at_depth(Graph<R, Count> graph, Count const& depth, R const& s) {
    graph.stages[1].count = depth;
    multiply_branches(graph, s);
    return graph;
}

/// E (y_i)^2 and E (Delta y_i)^2 of the last residual layer as observables, summed over its neurons.
[[nodiscard]] std::string depth_square_query(std::string const& depth);
[[nodiscard]] std::string depth_change_query(std::string const& depth);

/// What `depth-rules` has of a network with symbols, of one block in `model`, by strands: formulas at each depth, and the
/// limits where a depth is a symbol. On `samples` means over them, of linear networks.
/// `has_fixed_rule`: numbers in place of the symbols have the multiplier that holds the change fixed.
void add_depth_formulas(SymbolicModel const& model, RationalFunction const& multiplier,
                        std::vector<Exponent> const& depths, StepSamples<RationalFunction> const* samples,
                        bool has_fixed_rule, Answer& answer);

/// The limits at infinite depth by strands, where `depth` is a symbol that nothing else has.
void add_depth_limits(SymbolicModel const& model, RationalFunction const& multiplier, std::string const& depth,
                      StepSamples<RationalFunction> const* samples, Answer& answer);

}  // namespace isserlis::quantity
