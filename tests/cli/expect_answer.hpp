// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <vector>

#include "json_answer.hpp"

namespace isserlis::test {

/// The words of `expect EXPR ..`; the rest needs no quoting.
inline std::vector<std::string> expect(std::string const& expression, std::string const& rest) {
    std::vector<std::string> out{"expect", expression};
    for (auto const& word : words(rest)) out.push_back(word);
    return out;
}

inline std::string value(std::string const& expression, std::string const& rest) {
    return ask(expect(expression, rest)).exact("value");
}

}  // namespace isserlis::test
