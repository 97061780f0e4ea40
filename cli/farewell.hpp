// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>
#include <string>

namespace isserlis::cli {

inline constexpr int over_a_limit = 3;  ///< an exit code, as run.cpp has them

/// The last line of a process that has no time left, or no memory: made beforehand, since a signal handler may write
/// and end, and hardly anything else.
class Farewell {
public:
    /// A line, or an error object for `json`, on standard error.
    void prepare(bool json, std::string const& kind, std::string const& what, std::string const& argument);
    /// Ends the process.
    [[noreturn]] void say(int exit_code) const noexcept;

private:
    std::array<char, 800> text_{};
    std::size_t length_ = 0;
};

}  // namespace isserlis::cli
