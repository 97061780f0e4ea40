// SPDX-License-Identifier: MIT
#include "curve_number.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <isserlis/error.hpp>
#include <optional>

#include "chain_models.hpp"

namespace isserlis::cli {

using monte_carlo::Estimate;

namespace {

constexpr int double_digits = 12;  ///< that sums over thousands of layers leave certain

std::string rounded_text(double x, int digits) {
    std::array<char, 40> out{};
    std::snprintf(out.data(), out.size(), "%.*g", digits, x);
    return out.data();
}

/// Digits down to a hundredth of the error.
int digits_above(Estimate const& e) {
    if (!(e.std_error > 0) || e.mean == 0) return double_digits;
    double const magnitude = std::floor(std::log10(std::fabs(e.mean))) - std::floor(std::log10(e.std_error));
    return static_cast<int>(std::clamp(magnitude + 2, 2.0, double{double_digits}));
}

}  // namespace

CurveNumber::CurveNumber(KernelSum const& x, std::string form) : form_(std::move(form)) {
    if (x.is_exact()) {
        content_ = x.exact();
        form_.clear();
    } else {
        content_ = Value::Enclosure([x](unsigned bits) { return x.enclose(bits); });
    }
}

CurveNumber CurveNumber::certified(Value::Enclosure enclosure, std::string form) {
    return {Content(std::move(enclosure)), std::move(form)};
}

CurveNumber CurveNumber::rounded(double x) {
    if (!std::isfinite(x)) return absent("beyond the range of double, in which it was computed");
    return {Content(Rounded{x}), "computed in double precision"};
}

CurveNumber CurveNumber::sampled(Estimate const& estimate) {
    if (!std::isfinite(estimate.mean) || !std::isfinite(estimate.std_error))
        return absent("beyond the range of double, in which it was sampled");
    if (estimate.mean == 0 && estimate.std_error == 0)
        return absent("0 in all " + std::to_string(estimate.samples) +
                      " sampled networks: if any is not dead, it is too rare to be sampled");
    return {Content(estimate), "sampled: " + std::to_string(estimate.samples) + " networks, standard error " +
                                   rounded_text(estimate.std_error, 2)};
}

CurveNumber CurveNumber::absent(std::string reason) { return {Content(Absent{}), std::move(reason)}; }

Value CurveNumber::value() const {
    if (auto const* x = std::get_if<Surd>(&content_)) return *x;
    if (auto const* x = std::get_if<RationalFunction>(&content_)) return tidy(*x);
    if (auto const* x = std::get_if<Value::Enclosure>(&content_)) return Value::certified(*x, form_);
    if (auto const* x = std::get_if<Rounded>(&content_)) return Value::approximate(x->value, double_digits, form_);
    if (auto const* x = std::get_if<Estimate>(&content_)) return Value::approximate(x->mean, digits_above(*x), form_);
    return Value::absent(form_);
}

double CurveNumber::to_double() const { return value().to_double(); }

bool CurveNumber::is_symbolic() const {
    auto const* x = std::get_if<RationalFunction>(&content_);
    return x != nullptr && !x->is_numeric();
}

bool CurveNumber::has_enclosure() const {
    return std::holds_alternative<Surd>(content_) || std::holds_alternative<Value::Enclosure>(content_);
}

Interval CurveNumber::enclose(unsigned bits) const {
    if (auto const* x = std::get_if<Surd>(&content_)) return isserlis::enclose(*x, bits);
    return std::get<Value::Enclosure>(content_)(bits);
}

CurveNumber CurveNumber::quotient(Surd const& factor, CurveNumber const& a, CurveNumber const& b) {
    if (a.is_absent()) return a;
    if (b.is_absent()) return b;
    auto const* p = std::get_if<Surd>(&a.content_);
    auto const* q = std::get_if<Surd>(&b.content_);
    if (q != nullptr && q->is_zero()) return absent("the curvature is 0");
    if (p != nullptr && q != nullptr) {
        try {
            return factor * *p / *q;
        } catch (UnsupportedError const&) {
            // too many roots to be rationalised: digits are certain all the same
        }
    }
    auto const* f = std::get_if<RationalFunction>(&a.content_);
    auto const* g = std::get_if<RationalFunction>(&b.content_);
    if (f != nullptr && g != nullptr) return RationalFunction(RationalFunction(factor) * *f / *g);
    if (a.has_enclosure() && b.has_enclosure()) {
        return certified(
            [factor, a, b](unsigned bits) {
                return isserlis::enclose(factor, bits) * a.enclose(bits) / b.enclose(bits);
            },
            "a quotient of slope and curvature");
    }
    return rounded(isserlis::cli::to_double(factor) * a.to_double() / b.to_double());
}

CurveNumber CurveNumber::product(CurveNumber const& a, CurveNumber const& b) {
    if (a.is_absent()) return a;
    if (b.is_absent()) return b;
    auto const* p = std::get_if<Surd>(&a.content_);
    auto const* q = std::get_if<Surd>(&b.content_);
    if (p != nullptr && q != nullptr) return *p * *q;
    auto const formula = [](CurveNumber const& x) -> std::optional<RationalFunction> {
        if (auto const* f = std::get_if<RationalFunction>(&x.content_)) return *f;
        if (auto const* s = std::get_if<Surd>(&x.content_)) return RationalFunction(*s);
        return std::nullopt;
    };
    auto const f = formula(a);
    auto const g = formula(b);
    if (f && g) return RationalFunction(*f * *g);
    if (a.has_enclosure() && b.has_enclosure())
        return certified([a, b](unsigned bits) { return a.enclose(bits) * b.enclose(bits); },
                         a.form_.empty() ? b.form_ : a.form_);
    if (auto const* e = std::get_if<Estimate>(&b.content_); e != nullptr && !a.is_sampled()) return product(b, a);
    if (auto const* e = std::get_if<Estimate>(&a.content_)) {
        double const by = b.to_double();
        return sampled({.mean = e->mean * by, .std_error = e->std_error * std::fabs(by), .samples = e->samples});
    }
    return rounded(a.to_double() * b.to_double());
}

}  // namespace isserlis::cli
