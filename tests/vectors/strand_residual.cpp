// SPDX-License-Identifier: MIT
// The leg of the strand engine through residual.json: vanilla, residual and dense networks.
#include <doctest/doctest.h>

#include <isserlis/network/zoo.hpp>

#include <string>
#include <utility>
#include <vector>

#include "legs.hpp"
#include "residual_item.hpp"
#include "strand_value.hpp"

namespace vectors {
namespace {

using isserlis::BranchMatrix;
using isserlis::GraphEdge;
using isserlis::WeightLaw;

Setting<Rational> residual_setting_of(json const& in) {
    auto const [squares, fourths] = input_powers(in);
    Setting<Rational> out;
    out.inputs.squared_norm = squares;
    out.inputs.fourth = fourths;
    return out;
}

/// Block k is block k - 1 of the graph, each a run of its own, so that one of them can be changed.
Net<Rational> residual_network(json const& in) {
    std::vector<Rational> heights = numbers(in["hidden"]);
    heights.push_back(number(in["n"]));
    std::vector<BranchMatrix<Rational>> branch;
    for (std::size_t j = 0; j < heights.size(); ++j) {
        branch.push_back(
            {.width = heights[j], .variance = number(in["c2"][j]), .law = law_of_kurtosis(number(in["kurtosis"][j]))});
    }
    std::vector<std::pair<std::vector<BranchMatrix<Rational>>, Count>> const blocks(in["L"].get<std::size_t>(),
                                                                                    {branch, 1});
    return isserlis::residual_graph(number(in["n"]), activation_of(in), blocks);
}

/// Layer k reads a weight matrix k.s from each earlier node s that it sees. With `through` > 0 the layers above node
/// `through` see nothing below it.
Net<Rational> dense_network(json const& in, std::size_t through = 0) {
    std::vector<Rational> const widths = numbers(in["widths"]);
    auto const first = in["first_source"].get<std::size_t>();
    Net<Rational> out;
    out.input_width = widths[0];
    out.stages.resize(1);
    auto& stage = out.stages[0];
    stage.numbered = false;
    for (std::size_t k = 1; k < widths.size(); ++k) {
        stage.nodes.push_back(isserlis::weighted_node(widths[k], activation_of(in), true, std::to_string(k)));
        // The first layer has nothing but the input to read.
        std::size_t const lowest = k > through && through > 0 ? through : (k == 1 ? 0 : first);
        for (std::size_t s = lowest; s < k; ++s) {
            stage.edges.push_back({.name = std::to_string(k) + "." + std::to_string(s),
                                   .from = s,
                                   .to = k,
                                   .variance = number(in["c2"][k - 1]),
                                   .law = law_of_kurtosis(number(in["kurtosis"][k - 1]))});
        }
    }
    return out;
}

/// The same network with one matrix for the concatenation of all that a layer reads.
Net<Rational> concatenated_network(json const& in) {
    std::vector<BranchMatrix<Rational>> layers;
    for (std::size_t k = 1; k < in["widths"].size(); ++k) {
        layers.push_back({.width = number(in["widths"][k]),
                          .variance = number(in["c2"][k - 1]),
                          .law = law_of_kurtosis(number(in["kurtosis"][k - 1]))});
    }
    return isserlis::dense_graph<Rational, Count>(number(in["widths"][0]), activation_of(in), true, layers);
}

/// Lemma 1: what passes through layer or block k is the output of the network in which nothing passes it by.
Net<Rational> reduced_network(json const& in) {
    auto const k = in["k"].get<std::size_t>();
    if (in["arch"] == "densenet") return dense_network(in, k);
    Net<Rational> out = residual_network(in);
    std::erase_if(out.stages[k - 1].edges, [](auto const& e) { return e.kind == GraphEdge<Rational>::Kind::skip; });
    return out;
}

Net<Rational> full_network(json const& in) {
    if (in["arch"] == "vanilla") return isserlis::chain_graph(vanilla_network(in));
    return in["arch"] == "resnet" ? residual_network(in) : dense_network(in);
}

/// The mean of the paths through k in the full network: each passes one weight w of k's first matrices once, so that
/// the sum of the paths is sum_w w dy/dw, and its square has the variance of w in place of w^2.
Rational mean_through(json const& in, std::string const& output, Setting<Rational> const& setting) {
    Net<Rational> net = full_network(in);
    std::string const place = std::to_string(in["k"].get<int>()) + (in["arch"] == "resnet" ? ".1" : "");
    for (auto& stage : net.stages) {
        for (auto& edge : stage.edges) edge.label_factor = edge.variance;
    }
    return expected(output + "[i;m]^2 where m in " + place, net, setting);
}

/// The weights that J differentiates by.
std::string place_of(json const& in, std::string const& what) {
    std::string out = std::to_string(in["k"].get<int>());
    if (in["arch"] == "resnet") out += "." + std::to_string(in["kp"].get<int>());
    if (what == "J_block") out += "." + std::to_string(in["block"].get<int>());
    return out;
}

}  // namespace

bool run_residual_by_strands(json const& item) {
    auto const& in = item["inputs"];
    std::string const quantity = item["quantity"];
    std::size_t const cut = quantity.find('_');
    std::string const statistic = quantity.substr(0, cut);
    std::string const what = quantity.substr(cut + 1);
    bool const gated_head = in["arch"] == "densenet" || in.value("last_activation", false);
    std::string const output = gated_head ? "h" : "z";
    auto const setting = residual_setting_of(in);

    std::string query;
    std::vector<Net<Rational>> networks;
    if (what == "y") {
        query = output + "[i]^2";
        networks = {full_network(in)};
    } else if (what == "y_reduced" || what == "y_through") {
        query = output + "[i]^2";
        networks = {reduced_network(in)};
    } else if (what == "J" || what == "J_block") {
        query = output + "[i;m]^2 where m in " + place_of(in, what);
        networks = {full_network(in)};
    } else {
        return false;
    }
    bool const whole = what == "y" || what == "J";
    if (whole && in["arch"] == "densenet" && in["first_source"] == 0) networks.push_back(concatenated_network(in));

    for (auto const& net : networks) {
        Rational const mean = expected(query, net, setting);
        if (statistic == "mean") {
            CHECK(mean == number(item["exact"]));
        } else {
            REQUIRE(statistic == "var");
            CHECK(expected_square(query, net, setting) - mean * mean == number(item["exact"]));
        }
    }
    if (quantity == "mean_y_through") CHECK(mean_through(in, output, setting) == number(item["exact"]));
    return true;
}

}  // namespace vectors
