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

void make_absolute(std::vector<double>& numbers) {
    for (double& x : numbers) x = std::fabs(x);
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

bool is_off(Check const& check) {
    return check.verdict == Check::Verdict::disagrees ||
           (check.verdict == Check::Verdict::inconclusive && std::fabs(check.z) > check_threshold);
}

double size_of(monte_carlo::Estimate const& sampled) {
    return std::hypot(sampled.mean, sampled.std_error * std::sqrt(static_cast<double>(sampled.samples)));
}

Query uncancelled(Query query) {
    add_all(query.observable);
    return query;
}

StatisticQuery uncancelled(StatisticQuery query) {
    add_all(query.statistic);
    for (Observable* const argument : arguments_of(query.statistic)) add_all(*argument);
    return query;
}

TraceExpression uncancelled(TraceExpression expression) {
    add_all(expression);
    return expression;
}

monte_carlo::GraphModel uncancelled(monte_carlo::GraphModel model) {
    for (auto& stage : model.graph.stages)
        for (auto& edge : stage.edges) edge.orthogonal.reset();
    return model;
}

monte_carlo::ObservableSettings uncancelled(monte_carlo::ObservableSettings settings) {
    for (auto& [name, vector] : settings.inputs) make_absolute(vector);
    for (auto& [name, x] : settings.parameters) x = std::fabs(x);
    for (auto& [name, vector] : settings.vectors) make_absolute(vector);
    for (auto& [name, matrix] : settings.matrices) matrix = uncancelled(matrix);
    return settings;
}

monte_carlo::TraceModel uncancelled(monte_carlo::TraceModel model) {
    using Law = monte_carlo::SampledMatrix::Law;
    for (auto& matrix : model.matrices) {
        make_absolute(matrix.diagonal);
        make_absolute(matrix.values);
        if (matrix.law != Law::orthogonal) continue;
        matrix.law = Law::independent;
        matrix.entries = {};
        matrix.variance = 1 / static_cast<double>(std::max(matrix.rows, matrix.columns));
    }
    for (auto& [name, x] : model.parameters) x = std::fabs(x);
    return model;
}

std::vector<std::vector<double>> uncancelled(std::vector<std::vector<double>> vectors) {
    for (auto& v : vectors) make_absolute(v);
    return vectors;
}

monte_carlo::RunControl control_of_size(monte_carlo::RunControl control) {
    control.shared = nullptr;
    control.progress = nullptr;
    return control;
}

}  // namespace isserlis
