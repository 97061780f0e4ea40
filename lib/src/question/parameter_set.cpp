// SPDX-License-Identifier: MIT
#include "question/parameter_set.hpp"

namespace isserlis::quantity {

Parameter described(std::string name, std::string value, std::string help, More more) {
    return {.name = std::move(name),
            .value = std::move(value),
            .help = std::move(help),
            .usual = std::move(more.usual),
            .choices = std::move(more.choices),
            .letter = more.letter,
            .needs = std::move(more.needs),
            .refusals = std::move(more.refusals)};
}

std::string placeholder_of(std::vector<std::string> const& words) {
    std::string out;
    for (auto const& word : words) out += (out.empty() ? "" : "|") + word;
    return out;
}

}  // namespace isserlis::quantity
