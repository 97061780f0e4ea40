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
///
/// Where strands have ends, number strands + s is the end of strand s: it waits on the neuron of its letter until the
/// strand comes down to it.
struct StrandState {
    static constexpr std::uint8_t waiting = 255;  ///< position of a strand that starts further down
    static constexpr std::uint8_t ended =
        254;  ///< position of an entry of a matrix, or in a bias, that has been passed

    std::array<std::uint8_t, max_strands> position{};  ///< node of the current stage; 0 is the node below it
    std::array<std::uint8_t, 2 * max_strands> part{};  ///< strands of equal number sit on the same neuron
    std::array<std::uint8_t, 2 * max_strands> pin{};  ///< 1 + which of the fixed neurons this one is; 0 if it is summed
    std::uint16_t placed = 0;                         ///< bit l: label l sits on a weight above

    friend bool operator==(StrandState const&, StrandState const&) = default;
    friend auto operator<=>(StrandState const&, StrandState const&) = default;

    /// Takes strands and ends out of all that is tied.
    void set_apart(unsigned slot) {
        part[slot] = static_cast<std::uint8_t>(100 + slot);
        pin[slot] = 0;
    }
};

/// The states of one bundle, numbered as they are met; those that a symmetry exchanges are one.
class StateTable {
public:
    /// `reduce` false keeps every state apart (for tests of the reduction).
    explicit StateTable(Bundle const& bundle, bool reduce = true);

    /// The number of the state's orbit. Stages may be numbered in any way.
    [[nodiscard]] unsigned number(StrandState state);
    /// One state of that orbit.
    [[nodiscard]] StrandState const& state(unsigned number) const { return states_[number]; }
    [[nodiscard]] std::size_t size() const { return states_.size(); }
    [[nodiscard]] unsigned strands() const { return strands_; }
    /// Strands, and their ends if there are any.
    [[nodiscard]] unsigned slots() const { return slots_; }
    /// All states met so far, by orbit.
    [[nodiscard]] std::vector<std::vector<StrandState const*>> orbits() const;
    /// How many states the orbits stand for.
    [[nodiscard]] std::size_t unreduced_size() const { return known_.size(); }

private:
    struct Hash {
        std::size_t operator()(StrandState const& s) const;
    };
    void normalise(StrandState& state) const;

    unsigned strands_;
    unsigned slots_;
    std::vector<Relabelling> generators_;
    std::unordered_map<StrandState, unsigned, Hash> known_;
    std::vector<StrandState> states_;
};

/// "ab|cd m": the strands by letters, those on one neuron together, and the labels placed so far.
[[nodiscard]] std::string to_string(StrandState const& state, Bundle const& bundle);

}  // namespace isserlis
