// SPDX-License-Identifier: MIT
#include <cmath>
#include <isserlis/error.hpp>
#include <isserlis/mlp/network.hpp>
#include <string>
#include <utility>

#include "activated.hpp"

namespace isserlis::mlp {
namespace {

std::string shape(auto const& matrix) { return std::to_string(matrix.rows()) + " x " + std::to_string(matrix.cols()); }

template <class T>
void require_matching_sizes(Network<T> const& net, Vector<T> const& x) {
    if (net.layers.empty()) throw DomainError("forward: the network has no layers; at least 1 is needed", "layers");
    if (!net.scales.empty() && net.scales.size() != net.layers.size())
        throw DomainError("forward: " + std::to_string(net.scales.size()) + " scales for " +
                              std::to_string(net.layers.size()) + " layers; give one for each, or none",
                          "scales");
    Eigen::Index fan_in = x.size();
    for (std::size_t q = 0; q < net.layers.size(); ++q) {
        auto const& [weights, negative] = net.layers[q];
        std::string const layer = "forward: layer " + std::to_string(q + 1);
        if (weights.cols() != fan_in)
            throw DomainError(layer + " is " + shape(weights) + " but gets " + std::to_string(fan_in) + " inputs",
                              "layers");
        if (net.activation.is_concatenated() && (negative.rows() != weights.rows() || negative.cols() != fan_in))
            throw DomainError(layer + " has P " + shape(weights) + " but N " + shape(negative) + "; they must agree",
                              "layers");
        fan_in = weights.rows();
    }
}

template <class T>
void decide_ties(Vector<T> const& magnitude, T slope, TieBreak<T> const& ties, Vector<T>& z, Vector<T>& gates) {
    for (Eigen::Index i = 0; i < z.size(); ++i) {
        if (std::abs(z[i]) > ties.tolerance * magnitude[i]) continue;
        z[i] = T(0);
        gates[i] = ties.open() ? T(1) : slope;
    }
}

template <class T>
Pass<T> pass(Network<T> const& net, Vector<T> const& x, TieBreak<T> const* ties) {
    require_matching_sizes(net, x);
    bool const concatenated = net.activation.is_concatenated();
    Pass<T> out{.input = x, .preactivations = {}, .activations = {}, .gates = {}};
    for (std::size_t q = 0; q < net.layers.size(); ++q) {
        auto const& [weights, negative] = net.layers[q];
        Vector<T> const& h = q == 0 ? out.input : out.activations.back();
        Vector<T> const positive_part = concatenated ? Vector<T>(h.cwiseMax(T(0))) : h;
        Vector<T> z = weights * positive_part;
        if (concatenated) z += negative * h.cwiseMin(T(0));
        z *= net.scale(q + 1);

        bool const gated = net.activation.is_gated() && (q + 1 < net.layers.size() || net.gated_head);
        T const slope = gated ? net.activation.gate_slope() : T(1);
        Vector<T> gates = z.unaryExpr([slope](T value) { return value > T(0) ? T(1) : slope; });
        if (ties != nullptr) {
            Vector<T> magnitude = weights.cwiseAbs() * positive_part.cwiseAbs();
            if (concatenated) magnitude += negative.cwiseAbs() * (-h).cwiseMax(T(0));
            magnitude *= net.scale(q + 1);
            decide_ties<T>(magnitude, slope, *ties, z, gates);
        }
        out.activations.emplace_back(gates.binaryExpr(z, [](T gate, T value) { return activated(gate, value); }));
        out.preactivations.push_back(std::move(z));
        out.gates.push_back(std::move(gates));
    }
    return out;
}

}  // namespace

template <class T>
Pass<T> forward(Network<T> const& net, std::type_identity_t<Vector<T>> const& x) {
    return pass<T>(net, x, nullptr);
}

template <class T>
Pass<T> forward(Network<T> const& net, std::type_identity_t<Vector<T>> const& x, TieBreak<T> const& ties) {
    return pass<T>(net, x, &ties);
}

template Pass<float> forward(Network<float> const&, Vector<float> const&);
template Pass<double> forward(Network<double> const&, Vector<double> const&);
template Pass<float> forward(Network<float> const&, Vector<float> const&, TieBreak<float> const&);
template Pass<double> forward(Network<double> const&, Vector<double> const&, TieBreak<double> const&);

}  // namespace isserlis::mlp
