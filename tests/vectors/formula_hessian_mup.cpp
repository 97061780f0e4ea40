// SPDX-License-Identifier: MIT
// hessian-mup.json by the formulas: rationals are compared for equality, estimates within 5 standard errors.
#include <doctest/doctest.h>

#include <isserlis/formula/gate_moments.hpp>
#include <isserlis/formula/hessian_norm.hpp>
#include <isserlis/formula/mup_step.hpp>
#include <isserlis/formula/ntk_moments.hpp>
#include <isserlis/formula/y_functionals.hpp>
#include <isserlis/ring/rational_function.hpp>

#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "legs.hpp"
#include "vector_file.hpp"

using isserlis::Rational;

namespace vectors {
namespace {

using Count = std::uint64_t;
using Chain = isserlis::FullyConnected<Rational, Count>;
using Y = isserlis::YFunctionals<Rational>;

Rational square_of(json const& in) {
    Rational out = 0;
    for (auto const& x : numbers(in["x"])) out += x * x;
    return out;
}

/// He variances, or muP ones with an output layer of variance 1/n_L^2.
Chain network_of(json const& in, bool mup) {
    auto const widths = numbers(in["widths"]);
    Chain net;
    for (std::size_t l = 0; l + 1 < widths.size(); ++l) {
        bool const head = l + 2 == widths.size();
        net.layers.push_back(
            {.fan_in = widths[l],
             .fan_out = widths[l + 1],
             .count = 1,
             .variance = mup && head ? Rational(1 / (widths[l] * widths[l])) : Rational(2 / widths[l])});
    }
    return net;
}

Chain effective_network_of(json const& in) {
    Chain net = network_of(in, false);
    if (!in.contains("eta_sq")) return net;
    auto const eta = numbers(in["eta_sq"]);
    for (std::size_t l = 0; l < net.layers.size(); ++l) net.layers[l].label_factor = eta.at(l) / net.layers[l].fan_in;
    return net;
}

Chain mup_network_of(json const& in) {
    Chain net = network_of(in, true);
    if (!in.contains("eta_per_hidden_layer")) return net;
    auto const eta = numbers(in["eta_per_hidden_layer"]);
    for (std::size_t l = 0; l + 1 < net.layers.size(); ++l) net.layers[l].label_factor = eta.at(l);
    return net;
}

Rational target_of(json const& in) {
    for (char const* key : {"y_second_moment", "E|y|^2"}) {
        if (in.contains(key)) return number(in[key]);
    }
    return 1;
}

std::map<std::string, Rational Y::*> const functionals{
    {"Y[dmu2]", &Y::u},           {"Y[dmunu2]", &Y::v},           {"Y[dmu2|z2]", &Y::y0},
    {"Y[zdmu|zdmu]", &Y::y1},     {"Y[(zdmu)2]", &Y::ystar},      {"Y[dmu2|dnu2]", &Y::p0},
    {"Y[dmudnu|dmudnu]", &Y::p1}, {"Y[(dmudnu)2]", &Y::pstar},    {"Y[dmunu2|z2]", &Y::q0},
    {"Y[zdmunu|zdmunu]", &Y::q1}, {"Y[(zdmunu)2]", &Y::qstar},    {"Y[dmunudmu|zdnu]", &Y::r0},
    {"Y[zdmunu|dmudnu]", &Y::r2}, {"Y[zdmunudmudnu]", &Y::rstar},
};

/// The one item with a symbol for E|y|^2.
bool has_symbolic_target(json const& in) { return in.value("y_second_moment", json()) == "y2 (symbol)"; }

void check_symbolic_target(json const& item) {
    using isserlis::RationalFunction;
    auto const& in = item["inputs"];
    auto const numeric = effective_network_of(in);
    isserlis::FullyConnected<RationalFunction, Count> net;
    for (auto const& run : numeric.layers) {
        net.layers.push_back({.fan_in = run.fan_in,
                              .fan_out = run.fan_out,
                              .count = 1,
                              .variance = run.variance,
                              .label_factor = run.label_factor});
    }
    CHECK(isserlis::hessian_norm(net, RationalFunction(square_of(in)), RationalFunction::symbol("y2")).total() ==
          isserlis::parse_rational_function(item["exact"].get<std::string>(), "vector"));
}

std::optional<Rational> hessian_value(std::string const& quantity, json const& in) {
    auto const parts = isserlis::hessian_norm(effective_network_of(in), square_of(in), target_of(in));
    if (quantity == "hessian_total") return parts.total();
    if (quantity == "hessian_gn") return parts.gauss_newton;
    if (quantity == "hessian_fz") return parts.functional;
    if (quantity == "hessian_cross") return parts.cross;
    if (quantity == "hessian_fy") return parts.target;
    return std::nullopt;
}

/// Activation moments, by E (|sigma|^2/n)^2 of a layer and of the one below it.
std::optional<Rational> activation_value(std::string const& quantity, json const& in) {
    auto const net = network_of(in, false);
    std::size_t const l = in["ell"];
    Rational const n = net.layers.at(l - 1).fan_out;
    Rational const mean_square = square_of(in) / net.input_width();
    auto const all = isserlis::y_functionals(net, square_of(in));
    Rational const below = l == 1 ? Rational(mean_square * mean_square) : all.at(l - 2).s;
    if (quantity == "E|z|2^2") return 2 * n * mean_square;
    if (quantity == "E|z|2^4") return 4 * n * (n + 2) * below;
    if (quantity == "E|z|4^4") return 12 * n * below;
    if (quantity == "E|s|2^4") return n * n * all.at(l - 1).s;
    if (quantity == "E|s|4^4") return 6 * n * below;
    if (quantity == "E z1^6") {
        Rational out = 120 * mean_square * mean_square * mean_square;
        for (std::size_t j = 0; j + 1 < l; ++j) {
            Rational const m = net.layers[j].fan_out;
            out *= (1 + 4 / m) * (1 + 11 / m);
        }
        return out;
    }
    return std::nullopt;
}

std::optional<Rational> kernel_value(std::string const& quantity, json const& in) {
    auto const net = effective_network_of(in);
    auto const moments = in.contains("bias_h") ? isserlis::ntk_moments(net, square_of(in), numbers(in["bias_h"]))
                                               : isserlis::ntk_moments(net, square_of(in));
    if (quantity == "NTK with biases E K") return moments.mean;
    if (quantity == "NTK with biases E K^2") return moments.second_moment;
    if (quantity == "NTK E tr(K^2)") return moments.squared_trace_mean;
    if (quantity == "NTK E (trK)^2") return moments.trace_second_moment;
    return std::nullopt;
}

std::optional<Rational> mup_value(std::string const& quantity, json const& in) {
    auto const layer =
        isserlis::mup_step(mup_network_of(in), square_of(in), target_of(in)).at(in["ell"].get<std::size_t>() - 1);
    if (quantity == "mup_A") return layer.a;
    if (quantity == "mup_B") return layer.b;
    if (quantity == "mup_C") return layer.c;
    if (quantity == "mup_eta_star_squared") return 1 / layer.change_squared();
    return std::nullopt;
}

std::optional<Rational> value_of(std::string const& quantity, json const& in) {
    if (starts_with(quantity, "hessian_")) return hessian_value(quantity, in);
    if (starts_with(quantity, "mup_")) return mup_value(quantity, in);
    if (starts_with(quantity, "NTK")) return kernel_value(quantity, in);
    if (starts_with(quantity, "E")) return activation_value(quantity, in);
    auto const at = functionals.find(quantity);
    if (at != functionals.end()) {
        return isserlis::y_functionals(effective_network_of(in), square_of(in)).at(in["ell"].get<std::size_t>() - 1).*
               (at->second);
    }
    if (quantity == "P(dead network)") {
        std::vector<isserlis::WidthRun<Count, Count>> hidden;
        auto const widths = in["widths"].get<std::vector<Count>>();
        for (std::size_t l = 1; l + 1 < widths.size(); ++l) hidden.push_back({widths[l], 1});
        return isserlis::dead_probability(hidden);
    }
    return std::nullopt;
}

}  // namespace

bool run_hessian_mup_by_formulas(json const& item) {
    if (has_symbolic_target(item["inputs"])) {
        check_symbolic_target(item);
        return true;
    }
    auto const value = value_of(item["quantity"], item["inputs"]);
    if (!value) return false;
    if (item["exact"].is_null()) {
        double const estimate = item["estimate"];
        CHECK(std::abs(value->convert_to<double>() - estimate) <= 5 * item["stderr"].get<double>());
    } else if (item.value("float", false)) {
        double const exact =
            item["exact"].is_string() ? number(item["exact"]).convert_to<double>() : item["exact"].get<double>();
        CHECK(value->convert_to<double>() == doctest::Approx(exact).epsilon(item["rel_tol"].get<double>()));
    } else {
        CHECK(*value == number(item["exact"]));
    }
    return true;
}

}  // namespace vectors
