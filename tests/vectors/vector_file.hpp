// SPDX-License-Identifier: MIT
#pragma once
#include <doctest/doctest.h>

#include <isserlis/ring/parse.hpp>

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

/// Reading the vector files.
namespace vectors {

using nlohmann::json;

inline json read(std::string const& path) {
    std::ifstream file(std::string(ISSERLIS_TEST_DATA) + "/vectors/" + path);
    REQUIRE_MESSAGE(file.good(), "cannot open " << path);
    return json::parse(file);
}

/// An exact number: text, an integer, or a short decimal such as 1.5, which is meant exactly.
inline isserlis::Rational number(json const& x) {
    return isserlis::parse_rational(x.is_string() ? x.get<std::string>() : x.dump(), "vector");
}

inline std::vector<isserlis::Rational> numbers(json const& list) {
    std::vector<isserlis::Rational> out;
    for (auto const& x : list) out.push_back(number(x));
    return out;
}

inline std::vector<std::vector<isserlis::Rational>> rows(json const& matrix) {
    std::vector<std::vector<isserlis::Rational>> out;
    for (auto const& row : matrix) out.push_back(numbers(row));
    return out;
}

inline bool starts_with(std::string const& text, std::string const& start) {
    return text.compare(0, start.size(), start) == 0;
}

}  // namespace vectors
