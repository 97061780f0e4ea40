// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/error.hpp>
#include <isserlis/formula/squared_norm.hpp>
#include <isserlis/network/fully_connected.hpp>
#include <isserlis/network/graph.hpp>
#include <isserlis/network/normalisation.hpp>
#include <isserlis/ring/concept.hpp>
#include <isserlis/ring/interval.hpp>
#include <isserlis/ring/moment_step.hpp>
#include <isserlis/ring/power.hpp>
#include <isserlis/ring/rational.hpp>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace isserlis {

namespace normalised_norm_detail {

inline void check_order(unsigned order, char const* who) {
    if (order > max_norm_order)
        throw UnsupportedError(std::string(who) + ": order = " + std::to_string(order) + "; orders up to " +
                                   std::to_string(max_norm_order) + " are served",
                               "order");
}

/// What a block x + f(N(x)) does to E |x|^(2p).
///
/// `scale[r]` is E s^(2r) of f(N(x)) = s g, with g of `width` independent standard normal entries.
template <class R>
MomentStep<R> branch_step(R const& width, std::vector<R> const& scale) {
    auto const order = static_cast<unsigned>(scale.size()) - 1;
    MomentStep<R> out;
    for (unsigned p = 0; p <= order; ++p) {
        out.emplace_back(order + 1, R(0));
        // (|x|^2 + 2 s x.g + s^2 |g|^2)^p: i factors |x|^2, 2j factors 2 s x.g, k factors s^2 |g|^2.
        for (unsigned j = 0; 2 * j <= p; ++j) {
            for (unsigned k = 0; k + 2 * j <= p; ++k) {
                unsigned const i = p - k - 2 * j;
                R term(1);  // p!/(i! k! (2j)!) 4^j (2j - 1)!!, which is p!/(i! k! j!) 2^j
                for (unsigned t = i + 1; t <= p; ++t) term = term * R(static_cast<int>(t));
                for (unsigned t = 2; t <= k; ++t) term = term / R(static_cast<int>(t));
                for (unsigned t = 1; t <= j; ++t) term = term * R(2) / R(static_cast<int>(t));
                for (unsigned t = j; t < j + k; ++t) term = term * (width + R(static_cast<int>(2 * t)));
                out[p][i + j] = out[p][i + j] + term * scale[j + k];
            }
        }
        for (R& entry : out[p]) entry = simplified(entry);
    }
    return out;
}

}  // namespace normalised_norm_detail

/// E |phi(N(z))|^(2p), p = 0 .. order, of a Gaussian z with equal independent entries and RMSNorm.
///
/// Shape   `width` is n, a number or a symbol; rational functions of n come out.
/// Errors  none.
/// Source  z/|z| is a uniform direction, independent of |z|: sum (g_i z_i)^2 = |z|^2 sum (g_i z_i/|z|)^2 is a product of
///         independent factors, E |z|^(2p) = n (n+2) .. (n+2p-2) and the left side is `gated_chi_square_moments`.
template <Field R>
[[nodiscard]] std::vector<R> rms_activation_moments(R const& width, Gate<R> const& gate, unsigned order) {
    std::vector<R> out = gated_chi_square_moments(width, gate, order);
    R factor(1);
    for (unsigned p = 1; p <= order; ++p) {
        factor = factor * width / (width + R(static_cast<int>(2 * (p - 1))));
        out[p] = simplified(R(out[p] * factor));
    }
    return out;
}

/// E |phi(N(z))|^4 of a Gaussian z with `width` equal independent entries and LayerNorm, 2 entries or more; phi(t) = t
/// above 0 and `slope` t below.
///
/// Errors  DomainError for a width below 2.
/// Source  z less its mean has independent length and direction, E |.|^4 = (n-1)(n+1), and pairs of entries correlated by
///         -1/(n-1), for which there is the arc-cosine kernel of order 2 [Cho 2009].
[[nodiscard]] Interval layer_norm_second_moment(Integer const& width, Rational const& slope, unsigned bits);

/// E |v|^(2p), p = 0 .. order, of the last layer's vector v of a chain h^l = phi(N(z^l)), z^l = W^l h^(l-1): of h, or of
/// z where the last layer is a `head`, which is neither normalised nor gated.
///
/// Law     W^l entries N(0, variance of the run), independent; one fixed input with |x|^2 = `square`. Given that the last
///         layer that is normalised does not read 0, which a dead ReLU layer makes of all above it; behind
///         LayerNorm none is dead.
/// Shape   only the last two layers enter.
/// Units   |h|^2 has no unit; a head has that of the last variance.
/// Errors  UnsupportedError above `max_norm_order`, and above order 1 for LayerNorm before units other than t and |t|.
/// Source  `rms_activation_moments`; LayerNorm: a sign flip of z exchanges the gates, so that E |h|^2 = n (1 + s^2)/2.
template <Field R, class Count>
[[nodiscard]] std::vector<R> normalised_chain_moments(FullyConnected<R, Count> const& net, Normalisation by,
                                                      R const& square, bool head, unsigned order) {
    constexpr char const* who = "normalised_chain_moments";
    normalised_norm_detail::check_order(order, who);
    check_layers(net, who);
    Gate<R> const gate = net.activation.gate();
    bool const keeps_lengths = gate.negative * gate.negative == R(1);
    auto const hidden = [&](R const& width) {
        if (by == Normalisation::rms && !keeps_lengths) return rms_activation_moments(width, gate, order);
        if (!keeps_lengths && order > 1)
            throw UnsupportedError(std::string(who) + ": LayerNorm before gates has a rational first moment only",
                                   "order");
        std::vector<R> out{R(1)};
        for (unsigned p = 1; p <= order; ++p) out.push_back(out.back() * width * gate.moment(2));
        return out;
    };
    auto const& last = net.layers.back();
    if (!head) return hidden(last.fan_out);
    std::vector<R> out = gated_chi_square_moments(last.fan_out, Gate<R>::open(), order);
    bool const alone = net.layers.size() == 1 && last.count == Count(1);
    std::vector<R> const below = alone ? std::vector<R>{} : hidden(last.fan_in);
    R scale(1);
    for (unsigned p = 1; p <= order; ++p) {
        scale = scale * (alone ? R(last.variance * square) : last.variance);
        out[p] = simplified(R(out[p] * scale * (alone ? R(1) : below[p])));
    }
    return out;
}

/// E |y|^(2p), p = 0 .. order, of the last node of a pre-norm residual network y^k = y^(k-1) + f(N(y^(k-1))), f the branch
/// of the block; a plain block before the branches reads the input, one behind them the normalised y.
///
/// Law     Gaussian weights, independent; one fixed input with |x|^2 = `square`. RMSNorm, or LayerNorm of two entries or
///         more: a branch sees the length sqrt(n) alone. Where the first block is a branch N(x) is not 0.
/// Shape   the graph of `residual_graph`, also `between_matrices`; equal blocks by Newton's formula.
/// Units   those of |x|^2.
/// Errors  UnsupportedError above `max_norm_order`; DomainError for other graphs.
/// Source  given y a branch is s g, with g standard normal and s^2 = v |h|^2, h below its last matrix, both independent of y:
///         |y + s g|^2 = |y|^2 + 2 s y.g + s^2 |g|^2, and y.g/|y| is an entry of g.
template <Field R, class Count>
[[nodiscard]] std::vector<R> prenorm_moments(Graph<R, Count> const& graph, R const& square, unsigned order) {
    using Edge = GraphEdge<R>;
    normalised_norm_detail::check_order(order, "prenorm_moments");
    std::vector<R> moments{R(1)};
    for (unsigned p = 1; p <= order; ++p) moments.push_back(moments.back() * square);
    bool behind_branches = false;
    R below = graph.input_width;
    for (auto const& stage : graph.stages) {
        bool const branch = stage.edges.back().kind == Edge::Kind::skip;
        if (stage.edges.size() != stage.nodes.size() + (branch ? 1 : 0))
            throw DomainError("prenorm_moments: a block is neither a residual one nor a plain matrix", "graph");
        // E |h|^(2p) over E |g|^(2p): s^2 of what the last matrix makes.
        std::vector<R> scale{R(1)};
        bool const normalised = branch || behind_branches;
        for (unsigned p = 1; p <= order; ++p) scale.push_back(normalised ? R(scale.back() * below) : moments[p]);
        for (std::size_t j = 0; j < stage.nodes.size(); ++j) {
            auto const& node = stage.nodes[j];
            bool const last = j + 1 == stage.nodes.size();
            std::vector<R> const chi =
                last ? std::vector<R>(order + 1, R(1))
                     : gated_chi_square_moments(node.width, node.gate.value_or(Gate<R>::open()), order);
            R v(1);
            for (unsigned p = 1; p <= order; ++p) {
                v = v * stage.edges[j].variance;
                scale[p] = scale[p] * v * chi[p];
            }
        }
        R const& width = stage.nodes.back().width;
        if (branch) {
            moments = through(normalised_norm_detail::branch_step(width, scale), stage.count, std::move(moments));
        } else {
            std::vector<R> const chi = gated_chi_square_moments(width, Gate<R>::open(), order);
            for (unsigned p = 1; p <= order; ++p) moments[p] = scale[p] * chi[p];
        }
        for (R& m : moments) m = simplified(m);
        behind_branches = branch;
        below = width;
    }
    return moments;
}

/// E |y|^(2p), p = 0 .. order, of the last node of a post-norm residual network y^k = N(y^(k-1) + f(y^(k-1))): |y|^2 = n,
/// whatever the branches do. A plain block before them reads the input, one behind them y.
///
/// Law, Units, Errors  as `prenorm_moments`; LayerNorm of two entries or more.
/// Shape   the same graphs.
/// Source  the definition of N, whose argument is 0 with probability 0: that of a dead first branch is x
template <Field R, class Count>
[[nodiscard]] std::vector<R> postnorm_moments(Graph<R, Count> const& graph, R const& square, unsigned order) {
    using Edge = GraphEdge<R>;
    normalised_norm_detail::check_order(order, "postnorm_moments");
    auto const& last = graph.stages.back();
    R const& width = last.nodes.back().width;
    bool const branch = last.edges.back().kind == Edge::Kind::skip;
    if (!branch && graph.stages.size() == 1) return prenorm_moments(graph, square, order);
    std::vector<R> out =
        branch ? std::vector<R>(order + 1, R(1)) : gated_chi_square_moments(width, Gate<R>::open(), order);
    R const scale =
        branch ? width : R(last.edges.front().variance * graph.stages[graph.stages.size() - 2].nodes.back().width);
    R power_of_scale(1);
    for (unsigned p = 1; p <= order; ++p) {
        power_of_scale = power_of_scale * scale;
        out[p] = simplified(R(out[p] * power_of_scale));
    }
    return out;
}

}  // namespace isserlis
