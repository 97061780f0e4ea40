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

/// What `train` and its kin are told besides their data.
struct TrainRequest {
    mlp::Architecture architecture;
    mlp::Unit unit;
    mlp::Objective objective;
    bool biases = false;
    double initial_gain = 1;  ///< initial weights have this variance over fan_in
    train::TrainingOptions options;
    std::optional<std::string> save;
    std::optional<std::string> checkpoint;  ///< where the run is kept as it goes on
};

[[nodiscard]] std::vector<OptionText> train_options();
/// Those of kindred commands that lack some.
[[nodiscard]] std::vector<OptionText> train_options_without(std::vector<std::string> const& names);

/// A number of the option's value. Errors  ParseError; DomainError beyond the range of double.
[[nodiscard]] double double_of(std::string const& text, std::string const& option);
/// The same of the option, or what is usual without it.
[[nodiscard]] double read_double(Arguments const& arguments, std::string const& option, double usual);

/// Errors  ParseError, DomainError and UnsupportedError naming the option or WIDTHS.
[[nodiscard]] TrainRequest read_train_request(Session const& session);

}  // namespace isserlis::cli
