// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/monte_carlo/observable_sampler.hpp>
#include <isserlis/strand/expectation.hpp>
#include <isserlis/verify/check.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "question/model.hpp"

namespace isserlis::quantity {

/// What an observable is asked of besides the network: exactly, and when it is sampled.
struct BothSettings {
    ObservableSetting<Surd> exact;
    monte_carlo::ObservableSettings sampled;
};

/// What the exact standard errors of one answer are worth, each of so many that are asked together: a second or two. Beyond, they are
/// sampled.
[[nodiscard]] inline RecursionOptions effort_of_errors(std::size_t asked) {
    double const share = 2e6 / static_cast<double>(asked);
    return {.most_steps = share, .most_paths = share};
}

/// The mean over sampled networks beside an exact value. The standard error is exact where the strand engine can square
/// the observable, and sampled elsewhere, which the answer's warnings say.
[[nodiscard]] Check checked_observable(Query const& query, NumericModel const& model, BothSettings const& settings,
                                       double exact, Session const& session, Answer& answer);

/// The same of an observable without inputs or constants of its own, as text. None without `check`.
[[nodiscard]] std::optional<Check> observable_check(std::string const& query, NumericModel const& model,
                                                    Surd const& exact, Session const& session, Answer& answer);
/// The same beside a value that is no surd.
[[nodiscard]] std::optional<Check> observable_check(std::string const& query, NumericModel const& model, double exact,
                                                    Session const& session, Answer& answer);

/// The mean of factor * query beside `exact`; none for a factor of 0.
[[nodiscard]] std::optional<Check> scaled_check(std::string const& query, NumericModel const& model, Surd const& exact,
                                                Surd const& factor, Session const& session, Answer& answer);

/// A query, its exact mean, and the factor with which both are shown.
struct AskedMean {
    std::string query;
    double exact = 0;
    Surd factor = Surd(1);
};

/// All on the same networks; none for a factor of 0. `target_mean` as below.
[[nodiscard]] std::vector<std::optional<Check>> observable_checks(std::vector<AskedMean> const& asked,
                                                                  NumericModel const& model, Session const& session,
                                                                  Answer& answer, Surd const& target_mean = Surd(0));

/// E X of the observable; `target_mean` is E y_i of each output, and the moments of the model are about 0.
/// Errors  DomainError for a mean with which no targets have these moments.
[[nodiscard]] Surd exact_mean(std::string const& query, NumericModel const& model, Surd const& target_mean = Surd(0));
[[nodiscard]] RationalFunction exact_mean(std::string const& query, SymbolicModel const& model,
                                          RationalFunction const& target_mean = RationalFunction(0));

/// E X as it is printed: in symbols a sum of powers in the depth.
template <class R>
using PrintedMean = std::conditional_t<std::is_same_v<R, Surd>, Surd, ExpPolynomial>;
[[nodiscard]] ExpPolynomial exact_mean_by_powers(std::string const& query, SymbolicModel const& model);
[[nodiscard]] inline Surd exact_mean_by_powers(std::string const& query, NumericModel const& model) {
    return exact_mean(query, model);
}

/// E X^2 of the observable; none, and a note on why, where it is out of reach. Observables that are asked together have
/// equal shares of what that may take.
[[nodiscard]] std::optional<Surd> exact_second_moment(std::string const& query, NumericModel const& model,
                                                      Answer& answer);
[[nodiscard]] std::optional<Surd> exact_second_moment(Query const& query, NumericModel const& model,
                                                      ObservableSetting<Surd> setting, Answer& answer,
                                                      std::size_t asked = 1);

}  // namespace isserlis::quantity
