// SPDX-License-Identifier: MIT
#include <isserlis/mlp/hessian_product.hpp>

#include <algorithm>
#include <cmath>
#include <isserlis/error.hpp>
#include <isserlis/mlp/matrix_vector.hpp>
#include <string>

namespace isserlis::mlp {
namespace {

using Index = Eigen::Index;

/// The roots of the factors, node by node from 1.
std::vector<double> roots_of(Architecture const& architecture, std::vector<double> const& factors) {
    std::size_t const nodes = architecture.traits().size() - 1;
    if (!factors.empty() && factors.size() != nodes)
        throw DomainError("LossHessian: " + std::to_string(factors.size()) + " label_factors for a network of " +
                              std::to_string(nodes) + " nodes besides the input; give one for each, or none",
                          "label_factors");
    std::vector<double> out(nodes, 1);
    for (std::size_t v = 0; v < factors.size(); ++v) {
        if (!(factors[v] >= 0) || !std::isfinite(factors[v]))
            throw DomainError(
                "LossHessian: label_factors = " + std::to_string(factors[v]) + "; a finite number of at least 0",
                "label_factors");
        out[v] = std::sqrt(factors[v]);
    }
    return out;
}

void require_parameters(Architecture const& architecture, std::span<double const> parameters) {
    if (parameters.size() != architecture.parameters())
        throw DomainError("LossHessian: " + std::to_string(parameters.size()) + " values for " +
                              std::to_string(architecture.parameters()) + " parameters",
                          "parameters");
}

void require_plain_chain(Architecture const& architecture) {
    auto const& wiring = architecture.wiring();
    bool plain = !wiring.concatenated() && architecture.ranges().size() == wiring.edges().size() &&
                 architecture.traits().back().unit.kind == UnitKind::identity && !architecture.has_dropout();
    for (std::size_t v = 1; plain && v < wiring.nodes().size(); ++v) {
        auto const& traits = architecture.traits()[v];
        auto const& incoming = wiring.nodes()[v].incoming;
        bool const piecewise = traits.unit.kind == UnitKind::identity || traits.unit.kind == UnitKind::relu ||
                               traits.unit.kind == UnitKind::leaky;
        plain = piecewise && !traits.softmax && incoming.size() == 1 && wiring.edges()[incoming[0]].from + 1 == v;
    }
    if (!plain)
        throw DomainError(
            "RangeHessian: a chain of relu, leaky or linear units without biases and a linear head is required",
            "architecture");
}

}  // namespace

LossHessian::LossHessian(Architecture const& architecture, Objective objective, Examples<double> const& examples,
                         std::span<double const> parameters, std::vector<double> const& factors, unsigned threads)
    : loss_(architecture, objective, threads), examples_(&examples), parameters_(parameters) {
    require_parameters(architecture, parameters);
    auto const by_node = roots_of(architecture, factors);
    for (auto const& range : architecture.ranges())
        if (double const root = by_node[range.node - 1]; root != 1) scaled_.push_back({range.first, range.size, root});
    if (!scaled_.empty()) direction_.resize(parameters.size());
}

void LossHessian::apply(double const* direction, double* out) {
    std::size_t const size = parameters_.size();
    auto const scale = [&](double* x) {
        for (auto const& [first, count, root] : scaled_)
            std::for_each(x + first, x + first + count, [factor = root](double& entry) { entry *= factor; });
    };
    if (!scaled_.empty()) {
        std::copy_n(direction, size, direction_.begin());
        scale(direction_.data());
        direction = direction_.data();
    }
    loss_.hessian_product(parameters_, *examples_, {direction, size}, {out, size});
    scale(out);
}

SymmetricOperator LossHessian::as_operator() {
    return {.size = static_cast<Index>(parameters_.size()),
            .apply = [this](double const* in, double* out) { apply(in, out); }};
}

RangeHessian::RangeHessian(Architecture const& architecture, Examples<double> const& examples,
                           std::span<double const> parameters, std::vector<double> const& factors) {
    require_plain_chain(architecture);
    require_parameters(architecture, parameters);
    auto const roots = roots_of(architecture, factors);
    BatchPass<double> pass(architecture);
    auto const& outputs = pass.forward(parameters, examples.inputs);
    if (outputs.cols() != 1 || examples.targets.rows() != outputs.rows() || examples.targets.cols() != 1)
        throw DomainError("RangeHessian: one sample with " + std::to_string(outputs.rows()) + " targets is required",
                          "examples");
    pass.backward(outputs - examples.targets, {});
    for (auto const& edge : architecture.wiring().edges()) {
        Vector<double> const below = pass.activations(edge.from).col(0);
        Vector<double> const slope = pass.gradients_by_sums(edge.to).col(0);
        sides_.push_back({.weights = parameters.data() + edge.first,
                          .fan_out = static_cast<std::size_t>(slope.size()),
                          .fan_in = static_cast<std::size_t>(below.size()),
                          .factor = edge.scale * roots[edge.to - 1],
                          .scale = edge.scale,
                          .below = below.normalized(),
                          .slope = slope,
                          .above = slope.normalized(),
                          .below_norm = below.norm(),
                          .above_norm = slope.norm(),
                          .gates = pass.slopes(edge.to).col(0)});
        size_ += sides_.back().fan_out + (edge.from > 0 ? sides_.back().fan_in : 0);
    }
}

void RangeHessian::apply(double const* coordinates, double* out) const {
    std::size_t const depth = sides_.size();
    std::vector<Vector<double>> along_below(depth);  // u, and v without its part along h
    std::vector<Vector<double>> along_above(depth);
    std::vector<Vector<double>> activation_moves(depth);
    Vector<double> product;
    for (std::size_t l = 0; l < depth; ++l) {
        auto const& side = sides_[l];
        auto const rows = static_cast<Index>(side.fan_out);
        along_below[l] = Eigen::Map<Vector<double> const>(coordinates, rows);
        coordinates += rows;
        activation_moves[l] = side.factor * side.below_norm * along_below[l];
        if (l > 0) {
            auto const cols = static_cast<Index>(side.fan_in);
            along_above[l] = Eigen::Map<Vector<double> const>(coordinates, cols);
            coordinates += cols;
            along_above[l] -= along_above[l].dot(side.below) * side.below;
            product.resize(rows);
            multiply_vector(side.fan_out, side.fan_in, side.weights, activation_moves[l - 1].data(), product.data());
            activation_moves[l] += side.scale * product;
        }
        activation_moves[l].array() *= side.gates.array();
    }
    Vector<double> slope_move = activation_moves.back();  // the head is linear
    out += size_;
    for (std::size_t l = depth; l-- > 0;) {
        auto const& side = sides_[l];
        auto const rows = static_cast<Index>(side.fan_out);
        auto const cols = static_cast<Index>(side.fan_in);
        Vector<double> image = side.below_norm * slope_move;
        if (l > 0) {
            auto const& moved = activation_moves[l - 1];
            double const share = moved.dot(side.below);
            image += share * side.slope;
            out -= cols;
            Eigen::Map<Vector<double>>(out, cols) = side.factor * side.above_norm * (moved - share * side.below);
        }
        out -= rows;
        Eigen::Map<Vector<double>>(out, rows) = side.factor * image;
        if (l == 0) break;
        product.resize(cols);
        multiply_vector_transposed(side.fan_out, side.fan_in, side.weights, slope_move.data(), product.data());
        product *= side.scale;
        product += side.factor * (along_below[l].dot(side.slope) * side.below + side.above_norm * along_above[l]);
        slope_move = sides_[l - 1].gates.cwiseProduct(product);
    }
}

}  // namespace isserlis::mlp
