// SPDX-License-Identifier: MIT
// [Iyer 2023], as printed, with the functionals of 1,2,2,1 at x = 1 and eta = 1. The numbering is that of
// docs/errata.md.
#include "errata/sources.hpp"

namespace isserlis::errata {
namespace {

constexpr char const* functionals = "hessian 1,2,2,1 effective functionals";
constexpr char const* parts = "hessian 1,2,2,1 effective target_second_moment=3/2";
constexpr int width = 2;  // n and n' of both hidden layers

/// E (|sigma^(l)|^2/n_l)^2 at X = 1.
Formula activation_square(int layer) { return power(1 + fraction(5, width), static_cast<std::uint64_t>(layer)); }

/// A functional of layer 1, from which (8) to (11) and Lemma 4 go on, and of layer 2, the last one.
Formula first(Rows const& rows, char const* name) { return rows(name, {"1"}); }
Formula last(Rows const& rows, char const* name) { return rows(name, {"2"}); }

/// Y*/n, and (1/n)(1 + 2/n') Y*
Formula starred(Rows const& rows, char const* name) { return first(rows, name) / width; }
Formula met(Rows const& rows, char const* name) { return starred(rows, name) * (1 + fraction(2, width)); }

std::vector<Item> recursions() {
    return {
        {.ids = "I1, I2",
         .statement = "Lemma 1 and Corollary 3, gates",
         .verdict = "wrong",
         .printed = "gates may be taken independent of the weights under any even function of them",
         .correct = "evenness has to hold neuron by neuron, and each label has to occur an even number of times; here "
                    "E relu(z_1) relu(z_2) against E z_1 z_2/4 for two neurons of variance 1",
         .cases = {{.asked = "gain relu",
                    .printed_row = {"value"},
                    .against = "expect 'z[1] z[2]/4' 1,2 activation=linear variance=1",
                    .correct = of_rows([](Rows const& here) {
                        Formula const mean = here("unit_mean", {"relu"});
                        return mean * mean;
                    })}}},
        {.ids = "I3 to I7",
         .statement = "Equations (8) to (11)",
         .verdict = "wrong",
         .printed = "u by (8); y0 by (9), and by its proof; y1 by (10), and by its proof; ystar by (11)",
         .correct =
             "(8) adds eta^2 X, (9) 2 eta^2 S, (10) has (1 + 1/n') y1 + (1/n') y0 + (1/n)(1 + 2/n') ystar; (11) is "
             "right as printed",
         .cases = {{.asked = functionals, .row = {"u", {"2"}}, .printed = of_rows([](Rows const& here) {
                                                                   return fraction(1, 2) + first(here, "u");
                                                               })},
                   {.asked = functionals, .row = {"y0", {"2"}}, .printed = of_rows([](Rows const& here) {
                                                                    return activation_square(1) + first(here, "y0") +
                                                                           2 * first(here, "y1") / width +
                                                                           met(here, "ystar");
                                                                })},
                   {.asked = functionals, .row = {"y0", {"2"}}, .printed = of_rows([](Rows const& here) {
                                                                    return activation_square(1) + first(here, "y0") +
                                                                           2 * first(here, "y1") +
                                                                           3 * starred(here, "ystar");
                                                                })},
                   {.asked = functionals, .row = {"y1", {"2"}}, .printed = of_rows([](Rows const& here) {
                                                                    return 2 * activation_square(1) / width +
                                                                           (1 + fraction(1, width)) *
                                                                               first(here, "y1") +
                                                                           first(here, "y0") / width +
                                                                           starred(here, "ystar") *
                                                                               (1 + fraction(1, width));
                                                                })},
                   {.asked = functionals, .row = {"y1", {"2"}}, .printed = of_rows([](Rows const& here) {
                                                                    return 2 * activation_square(1) / width +
                                                                           first(here, "y1") +
                                                                           2 * first(here, "y0") / width +
                                                                           met(here, "ystar");
                                                                })},
                   {.asked = functionals, .row = {"ystar", {"2"}}, .printed = of_rows([](Rows const& here) {
                                                                       return 2 * activation_square(1) +
                                                                              first(here, "y0") +
                                                                              2 * first(here, "y1") +
                                                                              3 * starred(here, "ystar");
                                                                   })}}},
        {.ids = "I8 to I11",
         .statement = "Lemma 2: equations (4), (6), (7)",
         .verdict = "wrong",
         .printed = "(4) has (1/n) qstar behind eta^2; (6) (1/n) rstar, its proof (2/n) rstar; (7) (1/2) eta^4 (..)",
         .correct = "(1/n) ystar; (3/n) rstar; (1/4) eta^4 (..) = eta^4 S; and mixed sums in the proof half as large",
         .cases = {{.asked = parts,
                    .row = {"functional"},
                    .printed = of_both([](Rows const&, Rows const& y) {
                        return last(y, "y0") + last(y, "qstar") / width + last(y, "q0") + 2 * last(y, "q1") +
                               3 * last(y, "qstar") / width;
                    }),
                    .against = functionals},
                   {.asked = parts,
                    .row = {"cross"},
                    .printed = of_both([](Rows const&, Rows const& y) {
                        return 2 * (last(y, "y1") + last(y, "ystar") / width + 2 * last(y, "r0") + last(y, "r2") +
                                    last(y, "rstar") / width);
                    }),
                    .against = functionals},
                   {.asked = parts,
                    .row = {"cross"},
                    .printed = of_both([](Rows const&, Rows const& y) {
                        return 2 * (last(y, "y1") + last(y, "ystar") / width + 2 * last(y, "r0") + last(y, "r2") +
                                    2 * last(y, "rstar") / width);
                    }),
                    .against = functionals},
                   {.asked = parts,
                    .row = {"gauss_newton"},
                    .printed = of_both([](Rows const&, Rows const& y) {
                        return 2 * activation_square(2) + last(y, "y0") + last(y, "ystar") / width + last(y, "p0") +
                               2 * last(y, "p1") + 3 * last(y, "pstar") / width;
                    }),
                    .against = functionals}}},
    };
}

std::vector<Item> lemma_four_and_theorem() {
    return {
        {.ids = "I12 to I14",
         .statement = "Lemma 4",
         .verdict = "wrong",
         .printed =
             "p0 with 3/(n n') pstar or with 2 eta^2 [..], both in the proof; the other rows cannot be read well",
         .correct = "(1/n)(1 + 2/n') pstar; eta^2 [..]",
         .cases = {{.asked = functionals, .row = {"p0", {"2"}}, .printed = of_rows([](Rows const& here) {
                                                                    return activation_square(1) + first(here, "y0") +
                                                                           starred(here, "ystar") + first(here, "p0") +
                                                                           2 * first(here, "p1") / width +
                                                                           3 * starred(here, "pstar") / width;
                                                                })},
                   {.asked = functionals, .row = {"p0", {"2"}}, .printed = of_rows([](Rows const& here) {
                                                                    return activation_square(1) +
                                                                           2 * (first(here, "y0") +
                                                                                starred(here, "ystar")) +
                                                                           first(here, "p0") +
                                                                           2 * first(here, "p1") / width +
                                                                           met(here, "pstar");
                                                                })}}},
        {.ids = "I15 to I21",
         .statement = "Corollaries 5 and 6, Theorem 1",
         .verdict = "wrong",
         .printed = "at great width Y0 = l/2 and P0 = l^2/4, here l = 3; E|H_eff|^2 = L^2/4 to leading order; the "
                    "coefficient of n^2 in E|H|^2 is a multiple of L^2, here 9 times that of L = 1",
         .correct = "2 l; l^2; 5 L^2/2; L(5L - 3)/2 at n_0 = 1",
         .cases = {{.asked = "hessian 1000000:4,1 effective functionals input_squared_norm=1000000 layer=3",
                    .row = {"y0", {"3"}},
                    .claim = Claim::about,
                    .printed = computed(fraction(3, 2))},
                   {.asked = "hessian 1000000:4,1 effective functionals input_squared_norm=1000000 layer=3",
                    .row = {"p0", {"3"}},
                    .claim = Claim::about,
                    .printed = computed(fraction(9, 4))},
                   {.asked = "hessian n0,n:L,1 effective input_squared_norm=n0",
                    .row = {"hessian_leading_term"},
                    .printed = computed(Formula::symbol("L") * Formula::symbol("L") / 4)},
                   {.asked = "hessian 1,n:3,1",
                    .row = {"hessian_leading_term"},
                    .printed = of_both(
                        [](Rows const&, Rows const& there) { return 3 * 3 * there("hessian_leading_term", {}); }),
                    .against = "hessian 1,n,1"}}},
        {.ids = "I22, I23",
         .statement = "Corollary 2",
         .verdict = "unproved",
         .printed = "2^(-L/2) K for K by LeCun's variances, as if all parts of E|H|^2 had one factor, here that of "
                    "gauss_newton; E 2/|lambda_1| is finite",
         .correct = "three parts by 4^(-L), target by 2^(-(L-1)); infinite at every finite width",
         .cases = {{.asked = "hessian 4,8:3,1 variance=1/4,1/8,1/8,1/8",
                    .row = {"target"},
                    .printed = of_both([](Rows const& here, Rows const& there) {
                        return there("target", {}) * here("gauss_newton", {}) / there("gauss_newton", {});
                    }),
                    .against = "hessian 4,8:3,1"}}},
        {.ids = "I24",
         .statement = "Appendix H.1, notation",
         .verdict = "slip",
         .printed = "a sum over mu only; W^(l) from layer l to l + 1; mu = W_ii",
         .correct = "over mu and nu; W^(l+1); W_ij",
         .words = "names and indices; no equation has another value by them"},
        {.ids = "I25",
         .statement = "Section 4.3, LeCun's law",
         .verdict = "wrong",
         .printed = "uniform on [-1/fan_in, 1/fan_in], which has variance 1/(3 fan_in^2)",
         .correct = "variance 1/fan_in: uniform on [-sqrt(3/fan_in), sqrt(3/fan_in)]",
         .cases = {{.asked = "init 4,8,1 scheme=lecun-uniform",
                    .row = {"weight_variance", {"1"}},
                    .printed = computed(fraction(1, 3 * 4 * 4))}}},
        {.ids = "I26",
         .statement = "Corollary 2, proof",
         .verdict = "slip",
         .printed = "\"The change from Kaiming to He\"",
         .correct = "to LeCun",
         .words = "a name; Kaiming and He are one scheme, and the formula is that of LeCun's"},
    };
}

}  // namespace

std::vector<Item> maximal_rate_items() {
    std::vector<Item> out = recursions();
    auto const more = lemma_four_and_theorem();
    out.insert(out.end(), more.begin(), more.end());
    return out;
}

}  // namespace isserlis::errata
