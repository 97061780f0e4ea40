// SPDX-License-Identifier: MIT
// Every answer says which question it answers: the command line as typed, and the values of what is assumed.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "json_answer.hpp"
#include "program.hpp"

using namespace isserlis::test;

namespace {

std::string const inputs_file = ISSERLIS_TEST_DATA "/cli/two_inputs.csv";

/// What stands before comment lines of a format, and before its first line.
std::map<std::string, std::string> const marks{{"text", ""}, {"latex", "% "}, {"csv", "# "}, {"cpp", "// "}};

/// The words in quotes, as a shell takes them.
std::string by_shell(std::string const& command_line) {
    std::string const folder = std::filesystem::path(ISSERLIS_CLI_PATH).parent_path().string();
    TemporaryDirectory directory;
    std::string const out = directory / "out";
    std::string const script = "PATH='" + folder + "':$PATH; " + command_line + " > '" + out + "' 2> /dev/null";
    if (std::system(script.c_str()) == -1) throw std::runtime_error("system");
    return read_file(out);
}

/// One line of each command with options of every sort, but for --format.
std::vector<std::vector<std::string>> lines_of_all_commands(std::string const& form_file) {
    return {words("report 2,3,1 --law uniform --input 1,2 --digits 5"),
            words("moments 2,n,1 --set n=3 --fourth-moment 9/5"),
            words("products 2,3,1 --layer 1,2"),
            words("init 4,8,1 --c 3 --activation leaky:1/3"),
            words("scaling-factor 2,3,1 2,4,1 --layer 2"),
            words("norm 4,8,1 --variance 3,5 --law uniform --input 1,2,3,4 --order 2"),
            {"norm", "4,8,1", "--input", "1, 2, 3, 4", "--check", "200", "--seed", "7", "--threads", "1"},
            words("norm n,n:L,1 --input-squared-norm n --explain"),
            words("norm 2,n,1 --table n=2..3 --pre"),
            {"expect", "(D[m,n] loss)^2", "2,n,1", "--set", "n=3", "--target-second-moment", "5"},
            {"--digits", "4", "expect", "-z[i;m]^2", "2,3,1", "--label-factor=1/3"},
            words("hessian 4,8,1 --target-second-moment 5 --effective --eta-squared 2,3"),
            words("hessian 2,3,1 --functionals --layer 1"),
            words("hessian 2,3,1 --emit-test cpp --emit-samples 5000"),
            words("ntk 2,3,1 --label-factor 2/3 --emit-test pytorch"),
            words("ntk n,n:L,1 --label-factor 2"),
            words("mup 2,3,1 --eta 2 --target-second-moment 5"),
            words("mup --depths 1..3 --widths 4,8 --outputs 2"),
            words("coord-check n,n,1 --widths 4,8 --eta 3"),
            words("coord-check n,n,1 --widths 4,8 --parametrisation 0:0:1,0:1/2:0,-1:0:-1 --beside standard"),
            words("init 4,8,1 --parametrisation mean-field"),
            words("transfer 2,3,1 2,4,1 --rate 1/10 --parametrisation mup"),
            words("depth-rules 2,n,1 --set n=3 --depths 2,3"),
            words("jacobian 4,n,1 --alpha 1/2 --set n=3"),
            words("jacobian 2:3 --network resnet:2 --branch-widths 5 --solve alpha --of output_mean --target 2"),
            words("loss-curve 2,4,1 --data cos --c 3 --gradient fixed --at-output 1/2"),
            words("train 2,4,1 --data cos --epochs 2 --rate 1/20 --optimiser momentum --momentum 1/2"),
            words("max-rate 3,4,1 --data checkerboard --loss binary-cross-entropy --epochs 1 --threshold 1/2"),
            words("sharpness 2,4,1 --data cos --label-factors 1,1/2 --epochs 1 --rate 1/20"),
            {"trace", "Var[tr(W W^T)]", "--shape", "W=2,n", "--kurtosis", "9/5"},
            words("errata R24 M16"),
            words("verify --check 20"),
            {"claim", "z^4 = 12*(n + 5)/n", "1,n,m", "--set", "m=1"},
            {"form", "A.14", "2,2,2,2", "--with", form_file, "--kurtosis", "9/5"}};
}

/// A word as it has to be quoted.
std::string quoted(std::string const& word) {
    bool const plain = !word.empty() && std::all_of(word.begin(), word.end(), [](unsigned char c) {
        return std::isalnum(c) != 0 || std::string("_-+=:,./%@").find(static_cast<char>(c)) != std::string::npos;
    });
    return plain ? word : "'" + word + "'";
}

std::string typed(std::vector<std::string> const& line) {
    std::string out = "isserlis";
    for (auto const& word : line) out += " " + quoted(word);
    return out;
}

class FormFile {
public:
    FormFile() {
        write_file(path(), R"({"i": 1, "j": 1, "x": [1, 2], "y": [-1, 3], "z": [2, 1], "w": [1, -2], "v": [3, 1],
                               "P": [[2, 1], [1, -3]]})");
    }
    [[nodiscard]] std::string path() const { return directory_ / "it's a form.json"; }

private:
    TemporaryDirectory directory_;
};

bool emits_program(std::vector<std::string> const& line) {
    return std::find(line.begin(), line.end(), "--emit-test") != line.end();
}

/// The comment lines of an answer, or the lines of text above its table, without the first.
std::string assumed(std::string const& out, std::string const& mark) {
    std::string found;
    std::size_t start = out.find('\n') + 1;
    while (start < out.size()) {
        std::size_t const end = out.find('\n', start);
        std::string const line = out.substr(start, end - start);
        if (line.starts_with(mark + "assumes: ")) found += line + "\n";
        start = end + 1;
    }
    return found;
}

}  // namespace

TEST_SUITE("cli/question") {
    TEST_CASE(
        "the first line of every format is the command line as typed, and pasted into a shell it answers the same") {
        FormFile const file;
        for (auto line : lines_of_all_commands("form.json")) {
            for (auto& word : line) word = word == "form.json" ? "plain.json" : word;
            if (line[0] == "form") continue;  // below, where the file's name needs quotes
            for (auto const& [format, mark] : marks) {
                auto full = line;
                if (!emits_program(line)) {
                    full.insert(full.end(), {"--format", format});
                } else if (format != "text") {
                    continue;
                }
                Run const run = run_program(full, {.seconds = 60});
                INFO(shown(full), " ", run.err);
                REQUIRE((run.code == 0 || run.code == 1));
                std::string const before = !emits_program(line) ? mark : line.back() == "pytorch" ? "# " : "// ";
                std::string const first = run.out.substr(0, run.out.find('\n'));
                CHECK(first == before + typed(full));
                CHECK(by_shell(first.substr(before.size())) == run.out);
            }
        }
    }

    TEST_CASE("JSON has the command line too, beside the inputs by name") {
        FormFile const file;
        for (auto const& line : lines_of_all_commands(file.path())) {
            if (emits_program(line)) continue;
            auto const answer = ask(line, 60);
            CAPTURE(shown(line));
            if (line[0] != "form") CHECK(answer.json["command_line"] == typed(line) + " --format json");
            for (auto const& word : line) {
                if (!word.starts_with("--")) continue;
                std::string key = word.substr(2, word.find('=') - 2);
                std::replace(key.begin(), key.end(), '-', '_');
                CHECK_MESSAGE(answer.json["inputs"].contains(key), key);
            }
        }
    }

    TEST_CASE("a quote in a word does not end its quotes") {
        FormFile const file;
        std::vector<std::string> const line{"form", "A.14", "2,2,2,2", "--with", file.path()};
        Run const run = run_program(line);
        REQUIRE(run.code == 0);
        std::string const first = run.out.substr(0, run.out.find('\n'));
        CHECK(first.find("it'\\''s a form.json") != std::string::npos);
        CHECK(by_shell(first) == run.out);
    }

    // A value that occurs nowhere by itself has to stand in the assumptions of every command and format.
    TEST_CASE("the assumptions have the values of what they speak of, in every format") {
        FormFile const file;
        std::map<std::string, std::vector<std::string>> const given{
            {"--input-squared-norm", {"11/7"}},
            {"--target-second-moment", {"11/7"}},
            {"--label-factor", {"11/7"}},
            {"--bias-label-factor", {"11/7"}},
            {"--eta", {"11/7"}},
            {"--eta-squared", {"11/7", "--effective"}},
            {"--variance", {"11/7"}},
            {"--kurtosis", {"11/7"}},
            {"--fourth-moment", {"11/7"}},
            {"--alpha", {"11/7"}},
            {"--c", {"11/7"}},
            {"--at-output", {"11/7"}},
            {"--branch-widths", {"11", "--network", "resnet:2"}},
            {"--law", {"uniform"}},
            {"--scheme", {"lecun-uniform"}},
            {"--activation", {"leaky:11/7"}},
            {"--head", {"activation"}},
        };
        std::map<std::string, std::vector<std::string>> const queries{
            {"report", {"2,3,2"}},
            {"moments", {"2,3,2"}},
            {"init", {"2,3,2"}},
            {"norm", {"2,3:2,2"}},
            {"expect", {"(D[m] loss)^2", "2,3,2"}},
            {"hessian", {"2,3:2,2"}},
            {"ntk", {"2,3:2,2"}},
            {"mup", {"2,3,2"}},
            {"coord-check", {"2,3:2,2"}},
            {"transfer", {"2,3:2,2", "2,4:2,2"}},
            {"depth-rules", {"2,3,2", "--depths", "2,3"}},
            {"jacobian", {"2:3"}},
            {"loss-curve", {"2,3,1", "--data", "cos", "--gradient", "fixed"}},
            {"form", {"A.10", "2,2,2", "--with", file.path()}},
        };
        std::map<std::string, std::set<std::string>> stated;
        for (auto const& [command, query] : queries) {
            std::string const help = run_program({command, "--help"}).out;
            for (auto const& [option, value] : given) {
                if (help.substr(0, help.find("Options of every command")).find(option + " ") == std::string::npos)
                    continue;
                for (auto const& [format, mark] : marks) {
                    std::vector<std::string> line{command};
                    bool const of_a_sample = option == "--input-squared-norm" || option == "--branch-widths";
                    bool const of_an_input = option == "--target-second-moment" || option == "--alpha";
                    if ((command == "loss-curve" && of_a_sample) || (command == "mup" && option == "--branch-widths")) {
                        line.emplace_back("2,3:2,1");
                    } else if (option == "--c" && (command == "ntk" || command == "mup" || command == "coord-check" ||
                                                   command == "hessian" || command == "norm" ||
                                                   command == "depth-rules" || command == "transfer")) {
                        line.insert(line.end(), {"2,3,1", "--activation", "linear", "--data", "cos"});
                        if (command == "transfer") line.insert(line.begin() + 1, "2,4,1");
                        if (command == "depth-rules") line.insert(line.end(), {"--depths", "2"});
                    } else if (command == "loss-curve" && of_an_input) {
                        line.insert(line.end(), {"2,3:2,1", "--input", "1,2"});
                    } else {
                        line.insert(line.end(), query.begin(), query.end());
                    }
                    line.push_back(option);
                    line.insert(line.end(), value.begin(), value.end());
                    bool const needs_fourth = command != "form" && command != "moments" && command != "loss-curve" &&
                                              command != "init" &&
                                              (option == "--kurtosis" || option == "--law" || option == "--scheme");
                    bool const branches =
                        option == "--branch-widths" && command != "jacobian" && command != "depth-rules";
                    if (branches) line.emplace_back("--projections");
                    if (needs_fourth) line.insert(line.end(), {"--input", "1,2"});
                    line.insert(line.end(), {"--format", format});
                    Run const run = run_program(line);
                    INFO(shown(line), " ", run.err);
                    if (run.code == 3) continue;  // this command does not serve the value
                    REQUIRE(run.code == 0);
                    std::string const named = value[0].starts_with("leaky:") ? "slope 11/7"
                                              : option == "--head"           ? "gated"
                                                                             : value[0];
                    CHECK_MESSAGE(assumed(run.out, mark).find(named) != std::string::npos, run.out.substr(0, 2000));
                    stated[option].insert(command);
                }
            }
        }
        for (auto const& [option, value] : given) CHECK_MESSAGE(!stated[option].empty(), option);
        CHECK(stated["--target-second-moment"] == std::set<std::string>{"coord-check", "depth-rules", "expect",
                                                                        "hessian", "jacobian", "loss-curve", "mup",
                                                                        "report", "transfer"});
        CHECK(stated["--input-squared-norm"].size() == 11);
    }

    TEST_CASE("defaults that enter the answer are stated as well, and so are the values of --set") {
        auto const said = [](std::string const& line, std::string const& words_of_it) {
            INFO(line);
            CHECK(ask(line).text_of("assumptions").find(words_of_it) != std::string::npos);
        };
        said("hessian 2,3,1", "E|y|^2 = 1;");
        said("mup 2,3,1", "E|y|^2 = 1;");
        said("mup --depths 1..2 --widths 4", "E|y|^2 = 1;");
        said("coord-check 2,3,1", "E|y|^2 = 1;");
        said("jacobian 2,3,1", "E|target|^2 = 1");
        said("expect loss 2,3,1", "E|y|^2 = 1,");
        said("hessian 2,3,1 --input " + inputs_file, "E|y|^2 = 1 for each input");
        said("init 2,3,1", "c = 1");
        said("loss-curve 2,4,1 --data cos --gradient fixed", "c = 1");
        said("norm n,m,1 --set n=3,m=1/1 --input-squared-norm n", "m = 1, n = 3");
        said("norm n,m,1 --set n=3,m=1/1 --input-squared-norm n", "|x|^2 = n");
    }

    TEST_CASE("--explain is in every format, and explains the quantity of this command") {
        for (auto const& [format, mark] : marks) {
            CAPTURE(format);
            auto const explained = [&](std::string const& line) {
                Run const run = run_program(words(line + " --explain --format " + format));
                REQUIRE(run.code == 0);
                return run.out;
            };
            std::string const jacobian = explained("jacobian 2,3,1");
            CHECK(jacobian.find("\n" + mark + "relative_variance\n" + mark + "  formula: Var||dy/dW||^2") !=
                  std::string::npos);
            CHECK(jacobian.find("Var q_l") == std::string::npos);
            CHECK(jacobian.find("standardised") == std::string::npos);
            CHECK(explained("norm 2,3,1").find(mark + "  formula: Var q_l / (E q_l)^2") != std::string::npos);
            CHECK(explained("init 2,3,1").find("standardised") != std::string::npos);
        }
    }

    TEST_CASE("notes stand in every format") {
        for (auto const& [format, mark] : marks) {
            Run const run = run_program(words("norm 2,3,1 2,4,1 --format " + format));
            REQUIRE(run.code == 0);
            CHECK(run.out.find("\n" + mark + "note: several networks") != std::string::npos);
        }
    }

    TEST_CASE("without its comment lines a CSV answer is a table whose rows are of one length") {
        for (std::string const line : {"norm 2,n,1 --table n=2..3", "moments 2,3,1 --format csv", "list --format csv",
                                       "norm 2,3,1 --format csv --explain --check 200"}) {
            Run const run = run_program(words(line));
            REQUIRE((run.code == 0 || run.code == 1));
            bool table = false;
            std::size_t columns = 0;
            std::size_t start = 0;
            while (start < run.out.size()) {
                std::size_t const end = run.out.find('\n', start);
                std::string const row = run.out.substr(start, end - start);
                start = end + 1;
                if (row.starts_with("#")) {
                    CHECK_FALSE(table);  // only above the table
                    continue;
                }
                bool quotes = false;
                std::size_t fields = 1;
                for (char const c : row) {
                    if (c == '"') quotes = !quotes;
                    if (c == ',' && !quotes) ++fields;
                }
                if (!table) columns = fields;
                CHECK_MESSAGE(fields == columns, row);
                table = true;
            }
            CHECK(columns >= 4);
        }
    }
}
