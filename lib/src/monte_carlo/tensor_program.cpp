// SPDX-License-Identifier: MIT
#include "tensor_program.hpp"

#include <algorithm>
#include <cstdint>
#include <isserlis/error.hpp>
#include <string>

#include "plan/contraction_order.hpp"

namespace isserlis::monte_carlo::detail {
namespace {

constexpr double most_numbers = 33'554'432;  // 2^25: a quarter of a gigabyte in each thread
constexpr std::size_t most_axes = 64;

std::size_t stride_of(TensorView const& view, std::size_t axis) {
    auto const found = std::find(view.axes.begin(), view.axes.end(), axis);
    return found == view.axes.end() ? 0 : view.strides[static_cast<std::size_t>(found - view.axes.begin())];
}

double power_of(double base, unsigned exponent) {
    double out = 1;
    for (; exponent > 0; exponent >>= 1U, base *= base)
        if ((exponent & 1U) != 0) out *= base;
    return out;
}

/// The sum of a[i * sa] * b[i * sb], in four partial sums; strides 1 are compiled in.
template <bool unit_a, bool unit_b>
double dot(std::size_t n, double const* a, std::size_t sa, double const* b, std::size_t sb) {
    auto const term = [&](std::size_t i) { return a[unit_a ? i : i * sa] * b[unit_b ? i : i * sb]; };
    double s0 = 0;
    double s1 = 0;
    double s2 = 0;
    double s3 = 0;
    std::size_t i = 0;
    for (; i + 4 <= n; i += 4) {
        s0 += term(i);
        s1 += term(i + 1);
        s2 += term(i + 2);
        s3 += term(i + 3);
    }
    for (; i < n; ++i) s0 += term(i);
    return (s0 + s1) + (s2 + s3);
}

}  // namespace

void TensorView::add_axis(std::size_t axis, std::size_t stride) {
    auto const found = std::find(axes.begin(), axes.end(), axis);
    if (found != axes.end()) {
        strides[static_cast<std::size_t>(found - axes.begin())] += stride;
        return;
    }
    axes.push_back(axis);
    strides.push_back(stride);
}

TensorProgram::TensorProgram() { one_.buffer = add_buffer(1); }

std::size_t TensorProgram::add_axis(std::size_t size) {
    axis_sizes_.push_back(size);
    return axis_sizes_.size() - 1;
}

std::size_t TensorProgram::add_buffer(double size) {
    total_size_ += size;
    if (!(total_size_ <= most_numbers))
        throw UnsupportedError("`query`: its tensors of derivatives would hold " +
                                   std::to_string(static_cast<std::uint64_t>(std::min(total_size_ / 1e6, 1e18))) +
                                   " million numbers; up to " +
                                   std::to_string(static_cast<std::uint64_t>(most_numbers / 1e6)) +
                                   " million are sampled, so restrict the labels or take a smaller network",
                               "query");
    sizes_.push_back(static_cast<std::size_t>(size));
    return sizes_.size() - 1;
}

double TensorProgram::entries(std::vector<std::size_t> const& axes) const {
    double out = 1;
    for (std::size_t const axis : axes) out *= static_cast<double>(axis_sizes_[axis]);
    return out;
}

TensorView TensorProgram::add_tensor(std::vector<std::size_t> const& axes) {
    TensorView out{.buffer = add_buffer(entries(axes)), .offset = 0, .axes = axes, .strides = {}};
    out.strides.resize(axes.size());
    std::size_t stride = 1;
    for (std::size_t k = axes.size(); k-- > 0;) {
        out.strides[k] = stride;
        stride *= axis_sizes_[axes[k]];
    }
    return out;
}

void TensorProgram::clear(TensorView const& whole) {
    Step step;
    step.kind = Step::Kind::clear;
    step.c = whole.buffer;
    steps_.push_back(step);
}

std::size_t TensorProgram::add_power(std::size_t buffer, unsigned power) {
    Step step;
    step.kind = Step::Kind::power;
    step.a = buffer;
    step.c = add_buffer(static_cast<double>(sizes_[buffer]));
    step.exponent = power;
    steps_.push_back(step);
    work_ += 4 * static_cast<double>(sizes_[buffer]);
    return step.c;
}

void TensorProgram::add_product(TensorView const& out, double coefficient, std::vector<TensorView> factors) {
    if (factors.empty()) factors.push_back(one_);
    std::vector<std::size_t> axes = out.axes;
    for (auto const& factor : factors)
        for (std::size_t const axis : factor.axes)
            if (std::find(axes.begin(), axes.end(), axis) == axes.end()) axes.push_back(axis);
    if (axes.size() > most_axes) throw UnsupportedError("`query`: a term has too many letters and labels", "query");
    std::vector<double> sizes;
    for (std::size_t const axis : axes) sizes.push_back(static_cast<double>(axis_sizes_[axis]));
    auto const bits = [&](TensorView const& view) {
        std::uint64_t mask = 0;
        for (std::size_t k = 0; k < axes.size(); ++k)
            if (std::find(view.axes.begin(), view.axes.end(), axes[k]) != view.axes.end())
                mask |= std::uint64_t{1} << k;
        return mask;
    };
    auto const tensor = [&](std::uint64_t mask) {
        std::vector<std::size_t> chosen;
        for (std::size_t k = 0; k < axes.size(); ++k)
            if ((mask >> k & 1U) != 0) chosen.push_back(axes[k]);
        TensorView const view = add_tensor(chosen);
        clear(view);
        return view;
    };
    std::uint64_t const kept = bits(out);
    std::vector<std::uint64_t> masks;
    for (auto const& factor : factors) masks.push_back(bits(factor));
    // What one factor alone has is summed before anything is multiplied.
    for (std::size_t f = 0; factors.size() > 1 && f < factors.size(); ++f) {
        std::uint64_t const mask = axes_after(masks, f, f, kept);
        if (mask == masks[f]) continue;
        TensorView const reduced = tensor(mask);
        multiply(reduced, 1, factors[f], one_);
        factors[f] = reduced;
        masks[f] = mask;
    }
    for (auto const& [i, j] : contraction_order(masks, kept, sizes)) {
        if (factors.size() == 2) break;
        std::uint64_t const mask = axes_after(masks, i, j, kept);
        TensorView const product = tensor(mask);
        multiply(product, 1, factors[i], factors[j]);
        factors[i] = product;
        masks[i] = mask;
        factors.erase(factors.begin() + static_cast<std::ptrdiff_t>(j));
        masks.erase(masks.begin() + static_cast<std::ptrdiff_t>(j));
    }
    multiply(out, coefficient, factors[0], factors.size() == 2 ? factors[1] : one_);
}

void TensorProgram::multiply(TensorView const& out, double coefficient, TensorView const& a, TensorView const& b) {
    Step step;
    step.a = a.buffer;
    step.b = b.buffer;
    step.c = out.buffer;
    step.a_offset = a.offset;
    step.b_offset = b.offset;
    step.c_offset = out.offset;
    step.coefficient = coefficient;
    std::vector<std::size_t> axes = a.axes;
    for (auto const* view : {&b, &out})
        for (std::size_t const axis : view->axes)
            if (std::find(axes.begin(), axes.end(), axis) == axes.end()) axes.push_back(axis);
    for (std::size_t const axis : axes)
        step.loops.push_back(
            {.size = axis_sizes_[axis], .a = stride_of(a, axis), .b = stride_of(b, axis), .c = stride_of(out, axis)});
    std::stable_sort(step.loops.begin(), step.loops.end(),
                     [](Loop const& x, Loop const& y) { return x.a + x.b + x.c > y.a + y.b + y.c; });
    // Two loops that run through memory as one become one.
    for (std::size_t k = step.loops.size(); k-- > 1;) {
        Loop& outer = step.loops[k - 1];
        Loop const inner = step.loops[k];
        if (outer.a != inner.a * inner.size || outer.b != inner.b * inner.size || outer.c != inner.c * inner.size)
            continue;
        outer = {.size = outer.size * inner.size, .a = inner.a, .b = inner.b, .c = inner.c};
        step.loops.erase(step.loops.begin() + static_cast<std::ptrdiff_t>(k));
    }
    if (step.loops.empty()) step.loops.emplace_back();
    work_ += entries(axes);
    steps_.push_back(std::move(step));
}

void TensorProgram::carry_out(Step const& step, double const* a, double const* b, double* c, std::size_t depth) {
    Loop const& loop = step.loops[depth];
    if (depth + 1 < step.loops.size()) {
        for (std::size_t i = 0; i < loop.size; ++i)
            carry_out(step, a + i * loop.a, b + i * loop.b, c + i * loop.c, depth + 1);
        return;
    }
    double const f = step.coefficient;
    if (loop.c == 0) {
        auto const sum = loop.a == 1 ? (loop.b == 1 ? dot<true, true> : dot<true, false>)
                                     : (loop.b == 1 ? dot<false, true> : dot<false, false>);
        *c += f * sum(loop.size, a, loop.a, b, loop.b);
    } else if (loop.c == 1 && loop.a == 1 && loop.b == 0) {
        double const g = f * *b;
        for (std::size_t i = 0; i < loop.size; ++i) c[i] += g * a[i];
    } else if (loop.c == 1 && loop.a == 0 && loop.b == 1) {
        double const g = f * *a;
        for (std::size_t i = 0; i < loop.size; ++i) c[i] += g * b[i];
    } else {
        for (std::size_t i = 0; i < loop.size; ++i) c[i * loop.c] += f * a[i * loop.a] * b[i * loop.b];
    }
}

TensorProgram::Memory TensorProgram::memory() const {
    Memory out;
    for (std::size_t const size : sizes_) out.emplace_back(size);
    out[one_.buffer][0] = 1;
    return out;
}

void TensorProgram::run(std::vector<Step> const& steps, Memory& memory) {
    for (Step const& step : steps) {
        auto& c = memory[step.c];
        switch (step.kind) {
            case Step::Kind::clear: std::fill(c.begin(), c.end(), 0.0); break;
            case Step::Kind::power:
                std::transform(memory[step.a].begin(), memory[step.a].end(), c.begin(),
                               [&](double x) { return power_of(x, step.exponent); });
                break;
            case Step::Kind::multiply:
                carry_out(step, memory[step.a].data() + step.a_offset, memory[step.b].data() + step.b_offset,
                          c.data() + step.c_offset, 0);
                break;
        }
    }
}

}  // namespace isserlis::monte_carlo::detail
