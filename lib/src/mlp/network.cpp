// SPDX-License-Identifier: MIT
#include <isserlis/mlp/network.hpp>

#include <isserlis/error.hpp>
#include <isserlis/mlp/batch_pass.hpp>
#include <string>
#include <utility>

namespace isserlis::mlp {
namespace {

std::string shape(auto const& matrix) { return std::to_string(matrix.rows()) + " x " + std::to_string(matrix.cols()); }

template <class T>
void require_matching_sizes(Network<T> const& net, Eigen::Index fan_in) {
    if (!net.scales.empty() && net.scales.size() != net.layers.size())
        throw DomainError("forward: " + std::to_string(net.scales.size()) + " scales for " +
                              std::to_string(net.layers.size()) + " layers; give one for each, or none",
                          "scales");
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

/// A network on its layout, passed at one sample.
template <class T>
class Passed {
public:
    Passed(Network<T> const& net, Vector<T> const& x, TieBreak<T> const* ties)
        : chain_(architecture_of(net)), parameters_(parameters_of(net)), pass_(chain_) {
        require_matching_sizes(net, x.size());
        pass_.forward(parameters_, Matrix<T>(x), {.moments = nullptr, .dropout = {}, .ties = ties});
    }
    [[nodiscard]] BatchPass<T>& operator*() { return pass_; }
    BatchPass<T>* operator->() { return &pass_; }

private:
    Architecture chain_;
    std::vector<T> parameters_;
    BatchPass<T> pass_;
};

template <class T>
Pass<T> values(Network<T> const& net, Vector<T> const& x, TieBreak<T> const* ties) {
    Passed<T> at(net, x, ties);
    Pass<T> out{.input = x, .preactivations = {}, .activations = {}, .gates = {}};
    for (std::size_t q = 1; q <= net.layers.size(); ++q) {
        out.preactivations.emplace_back(at->preactivations(q).col(0));
        out.activations.emplace_back(at->activations(q).col(0));
        out.gates.emplace_back(at->slopes(q).col(0));
    }
    return out;
}

}  // namespace

template <class T>
Unit unit_of(Activation<T> const& activation) {
    switch (activation.kind) {
        case ActivationKind::linear: return {};
        case ActivationKind::relu: return {.kind = UnitKind::relu};
        case ActivationKind::leaky: return {.kind = UnitKind::leaky, .slope = static_cast<double>(activation.slope)};
        case ActivationKind::crelu:
        case ActivationKind::crelu_tied: return {.kind = UnitKind::crelu};
    }
    return {};
}

template <class T>
Architecture architecture_of(Network<T> const& net) {
    if (net.layers.empty()) throw DomainError("forward: the network has no layers; at least 1 is needed", "layers");
    Eigen::Index const fan_in = net.layers.front().weights.cols();
    require_matching_sizes(net, fan_in);
    std::vector<std::size_t> widths{static_cast<std::size_t>(fan_in)};
    for (auto const& layer : net.layers) widths.push_back(static_cast<std::size_t>(layer.weights.rows()));
    Unit const hidden = unit_of(net.activation);
    return perceptron(widths, hidden, net.gated_head ? hidden : Unit{}, false, {net.scales.begin(), net.scales.end()});
}

template <class T>
std::vector<T> parameters_of(Network<T> const& net) {
    std::vector<T> out;
    for (auto const& [weights, negative] : net.layers) {
        out.insert(out.end(), weights.data(), weights.data() + weights.size());
        if (net.activation.is_concatenated()) out.insert(out.end(), negative.data(), negative.data() + negative.size());
    }
    return out;
}

template <class T>
Pass<T> forward(Network<T> const& net, std::type_identity_t<Vector<T>> const& x) {
    return values<T>(net, x, nullptr);
}

template <class T>
Pass<T> forward(Network<T> const& net, std::type_identity_t<Vector<T>> const& x, TieBreak<T> const& ties) {
    return values<T>(net, x, &ties);
}

template <class T>
std::vector<Layer<T>> backward(Network<T> const& net, std::type_identity_t<Vector<T>> const& x,
                               std::type_identity_t<Vector<T>> const& output_gradient) {
    Passed<T> at(net, x, nullptr);
    std::vector<T> flat((*at).architecture().parameters());
    at->backward(Matrix<T>(output_gradient), flat);
    std::vector<Layer<T>> out;
    T const* from = flat.data();
    auto const take = [&from](Matrix<T> const& like) {
        Matrix<T> const taken = Eigen::Map<Matrix<T> const>(from, like.rows(), like.cols());
        from += like.size();
        return taken;
    };
    for (auto const& [weights, negative] : net.layers) {
        auto& layer = out.emplace_back();
        layer.weights = take(weights);
        if (net.activation.is_concatenated()) layer.negative = take(negative);
    }
    return out;
}

template Unit unit_of(Activation<float> const&);
template Unit unit_of(Activation<double> const&);
template Architecture architecture_of(Network<float> const&);
template Architecture architecture_of(Network<double> const&);
template std::vector<float> parameters_of(Network<float> const&);
template std::vector<double> parameters_of(Network<double> const&);
template Pass<float> forward(Network<float> const&, Vector<float> const&);
template Pass<double> forward(Network<double> const&, Vector<double> const&);
template Pass<float> forward(Network<float> const&, Vector<float> const&, TieBreak<float> const&);
template Pass<double> forward(Network<double> const&, Vector<double> const&, TieBreak<double> const&);
template std::vector<Layer<float>> backward(Network<float> const&, Vector<float> const&, Vector<float> const&);
template std::vector<Layer<double>> backward(Network<double> const&, Vector<double> const&, Vector<double> const&);

}  // namespace isserlis::mlp
