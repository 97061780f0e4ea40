// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/train/maximal_rate.hpp>

#include <cstdint>
#include <optional>

#include "quantity/training/train_request.hpp"

namespace isserlis::quantity {

/// What `max-rate` is told; what is usual for it is that of [Iyer 2023, section 3.2].
struct MaxRateRequest {
    MaxRateRequest() {
        run.objective = mlp::Objective::cross_entropy;
        run.options.epochs = 10;
        run.options.batch_size = 128;
    }
    TrainRequest run;
    train::RateSearch search;
    std::optional<double> threshold;  ///< else the accuracy of the linear classifier
    std::uint64_t networks = 1;       ///< of seeds `seed`, `seed` + 1, ..
};

[[nodiscard]] ParameterSet<MaxRateRequest> max_rate_parameters();

/// Errors  ParseError, DomainError and UnsupportedError naming the parameter.
void complete_max_rate_request(MaxRateRequest& request, Session const& session);

}  // namespace isserlis::quantity
