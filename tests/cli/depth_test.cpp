// SPDX-License-Identifier: MIT
// Ten thousand layers from outside: mup, coord-check, functionals, kernels with biases; what is left out is said.
#include <doctest/doctest.h>

#include <cmath>
#include <isserlis/ring/decimal.hpp>
#include <isserlis/ring/parse.hpp>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "json_answer.hpp"

using namespace isserlis::test;

namespace {

std::string const listed_only = "of 10000 hidden layers only ";

}  // namespace

TEST_SUITE("cli/depth") {
    TEST_CASE("ten thousand layers answer in interactive time") {
        for (std::string const query :
             {"mup 8,8:10000,1", "mup 8,8:10000,1 --layer 17", "mup 8,8:10000,1 --eta sqrt(2) --layer 5000",
              "mup --depths 9990..10000 --widths 16", "coord-check 8,8:10000,1", "coord-check 8,8:10000,1 --layer 17",
              "hessian 8,8:10000,1 --functionals", "hessian 8,8:10000,1 --functionals --layer 5000",
              "ntk 8,8:10000,1 --bias-label-factor 1"}) {
            INFO(query);
            auto const run = run_program(words(query));
            CHECK(run.code == 0);
            CHECK(run.cpu_seconds < patiently(2));
        }
    }

    TEST_CASE("rates and label factors of 0 change nothing at any depth") {
        CHECK(ask("mup 8,8:80,1 --eta 0 --layer 40").exact("mup_change_squared", {40}) == "0");
        CHECK(ask("coord-check 8,8:600,1 --eta 0").exact("change_rms", {600, 8}) == "0");
        CHECK(ask("hessian 8,8:600,1 --label-factor 0").exact("hessian_frobenius_squared") == "0");
        CHECK(ask("hessian 8,8:64,1 --label-factor 0 --functionals").exact("p1", {64}) == "0");
        CHECK(ask("ntk 8,8:600,1 --label-factor 0 --bias-label-factor 0").exact("ntk_second_moment") == "0");
        CHECK(ask("ntk 8,8:600,1 --bias-label-factor 0").json["results"] == ask("ntk 8,8:600,1").json["results"]);
    }

    TEST_CASE("beyond 500 layers the last one is listed, the answer says so, and any other one is printed by itself") {
        auto const deep = ask("mup 2,3:10000,1");
        CHECK(deep.indices("mup_a") == std::vector<Json>{Json{10000}});
        CHECK(run_program(words("mup 2,3:10000,1")).out.find(listed_only + "the last one is printed") !=
              std::string::npos);
        CHECK(ask("mup 2,3:10000,1 --layer 3").indices("mup_a") == std::vector<Json>{Json{3}});
        CHECK(ask("mup 2,3:500,1").indices("mup_a").size() == 500);
        CHECK(ask("mup 2,3:501,1").indices("mup_a") == std::vector<Json>{Json{501}});
        CHECK(ask("coord-check 2,3:10000,1").indices("change_rms") ==
              std::vector<Json>{Json{10000, 3}, Json{10001, 1}});
        CHECK(run_program(words("coord-check 2,3:10000,1")).out.find("of 10001 layers only the last hidden one and") !=
              std::string::npos);
        CHECK(ask("hessian 2,3:10000,1 --functionals").indices("y0") == std::vector<Json>{Json{10000}});
        CHECK(run_program(words("hessian 2,3:10000,1 --functionals")).out.find(listed_only + "functionals") !=
              std::string::npos);
        CHECK(run_program(words("hessian 2,3:10000,1 --functionals --layer 7")).out.find("blocks are left out") !=
              std::string::npos);
    }

    TEST_CASE("phi and psi of any pair of layers at symbolic depth are those of the widths between") {
        // [Hettinger 2019, Def 4.18]: d - c widths n make p = (1 + 2/n)^(d - c) and m = (1 - 1/n)^(d - c).
        struct Pair {
            std::string layer, between;
        };
        for (auto const& [layer, between] :
             {Pair{"c,d", "d - c"}, {"3,d", "d - 3"}, {"c,L+1", "L - c + 1"}, {"c,L", "L - c"}, {"3,L", "L - 3"}}) {
            INFO(layer);
            auto const answer = ask("products 2,n:L,1 --layer " + layer);
            auto const phi =
                isserlis::parse_rational_function(answer.json["results"][0]["exact"].get<std::string>(), "phi");
            auto const k = "(" + between + ")";
            CHECK(phi == isserlis::parse_rational_function("(2*(n + 2)^" + k + " + (n - 1)^" + k + ")/(3*n^" + k + ")",
                                                           "phi"));
        }
        // Two stretches have two letters of their own.
        auto const two = ask("products 2,n:L,m:M,1 --layer l,l2").json["results"][0]["exact"].get<std::string>();
        CHECK(isserlis::parse_rational_function(two, "phi") ==
              isserlis::parse_rational_function("2/3*((n + 2)/n)^(L - l + 1)*((m + 2)/m)^(l2 - L - 1) + "
                                                "1/3*((n - 1)/n)^(L - l + 1)*((m - 1)/m)^(l2 - L - 1)",
                                                "phi"));
        CHECK(ask("products 2,n:L,1 --layer c,c").json["results"][1]["exact"] == "0");
        // Powers of what may be 0 stand above: at n = 1 psi of c,7 is 3^(7 - c)/3.
        CHECK(ask("products 2,n:L,1 --layer c,7").json["results"][1]["exact"] ==
              "((n + 2)^(-c + 7) - (n - 1)^(-c + 7))/(3*n^(-c + 7))");
        for (std::string const wrong : {"L+1,c", "L,3", "n,L", "c,", "c,2", "L,d"}) {
            INFO(wrong);
            auto const run = run_program(words("products 2,n:L,1 --layer " + wrong));
            CHECK(run.code == 2);
            CHECK(run.err.find("--layer") != std::string::npos);
        }
    }

    TEST_CASE("a layer printed by itself is that of the list, and the deep sweep that of one network") {
        auto const all = ask("mup 3,4:20,5,2 --eta 1/3");
        auto const functionals = ask("hessian 3,4:20,5,2 --functionals --effective");
        auto const checked = ask("coord-check 3,4:20,5,2");
        for (int const l : {1, 13, 21}) {
            std::string const layer = " --layer " + std::to_string(l);
            auto const one = ask("mup 3,4:20,5,2 --eta 1/3" + layer);
            for (std::string const name : {"mup_a", "mup_b", "mup_b_tilde", "mup_c", "preactivation_fourth_mean"})
                CHECK(one.exact(name, Json{l}) == all.exact(name, Json{l}));
            CHECK(one.number("mup_learning_rate", Json::array()) == all.number("mup_learning_rate", Json::array()));
            CHECK(ask("hessian 3,4:20,5,2 --functionals --effective" + layer).exact("r2", Json{l}) ==
                  functionals.exact("r2", Json{l}));
            int const width = l == 21 ? 5 : 4;
            CHECK(ask("coord-check 3,4:20,5,2" + layer).exact("change_covariance", Json{l, width}) ==
                  checked.exact("change_covariance", Json{l, width}));
        }
        CHECK(ask("mup --depths 3000 --widths 8").number("mup_learning_rate", Json{8, 3000}) ==
              doctest::Approx(ask("mup 8,8:3000,1 --input-squared-norm 8").number("mup_learning_rate", Json::array())));
    }

    // Strands that stop at a layer in symbols, against the recursions layer by layer of networks in numbers.
    TEST_CASE("any layer of the repeated run by a letter, before or behind that of the depth") {
        struct Case {
            char const* asked;
            char const* letter;
            char const* numbers;  ///< n = 3 and a depth of 5
            char const* name;
        };
        std::map<std::string, isserlis::Rational> values{{"n", 3}, {"L", 5}, {"d", 5}};
        for (auto const& [asked, letter, numbers, name] :
             {Case{"hessian 2,n:L,1 --functionals", "l", "hessian 2,3:5,1 --functionals", "p1"},
              Case{"hessian 2,n:L,1 --functionals", "l", "hessian 2,3:5,1 --functionals", "q0"},
              Case{"hessian 2,n:L,1 --functionals", "l", "hessian 2,3:5,1 --functionals", "rstar"},
              Case{"hessian 2,n:d,4,1 --functionals", "c", "hessian 2,3:5,4,1 --functionals", "qstar"},
              Case{"mup 2,n:L,1", "l", "mup 2,3:5,1", "mup_a"}, Case{"mup 2,n:d,4,2", "c", "mup 2,3:5,4,2", "mup_b"},
              Case{"mup 2,n:d,1 --parametrisation standard", "c", "mup 2,3:5,1 --parametrisation standard",
                   "mup_change_squared"}}) {
            INFO(asked, " ", name);
            auto const formula = isserlis::Expression::parse(
                ask(std::string(asked) + " --layer " + letter).exact(name, Json{letter}), "x");
            for (int l : {2, 4, 5}) {
                values[letter] = l;
                auto const at = [&](unsigned bits) { return isserlis::enclose(formula, bits, values); };
                double const number = ask(std::string(numbers) + " --layer " + std::to_string(l)).number(name, Json{l});
                CHECK(std::stod(isserlis::decimal(at, 15)) == doctest::Approx(number).epsilon(1e-12));
            }
            values.erase(letter);
        }
    }

    TEST_CASE("a refusal says whether the depth is a symbol or too large, and has exit code 3") {
        std::vector<std::pair<std::string, std::string>> const cases{
            {"mup n,n:L,m:M,1 --layer l2",
             "--layer l2: any layer of a run is served where one run is repeated; a number or the last hidden layer, L "
             "+ "
             "M, is served here"},
            {"mup 8,8:20000,1", "mup: 20001 layers; up to 20000 are served"},
            {"mup n,n:500,1", "mup: 501 layers; up to 500 are served in symbols"},
            {"coord-check 8,8:20000,1", "coord-check: 20001 layers; up to 20000 are served"},
            {"hessian 8,8:20000,1 --functionals", "--functionals: 20001 layers"},
            {"ntk 8,8:20000,1 --bias-label-factor 1", "--bias-label-factor: 20001 layers"},
            {"mup --depths 1..20001 --widths 8", "--depths: 20001 hidden layers; up to 20000 are served"},
            {"mup --depths 1..1001 --widths 8", "--depths: 1001 depths; at most 1000 at once are served"},
            {"mup --depths 9001..10000 --widths 8,16", "--depths: 2000 rates; at most 1000"},
            {"mup 8,8:600,1 --check 10", "--check: 601 layers"},
            {"coord-check 8,8:600,1 --check 10", "--check: 601 layers"},
            {"mup 8,8:600,1 --emit-test cpp", "--emit-test: 601 layers"}};
        for (auto const& [query, message] : cases) {
            INFO(query);
            auto const run = run_program(words(query));
            CHECK(run.code == 3);
            CHECK(run.err.find(message) != std::string::npos);
        }
    }

    TEST_CASE("widths listed twice are refused, and no message names a function") {
        for (std::string const query : {"mup --depths 2 --widths 16,16", "coord-check n,n,1 --widths 4,8,4"}) {
            auto const run = run_program(words(query));
            CHECK(run.code == 2);
            CHECK(run.err.find("is listed twice") != std::string::npos);
        }
        CHECK(run_program(words("mup --depths 2 --widths 16 --eta 2"))
                  .err.find("take all rates as 1 and |x|^2 as n or --input-squared-norm") != std::string::npos);
        for (std::string const query : {"mup 8,1", "hessian 2,3,1 --functionals --activation linear",
                                        "hessian 3,3,1 --functionals --variance 1", "hessian 2,3,1 --activation crelu",
                                        "hessian 2,3,1 --head activation", "hessian 2,3,1 --law rademacher"}) {
            INFO(query);
            auto const run = run_program(words(query));
            CHECK(run.code != 0);
            CHECK(run.err.starts_with("isserlis: --") != run.err.starts_with("isserlis: WIDTHS: "));
        }
    }
}
