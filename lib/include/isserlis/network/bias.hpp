// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/network/weight_law.hpp>

#include <tuple>

namespace isserlis {

/// A random vector b that is added to the pre-activations of a layer, z = W h + b: its entries are independent of each
/// other and of all weights, symmetric, of one variance and law.
template <class R>
struct Bias {
    R variance{};
    WeightLaw<R> law{};
    R label_factor = R(0);  ///< multiplies a summed pair of derivatives by these biases; 0: by weights alone
    static constexpr auto members = std::tuple{&Bias::variance, &Bias::law, &Bias::label_factor};
};

}  // namespace isserlis
