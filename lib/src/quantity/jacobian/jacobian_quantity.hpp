// SPDX-License-Identifier: MIT
#pragma once
#include <string>

#include "quantity/jacobian/jacobian_request.hpp"

namespace isserlis::quantity {

/// One of output_mean, output_relative_variance, jacobian_mean and relative_variance, of a network in numbers; the last
/// two of the one matrix that the request's layer names.
///
/// Errors  DomainError when that is not one matrix.
[[nodiscard]] Surd network_quantity(std::string const& quantity, ModelText const& text, JacobianRequest const& request,
                                    Bindings const& bindings);

}  // namespace isserlis::quantity
