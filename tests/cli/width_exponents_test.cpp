// SPDX-License-Identifier: MIT
// --parametrisation: exponents of the width for multiplier, variance and rate, in every command that has it.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "json_answer.hpp"

using namespace isserlis::test;

namespace {

/// Names, indices and exact values, in order.
std::vector<std::string> all_values(std::string const& line) {
    std::vector<std::string> out;
    auto const answer = ask(line);
    for (auto const& r : answer.json.at("results"))
        out.push_back(r.at("name").get<std::string>() + r.at("index").dump() + r.at("exact").dump() +
                      r.at("decimal").dump());
    return out;
}

std::string data_of(TemporaryDirectory const& folder) {
    std::string const file = folder / "one.csv";
    write_file(file, "x1,x2,y1,y2\n1,2,1,-1\n");
    return file;
}

void check_all_agree(JsonAnswer const& answer) {
    std::size_t checked = 0;
    for (auto const& r : answer.json.at("results")) {
        CAPTURE(r.dump());
        if (r["check"].is_null()) continue;
        ++checked;
        CHECK(r["check"]["verdict"] != "disagrees");
        CHECK(r["check"]["verdict"] != "fails");
    }
    CHECK(checked > 0);
}

/// Commands, each with the option that lists what multiplies a pair of derivatives.
std::vector<std::pair<std::string, std::string>> const with_factors{
    {"ntk", "--label-factor "}, {"hessian", "--label-factor "}, {"coord-check", "--eta "}};

}  // namespace

TEST_SUITE("cli/width_exponents") {
    // W = theta/sqrt(fan_in): each of the L + 1 layers of a linear network gives |x|^2/n_0 [Jacot 2018, section 2].
    TEST_CASE("the kernel of a linear network in the NTK parametrisation is (L + 1)/n_0") {
        CHECK(ask("ntk 4,7,5,1 --activation linear --parametrisation ntk").exact("ntk_mean") == "3/4");
        CHECK(ask("ntk 2,3:4,1 --activation linear --parametrisation ntk").exact("ntk_mean") == "5/2");
        CHECK(ask("ntk n0,n:L,1 --activation linear --parametrisation ntk").exact("ntk_mean") == "(L + 1)/n0");
        // ReLU: g2 = 1/2 in the constants of all layers but the head takes the gates away.
        CHECK(ask("ntk n0,n:L,1 --parametrisation ntk").exact("ntk_mean") == "(L + 1)/n0");
    }

    // 2,4,1, |x|^2 = 1, ReLU: z_i = W_i.x of variance s = 1 (2/n_0 |x|^2), f = sum v_j relu(z_j). At the rate h of the
    // input layer, Delta z_i = - h 1(z_i > 0) v_i (f - y), so B = h^2 E v^2/2 E y^2 and, with v of variance u,
    // A = h^2 u^2 (3 s/2 + (n - 1) s/4) = h^2 u^2 9/4.
    // muP: h = 4, u = 1/16. Standard: h = 1, u = 1/4. NTK: W = theta (n_0 = 2), h = 1, and v = theta/2, u = 1/4.
    TEST_CASE("one step by hand") {
        for (auto const& [name, a, b] : {std::array{"mup", "9/64", "1/2"}, std::array{"standard", "9/64", "1/8"},
                                         std::array{"ntk", "9/64", "1/8"}}) {
            CAPTURE(name);
            auto const answer = ask(std::string("mup 2,4,1 --parametrisation ") + name);
            CHECK(answer.exact("mup_a", Json{1}) == a);
            CHECK(answer.exact("mup_b", Json{1}) == b);
            CHECK_FALSE(answer.has("mup_c", Json{1}));  // letters of muP's own recursion
        }
        // E z^2 = 1; the output under muP: E f^2 = n u s/2 = 1/8.
        auto const check = ask("coord-check 2,4,1 --parametrisation mup");
        CHECK(check.exact("preactivation_std", {1, 4}) == "1");
        CHECK(check.exact("preactivation_std", {2, 1}) == "sqrt(2)/4");
        CHECK(ask("mup n0,n,1 --parametrisation mup").exact("mup_b", Json{1}) == "1/2");
        CHECK(ask("mup n0,n,1 --parametrisation standard").exact("mup_b", Json{1}) == "1/(2*n)");
    }

    TEST_CASE("with rates 1 muP's variances are those of the command mup") {
        std::string const net = "mup 3,4,5,2 --input-squared-norm 3 --eta 2,1/3";
        auto const plain = ask(net);
        auto const typed = ask(net + " --parametrisation 0,0:1/2:1,0");
        for (char const* name : {"mup_a", "mup_b", "preactivation_fourth_mean"}) {
            for (int l = 1; l <= 2; ++l) CHECK(plain.exact(name, Json{l}) == typed.exact(name, Json{l}));
        }
        CHECK(plain.result("mup_learning_rate") == typed.result("mup_learning_rate"));
    }

    TEST_CASE("a network by its entries has squared multiplier times rate for a label factor") {
        for (std::string const command : {"ntk", "hessian"}) {
            std::string const net = command + " 3,8,4,2 --input-squared-norm 6";
            CHECK(all_values(net + " --parametrisation mup") ==
                  all_values(net + " --variance 2/3,1/4,1/16 --label-factor 8,1,1/4"));
            CHECK(all_values(net + " --parametrisation ntk") ==
                  all_values(net + " --variance 2/3,1/4,1/4 --label-factor 2/3,1/4,1/4"));
            CHECK(all_values(net + " --parametrisation mean-field --label-factor 5,2,3") ==
                  all_values(net + " --variance 2/3,1/4,1/16 --label-factor 80/3,4,3/4"));
        }
        CHECK(all_values("coord-check 3,8,4,2 --parametrisation mean-field --eta 1,2,3") ==
              all_values("coord-check 3,8,4,2 --variance 2/3,1/4,1/16 --eta 16/3,4,3/4"));
    }

    // muP as [Yang 2021, Table 1] writes it, as microsoft/mup does it (a multiplier 1/n at the output), and as
    // [Yang 2022, Table 3] does.
    TEST_CASE("three ways to write muP train one network") {
        TemporaryDirectory const folder;
        std::vector<std::string> const lines{"mup 3,8,4,2", "coord-check 3,8,4,2", "ntk 3,8,4,2", "hessian 3,8,4,2",
                                             "loss-curve 3,8,4,2 --gradient random --samples 0 --activation linear "
                                             "--data " +
                                                 data_of(folder)};
        for (auto const& line : lines) {
            CAPTURE(line);
            auto const one = all_values(line + " --parametrisation mup");
            CHECK(one == all_values(line + " --parametrisation=-1/2:0:1/2,1/2,0"));
            CHECK(one == all_values(line + " --parametrisation 0:0:1,0:1/2:0,-1:0:-1"));
            CHECK(one != all_values(line + " --parametrisation standard"));
        }
    }

    TEST_CASE("what a trainer sets") {
        auto const mup = ask("init 3,8,4,2 --parametrisation 0:0:1,0:1/2:0,-1:0:-1");
        CHECK(mup.exact("parameter_variance", Json{1}) == "2/3");
        CHECK(mup.exact("parameter_variance", Json{2}) == "1/4");
        CHECK(mup.exact("parameter_variance", Json{3}) == "1");
        CHECK(mup.exact("parameter_multiplier", Json{3}) == "1/4");
        CHECK(mup.exact("rate_factor", Json{1}) == "8");
        CHECK(mup.exact("rate_factor", Json{3}) == "4");
        CHECK(mup.exact("weight_variance", Json{3}) == "1/16");
        CHECK_FALSE(ask("init 3,8,4,2").has("rate_factor", Json{1}));
        auto const symbols = ask("init n0,n:L,1 --parametrisation ntk");
        CHECK(symbols.exact("parameter_multiplier", {"l"}) == "sqrt(2)/sqrt(n)");
        CHECK(symbols.exact("rate_factor", {"L + 1"}) == "1");
        // |dw|^2/|w|^2 goes with the squares of rate and multiplier: under NTK d_1 d_0/(d_l d_(l-1)) times (m_l/m_1)^2
        // g-factors, here by the label factors h/v of [Hettinger 2019, Thm 4.6].
        CHECK(ask("init 4,8,2 --activation linear --parametrisation ntk").exact("update_ratio", Json{2}) == "2");
    }

    TEST_CASE("drawn, multiplied and trained for real, every command agrees") {
        TemporaryDirectory const folder;
        std::vector<std::string> const lines{
            "ntk 3,8,4,2 --check 20000",
            "hessian 3,6,4,2 --check 10000",
            "mup 3,8,4,2 --check 20000",
            "coord-check 3,8,4,2 --check 20000",
            "init 3,8,4,2 --check 20000",
            "loss-curve 3,8,4,2 --gradient random --samples 4000 --check 10000 --activation linear --data " +
                data_of(folder)};
        for (auto const& line : lines) {
            for (char const* p : {"mup", "mean-field", "0:0:1,0:1/2:0,-1:0:-1", "1/2,0:1/4:1/2,-1:1/2:1"}) {
                CAPTURE(line);
                CAPTURE(p);
                check_all_agree(ask(words(line + " --parametrisation " + p), 60));
            }
        }
    }

    // Linear, B blocks of one matrix: f = V (I + m W)^B U x, entries of U, W, V of variance 1/n_0, 1/n, 1/n^2 at the rates
    // n, 1, 1/n. With q = 1 + m^2 = E |(I + m W) y|^2/|y|^2, |x|^2 = 1 and the products below U x and above V:
    // of U: n q^B E|V|^2 = q^B. Of a W: m^2 E|V|^2 E|U x|^2 q^(B-1) = m^2 q^(B-1)/n_0. Of V: q^B E|U x|^2/n = q^B/n_0.
    TEST_CASE("the kernel of a residual network under muP by hand") {
        std::string const net = "ntk 3,5:3,1 --network resnet:1 --projections --parametrisation mup";
        CHECK(ask(net + " --multiplier 1/sqrt(blocks)").exact("ntk_mean") == "7/2");  // 9/4 + 2*(1/2)(3/2)/3 + 9/12
        CHECK(ask(net).exact("ntk_mean") == "20/3");                                  // 4 + 2*2/3 + 4/3
        CHECK(ask("ntk 3,n:3,1 --network resnet:1 --projections --parametrisation mup").exact("ntk_mean") == "20/3");
        // Without plain matrices all are hidden, of variance 1/n at the rate 1: m^2 |x|^2 q (B = 2, one output of n).
        CHECK(ask("ntk 5:3 --network resnet:1 --parametrisation mup").exact("ntk_mean") == "4");
    }

    // Branches 4 -> 5 -> 4 between 3 -> 4 and 4 -> 2, ReLU behind the first matrix of a branch alone. Constants 1/3, 2, 1
    // and 1; widths 4 (fan-out), 4, 5, 4. muP: W of variance 1/3, 2/4, 1/5, 1/16 at the rates 4, 1, 1, 1/4. Standard: the
    // output 1/4, all rates 1. NTK: the same, pairs of derivatives by w are those by W times the variance. Mean-field: muP's
    // variances, which pairs by w have, times n^1.
    TEST_CASE("residual networks by their entries") {
        std::string const rest =
            " 3,4:3,2 --network resnet:2 --projections --branch-widths 5 --multiplier 1/sqrt(blocks) ";
        std::string const mup = "--variance 1/3,1/2,1/5,1/16 ";
        std::string const standard = "--variance 1/3,1/2,1/5,1/4 ";
        for (auto const& [command, factors] : with_factors) {
            CAPTURE(command);
            std::string const net = command + rest;
            std::string const& by = factors;
            CHECK(all_values(net + "--parametrisation mup") == all_values(net + mup + by + "4,1,1,1/4"));
            CHECK(all_values(net + "--parametrisation standard") == all_values(net + standard));
            CHECK(all_values(net + "--parametrisation ntk") == all_values(net + standard + by + "1/3,1/2,1/5,1/4"));
            CHECK(all_values(net + "--parametrisation mean-field " + by + "2,3,5,7") ==
                  all_values(net + mup + by + "8/3,6,5,7/4"));
            // m = 1/sqrt(2) blocks, each matrix with a rate of its own; alpha = 3 multiplies the constants in branches,
            // with them, in the NTK parametrisation, the squares of what multiplies w.
            CHECK(all_values(net + "--alpha 3 --parametrisation mup " + by + "1,2,3,4,5,6") ==
                  all_values(net + "--variance 1/3,3/2,3/5,1/16 " + by + "4,2,3,4,5,3/2"));
            CHECK(all_values(net + "--alpha 3 --parametrisation ntk") ==
                  all_values(net + "--variance 1/3,3/2,3/5,1/4 " + by + "1/3,3/2,3/5,1/4"));
        }
        CHECK(all_values("loss-curve" + rest + "--parametrisation standard") ==
              all_values("loss-curve" + rest + standard));
        // Minus the slope is the square of the gradient by W, each matrix at its rate.
        auto square = words("expect 4:3 --network resnet:2 --variance 1/2,1/4 --label-factor 2,1");
        square.insert(square.begin() + 1, "(D[m] loss)^2");
        CHECK(ask("loss-curve 4:3 --network resnet:2 --parametrisation mean-field").exact("slope", Json{1}) ==
              "-" + ask(square).exact("value"));
        CHECK(all_values("hessian 4:3 --network resnet:2 --parametrisation mean-field") ==
              all_values("hessian 4:3 --network resnet:2 --variance 1/2,1/4 --label-factor 2,1"));
        // Of a chain alpha multiplies every constant.
        CHECK(all_values("ntk 3,8,2 --parametrisation mup --alpha 3") ==
              all_values("ntk 3,8,2 --variance 2,3/64 --label-factor 8,1/8"));
    }

    TEST_CASE("residual networks drawn, multiplied and trained for real agree") {
        std::string const rest =
            " 3,4:3,2 --network resnet:2 --projections --branch-widths 5 --alpha 1/blocks --multiplier 1/2 --check "
            "2500";
        for (char const* command : {"ntk", "hessian", "loss-curve", "coord-check"}) {
            for (char const* p : {"mup", "mean-field", "1/2,0:1/4:1/2,-1:1/2:1"}) {
                CAPTURE(command);
                CAPTURE(p);
                check_all_agree(ask(words(command + rest + " --parametrisation " + p), 60));
            }
        }
        check_all_agree(ask(words("ntk 3,8,2 --parametrisation ntk --alpha 3 --check 10000"), 60));
    }

    // Layers read 3, 3 + 4 and 3 + 4 + 2 neurons, ReLU behind all but the last: constants 2/3, 2, 1; widths 4 (fan-out), 7, 9.
    TEST_CASE("dense networks by their entries") {
        std::string const rest = " 3,4,2,2 --network densenet ";
        for (auto const& [command, factors] : with_factors) {
            CAPTURE(command);
            std::string const net = command + rest;
            std::string const& by = factors;
            std::string const mup = net + "--variance 2/3,2/7,1/81 " + by;
            CHECK(all_values(net + "--parametrisation mup") == all_values(mup + "4,1,1/9"));
            CHECK(all_values(net + "--parametrisation standard") == all_values(net + "--variance 2/3,2/7,1/9"));
            CHECK(all_values(net + "--parametrisation mean-field " + by + "2,3,5") == all_values(mup + "16/3,6,5/9"));
            CHECK(all_values(net + "--alpha 3 --parametrisation ntk") ==
                  all_values(net + "--variance 2,6/7,1/3 " + by + "2,6/7,1/3"));
        }
        CHECK(all_values("loss-curve" + rest + "--parametrisation standard") ==
              all_values("loss-curve" + rest + "--variance 2/3,2/7,1/9"));
        // One layer has no width for a parametrisation; of a scheme it is the output layer.
        CHECK(all_values("coord-check 3,2 --network densenet --scheme mean-field") ==
              all_values("coord-check 3,2 --network densenet --variance 1/9"));
    }

    // Into a, b, c from x: n_0 = 3, g2 = 1/2, 5/8, 1, widths 4, 2, 5. Into c from a and b together 6, into out from c and a 9,
    // neither gated.
    TEST_CASE("network files by their edges") {
        TemporaryDirectory const folder;
        auto const file = [&](std::string const& name, std::vector<std::string> const& said) {
            std::string text =
                R"({"nodes": [{"name": "x", "width": 3}, {"name": "a", "width": 4, "activation": "relu"},)"
                R"( {"name": "b", "width": 2, "activation": "leaky:1/2"}, {"name": "c", "width": 5},)"
                R"( {"name": "out", "width": 2}], "edges": [)";
            std::vector<std::string> const edges{R"("from": "c", "to": "out")", R"("from": "x", "to": "a")",
                                                 R"("from": "x", "to": "b")",   R"("from": "a", "to": "c")",
                                                 R"("from": "b", "to": "c")",   R"("from": "x", "to": "c")",
                                                 R"("from": "a", "to": "out")"};
            for (std::size_t e = 0; e < edges.size(); ++e) {
                text += e == 0 ? "{" : ", {";
                text += edges[e] + said[e] + "}";
            }
            write_file(folder / name, text + "]}");
            return " --network " + (folder / name) + " ";
        };
        auto const entries = [](char const* variance, char const* factor) {
            return std::string(", \"variance\": \"") + variance + "\", \"label_factor\": \"" + factor + "\"";
        };
        // --parametrisation is beside the file's own factor, 3 of b-c.
        std::string const plain = file("plain.json", {"", "", "", "", R"(, "label_factor": 3)", "", ""});
        std::string const mup =
            file("mup.json", {entries("1/81", "1/9"), entries("2/3", "4"), entries("8/15", "2"), entries("1/6", "1"),
                              entries("1/6", "3"), entries("1/3", "5"), entries("1/81", "1/9")});
        // Pairs by w are those by W times the variance, at the rate n.
        std::string const field = file(
            "field.json", {entries("1/81", "1/9"), entries("2/3", "8/3"), entries("8/15", "16/15"), entries("1/6", "1"),
                           entries("1/6", "3"), entries("1/3", "5/3"), entries("1/81", "1/9")});
        for (std::string const command : {"ntk", "hessian", "coord-check", "loss-curve"}) {
            CAPTURE(command);
            CHECK(all_values(command + plain + "--parametrisation mup") == all_values(command + mup));
            CHECK(all_values(command + plain + "--parametrisation mean-field") == all_values(command + field));
        }
        CHECK(all_values("coord-check" + plain + "--parametrisation mup --eta 1/2") ==
              all_values("coord-check" + mup + "--eta 1/2"));
        auto const answer = ask("ntk" + plain + "--parametrisation mup");
        CHECK(answer.text_of("assumptions").find("edges from the input are input layers") != std::string::npos);
        // NumPy, 20,000 networks, w drawn, multiplied and differentiated by: 1.2455 +- 0.0047, and of the densenet 3,4,2,2
        // 0.4870 +- 0.0024.
        CHECK(answer.number("ntk_mean") == doctest::Approx(1.2455).epsilon(0.015));
        CHECK(ask("ntk 3,4,2,2 --network densenet --parametrisation mup").number("ntk_mean") ==
              doctest::Approx(0.487).epsilon(0.02));
        for (std::string const command : {"ntk", "hessian", "coord-check", "loss-curve"}) {
            for (char const* p : {"mup", "mean-field", "1/2,0:1/4:1/2,-1:1/2:1"}) {
                CAPTURE(command);
                CAPTURE(p);
                std::string const rest = std::string("--check 2500 --parametrisation ") + p;
                check_all_agree(ask(words(command + " 3,4,2,2 --network densenet " + rest), 60));
                // The Hessian's exact errors take as long as all else here.
                if (command != "hessian") check_all_agree(ask(words(command + plain + rest), 60));
            }
        }
        check_all_agree(ask(words("hessian" + plain + "--check 2500 --parametrisation 1/2,0:1/4:1/2,-1:1/2:1"), 60));
    }

    // x -> a -> y beside a skip is no residual block in a file: x-a is an input layer, a-y an output layer.
    TEST_CASE("a block in a file is read by its edges") {
        TemporaryDirectory const folder;
        std::string const path = folder / "block.json";
        write_file(path, R"({"nodes": [{"name": "x", "width": 2}, {"name": "a", "width": 4, "activation": "relu"},)"
                         R"( {"name": "y", "width": 2}], "edges": [{"from": "x", "to": "a"}, {"from": "a", "to": "y"},)"
                         R"( {"from": "x", "to": "y", "skip": true}]})");
        // Of a: 4 |x|^2 E sum_j v_j^2 1(z_j > 0) = 4 * 4/16/2, of the output 1/4 E |h|^2 = 1/4 * 4/2.
        auto const answer = ask(words("ntk --network " + path + " --parametrisation mup --check 20000"), 60);
        CHECK(answer.exact("ntk_mean") == "1");
        check_all_agree(answer);
    }

    // The rule keeps E (Delta y_i^L)^2, whose square root coord-check prints.
    TEST_CASE("a rate is carried between residual networks by the change of the last block") {
        std::string const of = " --network resnet:1 --projections --multiplier 1/sqrt(blocks) --parametrisation mup";
        auto const change = [&](std::string const& net, int node, int width) {
            return ask("coord-check " + net + of).number("change_rms", {node, width});
        };
        double const rate =
            ask("transfer 2,3:2,1 2,5:4,1 --rate 1/10" + of).number("transfer_rate", Json::array({"change"}));
        CHECK(rate == doctest::Approx(0.1 * change("2,3:2,1", 1, 3) / change("2,5:4,1", 3, 5)));
    }

    // Networks that go by strands have both tables too.
    TEST_CASE("a second parametrisation stands beside the first one") {
        for (std::string const net :
             {"coord-check 3,4,1 --activation linear", "coord-check 3,4:3,1 --network resnet:2 --projections"}) {
            CAPTURE(net);
            auto const both = ask(net + " --parametrisation mup --beside standard");
            std::size_t found = 0;
            for (std::string const name : {"mup", "standard"}) {
                auto const alone = ask(net + " --parametrisation " + name);
                for (auto const& r : alone.json.at("results")) {
                    auto index = r.at("index");
                    index.insert(index.begin(), name);
                    CHECK(both.exact(r.at("name").get<std::string>(), index) == r.at("exact"));
                    ++found;
                }
            }
            CHECK(found == both.json.at("results").size());
            CHECK(found > 0);
        }
    }

    TEST_CASE("what does not go together is refused by name") {
        auto const refused = [](std::string const& line, int code, std::string const& what) {
            Run const run = run_program(words(line));
            CAPTURE(line);
            CAPTURE(run.err);
            CHECK(run.code == code);
            CHECK(run.err.find(what) != std::string::npos);
        };
        refused("ntk 3,4,1 --parametrisation mup --scheme he", 2, "--scheme: --parametrisation fixes the variances");
        refused("ntk 3,4,1 --parametrisation mup --variance 1", 2, "--variance: --parametrisation fixes the variances");
        refused("ntk 3,4,1 --parametrisation mup --effective", 2, "--effective: --parametrisation fixes how rates");
        refused("ntk 3,4,1 --parametrisation moop", 2, "'moop' is none of standard, ntk, mean-field, mup");
        refused("ntk 3,1 --parametrisation mup", 2, "a network of one weight layer has no width");
        refused("ntk n,n:L --parametrisation mup", 3, "list them beside the repeated ones");
        refused("ntk n0,n:L,1 --parametrisation 1/4,1/2,0", 3, "give the symbols numbers by --set");
        refused("ntk 3,4,1 --parametrisation 0,1/3,0", 3, "is no square root");
        refused("ntk 3,4,1 --activation crelu --parametrisation mup", 3, "no concatenated ones");
        refused("ntk 3,4:3,1 --network resnet:2 --activation crelu --parametrisation mup", 3, "no concatenated ones");
        refused("ntk 4:3 --network densenet --activation crelu --parametrisation mup", 3, "no concatenated ones");
        refused("ntk 4:2 --network densenet --parametrisation mup", 2, "a network of one weight layer has no width");
        TemporaryDirectory const folder;
        auto const file = [&](std::string const& edges) {
            std::string const path = folder / "refused.json";
            write_file(path,
                       R"({"nodes": [{"name": "x", "width": 3}, {"name": "a", "width": 4}, {"name": "y", "width": 2}],)"
                       R"( "edges": [{"from": "x", "to": "a"}, )" +
                           edges + "]}");
            return "ntk --network " + path + " --parametrisation mup";
        };
        refused(file(R"({"from": "a", "to": "y", "variance": 1})"), 2,
                "edge \"a-y\" of the network file has a variance");
        refused(file(R"({"from": "a", "to": "y"}, {"from": "x", "to": "y"})"), 2,
                "edge \"x-y\" of the network file leads");
        refused("ntk 4:3 --network resnet:2 --parametrisation mup --scheme he", 2, "fixes the variances");
        refused("mup --depths 1..4 --widths 8 --parametrisation mup", 2, "is for one network");
        refused("ntk 3,4,1 --parametrisation mup --label-factor=-1", 2, "--label-factor = -1");
        refused("norm 3,4,1 --parametrisation mup", 2, "--parametrisation");
    }
}
