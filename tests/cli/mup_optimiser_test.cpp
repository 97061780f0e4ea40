// SPDX-License-Identifier: MIT
// mup --optimiser of one network, and first steps under a parametrisation. Values by hand: docs/formulas/first_step.md.
#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <string>

#include "json_answer.hpp"
#include "refusal.hpp"

using namespace isserlis::test;

namespace {

/// No row is far from what is sampled; how many are beside it.
int checked(auto const& answer) {
    int out = 0;
    for (auto const& r : answer.json.at("results")) {
        if (r.at("check").is_null()) continue;
        INFO(r.dump());
        CHECK(std::abs(r.at("check").at("z").template get<double>()) < 5);
        ++out;
    }
    return out;
}

}  // namespace

TEST_SUITE("cli/mup_optimiser") {
    // Linear units, x = (1,-2), W = m w with m^2 = 1/2 in both layers and w of variance 1, E |h|^2 = 5. W^1 moves by m and
    // z_i by m |x|_1 under signs, by m |x| shared by two neurons under muon; W^2 moves z by m |h|. The kernel by w is
    // m^2 E |V|^2 |x|^2 + m^2 E |h|^2 = 5/2 + 5/2.
    TEST_CASE("the multiplier of a parametrisation, by hand") {
        std::string const net = "coord-check 2,2,1 --activation linear --input 1,-2 --parametrisation ntk --optimiser ";
        auto const signs = ask(net + "sign");
        CHECK(signs.exact("own_change_rms", {1, 2}) == "3*sqrt(2)/2");
        CHECK(signs.exact("unit_rate", {1, 2}) == "sqrt(2)/3");
        CHECK(signs.exact("change_absolute_mean", {1, 2}) == "3*sqrt(2)/2");
        auto const muon = ask(net + "muon --eta 3");
        CHECK(muon.exact("own_change_rms", {1, 2}) == "3*sqrt(5)/2");
        CHECK(muon.exact("own_change_rms", {2, 1}) == "3*sqrt(10)/2");
        CHECK(muon.exact("unit_rate", {1, 2}) == "2*sqrt(5)/5");
        auto const whole = ask(net + "normalised --eta 3");
        CHECK(whole.exact("change_rms", {2, 1}) == "3*sqrt(5)");
        // Of muP rates differ: 2, 1 and 1/2, n^-C of n = 2.
        auto const mup =
            ask("coord-check 2,2,2,1 --activation linear --input 1,-2 --parametrisation mup --optimiser sign");
        CHECK(mup.exact("own_change_rms", {1, 2}) == "6");
        CHECK(mup.exact("unit_rate", {1, 2}) == "1/6");
    }

    // A + t, B - t, C - t: the step of W is the same, whatever is multiplied. That of sgd is A + t, B - t, C - 2 t.
    TEST_CASE("one and the same training under signs and muon has many names") {
        for (std::string const optimiser : {"sign", "muon"}) {
            auto const of = [&](std::string const& exponents) {
                return ask("coord-check 3,4,6,1 --input 1,-2,1 --optimiser " + optimiser +
                           " --parametrisation=" + exponents);
            };
            auto const a = of("0,0:1/2:1,0:1:1");
            auto const b = of("1/2:1:0,-1/2:-1/2:1,-1/2:0:1");
            auto const c = of("1/2:1:0,-1/2:-1/2:1,-1:-1:1");
            for (char const* name : {"own_change_rms", "unit_rate"}) {
                for (Json const& index : {Json{1, 4}, Json{2, 6}, Json{3, 1}})
                    CHECK(a.number(name, index) == doctest::Approx(b.number(name, index)).epsilon(1e-14));
                CHECK(a.number(name, {2, 6}) != doctest::Approx(c.number(name, {2, 6})).epsilon(1e-3));
            }
            CHECK(a.number("joint_unit_rate", Json{6}) == doctest::Approx(c.number("joint_unit_rate", Json{6})));
        }
    }

    // [Yang 2022, Table 3]: under Adam rates 1, 1/n, 1/n and variances 1/n_0, 1/n, 1/n^2 keep every layer's step.
    TEST_CASE("muP of Adam keeps the unit rates of all layers, muP of sgd does not") {
        std::string const net = "coord-check 4,n:2,1 --input 1,1,1,1 --widths 256,1024 --optimiser adam ";
        auto const adam = ask(net + "--parametrisation 0,0:1/2:1,0:1:1");
        for (int layer : {1, 2, 3}) CHECK(std::abs(adam.number("unit_rate_exponent", {layer, 256})) < 0.01);
        auto const sgd = ask(net + "--parametrisation mup");
        CHECK(sgd.number("unit_rate_exponent", {1, 256}) == doctest::Approx(-1).epsilon(0.01));
        CHECK(sgd.number("unit_rate_exponent", {2, 256}) == doctest::Approx(-1).epsilon(0.01));
        CHECK(sgd.text_of("warnings").find("0,0:1/2:1,0:1:1") != std::string::npos);
        CHECK(adam.text_of("assumptions").find("are those of w") != std::string::npos);
    }

    // A chain as a file goes by strands and ways of the gradient, node by node; fully connected it has closed forms.
    TEST_CASE("a chain by strands has the numbers of the closed forms") {
        TemporaryDirectory const folder;
        std::string const file = folder / "chain.json";
        write_file(file,
                   R"({"nodes": [{"name": "x", "width": 3}, {"name": "a", "width": 4, "activation": "relu"},)"
                   R"( {"name": "b", "width": 5, "activation": "relu"}, {"name": "out", "width": 1}],)"
                   R"( "edges": [{"from": "x", "to": "a"}, {"from": "a", "to": "b"}, {"from": "b", "to": "out"}]})");
        std::string const rest = " --input 1,-2,1 --eta 2/3 --parametrisation ";
        for (std::string const how : {"ntk --optimiser muon", "mup --optimiser muon", "mean-field --optimiser sign",
                                      "0,0:1/2:1,0:1:1 --optimiser adam", "1/2,0,0 --optimiser normalised"}) {
            INFO(how);
            auto const nodes = ask("mup --network " + file + rest + how);
            auto const layers = ask("mup 3,4,5,1" + rest + how);
            auto const alike = [&](char const* name, char const* node, Json const& layer) {
                CHECK(nodes.number(name, Json{node, layer.at(1)}) ==
                      doctest::Approx(layers.number(name, layer)).epsilon(1e-14));
            };
            if (how.find("normalised") != std::string::npos) {
                alike("change_rms", "out", {3, 1});
                CHECK(nodes.number("output_learning_rate", Json::array()) ==
                      doctest::Approx(layers.number("output_learning_rate", Json::array())).epsilon(1e-14));
                continue;
            }
            for (char const* name : {"own_change_rms", "unit_rate"}) {
                alike(name, "a", {1, 4});
                alike(name, "b", {2, 5});
                alike(name, "out", {3, 1});
            }
            alike("change_rms", "a", {1, 4});
        }
    }

    TEST_CASE("two parametrisations side by side") {
        std::string const net =
            "coord-check 4,n:2,1 --input 1,1,1,1 --widths 16,32 --optimiser adam --parametrisation ";
        auto const both = ask(net + "0,0:1/2:1,0:1:1 --beside mup");
        auto const second = ask(net + "mup");
        for (char const* name : {"own_change_rms", "unit_rate", "change_absolute_mean"})
            CHECK(both.number(name, Json{"mup", 3, 32}) == second.number(name, {3, 32}));
        CHECK(both.number("unit_rate_exponent", Json{"mup", 2, 16}) == second.number("unit_rate_exponent", {2, 16}));
        CHECK(std::abs(both.number("unit_rate_exponent", Json{"0,0:1/2:1,0:1:1", 2, 16})) < 0.1);
        // |x|_1 times the rate 16, by half the neurons, but for 2^-16.
        CHECK(second.number("change_absolute_mean", {1, 16}) == doctest::Approx(32).epsilon(1e-4));
        refuses("coord-check 2,3,1 --optimiser muon --parametrisation ntk --beside mup --steps 1 --check 10",
                "--beside", 3);
    }

    // NumPy, 20,000 networks of 4,5,6,1, x = (1,-2,1,1/2), eta = 1/2, w drawn and stepped, polar factors by singular values.
    TEST_CASE("numbers of networks that were sampled elsewhere") {
        struct Sampled {
            char const* asked;
            std::map<int, double> own;  // root mean squares by layer
            double output;              // mean size of the output's change, of normalised its root mean square
            double rate;                // 1 over the root mean square of layer 2
        };
        std::string const net = "mup 4,5,6,1 --eta 1/2 --input 1,-2,1,1/2 --check 20000 --seed 3 ";
        for (auto const& [asked, own, output, rate] :
             {Sampled{
                  "--parametrisation mup --optimiser sign", {{1, 7.8834}, {2, 1.4932}, {3, 0.4122}}, 4.6639, 0.0773},
              Sampled{
                  "--parametrisation mup --optimiser muon", {{1, 2.7283}, {2, 0.5676}, {3, 0.2553}}, 1.9025, 0.2161},
              Sampled{"--parametrisation mup --optimiser normalised",
                      {{1, 0.9533}, {2, 0.1880}, {3, 0.2413}},
                      1.0197,
                      0.6193},
              Sampled{
                  "--parametrisation ntk --optimiser sign", {{1, 1.1148}, {2, 0.9443}, {3, 1.0134}}, 3.1139, 0.4373},
              Sampled{
                  "--parametrisation ntk --optimiser muon", {{1, 0.3861}, {2, 0.3589}, {3, 0.6247}}, 1.4550, 1.1812},
              Sampled{"--parametrisation ntk --optimiser normalised",
                      {{1, 0.2287}, {2, 0.2169}, {3, 0.4417}},
                      1.0762,
                      2.0219},
              Sampled{"--parametrisation 0,0:1/2:1,0:1:1 --optimiser adam",
                      {{1, 1.5803}, {2, 0.3002}, {3, 0.4126}},
                      1.1896,
                      0.3852},
              Sampled{"--parametrisation mean-field --optimiser muon",
                      {{1, 1.9312}, {2, 1.782}, {3, 1.5186}},
                      3.1448,
                      0.2366}}) {
            INFO(asked);
            auto const a = ask(net + asked);
            bool const whole = std::string(asked).find("normalised") != std::string::npos;
            for (int l : {1, 2, 3})
                CHECK(a.number("own_change_rms", {l, l == 3 ? 1 : l + 4}) == doctest::Approx(own.at(l)).epsilon(0.03));
            CHECK(a.number(whole ? "change_rms" : "change_absolute_mean", {3, 1}) ==
                  doctest::Approx(output).epsilon(0.03));
            CHECK(a.number("output_learning_rate", Json::array()) == doctest::Approx(1 / output).epsilon(0.03));
            CHECK(a.number("mup_learning_rate", Json::array()) == doctest::Approx(rate).epsilon(0.03));
            CHECK(checked(a) >= (whole ? 3 : 9));
        }
    }

    TEST_CASE("the rows of one network are those of coord-check, with the rates beside them") {
        auto const mup = ask("mup 4,4:3,1 --input 1,1,1,1 --optimiser sign");
        auto const coordinates = ask("coord-check 4,4:3,1 --scheme mean-field --input 1,1,1,1 --optimiser sign");
        std::size_t shared = 0;
        for (auto const& r : coordinates.json.at("results")) {
            CHECK(mup.result(r.at("name"), r.at("index")).at("decimal") == r.at("decimal"));
            ++shared;
        }
        CHECK(mup.json.at("results").size() == shared + 2);
        CHECK(mup.number("output_learning_rate", Json::array()) ==
              doctest::Approx(1 / mup.number("change_absolute_mean", {4, 1})).epsilon(1e-14));
        // One hidden layer moves by its own weights alone: exact.
        auto const one = ask("mup 4,4,1 --eta 1/3 --optimiser muon");
        CHECK(one.exact("change_rms", {1, 4}) == "sqrt(15)/24");
        CHECK(one.exact("mup_learning_rate", Json::array()) == "8*sqrt(15)/5");
        CHECK(ask("mup 4,4,4,1 --optimiser normalised").exact("output_learning_rate", Json::array()) == "2*sqrt(5)/5");
        CHECK(ask("mup 3,4,1 --optimiser muon --eta 0").result("output_learning_rate", Json::array()).at("form") ==
              "no rate changes anything");
    }

    TEST_CASE("other wirings, their parametrisations too") {
        std::string const residual =
            "4,5:3,1 --network resnet:2 --projections --branch-widths 3 --multiplier 1/2 "
            "--input 1,1,2,-1 --parametrisation ntk ";
        for (std::string const optimiser : {"muon", "sign", "normalised"}) {
            auto const a = ask("mup " + residual + "--check 20000 --seed 11 --optimiser " + optimiser);
            CHECK(checked(a) > 5);
            CHECK(a.number("mup_learning_rate", Json::array()) ==
                  doctest::Approx(1 / a.number("change_rms", Json{2, 5})).epsilon(0.01));
        }
        auto const normalised = ask("mup " + residual + "--optimiser normalised");
        CHECK(std::pow(normalised.number("change_rms", Json{"out", 1}), 2) ==
              doctest::Approx(ask("ntk " + residual).number("ntk_mean")));
        // W^1 = w/sqrt(3): |x|_1 = 4 moves the neurons of layer 1 whose gate is open, half of them.
        auto const dense = ask("mup 3,2,3,1 --network densenet --input 1,-2,1 --parametrisation ntk --optimiser sign");
        CHECK(dense.exact("own_change_rms", {1, 2}) == "4*sqrt(3)/3");
        CHECK(dense.exact("unit_rate", {1, 2}) == "sqrt(3)/4");
        // Two matrices into a node, of one eta: the label factor of the second is 2.
        TemporaryDirectory const folder;
        std::string const file = folder / "two.json";
        write_file(
            file,
            R"({"nodes": [{"name": "x", "width": 2}, {"name": "a", "width": 2}, {"name": "b", "width": 2},)"
            R"( {"name": "out", "width": 1}], "edges": [{"from": "x", "to": "a"},)"
            R"( {"from": "x", "to": "b", "label_factor": 2}, {"from": "a", "to": "out"}, {"from": "b", "to": "out"}]})");
        auto const two =
            ask("mup --network " + file + " --input 3,-4 --parametrisation ntk --optimiser sign --eta 1/7");
        CHECK(two.exact("own_change_rms", Json{"a", 2}) == "sqrt(2)/2");  // m = 2^(-1/2), |x|_1 = 7
        CHECK(two.exact("own_change_rms", Json{"b", 2}) == "sqrt(2)");
        CHECK(two.exact("unit_rate", Json{"b", 2}) == "sqrt(2)/7");
        CHECK(two.exact("mup_learning_rate", Json::array()) == "sqrt(2)/2");
    }

    TEST_CASE("formulas in the width") {
        auto const muon = ask("mup n,n:2,1 --optimiser muon");
        CHECK(muon.exact("own_change_rms", Json{1, "n"}) == "sqrt(1/n*(1 - 2^(-n))^2)");
        CHECK(muon.exact("own_change_rms", Json{3, 1}) == "1");
        auto const numbers = ask("mup n,n:2,1 --optimiser muon --set n=3");
        CHECK(numbers.number("own_change_rms", {1, 3}) == doctest::Approx(std::sqrt(49.0 / 64 / 3)));
        auto const signs = ask("mup 4,n:2,1 --optimiser sign --input 1,1,1,-2");
        CHECK(signs.exact("change_absolute_mean", Json{1, "n"}) == "sqrt(25/4*(1 - 2^(-n))^2)");
        CHECK(ask("mup 4,n:2,1 --optimiser sign --input 1,1,1,-2 --set n=3").exact("change_absolute_mean", {1, 3}) ==
              "35/16");
        CHECK(ask("mup n,n:2,1 --optimiser muon --activation linear").exact("unit_rate", Json{2, "n"}) == "sqrt(n)");
        CHECK(
            ask("mup 4,n:2,1 --optimiser muon --activation leaky:s").text_of("assumptions").find("slope s is not 0") !=
            std::string::npos);
        // L/(2 n) + 1, the kernel of variances 2/n and 1/n^2 at |x|^2 = 1.
        CHECK(ask("mup n,n:L,1 --optimiser normalised").exact("change_rms", Json{"L + 1", 1}) ==
              "sqrt((L + 2*n)/(2*n))");
        CHECK(ask("mup n,n:3,1 --optimiser normalised").exact("output_learning_rate", Json::array()) ==
              "sqrt(2)*sqrt(n)/sqrt(2*n + 3)");
        double const at =
            ask("mup n,n:L,1 --network resnet:2 --projections --multiplier 1/sqrt(blocks) --optimiser normalised "
                "--set n=4,L=4")
                .number("change_rms", Json{"out", 1});
        CHECK(at == doctest::Approx(std::sqrt(16.0 * (32 + 20 - 3) / (8 * 27))));
    }

    TEST_CASE("what is not served is named") {
        refuses("mup 4,4,1 --optimiser sign", "--input", 2);
        refuses("mup n,n:L,1 --optimiser muon", "symbolic depth", 3);
        refuses("mup n,n:3,1 --network resnet:1 --projections --optimiser muon", "--optimiser muon", 3);
        refuses("mup n,n:3,1 --optimiser normalised --parametrisation mup", "rates of all matrices", 3);
        refuses("mup 4,n,1 --optimiser sign --input a-1,1,1,1", "a - 1", 3);
        refuses("mup 2,3,1 --optimiser muon --input " ISSERLIS_TEST_DATA "/cli/two_inputs.csv", "of one sample", 3);
        refuses("mup 3,3,1 --optimiser muon --activation linear --data cos", "of one sample", 3);
        refuses("mup 3,4,4,1 --optimiser muon --eta 1,2", "--eta", 2);
        refuses("mup 3,1 --optimiser muon", "no hidden layer", 3);
        refuses("mup 3,4,1 --optimiser muon --bias-variance 1", "--bias-variance", 3);
        refuses("mup 3,4,1 --optimiser muon --emit-test cpp", "--emit-test", 3);
    }
}
