// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/strand/bundle.hpp>
#include <isserlis/strand/symmetry.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace isserlis {

/// Where the strands of a bundle are between two nodes of the recursion.
struct StrandState {
    static constexpr std::uint8_t waiting = 255;  ///< position of a strand that starts further down

    std::array<std::uint8_t, max_strands> position{};  ///< node of the current block; 0 is the node below it
    std::array<std::uint8_t, max_strands> block{};     ///< strands of equal number sit on the same neuron
    std::array<std::uint8_t, max_strands> pin{};  ///< 1 + which of the fixed neurons this one is; 0 if it is summed
    std::uint16_t placed = 0;                     ///< bit l: label l sits on a weight above

    friend bool operator==(StrandState const&, StrandState const&) = default;
    friend auto operator<=>(StrandState const&, StrandState const&) = default;
};

/// The states of one bundle, numbered as they are met; those that a symmetry exchanges are one.
class StateTable {
public:
    /// `reduce` false keeps every state apart (for tests of the reduction).
    explicit StateTable(Bundle const& bundle, bool reduce = true);

    /// The number of the state's orbit. Blocks may be numbered in any way.
    [[nodiscard]] unsigned number(StrandState state);
    /// One state of that orbit.
    [[nodiscard]] StrandState const& state(unsigned number) const { return states_[number]; }
    [[nodiscard]] std::size_t size() const { return states_.size(); }
    [[nodiscard]] unsigned strands() const { return strands_; }
    /// How many states the orbits stand for.
    [[nodiscard]] std::size_t unreduced_size() const { return known_.size(); }

private:
    struct Hash {
        std::size_t operator()(StrandState const& s) const;
    };
    void normalise(StrandState& state) const;

    unsigned strands_;
    std::vector<Relabelling> generators_;
    std::unordered_map<StrandState, unsigned, Hash> known_;
    std::vector<StrandState> states_;
};

/// "ab|cd m": the strands by letters, those on one neuron together, and the labels placed so far.
[[nodiscard]] std::string to_string(StrandState const& state, Bundle const& bundle);

}  // namespace isserlis
