// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <isserlis/mlp/network.hpp>
#include <optional>
#include <string_view>
#include <vector>

namespace isserlis::mlp {

/// What a network can be trained for, as a function of its outputs z and the targets y of a sample.
enum class Objective {
    squared,               ///< |z - y|^2
    half_squared,          ///< |z - y|^2 / 2
    cross_entropy,         ///< of softmax(z)
    binary_cross_entropy,  ///< of sigmoid(z), summed over the outputs
    hinge,                 ///< sum of max(0, 1 - y z), y = -1 or 1
};

/// The name for users, as `losses` in network/loss_kind.hpp; `objective` reads it.
[[nodiscard]] char const* name(Objective objective);
[[nodiscard]] std::optional<Objective> objective(std::string_view wanted);

/// Sum over samples, gradients, and Hessians times directions, sample by sample, by the outputs.
///
/// Law     none. Softmax and sigmoid are part of the objective: the outputs are logits, gradients are (5.20).
/// Shape   a column is a sample; all matrices d_n x s.
/// Units   those of mlp/loss.hpp; hinge: pure numbers. Its derivative at the kink y z = 1 is 0, as relu'(0) is.
/// Errors  DomainError when sizes differ.
/// Source  mlp/loss.hpp; hinge [Hettinger 2019, section 2.1]
[[nodiscard]] double objective_sum(Objective objective, Matrix<double> const& outputs, Matrix<double> const& targets);
[[nodiscard]] Matrix<double> objective_gradients(Objective objective, Matrix<double> const& outputs,
                                                 Matrix<double> const& targets);
[[nodiscard]] Matrix<double> objective_hessian_products(Objective objective, Matrix<double> const& outputs,
                                                        Matrix<double> const& directions);

/// Throws DomainError, with sample and entry, for targets that the objective has no meaning for: not finite; not
/// probabilities of sum 1 (cross-entropy); outside [0, 1] (binary); neither -1 nor 1 (hinge).
void require_targets(Objective objective, Matrix<double> const& targets);

/// softmax or sigmoid of the outputs.
/// Errors  UnsupportedError for an objective without probabilities.
[[nodiscard]] Matrix<double> probabilities(Objective objective, Matrix<double> const& outputs);

/// Can a prediction be right or wrong: is there a class?
[[nodiscard]] bool has_classes(Objective objective);

/// The predicted class of each sample and output: with cross-entropy one row, the most probable class from 0, the first
/// of equals; else for each output 1 where its probability is above the threshold (hinge: where z > 0), else 0.
///
/// Errors  UnsupportedError without classes; DomainError for a threshold outside (0, 1), or given for the others.
/// Source  maximum a posteriori probability and thresholds: [Liquet 2024, section 5.1]
[[nodiscard]] Matrix<int> predicted_classes(Objective objective, Matrix<double> const& outputs,
                                            std::optional<double> threshold = std::nullopt);

/// How many samples have every class right; none without classes.
[[nodiscard]] std::optional<std::size_t> count_right(Objective objective, Matrix<double> const& outputs,
                                                     Matrix<double> const& targets);

}  // namespace isserlis::mlp
