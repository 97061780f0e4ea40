// SPDX-License-Identifier: MIT
#pragma once
#include <optional>
#include <string>

#include "quantity/jacobian/jacobian_request.hpp"
#include "question/parameter_set.hpp"

namespace isserlis::quantity {

/// `solve` alpha|width `of` QUANTITY `target` T
struct SolveRequest {
    std::optional<bool> width;  ///< the least width, or the residual scale alpha; none for no `solve`
    std::string quantity;
    std::optional<Surd> typed_target;
    Surd target;
};
[[nodiscard]] ParameterSet<SolveRequest> solve_parameters();

/// Errors  ParseError naming the parameter.
void complete_solve_request(SolveRequest& request, Session const& session, ModelText const& text);

/// Errors  DomainError when the target is out of reach, with what is reached.
void add_solution(SolveRequest const& solve, JacobianRequest const& request, ModelText const& text,
                  Bindings const& bindings, Answer& answer);

}  // namespace isserlis::quantity
