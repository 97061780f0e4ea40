// SPDX-License-Identifier: MIT
// hessian, ntk and mup from outside: names, indices, values of the specification, refusals.
#include <doctest/doctest.h>

#include <cmath>
#include <isserlis/ring/parse.hpp>
#include <set>
#include <string>
#include <vector>

#include "json_answer.hpp"

using namespace isserlis::test;

namespace {

Json const none = Json::array();

}  // namespace

TEST_SUITE("cli/hessian") {
    // The design's example; the parts of a 2,3,4,1 network were enumerated for the specification.
    TEST_CASE("hessian 2,3,4,1 is 1037/6, the sum of its parts and of its blocks") {
        auto const answer = ask("hessian 2,3,4,1");
        CHECK(answer.exact("hessian_frobenius_squared", none) == "1037/6");
        CHECK(answer.exact("gauss_newton", none) == "491/6");
        CHECK(answer.exact("functional", none) == "115/3");
        CHECK(answer.exact("cross", none) == "119/3");
        CHECK(answer.exact("target", none) == "13");
        CHECK(answer.exact("top_eigenvalue_upper", none) == "sqrt(6222)/6");
        CHECK(answer.exact("dead_probability", none) == "23/128");
        CHECK(answer.indices("block").size() == 9);
        double sum = 0;
        for (auto const& index : answer.indices("block"))
            sum += std::stod(answer.result("block", index)["decimal"].get<std::string>());
        CHECK(sum == doctest::Approx(1037.0 / 6));
    }

    TEST_CASE("hessian n,n:L,1 prints a closed form in n and L that leads with 5/2 n^2 L^2") {
        auto const answer = ask("hessian n,n:L,1 --input-squared-norm n");
        CHECK(answer.exact("hessian_leading_term", none) == "5*L^2*n^2/2");
        auto const numbers = ask("hessian n,n:L,1 --input-squared-norm n --set n=4,L=3");
        CHECK(numbers.exact("hessian_frobenius_squared", none) ==
              ask("hessian 4,4:3,1 --input-squared-norm 4").exact("hessian_frobenius_squared", none));
        CHECK(numbers.exact("hessian_frobenius_squared", none) ==
              ask({"expect", "(D[m,n] loss)^2", "4,4:3,1", "--input-squared-norm", "4"}).exact("value", none));
    }

    TEST_CASE("a Hessian that is 0 has limits that are 0") {
        for (std::string const factor : {"--label-factor 0", "--label-factor n-n", "--effective --eta-squared 0"}) {
            auto const zero = ask("hessian n,n:L,1 " + factor);
            for (char const* name :
                 {"hessian_frobenius_squared", "hessian_leading_term", "hessian_wide_limit", "hessian_double_limit"})
                CHECK(zero.exact(name, none) == "0");
        }
    }

    // Section 1 of the specification: (L+1)(5L+2)/2 with learning rates and E|y|^2 = 1; n_0 = n raw, n^2 times that;
    // and L^2 (e^(5b) (4 + 2 I)/3 + 1/2), I = 2/c - 2 (1 - e^(-c))/c^2, c = 6 b.
    TEST_CASE("hessian prints the limits of great width and of great width and depth") {
        auto const effective = ask("hessian n,n:L,1 --effective --input-squared-norm n");
        CHECK(effective.exact("hessian_wide_limit", none) == "(L + 1)*(5*L + 2)/2");
        CHECK(effective.indices("hessian_wide_leading").empty());
        auto const plain = ask("hessian n,n:L,1 --input-squared-norm n");
        CHECK(plain.exact("hessian_wide_limit", none) == "null");
        CHECK(plain.result("hessian_wide_limit", none).at("form").get<std::string>().starts_with("infinite"));
        CHECK(plain.exact("hessian_wide_leading", none) == "n^2*(L + 1)*(5*L + 2)/2");
        CHECK(effective.exact("hessian_double_limit", none) == "null");
        CHECK(effective.exact("hessian_double_leading", none) ==
              "n^2*(36*b^2 + 6*b - 1)/27*exp(5*b) + n^2/27*exp(-b) + b^2*n^2/2");
        double const b = 0.3;
        double const c = 6 * b;
        double const published =
            b * b * (std::exp(5 * b) * (4 + 2 * (2 / c - 2 * (1 - std::exp(-c)) / (c * c))) / 3 + 0.5);
        CHECK(published ==
              doctest::Approx(std::exp(5 * b) * (36 * b * b + 6 * b - 1) / 27 + std::exp(-b) / 27 + b * b / 2));
        // The exact value at L = b n approaches it.
        auto const large = ask("hessian 1000,1000:300,1 --effective --input-squared-norm 1000 --layer 1");
        CHECK(large.number("hessian_frobenius_squared", none) == doctest::Approx(1e6 * published).epsilon(0.02));
    }

    TEST_CASE("hessian --effective reproduces the table of the specification") {
        std::vector<std::string> const totals{"(7*n + 22)/n", "(18*n^2 + 118*n + 263)/n^2",
                                              "2*(17*n^3 + 170*n^2 + 770*n + 1206)/n^3",
                                              "(55*n^4 + 740*n^3 + 5070*n^2 + 15972*n + 19213)/n^4"};
        for (std::size_t depth = 1; depth <= totals.size(); ++depth) {
            auto const answer = ask("hessian n0,n:" + std::to_string(depth) + ",1 --effective --input-squared-norm n0");
            CHECK(answer.exact("hessian_frobenius_squared", none) == totals[depth - 1]);
        }
    }

    TEST_CASE("hessian --functionals names fourteen functionals of each hidden layer") {
        auto const answer = ask("hessian 2,3,2,1 --functionals --effective");
        for (std::string const name :
             {"u", "v", "y0", "y1", "ystar", "p0", "p1", "pstar", "q0", "q1", "qstar", "r0", "r2", "rstar"})
            CHECK(answer.indices(name) == std::vector<Json>{Json{1}, Json{2}});
        CHECK(answer.exact("p0", {2}) == "11/6");
    }

    TEST_CASE("a Hessian of 0 has no reciprocal, in numbers and in symbols") {
        for (std::string const line : {"hessian 2,3,1 --label-factor 0", "hessian n,m,1 --label-factor 0"}) {
            auto const answer = ask(line);
            CHECK(answer.exact("hessian_frobenius_squared", none) == "0");
            CHECK(answer.result("reciprocal_sharpness_lower", none)["form"] == "the Hessian is 0");
        }
    }

    TEST_CASE("a Hessian of 0 at several inputs has no reciprocal either") {
        TemporaryDirectory const folder;
        write_file(folder / "inputs.csv", "1,0\n1/2,-2\n");
        for (std::string const line :
             {"hessian 2,3,1 --label-factor 0", "hessian 2,n,1 --activation linear --label-factor 0"}) {
            auto const answer = ask(line + " --input " + (folder / "inputs.csv"));
            CHECK(answer.exact("hessian_mean_loss", none) == "0");
            CHECK(answer.exact("top_eigenvalue_upper", none) == "0");
            CHECK(answer.result("reciprocal_sharpness_lower", none)["form"] == "the Hessian is 0");
        }
    }

    // By hand: the mean over inputs of the single values, which depend on |x|^2 alone.
    TEST_CASE("several inputs give the mean of the single bounds, and it holds") {
        TemporaryDirectory const folder;
        write_file(folder / "inputs.csv", "1,0,2\n\n0.5,-1,1\r\n0,0,3\n");
        std::string const options = " --target-second-moment 3/2 --label-factor 1,1/2";
        double mean = 0;
        for (std::string const norm : {"5", "9/4", "9"}) {
            auto const one = ask("hessian 3,2,2" + options + " --input-squared-norm " + norm);
            mean += one.number("hessian_frobenius_squared", none) / 3;
        }
        auto const answer = ask("hessian 3,2,2 --check 2000 --input " + (folder / "inputs.csv") + options);
        CHECK(answer.names() == std::set<std::string>{"hessian_mean_loss", "hessian_mean_loss_upper",
                                                      "top_eigenvalue_upper", "reciprocal_sharpness_lower"});
        CHECK(answer.number("hessian_mean_loss_upper", none) == doctest::Approx(mean));
        CHECK(answer.result("hessian_mean_loss", none)["check"]["verdict"] == "agrees");
        for (auto const& r : answer.json["results"]) {
            if (r["name"] == "hessian_mean_loss") continue;
            CHECK(r["check"]["verdict"] == "holds");
            bool const upper = r["name"] != "reciprocal_sharpness_lower";
            CHECK((upper ? r["check"]["z"].get<double>() < 0 : r["check"]["z"].get<double>() > 0));
        }
        CHECK(answer.text_of("assumptions").find("3 fixed inputs") != std::string::npos);
        CHECK(
            ask("hessian 3,n,1 --input " + (folder / "inputs.csv")).exact("hessian_mean_loss_upper", none).find('n') !=
            std::string::npos);
    }

    // Linear networks have no angles: each product of two Hessians is a sum of strands.
    TEST_CASE("the mean loss over two inputs of a linear network is what strands say") {
        TemporaryDirectory const folder;
        write_file(folder / "inputs.csv", "1,0\n1/2,-2\n");
        write_file(folder / "pair.json", R"({"inputs": ["a", "b"], "gram": [["1", "1/2"], ["1/2", "17/4"]]})");
        std::string const network = " 2,3,2 --activation linear --variance 1/2,2/3 --label-factor 2,1/3";
        auto const mean = [&](std::string const& query) {
            return ask("expect " + query + network + " --with " + (folder / "pair.json")).number("value", none);
        };
        double sum = 0;
        for (std::string const k : {"a", "b"}) {
            for (std::string const l : {"a", "b"}) {
                sum += mean("z[i;m]@" + k + "*z[i;n]@" + k + "*z[j;m]@" + l + "*z[j;n]@" + l);
                sum += mean("z[i;m,n]@" + k + "*z[i]@" + k + "*z[j;m,n]@" + l + "*z[j]@" + l);
                sum += mean("2*z[i;m]@" + k + "*z[i;n]@" + k + "*z[j;m,n]@" + l + "*z[j]@" + l);
            }
            sum += mean("z[i;m,n]@" + k + "^2/2") * 3;  // E y_i^2 = 3/2 of each output
        }
        auto const answer = ask("hessian" + network + " --target-second-moment 3 --input " + (folder / "inputs.csv"));
        CHECK(answer.number("hessian_mean_loss", none) == doctest::Approx(sum / 4).epsilon(1e-12));
        CHECK(answer.result("hessian_mean_loss", none)["exact"].is_string());
    }

    // Three layers of one neuron by hand: docs/formulas/mean_loss_hessian.md. One input twice is one input.
    TEST_CASE("the mean loss of deep linear networks") {
        TemporaryDirectory const folder;
        write_file(folder / "right.csv", "1,0\n0,1\n");
        write_file(folder / "twice.csv", "1,-2\n1,-2\n");
        std::string const right = " --activation linear --input " + (folder / "right.csv");
        CHECK(ask("hessian 2,1:2,1 --variance 1" + right).exact("hessian_mean_loss", none) == "119/2");
        auto const formula = ask("hessian 2,n:L,1" + right).exact("hessian_mean_loss", none);
        auto const number = ask("hessian 2,3:4,1" + right).exact("hessian_mean_loss", none);
        CHECK(to_string(isserlis::parse_rational_function(formula, "formula").evaluate({{"n", 3}, {"L", 4}})) ==
              number);
        auto const one = ask("hessian 2,3,4,2 --activation linear --input 1,-2 --effective");
        auto const twice = ask("hessian 2,3,4,2 --activation linear --effective --target-second-moment 2 --input " +
                               (folder / "twice.csv"));
        // Targets of the two are uncorrelated: their mean has half the second moment.
        CHECK(twice.exact("hessian_mean_loss", none) == one.exact("hessian_frobenius_squared", none));
        auto const sampled = ask(words("hessian 2,3,3,1 --check 4000" + right), 60);
        CHECK(sampled.result("hessian_mean_loss", none)["check"]["verdict"] == "agrees");
    }

    TEST_CASE("the mean loss is exact through one hidden layer, and told why not elsewhere") {
        TemporaryDirectory const folder;
        write_file(folder / "right.csv", "1,0\n0,1\n");
        std::string const inputs = " --variance 1 --input " + (folder / "right.csv");
        // By hand: docs/formulas/mean_loss_hessian.md
        CHECK(ask("hessian 2,1,1" + inputs).exact("hessian_mean_loss", none) == "33/8");
        auto const form = [&](std::string const& question) {
            return ask("hessian " + question + inputs).result("hessian_mean_loss", none)["form"].get<std::string>();
        };
        CHECK(form("2,3,3,1").find("one hidden layer") != std::string::npos);
        CHECK(form("2,3,1").find("angles") != std::string::npos);
        CHECK(form("2,n,1").find("irrational") != std::string::npos);
        CHECK(ask("hessian 2,n,1 --activation linear" + inputs).exact("hessian_mean_loss", none).find('n') !=
              std::string::npos);
    }

    TEST_CASE("files with one vector are one input; rows of another length are named") {
        TemporaryDirectory const folder;
        write_file(folder / "one.csv", "1\n2\n2\n");
        CHECK(ask("hessian 3,2,1 --input " + (folder / "one.csv")).has("hessian_frobenius_squared"));
        CHECK(ask("hessian 1,2,1 --input " + (folder / "one.csv")).has("hessian_mean_loss_upper"));
        write_file(folder / "ragged.csv", "1,2,2\n1,2\n");
        auto run = run_program(words("hessian 3,2,1 --input " + (folder / "ragged.csv")));
        CHECK(run.code == 2);
        CHECK(run.err.find("ragged.csv' line 2 has 2 numbers; each input has 3") != std::string::npos);
        write_file(folder / "zero.csv", "1,2\n0,0\n");
        CHECK(run_program(words("hessian 2,2,1 --input " + (folder / "zero.csv"))).code == 2);
        write_file(folder / "word.csv", "1,2\n1,two\n");
        run = run_program(words("hessian 2,2,1 --input " + (folder / "word.csv")));
        CHECK(run.code == 2);
        CHECK(run.err.find("line 2") != std::string::npos);
        write_file(folder / "two.csv", "1,2\n1,3\n");
        for (std::string const other : {"--functionals", "--layer 1", "--emit-test cpp"})
            CHECK(run_program(words("hessian 2,2,1 " + other + " --input " + (folder / "two.csv"))).code == 2);
        CHECK(run_program(words("hessian n,2,1 --input " + (folder / "two.csv"))).code == 2);
        CHECK(run_program(words("ntk 2,2,1 --input " + (folder / "two.csv"))).code == 2);
    }

    // Section 1 of the specification: bounds 6.07 and 4.68 beside about 3.3 and 3.0 at n = 8 and 32, L = 2.
    TEST_CASE("sampled top eigenvalues keep their bounds") {
        auto const answer = ask("hessian 8,8,8,1 --effective --input-squared-norm 8 --check 2000");
        auto const upper = answer.result("top_eigenvalue_upper", none);
        CHECK(answer.number("top_eigenvalue_upper", none) == doctest::Approx(6.07).epsilon(1e-3));
        CHECK(upper["check"]["verdict"] == "holds");
        CHECK(upper["check"]["mean"].get<double>() > 3);
        CHECK(upper["check"]["mean"].get<double>() < 4.5);
        auto const lower = answer.result("reciprocal_sharpness_lower", none);
        CHECK(lower["check"]["verdict"] == "holds");
        CHECK(lower["check"]["mean"].get<double>() > answer.number("reciprocal_sharpness_lower", none));
        CHECK(lower["check"]["samples"].get<int>() < 2000);  // some are dead
        CHECK(answer.text_of("warnings").find("dead") != std::string::npos);
    }

    TEST_CASE("ten thousand layers are exact at once") {
        auto const answer = ask("hessian 2,10:10000,1");
        CHECK(answer.exact("hessian_frobenius_squared", none).size() > 1000);
        CHECK(answer.exact("target", none) == "2499850000");
        CHECK(answer.result("top_eigenvalue_upper", none)["exact"].is_null());
    }

    // Five million networks: the mean of one entry is 2.6765104 at every width.
    TEST_CASE("ntk reproduces published means over sampled networks") {
        for (std::string const n : {"1", "7", "1000"}) {
            auto const answer = ask("ntk 2," + n + "," + n + "," + n +
                                    ",2 --scheme he --effective --input-squared-norm 1.338255221515");
            CHECK(answer.exact("ntk_mean", none) == "267651044303/100000000000");
        }
        auto const answer = ask("ntk 2,3,2");
        CHECK(answer.names() == std::set<std::string>{"ntk_mean", "ntk_second_moment", "ntk_variance", "ntk_trace_mean",
                                                      "ntk_trace_second_moment", "ntk_squared_trace_mean"});
    }

    TEST_CASE("ntk --bias-label-factor is brute force's 60 for a small network") {
        CHECK(ask("ntk 1,2,1 --effective --eta-squared 1,2 --bias-label-factor 1,2").exact("ntk_second_moment", none) ==
              "60");
    }

    TEST_CASE("mup prints its names by layer and the rate of the last one") {
        auto const answer = ask("mup n,n:2,1 --input-squared-norm n");
        CHECK(answer.exact("mup_b", {2}) == "(3*n + 5)/n");
        CHECK(answer.exact("mup_a", {1}) == "(n + 5)^2/(2*n^3)");
        for (std::string const name : {"mup_change_squared", "mup_a", "mup_b", "mup_b_tilde", "mup_c", "mup_c_tilde",
                                       "preactivation_fourth_mean"})
            CHECK(answer.indices(name) == std::vector<Json>{Json{1}, Json{2}});
        CHECK(answer.indices("mup_learning_rate") == std::vector<Json>{none});
    }

    TEST_CASE("mup sweeps rates by width and depth") {
        auto const answer = ask("mup --depths 2..3 --widths 16,64");
        CHECK(answer.indices("mup_learning_rate") ==
              std::vector<Json>{Json{16, 2}, Json{16, 3}, Json{64, 2}, Json{64, 3}});
        // The table of the specification: 0.84524 sqrt(3) 2^(-3/2).
        CHECK(answer.number("mup_learning_rate", Json{16, 2}) == doctest::Approx(0.84524 * 0.6123724).epsilon(1e-5));
        double const slope = std::log(answer.number("mup_learning_rate", Json{64, 3}) /
                                      answer.number("mup_learning_rate", Json{64, 2})) /
                             std::log(1.5);
        CHECK(answer.indices("mup_local_exponent") == std::vector<Json>{Json{16, 2}, Json{64, 2}});
        CHECK(answer.number("mup_local_exponent", Json{64, 2}) == doctest::Approx(slope));
        CHECK(answer.number("mup_fitted_exponent", Json{64}) == doctest::Approx(slope));  // a line through two points
        CHECK(answer.number("mup_rate_limit", Json{2}) == doctest::Approx(1 / std::sqrt(3.0)));
        CHECK(answer.exact("mup_limit_exponent", none) == "-3/2");
        CHECK(run_program(words("mup --depths 2..3 --widths 4"))
                  .out.starts_with("isserlis mup --depths 2..3 --widths 4\n"));
    }

    TEST_CASE("mup sweeps have two regimes, and no limit without a norm that grows") {
        auto const many = ask("mup --depths 3 --widths 16 --outputs n");
        CHECK(many.exact("mup_limit_exponent", none) == "-2");
        CHECK(many.number("mup_rate_limit", Json{3}) == doctest::Approx(std::sqrt(3.0 / (3 * 4 * 19))));
        CHECK_FALSE(many.has("mup_fitted_exponent", Json{16}));
        CHECK_FALSE(ask("mup --depths 3 --widths 16 --input-squared-norm 1").has("mup_rate_limit", Json{3}));
        auto const silent = ask("mup --depths 3 --widths 16 --target-second-moment 0");
        CHECK(silent.result("mup_rate_limit", Json{3})["exact"].is_null());
        CHECK_FALSE(silent.has("mup_limit_exponent", none));
        // The slope of three points is not that of any two.
        auto const three = ask("mup --depths 1..3 --widths 8");
        double x[3], y[3], xy = 0, xx = 0;
        for (int i = 0; i < 3; ++i) {
            x[i] = std::log(i + 1) - std::log(6.0) / 3;
            y[i] = std::log(three.number("mup_learning_rate", Json{8, i + 1}));
            xy += x[i] * y[i];
            xx += x[i] * x[i];
        }
        CHECK(three.number("mup_fitted_exponent", Json{8}) == doctest::Approx(xy / xx));
    }

    TEST_CASE("mup draws a sweep") {
        TemporaryDirectory const folder;
        Run const run = run_program(words("mup --depths 1..8 --widths 16,64 --plot " + (folder / "rates.svg")));
        INFO(run.err);
        CHECK(run.code == 0);
        CHECK(run.out.find("mup_fitted_exponent") != std::string::npos);
        CHECK(read_file(folder / "rates.svg").find("n to infinity") != std::string::npos);
        CHECK(run_program(words("mup --depths 1..8 --widths 16 --plot rates.txt")).code == 2);
        CHECK(run_program(words("mup 2,3,1 --plot rates.svg")).code == 2);
    }

    TEST_CASE("sampled networks agree") {
        for (std::string const line :
             {"hessian 2,3,2 --check 4000", "ntk 2,4,2 --check 4000", "mup 3,4,1 --check 4000 --eta 1/3"}) {
            Run const run = run_program(words(line));
            INFO(run.out, run.err);
            CHECK(run.code == 0);
        }
    }

    TEST_CASE("what these commands do not serve is refused with the option's name") {
        auto refused = [](std::string const& line, int code, std::string const& word) {
            Run const run = run_program(words(line));
            INFO(line, ": ", run.err);
            CHECK(run.code == code);
            CHECK(run.err.find(word) != std::string::npos);
        };
        refused("hessian 2,3,1 --law uniform", 2, "--input-fourth");
        refused("hessian 2,3,1 --activation crelu", 3, "concatenated");
        refused("hessian 2,3,1 --head activation", 3, "--head");
        refused("hessian 2,3,1 --label-factor -1", 2, "--label-factor");
        refused("hessian 2,3,1 --eta-squared 1", 2, "--effective");
        refused("hessian 2,3,1 --effective --eta-squared 1,2,3", 2, "--eta-squared");
        refused("hessian 2,1:L,1", 3, "width 1");
        refused("hessian 2,3,1 --functionals --activation linear", 3, "relu");
        refused("ntk 2,3,1 --bias-label-factor 1,2,3", 2, "--bias-label-factor");
        refused("mup 2,1", 3, "hidden");
        refused("mup --depths 1..3", 2, "--widths");
        refused("mup 2,3,1 --outputs 2", 2, "--outputs");
    }

    TEST_CASE("a slope that may be that of ReLU leaves the probability of dead networks open") {
        // Of 2,3,2 with ReLU units 2^-3.
        CHECK(ask("hessian 2,3,2 --activation leaky:s").result("dead_probability", Json::array())["exact"].is_null());
        CHECK(ask("hessian 2,3,2 --activation leaky:s --set s=0").exact("dead_probability") == "1/8");
        CHECK(ask("hessian n,n:L,1 --set n=128").exact("dead_probability") == "1 - (1 - 2^(-128))^L");
        CHECK(ask("hessian 2,3,2 --activation leaky:s --set s=1/2").exact("dead_probability") == "0");
    }

    TEST_CASE("roots are positive where their denominators have factors below 0") {
        // At n = 1 the square root of 8183, whose formula has (2n - 3)^2 below.
        std::string const query = "hessian 2,n:L,1 --network resnet:1 --projections --bias-variance v";
        auto const formula = ask(query).exact("top_eigenvalue_upper");
        auto const value = isserlis::parse_rational_function(formula, "value");
        CHECK(value.evaluate({{"n", 1}, {"L", 3}, {"v", 1}}) == sqrt(isserlis::Surd(8183)));
    }
}
