// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/error.hpp>
#include <isserlis/network/fully_connected.hpp>
#include <isserlis/network/known.hpp>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace isserlis {

namespace check_layers_detail {

[[noreturn]] inline void refuse(std::string const& formula, std::size_t run, std::string const& what) {
    throw DomainError(formula + ": run " + std::to_string(run + 1) + " of the layers has " + what, "layers");
}

}  // namespace check_layers_detail

/// What every formula relies on where it reads widths alone: at least one run, widths that are whole and agree between
/// neighbours, counts from 1, equal fans where a run has several layers. Of symbols only what is certain is refused.
///
/// Errors  DomainError naming the formula and the run, from 1.
template <class R, class Count>
void check_widths(std::vector<LayerRun<R, Count>> const& layers, std::string const& formula) {
    using check_layers_detail::refuse;
    if (layers.empty()) throw DomainError(formula + ": there are no layers; at least one is required", "layers");
    for (std::size_t i = 0; i < layers.size(); ++i) {
        auto const& run = layers[i];
        for (auto const& [name, width] : {std::pair("fan_in", &run.fan_in), std::pair("fan_out", &run.fan_out)}) {
            bool const known = i > 0 && width == &run.fan_in && *width == layers[i - 1].fan_out;
            if (!known && !may_be_width(*width))
                refuse(formula, i, std::string(name) + " = " + shown(*width) + "; a whole number from 1 is required");
        }
        if (!may_be_count(run.count)) refuse(formula, i, "count = " + shown(run.count) + "; at least 1 is required");
        if (!(run.count == Count(1)) && !(run.fan_in == run.fan_out))
            refuse(formula, i,
                   "several layers with fan_in = " + shown(run.fan_in) + ", fan_out = " + shown(run.fan_out) +
                       "; layers in a row need equal widths");
        if (i > 0 && !(layers[i - 1].fan_out == run.fan_in))
            refuse(formula, i,
                   "fan_in = " + shown(run.fan_in) + " above a layer of " + shown(layers[i - 1].fan_out) +
                       " neurons; they have to agree");
    }
}

/// The same, and positive variances, kurtoses from 1: what a formula relies on.
///
/// Errors  DomainError naming the formula and the run, from 1.
template <class R, class Count>
void check_layers(FullyConnected<R, Count> const& net, std::string const& formula) {
    using check_layers_detail::refuse;
    check_widths(net.layers, formula);
    for (std::size_t i = 0; i < net.layers.size(); ++i) {
        auto const& run = net.layers[i];
        if (!may_be_positive(run.variance))
            refuse(formula, i, "variance = " + shown(run.variance) + "; it has to be positive");
        if (!may_be_at_least_zero(R(run.law.kurtosis() - R(1))))
            refuse(formula, i, "kurtosis = " + shown(run.law.kurtosis()) + "; a kurtosis is at least 1");
    }
}

/// For formulas with one run for each layer.
/// Errors  DomainError for a run of several.
template <class R, class Count>
void check_single_layers(FullyConnected<R, Count> const& net, std::string const& formula) {
    for (std::size_t i = 0; i < net.layers.size(); ++i) {
        if (!(net.layers[i].count == Count(1)))
            check_layers_detail::refuse(formula, i, "several layers; one run for each layer is required");
    }
}

}  // namespace isserlis
