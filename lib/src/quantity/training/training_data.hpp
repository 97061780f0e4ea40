// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/mlp/data_loss.hpp>

#include <optional>
#include <string>
#include <vector>

#include "quantity/training/train_request.hpp"

namespace isserlis::quantity {

/// What a network is trained on, and what it is tried on besides.
struct TrainingData {
    mlp::Examples<double> training;
    std::optional<mlp::Examples<double>> validation;
    std::vector<std::string> statements;  ///< on the data, for the assumptions
};

/// `data`, `size`, `standardize`, `c`, `validation`, `hold_out`.
[[nodiscard]] ParameterSet<TrainingDataText> training_data_parameters();

/// Reads the data as the network of the request takes them.
/// Errors  ParseError and DomainError naming the parameter, or the place in the file.
[[nodiscard]] TrainingData read_training_data(Session const& session, TrainRequest const& request);

}  // namespace isserlis::quantity
