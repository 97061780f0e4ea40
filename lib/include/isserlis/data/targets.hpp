// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/data/data_set.hpp>
#include <isserlis/network/loss_kind.hpp>

namespace isserlis {

/// Checks that the targets are what the loss is defined for: any numbers, one-hot vectors, or zeros and ones.
/// Errors  DomainError naming file, line and column of the first target that is not, or that there are none.
void require_targets(DataSet const& data, LossKind loss);

}  // namespace isserlis
