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
        refused("mup --depths 1..4 --widths 8 --parametrisation mup", 2, "is for one network");
        refused("ntk 3,4,1 --parametrisation mup --label-factor=-1", 2, "--label-factor = -1");
        refused("norm 3,4,1 --parametrisation mup", 2, "--parametrisation");
    }
}
