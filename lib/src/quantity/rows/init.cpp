// SPDX-License-Identifier: MIT
#include "quantity/commands.hpp"

namespace isserlis::quantity {

QuantityRows init_quantities() {
    QuantityRows out{.command = "init"};
    out.quantities = {
        {"weight_variance", "l", "variance of a weight at initialisation", "the scheme's rule, or --variance",
         "docs/formulas/initialisation.md, by scheme; isserlis list schemes", "none: a definition"},
        {"parameter_variance", "l", "variance of a trained entry, by parametrisation",
         "of w, --parametrisation: constant*n^(-2B), or n^(-2B) with unit parameters", "[Yang 2021]",
         "none: a definition"},
        {"parameter_multiplier", "l", "what multiplies it in the network",
         "W over w, --parametrisation: n^-A, with unit parameters sqrt(constant) n^-A", "[Yang 2021]",
         "none: a definition"},
        {"rate_factor", "l", "its rate over the one rate that is tuned", "rate of w over eta, --parametrisation: n^-C",
         "[Yang 2021]", "none: a definition"},
        {"update_ratio", "l", "relative update size, beside that of layer 1",
         "(E|dP_l|^2/E|P_l|^2) / (E|dP_1|^2/E|P_1|^2) = v_1^2 d_1 d_0/(v_l^2 d_l d_(l-1)); by theta, --scheme ntk, d_1 "
         "d_0/(d_l d_(l-1)); by w of --parametrisation at its rates; with random biases times what they make of "
         "E|h^(l-1)|^2",
         "[Hettinger 2019, Thm 4.6]",
         "independent symmetric weights; constant loss gradients; deep linear network, or crelu with one sample and "
         "|dP|^2 + |dN|^2; crelu with more "
         "samples for l >= 2 only; gated, or with biases: one sample; no "
         "pre-activation with an atom at 0 but above a dead layer, where a gate is on the way"},
        {"chi_mean", "l", "mean length of a vector of standard normals",
         "sqrt(2) Gamma((d_l+1)/2)/Gamma(d_l/2), the mean length of d_l standard normals",
         "[Hettinger 2019, remark after Def 4.8]", "none: a property of the chi distribution"},
        {"output_variance", "", "variance of the output, or of its squared norm",
         "E (1/s) sum_k (x_(n,j)^k)^2 = c^2 (d_0/d_n) prod v_l d_l g2 without biases, whose variances add in each "
         "layer; no g2 at a linear head",
         "[Hettinger 2019, Cor 4.7, Lemma 4.11 corrected]",
         "independent symmetric weights, data standardised to mean square c^2 per feature; Gaussian only given the "
         "layer below"},
        {"output_variance_printed", "", "variance of the output as the thesis prints it",
         "--printed: c^2/sqrt(d_0 d_n), too small by d_0", "[Hettinger 2019, Lemma 4.11]",
         "concatenated ReLU, proportional scheme; wrong, see docs/errata.md"},
    };
    out.verified = {
        {.asked = "init 2,8,2 activation=crelu printed"},
        {.asked = "init 2,3,1 parametrisation=mup"},
        {.asked = "init 2,3,1 bias_variance=1/2"},
    };
    return out;
}

}  // namespace isserlis::quantity
