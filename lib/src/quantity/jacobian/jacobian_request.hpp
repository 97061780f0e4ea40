// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/formula/dense_jacobian.hpp>
#include <isserlis/ring/members.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "question/layers.hpp"
#include "question/model.hpp"
#include "question/session.hpp"

namespace isserlis::quantity {

/// `layer`, split into the layer or block and the matrix of its branch, or the layer that a block of W^k reads; and
/// what to differentiate by.
struct JacobianRequest {
    std::optional<std::string> layer;
    std::optional<std::size_t> matrix;
    std::optional<std::size_t> source;
    bool by_input = false;
    bool by_block = false;
    bool positive_part = false;  ///< of concatenated ReLU: by P alone
    bool growth_bounds = false;  ///< of Lemma 2, Theorem 2 and 3 in place of Theorem 1
    bool printed = false;        ///< with the bounds as the paper prints them
};

/// Errors  ParseError and UnsupportedError naming the parameter that does not fit the network.
void check_jacobian_request(JacobianRequest const& request, Session const& session, ModelText const& text);

/// The request with the parts of `layer`, as the session has it.
/// Errors  ParseError and DomainError for a layer or matrix that is not there.
[[nodiscard]] JacobianRequest at_layer(JacobianRequest request, Session const& session, ModelText const& text);

/// One weight matrix that is asked for.
template <class Count>
struct MatrixPlace {
    LayerPlace<Count> place;
    std::size_t matrix = 1;
    std::vector<std::string> index;
};

/// One query on one network.
struct JacobianCase {
    ModelText const& text;
    JacobianRequest const& request;
    Session const& session;
    Answer& answer;
};

/// Prints what is asked of one network.
void add_jacobian(JacobianCase const& c, NumericModel const& model);
void add_jacobian(JacobianCase const& c, SymbolicModel const& model);

template <class R, class Count>
std::vector<TransferStage<R, Count>> blocks_of(Model<R, Count> const& model, ModelText const& text) {
    if (text.wiring != Wiring::dense) return transfer_stages(model.graph());
    std::vector<TransferStage<R, Count>> out;
    for (auto const& layer : dense_layers(model.graph())) out.push_back({.layers = {layer}});
    return out;
}

template <class R, class Count>
bool has_kurtosis_three(std::vector<TransferStage<R, Count>> const& stages) {
    return std::all_of(stages.begin(), stages.end(), [](auto const& stage) {
        return std::all_of(stage.layers.begin(), stage.layers.end(), [](auto const& l) { return l.kurtosis == R(3); });
    });
}

/// sum x_i^4; where every kurtosis is 3 nothing depends on it.
template <class R, class Count>
R fourth_of(Model<R, Count> const& model, std::vector<TransferStage<R, Count>> const& stages) {
    if (model.fourth) return *model.fourth;
    if (!has_kurtosis_three(stages)) {
        throw DomainError(
            "`input_fourth` is missing: with a kurtosis other than 3 the second moments depend on sum x_i^4; give it, "
            "or the input itself with `input`",
            "input_fourth");
    }
    return model.squared_norm * model.squared_norm;
}

template <class R, class Count>
std::vector<MatrixPlace<Count>> places_asked(std::vector<TransferStage<R, Count>> const& stages, ModelText const& text,
                                             JacobianRequest const& request, Answer& answer) {
    std::vector<LayerRun<R, Count>> runs;
    for (auto const& stage : stages) {
        runs.push_back(
            {.fan_in = stage.layers.front().fan_in, .fan_out = stage.layers.back().fan_out, .count = stage.count});
    }
    std::vector<MatrixPlace<Count>> out;
    for (auto const& place : layer_places(runs, request.layer, answer)) {
        std::size_t const matrices = stages[place.run].layers.size();
        for (std::size_t j = 1; j <= matrices; ++j) {
            if (request.matrix && *request.matrix != j) continue;
            std::vector<std::string> index{place.label};
            if (text.wiring == Wiring::residual) index.push_back(std::to_string(j));
            out.push_back({.place = place, .matrix = j, .index = std::move(index)});
        }
    }
    return out;
}

/// The stages with counts in numbers.
/// Errors  UnsupportedError at symbolic depth.
template <class R>
std::vector<TransferStage<R>> counted_stages(std::vector<TransferStage<R, Exponent>> const& stages) {
    return replaced<Exponent, std::uint64_t>(stages, [](Exponent const& count) {
        if (!count.is_constant()) {
            throw UnsupportedError(
                "jacobian: at symbolic depth whole matrices are served, of a kurtosis other than 3 in fully connected "
                "networks with a linear head; give the depth a number by `set`",
                "widths");
        }
        return checked_count(numerator_of(count.constant()));
    });
}

}  // namespace isserlis::quantity
