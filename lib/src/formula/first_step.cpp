// SPDX-License-Identifier: MIT
#include <isserlis/error.hpp>
#include <isserlis/formula/chi_mean.hpp>
#include <isserlis/formula/coordinate_moments.hpp>
#include <isserlis/formula/first_step.hpp>
#include <isserlis/network/check_layers.hpp>

#include <string>
#include <vector>

namespace isserlis {
namespace {

using Net = FullyConnected<Surd, std::uint64_t>;

void require_first_step(FirstStepNetwork const& of, StepRule rule, char const* who) {
    auto const& net = of.net;
    check_layers(net, who);
    check_single_layers(net, who);
    if (net.gated_head) throw UnsupportedError(std::string(who) + ": a linear head is required", "head");
    auto const kind = net.activation.kind;
    if (kind != ActivationKind::relu && kind != ActivationKind::leaky && kind != ActivationKind::linear)
        throw UnsupportedError(std::string(who) + ": relu, leaky and linear units are served", "activation");
    for (auto const& run : net.layers) {
        if (run.law.kind != LawKind::gaussian)
            throw UnsupportedError(std::string(who) + ": Gaussian weights are required", "law");
    }
    if (rule == StepRule::sign && !of.absolute)
        throw DomainError(std::string(who) + ": the sum of |x_i| is missing", "input");
}

void require_one_output(Net const& net, char const* who) {
    if (net.output_width() != Surd(1))
        throw UnsupportedError(std::string(who) + ": " + to_string(net.output_width()) + " outputs; one is served",
                               "widths");
}

/// E D^2 g^2 of a gate D and a standard normal g.
Surd gated_square(Net const& net) {
    Surd const slope = net.activation.gate().negative;
    return (Surd(1) + slope * slope) * Surd(ratio(1, 2));
}

/// pi/2 (E |D g|)^2, |D g| of mean (1 + |s|)/2 (2/pi)^(1/2).
Surd gated_mean_square(Net const& net) {
    Surd const slope = net.activation.gate().negative;
    Surd const size = sign(slope) < 0 ? Surd(0) - slope : slope;
    Surd const mean = (Surd(1) + size) * Surd(ratio(1, 2));
    return mean * mean;
}

/// E |h^m|^2, h^0 = x.
Surd activation_square(FirstStepNetwork const& of, std::uint64_t m) {
    Surd out = of.square;
    for (std::uint64_t l = 0; l < m; ++l)
        out = out * of.net.layers[l].variance * of.net.layers[l].fan_out * gated_square(of.net);
    return out;
}

/// The probability that one unit or more of layer m, 1 .. L, is open.
Surd alive(Net const& net, std::uint64_t m) {
    if (!net.activation.gate().negative.is_zero()) return Surd(1);
    Integer const n = numerator_of(net.layers[m - 1].fan_out.to_rational());
    if (n > max_coordinate_width)
        throw UnsupportedError("`widths`: width = " + to_string(n) + "; widths up to " +
                                   std::to_string(max_coordinate_width) + " are served",
                               "widths");
    Integer const all = power(Integer(2), static_cast<unsigned long>(n));
    return Surd(Rational(all - 1) / Rational(all));
}

/// E |h^m|, m = 0 .. L.
std::vector<Interval> mean_lengths(FirstStepNetwork const& of, unsigned bits) {
    std::vector<Interval> out;
    if (of.net.activation.kind == ActivationKind::relu) {
        auto const sizes = absolute_preactivation_means(of.net, of.square, bits);
        Interval const per_deviation = sqrt(pi(bits) / Interval(2L, bits));
        for (std::size_t l = 0; l < sizes.size(); ++l)
            out.push_back(sizes[l] * per_deviation / sqrt(enclose(of.net.layers[l].variance, bits)));
        return out;
    }
    if (of.net.activation.kind != ActivationKind::linear)
        throw UnsupportedError("first_step: mean lengths are known for ReLU and linear units", "activation");
    out.push_back(sqrt(enclose(of.square, bits)));
    for (std::size_t l = 0; l + 1 < of.net.layers.size(); ++l) {
        auto const& run = of.net.layers[l];
        out.push_back(out.back() * sqrt(enclose(run.variance, bits)) *
                      chi_mean(numerator_of(run.fan_out.to_rational()), bits));
    }
    return out;
}

}  // namespace

Interval enclose(PiSum const& x, unsigned bits) {
    return enclose(x.plain, bits + 8) + enclose(x.over_pi, bits + 8) / pi(bits + 8);
}

std::uint64_t alive_digits(FirstStepNetwork const& of, std::uint64_t layer) {
    if (!of.net.activation.gate().negative.is_zero()) return 0;
    std::uint64_t out = 0;
    for (std::uint64_t l = layer; l < of.net.layers.size(); ++l)
        out += checked_count(numerator_of(of.net.layers[l - 1].fan_out.to_rational()));
    return out;
}

PiSum own_change_square(FirstStepNetwork const& of, StepRule rule, std::uint64_t layer) {
    require_first_step(of, rule, "own_change_square");
    auto const& net = of.net;
    std::uint64_t const layers = net.layers.size();
    if (layer == 0 || layer > layers)
        throw DomainError(
            "own_change_square: layer = " + std::to_string(layer) + "; layers are 1 .. " + std::to_string(layers),
            "layer");
    if (rule != StepRule::sign && rule != StepRule::orthogonal)
        throw UnsupportedError("own_change_square: the size of this step depends on the gradients of all layers",
                               "rule");
    auto const& run = net.layers[layer - 1];
    Surd factor = run.label_factor * run.label_factor;
    for (std::uint64_t m = layer + 1; m < layers; ++m) factor = factor * alive(net, m);
    if (rule == StepRule::orthogonal) {
        if (layer < layers) factor = factor * alive(net, layer);
        return {.plain = factor * activation_square(of, layer - 1) / run.fan_out, .over_pi = Surd(0)};
    }
    // An entry of delta is 0 behind its closed gate.
    if (layer < layers && net.activation.gate().negative.is_zero()) factor = factor * Surd(ratio(1, 2));
    if (layer == 1) return {.plain = factor * *of.absolute * *of.absolute, .over_pi = Surd(0)};
    auto const& below = net.layers[layer - 2];
    Surd const scale = factor * below.variance * activation_square(of, layer - 2) * below.fan_out;
    return {.plain = scale * gated_square(net),
            .over_pi = scale * (below.fan_out - Surd(1)) * gated_mean_square(net) * Surd(2)};
}

Interval output_change_mean(FirstStepNetwork const& of, StepRule rule, unsigned bits) {
    require_first_step(of, rule, "output_change_mean");
    auto const& net = of.net;
    require_one_output(net, "output_change_mean");
    if (rule != StepRule::sign && rule != StepRule::orthogonal)
        throw UnsupportedError("output_change_mean: signs and orthogonal steps are served", "rule");
    unsigned const work = bits + 64;
    auto const lengths = mean_lengths(of, work);
    std::size_t const last = net.layers.size() - 1;
    Interval const per_normal = sqrt(Interval(2L, work) * enclose(gated_mean_square(net), work) / pi(work));
    auto const root = [&](std::size_t l) { return sqrt(enclose(net.layers[l].variance, work)); };
    auto const width = [&](std::size_t l) { return enclose(net.layers[l].fan_out, work); };
    /// E |dz/dz^(l+1)|, layers from 0.
    auto const slope = [&](std::size_t l) { return lengths[last] / lengths[l] * root(last) / root(l); };
    Interval sum(work);
    for (std::size_t l = 0; l <= last; ++l) {
        Interval input = lengths[l];
        Interval output = slope(l);
        if (rule == StepRule::sign) {
            input = l == 0 ? enclose(*of.absolute, work) : width(l - 1) * per_normal * root(l - 1) * lengths[l - 1];
            if (l < last) output = width(l) * per_normal * root(l + 1) * slope(l + 1);
        }
        sum = sum + enclose(net.layers[l].label_factor, work) * input * output;
    }
    return sum;
}

Surd normalised_output_square(FirstStepNetwork const& of) {
    require_first_step(of, StepRule::normalised, "normalised_output_square");
    auto const& net = of.net;
    require_one_output(net, "normalised_output_square");
    std::uint64_t const hidden = net.layers.size() - 1;
    Surd sum(0);
    for (std::uint64_t l = 0; l <= hidden; ++l) {
        if (!(net.layers[l].label_factor == net.layers[0].label_factor))
            throw UnsupportedError("normalised_output_square: one rate for all layers is required", "eta");
        Surd product = of.square;
        for (std::uint64_t m = 0; m <= hidden; ++m) {
            if (m != l) product = product * net.layers[m].variance;
            if (m < hidden) product = product * net.layers[m].fan_out * gated_square(net);
        }
        sum = sum + product;
    }
    return sum * net.layers[0].label_factor * net.layers[0].label_factor;
}

}  // namespace isserlis
