// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/observable/observable.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace isserlis {

/// A rational expression of expectations, as written: Var[z^2]/E[z^2]^2.
///
/// Grammar  sum    := ['-'] term (('+'|'-') term)*      term := factor (['*'] factor | '/' factor)*
///          factor := atom ['^' integer]
///          atom   := integer | parameter | 'E' '[' expr ']' | 'Var' '[' expr ']' | 'Cov' '[' expr ',' expr ']'
///                  | '(' sum ')'                         expr as of Observable
/// Scope    letters and labels are summed inside the square brackets that hold them. Everything random stands there.
struct Statistic {
    enum class Kind {
        number,
        parameter,    ///< `text`
        mean,         ///< E[ arguments[0] ]
        variance,     ///< Var[ arguments[0] ]
        covariance,   ///< Cov[ arguments[0], arguments[1] ]
        group,        ///< ( operands[0] )
        power,        ///< operands[0] ^ exponent
        product,      ///< operands[k], which multiplies for signs[k] = 1 and divides for -1
        sum,          ///< operands[k] with sign signs[k]
        whole_query,  ///< arguments[0] without square brackets: the mean of all that is written
    };
    Kind kind = Kind::number;
    std::size_t position = 0;  ///< of its first character in the text
    std::string text;          ///< of a number or a parameter
    unsigned exponent = 1;
    std::vector<Observable> arguments;
    std::vector<Statistic> operands;
    std::vector<int> signs;
};

/// A statistic with the restrictions of its labels, which hold in every pair of square brackets.
struct StatisticQuery {
    Statistic statistic;
    std::vector<LabelRestriction> restrictions;

    /// The one observable whose mean is asked, as EXPR or as E[EXPR]; nullptr for all else.
    [[nodiscard]] Observable const* single_mean() const;
    /// An observable with the restrictions of the labels that it has.
    [[nodiscard]] Query restricted(Observable const& observable) const;
};

/// Reads an EXPR of either kind: with E[..], Var[..] or Cov[..] a statistic, without them the mean of an observable.
/// Errors  ParseError that shows the character.
[[nodiscard]] StatisticQuery parse_statistic(std::string_view text);

/// Whether this name makes a number of the observables in the square brackets behind it: E, Var, Cov.
[[nodiscard]] bool is_statistic_function(std::string_view name);

/// Text that `parse_statistic` reads back as the same.
[[nodiscard]] std::string to_string(Statistic const& statistic);
[[nodiscard]] std::string to_string(StatisticQuery const& query);

/// All observables between square brackets, in the order of the text; to read, and to change in place.
[[nodiscard]] std::vector<Observable const*> arguments_of(Statistic const& statistic);
[[nodiscard]] std::vector<Observable*> arguments_of(Statistic& statistic);

/// Names of the parameters outside and inside of the square brackets, sorted.
[[nodiscard]] std::vector<std::string> parameters_of(Statistic const& statistic);

/// The product of two observables, each in brackets: E of it is the second moment that a covariance takes.
[[nodiscard]] Observable product_of(Observable const& a, Observable const& b);

}  // namespace isserlis
