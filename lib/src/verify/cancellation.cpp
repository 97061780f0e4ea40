// SPDX-License-Identifier: MIT
#include <isserlis/verify/cancellation.hpp>

#include <algorithm>
#include <cmath>

namespace isserlis {
namespace {

template <class Expression>
void add_all(Expression& e) {
    if (e.kind == Expression::Kind::sum) std::fill(e.signs.begin(), e.signs.end(), 1);
    for (auto& part : e.operands) add_all(part);
}

}  // namespace

Check up_to_rounding(Check check, double exact, double size) {
    double const rounding = 1e-12 * std::fabs(size);
    bool const is_equal = rounding > 0 && std::isfinite(rounding) && std::fabs(check.mean - exact) <= rounding;
    if (check.verdict == Check::Verdict::agrees || !is_equal) return check;
    bool const is_seen = exact == 0 || rounding <= conclusive_error * std::fabs(exact);
    check.verdict = is_seen ? Check::Verdict::agrees : Check::Verdict::inconclusive;
    check.z = 0;
    if (check.power && !is_seen) check.power = 0;
    return check;
}

Query without_minus(Query query) {
    add_all(query.observable);
    return query;
}

TraceExpression without_minus(TraceExpression expression) {
    add_all(expression);
    return expression;
}

std::vector<std::vector<double>> without_minus(std::vector<std::vector<double>> vectors) {
    for (auto& v : vectors)
        for (double& x : v) x = std::fabs(x);
    return vectors;
}

monte_carlo::RunControl control_of_size(monte_carlo::RunControl control) {
    control.shared = nullptr;
    control.progress = nullptr;
    return control;
}

}  // namespace isserlis
