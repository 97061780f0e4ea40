// SPDX-License-Identifier: MIT
// loss-curve along the gradient of a mini-batch, from outside.
#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include <isserlis/ring/rational.hpp>

#include "json_answer.hpp"
#include "refusal.hpp"

using namespace isserlis::test;

namespace {

/// Four samples, of which NumPy enumerated all batches.
struct FourSamples {
    TemporaryDirectory folder;
    std::string file = folder / "four.csv";
    FourSamples() { write_file(file, "x1,y1\n1/2,1\n-1,1/4\n3/2,-2\n1,1\n"); }
    [[nodiscard]] std::string question(std::string const& net, std::string const& more) const {
        return "loss-curve " + net + " --data " + file + " --gradient random " + more;
    }
    [[nodiscard]] JsonAnswer linear(std::string const& net, std::string const& more) const {
        return ask(question(net, "--activation linear --samples 0 " + more));
    }
};

}  // namespace

TEST_SUITE("cli/batch") {
    // Means over all batches and 300,000 networks of NumPy, weights of variance 1/fan_in: curvature_chi 1019.9(5.7),
    // 607.6(4.4), 462.5(3.7), 394.7(3.4) and curvature_gamma 196.1(1.7), 133.9(1.4), 110.2(1.2), 99.9(1.1) of 2,3,1.
    TEST_CASE("curvatures are those of all batches, enumerated; loss and slope are those of all samples") {
        FourSamples const data;
        std::vector<double> const chi{1019.9, 607.6, 462.5, 394.7};
        std::vector<double> const chi_error{5.7, 4.4, 3.7, 3.4};
        std::vector<double> const gamma{196.1, 133.9, 110.2, 99.9};
        std::vector<double> const gamma_error{1.7, 1.4, 1.2, 1.1};
        auto const whole = data.linear("2,3,1", "");
        for (std::size_t b = 0; b < 4; ++b) {
            auto const answer = data.linear("2,3,1", "--batch " + std::to_string(b + 1));
            CHECK(std::abs(answer.number("curvature_chi", Json{1}) - chi[b]) < 4 * chi_error[b]);
            CHECK(std::abs(answer.number("curvature_gamma", Json{1}) - gamma[b]) < 4 * gamma_error[b]);
            for (char const* name : {"loss", "slope"}) CHECK(answer.exact(name, Json{1}) == whole.exact(name, Json{1}));
            CHECK(answer.text_of("assumptions").find("drawn without replacement") != std::string::npos);
        }
        CHECK(data.linear("2,3,1", "--batch 4").json["results"] == whole.json["results"]);
    }

    // Two draws from B with replacement are one sample with probability 1/B: that share of the curvature of single samples.
    TEST_CASE("with replacement, between a batch of one and all samples") {
        FourSamples const data;
        TemporaryDirectory const folder;
        std::string const products = folder / "four.json";
        write_file(products,
                   R"({"inputs": {"a": ["1/2", 1], "b": [-1, 1], "c": ["3/2", 1], "d": [1, 1]}, "targets":
                       [[1, "1/4", -2, 1], ["1/4", "1/16", "-1/2", "1/4"], [-2, "-1/2", 4, -2], [1, "1/4", -2, 1]]})");
        std::string const by_data = " --gradient random --activation linear --data " + data.file;
        for (std::string const& line :
             {"loss-curve 2,3,3,1 --samples 0" + by_data, "loss-curve 2,3,1 --bias-variance 1/2" + by_data,
              "loss-curve 2,2:2,1 --network resnet:1 --projections" + by_data,
              "loss-curve 2,3,1 --activation linear --with " + products}) {
            CAPTURE(line);
            auto const curvature = [&](std::string const& more) {
                return isserlis::parse_rational(ask(line + more).exact("curvature", Json{1}), "curvature");
            };
            auto const whole = curvature("");
            auto const one = curvature(" --batch 1");
            CHECK(curvature(" --batch 1 --replacement") == one);
            for (int const b : {2, 4, 9}) {
                auto const share = isserlis::ratio(1, b);
                auto const answer = ask(line + " --replacement --batch " + std::to_string(b));
                CHECK(isserlis::parse_rational(answer.exact("curvature", Json{1}), "curvature") ==
                      share * one + (1 - share) * whole);
                CHECK(answer.text_of("assumptions").find("samples, drawn from all with replacement") !=
                      std::string::npos);
                for (char const* name : {"loss", "slope"})
                    CHECK(answer.exact(name, Json{1}) == ask(line).exact(name, Json{1}));
            }
        }
        CHECK(ask(data.question("2,n,1", "--activation linear --batch 1 --replacement")).exact("curvature", Json{1}) ==
              ask(data.question("2,n,1", "--activation linear --batch 1")).exact("curvature", Json{1}));
    }

    TEST_CASE("symbolic widths and depths are the numbers of each") {
        FourSamples const data;
        auto const number = data.linear("2,3,3,1", "--batch 3").exact("curvature", Json{1});
        CHECK(data.linear("2,n,n,1", "--batch 3 --set n=3").exact("curvature", Json{1}) == number);
        std::string const formula =
            ask(data.question("2,n,1", "--activation linear --batch 2")).exact("curvature", Json{1});
        CHECK(formula == "(14399*n^4 + 127373*n^3 + 399876*n^2 + 570136*n + 242560)/(1536*n^2)");
    }

    // By cos(angle) the targets are transcendental: digits are certified, and drawn batches agree.
    TEST_CASE("sampled networks draw a batch each") {
        FourSamples const data;
        for (auto const& line :
             {data.question("2,3,1", "--activation linear --batch 1 --check 20000"),
              data.question("2,3,1", "--activation linear --batch 2 --replacement --check 20000"),
              data.question("2,3,1", "--activation linear --bias-variance 1 --batch 5 --replacement --check 20000"),
              std::string(
                  "loss-curve 2,4,1 --data cos --gradient random --activation linear --batch 3 --check 20000")}) {
            auto const answer = ask(line);
            for (char const* name : {"loss", "slope", "curvature"})
                CHECK(answer.result(name, Json{1}).at("check").at("verdict") != "disagrees");
            for (char const* name : {"curvature_chi", "curvature_gamma"}) {
                Json const check = answer.result(name, Json{1}).at("check");
                if (check.is_object()) CHECK(check.at("verdict") != "disagrees");
            }
        }
        // Through gates the curvature is sampled, and larger than that of all samples; slopes of tied weights are not.
        auto const tied = data.question("2,3,1", "--activation crelu-tied --samples 4000");
        auto const batch = ask(tied + " --batch 1");
        auto const whole = ask(tied);
        CHECK(batch.number("slope", Json{1}) == whole.number("slope", Json{1}));
        CHECK(batch.number("curvature", Json{1}) > 1.3 * whole.number("curvature", Json{1}));
    }

    TEST_CASE("what is not served is refused by name") {
        FourSamples const data;
        refuses(data.question("2,3,1", "--batch 5"), "--batch = 5; ");
        refuses(data.question("2,3,1", "--batch 0"), "--batch");
        refuses(data.question("2,3,1", "--replacement"), "--replacement");
        refuses(data.question("2,3,1", "--replacement --batch 2000000"), "--batch = 2000000; up to 1000000", 3);
        refuses("loss-curve 2,3,1 --data cos --gradient fixed --batch 2", "--batch: the step of --gradient fixed", 3);
        refuses("loss-curve 2,3,1 --input 1,2 --batch 2", "--batch");
        refuses("loss-curve 2,n,1 --data cos --gradient random --activation linear --batch 2", "--batch", 3);
        refuses("loss-curve --weights net.json --data cos --gradient random --batch 2", "--batch");
    }
}
