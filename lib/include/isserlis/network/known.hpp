// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <string>
#include <type_traits>

// What can be said of a number before its symbols have values. Every ring is asked in its own words, so that this room
// needs to know none of them; of what depends on the values of symbols the best is hoped.

namespace isserlis {

/// False where x is certainly below 0, or no number at all.
template <class R>
[[nodiscard]] bool may_be_at_least_zero(R const& x) {
    if constexpr (std::is_floating_point_v<R>) {
        return x >= 0 && std::isfinite(x);
    } else if constexpr (requires {
                             x.is_integer();  // a surd, which converts to a formula too
                             sign(x) < 0;
                         }) {
        return sign(x) >= 0;
    } else if constexpr (requires { x < R(0); }) {  // a fraction, which converts to a formula too
        return !(x < R(0));
    } else if constexpr (requires { known_sign(x).value_or(0); }) {
        return known_sign(x).value_or(0) >= 0;
    } else {
        return true;
    }
}

/// False where x is certainly not above 0.
template <class R>
[[nodiscard]] bool may_be_positive(R const& x) {
    if constexpr (requires { x.is_zero(); }) {
        return !x.is_zero() && may_be_at_least_zero(x);
    } else {
        return may_be_at_least_zero(x) && !(x == R(0));
    }
}

/// False where x is certainly no whole number from 1.
template <class R>
[[nodiscard]] bool may_be_width(R const& x) {
    if (!may_be_positive(x)) return false;
    if constexpr (std::is_floating_point_v<R>) {
        return x == std::floor(x);
    } else if constexpr (requires { x.is_numeric(); }) {
        return !x.is_numeric() || may_be_width(x.evaluate({}));
    } else if constexpr (requires { x.is_integer(); }) {
        return x.is_integer();
    } else if constexpr (requires { denominator(x) == 1; }) {
        return denominator(x) == 1;
    } else {
        return true;
    }
}

/// False where a count of equal pieces is certainly none from 1.
template <class Count>
[[nodiscard]] bool may_be_count(Count const& count) {
    if constexpr (requires { count.is_constant(); }) {
        if (count.is_constant()) return may_be_width(count.constant());
        auto largest = count.constant();  // at symbols of 1, when no count grows with them
        for (auto const& [symbol, times] : count.symbols()) {
            if (times > 0) return true;
            largest += times;
        }
        return largest >= 1;
    } else {
        return count >= Count(1);
    }
}

/// The number as a message shows it.
template <class R>
[[nodiscard]] std::string shown(R const& x) {
    using std::to_string;
    if constexpr (requires { to_string(x); }) {
        return to_string(x);
    } else if constexpr (requires { x.str(); }) {
        return x.str();
    } else {
        return "?";
    }
}

}  // namespace isserlis
