// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/model/model.hpp>
#include <isserlis/report/value.hpp>

#include "quantity/hessian/several_inputs.hpp"

namespace isserlis::quantity {

/// E|H|_F^2 of the mean loss over some inputs, whose targets are independent, its root and 2 over that.
struct MeanLossNorm {
    Value value;
    Value root;
    Value over_root;
    bool is_known = true;  ///< else `value` says why not
};

/// `target_mean` is E y_i of each output.
[[nodiscard]] MeanLossNorm mean_loss_norm(NumericModel const& model, InputRows const& inputs, Surd const& target_mean);
[[nodiscard]] MeanLossNorm mean_loss_norm(SymbolicModel const& model, InputRows const& inputs,
                                          RationalFunction const& target_mean);

}  // namespace isserlis::quantity
