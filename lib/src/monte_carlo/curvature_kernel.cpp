// SPDX-License-Identifier: MIT
#include "curvature_kernel.hpp"

#include <algorithm>
#include <isserlis/mlp/batch_product.hpp>
#include <numeric>

#include "edge_strengths.hpp"

namespace isserlis::monte_carlo::detail {

std::size_t CurvatureKernels::maps(std::size_t input, EdgeFactors const& from, std::size_t highest) {
    auto found =
        std::find_if(maps_.begin(), maps_.end(), [&](Maps const& x) { return x.input == input && x.from == from; });
    if (found == maps_.end()) found = maps_.insert(found, {.input = input, .from = from, .highest = highest});
    found->highest = std::max(found->highest, highest);
    return static_cast<std::size_t>(found - maps_.begin());
}

std::size_t CurvatureKernels::add_bend(TensorProgram& program, NeuronsAt const& a, NeuronsAt const& b,
                                       NeuronsAt const& c, EdgeFactors const& m, EdgeFactors const& n) {
    for (Bend const& x : bends_)
        if (x.a == a && x.b == b && x.c == c && x.m == m && x.n == n) return x.buffer;
    std::size_t const lowest = std::min(lowest_target(*layout_, m), lowest_target(*layout_, n));
    Bend bend{.a = a,
              .b = b,
              .c = c,
              .m = m,
              .n = n,
              .reverse_a = gradients_->reverse(a, lowest),
              .reverse_b = gradients_->reverse(b, lowest),
              .reverse_c = gradients_->reverse(c, lowest),
              .under_n = 0,
              .under_m = 0,
              .buffer = 0};
    std::size_t const along_a = gradients_->forward(bend.reverse_a, b.input, m, b.neurons.node);
    std::size_t const along_c = gradients_->forward(bend.reverse_c, b.input, n, b.neurons.node);
    bend.under_n = gradients_->meeting(along_a, c.input, n);
    bend.under_m = gradients_->meeting(along_c, a.input, m);
    bend.buffer = program.add_buffer(static_cast<double>(a.rows()) * static_cast<double>(b.rows()) *
                                     static_cast<double>(c.rows()));
    bends_.push_back(std::move(bend));
    return bends_.back().buffer;
}

std::size_t CurvatureKernels::add_square(TensorProgram& program, NeuronsAt const& a, NeuronsAt const& b, bool diagonal,
                                         EdgeFactors const& m, EdgeFactors const& n) {
    for (Square const& x : squares_)
        if (x.a == a && x.b == b && x.diagonal == diagonal && x.m == m && x.n == n) return x.buffer;
    std::size_t const lowest = std::min(lowest_target(*layout_, m), lowest_target(*layout_, n));
    std::size_t const top = std::min(a.neurons.node, b.neurons.node);
    squares_.push_back(
        {.a = a,
         .b = b,
         .diagonal = diagonal,
         .m = m,
         .n = n,
         .reverse_a = gradients_->reverse(a, lowest),
         .reverse_b = gradients_->reverse(b, lowest),
         .maps_m = maps(a.input, m, top),
         .maps_n = maps(a.input, n, top),
         .buffer = program.add_buffer(static_cast<double>(a.rows()) * (diagonal ? 1 : static_cast<double>(b.rows())))});
    return squares_.back().buffer;
}

double CurvatureKernels::work() const {
    double out = 0;
    for (auto const& x : maps_) out += mlp::GraphMapNorms(*layout_, x.highest).work();
    auto const neurons = static_cast<double>(layout_->neurons());
    for (auto const& x : bends_) {
        auto const rows = static_cast<double>(x.b.rows());
        out += neurons * rows * static_cast<double>(x.a.rows() + x.c.rows());
        out += 2 * static_cast<double>(layout_->edges().size()) * rows * static_cast<double>(x.a.rows()) *
               static_cast<double>(x.c.rows());
    }
    for (auto const& x : squares_)
        out += (x.m == x.n ? 1 : 2) * neurons * static_cast<double>(x.a.rows()) *
               (x.diagonal ? 1 : static_cast<double>(x.b.rows()));
    return out;
}

CurvatureKernelFiller::CurvatureKernelFiller(CurvatureKernels const& kernels) : kernels_(&kernels) {
    for (auto const& x : kernels.maps_) maps_.emplace_back(*kernels.layout_, x.highest);
}

void CurvatureKernelFiller::fill_maps(Passes const& passes) {
    auto const& layout = *kernels_->layout_;
    for (std::size_t k = 0; k < maps_.size(); ++k) {
        auto const& maps = kernels_->maps_[k];
        auto const& pass = passes[maps.input];
        fill_strengths(layout, maps.from, pass, pass, strengths_);
        begins_.assign(strengths_.begin() + static_cast<std::ptrdiff_t>(layout.edges().size()), strengths_.end());
        for (std::size_t e = 0; e < layout.edges().size(); ++e) begins_[layout.edges()[e].to] += strengths_[e];
        maps_[k].forward(pass, begins_);
    }
}

bool CurvatureKernelFiller::multiply_adjoints(mlp::GraphAdjoints const& x, mlp::GraphAdjoints const& y, std::size_t v) {
    auto const rows = x.by_z(v);
    auto const columns = y.by_z(v);
    if (rows.empty() || columns.empty()) return false;
    std::size_t const width = kernels_->layout_->nodes()[v].width;
    turned_.resize(columns.size());
    for (std::size_t j = 0; j < y.rows(); ++j)
        for (std::size_t k = 0; k < width; ++k) turned_[k * y.rows() + j] = columns[j * width + k];
    adjoints_.assign(x.rows() * y.rows(), 0.0);
    mlp::add_batch_product({.rows = x.rows(), .inner = width, .columns = y.rows()}, rows.data(), turned_.data(),
                           adjoints_.data());
    return true;
}

/// Those pairs of weights of which that of n is the upper one, or that of m.
void CurvatureKernelFiller::add_bends(CurvatureKernels::Bend const& bend, bool upper_is_n,
                                      GradientKernelFiller const& gradients, std::span<double> out) {
    auto const& layout = *kernels_->layout_;
    auto const& above = gradients.adjoints(upper_is_n ? bend.reverse_c : bend.reverse_a);
    std::size_t const top = std::min(bend.b.neurons.node, (upper_is_n ? bend.c : bend.a).neurons.node);
    std::size_t const a_rows = bend.a.rows();
    std::size_t const b_rows = bend.b.rows();
    std::size_t const c_rows = bend.c.rows();
    for (auto const& [e, factor] : (upper_is_n ? bend.n : bend.m).edges) {
        std::size_t const v = layout.edges()[e].to;
        if (v > top || !multiply_adjoints(gradients.adjoints(bend.reverse_b), above, v)) continue;
        auto const below = gradients.meeting(upper_is_n ? bend.under_n : bend.under_m, e);
        for (std::size_t a = 0; a < a_rows; ++a)
            for (std::size_t b = 0; b < b_rows; ++b)
                for (std::size_t c = 0; c < c_rows; ++c)
                    out[(a * b_rows + b) * c_rows + c] += factor * (upper_is_n ? below[a] * adjoints_[b * c_rows + c]
                                                                               : below[c] * adjoints_[b * a_rows + a]);
    }
}

/// The same of squares.
void CurvatureKernelFiller::add_squares(CurvatureKernels::Square const& square, bool upper_is_n, Passes const& passes,
                                        GradientKernelFiller const& gradients, std::span<double> out) {
    auto const& layout = *kernels_->layout_;
    auto const& upper = upper_is_n ? square.n : square.m;
    auto const& maps = maps_[upper_is_n ? square.maps_m : square.maps_n];
    auto const& pass = passes[square.a.input];
    auto const& x = gradients.adjoints(square.reverse_a);
    auto const& y = gradients.adjoints(square.reverse_b);
    for (auto const& [e, factor] : upper.edges) {
        auto const& edge = layout.edges()[e];
        auto const& from = layout.nodes()[edge.from];
        std::size_t const width = layout.nodes()[edge.to].width;
        if (edge.to > std::min(square.a.neurons.node, square.b.neurons.node)) continue;
        auto const norms = maps.h(edge.from);
        double const strength =
            edge_strength(layout, upper, e, factor, pass, pass, [&](std::size_t j) { return norms[j - from.first]; });
        if (strength == 0) continue;
        if (square.diagonal) {
            auto const rows = x.by_z(edge.to);
            auto const columns = y.by_z(edge.to);
            for (std::size_t i = 0; i < out.size(); ++i)
                out[i] +=
                    strength * std::inner_product(&rows[i * width], &rows[i * width] + width, &columns[i * width], 0.0);
        } else if (multiply_adjoints(x, y, edge.to)) {
            for (std::size_t i = 0; i < out.size(); ++i) out[i] += strength * adjoints_[i];
        }
    }
}

void CurvatureKernelFiller::fill(Passes const& passes, GradientKernelFiller const& gradients,
                                 TensorProgram::Memory& memory) {
    fill_maps(passes);
    for (auto const& bend : kernels_->bends_) {
        std::span<double> const out(memory[bend.buffer]);
        std::fill(out.begin(), out.end(), 0.0);
        for (bool const upper_is_n : {true, false}) add_bends(bend, upper_is_n, gradients, out);
    }
    for (auto const& square : kernels_->squares_) {
        std::span<double> const out(memory[square.buffer]);
        std::fill(out.begin(), out.end(), 0.0);
        add_squares(square, true, passes, gradients, out);
        if (square.m == square.n)
            for (double& x : out) x *= 2;  // the other half of the pairs
        else
            add_squares(square, false, passes, gradients, out);
    }
}

}  // namespace isserlis::monte_carlo::detail
