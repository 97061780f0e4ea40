// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <isserlis/mlp/graph_adjoints.hpp>
#include <optional>
#include <span>
#include <vector>

#include "plan/label_sets.hpp"
#include "tensor_program.hpp"

namespace isserlis::monte_carlo::detail {

/// Neurons, at one of the inputs: each, or the sum of them with the factors in a buffer.
struct NeuronsAt {
    mlp::NeuronRange neurons;
    std::size_t input = 0;
    std::optional<std::size_t> factors = std::nullopt;

    /// What is differentiated.
    [[nodiscard]] std::size_t rows() const { return factors ? 1 : neurons.count; }

    friend bool operator==(NeuronsAt const&, NeuronsAt const&) = default;
};

/// Sums over weights of the product of two first derivatives, without a tensor over the weights: the derivative by a
/// weight is the product of an adjoint and an activation, so that the sum over one matrix is the product of two inner
/// products.
///
/// Law     none: passes are given.
/// Shape   K[i, j] over the neurons of two ranges, or its diagonal. What is common to several kernels is computed once.
///         Between a wide range and a narrow one K is how the wide one moves along the narrow one's gradients.
/// Units   [z]^2 / [weight]^2.
/// Errors  those of TensorProgram::add_buffer.
/// Source  the chain rule
class GradientKernels {
public:
    /// Where a kernel lies: entry (i, j) is at i * a + j * b.
    struct Place {
        std::size_t buffer = 0;
        std::size_t a = 0;
        std::size_t b = 0;
    };

    explicit GradientKernels(mlp::GraphLayout const& layout) : layout_(&layout) {}

    /// The sum over the weights of each edge that have a part in `sides`, times the edge's factor.
    [[nodiscard]] Place add(TensorProgram& program, NeuronsAt const& a, NeuronsAt const& b, bool diagonal,
                            EdgeFactors const& factors);
    /// The number of a pass back from there, down to the node `lowest` at least.
    [[nodiscard]] std::size_t reverse(NeuronsAt const& of, std::size_t lowest);
    /// The number of a pass forward, up to the node `highest` at least, along the gradients of a pass back.
    [[nodiscard]] std::size_t forward(std::size_t along, std::size_t input, EdgeFactors const& factors,
                                      std::size_t highest);
    /// The number of inner products of activations: at each edge of `factors` those of its source that move in a pass
    /// forward with those at another input, where the same side acts.
    [[nodiscard]] std::size_t meeting(std::size_t forward, std::size_t input, EdgeFactors const& factors);
    /// Multiplications and additions for one network.
    [[nodiscard]] double work() const;
    /// Numbers that a filler keeps, about.
    [[nodiscard]] double numbers() const;

private:
    friend class GradientKernelFiller;
    struct Reverse {
        NeuronsAt of;
        std::size_t lowest;
    };
    /// Of the neurons of adjoint `along`, at another input perhaps.
    struct Forward {
        std::size_t along;
        std::size_t input;
        EdgeFactors factors;
        std::size_t highest;
        std::vector<std::size_t> read;  ///< nodes that a kernel takes
    };
    struct Meeting {
        std::size_t forward;
        std::size_t input;
        EdgeFactors factors;
    };
    struct Kernel {
        NeuronsAt a, b;
        bool diagonal;
        EdgeFactors factors;
        std::size_t reverse_a, reverse_b;  ///< unless the first range moves along the second
        std::size_t forward;
        bool moves;
        std::size_t buffer;
        std::vector<std::size_t> targets;  ///< nodes that the edges lead to and both ranges are behind, or at
    };

    mlp::GraphLayout const* layout_;
    std::vector<Reverse> reverses_;
    std::vector<Forward> forwards_;
    std::vector<Meeting> meetings_;
    std::vector<Kernel> kernels_;
};

/// Fills the kernels on one network after another; one filler per thread.
class GradientKernelFiller {
public:
    explicit GradientKernelFiller(GradientKernels const& kernels);
    void fill(std::vector<mlp::GraphPass> const& passes, TensorProgram::Memory& memory);
    /// Of the last network, by the numbers that GradientKernels gave.
    [[nodiscard]] mlp::GraphAdjoints const& adjoints(std::size_t reverse) const { return adjoints_[reverse]; }
    /// One number for each row of the pass, times the squared scale of edge e.
    [[nodiscard]] std::span<double const> meeting(std::size_t meeting, std::size_t e) const {
        return meetings_[meeting][e];
    }

private:
    void go_forward(std::size_t f, std::vector<mlp::GraphPass> const& passes);
    void meet(std::size_t f, std::size_t v, std::vector<mlp::GraphPass> const& passes);
    void add_products(GradientKernels::Kernel const& kernel, std::span<double> out);

    GradientKernels const* kernels_;
    std::vector<mlp::GraphAdjoints> adjoints_;
    std::vector<mlp::GraphTangents> tangents_;
    std::vector<std::vector<std::vector<double>>> meetings_;  ///< by number, edge and row; empty for other edges
    std::vector<double> strengths_;
    std::vector<double> turned_;
};

}  // namespace isserlis::monte_carlo::detail
