// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/model/model.hpp>
#include <isserlis/report/value.hpp>

#include "quantity/hessian/several_inputs.hpp"

namespace isserlis::quantity {

/// E|H|_F^2 of the mean loss over some inputs, its root and 2 over that.
struct MeanLossNorm {
    Value value;
    Value root;
    Value over_root;
    bool is_known = true;  ///< else `value` says why not
};

[[nodiscard]] MeanLossNorm mean_loss_norm(NumericModel const& model, InputRows const& inputs);
[[nodiscard]] MeanLossNorm mean_loss_norm(SymbolicModel const& model, InputRows const& inputs);

}  // namespace isserlis::quantity
