// SPDX-License-Identifier: MIT
#include <isserlis/report/tidy.hpp>

#include "quantity/observable_check.hpp"
#include "quantity/unchecked.hpp"
#include "quantity/wired/wired.hpp"

namespace isserlis::quantity {
namespace {

/// A number of the parabola: the mean of a query.
template <class R>
struct CurvePart {
    char const* name;
    char const* query;
    R mean = R(0);
};

template <class R, class Count>
std::vector<CurvePart<R>> curve_parts(Model<R, Count> const& model) {
    std::vector<CurvePart<R>> out{
        {"loss", "loss"},
        {"slope", "-(D[m] loss)^2"},
        {"curvature", "D[m] loss D[m,n] loss D[n] loss"},
        {"curvature_chi", "D[m] loss z[j;m] z[j;n] D[n] loss"},
        {"curvature_gamma", "D[m] loss D[m,n] loss D[n] loss - D[m] loss z[j;m] z[j;n] D[n] loss"}};
    for (std::size_t k = 0; k + 1 < out.size(); ++k) out[k].mean = exact_mean(out[k].query, model);
    out.back().mean = out[2].mean - out[3].mean;
    return out;
}

template <class R>
void add_curve(std::vector<CurvePart<R>> const& parts, std::vector<std::optional<Check>> const& checks,
               std::string const& why, std::string const& k, Answer& answer) {
    for (std::size_t i = 0; i < parts.size(); ++i)
        answer.add(parts[i].name, {k}, tidy(parts[i].mean), checks.empty() ? std::nullopt : checks[i], why);
    R const& slope = parts[1].mean;
    R const& curvature = parts[2].mean;
    answer.add(
        "vertex_rate", {k},
        is_certainly_zero(curvature) ? Value::absent("the curvature is 0") : Value(tidy(R(R(0) - slope / curvature))),
        {}, why.empty() ? "computed from slope and curvature, which are checked" : why);
}

}  // namespace

void add_wired_loss_curve(NumericModel const& model, std::string const& k, Session const& session, Answer& answer) {
    auto const parts = curve_parts(model);
    std::vector<AskedMean> asked;
    for (auto const& part : parts) asked.push_back({.query = part.query, .exact = to_double(part.mean)});
    add_curve(parts, observable_checks(asked, model, session, answer), "", k, answer);
}

void add_wired_loss_curve(SymbolicModel const& model, std::string const& k, Session const&, Answer& answer) {
    add_curve(curve_parts(model), {}, not_numeric, k, answer);
}

}  // namespace isserlis::quantity
