// SPDX-License-Identifier: MIT
#include <algorithm>
#include <isserlis/error.hpp>
#include <isserlis/model/sampling_model.hpp>
#include <isserlis/report/tidy.hpp>
#include <isserlis/strand/expansion.hpp>
#include <optional>
#include <string>
#include <vector>

#include "quantity/observable_check.hpp"
#include "quantity/unchecked.hpp"
#include "quantity/wired/vertex_rate.hpp"
#include "quantity/wired/wired.hpp"

namespace isserlis::quantity {
namespace {

constexpr char const* cubes =
    "third moments of the targets may enter, which are not given: the output is not odd in the weights of any one "
    "matrix; "
    "`target_third_moment` gives them";

/// A number of the parabola: the mean of a query, where it is known.
template <class R>
struct CurvePart {
    char const* name;
    char const* query;
    std::optional<R> mean = std::nullopt;
};

/// None where third moments of the targets enter. They do so linearly, one at a time: not where 0 and 1 give the same.
template <class R, class Count>
std::optional<R> mean_without_cubes(char const* query, Model<R, Count> const& model, R const& target_mean) {
    try {
        return exact_mean(query, model, target_mean);
    } catch (OddTargetsError const&) {
        try {
            auto at = model;
            at.target_third = R(0);
            R const without = exact_mean(query, at, target_mean);
            at.target_third = R(1);
            if (is_certainly_zero(R(exact_mean(query, at, target_mean) - without))) return without;
        } catch (UnsupportedError const&) {  // what third moments meet is not known either
        } catch (DomainError const&) {       // nor without the coordinates of the input
        }
        return std::nullopt;
    }
}

template <class R, class Count>
std::vector<CurvePart<R>> curve_parts(Model<R, Count> const& model, R const& target_mean) {
    std::vector<CurvePart<R>> out{
        {"loss", "loss"},
        {"slope", "-(D[m] loss)^2"},
        {"curvature", "D[m] loss D[m,n] loss D[n] loss"},
        {"curvature_chi", "D[m] loss z[j;m] z[j;n] D[n] loss"},
        {"curvature_gamma", "D[m] loss D[m,n] loss D[n] loss - D[m] loss z[j;m] z[j;n] D[n] loss"}};
    for (std::size_t k = 0; k + 1 < out.size(); ++k) out[k].mean = mean_without_cubes(out[k].query, model, target_mean);
    if (out[2].mean && out[3].mean) out[4].mean = *out[2].mean - *out[3].mean;
    return out;
}

/// Notes the facts on targets without which all is the same.
template <class R, class Count>
void note_idle_targets(Model<R, Count> const& model, R const& target_mean, std::vector<CurvePart<R>> const& parts,
                       Answer& answer) {
    auto const same = [&](std::vector<CurvePart<R>> const& others) {
        return std::equal(parts.begin(), parts.end(), others.begin(), [](auto const& x, auto const& y) {
            return x.mean && y.mean ? is_certainly_zero(R(*x.mean - *y.mean)) : !x.mean && !y.mean;
        });
    };
    if (model.target_third) {
        auto without = model;
        without.target_third.reset();
        if (same(curve_parts(without, target_mean)))
            answer.warn("`target_third_moment` has no effect: nothing here has three targets that matter");
    }
    if (!is_certainly_zero(target_mean) && same(curve_parts(model, R(0))))
        answer.warn("`target_mean` has no effect: nothing here depends on it, E|y|^2 being given");
}

template <class R>
void add_curve(std::vector<CurvePart<R>> const& parts, std::vector<std::optional<Check>> const& checks,
               std::string const& why, std::string const& k, Answer& answer) {
    for (std::size_t i = 0; i < parts.size(); ++i) {
        bool const known = parts[i].mean.has_value();
        answer.add(parts[i].name, {k}, known ? Value(tidy(*parts[i].mean)) : Value::absent(cubes),
                   checks.empty() ? std::nullopt : checks[i], known ? why : cubes);
    }
    auto const& curvature = parts[2].mean;
    Value const vertex = !curvature                      ? Value::absent(cubes)
                         : is_certainly_zero(*curvature) ? Value::absent("the curvature is 0")
                         : sign_of(*curvature).value_or(1) < 0
                             ? Value::absent("the curvature is below 0: the parabola has a highest point alone")
                             : vertex_rate(*parts[1].mean, *curvature);
    answer.add("vertex_rate", {k}, vertex, {}, why.empty() ? "computed from slope and curvature" : why);
}

}  // namespace

void add_wired_loss_curve(NumericModel const& model, Surd const& target_mean, std::string const& k,
                          Session const& session, Answer& answer) {
    auto const parts = curve_parts(model, target_mean);
    std::vector<AskedMean> asked;
    for (auto const& part : parts) {
        if (part.mean) asked.push_back({.query = part.query, .exact = to_double(*part.mean)});
    }
    auto const of_known = observable_checks(asked, model, session, answer, target_mean);
    std::vector<std::optional<Check>> checks;
    std::size_t next = 0;
    for (auto const& part : parts) checks.push_back(part.mean ? of_known[next++] : std::nullopt);
    note_idle_targets(model, target_mean, parts, answer);
    add_curve(parts, checks, "", k, answer);
}

void add_wired_loss_curve(SymbolicModel const& model, RationalFunction const& target_mean, std::string const& k,
                          Session const&, Answer& answer) {
    declare_orthogonal(model, 3, answer);
    auto const parts = curve_parts(model, target_mean);
    note_idle_targets(model, target_mean, parts, answer);
    add_curve(parts, {}, not_numeric, k, answer);
}

std::optional<SquaredLossCurve<Surd>> curve_of_one_target(NumericModel model, CurveData const& data) {
    if (data.samples() != 1 || !data.set.has_exact_targets() || !(model.graph().output_width() == Surd(1)))
        return std::nullopt;
    // Strands toss a coin for a gate at exactly 0, which the networks of a data set close.
    if (monte_carlo::gates_can_tie(sampling_graph(model).flat_graph())) return std::nullopt;
    Surd const target = exact_targets(data.set).front().front();
    model.input = exact_inputs(data.set).front();
    model.squared_norm = Surd(0);
    for (auto const& x : model.input) model.squared_norm = model.squared_norm + x * x;
    model.target_second = target * target;
    model.target_third = target * target * target;
    std::vector<CurvePart<Surd>> parts;
    try {
        parts = curve_parts(model, target);
    } catch (UnsupportedError const&) {
        return std::nullopt;
    }
    for (auto const& part : parts)
        if (!part.mean) return std::nullopt;
    SquaredLossCurve<Surd> const of_half{.loss = *parts[0].mean,
                                         .slope = *parts[1].mean,
                                         .curvature_chi = *parts[3].mean,
                                         .curvature_gamma = *parts[4].mean};
    return of_half.scaled(Surd(2) * data.squared_factor());
}

}  // namespace isserlis::quantity
