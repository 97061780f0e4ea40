// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/emit/known_answer.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "question/model.hpp"

namespace isserlis::quantity {

/// A test writes out its layers.
inline constexpr std::uint64_t most_layers_of_a_test = 1000;

inline constexpr char const* tests_know_no_biases =
    "`emit_test`: tests know no biases; leave out what brings them: `bias_variance`, `bias_label_factor`, `scheme` "
    "pytorch";

/// A statistic of a test.
struct KnownQuery {
    std::string name;
    std::string query;  ///< whose mean it is
    Surd exact;
    std::optional<std::size_t> change_of = {};  ///< (Delta z)^2 of this layer, from 1: its deviation is sampled
    std::optional<double> deviation = {};       ///< where a closed form gives it
    std::string program = {};                   ///< of an observable; where its labels may sit, in `places`
    std::string places = {};
    std::string labels = {};
};
/// What a test of norms reads.
struct NormReading {
    bool preactivations = false;
    unsigned order = 1;
};
/// The test asked for by `emit_test`, in place of the answer. Nothing without the parameter.
/// It has the statistics of `queries` in the order in which the kind computes them, each with its exact mean.
///
/// Errors  UnsupportedError for symbols, for networks too large to be differentiated densely, and when no statistic has
///         a tolerance below its value.
void emit_test(KnownAnswer::Kind kind, NumericModel const& model, std::vector<KnownQuery> const& queries,
               Session const& session, Answer& answer, NormReading const& reading = {});
void refuse_symbols_in_test(Session const& session);

/// sqrt(E X^2 - (E X)^2); not finite beyond the range of double, at either end.
[[nodiscard]] double deviation_of(Surd const& second, Surd const& mean);

}  // namespace isserlis::quantity
