// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "json_answer.hpp"

using namespace isserlis::test;

namespace {

std::string const flights = ISSERLIS_TEST_DATA "/cli/flights.csv";
std::string const line =
    "max-rate 3,8,1 --data checkerboard --loss binary-cross-entropy --epochs 3 --batch-size 8 "
    "--threshold 0.55 --highest-rate 1000 --networks 2 ";

/// What is printed below the line that tells of the command.
std::string results_of(Run const& run) { return run.out.substr(run.out.find("name,index")); }

Json result(JsonAnswer const& answer, std::string const& name) {
    for (auto const& r : answer.json["results"])
        if (r["name"] == name) return r;
    FAIL("no " << name);
    return {};
}

}  // namespace

TEST_SUITE("cli/max-rate") {
    // Logistic regression on the flights [Dalal 1989] gets 20 of 23 right.
    TEST_CASE("the threshold is the accuracy of the linear classifier, which a network has to reach") {
        auto const answer = ask("max-rate 1,4,1 --biases --data " + flights +
                                " --loss binary-cross-entropy --highest-rate 1/1000 --halvings 1 --epochs 1");
        CHECK(std::stod(result(answer, "threshold")["decimal"].get<std::string>()) == doctest::Approx(20.0 / 23));
        CHECK(answer.text_of("assumptions").find("linear classifier of least loss") != std::string::npos);
        CHECK(result(answer, "max_initial_rate")["decimal"].is_null());
        CHECK(result(answer, "max_initial_rate")["form"].get<std::string>().find(
                  "no valid rate: none of 2 from 0.001 down to 0.0005") != std::string::npos);
    }

    // One output is always above or below 1/2: most of the flights were safe, 16 of 23.
    TEST_CASE("a highest rate that will do is a lower bound") {
        auto const answer = ask("max-rate 1,1 --biases --data " + flights +
                                " --loss binary-cross-entropy --threshold 0.25 --highest-rate 1/8 --epochs 50");
        auto const found = result(answer, "max_initial_rate");
        CHECK(found["decimal"] == "0.125");
        CHECK(found["form"].get<std::string>().find("at least") != std::string::npos);
        CHECK(found["index"] == Json{1});
    }

    TEST_CASE("networks of consecutive seeds, the same bytes with any number of threads") {
        Run const one = run_program(words(line + "--format csv --threads 1"));
        CHECK(one.code == 0);
        CHECK(results_of(one) == results_of(run_program(words(line + "--format csv --threads 2"))));
        auto const answer = ask(line);
        CHECK(answer.indices("max_initial_rate") == std::vector<Json>{Json{1}, Json{2}});
    }

    TEST_CASE("a killed search goes on from its trials to the same results") {
        TemporaryDirectory directory;
        std::string const file = directory / "trials.txt";
        Run const whole = run_program(words(line + "--format csv --checkpoint " + file));
        CHECK(whole.code == 0);
        std::string const kept = read_file(file);
        CHECK(kept.rfind("isserlis rate-trials 1\n", 0) == 0);
        // One network, then both: the first is not searched again.
        Run const again = run_program(words(line + "--format csv --checkpoint " + file));
        CHECK(again.out.find("went on after") != std::string::npos);
        CHECK(results_of(again) == results_of(whole));
        CHECK(read_file(file) == kept);
        Run const other = run_program(words(line + "--seed 7 --checkpoint " + file));
        CHECK(other.code == 2);
        CHECK(other.err.find("it was left by another run") != std::string::npos);
        write_file(file, kept.substr(0, kept.size() - 3));
        Run const damaged = run_program(words(line + "--checkpoint " + file));
        CHECK(damaged.code == 2);
        CHECK(damaged.err.find("cut short or damaged") != std::string::npos);
    }

    TEST_CASE("what is no search is refused by name") {
        for (auto const& [options, what] : std::vector<std::pair<std::string, std::string>>{
                 {"--loss squared", "--loss: squared has no classes"},
                 {"--loss hinge", "--threshold is missing"},
                 {"--threshold 0", "--threshold = 0"},
                 {"--threshold 1.5", "--threshold = 1.5"},
                 {"--threshold 1/2 --highest-rate 0", "--highest-rate = 0"},
                 {"--threshold 1/2 --bisections 51", "--bisections"},
                 {"--threshold 1/2 --networks 0", "--networks"},
                 {"--threshold 1/2 --schedule inverse:1", "--schedule"},
                 {"--threshold 1/2 --rate 1", "--rate"},
                 {"--threshold 1/2 --checkpoint /no/such/folder/file", "--checkpoint"},
                 {"--threshold 1/2 --set n=1", "--set means nothing here"}}) {
            bool const own_loss = options.find("--loss") != std::string::npos;
            Run const run = run_program(words("max-rate 1,2,1 --biases --data " + flights + " " +
                                              (own_loss ? "" : "--loss binary-cross-entropy ") + options));
            CAPTURE(options);
            CHECK(run.code == 2);
            CHECK_MESSAGE(run.err.find(what) != std::string::npos, run.err);
        }
    }
}
