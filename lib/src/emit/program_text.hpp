// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/emit/known_answer.hpp>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

// What programs of all languages are put together from.
namespace isserlis::emit {

/// The text with each {{NAME}} replaced by its value.
[[nodiscard]] std::string filled(std::string text, std::vector<std::pair<std::string, std::string>> const& values);
/// What stands in a program of any language; `yes` and `no` are its words for truth, `mark` begins its comments, and
/// `open` and `close` are around what is known of a statistic.
struct Writing {
    char const* yes;
    char const* no;
    char const* mark;
    char const* open;
    char const* close;
    char const* read_at;      ///< before the list of what is read at each layer
    char const* end_of_list;  ///< behind it
};
[[nodiscard]] std::vector<std::pair<std::string, std::string>> shared_values(KnownAnswer const& known,
                                                                             Writing const& writing);
/// "1, 2.5, 1e-3", read back as the same doubles.
[[nodiscard]] std::string listed(std::vector<double> const& values);
[[nodiscard]] std::string listed(std::vector<std::uint64_t> const& values);
[[nodiscard]] std::string listed(std::vector<bool> const& values, char const* yes, char const* no);
/// What a test of this statistic can see: "within 16%; off by 32% fails".
[[nodiscard]] std::string sensitivity(KnownStatistic const& s, std::uint64_t samples);
/// What the factors are.
[[nodiscard]] char const* factor_meaning(KnownAnswer::Kind kind);

}  // namespace isserlis::emit
