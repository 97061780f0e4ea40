// SPDX-License-Identifier: MIT
#pragma once
#include <optional>
#include <string>

#include "jacobian_request.hpp"

namespace isserlis::cli {

/// --solve alpha|width --of QUANTITY --target T
struct SolveRequest {
    bool width = false;  ///< the least width; else the residual scale alpha
    std::string quantity;
    Surd target;
};

/// Nothing without --solve. Errors  ParseError and DomainError naming the option.
[[nodiscard]] std::optional<SolveRequest> read_solve_request(Session const& session, ModelText const& text);

/// Errors  DomainError when the target is out of reach, with what is reached.
void add_solution(SolveRequest const& solve, JacobianRequest const& request, ModelText const& text,
                  Bindings const& bindings, Answer& answer);

}  // namespace isserlis::cli
