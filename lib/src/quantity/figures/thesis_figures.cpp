// SPDX-License-Identifier: MIT
#include "quantity/figures/thesis_figures.hpp"

#include <array>
#include <cmath>
#include <cstdlib>
#include <isserlis/data/built_in.hpp>
#include <isserlis/error.hpp>
#include <isserlis/formula/scaling_factor.hpp>
#include <isserlis/mlp/loss_derivatives.hpp>
#include <isserlis/train/rate_sweep.hpp>

#include "quantity/figures/figure.hpp"

namespace isserlis::quantity {
namespace {

/// A network of [Hettinger 2019, Table 4.1].
struct TableNetwork {
    char const* name;
    std::size_t hidden;  ///< hidden layers, as its widths are printed
    std::size_t width;
};
constexpr std::array table_networks{TableNetwork{"3x10", 3, 10}, TableNetwork{"3x20", 3, 20},
                                    TableNetwork{"5x10", 4, 10}, TableNetwork{"5x20", 4, 20}};

std::vector<std::size_t> table_widths(TableNetwork const& network, std::size_t inputs) {
    std::vector<std::size_t> out(network.hidden + 2, network.width);
    out.front() = inputs;
    out.back() = 1;
    return out;
}

/// Concatenated ReLU with N = P at the start, where every matrix has two sides.
mlp::Architecture symmetric_crelu(std::vector<std::size_t> const& widths) {
    Graph<double, std::uint64_t> graph;
    graph.input_width = static_cast<double>(widths.front());
    graph.sides = WeightSides::tied;
    auto& stage = graph.stages.emplace_back();
    stage.numbered = false;
    for (std::size_t q = 1; q < widths.size(); ++q) {
        std::string const layer = std::to_string(q);
        stage.nodes.push_back({.name = layer, .width = static_cast<double>(widths[q])});
        stage.edges.push_back({.name = layer, .from = q - 1, .to = q});
    }
    return mlp::Architecture(mlp::GraphLayout(graph));
}

/// 1/sqrt(fan_in fan_out) [Hettinger 2019, Def 4.8].
std::vector<double> proportional_variances(std::vector<std::size_t> const& widths) {
    std::vector<double> out;
    for (std::size_t q = 1; q < widths.size(); ++q)
        out.push_back(1 / std::sqrt(static_cast<double>(widths[q - 1]) * static_cast<double>(widths[q])));
    return out;
}

double factor_of(std::vector<std::size_t> const& widths) {
    std::vector<LayerRun<double, std::uint64_t>> layers;
    for (std::size_t q = 1; q < widths.size(); ++q)
        layers.push_back(
            {.fan_in = static_cast<double>(widths[q - 1]), .fan_out = static_cast<double>(widths[q]), .count = 1});
    return scaling_factor(layers).value();
}

struct LossByRate {
    bool checkerboard = false;
    std::uint64_t steps = 1;
    bool scaled = false;  ///< rates are multiplied by S_N
    std::string figure;   ///< its number in the thesis
};

/// The mean loss after some steps of descent, of the four networks over a range of rates.
class LossByRateFigure {
public:
    LossByRateFigure(LossByRate what, FigureChoice choice, Session const& session, Answer& answer)
        : what_(std::move(what)), choice_(std::move(choice)), session_(session), answer_(answer) {}

    void draw() {
        auto const set = what_.checkerboard ? checkerboard_data() : cosine_data();
        mlp::Examples<double> const examples{mlp::columns(input_doubles(set)), mlp::columns(target_doubles(set))};
        std::uint64_t const networks = session_.samples.value_or(choice_.quick ? 20 : what_.steps == 1 ? 20'000 : 1000);
        state(networks);
        Figure figure(choice_, session_, answer_,
                      {.title = "Mean loss after " + steps_text() + " of descent on the " +
                                (what_.checkerboard ? "checkerboard" : "cosine") + " [Hettinger 2019, Figure " +
                                what_.figure + "]",
                       .x_label = what_.scaled ? "learning rate x S_N" : "learning rate",
                       .y_label = "mean loss",
                       .series = {},
                       .log_x = true,
                       .log_y = true});
        figure.join();
        std::vector<FigurePart> parts;
        for (auto const& network : table_networks)
            for (double const x : axis())
                parts.push_back(
                    {[&, x] { return cell(network, x, examples, networks); },
                     [&, x](std::vector<double> const& found) { show(figure, network, x, networks, found); }});
        figure.run(parts);
        figure.draw();
    }

private:
    [[nodiscard]] std::string steps_text() const {
        return what_.steps == 1 ? "one step" : std::to_string(what_.steps) + " steps";
    }

    void state(std::uint64_t networks) {
        answer_.assume(
            "the widths of Table 4.1 as printed (H20), concatenated ReLU, weights of variance 1/sqrt(fan_in fan_out) "
            "with N = P at the start; " +
            std::string(what_.checkerboard ? "64 samples of the checkerboard, binary cross-entropy"
                                           : "16 samples of the cosine, squared error") +
            "; descent on all samples at once, one rate; means over " + std::to_string(networks) +
            " networks but those that diverged, the same at every rate, seed " + std::to_string(session_.seed));
    }

    /// Rates of a geometric row, or those times S_N.
    [[nodiscard]] std::vector<double> axis() const {
        double const least = (what_.checkerboard ? 1e-2 : 1e-3) * (what_.scaled ? 50 : 1);
        int const points = choice_.quick ? 7 : 25;
        double const span = what_.steps == 1 && !what_.scaled ? 1e3 : 1e2;
        std::vector<double> out;
        for (int i = 0; i < points; ++i) out.push_back(least * std::pow(span, i / (points - 1.0)));
        return out;
    }

    /// Mean loss if there is one, its error, and the shares, of networks that diverged and of those that rose.
    [[nodiscard]] std::vector<double> cell(TableNetwork const& network, double x, mlp::Examples<double> const& examples,
                                           std::uint64_t networks) const {
        auto const widths = table_widths(network, what_.checkerboard ? 3 : 2);
        train::RateSweep sweep{.rates = {what_.scaled ? x / factor_of(widths) : x},
                               .networks = networks,
                               .variances = proportional_variances(widths),
                               .seed = session_.seed,
                               .training = {.epochs = what_.steps},
                               .threads = session_.threads};
        auto const objective = what_.checkerboard ? mlp::Objective::binary_cross_entropy : mlp::Objective::squared;
        auto const out = train::rate_sweep(symmetric_crelu(widths), objective, examples, sweep).front();
        if (!out.mean_loss) return {};
        return {*out.mean_loss, out.standard_error, out.share_diverged, out.share_risen};
    }

    void show(Figure& figure, TableNetwork const& network, double x, std::uint64_t networks,
              std::vector<double> const& found) {
        std::string const rest = " of " + std::to_string(networks) + " networks";
        if (found.empty()) {
            answer_.warn(std::string(network.name) + " has no point at " + std::to_string(x) + ": all" + rest +
                         " diverged");
            return;
        }
        figure.add(network.name, {.x = x, .y = found[0], .error = found[1]}, "mean loss after " + steps_text());
        figure.add_beside("share_diverged", found[2], rest.substr(1));
        figure.add_beside("share_risen", found[3], "diverged or above the loss at the start, " + rest.substr(1));
    }

    LossByRate what_;
    FigureChoice choice_;
    Session const& session_;
    Answer& answer_;
};

/// The loss by epoch at momenta of Figure 2.13's update.
void draw_momentum(FigureChoice const& choice, Session const& session, Answer& answer) {
    if (session.samples) throw ParseError("`check`: the figure is of one network; leave it out", "check");
    answer.assume(
        "v = m v + g, p -= r v [Hettinger 2019, Figure 2.13], of one network 2,20,20,1 on the cosine: 16 "
        "samples, squared error, all samples a step, rate 1/200; m = 0 is plain descent");
    Figure figure(choice, session, answer,
                  {.title = "Descent with momentum [Hettinger 2019, Figure 2.13]",
                   .x_label = "step",
                   .y_label = "loss",
                   .series = {},
                   .log_y = true});
    figure.join();
    std::vector<FigurePart> parts;
    for (char const* momentum : {"0", "1/2", "9/10", "99/100"})
        parts.push_back({[&, momentum] {
                             std::string const steps = choice.quick ? "30" : "300";
                             auto const run = figure.asked(
                                 "train 2,20,20,1 data=cos optimiser=momentum rate=1/200 momentum=" +
                                     std::string(momentum) + " epochs=" + steps + (choice.quick ? " every=5" : ""),
                                 session.seed);
                             std::vector<double> out;
                             for (auto const& r : run.results()) {
                                 if (r.name != "loss" || !r.decimal) continue;
                                 out.push_back(std::strtod(r.index.front().c_str(), nullptr));
                                 out.push_back(std::strtod(r.decimal->c_str(), nullptr));
                             }
                             return out;
                         },
                         [&, momentum](std::vector<double> const& found) {
                             figure.add_pairs(std::string("m=") + momentum, found, "loss of one network");
                         }});
    figure.run(parts);
    figure.draw();
}

}  // namespace

void draw_thesis_figure(FigureChoice const& choice, Session const& session, Answer& answer) {
    std::string const& id = choice.id;
    if (id == "thesis-figure-2.13") return draw_momentum(choice, session, answer);
    std::string const number = id.substr(std::string("thesis-figure-").size(), 3);
    bool const fifty = number == "4.3" || number == "4.5";
    LossByRateFigure({.checkerboard = id.ends_with("checkerboard"),
                      .steps = fifty ? 50U : 1U,
                      .scaled = number == "4.4" || number == "4.5",
                      .figure = number},
                     choice, session, answer)
        .draw();
}

}  // namespace isserlis::quantity
