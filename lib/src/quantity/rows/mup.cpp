// SPDX-License-Identifier: MIT
#include "quantity/commands.hpp"
#include "quantity/rows/first_step.hpp"

namespace isserlis::quantity {
namespace {

constexpr char const* mup_law =
    "ReLU, Gaussian weights of variance 2/fan_in, 1/n_L^2 at the output, or of --parametrisation, zero biases or "
    "random ones that the step leaves, one fixed input; first order in the step; y independent of the weights; other "
    "units by --activation; fixed samples with targets, by --data or --with, of linear units, and of ReLU through one "
    "hidden layer; residual and dense "
    "networks and files by the strand recursion, every matrix trained, their targets of mean 0";
constexpr char const* samples_of_mup =
    "linear units, Gaussian weights of variance 1/fan_in, 1/n_L^2 at the output, or of --parametrisation, zero biases "
    "or random ones that the step leaves, fixed inputs and targets; first order in the step; relu and leaky units "
    "exactly through one hidden layer, sampled beyond";
constexpr char const* batch_of_mup =
    "ReLU, one hidden layer, Gaussian weights, zero biases, fixed inputs; y independent of the weights, uncorrelated "
    "between inputs: E y_k.y_l = 0";
constexpr char const* first_step_of_mup =
    "ReLU, Gaussian weights of variance 2/n, 1/n^2 at the output, zero biases, one fixed input, one output; the first "
    "step "
    "of sign, adam, normalised or muon on one sample, to first order";

}  // namespace

QuantityRows mup_quantities() {
    QuantityRows out{.command = "mup"};
    out.quantities = {
        {"mup_change_squared", "l", "mean square change of a pre-activation", "E (Delta z_i^l)^2 = A + B",
         "[Jelassi 2023, section 2 corrected]", mup_law},
        {"mup_a", "l", "its part of the squared output", "the part of the squared output in E (Delta z_i^l)^2",
         "[Jelassi 2023, eq. (2.1) corrected]", mup_law},
        {"mup_b", "l", "its part of the target", "the part of E|y|^2 in E (Delta z_i^l)^2",
         "[Jelassi 2023, eq. (2.14) corrected]", mup_law},
        {"mup_b_tilde", "l", "functional of two first derivatives over width", "Y[(dz)^2, (ez)^2]/n_L",
         "[Jelassi 2023, eq. (2.20) corrected]", mup_law},
        {"mup_c", "l", "functional of z and a first derivative over width", "Y[(dz)^2, z^2]/n_L",
         "[Jelassi 2023, eq. (2.21) corrected]", mup_law},
        {"mup_c_tilde", "l", "the same in pairs", "Y[z dz, z dz]/n_L", "[Jelassi 2023, eq. (2.25) corrected]", mup_law},
        {"preactivation_fourth_mean", "l", "mean fourth power of a pre-activation",
         "E (z_i^l)^4; ReLU without biases: 12 X^2 R_(l-1)", "[Jelassi 2023, Prop 2.4]", mup_law},
        {"mup_learning_rate", "", "rate at which the last hidden layer changes by 1",
         "eta* = (E (Delta z_i^L)^2)^(-1/2): the factor of all rates at which the last hidden layer changes by 1, of "
         "other wirings the last residual layer or the last node below the output, as the answer says; with "
         "--optimiser "
         "exact where change_rms of it is, else sampled",
         "[Jelassi 2023, section 1 corrected]", mup_law},
        {"output_learning_rate", "", "rate at which the output moves by 1 at first",
         "with --optimiser: the factor of all rates at which E |Delta z| = 1 at the output, under normalised E (Delta "
         "z)^2 = 1",
         "docs/formulas/first_step.md", first_step_law},
        {"preactivation_std", "l,width", "standard deviation of a pre-activation",
         "with --optimiser: sqrt(E (z_i^l)^2) of a fully connected network", "docs/formulas/coordinate_moments.md",
         first_step_law},
        {"preactivation_rms", "l,width", "root mean square of a pre-activation",
         "with --optimiser: sqrt(E z_i^2) of a node of other wirings, the mean over its neurons", "docs/strands.md",
         first_step_law},
        {"change_rms", "l,width", "root mean square of its change by one step",
         "with --optimiser: sqrt(E (Delta z_i^l)^2)", "docs/formulas/first_step.md", first_step_law},
        {"change_absolute_mean", "l,width", "mean size of its change by one step",
         "with --optimiser: E |Delta z_i^l|; of sign, adam and muon at one output sum_l eta_l E|G^l|/|g|, the norm of "
         "entries or of Frobenius of the gradient G^l over that by the output",
         "docs/formulas/first_step.md", first_step_law},
        {"mup_sample_change_squared", "k,l", "mean square change at one sample",
         "of several samples, by --data or --with: E (Delta z_i^l(x_k))^2 of one step on the mean of 1/2 |z - y|^2 "
         "over them, or over batches; mup_change_squared, mup_a and mup_b are means over the samples then",
         "docs/formulas/coordinate_moments.md#several-samples", samples_of_mup},
        {"mup_batch_change_squared", "k", "mean square change at an input of a batch",
         "with several inputs: E (Delta z_i(x_k))^2 of the hidden layer, one step on the mean loss over them",
         "docs/formulas/batch_step.md", batch_of_mup},
        {"mup_batch_a", "k", "its part of the squared outputs", "with several inputs: its part of z_k.z_l",
         "docs/formulas/batch_step.md", batch_of_mup},
        {"mup_batch_b", "k", "its part of the targets", "with several inputs: its part of E|y|^2",
         "docs/formulas/batch_step.md", batch_of_mup},
        {"mup_batch_learning_rate", "", "rate at which a batch moves the layer by 1",
         "with several inputs: the factor of the rate at which mup_batch_change_squared, averaged over them, is 1",
         "docs/formulas/batch_step.md", batch_of_mup},
        {"mup_local_exponent", "width,depth", "slope of the rate in the depth, from L to L + 1",
         "with --depths: log(eta*(L+1)/eta*(L))/log((L+1)/L), the exact slope from L to L + 1",
         "docs/formulas/mup_step.md", mup_law},
        {"mup_fitted_exponent", "width", "slope of the rate in the depth, fitted",
         "with --depths: the slope of the line of least squares through log eta* over log L",
         "docs/formulas/mup_step.md", mup_law},
        {"mup_rate_limit", "depth", "that rate at infinite width",
         "with --depths: eta* as n goes to infinity, |x|^2 = n: (L(2L^2+1)/6 (E|y|^2 + g + 2Lg^2))^(-1/2), g = N/n; at "
         "symbolic depth one formula without index",
         "[Jelassi 2023, Thm 1.1 corrected]", mup_law},
        {"mup_leading_term", "", "leading term of the last hidden layer's change",
         "leading term of mup_change_squared of the last hidden layer, width and then depth",
         "[Jelassi 2023, Thm 1.1 corrected]", mup_law},
        {"mup_wide_limit", "", "limit of that change in the width",
         "its limit as the width goes to infinity at fixed symbolic depth", "[Jelassi 2023, Thm 1.1 corrected]",
         mup_law},
        {"mup_wide_leading", "", "how it goes there, where 0 or infinite",
         "its leading order there, where the limit is 0 or infinite", "[Jelassi 2023, Thm 1.1 corrected]", mup_law},
        {"mup_double_limit", "", "its limit, depth over width fixed",
         "its limit as width n and depth L go to infinity with L = b n", "[Jelassi 2023, Thm 1.1 corrected]", mup_law},
        {"mup_double_leading", "", "how it goes there, where 0 or infinite",
         "its leading order there, where the limit is 0 or infinite", "[Jelassi 2023, Thm 1.1 corrected]", mup_law},
        {"mup_limit_exponent", "", "its exponent in the depth",
         "with --depths: -3/2 for a fixed number of outputs, -2 for as many as the width",
         "[Jelassi 2023, Thm 1.1 corrected]", mup_law},
        {"first_step_rate", "width,depth", "rate at which the output moves by 1 at first",
         "with --depths and --optimiser: of sign, adam and muon the factor of all unit rates at which E |Delta z| = 1 "
         "at the "
         "output; of "
         "normalised one rate for all layers at which E (Delta z)^2 = 1 there",
         "docs/formulas/first_step.md", first_step_of_mup},
        {"first_step_local_exponent", "width,depth", "its slope in the depth, from L to L + 1",
         "with --depths and --optimiser: log(rate(L+1)/rate(L))/log((L+1)/L)", "docs/formulas/first_step.md",
         first_step_of_mup},
        {"first_step_fitted_exponent", "width", "its slope in the depth, fitted",
         "with --depths and --optimiser: the slope of the line of least squares through log first_step_rate over log L",
         "docs/formulas/first_step.md", first_step_of_mup},
        {"first_step_width_exponent", "width,depth", "its slope in the width",
         "with --depths and --optimiser: log(rate(n')/rate(n))/log(n'/n), n' the next of --widths",
         "docs/formulas/first_step.md", first_step_of_mup},
        {"first_step_rate_limit", "depth", "that rate at infinite width",
         "with --depths and --optimiser: first_step_rate as n goes to infinity, 1/(1 + L/sqrt(pi)) of sign and adam, "
         "1/(1 + "
         "L/sqrt(2)) "
         "of muon",
         "docs/formulas/first_step.md", first_step_of_mup},
    };
    auto const shared = first_step_quantities();
    out.quantities.insert(out.quantities.end(), shared.begin(), shared.end());
    out.verified = {
        {.asked = "mup 2,3,1", .twins = {{"preactivation_fourth_mean", {"1"}, "'z{1}[1]^4' 2,3,1"}}},
        {.asked = "mup 2,3,3,1 bias_variance=1/2"},
        {.asked = "mup 2,2,2,1 activation=linear data=cos size=3"},
        {.asked = "mup depths=1..2 width_list=4"},
        {.asked = "mup depths=1..2 width_list=4,8 optimiser=muon"},
        {.asked = "mup n,n:L,1"},
        {.asked = "mup 2,3,1 optimiser=muon"},
        {.asked = "mup 2,3:2,1 network=resnet:1 projections optimiser=muon"},
    };
    constexpr char const* in_a_file =
        "its inputs are in a file; mup with `input` and `check` sets it beside sampled networks";
    for (char const* name : {"mup_batch_change_squared", "mup_batch_a", "mup_batch_b", "mup_batch_learning_rate"})
        out.unverified[name] = in_a_file;
    return out;
}

}  // namespace isserlis::quantity
