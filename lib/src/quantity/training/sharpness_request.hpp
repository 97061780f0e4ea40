// SPDX-License-Identifier: MIT
#pragma once
#include <vector>

#include "quantity/training/train_request.hpp"

namespace isserlis::quantity {

/// What `sharpness` is told.
struct SharpnessRequest {
    SharpnessRequest() {
        run.options.epochs = 0;
        run.options.row_gradients = false;
    }
    TrainRequest run;                   ///< of 0 epochs unless `epochs` is given
    std::vector<double> label_factors;  ///< one for each layer, or none
};

[[nodiscard]] ParameterSet<SharpnessRequest> sharpness_parameters();

/// Errors  ParseError, DomainError and UnsupportedError naming the parameter.
void complete_sharpness_request(SharpnessRequest& request, Session const& session);

}  // namespace isserlis::quantity
