// SPDX-License-Identifier: MIT
#include <isserlis/question/nearest_name.hpp>

#include <algorithm>
#include <numeric>
#include <tuple>

namespace isserlis::quantity {
namespace {

/// Letters to put in, to take out or to change, and neighbours to swap, from one word to the other.
std::size_t distance(std::string const& a, std::string const& b) {
    std::vector<std::size_t> before(b.size() + 1);
    std::vector<std::size_t> last = before;
    std::vector<std::size_t> row = before;
    std::iota(row.begin(), row.end(), 0U);
    for (std::size_t i = 1; i <= a.size(); ++i) {
        before.swap(last);
        last.swap(row);
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            std::size_t const substitute = last[j - 1] + (a[i - 1] == b[j - 1] ? 0U : 1U);
            row[j] = std::min({substitute, last[j] + 1, row[j - 1] + 1});
            bool const swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
        }
    }
    return row.back();
}

/// How far a word is from a name that may have been cut short: ``labl`` from ``label_factor``. Of equally far names
/// one that is not cut is nearer, then the one that begins alike.
std::tuple<std::size_t, bool, std::size_t, std::size_t> remoteness(std::string const& word, std::string const& name) {
    std::size_t const whole = distance(word, name);
    std::size_t least = whole;
    for (std::size_t length = 1; length < name.size(); ++length)
        least = std::min(least, distance(word, name.substr(0, length)));
    auto const same = std::mismatch(word.begin(), word.end(), name.begin(), name.end()).first - word.begin();
    return {least, least < whole, word.size() - static_cast<std::size_t>(same), whole};
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
