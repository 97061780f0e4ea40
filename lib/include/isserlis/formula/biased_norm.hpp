// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/error.hpp>
#include <isserlis/formula/squared_norm.hpp>
#include <isserlis/network/fully_connected.hpp>
#include <isserlis/ring/concept.hpp>
#include <isserlis/ring/power.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <type_traits>
#include <vector>

namespace isserlis {

namespace biased_norm_detail {

/// Row p: E S'^p in E S^0 .. E S^p, of one layer. Lower triangular.
template <class R>
using Step = std::vector<std::vector<R>>;

template <class R, class Count>
Step<R> step(LayerRun<R, Count> const& run, Gate<R> const& gate, unsigned order) {
    std::vector<R> const chi = gated_chi_square_moments(run.fan_out, gate, order);
    R const b = run.bias ? run.bias->variance : R(0);
    Step<R> out;
    for (unsigned p = 0; p <= order; ++p) {
        out.emplace_back(order + 1, R(0));
        R binomial(1);
        for (unsigned k = 0; k <= p; ++k) {
            out[p][k] = simplified(R(chi[p] * binomial * power(run.variance, k) * power(b, p - k)));
            binomial = binomial * R(static_cast<int>(p - k)) / R(static_cast<int>(k + 1));
        }
    }
    return out;
}

template <class R>
std::vector<R> applied(Step<R> const& step, std::vector<R> const& moments) {
    std::vector<R> out(moments.size(), R(0));
    for (std::size_t p = 0; p < out.size(); ++p) {
        for (std::size_t k = 0; k <= p; ++k) out[p] = out[p] + step[p][k] * moments[k];
    }
    return out;
}

/// The divided differences x^count [l_0 .. l_j], j = 0 .. , at the eigenvalues, of which equal ones are neighbours.
template <class R, class Count>
std::vector<R> divided_differences(std::vector<R> const& eigenvalues, Count const& count) {
    std::size_t const size = eigenvalues.size();
    // table[i] is that of l_i .. l_(i + width), for one width after another.
    std::vector<R> table;
    for (auto const& x : eigenvalues) table.push_back(power(x, count));
    std::vector<R> out{table[0]};
    R binomial(1);
    for (std::size_t width = 1; width < size; ++width) {
        auto const w = static_cast<int>(width);
        binomial = binomial * (from_count<R>(count) - R(w - 1)) / R(w);
        for (std::size_t i = 0; i + width < size; ++i) {
            R const& first = eigenvalues[i];
            R const& last = eigenvalues[i + width];
            table[i] = first == last ? R(binomial * power(first, Count(count - Count(w))))
                                     : R((table[i + 1] - table[i]) / (last - first));
        }
        out.push_back(table[0]);
    }
    return out;
}

/// `count` equal layers one after the other.
template <class R, class Count>
std::vector<R> through(Step<R> const& step, Count const& count, std::vector<R> moments) {
    constexpr std::uint64_t few = 64;
    if constexpr (std::is_same_v<Count, std::uint64_t>) {
        if (count <= few || std::is_floating_point_v<R>) {
            for (std::uint64_t i = 0; i < count; ++i) moments = applied(step, moments);
            return moments;
        }
    }
    std::vector<R> eigenvalues;
    for (std::size_t p = 0; p < step.size(); ++p) {
        auto const equal = std::find(eigenvalues.begin(), eigenvalues.end(), step[p][p]);
        eigenvalues.insert(equal, step[p][p]);
    }
    // Newton: step^count = sum_j x^count [l_0 .. l_j] (step - l_0) .. (step - l_(j - 1)).
    std::vector<R> const weights = divided_differences(eigenvalues, count);
    std::vector<R> out(moments.size(), R(0));
    for (std::size_t j = 0; j < weights.size(); ++j) {
        for (std::size_t p = 0; p < out.size(); ++p) out[p] = out[p] + weights[j] * moments[p];
        std::vector<R> next = applied(step, moments);
        for (std::size_t p = 0; p < out.size(); ++p) next[p] = simplified(R(next[p] - eigenvalues[j] * moments[p]));
        moments = std::move(next);
    }
    return out;
}

}  // namespace biased_norm_detail

/// E |v|^(2p), p = 0 .. order, of the last layer's vector v (z or h) of a Gaussian network with Gaussian biases.
///
/// Law     W^l and b^l entries N(0, their variance of the run), independent; one fixed input with |x|^2 = `square`.
/// Shape   as `relative_norm_moments`.
/// Units   those of |x|^2.
/// Errors  those of `check_layers`; UnsupportedError above `max_norm_order` and for weights or biases that are not
///         Gaussian.
/// Source  given h^(l-1) the entries of z^l are independent N(0, v |h^(l-1)|^2 + b), so that
///         E |h^l|^(2p) = M_p(n_l) sum_k binom(p, k) v^k b^(p-k) E |h^(l-1)|^(2k), M_p of `gated_chi_square_moments`;
///         equal layers by Newton's formula at the eigenvalues M_p v^p.
template <Field R, class Count>
[[nodiscard]] std::vector<R> biased_norm_moments(FullyConnected<R, Count> const& net, R const& square, Reading reading,
                                                 unsigned order) {
    using namespace biased_norm_detail;
    check_layers(net, "biased_norm_moments");
    if (order > max_norm_order) {
        throw UnsupportedError("biased_norm_moments: order = " + std::to_string(order) + "; orders up to " +
                                   std::to_string(max_norm_order) + " are served",
                               "order");
    }
    Gate<R> const gate = net.activation.gate();
    std::vector<R> moments{R(1)};
    for (unsigned p = 1; p <= order; ++p) moments.push_back(moments.back() * square);
    for (std::size_t i = 0; i < net.layers.size(); ++i) {
        auto const& run = net.layers[i];
        if (run.law.kind != LawKind::gaussian || (run.bias && run.bias->law.kind != LawKind::gaussian))
            throw UnsupportedError("biased_norm_moments: run " + std::to_string(i + 1) +
                                       " of the layers has weights or biases that are not Gaussian",
                                   "law");
        bool const last_run = i + 1 == net.layers.size();
        // The last layer of the last run is read as asked; all others pass the gate.
        Count const gated = last_run ? run.count - Count(1) : run.count;
        if (!(gated == Count(0))) moments = through(step(run, gate, order), gated, std::move(moments));
        Gate<R> const last_gate = reading == Reading::activation ? gate : Gate<R>::open();
        if (last_run) moments = applied(step(run, last_gate, order), moments);
    }
    return moments;
}

}  // namespace isserlis
