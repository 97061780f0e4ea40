// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/formula/normalised_norm.hpp>
#include <isserlis/monte_carlo/normalised_sampler.hpp>

#include <algorithm>
#include <string>
#include <type_traits>
#include <vector>

#include "quantity/commands.hpp"

namespace isserlis::quantity {

inline constexpr unsigned usual_normalised_order = 2;

struct NormalisedRequest {
    ModelText typed;
    std::vector<ModelText> networks;
    Normalisation by = Normalisation::rms;
    Placement placement = Placement::before;
    bool gradients = false;
    unsigned order = usual_normalised_order;
};

/// A layer of a chain or a block of a residual network, and the network up to it.
template <class R, class Count>
struct Section {
    std::string label;
    Network<R, Count> network;
    bool head = false;  ///< of a chain: neither normalised nor gated
};

bool has_skip(auto const& block) {
    using Edge = std::decay_t<decltype(block.edges.back())>;
    return block.edges.back().kind == Edge::Kind::skip;
}

// ---- streams that start at the input itself, whose direction N sees

/// No matrix turns x before the first branch.
template <class R, class Count>
bool starts_at_input(Model<R, Count> const& model) {
    return !model.network.is_chain() && has_skip(model.graph().stages.front());
}

/// Are the given coordinates from the `first` on all equal?
template <class R>
bool are_equal(std::vector<R> const& input, std::size_t first) {
    return !input.empty() && std::all_of(input.begin() + static_cast<std::ptrdiff_t>(first), input.end(),
                                         [&](R const& x) { return simplified(R(x - input.back())) == R(0); });
}

/// Is N(x) = 0?
template <class R, class Count>
bool normalises_zero(Model<R, Count> const& model, NormalisedRequest const& request) {
    return request.by == Normalisation::layer && starts_at_input(model) && are_equal(model.input, 0);
}

/// The widths of ReLU layers in the first branch.
template <class R, class Count>
std::vector<R> relu_widths(Model<R, Count> const& model) {
    std::vector<R> out;
    for (auto const& node : model.graph().stages.front().nodes)
        if (node.gate && node.gate->negative == R(0)) out.push_back(node.width);
    return out;
}

/// The networks that are sampled. Where |x|^2 alone is given equal entries stand for x, of alternating signs where LayerNorm
/// would make 0 of it.
/// Errors  UnsupportedError for an input of which doubles cannot tell N(x).
[[nodiscard]] monte_carlo::NormalisedModel sampled_model(NumericModel const& model, NormalisedRequest const& request);

}  // namespace isserlis::quantity
