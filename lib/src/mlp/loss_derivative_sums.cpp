// SPDX-License-Identifier: MIT
#include <isserlis/mlp/loss_derivative_sums.hpp>

#include <isserlis/error.hpp>
#include <isserlis/mlp/batch_pass.hpp>
#include <isserlis/mlp/heaviside.hpp>
#include <string>
#include <utility>

namespace isserlis::mlp {

using Index = Eigen::Index;

LossDerivativeSums::LossDerivativeSums(Network<double> const& net, Matrix<double> const& inputs, GivenDerivatives given)
    : concatenated_(net.activation.is_concatenated()), inputs_(inputs), given_(std::move(given)) {
    if (net.activation.is_gated())
        throw UnsupportedError(std::string("LossDerivativeSums: the sums of Definition 4.13 are written for "
                                           "concatenated ReLU and linear networks, not for ") +
                                   name(net.activation.kind) + "; use loss_derivatives",
                               "activation");
    if (!net.scales.empty())
        throw UnsupportedError(
            "LossDerivativeSums: Definition 4.13 differentiates by the weights themselves, without "
            "scales; use loss_derivatives",
            "scales");
    // Checks every size.
    static_cast<void>(loss_derivatives(net, inputs, given_));
    std::size_t const depth = net.layers.size();
    effective_.resize(depth);
    layer_inputs_.assign(depth, {});
    open_.assign(depth, {});
    for (std::size_t i = 0; i < depth; ++i) open_[i].setOnes(net.layers[i].weights.cols(), inputs.cols());
    auto const chain = architecture_of(net);
    auto const parameters = parameters_of(net);
    BatchPass<double> pass(chain);
    pass.forward(parameters, inputs);
    for (std::size_t i = 0; i < depth; ++i) {
        auto const& [positive, negative] = net.layers[i];
        layer_inputs_[i] = pass.activations(i);
        for (Index k = 0; k < inputs.cols(); ++k) {
            if (!concatenated_) {
                effective_[i].push_back(positive);
                continue;
            }
            Vector<double> const right = layer_inputs_[i].col(k).unaryExpr([](double z) { return heaviside(z); });
            open_[i].col(k) = right;
            Vector<double> const left = Vector<double>::Ones(right.size()) - right;
            effective_[i].emplace_back(positive * right.asDiagonal());
            effective_[i].back() += negative * left.asDiagonal();
        }
    }
    reached_.resize(depth);
    for (std::size_t i = 1; i <= depth; ++i)
        for (Index k = 0; k < inputs.cols(); ++k)
            reached_[i - 1].emplace_back(product(depth, i + 1, k).transpose() * given_.gradients.col(k));
}

Matrix<double> LossDerivativeSums::product(std::size_t a, std::size_t b, Index k) const {
    // W_(a,b) for a = b - 1 is the identity of size d_a, the width that W_(a+1) takes in or the output's.
    Index const size = b <= effective_.size() ? layer_inputs_[b - 1].rows() : given_.gradients.rows();
    Matrix<double> out = Matrix<double>::Identity(size, size);
    for (std::size_t i = b; i <= a; ++i) out = effective_[i - 1][static_cast<std::size_t>(k)] * out;
    return out;
}

Vector<double> LossDerivativeSums::shared_sides(std::size_t i, Index k, Index l) const {
    auto const right_k = open_[i - 1].col(k).array();
    auto const right_l = open_[i - 1].col(l).array();
    return right_l * right_k + (1 - right_l) * (1 - right_k);
}

double LossDerivativeSums::alpha(std::size_t i, Index k, Index l) const {
    auto const& x = layer_inputs_[i - 1];
    return x.col(l).dot(shared_sides(i, k, l).asDiagonal() * x.col(k));
}

double LossDerivativeSums::omega(std::size_t i, Index k, Index l) const {
    auto const& reached = reached_[i - 1];
    return reached[static_cast<std::size_t>(k)].dot(reached[static_cast<std::size_t>(l)]);
}

double LossDerivativeSums::gamma(std::size_t i, std::size_t j, Index k, Index l, Index m) const {
    Vector<double> const sent = product(i - 1, j + 1, k) * reached_[j - 1][static_cast<std::size_t>(m)];
    return layer_inputs_[i - 1].col(l).dot(shared_sides(i, k, l).asDiagonal() * sent);
}

double LossDerivativeSums::chi(std::size_t i, std::size_t j, Index k, Index l, Index m) const {
    std::size_t const n = effective_.size();
    Vector<double> const by_j = product(n, j + 1, k) * reached_[j - 1][static_cast<std::size_t>(m)];
    Vector<double> const by_i = product(n, i + 1, k) * reached_[i - 1][static_cast<std::size_t>(l)];
    return by_j.dot(given_.hessians[static_cast<std::size_t>(k)] * by_i);
}

double LossDerivativeSums::slope() const {
    Index const s = inputs_.cols();
    double sum = 0;
    for (std::size_t i = 1; i <= effective_.size(); ++i)
        for (Index k = 0; k < s; ++k)
            for (Index l = 0; l < s; ++l) sum += alpha(i, k, l) * omega(i, k, l);
    return -sum / static_cast<double>(s * s);
}

double LossDerivativeSums::curvature_gamma() const {
    Index const s = inputs_.cols();
    double sum = 0;
    for (std::size_t i = 1; i <= effective_.size(); ++i)
        for (std::size_t j = 1; j < i; ++j)
            for (Index k = 0; k < s; ++k)
                for (Index l = 0; l < s; ++l)
                    for (Index m = 0; m < s; ++m) sum += alpha(j, k, m) * gamma(i, j, k, l, m) * omega(i, k, l);
    return 2 * sum / static_cast<double>(s * s * s);
}

double LossDerivativeSums::curvature_chi() const {
    Index const s = inputs_.cols();
    double sum = 0;
    for (std::size_t i = 1; i <= effective_.size(); ++i)
        for (std::size_t j = 1; j <= effective_.size(); ++j)
            for (Index k = 0; k < s; ++k)
                for (Index l = 0; l < s; ++l)
                    for (Index m = 0; m < s; ++m) sum += alpha(j, k, m) * chi(i, j, k, l, m) * alpha(i, k, l);
    return sum / static_cast<double>(s * s * s);
}

Layer<double> LossDerivativeSums::gradient(std::size_t i, Index k) const {
    std::size_t const n = effective_.size();
    Matrix<double> const outer = product(n, i + 1, k).transpose() * given_.gradients.col(k) *
                                 inputs_.col(k).transpose() * product(i - 1, 1, k).transpose();
    if (!concatenated_) return {.weights = outer, .negative = {}};
    Vector<double> const right = open_[i - 1].col(k);
    Vector<double> const left = Vector<double>::Ones(right.size()) - right;
    return {.weights = outer * right.asDiagonal(), .negative = outer * left.asDiagonal()};
}

}  // namespace isserlis::mlp
