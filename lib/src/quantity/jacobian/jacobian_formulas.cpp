// SPDX-License-Identifier: MIT
// What `isserlis jacobian` prints when there are symbols.
#include <algorithm>
#include <isserlis/error.hpp>
#include <isserlis/formula/gaussian_jacobian.hpp>
#include <isserlis/model/exact_cost.hpp>
#include <isserlis/ring/members.hpp>

#include "quantity/jacobian/jacobian_parts.hpp"
#include "quantity/jacobian/jacobian_rows.hpp"
#include "quantity/observable_check.hpp"

namespace isserlis::quantity {
namespace {

void add_input(auto const& network, Answer& answer) {
    auto const moments = network.input_jacobian();
    add_norm({}, moments, not_sampled, answer);
    add_spectral(moments.mean, network.input_spectral_second(), not_sampled, answer);
}

void add_closed_form(JacobianCase const& c, SymbolicModel const& model,
                     std::vector<TransferStage<RationalFunction, Exponent>> const& stages,
                     std::vector<MatrixPlace<Exponent>> const& places, RationalFunction const& target) {
    GaussianJacobian<RationalFunction, Exponent> const network(stages, model.squared_norm);
    std::optional<GrowthRows<RationalFunction, Exponent>> growth;
    if (c.request.growth_bounds) growth.emplace(stages, c.text, model.squared_norm, c.request.printed);
    add_output(network.output(), not_sampled, c.answer);
    if (c.request.by_input) add_input(network, c.answer);
    for (auto const& at : places) {
        auto const& layer = stages[at.place.run].layers[at.matrix - 1];
        auto const moments = network.at({.run = at.place.run, .within = at.place.within, .matrix = at.matrix}, target);
        add_matrix<RationalFunction>(
            at.index,
            matrix_values<RationalFunction>(c.text, moments, layer.variance, RationalFunction(3), c.request.printed),
            {}, false, c.answer, growth_of(growth ? &*growth : nullptr, at, c.answer));
    }
}

/// Any kurtosis, and dense networks: the recursion in symbols.
template <class N>
void add_recursion(JacobianCase const& c, SymbolicModel const& model,
                   std::vector<TransferStage<RationalFunction, Exponent>> const& stages,
                   std::vector<MatrixPlace<Exponent>> const& places, RationalFunction const& fourth,
                   RationalFunction const& target) {
    using R = RationalFunction;
    auto const counted = counted_stages(stages);
    std::optional<GrowthRows<R, Exponent>> growth;
    if (c.request.growth_bounds) growth.emplace(stages, c.text, model.squared_norm, c.request.printed);
    auto add = [&](auto const& network, auto const& single) {
        add_output(network.output(), not_sampled, c.answer);
        if (c.request.by_input) add_input(network, c.answer);
        for (auto const& at : places) {
            auto const& layer = counted[at.place.run].layers[at.matrix - 1];
            add_matrix<R>(at.index,
                          matrix_values<R>(c.text, single(at), layer.variance, layer.kurtosis, c.request.printed), {},
                          false, c.answer, growth_of(growth ? &*growth : nullptr, at, c.answer));
        }
    };
    if (c.text.wiring == Wiring::dense) {
        std::vector<TransferLayer<R>> layers;
        for (auto const& stage : counted) layers.push_back(stage.layers.front());
        DenseJacobian<N> const network(layers, c.text.first_source, model.squared_norm, fourth);
        if (c.request.by_block) {
            add_output(network.output(), not_sampled, c.answer);
            add_blocks(network, layers, places, c.text, c.request, not_sampled, c.answer);
            return;
        }
        add(network, [&](auto const& at) { return network.at(at.place.run + 1, target); });
        return;
    }
    ChainJacobian<N> const network(counted, model.squared_norm, fourth);
    add(network, [&](auto const& at) {
        auto const within = checked_count(numerator_of(at.place.within.constant()));
        return network.at({.run = at.place.run, .within = within, .matrix = at.matrix}, target);
    });
}

/// The means of one matrix by strands, in a chain: all paths lead through it, and y_(k) is the output.
LayerJacobian<RationalFunction> jacobian_by_strands(std::string const& matrix, SymbolicModel const& model,
                                                    NormMoments<RationalFunction> const& output,
                                                    RationalFunction const& variance) {
    using R = RationalFunction;
    std::string const where = " where m in " + matrix;
    R const mean = exact_mean("z[i;m]^2" + where, model);
    R const second = exact_mean("(z[i;m]^2)^2" + where, model);
    return {.jacobian = {.mean = mean, .second = second, .variance = second - mean * mean},
            .reduced = output,
            .gradient_squared_mean = exact_mean("(D[m] loss)^2" + where, model),
            .gradient_squared_upper = variance * second + model.target_second * mean};
}

/// At a depth in symbols there is no closed form for weights that are not Gaussian: the engine sums over it.
void add_by_strands(JacobianCase const& c, SymbolicModel const& given,
                    std::vector<TransferStage<RationalFunction, Exponent>> const& stages,
                    std::vector<MatrixPlace<Exponent>> const& places) {
    using R = RationalFunction;
    c.answer.assume("source: the strand recursion, docs/strands.md; no closed form is used");
    SymbolicModel model = given;
    auto graph = given.graph();
    for (auto& stage : graph.stages) {
        for (auto& edge : stage.edges) edge.label_factor = R(1);
    }
    model.network = std::move(graph);
    R const mean = exact_mean("z[i]^2", model);
    R const second = exact_mean("(z[i]^2)^2", model);
    NormMoments<R> const output{.mean = mean, .second = second, .variance = second - mean * mean};
    add_output(output, not_sampled, c.answer);
    for (auto const& at : places) {
        auto const& layer = stages[at.place.run].layers[at.matrix - 1];
        auto const moments = jacobian_by_strands(at.index.front(), model, output, layer.variance);
        add_matrix<R>(at.index, matrix_values<R>(c.text, moments, layer.variance, layer.kurtosis, c.request.printed),
                      {}, false, c.answer);
    }
}

/// Stages in a row at a depth in symbols, none of them skipped or gated at the end, by each whole matrix.
bool is_deep_chain(JacobianCase const& c, std::vector<TransferStage<RationalFunction, Exponent>> const& stages) {
    bool const deep =
        std::any_of(stages.begin(), stages.end(), [](auto const& stage) { return !stage.count.is_constant(); });
    return deep && c.text.wiring == Wiring::vanilla && !c.text.gated_head && !c.request.by_input &&
           !c.request.positive_part && !c.request.growth_bounds;
}

}  // namespace

void add_jacobian(JacobianCase const& c, SymbolicModel const& model) {
    constexpr double most_closed_work = 1e7;  // a minute or two
    constexpr double most_recursion_work = 4e5;
    auto const stages = blocks_of(model, c.text);
    RationalFunction const fourth = fourth_of(model, stages);
    RationalFunction const target = model.target_second / model.graph().output_width();
    auto const places =
        c.request.by_input ? std::vector<MatrixPlace<Exponent>>{} : places_asked(stages, c.text, c.request, c.answer);
    c.answer.expect(3 + results_per_matrix * places.size());
    bool const closed = has_kurtosis_three(stages) && c.text.wiring != Wiring::dense && !c.request.positive_part;
    require_moderate_formulas(model.graph(), {.count = places.size() + 1, .one_is_cheaper = true},
                              closed ? most_closed_work : most_recursion_work);
    if (c.request.positive_part) {
        auto const counted = counted_stages(stages);
        add_positive_parts<PlainFractions<RationalFunction>>(c, counted, places, positive_square(model.input),
                                                             model.squared_norm, fourth);
        return;
    }
    if (!closed && is_deep_chain(c, stages)) {
        add_by_strands(c, model, stages, places);
    } else if (closed) {
        add_closed_form(c, model, stages, places, target);
    } else if (all_numbers(stages, [](RationalFunction const& x) { return x.is_fraction(); }) &&
               model.squared_norm.is_fraction() && fourth.is_fraction() && target.is_fraction()) {
        add_recursion<Fractions<RationalFunction>>(c, model, stages, places, fourth, target);
    } else {
        add_recursion<PlainFractions<RationalFunction>>(c, model, stages, places, fourth, target);
    }
}

}  // namespace isserlis::quantity
