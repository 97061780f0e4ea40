// SPDX-License-Identifier: MIT
// ntk, hessian, jacobian, coord-check and mup of residual and dense networks and of network files.
#include <doctest/doctest.h>

#include <cmath>
#include <isserlis/ring/parse.hpp>
#include <isserlis/ring/rational_function.hpp>
#include <string>
#include <vector>

#include "json_answer.hpp"
#include "refusal.hpp"

using namespace isserlis::test;

namespace {

/// 2,3,4,2 with ReLU gates, as a file.
std::string chain_file(TemporaryDirectory const& folder) {
    std::string const file = folder / "chain.json";
    write_file(file, R"({"nodes": [{"name": "x", "width": 2}, {"name": "a", "width": 3, "activation": "relu"},)"
                     R"( {"name": "b", "width": 4, "activation": "relu"}, {"name": "y", "width": 2}],)"
                     R"( "edges": [{"from": "x", "to": "a"}, {"from": "a", "to": "b"},)"
                     R"( {"from": "b", "to": "y", "variance": "1/2"}]})");
    return file;
}

double sum_of_blocks(JsonAnswer const& answer) {
    double sum = 0;
    for (auto const& index : answer.indices("block")) sum += answer.number("block", index);
    return sum;
}

}  // namespace

TEST_SUITE("cli/wired") {
    // f = u (1 + w) v, x = 1, all of variance 1: K = (u v)^2 + (v (1 + w))^2 + (u (1 + w))^2 with E (1 + w)^2 = 2,
    // E (1 + w)^4 = 10, so E K = 1 + 2 + 2 and E K^2 = 9 + 30 + 30 + 2 (6 + 6 + 10).
    // y = (1 + w) v moves by - u Q (f - t), Q = (1 + w)^2 + v^2: E (Delta y)^2 = 3 E Q^2 (1 + w)^2 v^2 + E Q^2 =
    // 3 (76 + 60 + 30) + 10 + 4 + 3 = 515, E y Delta y = - E (1 + w)^2 v^2 Q = - 10 - 6.
    TEST_CASE("a residual network of single neurons by hand") {
        std::string const net = " 1,1:2,1 --network resnet:1 --projections --variance 1";
        auto const kernel = ask("ntk" + net);
        CHECK(kernel.exact("ntk_mean") == "5");
        CHECK(kernel.exact("ntk_second_moment") == "113");
        CHECK(kernel.exact("ntk_variance") == "88");
        CHECK(kernel.text_of("assumptions").find("between two plain matrices") != std::string::npos);
        CHECK(kernel.text_of("assumptions").find("strand recursion") != std::string::npos);
        auto const step = ask("coord-check" + net);
        CHECK(step.exact("preactivation_rms", Json{1, 1}) == "sqrt(2)");
        CHECK(step.exact("change_rms", Json{1, 1}) == "sqrt(515)");
        CHECK(step.exact("change_a", Json{1, 1}) == "498");  // of f, 3 E Q^2 (1 + w)^2 v^2
        CHECK(step.exact("change_b", Json{1, 1}) == "17");   // of t, E Q^2
        CHECK(step.exact("change_covariance", Json{1, 1}) == "-16");
        CHECK(step.exact("updated_rms", Json{1, 1}) == "sqrt(485)");
        // A rate of 0 for u and v leaves Q = v^2: 3 E v^6 (1 + w)^2 + E v^4 = 93.
        CHECK(ask("coord-check" + net + " --eta 0,1,0").exact("change_rms", Json{1, 1}) == "sqrt(93)");
    }

    // z = W x, x = (1,1,1), of variance 1/3: Delta z = - rate |x|^2 (z - y), E z_i^2 = 1, E y_i^2 = 1/2; the rate is --eta
    // times the file's own factor.
    TEST_CASE("the rate of a network file") {
        TemporaryDirectory const folder;
        std::string const file = folder / "matrix.json";
        write_file(file, R"({"nodes": [{"name": "x", "width": 3}, {"name": "y", "width": 2}],)"
                         R"( "edges": [{"from": "x", "to": "y", "variance": "1/3", "label_factor": "1/2"}]})");
        std::string const net = "coord-check --network " + file + " --input 1,1,1";
        auto const step = ask(net + " --eta 1/10 --check 4000");
        CHECK(step.exact("change_a", Json{"y", 2}) == "9/400");
        CHECK(step.exact("change_b", Json{"y", 2}) == "9/800");
        CHECK(step.text_of("assumptions").find("rates 1/10 times the label factors of the file") != std::string::npos);
        CHECK(ask(net).exact("change_a", Json{"y", 2}) == "9/4");
        CHECK(run_program(words("coord-check --network " + file + " --eta 1/10,1")).code == 2);
    }

    TEST_CASE("a chain as a file is the fully connected network") {
        TemporaryDirectory const folder;
        std::string const file = " --network " + chain_file(folder);
        std::string const net = " 2,3,4,2 --variance 1,2/3,1/2";
        for (std::string const command : {"ntk", "hessian"}) {
            auto const by_strands = ask(command + file);
            auto const closed = ask(command + net);
            for (auto const& name : by_strands.names()) {
                if (name == "block") continue;
                INFO(command, " ", name);
                CHECK(by_strands.exact(name) == closed.exact(name));
            }
        }
        auto const hessian = ask("hessian" + file);
        CHECK(hessian.indices("block").size() == 9);
        CHECK(hessian.exact("block", {"x-a", "b-y"}) == ask("hessian" + net).exact("block", Json{1, 3}));
        CHECK(sum_of_blocks(hessian) == doctest::Approx(hessian.number("hessian_frobenius_squared")));
        auto const steps = ask("coord-check" + file);
        auto const closed = ask("coord-check" + net);
        std::vector<std::pair<std::string, int>> const nodes{{"a", 1}, {"b", 2}, {"y", 3}};
        for (auto const& [node, layer] : nodes) {
            INFO(node);
            auto const width = steps.indices("change_rms")[static_cast<std::size_t>(layer) - 1][1];
            for (char const* name : {"change_rms", "change_covariance", "updated_rms"})
                CHECK(steps.exact(name, {node, width}) == closed.exact(name, Json{layer, width}));
            CHECK(steps.exact("preactivation_rms", {node, width}) ==
                  closed.exact("preactivation_std", Json{layer, width}));
        }
        // muP's last variance is 1/16, an eighth: A has it squared, B once.
        auto const mup = ask("mup 2,3,4,2");
        for (auto const& [node, width] : std::vector<std::pair<std::string, int>>{{"a", 3}, {"b", 4}}) {
            Json const layer{width - 2};
            CHECK(steps.number("change_a", Json{node, width}) == doctest::Approx(64 * mup.number("mup_a", layer)));
            CHECK(steps.number("change_b", Json{node, width}) == doctest::Approx(8 * mup.number("mup_b", layer)));
        }
    }

    // As above: E|f|^2 = 2, E f^4 = 9 * 10; by u, (1 + w) v: 2 and 30; by w, u v: 1 and 9.
    TEST_CASE("Jacobians of each matrix") {
        auto const one = ask("jacobian 1,1:2,1 --network resnet:1 --projections --variance 1");
        CHECK(one.exact("output_mean") == "2");
        CHECK(one.exact("output_second_moment") == "90");
        CHECK(one.exact("jacobian_mean", {"out"}) == "2");
        CHECK(one.exact("jacobian_variance", {"out"}) == "26");
        CHECK(one.exact("jacobian_mean", {"1.1"}) == "1");
        CHECK(one.exact("jacobian_second_moment", {"1.1"}) == "9");
        TemporaryDirectory const folder;
        auto const file = ask("jacobian --network " + chain_file(folder));
        auto const closed = ask("jacobian 2,3,4,2 --variance 1,2/3,1/2");
        for (std::string const part : {"_mean", "_second_moment", "_variance"}) {
            CHECK(file.exact("output" + part) == closed.exact("output" + part));
            CHECK(file.exact("jacobian" + part, {"a-b"}) == closed.exact("jacobian" + part, Json{2}));
        }
    }

    TEST_CASE("formulas in width, depth and scale have the values of numbers") {
        std::string const net = " --network resnet:2 --projections --branch-widths m --alpha a";
        std::string const values = " --set d=2,n=3,m=4,a=1/2,L=4";
        for (std::string const name : {"ntk_mean", "ntk_second_moment", "ntk_squared_trace_mean"}) {
            auto const formula = ask("ntk d,n:L,2" + net + values);
            CHECK(formula.exact(name) ==
                  ask("ntk 2,3:4,2 --network resnet:2 --projections --branch-widths 4 --alpha 1/2").exact(name));
        }
        // E K = E|y|^2 + L branches, |x|^2 = d: 1/n of n (1 + a^2)^(L-1) for the output, n (1 + a^2)^(L-1) for the input.
        CHECK(ask("ntk n,n:L,1 --network resnet:2 --projections --input-squared-norm n --label-factor 1,0,0,1")
                  .exact("ntk_mean") == "2^L*n");
    }

    // By hand, y^0 = a, y^1 = (1 + b) a, f = c y^1, all of variance 1: K = (1 + b)^2 + a^2 between y^1 and f but for c, so that
    // the targets' part is E K^2 = (1 + 6 + 3) + 2*2 + 3 = 17 and the outputs' E c^4 E (1 + b)^2 a^2 K^2 =
    // 3 (E (1 + b)^6 + 2 E (1 + b)^4 E a^4 + E (1 + b)^2 E a^6) = 3 (76 + 2*10*3 + 2*15) = 498.
    TEST_CASE("mup of a residual network: the last residual layer moves by 1") {
        auto const mup = ask("mup 1,1:2,1 --network resnet:1 --projections --activation linear");
        CHECK(mup.exact("mup_b", Json{1}) == "17");
        CHECK(mup.exact("mup_a", Json{1}) == "498");
        CHECK(mup.exact("mup_change_squared", Json{1}) == "515");
        CHECK(mup.exact("preactivation_fourth_mean", Json{1}) == "30");  // E (1 + b)^4 E a^4
        CHECK(mup.exact("mup_learning_rate") == "sqrt(515)/515");
    }

    // E|h|^2 of three ReLU units of variance 1 at |x|^2 = 1 is 3/2; the output of the network has 5 * 2 = 10.
    TEST_CASE("a node of a file may be called output without being it") {
        TemporaryDirectory const folder;
        std::string const file = folder / "names.json";
        write_file(file, R"({"nodes": [{"name": "x", "width": 2}, {"name": "output", "width": 3, "activation": "relu"},
            {"name": "b", "width": 4, "activation": "relu"}, {"name": "last", "width": 1}],
            "edges": [{"from": "x", "to": "output", "variance": "1"}, {"from": "output", "to": "b", "variance": "2/3"},
            {"from": "b", "to": "last", "variance": "5"}]})");
        auto const norm = ask("norm --network " + file);
        CHECK(norm.exact("squared_norm_mean", {"output"}) == "3/2");
        CHECK(norm.exact("squared_norm_mean", {"last"}) == "10");
    }

    TEST_CASE("mup of a file that is a chain is that of the chain") {
        TemporaryDirectory const folder;
        std::string const file = folder / "mean_field.json";
        write_file(file, R"({"nodes": [{"name": "x", "width": 3}, {"name": "1", "width": 4, "activation": "relu"},
            {"name": "2", "width": 5, "activation": "relu"}, {"name": "out", "width": 2}],
            "edges": [{"from": "x", "to": "1", "variance": "2/3"}, {"from": "1", "to": "2", "variance": "1/2"},
            {"from": "2", "to": "out", "variance": "1/25"}]})");
        auto const graph = ask("mup --network " + file);
        auto const chain = ask("mup 3,4,5,2");
        for (std::string const name : {"mup_change_squared", "mup_a", "mup_b", "preactivation_fourth_mean"}) {
            for (int l : {1, 2}) CHECK(graph.exact(name, Json{l}) == chain.exact(name, Json{l}));
        }
        CHECK(graph.exact("mup_learning_rate") == chain.exact("mup_learning_rate"));
    }

    TEST_CASE("mup of a residual network at symbolic depth has the values of numbers, and of coord-check") {
        for (std::string const more : {"", " --parametrisation mup", " --eta 1/3 --alpha 1/2"}) {
            INFO(more);
            std::string const net = " --network resnet:1 --projections" + more;
            auto const deep = ask("mup n,n:L,1" + net);
            auto const number = ask("mup 4,4:3,1" + net);
            auto const steps = ask("coord-check 4,4:3,1" + net +
                                   (more.find("mup") == std::string::npos ? " --scheme mean-field" : ""));
            for (std::string const name : {"mup_a", "mup_b", "mup_change_squared", "preactivation_fourth_mean"}) {
                auto const at = isserlis::parse_rational_function(deep.exact(name, {"L - 1"}), "formula")
                                    .evaluate({{"n", isserlis::Rational(4)}, {"L", isserlis::Rational(3)}});
                CHECK(isserlis::to_string(at) == number.exact(name, Json{2}));
            }
            CHECK(number.exact("mup_a", Json{2}) == steps.exact("change_a", Json{2, 4}));
            CHECK(number.exact("mup_b", Json{2}) == steps.exact("change_b", Json{2, 4}));
        }
    }

    TEST_CASE("mup of a residual network on samples has the parts of coord-check") {
        std::string const net =
            " 2,3:3,1 --network resnet:1 --projections --scheme mean-field --activation linear --data cos --size 4";
        auto const steps = ask("coord-check" + net);
        auto const mup = ask("mup 2,3:3,1 --network resnet:1 --projections --activation linear --data cos --size 4");
        for (int l : {0, 1, 2}) {
            CHECK(mup.exact("mup_a", Json{l}) == steps.exact("change_a", Json{l, 3}));
            CHECK(mup.exact("mup_b", Json{l}) == steps.exact("change_b", Json{l, 3}));
        }
        double const rate = mup.number("mup_learning_rate");
        CHECK(rate * rate * mup.number("mup_change_squared", Json{2}) == doctest::Approx(1));
    }

    TEST_CASE("sampled networks of every wiring agree") {
        for (std::string const line : {"ntk 2,3:3,2 --network resnet:2 --projections --check 4000 --seed 3",
                                       "ntk 3:3 --network densenet --check 4000",
                                       "coord-check 2,3:2,2 --network resnet:2 --projections --check 4000",
                                       "coord-check 3,4,2 --activation leaky:1/3 --check 4000",
                                       "mup 2,3:3,2 --network resnet:2 --projections --check 4000",
                                       "mup 3,4,2 --network densenet --eta 1,1/2 --check 4000",
                                       "jacobian 2,3:3,2 --network resnet:2 --projections --check 4000",
                                       "hessian 2,2:2,1 --network resnet:2 --projections --alpha 1/2 --check 3000"}) {
            INFO(line);
            auto const answer = ask(line);
            for (auto const& r : answer.json.at("results")) {
                if (r["check"].is_null()) continue;
                CHECK(r["check"]["verdict"] != "disagrees");
                CHECK(r["check"]["std_error"].get<double>() >= 0);
            }
        }
    }

    TEST_CASE("numbers of a file that cannot be are named with their node or edge") {
        TemporaryDirectory const folder;
        auto const refuses_entry = [&](std::string const& of_node, std::string const& of_edge,
                                       std::string const& said) {
            write_file(folder / "net.json", R"({"nodes": [{"name": "x", "width": 3}, {"name": "a", "width": 4)" +
                                                of_node +
                                                R"(}, {"name": "y", "width": 1}], "edges": [{"from": "x", "to": "a")" +
                                                of_edge + R"(}, {"from": "a", "to": "y"}]})");
            refuses("ntk --network " + (folder / "net.json"), "--network: " + said);
        };
        refuses_entry(R"(, "bias_variance": "-1")", "", R"(the bias variance of node "a" = -1)");
        refuses_entry("", R"(, "variance": 0)", R"(the variance of edge "x-a" = 0)");
        refuses_entry("", R"(, "kurtosis": "1/2")", R"(the kurtosis of edge "x-a" = 1/2)");
        refuses_entry("", R"(, "label_factor": "-2")", R"(the label factor of edge "x-a" = -2)");
    }

    TEST_CASE("what is not served is named") {
        TemporaryDirectory const folder;
        std::string const file = chain_file(folder);
        struct Refused {
            std::string line;
            std::string word;
            int code;
        };
        std::vector<Refused> const all{
            {"ntk 2,3:3,1 --network resnet:2", "equal widths", 2},
            {"ntk 2,3,1 --network resnet:2 --projections", "between two plain matrices", 2},
            {"ntk 2,3:2,1 --projections", "--network", 2},
            {"ntk 2,3:2,1 --network densenet --projections", "--projections", 2},
            {"ntk 2,3:2,1 --network resnet:2 --projections --activation crelu",
             "--activation: concatenated ReLU has two matrices", 3},
            {"ntk 2,3:2,1 --network resnet:2 --projections --variance 1,1,1", "4 for the matrices of a branch", 2},
            {"ntk --network " + file + " --alpha 2", "--alpha", 2},
            {"ntk --network " + file + " --effective", "--effective", 3},
            {"ntk --network " + file + " --bias-label-factor 1", "--bias-label-factor", 3},
            {"ntk 3:3 --network resnet:1 --emit-test pytorch", "--emit-test", 3},
            {"ntk 3:3 --network resnet:1 --label-factor=-1", "at least 0", 2},
            {"jacobian --network " + file + " --layer 1", "--layer", 3},
            {"jacobian 2,3:2,1 --network resnet:2 --projections --bounds growth", "--bounds", 3},
            {"jacobian d,n:L,1 --network resnet:2 --projections", "a depth in numbers", 3},
            {"hessian 3:3 --network resnet:1 --functionals", "--functionals", 3},
            {"hessian 3:3 --network resnet:1 --layer 1", "--layer", 3},
            {"coord-check 2,3:2,1 --network resnet:2 --projections --layer 7", "no such node", 2},
            {"mup 2,3:2,1 --network resnet:2 --projections --layer 7", "no such node", 2},
            {"mup n,n:L,1 --network resnet:1 --projections --layer 2", "a depth in numbers", 3},
            {"mup 3,1 --network densenet", "no node below the output", 3},
            {"mup --depths 1..3 --widths 4 --network resnet:1", "depth-rules", 3},
            {"coord-check 3:3 --network densenet --measured run.csv", "--measured", 2}};
        for (auto const& refused : all) {
            INFO(refused.line);
            Run const run = run_program(words(refused.line));
            CHECK(run.code == refused.code);
            CHECK(run.err.find(refused.word) != std::string::npos);
        }
    }
}
