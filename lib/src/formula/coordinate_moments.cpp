// SPDX-License-Identifier: MIT
#include <isserlis/formula/coordinate_moments.hpp>

#include <gmp.h>

#include <bit>
#include <isserlis/error.hpp>
#include <isserlis/formula/mup_step.hpp>
#include <isserlis/formula/ntk_moments.hpp>
#include <isserlis/network/check_layers.hpp>
#include <map>
#include <string>

#include <algorithm>
#include <cstddef>
#include <type_traits>

#include "formula/by_rationals.hpp"
#include "formula/mup_strands.hpp"

namespace isserlis {
namespace {

/// Of R = chi_K, K ~ Binomial(n, 1/2): the length of n gated standard normals and the number of open gates.
struct GatedChi {
    Interval length;        ///< E R
    Interval times_active;  ///< E K R
};

GatedChi gated_chi(Integer const& n, unsigned bits) {
    if (n > max_coordinate_width) {
        throw UnsupportedError("`widths`: width = " + to_string(n) + "; widths up to " +
                                   std::to_string(max_coordinate_width) + " are served, the sum has one term per unit",
                               "widths");
    }
    auto const width = static_cast<unsigned long>(n);
    // Binomial weights and means of chi_k are carried by ratios: each step loses a rounding, hence the extra bits.
    unsigned const work = bits + 64 + 2 * static_cast<unsigned>(mpz_sizeinbase(n.backend().data(), 2));
    Interval const two(2L, work);
    Interval odd = sqrt(two / pi(work));   // E chi_1
    Interval even = sqrt(pi(work) / two);  // E chi_2
    Interval weight(n, work);              // C(n, 1)
    Interval length(work);
    Interval times_active(work);
    for (unsigned long k = 1; k <= width; ++k) {
        Interval& mean = k % 2 == 1 ? odd : even;
        Interval const term = weight * mean;
        length = length + term;
        times_active = times_active + Interval(Integer(k), work) * term;
        mean = mean * Interval(ratio(Integer(k + 1), Integer(k)), work);
        weight = weight * Interval(ratio(Integer(width - k), Integer(k + 1)), work);
    }
    Interval const all(power(Integer(2), width), work);
    return {.length = length / all, .times_active = times_active / all};
}

}  // namespace

std::vector<Interval> coordinate_change_means(FullyConnected<Surd, std::uint64_t> const& net, Surd const& square,
                                              unsigned bits) {
    require_mup(net);
    check_single_layers(net, "coordinate_change_means");
    // All terms are positive: errors add up over the layers and do not grow with them.
    unsigned const work = bits + 32 + 4 * static_cast<unsigned>(std::bit_width(net.layers.size()));
    Interval const two(2L, work);
    Interval const one_sided = Interval(1L, work) / sqrt(two * pi(work));  // E relu(g), g standard normal
    std::map<Integer, GatedChi> lengths;
    auto chi_of = [&](Integer const& n) -> GatedChi const& {
        auto at = lengths.find(n);
        if (at == lengths.end()) at = lengths.emplace(n, gated_chi(n, work)).first;
        return at->second;
    };
    // Of h = h^(l-1) and its gated kernel M = D K^(l-1) D, K_ij = sum_mu h_mu d_mu z_i d_mu z_j:
    Interval length = sqrt(enclose(square, work));
    Interval cube = length * length * length;  // E |h|^3
    Interval along(work);                      // E h^T M h/|h|
    Interval across(work);                     // E |h| tr M less that
    Surd const last = net.layers.back().fan_in;
    std::vector<Interval> out;
    for (std::size_t l = 0; l + 1 < net.layers.size(); ++l) {
        auto const& run = net.layers[l];
        Interval const v = enclose(run.variance, work);
        Interval const root = sqrt(v);
        Interval const own = root * enclose(run.label_factor, work) * cube;
        Interval const scale = v * root;
        Interval const to_output = enclose(net.output_width() / (run.fan_out * last), work);
        out.push_back(Interval(work) - to_output * one_sided * (own + scale * (along + across + along)));
        if (l + 2 == net.layers.size()) break;
        auto const& chi = chi_of(numerator_of(run.fan_out.to_rational()));
        Interval const third = chi.times_active + chi.length;   // E R^3
        Interval const others = chi.times_active - chi.length;  // E (K - 1) R
        Interval const new_along = scale * (along * third + across * chi.length) + own * chi.length;
        across = (scale * across + own) * others;
        along = new_along;
        cube = scale * cube * third;
    }
    return out;
}

std::vector<Interval> absolute_preactivation_means(FullyConnected<Surd, std::uint64_t> const& net, Surd const& square,
                                                   unsigned bits) {
    check_layers(net, "absolute_preactivation_means");
    check_single_layers(net, "absolute_preactivation_means");
    if (!net.activation.is_relu())
        throw UnsupportedError("`activation`: mean absolute values are served for ReLU", "activation");
    for (auto const& run : net.layers) {
        if (run.law.kind != LawKind::gaussian)
            throw UnsupportedError("`law`: mean absolute values are served for Gaussian weights only", "law");
    }
    unsigned const work = bits + 32 + 4 * static_cast<unsigned>(std::bit_width(net.layers.size()));
    Interval const per_deviation = sqrt(Interval(2L, work) / pi(work));  // E |g|, g standard normal
    std::map<Integer, Interval> lengths;
    Interval below = sqrt(enclose(square, work));  // E |h|
    std::vector<Interval> out;
    for (std::size_t l = 0; l < net.layers.size(); ++l) {
        auto const& run = net.layers[l];
        Interval const deviation = sqrt(enclose(run.variance, work)) * below;
        out.push_back(per_deviation * deviation);
        if (l + 1 == net.layers.size()) break;
        Integer const n = numerator_of(run.fan_out.to_rational());
        auto at = lengths.find(n);
        if (at == lengths.end()) at = lengths.emplace(n, gated_chi(n, work).length).first;
        below = deviation * at->second;
    }
    return out;
}

namespace coordinate_detail {

/// Of a hidden layer of muP, from its functionals and its step.
template <class R>
CoordinateMoments<R> hidden(FullyConnected<R, std::uint64_t> const& net, R const& square, YFunctionals<R> const& y,
                            MupLayer<R> const& step) {
    // From layer l to the outputs and back two strands carry N/(n_l n_L) and the gate of layer l 1/2.
    R const n = net.layers.back().fan_in;
    return {.square = R(2) * square / net.input_width(),
            .covariance = R(0) - net.output_width() * y.y1 / (R(2) * n),
            .change_square = step.change_squared()};
}

/// Of the output layer, from the functionals of the last hidden one.
template <class R>
CoordinateMoments<R> output(FullyConnected<R, std::uint64_t> const& net, R const& square, R const& target_second,
                            YFunctionals<R> const& below) {
    R const outputs = net.output_width();
    R const n = net.layers.back().fan_in;
    R const mean_square = square / net.input_width();
    // Six strands that end in the outputs i, i | j, j | k, k: N^(blocks - 1), for one of the outputs is i.
    auto const six = mup_detail::above_all(net, square);
    auto const& x = six.numerators;
    auto const [free, common] = Fractions<R>::over_common(
        {R(1), R(R(2) * outputs + R(2)), R(outputs + R(1)), R(outputs * outputs + R(3) * outputs + R(4))});
    auto const sum = x[mup_detail::both_tied] * free[0] + x[mup_detail::both_label] * free[1] +
                     x[mup_detail::both_output] * free[2] + x[mup_detail::both_loose] * free[3];
    auto denominator = six.denominator;
    denominator.multiply(common, 1);
    // The head has the variance 1/n^2 in place of 2/n; its tau is kept.
    R const rate = R(2) * n * n * net.layers.back().label_factor;
    auto const y = next_y_functionals(below, n, outputs, rate, mean_square);
    R const kernel_square = ntk_moments(net, square).squared_trace_mean;
    return {
        .square = mean_square / n,
        .covariance = R(0) - outputs * y.y1 / (R(4) * n * n),
        .change_square = Fractions<R>::divided(sum, denominator) + target_second * kernel_square / (outputs * outputs)};
}

}  // namespace coordinate_detail

template <Field R>
std::vector<CoordinateMoments<R>> coordinate_moments(FullyConnected<R, std::uint64_t> const& net, R const& square,
                                                     R const& target_second) {
    if constexpr (std::is_same_v<R, Surd>) {
        if (auto out =
                by_rationals([](auto const&... x) { return coordinate_moments(x...); }, net, square, target_second))
            return *out;
    }
    auto const steps = mup_step(net, square, target_second);
    auto const functionals = y_functionals(net, square);
    std::vector<CoordinateMoments<R>> out;
    for (std::size_t l = 0; l < steps.size(); ++l)
        out.push_back(coordinate_detail::hidden(net, square, functionals[l], steps[l]));
    out.push_back(coordinate_detail::output(net, square, target_second, functionals.back()));
    return out;
}

template <Field R>
CoordinateMoments<R> coordinate_moments_of_layer(FullyConnected<R, std::uint64_t> const& net, R const& square,
                                                 R const& target_second, std::uint64_t layer) {
    if constexpr (std::is_same_v<R, Surd>) {
        auto const of_layer = [&](auto const&... x) { return coordinate_moments_of_layer(x..., layer); };
        if (auto out = by_rationals(of_layer, net, square, target_second)) return *out;
    }
    require_mup(net);
    std::uint64_t const hidden = depth(net) - 1;
    if (layer == 0 || layer > hidden + 1) {
        throw DomainError("coordinate_moments_of_layer: layer = " + std::to_string(layer) + "; layers are 1 .. " +
                              std::to_string(hidden + 1),
                          "layer");
    }
    auto const y = y_functionals_of_layer(net, square, std::min(layer, hidden));
    if (layer > hidden) return coordinate_detail::output(net, square, target_second, y);
    return coordinate_detail::hidden(net, square, y, mup_step_of_layer(net, square, target_second, layer));
}

template std::vector<CoordinateMoments<Rational>> coordinate_moments(FullyConnected<Rational, std::uint64_t> const&,
                                                                     Rational const&, Rational const&);
template CoordinateMoments<Rational> coordinate_moments_of_layer(FullyConnected<Rational, std::uint64_t> const&,
                                                                 Rational const&, Rational const&, std::uint64_t);
template std::vector<CoordinateMoments<Surd>> coordinate_moments(FullyConnected<Surd, std::uint64_t> const&,
                                                                 Surd const&, Surd const&);
template CoordinateMoments<Surd> coordinate_moments_of_layer(FullyConnected<Surd, std::uint64_t> const&, Surd const&,
                                                             Surd const&, std::uint64_t);
template std::vector<CoordinateMoments<RationalFunction>> coordinate_moments(
    FullyConnected<RationalFunction, std::uint64_t> const&, RationalFunction const&, RationalFunction const&);
template CoordinateMoments<RationalFunction> coordinate_moments_of_layer(
    FullyConnected<RationalFunction, std::uint64_t> const&, RationalFunction const&, RationalFunction const&,
    std::uint64_t);

}  // namespace isserlis
