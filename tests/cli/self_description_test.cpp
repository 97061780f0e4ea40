// SPDX-License-Identifier: MIT
// What the rows of the options make: help, letters, completion, the manual and the page of options.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdio>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "json_answer.hpp"
#include "terminal_text.hpp"

using namespace isserlis::test;

namespace {

std::string printed(std::string const& line) {
    Run const run = run_program(words(line));
    CAPTURE(line);
    REQUIRE(run.code == 0);
    CHECK(run.err.empty());
    return run.out;
}

std::vector<std::string> lines(std::string const& text) {
    std::istringstream in(text);
    std::vector<std::string> out;
    for (std::string line; std::getline(in, line);) out.push_back(line);
    return out;
}

/// The commands, as the program's help lists them.
std::vector<std::string> commands() {
    std::vector<std::string> out;
    bool listed = false;
    for (auto const& line : lines(printed("--help"))) {
        if (listed && line.empty()) break;
        if (listed && line.starts_with("  ") && line[2] != ' ') out.push_back(line.substr(2, line.find(' ', 2) - 2));
        listed = listed || line == "Commands:";
    }
    return out;
}

/// "--order" of "      --order P"; empty for other lines.
std::string option_of(std::string const& line) {
    std::size_t const at = line.find("--");
    if (at == std::string::npos || at > 6 || line.find_first_not_of(" ") > 6) return "";
    return line.substr(at, line.find_first_of(" ", at) - at);
}

std::string shell(std::string const& command, std::string const& script) {
    TemporaryDirectory const folder;
    write_file(folder / "script", script);
    std::string const line = command + " " + (folder / "script") + " 2>&1";
    std::FILE* pipe = popen(line.c_str(), "r");
    REQUIRE(pipe != nullptr);
    std::string out;
    for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) out += static_cast<char>(c);
    CHECK_MESSAGE(pclose(pipe) == 0, out);
    return out;
}

}  // namespace

TEST_SUITE("cli/self_description") {
    TEST_CASE("help fits 80 columns, and names every option in completion, manual and the page of options") {
        auto const all = commands();
        REQUIRE(all.size() >= 19);
        std::string const bash = printed("completion bash");
        std::string const zsh = printed("completion zsh");
        std::string const fish = printed("completion fish");
        std::string manual = printed("manual");
        manual.erase(std::remove(manual.begin(), manual.end(), '\\'), manual.end());
        std::string const page = printed("manual markdown");
        for (auto const& command : all) {
            std::size_t options = 0;
            for (auto const& line : lines(printed(command + " --help"))) {
                CHECK_MESSAGE(line.size() <= 80, line);
                auto const option = option_of(line);
                if (option.empty()) continue;
                CAPTURE(option);
                ++options;
                CHECK(bash.find(option) != std::string::npos);
                CHECK(zsh.find(option) != std::string::npos);
                CHECK(fish.find(" -l " + option.substr(2) + " ") != std::string::npos);
                CHECK(manual.find(option) != std::string::npos);
                CHECK(page.find(option) != std::string::npos);
            }
            CHECK(options >= 1);
        }
        CHECK(page == read_file(ISSERLIS_TEST_DATA "/../docs/options.md"));
    }

    TEST_CASE("bash completes commands, their options, words of an option and files") {
        std::string const script =
            printed("completion bash") +
            "ask() { COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); _isserlis; echo \"$1 $2 $3: "
            "${COMPREPLY[*]}\"; }\n"
            "ask isserlis nor\nask isserlis norm --or\nask isserlis norm --law un\n"
            "ask isserlis hessian --funct\nask isserlis norm --funct\n"
            "ask isserlis norm -f j\nask isserlis completion z\nask isserlis norm --order 1\n"
            "ask isserlis norm --law = un\nask isserlis --output list trace --shap\n"
            "ask isserlis --output = list trace --shap\nask isserlis manual m\n"
            "cd $(mktemp -d); touch 'my file'; ask isserlis merge m; ask isserlis claim 'my f'\n";
        auto const answers = lines(shell("bash", script));
        REQUIRE(answers.size() == 14);
        CHECK(answers[0] == "isserlis nor : norm normalised");
        CHECK(answers[1] == "isserlis norm --or: --order");
        CHECK(answers[2].ends_with(": uniform"));
        CHECK(answers[3].ends_with(": --functionals"));
        CHECK(answers[4].ends_with(": "));
        CHECK(answers[5].ends_with(": json"));
        CHECK(answers[6].ends_with(": zsh"));
        CHECK(answers[7].ends_with(": "));
        CHECK(answers[8].ends_with(": uniform"));
        CHECK(answers[9].ends_with(": --shape"));
        CHECK(answers[10].ends_with(": --shape"));
        CHECK(answers[11].ends_with(": man markdown"));
        CHECK(answers[12].ends_with(": my file"));
        CHECK(answers[13].ends_with(": my file"));
    }

    TEST_CASE("a letter is short for its option, in front of the command or behind, but not in place of a value") {
        std::string const full = printed("norm 2,3,1 --check 100 --format json --digits 5 --seed 7 --threads 1");
        CHECK(printed("norm 2,3,1 -c 100 -f json -d 5 -S 7 -j 1") == full);
        CHECK(printed("-f json norm 2,n,1 -s n=3") == printed("--format json norm 2,n,1 --set n=3"));
        CHECK(run_program(words("norm 2,3,1 -x")).code == 2);
        CHECK(run_program(words("norm 2,3,1 -c")).err.find("--check: N is missing") != std::string::npos);
        CHECK(run_program(words("norm 2,3,1 -f json -q")).err.find("\"message\"") != std::string::npos);
    }

    TEST_CASE("on a terminal the results come first, in lines that fit, and what disagrees is red") {
        std::string const text =
            "isserlis norm 2,3,1\nassumes: one thing; another thing\n\nquantity  verdict    exact\n"
            "a         disagrees  1\nb         agrees     2\n\nnote: of these many words\n";
        CHECK(isserlis::cli::for_terminal(text, 24, false) ==
              "isserlis norm 2,3,1\n\nquantity  verdict    exact\na         disagrees  1\nb         agrees     2\n\n"
              "note: of these many\n  words\n\nassumes: one thing;\n  another thing\n");
        std::string const red = isserlis::cli::for_terminal(text, 80, true);
        CHECK(red.find("\na         \033[1;31mdisagrees\033[0m  1\nb         agrees     2\n") != std::string::npos);
    }

    TEST_CASE("what the program says of itself takes no other options") {
        CHECK(run_program(words("completion tcsh")).err.find("bash, zsh or fish") != std::string::npos);
        CHECK(run_program(words("completion")).code == 2);
        CHECK(run_program(words("completion bash --check 3")).err.find("--check means nothing") != std::string::npos);
        CHECK(run_program(words("manual html")).code == 2);
    }
}
