// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/observable/trace_expression.hpp>
#include <isserlis/ring/rational_function.hpp>
#include <isserlis/words/trace_moments.hpp>

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace isserlis::words {

/// A polynomial in traces: products of traces with their coefficients, none of which is 0.
using TracePolynomial = std::map<TraceProduct, RationalFunction>;

/// The exact value of an expression of expectations of traces.
///
/// Law     that of the matrices of `moments`, whose names the expression has.
/// Shape   a number or a rational function. `parameter` gives the value of a name.
/// Errors  ParseError that shows the place for matrices that do not fit and names without a shape; DomainError for
///         division by 0; UnsupportedError for more than `most_terms` products of traces, and those of TraceMoments.
/// Source  the definitions
class TraceValue {
public:
    using Parameter = std::function<RationalFunction(std::string const&)>;
    TraceValue(TraceMoments& moments, std::string_view text, Parameter parameter);

    [[nodiscard]] RationalFunction operator()(TraceExpression const& expression);

    /// An expression between square brackets as a polynomial in traces.
    [[nodiscard]] TracePolynomial expanded(TraceExpression const& expression);
    /// The mean of a polynomial.
    [[nodiscard]] RationalFunction mean(TracePolynomial const& x);
    /// The product of two.
    [[nodiscard]] TracePolynomial product(TracePolynomial const& a, TracePolynomial const& b) const;

    /// Dimensions that are formulas, with the row or column that an entry has in them. Known after the value.
    [[nodiscard]] std::vector<std::pair<RationalFunction, unsigned>> const& least_dimensions() const { return least_; }

    static constexpr std::size_t most_terms = 20'000;

private:
    /// A polynomial in matrices. A multiple of the identity takes the shape of what it meets; a number has none.
    struct MatrixPolynomial {
        std::map<Word, RationalFunction> terms;
        bool scalar = true;
        std::optional<std::size_t> rows;
        std::optional<std::size_t> columns;
    };

    [[nodiscard]] MatrixPolynomial matrix(TraceExpression const& e);
    [[nodiscard]] MatrixPolynomial single(TraceExpression const& e) const;
    [[nodiscard]] MatrixPolynomial matrix_product(MatrixPolynomial const& a, MatrixPolynomial const& b,
                                                  std::size_t position) const;
    [[nodiscard]] MatrixPolynomial matrix_sum(TraceExpression const& e);
    [[nodiscard]] MatrixPolynomial flipped(MatrixPolynomial x, bool conjugate) const;
    [[nodiscard]] TracePolynomial entry(TraceExpression const& e);
    void require_place(TraceExpression const& e, MatrixPolynomial const& x, std::size_t dimension, unsigned place);
    [[nodiscard]] TracePolynomial trace(MatrixPolynomial const& x, std::size_t position) const;
    [[nodiscard]] std::string shape_text(MatrixPolynomial const& x) const;
    [[noreturn]] void fail(std::size_t position, std::string const& why) const;

    TraceMoments& moments_;
    std::string_view text_;
    Parameter parameter_;
    std::map<std::string, std::size_t> number_;
    std::vector<std::pair<RationalFunction, unsigned>> least_;
};

}  // namespace isserlis::words
