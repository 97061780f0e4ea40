// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <functional>

namespace isserlis::cli {

/// A line on a terminal: how many networks are sampled, and how long the rest will take.
[[nodiscard]] std::function<void(std::uint64_t done, std::uint64_t total)> progress_line();

}  // namespace isserlis::cli
