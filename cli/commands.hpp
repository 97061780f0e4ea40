// SPDX-License-Identifier: MIT
#pragma once
#include <vector>

#include <isserlis/model/sampling_model.hpp>
#include "layers.hpp"
#include "model.hpp"
#include "session.hpp"

namespace isserlis::cli {

[[nodiscard]] Command report_command();
[[nodiscard]] Command list_command();
[[nodiscard]] Command moments_command();
[[nodiscard]] Command products_command();
[[nodiscard]] Command init_command();
[[nodiscard]] Command scaling_factor_command();
[[nodiscard]] Command norm_command();
[[nodiscard]] Command expect_command();
[[nodiscard]] Command loss_curve_command();
[[nodiscard]] Command form_command();
[[nodiscard]] Command hessian_command();
[[nodiscard]] Command ntk_command();
[[nodiscard]] Command mup_command();
[[nodiscard]] Command coord_check_command();
[[nodiscard]] Command jacobian_command();
[[nodiscard]] Command train_command();
[[nodiscard]] Command max_rate_command();
[[nodiscard]] Command sharpness_command();
[[nodiscard]] Command trace_command();

template <class Count>
using Places = std::vector<LayerPlace<Count>>;

/// Evaluates `fill` for each network of WIDTHS...; several networks put their number before every index.
void for_each_network(Session const& session, Bindings const& bindings, ModelOptions const& options, Answer& answer,
                      std::string const& kurtosis_option, std::function<void(ModelText const&)> const& fill,
                      bool any_wiring = false);

}  // namespace isserlis::cli
