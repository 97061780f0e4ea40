// SPDX-License-Identifier: MIT
#include "parameters.hpp"

#include <algorithm>
#include <iterator>
#include <set>
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
    {"output", "--output"},
    {"output_file", "--output"},
    {"query", "EXPR"},
    {"smoothing", "--momentum"},
    {"value", "number by --set"},
    {"values", "numbers by --set"},
    {"width_list", "--widths"},
    {"whatever_it_takes", "--yes"},
    {"widths", "WIDTHS"},
};

std::string dashed(std::string const& parameter) {
    std::string out = "--" + parameter;
    std::replace(out.begin(), out.end(), '_', '-');
    return out;
}

bool is_parameter(std::string const& name) {
    static std::set<std::string> const known = [] {
        std::set<std::string> out;
        for (auto const& p : quantity::common_parameters()) out.insert(p.name);
        for (auto const& c : quantity::command_texts()) {
            for (auto const& p : c.parameters) out.insert(p.name);
        }
        return out;
    }();
    return known.count(name) != 0;
}

/// What sets a parameter; empty for another name.
std::string setter_of(std::string const& name) {
    auto const at = std::find_if(std::begin(other_names), std::end(other_names),
                                 [&](auto const& p) { return p.parameter == name; });
    if (at != std::end(other_names)) return std::string(at->option);
    return is_parameter(name) ? dashed(name) : "";
}

OptionText as_option(quantity::Parameter const& p) {
    return {.name = option_of(p.name),
            .value = in_options(p.value),
            .help = in_options(p.help),
            .usual = in_options(p.usual),
            .choices = p.choices,
            .letter = p.letter};
}

}  // namespace

std::string option_of(std::string const& parameter) {
    std::string const option = setter_of(parameter);
    return option.empty() || option.find(' ') != std::string::npos ? in_options(parameter) : option;
}

std::string parameter_of(std::string const& option) {
    if (option == "--widths") return "width_list";
    std::string out = option.substr(std::min<std::size_t>(2, option.size()));
    std::replace(out.begin(), out.end(), '-', '_');
    return out;
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
    out.push_back(
        {.name = "--timeout", .value = "S", .help = "End after S seconds with exit code 3, and nothing written"});
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
