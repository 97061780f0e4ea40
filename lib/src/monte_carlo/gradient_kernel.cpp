// SPDX-License-Identifier: MIT
#include "gradient_kernel.hpp"

#include <algorithm>
#include <isserlis/mlp/batch_product.hpp>
#include <numeric>
#include <set>
#include <utility>

#include "edge_strengths.hpp"

namespace isserlis::monte_carlo::detail {
namespace {

/// How many times wider a range is that rather moves than be differentiated.
constexpr std::size_t much_wider = 2;

}  // namespace

std::size_t GradientKernels::reverse(NeuronsAt const& of, std::size_t lowest) {
    auto found = std::find_if(reverses_.begin(), reverses_.end(), [&](Reverse const& r) { return r.of == of; });
    if (found == reverses_.end()) found = reverses_.insert(found, {.of = of, .lowest = lowest});
    found->lowest = std::min(found->lowest, lowest);
    return static_cast<std::size_t>(found - reverses_.begin());
}

std::size_t GradientKernels::forward(std::size_t along, std::size_t input, EdgeFactors const& factors,
                                     std::size_t highest) {
    auto found = std::find_if(forwards_.begin(), forwards_.end(), [&](Forward const& f) {
        return f.along == along && f.input == input && f.factors == factors;
    });
    if (found == forwards_.end())
        found = forwards_.insert(found, {.along = along, .input = input, .factors = factors, .highest = 0, .read = {}});
    found->highest = std::max(found->highest, highest);
    return static_cast<std::size_t>(found - forwards_.begin());
}

std::size_t GradientKernels::meeting(std::size_t forward, std::size_t input, EdgeFactors const& factors) {
    auto found = std::find_if(meetings_.begin(), meetings_.end(), [&](Meeting const& m) {
        return m.forward == forward && m.input == input && m.factors == factors;
    });
    if (found == meetings_.end())
        found = meetings_.insert(found, {.forward = forward, .input = input, .factors = factors});
    return static_cast<std::size_t>(found - meetings_.begin());
}

GradientKernels::Place GradientKernels::add(TensorProgram& program, NeuronsAt const& a, NeuronsAt const& b,
                                            bool diagonal, EdgeFactors const& factors) {
    bool const swap = !diagonal && a.rows() < b.rows();
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
    std::size_t const rows = kernel.a.rows();
    std::size_t const columns = diagonal ? 1 : kernel.b.rows();
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
    if (kernel.moves) {
        kernel.forward = forward(kernel.reverse_b, kernel.a.input, factors, kernel.a.neurons.node);
        forwards_[kernel.forward].read.push_back(kernel.a.neurons.node);
    } else
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
    for (auto const& r : reverses_)
        out += mlp::GraphAdjoints(*layout_, r.of.neurons, r.lowest, r.of.factors.has_value()).work();
    for (auto const& f : forwards_) out += mlp::GraphTangents(*layout_, reverses_[f.along].of.rows(), f.highest).work();
    for (auto const& k : kernels_) {
        if (k.moves) continue;
        auto const& top = layout_->nodes()[std::min(k.a.neurons.node, k.b.neurons.node)];
        out += static_cast<double>(top.first + top.width) * static_cast<double>(k.a.rows()) *
               (k.diagonal ? 1 : static_cast<double>(k.b.rows()));
    }
    return out;
}

double GradientKernels::numbers() const {
    double rows = 0;
    for (auto const& r : reverses_) rows += static_cast<double>(r.of.rows());
    return rows * static_cast<double>(layout_->neurons());
}

GradientKernelFiller::GradientKernelFiller(GradientKernels const& kernels) : kernels_(&kernels) {
    for (auto const& r : kernels.reverses_)
        adjoints_.emplace_back(*kernels.layout_, r.of.neurons, r.lowest, r.of.factors.has_value());
    for (auto const& f : kernels.forwards_) {
        std::vector<char> kept(f.highest + 1);
        for (std::size_t const v : f.read) kept[v] = 1;
        tangents_.emplace_back(*kernels.layout_, kernels.reverses_[f.along].of.rows(), f.highest, std::move(kept));
    }
    meetings_.resize(kernels.meetings_.size());
    for (std::size_t k = 0; k < meetings_.size(); ++k) {
        auto const& meeting = kernels.meetings_[k];
        meetings_[k].resize(kernels.layout_->edges().size());
        std::size_t const rows = kernels.reverses_[kernels.forwards_[meeting.forward].along].of.rows();
        for (auto const& [e, factor] : meeting.factors.edges) meetings_[k][e].resize(rows);
    }
}

void GradientKernelFiller::add_products(GradientKernels::Kernel const& kernel, std::span<double> out) {
    auto const& layout = *kernels_->layout_;
    auto const& a = adjoints_[kernel.reverse_a];
    auto const& b = adjoints_[kernel.reverse_b];
    std::size_t const rows = kernel.a.rows();
    std::size_t const columns = kernel.b.rows();
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

void GradientKernelFiller::go_forward(std::size_t f, std::vector<mlp::GraphPass> const& passes) {
    auto const& forward = kernels_->forwards_[f];
    auto const& pass = passes[forward.input];
    fill_strengths(*kernels_->layout_, forward.factors, pass, passes[kernels_->reverses_[forward.along].of.input],
                   strengths_);
    tangents_[f].forward(pass, adjoints_[forward.along], strengths_, [&](std::size_t v) { meet(f, v, passes); });
}

/// At the edges into v, while their sources are there.
void GradientKernelFiller::meet(std::size_t f, std::size_t v, std::vector<mlp::GraphPass> const& passes) {
    auto const& layout = *kernels_->layout_;
    for (std::size_t k = 0; k < meetings_.size(); ++k) {
        auto const& meeting = kernels_->meetings_[k];
        if (meeting.forward != f) continue;
        auto const& here = passes[kernels_->forwards_[f].input];
        auto const& there = passes[meeting.input];
        for (std::size_t const e : layout.nodes()[v].incoming) {
            auto& sums = meetings_[k][e];
            if (sums.empty()) continue;  // the labels do not run over it
            auto const& edge = layout.edges()[e];
            auto const& from = layout.nodes()[edge.from];
            auto const moved = tangents_[f].h(edge.from);
            std::fill(sums.begin(), sums.end(), 0.0);
            for (std::size_t j = 0; j < from.width; ++j) {
                if (!meets_one_side(layout, meeting.factors, here, there, from.first + j)) continue;
                double const h = edge.scale * edge.scale * there.h[from.first + j];
                for (std::size_t r = 0; r < sums.size(); ++r) sums[r] += h * moved[j * sums.size() + r];
            }
        }
    }
}

void GradientKernelFiller::fill(std::vector<mlp::GraphPass> const& passes, TensorProgram::Memory& memory) {
    for (std::size_t r = 0; r < adjoints_.size(); ++r) {
        auto const& of = kernels_->reverses_[r].of;
        if (of.factors)
            adjoints_[r].backward(passes[of.input], memory[*of.factors]);
        else
            adjoints_[r].backward(passes[of.input]);
    }
    for (std::size_t f = 0; f < tangents_.size(); ++f) go_forward(f, passes);
    for (auto const& kernel : kernels_->kernels_) {
        std::span<double> const out(memory[kernel.buffer]);
        if (kernel.moves) {
            auto const& of = kernel.a.neurons;
            auto const& tangents = tangents_[kernel.forward];
            auto const moved = of.activated ? tangents.h(of.node) : tangents.z(of.node);
            std::copy_n(moved.begin() + static_cast<std::ptrdiff_t>(of.first * kernel.b.rows()), out.size(),
                        out.begin());
        } else {
            fill_strengths(*kernels_->layout_, kernel.factors, passes[kernel.a.input], passes[kernel.b.input],
                           strengths_);
            add_products(kernel, out);
        }
    }
}

}  // namespace isserlis::monte_carlo::detail
