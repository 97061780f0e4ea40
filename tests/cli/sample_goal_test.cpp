// SPDX-License-Identifier: MIT
// --time, --until and --yes: how many networks are sampled, said so that it can be asked for again.
#include <doctest/doctest.h>

#include <string>

#include "program.hpp"
#include "refusal.hpp"

using namespace isserlis::test;

namespace {

/// The command that the first line of an answer shows.
std::string title_of(Run const& run) {
    std::string const line = run.out.substr(0, run.out.find('\n'));
    std::string const program = "isserlis ";
    REQUIRE(line.starts_with(program));
    return line.substr(program.size());
}

}  // namespace

TEST_SUITE("cli/sample_goal") {
    TEST_CASE("the number that was chosen gives the same bytes when it is asked for") {
        for (std::string const line :
             {"norm 3,8,1 --until 5%", "ntk 4,8,1 --until 0.03 --seed 7 --digits 6", "expect z^2 2,9,1 --time 0.4s",
              "hessian 2,6,1 --time 0.5s --until 20% --threads 2", "norm 3,n,1 --table n=4,8 --until 10%"}) {
            CAPTURE(line);
            Run const chosen = run_program(words(line), {.seconds = 60});
            INFO(chosen.err);
            REQUIRE(chosen.code == 0);
            std::string title;
            for (auto word : words(chosen.out.substr(0, chosen.out.find('\n')))) {
                std::erase(word, '\'');  // quotes for a shell
                if (word != "#" && word != "isserlis") title += (title.empty() ? "" : " ") + word;
            }
            CHECK(title.find("--check ") != std::string::npos);
            CHECK(title.find("--time") == std::string::npos);
            CHECK(title.find("--until") == std::string::npos);
            Run const again = run_program(words(title), {.seconds = 60});
            INFO(again.err);
            CHECK(again.code == 0);
            CHECK(again.out == chosen.out);
        }
    }

    TEST_CASE("a smaller error takes more networks") {
        auto const networks = [](std::string const& share) {
            std::string const title = title_of(run_program(words("ntk 4,8,1 --until " + share), {.seconds = 60}));
            return std::stod(title.substr(title.find("--check ") + 8));
        };
        double const some = networks("10%");
        double const more = networks("2%");
        CHECK(some >= 30);
        CHECK(more > 10 * some);  // 25 times but for the spare
    }

    TEST_CASE("goals that are none, two at once, and nothing to sample are refused") {
        refuses("norm 3,8,1 --time 0", "--time: '0'; a time above 0");
        refuses("norm 3,8,1 --time soon", "--time");
        refuses("norm 3,8,1 --until 100%", "--until = 100%; a share between 0% and 100%");
        refuses("norm 3,8,1 --until -1%", "--until");
        refuses("norm 3,8,1 --check 100 --time 1s", "--time and --until choose it; give one of them");
        refuses("norm 3,8,1 --yes", "--yes means nothing without --check or --time or --until");
        refuses("norm n,n,1 --time 1s", "--time: no mean other than 0 is sampled here");
        // However busy the machine is: a time that is over after the first run.
        refuses("norm n,n,1 --time 0.000001s",
                "--time: no mean other than 0 is sampled here by 4 networks; allow more");
        refuses("list --until 1%", "--until");
        refuses("mup --depths 1..2 --widths 4 --time 1s", "rates of many networks are not sampled", 3);
    }

    TEST_CASE("--yes runs what is refused without it") {
        std::string const line = "norm 1000:5,1 --check 1000000";
        refuses(line, "fit a minute, and --yes runs all of them", 3);
        refuses(line + " --yes --timeout 1", "not done within --timeout 1;", 3);
    }
}
