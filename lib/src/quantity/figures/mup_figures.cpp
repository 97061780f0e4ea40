// SPDX-License-Identifier: MIT
#include "quantity/figures/mup_figures.hpp"

#include <algorithm>
#include <cmath>
#include <isserlis/error.hpp>
#include <isserlis/monte_carlo/step_sampler.hpp>

#include "quantity/figures/figure.hpp"

namespace isserlis::quantity {
namespace {

/// E (Delta z_i)^2 of the last hidden layer at rate 1, of n,n:L,1 with |x|^2 = n.
double exact_change(Figure const& figure, std::uint64_t width, std::uint64_t depth) {
    std::string const n = std::to_string(width);
    std::string const l = std::to_string(depth);
    auto const answer = figure.asked("mup " + n + "," + n + ":" + l + ",1 input_squared_norm=" + n + " layer=" + l);
    return number_of(answer.at("mup_change_squared", {l}));
}

/// The same of drawn networks, each moved by one step.
monte_carlo::Estimate sampled_change(std::size_t width, std::size_t depth, std::uint64_t samples,
                                     Session const& session) {
    double const n = static_cast<double>(width);
    monte_carlo::NetworkModel model;
    model.widths.assign(depth + 1, width);
    model.widths.push_back(1);
    model.variances.assign(depth, 2 / n);
    model.variances.push_back(1 / (n * n));
    model.laws.resize(depth + 1);  // Gaussian
    model.input.assign(width, 1);
    return monte_carlo::sample_steps(model, std::vector<double>(depth + 1, 1), 1, samples, session.seed,
                                     session.run_control())[depth - 1]
        .change_square;
}

std::vector<std::uint64_t> doubled_depths(std::uint64_t most) {
    std::vector<std::uint64_t> out;
    for (std::uint64_t l = 1; l <= most; l *= 2) out.push_back(l);
    return out;
}

void draw_rates(FigureChoice const& choice, Session const& session, Answer& answer) {
    std::uint64_t const samples = session.samples.value_or(choice.quick ? 1000 : 10'000);
    Figure figure(choice, session, answer,
                  {.title = "Rate at which the last hidden layer changes by 1 [Jelassi 2023, Theorem 1.1]",
                   .x_label = "depth (hidden layers)",
                   .y_label = "learning rate of muP",
                   .series = {},
                   .log_x = true,
                   .log_y = true});
    answer.assume(
        "hidden ReLU layers of one width, one output, |x|^2 = width, E y^2 = 1, variances 2/width and 1/width^2; one "
        "step "
        "on one sample, to first order; points: " +
        std::to_string(samples) + " networks, seed " + std::to_string(session.seed) +
        ", where the depth is at most a quarter of the width: beyond, the tails are too heavy for them");
    std::vector<FigurePart> parts;
    for (std::uint64_t const width : {16U, 64U})
        for (auto const depth : doubled_depths(choice.quick ? 8 : std::min<std::uint64_t>(width, 64)))
            parts.push_back({[&, width, depth] {
                                 std::vector<double> out{exact_change(figure, width, depth)};
                                 if (4 * depth > width) return out;
                                 auto const sampled = sampled_change(width, depth, samples, session);
                                 out.insert(out.end(), {sampled.mean, sampled.std_error});
                                 return out;
                             },
                             [&, width, depth](std::vector<double> const& found) {
                                 std::string const curve = "width " + std::to_string(width);
                                 double const l = static_cast<double>(depth);
                                 figure.add_exact(curve, l, 1 / std::sqrt(found[0]), "exact rate of muP");
                                 if (found.size() < 3) return;
                                 double const rate = 1 / std::sqrt(found[1]);
                                 figure.add(curve, {.x = l, .y = rate, .error = rate * found[2] / (2 * found[1])},
                                            "(E (Delta z)^2)^(-1/2), the mean sampled");
                             }});
    parts.push_back({[&] {
                         auto const most = std::to_string(choice.quick ? 8 : 64);
                         auto const limits = figure.asked("mup depths=1.." + most + " width_list=64");
                         std::vector<double> out;
                         for (auto const depth : doubled_depths(choice.quick ? 8 : 64))
                             out.push_back(number_of(limits.at("mup_rate_limit", {std::to_string(depth)})));
                         return out;
                     },
                     [&](std::vector<double> const& found) {
                         for (std::size_t k = 0; k < found.size(); ++k)
                             figure.add_exact("infinite width", std::pow(2, k), found[k],
                                              "exact rate of muP at infinite width");
                     }});
    figure.run(parts);
    figure.draw();
}

void draw_bound(FigureChoice const& choice, Session const& session, Answer& answer) {
    if (session.samples) throw ParseError("`check`: the figure is exact; leave it out", "check");
    Figure figure(choice, session, answer,
                  {.title = "E (Delta z)^2/L^3 at fixed depth over width, against (1.5) of [Jelassi 2023]",
                   .x_label = "depth L (hidden layers)",
                   .y_label = "E (Delta z)^2/L^3",
                   .series = {},
                   .log_x = true});
    answer.assume(
        "hidden ReLU layers of one width, one output, |x|^2 = width, E y^2 = 1, variances 2/width and 1/width^2, rate "
        "1; "
        "one step on one sample, to first order");
    answer.explain(
        "(1.5) as printed: for L/n < c_1 there are c_2 and c_3 such that |E (Delta z)^2 - c_2 L^3| <= c_3 L^2 at rate "
        "1, so "
        "that every curve with L/n < c_1 tends to the same c_2; the limits differ, and with them c_2 (M13)");
    std::vector<FigurePart> parts;
    for (std::uint64_t const units : {16U, 8U, 4U})
        for (auto const depth : doubled_depths(choice.quick ? 16 : 128))
            parts.push_back({[&, units, depth] {
                                 double const cube = std::pow(static_cast<double>(depth), 3);
                                 return std::vector{exact_change(figure, depth * units, depth) / cube};
                             },
                             [&, units, depth](std::vector<double> const& found) {
                                 figure.add_exact("L/n=1/" + std::to_string(units), static_cast<double>(depth),
                                                  found[0], "exact");
                             }});
    figure.run(parts);
    figure.draw();
}

}  // namespace

void draw_mup_figure(FigureChoice const& choice, Session const& session, Answer& answer) {
    if (choice.id.ends_with("bound")) return draw_bound(choice, session, answer);
    draw_rates(choice, session, answer);
}

}  // namespace isserlis::quantity
