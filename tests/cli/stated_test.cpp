// SPDX-License-Identifier: MIT
// What a number speaks of is said beside it: which output, which law, what multiplies, what is left out.
#include <doctest/doctest.h>

#include <string>

#include "json_answer.hpp"
#include "program.hpp"
#include "refusal.hpp"

using namespace isserlis::test;

TEST_SUITE("cli/stated") {
    TEST_CASE("the output of a network file whose last node has an activation is its pre-activation") {
        TemporaryDirectory const folder;
        auto const file = [&](std::string const& name, std::string const& last) {
            write_file(folder / name,
                       R"({"nodes": [{"name": "x", "width": 2}, {"name": "a", "width": 2, "activation": "relu"},)"
                       R"( {"name": "o", "width": 2)" +
                           last +
                           R"(}], "edges": [{"from": "x", "to": "a"}, {"from": "a", "to": "o", "variance": "1/2"}]})");
            return " --network " + (folder / name) + " --input 1,2";
        };
        std::string const gated = file("gated.json", R"(, "activation": "relu")");
        std::string const linear = file("linear.json", "");
        std::string const said = "the output z is the pre-activation of o, before its own activation";
        for (std::string const command : {"ntk", "hessian", "jacobian", "coord-check", "mup", "loss-curve"}) {
            CAPTURE(command);
            CHECK(ask(command + gated).text_of("assumptions").find(said) != std::string::npos);
            CHECK(ask(command + linear).text_of("assumptions").find(said) == std::string::npos);
        }
        CHECK(ask("expect loss" + gated).text_of("assumptions").find(said) != std::string::npos);
        // E z_1^2 = 1/2 E |relu(a)|^2 = 1/2 * 2 * 5/2 over both entries of a, E a^2 = |x|^2 = 5, and half of it beyond a gate.
        CHECK(ask("expect z[1]^2" + gated).exact("value") == "5/2");
        CHECK(ask("expect h{o}[1]^2" + gated).exact("value") == "5/4");
        CHECK(ask("jacobian" + gated).exact("output_mean") == "5");
    }

    // z = V relu(W x), x = (1, 1), entries of W of variance 1, of V 1/2: by V 3 E|h|^2 = 3 * 2, by W 2 * 1/2 * 1/2 * |x|^2.
    TEST_CASE("the label factors of a network file multiply pairs of derivatives") {
        TemporaryDirectory const folder;
        write_file(folder / "net.json",
                   R"({"nodes": [{"name": "x", "width": 2}, {"name": "a", "width": 2, "activation": "relu"},)"
                   R"( {"name": "o", "width": 1}], "edges": [{"from": "x", "to": "a"},)"
                   R"( {"from": "a", "to": "o", "label_factor": 3}]})");
        auto const answer = ask("expect z[;m]^2 --input 1,1 --network " + (folder / "net.json"));
        CHECK(answer.exact("value") == "7");
        CHECK(answer.text_of("assumptions").find("times the label factors of the file") != std::string::npos);
    }

    TEST_CASE("laws, penalties and gates") {
        auto const says = [](std::string const& line, std::string const& part) {
            CAPTURE(line);
            CHECK(ask(line).text_of("assumptions").find(part) != std::string::npos);
        };
        says("transfer 3,4,1 3,8,1", "independent Gaussian weights");
        says("normalised 2,3,1", "independent Gaussian weights");
        // Of x = (1, 1) E h^2 = 1 where E z^2 = 2; the mean of h is not 0.
        says("init 2,3,1 --head activation", "of a gated head the mean square of the output");
        says("jacobian 2,3,2 --wrt input --activation crelu", "one-sided derivatives by coordinates of x that are 0");
        std::string const one_epoch = "train 2,3,1 --data cos --rate 1/50 --epochs 1";
        says(one_epoch + " --l2 1/10", "for its gradients, not in what is printed of the loss and of its Hessian");
        says(one_epoch + " --activation prelu", "whose slopes are trained from 0.25");
    }

    TEST_CASE("what is not served is refused by name") {
        refuses("transfer 3,4:2,2 3,5:3,2 --activation crelu --check 100", "--check: steps of relu, leaky and linear",
                3);
        refuses("claim z^2=1 --network net.json", "--network: claims are tried at widths", 3);
        CHECK(ask("norm 2:3 --network resnet:2 --law laplace --input 1,2")
                  .result("squared_norm_kurtosis", Json::array({2}))["form"] ==
              "of Gaussian weights, with --order 4 and higher");
    }
}
