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
constexpr char const* hessian_law =
    "loss 1/2 |z - y|^2; Gaussian weights, zero biases, one fixed input, linear head; y independent of the weights";
constexpr char const* jacobian_law =
    "independent symmetric weights of any kurtosis, no pre-activation with an atom at 0 or ties by a fair coin, zero "
    "biases, one fixed input";
constexpr char const* functional_law =
    "ReLU, Gaussian weights, hidden variances 2/fan_in, zero biases, one fixed input";
constexpr char const* ntk_law = "Gaussian weights, zero biases, one fixed input, linear head; label factors as given";
constexpr char const* mup_law =
    "ReLU, Gaussian weights of variance 2/fan_in, 1/n_L^2 at the output, zero biases, one fixed input; first order in "
    "the step; y independent of the weights";
constexpr char const* coordinate_law = "those of mup; of the outputs, targets of mean 0 and equal second moments";
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
    {"output_variance", "", "init",
     "E (1/s) sum_k (x_(n,j)^k)^2 = c^2 (d_0/d_n) prod v_l d_l g2; in jacobian, E|y^L|^4 - (E|y^L|^2)^2",
     "[Hettinger 2019, Cor 4.7, Lemma 4.11 corrected]",
     "symmetric weights, data standardised to mean square c^2 per feature; Gaussian only given the layer below; in "
     "jacobian, as output_mean"},
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
    {"relative_variance", "l", "norm",
     "Var q / (E q)^2, the spread between networks, of q = q_l; in jacobian, of ||J||^2", "[Residual 2019, eq. (76)]",
     one_input},
    {"value", "", "expect", "E of the observable, over the weights and targets", "docs/strands.md", strand_law},
    {"leading_term", "", "expect", "the leading term as the width, and then the depth, go to infinity",
     "docs/strands.md", strand_law},
    {"series_coefficient", "k", "expect", "the coefficient of (1/n)^k, every other symbol fixed", "docs/strands.md",
     strand_law},
    {"limit", "", "expect", "leading orders as n, L -> infinity with L/n = b", "docs/strands.md", strand_law},
    {"output_mean", "", "jacobian", "E|y^L|^2 by the transfer recursion",
     "[Residual 2019, eq. (62), eq. (77), eq. (120)]", jacobian_law},
    {"output_second_moment", "", "jacobian", "E|y^L|^4 by the transfer recursion",
     "[Residual 2019, eq. (76), eq. (94), eq. (121)]", jacobian_law},
    {"reduced_output_mean", "k", "jacobian", "E|y_(k)|^2 = v E||J||^2, nothing passing the matrix by",
     "[Residual 2019, Thm 1]", jacobian_law},
    {"reduced_output_second_moment", "k", "jacobian",
     "E|y_(k)|^4 = v^2 (E||J||^4 + 2 E|x|^4 E tr G^2 + (kappa - 3) E sum x_i^4 E sum G_jj^2), G = B B^T",
     "[Residual 2019, Thm 1 corrected]", jacobian_law},
    {"reduced_output_variance", "k", "jacobian", "E|y_(k)|^4 - (E|y_(k)|^2)^2", "[Residual 2019, Thm 1 corrected]",
     jacobian_law},
    {"through_mean", "k", "jacobian", "of the paths through the matrix in the full network: as reduced_output_mean",
     "[Residual 2019, Lemma 1]", jacobian_law},
    {"through_variance", "k", "jacobian", "as reduced_output_variance: equal even in law", "[Residual 2019, Lemma 1]",
     jacobian_law},
    {"jacobian_mean", "k", "jacobian", "E||dy/dW||^2 = E|x|^2 E||B||^2, x the input of W, B = dy/d(pre-activation)",
     "[Residual 2019, Thm 1]", jacobian_law},
    {"jacobian_second_moment", "k", "jacobian", "E||dy/dW||^4 = E|x|^4 E||B||^4", "docs/formulas/layer_jacobian.md",
     jacobian_law},
    {"jacobian_variance", "k", "jacobian", "E||dy/dW||^4 - (E||dy/dW||^2)^2", "docs/formulas/layer_jacobian.md",
     jacobian_law},
    {"variance_lower_printed", "k", "jacobian", "Var|y_(k)|^2/E w^4, as printed: no bound", "[Residual 2019, Thm 1]",
     "wrong, see docs/errata.md"},
    {"variance_upper_printed", "k", "jacobian", "Var|y_(k)|^2/v^2 >= Var||J||^2", "[Residual 2019, Thm 1]",
     jacobian_law},
    {"variance_lower", "k", "jacobian",
     "E|y_(k)|^4/(v^2 max(kappa, 3)) - (E|y_(k)|^2/v)^2 <= Var||J||^2, perhaps below 0",
     "[Residual 2019, Thm 1 corrected]", jacobian_law},
    {"variance_upper", "k", "jacobian", "Var|y_(k)|^2/v^2 >= Var||J||^2", "[Residual 2019, Thm 1]", jacobian_law},
    {"gradient_squared_mean", "k", "jacobian",
     "E|d loss/dW|^2, loss = |y - target|^2/2: v E|x|^4 E tr G^2 + E|x|^2 |B r|^2 + E||J||^2 E|target|^2/d_n, r what "
     "passes W by",
     "docs/formulas/layer_jacobian.md", jacobian_law},
    {"hessian_frobenius_squared", "", "hessian", "E|H|_F^2 = gauss_newton + functional + cross + target",
     "[Iyer 2023, Thm 1 corrected]", hessian_law},
    {"hessian_leading_term", "", "hessian", "its leading term as the width, and then the depth, go to infinity",
     "[Iyer 2023, Thm 1 corrected]", hessian_law},
    {"gauss_newton", "", "hessian",
     "E sum (d_m z . d_n z)^2 = g^2 R_L sum_(k,m) tau_k tau_m (1 + 2 P_km)/3 F_N(P_(max,L+1))",
     "[Iyer 2023, appendix H corrected]", hessian_law},
    {"functional", "", "hessian", "E sum (z . d_m d_n z)^2: the same sum over k != m",
     "[Iyer 2023, appendix H corrected]", hessian_law},
    {"cross", "", "hessian",
     "2 E sum (z . d_m d_n z)(d_m z . d_n z) = 2 g^2 R_L sum_(k!=m) tau_k tau_m (1 - P_km)/3 F_N(P_(max,L+1))",
     "[Iyer 2023, appendix H corrected]", hessian_law},
    {"target", "", "hessian", "E sum (y . d_m d_n z)^2 = E|y|^2 g sum_(k!=m) tau_k tau_m",
     "[Iyer 2023, appendix H corrected]", hessian_law},
    {"hessian_mean_loss_upper", "", "hessian",
     "with several inputs: the mean over inputs of E|H_i|_F^2 >= E|H|_F^2, H the Hessian of the mean loss",
     "[Iyer 2023, section 5]", hessian_law},
    {"top_eigenvalue_upper", "", "hessian", "sqrt(E|H|_F^2) >= E|lambda_1|", "[Iyer 2023, section 5]", hessian_law},
    {"reciprocal_sharpness_lower", "", "hessian",
     "2/sqrt(E|H|_F^2) <= E 2/|lambda_1|, which is infinite where the network can be dead", "[Iyer 2023, section 5]",
     hessian_law},
    {"dead_probability", "", "hessian", "1 - prod_l (1 - 2^(-n_l)) over the hidden layers of ReLU units",
     "docs/formulas/hessian_norm.md", "symmetric weights without ties, zero biases, one fixed input"},
    {"block", "l,k", "hessian", "E|H_lk|_F^2 of the block of layers l and k; all blocks add up to the total",
     "docs/formulas/hessian_norm.md", hessian_law},
    {"u", "l", "hessian", "with --functionals: Y[(dz)^2], d = d_m, e = d_n", "[Iyer 2023, appendix H corrected]",
     functional_law},
    {"v", "l", "hessian", "with --functionals: Y[(dez)^2], d = d_m, e = d_n", "[Iyer 2023, appendix H corrected]",
     functional_law},
    {"y0", "l", "hessian", "with --functionals: Y[(dz)^2, z^2], d = d_m, e = d_n", "[Iyer 2023, appendix H corrected]",
     functional_law},
    {"y1", "l", "hessian", "with --functionals: Y[z dz, z dz], d = d_m, e = d_n", "[Iyer 2023, appendix H corrected]",
     functional_law},
    {"ystar", "l", "hessian", "with --functionals: Y[(z dz)^2], d = d_m, e = d_n", "[Iyer 2023, appendix H corrected]",
     functional_law},
    {"p0", "l", "hessian", "with --functionals: Y[(dz)^2, (ez)^2], d = d_m, e = d_n",
     "[Iyer 2023, appendix H corrected]", functional_law},
    {"p1", "l", "hessian", "with --functionals: Y[dz ez, dz ez], d = d_m, e = d_n", "[Iyer 2023, appendix H corrected]",
     functional_law},
    {"pstar", "l", "hessian", "with --functionals: Y[(dz ez)^2], d = d_m, e = d_n", "[Iyer 2023, appendix H corrected]",
     functional_law},
    {"q0", "l", "hessian", "with --functionals: Y[(dez)^2, z^2], d = d_m, e = d_n", "[Iyer 2023, appendix H corrected]",
     functional_law},
    {"q1", "l", "hessian", "with --functionals: Y[z dez, z dez], d = d_m, e = d_n", "[Iyer 2023, appendix H corrected]",
     functional_law},
    {"qstar", "l", "hessian", "with --functionals: Y[(z dez)^2], d = d_m, e = d_n", "[Iyer 2023, appendix H corrected]",
     functional_law},
    {"r0", "l", "hessian", "with --functionals: Y[dez dz, z ez], d = d_m, e = d_n", "[Iyer 2023, appendix H corrected]",
     functional_law},
    {"r2", "l", "hessian", "with --functionals: Y[z dez, dz ez], d = d_m, e = d_n", "[Iyer 2023, appendix H corrected]",
     functional_law},
    {"rstar", "l", "hessian", "with --functionals: Y[z dez dz ez], d = d_m, e = d_n",
     "[Iyer 2023, appendix H corrected]", functional_law},
    {"ntk_mean", "", "ntk", "E K_oo = g sum_k tau_k (+ sum_l b_l E|dz/dz^l|^2 with bias labels)",
     "docs/formulas/ntk_moments.md", ntk_law},
    {"ntk_second_moment", "", "ntk", "E K_oo^2 = g^2 R_L sum_(k,m) tau_k tau_m (1 + 2 P_km)/3 for weight labels",
     "docs/formulas/ntk_moments.md", ntk_law},
    {"ntk_variance", "", "ntk", "E K_oo^2 - (E K_oo)^2", "docs/formulas/ntk_moments.md", ntk_law},
    {"ntk_trace_mean", "", "ntk", "E tr K = N E K_oo", "docs/formulas/ntk_moments.md", ntk_law},
    {"ntk_trace_second_moment", "", "ntk", "E (tr K)^2", "docs/formulas/ntk_moments.md", ntk_law},
    {"ntk_squared_trace_mean", "", "ntk", "E tr K^2, the Gauss-Newton part of the Hessian",
     "docs/formulas/ntk_moments.md", ntk_law},
    {"mup_change_squared", "l", "mup", "E (Delta z_i^l)^2 = A + B", "[Jelassi 2023, section 2 corrected]", mup_law},
    {"mup_a", "l", "mup", "the part of the squared output in E (Delta z_i^l)^2", "[Jelassi 2023, eq. (2.1) corrected]",
     mup_law},
    {"mup_b", "l", "mup", "the part of E|y|^2 in E (Delta z_i^l)^2", "[Jelassi 2023, eq. (2.14) corrected]", mup_law},
    {"mup_b_tilde", "l", "mup", "Y[(dz)^2, (ez)^2]/n_L", "[Jelassi 2023, eq. (2.20) corrected]", mup_law},
    {"mup_c", "l", "mup", "Y[(dz)^2, z^2]/n_L", "[Jelassi 2023, eq. (2.21) corrected]", mup_law},
    {"mup_c_tilde", "l", "mup", "Y[z dz, z dz]/n_L", "[Jelassi 2023, eq. (2.25) corrected]", mup_law},
    {"preactivation_fourth_mean", "l", "mup", "E (z_i^l)^4 = 12 X^2 R_(l-1)", "[Jelassi 2023, Prop 2.4]", mup_law},
    {"mup_learning_rate", "", "mup",
     "eta* = (E (Delta z_i^L)^2)^(-1/2): the factor of all rates at which the last hidden layer changes by 1",
     "[Jelassi 2023, section 1 corrected]", mup_law},
    {"preactivation_mean", "l,width", "coord-check", "E z_i^l = 0", "docs/formulas/coordinate_moments.md",
     coordinate_law},
    {"preactivation_std", "l,width", "coord-check",
     "sqrt(E (z_i^l)^2) = sqrt(2 |x|^2/n_0), of outputs |x|/sqrt(n_0 n_L)", "docs/formulas/coordinate_moments.md",
     coordinate_law},
    {"change_mean", "l,width", "coord-check",
     "E Delta z_i^l, of the hidden layers by odd moments of lengths; outputs 0", "docs/formulas/coordinate_moments.md",
     coordinate_law},
    {"change_std", "l,width", "coord-check", "sqrt(E (Delta z_i^l)^2 - (E Delta z_i^l)^2)",
     "docs/formulas/coordinate_moments.md", coordinate_law},
    {"change_rms", "l,width", "coord-check", "sqrt(E (Delta z_i^l)^2)", "docs/formulas/coordinate_moments.md",
     coordinate_law},
    {"change_covariance", "l,width", "coord-check", "E z_i^l Delta z_i^l", "docs/formulas/coordinate_moments.md",
     coordinate_law},
    {"updated_mean", "l,width", "coord-check", "E (z_i^l + Delta z_i^l) = E Delta z_i^l",
     "docs/formulas/coordinate_moments.md", coordinate_law},
    {"updated_std", "l,width", "coord-check", "sqrt(E (z_i^l + Delta z_i^l)^2 - (E Delta z_i^l)^2)",
     "docs/formulas/coordinate_moments.md", coordinate_law},
    {"updated_rms", "l,width", "coord-check", "sqrt(E (z_i^l + Delta z_i^l)^2)", "docs/formulas/coordinate_moments.md",
     coordinate_law},
};

}  // namespace

std::span<Quantity const> quantities() { return table; }

Quantity const* find_quantity(std::string_view name) {
    auto const at = std::find_if(std::begin(table), std::end(table), [&](Quantity const& q) { return q.name == name; });
    return at == std::end(table) ? nullptr : at;
}

}  // namespace isserlis
