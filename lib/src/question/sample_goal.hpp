// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <isserlis/report/answer.hpp>
#include <optional>
#include <string>

#include "question/session.hpp"

namespace isserlis::quantity {

/// 90, 90s, 1.5m, 2h. Errors  ParseError and DomainError naming `time`.
[[nodiscard]] double read_seconds(std::string const& text);

/// 1% or 0.01. Errors  ParseError and DomainError naming the parameter.
[[nodiscard]] double read_share(std::string const& text, std::string const& parameter);

/// The session as if this number of samples had been asked for, in all that is printed.
[[nodiscard]] Session with_samples(Session const& session, std::uint64_t samples);

/// The largest standard error over its mean, of means that are not 0; none where nothing is sampled.
[[nodiscard]] std::optional<double> worst_error(Answer const& answer);

}  // namespace isserlis::quantity
