// SPDX-License-Identifier: MIT
#include "readers.hpp"

#include <cmath>
#include <isserlis/report/plot.hpp>
#include <isserlis/report/value.hpp>

#include "model_text.hpp"

namespace isserlis::cli {

Reader<std::string> as_text() {
    return {[](std::string const& text, std::string const&) { return text; }};
}

Reader<std::uint64_t> count(std::uint64_t least, std::uint64_t most) {
    return {[=](std::string const& text, std::string const& option) { return parse_count(text, option, least, most); }};
}

Reader<Expression> formula() {
    return {[](std::string const& text, std::string const& option) { return parse_formula(text, option); }};
}

Reader<std::vector<Expression>> formulas() {
    return {[](std::string const& text, std::string const& option) { return parse_list(text, option); }};
}

Reader<std::string> picture() {
    return {[](std::string const& text, std::string const& option) {
        (void)plot_format(text, option);
        return text;
    }};
}

std::string alternatives(std::vector<std::string> const& words) {
    std::string out;
    for (std::size_t i = 0; i < words.size(); ++i)
        out += (i == 0 ? "" : i + 1 == words.size() ? " or " : ", ") + words[i];
    return out;
}

Reader<std::string> word_of(std::string const& noun, std::vector<std::string> const& words) {
    std::vector<std::pair<std::string, std::string>> same;
    for (auto const& word : words) same.emplace_back(word, word);
    return choice(noun, same);
}

double double_of(std::string const& text, std::string const& option) {
    double const out = Value(parse_surd(text, option)).to_double();
    if (!std::isfinite(out))
        throw DomainError(option + " = " + printable(text) + "; a number within the range of double is required",
                          option);
    return out;
}

Reader<double> real_number() { return {double_of}; }

Reader<std::vector<double>> real_numbers() {
    return {[](std::string const& list, std::string const& option) {
        std::vector<double> out;
        for (auto const& part : split(list)) out.push_back(double_of(part, option));
        return out;
    }};
}

}  // namespace isserlis::cli
