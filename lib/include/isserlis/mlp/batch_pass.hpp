// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <functional>
#include <isserlis/mlp/architecture.hpp>
#include <isserlis/mlp/network.hpp>
#include <span>
#include <vector>

namespace isserlis::mlp {

/// Moments of the neurons with batch norm, in the order of Architecture::first_normed.
template <class T>
struct Moments {
    std::vector<T> mean;
    std::vector<T> deviation;
};

/// In which form a network is passed. As it stands: batch norm by the moments of the batch, nothing dropped.
template <class T>
struct PassForm {
    Moments<T> const* moments = nullptr;  ///< production: batch norm by these instead
    /// Training: marks for a node, row by row, the activations that dropout keeps with 1 and the others with 0. Called
    /// for nodes with keep < 1, in order; kept activations are divided by keep.
    std::function<void(std::size_t node, std::span<T> kept)> dropout;
    /// Where |z| is within rounding of 0 it becomes 0, and the slope of relu and leaky is decided: asked node by node,
    /// neuron by neuron. For weight laws with atoms; without biases and batch norm.
    TieBreak<T> const* ties = nullptr;
};

/// One network at a batch of inputs: values, gradient, and the tangents of both along any direction.
///
/// Law     none: parameters are given. Node by node s = sum of W h + sum of skipped h + b, batch norm
///         z = gamma (s - mu) / sqrt(sigma^2 + epsilon) + beta, h = unit(z), softmax of h, dropout h = h kept / keep.
///         With sides P and N an edge carries P max(h, 0) + N min(h, 0), each side with half a derivative at 0. W is
///         the edge's scale times its parameters, by which derivatives are. mu, sigma are those of the batch (5.38),
///         derivatives by them included, or given ones, which are constants.
/// Shape   a column is a sample: inputs d_0 x s, outputs and their gradients d_n x s. Parameters, gradients and
///         directions lie as Architecture says. Gradients are sums over samples, added to what is there. Parameters
///         and direction are not copied: they have to stay until the last call. About ten matrices a node are kept.
/// Units   none.
/// Errors  DomainError for sizes that clash, and for a call before the one that it needs: forward, then backward and
///         forward_tangent, then backward_tangent. One sample has no batch moments: refused where they are needed.
/// Source  [Liquet 2024, Algorithms 5.1 and 5.2, eqs. (5.38) to (5.48)]; tangents [Pearlmutter 1994]. Every sum has a
///         fixed order; products of matrices are fused (batch_product.hpp), nothing else is: the same bits with every
///         instruction set but for libm's exponentials.
template <class T>
class BatchPass {
    using Index = Eigen::Index;

public:
    /// The architecture has to outlive the pass.
    explicit BatchPass(Architecture const& architecture);

    Matrix<T> const& forward(std::span<T const> parameters, Eigen::Ref<Matrix<T> const> const& inputs,
                             PassForm<T> const& form = {});
    /// gradient += d(sum of g . outputs) / d(parameters); an empty one is not asked for, what comes after needs none.
    void backward(Matrix<T> const& output_gradients, std::span<T> gradient);
    /// The derivative of the outputs along the direction: J v.
    Matrix<T> const& forward_tangent(std::span<T const> direction);
    /// out += the derivative of the gradient of `backward` along the direction of `forward_tangent`, the output
    /// gradients moving as given: H v, where these are the loss's Hessian times J v.
    void backward_tangent(Matrix<T> const& output_gradient_moves, std::span<T> out);

    [[nodiscard]] Architecture const& architecture() const { return *architecture_; }
    [[nodiscard]] Matrix<T> const& outputs() const { return nodes_.back().h; }
    [[nodiscard]] Eigen::Index samples() const { return samples_; }
    /// z of a node above the input, and h, in the last `forward`.
    [[nodiscard]] Matrix<T> const& preactivations(std::size_t node) const { return nodes_[node].z; }
    [[nodiscard]] Matrix<T> const& activations(std::size_t node) const { return nodes_[node].h; }
    /// sigma'(z) of the last `forward`, and the derivatives by s, the sum of edges, of the last `backward`.
    [[nodiscard]] Matrix<T> const& slopes(std::size_t node) const { return nodes_[node].first; }
    [[nodiscard]] Matrix<T> const& gradients_by_sums(std::size_t node) const { return nodes_[node].by_s; }
    /// (5.38) of the last `forward`, if it took the batch's.
    [[nodiscard]] Moments<T> const& batch_moments() const { return moments_; }

private:
    enum class Stage { none, forward, backward };
    struct NodeState {
        Matrix<T> z, h, first, second;          ///< with derivatives of the unit; z is that after batch norm
        Matrix<T> normed;                       ///< (s - mu) / sqrt(sigma^2 + epsilon)
        Matrix<T> kept;                         ///< of dropout: 0 or 1 / keep
        Matrix<T> soft, soft_move, by_soft;     ///< the probabilities, where there is softmax
        Matrix<T> features, open;               ///< max(h, 0) over min(h, 0), and how far P acts
        Matrix<T> by_h, by_z, by_s;             ///< gradients
        Matrix<T> z_move, h_move, normed_move;  ///< tangents
        Matrix<T> features_move;
        Matrix<T> by_h_move, by_s_move;
        std::vector<T> reciprocal, normed_slope;  ///< 1 / sqrt(sigma^2 + epsilon); mean of normed times move of s
    };

    void require(bool fits, char const* what) const;
    void require_stage(bool reached, char const* call, char const* before) const;
    [[nodiscard]] T const* at(ParameterKind kind, std::size_t node, std::span<T const> parameters) const;
    [[nodiscard]] T* at(ParameterKind kind, std::size_t node, std::span<T> parameters) const;
    [[nodiscard]] Unit unit(std::size_t node) const;
    [[nodiscard]] Matrix<T> const& features(std::size_t node) const;

    void add_edges(std::size_t node, std::span<T const> weights, bool of_moves, Matrix<T>& sum);
    void add_product(GraphLayout::Edge const& edge, T const* weights, Matrix<T> const& features, Matrix<T>& sum);
    void send_back(GraphLayout::Edge const& edge, T const* weights, Matrix<T> const& by_s, Matrix<T>& by_h);
    void add_gradient(GraphLayout::Edge const& edge, Matrix<T> const& by_s, Matrix<T> const& features,
                      std::span<T> gradient);
    void split(Matrix<T> const& h, NodeState& node);
    [[nodiscard]] std::vector<Index> take_ties(std::size_t v);
    void take_values(std::size_t v);

    void normalize(std::size_t v);
    void normalize_backward(std::size_t v, std::span<T> gradient);
    void normalize_tangent(std::size_t v, Matrix<T>& s_move);
    void normalize_backward_tangent(std::size_t v, Matrix<T> const& by_z_move, std::span<T> out);

    Architecture const* architecture_;
    std::vector<char> has_weights_out_;
    std::vector<NodeState> nodes_;
    std::span<T const> parameters_, direction_;
    PassForm<T> form_;
    Moments<T> moments_;
    Stage stage_ = Stage::none;
    bool moved_ = false;
    Eigen::Index samples_ = 0;
    std::vector<T> turned_;  ///< a transpose; it only grows
    Matrix<T> product_;
};

}  // namespace isserlis::mlp
