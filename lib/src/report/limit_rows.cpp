// SPDX-License-Identifier: MIT
#include <isserlis/report/limit_rows.hpp>

#include <isserlis/ring/exponential_series.hpp>

#include <algorithm>

namespace isserlis {

Tendency tendency_of(JointLimit const& limit, std::string const& scale) {
    JointLimit first = limit;
    for (auto& part : first.parts) part.coefficients.resize(1);
    std::erase_if(first.parts, [](JointLimit::Part const& part) { return part.coefficients.front().is_zero(); });
    Tendency out{.course = limit.course(), .leading = Value::expression(to_string(first, scale))};
    bool const is_expansion = !limit.is_zero() && limit.parts.front().coefficients.size() > 1;
    if (is_expansion) out.expansion = Value::expression(to_string(limit, scale));
    return out;
}

Tendency tendency_of(PowerSeries const& series, std::string const& n) {
    using Course = JointLimit::Course;
    if (series.coefficients.empty()) return {.leading = RationalFunction(0)};
    auto const width = power(RationalFunction::symbol(n), Exponent(series.power(0)));
    return {.course = series.leading > 0   ? Course::infinite
                      : series.leading < 0 ? Course::vanishing
                                           : Course::finite,
            .leading = RationalFunction(series.coefficients.front() * width).merged()};
}

namespace {

/// The same by square roots of the scale.
void write_by_roots(JointLimit& x) {
    if (x.root == 2) return;
    x.root = 2;
    x.leading *= 2;
    for (auto& part : x.parts) part.growth = {RationalFunction(0)};
}

/// One power for each exponent.
void merge_bases(JointLimit& x) {
    decltype(x.bases) merged;
    for (auto const& [base, exponent] : x.bases) {
        auto const at = std::find_if(merged.begin(), merged.end(),
                                     [&, &exponent = exponent](auto const& m) { return m.second == exponent; });
        if (at == merged.end()) {
            merged.emplace_back(base, exponent);
        } else {
            at->first = (at->first * base).merged();
        }
    }
    std::erase_if(merged, [](auto const& m) { return m.first == RationalFunction(1); });
    x.bases = merged;
}

}  // namespace

Tendency tendency_of(JointLimit above, JointLimit below, std::string const& scale) {
    if (above.is_zero()) return {.leading = RationalFunction(0)};
    if (above.root != below.root) {
        write_by_roots(above);
        write_by_roots(below);
    }
    // All parts grow alike, so that what grows below is taken off above.
    above.leading -= below.leading;
    below.leading = 0;
    for (auto const& [base, exponent] : below.bases) above.bases.emplace_back(RationalFunction(1) / base, exponent);
    below.bases.clear();
    auto const growth = below.parts.front().growth;
    for (auto* side : {&above, &below}) {
        for (auto& part : side->parts) {
            for (std::size_t j = 0; j < growth.size(); ++j) part.growth[j] = (part.growth[j] - growth[j]).merged();
        }
    }
    merge_bases(above);
    if (below.parts.size() == 1) {
        auto const& last = below.parts.front();
        for (auto& part : above.parts) {
            part.rate = (part.rate - last.rate).merged();
            part.coefficients = {(part.coefficients.front() / last.coefficients.front()).merged()};
        }
        return tendency_of(above, scale);
    }
    return {.course = above.course(),
            .leading = Value::expression("(" + to_string(above, scale) + ")/(" + to_string(below, scale) + ")")};
}

Tendency tendency_of(ExpQuotient const& given, std::string const& n) {
    if (!stands_in_exponent(given, n)) return tendency_of(series_at_infinity(given, n, 0), n);
    ExpQuotient const x = given.reduced();
    JointLimit const above = joint_limit(x.numerator(), alone(n), 0);
    if (x.is_polynomial()) return tendency_of(above, n);
    return tendency_of(above, joint_limit(x.denominator(), alone(n), 0), n);
}

std::vector<SeriesCoefficient> series_of(ExpQuotient const& x, std::string const& n, std::size_t order) {
    std::vector<SeriesCoefficient> out;
    if (!stands_in_exponent(x, n)) {
        auto const series = series_at_infinity(x, n, order);
        for (std::size_t k = 0; k < series.coefficients.size(); ++k)
            out.push_back({.power = -series.power(k), .value = series.coefficients[k].merged()});
        return out;
    }
    auto const series = exponential_series(x, n, order);
    for (std::size_t k = 0; k <= order && !series.is_zero(); ++k) {
        out.push_back({.power = ratio(static_cast<long>(k) - series.leading, series.root),
                       .value = Value::expression(coefficient_text(series, k))});
    }
    return out;
}

void add_limit_rows(Answer& answer, LimitNames const& names, std::vector<std::string> const& index,
                    Tendency const& found, std::vector<std::string> const& endless, std::string const& unchecked) {
    using Course = JointLimit::Course;
    Value limit = found.leading;
    if (found.course == Course::vanishing) limit = RationalFunction(0);
    if (found.course == Course::infinite) limit = Value::absent("infinite; it grows like " + names.leading);
    if (found.course == Course::open)
        limit = Value::absent("0, finite or infinite, as the symbols have it; it goes like " + names.leading);
    answer.add_limit(names.limit, index, limit, endless, unchecked);
    if (found.course == Course::finite && !found.expansion) return;
    answer.add_limit(names.leading, index, found.expansion.value_or(found.leading), endless, unchecked);
}

}  // namespace isserlis
