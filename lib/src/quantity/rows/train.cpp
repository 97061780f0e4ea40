// SPDX-License-Identifier: MIT
#include "quantity/commands.hpp"
#include "quantity/rows/assumptions.hpp"

namespace isserlis::quantity {

QuantityRows train_quantities() {
    QuantityRows out{.command = "train"};
    out.quantities = {
        {"loss", "epoch", "mean loss, at initialisation or by epoch",
         "mean loss over the training samples, after so many epochs", "docs/engine.md", one_run},
        {"accuracy", "epoch", "share of training samples that are right",
         "share of training samples all of whose classes are right", "docs/engine.md", one_run},
        {"validation_loss", "epoch", "mean loss over samples that are not trained on", "mean loss over --validation",
         "docs/engine.md", one_run},
        {"validation_accuracy", "epoch", "share of those that are right",
         "share of samples of --validation that are right", "docs/engine.md", one_run},
        {"gradient_norm", "epoch", "length of the gradient during training",
         "Euclidean norm of the gradient of loss and penalties, all samples, unclipped", "docs/engine.md", one_run},
        {"learning_rate", "epoch", "rate of a training step, by its schedule", "rate of the last step, by the schedule",
         "docs/engine.md", one_run},
    };
    out.unverified = {{"", "a number of one run from one seed, not an expectation"}};
    return out;
}

}  // namespace isserlis::quantity
