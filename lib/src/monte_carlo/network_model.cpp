// SPDX-License-Identifier: MIT
#include <isserlis/monte_carlo/network_model.hpp>

#include <cmath>
#include <isserlis/error.hpp>
#include <isserlis/random/unit_weight.hpp>
#include <string>

namespace isserlis::monte_carlo {
namespace {

void require_size(char const* what, std::size_t given, std::size_t required, char const* because) {
    if (given != required)
        throw DomainError("NetworkModel: " + std::string(what) + " has " + std::to_string(given) + " entries; " +
                              std::to_string(required) + " are required, " + because,
                          what);
}

std::string entry(char const* what, std::size_t index, double value) {
    return "NetworkModel: " + std::string(what) + "[" + std::to_string(index) + "] = " + std::to_string(value);
}

}  // namespace

bool NetworkModel::has_gates(std::size_t layer) const {
    return activation.is_gated() && activation.gate().negative != 1 && (layer < depth() || gated_head);
}

void NetworkModel::validate(bool norms_alone) const {
    if (!bias_variances.empty() && !norms_alone)
        throw UnsupportedError("NetworkModel: of networks with biases the norms alone are sampled", "bias_variances");
    if (has_orthogonal() && !norms_alone)
        throw UnsupportedError("NetworkModel: of networks of orthogonal matrices the norms alone are sampled",
                               "orthogonal");
    if (widths.size() < 2)
        throw DomainError(
            "NetworkModel: " + std::to_string(widths.size()) + " widths; the input and at least one layer are required",
            "widths");
    for (std::size_t q = 0; q < widths.size(); ++q)
        if (widths[q] == 0)
            throw DomainError(
                "NetworkModel: widths[" + std::to_string(q) + "] = 0; every layer needs at least 1 neuron", "widths");
    require_size("laws", laws.size(), depth(), "one for each weight layer");
    require_size("variances", variances.size(), depth(), "one for each weight layer");
    if (!scales.empty()) require_size("scales", scales.size(), depth(), "one for each weight layer, or none");
    if (!bias_variances.empty())
        require_size("bias_variances", bias_variances.size(), depth(), "one for each weight layer, or none");
    for (std::size_t q = 0; q < bias_variances.size(); ++q)
        if (!(bias_variances[q] >= 0) || !std::isfinite(bias_variances[q]))
            throw DomainError(entry("bias_variances", q, bias_variances[q]) + "; a variance is finite and at least 0",
                              "bias_variances");
    if (!orthogonal.empty())
        require_size("orthogonal", orthogonal.size(), depth(), "one for each weight layer, or none");
    for (std::size_t q = 1; q <= depth(); ++q)
        if (is_orthogonal(q) && laws[q - 1].kind != LawKind::gaussian)
            throw DomainError("NetworkModel: orthogonal matrices have the law gaussian beside them, not " +
                                  std::string(name(laws[q - 1].kind)),
                              "laws");
    require_size("input", input.size(), widths.front(), "the width of the input");
    for (std::size_t q = 0; q < depth(); ++q) {
        if (!(variances[q] > 0) || !std::isfinite(variances[q]))
            throw DomainError(entry("variances", q, variances[q]) + "; a variance is positive and finite", "variances");
        if (!(scale(q + 1) > 0) || !std::isfinite(scale(q + 1)))
            throw DomainError(entry("scales", q, scale(q + 1)) + "; a scale is positive and finite", "scales");
        if (!(laws[q].kurtosis() >= 1) || !std::isfinite(laws[q].kurtosis()))
            throw DomainError(entry("laws", q, laws[q].kurtosis()) + "; a kurtosis is finite and at least 1", "laws");
    }
    for (std::size_t i = 0; i < input.size(); ++i)
        if (!std::isfinite(input[i])) throw DomainError(entry("input", i, input[i]) + "; it must be finite", "input");
    if (!std::isfinite(activation.gate().negative))
        throw DomainError("NetworkModel: slope = " + std::to_string(activation.slope) + "; it must be finite", "slope");
}

void require_doubles(Precision precision, char const* what) {
    if (precision == Precision::float64) return;
    throw UnsupportedError(std::string("`precision` float: ") + what + " is sampled in double; leave it out",
                           "precision");
}

namespace {

void refuse_ties(NetworkModel const& model, std::string const& way_out, std::string const& parameter) {
    for (std::size_t q = 1; q <= model.depth(); ++q)
        if (model.has_gates(q) && has_atoms(model.laws[q - 1]))
            throw UnsupportedError("layer " + std::to_string(q) + " has law " + name(model.laws[q - 1].kind) +
                                       " and a " + name(model.activation.kind) +
                                       " gate, so a pre-activation can be exactly 0; " + way_out,
                                   parameter);
}

}  // namespace

void NetworkModel::require_decided_ties() const {
    if (ties == TieRule::refuse)
        refuse_ties(*this, "decide such ties with `ties` fair-coin or take a law with a density", "ties");
}

void NetworkModel::require_no_ties() const {
    refuse_ties(*this, "steps are sampled with laws that have a density", "laws");
}

}  // namespace isserlis::monte_carlo
