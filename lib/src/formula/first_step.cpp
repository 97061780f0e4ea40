// SPDX-License-Identifier: MIT
#include <isserlis/formula/first_step.hpp>

#include <isserlis/error.hpp>
#include <isserlis/formula/chi_mean.hpp>
#include <isserlis/formula/coordinate_moments.hpp>
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

/// 2^n of layer m, 1 .. L: all of its gates are closed once in so many; 0 where none ever is.
Integer gate_patterns(Net const& net, std::uint64_t m) {
    if (!net.activation.gate().negative.is_zero()) return 0;
    Integer const n = numerator_of(net.layers[m - 1].fan_out.to_rational());
    if (n > max_coordinate_width)
        throw UnsupportedError("`widths`: width = " + to_string(n) + "; widths up to " +
                                   std::to_string(max_coordinate_width) + " are served",
                               "widths");
    return power(Integer(2), static_cast<unsigned long>(n));
}

/// The probability that one unit or more of layer m, 1 .. L, is open.
Surd alive(Net const& net, std::uint64_t m) {
    Integer const all = gate_patterns(net, m);
    return all == 0 ? Surd(1) : Surd(Rational(all - 1) / Rational(all));
}

/// The same for m = l .. L and each l, at l - 1; the last one is 1.
std::vector<Interval> alive_from(Net const& net, unsigned bits) {
    std::vector<Interval> out(net.layers.size(), Interval(1L, bits));
    Surd width(0);
    Interval own(1L, bits);
    for (std::size_t l = net.layers.size() - 1; l > 0; --l) {
        if (!(net.layers[l - 1].fan_out == width)) {
            width = net.layers[l - 1].fan_out;
            Integer const all = gate_patterns(net, l);
            own = Interval(1L, bits);
            if (all != 0) own = own - own / Interval(all, bits);
        }
        out[l - 1] = out[l] * own;
    }
    return out;
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

/// E (Delta W^l h^(l-1))_i^2 at rate 1 where no layer from l on is dead; `square` is E |h^(l-1)|^2, of signs above layer 1
/// that of h^(l-2).
PiSum own_square_if_alive(FirstStepNetwork const& of, StepRule rule, std::uint64_t layer, Surd const& square) {
    auto const& net = of.net;
    if (rule == StepRule::orthogonal) return {.plain = square / net.layers[layer - 1].fan_out, .over_pi = Surd(0)};
    // An entry of delta is 0 behind its closed gate.
    bool const halved = layer < net.layers.size() && net.activation.gate().negative.is_zero();
    Surd const share = halved ? Surd(ratio(1, 2)) : Surd(1);
    if (layer == 1) return {.plain = share * *of.absolute * *of.absolute, .over_pi = Surd(0)};
    auto const& below = net.layers[layer - 2];
    Surd const scale = share * below.variance * square * below.fan_out;
    return {.plain = scale * gated_square(net),
            .over_pi = scale * (below.fan_out - Surd(1)) * gated_mean_square(net) * Surd(2)};
}

/// Of the one output E |G^l|/|g| for each layer, the norm of entries for `sign`, of Frobenius for `orthogonal`.
std::vector<Interval> output_change_parts(FirstStepNetwork const& of, StepRule rule, unsigned bits) {
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
    std::vector<Interval> out;
    for (std::size_t l = 0; l <= last; ++l) {
        Interval input = lengths[l];
        Interval output = slope(l);
        if (rule == StepRule::sign) {
            input = l == 0 ? enclose(*of.absolute, work) : width(l - 1) * per_normal * root(l - 1) * lengths[l - 1];
            if (l < last) output = width(l) * per_normal * root(l + 1) * slope(l + 1);
        }
        out.push_back(input * output);
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
    if (rule == StepRule::orthogonal && layer < layers) factor = factor * alive(net, layer);
    std::uint64_t const below = rule == StepRule::sign && layer > 1 ? layer - 2 : layer - 1;
    auto const own = own_square_if_alive(of, rule, layer, activation_square(of, below));
    return {.plain = factor * own.plain, .over_pi = factor * own.over_pi};
}

Interval output_change_mean(FirstStepNetwork const& of, StepRule rule, unsigned bits) {
    auto const parts = output_change_parts(of, rule, bits + 8);
    Interval sum(bits + 8);
    for (std::size_t l = 0; l < parts.size(); ++l)
        sum = sum + enclose(of.net.layers[l].label_factor, bits + 8) * parts[l];
    return sum;
}

Interval joint_unit_rate(FirstStepNetwork const& of, StepRule rule, unsigned bits) {
    unsigned const work = bits + 32;
    auto const parts = output_change_parts(of, rule, work);
    auto const& net = of.net;
    auto const alive = alive_from(net, work);
    Surd square = of.square;  // E |h^(l-1)|^2, and of the layer below
    Surd below = square;
    Interval sum(work);
    for (std::size_t l = 0; l < parts.size(); ++l) {
        auto const own = own_square_if_alive(of, rule, l + 1, rule == StepRule::sign ? below : square);
        bool const own_gates = rule == StepRule::orthogonal || l + 1 == parts.size();
        sum = sum + parts[l] / sqrt(enclose(own, work) * alive[own_gates ? l : l + 1]);
        below = square;
        square = square * net.layers[l].variance * net.layers[l].fan_out * gated_square(net);
    }
    return Interval(1L, work) / sum;
}

Interval joint_unit_rate_limit(std::uint64_t depth, StepRule rule, unsigned bits) {
    if (rule != StepRule::sign && rule != StepRule::orthogonal)
        throw UnsupportedError("joint_unit_rate_limit: signs and orthogonal steps are served", "rule");
    unsigned const work = bits + 16;
    Interval const one(1L, work);
    Interval const per_layer = sqrt(rule == StepRule::sign ? pi(work) : Interval(2L, work));
    return one / (one + Interval(Integer(depth), work) / per_layer);
}

Surd normalised_output_square(FirstStepNetwork const& of, Surd const& eta) {
    require_first_step(of, StepRule::normalised, "normalised_output_square");
    auto const& net = of.net;
    require_one_output(net, "normalised_output_square");
    std::uint64_t const hidden = net.layers.size() - 1;
    Surd sum(0);
    for (std::uint64_t l = 0; l <= hidden; ++l) {
        Surd product = of.square * net.layers[l].label_factor;
        for (std::uint64_t m = 0; m <= hidden; ++m) {
            if (m != l) product = product * net.layers[m].variance;
            if (m < hidden) product = product * net.layers[m].fan_out * gated_square(net);
        }
        sum = sum + product;
    }
    return sum * eta;
}

}  // namespace isserlis
