// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/network/weight_law.hpp>
#include <isserlis/observable/trace_expression.hpp>
#include <isserlis/ring/parse.hpp>
#include <isserlis/words/trace_moments.hpp>

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "question/parameter_set.hpp"
#include "question/session.hpp"

namespace isserlis::quantity {

/// One matrix as typed.
struct MatrixText {
    std::string name;
    Expression rows;
    Expression columns;
    words::MatrixLaw law = words::MatrixLaw::gaussian;
    LawKind entries = LawKind::gaussian;          ///< of an iid law
    std::optional<Expression> variance;           ///< none is 1
    std::optional<Expression> kurtosis;           ///< of an iid law known by it alone
    std::vector<Expression> diagonal;             ///< of a matrix that is not random
    std::vector<std::vector<Expression>> values;  ///< of a fixed matrix, by rows
    std::string file;                             ///< that has them
};

/// What `trace` is asked, before symbols get values.
struct TraceRequest {
    std::string text;                          ///< EXPR as typed
    std::map<std::string, std::string> typed;  ///< what options say of matrices
    TraceExpression expression;
    std::vector<MatrixText> matrices;   ///< those that occur, by name
    std::set<std::string> idle;         ///< those that have a shape and do not occur
    std::optional<std::string> series;  ///< the symbol n of `series` 1/n
    std::size_t order = 2;

    /// Symbols in shapes, and all that have to be numbers to sample.
    [[nodiscard]] std::set<std::string> shape_symbols() const;
    [[nodiscard]] std::set<std::string> symbols() const;
};

[[nodiscard]] ParameterSet<TraceRequest> trace_parameters();

/// Reads EXPR, to which the matrices belong. Errors  ParseError, DomainError and UnsupportedError naming the parameter or
/// EXPR.
void complete_trace_request(TraceRequest& request, Session const& session);

/// The matrices, without units of entries, with values for what has one; dimensions in numbers are whole and positive.
[[nodiscard]] std::vector<words::RandomMatrix> random_matrices(TraceRequest const& request, Bindings const& bindings);

}  // namespace isserlis::quantity
