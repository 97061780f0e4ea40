// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/ring/enclosed.hpp>
#include <isserlis/ring/interval.hpp>

#include <vector>

namespace isserlis::test {

/// A double within the enclosure.
inline double middle(Interval const& x) {
    return (mpfr_get_d(x.lower(), MPFR_RNDN) + mpfr_get_d(x.upper(), MPFR_RNDN)) / 2;
}
inline double middle(Enclosed const& x) { return middle(x.enclose(100)); }

/// Rational rows as enclosures.
inline std::vector<std::vector<Interval>> intervals(std::vector<std::vector<Rational>> const& rows) {
    std::vector<std::vector<Interval>> out;
    for (auto const& row : rows) {
        out.emplace_back();
        for (auto const& x : row) out.back().emplace_back(x, 192);
    }
    return out;
}

}  // namespace isserlis::test
