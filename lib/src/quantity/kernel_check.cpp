// SPDX-License-Identifier: MIT
#include "quantity/kernel_check.hpp"

#include <algorithm>
#include <cmath>
#include <isserlis/network/zoo.hpp>
#include <isserlis/verify/feasible.hpp>

namespace isserlis::quantity {

std::map<std::string, std::vector<double>> sampled_inputs(InputGram const& gram) {
    double const xx = gram.xx.convert_to<double>();
    double const along = xx == 0 ? 0 : gram.xy.convert_to<double>() / std::sqrt(xx);
    double const across = std::sqrt(std::max(0.0, gram.yy.convert_to<double>() - along * along));
    double const scale = std::sqrt(2.0);
    return {{"x", {scale * std::sqrt(xx), 0}}, {"y", {scale * along, scale * across}}};
}

monte_carlo::GraphModel sampled_network(Gate<Rational> const& gate, WideNetwork const& network, std::size_t inputs,
                                        std::size_t layers) {
    double const w = network.weight_variance.convert_to<double>();
    double const b = network.bias_variance.convert_to<double>();
    FullyConnected<double, std::uint64_t> net;
    net.activation = {.kind = ActivationKind::leaky, .slope = gate.negative.convert_to<double>()};
    double below = static_cast<double>(inputs);
    for (std::size_t l = 1; l <= layers; ++l) {
        double const width = l == layers ? 1 : static_cast<double>(sampled_width);
        LayerRun<double, std::uint64_t> run{.fan_in = below, .fan_out = width, .count = 1, .variance = w / below};
        if (b > 0) run.bias = Bias<double>{.variance = b, .law = {}, .label_factor = b};
        net.layers.push_back(run);
        below = width;
    }
    return {.graph = chain_graph(net), .unit_parameters = true};
}

std::optional<CorrectedWidths> corrected_widths(WideNetwork const& network,
                                                std::vector<Rational> const& relative_widths) {
    constexpr unsigned least = 32;
    constexpr unsigned most = 512;
    Integer n = least;
    for (auto const& ratio : relative_widths) n = lcm(n, denominator_of(ratio));
    if (n > most) return std::nullopt;
    CorrectedWidths out{.hidden = {}, .n = n.convert_to<std::uint64_t>()};
    for (std::uint64_t l = 0; l < std::min(network.hidden_layers, last_corrected_layer); ++l) {
        Rational const width = relative_widths.empty() ? Rational(n) : Rational(relative_widths[l] * Rational(n));
        if (width > most) return std::nullopt;
        out.hidden.push_back(numerator_of(width).convert_to<std::uint64_t>());
    }
    return out;
}

monte_carlo::WidthCorrectionEstimates sampled_corrections(monte_carlo::FiniteWidths at_infinity,
                                                          CorrectedWidths const& widths, std::uint64_t layer,
                                                          Session const& session) {
    at_infinity.width = static_cast<double>(widths.n);
    at_infinity.hidden.assign(widths.hidden.begin(), widths.hidden.begin() + static_cast<std::ptrdiff_t>(layer - 1));
    double weights = 0;
    double below = 2;
    for (std::uint64_t const width : at_infinity.hidden) {
        auto const n = static_cast<double>(width);
        weights += 6 * n * below;  // both networks, once and twice as wide: at most 2 + 4 times as many
        below = n;
    }
    weights += 3 * below * static_cast<double>(monte_carlo::correction_outputs);
    constexpr double passes = 2 + 4 * static_cast<double>(monte_carlo::tangent_outputs);
    require_feasible(passes * weights, *session.samples, session.run_control());
    return monte_carlo::sample_width_corrections(at_infinity, *session.samples, session.seed, session.run_control());
}

Check compared_to_order(double exact, monte_carlo::Estimate const& sampled) {
    Check out = compare_sampled(exact, sampled.mean, sampled.std_error, sampled.samples);
    if (out.verdict == Check::Verdict::disagrees) out.verdict = Check::Verdict::inconclusive;
    out.power = std::nullopt;
    return out;
}

std::string corrections_text(CorrectedWidths const& widths) {
    return "sampled beside rows of order 1/n: 2 c(2n) - c(n) at n = " + std::to_string(widths.n) +
           ", c(n) being what these equations give for the row where their left sides are sampled at width n and "
           "O(1/n^2) is left out, of networks that read 2 coordinates; its mean misses the row by O(1/n^2), so that "
           "agrees is within the sampling error, and what is further off, or of an error above a tenth of the row, is "
           "inconclusive";
}

}  // namespace isserlis::quantity
