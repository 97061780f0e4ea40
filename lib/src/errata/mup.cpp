// SPDX-License-Identifier: MIT
// [Jelassi 2023], as printed, with the values of 2,2,2,1 at x = (1, 1) and rates 1. The numbering is that of
// docs/errata.md.
#include <isserlis/ring/surd.hpp>

#include "errata/sources.hpp"

namespace isserlis::errata {
namespace {

constexpr char const* two_layers = "mup 2,2,2,1 input=1,1";
constexpr int units = 2;
constexpr int step = 1 * units;  // u = eta n_(l-1)

/// X^2 R_1
Formula square_below() { return 1 + fraction(5, units); }

/// A row of layer 1.
Formula of_layer_one(Rows const& rows, char const* name) { return rows(name, {"1"}); }

std::vector<Item> one_step() {
    return {
        {.ids = "M1, M10",
         .statement = "Equations (1.3), (2.13), (2.17), (2.23)",
         .verdict = "wrong",
         .printed =
             "E|z^(l)|^2 = |x|^2 for layers as wide as the input; an index alpha in (2.13); |x|^2/n_0^2 in (2.17); z "
             "in (2.23)",
         .correct = "2|x|^2; l; |x|^4/n_0^2; sigma",
         .cases = {{.asked = "norm 2,2,2,1 input=1,1 pre layer=2",
                    .row = {"squared_norm_mean", {"2"}},
                    .printed = computed(Formula(1 + 1))}}},
        {.ids = "M2 to M4",
         .statement = "Equations (2.1), (2.2), (2.11), (2.12)",
         .verdict = "wrong",
         .printed = "B = P1/n_L at the last layer; the bracket of A without gates; (2.12) given z^(l)",
         .correct = "B = P1/(2 n_L); each neuron of A has its gate; in mean",
         .cases = {{.asked = two_layers,
                    .row = {"mup_b", {"2"}},
                    .printed = of_both([](Rows const&, Rows const& there) { return there("p1", {"2"}) / units; }),
                    .against = "hessian 2,2,2,1 functionals input=1,1"}}},
        {.ids = "M5 to M9",
         .statement = "Equations (2.14), (2.15), (2.20), (2.21), (2.25)",
         .verdict = "wrong",
         .printed = "no terms where two labels meet in one neuron: B (here doubled as in M2), B~, C (here by its "
                    "proof; (2.21) "
                    "has the coefficients of (2.25)), C~",
         .correct = "each has one, such as (1/n)(1 + 2/n') B*; and (2.14) or (2.15) has a prefactor too many",
         .cases = {{.asked = two_layers,
                    .printed = of_rows([](Rows const& here) {
                        return step * step * square_below() / (units * units) +
                               step * of_layer_one(here, "mup_c") / units + of_layer_one(here, "mup_b_tilde") / units +
                               (1 + fraction(1, units)) * (2 * of_layer_one(here, "mup_b"));
                    }),
                    .correct = of_rows([](Rows const& here) { return 2 * here("mup_b", {"2"}); })},
                   {.asked = two_layers,
                    .row = {"mup_b_tilde", {"2"}},
                    .printed = of_rows([](Rows const& here) {
                        return step * step * square_below() / units + step * of_layer_one(here, "mup_c") +
                               of_layer_one(here, "mup_b_tilde") + 2 * (2 * of_layer_one(here, "mup_b")) / units;
                    })},
                   {.asked = two_layers, .row = {"mup_c", {"2"}}, .printed = of_rows([](Rows const& here) {
                                                                      return 2 * step * square_below() / units +
                                                                             of_layer_one(here, "mup_c") +
                                                                             of_layer_one(here, "mup_c_tilde") / units;
                                                                  })},
                   {.asked = two_layers, .row = {"mup_c_tilde", {"2"}}, .printed = of_rows([](Rows const& here) {
                                                                            return 2 * step * square_below() /
                                                                                       (units * units) +
                                                                                   (1 + fraction(1, units)) *
                                                                                       of_layer_one(here,
                                                                                                    "mup_c_tilde") +
                                                                                   of_layer_one(here, "mup_c") / units;
                                                                        })}}},
    };
}

std::vector<Item> depth() {
    return {
        {.ids = "M11",
         .statement = "Equations (2.26), (2.27)",
         .verdict = "unproved",
         .printed =
             "C~ is small for an extra 1/n_L; C = Theta(X^2/2 sum_l u_l/n_L), the 1/2 here read as the constant, with "
             "X = 1/10 and widths 10,1000:3,1",
         .correct = "C~ is small by the 1/n' of (2.25); C is about 2 X^2 sum_l u_l/n_L",
         .cases = {{.asked = "mup 10,1000:3,1 layer=3",
                    .row = {"mup_c", {"3"}},
                    .claim = Claim::about,
                    .printed = computed(fraction(1, 2) * fraction(1, 100) * fraction(10 + 1000 + 1000, 1000))}}},
        {.ids = "M12, M13",
         .statement = "Lemma 2.1, Theorem 1.1, equation (1.5)",
         .verdict = "wrong",
         .printed = "the rate goes like L^(-3/2), with as many outputs as width; here from L = 32 to 64",
         .correct = "like L^(-2) then; like L^(-3/2) for a few outputs",
         .cases =
             {{.asked = "mup depths=64 width_list=1000000 outputs=n",
               .claim = Claim::about,
               .printed = computed(Surd(1) / sqrt(Surd(2 * 2 * 2))),
               .against = "mup depths=32 width_list=1000000 outputs=n",
               .correct = of_both([](Rows const& here, Rows const& there) {
                   return here("mup_learning_rate", {"1000000", "64"}) / there("mup_learning_rate", {"1000000", "32"});
               })}}},
        {.ids = "M14, M15",
         .statement = "Equations (2.3), (2.6)",
         .verdict = "misprint",
         .printed =
             "(2.3) is an equality; E y = 0 in (2.6); here the change of z = w_2 w_1 from 1 at y = 0 and the rate 1/10",
         .correct = "the first order of a step; not needed",
         .cases = {{.printed = computed(fraction(-1, 10) * (1 + 1)),  // both derivatives are 1
                    .correct = computed(power(1 - fraction(1, 10), 2) - 1)}}},
        {.ids = "M16",
         .statement = "The display before equation (1.4)",
         .verdict = "wrong",
         .printed = "E (z_i)^2 = |x|^2/n",
         .correct = "2|x|^2/n",
         .cases = {{.asked = "expect 'z{1}[1]^2' n,n,1",
                    .row = {"value"},
                    .printed = computed(1 / Formula::symbol("n"))}}},
    };
}

}  // namespace

std::vector<Item> mup_items() {
    std::vector<Item> out = one_step();
    auto const more = depth();
    out.insert(out.end(), more.begin(), more.end());
    return out;
}

}  // namespace isserlis::errata
