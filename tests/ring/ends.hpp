// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/ring/interval.hpp>

namespace isserlis::testing {

[[nodiscard]] inline Rational exact(mpfr_srcptr x) {
    Rational out;
    mpfr_get_q(out.backend().data(), x);
    return out;
}

[[nodiscard]] inline bool contains(Interval const& at, Rational const& value) {
    return exact(at.lower()) <= value && value <= exact(at.upper());
}

}  // namespace isserlis::testing
