// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace isserlis {

/// A polynomial in traces of words of random matrices, or a rational expression of its expectations, as written.
///
/// Grammar  sum    := ['-'] term (('+'|'-') term)*      term := factor (['*'] factor | '/' factor)*
///          factor := atom ('^' (integer | 'T' | 'H'))*
///          atom   := number | parameter | matrix | 'I' | 'tr' '(' sum ')' | 'norm2' '(' sum ')'
///                  | 'E' '[' sum ']' | 'Var' '[' sum ']' | 'Cov' '[' sum ',' sum ']' | '(' sum ')'
///                  | (matrix | '(' sum ')') '[' integer ',' integer ']'
///          Names of matrices begin with a capital letter, names of parameters with a small one.
/// Scope    matrices stand inside of traces and before the brackets of entries, traces and entries inside of expectations, if there are any; without them the mean of
///          the whole is meant. Matrices and traces are no divisors.
struct TraceExpression {
    enum class Kind {
        number,
        parameter,  ///< `text`
        matrix,     ///< `text`
        identity,
        transpose,
        adjoint,     ///< the conjugate transpose
        trace,       ///< of the matrix operands[0]
        norm2,       ///< the squared Frobenius norm of the matrix operands[0]
        entry,       ///< of the matrix operands[0], in row `row` and column `column`
        mean,        ///< E[ operands[0] ]
        variance,    ///< Var[ operands[0] ]
        covariance,  ///< Cov[ operands[0], operands[1] ]
        power,       ///< operands[0] ^ exponent
        product,     ///< operands[k], which multiplies for signs[k] = 1 and divides for -1
        sum,         ///< operands[k] with sign signs[k]
    };
    Kind kind = Kind::number;
    std::size_t position = 0;  ///< of its first character in the text
    std::string text;          ///< of a number, "3" or "3/2", or a name
    unsigned exponent = 1;
    unsigned row = 0;  ///< from 1
    unsigned column = 0;
    std::vector<TraceExpression> operands;
    std::vector<int> signs;

    /// Is it random, or made of expectations?
    [[nodiscard]] bool has_trace() const;
    [[nodiscard]] bool has_expectation() const;
};

/// Reads an expression; without expectations it becomes E[..] of the whole.
/// Errors  ParseError that shows the character.
[[nodiscard]] TraceExpression parse_trace_expression(std::string_view text);

/// Text that `parse_trace_expression` reads back as the same.
[[nodiscard]] std::string to_string(TraceExpression const& expression);

/// Names of the matrices and of the parameters, sorted.
[[nodiscard]] std::vector<std::string> matrices_of(TraceExpression const& expression);
[[nodiscard]] std::vector<std::string> parameters_of(TraceExpression const& expression);

/// Rows and columns of its entries, sorted.
[[nodiscard]] std::vector<std::pair<unsigned, unsigned>> entries_of(TraceExpression const& expression);

/// The error that shows a place in the text of an expression.
[[noreturn]] void fail_in_expression(std::string_view text, std::size_t position, std::string const& why);

}  // namespace isserlis
