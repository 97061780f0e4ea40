// SPDX-License-Identifier: MIT
#include <gmp.h>

#include <bit>
#include <isserlis/error.hpp>
#include <isserlis/formula/coordinate_moments.hpp>
#include <map>
#include <string>

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

}  // namespace isserlis
