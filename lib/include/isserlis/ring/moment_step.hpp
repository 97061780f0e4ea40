// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/ring/concept.hpp>
#include <isserlis/ring/power.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

namespace isserlis {

/// What a layer does to moments E S^0, E S^1, ..: row p has E S'^p in E S^0 .. E S^p. Lower triangular and square.
template <class R>
using MomentStep = std::vector<std::vector<R>>;

/// The moments behind one layer.
template <class R>
[[nodiscard]] std::vector<R> applied(MomentStep<R> const& step, std::vector<R> const& moments) {
    std::vector<R> out(moments.size(), R(0));
    for (std::size_t p = 0; p < out.size(); ++p) {
        for (std::size_t k = 0; k <= p; ++k) out[p] = out[p] + step[p][k] * moments[k];
    }
    return out;
}

/// The divided differences x^count [l_0 .. l_j], j = 0 .. , at the eigenvalues, of which equal ones are neighbours.
template <class R, class Count>
[[nodiscard]] std::vector<R> divided_differences(std::vector<R> const& eigenvalues, Count const& count) {
    std::size_t const size = eigenvalues.size();
    // table[i] is that of l_i .. l_(i + width), for one width after another.
    std::vector<R> table;
    for (auto const& x : eigenvalues) table.push_back(power(x, count));
    std::vector<R> out{table[0]};
    R binomial(1);
    for (std::size_t width = 1; width < size; ++width) {
        auto const w = static_cast<int>(width);
        binomial = binomial * (from_count<R>(count) - R(w - 1)) / R(w);
        for (std::size_t i = 0; i + width < size; ++i) {
            R const& first = eigenvalues[i];
            R const& last = eigenvalues[i + width];
            table[i] = first == last ? R(binomial * power(first, Count(count - Count(w))))
                                     : R((table[i + 1] - table[i]) / (last - first));
        }
        out.push_back(table[0]);
    }
    return out;
}

/// The moments behind `count` equal layers one after the other.
///
/// Source  Newton: step^count = sum_j x^count [l_0 .. l_j] (step - l_0) .. (step - l_(j - 1)), l the diagonal.
template <class R, class Count>
[[nodiscard]] std::vector<R> through(MomentStep<R> const& step, Count const& count, std::vector<R> moments) {
    constexpr std::uint64_t few = 64;
    if constexpr (std::is_same_v<Count, std::uint64_t>) {
        if (count <= few || std::is_floating_point_v<R>) {
            for (std::uint64_t i = 0; i < count; ++i) moments = applied(step, moments);
            return moments;
        }
    }
    std::vector<R> eigenvalues;
    for (std::size_t p = 0; p < step.size(); ++p) {
        auto const equal = std::find(eigenvalues.begin(), eigenvalues.end(), step[p][p]);
        eigenvalues.insert(equal, step[p][p]);
    }
    std::vector<R> const weights = divided_differences(eigenvalues, count);
    std::vector<R> out(moments.size(), R(0));
    for (std::size_t j = 0; j < weights.size(); ++j) {
        for (std::size_t p = 0; p < out.size(); ++p) out[p] = out[p] + weights[j] * moments[p];
        std::vector<R> next = applied(step, moments);
        for (std::size_t p = 0; p < out.size(); ++p) next[p] = simplified(R(next[p] - eigenvalues[j] * moments[p]));
        moments = std::move(next);
    }
    return out;
}

}  // namespace isserlis
