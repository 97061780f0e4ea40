// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <isserlis/mlp/graph_map_norms.hpp>
#include <span>
#include <vector>

#include "gradient_kernel.hpp"
#include "plan/label_sets.hpp"
#include "tensor_program.hpp"

namespace isserlis::monte_carlo::detail {

/// Sums over two labels with second derivatives, without a tensor over pairs of weights: the derivative by a weight from
/// u' to v' and by one into v below is the product of an adjoint at v', a map from v to u', and an activation.
///
/// Law     none: passes are given.
/// Shape   the bend T[a, b, c], the sum over m and n of d_m z_a d_mn z_b d_n z_c: the upper weight's adjoints meet, and
///         what is below is how the neurons of u' move along a gradient. The square S[a, b], that of d_mn z_a d_mn z_b,
///         or its diagonal, has squared norms of maps there.
/// Units   [z]^3 / [weight]^4 and [z]^2 / [weight]^4.
/// Errors  those of TensorProgram::add_buffer.
/// Source  the chain rule
class CurvatureKernels {
public:
    CurvatureKernels(mlp::GraphLayout const& layout, GradientKernels& gradients)
        : layout_(&layout), gradients_(&gradients) {}

    /// The buffer of the bend, c last and contiguous; m and n run over weights with these factors.
    [[nodiscard]] std::size_t add_bend(TensorProgram& program, NeuronsAt const& a, NeuronsAt const& b,
                                       NeuronsAt const& c, EdgeFactors const& m, EdgeFactors const& n);
    /// The buffer of the square of neurons at one input, b last and contiguous.
    [[nodiscard]] std::size_t add_square(TensorProgram& program, NeuronsAt const& a, NeuronsAt const& b, bool diagonal,
                                         EdgeFactors const& m, EdgeFactors const& n);
    /// Multiplications and additions for one network, besides those of the gradients.
    [[nodiscard]] double work() const;

private:
    friend class CurvatureKernelFiller;
    struct Bend {
        NeuronsAt a, b, c;
        EdgeFactors m, n;
        std::size_t reverse_a, reverse_b, reverse_c;
        std::size_t under_n, under_m;  ///< what moves along a, where n meets it; along c, where m does
        std::size_t buffer;
    };
    struct Square {
        NeuronsAt a, b;
        bool diagonal;
        EdgeFactors m, n;
        std::size_t reverse_a, reverse_b;
        std::size_t maps_m, maps_n;  ///< that begin at the weights of m, of n
        std::size_t buffer;
    };
    struct Maps {
        std::size_t input;
        EdgeFactors from;
        std::size_t highest;
    };

    [[nodiscard]] std::size_t maps(std::size_t input, EdgeFactors const& from, std::size_t highest);

    mlp::GraphLayout const* layout_;
    GradientKernels* gradients_;
    std::vector<Bend> bends_;
    std::vector<Square> squares_;
    std::vector<Maps> maps_;
};

/// Fills the kernels on one network after another, once the gradients are there; one filler per thread.
class CurvatureKernelFiller {
public:
    explicit CurvatureKernelFiller(CurvatureKernels const& kernels);
    void fill(std::vector<mlp::GraphPass> const& passes, GradientKernelFiller const& gradients,
              TensorProgram::Memory& memory);

private:
    using Passes = std::vector<mlp::GraphPass>;

    void fill_maps(Passes const& passes);
    void add_bends(CurvatureKernels::Bend const& bend, bool upper_is_n, GradientKernelFiller const& gradients,
                   std::span<double> out);
    void add_squares(CurvatureKernels::Square const& square, bool upper_is_n, Passes const& passes,
                     GradientKernelFiller const& gradients, std::span<double> out);
    /// The inner products of adjoints at node v, rows of x by rows of y; none where either is not behind it.
    [[nodiscard]] bool multiply_adjoints(mlp::GraphAdjoints const& x, mlp::GraphAdjoints const& y, std::size_t v);

    CurvatureKernels const* kernels_;
    std::vector<mlp::GraphMapNorms> maps_;
    std::vector<double> strengths_;
    std::vector<double> begins_;  ///< by node
    std::vector<double> turned_;
    std::vector<double> adjoints_;  ///< products of them
};

}  // namespace isserlis::monte_carlo::detail
