// SPDX-License-Identifier: MIT
#include "parameters.hpp"

#include <algorithm>
#include <isserlis/quantity/ask.hpp>
#include <isserlis/question/command_line.hpp>
#include <iterator>
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

/// A parameter that this holds for; first of those that every command has, and of one command's.
template <class Test>
quantity::Parameter const* find_parameter(std::string const& command, Test const& fits) {
    auto const in = [&](std::vector<quantity::Parameter> const& all) {
        auto const at = std::find_if(all.begin(), all.end(), fits);
        return at == all.end() ? nullptr : &*at;
    };
    if (auto const* found = in(quantity::common_parameters())) return found;
    auto names = quantity::command_names();
    if (!command.empty()) names.insert(names.begin(), command);
    for (auto const& name : names) {
        auto const* text = quantity::find_command(name);
        if (auto const* found = text == nullptr ? nullptr : in(text->parameters)) return found;
    }
    return nullptr;
}

OptionText as_option(OptionText parameter, OptionNames const& names) {
    for (auto* text : {&parameter.value, &parameter.help, &parameter.usual}) *text = names.in_options(*text);
    parameter.name = quantity::option_name(parameter.name);
    return parameter;
}

}  // namespace

std::string OptionNames::setter_of(std::string const& name) const {
    auto const at = std::find_if(std::begin(other_names), std::end(other_names),
                                 [&](auto const& p) { return p.parameter == name; });
    if (at != std::end(other_names)) return std::string(at->option);
    bool const known =
        find_parameter(command_, [&](quantity::Parameter const& p) { return p.name == name; }) != nullptr;
    return known ? quantity::option_name(name) : "";
}

std::string OptionNames::option_of(std::string const& parameter) const {
    std::string const option = setter_of(parameter);
    return option.empty() || option.find(' ') != std::string::npos ? in_options(parameter) : option;
}

std::string OptionNames::parameter_of(std::string const& option) const {
    auto const* found =
        find_parameter(command_, [&](quantity::Parameter const& p) { return quantity::option_name(p.name) == option; });
    return found == nullptr ? option : found->name;
}

std::string OptionNames::in_options(std::string message) const {
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

std::string OptionNames::in_options(std::string message, std::string const& argument) const {
    if (!argument.empty() && message.starts_with(argument + ":"))
        message.replace(0, argument.size(), option_of(argument));
    return in_options(std::move(message));
}

std::optional<CommandText> library_command(std::string const& name) {
    auto const* text = quantity::find_command(name);
    if (text == nullptr) return std::nullopt;
    OptionNames const names(name);
    CommandText out{.name = name,
                    .summary = names.in_options(text->summary),
                    .positional = names.in_options(text->positional),
                    .positional_help = names.in_options(text->positional_help),
                    .most_positionals = text->most_positionals,
                    .examples = examples_of(name)};
    for (auto const& p : text->parameters) out.options.push_back(as_option(p, names));
    return out;
}

std::vector<CommandText> library_commands() {
    std::vector<CommandText> out;
    for (auto const& name : quantity::command_names()) out.push_back(*library_command(name));
    return out;
}

std::vector<OptionText> global_options() {
    std::vector<OptionText> out;
    for (auto const& p : quantity::common_parameters()) out.push_back(as_option(p, OptionNames()));
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
    OptionNames const names(typed.command);
    for (auto const& [option, values] : typed.options) {
        if (option != "--output" && option != "--timeout") out.parameters[names.parameter_of(option)] = values;
    }
    return out;
}

}  // namespace isserlis::cli
