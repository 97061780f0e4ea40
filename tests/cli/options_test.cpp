// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>
#include <sys/stat.h>

#include <algorithm>
#include <string>
#include <vector>

#include "json_answer.hpp"
#include "refusal.hpp"

using namespace isserlis::test;

TEST_SUITE("cli/options") {
    namespace {

    Run good(std::vector<std::string> const& arguments) {
        Run run = run_program(arguments);
        INFO(shown(arguments), " ", run.err);
        REQUIRE(run.code == 0);
        CHECK(run.err.empty());
        return run;
    }
    Run good(std::string const& line) { return good(words(line)); }

    std::vector<std::string> lines_of(std::string const& text) {
        std::vector<std::string> out;
        std::string line;
        for (char const c : text) {
            if (c == '\n') {
                out.push_back(line);
                line.clear();
            } else {
                line += c;
            }
        }
        CHECK(line.empty());  // a final newline
        return out;
    }

    /// The answer without its first line, the command as typed.
    std::string below_the_command(Run const& run) { return run.out.substr(run.out.find('\n')); }

    /// The lines of a CSV answer but for its comments.
    std::vector<std::string> rows_of(std::string const& csv) {
        auto out = lines_of(csv);
        out.erase(std::remove_if(out.begin(), out.end(), [](auto const& line) { return line.starts_with('#'); }),
                  out.end());
        return out;
    }

    std::vector<std::string> const commands{"report", "moments", "products", "init", "scaling-factor", "norm"};

    }  // namespace

    TEST_CASE("--version and --help, of the program and of every command, with examples that run") {
        CHECK(good("--version").out.rfind("isserlis ", 0) == 0);
        std::string const all = good("--help").out;
        for (std::string const option : {"--format", "--digits", "--layer", "--check", "--seed", "--threads", "--set",
                                         "--table", "--explain", "--output", "--version"})
            CHECK(all.find(option) != std::string::npos);
        CHECK(all.find("isserlis") != std::string::npos);
        for (std::string command : {"report", "moments", "products", "init", "scaling-factor", "norm", "list"}) {
            CHECK(all.find(command) != std::string::npos);
            std::string const help = good(command + " --help").out;
            CHECK(help == good("--help " + command).out);
            REQUIRE(help.find("Examples:") != std::string::npos);
            std::size_t examples = 0;
            for (auto const& line : lines_of(help)) {
                if (line.rfind("  isserlis " + command, 0) != 0) continue;
                std::string example = line.substr(11);
                example = example.substr(0, example.find("  "));  // a remark follows
                INFO(example);
                CHECK(run_program(words(example), {.seconds = 20}).code == 0);
                ++examples;
            }
            CHECK(examples >= 1);
        }
    }

    TEST_CASE("global options before and after the command's name give the same answer") {
        for (auto const& command : commands) {
            CHECK(below_the_command(good(command + " 2,3,1 --format csv --digits 5 --layer 1")) ==
                  below_the_command(good("--format csv --digits 5 --layer 1 " + command + " 2,3,1")));
            CHECK(ask(command + " --layer 1 2,3,1").json["results"] ==
                  ask("--digits 17 " + command + " 2,3,1 --layer=1").json["results"]);
        }
        CHECK(below_the_command(good("--set n=3 norm 2,n,1 --set L=2,m=4 3,m:L,1")) ==
              below_the_command(good("norm 2,n,1 3,m:L,1 --set n=3 --set L=2,m=4")));
    }

    TEST_CASE("--layer keeps what the full answer has there, in every command") {
        for (auto const& command : commands) {
            if (command == "report") continue;  // it chooses layers itself, and has all of one that is asked for
            auto const full = ask(command + " 2,3,4,1 2,4,4,2");
            for (int layer = 1; layer <= 2; ++layer) {
                auto const one = ask(command + " 2,3,4,1 2,4,4,2 --layer " + std::to_string(layer));
                CHECK(one.json["results"].size() < full.json["results"].size());
                for (auto const& r : one.json["results"]) CHECK(full.result(r["name"], r["index"]) == r);
                CHECK_FALSE(one.json["results"].empty());
            }
        }
        CHECK(ask("products 2,3,4,1 --layer 1,3").indices("phi") == std::vector<Json>{Json{1, 3}});
        CHECK(ask("products 2,3,4,1 --layer 3").indices("phi") ==
              std::vector<Json>{Json{1, 3}, Json{2, 3}, Json{3, 3}});
        CHECK(ask("norm 2,n:L,1 --layer L+1").indices("squared_norm_mean") == std::vector<Json>{Json{"L + 1"}});
    }

    TEST_CASE("--layer is a formula whose symbols take the values of --set and --table") {
        for (std::string const command : {"moments", "products", "init", "norm", "report"}) {
            CAPTURE(command);
            auto const fixed = ask(command + " n0,n:L,1 --set L=3 --layer 4");
            CHECK(ask(command + " n0,n:L,1 --set L=3 --layer L+1").json["results"] == fixed.json["results"]);
            CHECK(ask(command + " n0,n:L,1 --set L=3,n=5,n0=2 --layer L+1").json["results"] ==
                  ask(command + " 2,5:3,1 --layer 4").json["results"]);
        }
        CHECK(ask("products 2,n:L,1 --set n=3,L=2 --layer L-1,L+1").indices("phi") == std::vector<Json>{Json{1, 3}});
        CHECK(ask("norm 2,n:L,1 --set n=5 --layer L+1").indices("squared_norm_mean") ==
              std::vector<Json>{Json{"L + 1"}});
        CHECK(ask("norm 2,4:L,1 --table L=1..3 --layer L+1").indices("squared_norm_mean") ==
              std::vector<Json>{Json{1, 2}, Json{2, 3}, Json{3, 4}});
    }

    TEST_CASE("--table is one answer for each value, CSV unless a format is asked for") {
        auto const rows = rows_of(good("norm 2,n,1 --table n=1..5 --layer 2").out);
        CHECK(rows.front().rfind("n,name,index,exact,decimal", 0) == 0);
        auto const table = ask("norm 2,n,1 --table n=1..5");
        for (int n = 1; n <= 5; ++n) {
            auto const one = ask("norm 2,n,1 --set n=" + std::to_string(n));
            for (auto const& r : one.json["results"]) {
                Json index = r["index"];
                index.insert(index.begin(), n);
                CHECK(table.result(r["name"], index)["exact"] == r["exact"]);
            }
        }
        CHECK(table.json["results"].size() % 5 == 0);
        CHECK(ask("moments 2,4:L,1 --table L=1..3 --layer 2").json["results"].size() == 18);
        CHECK(good("norm 2,n,1 --table n=1..2 --format text").out.rfind("isserlis norm 2,n,1", 0) == 0);
        CHECK(ask("norm 2,n,1 --table n=3..3").json["results"].size() == ask("norm 2,3,1").json["results"].size());
        CHECK(ask("norm a,n,1 --table n=1..2 --set a=2").json["results"] ==
              ask("norm 2,n,1 --table n=1..2").json["results"]);
    }

    TEST_CASE("--explain says formula, source and assumptions of each quantity that is printed") {
        for (auto const& command : commands) {
            std::string const text = good(command + " 2,3,1 --explain").out;
            for (auto const& name : ask(command + " 2,3,1").names()) {
                auto const at = text.find("\n" + name + "\n  formula: ");
                CHECK_MESSAGE(at != std::string::npos, name);
                CHECK(text.find("source:", at) != std::string::npos);
            }
            CHECK(ask(command + " 2,3,1 --explain").json["explanations"].size() ==
                  ask(command + " 2,3,1").names().size());
        }
    }

    TEST_CASE("--output writes the whole answer and nothing to stdout") {
        TemporaryDirectory const directory;
        for (std::string const format : {"text", "json", "csv", "latex"}) {
            for (auto const& command : commands) {
                std::string const file = directory / (command + "." + format);
                auto arguments = words(command + " 2,3,1 --format " + format);
                std::string const printed = good(arguments).out;
                arguments.insert(arguments.end(), {"--output", file});
                CHECK(good(arguments).out.empty());
                std::string const written = read_file(file);
                if (format == "json") {
                    CHECK(Json::parse(written)["results"] == Json::parse(printed)["results"]);
                } else {
                    CHECK(written == printed);
                }
            }
        }
        CHECK(directory.size() == 4 * commands.size());  // no temporary file is left
    }

    TEST_CASE("--output fails as a whole: the old file stays, nothing else is left") {
        TemporaryDirectory const directory;
        std::string const old = directory / "old.txt";
        write_file(old, "precious\n");
        for (std::string const line : {"norm 2,3,1 --layer 9", "norm 2,3,1 --order 0", "nrom 2,3,1", "norm 2,3,1 --bad",
                                       "jacobian 2,n:L,1 --kurtosis 2"}) {
            auto arguments = words(line);
            arguments.insert(arguments.end(), {"--output", old});
            Run const run = run_program(arguments);
            CHECK(run.code >= 2);
            CHECK(read_file(old) == "precious\n");
        }
        for (std::string const& bad : {directory / "no/such/place.txt", old + "/below", directory.path().string(),
                                       directory.path().string() + "/", directory / std::string(300, 'x')}) {
            Run const run = run_program({"norm", "2,3,1", "--output", bad});
            INFO(run.err);
            CHECK(run.code == 2);
            CHECK(run.out.empty());
            CHECK(run.err.find("--output") != std::string::npos);
        }
        CHECK(read_file(old) == "precious\n");
        CHECK(directory.size() == 1);
    }

    TEST_CASE("--output has names of any length that a folder takes, and goes where a link leads") {
        TemporaryDirectory const directory;
        std::string const longest = directory / std::string(255, 'x');
        CHECK(good({"norm", "2,3,1", "--output", longest}).out.empty());
        CHECK_FALSE(read_file(longest).empty());
        std::filesystem::create_symlink("not/yet", directory / "link");
        CHECK(run_program({"norm", "2,3,1", "--output", directory / "link"}).code == 2);  // no folder
        std::filesystem::create_directory(directory / "not");
        CHECK(good({"norm", "2,3,1", "--output", directory / "link"}).out.empty());
        CHECK(std::filesystem::is_symlink(directory / "link"));
        CHECK(read_file(directory / "not/yet") == read_file(longest));
        std::filesystem::create_symlink("b", directory / "a");
        std::filesystem::create_symlink("a", directory / "b");
        is_refusal(run_program({"norm", "2,3,1", "--output", directory / "a"}), {"--output", "symbolic links"});
    }

    TEST_CASE("two options that would write one file are refused") {
        TemporaryDirectory const directory;
        std::string const file = directory / "file.svg";
        std::string const same = directory / "./file.svg";
        for (auto const& [line, option] : std::vector<std::pair<std::string, std::string>>{
                 {"norm 2,3,1 --plot " + file + " --output " + same, "--plot"},
                 {"norm 2,3,1 --check 10 --keep " + file + " --output " + same, "--keep"},
                 {"train 2,3,1 --data cos --save " + file + " --checkpoint " + same, "--checkpoint"}}) {
            INFO(line);
            is_refusal(run_program(words(line)), {option, "one file"});
        }
        CHECK(directory.size() == 0);
    }

    TEST_CASE("--output lifts the size limit") {
        TemporaryDirectory const directory;
        std::string const file = directory / "large.csv";
        CHECK(run_program(words("moments 2,10:2500,1 --format csv")).code == 3);
        CHECK(good({"moments", "2,10:2500,1", "--format", "csv", "--output", file}).out.empty());
        CHECK(std::filesystem::file_size(file) > 10'000'000);
    }

    // As root, a rename over /dev/null would be the end of it.
    TEST_CASE("--output at something that is not a plain file does not replace it") {
        TemporaryDirectory const directory;
        std::string const pipe = directory / "pipe";
        REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
        int const reader = open(pipe.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
        Run const run = run_program({"norm", "2,3,1", "--output", pipe});
        CHECK_FALSE(run.timed_out);
        struct stat status {};
        REQUIRE(stat(pipe.c_str(), &status) == 0);
        CHECK(S_ISFIFO(status.st_mode));
        close(reader);
    }

    TEST_CASE("--output at a pipe that nobody reads is refused, not waited for") {
        TemporaryDirectory const directory;
        std::string const pipe = directory / "pipe";
        REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
        Run const run = run_program({"norm", "2,3,1", "--output", pipe}, {.seconds = 20});
        CHECK_FALSE(run.timed_out);
        CHECK(run.code == 2);
        CHECK(run.err.find("nobody reads this pipe") != std::string::npos);
    }

    TEST_CASE("a standard output that cannot be written is an error with a message, not a failed check") {
        for (std::string const line :
             {"norm 2,3,1", "report 2,10:3,1 --format json", "--help", "norm --help", "list"}) {
            Run const run = run_program(words(line), {.standard_output = "/dev/full"});
            CAPTURE(line);
            CHECK(run.code > 1);
            CHECK_FALSE(run.err.empty());
        }
    }

    TEST_CASE("JSON of file names with any valid UTF-8, and none with invalid") {
        TemporaryDirectory const directory;
        Run const run = good({"norm", "2,3,1", "--format", "json", "--output", directory / "\xc3\xb1.json"});
        CHECK(Json::parse(read_file(directory / "\xc3\xb1.json"))["inputs"]["output"] == directory / "\xc3\xb1.json");
        for (std::string const bad : {"\xc0\x80", "\xed\xa0\x80", "\xf5\x80\x80\x80", "\xff"}) {
            Run const refused = run_program({"norm", "2,3,1", "--format", "json", "--output", directory / bad});
            CHECK(refused.signal == 0);
            CHECK((refused.code == 0 || refused.code == 2));
        }
    }

    TEST_CASE("what is hidden in the name of a file is seen in every format") {
        TemporaryDirectory const directory;
        for (std::string const hidden : {"\xe2\x80\xae", "\xe2\x80\x8b", "\xf3\xa0\x81\x81"}) {
            write_file(directory / ("x" + hidden + ".csv"), "1,2\n");
            for (std::string const format : {"text", "json", "csv", "latex", "cpp"}) {
                Run const run =
                    good({"norm", "2,3,1", "--input", directory / ("x" + hidden + ".csv"), "--format", format});
                CHECK(run.out.find(hidden) == std::string::npos);
                if (format != "json") continue;
                auto const input = Json::parse(run.out)["inputs"]["input"].get<std::string>();
                CHECK(input == directory / ("x" + hidden + ".csv"));
            }
        }
    }

    TEST_CASE("text is aligned: every column starts at one place, no line ends in a blank") {
        for (auto const& command : commands) {
            auto const rows = lines_of(good(command + " 2,10:3,1").out);
            auto const header =
                std::find_if(rows.begin(), rows.end(), [](auto const& r) { return r.rfind("quantity", 0) == 0; });
            REQUIRE(header != rows.end());
            std::vector<std::size_t> columns;
            for (std::size_t i = 1; i < header->size(); ++i) {
                if ((*header)[i] != ' ' && (*header)[i - 1] == ' ') columns.push_back(i);
            }
            CHECK(columns.size() >= 2);
            for (auto row = header + 1; row != rows.end() && !row->empty(); ++row) {
                if (row->rfind("-- ", 0) == 0) continue;
                INFO(*row);
                CHECK(row->back() != ' ');
                for (std::size_t const c : columns) {
                    if (row->size() <= c) continue;
                    CHECK((*row)[c - 1] == ' ');
                }
                CHECK((*row)[columns.back()] != ' ');
            }
            CHECK(rows[0] == "isserlis " + command + " 2,10:3,1");
            CHECK(rows[1].rfind("assumes: ", 0) == 0);
        }
    }

    TEST_CASE("CSV: as many fields in every line as in the header") {
        for (auto const& command : commands) {
            for (std::string const more : {"", " --check 2000"}) {
                auto const rows = rows_of(good(command + " 2,3,1 --format csv" + more).out);
                auto const separators = [](std::string const& row) {
                    bool quoted = false;
                    return std::count_if(row.begin(), row.end(), [&](char c) {
                        quoted = quoted != (c == '"');
                        return c == ',' && !quoted;
                    });
                };
                for (auto const& row : rows) CHECK(separators(row) == separators(rows[0]));
                CHECK(rows.size() == ask(command + " 2,3,1").json["results"].size() + 1);
            }
        }
    }

    TEST_CASE("LaTeX: balanced, one line for each result, nothing unescaped in text") {
        for (auto const& command : commands) {
            for (std::string const widths : {"2,10:3,1", "a,b,c", "n0,n:L,1"}) {
                std::string text;  // without the comments
                for (auto const& row : lines_of(good(command + " " + widths + " --format latex").out)) {
                    if (row[0] != '%') text += row + "\n";
                }
                CAPTURE(command);
                CAPTURE(widths);
                int depth = 0;
                for (std::size_t i = 0; i < text.size(); ++i) {
                    bool const escaped = i > 0 && text[i - 1] == '\\';
                    if (text[i] == '{' && !escaped) ++depth;
                    if (text[i] == '}' && !escaped) --depth;
                    CHECK(depth >= 0);
                }
                CHECK(depth == 0);
                auto const count = [&](std::string const& what) {
                    std::size_t found = 0;
                    for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++found;
                    return found;
                };
                CHECK(count("\\left") == count("\\right"));
                CHECK(count("\\begin{") == count("\\end{"));
                // What has no value is a comment.
                auto const results = ask(command + " " + widths).json["results"];
                auto const values = std::count_if(results.begin(), results.end(), [](Json const& r) {
                    return !r["exact"].is_null() || !r["decimal"].is_null();
                });
                CHECK(count(" &= ") + count(" &\\approx ") == static_cast<std::size_t>(values));
                CHECK(count("*") == 2);  // align*
            }
        }
    }
}
