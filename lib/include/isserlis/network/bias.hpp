// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/network/weight_law.hpp>

#include <tuple>

namespace isserlis {

/// A random vector b that is added to the pre-activations of a layer, z = W h + b: its entries are independent of each
/// other and of all weights, symmetric, of one variance and law. It is not differentiated by.
template <class R>
struct Bias {
    R variance{};
    WeightLaw<R> law{};
    static constexpr auto members = std::tuple{&Bias::variance, &Bias::law};
};

}  // namespace isserlis
