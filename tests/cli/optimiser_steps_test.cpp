// SPDX-License-Identifier: MIT
// coord-check --optimiser and --steps from outside. Values by hand: docs/formulas/first_step.md.
#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "json_answer.hpp"
#include "refusal.hpp"

using namespace isserlis::test;

TEST_SUITE("cli/optimiser_steps") {
    namespace {

    std::string const network = "coord-check 2,3,4,1 --variance 1,2/3,1/2 --input 1,-2 ";

    }  // namespace

    // y = w . x: the gradient is (y - t) x.
    TEST_CASE("one layer moves by the norm of its input that the optimiser goes by") {
        for (char const* name : {"sign", "adam"}) {
            auto const signs = ask(std::string("coord-check 2,1 --input 1,-2 --eta 2 --optimiser ") + name);
            CHECK(signs.exact("change_rms", {1, 1}) == "6");
            CHECK(signs.exact("own_change_rms", {1, 1}) == "6");
            CHECK(signs.exact("unit_rate", {1, 1}) == "1/3");
            CHECK(signs.exact("change_absolute_mean", {1, 1}) == "6");
        }
        for (char const* name : {"muon", "normalised"}) {
            auto const lengths = ask(std::string("coord-check 2,1 --input 1,-2 --eta 2 --optimiser ") + name);
            CHECK(lengths.exact("change_rms", {1, 1}) == "2*sqrt(5)");
        }
    }

    TEST_CASE("later steps of Adam are not those of signs") {
        std::string const two = network + "--check 10 --steps 2 --optimiser ";
        auto const adam = run_program(words(two + "adam"));
        CHECK(adam.code == 3);
        CHECK(adam.err.find("--steps: the first step of Adam is served") != std::string::npos);
        CHECK(run_program(words(two + "sign")).code == 0);
    }

    TEST_CASE("a matrix of a block is no decimal number in LaTeX") {
        auto const table =
            run_program(words("coord-check 3:3 --network resnet:11 --branch-widths 1 --format latex")).out;
        CHECK(table.find("preactivation\\_rms}_{1.10,1}") != std::string::npos);
        CHECK(table.find("preactivation\\_rms}_{1.1,1}") != std::string::npos);
    }

    TEST_CASE("normalised moves one output by the neural tangent kernel, in closed form and by strands") {
        auto const a = ask(network + "--optimiser normalised");
        CHECK(a.exact("change_rms", {3, 1}) == "3*sqrt(10)/2");
        std::string const same = "2,3,4,1 --variance 1,2/3,1/2 --input 1,-2";
        CHECK(ask("ntk " + same).exact("ntk_mean") == "45/2");
        CHECK(ask("expect z[1;m]^2 " + same).exact("value") == "45/2");
        CHECK(a.result("own_change_rms", {3, 1}).at("decimal").is_null());
        // Of rates that differ it is no kernel.
        CHECK(ask(network + "--eta 1,2,1 --optimiser normalised").result("change_rms", {3, 1}).at("decimal").is_null());
    }

    // E |Delta z| = (pi/2)^(1/2) E |z| sum eta_l/v_l^(1/2).
    TEST_CASE("muon moves one output by what its mean size says") {
        double const size = ask(network).number("preactivation_absolute_mean", {3, 1});
        auto const muon = ask(network + "--eta 1/2,1/4,1 --optimiser muon");
        CHECK(
            muon.number("change_absolute_mean", {3, 1}) ==
            doctest::Approx(std::sqrt(std::acos(-1.0) / 2) * size * (0.5 + 0.25 / std::sqrt(2.0 / 3) + std::sqrt(2.0)))
                .epsilon(1e-12));
        CHECK(muon.exact("own_change_rms", {1, 3}) == "5*sqrt(14)/32");
        CHECK(muon.exact("own_change_rms", {2, 4}) == "15*sqrt(2)/64");
    }

    // f = u (1 + w) v, x = 1, rates 1: each number moves by -sgn of its derivative, so that y = (1 + w) v moves by
    // |1 + w| + |v| up to its sign and f by |u| (|1 + w| + |v|) + |y|; E (1 + w)^2 = 2, and E |1 + w| is that of a folded
    // normal.
    TEST_CASE("a residual network of single neurons by hand") {
        double const plain = std::sqrt(2 / std::acos(-1.0));
        double const folded = plain * std::exp(-0.5) + std::erf(std::sqrt(0.5));
        std::string const net = "coord-check 1,1:2,1 --network resnet:1 --projections --variance 1 --input 1 ";
        for (std::string const optimiser : {"muon", "sign"}) {
            auto const a = ask(net + "--check 40000 --optimiser " + optimiser);
            CHECK(a.exact("own_change_rms", Json{0, 1}) == "1");
            CHECK(a.exact("change_rms", Json{0, 1}) == "1");
            CHECK(a.number("change_rms", Json{1, 1}) ==
                  doctest::Approx(std::sqrt(3 + 2 * folded * plain)).epsilon(0.02));
            CHECK(a.number("change_absolute_mean", Json{1, 1}) == doctest::Approx(folded + plain).epsilon(0.02));
            CHECK(a.number("change_absolute_mean", Json{"out", 1}) ==
                  doctest::Approx(plain * (folded + plain) + folded * plain).epsilon(0.02));
        }
        auto const muon = ask(net + "--optimiser muon");
        CHECK(muon.exact("own_change_rms", Json{1, 1}) == "1");
        CHECK(muon.exact("own_change_rms", Json{"out", 1}) == "sqrt(2)");
        CHECK(muon.exact("unit_rate", Json{"out", 1}) == "sqrt(2)/2");
    }

    // Of x = (1,-2): muon moves the first layer by sqrt(5 (1 - 2^-n)/n) where it is gated, signs a neuron whose gate is
    // open by 3. With the multiplier 1/2 beside the branch; at one rate normalised moves f by the root of E K.
    TEST_CASE("residual networks: exact lengths agree with sampled networks") {
        std::string const direct = "coord-check 2:3 --network resnet:2 --branch-widths 3 --input 1,-2 ";
        CHECK(ask(direct + "--optimiser muon").exact("own_change_rms", Json{"1.1", 3}) == "sqrt(210)/12");
        CHECK(ask(direct + "--optimiser adam").exact("own_change_rms", Json{"1.1", 3}) == "3*sqrt(2)/2");
        std::string const net = "2,3:3,1 --network resnet:2 --projections --input 1,-2 --multiplier 1/2 ";
        auto const kernel = ask("ntk " + net);
        auto const normalised = ask("coord-check " + net + "--optimiser normalised");
        CHECK(std::pow(normalised.number("change_rms", Json{"out", 1}), 2) ==
              doctest::Approx(kernel.number("ntk_mean")));
        for (std::string const rest : {"muon", "sign", "normalised"}) {
            auto const a = ask("coord-check " + net + "--eta 1/3 --check 20000 --seed 5 --optimiser " + rest);
            for (auto const& r : a.json.at("results")) {
                if (!r.at("check").is_null()) CHECK(r.at("check").at("verdict") != "disagrees");
            }
        }
    }

    TEST_CASE("what is exact agrees with sampled networks, the rest is sampled") {
        for (std::string const rest :
             {"sign", "muon", "normalised", "sign --activation linear", "sign --activation leaky:-1/2"}) {
            auto const a = ask(network + "--eta 1/2,1/4,1 --check 20000 --seed 7 --optimiser " + rest);
            int agreed = 0;
            for (auto const& r : a.json["results"]) {
                INFO(rest, " ", r.dump());
                if (r["name"] != "unit_rate") CHECK_FALSE(r["decimal"].is_null());
                if (r["check"].is_null()) continue;
                CHECK(std::abs(r["check"]["z"].get<double>()) < 5);
                if (r["check"]["verdict"] == "agrees") ++agreed;
            }
            CHECK(agreed >= (rest == "normalised" ? 3 : 6));
        }
    }

    // Signs add up over the fan-in: twice the width, half the rate. Muon goes by (n_l/n_(l-1))^(1/2).
    TEST_CASE("rates of layers by width") {
        auto const signs = ask("coord-check 4,n:3,1 --input 1,1,1,1 --widths 256,1024 --optimiser sign");
        CHECK(signs.number("unit_rate", {2, 256}) / signs.number("unit_rate", {2, 1024}) ==
              doctest::Approx(4).epsilon(0.01));
        CHECK(signs.number("unit_rate", {1, 256}) == doctest::Approx(std::sqrt(2.0) / 4));
        auto const muon = ask("coord-check 4,n:3,1 --input 1,1,1,1 --widths 256,1024 --optimiser muon");
        CHECK(muon.number("unit_rate", {1, 1024}) / muon.number("unit_rate", {1, 256}) == doctest::Approx(2));
        CHECK(muon.number("unit_rate", {2, 256}) == doctest::Approx(muon.number("unit_rate", {2, 1024})));
    }

    TEST_CASE("rates of the output by width and depth") {
        auto const muon = ask("mup --depths 1..3 --widths 4,64 --optimiser muon");
        auto const signs = ask("mup --depths 1..3 --widths 4,64 --optimiser sign");
        double const pi = std::acos(-1.0);
        for (int depth : {1, 2, 3}) {
            CHECK(muon.number("first_step_rate_limit", Json{depth}) ==
                  doctest::Approx(1 / (1 + depth / std::sqrt(2.0))));
            CHECK(signs.number("first_step_rate_limit", Json{depth}) ==
                  doctest::Approx(1 / (1 + depth / std::sqrt(pi))));
            double const here = muon.number("first_step_rate", {4, depth});
            CHECK(muon.number("first_step_width_exponent", {4, depth}) ==
                  doctest::Approx(std::log(muon.number("first_step_rate", {64, depth}) / here) / std::log(16.0)));
            if (depth == 3) break;
            CHECK(muon.number("first_step_local_exponent", {4, depth}) ==
                  doctest::Approx(std::log(muon.number("first_step_rate", {4, depth + 1}) / here) /
                                  std::log((depth + 1.0) / depth)));
        }
        double const first = muon.number("first_step_fitted_exponent", Json{64});
        CHECK(first < muon.number("first_step_local_exponent", {64, 1}));
        CHECK(first > muon.number("first_step_local_exponent", {64, 2}));
        // The same network in the other command, at |x|^2 = 5 and rates that do not enter.
        auto const one = ask("coord-check 4,4:3,1 --scheme mean-field --input 1,-2,0,0 --eta 3 --optimiser muon");
        CHECK(one.number("joint_unit_rate", Json{4}) ==
              doctest::Approx(muon.number("first_step_rate", {4, 3})).epsilon(1e-14));
        // L/2 + n is the kernel of variances 2/n and 1/n^2, |x|^2 = n.
        auto const whole = ask("mup --depths 2..3 --widths 4 --optimiser normalised");
        CHECK(whole.exact("first_step_rate", {4, 2}) == "sqrt(5)/5");
        CHECK(whole.exact("first_step_rate", {4, 3}) == "sqrt(22)/11");
    }

    // NumPy, 40,000 networks, signs and polar factors of whole gradients: see docs/formulas/first_step.md.
    TEST_CASE("joint rates are those of networks sampled elsewhere, and of sampled ones here") {
        struct Sampled {
            char const* name;
            double rate;
            double error;
        };
        for (auto const& [name, rate, error] : {Sampled{"sign", 0.56844, 0.02}, Sampled{"muon", 0.52082, 0.02}}) {
            auto const a = ask("mup --depths 3 --widths 4 --optimiser " + std::string(name));
            CHECK(a.number("first_step_rate", {4, 3}) == doctest::Approx(rate).epsilon(error));
            auto const b = ask("coord-check 4,4:3,1 --scheme mean-field --input 1,1,1,1 --check 20000 --optimiser " +
                               std::string(name));
            CHECK(b.number("joint_unit_rate", Json{4}) == doctest::Approx(rate).epsilon(error));
            CHECK(std::abs(b.result("joint_unit_rate", Json{4})["check"]["z"].get<double>()) < 4);
        }
    }

    TEST_CASE("exponents of unit rates go from width to width") {
        auto const a = ask("coord-check 4,n:2,1 --input 1,1,1,1 --widths 8,16,32 --optimiser sign");
        for (int layer : {1, 2, 3}) {
            for (int n : {8, 16})
                CHECK(a.number("unit_rate_exponent", {layer, n}) ==
                      doctest::Approx(
                          std::log2(a.number("unit_rate", {layer, 2 * n}) / a.number("unit_rate", {layer, n}))));
        }
        CHECK_FALSE(a.has("unit_rate_exponent", {1, 32}));
        // (n_l/(v E |h|^2))^(1/2) of linear units, whose layers are never dead.
        auto const linear =
            ask("coord-check 4,n:2,1 --input 1,1,1,1 --widths 8,16 --activation linear --optimiser muon");
        CHECK(linear.exact("unit_rate_exponent", {2, 8}) == "0");
        CHECK(linear.number("unit_rate_exponent", {1, 8}) == doctest::Approx(0.5));
    }

    // z = w_2 w_1 and r = z - y, y a sign: a step moves z by -eta r s + eta^2 r^2 z, s = w_1^2 + w_2^2. Of unit normals
    // E r^2 s^2 = E (z^2 + 1) s^2 = 48 + 8, 2 E r^3 z s = 2 E (z^4 + 3 z^2) s = 2 (90 + 18), and E r^4 z^2 =
    // E z^6 + 6 E z^4 + E z^2 = 225 + 54 + 1. Layer 1 moves by -eta r w_2: E (z^2 + 1) w_2^2 = 4.
    TEST_CASE("one whole step of a linear network by hand") {
        auto const a = ask("coord-check 1,1,1 --activation linear --variance 1 --eta 1/10 --check 2000 --steps 1");
        CHECK(a.exact("step_change_rms", {1, 1, 1}) == "1/5");
        CHECK(a.exact("step_second_order", {1, 1}) == "0");
        CHECK(a.exact("step_change_rms", {1, 2, 1}) == "sqrt(930)/50");  // of 56/10^2 - 216/10^3 + 280/10^4
        CHECK(a.exact("step_second_order", {2, 1}) == "-27/125");
    }

    // NumPy, 3,000,000 networks, the third coefficient of the outputs' squares along the gradient of one sample: at rates
    // of 1/10 -0.0382 +- 0.0008, -0.516 +- 0.013, -6.88 +- 0.23.
    TEST_CASE("the second order of deeper layers, and where it is not known") {
        auto const deep = ask("coord-check 3,4:3,2 --activation linear --eta 1/10 --check 2000 --steps 1");
        CHECK(deep.number("step_second_order", {2, 4}) == doctest::Approx(-0.0382).epsilon(0.05));
        CHECK(deep.number("step_second_order", {3, 4}) == doctest::Approx(-0.516).epsilon(0.06));
        CHECK(deep.number("step_second_order", {4, 2}) == doctest::Approx(-6.88).epsilon(0.1));
        auto const verdict = [](auto const& answer, std::string const& name, Json const& index) {
            return answer.result(name, index).at("check").at("verdict").template get<std::string>();
        };
        auto const gated = ask("coord-check 3,4,4,2 --eta 1/10 --check 20000 --steps 1");
        CHECK(gated.exact("step_change_rms", {1, 1, 4}) == gated.exact("change_rms", {1, 4}));
        CHECK(verdict(gated, "step_change_rms", {1, 1, 4}) == "agrees");
        CHECK(verdict(gated, "step_updated_rms", {1, 1, 4}) == "agrees");
        CHECK(gated.exact("step_second_order", {1, 4}) == "0");
        CHECK(gated.result("step_second_order", {2, 4}).at("form").get<std::string>().find("gates") !=
              std::string::npos);
        auto const linear = ask("coord-check 3,4,2 --activation linear --eta 1/10 --check 20000 --steps 1");
        for (char const* name : {"step_change_rms", "step_updated_rms"})
            CHECK(verdict(linear, name, {1, 2, 2}) == "agrees");
        CHECK_FALSE(ask("coord-check 2,3,1 --optimiser muon --check 300 --steps 1").has("step_second_order"));
    }

    TEST_CASE("whole steps at a small rate are the first one, at a large one they are not") {
        auto const small = ask("coord-check 8,16:2,1 --input-squared-norm 8 --eta 1/1000 --check 3000 --steps 2");
        for (int layer : {1, 2}) {
            double const first = small.number("change_rms", {layer, 16});
            CHECK(small.number("step_change_rms", {1, layer, 16}) == doctest::Approx(first).epsilon(0.1));
            CHECK(small.number("step_change_rms", {2, layer, 16}) == doctest::Approx(2 * first).epsilon(0.1));
            CHECK(small.number("step_updated_rms", {1, layer, 16}) ==
                  doctest::Approx(small.number("preactivation_std", {layer, 16})).epsilon(0.05));
        }
        auto const large = ask("coord-check 8,16:2,1 --input-squared-norm 8 --eta 1 --check 3000 --steps 1");
        double const first = large.number("change_rms", {2, 16});
        CHECK(std::abs(large.number("step_change_rms", {1, 2, 16}) - first) > 0.1 * first);
        auto const leaky = ask("coord-check 2,3,1 --activation leaky:1/2 --check 300 --steps 1");
        CHECK(leaky.indices("step_updated_absolute_mean").size() == 2);
        auto const muon = ask("coord-check 2,3,1 --optimiser muon --check 300 --steps 2");
        CHECK(muon.indices("step_change_absolute_mean").size() == 4);
    }

    // One block z = (1 + w) x of a number x = 1, w of variance 1: a step takes r = z - y, y a sign, to (1 - eta) r, so that t steps
    // move z by -(1 - (1 - eta)^t) r, and E r^2 = 2 + 1. With the multiplier m: z = 1 + m w, r to (1 - eta m^2) r, E r^2 = 2 + m^2.
    TEST_CASE("any number of whole steps of one residual block by hand") {
        auto const a =
            ask("coord-check 1:2 --input 1 --network resnet:1 --variance 1 --eta 1/10 --steps 3 --check 20000");
        CHECK(a.exact("step_change_rms", {1, 1, 1}) == "sqrt(3)/10");
        CHECK(a.exact("step_second_order", {1, 1}) == "0");
        auto const beside =
            ask("coord-check 1:2 --input 1 --network resnet:1 --multiplier 1/2 --variance 1 --eta 1/10 --steps 2 "
                "--check 20000");
        CHECK(beside.exact("step_change_rms", {1, 1, 1}) == "3/80");  // 1/40 sqrt(9/4)
        // The share of r that is left; a relative error of 1/sqrt(20000), in r^2 less than 5 of them.
        for (int t : {2, 3})
            CHECK(a.number("step_change_rms", {t, 1, 1}) ==
                  doctest::Approx((1 - std::pow(0.9, t)) * std::sqrt(3.0)).epsilon(0.03));
        CHECK(beside.number("step_change_rms", {2, 1, 1}) ==
              doctest::Approx((1 - std::pow(0.975, 2)) * 1.5).epsilon(0.03));
    }

    TEST_CASE("whole steps of residual networks, drawn beside what is exact") {
        auto const verdict = [](auto const& answer, std::string const& name, Json const& index) {
            return answer.result(name, index).at("check").at("verdict").template get<std::string>();
        };
        std::string const rest = " --multiplier 1/sqrt(blocks) --parametrisation mup --check 20000 ";
        // The plain input layer is linear in its weights. Strands of a whole step of the second block are too many.
        auto const linear = ask("coord-check 3,4:3,2 --network resnet:1 --projections --eta 1/20 --steps 1" + rest);
        for (char const* name : {"step_change_rms", "step_updated_rms"})
            for (Json const& index : {Json{1, 0, 4}, Json{1, 1, 4}}) CHECK(verdict(linear, name, index) == "agrees");
        CHECK(linear.exact("step_change_rms", {1, 0, 4}) == linear.exact("change_rms", {0, 4}));
        CHECK(linear.exact("step_second_order", {0, 4}) == "0");
        CHECK(linear.result("step_change_rms", {1, 2, 4}).at("form").get<std::string>().find("sampled") !=
              std::string::npos);
        auto const gated = ask("coord-check 3,4:3,2 --network resnet:2 --projections --eta 1/1000 --steps 2" + rest);
        CHECK(verdict(gated, "step_change_rms", {1, 0, 4}) == "agrees");
        CHECK(gated.result("step_second_order", {1, 4}).at("form").get<std::string>().find("gates") !=
              std::string::npos);
        // At a small rate steps add up.
        for (int block : {1, 2}) {
            double const first = gated.number("change_rms", {block, 4});
            CHECK(gated.number("step_change_rms", {1, block, 4}) == doctest::Approx(first).epsilon(0.1));
            CHECK(gated.number("step_change_rms", {2, block, 4}) == doctest::Approx(2 * first).epsilon(0.1));
        }
        auto const muon =
            ask("coord-check 2,3:2,1 --network resnet:2 --projections --optimiser muon --check 300 --steps 2");
        CHECK(muon.indices("step_change_absolute_mean").size() == 8);
    }

    // Layer 1 has z of variance 4, |x|_1 = 4, |x|^2 = 6. Layer 2 reads x and h^1: E |h^1|_1 = 2 E z^+ = (8/pi)^(1/2),
    // E |h^1|_1^2 = 2 E (z^+)^2 + 2 (E z^+)^2 = 4 + 4/pi, of signs by half the neurons; E |(x, h^1)|^2 = 10, of muon if one of three
    // units is open, whatever is above. Layer 3 reads all, of E |h|^2 = 16.
    TEST_CASE("dense networks by hand, and drawn") {
        double const pi = std::acos(-1.0);
        std::string const net = "coord-check 3,2,3,1 --network densenet --input 1,-2,1 --check 20000 --optimiser ";
        auto const signs = ask(net + "sign");
        CHECK(signs.exact("own_change_rms", {1, 2}) == "2*sqrt(2)");
        CHECK(signs.number("own_change_rms", {2, 3}) ==
              doctest::Approx(std::sqrt((16 + 8 * std::sqrt(8 / pi) + 4 + 4 / pi) / 2)).epsilon(1e-14));
        CHECK(signs.exact("change_absolute_mean", {1, 2}) == "2");
        auto const muon = ask(net + "muon");
        CHECK(muon.exact("own_change_rms", {1, 2}) == "3/2");  // (6/2 3/4)^(1/2)
        CHECK(muon.exact("own_change_rms", {2, 3}) == "sqrt(105)/6");
        CHECK(muon.exact("own_change_rms", {3, 1}) == "4");
        CHECK(muon.exact("unit_rate", {3, 1}) == "1/4");
        auto const normalised = ask(net + "normalised");
        auto const kernel = ask("ntk 3,2,3,1 --network densenet --input 1,-2,1");
        CHECK(std::pow(normalised.number("change_rms", {3, 1}), 2) == doctest::Approx(kernel.number("ntk_mean")));
        for (auto const* a : {&signs, &muon, &normalised}) {
            for (auto const& r : a->json.at("results")) {
                INFO(r.dump());
                if (!r.at("check").is_null()) CHECK(std::abs(r.at("check").at("z").get<double>()) < 5);
            }
        }
        CHECK(muon.text_of("assumptions").find("matrix of a dense layer is one") != std::string::npos);
    }

    // Units by one: a gradient reaches v through c and a or b, of which one is open in 3 of 4 networks: 3/8; a if it and c are
    // open, 1/4, with E z_v^2 = 25/2. Nothing leads up from e. w has two units: 3/4; a neuron of its own gate 1/2.
    TEST_CASE("gradients that reach a node of a file by several ways, or by none") {
        TemporaryDirectory const folder;
        std::string const file = folder / "ways.json";
        write_file(
            file,
            R"({"nodes": [{"name": "x", "width": 2}, {"name": "v", "width": 1},)"
            R"( {"name": "a", "width": 1, "activation": "relu"}, {"name": "b", "width": 1, "activation": "relu"},)"
            R"( {"name": "c", "width": 1, "activation": "relu"}, {"name": "e", "width": 3},)"
            R"( {"name": "w", "width": 2, "activation": "relu"}, {"name": "k", "width": 2},)"
            R"( {"name": "out", "width": 1}],)"
            R"( "edges": [{"from": "c", "to": "out"}, {"from": "x", "to": "v"}, {"from": "v", "to": "a"},)"
            R"( {"from": "v", "to": "b"}, {"from": "a", "to": "c"}, {"from": "b", "to": "c"}, {"from": "v", "to": "e"},)"
            R"( {"from": "x", "to": "w"}, {"from": "w", "to": "k", "skip": true}, {"from": "k", "to": "out"}]})");
        std::string const net = "coord-check --network " + file + " --input 3,-4 ";
        auto const muon = ask(net + "--optimiser muon --check 20000");
        CHECK(muon.exact("own_change_rms", Json{"v", 1}) == "5*sqrt(6)/4");
        CHECK(muon.exact("own_change_rms", Json{"a", 1}) == "5*sqrt(2)/4");
        CHECK(muon.exact("own_change_rms", Json{"e", 3}) == "0");
        CHECK(muon.result("unit_rate", Json{"e", 3}).at("form") == "no gradient reaches it");
        CHECK(muon.exact("own_change_rms", Json{"w", 2}) == "5*sqrt(6)/4");
        CHECK(muon.exact("change_absolute_mean", Json{"v", 1}) == "15/8");  // its one neuron moves by 5 or by 0
        CHECK_FALSE(muon.has("own_change_rms", Json{"k", 2}));              // no matrix leads there
        auto const signs = ask(net + "--optimiser sign --check 20000");
        CHECK(signs.exact("own_change_rms", Json{"v", 1}) == "7*sqrt(6)/4");
        CHECK(signs.exact("own_change_rms", Json{"w", 2}) == "7*sqrt(2)/2");
        CHECK(signs.exact("change_absolute_mean", Json{"w", 2}) == "7/2");
        for (auto const* a : {&signs, &muon}) {
            for (auto const& r : a->json.at("results")) {
                INFO(r.dump());
                if (!r.at("check").is_null()) CHECK(std::abs(r.at("check").at("z").get<double>()) < 5);
            }
        }
        // z_v is linear in its weights; k is h_w, behind gates.
        auto const steps = ask(net + "--eta 1/1000 --steps 1 --check 2000");
        CHECK(steps.exact("step_change_rms", Json{1, "v", 1}) == steps.exact("change_rms", Json{"v", 1}));
        CHECK(steps.exact("step_second_order", Json{"v", 1}) == "0");
        for (char const* node : {"a", "k"})
            CHECK(steps.result("step_second_order", Json{node, node[0] == 'a' ? 1 : 2})
                      .at("form")
                      .get<std::string>()
                      .find("gates") != std::string::npos);
    }

    // NumPy, 20,000 networks, signs and polar factors by singular values: own_change_rms 3.4526 +- 0.0154 of c under signs, 1.9924 +-
    // 0.0078 under muon, change_rms of out 7.096 +- 0.047, 4.493 +- 0.029, and 1.903 +- 0.011 normalised. By hand E |h_a|_1^2 =
    // 4 + 4/pi, E |h_b|_1^2 = 9/2 + 9/pi, and they are independent; c leads to out whatever is open.
    TEST_CASE("several matrices into a node, with rates of their own") {
        TemporaryDirectory const folder;
        std::string const file = folder / "several.json";
        write_file(
            file,
            R"({"nodes": [{"name": "x", "width": 3}, {"name": "a", "width": 2, "activation": "relu"},)"
            R"( {"name": "b", "width": 3, "activation": "relu"}, {"name": "c", "width": 2, "activation": "leaky:-1/2"},)"
            R"( {"name": "s", "width": 2}, {"name": "d", "width": 1, "activation": "relu"}, {"name": "out", "width": 2}],)"
            R"( "edges": [{"from": "x", "to": "a"}, {"from": "x", "to": "b", "variance": "1/2"},)"
            R"( {"from": "a", "to": "c", "variance": "1/3"}, {"from": "b", "to": "c", "variance": "1/2", "label_factor": 2},)"
            R"( {"from": "a", "to": "s", "skip": true}, {"from": "c", "to": "s", "skip": true}, {"from": "b", "to": "d"},)"
            R"( {"from": "s", "to": "d"}, {"from": "x", "to": "d"}, {"from": "d", "to": "out"},)"
            R"( {"from": "c", "to": "out", "variance": "1/4"}]})");
        std::string const net =
            "coord-check --network " + file + " --input 1,-2,1 --eta 1/2 --check 20000 --optimiser ";
        double const pi = std::acos(-1.0);
        auto const signs = ask(net + "sign");
        double const a_squared = 4 + 4 / pi;                                  // 2 of variance 4
        double const b_squared = 4.5 + 9 / pi;                                // 3 of variance 3
        double const both = std::sqrt(8 / pi) * 1.5 * std::sqrt(2 * 3 / pi);  // E |h_a|_1 E |h_b|_1
        CHECK(signs.number("own_change_rms", Json{"c", 2}) ==
              doctest::Approx(std::sqrt(a_squared / 4 + b_squared + both)).epsilon(1e-14));
        CHECK(signs.number("own_change_rms", Json{"c", 2}) == doctest::Approx(3.4526).epsilon(0.02));
        CHECK(signs.number("change_rms", Json{"out", 2}) == doctest::Approx(7.096).epsilon(0.03));
        auto const muon = ask(net + "muon");
        CHECK(muon.number("own_change_rms", Json{"c", 2}) == doctest::Approx(1.9924).epsilon(0.02));
        CHECK(muon.number("change_rms", Json{"out", 2}) == doctest::Approx(4.493).epsilon(0.03));
        CHECK(muon.result("unit_rate", Json{"c", 2}).at("form").get<std::string>().find("rates that differ") !=
              std::string::npos);
        CHECK(ask(net + "normalised").number("change_rms", Json{"out", 2}) == doctest::Approx(1.903).epsilon(0.03));
        // Strands do not know E z_s^2, where a gated a and a gated c are added: it is sampled.
        CHECK(signs.result("preactivation_rms", Json{"s", 2}).at("form").get<std::string>().find("sampled") !=
              std::string::npos);
    }

    TEST_CASE("rates of 0 move nothing, exactly") {
        auto const a = ask("coord-check 2,3,1 --input 1,1 --eta 0 --optimiser sign");
        for (int layer : {1, 2}) CHECK(a.exact("own_change_rms", {layer, layer == 1 ? 3 : 1}) == "0");
        CHECK(a.exact("change_absolute_mean", {2, 1}) == "0");
    }

    TEST_CASE("what is not served is named") {
        refuses("coord-check 2,3,1 --optimiser lion", "lion", 3);
        refuses("mup --depths 1..2 --widths 4 --optimiser muon --target-second-moment 2", "--target-second-moment", 3);
        refuses("mup --depths 1..2 --widths 4 --optimiser muon --input-squared-norm 2", "--input-squared-norm", 3);
        refuses("mup --depths 1..2 --widths 4 --optimiser sign --outputs n", "--outputs", 3);
        refuses("mup --depths 1..64 --widths 1000000 --optimiser sign", "--depths", 3);
        refuses("coord-check 2,3,1 --optimiser muon --parametrisation 1/4,1/4,0", "root of sqrt(3)/3", 3);
        refuses("coord-check 2,3,1 --optimiser muon --scheme ntk", "--scheme", 3);
        refuses("coord-check 2:3 --optimiser muon --network densenet --activation crelu", "--activation", 3);
        refuses("coord-check 2:3 --optimiser muon --network densenet --check 10 --precision float", "--precision", 3);
        refuses("coord-check 2,3,1 --optimiser muon --activation crelu", "--activation", 3);
        refuses("coord-check 2,3,1 --optimiser sign", "--input", 2);
        refuses("coord-check 2,3,1 --steps 2", "--check", 2);
        refuses("coord-check 2:3 --network densenet --bias-variance 1 --steps 2 --check 100", "--bias-variance", 3);
        refuses("coord-check 2:3 --network resnet:1 --bias-variance 1 --steps 2 --check 100", "--bias-variance", 3);
        refuses("coord-check 2,3,1 --optimiser muon --eta -1", "--eta", 2);
    }
}
