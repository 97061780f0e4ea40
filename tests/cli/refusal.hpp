// SPDX-License-Identifier: MIT
#pragma once
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "json_answer.hpp"
#include "program.hpp"

namespace isserlis::test {

/// The run ended with this code, printed nothing, and says all of this on stderr.
inline void is_refusal(Run const& run, std::vector<std::string> const& said, int code = 2) {
    INFO(run.err);
    CHECK(run.code == code);
    CHECK(run.out.empty());
    for (auto const& text : said) CHECK_MESSAGE(run.err.find(text) != std::string::npos, "does not say ", text);
}

/// So does the run of a whole command line.
inline void refuses(std::string const& line, std::string const& said, int code = 2) {
    INFO(line);
    is_refusal(run_program(words(line)), {said}, code);
}

}  // namespace isserlis::test
