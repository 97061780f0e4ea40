// SPDX-License-Identifier: MIT
// depth-rules from outside: values by hand, by other commands and by sampling, refusals.
#include <doctest/doctest.h>

#include <cmath>
#include <isserlis/ring/parse.hpp>
#include <string>
#include <vector>

#include "json_answer.hpp"

using namespace isserlis::test;

namespace {

Json at(int depth, std::string const& rule) { return Json::array({depth, rule}); }

}  // namespace

TEST_SUITE("cli/depth_rules") {
    // docs/formulas/residual_step.md and depth_step.md have the numbers of one block by hand.
    TEST_CASE("single neurons by hand") {
        auto const answer = ask("depth-rules 1,1,1 --network resnet:1 --variance 1 --depths 2,1");
        for (char const* rule : {"none", "1/sqrt(L)", "1/L"}) {
            CHECK(answer.exact("depth_change_squared", at(1, rule)) == "515");
            CHECK(answer.exact("depth_learning_rate", at(1, rule)) == "sqrt(515)/515");
            CHECK(answer.exact("depth_square", at(1, rule)) == "2");
        }
        CHECK(answer.exact("depth_square", at(2, "none")) == "4");
        CHECK(answer.exact("depth_square", at(2, "1/sqrt(L)")) == "9/4");
        CHECK(answer.exact("depth_square", at(2, "1/L")) == "25/16");
        CHECK(answer.exact("depth_multiplier", at(2, "1/sqrt(L)")) == "sqrt(2)/2");
        CHECK(answer.number("depth_square_limit", {"1/sqrt(L)"}) == doctest::Approx(std::exp(1.0)));
        CHECK(answer.number("depth_change_limit", {"1/sqrt(L)"}) ==
              doctest::Approx(66 * std::exp(15.0) + 6 * std::exp(6.0)));
        CHECK(answer.exact("depth_change_limit", {"1/L"}) == "4");
    }

    // The strand engine has the same networks, multipliers inside the matrices.
    TEST_CASE("a coordinate check says the same") {
        auto const rules = ask("depth-rules 2,3,2 --depths 3 --branch-widths 4 --eta 1/2,1,2,1/3");
        auto const one = [](std::string const& variances, std::string const& rates) {
            return ask("coord-check 2,3:4,2 --network resnet:2 --projections --branch-widths 4 --layer 3 --variance " +
                       variances + " --eta " + rates)
                .number("change_rms", Json{3, 3});
        };
        CHECK(std::sqrt(rules.number("depth_change_squared", at(3, "none"))) ==
              doctest::Approx(one("1/2,2/3,1/4,1/3", "1/2,1,2,1/3")).epsilon(1e-14));
        CHECK(std::sqrt(rules.number("depth_change_squared", at(3, "1/sqrt(L)"))) ==
              doctest::Approx(one("1/2,2/3,1/12,1/3", "1/2,1,2/3,1/3")).epsilon(1e-14));
        CHECK(std::sqrt(rules.number("depth_change_squared", at(3, "1/L"))) ==
              doctest::Approx(one("1/2,2/3,1/36,1/3", "1/2,1,2/9,1/3")).epsilon(1e-14));
    }

    // The closed form is of Gaussian weights, and gave its values under uniform ones.
    TEST_CASE("schemes that fix another law") {
        std::string const network = " --network resnet:1 --scheme lecun-uniform --input 1,0";
        auto const rules = ask("depth-rules 2,3,1 --depths 2" + network + " --check 4000 --seed 1");
        auto const one = ask("coord-check 2,3:3,1 --projections --layer 2" + network);
        CHECK(std::sqrt(rules.number("depth_change_squared", at(2, "none"))) ==
              doctest::Approx(one.number("change_rms", Json{2, 3})).epsilon(1e-14));
        for (char const* rule : {"none", "1/sqrt(L)", "1/L"})
            CHECK(rules.result("depth_square", at(2, rule))["check"]["verdict"] == "agrees");
        CHECK(run_program(words("depth-rules 2,3,1 --depths 2 --network resnet:1 --scheme kaiming_uniform"))
                  .err.find("--input-fourth") != std::string::npos);
        auto const torch = ask("depth-rules 2,3,1 --depths 2 --network resnet:1 --scheme pytorch --input 1,0");
        auto const same =
            ask("coord-check 2,3:3,1 --network resnet:1 --projections --layer 2 --scheme pytorch --input 1,0");
        CHECK(std::sqrt(torch.number("depth_change_squared", at(2, "none"))) ==
              doctest::Approx(same.number("change_rms", Json{2, 3})).epsilon(1e-14));
    }

    // Every linear branch keeps the mean square, so that a block doubles it: 1/4 2^2 of four inputs of square 1/4.
    TEST_CASE("linear branches have no gates") {
        auto const rules = ask("depth-rules 4,3,2 --depths 2 --activation linear --check 4000 --seed 1");
        CHECK(rules.exact("depth_square", at(2, "none")) == "1");
        CHECK(rules.exact("depth_square", at(2, "1/sqrt(L)")) == "9/16");
        auto const one = ask("coord-check 4,3:3,2 --network resnet:2 --projections --layer 2 --activation linear");
        CHECK(std::sqrt(rules.number("depth_change_squared", at(2, "none"))) ==
              doctest::Approx(one.number("change_rms", Json{2, 3})).epsilon(1e-14));
    }

    TEST_CASE("slopes and the fixed rule are those of the numbers") {
        auto const answer = ask("depth-rules 4,8,1 --depths 4,16,10000 --input-squared-norm 4");
        auto const slope = [&](char const* name, char const* rule) {
            return std::log(answer.number(name, at(16, rule)) / answer.number(name, at(4, rule))) / std::log(4.0);
        };
        CHECK(answer.number("depth_rate_exponent", at(4, "1/L")) ==
              doctest::Approx(slope("depth_learning_rate", "1/L")).epsilon(1e-12));
        CHECK(answer.number("depth_fixed_exponent", {4}) ==
              doctest::Approx(-slope("depth_multiplier", "fixed")).epsilon(1e-12));
        CHECK(answer.number("depth_multiplier", at(4, "fixed")) == 0.5);
        double const limit = answer.number("depth_change_limit", {"1/sqrt(L)"});
        CHECK(answer.number("depth_change_squared", at(10000, "1/sqrt(L)")) == doctest::Approx(limit).epsilon(1e-2));
        CHECK(answer.number("depth_square", at(10000, "1/sqrt(L)")) == doctest::Approx(std::exp(1.0)).epsilon(1e-3));
        // The multiplier that is found makes the change that was to be held.
        double const m = answer.number("depth_multiplier", at(16, "fixed"));
        auto const again = ask("depth-rules 4,8,1 --depths 16 --input-squared-norm 4 --multiplier " +
                               std::to_string(static_cast<long>(m * 1e9)) + "/1000000000");
        CHECK(again.number("depth_change_squared", at(16, "none")) ==
              doctest::Approx(answer.number("depth_change_squared", at(4, "1/sqrt(L)"))).epsilon(1e-6));
    }

    TEST_CASE("drawn networks agree") {
        for (std::string const line :
             {"depth-rules 2,3,2 --network resnet:1 --depths 2 --multiplier 1/2 --check 20000 --seed 5",
              "depth-rules 2,3,1 --depths 2 --multiplier 1/2 --eta 1,0,2,1 --check 20000 --scheme ntk",
              "depth-rules 2,3,1 --activation leaky:1/2 --depths 3 --multiplier 1/2 --check 10000"}) {
            INFO(line);
            int sampled = 0;
            auto const answer = ask(line);
            for (auto const& r : answer.json.at("results")) {
                if (r["check"].is_null()) continue;
                CHECK(r["check"]["verdict"] != "disagrees");
                ++sampled;
            }
            CHECK(sampled == 6);
        }
    }

    // Formulas go by strands, numbers by the closed form of docs/formulas/depth_step.md.
    TEST_CASE("a formula is the number at every width and depth") {
        for (std::string const line :
             {"4,4,2 --branch-widths n", "n,n,1 --network resnet:1 --activation linear --eta 1/2"}) {
            auto const formula = ask(words("depth-rules " + line + " --multiplier 1/3"), 60);
            for (int const n : {1, 5}) {
                for (int const depth : {1, 2, 3, 6}) {
                    auto const number =
                        ask("depth-rules " + line + " --multiplier 1/3 --set L=" + std::to_string(depth) +
                            ",n=" + std::to_string(n));
                    CAPTURE(line);
                    CAPTURE(n);
                    CAPTURE(depth);
                    for (char const* rule : {"none", "1/sqrt(L)", "1/L"}) {
                        for (char const* name : {"depth_multiplier", "depth_square", "depth_change_squared"}) {
                            Json const result = formula.result(name, Json::array({"L", rule}));
                            if (result["exact"].is_null()) continue;
                            CAPTURE(name);
                            auto const value =
                                isserlis::parse_rational_function(result["exact"].get<std::string>(), name)
                                    .evaluate({{"n", n}, {"L", depth}});
                            CHECK(to_string(value) == number.exact(name, at(depth, rule)));
                        }
                    }
                }
            }
            CHECK_FALSE(formula.result("depth_change_squared", Json::array({"L", "1/sqrt(L)"}))["exact"].is_null());
        }
    }

    // The exponentials of the closed form's matrices, in digits, and those of the strands' eigenvalues.
    TEST_CASE("limits of formulas are the limits of numbers") {
        for (std::string const line :
             {"8,64,1", "2,3,2 --network resnet:1 --multiplier 1/2", "4,4,1 --branch-widths 7"}) {
            auto const formula = ask("depth-rules " + line + " --depths L");
            auto const number = ask("depth-rules " + line + " --depths 4");
            CAPTURE(line);
            for (char const* name : {"depth_square_limit", "depth_change_limit"}) {
                CHECK(formula.number(name, {"1/sqrt(L)"}) ==
                      doctest::Approx(number.number(name, {"1/sqrt(L)"})).epsilon(1e-12));
                CHECK(formula.exact(name, {"1/L"}) == number.exact(name, {"1/L"}));
                CHECK(formula.result(name, {"none"})["form"].get<std::string>().starts_with("infinite"));
            }
        }
        auto const wide = ask("depth-rules n,n,1 --input-squared-norm n --network resnet:1");
        CHECK(wide.exact("depth_square_limit", {"1/sqrt(L)"}) == "exp(1)");
        // Without branches Delta y = -|x|^2 V^T (V y - t), V of variance 1/n: n^2 ((n + 2)/n^2 + 1/n).
        CHECK(wide.exact("depth_change_limit", {"1/L"}) == "2*(n + 1)");
        CHECK(wide.exact("depth_multiplier", Json::array({"L", "1/sqrt(L)"})) == "1/sqrt(L)");
    }

    // E (y^0)^2 = 1 + v, and E (y^k)^2 = (1 + s) E (y^(k-1))^2 + s v: 3/2, 5/2, 4 at v = s = 1/2.
    TEST_CASE("random biases") {
        auto const answer =
            ask("depth-rules 1,1,1 --network resnet:1 --variance 1 --activation linear --depths 2 "
                "--bias-variance 1/2 --check 20000");
        CHECK(answer.exact("depth_square", at(2, "1/sqrt(L)")) == "4");
        CHECK(answer.result("depth_multiplier", at(2, "fixed"))["exact"].is_null());
        auto const sampled =
            ask(words("depth-rules 2,3,1 --depths 2 --multiplier 1/2 --bias-variance 1/2 --check 20000"));
        int agreeing = 0;
        for (auto const& r : sampled.json.at("results")) {
            if (r["check"].is_null()) continue;
            CHECK(r["check"]["verdict"] != "disagrees");
            ++agreeing;
        }
        CHECK(agreeing == 6);
        // A coordinate check of the same network, m inside the matrices and biases.
        auto const rules = ask("depth-rules 2,3,2 --depths 3 --bias-variance 1/2,1/3,1/4,1/5");
        auto const one =
            ask("coord-check 2,3:4,2 --network resnet:2 --projections --layer 3 --variance 1/2,2/3,1/9,1/3 "
                "--bias-variance 1/2,1/3,1/12,1/5 --eta 1,1,1/3,1");
        CHECK(std::sqrt(rules.number("depth_change_squared", at(3, "1/sqrt(L)"))) ==
              doctest::Approx(one.number("change_rms", Json{3, 3})).epsilon(1e-14));
    }

    TEST_CASE("what is not served is named") {
        struct Refused {
            std::string line;
            std::string word;
            int code;
        };
        std::vector<Refused> const all{{"depth-rules 2,3", "WIDTHS", 2},
                                       {"depth-rules", "WIDTHS", 2},
                                       {"depth-rules 2,3:2,1", "--depths", 2},
                                       {"depth-rules 2,3,1 --network densenet", "--network", 3},
                                       {"depth-rules 2,n,L", "--depths: L counts the blocks", 2},
                                       {"depth-rules 2,n,1 --depths 2,m", "--depths", 2},
                                       {"depth-rules 2,n,1 --set L=0", "--depths = 0", 2},
                                       {"depth-rules 2,n,1 --eta=-1", "--eta", 2},
                                       {"depth-rules 2,3,1 --bias-variance 1 --depths 301", "--depths: 301", 3},
                                       {"depth-rules 2,3,1 --multiplier 0", "--multiplier", 2},
                                       {"depth-rules 2,3,1 --eta 0", "--eta", 2},
                                       {"depth-rules 2,3,1 --eta=-1", "--eta", 2},
                                       {"depth-rules 2,3,1 --depths 4,4", "--depths", 2},
                                       {"depth-rules 2,3,1 --depths 1000000", "--depths", 2},
                                       {"depth-rules 2,3,1 --multiplier 'sqrt(2)'", "--multiplier", 2},
                                       {"depth-rules 2,3,1 --layer 1", "--layer", 2}};
        for (auto const& refused : all) {
            INFO(refused.line);
            Run const run = run_program(words(refused.line));
            CHECK(run.code == refused.code);
            CHECK(run.err.find(refused.word) != std::string::npos);
        }
    }

    // Without a factor E|y|^2 = 2^256 at that depth, its fourth moments beyond.
    TEST_CASE("rows whose networks leave the range of double are left out of the check") {
        auto const a = ask("depth-rules 2,3,1 --check 100");
        CHECK(a.result("depth_square", {256, "none"})["check"].is_null());
        CHECK(a.result("depth_square", {64, "none"})["check"].is_object());
        CHECK(a.result("depth_square", {256, "none"})["unchecked"].get<std::string>().find(
                  "leave the range of double") != std::string::npos);
    }
}
