// SPDX-License-Identifier: MIT
// The leg of the strand engine through the lemmas of hettinger.json on products of random matrices.
#include <doctest/doctest.h>

#include <isserlis/network/zoo.hpp>

#include <string>
#include <vector>

#include "layers.hpp"
#include "legs.hpp"
#include "strand_value.hpp"
#include "vector_file.hpp"

namespace vectors {
namespace {

using isserlis::quotient;

/// A linear chain of entries of variance 1 and a fourth moment.
Net<Rational> unit_chain(json const& widths, Rational const& fourth_moment = 3) {
    isserlis::FullyConnected<Rational, Count> net;
    net.activation.kind = isserlis::ActivationKind::linear;
    net.layers = layers_of<Rational>(widths);
    for (auto& layer : net.layers) {
        layer.variance = 1;
        layer.law = {.kind = isserlis::LawKind::kurtosis, .kurtosis_value = fourth_moment};
    }
    return isserlis::chain_graph(net);
}

/// The rows of the identity: inputs that pick columns of a product.
std::vector<std::vector<Rational>> unit_vectors(std::size_t size) {
    std::vector<std::vector<Rational>> out(size, std::vector<Rational>(size, 0));
    for (std::size_t j = 0; j < size; ++j) out[j][j] = 1;
    return out;
}

Setting<Rational> with_inputs(std::vector<std::string> names, std::vector<std::vector<Rational>> const& inputs) {
    Setting<Rational> out;
    out.inputs.names = std::move(names);
    out.inputs.vectors = inputs;
    return out;
}

/// The vectors x, y (here u) and z (here t) of the lemmas; y and z mean something else in queries.
Setting<Rational> with_lemma_inputs(json const& in) {
    return with_inputs({"x", "u", "t"},
                       {numbers(in["x"]), numbers(in["y"]), in.contains("z") ? numbers(in["z"]) : numbers(in["y"])});
}

Rational fourth_moment(json const& in) { return in.contains("rho_1") ? number(in["rho_1"]) : Rational(3); }

/// Mixed moments of entries b_ij = output i at the j-th unit vector.
bool check_product_moments(json const& item) {
    auto const& in = item["inputs"];
    auto const size = in["m"][0].get<std::size_t>();
    REQUIRE(size >= 2);
    REQUIRE(in["m"].back().get<int>() >= 2);
    std::vector<std::string> names;
    for (std::size_t j = 1; j <= size; ++j) names.push_back("e" + std::to_string(j));
    auto const setting = with_inputs(names, unit_vectors(size));
    auto const net = unit_chain(in["m"], fourth_moment(in));
    std::vector<std::string> const queries = {"z[1]@e1^2",           "z[1]@e1^4",
                                              "z[1]@e1^2 z[2]@e1^2", "z[1]@e1^2 z[1]@e2^2",
                                              "z[1]@e1^2 z[2]@e2^2", "z[1]@e1 z[1]@e2 z[2]@e1 z[2]@e2"};
    REQUIRE(item["exact"].size() == queries.size());
    for (std::size_t k = 0; k < queries.size(); ++k) {
        CAPTURE(queries[k]);
        CHECK(expected(queries[k], net, setting) == number(item["exact"][k]));
    }
    return true;
}

bool check_kurtosis(json const& item) {
    auto const& in = item["inputs"];
    Setting<Rational> setting;
    setting.inputs.squared_norm = 1;
    auto const net = unit_chain(in["d"]);
    Rational const second = expected("z[1]^2", net, setting);
    CHECK(expected("z[1]^4", net, setting) / (second * second) == number(item["exact"]));
    return true;
}

/// B_i x is what layer i reads and C_i' w the derivative of w.z by its pre-activations, so that the derivative by the
/// weights of layer i is their outer product: summed over a label in layer i, w.z at x times v.z at u gives
/// (B_i x . B_i u) (C_i' w . C_i' v).
bool check_quadratic_form(json const& item) {
    auto const& in = item["inputs"];
    auto setting = with_lemma_inputs(in);
    setting.constants = {{"w", {numbers(in["w"])}}, {"v", {numbers(in["v"])}}};
    CHECK(expected("w[p] z[p;m]@x z[q;m]@u v[q] where m in " + std::to_string(in["i"].get<std::size_t>()),
                   unit_chain(in["m"]), setting) == number(item["exact"]));
    return true;
}

bool check_quartic_form(json const& item) {
    auto const& in = item["inputs"];
    auto setting = with_lemma_inputs(in);
    setting.constants = {{"w", {numbers(in["w"])}}, {"v", {numbers(in["v"])}}, {"P", rows(in["P"])}};
    CHECK(expected("w[r] z[r;n]@x z[s;n]@t P[s,p] z[p;m]@x z[q;m]@u v[q] where m in " +
                       std::to_string(in["i"].get<std::size_t>()) + ", n in " +
                       std::to_string(in["j"].get<std::size_t>()),
                   unit_chain(in["m"], fourth_moment(in)), setting) == number(item["exact"]));
    return true;
}

/// Lemma A.11: C stands at the outputs of B.
bool check_given_above(json const& item) {
    auto const& in = item["inputs"];
    auto setting = with_lemma_inputs(in);
    setting.constants = {{"C", rows(in["C"])}};
    CHECK(expected("z[p]@x z[p]@u z[r]@x C[r,s] z[s]@t", unit_chain(in["m_0..m_{i-1}"], fourth_moment(in)), setting) ==
          number(item["exact"]));
    return true;
}

/// Lemma A.13: D stands at the inputs of B, entry by entry.
bool check_given_below(json const& item) {
    auto const& in = item["inputs"];
    auto const d = rows(in["D"]);
    std::vector<std::string> names;
    std::string identity;
    std::string given;
    for (std::size_t a = 1; a <= d.size(); ++a) {
        std::string const e = "@e" + std::to_string(a);
        names.push_back("e" + std::to_string(a));
        identity += (a > 1 ? " + " : "") + ("w[q] z[q]" + e + " z[r]" + e);
        for (std::size_t b = 1; b <= d.size(); ++b) {
            given += (given.empty() ? "" : " + ") + ("D" + std::to_string(a) + std::to_string(b) + " z[s]" + e +
                                                     " z[q]@e" + std::to_string(b) + " v[q]");
        }
    }
    auto setting = with_inputs(names, unit_vectors(d.size()));
    for (std::size_t a = 1; a <= d.size(); ++a) {
        for (std::size_t b = 1; b <= d.size(); ++b)
            setting.parameters["D" + std::to_string(a) + std::to_string(b)] = d[a - 1][b - 1];
    }
    setting.constants = {{"w", {numbers(in["w"])}}, {"v", {numbers(in["v"])}}, {"P", rows(in["P"])}};
    CHECK(expected("(" + identity + ") P[r,s] (" + given + ")", unit_chain(in["m_j..m_n"]), setting) ==
          number(item["exact"]));
    return true;
}

/// Lemma A.12 in the chain of layers i .. j: |B_(j-1,i)|^2 is a sum over unit inputs, and the derivative of z^j by
/// layer i at an input of norm 1 has the norm of B_(j,i+1).
bool check_product_of_norms(json const& item) {
    auto const& in = item["inputs"];
    auto const i = in["i"].get<std::size_t>();
    auto const j = in["j"].get<std::size_t>();
    REQUIRE(i < j);
    json widths = json::array();
    for (std::size_t q = i - 1; q <= j; ++q) widths.push_back(in["m"][q]);
    auto const fan_in = widths[0].get<std::size_t>();
    std::vector<std::string> names;
    std::string below;
    for (std::size_t a = 1; a <= fan_in; ++a) {
        names.push_back("e" + std::to_string(a));
        below += (a > 1 ? " + " : "") + ("z{" + std::to_string(j - i) + "}[p]@e" + std::to_string(a) + "^2");
    }
    Rational const value = expected("(" + below + ") z[q;m]@e1^2 where m in 1", unit_chain(widths),
                                    with_inputs(names, unit_vectors(fan_in)));
    CHECK(quotient(value, number(widths.front()) * number(widths.back())) == number(item["exact"]));
    return true;
}

struct Check {
    char const* quantity;  ///< how it starts
    bool (*run)(json const& item);
};
Check const checks[] = {
    {"Lemma A.6 constants", check_product_moments},
    {"Lemma A.8 [E b^2", check_product_moments},
    {"Lemma A.9", check_quadratic_form},
    {"Lemma A.11", check_given_above},
    {"A.11 for general rho_1", check_given_above},
    {"Lemma A.12", check_product_of_norms},
    {"Lemma A.13", check_given_below},
    {"Theorem A.14", check_quartic_form},
    {"kurtosis E x^4", check_kurtosis},
};

}  // namespace

bool run_products_by_strands(json const& item) {
    for (auto const& check : checks) {
        if (starts_with(item["quantity"], check.quantity)) return check.run(item);
    }
    return false;
}

}  // namespace vectors
