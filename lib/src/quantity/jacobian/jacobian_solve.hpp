// SPDX-License-Identifier: MIT
#pragma once
#include "quantity/jacobian/jacobian_request.hpp"

namespace isserlis::quantity {

/// The word of `solve` that is answered here: what multiplies the variances of a scheme, found by trials in numbers.
inline constexpr char const* solved_scale = "alpha";
[[nodiscard]] inline bool solves_scale(Session const& session) { return session.solve == solved_scale; }

/// Errors  ParseError naming the parameter that does not go with `solve` alpha.
void check_solved_scale(Session const& session, ModelText const& text);

/// The scale with which a quantity has its target, and Fixup's.
///
/// Errors  DomainError when the target is out of reach, with what is reached.
void add_solved_scale(Session const& session, JacobianRequest const& request, ModelText const& text,
                      Bindings const& bindings, Answer& answer);

}  // namespace isserlis::quantity
