// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/strand/bundle.hpp>
#include <isserlis/strand/setting.hpp>

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "strand/state.hpp"

namespace isserlis {

/// The fixed neurons that occur in the letters of a bundle.
[[nodiscard]] inline std::vector<std::uint64_t> fixed_neurons(Bundle const& bundle) {
    std::vector<std::uint64_t> out;
    for (auto const& letter : bundle.letters) {
        if (letter != 0 && std::find(out.begin(), out.end(), letter) == out.end()) out.push_back(letter);
    }
    return out;
}

/// 1 + the place of a fixed neuron among those that occur; 0 for a letter that is summed.
[[nodiscard]] inline std::uint8_t pin_of(unsigned letter, Bundle const& bundle,
                                         std::vector<std::uint64_t> const& fixed) {
    if (bundle.letters[letter] == 0) return 0;
    auto const at = std::find(fixed.begin(), fixed.end(), bundle.letters[letter]);
    return static_cast<std::uint8_t>(at - fixed.begin() + 1);
}

/// What the states of a bundle are worth once all strands have come down to the input.
template <class R>
class InputEnds {
public:
    /// `late` are the strands whose ends are tied here and not before, `fixed` the fixed neurons.
    InputEnds(Bundle const& bundle, StateTable const& states, ObservableSetting<R> const& setting, R const& width,
              std::vector<bool> const& late, std::vector<std::uint64_t> const& fixed)
        : bundle_(bundle), states_(states), inputs_(setting.inputs), width_(width), late_(late), fixed_(fixed) {}

    /// The mean over the states of an orbit: they weigh the same, as the start is the same for all of them, and the ends
    /// tell them apart.
    [[nodiscard]] R mean(std::vector<StrandState const*> const& orbit) const {
        std::map<InputSums, int> times;
        for (auto const* state : orbit) {
            if (auto sums = input_sums(with_late_ends(*state))) ++times[*std::move(sums)];
        }
        R out(0);
        for (auto const& [sums, count] : times) {
            R product = R(count) * inputs_.product(sums.parts);
            for (unsigned k = 0; k < sums.widths; ++k) product = product * width_;
            out = out + product;
        }
        return orbit.size() == 1 ? out : R(out / R(static_cast<int>(orbit.size())));
    }

private:
    /// Ties what has come down to the input to the letters of its ends; false where two fixed neurons would be one.
    bool end_jacobians(StrandState& state) const {
        for (unsigned k = 0; k < bundle_.strands.size(); ++k) {
            if (!bundle_.strands[k].end_letter || bundle_.strands[k].matrix) continue;
            unsigned const end = states_.strands() + k;
            std::uint8_t const from = state.part[end];
            std::uint8_t const to = state.part[k];
            std::uint8_t const fixed = std::max(state.pin[k], state.pin[end]);
            if (std::min(state.pin[k], state.pin[end]) != 0 && state.pin[k] != state.pin[end]) return false;
            for (unsigned t = 0; t < 2 * states_.strands(); ++t) {
                if (state.part[t] != from && state.part[t] != to) continue;
                state.part[t] = to;
                state.pin[t] = fixed;
            }
        }
        return true;
    }

    /// The state with the ends that meet nothing above the input.
    [[nodiscard]] StrandState with_late_ends(StrandState state) const {
        constexpr unsigned apart = 128;  // from all parts of strands
        for (unsigned k = 0; k < bundle_.strands.size(); ++k) {
            unsigned const end = states_.strands() + k;
            if (states_.slots() == states_.strands()) state.set_apart(end);
            if (!late_[k]) continue;
            unsigned const letter = *bundle_.strands[k].end_letter;
            state.part[end] = static_cast<std::uint8_t>(apart + letter);
            state.pin[end] = pin_of(letter, bundle_, fixed_);
        }
        return state;
    }

    /// What the parts of a state at the input become: sums over its coordinates of products of inputs, or the product
    /// at a fixed neuron; and how often its width.
    struct InputSums {
        std::vector<std::pair<std::vector<unsigned>, std::size_t>> parts;
        unsigned widths = 0;
        friend auto operator<=>(InputSums const&, InputSums const&) = default;
    };

    [[nodiscard]] std::optional<InputSums> input_sums(StrandState state) const {
        if (!end_jacobians(state)) return std::nullopt;
        bool const single = width_ == R(1);  // the sum over one coordinate is that coordinate
        InputSums out;
        std::vector<bool> done(bundle_.strands.size(), false);
        for (unsigned k = 0; k < bundle_.strands.size(); ++k) {
            if (done[k] || state.position[k] == StrandState::ended) continue;
            std::vector<unsigned> inputs;
            std::size_t fixed = 0;
            for (unsigned j = k; j < bundle_.strands.size(); ++j) {
                if (state.part[j] != state.part[k]) continue;
                done[j] = true;
                if (!bundle_.strands[j].end_letter) inputs.push_back(bundle_.strands[j].input);
                if (state.pin[j] != 0 && !single) fixed = fixed_[state.pin[j] - 1U];
            }
            // A Jacobian brings no coordinate of its own: on a neuron of its own it counts them.
            if (!inputs.empty())
                out.parts.emplace_back(std::move(inputs), fixed);
            else if (fixed == 0)
                ++out.widths;
        }
        return out;
    }

    Bundle const& bundle_;
    StateTable const& states_;
    NetworkInputs<R> const& inputs_;
    R const& width_;
    std::vector<bool> const& late_;
    std::vector<std::uint64_t> const& fixed_;
};

}  // namespace isserlis
