// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/train/maximal_rate.hpp>

#include <cstdint>
#include <optional>
#include <vector>

#include "train_request.hpp"

namespace isserlis::cli {

/// What `max-rate` is told besides its data.
struct MaxRateRequest {
    TrainRequest run;
    train::RateSearch search;
    std::optional<double> threshold;  ///< else the accuracy of the linear classifier
    std::uint64_t networks = 1;       ///< of seeds --seed, --seed + 1, ..
};

[[nodiscard]] std::vector<OptionText> max_rate_options();

/// Errors  ParseError, DomainError and UnsupportedError naming the option or WIDTHS.
[[nodiscard]] MaxRateRequest read_max_rate_request(Session const& session);

}  // namespace isserlis::cli
