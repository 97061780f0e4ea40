// SPDX-License-Identifier: MIT
#pragma once
#include "session.hpp"

namespace isserlis::cli {

/// Learning rates of the networks n,n:L,N over --depths and --widths, their exponents in the depth, and limits; --plot.
/// Errors  ParseError and DomainError naming the option; those of `write_plot`.
void add_mup_sweep(Session const& session, Answer& answer);

}  // namespace isserlis::cli
