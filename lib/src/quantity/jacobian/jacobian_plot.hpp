// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/report/answer.hpp>

#include "question/session.hpp"

namespace isserlis::quantity {

/// `plot` and `plot_of`.
struct JacobianPlot {
    std::optional<std::string> file;
    std::string quantity = "jacobian_variance";
    bool several_alphas = false;
};
[[nodiscard]] ParameterSet<JacobianPlot> plot_parameters();

/// `plot` FILE: one quantity of the answer on a logarithmic axis against the layer or block, or against the symbol of
/// `table`; one curve for each network, matrix of a branch or layer, sampled means with their error bars.
///
/// Errors  as `write_plot`; DomainError when the answer has no such quantity in numbers.
void draw_plot(JacobianPlot const& asked, Session const& session, Answer& answer);

}  // namespace isserlis::quantity
