// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/formula/loss_curve_crelu.hpp>
#include <isserlis/monte_carlo/estimator.hpp>
#include <isserlis/report/value.hpp>
#include <isserlis/ring/scaled_double.hpp>

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace isserlis {

/// Of an enclosure that stands for a double.
inline constexpr unsigned bits_of_doubles = 128;

/// Nearest, whatever the size.
[[nodiscard]] ScaledDouble to_scaled(Interval const& x);
[[nodiscard]] ScaledDouble to_scaled(Surd const& x);

/// A number of a loss curve: exact, a formula in widths, known through enclosures, rounded to double, sampled, or
/// missing for a reason.
class CurveNumber {
public:
    CurveNumber(Surd x) : content_(std::move(x)) {}              // NOLINT(google-explicit-constructor)
    CurveNumber(RationalFunction x) : content_(std::move(x)) {}  // NOLINT(google-explicit-constructor)
    CurveNumber(KernelSum const& x, std::string form);
    static CurveNumber certified(Value::Enclosure enclosure, std::string form, int most_digits = max_certified_digits);
    /// Within an interval that is not to be narrowed: as many digits as it leaves certain; absent where it leaves none, 0
    /// where it is nothing else.
    static CurveNumber within(Interval const& x, std::string form);
    /// From enclosures in a ring; 0 where they say so, absent where they cannot tell it from 0.
    static CurveNumber enclosed(std::function<Enclosed(unsigned bits)> const& enclosure, std::string form);
    /// Computed in double, where `size` is that of what has been added up: digits that may have cancelled are not
    /// shown.
    static CurveNumber rounded(ScaledDouble x, ScaledDouble size, std::string const& why = "");
    static CurveNumber rounded(ScaledDouble x) { return rounded(x, x); }
    /// `largest_share` is what one network has in the variance.
    static CurveNumber sampled(monte_carlo::Estimate const& estimate, double largest_share = 0,
                               char const* error = "standard error");
    static CurveNumber absent(std::string reason);

    [[nodiscard]] Value value() const;
    [[nodiscard]] double to_double() const;
    /// -1, 0 or 1, of a number of any size; none for a formula in symbols or an absent number.
    [[nodiscard]] std::optional<int> sign() const;
    [[nodiscard]] bool is_absent() const { return std::holds_alternative<Absent>(content_); }
    [[nodiscard]] bool is_sampled() const { return std::holds_alternative<Sampled>(content_); }
    [[nodiscard]] bool is_symbolic() const;
    [[nodiscard]] std::string const& form() const { return form_; }

    /// factor * a / b, as exact as both are; `form` says what it is where it is known through enclosures. The estimate
    /// of a sampled quotient is the caller's to make.
    static CurveNumber quotient(Surd const& factor, CurveNumber const& a, CurveNumber const& b,
                                std::string const& form = "a quotient of slope and curvature");
    /// a / b of numbers of which one is sampled at least. Both may come from the same random numbers, so the error is
    /// the sum of both relative errors, which is the most it can be.
    static CurveNumber quotient_of_estimates(CurveNumber const& a, CurveNumber const& b);
    static CurveNumber product(CurveNumber const& a, CurveNumber const& b);

private:
    struct Rounded {
        ScaledDouble value;
        int digits;
    };
    struct Sampled {
        monte_carlo::Estimate estimate;
        double largest_share;
    };
    struct Absent {};
    using Content = std::variant<Surd, RationalFunction, Value::Enclosure, Rounded, Sampled, Absent>;
    CurveNumber(Content content, std::string form) : content_(std::move(content)), form_(std::move(form)) {}
    [[nodiscard]] bool has_enclosure() const;
    [[nodiscard]] Interval enclose(unsigned bits) const;
    /// f of two numbers known through enclosures.
    template <class Function>
    static CurveNumber of_both(CurveNumber const& a, CurveNumber const& b, Function const& f, std::string const& form);
    /// The number in double with an exponent of its own, and how many digits are certain.
    [[nodiscard]] Rounded in_double() const;

    Content content_;
    std::string form_;
    int most_digits_ = max_certified_digits;  ///< of what is known through enclosures
};

}  // namespace isserlis
