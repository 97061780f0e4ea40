// SPDX-License-Identifier: MIT
// --scheme ntk, one parametrisation in every command: W = sqrt(c/fan_in) theta, derivatives by theta.
#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "json_answer.hpp"

using namespace isserlis::test;

namespace {

/// Names, indices and exact values, in order.
std::vector<std::string> values(JsonAnswer const& answer) {
    std::vector<std::string> out;
    for (auto const& r : answer.json.at("results"))
        out.push_back(r.at("name").get<std::string>() + r.at("index").dump() + r.at("exact").dump());
    return out;
}

double value_of(std::string const& query, std::string const& rest) {
    auto line = words("expect EXPR " + rest);
    line[1] = query;
    return ask(line).number("value");
}

/// 3,5,4,2 under ntk has the variances 1/3, 1/5, 1/4; the same network by its entries, each pair of derivatives
/// weighted by these.
std::string const by_theta = " --scheme ntk";
std::string by_entries(std::string const& factors) { return " --variance 1/3,1/5,1/4 --label-factor " + factors; }

/// One sample (1, 2, 1), the last entry constant, with the target (1, -1), |y|^2 = 2.
std::string one_sample(TemporaryDirectory const& folder) {
    std::string const file = folder / "one.csv";
    write_file(file, "x1,x2,y1,y2\n1,2,1,-1\n");
    return file;
}

}  // namespace

TEST_SUITE("cli/parametrisation") {
    // 2,2,1, |x|^2 = 2: f = sum_j v_j relu(g_j)/sqrt(2), g_j = u_j.x/sqrt(2) standard normal, so that
    // K = 1/2 sum_j 1(g_j > 0) (g_j^2 + v_j^2); E K = 1/2 * 2 * 1/2 * 2 = 1 and, with E (g^2 + v^2)^2 = 3 + 2 + 3,
    // E K^2 = 1/4 (2 * 1/2 * 8 + 2 * (1/2 * 2)^2) = 5/2.
    // 4,8,8,1, |x|^2 = 4: each of three layers gives |x|^2/4 through two halving gates, 1/4; 200,000 networks of
    // unit normals, differentiated by them in numpy, have E K = 0.751(2), E K^2 = 1.130(6).
    TEST_CASE("the kernel by hand") {
        auto const small = ask("ntk 2,2,1 --scheme ntk --input-squared-norm 2");
        CHECK(small.exact("ntk_mean") == "1");
        CHECK(small.exact("ntk_second_moment") == "5/2");
        auto const answer = ask("ntk 4,8,8,1 --scheme ntk --input-squared-norm 4");
        CHECK(answer.exact("ntk_mean") == "3/4");
        CHECK(answer.exact("ntk_second_moment") == "1153/1024");
        CHECK(answer.text_of("assumptions").find("label factors 1: derivatives by theta") != std::string::npos);
        CHECK(answer.text_of("assumptions").find("plain derivatives") == std::string::npos);
        CHECK(ask("ntk 4,8,8,1 --scheme standard --input-squared-norm 4").exact("ntk_mean") == "5");
    }

    // E|d theta_l|^2 is one number for all layers, E|theta_l|^2 the number of entries: ratios d_1 d_0/(d_l d_(l-1)).
    TEST_CASE("the first step of theta relative to theta") {
        CHECK(ask("init 4,8,2 --scheme ntk").exact("update_ratio", Json{2}) == "2");
        auto const answer = ask("init 3,5,4,2 --scheme ntk --check 20000");
        CHECK(answer.exact("update_ratio", Json{1}) == "1");
        CHECK(answer.exact("update_ratio", Json{2}) == "3/4");
        CHECK(answer.exact("update_ratio", Json{3}) == "15/8");
        CHECK(answer.result("update_ratio", Json{3})["check"]["verdict"] == "agrees");
        CHECK(ask("init n0,n:L,1 --scheme ntk").exact("update_ratio", {"l"}) == "n0/n");
        auto const report = ask("report 3,5,4,2 --scheme ntk");
        for (int layer = 1; layer <= 3; ++layer)
            CHECK(report.exact("update_ratio", Json{layer}) == answer.exact("update_ratio", Json{layer}));
    }

    TEST_CASE("it is the network by its entries with its variances as label factors") {
        std::string const net = " 3,5,4,2 --input-squared-norm 6";
        for (std::string const command : {"ntk", "hessian"}) {
            INFO(command);
            auto const theta = values(ask(command + net + by_theta));
            CHECK(theta == values(ask(command + net + by_entries("1/3,1/5,1/4"))));
            CHECK(theta != values(ask(command + net + " --scheme standard")));
            CHECK(values(ask(command + net + by_theta + " --label-factor 2,3,5")) ==
                  values(ask(command + net + by_entries("2/3,3/5,5/4"))));
            CHECK(values(ask(command + net + by_theta + " --effective --eta-squared 2,3,5")) ==
                  values(ask(command + net + by_entries("2/9,3/25,5/16"))));
        }
        for (std::string const command : {"ntk", "hessian"}) {
            std::string const deep = command + " n0,n:L,1 --input-squared-norm n0";
            CHECK(values(ask(deep + by_theta)) == values(ask(deep + " --scheme xavier --effective")));
        }
        CHECK(values(ask("ntk 3,5,4,2 --scheme ntk --bias-label-factor 7")) ==
              values(ask("ntk 3,5,4,2 --bias-label-factor 7" + by_entries("1/3,1/5,1/4"))));
    }

    TEST_CASE("so it is in any observable and wiring") {
        std::vector<std::string> const queries{"z[i;m]^2", "(D[m,n] loss)^2", "z[i;m]^2 where m in 2",
                                               "z{2}[i;m] D[m] loss z{2}[i]"};
        for (auto const& query : queries) {
            INFO(query);
            double const theta = value_of(query, "3,5,4,2" + by_theta);
            CHECK(theta == doctest::Approx(value_of(query, "3,5,4,2" + by_entries("1/3,1/5,1/4"))));
            CHECK(theta != doctest::Approx(value_of(query, "3,5,4,2 --scheme standard")));
        }
        // A branch: 4 -> 4 -> 4; a dense layer k meets 4 k neurons.
        for (auto const& [net, entries] : std::vector<std::pair<std::string, std::string>>{
                 {"4:3 --network resnet:2", "--variance 1/4 --label-factor 1/4"},
                 {"4:3 --network resnet:2 --label-factor 2,3", "--variance 1/4 --label-factor 1/2,3/4"},
                 {"4:3 --network densenet", "--variance 1/4,1/8 --label-factor 1/4,1/8"},
                 {"4:3 --network densenet --label-factor 2,3", "--variance 1/4,1/8 --label-factor 1/2,3/8"},
                 {"4,4,4 --activation crelu-tied", "--variance 1/4 --label-factor 1/4"}}) {
            INFO(net);
            std::string const plain = net.substr(0, net.find(" --label"));
            CHECK(value_of("z[i;m]^2", net + by_theta) == doctest::Approx(value_of("z[i;m]^2", plain + " " + entries)));
            auto line = words("expect EXPR " + net + by_theta + " --check 4000 --input 1,2,-1,1/2");
            line[1] = "z[i;m]^2";
            CHECK(ask(line).result("value")["check"]["verdict"] != "disagrees");
        }
    }

    TEST_CASE("Jacobians of the weight matrices and gradients are by theta, dy/dx is dy/dx") {
        std::string const net = "3,5,4,2 --input-squared-norm 6";
        auto const theta = ask("jacobian " + net + by_theta);
        auto const entries = ask("jacobian " + net + " --scheme standard");
        std::vector<double> const variances{1.0 / 3, 1.0 / 5, 1.0 / 4};
        for (std::size_t k = 1; k <= 3; ++k) {
            Json const at{k};
            std::string const where = " where m in " + std::to_string(k);
            std::string const labels = net + by_entries("1/3,1/5,1/4");
            CHECK(theta.number("jacobian_mean", at) == doctest::Approx(value_of("z[i;m]^2" + where, labels)));
            CHECK(theta.number("jacobian_second_moment", at) ==
                  doctest::Approx(value_of("(z[i;m]^2)^2" + where, labels)));
            CHECK(theta.number("gradient_squared_mean", at) ==
                  doctest::Approx(value_of("(D[m] loss)^2" + where, labels)));
            CHECK(theta.exact("jacobian_mean", at) == "1");  // 2 |x|^2/3 through two halving gates
            double const v = variances[k - 1];
            for (std::string const bound : {"variance_lower", "variance_upper"})
                CHECK(theta.number(bound, at) == doctest::Approx(v * v * entries.number(bound, at)));
            CHECK(theta.number("gradient_squared_upper", at) ==
                  doctest::Approx(v * entries.number("gradient_squared_upper", at)));
            CHECK(theta.exact("relative_variance", at) == entries.exact("relative_variance", at));
            CHECK(theta.exact("reduced_output_mean", at) == entries.exact("reduced_output_mean", at));
        }
        CHECK(values(ask("jacobian " + net + " --wrt input" + by_theta)) ==
              values(ask("jacobian " + net + " --wrt input --scheme standard")));
        CHECK(theta.text_of("assumptions").find("dy/dtheta") != std::string::npos);
    }

    TEST_CASE("alpha is in the scale, blocks, parts and solutions are by theta") {
        // Variance alpha/4: a derivative by theta has the root of that.
        CHECK(ask("jacobian 4,4,1 --alpha 3 --layer 2" + by_theta).number("jacobian_mean", Json{2}) ==
              doctest::Approx(
                  3.0 / 4 *
                  ask("jacobian 4,4,1 --alpha 3 --layer 2 --scheme standard").number("jacobian_mean", Json{2})));
        for (std::string const line : {"jacobian 4:3 --network densenet --block", "jacobian 4:3 --network resnet:2",
                                       "jacobian 4,4,4 --activation crelu --part P --input 1,2,-1,1/2"}) {
            INFO(line);
            auto const theta = ask(line + by_theta);
            auto const entries = ask(line + " --scheme standard");
            for (auto const& index : theta.indices("jacobian_mean")) {
                double const v = line.find("densenet") == std::string::npos || index[0] == 1 ? 1.0 / 4 : 1.0 / 8;
                CHECK(theta.number("jacobian_mean", index) ==
                      doctest::Approx(v * entries.number("jacobian_mean", index)));
                CHECK(theta.number("jacobian_second_moment", index) ==
                      doctest::Approx(v * v * entries.number("jacobian_second_moment", index)));
            }
        }
        // 1,1,1, |x|^2 = 1: by theta of the last layer alpha * E relu(w x)^2 = alpha^2/2.
        CHECK(ask("jacobian 1,1,1 --layer 2 --solve alpha --of jacobian_mean --target 1/2" + by_theta)
                  .exact("solved_alpha") == "1");
        CHECK(ask("jacobian 1,1,1 --layer 2 --solve alpha --of jacobian_mean --target 2" + by_theta)
                  .exact("solved_alpha") == "2");
    }

    TEST_CASE("a step of theta: slope, curvature and vertex of the loss") {
        TemporaryDirectory const folder;
        std::string const loss =
            " --data " + one_sample(folder) + " --loss half-squared --gradient random --samples 0 --printed";
        std::string const given = " --input 1,2,1 --target-second-moment 2";
        for (std::string const activation : {"linear", "relu"}) {
            INFO(activation);
            std::string const net = "3,4,3,2 --activation " + activation;
            auto const theta = ask("loss-curve " + net + loss + by_theta);
            double const slope = -value_of("(D[m] loss)^2", net + given + by_theta);
            double const curvature = value_of("D[m] loss D[n] loss D[m,n] loss", net + given + by_theta);
            CHECK(theta.number("slope", Json{1}) == doctest::Approx(slope));
            CHECK(theta.number("curvature", Json{1}) == doctest::Approx(curvature));
            CHECK(theta.number("vertex_rate", Json{1}) == doctest::Approx(-slope / curvature));
            CHECK(theta.result("slope_printed", Json{1})["exact"].is_null());
            CHECK(ask("loss-curve " + net + loss + " --scheme standard").number("slope", Json{1}) !=
                  doctest::Approx(slope));
        }
    }

    // 1,1 linear, x = 1, fixed gradient 1 and Hessian 1: f = theta x, slope -1, curvature 1 whatever the scale is; with
    // 4 inputs, x = (0, 0, 0, 1), the last one constant: f = theta_4/2, slope -1/4, curvature 1/16.
    TEST_CASE("fixed gradients by hand, and a symmetric concatenated ReLU") {
        TemporaryDirectory const folder;
        std::string const file = folder / "fixed.csv";
        write_file(file, "x1,x2,x3,y1\n0,0,0,-1\n");
        std::string const loss =
            " --data " + file + " --loss half-squared --gradient fixed --samples 0 --scheme ntk --printed";
        auto const linear = ask("loss-curve 4,1 --activation linear" + loss);
        CHECK(linear.exact("slope", Json{1}) == "-1/4");
        CHECK(linear.exact("curvature", Json{1}) == "1/16");
        CHECK(linear.exact("slope_printed", Json{1}) == "null");
        write_file(file, "x1,x2,y1,y2\n1,2,1,-1\n-1,1/2,0,2\n1/2,-1,3,1\n");
        for (std::string const mode : {"fixed", "random"}) {
            auto const tied = ask("loss-curve 3,4,2 --activation crelu-tied --data " + file + " --gradient " + mode +
                                  " --scheme ntk --check 20000 --samples 2000");
            CHECK(tied.result("slope", Json{1})["check"]["verdict"] == "agrees");
            if (mode == "fixed") CHECK(tied.result("curvature", Json{1})["check"]["verdict"] == "agrees");
        }
    }

    TEST_CASE("coordinates before and after a step of theta, or of any scheme") {
        std::string const change = "(z{1}[1;m] D[m] loss)^2";
        for (std::string const scheme : {" --scheme ntk", " --scheme he", " --variance 1/3,1/5,2"}) {
            INFO(scheme);
            std::string const net = "3,4,2,2 --input 1,2,-1 --target-second-moment 3" + scheme;
            auto const answer = ask("coord-check " + net + " --eta 1/2 --check 20000");
            std::string const rates = " --label-factor 1/2";
            double const rms = answer.number("change_rms", Json{1, 4});
            CHECK(rms * rms == doctest::Approx(value_of(change, net + rates)));
            double const output = answer.number("change_rms", Json{3, 2});
            CHECK(output * output ==
                  doctest::Approx(value_of("(z[1;m] D[m] loss)^2/2 + (z[2;m] D[m] loss)^2/2", net + rates)));
            CHECK(answer.number("change_covariance", Json{2, 2}) ==
                  doctest::Approx(-value_of("z{2}[1] z{2}[1;m] D[m] loss", net + rates)));
            double const std = answer.number("preactivation_std", Json{3, 2});
            CHECK(std * std == doctest::Approx(value_of("z[1]^2", net)));
            for (auto const& r : answer.json.at("results")) {
                INFO(r.dump());
                if (r.contains("check") && !r["check"].is_null()) CHECK(r["check"]["verdict"] == "agrees");
            }
        }
    }

    TEST_CASE("the sampled leg draws theta and agrees") {
        for (std::string const line :
             {"ntk 3,5,4,2 --input 1,2,-1 --scheme ntk --check 20000",
              "ntk 3,4,2 --input 1,2,-1 --scheme ntk --effective --eta-squared 2,3 --check 20000",
              "hessian 3,4,2 --input 1,2,-1 --scheme ntk --check 20000",
              "hessian 3,3,3,2 --input 1,2,-1 --scheme ntk --label-factor 1,2,3 --check 20000",
              "jacobian 3,5,4,2 --input 1,2,-1 --scheme ntk --check 20000",
              "jacobian 3,4,2 --activation crelu --part P --input 1,2,-1 --scheme ntk --check 20000",
              "jacobian 3,4,2 --activation crelu-tied --part P --input 1,2,-1 --check 20000",
              "jacobian 3:3 --network densenet --block --scheme ntk --alpha 2 --check 20000",
              "jacobian 3,4,2 --wrt input --scheme ntk --check 20000"}) {
            auto const run = run_program(words(line + " --format json"), {.seconds = 60});
            INFO(line, " ", run.err);
            CHECK(run.code == 0);
            std::size_t sampled = 0;
            Json const answer = Json::parse(run.out);
            for (auto const& r : answer.at("results")) {
                if (!r.contains("check") || r["check"].is_null()) continue;
                INFO(r.dump());
                CHECK(r["check"]["verdict"] != "disagrees");
                sampled += r["check"]["verdict"] == "agrees" ? 1U : 0U;
            }
            CHECK(sampled >= 2);
        }
    }

    TEST_CASE("emitted tests draw theta, scale it in the network and differentiate by it") {
        for (std::string const command : {"ntk", "hessian"}) {
            auto const run = run_program(words(command + " 4,4,1 --scheme ntk --emit-test pytorch"));
            CHECK(run.code == 0);
            CHECK(run.out.find("VARIANCES = [1.0, 1.0]") != std::string::npos);
            CHECK(run.out.find("SCALES = [0.5, 0.5]") != std::string::npos);
            CHECK(run.out.find("FACTORS = [1.0, 1.0]") != std::string::npos);
            auto const plain = run_program(words(command + " 4,4,1 --scheme standard --emit-test cpp"));
            CHECK(plain.out.find("variances{0.25, 0.25}") != std::string::npos);
            CHECK(plain.out.find("scales{1.0, 1.0}") != std::string::npos);
        }
    }
}
