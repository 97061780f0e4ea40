// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/mlp/architecture.hpp>
#include <isserlis/mlp/objective.hpp>
#include <isserlis/train/options.hpp>

#include <optional>
#include <string>
#include <vector>

#include "session.hpp"

namespace isserlis::cli {

/// What `train` is told besides its data.
struct TrainRequest {
    mlp::Architecture architecture;
    mlp::Unit unit;
    mlp::Objective objective;
    bool biases = false;
    double initial_gain = 1;  ///< initial weights have this variance over fan_in
    train::TrainingOptions options;
    std::optional<std::string> save;
};

[[nodiscard]] std::vector<OptionText> train_options();

/// Errors  ParseError, DomainError and UnsupportedError naming the option or WIDTHS.
[[nodiscard]] TrainRequest read_train_request(Session const& session);

}  // namespace isserlis::cli
