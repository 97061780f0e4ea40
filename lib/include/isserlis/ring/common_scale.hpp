// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/ring/quadratic_integer.hpp>
#include <isserlis/ring/surd.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <set>
#include <type_traits>
#include <vector>

namespace isserlis {

/// Numbers over one scale, as integers where that is possible: sums of many of them then need no fractions.
struct CommonScale {
    std::vector<Integer> whole;   ///< where all are rational multiples of one another
    std::vector<Surd> integral;   ///< elsewhere: whole coefficients
    Surd scale{1};                ///< a number is scale * whole, or scale * integral
    std::set<Integer> radicands;  ///< that are left; none without roots
};

/// Meaning  1/v for each v, over one scale.
/// Errors   DomainError for a v of 0.
[[nodiscard]] CommonScale reciprocals_over_common_scale(std::vector<std::reference_wrapper<Surd const>> const& values);

/// The l-th of them without the scale; E is Integer, QuadraticInteger (one root) or Surd.
template <class E>
E scaled_element(CommonScale const& set, std::size_t l) {
    if constexpr (std::is_same_v<E, Integer>) {
        return set.whole[l];
    } else if constexpr (std::is_same_v<E, Surd>) {
        return set.integral[l];
    } else {
        Integer whole = 0;
        Integer root = 0;
        std::uint64_t r = 1;
        for (auto const& term : set.integral[l].terms()) {
            if (term.radicand == 1) {
                whole = numerator_of(term.coefficient);
            } else {
                root = numerator_of(term.coefficient);
                r = checked_count(term.radicand);
            }
        }
        return E(whole, root, r);
    }
}

}  // namespace isserlis
