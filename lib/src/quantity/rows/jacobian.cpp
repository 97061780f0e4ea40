// SPDX-License-Identifier: MIT
#include "quantity/commands.hpp"

namespace isserlis::quantity {
namespace {

constexpr char const* jacobian_law =
    "independent symmetric weights of any kurtosis or Haar-orthogonal matrices, no pre-activation with an atom at 0 "
    "but "
    "above a dead layer, or ties by a fair coin, zero "
    "biases (random ones by strands, docs/strands.md), one fixed input; under --scheme ntk by theta, W = sqrt(v) "
    "theta: ||J||^2 and squared gradients v times, "
    "bounds of the variance v^2 times what is by W";
constexpr char const* solution_law = "those of the quantity; exact comparison at every value tried";

}  // namespace

QuantityRows jacobian_quantities() {
    QuantityRows out{.command = "jacobian"};
    out.quantities = {
        {"output_mean", "", "mean squared length of the output, any wiring", "E|y^L|^2 by the transfer recursion",
         "[Residual 2019, eq. (62), eq. (77), eq. (121)]", jacobian_law},
        {"output_variance", "", "variance of the output, or of its squared norm", "E|y^L|^4 - (E|y^L|^2)^2",
         "[Residual 2019, eq. (76), eq. (94), eq. (120)]", jacobian_law},
        {"output_relative_variance", "", "variance over squared mean of that length",
         "Var|y^L|^2/(E|y^L|^2)^2; ReLU at one width, every layer: wide 5 L/n, double scaling exp(5 b) - 1",
         "[Residual 2019, eq. (76)]", jacobian_law},
        {"output_second_moment", "", "mean fourth power of that length", "E|y^L|^4 by the transfer recursion",
         "[Residual 2019, eq. (76), eq. (94), eq. (120)]", jacobian_law},
        {"reduced_output_mean", "k", "as output_mean, nothing passing by the matrix",
         "E|y_(k)|^2 = v E||J||^2, nothing passing the matrix by", "[Residual 2019, Thm 1]", jacobian_law},
        {"reduced_output_second_moment", "k", "as output_second_moment, nothing passing by",
         "E|y_(k)|^4 = v^2 (E||J||^4 + 2 E|x|^4 E tr G^2 + (kappa - 3) E sum x_i^4 E sum G_jj^2), G = B B^T",
         "[Residual 2019, Thm 1 corrected]", jacobian_law},
        {"reduced_output_variance", "k", "variance of that squared length", "E|y_(k)|^4 - (E|y_(k)|^2)^2",
         "[Residual 2019, Thm 1 corrected]", jacobian_law},
        {"through_mean", "k", "mean square of the paths through a matrix",
         "of the paths through the matrix in the full network: as reduced_output_mean", "[Residual 2019, Lemma 1]",
         jacobian_law},
        {"through_variance", "k", "variance of that square", "as reduced_output_variance: equal even in law",
         "[Residual 2019, Lemma 1]", jacobian_law},
        {"jacobian_mean", "k", "mean squared norm of dy/dW",
         "E||dy/dW||^2 = E|x|^2 E||B||^2, x the input of W, B = dy/d(pre-activation)", "[Residual 2019, Thm 1]",
         jacobian_law},
        {"jacobian_second_moment", "k", "mean fourth power of the norm of dy/dW", "E||dy/dW||^4 = E|x|^4 E||B||^4",
         "docs/formulas/layer_jacobian.md", jacobian_law},
        {"jacobian_variance", "k", "variance of the squared norm of dy/dW", "E||dy/dW||^4 - (E||dy/dW||^2)^2",
         "docs/formulas/layer_jacobian.md", jacobian_law},
        {"relative_variance", "k", "variance over squared mean",
         "Var||dy/dW||^2 / (E||dy/dW||^2)^2, the spread between networks; fully connected ReLU at one width, "
         "linear head: wide (5(k-1) + L-k)/n, double scaling (exp(5 b) + 2 exp(b (6 t - 1)))/3 - 1 at k = t L",
         "docs/formulas/layer_jacobian.md, docs/formulas/gaussian_jacobian.md", jacobian_law},
        {"spectral_moment", "p", "spectral moments of dy/dx",
         "E tr((J J^T)^p), J = dy/dx, with --wrt input: sums of powers of the squared singular values, p = 1 and 2; "
         "expect 'tr((J J^T)^p)' has the higher ones",
         "docs/formulas/layer_jacobian.md, docs/formulas/gaussian_jacobian.md", jacobian_law},
        {"log_jacobian_mean", "k", "mean logarithm of the squared norm of dy/dW",
         "E log||J||^2 = log|x|^2 + sum of log v of the other layers + sum of E log chi^2_K over the hidden ones, K "
         "active units; one output, Gaussian chains, given J != 0; else sampled with --check",
         "docs/formulas/log_squared_norm.md", jacobian_law},
        {"jacobian_quantile", "share,k", "quantile of the squared norm of dy/dW",
         "||J||^2 that this share of networks does not exceed, with --check", "definition", jacobian_law},
        {"log_gradient_mean", "k", "mean logarithm of the squared norm of d loss/dW",
         "E log|d loss/dW|^2, given that it is not 0; targets of random signs, sampled with --check; for targets 0 E "
         "log||J||^2 + E log z^2 where that is known",
         "docs/formulas/log_squared_norm.md", jacobian_law},
        {"gradient_quantile", "share,k", "quantile of the squared norm of d loss/dW",
         "|d loss/dW|^2 that this share of networks does not exceed, with --check; targets of random signs",
         "definition", jacobian_law},
        {"variance_lower_printed", "k", "lower bound of that variance, as printed",
         "--printed: Var|y_(k)|^2/E w^4, no bound; --bounds growth: (16) with C_1 exp(..) - C_2 of Lemma 2, Theorems "
         "2, 3",
         "[Residual 2019, Thm 1, Lemma 2, Thm 2, Thm 3]", "wrong, see docs/errata.md"},
        {"variance_upper_printed", "k", "upper bound of that variance, as printed",
         "--printed: Var|y_(k)|^2/v^2 >= Var||J||^2; --bounds growth: (16) with C_3 exp(..) - C_4 of Lemma 2, Theorems "
         "2, 3",
         "[Residual 2019, Thm 1, Lemma 2, Thm 2, Thm 3]",
         "of Lemma 2 wrong for kurtoses above 3, of Theorem 3 at k = L, see docs/errata.md"},
        {"variance_lower", "k", "lower bound of that variance, corrected",
         "max(0, E|y_(k)|^4/(v^2 max(kappa, 3)) - (E|y_(k)|^2)^2/v^2) <= Var||J||^2; --bounds growth: growth_lower in "
         "place of the ratio of moments",
         "[Residual 2019, Thm 1 corrected]", jacobian_law},
        {"variance_upper", "k", "upper bound of that variance",
         "Var|y_(k)|^2/v^2 >= Var||J||^2; --bounds growth: growth_upper in place of the ratio of moments",
         "[Residual 2019, Thm 1]", jacobian_law},
        {"gradient_squared_mean", "k", "mean squared norm of d loss/dW",
         "E|d loss/dW|^2, loss = |y - target|^2/2: v E|x|^4 E tr G^2 + E|x|^2 |B r|^2 + E||J||^2 E|target|^2/d_n, r "
         "what passes W by",
         "docs/formulas/layer_jacobian.md", jacobian_law},
        {"gradient_squared_upper", "k", "its bound by the Jacobian", "E |y - target|^2 ||J||^2 >= E|d loss/dW|^2",
         "[Residual 2019, eq. (2)]", jacobian_law},
        {"growth_lower_printed", "k", "lower bound of growth by widths alone, as printed",
         "--bounds growth --printed: growth_lower by (1 + (5 - |Delta|)/n_L) exp sum (5 - |Delta|)/(2 n_l); C_1 "
         "rho_-^m exp(L rho_-^m/2)/mu^2; L^(alpha-1) C_1 exp(-2 |Delta| L/n)/(E|y_(k)|^2)^2",
         "[Residual 2019, Lemma 2, Thm 2, Thm 3]", "wrong, see docs/errata.md"},
        {"growth_upper_printed", "k", "upper bound of growth by widths alone, as printed",
         "--bounds growth --printed: growth_upper by (1 + (5 + |Delta|)/n_L) exp sum (5 + |Delta|)/n_l; rho_+^m exp(2 "
         "L rho_+^(m/2))/mu^2; L^(2 alpha-2) C_3 exp(2 |Delta| L/n)/(E|y_(k)|^2)^2",
         "[Residual 2019, Lemma 2, Thm 2, Thm 3]",
         "of Lemma 2 wrong for kurtoses above 3, of Theorem 3 at k = L, see docs/errata.md"},
        {"growth_lower", "k", "lower bound of growth by widths alone, corrected",
         "--bounds growth: <= E|y_(k)|^4/(E|y_(k)|^2)^2, by 1 + (c + Delta)/n for each layer where that is below 1 + "
         "c/n",
         "[Residual 2019, eq. (74) corrected]", jacobian_law},
        {"growth_upper", "k", "upper bound of growth by widths alone, corrected",
         "--bounds growth: >= E|y_(k)|^4/(E|y_(k)|^2)^2, by 1 + (c + Delta)/n for each layer where that is above 1 + "
         "c/n",
         "[Residual 2019, eq. (74) corrected]", jacobian_law},
        {"solved_alpha", "", "scale of the variances that meets a target",
         "--solve alpha: what multiplies every variance so that a quantity meets its target",
         "docs/formulas/layer_jacobian.md", jacobian_law},
        {"solved_weight_scale", "", "its root, the scale of the weights",
         "--solve alpha: sqrt(alpha), what multiplies every weight", "docs/formulas/layer_jacobian.md", jacobian_law},
        {"fixup_weight_scale", "", "scale of weights by the Fixup rule",
         "--solve alpha: L^(-1/(2m-2)), of all matrices of a branch but the last", "[Zhang 2019, section 3]",
         "a rule for residual branches whose last matrix starts at 0"},
        {"solved_width", "", "least width that meets a target",
         "--solve: the least width at which the quantity --of is at most its --target", "docs/solve.md", solution_law},
        {"value_at_width", "", "the quantity at that width", "--solve: the quantity there", "docs/solve.md",
         solution_law},
        {"value_below_width", "", "the quantity at the width before", "--solve: the quantity at the width before",
         "docs/solve.md", solution_law},
        {"solved_depth", "", "greatest depth up to which a target is met",
         "--solve: the greatest depth up to which the quantity --of is at most its --target", "docs/solve.md",
         solution_law},
        {"value_at_depth", "", "the quantity at that depth", "--solve: the quantity there", "docs/solve.md",
         solution_law},
        {"value_above_depth", "", "the quantity at the depth after", "--solve: the quantity at the depth after",
         "docs/solve.md", solution_law},
        {"solved_parameter", "", "value of a symbol that meets a target",
         "--solve: the number that a symbol stands for where the quantity --of is its --target", "docs/solve.md",
         solution_law},
        {"budget_width", "k", "width of another network with no more weights",
         "--budget: the greatest hidden width with at most the parameters of the ReLU network WIDTHS",
         "[Residual 2019, section 5]", "as many weight matrices; k names the architecture"},
        {"budget_parameters", "k", "its number of weights", "--budget: weights in all", "definition", "no biases"},
        {"budget_growth_rate", "k", "its growth of fourth powers by layer",
         "--budget: c/width; a vanilla layer multiplies E|y|^4 by 1 + that; c = 5 ReLU, 2 crelu",
         "[Residual 2019, section 5]", jacobian_law},
        {"budget_output_mean", "k", "its mean squared length of the output", "--budget: E|y^L|^2",
         "[Residual 2019, eq. (62), eq. (77), eq. (121)]", jacobian_law},
        {"budget_output_relative_variance", "k", "its relative variance of the output",
         "--budget: Var|y^L|^2/(E|y^L|^2)^2", "[Residual 2019, eq. (76), eq. (94), eq. (120)]", jacobian_law},
        {"budget_jacobian_relative_variance", "k,l", "its relative variance of Jacobians",
         "--budget: Var||J||^2/(E||J||^2)^2 of the first and last W", "docs/formulas/layer_jacobian.md", jacobian_law},
    };
    out.verified = {
        {.asked = "jacobian 2,3,1",
         .twins = {{"output_mean", {}, "z[i]^2 2,3,1"},
                   {"output_second_moment", {}, "'(z[i]^2)^2' 2,3,1"},
                   {"output_variance", {}, "'Var[z[i]^2]' 2,3,1"},
                   {"output_relative_variance", {}, "'Var[z[i]^2]/E[z[i]^2]^2' 2,3,1"},
                   {"jacobian_mean", {"2"}, "'z[i;m]^2 where m in 2' 2,3,1"},
                   {"jacobian_second_moment", {"2"}, "'(z[i;m]^2)^2 where m in 2' 2,3,1"},
                   {"jacobian_variance", {"2"}, "'Var[z[i;m]^2] where m in 2' 2,3,1"},
                   {"relative_variance", {"2"}, "'Var[z[i;m]^2]/E[z[i;m]^2]^2 where m in 2' 2,3,1"},
                   {"gradient_squared_mean", {"2"}, "'(D[m] loss)^2 where m in 2' 2,3,1"}}},
        {.asked = "jacobian 2,3,1 wrt=input",
         .twins = {{"jacobian_mean", {}, "'tr(J J^T)' 2,3,1"},
                   {"jacobian_second_moment", {}, "'tr(J J^T)^2' 2,3,1"},
                   {"spectral_moment", {"2"}, "'tr((J J^T)^2)' 2,3,1"}}},
        {.asked = "jacobian 4:3 head=activation bounds=growth printed"},
        {.asked = "jacobian 2,n,1 solve=width of=output_relative_variance target=4"},
        {.asked = "jacobian 4,10:L,1 solve=depth of=output_relative_variance target=4"},
        {.asked = "jacobian 2,3,1 variance=v solve=v of=output_mean target=2"},
        {.asked = "jacobian 2:3 network=resnet:2 solve=alpha of=output_mean target=2"},
        {.asked = "jacobian 4:4 budget"},
    };
    return out;
}

}  // namespace isserlis::quantity
