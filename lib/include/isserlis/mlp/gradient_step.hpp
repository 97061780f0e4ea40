// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <isserlis/mlp/network.hpp>
#include <vector>

namespace isserlis::mlp {

/// One step of gradient descent for a whole batch, W <- W - rate dW, and how the outputs move along it.
///
/// Law     none: weights and inputs are given. dW is the mean over samples of the gradients of g_k . (output k), with
///         P and N of a concatenated ReLU updated separately. Derivatives by the rate are taken at rate 0 with the
///         gates frozen, which is exact unless a pre-activation is exactly 0; gates at 0 are those of mlp::backward.
///         With scales a layer acts as its scale times its weights, by which the gradients are and which the step
///         moves.
/// Shape   a column is a sample: inputs d_0 x s, outputs and gradients d_n x s. The layer of a concatenated ReLU is
///         [P N], d_q x 2 d_(q-1). All storage is kept from call to call: O(s sum d), each call O(s sum d_q d_(q-1)).
/// Units   a rate is [weight] / [gradient by weight].
/// Errors  DomainError when sizes clash or there is no sample, and for a call before the one that it needs: weights,
///         forward, backward, and then the other two.
/// Source  [Hettinger 2019, Def 3.25 and 4.12], with the minus sign of Def 3.25
template <class T>
class GradientStep {
public:
    /// For networks of these widths d_0 .. d_n; the weights are 0 until they are written.
    GradientStep(std::vector<std::size_t> const& widths, Activation<T> const& activation, bool gated_head,
                 Matrix<T> inputs);
    GradientStep(Network<T> const& net, Matrix<T> inputs);

    [[nodiscard]] std::size_t depth() const { return layers_.size(); }
    [[nodiscard]] Eigen::Index samples() const { return samples_; }
    /// W of layer q = 1 .. n, or [P N], to be written before `forward`.
    [[nodiscard]] Matrix<T>& weights(std::size_t layer) {
        stage_ = Stage::written;
        return layers_[layer - 1].weights;
    }
    [[nodiscard]] Matrix<T> const& weights(std::size_t layer) const { return layers_[layer - 1].weights; }

    /// One scale for each layer, or none.
    void set_scales(std::vector<T> const& scales);
    /// What multiplies the rate in each layer, or none.
    void set_rates(std::vector<T> const& rates);

    /// The outputs at rate 0.
    Matrix<T> const& forward();
    /// dW (or [dP dN]) of every layer; needs `forward`.
    void backward(Matrix<T> const& output_gradients);
    /// The first and second derivative of the outputs by the rate; needs `backward`.
    void differentiate();
    /// The outputs of the network after a step of this rate, gates taken anew; needs `backward`.
    Matrix<T> const& outputs_after(T rate);

    [[nodiscard]] Matrix<T> const& outputs() const { return layers_.back().h; }
    [[nodiscard]] Matrix<T> const& first_derivatives() const { return layers_.back().h1; }
    [[nodiscard]] Matrix<T> const& second_derivatives() const { return layers_.back().h2; }
    /// dW or [dP dN] of layer q = 1 .. n.
    [[nodiscard]] Matrix<T> const& update(std::size_t layer) const { return layers_[layer - 1].update; }
    /// Sum of |dW_q|^2 over the layers, each times its rate: minus the slope of the loss if g is its gradient.
    [[nodiscard]] double squared_update() const;

private:
    /// What was called last of the calls that others need.
    enum class Stage { written, forward, backward };
    void require_stage(Stage least, char const* call, char const* before) const;
    /// The activation of every entry.
    template <class Z>
    void apply_gates(Z&& z) const;

    struct LayerState {
        T scale = 1;
        T rate = 1;
        Matrix<T> weights, update;
        Matrix<T> features;  ///< what the weights multiply
        Matrix<T> open;      ///< R of the features: 1 where P acts, 0 where N does, 1/2 at 0
        Matrix<T> gates;     ///< of the output side; empty where all are 1
        Matrix<T> h, h1, h2;
        Matrix<T> delta;
    };
    /// What one layer after another needs for a while.
    struct Scratch {
        Matrix<T> features1, features2;  ///< derivatives of the features
        Matrix<T> by_features;
        Matrix<T> turned_features, turned_weights, product;  ///< what the kernel multiplies, and a sum's part
        std::vector<T> stepped;                              ///< the weights of a layer after a step
        std::vector<T> features, moved;  ///< what it multiplies, and its outputs, if they are not last
        Matrix<T> outputs;               ///< after a step
    };

    void take_features(Matrix<T> const& h, Matrix<T>& features) const;
    void take_open(Matrix<T> const& h, LayerState& layer) const;
    [[nodiscard]] Matrix<T> const& frozen_features(Matrix<T> const& derivative, LayerState const& layer,
                                                   Matrix<T>& parts) const;
    [[nodiscard]] bool has_gates(std::size_t layer) const;

    Activation<T> activation_;
    bool gated_head_;
    Stage stage_ = Stage::written;
    Eigen::Index samples_;
    Matrix<T> inputs_;
    std::vector<LayerState> layers_;
    Scratch scratch_;
};

}  // namespace isserlis::mlp
