// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/report/answer.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include "quantity/training/training_data.hpp"

namespace isserlis::quantity {

/// A number with 6 digits.
[[nodiscard]] std::string shown(double x);

/// Rate, batch and all that else a step depends on; `rate` is how the rate is said.
[[nodiscard]] std::string stated_steps(train::TrainingOptions const& options, std::string const& rate);

/// What ended a run, and after how many steps.
[[nodiscard]] std::string stated_stop(std::string const& by, std::uint64_t steps);

/// Network, start, data and loss, as assumptions; `seeds` is one, or how several are said.
void state_network(TrainRequest const& request, TrainingData const& data, std::string const& seeds, Answer& answer);

/// The same with the steps of one training run.
void state_training(Session const& session, TrainRequest const& request, TrainingData const& data, Answer& answer);

/// The initial parameters that the statement speaks of.
[[nodiscard]] std::vector<double> start_of(TrainRequest const& request, std::uint64_t seed);

}  // namespace isserlis::quantity
