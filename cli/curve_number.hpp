// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/formula/loss_curve_crelu.hpp>
#include <isserlis/monte_carlo/estimator.hpp>
#include <isserlis/report/value.hpp>

#include <string>
#include <variant>

namespace isserlis::cli {

/// A number of a loss curve: exact, a formula in widths, known through enclosures, rounded to double, sampled, or
/// missing for a reason.
class CurveNumber {
public:
    CurveNumber(Surd x) : content_(std::move(x)) {}              // NOLINT(google-explicit-constructor)
    CurveNumber(RationalFunction x) : content_(std::move(x)) {}  // NOLINT(google-explicit-constructor)
    CurveNumber(KernelSum const& x, std::string form);
    static CurveNumber certified(Value::Enclosure enclosure, std::string form);
    static CurveNumber rounded(double x);
    static CurveNumber sampled(monte_carlo::Estimate const& estimate);
    static CurveNumber absent(std::string reason);

    [[nodiscard]] Value value() const;
    [[nodiscard]] double to_double() const;
    [[nodiscard]] bool is_absent() const { return std::holds_alternative<Absent>(content_); }
    [[nodiscard]] bool is_sampled() const { return std::holds_alternative<monte_carlo::Estimate>(content_); }
    [[nodiscard]] bool is_symbolic() const;
    [[nodiscard]] std::string const& form() const { return form_; }

    /// factor * a / b, as exact as both are. The estimate of a sampled quotient is the caller's to make.
    static CurveNumber quotient(Surd const& factor, CurveNumber const& a, CurveNumber const& b);
    static CurveNumber product(CurveNumber const& a, CurveNumber const& b);

private:
    struct Rounded {
        double value;
    };
    struct Absent {};
    using Content = std::variant<Surd, RationalFunction, Value::Enclosure, Rounded, monte_carlo::Estimate, Absent>;
    CurveNumber(Content content, std::string form) : content_(std::move(content)), form_(std::move(form)) {}
    [[nodiscard]] bool has_enclosure() const;
    [[nodiscard]] Interval enclose(unsigned bits) const;

    Content content_;
    std::string form_;
};

}  // namespace isserlis::cli
