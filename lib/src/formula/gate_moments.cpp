// SPDX-License-Identifier: MIT
#include <isserlis/formula/gate_moments.hpp>

#include <isserlis/ring/product_tree.hpp>

namespace isserlis {

Rational dead_probability(std::vector<WidthRun<std::uint64_t, std::uint64_t>> const& widths) {
    std::vector<Integer> alive;
    std::uint64_t bits = 0;
    for (auto const& [width, count] : widths) {
        Integer const one_layer = (Integer(1) << width) - 1;
        alive.push_back(power(one_layer, count));
        bits += width * count;
    }
    Integer const all = Integer(1) << bits;
    return ratio(Integer(all - product_tree(alive)), all);
}

}  // namespace isserlis
