// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <isserlis/mlp/data_loss.hpp>
#include <optional>
#include <vector>

namespace isserlis::train {

struct LinearClassifierOptions {
    bool bias = true;          ///< false where the data have a constant feature
    double tolerance = 1e-6;   ///< of the gradient's norm
    std::uint64_t most = 200;  ///< Newton steps
    unsigned threads = 1;      ///< changes no bit of the result
};

/// Softmax regression (logistic for binary targets), trained as far as `gradient_norm` says.
struct LinearClassifier {
    std::vector<double> parameters;  ///< of perceptron({d_0, d_n}): W row by row, then b
    double loss = 0;
    double gradient_norm = 0;  ///< of the mean loss
    double accuracy = 0;       ///< over the training samples
    std::optional<double> validation_accuracy{};
    std::uint64_t steps = 0;
    bool converged = false;  ///< the gradient is within the tolerance
};

/// The linear classifier of least mean loss.
///
/// Law     none. The loss is convex, so a gradient of norm e says that no parameters within distance R of these have a
///         loss that is lower by more than e R. Separable classes have no best parameters: the loss falls towards 0
///         while weights grow, until the tolerance is reached.
/// Shape   d_0 features, d_n outputs; deterministic from weights 0.
/// Units   accuracies are shares of samples.
/// Errors  UnsupportedError for an objective that is no cross-entropy; those of DataLoss and require_targets.
/// Source  Newton's method, steps by conjugate gradients on Hessian products and halved until the loss falls
///         [Nocedal 2006, Algorithm 7.1]; the threshold of [Iyer 2023, section 3.2]
[[nodiscard]] LinearClassifier linear_classifier(mlp::Objective objective, mlp::Examples<double> const& training,
                                                 mlp::Examples<double> const* validation = nullptr,
                                                 LinearClassifierOptions const& options = {});

}  // namespace isserlis::train
