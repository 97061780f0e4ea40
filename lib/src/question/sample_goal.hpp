// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <isserlis/report/answer.hpp>
#include <optional>
#include <string>

#include "question/session.hpp"

namespace isserlis::quantity {

/// The session as if this number of samples had been asked for, in all that is printed.
[[nodiscard]] Session with_samples(Session const& session, std::uint64_t samples);

/// The largest standard error over its mean, of means that are not 0; none where nothing is sampled.
[[nodiscard]] std::optional<double> worst_error(Answer const& answer);

}  // namespace isserlis::quantity
