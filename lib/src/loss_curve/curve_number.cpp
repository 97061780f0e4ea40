// SPDX-License-Identifier: MIT
#include <isserlis/loss_curve/curve_number.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <isserlis/error.hpp>
#include <isserlis/report/tidy.hpp>
#include <isserlis/ring/decimal.hpp>
#include <isserlis/ring/power.hpp>
#include <map>
#include <memory>
#include <optional>

namespace isserlis {

using monte_carlo::Estimate;

namespace {

constexpr int double_digits = 12;  ///< that sums over thousands of layers leave certain
constexpr unsigned bits_that_tell_zero = 256;
constexpr int most_digits_within = 30;      ///< more than double-doubles have
constexpr double most_share_of_one = 0.25;  ///< in a sample variance that is to be trusted

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

/// An enclosure that computes every precision once: rates ask for those of slope and curvature again.
Value::Enclosure remembered(Value::Enclosure enclosure) {
    auto known = std::make_shared<std::map<unsigned, Interval>>();
    return [enclosure = std::move(enclosure), known](unsigned bits) {
        constexpr unsigned step = 128;
        bits = (bits + step - 1) / step * step;  // a few more cost less than to begin again
        auto const at = known->find(bits);
        return at != known->end() ? at->second : known->emplace(bits, enclosure(bits)).first->second;
    };
}

}  // namespace

ScaledDouble to_scaled(Interval const& x) {
    long exponent = 0;
    double const mantissa = mpfr_get_d_2exp(&exponent, x.lower(), MPFR_RNDN);
    ScaledDouble const size = power(ScaledDouble(2), static_cast<std::uint64_t>(std::abs(exponent)));
    return exponent < 0 ? ScaledDouble(mantissa) / size : ScaledDouble(mantissa) * size;
}

ScaledDouble to_scaled(Surd const& x) { return to_scaled(enclose(x, bits_of_doubles)); }

CurveNumber::CurveNumber(KernelSum const& x, std::string form) : form_(std::move(form)) {
    if (x.is_exact()) {
        content_ = x.exact();
        form_.clear();
    } else {
        content_ = remembered([x](unsigned bits) { return x.enclose(bits); });
    }
}

CurveNumber CurveNumber::certified(Value::Enclosure enclosure, std::string form, int most_digits) {
    CurveNumber out{Content(remembered(std::move(enclosure))), std::move(form)};
    out.most_digits_ = most_digits;
    return out;
}

CurveNumber CurveNumber::within(Interval const& x, std::string form) {
    if (mpfr_zero_p(x.lower()) != 0 && mpfr_zero_p(x.upper()) != 0) return Surd(0);
    auto const enclosure = [x](unsigned) { return x; };
    for (int digits = most_digits_within; digits > 0; --digits) {
        try {
            (void)decimal(enclosure, digits);
            return certified(enclosure, std::move(form), digits);
        } catch (UnsupportedError const&) {
            // so many are not certain
        }
    }
    return absent("it cancels in the digits that are carried");
}

CurveNumber CurveNumber::enclosed(std::function<Enclosed(unsigned bits)> const& enclosure, std::string form) {
    if (enclosure(bits_of_doubles).is_zero()) return Surd(0);
    auto const known = remembered([enclosure](unsigned bits) { return enclosure(bits).enclose(bits); });
    // An enclosure that never leaves 0 never yields a digit.
    if (known(bits_of_doubles).contains_zero() && known(bits_that_tell_zero).contains_zero()) return absent("");
    return {Content(known), std::move(form)};
}

CurveNumber CurveNumber::rounded(ScaledDouble x, ScaledDouble size, std::string const& why) {
    std::string const form = "computed in double precision" + (why.empty() ? "" : ": " + why);
    if (!std::isfinite(x.mantissa()) || !std::isfinite(size.mantissa())) return absent("out of the range of numbers");
    if (x.mantissa() == 0) return {Content(Rounded{.value = x, .digits = double_digits}), form};
    double const lost = std::log10(std::fabs((size / x).value()));
    if (!(lost < double_digits - 1)) return absent("it cancels in double precision");
    return {Content(Rounded{.value = x, .digits = double_digits - static_cast<int>(std::ceil(std::max(0.0, lost)))}),
            form};
}

CurveNumber CurveNumber::sampled(Estimate const& estimate, double largest_share, char const* error) {
    if (estimate.samples == 0) return absent("not sampled: 0 or too small for double in every network");
    if (!std::isfinite(estimate.mean) || !std::isfinite(estimate.std_error))
        return absent("beyond the range of double, in which it was sampled");
    std::string const all = std::to_string(estimate.samples);
    // The square of a number below 1e-162 is 0 in double. Of like networks nothing is known but that.
    constexpr double rounding = 1e-15;
    if (!(estimate.std_error > rounding * std::fabs(estimate.mean)))
        return absent((estimate.mean == 0 ? "0 in all " : "no spread among all ") + all +
                      " sampled networks: they are dead, too small for double, or alike but for rounding");
    std::string form = "sampled: " + all + " networks, " + error + " " + rounded_text(estimate.std_error, 2);
    if (largest_share > most_share_of_one)
        form += ", not to be relied on: one network has " + std::to_string(static_cast<int>(100 * largest_share)) +
                "% of the variance";
    return {Content(Sampled{.estimate = estimate, .largest_share = largest_share}), form};
}

CurveNumber CurveNumber::absent(std::string reason) { return {Content(Absent{}), std::move(reason)}; }

Value CurveNumber::value() const {
    if (auto const* x = std::get_if<Surd>(&content_)) return *x;
    if (auto const* x = std::get_if<RationalFunction>(&content_)) return tidy(*x);
    if (auto const* x = std::get_if<Value::Enclosure>(&content_)) return Value::certified(*x, form_, most_digits_);
    if (auto const* x = std::get_if<Rounded>(&content_)) return Value::approximate(x->value, x->digits, form_);
    if (auto const* x = std::get_if<Sampled>(&content_))
        return Value::approximate(ScaledDouble(x->estimate.mean), digits_above(x->estimate), form_);
    return Value::absent(form_);
}

double CurveNumber::to_double() const { return value().to_double(); }

std::optional<int> CurveNumber::sign() const {
    if (is_absent() || is_symbolic()) return std::nullopt;
    double const mantissa = in_double().value.mantissa();
    return mantissa > 0 ? 1 : mantissa < 0 ? -1 : 0;
}

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

CurveNumber::Rounded CurveNumber::in_double() const {
    if (has_enclosure())
        return {.value = to_scaled(enclose(bits_of_doubles)), .digits = std::min(double_digits, most_digits_)};
    if (auto const* x = std::get_if<Rounded>(&content_)) return *x;
    if (auto const* x = std::get_if<Sampled>(&content_))
        return {.value = ScaledDouble(x->estimate.mean), .digits = digits_above(x->estimate)};
    return {.value = ScaledDouble(to_double()), .digits = double_digits};
}

template <class Function>
CurveNumber CurveNumber::of_both(CurveNumber const& a, CurveNumber const& b, Function const& f,
                                 std::string const& form) {
    auto const both = [a, b, f](unsigned bits) { return f(a.enclose(bits), b.enclose(bits)); };
    bool const narrow = a.most_digits_ == max_certified_digits && b.most_digits_ == max_certified_digits;
    return narrow ? certified(both, form) : within(both(bits_of_doubles), form);
}

CurveNumber CurveNumber::quotient(Surd const& factor, CurveNumber const& a, CurveNumber const& b,
                                  std::string const& form) {
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
    if (a.has_enclosure() && b.has_enclosure())
        return of_both(
            a, b, [factor](Interval const& x, Interval const& y) { return x * factor / y; }, form);
    Rounded const x = a.in_double();
    Rounded const y = b.in_double();
    CurveNumber out = rounded(to_scaled(factor) * x.value / y.value);
    if (auto* r = std::get_if<Rounded>(&out.content_)) r->digits = std::min(x.digits, y.digits);
    return out;
}

CurveNumber CurveNumber::quotient_of_estimates(CurveNumber const& a, CurveNumber const& b) {
    if (a.is_absent()) return a;
    if (b.is_absent()) return b;
    Estimate out{.mean = a.to_double() / b.to_double(), .std_error = 0, .samples = 0};
    double share = 0;
    for (auto const* x : {&a, &b}) {
        auto const* e = std::get_if<Sampled>(&x->content_);
        if (e == nullptr) continue;
        out.std_error += std::fabs(out.mean * e->estimate.std_error / e->estimate.mean);
        out.samples = std::max(out.samples, e->estimate.samples);
        share = std::max(share, e->largest_share);
    }
    constexpr double most_error = 0.5;  // beyond which a quotient is no longer near linear in its parts
    if (!(out.std_error < most_error * std::fabs(out.mean)))
        return absent("the error of the sampled rates is above half of their quotient");
    return sampled(out, share, "standard error at most");
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
        return of_both(
            a, b, [](Interval const& x, Interval const& y) { return x * y; }, a.form_.empty() ? b.form_ : a.form_);
    if (b.is_sampled() && !a.is_sampled()) return product(b, a);
    if (auto const* e = std::get_if<Sampled>(&a.content_)) {
        double const by = b.to_double();
        return sampled({.mean = e->estimate.mean * by,
                        .std_error = e->estimate.std_error * std::fabs(by),
                        .samples = e->estimate.samples},
                       e->largest_share);
    }
    Rounded const x = a.in_double();
    Rounded const y = b.in_double();
    CurveNumber out = rounded(x.value * y.value);
    if (auto* r = std::get_if<Rounded>(&out.content_)) r->digits = std::min(x.digits, y.digits);
    return out;
}

}  // namespace isserlis
