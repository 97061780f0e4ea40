// SPDX-License-Identifier: MIT
#include "quantity/figures/book_figures.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <isserlis/error.hpp>
#include <isserlis/mlp/objective.hpp>
#include <isserlis/train/train.hpp>

#include "quantity/figures/figure.hpp"

namespace isserlis::quantity {
namespace {

using Numbers = std::vector<double>;
using Row = mlp::Matrix<double>;

constexpr int digits_of_double = 6;
constexpr char const* in_double_precision = "computed in double precision; nothing is sampled";

void add(Answer& answer, char const* quantity, std::string const& index, double value, std::string const& form) {
    answer.add(quantity, {index}, Value::approximate(value, digits_of_double, form), {}, in_double_precision);
}

void count(Answer& answer, char const* quantity, std::string const& index, std::size_t number) {
    answer.add(quantity, {index}, RationalFunction(Integer(number)), {}, in_double_precision);
}

/// Flights of the space shuttle before the Challenger: temperature in Fahrenheit, and whether an O-ring was in distress.
constexpr std::array temperatures{66, 70, 69, 68, 67, 72, 73, 70, 57, 63, 70, 78,
                                  67, 53, 67, 75, 70, 81, 76, 79, 75, 76, 58};
constexpr std::array distress{0, 1, 0, 0, 0, 0, 0, 0, 1, 1, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 1};
static_assert(temperatures.size() == distress.size());

/// A sigmoid unit trained on them: log odds = bias + weight temperature.
struct TrainedUnit {
    double bias = 0;
    double weight = 0;
    double loss = 0;  ///< mean binary cross-entropy
};

TrainedUnit trained_unit() {
    constexpr double middle = 70;
    constexpr double scale = 7;  // inputs near mean 0 and deviation 1
    auto const flights = static_cast<Eigen::Index>(temperatures.size());
    mlp::Examples<double> examples{Row(1, flights), Row(1, flights)};
    for (Eigen::Index k = 0; k < flights; ++k) {
        examples.inputs(0, k) = (temperatures[static_cast<std::size_t>(k)] - middle) / scale;
        examples.targets(0, k) = distress[static_cast<std::size_t>(k)];
    }
    auto const unit = mlp::perceptron({1, 1}, {});
    train::TrainingOptions options;
    options.rate = 4;
    options.epochs = 2000;  // the loss is the same in double precision from 500 on
    auto const trained =
        train::train<double>(unit, mlp::Objective::binary_cross_entropy, examples, unit.neutral_parameters(), options);
    double const weight = trained.parameters[0] / scale;
    return {.bias = trained.parameters[1] - middle * weight, .weight = weight, .loss = trained.history.back().loss};
}

void draw_flights(FigureChoice const& choice, Session const& session, Answer& answer) {
    Figure figure(choice, session, answer,
                  {.title = "O-ring distress of 23 flights, and a sigmoid unit trained on them [Dalal 1989]",
                   .x_label = "temperature (degrees Fahrenheit)",
                   .y_label = "distress (1) or not (0), and its probability",
                   .series = {}});
    auto const unit = trained_unit();
    double const flights = static_cast<double>(temperatures.size());
    answer.assume(
        "one sigmoid unit with a bias, which is logistic regression, binary cross-entropy; 2000 steps of descent on "
        "all " +
        std::to_string(temperatures.size()) + " flights at rate 4 for (temperature - 70)/7, from 0");
    add(answer, "trained_bias", "unit", unit.bias, "log odds at temperature 0");
    add(answer, "trained_weight", "unit", unit.weight, "log odds for each degree");
    add(answer, "deviance", "unit", 2 * flights * unit.loss, "twice the sum of the losses");
    constexpr int coldest = 30;  // 31 degrees were forecast for the Challenger
    constexpr int warmest = 82;
    for (int t = coldest; t <= warmest; t += choice.quick ? 2 : 1)
        figure.add_line("probability of the unit", t, 1 / (1 + std::exp(-unit.bias - unit.weight * t)),
                        "probability of distress");
    for (std::size_t k = 0; k < temperatures.size(); ++k)
        figure.add("flights", {.x = static_cast<double>(temperatures[k]), .y = static_cast<double>(distress[k])},
                   "as recorded");
    figure.draw();
}

/// (5.11)
double target(double x) { return std::cos(2 * std::cos(x * x) + (x - 1) * (x - 1) / 4) + x / 2 + 1; }

/// The network of Figure 5.2 through points equally far apart on [0, 4]: a ReLU unit for each interval, its weight the
/// change of slope there.
struct Interpolation {
    mlp::Architecture network;
    Numbers parameters;
};

Interpolation interpolation(std::size_t points, double end) {
    std::size_t const units = points - 1;
    double const width = end / static_cast<double>(units);
    auto const at = [&](std::size_t i) { return width * static_cast<double>(i); };
    auto const slope = [&](std::size_t i) { return (target(at(i + 1)) - target(at(i))) / width; };
    auto net = mlp::perceptron({1, units, 1}, {.kind = mlp::UnitKind::relu, .slope = {}});
    Numbers out = net.neutral_parameters();
    std::size_t const hidden = net.range(1, mlp::ParameterKind::bias)->first;
    for (std::size_t i = 0; i < units; ++i) {
        out[i] = 1;
        out[units + i] = slope(i) - (i == 0 ? 0 : slope(i - 1));
        out[hidden + i] = -at(i);
    }
    out[net.range(2, mlp::ParameterKind::bias)->first] = target(0);
    return {.network = std::move(net), .parameters = std::move(out)};
}

void draw_interpolation(FigureChoice const& choice, Session const& session, Answer& answer) {
    constexpr double end = 4;
    Figure figure(choice, session, answer,
                  {.title = "A ReLU network through points of a function [Liquet 2024, Figure 5.2]",
                   .x_label = "x",
                   .y_label = "f(x)",
                   .series = {}});
    answer.assume(
        "f by (5.11), points equally far apart on [0, 4]; one hidden ReLU layer with the weights of section 5.2");
    auto const row_of = [&](int intervals) {
        Row x(1, intervals + 1);
        for (Eigen::Index k = 0; k < x.cols(); ++k) x(0, k) = end * static_cast<double>(k) / intervals;
        return x;
    };
    Row const fine = row_of(4000);
    Row const shown = row_of(9 * 29);  // all corners of both networks
    for (Eigen::Index k = 0; k < shown.cols(); ++k)
        figure.add_line("f", shown(0, k), target(shown(0, k)), "f by (5.11)");
    for (std::size_t const points : {10U, 30U}) {
        std::string const name = std::to_string(points) + " points";
        auto const made = interpolation(points, end);
        auto const outputs = [&](Row const& x) { return network_outputs<double>(made.network, made.parameters, x); };
        auto const drawn = outputs(shown);
        for (Eigen::Index k = 0; k < shown.cols(); ++k)
            figure.add_line(name, shown(0, k), drawn(0, k), "output of the network");
        auto const all = outputs(fine);
        double off = 0;
        for (Eigen::Index k = 0; k < fine.cols(); ++k) off = std::max(off, std::abs(all(0, k) - target(fine(0, k))));
        count(answer, "parameters", name, made.network.parameters());
        add(answer, "largest_error", name, off, "the most that the network is off f, at 4001 places");
    }
    figure.draw();
}

/// (5.13) with four softplus units, lambda -> 0: its output for these inputs.
double gate(double lambda, double x, double y) {
    auto const net = mlp::perceptron({2, 4, 1}, {.kind = mlp::UnitKind::softplus, .slope = {}}, {}, /*bias=*/false);
    double const mu = 1 / (lambda * lambda);  // 1/(4 lambda^2 sigma''(0)), where sigma''(0) = 1/4
    Numbers const weights{lambda, lambda, -lambda, -lambda, lambda, -lambda, -lambda, lambda, mu, mu, -mu, -mu};
    return network_outputs<double>(net, weights, Row{{x}, {y}})(0, 0);
}

void draw_gate(FigureChoice const& choice, Session const& session, Answer& answer) {
    constexpr double x = 1.5;
    constexpr double y = -0.5;
    Figure figure(choice, session, answer,
                  {.title = "Error of the multiplication gate of four softplus units [Liquet 2024, (5.12)]",
                   .x_label = "lambda",
                   .y_label = "relative error, its size",
                   .series = {},
                   .log_x = true,
                   .log_y = true});
    answer.assume("four softplus units by (5.13) at x = (3/2, -1/2), in double precision; the error is negative");
    answer.explain(
        "as printed below (5.15) the error is of order lambda, a slope of 1; odd terms cancel, and the slope is 2 "
        "(B2): it is "
        "-lambda^2 |x|^2/12 and higher orders");
    std::vector<double> lambdas;
    for (double lambda = 1; lambda > 0.01; lambda /= 2) lambdas.push_back(lambda);
    if (choice.quick) lambdas.erase(lambdas.begin());
    for (double const lambda : lambdas)
        figure.add_line("lambda^2 |x|^2/12", lambda, lambda * lambda * (x * x + y * y) / 12, "leading order");
    for (double const lambda : lambdas)
        figure.add("gate", {.x = lambda, .y = std::abs(gate(lambda, x, y) / (x * y) - 1)}, "of the network's output");
    figure.fit("gate");
    figure.draw();
}

/// Weights and biases of the networks that the chapter counts.
void count_parameters(Session const& session, Answer& answer) {
    if (session.chart_file) throw ParseError("`plot`: a table is not drawn; leave it out", "plot");
    answer.assume("fully connected, a bias for each unit");
    std::vector<std::size_t> figure_five(11, 80);  // p = 1000, nine hidden layers, one output
    figure_five.front() = 1000;
    figure_five.back() = 1;
    std::vector<std::pair<std::string, std::vector<std::size_t>>> const networks = {
        {"(5.5)", {4, 5, 1}},
        {"(5.6)", {4, 4, 3, 5, 1}},
        {"interactions", {1000, 80, 1}},
        {"Figure 5.5", std::move(figure_five)}};
    for (auto const& [name, widths] : networks) {
        auto const net = mlp::perceptron(widths, {});
        std::size_t const biases = net.parameters() - mlp::perceptron(widths, {}, {}, /*bias=*/false).parameters();
        count(answer, "parameters", name, net.parameters());
        count(answer, "weights", name, net.parameters() - biases);
    }
}

}  // namespace

void draw_book_figure(FigureChoice const& choice, Session const& session, Answer& answer) {
    if (session.samples) throw ParseError("`check`: nothing is sampled here; leave it out", "check");
    if (choice.id.ends_with("parameters")) return count_parameters(session, answer);
    if (choice.id.ends_with("o-ring")) return draw_flights(choice, session, answer);
    if (choice.id.ends_with("5.2")) return draw_interpolation(choice, session, answer);
    draw_gate(choice, session, answer);
}

}  // namespace isserlis::quantity
