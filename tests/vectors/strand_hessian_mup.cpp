// SPDX-License-Identifier: MIT
// The leg of the strand engine through hessian-mup.json: loss Hessian, Y-functionals, NTK and muP steps of ReLU chains.
#include <doctest/doctest.h>

#include <isserlis/network/zoo.hpp>
#include <isserlis/ring/members.hpp>
#include <isserlis/ring/parse.hpp>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "layers.hpp"
#include "legs.hpp"
#include "strand_value.hpp"
#include "vector_file.hpp"

namespace vectors {
namespace {

using isserlis::quotient;

bool is_mup(json const& in) { return in["init"] == "mup"; }

/// Kaiming variances 2/fan-in in every layer; muP has 1/fan-in^2 in the last one. A pair of derivatives by layer l
/// brings (eta^(l))^2/n_(l-1) in the Hessian paper, eta_W^(l) in the muP paper.
Net<Rational> relu_network(json const& in) {
    isserlis::FullyConnected<Rational, Count> net;
    net.activation.kind = isserlis::ActivationKind::relu;
    net.layers = layers_of<Rational>(in["widths"]);
    for (std::size_t l = 0; l < net.layers.size(); ++l) {
        auto& layer = net.layers[l];
        bool const last = l + 1 == net.layers.size();
        layer.variance = quotient(2, layer.fan_in);
        if (is_mup(in) && last) layer.variance = quotient(1, layer.fan_in * layer.fan_in);
        if (in.contains("eta_sq")) layer.label_factor = quotient(number(in["eta_sq"][l]), layer.fan_in);
        if (in.contains("eta_per_hidden_layer") && !last) layer.label_factor = number(in["eta_per_hidden_layer"][l]);
    }
    return isserlis::chain_graph(net);
}

/// A bias b_i of layer l is what an edge of variance 0 from the input adds to z_i: the sum of the squared derivatives
/// by its weights w_ij is |x|^2 (dz/db_i)^2.
Net<Rational> with_biases(Net<Rational> const& net, json const& in) {
    Net<Rational> out = flattened(net);
    Rational squares = 0;
    for (auto const& x : numbers(in["x"])) squares += x * x;
    for (std::size_t l = 1; l <= in["bias_h"].size(); ++l) {
        out.stages[0].edges.push_back({.name = "bias" + std::to_string(l),
                                       .from = 0,
                                       .to = l,
                                       .label_factor = quotient(number(in["bias_h"][l - 1]), squares)});
    }
    return out;
}

Setting<Rational> setting_of(json const& in) {
    Setting<Rational> out;
    out.inputs.vectors = {numbers(in["x"])};
    if (in.contains("y_second_moment")) out.target_second = number(in["y_second_moment"]);
    if (in.contains("E|y|^2")) out.target_second = number(in["E|y|^2"]);
    return out;
}

/// A quantity of the outputs at a layer, divided by a power of that layer's width.
struct Form {
    std::string text;  ///< with # for the layer
    unsigned widths = 0;
};

/// Hessian of 1/2 sum_i (z_i - y_i)^2: sum_i z_i;m z_i;n + (z_i - y_i) z_i;mn, squared and summed over m and n.
std::map<std::string, Form> const at_the_output = {
    {"hessian_total", {"(D[m,n] loss)^2"}},
    {"hessian_gn", {"(z[i;m] z[i;n])^2"}},
    {"hessian_fz", {"(z[i;m,n] z[i])^2"}},
    {"hessian_cross", {"2 (z[i;m,n] z[i]) (z[j;m] z[j;n])"}},
    {"hessian_fy", {"(z[i;m,n] y[i])^2"}},
    {"NTK E K", {"z[i;m]^2"}},
    {"NTK E K^2", {"(z[i;m]^2)^2"}},
    {"NTK E tr(K^2)", {"(z[i;m] z[j;m])^2"}},
    {"NTK E (trK)^2", {"(z[i;m]^2)^2"}},
    {"NTK with biases E K", {"z[i;m]^2"}},
    {"NTK with biases E K^2", {"(z[i;m]^2)^2"}},
};

/// Labels go up to the layer; what stands between bars has its own sum over neurons.
std::map<std::string, Form> const at_a_layer = {
    {"Y[dmu2]", {"z{#}[i;m]^2", 1}},
    {"Y[dmunu2]", {"z{#}[i;m,n]^2", 1}},
    {"Y[dmu2|z2]", {"z{#}[i;m]^2 z{#}[j]^2", 2}},
    {"Y[zdmu|zdmu]", {"(z{#}[i] z{#}[i;m])^2", 2}},
    {"Y[(zdmu)2]", {"z{#}[i]^2 z{#}[i;m]^2", 1}},
    {"Y[dmu2|dnu2]", {"z{#}[i;m]^2 z{#}[j;n]^2", 2}},
    {"Y[dmudnu|dmudnu]", {"(z{#}[i;m] z{#}[i;n])^2", 2}},
    {"Y[(dmudnu)2]", {"z{#}[i;m]^2 z{#}[i;n]^2", 1}},
    {"Y[dmunu2|z2]", {"z{#}[i;m,n]^2 z{#}[j]^2", 2}},
    {"Y[zdmunu|zdmunu]", {"(z{#}[i] z{#}[i;m,n])^2", 2}},
    {"Y[(zdmunu)2]", {"z{#}[i]^2 z{#}[i;m,n]^2", 1}},
    {"Y[dmunudmu|zdnu]", {"z{#}[i;m,n] z{#}[i;m] z{#}[j] z{#}[j;n]", 2}},
    {"Y[zdmunu|dmudnu]", {"z{#}[i] z{#}[i;m,n] z{#}[j;m] z{#}[j;n]", 2}},
    {"Y[zdmunudmudnu]", {"z{#}[i] z{#}[i;m,n] z{#}[i;m] z{#}[i;n]", 1}},
    {"E|z|2^2", {"z{#}[i]^2"}},
    {"E|z|2^4", {"(z{#}[i]^2)^2"}},
    {"E|z|4^4", {"z{#}[i]^4"}},
    {"E|s|2^2", {"h{#}[i]^2"}},
    {"E|s|2^4", {"(h{#}[i]^2)^2"}},
    {"E|s|4^4", {"h{#}[i]^4"}},
    {"E z1^6", {"z{#}[1]^6"}},
    // The change of one neuron, sum_m z^l_1;m sum_k z_k;m (z_k - y_k), squared: what z_k brings and what y_k brings.
    {"mup_A", {"(z{#}[1;m] z[k;m] z[k])^2"}},
    {"mup_B", {"(z{#}[1;m] z[k;m] y[k])^2"}},
    {"mup_A+B", {"(z{#}[1;m] D[m] loss)^2"}},
    {"mup_C", {"z{#}[i;m]^2 z{#}[j]^2", 2}},
};

/// The query at layer `layer`, its labels restricted to the layers up to it.
std::string query_at(std::string const& text, std::string const& layer) {
    std::string out;
    for (char const c : text) out += c == '#' ? layer : std::string(1, c);
    bool const m = out.find(";m") != std::string::npos;
    bool const n = out.find(";n") != std::string::npos || out.find(",n") != std::string::npos;
    if (m) out += " where m in 1.." + layer;
    if (n) out += ", n in 1.." + layer;
    return out;
}

std::optional<Rational> value_of(std::string const& quantity, json const& in) {
    if (quantity == "mup_eta_star_squared") return quotient(1, *value_of("mup_A+B", in));
    auto const whole = at_the_output.find(quantity);
    if (whole != at_the_output.end()) {
        auto net = relu_network(in);
        if (in.contains("bias_h")) net = with_biases(net, in);
        return expected(whole->second.text, net, setting_of(in));
    }
    auto const part = at_a_layer.find(quantity);
    if (part == at_a_layer.end()) return std::nullopt;
    auto const layer = in["ell"].get<std::size_t>();
    Rational value = expected(query_at(part->second.text, std::to_string(layer)), relu_network(in), setting_of(in));
    value = quotient(value, isserlis::power(number(in["widths"][layer]), part->second.widths));
    // [hessian-mup.md, section 4] normalises C by the width of the last hidden layer.
    if (quantity == "mup_C") value = quotient(value, number(in["widths"][in["widths"].size() - 2]));
    return value;
}

Rational absolute(Rational const& x) { return x < 0 ? Rational(-x) : x; }

/// The one item with a symbol for E|y|^2.
void check_formula(json const& item) {
    json in = item["inputs"];
    in.erase("y_second_moment");
    auto const f = [](Rational const& x) { return RationalFunction(x); };
    auto setting = isserlis::converted<RationalFunction>(setting_of(in), f);
    setting.target_second = RationalFunction::symbol("y2");
    auto const net = isserlis::converted<RationalFunction>(relu_network(in), f);
    CHECK(expected(at_the_output.at(item["quantity"]).text, net, setting) ==
          isserlis::parse_rational_function(item["exact"].get<std::string>(), "vector"));
}

}  // namespace

bool run_hessian_mup_by_strands(json const& item) {
    auto const& in = item["inputs"];
    if (in.value("y_second_moment", "") == "y2 (symbol)") {
        check_formula(item);
        return true;
    }
    auto const value = value_of(item["quantity"], in);
    if (!value) return false;
    if (item["exact"].is_null()) {
        CHECK(absolute(*value - number(item["estimate"])) <= 5 * number(item["stderr"]));
    } else if (item.value("float", false)) {
        // The tolerance is written with an exponent, which exact numbers do not have.
        Rational const tolerance(item["rel_tol"].get<double>());
        CHECK(absolute(*value - number(item["exact"])) <= tolerance * absolute(number(item["exact"])));
    } else {
        CHECK(*value == number(item["exact"]));
    }
    return true;
}

}  // namespace vectors
