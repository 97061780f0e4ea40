// SPDX-License-Identifier: MIT
#include <isserlis/report/value.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <isserlis/error.hpp>
#include <isserlis/ring/decimal.hpp>
#include <isserlis/ring/latex.hpp>

namespace isserlis {
namespace {

Rational exactly(ScaledDouble x) {
    constexpr int bits = 53;
    Integer const mantissa(static_cast<long long>(std::ldexp(x.mantissa(), bits)));
    std::int64_t const exponent = x.exponent() - bits;
    Integer const power_of_two = Integer(1) << static_cast<unsigned long>(exponent < 0 ? -exponent : exponent);
    return exponent < 0 ? ratio(mantissa, power_of_two) : Rational(mantissa * power_of_two);
}

}  // namespace

Value Value::quotient(Surd numerator, Surd denominator) {
    return Value(Content(Quotient{.numerator = std::move(numerator), .denominator = std::move(denominator)}));
}

Value Value::expression(std::string const& text) {
    auto formula = Expression::parse(text, "value");
    // Digits of an enclosure cannot tell 0 from what is near it; a number without exp( ) is exact.
    try {
        if (formula.symbols().empty()) {
            return evaluate<Surd>(formula, [](std::string const& name) -> Surd {
                throw UnsupportedError("the symbol " + name + " has no value");
            });
        }
    } catch (UnsupportedError const&) {
    }
    return Value(Content(Closed{.expression = std::move(formula), .text = text, .mean_square = {}}));
}

Value Value::over_root_of(std::string const& mean_square) {
    Value out = expression("1/sqrt(" + mean_square + ")");
    if (auto* x = std::get_if<Closed>(&out.content_)) x->mean_square = mean_square;
    return out;
}

std::string Value::mean_square() const {
    auto const* x = std::get_if<Closed>(&content_);
    return x == nullptr ? std::string() : x->mean_square;
}

Value Value::certified(Enclosure enclosure, std::string form, int most_digits) {
    Value out{Content(std::move(enclosure))};
    out.form_ = std::move(form);
    out.most_digits_ = most_digits;
    return out;
}

Value Value::approximate(ScaledDouble value, int significant_digits, std::string form) {
    if (value.mantissa() == 0) value = 0;  // no sign is printed of it
    Value out{Content(Approximate{.value = value, .digits = significant_digits})};
    out.form_ = std::move(form);
    return out;
}

Value Value::absent(std::string reason) {
    Value out{Content(Absent{})};
    out.form_ = std::move(reason);
    return out;
}

std::optional<std::string> Value::exact() const {
    if (auto const* x = std::get_if<Surd>(&content_)) return to_string(*x);
    if (auto const* x = std::get_if<RationalFunction>(&content_)) return to_string(*x);
    if (auto const* x = std::get_if<Quotient>(&content_)) {
        return "(" + to_string(x->numerator) + ")/(" + to_string(x->denominator) + ")";
    }
    if (auto const* x = std::get_if<Closed>(&content_)) return x->text;
    return std::nullopt;
}

std::optional<std::string> Value::decimal(int digits) const {
    if (auto const* x = std::get_if<Surd>(&content_)) return isserlis::decimal(*x, digits);
    if (auto const* x = std::get_if<RationalFunction>(&content_)) {
        if (!x->is_numeric()) return std::nullopt;
        return isserlis::decimal(x->evaluate({}), digits);
    }
    if (auto const* x = std::get_if<Quotient>(&content_)) {
        return isserlis::decimal(
            [&](unsigned bits) { return enclose(x->numerator, bits) / enclose(x->denominator, bits); }, digits);
    }
    if (auto const* x = std::get_if<Closed>(&content_)) {
        if (!x->expression.symbols().empty() || digits > max_certified_digits) return std::nullopt;
        return isserlis::decimal([&](unsigned bits) { return enclose(x->expression, bits); }, digits);
    }
    if (auto const* x = std::get_if<Enclosure>(&content_)) {
        return digits > most_digits_ ? std::nullopt : std::optional(isserlis::decimal(*x, digits));
    }
    if (auto const* x = std::get_if<Approximate>(&content_)) {
        int const shown = std::min(digits, x->digits);
        double const value = x->value.value();
        // Numbers beyond the normal doubles have an exponent of their own.
        if (x->value.mantissa() != 0.0 && !std::isnormal(value) && std::isfinite(x->value.mantissa()))
            return isserlis::decimal(exactly(x->value), shown);
        std::array<char, 40> text{};
        std::snprintf(text.data(), text.size(), "%.*g", shown, value);
        return text.data();
    }
    return std::nullopt;
}

std::string Value::latex(int digits) const {
    if (auto const text = exact()) return isserlis::latex(Expression::parse(*text, "value"));
    if (auto const text = decimal(digits)) return *text;
    return "\\text{" + form_ + "}";
}

double Value::to_double() const {
    auto const text = decimal(17);
    if (!text) return std::nan("");
    double const out = std::strtod(text->c_str(), nullptr);
    bool const is_zero = text->substr(0, text->find('e')).find_first_of("123456789") == std::string::npos;
    bool const underflows = out == 0 ? !is_zero : std::fpclassify(out) == FP_SUBNORMAL;
    return underflows ? std::nan("") : out;
}

}  // namespace isserlis
