// SPDX-License-Identifier: MIT
#include "strand/state.hpp"

#include <isserlis/error.hpp>

#include <algorithm>
#include <boost/container/small_vector.hpp>
#include <cstring>

namespace isserlis {
namespace {

/// States beyond this are not worth waiting for.
constexpr std::size_t max_states = 2'000'000;

StrandState moved(StrandState const& state, Relabelling const& by, unsigned strands, unsigned slots) {
    StrandState out;
    for (unsigned s = 0; s < strands; ++s) {
        unsigned const t = by.strands[s];
        out.position[t] = state.position[s];
        out.part[t] = state.part[s];
        out.pin[t] = state.pin[s];
        if (slots == strands) continue;
        out.part[strands + t] = state.part[strands + s];
        out.pin[strands + t] = state.pin[strands + s];
    }
    for (std::size_t l = 0; l < by.labels.size(); ++l) {
        if ((state.placed >> l & 1U) != 0) out.placed = static_cast<std::uint16_t>(out.placed | 1U << by.labels[l]);
    }
    return out;
}

}  // namespace

std::size_t StateTable::Hash::operator()(StrandState const& s) const {
    std::array<std::uint64_t, (sizeof s + 7) / 8> words{};
    std::memcpy(words.data(), &s, sizeof s);
    std::uint64_t out = 0;
    for (auto const word : words) {
        out = (out ^ word) * 0x9e3779b97f4a7c15U;
        out ^= out >> 32U;
    }
    return out;
}

StateTable::StateTable(Bundle const& bundle, bool reduce) : strands_(static_cast<unsigned>(bundle.strands.size())) {
    bool const ends = std::any_of(bundle.strands.begin(), bundle.strands.end(),
                                  [](Strand const& s) { return s.end_letter.has_value(); });
    slots_ = ends ? 2 * strands_ : strands_;
    static_assert(std::has_unique_object_representations_v<StrandState>);
    if (reduce) generators_ = symmetry_generators(bundle);
    known_.reserve(64);
}

void StateTable::normalise(StrandState& state) const {
    std::array<std::uint8_t, 256> name;
    for (unsigned s = 0; s < slots_; ++s) name[state.part[s]] = 0;
    std::uint8_t next = 0;
    for (unsigned s = 0; s < slots_; ++s) {
        auto& given = name[state.part[s]];
        if (given == 0) given = ++next;
        state.part[s] = given;
    }
}

unsigned StateTable::number(StrandState state) {
    normalise(state);
    auto const fresh = static_cast<unsigned>(states_.size());
    if (auto const [at, is_new] = known_.try_emplace(state, fresh); !is_new) return at->second;
    if (known_.size() > max_states) {
        throw UnsupportedError("the strand recursion needs more than " + std::to_string(max_states) +
                               " states; use fewer strands, labels or sources per node");
    }
    states_.push_back(state);
    // The whole orbit gets the same number.
    boost::container::small_vector<StrandState, 8> open{state};
    while (!open.empty()) {
        StrandState const here = open.back();
        open.pop_back();
        for (auto const& g : generators_) {
            StrandState image = moved(here, g, strands_, slots_);
            normalise(image);
            if (known_.try_emplace(image, fresh).second) open.push_back(image);
        }
    }
    return fresh;
}

std::vector<std::vector<StrandState const*>> StateTable::orbits() const {
    std::vector<std::vector<StrandState const*>> out(states_.size());
    for (auto const& [state, number] : known_) out[number].push_back(&state);
    return out;
}

std::string to_string(StrandState const& state, Bundle const& bundle) {
    std::string out;
    auto const strands = static_cast<unsigned>(bundle.strands.size());
    for (unsigned s = 0; s < strands; ++s) {
        if (state.position[s] == StrandState::ended) continue;
        bool first = true;
        for (unsigned t = 0; t < s; ++t) first = first && state.part[t] != state.part[s];
        if (!first) continue;
        if (!out.empty()) out += "|";
        for (unsigned t = s; t < strands; ++t) {
            if (state.part[t] == state.part[s]) out += static_cast<char>('a' + t);
        }
    }
    for (std::size_t l = 0; l < bundle.labels.size(); ++l) {
        if ((state.placed >> l & 1U) != 0) out += " " + bundle.labels[l].name + std::to_string(l + 1);
    }
    return out;
}

}  // namespace isserlis
