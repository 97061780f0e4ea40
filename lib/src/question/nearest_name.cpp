// SPDX-License-Identifier: MIT
#include <isserlis/question/nearest_name.hpp>

#include <algorithm>
#include <numeric>
#include <tuple>

namespace isserlis::quantity {
namespace {

/// Levenshtein distance.
std::size_t distance(std::string const& a, std::string const& b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), 0U);
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            std::size_t const substitute = diagonal + (a[i - 1] == b[j - 1] ? 0U : 1U);
            diagonal = row[j];
            row[j] = std::min({substitute, row[j] + 1, row[j - 1] + 1});
        }
    }
    return row.back();
}

/// How far a word is from a name that may have been cut short: ``labl`` from ``label_factor``. Of equally far names
/// the one that begins alike is nearer.
std::tuple<std::size_t, std::size_t, std::size_t> remoteness(std::string const& word, std::string const& name) {
    std::size_t least = distance(word, name);
    for (std::size_t length = 1; length < name.size(); ++length)
        least = std::min(least, distance(word, name.substr(0, length)));
    auto const same = std::mismatch(word.begin(), word.end(), name.begin(), name.end()).first - word.begin();
    return {least, word.size() - static_cast<std::size_t>(same), distance(word, name)};
}

}  // namespace

std::optional<std::string> nearest_name(std::string const& word, std::vector<std::string> const& known) {
    constexpr std::size_t longest = 60;  // distances take the product of both lengths
    if (word.size() > longest || known.empty()) return std::nullopt;
    auto const at = std::min_element(known.begin(), known.end(), [&](auto const& a, auto const& b) {
        return remoteness(word, a) < remoteness(word, b);
    });
    std::size_t const letters = word.size() - std::min(word.find_first_not_of('-'), word.size());
    return 2 * std::get<0>(remoteness(word, *at)) <= letters ? std::optional(*at) : std::nullopt;
}

}  // namespace isserlis::quantity
