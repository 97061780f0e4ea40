// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "question/model.hpp"

namespace isserlis::quantity {

/// Form of the learning rate at which the last hidden layer changes by 1.
inline constexpr char const* rate_form = "1/sqrt(E (Delta z_i^(L))^2)";

/// Listed layers, each of which is two expectations of six strands.
inline constexpr std::size_t most_layers_by_strands = 40;

/// Errors  UnsupportedError for a network of one weight layer.
void require_hidden_layer(std::uint64_t layers);

/// What one step does with random biases.
inline constexpr char const* biases_stay = "the step is one of the weights; biases stay";

/// Says what one gradient step of muP takes for granted; E|y|^2 as text.
void state_mup_step(std::string const& target_second, Answer& answer,
                    std::string const& mean = "its mean does not enter");

/// The same, after the network and its input; without `mean` what the wiring makes of it.
void state_mup(ModelText const& text, Answer& answer, std::optional<std::string> const& mean = std::nullopt);

/// One line on the rates, where they are given.
void state_rates(ModelText const& text, Answer& answer);

/// The same for a batch of several inputs.
void state_batch(ModelText const& text, std::size_t inputs, Answer& answer);

/// What rows of a step on several samples are means over; `part` is layer or node.
void state_means_over_samples(char const* part, Answer& answer);

/// What mup_learning_rate makes 1 there: "E (Delta z_i^(L))^2 at the last hidden layer".
void state_rate_over_samples(std::string const& what, Answer& answer);
inline constexpr char const* at_last_hidden = "E (Delta z_i^(L))^2 at the last hidden layer";

/// Errors  DomainError for a negative rate.
void require_rates(NumericModel const& model);
void require_rates(SymbolicModel const& model);

}  // namespace isserlis::quantity
