// SPDX-License-Identifier: MIT
#include "quantity/figures/residual_figures.hpp"

#include <cmath>

#include "quantity/figures/figure.hpp"

namespace isserlis::quantity {
namespace {

constexpr int width = 40;

/// Figure 2: the variance of |dy/dW|^2 by the first matrix, against the depth.
void draw_variances(FigureChoice const& choice, Session const& session, Answer& answer, bool dense) {
    std::uint64_t const samples = session.samples.value_or(200);
    Figure figure(
        choice, session, answer,
        {.title = std::string("Variance of the squared norm of the first Jacobian, ") + (dense ? "dense" : "residual") +
                  ", width 40 [Residual 2019, Figure 2" + (dense ? "b]" : "a]"),
         .x_label = dense ? "depth (layers)" : "depth (blocks of two matrices)",
         .y_label = "Var |J|^2",
         .series = {},
         .log_y = true});
    answer.assume(std::string("J = dy/dW, W the first matrix of the first ") +
                  (dense ? "layer; dense network, ReLU at the output too, variance 2 alpha/fan_in, where fan_in counts "
                           "all neurons below"
                         : "block; residual network, blocks of two matrices of variances 2 alpha/40 and alpha/40") +
                  "; |x|^2 = 1; sample variances of " + std::to_string(samples) + " networks, seed " +
                  std::to_string(session.seed) + ", with errors by the delta method");
    answer.assume(
        "few networks seldom see the far tail of a product of many layers: where it matters, sampled variances and "
        "their errors are mostly too small");
    std::vector<FigurePart> parts;
    for (char const* alpha : dense ? std::vector{"1/2", "1", "3/2"} : std::vector{"1/10", "1/5", "1/2"})
        for (int depth = 5; depth <= (choice.quick ? 20 : 60); depth += 5)
            parts.push_back(
                {[&, dense, alpha, depth] {
                     std::string const a = "(" + std::string(alpha) + ")/" + std::to_string(width);
                     std::string const network =
                         dense ? "'Var[h[i;m]^2] where m in 1' 40,40:" + std::to_string(depth) +
                                     " network=densenet head=activation variance=2*(" + alpha + ")/fan_in"
                               : "'Var[z[i;m]^2] where m in 1.1' 40,40:" + std::to_string(depth) +
                                     " network=resnet:2 variance=2*" + a + "," + a;
                     auto const value =
                         figure.asked("expect " + network + " check=" + std::to_string(samples), session.seed)
                             .at("value");
                     return std::vector{number_of(value), value.check.value().mean, value.check.value().std_error};
                 },
                 [&, alpha, depth](std::vector<double> const& found) {
                     std::string const curve = "alpha=" + std::string(alpha);
                     figure.add_exact(curve, depth, found[0], "exact variance of |J|^2");
                     figure.add(curve, {.x = static_cast<double>(depth), .y = found[1], .error = found[2]},
                                "sampled variance of |J|^2");
                 }});
    figure.run(parts);
    figure.draw();
}

/// Figure 3: mean and standard deviation of |y^l|^2 by layer.
void draw_norms(FigureChoice const& choice, Session const& session, Answer& answer, bool deviation) {
    std::uint64_t const samples = session.samples.value_or(choice.quick ? 500 : 5000);
    int const depth = choice.quick ? 10 : 20;
    std::string const what = deviation ? "standard deviation" : "mean";
    Figure figure(choice, session, answer,
                  {.title = (deviation ? "Standard deviation" : "Mean") +
                            std::string(" of the squared norm of a layer, width 40 [Residual 2019, Figure 3") +
                            (deviation ? "b]" : "a]"),
                   .x_label = "depth (layer)",
                   .y_label = what + " of |y|^2",
                   .series = {}});
    answer.assume("layers of width 40, |x|^2 = 1; ReLU with variance 2/40, concatenated ReLU with 1/40; " +
                  std::to_string(samples) + " networks of each, seed " + std::to_string(session.seed));
    std::vector<FigurePart> parts;
    for (bool const concatenated : {false, true})
        parts.push_back({[&, concatenated] {
                             auto const norms =
                                 figure.asked("norm 40,40:" + std::to_string(depth) +
                                                  (concatenated ? " activation=crelu" : " head=activation") +
                                                  " check=" + std::to_string(samples),
                                              session.seed);
                             std::vector<double> out;
                             for (int l = 1; l <= depth; ++l) {
                                 auto const& r = norms.at(deviation ? "squared_norm_variance" : "squared_norm_mean",
                                                          {std::to_string(l)});
                                 out.insert(out.end(), {number_of(r), r.check.value().mean, r.check.value().std_error});
                             }
                             return out;
                         },
                         [&, concatenated](std::vector<double> const& found) {
                             std::string const curve = concatenated ? "concatenated ReLU" : "ReLU";
                             for (std::size_t k = 0; k < found.size(); k += 3) {
                                 double const l = static_cast<double>(k / 3 + 1);
                                 double exact = found[k];
                                 PlotPoint point{.x = l, .y = found[k + 1], .error = found[k + 2]};
                                 if (deviation) {  // the root of a variance, and the root's error to first order
                                     exact = std::sqrt(exact);
                                     point.y = std::sqrt(point.y);
                                     point.error /= 2 * exact;
                                 }
                                 figure.add_exact(curve, l, exact, "exact " + what + " of |y|^2");
                                 figure.add(curve, point, "sampled " + what + " of |y|^2");
                             }
                         }});
    figure.run(parts);
    figure.draw();
}

}  // namespace

void draw_residual_figure(FigureChoice const& choice, Session const& session, Answer& answer) {
    bool const second_part = choice.id.ends_with("b");
    if (choice.id.starts_with("residual-figure-2")) return draw_variances(choice, session, answer, second_part);
    draw_norms(choice, session, answer, second_part);
}

}  // namespace isserlis::quantity
