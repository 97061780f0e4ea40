// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <isserlis/train/options.hpp>
#include <isserlis/train/state.hpp>
#include <span>
#include <vector>

namespace isserlis::train {

/// c1 sum |w| + c2 sum w^2 over all weights; its gradient, sign(0) = 0, is added to `gradient` unless that is empty.
///
/// Source  [Hettinger 2019, section 2.3]
template <class T>
double add_penalty(mlp::Architecture const& architecture, double l1, double l2, std::span<T const> parameters,
                   std::span<T> gradient);

/// The Euclidean norm, summed in double: no overflow where the entries are of T = float.
template <class T>
[[nodiscard]] double norm(std::span<T const> vector);

/// Shortens the gradient as `clipping` says.
///
/// Shape   in place. A gradient of 0 stays 0, also with fixed_norm.
/// Source  [Liquet 2024, section 5.4]; PyTorch's clip_grad_norm_ divides by |g| + 1e-6, this by |g|.
template <class T>
void clip(Clipping clipping, double threshold, std::span<T> gradient);

/// The steps of one optimiser, with what it remembers of earlier gradients.
///
/// Law     p <- (1 - r k) p for weights, k the weight decay, then the optimiser's step with the gradient given: (5.53)
///         for descent, decoupled decay for the others. r is the rate times the factor of the node.
/// Shape   vectors lie as Architecture says. A factor of 0 leaves parameters as they are, bit by bit.
/// Units   [rate] is [parameter] / [gradient] for descent and momentum, [parameter] for the others.
/// Errors  DomainError for sizes that clash, and those of require_valid.
/// Source  `Optimiser`; decay [Liquet 2024, eq. (5.53)], [Loshchilov 2019]
template <class T>
class Update {
public:
    Update(mlp::Architecture const& architecture, TrainingOptions const& options);

    void step(std::span<T> parameters, std::span<T const> gradient, double rate);
    [[nodiscard]] std::uint64_t steps() const { return memory_.steps; }
    [[nodiscard]] Memory<T> const& memory() const { return memory_; }
    /// Goes on from what another of the same architecture and options remembers.
    void recall(Memory<T> memory);

private:
    struct Part {
        std::size_t first, size;
        double factor, decay;
    };
    TrainingOptions options_;
    std::size_t parameters_;
    std::vector<Part> parts_;
    Memory<T> memory_;
};

}  // namespace isserlis::train
