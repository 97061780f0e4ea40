// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <functional>
#include <string>

namespace isserlis::cli {

/// "sampled 3 of 10 networks", in its words.
struct ProgressWords {
    std::string doing = "sampled";
    std::string of = "of";
    std::string units = "networks";
};

/// A line on a terminal: how much is done, and how long the rest will take.
[[nodiscard]] std::function<void(std::uint64_t done, std::uint64_t total)> progress_line(ProgressWords words = {});

/// The same, if standard error is a terminal; else nothing to call.
[[nodiscard]] std::function<void(std::uint64_t done, std::uint64_t total)> progress_on_terminal(ProgressWords words);

}  // namespace isserlis::cli
