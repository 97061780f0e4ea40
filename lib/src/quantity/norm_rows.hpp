// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/error.hpp>
#include <isserlis/formula/standardised_moments.hpp>
#include <isserlis/question/reason.hpp>
#include <isserlis/report/answer.hpp>
#include <isserlis/report/tidy.hpp>
#include <isserlis/report/value.hpp>
#include <isserlis/ring/interval.hpp>
#include <isserlis/verify/norms.hpp>

#include <optional>
#include <string>
#include <vector>

namespace isserlis::quantity {

/// A formula, or the reason why there is none: with many symbols it may be too large for one fraction.
template <class F>
Value formula_or_reason(char const* what, F const& exact) {
    try {
        return Value(exact());
    } catch (UnsupportedError const& e) {
        return Value::absent(std::string(what) + ": " + reason(e) + "; give some symbols values by `set`");
    }
}

/// Of nested roots the digits.
inline Value skewness_or_reason(std::vector<Surd> const& moments) {
    try {
        return skewness(moments);
    } catch (UnsupportedError const&) {
        return Value::certified(
            [third = central_moment(moments, 3), variance = central_moment(moments, 2)](unsigned bits) {
                Interval const square = enclose(variance, bits);
                return enclose(third, bits) / (square * sqrt(square));
            },
            "the third central moment over the root of the cube of the variance");
    }
}
inline Value skewness_or_reason(std::vector<RationalFunction> const& moments) {
    return formula_or_reason("skewness", [&] { return skewness(moments); });
}

inline Surd merged_if_possible(Surd const& x) { return x; }
/// A sum of products is as exact as one fraction.
inline RationalFunction merged_if_possible(RationalFunction const& x) { return x.try_merged().value_or(x); }

inline Value shown(Surd const& x) { return x; }
/// A sum by the roots, where there are roots under powers of the depth.
inline Value shown(RationalFunction const& x) {
    return has_powers_of_roots(x) ? tidy(x) : Value(merged_if_possible(x));
}

/// The rows of the squared norm of one layer: `raw` are E q^p, from p = 0 up to `order` or more. `shape` are the moments of
/// the same vector with unit variances and input: skewness and its like have no scale, and without one they stay clear of
/// roots. Without their fourth one `no_shape` says why.
template <class R>
void add_norm_rows(std::vector<R> const& raw, std::vector<R> const& shape, std::string const& no_shape,
                   std::string const& label, unsigned order, NormChecks const& checks, std::string const& why,
                   Answer& answer) {
    auto raw_check = [&](unsigned p) {
        return p <= checks.raw.size() ? std::optional(checks.raw[p - 1]) : std::nullopt;
    };
    answer.add("squared_norm_mean", {label}, raw[1], raw_check(1), why);
    answer.add("squared_norm_variance", {label}, shown(R(raw[2] - raw[1] * raw[1])), checks.variance, why);
    R const spread = merged_if_possible(R(shape[2] / (shape[1] * shape[1]) - R(1)));
    answer.add("relative_variance", {label}, shown(spread), {}, "computed from the variance and the mean");
    if (shape.size() > 4 && !is_certainly_zero(spread)) {
        answer.add("squared_norm_skewness", {label}, skewness_or_reason(shape), checks.skewness, why);
        answer.add("squared_norm_kurtosis", {label}, formula_or_reason("kurtosis", [&] { return kurtosis(shape); }),
                   checks.kurtosis, why);
    }
    if (shape.size() <= 4) {
        for (char const* name : {"squared_norm_skewness", "squared_norm_kurtosis"}) {
            answer.add(name, {label}, Value::absent(no_shape), {}, "no exact value to check");
        }
    }
    for (unsigned p = 1; p <= order; ++p) {
        answer.add("squared_norm_moment", {label, std::to_string(p)}, shown(raw[p]), raw_check(p), why);
    }
}

}  // namespace isserlis::quantity
