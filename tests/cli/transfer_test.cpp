// SPDX-License-Identifier: MIT
// transfer FROM TO: every rule against the command that has its numbers, by hand, and beside sampled networks.
#include <doctest/doctest.h>

#include <cmath>
#include <isserlis/model/model.hpp>
#include <isserlis/ring/parse.hpp>
#include <string>
#include <tuple>

#include "json_answer.hpp"
#include "refusal.hpp"

using namespace isserlis::test;

namespace {

double expected(std::string const& query, std::string const& rest) {
    auto line = words("expect EXPR " + rest);
    line[1] = query;
    return ask(line).number("value");
}

}  // namespace

TEST_SUITE("cli/transfer") {
    // 2,n,1, |x|^2 = 1, standard parametrisation: E (Delta z)^2 = (n + 5)/(4 n^2) + 1/(2 n) (docs/parametrisations.md has
    // the step), 17/64 at n = 4 and 29/256 at n = 8.
    TEST_CASE("the rules by hand") {
        auto const answer = ask("transfer 2,4,1 2,8,1 --parametrisation standard");
        CHECK(answer.exact("transfer_rate", {"change"}) == "2*sqrt(493)/29");  // sqrt(68/29)
        CHECK(answer.exact("transfer_rate", {"depth"}) == "1");
        auto const deep = ask("transfer 2,4:2,1 2,4:8,1 --rate 3");
        CHECK(deep.exact("transfer_rate", {"depth"}) == "3/4");
        CHECK(deep.exact("transfer_rate", {"depth_root"}) == "3/2");
        // One layer: the loss is a parabola in the rate with its lowest point at 1/|x|^2, whatever the weights.
        auto const one = ask("transfer 3,1 3,1 --rate 5 --variance 2");
        CHECK(one.exact("transfer_rate", {"vertex"}) == "5");
        CHECK(one.result("transfer_rate", {"depth"})["form"] == "there is no hidden layer");
    }

    TEST_CASE("each rule has the numbers of its command") {
        std::string const setting = " --input-squared-norm 3 --target-second-moment 2";
        std::string const from = "3,4,5,2";
        std::string const to = "3,6,6,6,2";
        for (std::string const more : {"", " --parametrisation mup", " --scheme ntk"}) {
            CAPTURE(more);
            std::string const all = setting + more;
            auto const answer = ask("transfer " + from + " " + to + " --rate 1/7" + all);
            auto const rate = [&](char const* rule) { return 7 * answer.number("transfer_rate", {rule}); };
            auto const norm = [&](std::string const& net) {
                return ask("hessian " + net + all).number("hessian_frobenius_squared");
            };
            CHECK(rate("hessian_norm") == doctest::Approx(std::sqrt(norm(from) / norm(to))));
            auto const factors = ask("scaling-factor " + from + " " + to);
            CHECK(rate("scaling_factor") == doctest::Approx(factors.number("relative_rate", Json{2})));
            std::string const given = more.empty() ? " --scheme he" : more;
            double const before = ask("coord-check " + from + setting + given).number("change_rms", Json{2, 5});
            double const after = ask("coord-check " + to + setting + given).number("change_rms", Json{3, 6});
            CHECK(rate("change") == doctest::Approx(before / after));
            if (more.find("param") != std::string::npos) continue;  // expect has none
            auto const vertex = [&](std::string const& net) {
                return expected("(D[m] loss)^2", net + all) / expected("D[m] loss D[m,n] loss D[n] loss", net + all);
            };
            CHECK(rate("vertex") == doctest::Approx(vertex(to) / vertex(from)));
        }
    }

    TEST_CASE("one network has its own rate, and three ways to write muP one answer") {
        auto const same = ask("transfer 3,4,2 3,4,2 --rate 2/9");
        for (char const* rule : {"scaling_factor", "depth", "depth_root", "change", "vertex", "hessian_norm"})
            CHECK(same.exact("transfer_rate", {rule}) == "2/9");
        auto const mup = ask("transfer 3,4,4,1 3,8,8,1 --parametrisation mup");
        auto const other = ask("transfer 3,4,4,1 3,8,8,1 --parametrisation 0:0:1,0:1/2:0,-1:0:-1");
        for (char const* rule : {"change", "vertex", "hessian_norm"})
            CHECK(mup.exact("transfer_rate", {rule}) == other.exact("transfer_rate", {rule}));
    }

    // E (Delta z)^2 = (3 n + 5)/(4 n^2) of 2,n,1, by hand as above.
    TEST_CASE("formulas by hand, and their limits") {
        auto const one = ask("transfer 2,n,1 2,m,1 --parametrisation standard --rate r");
        CHECK(one.exact("transfer_rate", {"change"}) == "m*r*sqrt(3*n + 5)/(n*sqrt(3*m + 5))");
        CHECK(one.exact("transfer_rate", {"depth"}) == "r");
        auto const wide = ask("transfer 2,n,1 2,m,1 --parametrisation standard --limit m");
        CHECK(wide.exact("transfer_rate_leading", {"change"}) == "sqrt(3)*sqrt(m)*sqrt(3*n + 5)/(3*n)");
        // As wide networks go: the change like L (2 L^2 + 1) (docs/formulas/mup_step.md), the kernel like L + 1 and the
        // vertex like one over it; of the Hessian's parts the targets' L (L + 1) n/2 is the largest.
        auto const deep = ask("transfer n,n:L,1 n,n:M,1 --limit wide");
        CHECK(deep.exact("transfer_rate_limit", {"depth_root"}) == "sqrt(L)/sqrt(M)");
        CHECK(deep.exact("transfer_rate_limit", {"change"}) == "sqrt(L)*sqrt(2*L^2 + 1)/(sqrt(M)*sqrt(2*M^2 + 1))");
        CHECK(deep.exact("transfer_rate_limit", {"vertex"}) == "(L + 1)/(M + 1)");
        CHECK(deep.exact("transfer_rate_limit", {"hessian_norm"}) == "sqrt(L)*sqrt(L + 1)/(sqrt(M)*sqrt(M + 1))");
        CHECK(deep.exact("transfer_rate_limit", {"scaling_factor"}) == "L/M");
    }

    TEST_CASE("a formula is the number at every width and depth") {
        for (std::string const more : {"", " --activation linear", " --parametrisation mup", " --bias-variance 1/2"}) {
            auto const deep = ask(words("transfer n,n:L,1 n,n:2,2 --rate 1/3" + more), 60);
            auto const wide = ask("transfer n,n:2,1 3,m,n,1 --rate 1/3" + more);
            for (auto const& [n, l, m] : {std::tuple(2, 3, 5), std::tuple(4, 1, 3)}) {
                CAPTURE(more);
                std::string const given = " --rate 1/3 --set n=" + std::to_string(n) + more;
                auto const of_depth = ask("transfer n,n:L,1 n,n:2,2 --set L=" + std::to_string(l) + given);
                auto const of_width = ask("transfer n,n:2,1 3,m,n,1 --set m=" + std::to_string(m) + given);
                for (char const* rule : {"scaling_factor", "depth", "depth_root", "change", "vertex", "hessian_norm"}) {
                    CAPTURE(rule);
                    auto const at = [&](auto const& formula) {
                        return isserlis::parse_rational_function(formula.exact("transfer_rate", {rule}), "rate")
                            .evaluate({{"n", n}, {"L", l}, {"m", m}});
                    };
                    CHECK(to_double(at(deep)) == doctest::Approx(of_depth.number("transfer_rate", {rule})));
                    CHECK(to_double(at(wide)) == doctest::Approx(of_width.number("transfer_rate", {rule})));
                }
            }
        }
    }

    TEST_CASE("with random biases, and of linear units") {
        for (std::string const more : {" --bias-variance 1/3", " --activation linear"}) {
            CAPTURE(more);
            auto const answer = ask("transfer 2,3,2 2,4,4,2" + more);
            auto const norm = [&](std::string const& net) {
                return ask("hessian " + net + more).number("hessian_frobenius_squared");
            };
            CHECK(answer.number("transfer_rate", {"hessian_norm"}) ==
                  doctest::Approx(std::sqrt(norm("2,3,2") / norm("2,4,4,2"))));
            double const before = ask("coord-check 2,3,2 --scheme he" + more).number("change_rms", Json{1, 3});
            double const after = ask("coord-check 2,4,4,2 --scheme he" + more).number("change_rms", Json{2, 4});
            CHECK(answer.number("transfer_rate", {"change"}) == doctest::Approx(before / after));
            auto const vertex = [&](std::string const& net) {
                return ask("loss-curve " + net + " --input-squared-norm 1" + more).number("vertex_rate", Json{1});
            };
            CHECK(answer.number("transfer_rate", {"vertex"}) == doctest::Approx(vertex("2,4,4,2") / vertex("2,3,2")));
        }
        auto const sampled = ask(words("transfer 2,3,1 2,5,1 --bias-variance 1/2 --check 40000"), 60);
        for (char const* rule : {"change", "vertex"})
            CHECK(sampled.result("transfer_rate", {rule})["check"]["verdict"] == "agrees");
        for (char const* rule : {"top_eigenvalue", "minimiser"})
            CHECK(sampled.result("transfer_rate", {rule})["form"] ==
                  "no exact form; networks without biases are sampled: leave --bias-variance out");
    }

    // Blocks 1 + w/2 of one neuron without gates, all variances 1: E (Delta y^1)^2 = 85/2 of one block
    // (branch_multiplier_test.cpp), and of two, c_k = 1 + w_k/2, Delta y^2 = -X b (f - t) with
    // X = c_1^2 c_2^2 + (c_1^2 + c_2^2) a^2/4: 3 E a^2 c_1^2 c_2^2 X^2 + E X^2 = 1910415/4096 + 49872/4096.
    TEST_CASE("residual networks by hand, and by their commands") {
        std::string const branches = " --network resnet:1 --projections --multiplier 1/2";
        auto const one = ask("transfer 1,1:2,1 1,1:3,1" + branches);
        CHECK(one.number("transfer_rate", {"change"}) == doctest::Approx(std::sqrt(174080.0 / 1960287)));
        CHECK(one.exact("transfer_rate", {"depth"}) == "1/2");
        CHECK(one.exact("transfer_rate", {"depth_root"}) == "sqrt(2)/2");
        CHECK(one.result("transfer_rate", {"scaling_factor"})["form"] == "S_N is a factor of fully connected networks");
        for (std::string const more : {" --multiplier 1/sqrt(blocks)", " --multiplier 1/blocks --bias-variance 1/2",
                                       " --alpha 1/3 --scheme ntk"}) {
            std::string const net = " --network resnet:2 --projections --input-squared-norm 2" + more;
            CAPTURE(more);
            auto const answer = ask("transfer 2,3:3,2 2,4:5,2 --rate 1/5" + net);
            auto const rate = [&](char const* rule) { return 5 * answer.number("transfer_rate", {rule}); };
            auto const norm = [&](std::string const& widths) {
                return ask("hessian " + widths + net).number("hessian_frobenius_squared");
            };
            CHECK(rate("hessian_norm") == doctest::Approx(std::sqrt(norm("2,3:3,2") / norm("2,4:5,2"))));
            double const before = ask("coord-check 2,3:3,2 --layer 2" + net).number("change_rms", Json{2, 3});
            double const after = ask("coord-check 2,4:5,2 --layer 4" + net).number("change_rms", Json{4, 4});
            CHECK(rate("change") == doctest::Approx(before / after));
            auto const vertex = [&](std::string const& widths) {
                return ask("loss-curve " + widths + net).number("vertex_rate", Json{1});
            };
            CHECK(rate("vertex") == doctest::Approx(vertex("2,4:5,2") / vertex("2,3:3,2")));
        }
    }

    TEST_CASE("a formula of the number of blocks is the number at each") {
        std::string const net = " --network resnet:1 --projections --multiplier 1/sqrt(blocks)";
        auto const deep = ask(words("transfer 2,n:3,1 2,n:L,1" + net), 60);
        auto const number = ask("transfer 2,3:3,1 2,3:6,1" + net);
        for (char const* rule : {"change", "vertex", "hessian_norm", "depth", "depth_root"}) {
            CAPTURE(rule);
            auto const formula = isserlis::parse_rational_function(deep.exact("transfer_rate", {rule}), "rate");
            CHECK(to_double(formula.evaluate({{"n", 3}, {"L", 6}})) ==
                  doctest::Approx(number.number("transfer_rate", {rule})));
        }
    }

    TEST_CASE("sampled residual networks agree, and have the other two rates") {
        auto const sampled =
            ask(words("transfer 2,4:2,1 2,4:3,1 --network resnet:2 --projections --activation leaky:1/2 --multiplier "
                      "1/(4*blocks) --check 20000"),
                120);
        for (char const* rule : {"change", "vertex"})
            CHECK(sampled.result("transfer_rate", {rule})["check"]["verdict"] == "agrees");
        // A chain, written as residual networks of no branch to speak of: the same networks but for their draws.
        std::string const faint = " --network resnet:1 --projections --multiplier 1/1000000";
        auto const plain = ask(words("transfer 2,3,1 2,6,1 --activation linear --check 20000"), 120);
        auto const branched = ask(words("transfer 2,3:2,1 2,6:2,1 --activation linear --check 20000" + faint), 120);
        for (char const* rule : {"top_eigenvalue", "minimiser"})
            CHECK(plain.number("transfer_rate", {rule}) ==
                  doctest::Approx(branched.number("transfer_rate", {rule})).epsilon(0.05));
    }

    TEST_CASE("other wirings have no depth to carry a rate over") {
        refuses("transfer 3:3 3:4 --network densenet", "--network", 3);
        refuses("transfer 3:3 3:4 --network resnet:2", "--projections", 3);
    }

    TEST_CASE("what is sampled agrees, and what cannot be known says why") {
        auto const silent = ask("transfer 3,4,1 3,8,1");
        for (char const* rule : {"top_eigenvalue", "minimiser"})
            CHECK(silent.result("transfer_rate", {rule})["form"] == "no exact form; --check N samples it");
        auto const formula = ask("transfer 3,4,1 3,n,1 --check 200");
        for (char const* rule : {"top_eigenvalue", "minimiser"})
            CHECK(formula.result("transfer_rate", {rule})["form"] ==
                  "no formula; --check N samples it, of a network in numbers, which --set gives");
        for (std::string const more : {"", " --parametrisation mup"}) {
            auto const answer = ask(words("transfer 3,4,1 3,8,1 --check 20000" + more), 60);
            for (char const* rule : {"change", "vertex"})
                CHECK(answer.result("transfer_rate", {rule})["check"]["verdict"] == "agrees");
            // More than the vertex of the expected parabola, less than ten times as much.
            double const quotient =
                answer.number("transfer_rate", {"minimiser"}) / answer.number("transfer_rate", {"vertex"});
            CHECK(quotient > 0.1);
            CHECK(quotient < 10);
            CHECK(answer.number("transfer_rate", {"top_eigenvalue"}) > 0);
        }
    }

    // The driver found it: slope and curvature lose most of their means together where thirty networks miss the tail that
    // carries both, and what is left of their quotient has a small error.
    TEST_CASE("thirty networks too few for slope and curvature refute no quotient of them") {
        for (int seed : {1, 4, 7}) {
            auto const answer = ask("transfer 2,1:3,2 2,2:2,2 --rate 1/10 --check 30 --seed " + std::to_string(seed));
            CHECK(answer.result("transfer_rate", Json{"vertex"}).at("check").at("verdict") == "inconclusive");
        }
    }

    // The driver found it: the mean curvature of thirty networks is below 0 here, and a check was made of what is no vertex.
    TEST_CASE("a sampled parabola without a lowest point checks no vertex") {
        auto const answer = ask("transfer 1,4:3,1 1,3:3,1 --rate 3 --parametrisation 2,1/2,3 --check 30");
        CHECK(answer.result("transfer_rate", Json{"vertex"})["check"].is_null());
        CHECK(answer.result("transfer_rate", Json{"change"})["check"].is_object());
    }

    // The commands of one network each have legs of their own.
    TEST_CASE("on samples the rules are ratios of what mup, loss-curve and hessian say of each network") {
        TemporaryDirectory const folder;
        write_file(folder / "three.csv", "x1,x2,y1\n1,0,1\n0,1,2\n1,1,-1\n");
        std::string const three = " --activation linear --data " + (folder / "three.csv");
        struct Case {
            std::string inputs, data;
        };
        for (auto const& [inputs, data] : {Case{"3", three}, Case{"3", three + " --batch 2"},
                                           Case{"2", " --activation linear --data cos --size 7"}}) {
            CAPTURE(data);
            auto const answer = ask("transfer " + inputs + ",4:2,1 " + inputs + ",8:3,1 --scheme mean-field" + data);
            auto const ratio = [&](std::string const& command, std::string const& options, std::string const& name,
                                   auto const& index) {
                auto const at = [&](std::string const& widths) {
                    return ask(command + " " + inputs + widths + options + data).number(name, index);
                };
                return at(",8:3,1") / at(",4:2,1");
            };
            using Index = std::initializer_list<Json>;
            CHECK(answer.number("transfer_rate", {"change"}) ==
                  doctest::Approx(ratio("mup", "", "mup_learning_rate", Index{})));
            CHECK(answer.number("transfer_rate", {"vertex"}) ==
                  doctest::Approx(ratio("loss-curve", " --scheme mean-field --loss half-squared --gradient random",
                                        "vertex_rate", Index{1})));
            double const norm = ratio("hessian", " --scheme mean-field", "hessian_mean_loss", Index{});
            CHECK(answer.number("transfer_rate", {"hessian_norm"}) == doctest::Approx(1 / std::sqrt(norm)));
        }
    }

    TEST_CASE("one sample by its products is the sample of the other rules") {
        TemporaryDirectory const folder;
        write_file(folder / "one.json", R"({"inputs": ["x"], "gram": [["r"]], "targets": [["s"]]})");
        auto const on_samples = ask("transfer 2,n,3 2,m,3 --activation linear --with " + (folder / "one.json"));
        auto const at_one =
            ask("transfer 2,n,3 2,m,3 --activation linear --input-squared-norm r --target-second-moment s");
        for (std::string const rule : {"change", "vertex", "hessian_norm"}) {
            CAPTURE(rule);
            auto const a = isserlis::parse_rational_function(on_samples.exact("transfer_rate", {rule}), "value");
            auto const b = isserlis::parse_rational_function(at_one.exact("transfer_rate", {rule}), "value");
            CHECK(a == b);
        }
    }

    TEST_CASE("networks sampled on samples agree, and have the other two rates") {
        TemporaryDirectory const folder;
        write_file(folder / "three.csv", "x1,x2,y1\n1,0,1\n0,1,2\n1,1,-1\n");
        for (std::string const batch : {"", " --batch 2", " --bias-variance 1/4"}) {
            CAPTURE(batch);
            auto const answer = ask("transfer 3,8,1 3,12,1 --activation linear --check 3000 --yes --data " +
                                    (folder / "three.csv") + batch);
            for (char const* rule : {"change", "vertex"}) {
                CAPTURE(rule);
                auto const check = answer.result("transfer_rate", {rule})["check"];
                CHECK(std::abs(check["z"].get<double>()) < 4);
                CHECK(check["std_error"].get<double>() < 0.15 * check["mean"].get<double>());
            }
            for (char const* rule : {"top_eigenvalue", "minimiser"}) {
                CAPTURE(rule);
                double const rate = answer.number("transfer_rate", {rule});
                CHECK(rate > 0.3);
                CHECK(rate < 3);
            }
        }
    }

    TEST_CASE("samples are refused by name where they are not served") {
        TemporaryDirectory const folder;
        write_file(folder / "one.csv", "x1,y1\n1,1\n2,0\n");
        std::string const data = " --data " + (folder / "one.csv");
        refuses("transfer 2,4,1 2,8,1" + data, "--activation: rates are carried over on several samples", 3);
        auto const batch = ask("transfer 2,4,1 2,8,1 --activation linear --data cos --batch 3");
        CHECK(batch.result("transfer_rate", Json::array({"change"}))["form"] ==
              "--batch: the squares of these targets are no sums of square roots");
        refuses("transfer 3,4,1 3,8,1 --activation linear" + data, "WIDTHS begin with 3", 2);
        refuses("transfer 2,4,1 2,8,1 --activation linear --input 1,2" + data, "--input: the samples are those of", 2);
        refuses("transfer 2,4,1 2,8,1 --activation linear --batch 3" + data, "--batch", 2);
        refuses("transfer 2,4,1 2,8,1 --activation linear --batch 2", "--batch means nothing without --data or --with",
                2);
    }

    TEST_CASE("refusals") {
        CHECK(run_program(words("transfer 3,4,1")).code == 2);
        CHECK(run_program(words("transfer 3,4,1 3,4,1 3,4,1")).code == 2);
        CHECK(run_program(words("transfer 3,4,1 3,8,1 --rate 0")).code == 2);
        CHECK(run_program(words("transfer 3,n,1 3,8,1 --rate 0*n")).code == 2);
        CHECK(run_program(words("transfer 3,n,1 3,8,1 --set m=3")).code == 2);
        CHECK(run_program(words("transfer 3,4,1 3,8,1 --layer 2")).code == 2);
        CHECK(ask("transfer 3,4,1 3,n,1 --table n=4,8").number("transfer_rate", {4, "change"}) == 1);
    }
}
