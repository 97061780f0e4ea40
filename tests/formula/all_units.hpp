// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/formula/unit_moments.hpp>

#include <array>

namespace isserlis::test {

inline constexpr std::array all_units{SmoothUnit::tanh, SmoothUnit::sigmoid, SmoothUnit::softplus, SmoothUnit::silu,
                                      SmoothUnit::gelu, SmoothUnit::elu,     SmoothUnit::selu,     SmoothUnit::erf,
                                      SmoothUnit::sin,  SmoothUnit::cos};

}  // namespace isserlis::test
