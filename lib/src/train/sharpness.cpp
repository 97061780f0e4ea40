// SPDX-License-Identifier: MIT
#include <cmath>
#include <isserlis/error.hpp>
#include <isserlis/train/sharpness.hpp>
#include <string>

namespace isserlis::train {
namespace {

/// The roots of the factors, parameter by parameter.
std::vector<double> factor_roots(mlp::Architecture const& architecture, std::vector<double> const& factors) {
    std::size_t const nodes = architecture.traits().size() - 1;
    if (!factors.empty() && factors.size() != nodes)
        throw DomainError("sharpness: " + std::to_string(factors.size()) + " label_factors for a network of " +
                              std::to_string(nodes) + " nodes besides the input; give one for each, or none",
                          "label_factors");
    for (double const f : factors)
        if (!(f >= 0) || !std::isfinite(f))
            throw DomainError("sharpness: label_factors = " + std::to_string(f) + "; a finite number of at least 0",
                              "label_factors");
    std::vector<double> out(architecture.parameters(), 1);
    if (factors.empty()) return out;
    for (auto const& range : architecture.ranges())
        for (std::size_t i = range.first; i < range.first + range.size; ++i)
            out[i] = std::sqrt(factors[range.node - 1]);
    return out;
}

}  // namespace

std::optional<double> Sharpness::stable_rate() const {
    if (!(top.value > 0)) return std::nullopt;
    return 2 / top.value;
}

void require_sharpness(mlp::Architecture const& architecture) {
    for (std::size_t v = 0; v < architecture.traits().size(); ++v) {
        auto const& traits = architecture.traits()[v];
        std::string const node = printable(architecture.wiring().nodes()[v].name);
        if (traits.batch_norm)
            throw UnsupportedError(
                "sharpness: node " + node + " has batch norm; Hessians through batch norm in training are not served",
                "architecture");
        if (traits.keep < 1)
            throw UnsupportedError(
                "sharpness: node " + node + " has dropout; Hessians of a random training loss are not served",
                "architecture");
        if (traits.unit.kind == mlp::UnitKind::step)
            throw UnsupportedError("sharpness: node " + node + " has step units, which have no derivative",
                                   "architecture");
    }
}

Sharpness sharpness(mlp::Architecture const& architecture, mlp::Objective objective,
                    mlp::Examples<double> const& examples, std::span<double const> parameters,
                    std::vector<double> const& label_factors, unsigned threads) {
    require_sharpness(architecture);
    if (parameters.size() != architecture.parameters())
        throw DomainError("sharpness: " + std::to_string(parameters.size()) + " values for " +
                              std::to_string(architecture.parameters()) + " parameters",
                          "parameters");
    auto const roots = factor_roots(architecture, label_factors);
    mlp::DataLoss<double> loss(architecture, objective, threads);
    std::vector<double> direction(parameters.size());
    mlp::SymmetricOperator const hessian{.size = static_cast<Eigen::Index>(parameters.size()),
                                         .apply = [&](double const* in, double* out) {
                                             for (std::size_t i = 0; i < direction.size(); ++i)
                                                 direction[i] = roots[i] * in[i];
                                             std::span<double> const product(out, direction.size());
                                             loss.hessian_product(parameters, examples, direction, product);
                                             for (std::size_t i = 0; i < direction.size(); ++i) product[i] *= roots[i];
                                         }};
    Sharpness out;
    out.modulus = mlp::largest_by_modulus(hessian);
    out.top = mlp::largest_by_value(hessian, out.modulus);
    return out;
}

}  // namespace isserlis::train
