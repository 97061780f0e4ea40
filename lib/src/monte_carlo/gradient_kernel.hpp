// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <isserlis/mlp/graph_adjoints.hpp>
#include <span>
#include <vector>

#include "label_sets.hpp"
#include "tensor_program.hpp"

namespace isserlis::monte_carlo::detail {

/// Neurons, at one of the inputs.
struct NeuronsAt {
    mlp::NeuronRange neurons;
    std::size_t input = 0;

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
    /// Multiplications and additions for one network.
    [[nodiscard]] double work() const;

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

    [[nodiscard]] std::size_t reverse(NeuronsAt const& of, std::size_t lowest);
    [[nodiscard]] std::size_t forward(Kernel const& kernel);

    mlp::GraphLayout const* layout_;
    std::vector<Reverse> reverses_;
    std::vector<Forward> forwards_;
    std::vector<Kernel> kernels_;
};

/// Fills the kernels on one network after another; one filler per thread.
class GradientKernelFiller {
public:
    explicit GradientKernelFiller(GradientKernels const& kernels);
    void fill(std::vector<mlp::GraphPass> const& passes, TensorProgram::Memory& memory);

private:
    /// By edge: factor, squared scale and the inner product of the activations that enter it; behind edges by node the
    /// factor of its biases; 0 for others.
    void take_strengths(EdgeFactors const& factors, mlp::GraphPass const& a, mlp::GraphPass const& b);
    void drop_strengths(EdgeFactors const& factors);
    void add_products(GradientKernels::Kernel const& kernel, std::span<double> out);

    GradientKernels const* kernels_;
    std::vector<mlp::GraphAdjoints> adjoints_;
    std::vector<mlp::GraphTangents> tangents_;
    std::vector<double> strengths_;
    std::vector<double> turned_;
};

}  // namespace isserlis::monte_carlo::detail
