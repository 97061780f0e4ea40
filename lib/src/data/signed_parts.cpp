// SPDX-License-Identifier: MIT
#include <isserlis/data/signed_parts.hpp>

namespace isserlis {

DataSet signed_parts(DataSet data) {
    data.inputs = signed_parts(data.inputs);
    auto const scales = data.squared_scales;
    data.squared_scales.insert(data.squared_scales.end(), scales.begin(), scales.end());
    return data;
}

}  // namespace isserlis
