// SPDX-License-Identifier: MIT
#include "quantity/hessian/several_inputs.hpp"

#include <isserlis/error.hpp>
#include <isserlis/network/widths.hpp>
#include <sstream>

#include "question/graph_file.hpp"

namespace isserlis::quantity {

std::optional<InputRows> several_inputs(std::string const& file, std::string const& widths) {
    std::vector<std::pair<std::size_t, std::vector<std::string>>> rows;  // line and entries
    std::size_t entries = 0;
    std::size_t line = 0;
    std::istringstream lines(file_content(file, "input", memory_of_exact_numbers));
    for (std::string text; std::getline(lines, text);) {
        ++line;
        for (char& c : text) c = c == ',' || c == ';' || c == '\t' || c == '\r' ? ' ' : c;
        std::istringstream words(text);
        std::vector<std::string> row;
        for (std::string word; words >> word;) row.push_back(word);
        entries += row.size();
        if (!row.empty()) rows.emplace_back(line, std::move(row));
    }
    auto const first = parse_widths(widths).front().width;
    if (first.is_symbol) {
        if (rows.size() < 2 || rows.front().second.size() < 2) return std::nullopt;
        throw ParseError("`widths`: '" + first.text + "' has to be a number where `input` lists several vectors",
                         "widths");
    }
    auto const width = static_cast<std::size_t>(parse_integer(first.text, "widths"));
    if (rows.size() < 2 || entries == width) return std::nullopt;
    InputRows out;
    for (auto const& [at, row] : rows) {
        std::string const where = "`input`: '" + printable(file) + "' line " + std::to_string(at);
        if (row.size() != width) {
            throw ParseError(where + " has " + std::to_string(row.size()) + " numbers; each input has " +
                                 std::to_string(width) + ", the first of `widths`",
                             "input");
        }
        std::vector<Rational> x;
        for (auto const& text : row) x.push_back(parse_rational(text, where));
        out.push_back(std::move(x));
    }
    return out;
}

std::vector<std::vector<Rational>> gram(InputRows const& inputs) {
    std::vector<std::vector<Rational>> out;
    for (auto const& x : inputs) {
        out.emplace_back();
        for (auto const& y : inputs) {
            Rational sum = 0;
            for (std::size_t i = 0; i < x.size(); ++i) sum += x[i] * y[i];
            out.back().push_back(sum);
        }
        if (out.back()[out.size() - 1] == 0)
            throw DomainError("`input`: a vector is 0; every input needs |x|^2 > 0", "input");
    }
    return out;
}

std::vector<std::vector<double>> doubles(InputRows const& inputs) {
    std::vector<std::vector<double>> out;
    for (auto const& x : inputs) {
        out.emplace_back();
        for (auto const& a : x) out.back().push_back(a.convert_to<double>());
    }
    return out;
}

}  // namespace isserlis::quantity
