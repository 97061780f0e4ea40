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
        says("transfer 3,4,1 3,8,1", "independent gaussian weights");
        says("transfer 3,4,1 3,8,1 --scheme pytorch --bias-variance 0 --input 1,2,3", "independent uniform weights");
        says("normalised 2,3,1", "independent Gaussian weights");
        // Of x = (1, 1) E h^2 = 1 where E z^2 = 2; the mean of h is not 0.
        says("init 2,3,1 --head activation", "of a gated head the mean square of the output");
        says("jacobian 2,3,2 --wrt input --activation crelu", "one-sided derivatives by coordinates of x that are 0");
        says("init 2,3,1", "independent symmetric weights");
        says("init 2,3,1", "no pre-activation with an atom at 0");
        says("moments 2,3,1", "matrices independent");
        // E|W_2^T D (y - t)|^2 has E t_1 t_2 of the two gates, which need not be even functions of the weights apart.
        says("jacobian 3,4,2 --head activation", "those of different outputs uncorrelated");
        says("jacobian 2,3,2 --activation crelu", "all entries of the matrices P and N");
        says("transfer 3,4,1 3,8,1 --parametrisation mup", "H by w, each derivative times the root of its rate");
        says("jacobian 2:3 --network resnet:1", "residual blocks of 1 matrix,");
        says("claim z[1]^2=1 2,3,1", "one fixed input with |x|^2 = 1");
        std::string const one_epoch = "train 2,3,1 --data cos --rate 1/50 --epochs 1";
        says(one_epoch + " --l2 1/10", "for its gradients, not in what is printed of the loss and of its Hessian");
        says(one_epoch + " --activation prelu", "whose slopes are trained from 0.25");
    }

    // With N = P the kinks are of the size of the step; a residual network of M = 1 has no gate; nor has one layer.
    TEST_CASE("the curvature of a loss passes no kink, where there are any") {
        std::string const data = " --data cos --size 2 --gradient random --samples 10";
        std::string const kinks = "curvature: the mean of the networks' own L''(0), behind no kink of a gate";
        auto const says = [&](std::string const& line) {
            return ask("loss-curve " + line).text_of("assumptions").find(kinks) != std::string::npos;
        };
        for (std::string const& line : {"2,3,1" + data, "2,3,1 --activation crelu" + data,
                                        std::string("n0,n,1 --activation leaky:s --input-squared-norm 1"),
                                        std::string("3:3 --network resnet:2 --input-squared-norm 1")}) {
            CAPTURE(line);
            CHECK(says(line));
        }
        for (std::string const& line :
             {"2,1" + data, "2,3,1 --activation linear" + data, "2,3,1 --activation crelu-tied" + data,
              std::string("3:3 --network resnet:1 --input-squared-norm 1")}) {
            CAPTURE(line);
            CHECK(!says(line));
        }
    }

    TEST_CASE("where the mean of a target enters, and what jacobian leaves out") {
        auto const said = [](std::string const& line, std::string const& part) {
            return ask(line).text_of("assumptions").find(part) != std::string::npos;
        };
        CHECK(said("coord-check 2,3,2", "below the outputs its mean does not enter; at the outputs it is 0"));
        CHECK(!said("depth-rules 2,3,2 --depths 2", "targets of mean 0"));
        CHECK(said("jacobian 2,2,2 --network densenet", "reduced: nothing passes the matrix by"));
        CHECK(!said("jacobian 2,2,2 --network densenet --block", "reduced"));
        TemporaryDirectory const folder;
        write_file(folder / "net.json", R"({"nodes": [{"name": "x", "width": 2}, {"name": "o", "width": 1}],)"
                                        R"( "edges": [{"from": "x", "to": "o", "label_factor": 5}]})");
        CHECK(run_program({"jacobian", "--network", folder / "net.json"})
                  .out.find("label factors of the file have no effect") != std::string::npos);
        refuses("depth-rules 2,2,1 --activation crelu", "--activation: concatenated ReLU has two matrices", 3);
        refuses("jacobian 2,2,1 --bias-variance 1 --target-second-moment 1",
                "Jacobians by each weight matrix are served, and nothing else", 3);
    }

    // Its mean loss is that of the sample.
    TEST_CASE("one sample of a data set is no several samples") {
        auto const data = ask("hessian 2,2,2,1 --data text:x1,y1;1,1");
        CHECK(data.exact("hessian_mean_loss") == "571");
        CHECK(ask("hessian 2,2,2,1 --input 1,1").exact("hessian_frobenius_squared") == "571");
        CHECK(run_program(words("mup 2,2,2,1 --data text:x1,y1;1,1")).out.find("one sample has it by --input") !=
              std::string::npos);
    }

    TEST_CASE("networks of claims are stated once, and those of some claims by their numbers") {
        TemporaryDirectory const folder;
        write_file(folder / "claims.txt", "z[1]^2=1 2,n,1\nz[1]^2=1/2 2,n,1 --activation linear\n");
        auto const said = ask("claim " + (folder / "claims.txt")).text_of("assumptions");
        CHECK(said.find("claim 1: fully connected, relu activation") != std::string::npos);
        CHECK(said.find("claim 2: fully connected, linear activation") != std::string::npos);
        CHECK(said.find("claim 1,2: ") == std::string::npos);
        CHECK(said.find("n = ") == std::string::npos);
    }

    TEST_CASE("moments of targets that symbols leave open are bounded by their mean") {
        std::string const targets = " --target-mean m --target-second-moment s";
        for (std::string const line : {"expect loss 2,n,2", "loss-curve 2,2,2 --input 1,2"}) {
            CAPTURE(line);
            CHECK(ask(line + " --activation linear" + targets).json["results"].dump().find("s - 2*m^2") !=
                  std::string::npos);
        }
    }

    TEST_CASE("a Gram matrix in symbols is positive semidefinite") {
        TemporaryDirectory const folder;
        write_file(folder / "gram.json", R"({"inputs": ["x", "y"], "gram": [[1, "r"], ["r", 1]]})");
        std::string const sentence = "what symbols stand for leaves it positive semidefinite";
        for (std::string const command : {"norm", "ntk", "expect z[1]@x^2"}) {
            CAPTURE(command);
            auto const answer = ask(command + " 3,4,2 --activation linear --with " + (folder / "gram.json"));
            CHECK(answer.text_of("assumptions").find(sentence) != std::string::npos);
        }
    }

    // [[1, 2], [2, 1]] has the eigenvalue -1.
    TEST_CASE("a matrix that no vectors have as their products is refused, at symbolic widths too") {
        TemporaryDirectory const folder;
        write_file(folder / "numbers.json", R"({"inputs": ["x", "y"], "gram": [[1, 2], [2, 1]]})");
        write_file(folder / "symbols.json", R"({"inputs": ["x", "y"], "gram": [["A", "2*A"], ["2*A", "A"]]})");
        for (std::string const file : {"numbers.json", "symbols.json"}) {
            for (std::string const command : {"norm", "ntk", "expect z@x^2*z@y^2"}) {
                for (std::string const widths : {"3,4,2", "n,4,2"}) {
                    CAPTURE(command);
                    refuses(command + " " + widths + " --activation linear --with " + (folder / file),
                            "is no Gram matrix: it has a negative eigenvalue");
                }
            }
        }
    }

    TEST_CASE("what is not served is refused by name") {
        refuses("init 3,4,2 --activation crelu --head activation", "--head: a concatenated ReLU makes two units", 3);
        refuses("claim ntk_men=1 1,2,1", "claim: 'ntk_men' is no symbol of the network", 2);
        refuses("claim kernel[2]=1 relu", "claim: kernel is of isserlis kernel, which takes no widths", 3);
        refuses("mup --depths 3..1 --widths 8", "--depths = 3..1; numbers of hidden layers A..B are required", 2);
        refuses("mup --depths 0..2 --widths 8", "1 <= A <= B <= 20000", 2);
        refuses("depth-rules 4,4,1 --eta 1,2",
                "give one for all, 4 for the matrices of a branch and the two plain ones", 2);
        refuses("transfer 3,4:2,2 3,5:3,2 --activation crelu --check 100", "--check: steps of relu, leaky and linear",
                3);
        refuses("claim z^2=1 --network net.json", "--network: claims are tried at widths", 3);
        CHECK(ask("norm 2:3 --network resnet:2 --law laplace --input 1,2")
                  .result("squared_norm_kurtosis", Json::array({2}))["form"] ==
              "of Gaussian weights, with --order 4 and higher");
    }

    // E (Delta z)^2 of one step at the third layer is 20.67^2, most of it in networks that none of 10000 is like; the lowest
    // loss of scalar chains lies ten times below what 4000 networks say.
    TEST_CASE("sampled rows of heavy tails are not to be relied on") {
        auto const row = [](std::string const& line, std::string const& name, Json const& index) {
            CAPTURE(line);
            auto const form = ask(line).result(name, index).at("form").get<std::string>();
            CHECK(form.find("not to be relied on") != std::string::npos);
        };
        row("coord-check 1,1:2,1 --activation linear --input 1 --eta 1/10 --steps 1 --check 10000", "step_change_rms",
            Json::array({1, 3, 1}));
        row("transfer 1,1:2,1 1,1:3,1 --activation linear --input 1 --check 4000", "transfer_rate",
            Json::array({"minimiser"}));
        row("loss-curve 2,1:3,1 --activation linear --data text:x1,y1;0,1 --gradient random", "sampled_minimiser",
            Json::array({1}));
    }

    // sqrt(pi/2) = 1.2533141373155002512
    TEST_CASE("a claim of a number that is known by its digits") {
        auto const short_of = run_program({"claim", "chi_mean[1] = 1.253314138", "3,2,2"});
        CHECK(short_of.code == 1);
        auto const right = run_program({"claim", "chi_mean[1] = 1.2533141373155003", "3,2,2"});
        CHECK(right.code == 0);
        CHECK(right.out.find("holds to 17 digits at 1 network") != std::string::npos);
    }

    TEST_CASE("the kernel of outputs of unlike laws") {
        TemporaryDirectory const folder;
        write_file(folder / "two.json",
                   R"({"nodes": [{"name": "x", "width": 2}, {"name": "a", "width": 2, "activation": "relu"},)"
                   R"( {"name": "o", "width": 2}], "edges": [{"from": "x", "to": "a"}, {"from": "a", "to": "o"}]})");
        auto const answer = ask("ntk --input 1,2 --network " + (folder / "two.json"));
        CHECK(answer.text_of("assumptions").find("variance of K_oo of an output o drawn at random") !=
              std::string::npos);
    }

    TEST_CASE("refusals name what was asked") {
        refuses("coord-check 2,3,1 --activation linear --scheme lecun-uniform --data text:x1,y1;2,1",
                "--scheme: a step on several samples is served for Gaussian weights", 3);
        refuses(
            "transfer 2,3,1 2,4,1 --activation linear --scheme pytorch --bias-variance 0 --data text:x1,x2,y1;2,1,1",
            "--scheme: a step on several samples is served for Gaussian weights", 3);
        // LayerNorm of 2 entries is (1, -1) or (-1, 1): its derivative is 0.
        CHECK(ask("normalised 2:3 --network resnet:1 --norm layer --gradients --check 100")
                  .exact("gradient_log_ratio", Json::array({1})) == "0");
        CHECK(ask("depth-rules 2,3,1 --depths 3 --multiplier 1000000")
                  .exact("depth_square_limit", Json::array({"1/L"})) == "1/2");
    }
}
