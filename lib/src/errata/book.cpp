// SPDX-License-Identifier: MIT
// [Liquet 2024, chapter 5], as printed. The numbering is that of docs/errata.md.
#include <cmath>
#include <isserlis/ring/surd.hpp>

#include "errata/sources.hpp"

namespace isserlis::errata {
namespace {

double softplus(double x) { return std::log1p(std::exp(x)); }

/// softplus'' at 0, by a difference.
double softplus_curvature() {
    constexpr double step = 1e-3;
    return (softplus(step) - 2 * softplus(0) + softplus(-step)) / (step * step);
}

/// The relative error of the multiplication gate (5.12) of softplus at x_1 = x_2 = 1.
double gate_error(double lambda) {
    double const curvature = 0.25;  // softplus'' at 0
    auto const even = [&](double x) { return softplus(lambda * x) + softplus(-lambda * x); };
    return (even(1 + 1) - even(1 - 1)) / (4 * curvature * lambda * lambda) - 1;
}

/// a^[3] of the unrolled example.
double unrolled_a3() { return 1 / (1 + std::exp(-0.7 * std::tanh(0.24))); }

Value in_double(double x) { return Value::approximate(x, 6, "computed in double precision"); }

/// (sqrt(variance) smoothed)^2: 9/10 of the deviation 1 before and 1/10 of that of the batch.
Surd smoothed_deviation_squared(Rational const& variance) {
    Surd const deviation = Surd(Rational(9) / 10) + Surd(Rational(1) / 10) * sqrt(Surd(variance));
    return deviation * deviation;
}

/// sum dC/dz- z- of the batch -1, 1, which is normalised already, with C = sum z~^2/2 and z~ = gamma z-.
Formula normalised_gradient(int gamma) {
    Formula sum(0);
    for (int const z : {-1, 1}) sum = sum + Formula(gamma) * Formula(gamma * z) * z;
    return sum;
}

/// dC/d gamma by a difference, which is exact: C is a square in gamma.
Formula normalised_slope(int gamma) {
    auto const loss = [](Formula const& factor) {
        Formula sum(0);
        for (int const z : {-1, 1}) sum = sum + factor * z * factor * z / 2;
        return sum;
    };
    return (loss(gamma + 1) - loss(gamma - 1)) / 2;
}

}  // namespace

std::vector<Item> book_items() {
    Formula const interaction_share = fraction(2, 100);
    Formula const features(1000);
    return {
        {.ids = "B1",
         .statement = "Figure 5.5, the number of parameters",
         .verdict = "wrong",
         .printed = "about L N^2 for L = 10, N = 80, p = 1000, said to be 57,600",
         .correct = "the first layer's p N is not small; here weights alone",
         .cases = {{.asked = "report 1000,80:9,1",
                    .row = {"parameters"},
                    .claim = Claim::about,
                    .printed = computed(Formula(10 * 80 * 80))}}},
        {.ids = "B2",
         .statement = "Equations (5.12) to (5.15), the error of the multiplication gate",
         .verdict = "weak",
         .printed = "the relative error is O(lambda), here read as its order: half of lambda halves it; softplus at "
                    "1/10, 1/20",
         .correct = "O(lambda^2)",
         .cases = {{.claim = Claim::about,
                    .printed = computed(Formula(2)),
                    .correct = computed(in_double(gate_error(0.1) / gate_error(0.05)))}}},
        {.ids = "B3",
         .statement = "After equation (5.15)",
         .verdict = "misprint",
         .printed =
             "the condition sigma^(2)(0) = 0 does not hold for many activations; here of softplus, whose gate works",
         .correct = "the condition is sigma^(2)(0) != 0, which does not hold for sigmoid and tanh",
         .cases = {{.printed = computed(Formula(0)), .correct = computed(in_double(softplus_curvature()))}}},
        {.ids = "B4",
         .statement = "Section 5.2, interactions",
         .verdict = "misprint",
         .printed = "alpha is a fraction of the interactions, of which there are p(p+1)/2; here alpha = 0.02, p = 1000",
         .correct = "it is used as a fraction of p",
         .cases = {{.printed = computed(interaction_share * features * (features + 1) / 2),
                    .correct = computed(interaction_share * features)}}},
        {.ids = "B5",
         .statement = "Forward and backward steps",
         .verdict = "slip",
         .printed = "a^[l+1] = S^[l](W^[l] a^[l-1] + b^[l])",
         .correct = "a^[l] on the left",
         .words = "an index; (5.4), which the step is of, is right"},
        {.ids = "B6",
         .statement = "Equation (5.28)",
         .verdict = "slip",
         .printed = "the first entry of the right column is a value, f^[4](u) = a^[3]; here of (5.27) at u = 2 above "
                    "a^[2] = tanh(6/25), theta^[3] = 7/10",
         .correct = "a derivative, so that f^[4](u) = u a^[3], as in the forward pass",
         .cases = {{.printed = computed(in_double(unrolled_a3())), .correct = computed(in_double(2 * unrolled_a3()))}}},
        {.ids = "B7",
         .statement = "Equations (5.45) to (5.48), dropout",
         .verdict = "misprint",
         .printed =
             "w_ij leads from i to j, and (5.48) agrees with (5.4); here |a|^2 of one layer with W = (1 2; 3 4) at "
             "(1, 1), where all units are kept",
         .correct = "from j to i, as in (5.4); a row of g_W^[l] is 0 too",
         .cases =
             {{.asked =
                   R"(train weights='text:{"activation": "linear", "biases": true, "layers": [{"weights": [[1, 2], [3, 4]], )"
                   R"("bias": [0, 0]}]}' data=text:x1,x2,y1,y2;1,1,0,0 epochs=1)",
               .row = {"loss", {"0"}},
               .printed = computed(Formula((1 + 3) * (1 + 3) + (2 + 4) * (2 + 4)))}}},
        {.ids = "B8",
         .statement = "Equations (5.42) to (5.44), batch normalisation",
         .verdict = "misprint",
         .printed =
             "derivatives without tildes: dC/d gamma = sum dC/dz- z-; here C = sum z~^2/2, the batch -1, 1, gamma = 3",
         .correct = "dC/d gamma = sum dC/dz~ z-, dC/d beta = sum dC/dz~, dC/dz- = dC/dz~ gamma",
         .cases = {{.printed = computed(normalised_gradient(3)), .correct = computed(normalised_slope(3))}}},
        {.ids = "B9",
         .statement = "Equation (5.41), running moments",
         .verdict = "wrong",
         .printed = "the smoothed standard deviation is squared; here after the batch 0, 1, 5",
         .correct = "the variance is smoothed, as practised",
         .cases = {{.printed = computed(smoothed_deviation_squared(Rational(14) / 3)),
                    .correct = computed(fraction(9, 10) + fraction(1, 10) * fraction(14, 3))}}},
        {.ids = "B10",
         .statement = "Derivatives at 0",
         .verdict = "convention",
         .printed = "ReLU and leaky ReLU have the derivative 1 at 0",
         .correct = "a convention: 1/2 in the thesis, 0 and the slope in PyTorch and here",
         .words = "a convention, of which none is the true one"},
    };
}

}  // namespace isserlis::errata
