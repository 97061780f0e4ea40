// SPDX-License-Identifier: MIT
#include <algorithm>
#include <isserlis/report/quantities.hpp>
#include <iterator>

namespace isserlis {
namespace {

constexpr char const* iid = "entries of each matrix i.i.d., mean 0, variance 1, fourth moment as given";
constexpr char const* gaussian_stretch = "Gaussian weights; widths d_c .. d_(d-1)";
constexpr char const* one_input =
    "symmetric weights without ties, zero biases, one fixed input; norms also need independent layers";
constexpr char const* strand_law =
    "independent symmetric weights, no pre-activation with an atom at 0, one input where a gate is on the way; targets "
    "independent of the weights, mean 0, equal in each output";
constexpr char const* gaussian_net = "Gaussian weights, zero biases, one fixed input";

constexpr Quantity table[] = {
    // NOLINT(modernize-avoid-c-arrays): its length is that of the list
    {"second_moment", "q", "moments", "E b_ij^2 = prod m, b the entries of A_q .. A_1, m its inner widths",
     "[Hettinger 2019, Lemma A.6]", iid},
    {"rho", "q", "moments", "E b_ij^4; Gaussian: 3 prod m(m+2)", "[Hettinger 2019, Lemma A.6, A.8]", iid},
    {"gamma", "q", "moments", "E b_ij^2 b_kj^2, same column; Gaussian: prod m(m+2)", "[Hettinger 2019, Lemma A.6, A.8]",
     iid},
    {"nu", "q", "moments", "E b_ij^2 b_il^2, same row; Gaussian: prod m(m+2)", "[Hettinger 2019, Lemma A.6, A.8]", iid},
    {"tau", "q", "moments", "E b_ij^2 b_kl^2; Gaussian: (prod m(m+2) + 2 prod m(m-1))/3",
     "[Hettinger 2019, Lemma A.6, A.8]", iid},
    {"eta", "q", "moments", "E b_ij b_il b_kj b_kl; Gaussian: (prod m(m+2) - prod m(m-1))/3",
     "[Hettinger 2019, Lemma A.6, A.8]", iid},
    {"phi", "c,d", "products", "(2 prod (1 + 2/d_q) + prod (1 - 1/d_q))/3, c <= q < d", "[Hettinger 2019, Def 4.18]",
     gaussian_stretch},
    {"psi", "c,d", "products", "(prod (1 + 2/d_q) - prod (1 - 1/d_q))/3, c <= q < d", "[Hettinger 2019, Def 4.18]",
     gaussian_stretch},
    {"weight_variance", "l", "init", "the scheme's rule, or --variance", "isserlis list --explain",
     "none: a definition"},
    {"update_ratio", "l", "init", "(E|dP_l|^2/E|P_l|^2) / (E|dP_1|^2/E|P_1|^2) = v_1^2 d_1 d_0/(v_l^2 d_l d_(l-1))",
     "[Hettinger 2019, Thm 4.6]",
     "constant loss gradients; deep linear network, or crelu with one sample and |dP|^2 + |dN|^2; crelu with more "
     "samples for l >= 2 only; gated: one sample"},
    {"chi_mean", "l", "init", "sqrt(2) Gamma((d_l+1)/2)/Gamma(d_l/2), the mean length of d_l standard normals",
     "[Hettinger 2019, remark after Def 4.8]", "none: a property of the chi distribution"},
    {"output_variance", "", "init", "E (1/s) sum_k (x_(n,j)^k)^2 = c^2 (d_0/d_n) prod v_l d_l g2",
     "[Hettinger 2019, Cor 4.7, Lemma 4.11 corrected]",
     "symmetric weights, data standardised to mean square c^2 per feature; Gaussian only given the layer below"},
    {"output_variance_printed", "", "init", "c^2/sqrt(d_0 d_n), as printed: too small by d_0",
     "[Hettinger 2019, Lemma 4.11]", "proportional scheme; wrong, see docs/errata.md"},
    {"scaling_factor", "k", "scaling-factor", "S_N = sum_i sqrt(d_(i-1) d_i) prod_(0<j<n) (1 + 2/d_j)",
     "[Hettinger 2019, Def 4.23]",
     "a rule of thumb: deep linear network, proportional scheme, constant gradients; equal d_0, d_n and data"},
    {"width_sum", "k", "scaling-factor", "sum_i sqrt(d_(i-1) d_i)", "[Hettinger 2019, Def 4.23]", "as scaling_factor"},
    {"depth_product", "k", "scaling-factor", "prod_(0<j<n) (1 + 2/d_j)", "[Hettinger 2019, Def 4.23]",
     "as scaling_factor"},
    {"relative_rate", "k", "scaling-factor", "S_1/S_k: the learning rate of network k for a rate of 1 in network 1",
     "[Hettinger 2019, Def 4.23]", "as scaling_factor"},
    {"squared_norm_mean", "l", "norm", "E q_l, q_l = |h^l|^2 (|z^l|^2 with --pre, and at a linear head)",
     "[Residual 2019, eq. (62)]", one_input},
    {"squared_norm_variance", "l", "norm", "E q_l^2 - (E q_l)^2", "[Residual 2019, eq. (76), section 4]", one_input},
    {"squared_norm_skewness", "l", "norm", "E (q_l - E q_l)^3 / Var^(3/2)", "[Zavatone-Veth 2021]", gaussian_net},
    {"squared_norm_kurtosis", "l", "norm", "E (q_l - E q_l)^4 / Var^2, 3 for a Gaussian", "[Zavatone-Veth 2021]",
     gaussian_net},
    {"log_squared_norm_mean", "l", "norm", "E log q_l = log |x|^2 + sum_l (log 2 v_l + E psi(K_l/2)), K_l active units",
     "definition, by the law of the number of active units",
     "Gaussian weights, one fixed input; given that no ReLU layer on the way is dead"},
    {"squared_norm_moment", "l,p", "norm",
     "E q_l^p = |x|^(2p) prod_l v_l^p M_p(n_l); M_2 = n(n+2) linear, n(n+5)/4 ReLU",
     "[Residual 2019, eq. (76)], [Zavatone-Veth 2021]",
     "Gaussian weights for p > 2, any kurtosis for p <= 2; one fixed input"},
    {"parameters", "", "report", "sum_l d_(l-1) d_l, twice that for concatenated ReLU", "definition", "no biases"},
    {"minimal_width_lower", "", "report", "d_0 + 1 <= least hidden width of universal ReLU networks",
     "[Hanin 2017, Thm 1]", "ReLU with biases, any depth; continuous functions on a cube"},
    {"minimal_width_upper", "", "report", "least hidden width of universal ReLU networks <= d_0 + d_n",
     "[Hanin 2017, Thm 1]", "ReLU with biases, any depth; continuous functions on a cube"},
    {"relative_variance", "l", "norm", "Var q_l / (E q_l)^2, the spread between networks", "[Residual 2019, eq. (76)]",
     one_input},
    {"value", "", "expect", "E of the observable, over the weights and targets", "docs/strands.md", strand_law},
    {"leading_term", "", "expect", "the leading term as the width, and then the depth, go to infinity",
     "docs/strands.md", strand_law},
    {"series_coefficient", "k", "expect", "the coefficient of (1/n)^k, every other symbol fixed", "docs/strands.md",
     strand_law},
    {"limit", "", "expect", "leading orders as n, L -> infinity with L/n = b", "docs/strands.md", strand_law},
};

}  // namespace

std::span<Quantity const> quantities() { return table; }

Quantity const* find_quantity(std::string_view name) {
    auto const at = std::find_if(std::begin(table), std::end(table), [&](Quantity const& q) { return q.name == name; });
    return at == std::end(table) ? nullptr : at;
}

}  // namespace isserlis
