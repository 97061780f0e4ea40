// SPDX-License-Identifier: MIT
#include "parameters.hpp"

#include <algorithm>
#include <isserlis/quantity/ask.hpp>
#include <isserlis/question/command_line.hpp>
#include <iterator>
#include <map>
#include <string_view>

#include "examples.hpp"

namespace isserlis::cli {
namespace {

struct SetBy {
    std::string_view parameter;
    std::string_view option;
};

/// Parameters that something else sets than the option of their name.
constexpr SetBy other_names[] = {
    {"accuracy", "--stop-accuracy"},
    {"beta1", "--momentum"},
    {"beta2", "--momentum"},
    {"constants", "--with"},
    {"files", "FILES"},
    {"output", "--output"},
    {"output_file", "--output"},
    {"query", "EXPR"},
    {"smoothing", "--momentum"},
    {"value", "number by --set"},
    {"values", "numbers by --set"},
    {"whatever_it_takes", "--yes"},
    {"widths", "WIDTHS"},
};

/// All parameters, by their options.
std::map<std::string, std::string> const& parameters_by_option() {
    static std::map<std::string, std::string> const all = [] {
        std::map<std::string, std::string> out;
        auto const add = [&](quantity::Parameter const& p) { out.emplace(quantity::option_name(p.name), p.name); };
        std::for_each(quantity::common_parameters().begin(), quantity::common_parameters().end(), add);
        for (auto const& c : quantity::command_texts()) std::for_each(c.parameters.begin(), c.parameters.end(), add);
        return out;
    }();
    return all;
}

/// What sets a parameter; empty for another name.
std::string setter_of(std::string const& name) {
    auto const at = std::find_if(std::begin(other_names), std::end(other_names),
                                 [&](auto const& p) { return p.parameter == name; });
    if (at != std::end(other_names)) return std::string(at->option);
    std::string const option = quantity::option_name(name);
    auto const known = parameters_by_option().find(option);
    return known != parameters_by_option().end() && known->second == name ? option : "";
}

OptionText as_option(OptionText parameter) {
    for (auto* text : {&parameter.value, &parameter.help, &parameter.usual}) *text = in_options(*text);
    parameter.name = quantity::option_name(parameter.name);
    return parameter;
}

}  // namespace

std::string option_of(std::string const& parameter) {
    std::string const option = setter_of(parameter);
    return option.empty() || option.find(' ') != std::string::npos ? in_options(parameter) : option;
}

std::string parameter_of(std::string const& option) {
    auto const at = parameters_by_option().find(option);
    return at == parameters_by_option().end() ? option : at->second;
}

std::string in_options(std::string message) {
    for (std::size_t at = 0; (at = message.find('`', at)) != std::string::npos;) {
        std::size_t const end = message.find('`', at + 1);
        if (end == std::string::npos) break;
        std::string const option = setter_of(message.substr(at + 1, end - at - 1));
        if (option.empty()) {
            ++at;
            continue;
        }
        message.replace(at, end + 1 - at, option);
        at += option.size();
    }
    return message;
}

std::string in_options(std::string message, std::string const& argument) {
    if (!argument.empty() && message.starts_with(argument + ":"))
        message.replace(0, argument.size(), option_of(argument));
    return in_options(std::move(message));
}

std::vector<CommandText> library_commands() {
    std::vector<CommandText> out;
    for (auto const& c : quantity::command_texts()) {
        out.push_back({.name = c.name,
                       .summary = in_options(c.summary),
                       .positional = in_options(c.positional),
                       .positional_help = in_options(c.positional_help),
                       .most_positionals = c.most_positionals,
                       .examples = examples_of(c.name)});
        for (auto const& p : c.parameters) out.back().options.push_back(as_option(p));
    }
    return out;
}

std::vector<OptionText> global_options() {
    std::vector<OptionText> out;
    for (auto const& p : quantity::common_parameters()) out.push_back(as_option(p));
    out.push_back({.name = "--output",
                   .value = "FILE",
                   .help = "Write to a file, whole or not at all; lifts the size limit",
                   .letter = 'o'});
    out.push_back({.name = "--timeout",
                   .value = "T",
                   .help = "End after this time, such as 90, 1.5m or 2h, with exit code 3, and nothing written"});
    return out;
}

quantity::Question question_of(Arguments const& typed) {
    quantity::Question out{.command = typed.command, .words = typed.positionals, .parameters = {}};
    for (auto const& [option, values] : typed.options) {
        if (option != "--output" && option != "--timeout") out.parameters[parameter_of(option)] = values;
    }
    return out;
}

}  // namespace isserlis::cli
