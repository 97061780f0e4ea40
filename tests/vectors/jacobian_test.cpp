// SPDX-License-Identifier: MIT
// The leg of the Jacobian formulas through residual.json: outputs, reduced networks, paths through a layer, Jacobians.
#include <doctest/doctest.h>

#include <fstream>
#include <isserlis/formula/dense_jacobian.hpp>
#include <isserlis/network/zoo.hpp>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "residual_item.hpp"

namespace {

using isserlis::BranchMatrix;
using isserlis::ChainJacobian;
using isserlis::DenseJacobian;
using isserlis::Fractions;
using isserlis::NormMoments;
using isserlis::Rational;
using isserlis::TransferLayer;
using nlohmann::json;

using Chain = ChainJacobian<Fractions<Rational>>;
using Dense = DenseJacobian<Fractions<Rational>>;

Chain residual(json const& in) {
    std::vector<Rational> heights = vectors::numbers(in["hidden"]);
    heights.push_back(vectors::number(in["n"]));
    std::vector<BranchMatrix<Rational>> branch;
    for (std::size_t j = 0; j < heights.size(); ++j)
        branch.push_back({.width = heights[j],
                          .variance = vectors::number(in["c2"][j]),
                          .law = vectors::law_of_kurtosis(vectors::number(in["kurtosis"][j]))});
    auto const [squares, fourths] = vectors::input_powers(in);
    auto const graph = isserlis::residual_graph<Rational, std::uint64_t>(
        vectors::number(in["n"]), vectors::activation_of(in), {{branch, in["L"].get<std::uint64_t>()}});
    return {transfer_stages(graph), squares, fourths};
}

Dense dense(json const& in) {
    std::vector<TransferLayer<Rational>> layers;
    auto const widths = vectors::numbers(in["widths"]);
    for (std::size_t k = 1; k < widths.size(); ++k)
        layers.push_back({.fan_in = widths[k - 1],
                          .fan_out = widths[k],
                          .variance = vectors::number(in["c2"][k - 1]),
                          .kurtosis = vectors::number(in["kurtosis"][k - 1]),
                          .gate = vectors::activation_of(in).gate()});
    auto const [squares, fourths] = vectors::input_powers(in);
    return {layers, in["first_source"].get<unsigned>(), squares, fourths};
}

/// The moments that the item is about.
NormMoments<Rational> moments(json const& in, std::string const& what) {
    auto pick = [&](auto const& found) { return what == "J" ? found.jacobian : found.reduced; };
    if (in["arch"] == "densenet") {
        Dense const net = dense(in);
        if (what == "y") return net.output();
        auto const k = in["k"].get<std::size_t>();
        if (what == "J_block") return net.block(k, in["block"].get<std::size_t>());
        return pick(net.at(k, 0));
    }
    if (in["arch"] == "vanilla") {
        auto const [squares, fourths] = vectors::input_powers(in);
        Chain const net(transfer_stages(isserlis::chain_graph(vectors::vanilla_network(in))), squares, fourths);
        if (what == "y") return net.output();
        return pick(net.at({.run = in["k"].get<std::size_t>() - 1}, 0));
    }
    Chain const net = residual(in);
    if (what == "y") return net.output();
    // The reduced network is that of a whole block: any of its matrices.
    return pick(
        net.at({.run = 0, .within = in["k"].get<std::uint64_t>(), .matrix = in.value("kp", std::size_t{1})}, 0));
}

}  // namespace

TEST_SUITE("vectors/jacobian") {
    // Source of every expected value: `method` of the item, an enumeration of real networks or a symbolic expansion.
    TEST_CASE("residual.json: the Jacobian formulas give every exact value") {
        std::ifstream file(std::string(ISSERLIS_TEST_DATA) + "/vectors/data/residual.json");
        REQUIRE(file.good());
        std::set<std::string> const known{"y", "y_reduced", "y_through", "J", "J_block"};
        std::set<std::string> const not_run{};  // nothing is left out
        std::set<std::string> skipped;
        for (auto const& item : json::parse(file)) {
            std::string const id = item["id"];
            CAPTURE(id);
            std::string const quantity = item["quantity"];
            std::size_t const cut = quantity.find('_');
            std::string const statistic = quantity.substr(0, cut);
            std::string const what = quantity.substr(cut + 1);
            if (known.count(what) == 0 || (statistic != "mean" && statistic != "var")) {
                skipped.insert(id);
                continue;
            }
            auto const found = moments(item["inputs"], what);
            CHECK((statistic == "mean" ? found.mean : found.variance) == vectors::number(item["exact"]));
        }
        CHECK(skipped == not_run);
    }
}
