// SPDX-License-Identifier: MIT
#include "quantity/question_line.hpp"

#include <algorithm>
#include <isserlis/error.hpp>
#include <isserlis/quantity/ask.hpp>
#include <isserlis/question/command_line.hpp>

#include "question/spelling.hpp"

namespace isserlis::quantity {
namespace {

/// The parameter of a command that this fits; null where there is none.
template <class Test>
Parameter const* find_parameter(std::string const& command, Test const& fits) {
    if (auto const* text = find_command(command)) {
        auto const own = std::find_if(text->parameters.begin(), text->parameters.end(), fits);
        if (own != text->parameters.end()) return &*own;
    }
    auto const& common = common_parameters();
    auto const at = std::find_if(common.begin(), common.end(), fits);
    return at == common.end() ? nullptr : &*at;
}

/// The parameter that an option of this command sets.
Parameter const& parameter_of_option(std::string const& command, std::string const& option) {
    auto const* found = find_parameter(command, [&](Parameter const& p) { return option_name(p.name) == option; });
    if (found == nullptr) throw ParseError("'" + printable(option) + "' is no option of " + command, option);
    return *found;
}

}  // namespace

std::vector<std::string> words_of(std::string_view line) {
    std::vector<std::string> out;
    bool inside = false;  // of a word
    for (std::size_t i = 0; i < line.size(); ++i) {
        char const c = line[i];
        if (c == ' ' || c == '\t') {
            inside = false;
            continue;
        }
        if (!inside) out.emplace_back();
        inside = true;
        if (c != '\'' && c != '"') {
            out.back() += c;
            continue;
        }
        std::size_t const end = line.find(c, i + 1);
        if (end == std::string_view::npos)
            throw ParseError("'" + printable(std::string(line)) + "' has a quote without its end", std::string(line));
        out.back() += line.substr(i + 1, end - i - 1);
        i = end;
    }
    return out;
}

std::vector<std::string> take_options(std::vector<std::string> const& words, Question& question) {
    std::vector<std::string> others;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (!words[i].starts_with("--")) {
            others.push_back(words[i]);
            continue;
        }
        std::size_t const equals = words[i].find('=');
        auto const& parameter = parameter_of_option(question.command, words[i].substr(0, equals));
        auto& values = question.parameters[parameter.name];
        if (parameter.is_flag()) {
            values.emplace_back();
            continue;
        }
        if (equals != std::string::npos) {
            values.push_back(words[i].substr(equals + 1));
        } else if (i + 1 < words.size()) {
            values.push_back(words[++i]);
        } else {
            throw ParseError(words[i] + " needs a value, " + parameter.value, words[i]);
        }
    }
    return others;
}

Question question_of(std::string_view line) {
    auto const words = words_of(line);
    if (words.empty()) throw ParseError("a question without a command", std::string(line));
    Question out{.command = words.front()};
    for (std::size_t i = 1; i < words.size(); ++i) {
        std::size_t const equals = words[i].find('=');
        std::string const name = words[i].substr(0, equals);
        auto const* parameter = find_parameter(out.command, [&](Parameter const& p) { return p.name == name; });
        if (parameter == nullptr || parameter->is_flag() != (equals == std::string::npos)) {
            out.words.push_back(words[i]);
        } else {
            out.parameters[name].push_back(parameter->is_flag() ? "" : words[i].substr(equals + 1));
        }
    }
    return out;
}

}  // namespace isserlis::quantity
