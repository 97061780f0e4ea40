// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/error.hpp>
#include <isserlis/ring/parse.hpp>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "question/parameter_set.hpp"
#include "question/spelling.hpp"

namespace isserlis::quantity {

/// The text as it is: a file, or what is read later with others.
[[nodiscard]] Reader<std::string> as_text();
/// A whole number within bounds.
[[nodiscard]] Reader<std::uint64_t> count(std::uint64_t least, std::uint64_t most);
/// A number or a formula; several, one for all or one for each.
[[nodiscard]] Reader<Expression> formula();
[[nodiscard]] Reader<std::vector<Expression>> formulas();

/// A number within the range of double; several.
[[nodiscard]] double double_of(std::string const& text, std::string const& parameter);
[[nodiscard]] Reader<double> real_number();
[[nodiscard]] Reader<std::vector<double>> real_numbers();

/// A share between 0 and 1: 1% or 0.01.
[[nodiscard]] double share_of(std::string const& text, std::string const& parameter);

/// A file that gnuplot can draw: .svg, .png or .pdf.
[[nodiscard]] Reader<std::string> picture();

/// The symbol n of 1/n.
[[nodiscard]] Reader<std::string> inverse_symbol();

/// "a, b or c"
[[nodiscard]] std::string alternatives(std::vector<std::string> const& words);

/// One of a few words, each with its meaning; `noun`, such as "a law", is what others are said not to be.
template <class T>
[[nodiscard]] Reader<T> choice(std::string const& noun, std::vector<std::pair<std::string, T>> const& meanings) {
    std::vector<std::string> words;
    for (auto const& [word, meaning] : meanings) words.push_back(word);
    auto read = [noun, meanings, words](std::string const& text, std::string const& parameter) -> T {
        for (auto const& [word, meaning] : meanings) {
            if (text == word) return meaning;
        }
        std::string const those = noun.empty()        ? alternatives(words)
                                  : words.size() == 1 ? noun + "; the one served is " + words.front()
                                                      : noun + "; choose " + alternatives(words);
        throw ParseError(named(parameter) + ": '" + printable(text) + "' is not " + those, parameter);
    };
    return {std::move(read), std::move(words)};
}

/// One of a few words, which mean themselves.
[[nodiscard]] Reader<std::string> word_of(std::string const& noun, std::vector<std::string> const& words);

/// A whole number within bounds. Errors  ParseError and DomainError naming the parameter.
[[nodiscard]] std::uint64_t parse_count(std::string const& text, std::string const& parameter, std::uint64_t least,
                                        std::uint64_t most);

/// Refuses a symbol in `layer` of a network whose layers are numbers, 1 .. last. Errors  ParseError.
void require_layer_number(std::string const& text, std::string const& last);

}  // namespace isserlis::quantity
