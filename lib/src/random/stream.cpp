// SPDX-License-Identifier: MIT
#include <isserlis/random/stream.hpp>

#include <algorithm>
#include <array>
#include <isserlis/error.hpp>
#include <string>
#include <utility>

#include "normal_kernels.hpp"

namespace isserlis {
namespace {

detail::NormalKernels const& kernels() {
    static detail::NormalKernels const& widest = detail::normal_kernels().front();
    return widest;
}

constexpr std::uint64_t first_block(StreamUse use) { return static_cast<std::uint64_t>(use) << 56U; }

}  // namespace

Stream::Stream(std::uint64_t seed, std::uint64_t sample, StreamUse use) noexcept
    : seed_(seed), sample_(sample), block_(first_block(use)) {}

void Stream::refill() noexcept {
    words_ = detail::philox_words(seed_, sample_, block_);
    ++block_;
    position_ = 0;
}

double Stream::normal() noexcept {
    if (std::exchange(has_spare_normal_, false)) return spare_normal_;
    std::uint64_t const radius = bits();
    auto const [first, second] = detail::normal_pair(radius, bits());
    spare_normal_ = second;
    has_spare_normal_ = true;
    return first;
}

float Stream::float_normal() noexcept {
    if (std::exchange(has_spare_float_, false)) return spare_float_;
    auto const [first, second] = detail::float_normal_pair(bits());
    spare_float_ = second;
    has_spare_float_ = true;
    return first;
}

void Stream::fill_normal(std::span<double> out) noexcept {
    std::size_t filled = 0;
    if (has_spare_normal_ && !out.empty()) out[filled++] = normal();
    if (position_ == words_.size()) {  // no word of a block is left over: whole blocks at once
        if (std::size_t const groups = (out.size() - filled) / (2 * stream_lanes); groups > 0) {
            kernels().fill_blocks(seed_, sample_, block_, groups, &out[filled]);
            filled += groups * 2 * stream_lanes;
            block_ += groups * stream_lanes;
        }
        if (std::size_t const left = out.size() - filled; left > 2) {
            std::array<double, 2 * stream_lanes> last;
            kernels().fill_blocks(seed_, sample_, block_, 1, last.data());
            std::copy_n(last.begin(), left, out.begin() + static_cast<std::ptrdiff_t>(filled));
            block_ += (left + 1) / 2;
            has_spare_normal_ = left % 2 == 1;
            if (has_spare_normal_) spare_normal_ = last[left];
            return;
        }
    }
    while (filled < out.size()) out[filled++] = normal();
}

void Stream::fill_normal(std::span<float> out) noexcept {
    constexpr std::size_t group = 4 * stream_lanes;
    std::size_t filled = 0;
    while (filled < out.size() && (has_spare_float_ || position_ != words_.size())) out[filled++] = float_normal();
    if (std::size_t const groups = (out.size() - filled) / group; groups > 0) {
        kernels().fill_float_blocks(seed_, sample_, block_, groups, &out[filled]);
        filled += groups * group;
        block_ += groups * stream_lanes;
    }
    if (std::size_t const whole = (out.size() - filled) / 4 * 4; whole > 4) {
        std::array<float, group> last;
        kernels().fill_float_blocks(seed_, sample_, block_, 1, last.data());
        std::copy_n(last.begin(), whole, out.begin() + static_cast<std::ptrdiff_t>(filled));
        filled += whole;
        block_ += whole / 4;
    }
    while (filled < out.size()) out[filled++] = float_normal();
}

void fill_normal(std::uint64_t seed, std::uint64_t first_sample,
                 std::span<std::array<double, stream_lanes>> out) noexcept {
    std::uint64_t block = first_block(StreamUse::weights);
    std::size_t i = 0;
    for (; i + 2 <= out.size(); i += 2)
        kernels().fill_across(seed, first_sample, block++, out[i].data(), out[i + 1].data());
    if (i < out.size()) {
        std::array<double, stream_lanes> unused;
        kernels().fill_across(seed, first_sample, block, out[i].data(), unused.data());
    }
}

std::vector<char const*> normal_kernel_names() {
    std::vector<char const*> out;
    for (auto const& kernel : detail::normal_kernels()) out.push_back(kernel.name);
    return out;
}

void fill_normal(std::size_t kernel, std::uint64_t seed, std::uint64_t sample, std::span<double> out) {
    if (out.size() % (2 * stream_lanes) != 0)
        throw DomainError("fill_normal: " + std::to_string(out.size()) + " normals; a multiple of " +
                              std::to_string(2 * stream_lanes) + " is required",
                          "out");
    detail::normal_kernels()[kernel].fill_blocks(seed, sample, first_block(StreamUse::weights),
                                                 out.size() / (2 * stream_lanes), out.data());
}

void fill_normal(std::size_t kernel, std::uint64_t seed, std::uint64_t sample, std::span<float> out) {
    if (out.size() % (4 * stream_lanes) != 0)
        throw DomainError("fill_normal: " + std::to_string(out.size()) + " floats; a multiple of " +
                              std::to_string(4 * stream_lanes) + " is required",
                          "out");
    detail::normal_kernels()[kernel].fill_float_blocks(seed, sample, first_block(StreamUse::weights),
                                                       out.size() / (4 * stream_lanes), out.data());
}

void fill_normal(std::size_t kernel, std::uint64_t seed, std::uint64_t first_sample,
                 std::span<std::array<double, stream_lanes>> out) {
    if (out.size() % 2 != 0)
        throw DomainError("fill_normal: " + std::to_string(out.size()) +
                              " normals of each sample; an even number is "
                              "required",
                          "out");
    for (std::size_t i = 0; i < out.size(); i += 2)
        detail::normal_kernels()[kernel].fill_across(seed, first_sample, first_block(StreamUse::weights) + i / 2,
                                                     out[i].data(), out[i + 1].data());
}

}  // namespace isserlis
