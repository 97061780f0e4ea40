// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/mlp/architecture.hpp>
#include <isserlis/mlp/objective.hpp>
#include <isserlis/train/options.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "question/curve_data.hpp"
#include "question/parameter_set.hpp"
#include "question/session.hpp"

namespace isserlis::quantity {

/// Data to train on, as they are named.
struct TrainingDataText {
    DataSetText set;  ///< the name may be of data in floating point too
    std::optional<std::string> validation;
    std::optional<std::uint64_t> hold_out;
};

/// What `train` and its kin are told.
struct TrainRequest {
    std::optional<mlp::Architecture> architecture;
    mlp::Unit unit{.kind = mlp::UnitKind::relu, .slope = {}};
    mlp::Objective objective = mlp::Objective::squared;
    bool biases = false;
    std::optional<double> gain;  ///< as typed
    double initial_gain = 1;     ///< initial weights have this variance over fan_in
    train::TrainingOptions options;
    std::vector<double> momentum;  ///< as typed, for the optimiser
    std::optional<std::string> save;
    std::optional<std::string> weights;     ///< a file that training starts from
    std::vector<double> start;              ///< its parameters
    std::optional<std::string> checkpoint;  ///< where the run is kept as it goes on
    TrainingDataText data;
};

/// All but those of the data.
[[nodiscard]] ParameterSet<TrainRequest> train_parameters();
/// Those of kindred commands that lack some.
[[nodiscard]] ParameterSet<TrainRequest> train_parameters_without(std::vector<std::string> const& names);

/// Reads WIDTHS. Errors  ParseError, DomainError and UnsupportedError naming the parameter.
void complete_train_request(TrainRequest& request, Session const& session);

}  // namespace isserlis::quantity
