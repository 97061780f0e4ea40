// SPDX-License-Identifier: MIT
#pragma once
#include <optional>
#include <string>

#include "jacobian_request.hpp"

namespace isserlis::cli {

/// --solve alpha|width --of QUANTITY --target T
struct SolveRequest {
    std::optional<bool> width;  ///< the least width, or the residual scale alpha; none for no --solve
    std::string quantity;
    std::optional<Surd> typed_target;
    Surd target;
};
[[nodiscard]] OptionSet<SolveRequest> solve_options();

/// Errors  ParseError naming the option.
void complete_solve_request(SolveRequest& request, Session const& session, ModelText const& text);

/// Errors  DomainError when the target is out of reach, with what is reached.
void add_solution(SolveRequest const& solve, JacobianRequest const& request, ModelText const& text,
                  Bindings const& bindings, Answer& answer);

}  // namespace isserlis::cli
