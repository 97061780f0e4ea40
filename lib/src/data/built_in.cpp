// SPDX-License-Identifier: MIT
#include <isserlis/data/built_in.hpp>

#include <isserlis/error.hpp>

namespace isserlis {
namespace {

void require_size(char const* name, std::size_t points, Rational const& c) {
    if (c == 0) throw DomainError(std::string(name) + ": c = 0; the constant feature needs another value", "c");
    if (points == 0) throw DomainError(std::string(name) + ": 0 points; at least 1 is needed", "data");
    if (points > 1'000'000)
        throw UnsupportedError(
            std::string(name) + ": " + std::to_string(points) + " points; up to a million are served", "data");
}

/// (2 i + 1 - n)/n: the midpoint of part i of n of [-1, 1].
Rational midpoint(std::size_t i, std::size_t n) { return ratio(Integer(2 * i + 1) - Integer(n), Integer(n)); }

}  // namespace

DataSet cosine_data(std::size_t samples, Rational const& c) {
    require_size("cos", samples, c);
    DataSet out;
    out.name = "cos";
    // A uniform number on [-1, 1] has mean square 1/3.
    out.squared_scales = {3, 1};
    for (std::size_t k = 0; k < samples; ++k) {
        out.inputs.push_back({c * midpoint(k, samples), c});
        out.targets.push_back({RealNumber::cosine_of_turns(ratio(Integer(2 * k + 1), Integer(2 * samples)))});
    }
    return out;
}

DataSet checkerboard_data(std::size_t side, Rational const& c) {
    require_size("checkerboard", side > 1000 ? side * 1000 : side * side, c);
    DataSet out;
    out.name = "checkerboard";
    out.squared_scales = {3, 3, 1};
    for (std::size_t i = 0; i < side; ++i)
        for (std::size_t j = 0; j < side; ++j) {
            out.inputs.push_back({c * midpoint(i, side), c * midpoint(j, side), c});
            // floor(a + 2) of a = -2 + 4 (i + 1/2)/side.
            std::size_t const cell = (2 * i + 1) * 2 / side + (2 * j + 1) * 2 / side;
            out.targets.push_back({RealNumber(static_cast<int>(cell % 2))});
        }
    return out;
}

}  // namespace isserlis
