// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/verify/check.hpp>

#include <optional>
#include <string>

#include "model.hpp"

namespace isserlis::cli {

/// The mean of an observable over sampled networks beside an exact value that came without it. The standard error is
/// exact where the strand engine can square the observable, and sampled elsewhere, which the answer's warnings say.
/// None without --check.
[[nodiscard]] std::optional<Check> observable_check(std::string const& query, NumericModel const& model,
                                                    Surd const& exact, Session const& session, Answer& answer);
/// The same beside a value that is no surd.
[[nodiscard]] std::optional<Check> observable_check(std::string const& query, NumericModel const& model, double exact,
                                                    Session const& session, Answer& answer);

/// The mean of factor * query beside `exact`; none for a factor of 0.
[[nodiscard]] std::optional<Check> scaled_check(std::string const& query, NumericModel const& model, Surd const& exact,
                                                Surd const& factor, Session const& session, Answer& answer);

/// E X^2 of the observable; none, and a note on why, where it is out of reach.
[[nodiscard]] std::optional<Surd> exact_second_moment(std::string const& query, NumericModel const& model,
                                                      Answer& answer);

}  // namespace isserlis::cli
