// SPDX-License-Identifier: MIT
// Walks the exact vectors of the two corrected specifications. Rationals are compared for equality, nothing less. What
// no formula of ours computes yet is in skipped.json with its reason, and nothing else may be skipped.
#include <doctest/doctest.h>

#include <fstream>
#include <isserlis/formula/initialisation.hpp>
#include <isserlis/formula/phi_psi.hpp>
#include <isserlis/formula/product_moments.hpp>
#include <isserlis/formula/scaling_factor.hpp>
#include <isserlis/formula/squared_norm.hpp>
#include <isserlis/ring/decimal.hpp>
#include <isserlis/ring/parse.hpp>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

using isserlis::ActivationKind;
using isserlis::FullyConnected;
using isserlis::LawKind;
using isserlis::parse_rational;
using isserlis::ProductStep;
using isserlis::quotient;
using isserlis::Rational;
using isserlis::Reading;
using isserlis::Surd;
using nlohmann::json;

namespace {

using Count = std::uint64_t;

json read(std::string const& path) {
    std::ifstream file(std::string(ISSERLIS_TEST_DATA) + "/vectors/" + path);
    REQUIRE_MESSAGE(file.good(), "cannot open " << path);
    return json::parse(file);
}

/// Exact numbers are written as text, or as integers.
Rational number(json const& x) {
    return x.is_string() ? parse_rational(x.get<std::string>(), "vector") : Rational(x.get<long>());
}

bool starts_with(std::string const& text, std::string const& start) {
    return text.compare(0, start.size(), start) == 0;
}

template <class R>
std::vector<isserlis::LayerRun<R, Count>> layers_of(json const& widths) {
    std::vector<isserlis::WidthRun<R, Count>> runs;
    for (auto const& w : widths) runs.push_back({R(w.get<int>()), 1});
    return isserlis::layers_between(runs);
}

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

/// True when one of our formulas computes the item; then it has been checked.
bool run_hettinger(json const& item) {
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

bool run_residual(json const& item) {
    std::string const quantity = item["quantity"];
    auto const& in = item["inputs"];
    if (in["arch"] != "vanilla" || (quantity != "mean_y" && quantity != "var_y")) return false;
    static std::map<std::string, ActivationKind> const kinds = {{"linear", ActivationKind::linear},
                                                                {"relu", ActivationKind::relu},
                                                                {"leaky", ActivationKind::leaky},
                                                                {"cr", ActivationKind::crelu}};
    FullyConnected<Rational, Count> net;
    net.layers = layers_of<Rational>(in["widths"]);
    net.activation.kind = kinds.at(in["activation"]);
    if (in.value("tied_PN", false)) net.activation.kind = ActivationKind::crelu_tied;
    net.activation.slope = number(in["slope"]);
    net.gated_head = in["last_activation"].get<bool>();
    REQUIRE(net.layers.size() == in["c2"].size());
    Rational variances = 1;
    for (std::size_t l = 0; l < net.layers.size(); ++l) {
        net.layers[l].variance = number(in["c2"][l]);
        net.layers[l].law = {.kind = LawKind::kurtosis, .kurtosis_value = number(in["kurtosis"][l])};
        variances *= net.layers[l].variance;
    }
    Rational squares = 0;
    Rational fourths = 0;
    for (auto const& entry : in["x"]) {
        Rational const x = number(entry);
        squares += x * x;
        fourths += x * x * x * x;
    }
    Rational const norm = in["normalize_x"].get<bool>() ? Rational(1) : squares;
    Reading const reading = net.gated_head ? Reading::activation : Reading::preactivation;
    Rational const mean = norm * isserlis::relative_norm_moments(net, reading, 1)[1];
    CHECK(mean == norm * isserlis::squared_norm_gain(net));
    if (quantity == "mean_y") {
        CHECK(mean == number(item["exact"]));
        return true;
    }
    Rational const scale = norm * variances;
    Rational const fourth =
        scale * scale * isserlis::relative_fourth_norm_moment(net, reading, quotient(fourths, squares * squares));
    CHECK(fourth - mean * mean == number(item["exact"]));
    return true;
}

/// Walks one file; what was not run has to be what skipped.json lists for it.
template <class Run>
void walk(std::string const& name, Run const& run) {
    json const items = read("data/" + name + ".json");
    std::map<std::string, std::string> const listed = read("skipped.json").at(name);
    std::set<std::string> ids;
    std::set<std::string> skipped;
    for (auto const& item : items) {
        std::string const id = item["id"];
        INFO(id);
        CHECK_MESSAGE(ids.insert(id).second, "the id occurs twice");
        if (!run(item)) skipped.insert(id);
    }
    std::map<std::string, int> reasons;
    for (auto const& id : skipped) {
        auto const at = listed.find(id);
        CHECK_MESSAGE(at != listed.end(), id << " was skipped, but skipped.json does not list it");
        if (at != listed.end()) ++reasons[at->second];
    }
    for (auto const& [id, reason] : listed) {
        CHECK_MESSAGE(skipped.count(id) == 1, id << " is listed in skipped.json, but it was run or is gone");
        CHECK_FALSE(reason.empty());
    }
    std::string report = name + ".json: " + std::to_string(ids.size() - skipped.size()) + " run, " +
                         std::to_string(skipped.size()) + " skipped";
    for (auto const& [reason, count] : reasons) report += "\n    " + std::to_string(count) + "  " + reason;
    MESSAGE(report);
    CHECK(skipped.size() < ids.size());
}

}  // namespace

TEST_SUITE("vectors") {
    // Source of every expected value: `method` of the item, an enumeration or a symbolic expansion independent of ours.
    TEST_CASE("hettinger.json: our formulas give the exact values") { walk("hettinger", run_hettinger); }
    TEST_CASE("residual.json: our formulas give the exact values") { walk("residual", run_residual); }
}
