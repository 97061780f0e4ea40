// SPDX-License-Identifier: MIT
#pragma once
#include <doctest/doctest.h>

#include <isserlis/quantity/ask.hpp>
#include <string>
#include <vector>

namespace isserlis::test {

/// The exact form of one result of the answer.
inline std::string exact(quantity::Question const& question, std::string const& name,
                         std::vector<std::string> const& index = {}) {
    Answer const answer = quantity::ask(question);
    Result const& result = answer.at(name, index);
    REQUIRE_MESSAGE(result.exact, result.form);
    return *result.exact;
}

}  // namespace isserlis::test
