// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/formula/wide_kernels.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include "question/curve_data.hpp"
#include "question/session.hpp"

namespace isserlis::quantity {

/// A unit as typed, its networks and the layers to list.
struct LayersOfUnit {
    std::string unit;
    WideNetwork network;
    std::vector<std::uint64_t> layers;
};

/// Kernel, correlation and tangent kernel of every two samples, index k, l, layer, unit.
void add_kernels_of_samples(LayersOfUnit const& of, DataSet const& data, Session const& session, Answer& answer);

}  // namespace isserlis::quantity
