// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/network/fully_connected.hpp>
#include <isserlis/report/value.hpp>
#include <isserlis/ring/rational.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "quantity/pair_products.hpp"

namespace isserlis::quantity {

/// E (Delta u_i)^2 of one hidden layer with gates by one step on several inputs, as values.
struct HiddenChanges {
    struct Parts {
        Value change;
        Value outputs;  ///< its part of z_k.z_l
        Value targets;  ///< its part of y_k.y_l
    };
    std::vector<Parts> at;  ///< each input
    Parts mean;             ///< over them
    Value rate;             ///< 1/sqrt(mean change); absent where nothing moves
};

/// In the ring of the widths where it holds them, else certified; none where symbols meet an angle that is neither 0 nor pi, and
/// where `why_open` says why.
/// `rate_form` says what a rate of certified digits is.
/// Errors  those of `batch_step`.
[[nodiscard]] std::optional<HiddenChanges> hidden_changes(FullyConnected<Surd, std::uint64_t> const& net,
                                                          Rows<Rational> const& gram,
                                                          TargetProducts<Surd> const& targets, Rational const& share,
                                                          std::string const& rate_form);
[[nodiscard]] std::optional<HiddenChanges> hidden_changes(FullyConnected<RationalFunction, std::uint64_t> const& net,
                                                          Rows<Rational> const& gram,
                                                          TargetProducts<RationalFunction> const& targets,
                                                          Rational const& share, std::string const& rate_form);

}  // namespace isserlis::quantity
