// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "quantity/jacobian/jacobian_rows.hpp"

namespace isserlis::quantity {

/// |relu(x)|^2, when the signs of x are known.
[[nodiscard]] std::optional<Surd> positive_square(std::vector<Surd> const& input);
[[nodiscard]] std::optional<RationalFunction> positive_square(std::vector<RationalFunction> const& input);

/// ||J||^2 by the part P of each matrix. The signs of pre-activations are fair coins; of the input they are known when
/// it is; of a sum of a skip and a branch they are neither.
template <class N, class Count>
void add_positive_parts(JacobianCase const& c, std::vector<TransferStage<typename N::Value>> const& stages,
                        std::vector<MatrixPlace<Count>> const& places, std::optional<typename N::Value> const& positive,
                        typename N::Value const& squared_norm, typename N::Value const& fourth,
                        JacobianSampling const* sampling = nullptr) {
    using R = typename N::Value;
    Answer& answer = c.answer;
    require_feasible_places(places.size() > 1 ? places.size() * places.size() : 0, "part");
    std::string const why = sampling == nullptr ? not_sampled : "its square, which would give the error, is not known";
    auto add_output = [&](NormMoments<R> const& moments) {
        JacobianChecks checks;
        if (sampling != nullptr)
            checks = sampling->network(shorter(moments.mean).to_double(), shorter(moments.second).to_double());
        isserlis::quantity::add_output(moments, why, answer, checks);
    };
    auto add = [&](MatrixPlace<Count> const& at, std::optional<NormMoments<R>> const& by_weights,
                   std::string const& reason) {
        auto const& index = at.index;
        if (by_weights) {
            auto const moments =
                as_differentiated(c.text, *by_weights, stages[at.place.run].layers[at.matrix - 1].variance);
            JacobianChecks checks;
            if (sampling != nullptr) {
                checks = sampling->positive_part(index, shorter(moments.mean).to_double(),
                                                 shorter(moments.second).to_double());
            }
            add_moments_of("jacobian", index, moments, why, answer, checks);
            return;
        }
        for (char const* name : {"jacobian_mean", "jacobian_second_moment", "jacobian_variance"})
            answer.add(name, index, Value::absent(reason), {}, why);
    };
    std::string const needs_input = "the part P of what reads the input depends on the signs of x; give `input`";
    if (c.text.wiring == Wiring::dense) {
        std::vector<TransferLayer<R>> layers;
        for (auto const& stage : stages) layers.push_back(stage.layers.front());
        DenseJacobian<N> const network(layers, c.text.first_source, squared_norm, fourth);
        add_output(network.output());
        for (auto const& at : places) {
            std::size_t const k = at.place.run + 1;
            bool const reads_input = k == 1 || c.text.first_source == 0;
            std::optional<NormMoments<R>> moments;
            if (positive || !reads_input) moments = network.positive_part(k, positive.value_or(R(0)));
            add(at, moments, needs_input);
        }
        return;
    }
    ChainJacobian<N> const network(stages, squared_norm, fourth);
    add_output(network.output());
    for (auto const& at : places) {
        std::uint64_t within = 0;
        if constexpr (std::is_same_v<Count, Exponent>) {
            within = checked_count(numerator_of(at.place.within.constant()));
        } else {
            within = at.place.within;
        }
        StagePlace<> const place{.run = at.place.run, .within = within, .matrix = at.matrix};
        bool const first = place.run == 0 && place.within == 1 && place.matrix == 1;
        std::optional<NormMoments<R>> moments;
        if (first && positive) {
            moments = ChainJacobian<N>(stages, *positive, fourth).at(place, R(0)).jacobian;
        } else if (!first && (!stages[place.run].skip || place.matrix > 1)) {
            moments = network.positive_part(place);
        }
        add(at, moments, first ? needs_input : "the signs of the sum of skip and branch are no fair coins");
    }
}

}  // namespace isserlis::quantity
