// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "quantity/mup/optimiser_steps.hpp"
#include "question/model_parameters.hpp"

namespace isserlis::quantity {

/// `depths`, `width_list` and `outputs`: the networks n,n:L,N of many widths and depths.
struct MupSweepText {
    std::string depths;  ///< as typed
    std::uint64_t first = 1;
    std::uint64_t last = 1;
    std::vector<std::uint64_t> widths;
    std::optional<std::uint64_t> outputs = 1;  ///< none: as many as the width
    std::optional<Rational> squared_norm;      ///< none: the width
    Rational target = 1;
    std::optional<std::string> plot;
    Optimiser optimiser;

    [[nodiscard]] bool is_asked() const { return !depths.empty() || !widths.empty(); }
};
[[nodiscard]] ParameterSet<MupSweepText> sweep_parameters();

/// A comma-separated list of different widths. Errors  DomainError naming the parameter.
[[nodiscard]] std::vector<std::uint64_t> different_widths(std::string const& list, std::string const& parameter,
                                                          std::uint64_t most);

/// Errors  ParseError, DomainError and UnsupportedError naming the parameter.
void complete_sweep(MupSweepText& sweep, ModelText const& model, Session const& session);

/// Learning rates [width, depth], and how they fall with the depth.
void add_mup_sweep(MupSweepText const& sweep, Session const& session, Answer& answer);

}  // namespace isserlis::quantity
