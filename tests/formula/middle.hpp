// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/ring/enclosed.hpp>
#include <isserlis/ring/interval.hpp>

namespace isserlis::test {

/// A double within the enclosure.
inline double middle(Interval const& x) {
    return (mpfr_get_d(x.lower(), MPFR_RNDN) + mpfr_get_d(x.upper(), MPFR_RNDN)) / 2;
}
inline double middle(Enclosed const& x) { return middle(x.enclose(100)); }

}  // namespace isserlis::test
