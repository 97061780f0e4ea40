// SPDX-License-Identifier: MIT
// [Residual 2019] from the dense network on, as printed. The numbering is that of docs/errata.md.
#include "errata/sources.hpp"

namespace isserlis::errata {
namespace {

/// Of (120) to (122) at alpha = 1: the factor of layer l in E|y|^4.
Formula dense_factor(int n, int l) { return 1 + fraction(5, n * l * l); }

/// (122) as printed, at alpha = 1: (1 + 5/n)/k^2 prod_(l != k) of 2 .. L.
Formula printed_reduced_fourth(int n, int last, int k) {
    Formula out = (1 + fraction(5, n)) / (k * k);
    for (int l = 1; l <= last; ++l) {
        if (l != k) out = out * dense_factor(n, l);
    }
    return out;
}

Formula inverse_squares(int last) {
    Formula out = 0;
    for (int l = 1; l <= last; ++l) out = out + fraction(1, l * l);
    return out;
}

std::vector<Item> dense_sums() {
    return {
        {.ids = "R13",
         .statement = "Equation (92)",
         .verdict = "slip",
         .printed = "the last constant is C_3",
         .correct = "C_4, as in (19)",
         .words = "a name; the constants of the proof make both 1"},
        {.ids = "R15",
         .statement = "Section 3 and equations (20), (96), the dense network",
         .verdict = "misprint",
         .printed = "the sum starts from y^1, with variances 2 alpha/(n l), and alpha = 1 keeps the norm",
         .correct = "it starts from y^0",
         .cases = {{.asked = "jacobian 4:3 network=densenet head=activation first_source=1 variance=1/2,1/4",
                    .row = {"output_mean"},
                    .printed = computed(Formula(1))}}},
        {.ids = "R16",
         .statement = "Equation (99)",
         .verdict = "misprint",
         .printed = "C_(0,0) = n (L-1)^2/(n + 5) C_(1,1); here alpha = 2, L = 2",
         .correct = "divided by alpha^2 too, as in (100); C_(0,0) = |y^0|^4 = 1",
         .cases = {{.asked = "jacobian 4:2 network=densenet head=activation alpha=2",
                    .printed =
                        of_rows([](Rows const& here) { return fraction(4, 4 + 5) * here("output_second_moment", {}); }),
                    .correct = computed(Formula(1))}}},
        {.ids = "R17",
         .statement = "Equations (111) to (122)",
         .verdict = "misprint",
         .printed = "a product over l != k behind a prefactor with k; here at alpha = 1, E||y_(k)||^2 = 1/k and "
                    "E||y_(k)||^4 = (1 + 5/n)/k^2 prod_(l != k) (1 + 5/(n l^2))",
         .correct = "l != k + 1 and k + 1; for k = L no exceptional factor",
         .cases = {{.asked = "jacobian 4:6 network=densenet head=activation layer=1",
                    .row = {"reduced_output_mean", {"1"}},
                    .printed = computed(Formula(1))},
                   {.asked = "jacobian 4:6 network=densenet head=activation layer=1",
                    .row = {"reduced_output_second_moment", {"1"}},
                    .printed = computed(printed_reduced_fourth(4, 5, 1))}}},
        {.ids = "R18",
         .statement = "Equation (113)",
         .verdict = "wrong",
         .printed = "sum_(l<=L) alpha^2 (5 - |Delta|)/(n (l + alpha - 1)^2) is alpha^2 (5 - |Delta|)/(n L); here at "
                    "L = 100, n = 4",
         .correct = "the sum converges to a constant above 5/n",
         .cases = {{.claim = Claim::about,
                    .printed = computed(fraction(5, 4 * 100)),
                    .correct = computed(fraction(5, 4) * inverse_squares(100))}}},
    };
}

/// Var|y|^2 of a dense network of width 4 and random signs, at alpha = 1.
std::string sign_variance(int layers) {
    return "jacobian 4:" + std::to_string(layers + 1) +
           " network=densenet head=activation law=rademacher input=1,0,0,0 wrt=input";
}
constexpr int sign_delta = 2 * (1 - 3);  // Delta = 2 (kappa - 3)

std::vector<Item> theorem_three() {
    return {
        {.ids = "R19",
         .statement = "Equation (116)",
         .verdict = "wrong",
         .printed = "mu_L^2 <= L^(2(alpha-1))",
         .correct = "up to a constant, 1/Gamma(alpha)^2 in the limit; here at alpha = 2, L = 5",
         .cases = {{.asked = "jacobian 4:6 network=densenet head=activation alpha=2",
                    .claim = Claim::at_most,
                    .printed = computed(Formula(5 * 5)),
                    .correct =
                        of_rows([](Rows const& here) { return here("output_mean", {}) * here("output_mean", {}); })}}},
        {.ids = "R20",
         .statement = "Theorem 3",
         .verdict = "weak",
         .printed = "the variance is at most C_3 e^(2 |Delta| L/n) times a power of L",
         .correct = "so it is, without the exponential: at alpha = 1 it is bounded for every finite kurtosis; here "
                    "its growth from L = 10 to 100 for random signs",
         .cases = {{.asked = sign_variance(100),
                    .claim = Claim::at_most,
                    .printed = computed(exponential(1, fraction(2 * -sign_delta * (100 - 10), 4))),
                    .against = sign_variance(10),
                    .correct = of_both([](Rows const& here, Rows const& there) {
                        return here("output_variance", {}) / there("output_variance", {});
                    })}}},
        {.ids = "R21",
         .statement = "Theorem 3 at k = L",
         .verdict = "wrong",
         .printed = "the constants do not depend on L for any k <= L; here E||J^L||^2 at L = 3 and L = 5",
         .correct = "for k < L; E||J^L||^2 = n L/2",
         .cases = {{.asked = "jacobian 4:6 network=densenet head=activation layer=5",
                    .row = {"jacobian_mean", {"5"}},
                    .printed = of_both([](Rows const&, Rows const& there) { return there("jacobian_mean", {"3"}); }),
                    .against = "jacobian 4:4 network=densenet head=activation layer=3"}}},
        {.ids = "R22",
         .statement = "Theorem 3, lower bound",
         .verdict = "wrong",
         .printed = "the variance is at least a constant times L^(alpha-1); here from L = 10 to 1000 at alpha = 1/2",
         .correct = "it goes like L^(2(alpha-1))",
         .cases = {{.asked = "jacobian 4:1001 network=densenet head=activation alpha=1/2 wrt=input",
                    .claim = Claim::at_least,
                    .printed = computed(fraction(1, 10)),
                    .against = "jacobian 4:11 network=densenet head=activation alpha=1/2 wrt=input",
                    .correct = of_both([](Rows const& here, Rows const& there) {
                        return here("output_variance", {}) / there("output_variance", {});
                    })}}},
        {.ids = "R23",
         .statement = "Abstract and section 4",
         .verdict = "wrong",
         .printed = "the statistics of a layer's Jacobian do not depend on its depth; here of layers 1 and 3",
         .correct = "the mean does not, in vanilla and residual networks; the variance does",
         .cases = {{.asked = "jacobian 10:4 head=activation",
                    .row = {"jacobian_mean", {"3"}},
                    .printed_row = {"jacobian_mean", {"1"}}},
                   {.asked = "jacobian 10:4 head=activation",
                    .row = {"jacobian_variance", {"3"}},
                    .printed_row = {"jacobian_variance", {"1"}}}}},
    };
}

std::vector<Item> section_five() {
    return {
        {.ids = "R24",
         .statement = "Lemma 3",
         .verdict = "misprint",
         .printed = "Var||y^L||^2 = n_L^2/n^2 (prod_l (1 + 2/n_L) - 1)",
         .correct = "n_L^2/n^2 (prod_l (1 + 2/n_l) - 1)",
         .cases = {{.asked = "norm 2,4,2 activation=linear layer=2",
                    .row = {"squared_norm_variance", {"2"}},
                    .printed = computed((1 + fraction(2, 2)) * (1 + fraction(2, 2)) - 1)}}},
        {.ids = "R25",
         .statement = "After Lemma 4",
         .verdict = "misprint",
         .printed = "(dy/dw^(l1))^2 = (dy/dw^(l1))^2 + (dy/dw^(l2))^2",
         .correct = "dy/dw^l of the linear network on the left; here the mean of its square, summed over layer 2",
         .cases = {{.asked = "jacobian 2,3,2 activation=linear variance=1/2,1/3 layer=2",
                    .row = {"jacobian_mean", {"2"}},
                    .printed_row = {"jacobian_mean", {"2"}},
                    .against = "jacobian 2,3,2 activation=crelu part=P variance=1/2,1/3 layer=2"}}},
        {.ids = "R26",
         .statement = "Equation (123)",
         .verdict = "slip",
         .printed = "rows of W^l are chosen by y^(l-1) >= 0",
         .correct = "entries, w_ij^(l1) where y_i^(l-1) >= 0",
         .words = "a vector has no sign, so that the printed side has no value"},
        {.ids = "R27",
         .statement = "Proposition 1",
         .verdict = "unproved",
         .printed = "the mean is 0 for odd l, by the proof",
         .correct = "not for odd m too: E[w z] = E|w|/2 for n = 1, here for a standard normal w, where w z is relu(w)",
         .cases = {{.asked = "gain relu", .row = {"unit_mean", {"relu"}}, .printed = computed(Formula(0))}}},
        {.ids = "R28",
         .statement = "Proposition 3, equation (38)",
         .verdict = "misprint",
         .printed = "two pairings of four paths",
         .correct = "three; here E y^4 of one linear unit with inputs 3/5 and 4/5",
         .cases = {{.asked = "norm 2,1 activation=linear input=3/5,4/5",
                    .row = {"squared_norm_moment", {"1", "2"}},
                    .printed = computed([] {
                        Formula const a = fraction(9, 25);   // x_1^2
                        Formula const b = fraction(16, 25);  // x_2^2
                        Formula const v = fraction(1, 2);
                        return v * v * (3 * (a * a + b * b) + 2 * (2 * a * b));
                    }())}}},
        {.ids = "R29",
         .statement = "Equations (39), (40) at m = 4",
         .verdict = "misprint",
         .printed = "sum_t E (y_t)^4",
         .correct = "sum_(s,t) E y_s^2 y_t^2 = E||y||^4",
         .cases = {{.asked = "expect '(z[i]^2)^2' 1,2 activation=linear",
                    .row = {"value"},
                    .printed_row = {"value"},
                    .against = "expect 'z[i]^4' 1,2 activation=linear"}}},
        {.ids = "R30",
         .statement = "Equation (13)",
         .verdict = "misprint",
         .printed = "y^0_j = 1",
         .correct = "||y^0|| = 1, as elsewhere; here E||y^1||^2 = ||y^0||^2 for two inputs",
         .cases = {{.asked = "norm 2,2 head=activation",
                    .row = {"squared_norm_mean", {"1"}},
                    .printed_row = {"squared_norm_mean", {"1"}},
                    .against = "norm 2,2 head=activation input=1,1"}}},
        {.ids = "R31",
         .statement = "Equations (1), (23), (43), (45), (61), (115)",
         .verdict = "slip",
         .printed = "y^l in (1); paths of length L in (23); a product in (43); z_i in (45); an expectation in (61); "
                    "mu_(L-1,L-1) in (115)",
         .correct = "y^L; paths that skip layers; none, Q is one; z_j; given the layers below; mu_(L-1)",
         .words = "names and indices; what is computed after them is right"},
        {.ids = "R32",
         .statement = "Equations (44) and (45) at k' = m",
         .verdict = "misprint",
         .printed = "E||J^(l,m)||^2 has the factor 1/2 of a gate, like that of k' < m",
         .correct = "no gate follows the last matrix of a branch",
         .cases = {{.asked = "jacobian n,n:L network=resnet:2 alpha=a layer=l",
                    .row = {"jacobian_mean", {"l", "2"}},
                    .printed_row = {"jacobian_mean", {"l", "1"}}}}},
        {.ids = "R33",
         .statement = "Section 5, the equivalent form of a concatenated layer",
         .verdict = "misprint",
         .printed = "W2'y + (W1' + W2') phi(y)",
         .correct = "W2'y + (W1' - W2') phi(y); here the square of the layer for W1 = 3, W2 = 5, y = 1, where it is W1",
         .cases = {{.asked = R"(loss-curve weights='text:{"activation": "crelu", "layers": [{"weights": [[3, 0]], )"
                             R"("negative": [[5, 0]]}]}' data=text:x1,y1;1,0 gradient=random)",
                    .row = {"loss", {"1"}},
                    .printed = computed(power(Formula(5 * 1 + (3 + 5) * 1), 2))}}},
        {.ids = "R34",
         .statement = "Equations (11) and (12)",
         .verdict = "slip",
         .printed =
             "by (11) the outputs inside a branch are those before the gate, which R_m = W^m y~^(m-1) would lack",
         .correct = "behind it, by (12) and (77); here the mean square of a branch of two matrices of width 4",
         .cases = {{.asked = "jacobian 4:2 network=resnet:2 layer=1",
                    .row = {"reduced_output_mean", {"1", "2"}},
                    .printed_row = {"squared_norm_mean", {"2"}},
                    .against = "norm 4,4,4 activation=linear variance=1/2,1/4 layer=2"}}},
        {.ids = "R35",
         .statement = "Equation (82)",
         .verdict = "slip",
         .printed = "y~^(L-1,m-1) on the left",
         .correct =
             "y~^(L-1,m); here at m = 2, width 4 and alpha = 1, where (83) is about two matrices and the printed "
             "side about one",
         .cases = {{.asked = "expect '(z[i] z{0}[i])^2' 4,4,4 variance=1/2,1/4",
                    .row = {"value"},
                    .printed_row = {"value"},
                    .against = "expect '(z[i] z{0}[i])^2' 4,4 activation=linear variance=1/2"}}},
        {.ids = "R36",
         .statement = "Equations (35) and (36)",
         .verdict = "unproved",
         .printed = "a single weight is averaged with its gate set aside, also for odd powers",
         .correct =
             "Proposition 1 does not give that: R27; here E[w_1 z] for inputs 3/5, 4/5 and standard normal w, which "
             "is x_1 E relu(w.x)",
         .cases = {{.asked = "gain relu", .printed = computed(Formula(0)), .correct = of_rows([](Rows const& here) {
                                                                               return fraction(3, 5) *
                                                                                      here("unit_mean", {"relu"});
                                                                           })}}},
        {.ids = "R37",
         .statement = "Lemma 2 and equation (75), upper bound",
         .verdict = "wrong",
         .printed = "an upper bound with Delta = 2(c_4 - 3 c_2^2)/n_(l-1)",
         .correct = "with Delta = 2(kappa - 3); for kappa > 3 the printed one is too small",
         .cases = {{.asked = "jacobian 8:8 law=laplace input=1,0,0,0,0,0,0,0 head=activation bounds=growth "
                             "printed layer=7",
                    .row = {"jacobian_variance", {"7"}},
                    .claim = Claim::at_most,
                    .printed_row = {"variance_upper_printed", {"7"}}}}},
    };
}

}  // namespace

std::vector<Item> dense_residual_items() {
    std::vector<Item> out = dense_sums();
    for (auto const make : {theorem_three, section_five}) {
        auto const more = make();
        out.insert(out.end(), more.begin(), more.end());
    }
    return out;
}

}  // namespace isserlis::errata
