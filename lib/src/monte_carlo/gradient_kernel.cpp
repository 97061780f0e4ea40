// SPDX-License-Identifier: MIT
#include "gradient_kernel.hpp"

#include <algorithm>
#include <isserlis/mlp/batch_product.hpp>
#include <numeric>
#include <set>

namespace isserlis::monte_carlo::detail {
namespace {

/// How many times wider a range is that rather moves than be differentiated.
constexpr std::size_t much_wider = 2;

std::size_t lowest_target(mlp::GraphLayout const& layout, EdgeFactors const& factors) {
    std::size_t out = layout.output();
    for (auto const& [e, factor] : factors.edges) out = std::min(out, layout.edges()[e].to);
    for (auto const& [v, factor] : factors.biased_nodes) out = std::min(out, v);
    return out;
}

}  // namespace

std::size_t GradientKernels::reverse(NeuronsAt const& of, std::size_t lowest) {
    auto found = std::find_if(reverses_.begin(), reverses_.end(), [&](Reverse const& r) { return r.of == of; });
    if (found == reverses_.end()) found = reverses_.insert(found, {.of = of, .lowest = lowest});
    found->lowest = std::min(found->lowest, lowest);
    return static_cast<std::size_t>(found - reverses_.begin());
}

std::size_t GradientKernels::forward(Kernel const& kernel) {
    auto found = std::find_if(forwards_.begin(), forwards_.end(), [&](Forward const& f) {
        return f.along == kernel.reverse_b && f.input == kernel.a.input && f.factors == kernel.factors;
    });
    if (found == forwards_.end()) {
        found = forwards_.insert(
            found, {.along = kernel.reverse_b, .input = kernel.a.input, .factors = kernel.factors, .highest = 0});
    }
    found->highest = std::max(found->highest, kernel.a.neurons.node);
    return static_cast<std::size_t>(found - forwards_.begin());
}

GradientKernels::Place GradientKernels::add(TensorProgram& program, NeuronsAt const& a, NeuronsAt const& b,
                                            bool diagonal, EdgeFactors const& factors) {
    bool const swap = !diagonal && a.neurons.count < b.neurons.count;
    Kernel kernel{.a = swap ? b : a,
                  .b = swap ? a : b,
                  .diagonal = diagonal,
                  .factors = factors,
                  .reverse_a = 0,
                  .reverse_b = 0,
                  .forward = 0,
                  .moves = false,
                  .buffer = 0,
                  .targets = {}};
    std::size_t const rows = kernel.a.neurons.count;
    std::size_t const columns = diagonal ? 1 : kernel.b.neurons.count;
    Place out{.buffer = 0, .a = swap ? 1 : columns, .b = swap ? columns : 1};
    for (Kernel const& k : kernels_) {
        if (k.a == kernel.a && k.b == kernel.b && k.diagonal == diagonal && k.factors == factors) {
            out.buffer = k.buffer;
            return out;
        }
    }
    std::size_t const lowest = lowest_target(*layout_, factors);
    kernel.moves = !diagonal && rows > much_wider * columns;
    kernel.reverse_b = reverse(kernel.b, lowest);
    if (kernel.moves)
        kernel.forward = forward(kernel);
    else
        kernel.reverse_a = reverse(kernel.a, lowest);
    std::set<std::size_t> targets;
    for (auto const& [e, factor] : factors.edges) targets.insert(layout_->edges()[e].to);
    for (auto const& [v, factor] : factors.biased_nodes) targets.insert(v);
    for (std::size_t const v : targets)
        if (v <= std::min(a.neurons.node, b.neurons.node)) kernel.targets.push_back(v);
    out.buffer = kernel.buffer = program.add_buffer(static_cast<double>(rows) * static_cast<double>(columns));
    kernels_.push_back(std::move(kernel));
    return out;
}

double GradientKernels::work() const {
    double out = 0;
    for (auto const& r : reverses_) out += mlp::GraphAdjoints(*layout_, r.of.neurons, r.lowest).work();
    for (auto const& f : forwards_)
        out += mlp::GraphTangents(*layout_, reverses_[f.along].of.neurons.count, f.highest).work();
    for (auto const& k : kernels_) {
        if (k.moves) continue;
        auto const& top = layout_->nodes()[std::min(k.a.neurons.node, k.b.neurons.node)];
        out += static_cast<double>(top.first + top.width) * static_cast<double>(k.a.neurons.count) *
               (k.diagonal ? 1 : static_cast<double>(k.b.neurons.count));
    }
    return out;
}

GradientKernelFiller::GradientKernelFiller(GradientKernels const& kernels)
    : kernels_(&kernels), strengths_(kernels.layout_->edges().size() + kernels.layout_->nodes().size()) {
    for (auto const& r : kernels.reverses_) adjoints_.emplace_back(*kernels.layout_, r.of.neurons, r.lowest);
    for (auto const& f : kernels.forwards_)
        tangents_.emplace_back(*kernels.layout_, kernels.reverses_[f.along].of.neurons.count, f.highest);
}

void GradientKernelFiller::take_strengths(EdgeFactors const& factors, mlp::GraphPass const& a,
                                          mlp::GraphPass const& b) {
    auto const& layout = *kernels_->layout_;
    for (auto const& [e, factor] : factors.edges) {
        auto const& edge = layout.edges()[e];
        auto const& from = layout.nodes()[edge.from];
        double sum = 0;
        for (std::size_t j = from.first; j < from.first + from.width; ++j) {
            // Derivatives by P where h > 0, else by N.
            bool const same_side = !layout.concatenated() || (a.positive[j] == b.positive[j] &&
                                                              (a.positive[j] != 0 || !factors.positive_side_alone));
            if (same_side) sum += a.h[j] * b.h[j];
        }
        strengths_[e] = factor * edge.scale * edge.scale * sum;
    }
    for (auto const& [v, factor] : factors.biased_nodes) strengths_[layout.edges().size() + v] = factor;
}

void GradientKernelFiller::drop_strengths(EdgeFactors const& factors) {
    for (auto const& [e, factor] : factors.edges) strengths_[e] = 0;
    for (auto const& [v, factor] : factors.biased_nodes) strengths_[kernels_->layout_->edges().size() + v] = 0;
}

void GradientKernelFiller::add_products(GradientKernels::Kernel const& kernel, std::span<double> out) {
    auto const& layout = *kernels_->layout_;
    auto const& a = adjoints_[kernel.reverse_a];
    auto const& b = adjoints_[kernel.reverse_b];
    std::size_t const rows = kernel.a.neurons.count;
    std::size_t const columns = kernel.b.neurons.count;
    std::fill(out.begin(), out.end(), 0.0);
    for (std::size_t const v : kernel.targets) {
        double strength = strengths_[layout.edges().size() + v];
        for (std::size_t const e : layout.nodes()[v].incoming) strength += strengths_[e];
        if (strength == 0) continue;
        auto const x = a.by_z(v);
        auto const y = b.by_z(v);
        std::size_t const width = layout.nodes()[v].width;
        if (kernel.diagonal) {
            for (std::size_t i = 0; i < rows; ++i)
                out[i] += strength * std::inner_product(&x[i * width], &x[i * width] + width, &y[i * width], 0.0);
            continue;
        }
        turned_.resize(width * columns);
        for (std::size_t j = 0; j < columns; ++j)
            for (std::size_t k = 0; k < width; ++k) turned_[k * columns + j] = strength * y[j * width + k];
        mlp::add_batch_product({.rows = rows, .inner = width, .columns = columns}, x.data(), turned_.data(),
                               out.data());
    }
}

void GradientKernelFiller::fill(std::vector<mlp::GraphPass> const& passes, TensorProgram::Memory& memory) {
    for (std::size_t r = 0; r < adjoints_.size(); ++r) adjoints_[r].backward(passes[kernels_->reverses_[r].of.input]);
    for (std::size_t f = 0; f < tangents_.size(); ++f) {
        auto const& forward = kernels_->forwards_[f];
        auto const& pass = passes[forward.input];
        take_strengths(forward.factors, pass, passes[kernels_->reverses_[forward.along].of.input]);
        tangents_[f].forward(pass, adjoints_[forward.along], strengths_);
        drop_strengths(forward.factors);
    }
    for (auto const& kernel : kernels_->kernels_) {
        std::span<double> const out(memory[kernel.buffer]);
        if (kernel.moves) {
            auto const& of = kernel.a.neurons;
            auto const& tangents = tangents_[kernel.forward];
            auto const moved = of.activated ? tangents.h(of.node) : tangents.z(of.node);
            std::copy_n(moved.begin() + static_cast<std::ptrdiff_t>(of.first * kernel.b.neurons.count), out.size(),
                        out.begin());
        } else {
            take_strengths(kernel.factors, passes[kernel.a.input], passes[kernel.b.input]);
            add_products(kernel, out);
            drop_strengths(kernel.factors);
        }
    }
}

}  // namespace isserlis::monte_carlo::detail
