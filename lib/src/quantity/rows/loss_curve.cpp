// SPDX-License-Identifier: MIT
#include "quantity/commands.hpp"

namespace isserlis::quantity {
namespace {

constexpr char const* curve_law =
    "symmetric weights; zero biases but where --bias-variance says otherwise; data fixed; gradients of the loss fixed "
    "or random, as chosen; P and N of a "
    "concatenated ReLU updated separately; with --batch B the step is along the gradient of B samples drawn without "
    "replacement, means over them too; exact where law, activation and depth allow it, else sampled, and each "
    "answer says which; random biases in linear networks, exact by strands; by --input in place of --data one sample, "
    "any "
    "wiring and depth, random biases too, exact by strands (docs/strands.md); "
    "under --scheme ntk gradient and step are those of theta, W = sqrt(v) theta";

}  // namespace

QuantityRows loss_curve_quantities() {
    QuantityRows out{.command = "loss-curve"};
    out.quantities = {
        {"loss", "k", "mean loss, at initialisation or by epoch",
         "E L(0), the mean over samples of the loss at initialisation", "[Hettinger 2019, Def 3.17, 3.18]", curve_law},
        {"slope", "k", "mean slope of the loss along its gradient",
         "E L'(0), L(r) the loss after a step of rate r along minus its gradient; -E|grad L|^2, never positive",
         "[Hettinger 2019, Lemma 4.14, Thm 4.15 corrected]", curve_law},
        {"curvature", "k", "mean curvature of the loss along its gradient",
         "E L''(0) = E g' H g, H the Hessian of L by the weights, g its gradient or that of a batch; where "
         "there are gates, of each network up to its nearest kink, while the mean loss passes some at any rate",
         "[Hettinger 2019, Lemma 4.16, Thm 4.19 corrected]", curve_law},
        {"curvature_chi", "k", "its part with the loss's second derivatives",
         "of E L''(0) the part with the loss's Hessian: mean z'.H z'", "[Hettinger 2019, Def 4.13]", curve_law},
        {"curvature_gamma", "k", "its part with the outputs' second derivatives",
         "of E L''(0) the part with second derivatives of the outputs: mean g.z''",
         "[Hettinger 2019, Def 4.13, Lemma 4.17 corrected]", curve_law},
        {"vertex_rate", "k", "learning rate at the mean parabola's vertex",
         "-E L'/E L'', the lowest point of the expected parabola; neither the mean best rate nor the best rate of the "
         "mean, and gates have kinks that no parabola has",
         "[Hettinger 2019, Def 4.22 corrected]", curve_law},
        {"vertex_rate_printed", "k", "the same as the thesis prints it", "--printed: -E L'/(2 E L''), half of it",
         "[Hettinger 2019, Def 4.22]", "wrong, see docs/errata.md"},
        {"slope_printed", "k", "slope as the thesis prints it",
         "--printed: -(sum_i u_i) (1/s^2) sum_kl x^k.x^l g^k.g^l, for crelu", "[Hettinger 2019, Thm 4.15]",
         "proportional scheme; right for linear networks or one sample, and constant gradients"},
        {"curvature_printed", "k", "curvature as the thesis prints it",
         "--printed: the five-fold sum for crelu, collapsed", "[Hettinger 2019, Thm 4.19]",
         "proportional scheme; right for linear networks or one sample, and constant gradients"},
        {"vertex_times_scaling_factor", "k", "constant where the rule of thumb transfers rates",
         "vertex_rate S_N; constant if rates transfer as 1/S_N", "[Hettinger 2019, Def 4.23]",
         "as scaling_factor and vertex_rate"},
        {"transferred_rate", "k", "rate that the rule of thumb predicts",
         "vertex_rate[1] S_N[1]/S_N[k]: the rate that the rule of thumb predicts", "[Hettinger 2019, Def 4.23]",
         "as scaling_factor and vertex_rate"},
        {"transfer_ratio", "k", "predicted over actual rate",
         "transferred_rate/vertex_rate; 1 where the rule of thumb is right", "[Hettinger 2019, Def 4.23]",
         "as scaling_factor and vertex_rate"},
        {"sampled_minimiser", "k", "rate of the lowest sampled mean loss",
         "the rate at which the sampled mean loss after one whole step is lowest", "[Hettinger 2019, section 4.5]",
         curve_law},
        {"transferred_minimiser", "k", "minimiser that the rule of thumb predicts",
         "sampled_minimiser[1] S_N[1]/S_N[k]: the rate that the rule of thumb predicts", "[Hettinger 2019, Def 4.23]",
         "as scaling_factor and sampled_minimiser"},
        {"minimiser_transfer_ratio", "k", "predicted over actual minimiser",
         "transferred_minimiser/sampled_minimiser; 1 where the rule of thumb is right, which is of minimisers",
         "[Hettinger 2019, Def 4.23]", "as scaling_factor and sampled_minimiser"},
    };
    out.verified = {
        {.asked = "loss-curve 2,3,1 2,4,1 activation=linear data=cos gradient=random printed"},
        {.asked = "loss-curve 2,3,1 activation=linear data=cos gradient=random batch=3"},
        {.asked = "loss-curve 2,3:2,1 network=resnet:1 projections"},
        {.asked = "loss-curve 2,2:2,1 network=resnet:1 projections activation=linear data=cos gradient=random"},
        {.asked = "loss-curve 2,3,1 activation=linear data=cos gradient=random bias_variance=1/3"},
    };
    return out;
}

}  // namespace isserlis::quantity
