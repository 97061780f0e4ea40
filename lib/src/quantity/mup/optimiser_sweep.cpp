// SPDX-License-Identifier: MIT
#include "quantity/mup/optimiser_sweep.hpp"

#include <isserlis/error.hpp>
#include <isserlis/formula/first_step.hpp>
#include <isserlis/report/plot.hpp>
#include <isserlis/report/tidy.hpp>
#include <utility>
#include <vector>

#include "quantity/chart.hpp"
#include "quantity/log_slope.hpp"
#include "question/readers.hpp"

namespace isserlis::quantity {
namespace {

constexpr std::uint64_t most_terms = 4'000'000;  ///< mean lengths have one for each unit, at every depth
constexpr char const* of_rates = "a function of first_step_rate";
constexpr char const* of_networks = "coord-check samples one network, as joint_unit_rate";

/// n, n:L, 1 with the variances of muP and all rates 1. Only the rule `normalised` asks how long the input is: in the factor
/// of unit rates its size drops out.
FirstStepNetwork swept_network(std::uint64_t width, std::uint64_t depth, Surd const& square) {
    Surd const n{Integer(width)};
    FirstStepNetwork out{.net = {}, .square = square, .absolute = Surd(1)};
    for (std::uint64_t l = 0; l <= depth; ++l) {
        bool const last = l == depth;
        LayerRun<Surd, std::uint64_t> run;
        run.fan_in = n;
        run.fan_out = last ? Surd(1) : n;
        run.variance = last ? Surd(1) / (n * n) : Surd(2) / n;
        run.label_factor = Surd(1);
        run.count = 1;
        out.net.layers.push_back(run);
    }
    return out;
}

/// A rate as it is printed, and its enclosure.
struct SteppedRate {
    Value value;
    Value::Enclosure enclosure;
};

SteppedRate rate_of(StepRule rule, std::uint64_t width, std::uint64_t depth, std::optional<Rational> const& square) {
    Surd const norm = square ? Surd(*square) : Surd(Integer(width));
    auto const net = swept_network(width, depth, norm);
    if (rule == StepRule::normalised) {
        Surd const change = normalised_output_square(net, Surd(1));
        return {.value = over_root(1, change, "1/sqrt(E (Delta z)^2)"),
                .enclosure = [=](unsigned bits) { return Interval(1L, bits) / sqrt(enclose(change, bits)); }};
    }
    auto const factor = remembered([=](unsigned bits) { return joint_unit_rate(net, rule, bits + guard_bits); });
    return {.value = Value::certified(factor, "1 over the mean change at unit rates"), .enclosure = factor};
}

void add_rate_limits(MupSweepText const& sweep, Answer& answer) {
    StepRule const rule = sweep.optimiser.rule;
    for (auto depth = sweep.first; depth <= sweep.last; ++depth) {
        answer.add(
            "first_step_rate_limit", {std::to_string(depth)},
            rule == StepRule::normalised
                ? Value::absent("no limit but 0: the rate falls like n^(-1/2)")
                : Value::certified([=](unsigned bits) { return joint_unit_rate_limit(depth, rule, bits + guard_bits); },
                                   rule == StepRule::sign ? "1/(1 + L/sqrt(pi))" : "1/(1 + L/sqrt(2))"),
            {}, "a limit, with nothing to sample");
    }
}

}  // namespace

void complete_optimiser_sweep(MupSweepText const& sweep, ModelText const& model) {
    if (sweep.optimiser.rule == StepRule::descent) return;
    std::string const why = " with `optimiser` " + sweep.optimiser.name;
    if (model.target_second)
        throw UnsupportedError("`target_second_moment`: targets do not enter the size of the step" + why,
                               "target_second_moment");
    if (sweep.outputs != 1) throw UnsupportedError("`outputs`: one output is served" + why, "outputs");
    if (model.squared_norm && sweep.optimiser.rule != StepRule::normalised)
        throw UnsupportedError("`input_squared_norm`: a factor of unit rates does not depend on it" + why,
                               "input_squared_norm");
    std::uint64_t terms = 0;
    for (auto const n : sweep.widths) {
        if (n > most_terms / (sweep.last - sweep.first + 1)) terms = most_terms + 1;
        if (terms <= most_terms) terms += n * (sweep.last - sweep.first + 1);
    }
    if (terms > most_terms && sweep.optimiser.rule != StepRule::normalised)
        throw UnsupportedError("`depths`: the widths times the depths are over " + std::to_string(most_terms) +
                                   ", up to which they are served" + why,
                               "depths");
}

void add_optimiser_sweep(MupSweepText const& sweep, Session const& session, Answer& answer) {
    StepRule const rule = sweep.optimiser.rule;
    answer.assume("fully connected networks n,n:L,1, relu activation, linear head, zero biases");
    answer.assume("scheme mean-field (muP): independent gaussian weights of variance 2/n, 1/n^2 at the output");
    answer.assume("one fixed input" +
                  std::string(rule == StepRule::normalised
                                  ? " with |x|^2 = " + (sweep.squared_norm ? to_string(*sweep.squared_norm) : "n")
                                  : ", which is not 0; its size does not enter"));
    state_optimiser(sweep.optimiser, {}, answer);
    answer.assume("one sample, one step, its change to first order in the step; the loss enters by the sign of dl/dz");
    answer.assume(
        rule == StepRule::normalised
            ? "first_step_rate [n, L]: one rate for all layers at which E (Delta z)^2 = 1 at the output"
            : "first_step_rate [n, L]: the factor of all unit rates at which E |Delta z| = 1 at the output; the unit "
              "rate of a layer moves it, by its own weights alone, by root mean square 1");
    std::size_t const depths = sweep.last - sweep.first + 1;
    answer.expect(4 * sweep.widths.size() * depths);
    std::vector<std::vector<SteppedRate>> all;
    for (auto const n : sweep.widths) {
        all.emplace_back();
        for (auto depth = sweep.first; depth <= sweep.last; ++depth) {
            all.back().push_back(rate_of(rule, n, depth, sweep.squared_norm));
            answer.add("first_step_rate", {std::to_string(n), std::to_string(depth)}, all.back().back().value, {},
                       of_networks);
        }
    }
    for (std::size_t i = 0; i < all.size(); ++i) {
        std::string const n = std::to_string(sweep.widths[i]);
        for (std::size_t k = 0; k + 1 < depths; ++k) {
            Integer const depth(sweep.first + k);
            answer.add("first_step_local_exponent", {n, to_string(depth)},
                       local_exponent(all[i][k].enclosure, all[i][k + 1].enclosure, ratio(Integer(depth + 1), depth), 1,
                                      "log(rate(L+1)/rate(L))/log((L+1)/L)"),
                       {}, of_rates);
        }
        if (depths < 2) continue;
        std::vector<std::pair<Integer, Value::Enclosure>> points;
        for (std::size_t k = 0; k < depths; ++k) points.emplace_back(Integer(sweep.first + k), all[i][k].enclosure);
        answer.add("first_step_fitted_exponent", {n},
                   fitted_exponent(points, 1, "the slope of the log of the rate over log L by least squares"), {},
                   of_rates);
    }
    for (std::size_t i = 0; i + 1 < all.size(); ++i) {
        Rational const by = Rational(Integer(sweep.widths[i + 1])) / Rational(Integer(sweep.widths[i]));
        for (std::size_t k = 0; k < depths; ++k)
            answer.add("first_step_width_exponent", {std::to_string(sweep.widths[i]), std::to_string(sweep.first + k)},
                       local_exponent(all[i][k].enclosure, all[i + 1][k].enclosure, by, 1,
                                      "log(rate(n')/rate(n))/log(n'/n), n' the next width"),
                       {}, of_rates);
    }
    add_rate_limits(sweep, answer);
    if (!sweep.plot) return;
    Plot plot{.title = chart_title(session), .x_label = "depth L", .y_label = "first step", .series = {}};
    plot.log_x = plot.log_y = true;
    for (std::size_t i = 0; i < all.size(); ++i) {
        PlotSeries series{.title = "n = " + std::to_string(sweep.widths[i]), .points = {}, .marked = true};
        for (std::size_t k = 0; k < depths; ++k)
            series.points.push_back({.x = static_cast<double>(sweep.first + k), .y = all[i][k].value.to_double()});
        plot.series.push_back(std::move(series));
    }
    write_plot(plot, *sweep.plot, "plot");
}

}  // namespace isserlis::quantity
