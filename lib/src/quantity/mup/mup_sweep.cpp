// SPDX-License-Identifier: MIT
#include "quantity/mup/mup_sweep.hpp"

#include "quantity/chart.hpp"

#include <algorithm>
#include <cmath>
#include <isserlis/error.hpp>
#include <isserlis/formula/mup_step.hpp>
#include <isserlis/report/plot.hpp>

#include "quantity/chain_models.hpp"
#include "quantity/log_slope.hpp"
#include "quantity/mup/mup_text.hpp"
#include "quantity/mup/optimiser_sweep.hpp"
#include "question/readers.hpp"
#include "question/spelling.hpp"

namespace isserlis::quantity {
namespace {

constexpr std::uint64_t most_depth_of_a_sweep = most_layers_of_a_chain;  ///< hidden layers
constexpr std::uint64_t most_depths = 1000;                              ///< for each width
constexpr std::uint64_t most_size = 10'000'000;                          ///< widths times depths times the depth

void require_served(MupSweepText const& sweep) {
    std::uint64_t const depths = sweep.last - sweep.first + 1;
    std::string refusal;
    if (sweep.last > most_depth_of_a_sweep) {
        refusal = std::to_string(sweep.last) + " hidden layers; up to " + std::to_string(most_depth_of_a_sweep);
    } else if (depths > most_depths) {
        refusal = std::to_string(depths) + " depths; at most " + std::to_string(most_depths) + " at once";
    } else if (sweep.widths.size() * depths > most_size / sweep.last) {
        refusal = std::to_string(sweep.widths.size() * depths) + " rates; at most " +
                  std::to_string(most_size / sweep.last) + " of up to " + std::to_string(sweep.last) + " hidden layers";
    }
    if (!refusal.empty()) throw UnsupportedError("`depths`: " + refusal + " are served", "depths");
}

/// E (Delta z_i^(L))^2 of the networks of one width, for L = first, first + 1, ..
struct SweptRates {
    std::string width;
    std::uint64_t first = 1;
    std::vector<Rational> changes;

    [[nodiscard]] Rational const& at(std::uint64_t depth) const { return changes[depth - first]; }
};

/// eta* is the change to this power.
Rational const rate_power = ratio(-1, 2);

Value::Enclosure enclosing(Rational const& x) {
    return [x](unsigned bits) { return Interval(x, bits); };
}

void add_exponents(std::vector<SweptRates> const& all, Answer& answer) {
    for (auto const& rates : all) {
        for (std::uint64_t depth = rates.first; depth + 1 < rates.first + rates.changes.size(); ++depth) {
            answer.add("mup_local_exponent", {rates.width, std::to_string(depth)},
                       local_exponent(enclosing(rates.at(depth)), enclosing(rates.at(depth + 1)),
                                      ratio(Integer(depth + 1), Integer(depth)), rate_power,
                                      "log(eta*(L+1)/eta*(L))/log((L+1)/L)"));
        }
    }
    for (auto const& rates : all) {
        std::vector<std::pair<Integer, Value::Enclosure>> points;
        for (std::size_t k = 0; k < rates.changes.size(); ++k)
            points.emplace_back(Integer(rates.first + k), enclosing(rates.changes[k]));
        answer.add("mup_fitted_exponent", {rates.width},
                   fitted_exponent(points, rate_power, "the slope of log eta* over log L by least squares"));
    }
}

void add_limits(MupSweepText const& sweep, Rational const& per_width, Rational const& target, Answer& answer) {
    for (auto depth = sweep.first; depth <= sweep.last; ++depth) {
        Rational const change = mup_limit_change<Rational>(Rational(Integer(depth)), per_width, target);
        answer.add(
            "mup_rate_limit", {std::to_string(depth)},
            change == 0 ? Value::absent("no limit: the change goes to 0") : over_root(1, Surd(change), rate_form));
    }
    if (per_width == 0 && target == 0) return;
    answer.add("mup_limit_exponent", {}, Surd(per_width == 0 ? ratio(-3, 2) : Rational(-2)));
    answer.assume("mup_rate_limit [L] as n goes to infinity; mup_limit_exponent as then L does");
}

double rate_for(Rational const& change) { return 1 / std::sqrt(to_double(Surd(change))); }

void draw(MupSweepText const& sweep, std::vector<SweptRates> const& all, std::optional<Rational> const& per_width,
          Rational const& target, std::string const& file, std::string const& title) {
    Plot plot{.title = title, .x_label = "depth L", .y_label = "learning rate", .series = {}};
    plot.log_x = plot.log_y = true;
    for (auto const& rates : all) {
        PlotSeries series{.title = "n = " + rates.width, .points = {}, .marked = true};
        for (auto depth = sweep.first; depth <= sweep.last; ++depth)
            series.points.push_back({.x = static_cast<double>(depth), .y = rate_for(rates.at(depth))});
        plot.series.push_back(std::move(series));
    }
    if (per_width) {
        PlotSeries limit{.title = "n to infinity", .points = {}};
        for (auto depth = sweep.first; depth <= sweep.last; ++depth) {
            auto const change = mup_limit_change<Rational>(Rational(Integer(depth)), *per_width, target);
            if (change != 0) limit.points.push_back({.x = static_cast<double>(depth), .y = rate_for(change)});
        }
        if (!limit.points.empty()) plot.series.push_back(std::move(limit));
    }
    write_plot(plot, file, "plot");
}

}  // namespace

std::vector<std::uint64_t> different_widths(std::string const& list, std::string const& parameter, std::uint64_t most) {
    std::vector<std::uint64_t> out;
    for (auto const& width : split(list)) {
        out.push_back(parse_count(width, parameter, 1, most));
        if (std::count(out.begin(), out.end(), out.back()) > 1)
            throw DomainError(named(parameter) + ": " + std::to_string(out.back()) + " is listed twice", parameter);
    }
    return out;
}

ParameterSet<MupSweepText> sweep_parameters() {
    static constexpr std::uint64_t most_width = 1'000'000'000;
    return {
        {"depths", "A..B", "Learning rates of n,n:L,N at these L, instead of `widths`",
         [](MupSweepText& into, std::string const& text) {
             constexpr std::uint64_t any = ~0ULL;
             auto const dots = text.find("..");
             into.depths = text;
             into.first = parse_count(text.substr(0, dots), "depths", 0, any);
             into.last = dots == std::string::npos ? into.first : parse_count(text.substr(dots + 2), "depths", 0, any);
             if (into.first == 0 || into.last < into.first)
                 throw ParseError("`depths` = " + printable(text) +
                                      "; numbers of hidden layers A..B are required, 1 <= A <= B <= " +
                                      std::to_string(most_depth_of_a_sweep),
                                  "depths");
         },
         More{.refusals =
                  {{{"parametrisation"}, "{} is for one network; `depths` and `width_list` take muP with all rates 1"},
                   {{"bias_variance"}, "{} is for one network; those of `depths` and `width_list` have none"},
                   {{"activation"}, "{} is for one network; those of `depths` and `width_list` are ReLU"},
                   {{"alpha", "multiplier", "branch_widths", "projections"},
                    "{} is for one network; those of `depths` and `width_list` have none"},
                   {{"eta", "input", "input_fourth", "data", "with", "emit_test", "emit_samples", "emit_tolerance"},
                    "{} is for one network; `depths` and `width_list` take all rates as 1 and |x|^2 as n or "
                    "`input_squared_norm`"}}}},
        {"width_list", "LIST", "at these n",
         [](MupSweepText& into, std::string const& text) {
             into.widths = different_widths(text, "width_list", most_width);
         }},
        {"outputs", "N", "at this N, a number or n",
         [](MupSweepText& into, std::string const& text) {
             into.outputs.reset();
             if (text != "n") into.outputs = parse_count(text, "outputs", 1, most_width);
         },
         More{.usual = "1", .needs = {"depths"}}},
        {"optimiser", "sgd|sign|adam|normalised|muon", "Whose first step it is", &MupSweepText::optimiser,
         optimiser_name(), More{.usual = "sgd"}},
        {"plot", "FILE", "Draw the rates against depth by gnuplot: .svg, .png or .pdf", &MupSweepText::plot, picture(),
         More{.needs = {"depths"}}}};
}

void complete_sweep(MupSweepText& sweep, ModelText const& model, Session const& session) {
    if (session.samples)
        throw UnsupportedError(
            "`depths`: rates of many networks are not sampled; `check`, `time` and `until` are for one network",
            "depths");
    if (session.layer) throw ParseError("`layer`: the sweep speaks of the last hidden layer of each depth", "layer");
    check_bindings({}, session);
    if (sweep.depths.empty())
        throw ParseError("`depths` is missing: `width_list` needs depths too, such as 1..64", "depths");
    if (sweep.widths.empty())
        throw ParseError("`width_list` is missing: `depths` needs widths too, such as 16,64", "width_list");
    require_served(sweep);
    complete_optimiser_sweep(sweep, model);
    if (model.target_second) sweep.target = rational_at(*model.target_second, {}, "target_second_moment");
    if (sweep.target < 0) throw DomainError("`target_second_moment`: E|y|^2 is at least 0", "target_second_moment");
    if (model.squared_norm) sweep.squared_norm = rational_at(*model.squared_norm, {}, "input_squared_norm");
    if (sweep.squared_norm && *sweep.squared_norm <= 0)
        throw DomainError("`input_squared_norm` has to be positive", "input_squared_norm");
}

void add_mup_sweep(MupSweepText const& sweep, Session const& session, Answer& answer) {
    bool const has_norm = sweep.squared_norm.has_value();
    Rational const norm = sweep.squared_norm.value_or(1);
    auto const& target = sweep.target;
    answer.assume("fully connected networks n,n:L," +
                  (sweep.outputs ? std::to_string(*sweep.outputs) : std::string("n")) +
                  ", relu activation, linear head, zero biases");
    answer.assume("scheme mean-field (muP): independent gaussian weights of variance 2/n, 1/n^2 at the output");
    answer.assume("one fixed input with |x|^2 = " + (has_norm ? to_string(norm) : "n"));
    state_mup_step(to_string(target), answer);
    answer.assume("mup_learning_rate [n, L]: one rate for all layers at which E (Delta z_i^(L))^2 = 1");
    std::size_t const depths = sweep.last - sweep.first + 1;
    answer.expect(2 * sweep.widths.size() * depths);
    Rational const per_width = sweep.outputs ? 0 : 1;
    std::vector<SweptRates> all;
    for (auto const n : sweep.widths) {
        Rational const width{Integer(n)};
        all.push_back(
            {.width = std::to_string(n),
             .first = sweep.first,
             .changes = mup_last_changes<Rational>(width, Rational(Integer(sweep.outputs.value_or(n))), sweep.first,
                                                   sweep.last, has_norm ? norm : width, target)});
    }
    for (auto const& rates : all) {
        for (auto depth = sweep.first; depth <= sweep.last; ++depth) {
            answer.add("mup_learning_rate", {rates.width, std::to_string(depth)},
                       over_root(1, Surd(rates.at(depth)), rate_form));
        }
    }
    if (depths > 1) add_exponents(all, answer);
    if (has_norm) {
        answer.warn("limits in the width are those of |x|^2 = n; leave `input_squared_norm` out for them");
    } else {
        add_limits(sweep, per_width, target, answer);
    }
    if (sweep.plot)
        draw(sweep, all, has_norm ? std::nullopt : std::optional(per_width), target, *sweep.plot, chart_title(session));
}

}  // namespace isserlis::quantity
