// SPDX-License-Identifier: MIT
#include "question/readers.hpp"

#include <cmath>
#include <isserlis/network/widths.hpp>
#include <isserlis/report/plot.hpp>
#include <isserlis/report/value.hpp>

#include "question/model_text.hpp"
#include "question/spelling.hpp"

namespace isserlis::quantity {

Reader<std::string> as_text() {
    return {[](std::string const& text, std::string const&) { return text; }};
}

Reader<std::uint64_t> count(std::uint64_t least, std::uint64_t most) {
    return {[=](std::string const& text, std::string const& parameter) {
        return parse_count(text, parameter, least, most);
    }};
}

Reader<Expression> formula() {
    return {[](std::string const& text, std::string const& parameter) { return parse_formula(text, parameter); }};
}

Reader<std::vector<Expression>> formulas() {
    return {[](std::string const& text, std::string const& parameter) { return parse_list(text, parameter); }};
}

Reader<std::string> picture() {
    return {[](std::string const& text, std::string const& parameter) {
        (void)plot_format(text, parameter);
        return text;
    }};
}

Reader<std::string> inverse_symbol() {
    return {[](std::string const& text, std::string const& parameter) {
        if (!text.starts_with("1/") || !is_identifier(text.substr(2)))
            throw ParseError(named(parameter) + ": '" + printable(text) + "' is not 1/SYMBOL, such as 1/n", parameter);
        return text.substr(2);
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

double double_of(std::string const& text, std::string const& parameter) {
    double const out = Value(parse_surd(text, parameter)).to_double();
    if (!std::isfinite(out))
        throw DomainError(
            named(parameter) + " = " + printable(text) + "; a number within the range of double is required",
            parameter);
    return out;
}

double share_of(std::string const& text, std::string const& parameter) {
    bool const percent = text.ends_with("%");
    Rational const value = parse_rational(percent ? text.substr(0, text.size() - 1) : text, parameter);
    double const out = value.convert_to<double>() / (percent ? 100 : 1);
    if (!(out > 0 && out < 1))
        throw DomainError(
            named(parameter) + " = " + printable(text) + "; a share between 0% and 100% is required, such as 1%",
            parameter);
    return out;
}

Reader<double> real_number() { return {double_of}; }

Reader<std::vector<double>> real_numbers() {
    return {[](std::string const& list, std::string const& parameter) {
        std::vector<double> out;
        for (auto const& part : split(list)) out.push_back(double_of(part, parameter));
        return out;
    }};
}

void require_layer_number(std::string const& text, std::string const& last) {
    auto const symbols = Expression::parse(text, "layer").symbols();
    if (symbols.empty()) return;
    throw ParseError("`layer` " + printable(text) + ": layers are numbers here, 1 .. " + last +
                         ", and there is no symbol '" + *symbols.begin() +
                         "'; give a number, or `widths` a symbolic depth such as n:L",
                     "layer");
}

std::uint64_t parse_count(std::string const& text, std::string const& parameter, std::uint64_t least,
                          std::uint64_t most) {
    if (parameter == "layer") require_layer_number(text, std::to_string(most));
    Integer const value = parse_integer(text, parameter);
    if (value < least || value > most) {
        throw DomainError(named(parameter) + " = " + printable(text) + "; a whole number from " +
                              std::to_string(least) + " to " + std::to_string(most) + " is required",
                          parameter);
    }
    return static_cast<std::uint64_t>(value);
}

}  // namespace isserlis::quantity
