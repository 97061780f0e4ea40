// SPDX-License-Identifier: MIT
#include "parameters.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>

namespace isserlis::cli {
namespace {

struct SetBy {
    std::string_view parameter;
    std::string_view option;
};

/// What the library says, and what sets it here.
constexpr SetBy options_of_parameters[] = {
    {"accuracy", "--stop-accuracy"},
    {"activation", "--activation"},
    {"at_output", "--at-output"},
    {"beta1", "--momentum"},
    {"beta2", "--momentum"},
    {"bias_label_factor", "--bias-label-factor"},
    {"c", "--c"},
    {"check", "--check"},
    {"constants", "--with"},
    {"data", "--data"},
    {"digits", "--digits"},
    {"format", "--format"},
    {"gradient", "--gradient"},
    {"head", "--head"},
    {"input", "--input"},
    {"input_fourth", "--input-fourth"},
    {"kurtosis", "--kurtosis"},
    {"label_factor", "--label-factor"},
    {"law", "--law"},
    {"layer", "--layer"},
    {"loss", "--loss"},
    {"network", "--network"},
    {"order", "--order"},
    {"output_file", "--output"},
    {"query", "EXPR"},
    {"samples", "--samples"},
    {"scheme", "--scheme"},
    {"shape", "--shape"},
    {"smoothing", "--momentum"},
    {"standardize", "--standardize"},
    {"target_fourth_moment", "--target-fourth-moment"},
    {"threads", "--threads"},
    {"ties", "--ties"},
    {"value", "number by --set"},
    {"values", "numbers by --set"},
    {"variance", "--variance"},
    {"whatever_it_takes", "--yes"},
    {"widths", "WIDTHS"},
};

SetBy const* find_parameter(std::string_view name) {
    auto const at = std::find_if(std::begin(options_of_parameters), std::end(options_of_parameters),
                                 [&](auto const& p) { return p.parameter == name; });
    return at == std::end(options_of_parameters) ? nullptr : at;
}

}  // namespace

std::string option_of(std::string const& parameter) {
    auto const* known = find_parameter(parameter);
    return known == nullptr || known->option.find(' ') != std::string_view::npos ? parameter
                                                                                 : std::string(known->option);
}

std::string in_options(std::string message) {
    for (std::size_t at = 0; (at = message.find('`', at)) != std::string::npos;) {
        std::size_t const end = message.find('`', at + 1);
        if (end == std::string::npos) break;
        auto const* known = find_parameter(std::string_view(message).substr(at + 1, end - at - 1));
        if (known == nullptr) {
            ++at;
            continue;
        }
        message.replace(at, end + 1 - at, known->option);
        at += known->option.size();
    }
    return message;
}

std::string in_options(std::string message, std::string const& argument) {
    if (!argument.empty() && message.starts_with(argument + ":"))
        message.replace(0, argument.size(), option_of(argument));
    return in_options(std::move(message));
}

}  // namespace isserlis::cli
