// SPDX-License-Identifier: MIT
// [Residual 2019] to the residual network, as printed. The numbering is that of docs/errata.md.
#include "errata/sources.hpp"

namespace isserlis::errata {
namespace {

/// n_L (n_L + 5 + delta)/n_(L-1)^2 at equal widths n: the factor of E|y|^4 in (72) and (74), and C_1.
Formula last_factor(Formula const& n, Formula const& delta) { return (n + 5 + delta) / n; }

/// 2(c_4 - 3 c_2^2)/n for signs of variance 2/n.
Formula printed_delta_of_signs(Formula const& n) {
    Formula const c2 = 2 / n;
    Formula const c4 = c2 * c2;
    return 2 * (c4 - 3 * c2 * c2) / n;
}

/// sum 1/(n l) over first .. last
Formula harmonic(int n, int first, int last) {
    Formula out = 0;
    for (int l = first; l <= last; ++l) out = out + fraction(1, n * l);
    return out;
}

/// m = 11 and rho = alpha^2 (1 + 5/3) = 374/375.
constexpr char const* one_block = "jacobian 3:2 network=resnet:11 alpha='sqrt(187/500)' layer=1,1";

std::vector<Item> theorem_one() {
    return {
        {.ids = "R1",
         .statement = "Theorem 1, lower bound",
         .verdict = "wrong",
         .printed = "Var||J||^2 >= Var||y_(k)||^2/c_4",
         .correct = "no bound of this form",
         .cases = {{.asked = "jacobian 2,2,2 variance=1/3 head=activation input=1,0 layer=1",
                    .row = {"jacobian_variance", {"1"}},
                    .claim = Claim::at_least,
                    .printed = of_rows([](Rows const& here) {
                        Formula const v = fraction(1, 3);
                        return here("reduced_output_variance", {"1"}) / (3 * v * v);
                    })}}},
        {.ids = "R2",
         .statement = "Equations (54) to (57)",
         .verdict = "wrong",
         .printed = "at great width Var||J||^2 is about Var||y_(k)||^2/c_2^2",
         .correct = "so is the fourth moment; of the variances 5(k-1) + (L-k+1) stands against 5 L",
         .cases = {{.asked = "jacobian 10000:11 head=activation layer=1",
                    .row = {"jacobian_variance", {"1"}},
                    .claim = Claim::about,
                    .printed = of_rows([](Rows const& here) {
                        Formula const c2 = fraction(2, 10'000);
                        return here("reduced_output_variance", {"1"}) / (c2 * c2);
                    })}}},
        {.ids = "R3",
         .statement = "Equation (50)",
         .verdict = "wrong",
         .printed = "E||J||^4 >= E||y_(k)||^4/c_4",
         .correct = "with max(c_4, 3 c_2^2) for c_4; signs have c_4 = c_2^2",
         .cases = {{.asked = "jacobian 4:5 head=activation law=rademacher input=1,0,0,0 layer=1",
                    .row = {"jacobian_second_moment", {"1"}},
                    .claim = Claim::at_least,
                    .printed = of_rows([](Rows const& here) {
                        Formula const c2 = fraction(2, 4);
                        return here("reduced_output_second_moment", {"1"}) / (c2 * c2);
                    })}}},
    };
}

std::vector<Item> lemma_two() {
    return {
        {.ids = "R4",
         .statement = "Section 3, Delta",
         .verdict = "misprint",
         .printed = "Delta = 2(c_4 - 3 c_2^2)/n_(l-1); E||y^L||^4 >= n_L (n_L + 5 - |Delta|)/n_(L-1)^2 by (74)",
         .correct = "Delta = n_(l-1)^2 (c_4 - 3 c_2^2)/2 = 2(kappa - 3)",
         .cases = {{.asked = "norm 4,4 head=activation law=rademacher input=1,0,0,0",
                    .row = {"squared_norm_moment", {"1", "2"}},
                    .claim = Claim::at_least,
                    .printed = computed(last_factor(4, printed_delta_of_signs(4)))}}},
        {.ids = "R5",
         .statement = "Equation (72)",
         .verdict = "wrong",
         .printed = "E||y^L||^4 >= n_L (n_L + 5 + Delta)/n_(L-1)^2 E||y^(L-1)||^4",
         .correct = "with n_L + 5 + min(Delta, 0); Laplace weights have Delta = 6",
         .cases = {{.asked = "norm 4,4 head=activation law=laplace input=1/2,1/2,1/2,1/2",
                    .row = {"squared_norm_moment", {"1", "2"}},
                    .claim = Claim::at_least,
                    .printed = computed(last_factor(4, 2 * (6 - 3)))}}},
        {.ids = "R6",
         .statement = "Before equation (75)",
         .verdict = "wrong",
         .printed = "e^(x/2) <= 1 + x for -1 <= x <= 1",
         .correct = "for 0 <= x <= 2.51 only; here 1 + x at x = -1/2",
         .cases = {{.claim = Claim::at_least,
                    .printed = computed(exponential(1, fraction(-1, 4))),
                    .correct = computed(1 + fraction(-1, 2))}}},
        {.ids = "R7",
         .statement = "Lemma 2 and equation (75), lower bound",
         .verdict = "wrong",
         .printed = "E||y^L||^4 >= C_1 exp(sum_(l<L) 5/(2 n_l)), C_1 = n_L (n_L + 5)/n^2, for any widths",
         .correct = "for widths of at least 2",
         .cases = {{.asked = "norm 1:4 head=activation layer=3",
                    .row = {"squared_norm_moment", {"3", "2"}},
                    .claim = Claim::at_least,
                    .printed = computed(exponential(last_factor(1, 0), 2 * fraction(5, 2)))},
                   {.asked = "jacobian 1:4 head=activation bounds=growth printed layer=3",
                    .row = {"jacobian_variance", {"3"}},
                    .claim = Claim::at_least,
                    .printed_row = {"variance_lower_printed", {"3"}}}}},
        {.ids = "R8",
         .statement = "Lemma 2 and equation (75), range of the sum",
         .verdict = "misprint",
         .printed = "by (75) Var||y^L||^2 >= C_1 exp(sum_(l<=L) 5/(2 n_l)) - C_2",
         .correct = "the sum runs to L - 1, as in (17)",
         .cases = {{.asked = "norm 4,4 head=activation",
                    .row = {"squared_norm_variance", {"1"}},
                    .claim = Claim::at_least,
                    .printed = computed(exponential(last_factor(4, 0), fraction(5, 8), 1))}}},
        {.ids = "R9",
         .statement = "After Lemma 2",
         .verdict = "wrong",
         .printed = "E||y^L||^4 at E||y^L||^2 = 1 and widths n_l = n l grows like exp sum 1/(n l) ~ L^(1/n); here from "
                    "L = 10 to "
                    "20, n = 4",
         .correct = "like exp sum 5/(n l) ~ L^(5/n)",
         .cases = {{.asked = "norm 4,4,8,12,16,20,24,28,32,36,40,44,48,52,56,60,64,68,72,76,80 head=activation "
                             "variance=2/fan_out",
                    .claim = Claim::about,
                    .printed = computed(exponential(1, harmonic(4, 11, 20))),
                    .correct = of_rows([](Rows const& here) {
                        return here("squared_norm_moment", {"20", "2"}) / here("squared_norm_moment", {"10", "2"});
                    })}}},
    };
}

std::vector<Item> theorem_two() {
    return {
        {.ids = "R10",
         .statement = "Section 3, the last matrix of a branch",
         .verdict = "misprint",
         .printed = "c_2 = 1/n, with which E||y^L||^2 = (1 + alpha^m)^L in (77)",
         .correct = "c_2 = alpha/n",
         .cases = {{.asked = "jacobian n,n:L network=resnet:2 variance=2*a/n,1/n layer=l,1",
                    .row = {"output_mean"},
                    .printed =
                        computed(power(1 + Formula::symbol("a") * Formula::symbol("a"), Exponent::symbol("L")))}}},
        {.ids = "R11",
         .statement = "After Theorem 2",
         .verdict = "wrong",
         .printed = "with L rho_+^m constant, E||y||^2 stays where it is; here from 100 blocks to 625",
         .correct = "with L rho_+^(m/2), that is L alpha^m, constant",
         .cases = {{.asked = "jacobian 20:626 network=resnet:2 alpha='sqrt(4/125)' wrt=input",
                    .row = {"output_mean"},
                    .claim = Claim::about,
                    .printed_row = {"output_mean"},
                    .against = "jacobian 20:101 network=resnet:2 alpha='sqrt(2/25)' wrt=input"}}},
        {.ids = "R12",
         .statement = "Equation (91) and Theorem 2, lower bound",
         .verdict = "wrong",
         .printed = "beta_- >= 1 + rho_-^m >= e^(rho_-^m/2) for rho_+ < 1; here of one block, rho = 374/375, m = 11",
         .correct = "beta_-^(L-1) without the exponential",
         .cases = {{.asked = one_block,
                    .row = {"output_second_moment"},
                    .claim = Claim::at_least,
                    .printed = computed(1 + power(fraction(374, 375), 11))},
                   {.asked = one_block,
                    .row = {"output_second_moment"},
                    .claim = Claim::at_least,
                    .printed = computed(exponential(1, power(fraction(374, 375), 11) / 2))}}},
    };
}

}  // namespace

std::vector<Item> residual_items() {
    std::vector<Item> out = theorem_one();
    for (auto const make : {lemma_two, theorem_two}) {
        auto const more = make();
        out.insert(out.end(), more.begin(), more.end());
    }
    return out;
}

}  // namespace isserlis::errata
