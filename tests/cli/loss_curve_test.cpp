// SPDX-License-Identifier: MIT
// loss-curve: what is exact, what is sampled, and what is refused.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "loss_curve_answer.hpp"

using namespace isserlis::test;

namespace {

std::string const cos_random = " --data cos --gradient random --scheme proportional";

void refused(std::string const& line, int code, std::string const& message) {
    auto const run = run_program(words("loss-curve " + line));
    CAPTURE(line);
    CHECK(run.code == code);
    CHECK_MESSAGE(run.err.find(message) != std::string::npos, run.err);
}

}  // namespace

TEST_SUITE("cli/loss_curve") {
    // The table of the specification's section 6: S_N, exact vertex times S_N of linear networks on the cosine.
    TEST_CASE("the thesis's networks in both readings") {
        struct Row {
            char const* widths;
            double scaling_factor;
            double squared;
        };
        for (auto const& row :
             {Row{"2,10:3,1", 47.752, 0.365}, Row{"2,20:3,1", 67.610, 0.476}, Row{"2,10:4,1", 78.039, 0.303},
              Row{"2,20:4,1", 103.653, 0.423}, Row{"2,10:5,1", 118.530, 0.254}, Row{"2,20:5,1", 146.229, 0.378}}) {
            JsonAnswer const answer = asked(std::string(row.widths) + cos_random + " --activation linear --samples 0");
            CHECK(std::fabs(value(answer, "scaling_factor") - row.scaling_factor) < 5e-4);
            CHECK(std::fabs(value(answer, "vertex_times_scaling_factor") - row.squared) < 5e-4);
        }
    }

    // Errata E6: truth -195.66 (exact), 24543(306); linear truth -210.24, 27482.
    TEST_CASE("concatenated ReLU differs from the linear network") {
        JsonAnswer const linear = asked("2,10:3,1" + cos_random + " --activation linear --samples 0");
        CHECK(std::fabs(value(linear, "slope") + 210.24) < 5e-3);
        CHECK(std::fabs(value(linear, "curvature") - 27482) < 0.5);
        JsonAnswer const tied = asked("2,10:3,1" + cos_random + " --activation crelu-tied --samples 20000");
        CHECK(std::fabs(value(tied, "slope") + 195.66) < 5e-3);
        CHECK(tied.result("slope", {1})["exact"].is_null());
        CHECK(std::fabs(value(tied, "curvature") - 24543) < 5 * 306);
        CHECK(tied.result("curvature", {1})["form"].get<std::string>().find("sampled: 20000 networks") == 0);
        // (iii) of section 6: the minimiser of the mean loss lies at S_N * rate = 0.575, to about 0.05.
        CHECK(std::fabs(value(tied, "sampled_minimiser") * 47.752 - 0.575) < 0.1);
    }

    TEST_CASE("exact values agree with sampled networks") {
        TemporaryDirectory const directory;
        std::string const many = directory / "many.csv";
        write_file(many, "x1,x2,y1,y2\n1,2,1,0\n-1,1/2,0,1\n0.3,1,1,0\n");
        std::string const one = directory / "one.csv";
        write_file(one, "x1,y1\n1/2,2\n");
        for (std::string const& line :
             {"3,4,4,2 --data " + many + " --gradient random --activation linear",
              "3,4,2 --data " + many + " --gradient random --activation crelu-tied --loss half-squared",
              "3,4,3,2 --data " + many + " --gradient fixed --loss cross-entropy --activation crelu-tied",
              "3,4,2 --data " + many + " --gradient fixed --activation crelu-tied --standardize",
              "2,3,3,1 --data " + one + " --gradient random --activation relu",
              "2,3,3,1 --data " + one + " --gradient random --activation leaky:1/4 --loss half-squared",
              "2,3,3,1 --data " + one + " --gradient fixed --activation crelu",
              std::string("2,4,1 --data cos --gradient random --activation linear"),
              std::string("2,4,1 --data cos --size 7 --gradient fixed --at-output 1 --activation crelu-tied"),
              std::string("3,4,1 --data checkerboard --size 3 --gradient fixed --loss binary-cross-entropy "
                          "--activation linear")}) {
            check_sampled(line + " --check 40000 --seed 3");
        }
    }

    TEST_CASE("gates at one sample: the strand engine meets the closed form where all gates are open") {
        TemporaryDirectory const directory;
        std::string const one = directory / "one.csv";
        write_file(one, "x1,y1,y2\n1/2,2,-1\n");
        for (std::string const& gradient : {std::string("random"), std::string("fixed --at-output 1,2")}) {
            std::string const rest = " --data " + one + " --samples 0 --scheme xavier --gradient " + gradient;
            JsonAnswer const engine = asked("2,3,4,2 --activation leaky:1" + rest);
            JsonAnswer const closed = asked("2,3,4,2 --activation linear" + rest);
            JsonAnswer const tied = asked("2,3,4,2 --activation crelu-tied" + rest);
            for (char const* name : {"loss", "slope", "curvature", "curvature_chi", "curvature_gamma"}) {
                CAPTURE(name);
                CHECK(engine.result(name, {1})["exact"] == closed.result(name, {1})["exact"]);
                CHECK(tied.result(name, {1})["exact"] == closed.result(name, {1})["exact"]);
            }
        }
    }

    // Constant gradients of cross-entropies at any output: digits are certified, and sampled networks agree.
    TEST_CASE("cross-entropies at a stated output") {
        TemporaryDirectory const directory;
        std::string const two = directory / "two.csv";
        write_file(two, "x1,x2,y1,y2\n1,2,1,0\n-1,1/2,0,1\n0.3,1,1,0\n-1,1/2,1,0\n");
        std::string const one = directory / "one.csv";
        write_file(one, "x1,x2,y1,y2\n1,2,1,0\n1,2,0,1\n");
        std::string const at = " --gradient fixed --loss cross-entropy --at-output 1/2,-1";
        std::string const binary = " --gradient fixed --loss binary-cross-entropy --at-output 3,-1/3";
        for (std::string const& line :
             {"3,4,4,2 --activation linear --data " + two + at, "3,4,2 --activation crelu-tied --data " + two + at,
              "3,4,4,2 --activation linear --data " + two + binary,
              "3,4,2 --activation crelu-tied --data " + two + binary, "3,3,2 --activation relu --data " + one + at,
              "3,3,2 --activation crelu --data " + one + binary, "3,3,3,2 --activation crelu-tied --data " + one + at,
              std::string(
                  "3,4,1 --data checkerboard --size 3 --gradient fixed --loss binary-cross-entropy --at-output 2 "
                  "--activation crelu-tied")}) {
            CAPTURE(line);
            JsonAnswer const answer = asked(line + " --check 40000 --seed 5 --digits 30");
            for (char const* name : {"slope", "curvature"}) {
                auto const r = answer.result(name, {1});
                CAPTURE(r.dump());
                CHECK(r["exact"].is_null());
                CHECK(r["decimal"].get<std::string>().size() > 30);  // certified: not a sampled number's few
                CHECK(r["check"]["verdict"] == "agrees");
            }
            CHECK(answer.result("vertex_rate", {1})["decimal"].get<std::string>().size() > 30);
        }
    }

    // The printed five-fold sum in double, by its definition: E L'' for n = 2, kappa = sqrt(d_0 d_2)^-1.
    TEST_CASE("a linear network at a softmax: sums over samples written out") {
        TemporaryDirectory const directory;
        std::string const file = directory / "data.csv";
        write_file(file, "x1,y1,y2\n1,1,0\n-2,0,1\n0.5,0,1\n");
        JsonAnswer const answer = asked(
            "2,3,2 --activation linear --scheme proportional --samples 0 --gradient fixed "
            "--loss cross-entropy --at-output 1,-1/2 --printed --data " +
            file);
        double const p = 1 / (1 + std::exp(-1.5));
        double const x[3][2] = {{1, 1}, {-2, 1}, {0.5, 1}};
        double const g[3][2] = {{p - 1, 1 - p}, {p, -p}, {p, -p}};
        double const h = p * (1 - p);  // H = h (1 -1; -1 1)
        double const d = 3;
        double const u[3] = {0, std::sqrt(2 * d / 4), std::sqrt(2 * d / 4)};
        auto const gram = [&](int k, int l) { return x[k][0] * x[l][0] + x[k][1] * x[l][1]; };
        double const phi[2] = {1, (2 * (1 + 2 / d) + (1 - 1 / d)) / 3};
        double const psi[2] = {0, ((1 + 2 / d) - (1 - 1 / d)) / 3};
        double slope = 0;
        double curvature = 0;
        for (int k = 0; k < 3; ++k) {
            for (int l = 0; l < 3; ++l) {
                slope -= (u[1] + u[2]) * gram(k, l) * (g[k][0] * g[l][0] + g[k][1] * g[l][1]) / 9;
                for (int m = 0; m < 3; ++m) {
                    double const ghg = h * (g[l][0] - g[l][1]) * (g[m][0] - g[m][1]);
                    double const gg = 2 * h * (g[l][0] * g[m][0] + g[l][1] * g[m][1]);
                    for (int i = 1; i <= 2; ++i) {
                        for (int j = 1; j <= 2; ++j) {
                            int const a = std::min(i, j);
                            int const b = std::max(i, j);
                            double const inputs =
                                phi[a - 1] * gram(k, l) * gram(k, m) + psi[a - 1] * gram(k, k) * gram(l, m);
                            double const outputs = phi[2 - b] * ghg + psi[2 - b] * gg;
                            curvature += u[i] * u[j] * inputs * (phi[b - a] - psi[b - a]) * outputs / 27;
                        }
                    }
                }
            }
        }
        CHECK(value(answer, "slope") == doctest::Approx(slope).epsilon(1e-13));
        CHECK(value(answer, "curvature") == doctest::Approx(curvature).epsilon(1e-13));
        CHECK(value(answer, "curvature_printed") == doctest::Approx(curvature).epsilon(1e-13));
    }

    // Exact and enclosed values of the same thing: a shift of all outputs changes no softmax, a tiny output little.
    TEST_CASE("enclosed gradients go over into exact ones") {
        TemporaryDirectory const directory;
        std::string const file = directory / "data.csv";
        write_file(file, "x1,y1,y2\n1,1,0\n-2,0,1\n0.5,0,1\n");
        std::string const one = directory / "one.csv";
        write_file(one, "x1,y1,y2\n1,1,0\n");
        for (std::string const& line :
             {"2,3,2 --activation linear --data " + file, "2,3,2 --activation crelu-tied --data " + file,
              "2,3,2 --activation relu --data " + one}) {
            CAPTURE(line);
            std::string const rest = " --gradient fixed --samples 0 --loss cross-entropy --at-output ";
            JsonAnswer const near = asked(line + rest + "1/10^15,0");
            JsonAnswer const exact = asked(line + rest + "3,3");
            JsonAnswer const up = asked(line + rest + "6,4");
            JsonAnswer const down = asked(line + rest + "1,-1");
            for (char const* name : {"slope", "curvature", "vertex_rate"}) {
                CHECK(value(near, name) == doctest::Approx(value(exact, name)).epsilon(1e-13));
                CHECK(up.result(name, {1})["decimal"] == down.result(name, {1})["decimal"]);
            }
        }
    }

    TEST_CASE("samples of equal inputs") {
        TemporaryDirectory const directory;
        std::string const file = directory / "data.csv";
        std::string const rest = " --gradient fixed --samples 0 --data " + file;
        // Gradients that cancel: no step at all, in any network.
        write_file(file, "x1,g1\n1,1\n1,-1\n");
        for (char const* net : {"2,3,1 --activation linear", "2,3,1 --activation crelu-tied",
                                "2,3,3,1 --activation crelu-tied", "2,3,3,1 --activation relu"}) {
            CAPTURE(net);
            JsonAnswer const answer = asked(net + rest);
            CHECK(answer.result("slope", {1})["exact"] == "0");
            CHECK(answer.result("curvature", {1})["exact"] == "0");
            CHECK(answer.result("vertex_rate", {1})["decimal"].is_null());
        }
        // Twice the same sample is once the sample; another one beside it counts by what it is.
        for (char const* net : {"2,3,3,1 --activation relu", "2,3,3,1 --activation crelu-tied"}) {
            write_file(file, "x1,g1,h1_1\n1/2,3,2\n1/2,3,2\n");
            JsonAnswer const twice = asked(net + rest);
            write_file(file, "x1,g1,h1_1\n1/2,3,2\n");
            CHECK(asked(net + rest).result("curvature", {1})["exact"] == twice.result("curvature", {1})["exact"]);
            CHECK(twice.result("curvature", {1})["exact"].is_string());
        }
        write_file(file, "x1,g1\n1,1\n1,2\n-1,1\n");
        JsonAnswer const merged = asked("2,3,1 --activation crelu-tied --check 40000" + rest);
        CHECK(merged.result("curvature", {1})["check"]["verdict"] == "agrees");  // of the three samples as they are
    }

    TEST_CASE("many samples") {
        TemporaryDirectory const directory;
        std::string const file = directory / "data.csv";
        auto const written = [&](int samples) {
            std::string text = "x1,g1\n";
            for (int k = 0; k < samples; ++k)
                text += std::to_string(k - samples / 2) + "/" + std::to_string(samples) + "," +
                        std::to_string(1 + k % 3) + "\n";
            write_file(file, text);
            return asked("2,3,1 --activation crelu-tied --gradient fixed --samples 0 --data " + file);
        };
        auto const certified = written(100);
        CHECK(certified.result("curvature", {1})["decimal"].get<std::string>().size() > 17);
        auto const many = written(600);
        // More samples of one density: the limit is near.
        for (char const* name : {"slope", "curvature", "vertex_rate"}) {
            CHECK(value(many, name) == doctest::Approx(value(certified, name)).epsilon(0.02));
            CHECK(many.result(name, {1})["decimal"].get<std::string>().size() > 17);  // by double-doubles
        }
        // One sample more, at which nothing pulls: all pairs are as before, of 600^2 in place of 601^2.
        std::string const text = read_file(file);
        write_file(file, text + "1/3,0\n");
        JsonAnswer const one_more = asked("2,3,1 --activation crelu-tied --gradient fixed --samples 0 --data " + file);
        CHECK(value(one_more, "slope") == doctest::Approx(value(many, "slope") * 360000 / 361201).epsilon(1e-14));
        // More digits than double-doubles have, and the first of them.
        auto const digits = [&](char const* more) {
            return asked(std::string("2,3,1 --activation crelu-tied --gradient fixed --samples 0 --data cos --size 60 "
                                     "--at-output 1 --loss squared ") +
                         more);
        };
        for (char const* name : {"slope", "curvature"}) {
            auto const shown = [&](JsonAnswer const& answer) {
                return answer.result(name, {1})["decimal"].get<std::string>();
            };
            std::string const few = shown(digits("--digits 17"));
            std::string const all = shown(digits("--digits 45"));
            CHECK(all.size() > 45);
            CHECK(all.substr(0, 16) == few.substr(0, 16));
        }
        // More roots than sums over pairs of layers have are left to double.
        std::string widths = "2";
        for (int l = 0; l < 80; ++l) widths += "," + std::to_string(2 + l * 7 % 97);
        JsonAnswer const deep =
            asked(widths + ",1 --activation crelu-tied --gradient fixed --samples 0 --data " + file);
        CHECK(deep.result("slope", {1})["form"] == "computed in double precision");
        CHECK(value(deep, "slope") < 0);
        // Nothing pulls at all.
        std::string still = "x1,g1\n";
        for (int k = 0; k < 501; ++k) still += std::to_string(k) + ",0\n";
        write_file(file, still);
        for (char const* unit : {"relu", "crelu-tied"})
            CHECK(asked(std::string("2,3,1 --gradient fixed --samples 0 --activation ") + unit + " --data " + file)
                      .result("slope", {1})["exact"] == "0");
    }

    // A number whose sampled error is 0, or rests on one network, is no evidence.
    TEST_CASE("networks that are dead, or too rare to be sampled") {
        TemporaryDirectory const directory;
        std::string const file = directory / "data.csv";
        write_file(file, "x1,y1\n1,1\n-1,2\n");
        std::string const rest = " --gradient random --data " + file;
        JsonAnswer const dead = asked("2,2:1500,1 --activation relu --samples 50" + rest);
        for (auto const& r : dead.json["results"]) {
            CAPTURE(r.dump());
            if (!r.contains("form")) continue;  // exact values have none
            CHECK(r["form"].get<std::string>().find("standard error 0") == std::string::npos);
        }
        CHECK(dead.result("slope", {1})["decimal"].is_null());
        CHECK(dead.result("slope", {1})["form"].get<std::string>().find("in all 50 sampled networks") !=
              std::string::npos);
        JsonAnswer const rare = asked("2,2:60,1 --activation crelu --samples 400" + rest);
        CHECK(rare.result("curvature", {1})["form"].get<std::string>().find("not to be relied on: one network has 9") !=
              std::string::npos);
    }

    TEST_CASE("formulas in the widths agree with numbers") {
        for (std::string const& gradient : {std::string("random"), std::string("fixed --at-output 1")}) {
            std::string const rest = " --data cos --activation linear --samples 0 --gradient " + gradient;
            JsonAnswer const formula = asked("2,n,m,1 --set n=3,m=5" + rest);
            JsonAnswer const number = asked("2,3,5,1" + rest);
            JsonAnswer const symbols = asked("2,n,m,1" + rest);
            CHECK(symbols.result("curvature", {1})["decimal"].is_null());
            for (char const* name : {"slope", "curvature", "vertex_rate"})
                CHECK(formula.result(name, {1})["exact"] == number.result(name, {1})["exact"]);
        }
    }

    TEST_CASE("deep networks with unlike widths fall back to double, and say so") {
        std::string widths = "2";
        for (int l = 0; l < 300; ++l) widths += "," + std::to_string(2 + l * 7 % 97);
        JsonAnswer const answer = asked(widths + ",1 --data cos --gradient fixed --at-output 1 --activation linear" +
                                        " --scheme proportional --samples 0");
        auto const slope = answer.result("slope", {1});
        CHECK(slope["exact"].is_null());
        CHECK(slope["form"] == "computed in double precision");
        CHECK(value(answer, "slope") < 0);
    }

    // Found by review: no infinities, no maxima called minima, no refusal of what is known.
    TEST_CASE("corners") {
        TemporaryDirectory const directory;
        std::string const file = directory / "data.csv";
        write_file(file, "x1,g1,h1_1\n1,2,-3\n");
        auto const concave = asked("2,2,1 --data " + file + " --gradient fixed --activation linear");
        CHECK(value(concave, "curvature") < 0);
        CHECK(concave.result("vertex_rate", {1})["decimal"].is_null());
        write_file(file, "x1,g1\n1,0\n2,0\n");
        auto const flat = asked("2,2,1 --data " + file + " --gradient fixed --activation crelu-tied");
        CHECK(flat.result("slope", {1})["exact"] == "0");
        auto const uniform =
            asked("2,3,1 --data cos --gradient fixed --at-output 1 --activation linear --law uniform --samples 0");
        CHECK(uniform.result("slope", {1})["exact"] == "-10");
        CHECK(uniform.result("curvature", {1})["decimal"].is_null());
        std::string const squared = "2,3,1 --data cos --gradient random --activation linear --samples 0";
        CHECK(asked(squared + " --law uniform").result("loss", {1})["exact"] ==
              asked(squared).result("loss", {1})["exact"]);
        auto const wide = asked("2,1000000000000,1 --data cos --gradient random --activation linear");
        CHECK(wide.result("slope", {1})["exact"].is_string());
        CHECK(wide.result("sampled_minimiser", {1})["decimal"].is_null());
    }

    // tests/formula/loss_curve_linear_test.cpp holds such sums against exact ones.
    TEST_CASE("deep networks beyond the range of double have digits") {
        std::string widths = "2";
        for (int l = 0; l < 3500; ++l) widths += "," + std::to_string(2 + l * 7 % 97);
        std::string const rest = " --activation linear --samples 0" + cos_random;
        auto const deep = asked(widths + ",1" + rest);
        for (char const* name : {"loss", "slope", "curvature", "vertex_rate", "vertex_times_scaling_factor"}) {
            auto const r = deep.result(name, {1});
            CAPTURE(r.dump());
            CHECK(r["decimal"].is_string());
            CHECK(r["decimal"].get<std::string>().find("inf") == std::string::npos);
        }
        auto const size = deep.result("curvature", {1})["decimal"].get<std::string>();
        CHECK(std::stoi(size.substr(size.find("e+") + 2)) > 308);
    }

    // Gradients c g scale the slope by c^2 and chi, with H fixed, too; the gamma part, of mean 0, by c^3.
    TEST_CASE("the sampled vertex of constant gradients does not depend on their size") {
        TemporaryDirectory const folder;
        auto const vertex = [&](std::string const& g) {
            std::string const file = folder / ("g" + g + ".csv");
            write_file(file, "x1,g1,h1_1\n1," + g + ",1\n-1," + g + ",1\n");
            return asked("2,3,1 --data " + file + " --gradient fixed --activation crelu").result("vertex_rate", {1});
        };
        auto const small = vertex("1");
        REQUIRE(small["decimal"].is_string());
        CHECK(vertex("1000")["decimal"] == small["decimal"]);
        CHECK(vertex("1000")["form"] == small["form"]);
        CHECK(vertex("30")["form"] == small["form"]);
    }

    TEST_CASE("equal inputs make the symmetric start a linear network, random gradients too") {
        TemporaryDirectory const folder;
        std::string const file = folder / "equal.csv";
        write_file(file, "x1,y1,y2\n1,1,0.5\n1,0,1\n");
        std::string const query = "2,3,4,2 --variance 0.3,0.2,0.2 --samples 0 --gradient random --data " + file;
        auto const tied = asked(query + " --activation crelu-tied");
        CHECK(tied.result("curvature", {1})["exact"] == "22551222/15625");
        CHECK(tied.json["results"] == asked(query + " --activation linear").json["results"]);
    }

    TEST_CASE("sampled numbers have a seed of their own, and sums too large for double leave exact ones alone") {
        TemporaryDirectory const folder;
        std::string const file = folder / "two.csv";
        write_file(file, "x1,y1\n1,1\n-2,0\n");
        std::string const query = "2,3,1 --samples 50 --gradient random --activation crelu --data " + file;
        auto const decimal = [&](std::string const& more) {
            return asked(query + more).result("curvature", {1})["decimal"].get<std::string>();
        };
        CHECK(decimal(" --seed 1") == decimal(""));
        CHECK(decimal(" --seed 2") != decimal(""));
        auto const deep =
            asked("2,8:1500,1 --gradient random --activation crelu-tied --variance 1/3 --samples 10 --data " + file);
        CHECK(deep.result("slope", {1})["decimal"].is_string());
        CHECK(deep.result("curvature", {1})["form"].get<std::string>().find("range of double") != std::string::npos);
    }

    TEST_CASE("several networks, and one of given weights") {
        JsonAnswer const two = asked("2,10:3,1 2,20:3,1 --activation linear --samples 0" + cos_random);
        CHECK(value(two, "vertex_rate", 2) < value(two, "vertex_rate", 1));
        CHECK_FALSE(two.has("transferred_rate", {1}));
        double const carried =
            value(two, "vertex_rate", 1) * value(two, "scaling_factor", 1) / value(two, "scaling_factor", 2);
        CHECK(std::fabs(value(two, "transferred_rate", 2) - carried) < 1e-12);
        CHECK(std::fabs(value(two, "transfer_ratio", 2) - carried / value(two, "vertex_rate", 2)) < 1e-12);
        TemporaryDirectory const directory;
        std::string const net = directory / "net.json";
        write_file(net, R"({"activation": "linear", "layers": [{"weights": [[2, 1]]}]})");
        std::string const data = directory / "data.csv";
        write_file(data, "x1,y1\n1,1\n");
        // z = 3 at x = (1, 1), g = 2 (z - y) = 4, |grad|^2 = 16 * 2, L'' = 2 |x|^4 g^2 = 2 * 4 * 16.
        JsonAnswer const given = asked("--weights " + net + " --data " + data + " --gradient random --printed");
        CHECK(value(given, "loss") == 4);
        CHECK(value(given, "slope") == -32);
        CHECK(value(given, "curvature") == 128);
        CHECK(value(given, "vertex_rate") == 0.25);
        CHECK(value(given, "vertex_rate_printed") == 0.125);
    }

    // 10^9 networks of 12,480 weights at the 16 samples of `cos`: days.
    TEST_CASE("networks that would take days are refused before the first") {
        refused("2,64:4,1" + cos_random + " --samples 1000000000", 3, "networks take");
        JsonAnswer const linear = asked("2,64:4,1" + cos_random + " --activation linear --samples 1000000000");
        CHECK(linear.result("sampled_minimiser", {1})["form"].get<std::string>().find("networks take") !=
              std::string::npos);
        refused("2,64:4,1" + cos_random + " --activation linear --samples 0 --check 1000000000", 3, "--yes");
    }

    TEST_CASE("what is wrong is named") {
        TemporaryDirectory const directory;
        std::string const file = directory / "data.csv";
        auto const with = [&](std::string const& content) {
            write_file(file, content);
            return " --gradient random --data " + file;
        };
        refused("2,3,1 --data cos", 2, "--gradient is missing");
        refused("2,3,1 --gradient random", 2, "--data is missing");
        refused("2,3,1 --data cos --gradient maybe", 2, "choose fixed or random");
        refused("2,3,1 --data cos --gradient random --loss hinge", 2, "choose squared");
        refused("3,3,1 --data cos --gradient random", 2, "WIDTHS");
        refused("2,3,1 --data cos --gradient random --at-output 1", 2, "--at-output");
        refused("2,3,1 --data cos --gradient random --head activation", 3, "linear head");
        refused("2,n,1 --data cos --gradient random", 3, "--activation linear");
        refused("2,3,1" + with(""), 2, "data.csv");
        refused("2,3,1" + with("x1,y1\n1\n"), 2, "line 2");
        refused("2,3,1" + with("x1,y1\n1,a\n"), 2, "line 2, column 2");
        refused("2,3,1" + with("x1,y1\n1,nan\n"), 2, "line 2, column 2");
        refused("2,3,1" + with("x1,x3,y1\n1,2,3\n"), 2, "line 1");
        refused("2,3,1" + with("x1\n1\n"), 2, "y1");
        refused("2,3,1 --standardize" + with("# one\nx1,y1\n1,2\n"), 2, "data.csv', line 3: the only sample");
        refused("2,3,1" + with("x1,y1\n"), 2, "data.csv', line 1: ");
        refused("2,3,1 --standardize" + with("x1,y1\n1,2\n1,3\n"), 2, "x1");
        refused("2,3,2 --loss cross-entropy" + with("x1,y1,y2\n1,1,1\n"), 2, "line 2");
        refused("2,3,1 --plot curve.bmp --samples 10" + with("x1,y1\n1,2\n"), 2, "--plot");
    }
}
