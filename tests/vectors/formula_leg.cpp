// SPDX-License-Identifier: MIT
// The leg of the formulas: rationals are compared for equality, nothing less.
#include <doctest/doctest.h>

#include <isserlis/formula/initialisation.hpp>
#include <isserlis/formula/phi_psi.hpp>
#include <isserlis/formula/product_moments.hpp>
#include <isserlis/formula/scaling_factor.hpp>
#include <isserlis/formula/squared_norm.hpp>
#include <isserlis/ring/decimal.hpp>
#include <isserlis/ring/parse.hpp>

#include <string>
#include <vector>

#include "layers.hpp"
#include "legs.hpp"
#include "residual_item.hpp"
#include "vector_file.hpp"

using isserlis::ProductStep;
using isserlis::quotient;
using isserlis::Rational;
using isserlis::Reading;
using isserlis::Surd;

namespace vectors {
namespace {

/// [E b^2, rho, gamma, nu, tau, eta] of a product with inner widths m and one fourth moment.
std::vector<Rational> moments(std::vector<int> const& inner, Rational const& fourth_moment) {
    std::vector<ProductStep<Rational>> steps;
    for (int const m : inner) steps.push_back({.inner_width = Rational(m), .fourth_moment = fourth_moment});
    auto const out = isserlis::product_moments(fourth_moment, std::span<ProductStep<Rational> const>(steps));
    return {out.second_moment, out.rho, out.gamma, out.nu, out.tau, out.eta};
}

/// Inner widths of B = A_q .. A_1 from the widths m_0 .. m_q.
std::vector<int> inner(json const& widths) {
    std::vector<int> all = widths.get<std::vector<int>>();
    return {all.begin() + 1, all.end() - 1};
}

}  // namespace

bool run_hettinger_by_formulas(json const& item) {
    std::string const quantity = item["quantity"];
    auto const& in = item["inputs"];
    if (starts_with(quantity, "Lemma A.6 constants") || starts_with(quantity, "Lemma A.8 [E b^2")) {
        auto const out = moments(inner(in["m"]), number(in["rho_1"]));
        REQUIRE(item["exact"].size() == out.size());
        for (std::size_t i = 0; i < out.size(); ++i) CHECK(out[i] == number(item["exact"][i]));
        if (number(in["rho_1"]) != 3) return true;
        auto const closed = isserlis::gaussian_product_moments(layers_of<Rational>(in["m"]));
        CHECK(closed.second_moment == number(item["exact"][0]));
        CHECK(closed.rho == number(item["exact"][1]));
        CHECK(closed.gamma == number(item["exact"][2]));
        CHECK(closed.nu == number(item["exact"][3]));
        CHECK(closed.tau == number(item["exact"][4]));
        CHECK(closed.eta == number(item["exact"][5]));
        return true;
    }
    if (starts_with(quantity, "Definition 4.23")) {
        Surd const s = isserlis::scaling_factor(layers_of<Surd>(in["d"])).value();
        CHECK(s == isserlis::parse_surd(item["exact"][0].get<std::string>(), "vector"));
        std::string const decimals = item["exact"][1];
        CHECK(isserlis::decimal(s, static_cast<int>(decimals.size()) - 1) == decimals);
        return true;
    }
    if (starts_with(quantity, "kurtosis E x^4")) {
        auto const out = moments(inner(in["d"]), 3);
        CHECK(out[1] / (out[0] * out[0]) == number(item["exact"]));
        std::vector<isserlis::WidthRun<Rational, Count>> runs;
        for (int const d : inner(in["d"])) runs.push_back({Rational(d), 1});
        auto const p = isserlis::phi_psi(runs);
        CHECK(3 * (p.phi + p.psi) == number(item["exact"]));
        return true;
    }
    return false;
}

bool run_residual_by_formulas(json const& item) {
    std::string const quantity = item["quantity"];
    auto const& in = item["inputs"];
    if (in["arch"] != "vanilla" || (quantity != "mean_y" && quantity != "var_y")) return false;
    auto const net = vanilla_network(in);
    Rational variances = 1;
    for (auto const& layer : net.layers) variances *= layer.variance;
    auto const [norm, fourths] = input_powers(in);
    Reading const reading = net.gated_head ? Reading::activation : Reading::preactivation;
    Rational const mean = norm * isserlis::relative_norm_moments(net, reading, 1)[1];
    CHECK(mean == norm * isserlis::squared_norm_gain(net));
    if (quantity == "mean_y") {
        CHECK(mean == number(item["exact"]));
        return true;
    }
    Rational const scale = norm * variances;
    Rational const fourth =
        scale * scale * isserlis::relative_fourth_norm_moment(net, reading, quotient(fourths, norm * norm));
    CHECK(fourth - mean * mean == number(item["exact"]));
    return true;
}

}  // namespace vectors
