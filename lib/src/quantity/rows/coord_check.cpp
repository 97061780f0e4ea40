// SPDX-License-Identifier: MIT
#include "quantity/commands.hpp"
#include "quantity/rows/assumptions.hpp"
#include "quantity/rows/first_step.hpp"

namespace isserlis::quantity {
namespace {

constexpr char const* coordinate_law =
    "those of mup, or other variances by --scheme, --variance and --parametrisation; of the outputs, targets of mean "
    "0, "
    "or that of --target-mean, and equal second moments; by strands (docs/strands.md) with random biases, on other "
    "wirings than vanilla and "
    "without ReLU, of any "
    "symmetric law";
constexpr char const* whole_step_law =
    "networks of any wiring without concatenated units, Gaussian weights, of files also of other laws, zero biases, "
    "one fixed input, linear head; whole steps on one sample, targets of random signs and equal sizes";

constexpr char const* samples_law =
    "linear units, Gaussian weights, zero or random biases that the step leaves, linear head, matrices of their own at "
    "both "
    "ends; fixed inputs and targets";

}  // namespace

QuantityRows coord_check_quantities() {
    QuantityRows out{.command = "coord-check"};
    out.quantities = {
        {"preactivation_mean", "l,width", "mean of a pre-activation", "E z_i^l = 0",
         "docs/formulas/coordinate_moments.md", coordinate_law},
        {"preactivation_std", "l,width", "standard deviation of a pre-activation",
         "sqrt(E (z_i^l)^2); of ReLU under muP sqrt(2 |x|^2/n_0), of outputs |x|/sqrt(n_0 n_L)",
         "docs/formulas/coordinate_moments.md", coordinate_law},
        {"preactivation_absolute_mean", "l,width", "mean size of a pre-activation",
         "E |z_i^l| = |x| sqrt(2 v_l/pi) prod_(j<l) sqrt(v_j) E chi_K, K binomial over n_j fair coins",
         "docs/formulas/coordinate_moments.md", coordinate_law},
        {"preactivation_absolute_spread", "l,width", "how a layer's mean size differs by network",
         "standard deviation over networks of the mean of |z_i^l| over the layer's n neurons: sqrt(E z^2 (1/n + (1 - "
         "1/n) "
         "2/pi) - (E |z|)^2)",
         "docs/formulas/coordinate_moments.md", coordinate_law},
        {"change_absolute_mean", "l,width", "mean size of its change by one step",
         "with --check: E |Delta z_i^l|, sampled; of --optimiser sign, adam and muon at one output sum_l eta_l "
         "E|G^l|/|g|, the norm of entries or of Frobenius of the gradient G^l over that by the output",
         "docs/formulas/coordinate_moments.md, docs/formulas/first_step.md", coordinate_law},
        {"unit_rate_exponent", "l,width", "its slope in the width",
         "with --optimiser sign, adam or muon: log(unit_rate(n')/unit_rate(n))/log(n'/n), n' the next of --widths",
         "docs/formulas/first_step.md", first_step_law},
        {"step_change_rms", "step,l,width", "rms change by whole steps",
         "with --steps: sqrt(E (z_i^l(t) - z_i^l(0))^2) after t whole steps; of one step of sgd exact where z is "
         "linear in the weights, as in layer 1, and without gates where it is of second degree, as in layer 2 of a "
         "chain, "
         "else sampled",
         "definition", whole_step_law},
        {"step_change_absolute_mean", "step,l,width", "mean size of that change, sampled",
         "with --steps: E |z_i^l(t) - z_i^l(0)|, sampled", "definition", whole_step_law},
        {"step_updated_rms", "step,l,width", "root mean square after whole steps",
         "with --steps: sqrt(E z_i^l(t)^2), exact where step_change_rms is, else sampled", "definition",
         whole_step_law},
        {"step_second_order", "l,width", "what one whole step adds to change_rms^2 first",
         "with --steps and sgd: -E (dz_i^l g)(g d^2 z_i^l g), g the gradient times the rates: E (Delta z_i^l)^2 of a "
         "whole step is change_rms^2 plus this plus terms of fourth order in the rates; 0 where z is linear in the "
         "weights, as in layer 1",
         "docs/strands.md", whole_step_law},
        {"step_updated_absolute_mean", "step,l,width", "mean size after whole steps, sampled",
         "with --steps: E |z_i^l(t)|, sampled", "definition", whole_step_law},
        {"updated_absolute_mean", "l,width", "mean size after one step, sampled",
         "with --check: E |z_i^l + Delta z_i^l|, sampled", "docs/formulas/coordinate_moments.md", coordinate_law},
        {"change_mean", "l,width", "mean change of a pre-activation by one step",
         "E Delta z_i^l, of the hidden layers by odd moments of lengths; outputs 0, with --target-mean E K y, K the "
         "kernel with the rates; of samples, by --data, hidden layers 0 and the mean of sample_change_mean",
         "docs/formulas/coordinate_moments.md", coordinate_law},
        {"change_std", "l,width", "standard deviation of that change", "sqrt(E (Delta z_i^l)^2 - (E Delta z_i^l)^2)",
         "docs/formulas/coordinate_moments.md", coordinate_law},
        {"change_rms", "l,width", "root mean square of that change", "sqrt(E (Delta z_i^l)^2)",
         "docs/formulas/coordinate_moments.md", coordinate_law},
        {"preactivation_rms", "l,width", "root mean square of a pre-activation",
         "sqrt(E z_i^2), the mean over the neurons of a node", "docs/strands.md", strand_law},
        {"change_a", "l,width", "its mean square, the part of the outputs",
         "on other wirings than vanilla, with biases, and without ReLU: E (sum_mu eta_mu d_mu z_i^l sum_k d_mu f_k "
         "f_k)^2, A of E (Delta z_i^l)^2 = A + B, f the outputs",
         "docs/strands.md", coordinate_law},
        {"change_b", "l,width", "its mean square, the part of the targets",
         "E (sum_mu eta_mu d_mu z_i^l sum_k d_mu f_k y_k)^2, B of E (Delta z_i^l)^2 = A + B", "docs/strands.md",
         coordinate_law},
        {"sample_change_rms", "k,l,width", "rms change at one sample by a step on all",
         "of several samples, by --data or --with: sqrt(E (Delta z_i^l(x_k))^2) of one step on the mean of 1/2 |z - "
         "y|^2 over "
         "them, or over batches; the other rows are means over the samples then",
         "docs/formulas/coordinate_moments.md#several-samples", samples_law},
        {"sample_change_mean", "k,j,width", "mean change of an output at one sample",
         "of several samples, by --data: E Delta z_j(x_k) of output j, the mean over samples l of E K(x_k, x_l) y_lj, "
         "K the "
         "kernel with the rates in it; of a batch as of all",
         "docs/formulas/coordinate_moments.md#several-samples", samples_law},
        {"change_covariance", "l,width", "covariance of a pre-activation and its change", "E z_i^l Delta z_i^l",
         "docs/formulas/coordinate_moments.md", coordinate_law},
        {"updated_mean", "l,width", "mean of a pre-activation after one step",
         "E (z_i^l + Delta z_i^l) = E Delta z_i^l", "docs/formulas/coordinate_moments.md", coordinate_law},
        {"updated_std", "l,width", "its standard deviation after one step",
         "sqrt(E (z_i^l + Delta z_i^l)^2 - (E Delta z_i^l)^2)", "docs/formulas/coordinate_moments.md", coordinate_law},
        {"updated_rms", "l,width", "its root mean square after one step", "sqrt(E (z_i^l + Delta z_i^l)^2)",
         "docs/formulas/coordinate_moments.md", coordinate_law},
    };
    auto const shared = first_step_quantities();
    out.quantities.insert(out.quantities.end(), shared.begin(), shared.end());
    out.verified = {
        {.asked = "coord-check 2,3,1"},
        {.asked = "coord-check 2,3,1 optimiser=muon"},
        {.asked = "coord-check 2,3,1 optimiser=muon parametrisation=ntk"},
        {.asked = "coord-check 2,3,1 activation=linear eta=1/10 steps=1"},
        {.asked = "coord-check 2,n,1 width_list=3,4 optimiser=muon"},
        {.asked = "coord-check 2:3 network=resnet:1"},
        {.asked = "coord-check 2,2,1 activation=linear data=cos size=3"},
        {.asked = "coord-check 2:3 network=resnet:1 optimiser=muon"},
        {.asked = "coord-check 2,3,1 network=densenet optimiser=muon"},
    };
    return out;
}

}  // namespace isserlis::quantity
