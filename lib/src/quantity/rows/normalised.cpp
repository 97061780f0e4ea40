// SPDX-License-Identifier: MIT
#include "quantity/commands.hpp"

namespace isserlis::quantity {
namespace {

constexpr char const* normalised_net =
    "Gaussian weights, zero biases, one fixed input, RMSNorm or LayerNorm without gain and shift; chains of ReLU "
    "layers: given that none below l is dead, at the output none below the last hidden one; residual networks with "
    "LayerNorm and no projections: x no multiple of (1,..,1)";
constexpr char const* chain_alone = "Gaussian weights, zero biases; a chain of ReLU layers with RMSNorm";
constexpr char const* two_active =
    "Gaussian weights, zero biases; a chain of linear or ReLU layers with RMSNorm, below the last hidden one, given "
    "two or more active units in each hidden ReLU layer but the last, and one or more in that; else sampled";
constexpr char const* this_library = "uniform directions of Gaussian vectors";

}  // namespace

QuantityRows normalised_quantities() {
    QuantityRows out{.command = "normalised"};
    out.quantities = {
        {"squared_norm_mean", "l", "mean squared length of a layer or stream",
         "E q_l; RMSNorm in a chain: n M_1(n)/n; pre-norm: E q_k = E q_(k-1) + n v E|h|^2; post-norm: n", this_library,
         normalised_net},
        {"squared_norm_variance", "l", "variance of that squared length", "E q_l^2 - (E q_l)^2", this_library,
         normalised_net},
        {"relative_variance", "l", "variance over squared mean", "Var q_l / (E q_l)^2", this_library, normalised_net},
        {"squared_norm_skewness", "l", "its skewness", "E (q_l - E q_l)^3 / Var^(3/2)", this_library, normalised_net},
        {"squared_norm_kurtosis", "l", "its kurtosis", "E (q_l - E q_l)^4 / Var^2, 3 for a Gaussian", this_library,
         normalised_net},
        {"squared_norm_moment", "l,p", "moment of any order of that squared length",
         "E q_l^p; RMSNorm, hidden layers of a chain: n^p M_p(n)/(n (n+2) .. (n+2p-2)); pre-norm: E (q + 2 s y.g + "
         "s^2 |g|^2)^p; post-norm: n^p",
         this_library, normalised_net},
        {"dead_below_probability", "l", "probability that a layer below is dead",
         "1 - prod_(k<l) (1 - 2^(-n_k)); at the output that of the last hidden layer", this_library, chain_alone},
        {"gradient_log_ratio", "l", "what a layer makes of a gradient, typically",
         "E log |dy/dh^(l-1)|^2/|dy/dh^l|^2; equal ReLU layers: E psi((K-1)/2) - psi(K/2), K active units, two or more",
         this_library, two_active},
    };
    out.verified = {
        {.asked = "normalised 2,3,1"},
        {.asked = "normalised 3,4,4,1 gradients"},
    };
    return out;
}

}  // namespace isserlis::quantity
