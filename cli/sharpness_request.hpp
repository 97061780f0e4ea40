// SPDX-License-Identifier: MIT
#pragma once
#include <vector>

#include "train_request.hpp"

namespace isserlis::cli {

/// What `sharpness` is told besides its data.
struct SharpnessRequest {
    TrainRequest run;                   ///< of 0 epochs unless --epochs is given
    std::vector<double> label_factors;  ///< one for each layer, or none
};

[[nodiscard]] std::vector<OptionText> sharpness_options();

/// Errors  ParseError, DomainError and UnsupportedError naming the option or WIDTHS.
[[nodiscard]] SharpnessRequest read_sharpness_request(Session const& session);

}  // namespace isserlis::cli
