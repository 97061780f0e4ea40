// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <compare>
#include <cstdint>
#include <string>
#include <vector>

namespace plain {

/// Most strands that a bundle may have.
inline constexpr unsigned max_strands = 8;

/// A set partition of the strands 0 .. size-1: which of them sit on the same neuron.
/// Stored as a restricted growth string, so that equal partitions are equal objects.
class Partition {
public:
    /// All strands apart.
    explicit Partition(unsigned size);
    /// Parts by label: strands with equal labels share a part.
    explicit Partition(std::vector<unsigned> const& labels);

    [[nodiscard]] unsigned size() const { return size_; }
    [[nodiscard]] unsigned block_count() const { return blocks_; }
    [[nodiscard]] unsigned block_of(unsigned strand) const { return block_[strand]; }
    [[nodiscard]] std::vector<std::vector<unsigned>> parts() const;
    /// True when every part lies inside a part of `coarser`.
    [[nodiscard]] bool refines(Partition const& coarser) const;

    friend auto operator<=>(Partition const& a, Partition const& b) = default;

private:
    unsigned size_ = 0;
    unsigned blocks_ = 0;
    std::array<std::uint8_t, max_strands> block_{};
};

/// The finest partition that both refine: strands tied in either are tied.
[[nodiscard]] Partition join(Partition const& a, Partition const& b);

/// All partitions of the strands, of which there are 1, 2, 5, 15, 52, 203, 877, 4140 for 1 .. 8.
[[nodiscard]] std::vector<Partition> all_partitions(unsigned size);

/// "02|13".
[[nodiscard]] std::string to_string(Partition const& p);

}  // namespace plain
