// SPDX-License-Identifier: MIT
#include "one_step.hpp"

#include <doctest/doctest.h>

#include <isserlis/network/scheme.hpp>
#include <isserlis/network/zoo.hpp>
#include <isserlis/ring/members.hpp>

#include <bit>
#include <functional>
#include <string>
#include <vector>

#include "layers.hpp"

namespace vectors {

using isserlis::ActivationKind;

Net<Surd> proportional_chain(json const& widths, ActivationKind kind) {
    isserlis::FullyConnected<Surd, Count> net;
    net.activation.kind = kind;
    net.layers = layers_of<Surd>(widths);
    for (auto& layer : net.layers) {
        layer.variance = isserlis::weight_variance(isserlis::Scheme::proportional, net.activation, layer.fan_in,
                                                   layer.fan_out, false);
    }
    return isserlis::chain_graph(net);
}

namespace {

/// Terms f(1) + .. + f(count), in brackets.
std::string sum_over_samples(std::size_t count, std::function<std::string(std::string const&)> const& f) {
    std::string out = "(";
    for (std::size_t k = 1; k <= count; ++k) out += (k > 1 ? " + " : "") + f(std::to_string(k));
    return out + ")";
}

Surd over_power(Surd const& x, std::size_t samples, unsigned exponent) {
    return x / power(Surd(static_cast<int>(samples)), exponent);
}

/// Samples x1, x2, .. and a constant for each: g1, .. or t1, ..
Setting<Surd> with_samples(json const& in, std::string const& constant, json const& values) {
    Setting<Rational> out;
    for (std::size_t k = 1; k <= in["X"].size(); ++k) {
        out.inputs.names.push_back("x" + std::to_string(k));
        out.inputs.vectors.push_back(numbers(in["X"][k - 1]));
        out.constants[constant + std::to_string(k)] = {numbers(values[k - 1])};
    }
    return isserlis::converted<Surd>(out, [](Rational const& x) { return Surd(x); });
}

/// s times the derivative by the weight `label` of the mean over samples of g . z.
std::string constant_gradient(std::size_t samples, std::string const& label) {
    return sum_over_samples(samples, [&](auto const& k) { return "g" + k + "[p] z[p;" + label + "]@x" + k; });
}

/// Given for each sample, or "2 for every sample".
isserlis::ConstantValue<Surd> hessian_of_sample(json const& in, std::size_t k) {
    auto const outputs = in["d"].back().get<std::size_t>();
    isserlis::ConstantValue<Surd> out(outputs, std::vector<Surd>(outputs));
    for (std::size_t i = 0; i < outputs; ++i) {
        for (std::size_t j = 0; j < outputs; ++j) {
            out[i][j] = in["H"].is_string() ? Surd(i == j ? 2 : 0) : Surd(number(in["H"][k - 1][i][j]));
        }
    }
    return out;
}

/// s times the Hessian of half of the mean squared error, targets t.
std::string squared_error_hessian(std::size_t samples) {
    return sum_over_samples(samples, [](auto const& k) {
        return "z[i;m]@x" + k + " z[i;n]@x" + k + " + (z[i]@x" + k + " - t" + k + "[i]) z[i;m,n]@x" + k;
    });
}

/// Half of s times the gradient of the mean squared error, targets t.
std::string squared_error_gradient(std::size_t samples, std::string const& label) {
    return sum_over_samples(
        samples, [&](auto const& k) { return "(z[i]@x" + k + " - t" + k + "[i]) z[i;" + label + "]@x" + k; });
}

}  // namespace

Surd slope_with_constant_gradients(json const& in, ActivationKind kind) {
    auto const samples = in["X"].size();
    return over_power(expected("-(" + constant_gradient(samples, "m") + "^2)", proportional_chain(in["d"], kind),
                               with_samples(in, "g", in["grad"])),
                      samples, 2);
}

Surd curvature_with_constant_gradients(json const& in, ActivationKind kind) {
    auto const samples = in["X"].size();
    auto const net = proportional_chain(in["d"], kind);
    auto setting = with_samples(in, "g", in["grad"]);
    for (std::size_t k = 1; k <= samples; ++k) {
        setting.constants["H" + std::to_string(k)] = hessian_of_sample(in, k);
    }
    std::string const gm = constant_gradient(samples, "m");
    std::string const gn = constant_gradient(samples, "n");
    std::string const first = sum_over_samples(samples, [&](auto const& k) {
        return "(z[i;m]@x" + k + " " + gm + ") H" + k + "[i,j] (z[j;n]@x" + k + " " + gn + ")";
    });
    std::string const second = sum_over_samples(samples, [&](auto const& k) { return "g" + k + "[i] z[i;m,n]@x" + k; });
    Surd const bent = expected(second + " " + gm + " " + gn, net, setting);
    CHECK(bent == Surd(0));  // Lemma 4.17
    return over_power(bent + expected(first, net, setting), samples, 3);
}

Surd slope_of_squared_error(json const& in, ActivationKind kind) {
    auto const samples = in["X"].size();
    Surd const value = expected("-4 " + squared_error_gradient(samples, "m") + "^2", proportional_chain(in["d"], kind),
                                with_samples(in, "t", in["Y"]));
    return over_power(value, samples, 2);
}

Surd curvature_of_squared_error(json const& in, ActivationKind kind) {
    auto const samples = in["X"].size();
    Surd const value = expected("8 " + squared_error_gradient(samples, "m") + " " + squared_error_hessian(samples) +
                                    " " + squared_error_gradient(samples, "n"),
                                proportional_chain(in["d"], kind), with_samples(in, "t", in["Y"]));
    return over_power(value, samples, 3);
}

Surd curvature_over_batches(json const& in, ActivationKind kind, std::size_t batch) {
    auto const samples = in["X"].size();
    Surd sum;
    int batches = 0;
    for (unsigned chosen = 0; chosen < 1U << samples; ++chosen) {
        if (static_cast<std::size_t>(std::popcount(chosen)) != batch) continue;
        auto const gradient = [&](std::string const& label) {
            std::string out;
            for (std::size_t k = 1; k <= samples; ++k) {
                if ((chosen >> (k - 1) & 1U) == 0) continue;
                auto const x = std::to_string(k);
                out += (out.empty() ? "((z[i]@x" : " + (z[i]@x") + x + " - t" + x + "[i]) z[i;" + label + "]@x" + x;
            }
            return out + ")";
        };
        sum = sum + expected("8 " + gradient("m") + " " + squared_error_hessian(samples) + " " + gradient("n"),
                             proportional_chain(in["d"], kind), with_samples(in, "t", in["Y"]));
        ++batches;
    }
    auto const b = static_cast<int>(batch);
    return sum / Surd(batches * b * b * static_cast<int>(samples));
}

}  // namespace vectors
