// SPDX-License-Identifier: MIT
#include "quantity/commands.hpp"

namespace isserlis::quantity {
namespace {

constexpr char const* at_one_input =
    "symmetric weights without ties, zero biases or independent symmetric ones, one fixed input; norms also need "
    "independent layers; by --data or --with q_l is the mean over the samples, of which linear units have variances";
constexpr char const* at_one_sample =
    "symmetric weights without ties, zero biases or independent symmetric ones, each sample by itself, any gates";
constexpr char const* gaussian_net =
    "Gaussian or Haar-orthogonal weights, zero biases (or Gaussian ones beside Gaussian weights), one fixed input";

}  // namespace

QuantityRows norm_quantities() {
    QuantityRows out{.command = "norm"};
    out.quantities = {
        {"squared_norm_mean", "l", "mean squared length of a layer's output",
         "E q_l, q_l = |h^l|^2 (|z^l|^2 with --pre, and at a linear head)", "[Residual 2019, eq. (62)]", at_one_input},
        {"squared_norm_variance", "l", "variance of that squared length", "E q_l^2 - (E q_l)^2",
         "[Residual 2019, eq. (76), section 4]", at_one_input},
        {"squared_norm_skewness", "l", "its skewness", "E (q_l - E q_l)^3 / Var^(3/2)", "[Zavatone-Veth 2021]",
         gaussian_net},
        {"squared_norm_kurtosis", "l", "its kurtosis", "E (q_l - E q_l)^4 / Var^2, 3 for a Gaussian",
         "[Zavatone-Veth 2021]", gaussian_net},
        {"log_squared_norm_mean", "l", "mean logarithm of that squared length",
         "E log q_l; linear or ReLU: log |x|^2 + sum_l (log 2 v_l + E psi(K_l/2)), K_l active units; Haar-orthogonal: "
         "log(m_l/2) - psi(m_l/2) more, m_l the larger width",
         "definition, by the law of the number of active units",
         "Gaussian or Haar-orthogonal weights, zero biases, one fixed input; given that no ReLU layer on the way is "
         "dead"},
        {"squared_norm_moment", "l,p", "moment of any order of that squared length",
         "E q_l^p; Gaussian weights, zero biases: |x|^(2p) prod_l v_l^p M_p(n_l), M_2 = n(n+2) linear, n(n+5)/4 ReLU",
         "[Residual 2019, eq. (76)], [Zavatone-Veth 2021]",
         "Gaussian or Haar-orthogonal weights for p > 2, any kurtosis for p <= 2; one fixed input"},
        {"sample_squared_norm_mean", "k,l", "mean squared length at one sample", "E q_l(x_k), by --data or --with",
         "docs/formulas/squared_norm.md", at_one_sample},
        {"sample_squared_norm_variance", "k,l", "variance of it", "E q_l(x_k)^2 - (E q_l(x_k))^2",
         "docs/formulas/squared_norm.md", at_one_sample},
        {"relative_variance", "l", "variance over squared mean", "Var q_l / (E q_l)^2, the spread between networks",
         "[Residual 2019, eq. (76)]", at_one_input},
    };
    out.verified = {
        {.asked = "norm 2,4,1",
         .twins = {{"squared_norm_mean", {"2"}, "z[i]^2 2,4,1"},
                   {"squared_norm_variance", {"2"}, "'Var[z[i]^2]' 2,4,1"},
                   {"squared_norm_moment", {"2", "2"}, "'(z[i]^2)^2' 2,4,1"},
                   {"relative_variance", {"2"}, "'Var[z[i]^2]/E[z[i]^2]^2' 2,4,1"}}},
        {.asked = "norm 2,3,2 activation=linear data=cos size=2"},
    };
    return out;
}

}  // namespace isserlis::quantity
