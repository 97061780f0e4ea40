// SPDX-License-Identifier: MIT
#include "quantity/claim_networks.hpp"

#include <algorithm>
#include <array>
#include <isserlis/error.hpp>
#include <isserlis/ring/parse.hpp>

namespace isserlis::quantity {
namespace {

constexpr std::size_t most_claim_symbols = 6;

/// Where the range of a count begins; 1 where it says no number.
Integer first_in(Range const& range, std::string const& symbol) {
    auto const* known = range.find(symbol);
    bool const is_number =
        known != nullptr && !known->least.empty() && known->least.find_first_not_of("0123456789") == std::string::npos;
    return is_number ? parse_integer(known->least, "range") : Integer(1);
}

}  // namespace

std::vector<Point> small_networks(ClaimSymbols const& symbols, Range const& range) {
    std::size_t const count = symbols.counts.size() + symbols.numbers.size();
    if (count > most_claim_symbols)
        throw UnsupportedError("claim: " + std::to_string(count) + " symbols; up to " +
                                   std::to_string(most_claim_symbols) +
                                   " are tried, so give some of them values by `set`",
                               "set");
    int const most = count <= 2 ? 4 : count == 3 ? 3 : 2;
    std::vector<Point> out(1);
    auto const extend = [&](std::string const& symbol, std::vector<Rational> const& values) {
        std::vector<Point> longer;
        for (auto const& point : out) {
            for (auto const& value : values) {
                longer.push_back(point);
                longer.back().emplace_back(symbol, value);
            }
        }
        out = std::move(longer);
    };
    for (auto const& symbol : symbols.counts) {
        Integer const least = first_in(range, symbol);
        Integer const first = least > most ? least : Integer(1);
        std::vector<Rational> values;
        for (int i = 0; i < most; ++i) values.emplace_back(first + i);
        extend(symbol, values);
    }
    for (auto const& symbol : symbols.numbers) extend(symbol, {Rational(1), Rational(1) / 2, Rational(2)});
    auto const size = [](Point const& p) {
        Rational sum = 0;
        for (auto const& [symbol, value] : p) sum += value;
        return sum;
    };
    std::stable_sort(out.begin(), out.end(), [&](auto const& a, auto const& b) { return size(a) < size(b); });
    if (count == 0) return out;
    constexpr std::array<int, most_claim_symbols> primes = {5, 7, 3, 2, 11, 13};
    Point last;
    for (auto const* list : {&symbols.counts, &symbols.numbers}) {
        for (auto const& symbol : *list)
            last.emplace_back(symbol, std::max<Integer>(primes[last.size()], first_in(range, symbol)));
    }
    out.push_back(last);
    return out;
}

std::string shown(Point const& point, char const* separator) {
    std::string out;
    for (auto const& [symbol, value] : point) out += (out.empty() ? "" : separator) + symbol + "=" + to_string(value);
    return out;
}

}  // namespace isserlis::quantity
