// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/model/sampling_model.hpp>

#include <array>
#include <functional>
#include <vector>

#include "quantity/rows/rows.hpp"
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
[[nodiscard]] Command gain_command();
[[nodiscard]] Command kernel_command();
[[nodiscard]] Command scaling_factor_command();
[[nodiscard]] Command norm_command();
[[nodiscard]] Command normalised_command();
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

// What they tell of their results: quantity/rows/NAME.cpp.
[[nodiscard]] QuantityRows report_quantities();
[[nodiscard]] QuantityRows moments_quantities();
[[nodiscard]] QuantityRows products_quantities();
[[nodiscard]] QuantityRows init_quantities();
[[nodiscard]] QuantityRows gain_quantities();
[[nodiscard]] QuantityRows kernel_quantities();
[[nodiscard]] QuantityRows scaling_factor_quantities();
[[nodiscard]] QuantityRows norm_quantities();
[[nodiscard]] QuantityRows normalised_quantities();
[[nodiscard]] QuantityRows expect_quantities();
[[nodiscard]] QuantityRows hessian_quantities();
[[nodiscard]] QuantityRows ntk_quantities();
[[nodiscard]] QuantityRows mup_quantities();
[[nodiscard]] QuantityRows jacobian_quantities();
[[nodiscard]] QuantityRows loss_curve_quantities();
[[nodiscard]] QuantityRows form_quantities();
[[nodiscard]] QuantityRows coord_check_quantities();
[[nodiscard]] QuantityRows depth_rules_quantities();
[[nodiscard]] QuantityRows train_quantities();
[[nodiscard]] QuantityRows max_rate_quantities();
[[nodiscard]] QuantityRows sharpness_quantities();
[[nodiscard]] QuantityRows trace_quantities();
[[nodiscard]] QuantityRows transfer_quantities();
[[nodiscard]] QuantityRows verify_quantities();
[[nodiscard]] QuantityRows claim_quantities();
[[nodiscard]] QuantityRows errata_quantities();
[[nodiscard]] QuantityRows reproduce_quantities();

struct CommandMaker {
    char const* name;
    Command (*make)();
    QuantityRows (*quantities)() = nullptr;  ///< null for a command whose results are those of others
};

/// In the order of help.
inline constexpr std::array command_makers{
    CommandMaker{"report", report_command, report_quantities},
    CommandMaker{"list", list_command},
    CommandMaker{"moments", moments_command, moments_quantities},
    CommandMaker{"products", products_command, products_quantities},
    CommandMaker{"init", init_command, init_quantities},
    CommandMaker{"gain", gain_command, gain_quantities},
    CommandMaker{"kernel", kernel_command, kernel_quantities},
    CommandMaker{"scaling-factor", scaling_factor_command, scaling_factor_quantities},
    CommandMaker{"norm", norm_command, norm_quantities},
    CommandMaker{"normalised", normalised_command, normalised_quantities},
    CommandMaker{"expect", expect_command, expect_quantities},
    CommandMaker{"hessian", hessian_command, hessian_quantities},
    CommandMaker{"ntk", ntk_command, ntk_quantities},
    CommandMaker{"mup", mup_command, mup_quantities},
    CommandMaker{"jacobian", jacobian_command, jacobian_quantities},
    CommandMaker{"loss-curve", loss_curve_command, loss_curve_quantities},
    CommandMaker{"form", form_command, form_quantities},
    CommandMaker{"coord-check", coord_check_command, coord_check_quantities},
    CommandMaker{"depth-rules", depth_rules_command, depth_rules_quantities},
    CommandMaker{"train", train_command, train_quantities},
    CommandMaker{"max-rate", max_rate_command, max_rate_quantities},
    CommandMaker{"sharpness", sharpness_command, sharpness_quantities},
    CommandMaker{"trace", trace_command, trace_quantities},
    CommandMaker{"transfer", transfer_command, transfer_quantities},
    CommandMaker{"verify", verify_command, verify_quantities},
    CommandMaker{"claim", claim_command, claim_quantities},
    CommandMaker{"errata", errata_command, errata_quantities},
    CommandMaker{"reproduce", reproduce_command, reproduce_quantities},
    CommandMaker{"merge", merge_command}};

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
