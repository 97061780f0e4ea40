// SPDX-License-Identifier: MIT
#include "quantity/commands.hpp"

namespace isserlis::quantity {
namespace {

constexpr char const* hessian_law =
    "loss 1/2 |z - y|^2; Gaussian weights, zero biases, one fixed input, linear head; y independent of the weights; by "
    "strands (docs/strands.md) with weights of any symmetric law, orthogonal matrices, random biases, and on other "
    "wirings than vanilla";
constexpr char const* part_law =
    "loss 1/2 |z - y|^2; Gaussian weights, zero biases, one fixed input, linear head; y independent of the weights; by "
    "strands (docs/strands.md) with weights of any symmetric law, orthogonal matrices, random biases, and on other "
    "wirings than vanilla; with --data or --with of the mean loss over samples, whose targets are fixed "
    "(docs/formulas/mean_loss_hessian.md)";
constexpr char const* mean_loss_law =
    "mean of 1/2 |z - y|^2 over fixed inputs; Gaussian weights, zero biases, linear head; y independent of the "
    "weights, uncorrelated between inputs: E y_k.y_l = 0 but with --target-mean; with --data or --with y fixed, "
    "Gaussian biases through one hidden layer with gates, and of linear networks by strands (docs/strands.md) other "
    "laws, biases and wirings";
constexpr char const* functional_law =
    "ReLU, Gaussian weights, hidden variances 2/fan_in, zero biases, one fixed input";

}  // namespace

QuantityRows hessian_quantities() {
    QuantityRows out{.command = "hessian"};
    out.quantities = {
        {"hessian_frobenius_squared", "", "mean squared Frobenius norm of the loss's Hessian",
         "E|H|_F^2 = gauss_newton + functional + cross + target", "[Iyer 2023, Thm 1 corrected]", hessian_law},
        {"hessian_leading_term", "", "its leading term in width and depth",
         "its leading term as the width, and then the depth, go to infinity", "[Iyer 2023, Thm 1 corrected]",
         hessian_law},
        {"hessian_wide_limit", "", "its limit in the width",
         "its limit as the width goes to infinity at fixed symbolic depth", "[Iyer 2023, Thm 1 corrected]",
         hessian_law},
        {"hessian_wide_leading", "", "how it goes there, where 0 or infinite",
         "its leading order there, where the limit is 0 or infinite", "[Iyer 2023, Thm 1 corrected]", hessian_law},
        {"hessian_double_limit", "", "its limit, depth over width fixed",
         "its limit as width n and depth L go to infinity with L = b n", "[Iyer 2023, section 5 corrected]",
         hessian_law},
        {"hessian_double_leading", "", "how it goes there, where 0 or infinite",
         "its leading order there, where the limit is 0 or infinite; effective, |x|^2 = n: L^2 (exp(5b) (4 + 2I)/3 + "
         "E|y|^2/2), I = 2/c - 2(1 - exp(-c))/c^2, c = 6b",
         "[Iyer 2023, section 5 corrected]", hessian_law},
        {"gauss_newton", "", "its part of first derivatives",
         "E sum (d_m z . d_n z)^2 = g^2 R_L sum_(k,m) tau_k tau_m (1 + 2 P_km)/3 F_N(P_(max,L+1))",
         "[Iyer 2023, appendix H corrected]", part_law},
        {"functional", "", "its part of second derivatives", "E sum (z . d_m d_n z)^2: the same sum over k != m",
         "[Iyer 2023, appendix H corrected]", part_law},
        {"cross", "", "its mixed part",
         "2 E sum (z . d_m d_n z)(d_m z . d_n z) = 2 g^2 R_L sum_(k!=m) tau_k tau_m (1 - P_km)/3 F_N(P_(max,L+1))",
         "[Iyer 2023, appendix H corrected]", part_law},
        {"target", "", "its part with the target", "E sum (y . d_m d_n z)^2 = E|y|^2 g sum_(k!=m) tau_k tau_m",
         "[Iyer 2023, appendix H corrected]", part_law},
        {"hessian_mean_loss", "", "squared Hessian norm of the mean loss over inputs",
         "with several inputs: E|H|_F^2, H the Hessian of the mean loss; one hidden layer of relu or leaky units, or "
         "linear",
         "docs/formulas/mean_loss_hessian.md", mean_loss_law},
        {"hessian_mean_loss_upper", "", "bound for the mean loss over several inputs",
         "with several inputs: the mean over inputs of E|H_i|_F^2 >= E|H|_F^2, H the Hessian of the mean loss",
         "[Iyer 2023, section 5]", part_law},
        {"top_eigenvalue_upper", "", "upper bound of the mean largest eigenvalue", "sqrt(E|H|_F^2) >= E|lambda_1|",
         "[Iyer 2023, Corollary 2 corrected]", part_law},
        {"reciprocal_sharpness_lower", "", "lower bound of the mean of 2/sharpness",
         "2/sqrt(E|H|_F^2) <= E 2/|lambda_1|, which is infinite where the network can be dead",
         "[Iyer 2023, Corollary 2 corrected]", part_law},
        {"dead_probability", "", "probability that a network is 0 around its input",
         "1 - prod_l (1 - 2^(-n_l)) over the hidden layers of ReLU units", "docs/formulas/hessian_norm.md",
         "independent Gaussian weights, zero biases, one fixed input"},
        {"block", "l,k", "mean squared norm of one block of the Hessian",
         "E|H_lk|_F^2 of the block of layers l and k; all blocks add up to the total", "docs/formulas/hessian_norm.md",
         part_law},
        {"u", "l", "functional of first derivatives", "with --functionals: Y[(dz)^2], d = d_m, e = d_n",
         "[Iyer 2023, appendix H corrected]", functional_law},
        {"v", "l", "functional of second derivatives", "with --functionals: Y[(dez)^2], d = d_m, e = d_n",
         "[Iyer 2023, appendix H corrected]", functional_law},
        {"y0", "l", "functional of z and a first derivative, squares",
         "with --functionals: Y[(dz)^2, z^2], d = d_m, e = d_n", "[Iyer 2023, appendix H corrected]", functional_law},
        {"y1", "l", "functional of z and a first derivative, pairs",
         "with --functionals: Y[z dz, z dz], d = d_m, e = d_n", "[Iyer 2023, appendix H corrected]", functional_law},
        {"ystar", "l", "functional of z and a first derivative, starred",
         "with --functionals: Y[(z dz)^2], d = d_m, e = d_n", "[Iyer 2023, appendix H corrected]", functional_law},
        {"p0", "l", "functional of two first derivatives, squares",
         "with --functionals: Y[(dz)^2, (ez)^2], d = d_m, e = d_n", "[Iyer 2023, appendix H corrected]",
         functional_law},
        {"p1", "l", "functional of two first derivatives, pairs",
         "with --functionals: Y[dz ez, dz ez], d = d_m, e = d_n", "[Iyer 2023, appendix H corrected]", functional_law},
        {"pstar", "l", "functional of two first derivatives, starred",
         "with --functionals: Y[(dz ez)^2], d = d_m, e = d_n", "[Iyer 2023, appendix H corrected]", functional_law},
        {"q0", "l", "functional of z and a second derivative, squares",
         "with --functionals: Y[(dez)^2, z^2], d = d_m, e = d_n", "[Iyer 2023, appendix H corrected]", functional_law},
        {"q1", "l", "functional of z and a second derivative, pairs",
         "with --functionals: Y[z dez, z dez], d = d_m, e = d_n", "[Iyer 2023, appendix H corrected]", functional_law},
        {"qstar", "l", "functional of z and a second derivative, starred",
         "with --functionals: Y[(z dez)^2], d = d_m, e = d_n", "[Iyer 2023, appendix H corrected]", functional_law},
        {"r0", "l", "functional of second with first derivatives",
         "with --functionals: Y[dez dz, z ez], d = d_m, e = d_n", "[Iyer 2023, appendix H corrected]", functional_law},
        {"r2", "l", "functional of first with second derivatives",
         "with --functionals: Y[z dez, dz ez], d = d_m, e = d_n", "[Iyer 2023, appendix H corrected]", functional_law},
        {"rstar", "l", "functional of all four, starred", "with --functionals: Y[z dez dz ez], d = d_m, e = d_n",
         "[Iyer 2023, appendix H corrected]", functional_law},
    };
    out.verified = {
        {.asked = "hessian 2,3,1",
         .twins = {{"hessian_frobenius_squared", {}, "'(D[m,n] loss)^2' 2,3,1"},
                   {"gauss_newton", {}, "'z[;m]^2 z[;n]^2' 2,3,1"},
                   {"functional", {}, "'z^2 z[;m,n]^2' 2,3,1"},
                   {"cross", {}, "'2*z z[;m,n] z[;m] z[;n]' 2,3,1"},
                   {"target", {}, "'z[;m,n]^2' 2,3,1"},
                   {"block", {"2", "2"}, "'(D[m,n] loss)^2 where m in 2, n in 2' 2,3,1"}}},
        {.asked = "hessian 2,3,2,1 functionals layer=2",
         .twins = {{"u", {"2"}, "'z{2}[1;m]^2' 2,3,2,1"},
                   {"v", {"2"}, "'z{2}[1;m,n]^2' 2,3,2,1"},
                   {"y0", {"2"}, "'z{2}[i;m]^2 z{2}[j]^2/4' 2,3,2,1"},
                   {"y1", {"2"}, "'z{2}[i] z{2}[i;m] z{2}[j] z{2}[j;m]/4' 2,3,2,1"},
                   {"ystar", {"2"}, "'z{2}[1]^2 z{2}[1;m]^2' 2,3,2,1"},
                   {"p0", {"2"}, "'z{2}[i;m]^2 z{2}[j;n]^2/4' 2,3,2,1"},
                   {"p1", {"2"}, "'z{2}[i;m] z{2}[i;n] z{2}[j;m] z{2}[j;n]/4' 2,3,2,1"},
                   {"pstar", {"2"}, "'z{2}[1;m]^2 z{2}[1;n]^2' 2,3,2,1"},
                   {"q0", {"2"}, "'z{2}[i;m,n]^2 z{2}[j]^2/4' 2,3,2,1"},
                   {"q1", {"2"}, "'z{2}[i] z{2}[i;m,n] z{2}[j] z{2}[j;m,n]/4' 2,3,2,1"},
                   {"qstar", {"2"}, "'z{2}[1]^2 z{2}[1;m,n]^2' 2,3,2,1"},
                   {"r0", {"2"}, "'z{2}[i;m,n] z{2}[i;m] z{2}[j] z{2}[j;n]/4' 2,3,2,1"},
                   {"r2", {"2"}, "'z{2}[i] z{2}[i;m,n] z{2}[j;m] z{2}[j;n]/4' 2,3,2,1"},
                   {"rstar", {"2"}, "'z{2}[1] z{2}[1;m,n] z{2}[1;m] z{2}[1;n]' 2,3,2,1"}}},
        {.asked = "hessian n,n:L,1"},
        {.asked = "hessian n,n:L,1 effective input_squared_norm=n"},
        {.asked = "hessian 2,n,1"},
    };
    constexpr char const* in_a_file =
        "its inputs are in a file; hessian with `input` and `check` sets it beside sampled networks";
    out.unverified = {{"hessian_mean_loss", in_a_file}, {"hessian_mean_loss_upper", in_a_file}};
    return out;
}

}  // namespace isserlis::quantity
