// SPDX-License-Identifier: MIT
#include "words.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>

namespace isserlis::python {
namespace {

struct SetBy {
    std::string_view parameter;
    std::string_view keyword;
};

/// Parameters that something else sets than the keyword of their name.
constexpr SetBy other_keywords[] = {
    {"accuracy", "stop_accuracy"}, {"beta1", "momentum"},     {"beta2", "momentum"},
    {"constants", "with_"},        {"smoothing", "momentum"}, {"with", "with_"},  // a word of the language
};

}  // namespace

std::string keyword_of(std::string const& parameter) {
    auto const at = std::find_if(std::begin(other_keywords), std::end(other_keywords),
                                 [&](auto const& s) { return s.parameter == parameter; });
    return at == std::end(other_keywords) ? parameter : std::string(at->keyword);
}

std::string in_keywords(std::string message) {
    for (std::size_t at = 0; (at = message.find('`', at)) != std::string::npos;) {
        std::size_t const end = message.find('`', at + 1);
        if (end == std::string::npos) break;
        std::string const keyword = keyword_of(message.substr(at + 1, end - at - 1));
        message.replace(at + 1, end - at - 1, keyword);
        at += keyword.size() + 2;
    }
    return message;
}

}  // namespace isserlis::python
