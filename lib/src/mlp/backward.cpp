// SPDX-License-Identifier: MIT
#include <isserlis/error.hpp>
#include <isserlis/mlp/backward.hpp>
#include <isserlis/mlp/heaviside.hpp>
#include <string>

namespace isserlis::mlp {
namespace {

template <class T>
void require_fitting_pass(Network<T> const& net, Pass<T> const& pass, Vector<T> const& output_gradient) {
    std::size_t const depth = net.layers.size();
    if (depth == 0 || pass.activations.size() != depth || pass.gates.size() != depth)
        throw DomainError("backward: the pass has " + std::to_string(pass.activations.size()) +
                              " layers, the network " + std::to_string(depth) + "; they must agree and be at least 1",
                          "pass");
    for (std::size_t q = 0; q < depth; ++q) {
        Eigen::Index const fan_in = q == 0 ? pass.input.size() : pass.activations[q - 1].size();
        auto const& weights = net.layers[q].weights;
        if (weights.cols() != fan_in || weights.rows() != pass.gates[q].size())
            throw DomainError("backward: layer " + std::to_string(q + 1) + " has another size in the pass", "pass");
    }
    if (output_gradient.size() != pass.gates.back().size())
        throw DomainError("backward: the output gradient has " + std::to_string(output_gradient.size()) +
                              " entries, the output " + std::to_string(pass.gates.back().size()),
                          "output_gradient");
}

}  // namespace

template <class T>
std::vector<Layer<T>> backward(Network<T> const& net, Pass<T> const& pass,
                               std::type_identity_t<Vector<T>> const& output_gradient) {
    require_fitting_pass<T>(net, pass, output_gradient);
    bool const concatenated = net.activation.is_concatenated();
    std::vector<Layer<T>> gradient(net.layers.size());
    Vector<T> by_activation = output_gradient;
    for (std::size_t q = net.layers.size(); q-- > 0;) {
        auto const& [weights, negative] = net.layers[q];
        Vector<T> const& h = q == 0 ? pass.input : pass.activations[q - 1];
        // By W h, the scale of the layer included.
        Vector<T> const delta = net.scale(q + 1) * pass.gates[q].cwiseProduct(by_activation);
        if (concatenated) {
            gradient[q].weights = delta * h.cwiseMax(T(0)).transpose();
            gradient[q].negative = delta * h.cwiseMin(T(0)).transpose();
            Vector<T> const open = h.unaryExpr([](T z) { return heaviside(z); });
            by_activation = open.cwiseProduct(weights.transpose() * delta) +
                            (Vector<T>::Ones(open.size()) - open).cwiseProduct(negative.transpose() * delta);
        } else {
            gradient[q].weights = delta * h.transpose();
            by_activation = weights.transpose() * delta;
        }
    }
    return gradient;
}

template std::vector<Layer<float>> backward(Network<float> const&, Pass<float> const&, Vector<float> const&);
template std::vector<Layer<double>> backward(Network<double> const&, Pass<double> const&, Vector<double> const&);

}  // namespace isserlis::mlp
