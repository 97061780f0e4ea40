// SPDX-License-Identifier: MIT
#include <isserlis/train/sharpness.hpp>

#include <isserlis/error.hpp>
#include <isserlis/mlp/hessian_product.hpp>
#include <string>

namespace isserlis::train {
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
    mlp::LossHessian hessian(architecture, objective, examples, parameters, label_factors, threads);
    auto const product = hessian.as_operator();
    Sharpness out;
    out.modulus = mlp::largest_by_modulus(product);
    out.top = mlp::largest_by_value(product, out.modulus);
    return out;
}

}  // namespace isserlis::train
