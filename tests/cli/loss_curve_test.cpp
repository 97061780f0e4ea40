// SPDX-License-Identifier: MIT
// loss-curve: what is exact, what is sampled, and what is refused.
#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "json_answer.hpp"

using namespace isserlis::test;

namespace {

std::string const cos_random = " --data cos --gradient random --scheme proportional";

double value(JsonAnswer const& answer, std::string const& name, int k = 1) {
    return std::stod(answer.result(name, {k})["decimal"].get<std::string>());
}

JsonAnswer asked(std::string const& rest) { return ask("loss-curve " + rest); }

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
            CAPTURE(line);
            JsonAnswer const answer = asked(line + " --check 40000 --seed 3");
            std::size_t checked = 0;
            for (auto const& r : answer.json["results"]) {
                if (r["check"].is_null()) continue;
                CAPTURE(r.dump());
                CHECK(r["check"]["verdict"] != "disagrees");
                ++checked;
            }
            CHECK(checked >= 1);
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
        auto const wide = asked("2,1000000000000,1 --data cos --gradient random --activation linear");
        CHECK(wide.result("slope", {1})["exact"].is_string());
        CHECK(wide.result("sampled_minimiser", {1})["decimal"].is_null());
        std::string widths = "2";
        for (int l = 0; l < 3000; ++l) widths += "," + std::to_string(2 + l * 7 % 97);
        auto const deep = asked(widths + ",1 --activation linear --samples 0" + cos_random);
        for (auto const& r : deep.json["results"]) {
            CAPTURE(r.dump());
            bool const finite = r["decimal"].is_null() || std::isfinite(std::stold(r["decimal"].get<std::string>()));
            CHECK(finite);
        }
    }

    TEST_CASE("several networks, and one of given weights") {
        JsonAnswer const two = asked("2,10:3,1 2,20:3,1 --activation linear --samples 0" + cos_random);
        CHECK(value(two, "vertex_rate", 2) < value(two, "vertex_rate", 1));
        TemporaryDirectory const directory;
        std::string const net = directory / "net.json";
        write_file(net, R"({"activation": "linear", "layers": [{"weights": [[2, 1]]}]})");
        std::string const data = directory / "data.csv";
        write_file(data, "x1,y1\n1,1\n");
        // z = 3 at x = (1, 1), g = 2 (z - y) = 4, |grad|^2 = 16 * 2, L'' = 2 |x|^4 g^2 = 2 * 4 * 16.
        JsonAnswer const given = asked("--weights " + net + " --data " + data + " --gradient random");
        CHECK(value(given, "loss") == 4);
        CHECK(value(given, "slope") == -32);
        CHECK(value(given, "curvature") == 128);
        CHECK(value(given, "vertex_rate") == 0.25);
        CHECK(value(given, "vertex_rate_printed") == 0.125);
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
        refused("2,3,1 --data cos --gradient random --loss hinge", 2, "known are squared");
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
        refused("2,3,1 --standardize" + with("x1,y1\n1,2\n"), 2, "at least 2");
        refused("2,3,1 --standardize" + with("x1,y1\n1,2\n1,3\n"), 2, "x1");
        refused("2,3,2 --loss cross-entropy" + with("x1,y1,y2\n1,1,1\n"), 2, "line 2");
        refused("2,3,1 --plot curve.bmp --samples 10" + with("x1,y1\n1,2\n"), 2, "--plot");
    }
}
