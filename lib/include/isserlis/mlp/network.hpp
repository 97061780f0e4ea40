// SPDX-License-Identifier: MIT
#pragma once
#include <Eigen/Core>
#include <functional>
#include <isserlis/network/activation.hpp>
#include <type_traits>
#include <vector>

namespace isserlis::mlp {

template <class T>
using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
template <class T>
using Vector = Eigen::Matrix<T, Eigen::Dynamic, 1>;

/// The weights of one layer, or their gradient: fan_out rows, fan_in columns.
template <class T>
struct Layer {
    Matrix<T> weights;   ///< W; the positive side P of a concatenated ReLU
    Matrix<T> negative;  ///< the negative side N of a concatenated ReLU, stored separately even if tied; else empty
};

/// A multilayer perceptron without biases; `layers[q - 1]` is layer q.
template <class T>
struct Network {
    Activation<T> activation;
    bool gated_head = false;  ///< is the output gated too? Without meaning for linear and concatenated ReLU
    std::vector<Layer<T>> layers;
    std::vector<T> scales{};  ///< layer q acts as scales[q - 1] times its weights, by which derivatives are; none is 1

    [[nodiscard]] T scale(std::size_t layer) const { return scales.empty() ? T(1) : scales[layer - 1]; }
};

/// All that one forward pass leaves behind; index q - 1 is layer q, and h = gates * z holds in every layer.
template <class T>
struct Pass {
    Vector<T> input;
    std::vector<Vector<T>> preactivations;  ///< z
    std::vector<Vector<T>> activations;     ///< h; the last one is the output
    std::vector<Vector<T>> gates;           ///< derivative of h by z, entry by entry
};

/// How to decide a gate whose pre-activation is 0 but for rounding.
template <class T>
struct TieBreak {
    T tolerance{};               ///< a tie is |z| <= tolerance * sum |w h|
    std::function<bool()> open;  ///< asked once a tie, in order of layer and neuron; true means gate 1
};

/// Every pre-activation and activation of the network at the input x: the batched pass (batch_pass.hpp) at one sample.
/// For many samples or networks keep a BatchPass, which is not built anew each time.
///
/// Law     none: the weights are given. z^q = W h^(q-1), h^q = phi(z^q), h^0 = x; W and N times the layer's scale, if
///         there are scales. Concatenated ReLU has its gate on the
///         input side: z^q = P relu(h^(q-1)) + N min(h^(q-1), 0) and h^q = z^q; it gates the raw input, not the output.
/// Shape   layers[q - 1] is d_q x d_(q-1), x has d_0 entries. The gate at z = 0 is `slope`, that is relu'(0) = 0.
/// Units   any; phi(c z) = c phi(z) for c > 0.
/// Errors  DomainError when there is no layer or two sizes clash.
/// Source  [Hettinger 2019, Def 3.15 and 4.1]
template <class T>
[[nodiscard]] Pass<T> forward(Network<T> const& net, std::type_identity_t<Vector<T>> const& x);

/// The same pass with ties decided: a tied z becomes exactly 0 and its gate is 1 or `slope` as `ties.open` says.
template <class T>
[[nodiscard]] Pass<T> forward(Network<T> const& net, std::type_identity_t<Vector<T>> const& x, TieBreak<T> const& ties);

/// The gradient of g . h^n at x by every weight: dW_q in `weights` (dP_q of a concatenated ReLU) and dN_q in
/// `negative`; by what `layers` holds, where the network has scales.
///
/// Law     none: weights, x and g are given; g is a constant, so this is one row-combination of the Jacobian.
/// Shape   like net.layers; h^n is the output, which is z^n unless the head is gated; g has d_n entries.
/// Units   [g] [h] / [weight].
/// Errors  DomainError when x or g does not fit the network.
/// Source  the chain rule, for concatenated ReLU [Hettinger 2019, Lemma 3.21]; relu'(0) = 0, but 1/2 for each side of a
///         concatenated ReLU [Hettinger 2019, Def 3.13].
template <class T>
[[nodiscard]] std::vector<Layer<T>> backward(Network<T> const& net, std::type_identity_t<Vector<T>> const& x,
                                             std::type_identity_t<Vector<T>> const& output_gradient);

}  // namespace isserlis::mlp
