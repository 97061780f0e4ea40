// SPDX-License-Identifier: MIT
#include "quantity/mup/optimised_model.hpp"

#include <isserlis/error.hpp>

#include <cstddef>
#include <utility>
#include <vector>

namespace isserlis::quantity {
namespace {

/// Of the runs of a chain, else of the matrices of the graph, from the input up.
void for_each_factor(FullyConnected<Surd, std::uint64_t>& net, auto const& f) {
    for (auto& run : net.layers) f(run.label_factor);
}
void for_each_factor(Graph<Surd, std::uint64_t>& graph, auto const& f) {
    for (auto& stage : graph.stages) {
        for (auto& edge : stage.edges)
            if (edge.kind == GraphEdge<Surd>::Kind::weight) f(edge.label_factor);
    }
}

std::vector<Surd> label_factors(NumericModel const& model) {
    std::vector<Surd> out;
    auto const gather = [&](auto net) { for_each_factor(net, [&](Surd& factor) { out.push_back(factor); }); };
    model.network.is_chain() ? gather(model.net()) : gather(model.graph());
    return out;
}

NumericModel with_label_factors(NumericModel model, std::vector<Surd> const& factors) {
    std::size_t next = 0;
    auto const changed = [&](auto net) {
        for_each_factor(net, [&](Surd& factor) { factor = factors[next++]; });
        return Network<Surd, std::uint64_t>(std::move(net));
    };
    model.network = model.network.is_chain() ? changed(model.net()) : changed(model.graph());
    return model;
}

/// m of each matrix.
std::vector<Surd> multipliers(NumericModel const& squared, NumericModel const& bare) {
    auto out = label_factors(squared);
    auto const rates = label_factors(bare);
    for (std::size_t i = 0; i < out.size(); ++i) {
        Surd const square = out[i] / rates[i];
        try {
            out[i] = sqrt(square);
        } catch (UnsupportedError const&) {
            throw UnsupportedError(
                "`parametrisation`: a matrix is multiplied by the root of " + to_string(square) +
                    ", by which this step moves it; exponents and an `alpha` with which that is a sum "
                    "of square roots are served",
                "parametrisation");
        }
    }
    return out;
}

}  // namespace

ModelText without_rates(ModelText text) {
    for (auto& factor : text.label_factors) factor = Expression::parse("1", "eta");
    for (auto& edge : text.file.edges) edge.label_factor.reset();
    return text;
}

ModelText without_multipliers(ModelText text) {
    if (!text.parametrisation) return text;
    text.parametrisation->unit_parameters = false;
    for (auto& x : text.parametrisation->exponents) {
        x.b = x.a + x.b;
        x.a = 0;
    }
    return text;
}

OptimisedModel::OptimisedModel(ModelText const& text, Bindings const& bindings, StepRule rule)
    : drawn(numeric_model(text, bindings)),
      rated(numeric_model(without_multipliers(text), bindings)),
      moved(rated),
      unit(numeric_model(without_rates(text), bindings)),
      rule_(rule) {
    if (rule == StepRule::normalised) return;
    auto const bare = numeric_model(without_multipliers(without_rates(text)), bindings);
    auto const m = multipliers(unit, bare);
    auto const times_m = [&](NumericModel const& model) {
        auto out = label_factors(model);
        for (std::size_t i = 0; i < out.size(); ++i) out[i] = m[i] * out[i];
        return out;
    };
    moved = with_label_factors(drawn, times_m(rated));
    unit = with_label_factors(unit, times_m(bare));
}

}  // namespace isserlis::quantity
