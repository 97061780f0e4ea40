// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/model/sampling_model.hpp>

#include <array>
#include <vector>

#include "question/command.hpp"
#include "question/layers.hpp"
#include "question/model.hpp"
#include "question/model_parameters.hpp"
#include "question/readers.hpp"

namespace isserlis::quantity {

[[nodiscard]] Command report_command();
[[nodiscard]] Command list_command();
[[nodiscard]] Command errata_command();
[[nodiscard]] Command verify_command();
[[nodiscard]] Command claim_command();
[[nodiscard]] Command reproduce_command();
[[nodiscard]] Command merge_command();
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
[[nodiscard]] Command depth_rules_command();
[[nodiscard]] Command jacobian_command();
[[nodiscard]] Command train_command();
[[nodiscard]] Command max_rate_command();
[[nodiscard]] Command sharpness_command();
[[nodiscard]] Command trace_command();
[[nodiscard]] Command transfer_command();

/// In the order of help.
inline constexpr std::array command_makers{
    report_command,     list_command,   moments_command,     products_command,    init_command,  scaling_factor_command,
    norm_command,       expect_command, hessian_command,     ntk_command,         mup_command,   jacobian_command,
    loss_curve_command, form_command,   coord_check_command, depth_rules_command, train_command, max_rate_command,
    sharpness_command,  trace_command,  transfer_command,    verify_command,      claim_command, errata_command,
    reproduce_command,  merge_command};

template <class Count>
using Places = std::vector<LayerPlace<Count>>;

/// What is asked of networks by commands without parameters of their own.
struct NetworksRequest {
    ModelText typed;                  ///< what holds for all of them
    std::vector<ModelText> networks;  ///< one or several
};

template <class Request>
void read_all_networks(Request& request, Session const& session) {
    request.networks = read_networks(request.typed, session);
}

/// Evaluates `fill` for each network; several put their number before every index. `offered` says what is stated.
void for_each_network(std::vector<ModelText> const& networks, Session const& session, Bindings const& bindings,
                      ModelParameters const& offered, Answer& answer,
                      std::function<void(ModelText const&)> const& fill);

}  // namespace isserlis::quantity
