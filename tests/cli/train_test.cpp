// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "json_answer.hpp"

using namespace isserlis::test;

namespace {

double decimal(JsonAnswer const& answer, std::string const& name, int epoch) {
    for (auto const& r : answer.json["results"])
        if (r["name"] == name && r["index"] == Json{epoch}) return std::stod(r["decimal"].get<std::string>());
    FAIL("no " << name << " of epoch " << epoch);
    return 0;
}

std::string const flights = ISSERLIS_TEST_DATA "/cli/flights.csv";

}  // namespace

TEST_SUITE("cli/train") {
    TEST_CASE("one linear unit descends to the least squares of the cosine") {
        // The built-in cosine is orthogonal to its feature and to the constant: the best fit is 0, the loss mean cos^2.
        auto const answer = ask("train 2,1 --data cos --rate 1/4 --epochs 200 --every 200");
        CHECK(decimal(answer, "loss", 200) == doctest::Approx(0.5).epsilon(1e-10));
        CHECK(decimal(answer, "gradient_norm", 200) < 1e-8);
        CHECK(answer.indices("loss").size() == 2);
    }

    TEST_CASE("logistic regression on the flights before the Challenger") {
        // Deviance 20.315 [Dalal 1989]: 46 times the mean loss of 23 flights.
        auto const answer = ask("train 1,1 --biases --data " + flights +
                                " --loss binary-cross-entropy --rate 4 --epochs 2000 --every 2000");
        CHECK(46 * decimal(answer, "loss", 2000) == doctest::Approx(20.315).epsilon(1e-4));
        CHECK(decimal(answer, "accuracy", 2000) == doctest::Approx(20.0 / 23).epsilon(1e-9));
    }

    TEST_CASE("the loss before the first step is that of the saved weights, and loss-curve reads them") {
        TemporaryDirectory directory;
        std::string const file = directory / "weights.json";
        auto const answer =
            ask("train 2,5,1 --data cos --activation leaky:1/5 --rate 1/50 --epochs 3 --every 3 --save " + file);
        auto const curve = ask("loss-curve --weights " + file + " --data cos --gradient random");
        double const loss = std::stod(curve.json["results"][0]["decimal"].get<std::string>());
        CHECK(decimal(answer, "loss", 3) == doctest::Approx(loss).epsilon(1e-11));
        // The derivative along the gradient is minus its squared norm.
        double const slope = std::stod(curve.json["results"][1]["decimal"].get<std::string>());
        CHECK(std::pow(decimal(answer, "gradient_norm", 3), 2) == doctest::Approx(-slope).epsilon(1e-10));
    }

    TEST_CASE("--plot draws the losses by epoch") {
        TemporaryDirectory directory;
        std::string const file = directory / "losses.svg";
        Run const run = run_program(
            words("train 2,5,1 --data cos --epochs 6 --hold-out 4 --plot-of loss,validation_loss --plot " + file));
        INFO(run.err);
        if (run.code == 3 && run.err.find("gnuplot") != std::string::npos) return;  // it is not installed
        REQUIRE(run.code == 0);
        std::string const picture = read_file(file);
        CHECK(picture.find("<svg") != std::string::npos);
        for (char const* text : {"<title>loss</title>", "<title>validation_loss</title>", "<text>epoch</text>"})
            CHECK_MESSAGE(picture.find(text) != std::string::npos, text);
        CHECK(run_program(words("train 2,5,1 --data cos --plot losses.txt")).code == 2);
        CHECK(run_program(words("train 2,5,1 --data cos --plot-of epoch --plot losses.svg")).code == 2);
    }

    TEST_CASE("training goes on from saved weights, of any unit and with biases, which loss-curve refuses by name") {
        TemporaryDirectory directory;
        std::string const file = directory / "weights.json";
        std::string const steps = " --data cos --rate 1/50 --every 3";
        for (std::string const net : {"1,5,4,1 --biases --activation gelu", "2,5,1 --activation prelu",
                                      "1,4,1 --biases --activation leaky:1/5", "2,4,3,1 --activation crelu"}) {
            CAPTURE(net);
            auto const whole = ask("train " + net + steps + " --epochs 6");
            ask("train " + net + steps + " --epochs 3 --save " + file);
            auto const rest = ask("train --weights " + file + steps + " --epochs 3");
            CHECK(decimal(rest, "loss", 0) == decimal(whole, "loss", 3));
            CHECK(decimal(rest, "loss", 3) == decimal(whole, "loss", 6));
            CHECK(decimal(rest, "gradient_norm", 3) == decimal(whole, "gradient_norm", 6));
            CHECK(ask("sharpness --data cos --weights " + file).json["results"].size() > 0);
        }
        ask("train 1,3,1 --biases --data cos --epochs 1 --save " + file);
        Run const twice = run_program(words("train --weights " + file + " --data cos --biases"));
        CHECK(twice.code == 2);
        CHECK(twice.err.find("--biases: the file of --weights says what the network is") != std::string::npos);
        Run const refused = run_program(words("loss-curve --weights " + file + " --data cos --gradient random"));
        CHECK(refused.code == 3);
        CHECK(refused.err.find("has biases; here networks have") != std::string::npos);
    }

    TEST_CASE("the same bytes with any number of threads, others from another seed") {
        std::string const line = "train 2,9,1 --data cos --size 600 --batch-size 70 --epochs 2 --format csv";
        auto const body = [](std::string const& out) { return out.substr(out.find("name,index")); };
        std::string const one = body(run_program(words(line + " --threads 1")).out);
        CHECK(one == body(run_program(words(line + " --threads 2")).out));
        CHECK(one != body(run_program(words(line + " --threads 1 --seed 2")).out));
    }

    TEST_CASE("a run that diverges says after how many steps") {
        Run const run = run_program(words("train 2,8,1 --data cos --rate 100 --epochs 20"));
        CHECK(run.code == 0);
        CHECK(run.out.find("the run diverged: after ") != std::string::npos);
    }

    TEST_CASE("a run that diverges saves nothing") {
        TemporaryDirectory directory;
        std::string const file = directory / "weights.json";
        Run const run = run_program(words("train 2,8,1 --data cos --rate 100 --epochs 20 --save " + file));
        CHECK(run.code == 0);
        CHECK(run.out.find("nothing is saved") != std::string::npos);
        CHECK_FALSE(std::filesystem::exists(file));
    }

    TEST_CASE("a run that is killed at any time goes on to the same bytes") {
        TemporaryDirectory directory;
        std::string const line =
            "train 2,16,16,1 --data cos --size 200 --batch-size 10 --optimiser adam --epochs 60 "
            "--rate 1/100 --format csv";
        auto const body = [](std::string const& out) { return out.substr(out.find("name,index")); };
        std::string const whole = body(run_program(words(line)).out);
        for (double const seconds : {0.02, 0.1, 0.3}) {
            CAPTURE(seconds);
            std::string const file = directory / ("state" + std::to_string(seconds));
            static_cast<void>(run_program(words(line + " --checkpoint " + file), {.seconds = seconds}));
            CHECK(body(run_program(words(line + " --checkpoint " + file)).out) == whole);
            std::string const kept = read_file(file);
            CHECK(kept.rfind("isserlis training-state 1\n", 0) == 0);
            Run const again = run_program(words(line + " --checkpoint " + file));
            CHECK(body(again.out) == whole);
            CHECK(again.out.find("went on after epoch 60 of the run") != std::string::npos);
            Run const other = run_program(words(line + " --seed 3 --checkpoint " + file));
            CHECK(other.code == 2);
            CHECK(other.err.find("it was left by another run") != std::string::npos);
        }
    }

    TEST_CASE("labels, images and drawn classes are trained on") {
        TemporaryDirectory directory;
        std::string const table = directory / "labels.csv";
        write_file(table, "x1,label\n-2,0\n-1,0\n1,1\n2,1\n");
        // Two classes that a line separates: one output, or one a class.
        for (std::string const network :
             {"2,1 --loss binary-cross-entropy", "2,2 --loss cross-entropy", "2,1 --loss hinge"}) {
            auto const answer =
                ask("train " + network + " --data " + table + " --rate 1 --epochs 40 --every 40 --seed 2");
            CHECK(decimal(answer, "accuracy", 40) == 1);
            CHECK(answer.text_of("assumptions").find("4 samples, d_0 = 2 with the constant feature, 2 classes") !=
                  std::string::npos);
        }
        // Two images of 1 x 2 pixels.
        std::string const images = directory / "images";
        std::string const labels = directory / "labels";
        std::string const head{"\0\0\x08\x03\0\0\0\2\0\0\0\1\0\0\0\2", 16};
        write_file(images, head + std::string{"\xff\0\0\xff", 4});
        write_file(labels, std::string{"\0\0\x08\x01\0\0\0\2\1\0", 10});
        std::string const of_images =
            "train 2,2 --biases --loss cross-entropy --rate 1 --epochs 20 --every 20 --data idx:";
        CHECK(decimal(ask(of_images + images + "," + labels), "accuracy", 20) == 1);
        Run const swapped = run_program(words(of_images + labels + "," + images));
        CHECK(swapped.code == 2);
        CHECK(swapped.err.find("images begin with 00 00 08 03") != std::string::npos);
        write_file(images, head + "x");
        Run const cut = run_program(words(of_images + images + "," + labels));
        CHECK(cut.code == 2);
        CHECK(cut.err.find("is cut short: it has 1 bytes behind its sizes, which say 4") != std::string::npos);

        auto const drawn =
            ask("train 11,2 --data gaussian:2,10,400 --hold-out 100 --loss cross-entropy --rate 1/10 "
                "--epochs 30 --every 30");
        CHECK(decimal(drawn, "validation_accuracy", 30) > 0.9);
        CHECK(drawn.text_of("assumptions").find("the last 100 samples are for validation alone") != std::string::npos);
    }

    TEST_CASE("all that a step depends on is stated") {
        auto const assumed = [](std::string const& options) {
            return ask("train 2,4,1 --data cos --c 3 --epochs 1 " + options).text_of("assumptions");
        };
        for (auto const& [options, sentence] : std::vector<std::pair<std::string, std::string>>{
                 {"", "features of mean square c^2 by their uniform law, c = 3"},
                 {"--activation leaky", "leaky units of constant 0.01"},
                 {"--optimiser momentum", "momentum at rate 0.01, momentum 0.9"},
                 {"--optimiser adam --momentum 0.8,0.95", "beta 0.8 and 0.95, epsilon 1e-08"},
                 {"--schedule drop:1/2,3", "times 0.5 every 3 epochs"},
                 {"--batch-size 4 --rate-factors 1,0", "up to 4 samples a step; rates of the layers times 1,0"},
                 {"--weight-decay 1/4 --l1 0.1 --l2 0.2", "weights shrink by rate times 0.25 a step; 0.1 sum |w|"},
                 {"--clip norm:2", "gradients clipped by norm at 2"}})
            CHECK_MESSAGE(assumed(options).find(sentence) != std::string::npos, assumed(options), " lacks ", sentence);
    }

    TEST_CASE("what cannot be trained is refused by name") {
        struct Refused {
            std::string line;
            int code;
            std::string what;
        };
        for (auto const& r :
             std::vector<Refused>{{"train", 2, "WIDTHS is missing"},
                                  {"train 2,n,1 --data cos", 2, "'n' is a symbol"},
                                  {"train 2,3,2 --data cos", 2, "2 outputs, but data 'cos' has 1"},
                                  {"train 2,3,1", 2, "--data is missing"},
                                  {"train 2,1000000,1000000,1 --data cos", 3, "parameters; up to 10,000,000"},
                                  {"train 2,1 --standardize --data " + flights + " --validation " + flights, 2,
                                   "leave --standardize out"},
                                  {"train 2,3,1 --data cos --activation step", 3, "no derivative"},
                                  {"train 2,3,1 --data cos --activation maxout", 2, "is no unit"},
                                  {"train 2,3,1 --data cos --activation tanh:2", 2, "no constant"},
                                  {"train 2,3,1 --data cos --optimiser sgdw", 2, "choose descent"},
                                  {"train 2,3,1 --data cos --rate=-1", 2, "--rate = "},
                                  {"train 2,3,1 --data cos --momentum 1/2", 2, "none for descent"},
                                  {"train 2,3,1 --data cos --schedule drop:2", 2, "drop:FACTOR,EPOCHS"},
                                  {"train 2,3,1 --data cos --stop-accuracy 1/2", 2, "accuracy"},
                                  {"train 2,3,1 --data cos --check 10", 2, "--check means nothing here"},
                                  {"train 2,3,1 --data cos --layer 1", 2, "--layer means nothing here"},
                                  {"train 2,3,1 --data cos --weights w.json", 2, "leave WIDTHS out"},
                                  {"train --data cos --weights no.json", 2, "no.json"},
                                  {"train 2,1 --data cos --epochs 1 --save /dev/full", 2, "No space left"},
                                  {"train 2,1 --data cos --checkpoint /dev/full", 2, "--checkpoint: '/dev/full'"},
                                  {"train 2,1 --data cos --hold-out 16", 2, "--hold-out"},
                                  {"train 2,1 --data cos --hold-out 2 --validation " + flights, 2, "give one of both"},
                                  {"train 2,1 --data idx:a", 2, "two files are needed"},
                                  {"train 2,1 --data gaussian:2,5", 2, "CLASSES,FEATURES,SAMPLES are needed"},
                                  {"train 6,2 --data gaussian:3,5,9 --loss cross-entropy", 2, "has 3 classes"},
                                  {"train 2,1 --size 4 --data " + flights, 2, "belongs to cos and checkerboard"},
                                  {"train 2,3,1 --data cos --loss hinge", 2, "-1"}}) {
            Run const run = run_program(words(r.line));
            CAPTURE(r.line);
            CHECK(run.code == r.code);
            CHECK_MESSAGE(run.err.find(r.what) != std::string::npos, run.err);
        }
    }

    TEST_CASE("more digits than a double has are not printed, and a note says so") {
        std::string const line = "train 2,1 --data cos --epochs 1";
        CHECK(ask(line + " --digits 30")
                  .text_of("warnings")
                  .find("--digits: what is neither exact nor certified has the "
                        "digits that are known, fewer than 30") != std::string::npos);
        for (char const* digits : {"", " --digits 6"})
            CHECK(ask(line + digits).text_of("warnings").find("--digits") == std::string::npos);
        CHECK(ask("norm 2,3,1 --digits 40").text_of("warnings").find("--digits") == std::string::npos);
    }

    TEST_CASE("a seed is refused where nothing is drawn") {
        Files const file;
        std::string const start = file("w.json", R"({"version": 1, "activation": "relu", "layers": [)"
                                                 R"({"weights": [[1, 2]]}, {"weights": [[3]]}]})");
        for (std::string const command : {"train", "sharpness"}) {
            std::string const line = command + " --data cos --epochs 1 --weights " + start;
            CHECK(run_program(words(line)).code == 0);
            Run const run = run_program(words(line + " --seed 4"));
            CHECK(run.code == 2);
            CHECK(run.err.find("--seed: nothing is drawn") != std::string::npos);
            CHECK(run_program(words(line + " --batch-size 3 --seed 4")).code == 0);
        }
    }
}
