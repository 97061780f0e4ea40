// SPDX-License-Identifier: MIT
// --emit-test from outside: values of the files, refusals. tests/emit runs what it writes.
#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "json_answer.hpp"
#include "refusal.hpp"

using namespace isserlis::test;

TEST_SUITE("cli/emit_test") {
    // One hidden layer of one neuron, weights w, v of variance 2, x = 1: K = 1(w > 0) (w^2 + v^2), so that
    // E K = 1/2 (2 + 2) = 2 and E K^2 = 1/2 (12 + 8 + 12) = 16: the deviation of K is sqrt(16 - 4).
    TEST_CASE("an emitted test has the exact mean and the exact standard deviation") {
        for (std::string const language : {"pytorch", "jax", "cpp"}) {
            auto const run = run_program(words("ntk 1,1,1 --emit-test " + language));
            CHECK(run.code == 0);
            std::string const before = "\"ntk_mean\", 2.0, ";
            auto const at = run.out.find(before);
            REQUIRE(at != std::string::npos);
            CHECK(std::stod(run.out.substr(at + before.size())) == doctest::Approx(std::sqrt(12.0)));
            CHECK(run.out.find("the deviation is sampled") == std::string::npos);
        }
    }

    TEST_CASE("what was asked is in the head of the file, and the number of networks too") {
        auto const run = run_program(words("mup 2,3,1 --eta 1/2 --emit-test pytorch --emit-samples 7777"));
        CHECK(run.code == 0);
        CHECK(run.out.find("isserlis mup 2,3,1") != std::string::npos);
        CHECK(run.out.find("SAMPLES = 7777\n") != std::string::npos);
        CHECK(run.out.find("FACTORS = [0.5, 0.5]") != std::string::npos);
        CHECK(run.out.find("\"mup_change_squared[1]\"") != std::string::npos);
    }

    TEST_CASE("which layers are read behind the activation stands where norms are asked for alone") {
        for (std::string const language : {"pytorch", "jax", "cpp"}) {
            std::string const list = language == "cpp" ? "activated{true, false}" : "ACTIVATED = [True, False]";
            auto const has = [&](std::string const& line) {
                auto const out = run_program(words(line + " --emit-test " + language)).out;
                CHECK(out.find("isserlis " + words(line).front()) != std::string::npos);
                return out.find(list) != std::string::npos;
            };
            CHECK(has("norm 2,3,1"));
            for (char const* other :
                 {"ntk 2,3,1", "hessian 2,3,1", "mup 2,3,1", "jacobian 2,3,1", "expect z^2 2,3,1"}) {
                CAPTURE(other);
                CHECK_FALSE(has(other));
            }
        }
    }

    TEST_CASE("what so few networks cannot confirm is left out and named, or refused") {
        auto const some = run_program(words("ntk 2,10:60,1 --emit-test pytorch --emit-samples 100000"));
        CHECK(some.code == 3);
        auto const run = run_program(words("ntk 2,10:8,1 --emit-test pytorch --emit-samples 1000"));
        CHECK(run.code == 0);
        CHECK(run.out.find("\"ntk_mean\"") != std::string::npos);
        CHECK(run.out.find("# left out: ntk_second_moment, which needs ") != std::string::npos);
        auto const deep = run_program(words("ntk 2,10:600,1 --emit-test cpp"));
        CHECK(deep.code == 3);
        CHECK(deep.err.find("confirm nothing") != std::string::npos);
    }

    // z = N(0, s^2 |W_2 h|..): E z^4 = 80, of deviation 78.67 of its mean: 5 of them over sqrt(2418) are below it, over
    // sqrt(2417) above.
    TEST_CASE("the number of networks that a value needs is enough, and one less is not") {
        std::vector<std::string> const asked{"expect", "z^4", "2,3,1", "--emit-test", "cpp", "--emit-samples"};
        auto const with = [&](char const* samples) {
            auto typed = asked;
            typed.push_back(samples);
            return run_program(typed);
        };
        CHECK(with("2417").err.find("value, which needs 2418 networks") != std::string::npos);
        CHECK(with("2418").code == 0);
    }

    TEST_CASE("no share of an exact 0 is a tolerance") {
        refuses("expect z 2,3,1 --emit-test cpp --emit-tolerance 2%", "the exact value is 0", 3);
        CHECK(run_program(words("expect z 2,3,1 --emit-test cpp --emit-samples 1000")).code == 0);
    }

    // E q = n/n_0 = 5/2 and E q^2/(E q)^2 = 1 + 5/n = 2 for one He ReLU layer of 5: one sample deviates by E q, so that
    // 5 standard errors of N networks are 5/sqrt(N) of it: 2 % at N = 62500.
    TEST_CASE("--emit-tolerance chooses the number of networks, and each value says what its test sees") {
        auto const run = run_program(words("norm 2,5,1 --order 1 --emit-test pytorch --emit-tolerance 2%"));
        CHECK(run.code == 0);
        CHECK(run.out.find("\"squared_norm_mean[1]\", 2.5, 2.5),") != std::string::npos);
        // The output: E z^4/(E z^2)^2 = 3 (1 + 5/5) = 6, deviation sqrt(5).
        CHECK(run.out.find("SAMPLES = 312500\n") != std::string::npos);
        CHECK(run.out.find("# within 2%; off by 4% fails") != std::string::npos);
        auto const many = run_program(words("ntk 2,10:60,1 --emit-test pytorch --emit-tolerance 1/1000"));
        CHECK(many.code == 3);
        CHECK(many.err.find("networks are needed; up to") != std::string::npos);
    }

    TEST_CASE("tests draw from a generator of their own, in batches") {
        for (std::string const line : {"hessian 2,3,1", "ntk 2,3,1", "mup 2,3,1", "norm 2,3,1", "init 2,3,1",
                                       "jacobian 2,3,1", "coord-check 2,3,1"}) {
            auto const run = run_program(words(line + " --emit-test pytorch --emit-samples 100000"));
            CAPTURE(line);
            CAPTURE(run.err);
            CHECK(run.code == 0);
            CHECK(run.out.find("torch.manual_seed") == std::string::npos);
            CHECK(run.out.find("torch.Generator().manual_seed(1)") != std::string::npos);
            CHECK(run.out.find("BATCH = ") != std::string::npos);
        }
    }

    // One layer: |z|^2 of 2,3 with variance 2 and |x|^2 = 1 has the mean 3*2 = 6, E|z|^4 = 4 (9 + 6) = 60.
    TEST_CASE("tests of norms, initialisation, Jacobians and steps have the exact values") {
        auto const norm = run_program(words("norm 2,3 --variance 2 --emit-test cpp --emit-samples 100000"));
        CHECK(norm.out.find("\"squared_norm_mean[1]\", 6.0, 4.89897") != std::string::npos);
        CHECK(norm.out.find("\"squared_norm_moment[1,2]\", 60.0, ") != std::string::npos);
        // Six weights of variance 2: their mean square deviates by 2 sqrt(2/6). E z^2 = 2 |x|^2 = 2*2 at c = 1.
        auto const init = run_program(words("init 2,3 --variance 2 --emit-test cpp --emit-samples 1000"));
        CHECK(init.out.find("\"weight_variance[1]\", 2.0, 1.1547") != std::string::npos);
        CHECK(init.out.find("\"output_variance\", 4.0, ") != std::string::npos);
        // dz_i/dW_ij = x_j: |dz/dW|^2 = 3 |x|^2 for certain.
        auto const jacobian = run_program(words("jacobian 2,3 --variance 2 --emit-test cpp --emit-samples 100000"));
        CHECK(jacobian.out.find("\"jacobian_mean[1]\", 3.0, 0.0}") != std::string::npos);
        CHECK(jacobian.out.find("\"output_mean\", 6.0, 4.89897") != std::string::npos);
        // E z^2 = 2/fan_in |x|^2 = 1 in the first layer of muP.
        auto const steps = run_program(words("coord-check 2,3,1 --emit-test cpp --emit-samples 100000"));
        CHECK(steps.out.find("\"preactivation_square[1]\", 1.0, ") != std::string::npos);
    }

    // E (dz/dm)^2 summed with factors 2 and 3: layer 1 has E|W2|^2 |x|^2 P = 1/2 * 3 * 2/3 = 1, layer 2 has E|h|^2 = 3/2.
    TEST_CASE("observables in C++: tensors of derivatives, contracted as EXPR says, with label factors") {
        auto const run = run_program({"expect", "z[;m]^2 where m in 1..2", "2,3,1", "--label-factor", "2,3",
                                      "--emit-test", "cpp", "--emit-samples", "5000"});
        CHECK(run.code == 0);
        CHECK(run.out.find("product(derivative<'a'>(output{2, false, 1}), derivative<'a'>(output{2, false, 1}))") !=
              std::string::npos);
        CHECK(run.out.find("places{{'a', {1, 2}}}") != std::string::npos);
        CHECK(run.out.find("{0, \"value\", 6.5, ") != std::string::npos);
        auto const large = run_program({"expect", "D[m] (z^2)", "100,100,1", "--emit-test", "cpp"});
        CHECK(large.code == 3);
        CHECK(large.err.find("7071 weights") != std::string::npos);
    }

    TEST_CASE("what --emit-test cannot write it refuses") {
        std::vector<std::pair<std::string, int>> const cases{
            {"hessian 2,3,1 --emit-test rust", 2},
            {"hessian 2,3,1 --emit-samples 5", 2},
            {"hessian 2,3,1 --emit-test cpp --format json", 2},
            {"hessian 2,3,1 --emit-test cpp --check 100", 2},
            {"hessian 2,3,1 --emit-test cpp --emit-samples 1", 2},
            {"hessian 2,3,1 --emit-tolerance 2%", 2},
            {"ntk 2,3,1 --emit-test cpp --emit-tolerance 0%", 2},
            {"ntk 2,3,1 --emit-test cpp --emit-tolerance 200%", 2},
            {"ntk 2,3,1 --emit-test cpp --emit-tolerance x", 2},
            {"ntk 2,3,1 --emit-test cpp --emit-tolerance 9% "
             "--emit-samples 10",
             2},
            {"norm 2,3,1 --emit-test cpp --layer 1", 2},
            {"norm 2,3,1 --emit-test cpp --law uniform --input 1,2", 3},
            {"norm 2,3,1 --emit-test cpp --activation crelu", 3},
            {"norm 2,n,1 --emit-test cpp", 3},
            {"init 2,n,1 --emit-test cpp", 3},
            {"jacobian 2,3,1 --wrt input --emit-test cpp", 2},
            {"jacobian 4:3 --network resnet:2 --emit-test cpp", 3},
            {"jacobian 2,3,1 --budget --emit-test cpp", 2},
            {"coord-check n,n:2,1 --widths 2,4 --emit-test cpp", 2},
            {"hessian 2,n,1 --emit-test cpp", 3},
            {"ntk 2,n,1 --emit-test cpp", 3},
            {"mup 2,n,1 --emit-test cpp", 3},
            {"hessian 100,100,1 --emit-test cpp", 3},
            {"ntk 2,3,1 2,4,1 --emit-test cpp", 3},
            {"ntk 2,3,1 --bias-label-factor 1 --emit-test cpp", 3},
            {"mup --depths 2 --widths 4 --emit-test cpp", 2}};
        for (auto const& [line, code] : cases) {
            auto const run = run_program(words(line));
            INFO(line, " ", run.err);
            CHECK(run.code == code);
            CHECK(run.out.empty());
            CHECK(run.err.find("--") != std::string::npos);
        }
    }
}
