// SPDX-License-Identifier: MIT
#include <cmath>
#include <isserlis/error.hpp>
#include <isserlis/mlp/hessian_product.hpp>
#include <isserlis/mlp/matrix_vector.hpp>
#include <string>
#include <utility>

namespace isserlis::mlp {
namespace {

std::size_t length(Eigen::Index n) { return static_cast<std::size_t>(n); }

}  // namespace

LossHessian::LossHessian(Network<double> net, Vector<double> const& input, Vector<double> const& target,
                         std::vector<double> const& factors)
    : net_(std::move(net)), pass_(forward(net_, input)) {
    std::size_t const depth = net_.layers.size();
    if (net_.activation.is_concatenated() || net_.gated_head)
        throw DomainError("LossHessian: relu, leaky or linear units and a linear head are required", "activation");
    if (factors.size() != depth || target.size() != pass_.preactivations.back().size()) {
        throw DomainError("LossHessian: " + std::to_string(factors.size()) + " factors and " +
                              std::to_string(target.size()) + " targets for " + std::to_string(depth) + " layers and " +
                              std::to_string(pass_.preactivations.back().size()) + " outputs",
                          "factors");
    }
    for (double const h : factors) {
        if (!(h >= 0)) throw DomainError("LossHessian: a factor is at least 0", "factors");
        roots_.push_back(std::sqrt(h));
    }
    for (auto const& layer : net_.layers) weights_ += layer.weights.size();
    slopes_.resize(depth);
    slopes_.back() = pass_.preactivations.back() - target;
    for (std::size_t l = depth - 1; l-- > 0;)
        slopes_[l] =
            pass_.gates[l].cwiseProduct(net_.scale(l + 2) * (net_.layers[l + 1].weights.transpose() * slopes_[l + 1]));
    for (std::size_t l = 0; l < depth; ++l) {
        auto const& w = net_.layers[l].weights;
        range_size_ += w.rows() + (l > 0 ? w.cols() : 0);
        sides_.push_back({.below = below(l).normalized(),
                          .above = slopes_[l].normalized(),
                          .below_norm = below(l).norm(),
                          .above_norm = slopes_[l].norm()});
    }
}

void LossHessian::apply(double const* direction, double* out) const {
    std::size_t const depth = net_.layers.size();
    using View = Eigen::Map<Matrix<double> const>;
    std::vector<View> moves;
    for (std::size_t l = 0; l < depth; ++l) {
        auto const& w = net_.layers[l].weights;
        moves.emplace_back(direction, w.rows(), w.cols());
        direction += w.size();
    }
    // How the activations move along the direction, then how the slopes do.
    std::vector<Vector<double>> activation_moves(depth);
    for (std::size_t l = 0; l < depth; ++l) {
        Vector<double> z = roots_[l] * (moves[l] * below(l));
        if (l > 0) z.noalias() += net_.layers[l].weights * activation_moves[l - 1];
        z *= net_.scale(l + 1);
        activation_moves[l] = pass_.gates[l].cwiseProduct(z);
    }
    Vector<double> slope_move = activation_moves.back();  // the head is linear
    out += weights_;
    for (std::size_t l = depth; l-- > 0;) {
        auto const& w = net_.layers[l].weights;
        out -= w.size();
        Eigen::Map<Matrix<double>> row(out, w.rows(), w.cols());
        row.noalias() = slope_move * below(l).transpose();
        if (l > 0) row.noalias() += slopes_[l] * activation_moves[l - 1].transpose();
        row *= net_.scale(l + 1) * roots_[l];
        if (l == 0) break;
        Vector<double> moved = w.transpose() * slope_move + roots_[l] * (moves[l].transpose() * slopes_[l]);
        slope_move = pass_.gates[l - 1].cwiseProduct(net_.scale(l + 1) * moved);
    }
}

void LossHessian::apply_in_range(double const* coordinates, double* out) const {
    std::size_t const depth = net_.layers.size();
    std::vector<Vector<double>> along_below(depth);  // u, and v without its part along h
    std::vector<Vector<double>> along_above(depth);
    std::vector<Vector<double>> activation_moves(depth);
    Vector<double> product;
    for (std::size_t l = 0; l < depth; ++l) {
        auto const& w = net_.layers[l].weights;
        auto const& sides = sides_[l];
        along_below[l] = Eigen::Map<Vector<double> const>(coordinates, w.rows());
        coordinates += w.rows();
        Vector<double> z = roots_[l] * sides.below_norm * along_below[l];
        if (l > 0) {
            along_above[l] = Eigen::Map<Vector<double> const>(coordinates, w.cols());
            coordinates += w.cols();
            along_above[l] -= along_above[l].dot(sides.below) * sides.below;
            product.resize(w.rows());
            multiply_vector(length(w.rows()), length(w.cols()), w.data(), activation_moves[l - 1].data(),
                            product.data());
            z += product;
        }
        z *= net_.scale(l + 1);
        activation_moves[l] = pass_.gates[l].cwiseProduct(z);
    }
    Vector<double> slope_move = activation_moves.back();  // the head is linear
    out += range_size_;
    for (std::size_t l = depth; l-- > 0;) {
        auto const& w = net_.layers[l].weights;
        auto const& sides = sides_[l];
        double const factor = net_.scale(l + 1) * roots_[l];
        Vector<double> image = sides.below_norm * slope_move;
        if (l > 0) {
            auto const& moved = activation_moves[l - 1];
            double const share = moved.dot(sides.below);
            image += share * slopes_[l];
            out -= w.cols();
            Eigen::Map<Vector<double>>(out, w.cols()) = factor * sides.above_norm * (moved - share * sides.below);
        }
        out -= w.rows();
        Eigen::Map<Vector<double>>(out, w.rows()) = factor * image;
        if (l == 0) break;
        product.resize(w.cols());
        multiply_vector_transposed(length(w.rows()), length(w.cols()), w.data(), slope_move.data(), product.data());
        product += roots_[l] * (along_below[l].dot(slopes_[l]) * sides.below + sides.above_norm * along_above[l]);
        slope_move = pass_.gates[l - 1].cwiseProduct(net_.scale(l + 1) * product);
    }
}

}  // namespace isserlis::mlp
