// SPDX-License-Identifier: MIT
#include "quantity/recipes.hpp"

namespace isserlis::quantity {
namespace {

Recipe thesis(std::string const& id, std::string const& what) {
    return {.id = "thesis-figure-" + id, .what = "[Hettinger 2019, Figure " + what, .kind = RecipeKind::thesis};
}

Recipe maximal_rate(std::string const& number, std::string const& what) {
    return {.id = "maximal-rate-figure-" + number,
            .what = "[Iyer 2023, Figure " + number + "]: " + what,
            .kind = RecipeKind::maximal_rate};
}

Recipe residual(std::string const& number, std::string const& what) {
    return {.id = "residual-figure-" + number,
            .what = "[Residual 2019, Figure " + number + "]: " + what,
            .kind = RecipeKind::residual};
}

Recipe book(std::string const& id, std::string const& what, bool is_smaller = true) {
    return {.id = "book-" + id, .what = what, .kind = RecipeKind::book, .draws = false, .is_smaller = is_smaller};
}

Recipe one_step(std::string const& id, std::string const& what, std::string const& question) {
    std::string const line = "loss-curve " + question + " gradient=random activation=crelu-tied scheme=proportional";
    return {.id = id, .what = what, .asked = line + " samples=20000", .quick = line + " samples=500", .charted = ""};
}

}  // namespace

std::vector<Recipe> const& recipes() {
    static std::vector<Recipe> const all = {
        {.id = "thesis-table-4.1",
         .what = "[Hettinger 2019, Table 4.1]: scaling factors of the four networks, of the widths as printed (H20)",
         .asked = "scaling-factor 2,10:3,1 2,20:3,1 2,10:4,1 2,20:4,1",
         .charted = "",
         .is_smaller = false},
        one_step(
            "thesis-one-step-cos",
            "[Hettinger 2019, section 4.5]: mean loss after one step on the cosine, squared error: slope, curvature, "
            "the best rate and how it transfers",
            "2,10:3,1 2,20:3,1 2,10:4,1 2,20:4,1 data=cos"),
        one_step("thesis-one-step-checkerboard",
                 "[Hettinger 2019, section 4.5]: the same on the checkerboard, binary cross-entropy (H21)",
                 "3,10:3,1 3,20:3,1 3,10:4,1 3,20:4,1 data=checkerboard loss=binary-cross-entropy"),
        thesis("2.13", "2.13]: the loss of descent with momentum, by step"),
        thesis("4.1-cos", "4.1]: mean loss after one step over a wide range of rates, cosine"),
        thesis("4.1-checkerboard", "4.1]: the same on the checkerboard"),
        thesis("4.3-cos", "4.3]: mean loss after fifty steps, and the share of networks that diverged, cosine"),
        thesis("4.3-checkerboard", "4.3]: the same on the checkerboard"),
        thesis("4.4-cos", "4.4]: mean loss after one step against the rate times S_N, cosine"),
        thesis("4.4-checkerboard", "4.4]: the same on the checkerboard"),
        thesis("4.5-cos", "4.5]: mean loss after fifty steps against the rate times S_N, cosine"),
        thesis("4.5-checkerboard", "4.5]: the same on the checkerboard"),
        residual("2a",
                 "variance of |J|^2 by the first matrix of a residual network of width 40 with two matrices a branch, "
                 "against the depth, for three alpha: exact, and of 200 networks"),
        residual("2b", "the same of a dense network of width 40"),
        residual("3a",
                 "mean of the squared norm of activations layer by layer, ReLU and concatenated ReLU, width 40: exact, "
                 "and of 5000 networks"),
        residual("3b", "its standard deviation"),
        maximal_rate(
            "1",
            "maximal initial rate against depth times width, small, on drawn classes or given data: ln E eta* = "
            "slope ln(depth width) + constant by least squares"),
        maximal_rate("2", "maximal initial rates at two thresholds, small"),
        maximal_rate(
            "3",
            "2/|lambda_1| against depth times width at initialisation, small, means over networks of one input: "
            "ln(2/E|lambda_1|) = -alpha ln(depth width) + gamma, alpha minus the slope, by least squares"),
        maximal_rate("4", "2/lambda_1 at initialisation against the maximal initial rate, small"),
        maximal_rate("5", "lambda_1 during full-batch descent, two schemes and three rates, small"),
        maximal_rate("6", "as Figure 4 in the NTK parametrisation, small"),
        maximal_rate("8", "|lambda_1| at initialisation against width, for depths and two schemes, small"),
        maximal_rate("9", "as Figure 1 with one rate for all layers, small"),
        maximal_rate("11", "maximal initial rate on isotropic and anisotropic Gaussian classes, small"),
        {.id = "mup-theorem-1.1",
         .what =
             "[Jelassi 2023, Theorem 1.1]: the exact rate against the depth at four widths, its slope and its limit",
         .asked = "mup depths=1..64 width_list=16,64,256,4096",
         .quick = "mup depths=1..8 width_list=16,64,256,4096",
         .charted = ""},
        {.id = "mup-theorem-1.1-sampled",
         .what = "[Jelassi 2023, Theorem 1.1]: the exact rate against the depth at two widths and at infinite width, "
                 "beside sampled networks",
         .kind = RecipeKind::mup},
        {.id = "mup-theorem-1.1-bound",
         .what = "[Jelassi 2023, Theorem 1.1]: E (Delta z)^2/L^3 against the depth at fixed depth over width, which "
                 "would tend to one number if (1.5) held as printed (M13)",
         .kind = RecipeKind::mup,
         .draws = false},
        book("o-ring",
             "[Liquet 2024, section 3.2]: logistic regression is one sigmoid unit, here of the O-ring distress of "
             "[Dalal 1989]"),
        book("parameters", "[Liquet 2024, sections 5.1 and 5.2]: the numbers of parameters that are printed", false),
        book("figure-5.2", "[Liquet 2024, Figure 5.2]: a ReLU network through 10 and 30 points of a function", false),
        book("gate",
             "[Liquet 2024, eqs. (5.12) to (5.15)]: the error of the multiplication gate against lambda, of softplus "
             "units (B2)"),
    };
    return all;
}

}  // namespace isserlis::quantity
