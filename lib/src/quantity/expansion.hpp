// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/report/answer.hpp>

#include "question/session.hpp"

namespace isserlis::quantity {

/// `limit` or `series`: in place of each formula of the answer NAME_limit, with NAME_leading where that is 0 or
/// infinite, or NAME_series_coefficient, whose index ends in the power. A row that is not known there says why.
///
/// Errors  DomainError where the answer has no symbol, or several, that `limit` may mean; where what it brings (b, t)
///         stands for something else; or where nothing depends on what goes to infinity.
void expand(Session const& session, Answer& answer);

}  // namespace isserlis::quantity
