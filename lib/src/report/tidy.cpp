// SPDX-License-Identifier: MIT
#include <isserlis/report/tidy.hpp>

#include <algorithm>
#include <isserlis/error.hpp>
#include <isserlis/ring/decimal.hpp>
#include <isserlis/ring/depth_sum.hpp>

#include <map>
#include <string>

namespace isserlis {
namespace {

constexpr std::size_t most_digits_under_a_root = 60;

/// Without symbols in exponents its parts by depth would be put together to the whole again.
bool has_plain_exponents(RationalFunction const& x) {
    auto const is_power = [](std::string const& name) { return name.find('^') != std::string::npos; };
    return std::all_of(x.terms().begin(), x.terms().end(), [&](RationalFunction::Term const& t) {
        return std::all_of(t.factors.begin(), t.factors.end(), [&](RationalFunction::Factor const& f) {
            auto const& names = f.base.polynomial.variables();
            return f.exponent.is_constant() && std::none_of(names.begin(), names.end(), is_power);
        });
    });
}

bool is_short(Surd const& x) { return x.is_rational() && to_string(x).size() <= most_digits_under_a_root; }

}  // namespace

bool has_powers_of_roots(RationalFunction const& x) {
    for (auto const& term : x.terms()) {
        for (auto const& [base, exponent] : term.factors) {
            for (auto const& name : base.polynomial.variables()) {
                auto const at = name.find("sqrt(");
                if (at == std::string::npos) continue;
                // The root itself is under the power, or the variable stands for a power such as (1 + sqrt(5))^L.
                if (!exponent.is_constant() || at != 0) return true;
            }
        }
    }
    return false;
}

Value tidy(RationalFunction const& x) {
    if (x.terms().size() <= 2 && has_plain_exponents(x))
        return x.terms().size() == 2 ? x.merged() : x.try_merged().value_or(x);
    ExpPolynomial const sum = by_depth(x);
    if (sum.terms().empty() || (sum.terms().size() == 1 && sum.terms().front().powers.empty())) {
        return x.try_merged().value_or(x);
    }
    return tidy(sum);
}

Value tidy(ExpPolynomial const& x) {
    return x.terms().size() < 2 ? Value(x.formula()) : Value::expression(to_string(x));
}

Value tidy(ExpQuotient const& x) { return x.is_polynomial() ? tidy(x.numerator()) : Value::expression(to_string(x)); }

bool is_certainly_zero(RationalFunction const& x) {
    // Most are not 0 at the first point, which takes far less time than to merge a long one.
    constexpr int first = 5;
    std::map<std::string, Rational> point;
    for (auto const& symbol : x.symbols()) point.emplace(symbol, first + 2 * static_cast<int>(point.size()));
    try {
        if (!x.evaluate(point).is_zero()) return false;
    } catch (Error const&) {  // a divisor is 0 there, or below a root there is less than 0
    }
    auto const merged = x.try_merged();
    return merged && merged->is_zero();
}

Value root(Surd const& square, std::string const& form) {
    if (is_short(square)) return sqrt(square);
    return Value::certified([square](unsigned bits) { return sqrt(enclose(square, bits + guard_bits)); }, form,
                            max_digits);
}

Value over_root(int factor, Surd const& square, std::string const& form) {
    if (is_short(square)) return Surd(factor) * sqrt(square) / square;
    return Value::certified(
        [square, factor](unsigned bits) {
            return Interval(long{factor}, bits + guard_bits) / sqrt(enclose(square, bits + guard_bits));
        },
        form, max_digits);
}

Value root(RationalFunction const& square, std::string const& form) {
    if (has_powers_of_roots(square)) return Value::absent(form);
    try {
        return sqrt(square.merged());
    } catch (UnsupportedError const&) {
        return Value::absent(form);
    }
}

Value over_root(int factor, RationalFunction const& square, std::string const& form) {
    if (has_powers_of_roots(square)) return Value::absent(form);
    try {
        return RationalFunction(factor) / sqrt(square.merged());
    } catch (UnsupportedError const&) {
        return Value::absent(form);
    }
}

}  // namespace isserlis
