// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/loss_curve/curve_number.hpp>
#include <isserlis/verify/check.hpp>

#include <optional>
#include <string>
#include <vector>

#include "question/model.hpp"
#include "question/session.hpp"

namespace isserlis::quantity {

/// What a rule holds fixed from one network to another.
template <class R>
struct TransferRule {
    std::string name;
    /// What its rates are proportional to, for one network; its square where a root would hide an exact number.
    std::optional<R> rate = {};
    std::optional<R> squared_rate = {};
    std::optional<monte_carlo::Estimate> sampled =
        {};                   ///< of what rates are proportional to, beside it or in its place
    std::string absent = {};  ///< why there is none
};

/// Every rule for one network, in the order of the answer; sampled ones of numbers with `check` only. With random biases
/// by strands.
[[nodiscard]] std::vector<TransferRule<Surd>> transfer_rules(NumericModel const& model, Session const& session,
                                                             Answer& answer);
[[nodiscard]] std::vector<TransferRule<RationalFunction>> transfer_rules(SymbolicModel const& model,
                                                                         Session const& session, Answer& answer);

}  // namespace isserlis::quantity
