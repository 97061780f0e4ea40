// SPDX-License-Identifier: MIT
// What `isserlis jacobian` prints when everything is a number.
#include <isserlis/error.hpp>
#include <isserlis/model/exact_cost.hpp>
#include <isserlis/ring/members.hpp>

#include "quantity/jacobian/jacobian_parts.hpp"
#include "quantity/jacobian/jacobian_rows.hpp"
#include "quantity/jacobian/jacobian_typical.hpp"

namespace isserlis::quantity {
namespace {

/// Refuses an answer of all layers that would be too long before it is computed.
template <class R>
void require_printable(LayerJacobian<R> const& middle, std::size_t matrices, Answer const& answer) {
    if (answer.options().unlimited) return;
    auto const text = shorter(middle.jacobian.second).exact();
    double const size =
        static_cast<double>(text ? text->size() : 0) * static_cast<double>(matrices * results_per_matrix);
    if (size <= static_cast<double>(Answer::size_limit)) return;
    throw UnsupportedError("the answer would be about " + std::to_string(static_cast<std::uint64_t>(size / 1e6)) +
                               " MB of digits; ask for one index with `layer`, or write it with `output`",
                           "layer");
}

/// Prints what a network of either kind says of itself; `single` gives one matrix, `sweep` all of them.
template <class R>
struct Printer {
    ModelText const& text;
    std::vector<TransferStage<R>> const& stages;
    std::vector<MatrixPlace<std::uint64_t>> const& places;
    bool all = true;
    bool printed = false;
    JacobianSampling const* sampling = nullptr;
    GrowthRows<R, std::uint64_t> const* growth = nullptr;
    TypicalRows const& typical;
    Answer& answer;

    void output(NormMoments<R> const& moments) const {
        JacobianChecks const checks =
            sampling ? sampling->network(number(moments.mean), number(moments.second)) : JacobianChecks{};
        add_output(moments, "", answer, checks);
    }
    [[nodiscard]] JacobianChecks checks(std::vector<std::string> const& index, LayerJacobian<R> const& moments) const {
        if (sampling == nullptr) return {};
        return sampling->matrix(index, {.mean = number(moments.jacobian.mean),
                                        .second = number(moments.jacobian.second),
                                        .gradient = number(moments.gradient_squared_mean)});
    }
    static double number(R const& x) { return shorter(x).to_double(); }
    void matrix(MatrixPlace<std::uint64_t> const& at, LayerJacobian<R> const& moments) const {
        auto const& layer = stages[at.place.run].layers[at.matrix - 1];
        auto const values = matrix_values<R>(text, moments, layer.variance, layer.kurtosis, printed);
        add_matrix<R>(at.index, values, checks(at.index, values.moments), true, answer, growth_of(growth, at, answer));
        typical.add_matrix(at.index, Surd(layer.variance));
    }
    void matrices(auto const& single, auto const& sweep) const {
        constexpr std::size_t many = 300;
        if (!all) {
            for (auto const& at : places) matrix(at, single(at));
            return;
        }
        if (places.size() > many) require_printable<R>(single(places[places.size() / 2]), places.size(), answer);
        std::size_t next = 0;
        sweep([&](LayerJacobian<R> const& moments) { matrix(places[next++], moments); });
    }
};

/// Numbers of R, carried as N says. `parts` samples dy/dx or the blocks of W^k, when they are asked for.
template <class N>
void add_numbers(JacobianCase const& c, std::vector<TransferStage<typename N::Value>> const& stages,
                 std::vector<MatrixPlace<std::uint64_t>> const& places, typename N::Value const& squared_norm,
                 typename N::Value const& fourth, typename N::Value const& target, JacobianSampling const* sampling,
                 JacobianSampling const* parts, TypicalRows const& typical) {
    using R = typename N::Value;
    std::optional<GrowthRows<R, std::uint64_t>> growth;
    if (c.request.growth_bounds) {
        if (places.size() > 1) require_feasible_places(places.size() * stages.size(), "bounds");
        growth.emplace(stages, c.text, squared_norm, c.request.printed);
    }
    Printer<R> const printer{.text = c.text,
                             .stages = stages,
                             .places = places,
                             .all = !c.request.layer,
                             .printed = c.request.printed,
                             .sampling = sampling,
                             .growth = growth ? &*growth : nullptr,
                             .typical = typical,
                             .answer = c.answer};
    auto add = [&](auto const& network, auto const& single, auto const& sweep) {
        printer.output(network.output());
        if (c.request.by_input) {
            auto const moments = network.input_jacobian();
            JacobianChecks checks;
            if (parts != nullptr) {
                checks =
                    parts->norm(input_weights, shorter(moments.mean).to_double(), shorter(moments.second).to_double());
            }
            add_norm({}, moments, "", c.answer, checks);
            add_spectral(moments.mean, network.input_spectral_second(), "", c.answer, sampling);
            typical.add_input();
        } else {
            printer.matrices(single, sweep);
        }
    };
    if (c.text.wiring == Wiring::dense) {
        std::vector<TransferLayer<R>> layers;
        for (auto const& stage : stages) layers.push_back(stage.layers.front());
        DenseJacobian<N> const network(layers, c.text.first_source, squared_norm, fourth);
        if (c.request.by_block) {
            printer.output(network.output());
            add_blocks(network, layers, places, c.text, c.request, "", c.answer, parts);
            return;
        }
        add(
            network, [&](auto const& at) { return network.at(at.place.run + 1, target); },
            [&](auto const& f) { network.for_each(target, [&](std::size_t, auto const& m) { f(m); }); });
        return;
    }
    ChainJacobian<N> const network(stages, squared_norm, fourth);
    add(
        network,
        [&](auto const& at) {
            return network.at({.run = at.place.run, .within = at.place.within, .matrix = at.matrix}, target);
        },
        [&](auto const& f) { network.for_each(target, [&](StagePlace<> const&, auto const& m) { f(m); }); });
}

}  // namespace

void add_jacobian(JacobianCase const& c, NumericModel const& model) {
    if (c.text.wiring != Wiring::dense) require_moderate_digits(model.graph());
    auto const stages = blocks_of(model, c.text);
    Surd const fourth = fourth_of(model, stages);
    Surd const target = model.target_second / model.graph().output_width();
    auto const places = c.request.by_input ? std::vector<MatrixPlace<std::uint64_t>>{}
                                           : places_asked(stages, c.text, c.request, c.answer);
    c.answer.expect(3 + results_per_matrix * places.size());
    std::optional<JacobianSampling> sampling;
    std::optional<JacobianSampling> parts;
    TypicalRows typical(c, model);
    if (c.session.samples) {
        sampling.emplace(model, c.text.wiring, c.session, c.answer);
        if (c.request.positive_part && !places.empty() && !c.request.by_block)
            sampling->require_feasible(places.front().index, places.size());
        if (!c.request.by_block && !c.request.positive_part) {
            std::vector<std::vector<std::string>> indices;
            for (auto const& place : places) indices.push_back(place.index);
            sampling->sample(indices);
            typical.sample(indices, *sampling);
        }
        if (c.request.by_input) {
            parts.emplace(behind_one_matrix(model), c.text.wiring, c.session, c.answer);
            c.answer.assume("dy/dx is sampled at a Gaussian x: its law is that at the given one");
        } else if (c.request.by_block) {
            parts.emplace(by_blocks(model, c.text.first_source), c.text.wiring, c.session, c.answer);
        }
    }
    if (c.request.positive_part) {
        add_positive_parts<Fractions<Surd>>(c, stages, places, positive_square(model.input), model.squared_norm, fourth,
                                            sampling ? &*sampling : nullptr);
        return;
    }
    auto const is_rational = [](Surd const& x) { return x.is_rational(); };
    if (all_numbers(stages, is_rational) && model.squared_norm.is_rational() && fourth.is_rational() &&
        target.is_rational()) {
        auto const to_rational = [](Surd const& x) { return x.to_rational(); };
        add_numbers<Fractions<Rational>>(c, converted<Rational>(stages, to_rational), places,
                                         model.squared_norm.to_rational(), fourth.to_rational(), target.to_rational(),
                                         sampling ? &*sampling : nullptr, parts ? &*parts : nullptr, typical);
    } else {
        add_numbers<Fractions<Surd>>(c, stages, places, model.squared_norm, fourth, target,
                                     sampling ? &*sampling : nullptr, parts ? &*parts : nullptr, typical);
    }
}

}  // namespace isserlis::quantity
