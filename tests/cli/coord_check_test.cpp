// SPDX-License-Identifier: MIT
// coord-check from outside: its CSV, z-scores of measured files, refusals.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "json_answer.hpp"

using namespace isserlis::test;

namespace {

/// The run of coord-check n,n:2,1 on a measured file of this content.
Run measured(TemporaryDirectory const& folder, std::string const& content, std::vector<std::string> more = {}) {
    std::string const file = folder / "run.csv";
    write_file(file, content);
    std::vector<std::string> words{"coord-check", "n,n:2,1", "--measured", file};
    words.insert(words.end(), more.begin(), more.end());
    return run_program(words);
}

}  // namespace

TEST_SUITE("cli/coord_check") {
    // By hand, one hidden layer of width n, N = 1, |x|^2 = n, rates 1: E z^2 = 2, E (Delta z)^2 = (n^2 + n + 5)/(2
    // n^2), E Delta z = -1/n^2 n E relu(z) = -1/(n sqrt(pi)), E z Delta z = -1/n^2 n E relu(z)^2 = -1/n.
    // z = W x, W of variance 1/4 and |x|^2 = 1: E z^2 = 2/4/2, and the step -(z - y) |x|^2 has E (z - y)^2 = 1/4 + 1.
    TEST_CASE("one layer, which has no hidden one") {
        auto const answer = ask("coord-check 2,1");
        CHECK(answer.exact("preactivation_rms", Json{1, 1}) == "1/2");
        CHECK(answer.exact("change_rms", Json{1, 1}) == "sqrt(5)/2");
        CHECK(answer.exact("change_covariance", Json{1, 1}) == "-1/4");
    }

    TEST_CASE("coord-check prints layer, width, quantity, mean, std, rms, covariance as CSV") {
        auto const run =
            run_program(words("coord-check n,n,1 --input-squared-norm n --widths 4,16 --digits 6 --format csv"));
        CHECK(run.code == 0);
        CHECK(run.out.starts_with("# isserlis coord-check n,n,1 --input-squared-norm n --widths 4,16 --digits 6"));
        CHECK(run.out.find("\nlayer,width,quantity,mean,std,rms,covariance\n"
                           "1,4,preactivation,0,1.41421,1.41421,\n2,4,preactivation,0,0.5,0.5,\n") !=
              std::string::npos);
        double const mean = -1 / (4 * std::sqrt(3.141592653589793));
        double const std = std::sqrt(25.0 / 32 - mean * mean);
        std::string expected(80, '\0');
        expected.resize(static_cast<std::size_t>(
            std::snprintf(expected.data(), expected.size(), "\n1,4,change,%.6f,%.6f,0.883883,-0.25\n", mean, std)));
        CHECK(run.out.find(expected) != std::string::npos);
    }

    TEST_CASE("coord-check and mup agree on the change of hidden layers, and the width is an index") {
        auto const check = ask("coord-check 3,4,5,2 --input-squared-norm 2");
        auto const mup = ask("mup 3,4,5,2 --input-squared-norm 2");
        CHECK(check.indices("change_rms") == std::vector<Json>{Json{1, 4}, Json{2, 5}, Json{3, 2}});
        for (int l = 1; l <= 2; ++l) {
            double const rms = check.number("change_rms", Json{l, l + 3});
            CHECK(rms * rms == doctest::Approx(mup.number("mup_change_squared", Json{l})));
        }
        for (auto const& index : check.indices("updated_rms")) {
            double const rms = check.number("updated_rms", index);
            double const mean = check.number("updated_mean", index);
            double const std = check.number("updated_std", index);
            CHECK(rms * rms == doctest::Approx(mean * mean + std * std));
            double const before = check.number("preactivation_std", index);
            double const change = check.number("change_rms", index);
            CHECK(rms * rms ==
                  doctest::Approx(before * before + 2 * check.number("change_covariance", index) + change * change));
        }
    }

    TEST_CASE("coord-check --check samples means and covariances") {
        auto const answer = ask("coord-check 3,4,2,2 --check 20000 --eta 1/10");
        for (auto const& index : {Json{1, 4}, Json{2, 2}})
            CHECK(answer.result("change_mean", index)["check"]["verdict"] == "agrees");
        CHECK(answer.result("change_covariance", Json{3, 2})["check"]["verdict"] == "agrees");
        for (std::string const name : {"preactivation_std", "change_rms", "updated_rms"}) {
            for (auto const& index : {Json{1, 4}, Json{2, 2}, Json{3, 2}}) {
                INFO(name, index.dump());
                CHECK(answer.result(name, index)["check"]["verdict"] == "agrees");
                CHECK(std::abs(answer.result(name, index)["check"]["z"].get<double>()) < 5);
            }
        }
    }

    // A few networks in thousands have all of a step's second moment at such a depth.
    TEST_CASE("networks too few for a change refute nothing that it is in") {
        auto const few = ask(words("coord-check n,n:21 --widths 3 --check 30"), 60);
        for (char const* name : {"change_rms", "updated_rms"})
            CHECK(few.result(name, Json{1, 3})["check"]["verdict"] == "inconclusive");
        CHECK(few.result("preactivation_std", Json{1, 3}).at("check").at("verdict") == "agrees");
        auto const whole = ask("coord-check n,n:21 --widths 3 --steps 1 --seed 1 --check 30");
        for (char const* name : {"step_change_rms", "step_updated_rms"})
            CHECK(whole.result(name, Json{1, 1, 3})["check"]["verdict"] == "inconclusive");
        TemporaryDirectory const folder;
        write_file(folder / "two.csv", "x1,y1\n1,1\n-1,2\n");
        std::vector<std::string> const lines{"2,3:12,1 --activation linear --seed 1 --data " + (folder / "two.csv"),
                                             "3,3:12,3 --bias-variance 1/3 --seed 1",
                                             "3,3:16,3 --activation linear --seed 3"};
        for (auto const& line : lines) {
            CAPTURE(line);
            auto const answer = ask(words("coord-check " + line + " --check 30"), 60);
            for (auto const& index : answer.indices("updated_rms"))
                CHECK(answer.result("updated_rms", index)["check"]["verdict"] != "disagrees");
        }
    }

    // 1,1,1 with muP's variances 2 and 1, |x|^2 = 1: z_1 is N(0, 2), E |z_1| = 2/sqrt(pi), and E |z_2| = sqrt(2/pi)
    // E relu(z_1) = sqrt(2)/pi. Towards y = 0 the step moves z_1 by -1(z_1 > 0) v^2 relu(z_1), of mean -1/sqrt(pi).
    TEST_CASE("mean sizes: certified before the step, sampled after it") {
        double const pi = 3.141592653589793;
        std::string const net = "coord-check 1,1,1 --target-second-moment 0";
        auto const exact = ask(net);
        CHECK(exact.number("preactivation_absolute_mean", Json{1, 1}) == doctest::Approx(2 / std::sqrt(pi)));
        CHECK(exact.number("preactivation_absolute_mean", Json{2, 1}) == doctest::Approx(std::sqrt(2.0) / pi));
        CHECK_FALSE(exact.has("change_absolute_mean", Json{1, 1}));
        auto const sampled = ask(net + " --check 100000");
        CHECK(sampled.number("change_absolute_mean", Json{1, 1}) == doctest::Approx(1 / std::sqrt(pi)).epsilon(0.05));
        CHECK(sampled.result("change_absolute_mean", Json{1, 1})["form"].get<std::string>().find("sampled: 100000") !=
              std::string::npos);
        for (std::string const line : {"coord-check 3,4,2,2 --check 20000 --eta 1/10",
                                       "coord-check 3,8,4,2 --parametrisation 0:0:1,0:1/2:0,-1:0:-1 --check 20000"}) {
            auto const answer = ask(line);
            for (auto const& index : answer.indices("preactivation_absolute_mean")) {
                INFO(line, index.dump());
                CHECK(answer.result("preactivation_absolute_mean", index)["check"]["verdict"] == "agrees");
                CHECK(answer.number("change_absolute_mean", index) < 1.05 * answer.number("change_rms", index));
                CHECK(answer.number("updated_absolute_mean", index) < 1.05 * answer.number("updated_rms", index));
            }
        }
    }

    TEST_CASE("two parametrisations in one table are those of two") {
        std::string const net = "coord-check n,n:2,1 --widths 4,8 --parametrisation ";
        auto const both = ask(net + "standard --beside mup");
        auto const one = ask(net + "standard");
        auto const other = ask(net + "mup");
        for (auto const& index : one.indices("change_std")) {
            for (char const* name : {"preactivation_std", "change_mean", "change_std", "updated_rms"}) {
                CHECK(both.result(name, {"standard", index[0], index[1]})["decimal"] ==
                      one.result(name, index)["decimal"]);
                CHECK(both.result(name, {"mup", index[0], index[1]})["decimal"] ==
                      other.result(name, index)["decimal"]);
            }
        }
        auto const csv = run_program(words(net + "standard --beside 0:0:1,0:1/2:0,-1:0:-1 --format csv"));
        CHECK(csv.code == 0);
        CHECK(csv.out.find(
                  "\nparametrisation,layer,width,quantity,mean,std,rms,covariance\nstandard,1,4,preactivation,") !=
              std::string::npos);
        CHECK(csv.out.find("\n\"0:0:1,0:1/2:0,-1:0:-1\",1,4,change,") != std::string::npos);
        CHECK(run_program(words("coord-check 4,4,1 --beside mup")).code == 2);
    }

    TEST_CASE("a measured file gets z-scores against the exact standard deviation") {
        TemporaryDirectory const folder;
        auto const run = measured(folder,
                                  "# ours\nlayer,width,value,quantity,samples\r\n1,4,0.01,preactivation,10000\n"
                                  "2,8,-0.005,change,100\n\n",
                                  {"--format", "json"});
        REQUIRE(run.code == 0);
        JsonAnswer const answer(Json::parse(run.out));
        auto const exact = ask("coord-check n,n:2,1 --widths 4,8");
        Json const first = answer.result("preactivation_mean", Json{1, 4, 3});
        CHECK(first["check"]["z"].get<double>() ==
              doctest::Approx(0.01 / (exact.number("preactivation_std", Json{1, 4}) / 100)));
        CHECK(first["check"]["verdict"] == "agrees");
        Json const second = answer.result("change_mean", Json{2, 8, 4});
        CHECK(second["check"]["z"].get<double>() == doctest::Approx((-0.005 - exact.number("change_mean", Json{2, 8})) /
                                                                    (exact.number("change_std", Json{2, 8}) / 10)));
        CHECK(answer.names() == std::set<std::string>{"preactivation_mean", "change_mean"});
    }

    TEST_CASE("a measured value that is wrong fails with exit code 1, in CSV too") {
        TemporaryDirectory const folder;
        auto const run =
            measured(folder, "layer,width,value,statistic,std_error\n1,4,2,rms,0.01\n", {"--format", "csv"});
        CHECK(run.code == 1);
        CHECK(run.out.find(
                  "\nlayer,width,quantity,statistic,value,exact,std_error,z,verdict,power\n1,4,preactivation,rms,2,") !=
              std::string::npos);
        CHECK(run.out.find(",disagrees,") != std::string::npos);
    }

    TEST_CASE("what is wrong with a measured file is named by file, line and column") {
        TemporaryDirectory const folder;
        std::vector<std::pair<std::string, std::string>> const cases{
            {"", "no header"},
            {"layer,width,value\n", "no row"},
            {"layer,value\n1,2\n", "line 1, column width: missing"},
            {"layer,width,height,value\n", "column height: no such column"},
            {"layer,width,value,value\n", "named twice"},
            {"layer,width,value\n1,4\n", "line 2: 2 fields for 3 columns"},
            {"layer,width,value\n1,4,x\n", "line 2, column value: 'x' is not a number"},
            {"layer,width,value\n1,4,nan\n", "column value"},
            {"layer,width,value\n0,4,1\n", "column layer: '0' is not a whole number"},
            {"layer,width,value\n1,4.5,1\n", "column width: '4.5'"},
            {"layer,width,value\n1,4,1\n9,4,1\n", "line 3: there is no layer,width of 9,4"},
            {"layer,width,value,quantity\n1,4,1,loss\n", "column quantity: 'loss' is none of"},
            {"layer,width,value,statistic\n1,4,1,rms\n", "column std_error: missing"},
            {"layer,width,value,std_error\n1,4,1,0\n", "column std_error: has to be positive"}};
        for (auto const& [content, message] : cases) {
            auto const run = measured(folder, content);
            INFO(content, run.err);
            CHECK(run.code == 2);
            CHECK(run.out.empty());
            CHECK(run.err.find("run.csv") != std::string::npos);
            CHECK(run.err.find(message) != std::string::npos);
        }
    }

    TEST_CASE("what coord-check cannot answer it refuses") {
        std::vector<std::pair<std::string, std::string>> const cases{
            {"coord-check", "WIDTHS is missing"},
            {"coord-check n,n,1", "--widths 16,64,256"},
            {"coord-check n,m,1 --widths 4", "m and n have no value"},
            {"coord-check 4,4,1 --widths 4", "has no symbol"},
            {"coord-check n,n,1 --widths 0", "--widths"},
            {"coord-check n,n,1 --widths 4 --table n=1..2", "--table"},
            {"coord-check 4,4,1 --eta -1", "--eta"},
            {"coord-check 4,4,1 --measured nowhere.csv", "nowhere.csv"}};
        for (auto const& [line, message] : cases) {
            auto const run = run_program(words(line));
            INFO(line, run.err);
            CHECK(run.code == 2);
            CHECK(run.err.find(message) != std::string::npos);
        }
        CHECK(run_program(words("coord-check n,n:20000,1 --widths 4")).code == 3);
    }

    TEST_CASE("rates of 0 change nothing, exactly") {
        auto const answer = ask("coord-check 4,4:2,1 --eta 0");
        CHECK(answer.exact("change_mean", Json{1, 4}) == "0");
        CHECK(answer.exact("change_std", Json{3, 1}) == "0");
        CHECK(answer.exact("updated_std", Json{1, 4}) == answer.exact("preactivation_std", Json{1, 4}));
        CHECK(answer.json["results"].size() == 33);
        auto const sampled = ask("coord-check 4,4:2,1 --eta 0 --check 100");
        CHECK(sampled.exact("change_absolute_mean", Json{2, 4}) == "0");
        CHECK(sampled.result("updated_absolute_mean", Json{2, 4})["decimal"] ==
              sampled.result("preactivation_absolute_mean", Json{2, 4})["decimal"]);
    }

    TEST_CASE("a list of widths is for a width, not for a rate or a depth") {
        for (std::string const query : {"3,4,2 --eta a", "3,4,2 --activation leaky:a", "4,4:a,1"}) {
            INFO(query);
            auto const run = run_program(words("coord-check " + query + " --widths 16,64"));
            CHECK(run.code == 2);
            CHECK(run.err.find("the symbol a has no value") != std::string::npos);
        }
        // Of a branch, or of a node of a file.
        auto const branch = ask("coord-check 3,4:2,1 --network resnet:2 --projections --branch-widths b --widths 5");
        CHECK(branch.exact("change_rms", Json{1, 5}) ==
              ask("coord-check 3,4:2,1 --network resnet:2 --projections --branch-widths 5")
                  .exact("change_rms", Json{1, 4}));
    }

    // f = v w.x of variances 1, |x| = 1, targets of mean m: Delta f = K (y - f), K = (w.x)^2 + v^2, so that E Delta f = 2 m
    // and E (Delta f)^2 = E K^2 (f^2 + E y^2), as with targets of mean 0. Of z = (1 + w) x, x = 1 and w of variance 1/4, K = 1:
    // E (Delta z)^2 = E (y - z)^2 = 5/4 - 2 m + 1 is not the sum of its parts, and z + Delta z = y.
    TEST_CASE("targets of a mean other than 0") {
        std::string const chain = "coord-check 2,1,1 --activation linear --variance 1";
        auto const moved = ask(chain + " --target-mean 1/3");
        CHECK(moved.exact("change_mean", Json{2, 1}) == "2/3");
        CHECK(!moved.has("change_mean", Json{1, 1}));
        for (char const* name : {"change_rms", "change_a", "change_b", "change_covariance", "updated_rms"})
            CHECK(moved.exact(name, Json{2, 1}) == ask(chain).exact(name, Json{2, 1}));
        std::string const block = "coord-check 1,1 --network resnet:1 --activation linear --variance 1/4 --input 1 ";
        auto const one = ask(block + "--target-mean 1/2");
        CHECK(one.exact("change_rms", Json{1, 1}) == "sqrt(5)/2");
        CHECK(one.exact("change_a", Json{1, 1}) == "5/4");
        CHECK(one.exact("change_b", Json{1, 1}) == "1");
        CHECK(one.exact("change_covariance", Json{1, 1}) == "-3/4");
        CHECK(one.exact("updated_rms", Json{1, 1}) == "1");
        // ReLU without a mean, by the closed form; in a list of widths the mean may have the width in it.
        std::string const relu = "coord-check 2,n,2 --input 1,2 --widths 2,3 ";
        CHECK(ask(relu + "--target-mean 0").exact("change_rms", Json{2, 3}) ==
              ask(relu).exact("change_rms", Json{2, 3}));
        CHECK(ask(relu + "--target-mean 1/n").exact("change_mean", Json{2, 3}) ==
              ask("coord-check 2,3,2 --input 1,2 --target-mean 1/3").exact("change_mean", Json{2, 2}));
        auto const drawn =
            ask("coord-check 2,3,2 --network densenet --target-mean 1/2 --target-second-moment 3 --check 4000");
        for (auto const& r : drawn.json["results"]) {
            CAPTURE(r.dump());
            CHECK(r["check"]["verdict"] != "disagrees");
        }
        auto const refused = [](std::string const& line, std::string const& said) {
            auto const run = run_program(words(line));
            CHECK(run.code == 2);
            CHECK(run.err.find(said) != std::string::npos);
        };
        refused("coord-check 2,3,2 --target-mean 1", "--target-second-moment");
        refused("coord-check 2,3,2 --target-mean a", "the symbol 'a' has no value");
        refused("coord-check 2,3,2 --target-mean 1/2 --input 1,2 --optimiser adam", "first step of sgd on one sample");
        refused("coord-check 2,3,1 --target-mean 1/2 --data cos", "first step of sgd on one sample");
    }
}
