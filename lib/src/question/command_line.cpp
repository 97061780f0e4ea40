// SPDX-License-Identifier: MIT
#include <isserlis/question/command_line.hpp>

#include <algorithm>

namespace isserlis::quantity {

std::string shell_quoted(std::string const& word) {
    constexpr char const* plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=:,./%@";
    if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
    std::string out = "'";
    for (char const c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return out + "'";
}

std::string option_name(std::string const& parameter) {
    std::string out = "--" + (parameter == "width_list" ? "widths" : parameter);
    std::replace(out.begin(), out.end(), '_', '-');
    return out;
}

TypedWord typed_option(std::string const& parameter, std::string const& value) {
    return {.parameter = parameter, .text = option_name(parameter) + (value.empty() ? "" : " " + shell_quoted(value))};
}

std::vector<TypedWord> words_for(Question const& question) {
    std::vector<TypedWord> out{{.parameter = "", .text = question.command}};
    for (auto const& word : question.words) out.push_back({.parameter = "", .text = shell_quoted(word)});
    for (auto const& [name, values] : question.parameters) {
        for (auto const& value : values) out.push_back(typed_option(name, value));
    }
    return out;
}

std::string command_line(std::vector<TypedWord> const& typed, std::set<std::string> const& left_out) {
    std::string out = "isserlis";
    for (auto const& word : typed) {
        if (word.parameter.empty() || left_out.count(word.parameter) == 0) out += " " + word.text;
    }
    return out;
}

}  // namespace isserlis::quantity
