// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/ring/interval.hpp>
#include <isserlis/ring/parse.hpp>
#include <isserlis/ring/rational_function.hpp>
#include <isserlis/ring/scaled_double.hpp>
#include <isserlis/ring/surd.hpp>

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace isserlis {

/// Most digits of a value that is known through enclosures only, unless it says otherwise: most get slow beyond.
inline constexpr int max_certified_digits = 100;

/// Something to print: an exact number, a formula, a quotient of surds too long to rationalise, a real number known
/// through enclosures of any precision, or nothing, with the reason.
class Value {
public:
    using Enclosure = std::function<Interval(unsigned bits)>;

    Value(Surd value) : content_(std::move(value)) {}              // NOLINT(google-explicit-constructor)
    Value(RationalFunction value) : content_(std::move(value)) {}  // NOLINT(google-explicit-constructor)
    static Value quotient(Surd numerator, Surd denominator);
    /// An expression with exponential functions; digits when it has no symbols.
    static Value expression(std::string const& text);
    /// 1/sqrt(`mean_square`), where that is above 0 for all positive values of its symbols at which it is a number.
    static Value over_root_of(std::string const& mean_square);
    /// `form` says what the number is, e.g. "log 2 + E psi(K/2)"; `most_digits` how many are served.
    static Value certified(Enclosure enclosure, std::string form, int most_digits = max_certified_digits);
    /// A number known to about so many significant digits, no more of which are printed; `form` says how it was got.
    static Value approximate(ScaledDouble value, int significant_digits, std::string form);
    static Value approximate(double value, int significant_digits, std::string form) {
        return approximate(ScaledDouble(value), significant_digits, std::move(form));
    }
    /// No value; `reason` is printed in its place.
    static Value absent(std::string reason);

    /// Text that SymPy and our own parser read, when the value lies in an exact ring.
    [[nodiscard]] std::optional<std::string> exact() const;
    /// Digits, correctly rounded; none for a formula with symbols, nor past `most_digits` for enclosures.
    [[nodiscard]] std::optional<std::string> decimal(int digits) const;
    [[nodiscard]] std::string latex(int digits) const;
    /// Known through enclosures only: `decimal` serves up to `most_digits`.
    [[nodiscard]] bool is_certified() const { return std::holds_alternative<Enclosure>(content_); }
    [[nodiscard]] int most_digits() const { return most_digits_; }
    /// What `over_root_of` was given; else nothing.
    [[nodiscard]] std::string mean_square() const;
    /// What a value outside the exact rings is, or why it is absent.
    [[nodiscard]] std::string const& form() const { return form_; }
    /// Nearest double; NaN for a formula with symbols, an absent value, and below the range of normal doubles.
    [[nodiscard]] double to_double() const;

private:
    struct Quotient {
        Surd numerator;
        Surd denominator;
    };
    struct Approximate {
        ScaledDouble value;
        int digits;
    };
    struct Absent {};
    struct Closed {
        Expression expression;
        std::string text;
        std::string mean_square;  ///< below the root that the text divides 1 by; nothing for other expressions
    };
    using Content = std::variant<Surd, RationalFunction, Quotient, Enclosure, Closed, Approximate, Absent>;
    explicit Value(Content content) : content_(std::move(content)) {}
    Content content_;
    std::string form_;
    int most_digits_ = max_certified_digits;
};

}  // namespace isserlis
