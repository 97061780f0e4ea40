// SPDX-License-Identifier: MIT
// Short command lines that ask for more than a machine has: refused at once, or ended by a clock, with a sentence.
#include <doctest/doctest.h>

#include <chrono>
#include <string>
#include <vector>

#include "json_answer.hpp"

using namespace isserlis::test;

namespace {

constexpr rlim_t megabyte = 1'000'000;

/// One sentence, and no trace of an abort.
void check_refused(Run const& run, int code) {
    INFO(run.err);
    CHECK_FALSE(run.timed_out);
    CHECK(run.signal == 0);
    CHECK(run.code == code);
    CHECK(run.out.empty());
    CHECK(run.err.starts_with("isserlis: "));
    CHECK(run.err.find("unexpected") == std::string::npos);
    CHECK(run.err.find("GNU MP") == std::string::npos);
    CHECK(std::count(run.err.begin(), run.err.end(), '\n') == 1);
}

std::string repeated(std::string const& text, int times) {
    std::string out;
    for (int i = 0; i < times; ++i) out += text;
    return out;
}

}  // namespace

TEST_SUITE("cli/limits") {
    TEST_CASE("powers are refused by their size, before they are computed" * bounds_memory()) {
        for (std::vector<std::string> const& line : std::vector<std::vector<std::string>>{
                 {"norm", "4,n,1", "--variance", "2^10000000000", "--layer", "1"},
                 {"norm", "4,n,1", "--variance", "1/2^10000000000", "--layer", "1"},
                 {"norm", "4,n,1", "--variance", "2^-10000000000", "--layer", "1"},
                 {"norm", "4,n,1", "--variance", "(2^60000000)^(1/2)*n^(2^20000000)", "--layer", "1"},
                 {"norm", "4,n,1", "--input-squared-norm", "2^1000000000"},
                 {"norm", "4,2,1", "--input-squared-norm", "(2^1000000)^1000000"},
                 {"norm", "4,2,1", "--input-squared-norm", "(1+sqrt(2))^1000000000"},
                 {"norm", "4,2,1", "--input-squared-norm", repeated("2^60000000*", 30) + "1"},
                 {"moments", "2,n:L,1", "--layer", "(L+n+1)^3000"},
                 {"moments", "2,n:L,1", "--layer", "L+n^100000000000"},
                 {"moments", "2,n:L,1", "--layer", "L+n^100000"},
                 {"jacobian", "n,n:L,1", "--layer", "1e400"},
                 {"norm", "n,n:L,1", "--layer", "1000000000000000001"},
                 {"norm", "4,n,1", "--variance", "(n^m+1)^(3^40)", "--layer", "1"}}) {
            INFO(shown(line));
            check_refused(run_program(line, {.seconds = 20, .memory = 2000 * megabyte}), 3);
        }
        std::string const root =
            "(sqrt(2)+sqrt(3)+sqrt(5)+sqrt(7)+sqrt(11)+sqrt(13)+sqrt(17)+sqrt(19)+sqrt(23)+sqrt(29)"
            "+sqrt(31)+sqrt(37)+sqrt(41)+sqrt(43)+sqrt(47)+sqrt(53))";
        check_refused(run_program({"norm", "4,2,1", "--input-squared-norm", root + "^100"}, {.seconds = 20}), 3);
    }

    TEST_CASE("sums are refused by the terms of their products, before these are computed" * bounds_memory()) {
        auto const joined = [](std::string const& by, int count, auto const& term) {
            std::string out;
            for (int i = 0; i < count; ++i) out += (i == 0 ? "" : by) + term(i);
            return out;
        };
        std::vector<std::string> const primes = words("2 3 5 7 11 13 17 19 23 29 31 37 41 43 47 53 59 61 67 71");
        auto const number = [](int i) { return std::to_string(i); };
        std::string const symbols = joined("+", 200, [&](int i) { return "x" + number(i); });
        std::string const fractions = joined("+", 60, [&](int i) { return "1/(n+" + number(i) + ")"; });
        std::string const sums = joined("*", 40, [&](int i) { return "(x" + number(i) + "+1)"; });
        std::string const roots =
            joined("+", 16, [&](int i) { return "sqrt(" + primes[static_cast<std::size_t>(i)] + ")"; });
        std::string const products =
            joined("*", 20, [&](int i) { return "(1+sqrt(" + primes[static_cast<std::size_t>(i)] + "))"; });
        for (std::vector<std::string> const& line :
             std::vector<std::vector<std::string>>{{"norm", "4,n,1", "--layer", "1", "--variance", symbols},
                                                   {"norm", "4,n,1", "--layer", "1", "--variance", fractions},
                                                   {"norm", "4,n,1", "--layer", "1", "--variance", products},
                                                   {"norm", "4,n,1", "--layer", "1", "--variance", "(" + roots + ")^4"},
                                                   {"norm", "2,3,1", "--alpha", "(" + roots + ")^4"},
                                                   {"mup", "2,n,1", "--layer", "1", "--eta", sums}}) {
            INFO(shown(line));
            check_refused(run_program(line, {.seconds = 20, .memory = 2000 * megabyte}), 3);
        }
    }

    TEST_CASE("powers of polynomials stay powers, in a sum too" * bounds_memory()) {
        Run const run = run_program({"norm", "4,n,1", "--variance", "(n+1)^100000+m", "--layer", "1"},
                                    {.seconds = 20, .memory = 2000 * megabyte});
        INFO(run.err);
        CHECK_FALSE(run.timed_out);
        CHECK(run.signal == 0);
        CHECK((run.code == 0 || run.code == 3));
    }

    // 20 hidden layers of gelu are a second, and every layer makes the next ones longer.
    TEST_CASE("kernels of many smooth layers, or of tiny ones, are refused before they are integrated") {
        for (std::string const line :
             {"kernel gelu --depth 1000", "kernel gelu --depth 150 --digits 100", "kernel relu tanh --depth 300",
              "kernel tanh --weight-variance 1e-300 --depth 3", "kernel erf --weight-variance 1e-400"}) {
            INFO(line);
            Run const run = run_program(words(line), {.seconds = 20});
            check_refused(run, 3);
            CHECK(run.err.find("--depth") != std::string::npos);
        }
        for (std::string const line :
             {"kernel relu --depth 100", "kernel leaky:1/2 --weight-variance 1e-300 --depth 3", "kernel tanh --depth 4",
              "kernel tanh --weight-variance 1e-30 --bias-variance 1 --depth 2",
              "kernel tanh --weight-variance 1e-6"}) {
            INFO(line);
            CHECK(run_program(words(line), {.seconds = 60}).code == 0);
        }
    }

    // Each division once copied all that stood to its left: 32 kB took minutes.
    TEST_CASE("long rows of divisions are read in linear time") {
        std::string formula = "1";
        for (int i = 0; i < 10; ++i) formula = "(" + formula + repeated("/1", 190) + ")";
        Run const deep = run_program({"norm", "2,3,1", "--input-squared-norm", formula}, {.seconds = 20});
        check_refused(deep, 2);
        CHECK(deep.err.find("nested too deeply") != std::string::npos);
        std::string wide = "0";
        for (int i = 0; i < 10; ++i) wide += "+(2" + repeated("/1", 190) + ")";
        Run const run = run_program({"norm", "2,3,1", "--input-squared-norm", wide, "--layer", "2"}, {.seconds = 20});
        CHECK(run.code == 0);
        CHECK(run.out == run_program({"norm", "2,3,1", "--input-squared-norm", wide, "--layer", "2"}).out);
    }

    TEST_CASE("where memory ends, at any limit, the exit code is 3 with a sentence" * bounds_memory()) {
        for (std::string const line : {"products 2,10:1000,1 --output p", "moments 2,10:20000,1 --output o",
                                       "norm 2,n:200,1 --order 6 --output q"}) {
            for (rlim_t const most : {60U, 100U, 200U}) {
                TemporaryDirectory const folder;
                for (std::string const format : {"text", "json"}) {
                    if (format == "json" && most > 60) continue;
                    Run const run =
                        run_program(words(line + " --format " + format + " --timeout 5"),
                                    {.seconds = 40, .directory = folder.path().string(), .memory = most * megabyte});
                    INFO(line, " ", format, " ", most, " MB: ", run.err);
                    CHECK(run.signal == 0);
                    CHECK((run.code == 0 || run.code == 3));
                    CHECK(run.out.empty());
                    if (run.code == 0) continue;
                    CHECK(folder.size() == 0);
                    if (format == "json") CHECK(Json::parse(run.err)["error"]["kind"] == "unsupported");
                    if (format == "text") CHECK(run.err.starts_with("isserlis: "));
                }
            }
        }
    }

    TEST_CASE("formulas and numbers that would take minutes are refused before the work, with the way out") {
        std::vector<std::pair<std::string, std::string>> const cases{
            {"mup a,b:30,c:30,d:30,3", "--set"},
            {"jacobian n,n:1000", "--layer"},
            {"hessian 2:300,3 --activation leaky:s", "--set"},
            {"jacobian --network densenet 1,2:300 --activation leaky:s", "--set"},
            {"ntk n:1000,1", "--set"},
            {"norm 2,n:400,1", "--output"},
            {"scaling-factor 99999999999999999999:10000000", "n:L"},
            {"hessian 2,10:9999998,1", "n:L"},
            {"jacobian 2,10:9999998,1 --layer 4", "n:L"},
            {"norm 4,n:L,1 --set n=7,L=9999999 --layer L", "n:L"}};
        for (auto const& [line, way] : cases) {
            CAPTURE(line);
            auto const run = run_program(words(line + " --timeout 20"));
            check_refused(run, 3);
            CHECK(run.err.find(way) != std::string::npos);
            CHECK(run.err.find("--timeout") == std::string::npos);
        }
        // One layer is as dear in muP.
        CHECK(run_program(words("mup a,b:30,c:30,d:30,3")).err.find("--layer") == std::string::npos);
        CHECK(run_program(words("norm 2,10:9999998,1 --layer 4")).code == 0);
    }

    TEST_CASE("two hundred brackets fit into a stack of 256 kB") {
        TemporaryDirectory const folder;
        std::string const deep = std::string(190, '(') + "2" + std::string(190, ')');
        std::string const sums = repeated("(1+", 190) + "2" + std::string(190, ')');
        std::string const signs = repeated("-(", 95) + "-2" + std::string(95, ')');
        std::string const lists = std::string(5000, '[') + std::string(5000, ']');
        write_file(folder / "lists.json", lists);
        write_file(folder / "weights.json",
                   R"({"activation": "linear", "layers": [{"weights": [[1, ")" + sums + R"("]]}]})");
        for (std::vector<std::string> const& line : std::vector<std::vector<std::string>>{
                 {"norm", "2,3,1", "--input-squared-norm", deep},
                 {"norm", "2,3,1", "--input-squared-norm", sums},
                 {"norm", "2,n,1", "--input-squared-norm", sums + "*n"},
                 {"norm", "2,n,1", "--variance", "n+" + sums},
                 {"norm", "2,3,1", "--input-squared-norm", signs},
                 {"norm", "2,3,1", "--input-squared-norm", std::string(30'000, '(')},
                 {"norm", "2,3,1", "--input-squared-norm",
                  "1" + repeated("/2", 200) + "*(1" + repeated("/2", 200) + ")"},
                 {"expect", deep, "2,3,1"},
                 {"expect", repeated("(z*", 90) + "z" + std::string(90, ')'), "2,3,1"},
                 {"expect", repeated("(z+", 90) + "z" + std::string(90, ')'), "2,3,1"},
                 {"trace", repeated("tr(A (", 90) + "A" + repeated("))", 90)},
                 {"expect", "z^2", "--network", "lists.json"},
                 {"form", "A.9", "2,3,2", "--with", "lists.json"},
                 {"loss-curve", "--weights", "lists.json", "--data", "cos", "--gradient", "fixed"}}) {
            Run const run =
                run_program(line, {.seconds = 20, .directory = folder.path().string(), .stack = 256 * 1024});
            INFO(shown(line), " ", run.err);
            CHECK(run.signal == 0);
            CHECK_FALSE(run.timed_out);
            CHECK(run.code >= 0);
            CHECK(run.code <= 3);
        }
    }

    TEST_CASE("--timeout ends what is too long: exit code 3, a sentence that names it, nothing written") {
        for (std::string const line :
             {"hessian 4,8,8,8,2 --check 2000000", "mup a,b:20,c:20,d:20,3", "products 1,L:100000,3",
              "scaling-factor 99999999999999999999:250000", "norm 2,10:40,1 --order 12 --check 20000000"}) {
            TemporaryDirectory const folder;
            auto const began = std::chrono::steady_clock::now();
            Run const run = run_program(words(line + " --timeout 0.5 --output " + (folder / "out")), {.seconds = 30});
            std::chrono::duration<double> const took = std::chrono::steady_clock::now() - began;
            INFO(line, " ", run.err);
            check_refused(run, 3);
            CHECK(run.err.find("--timeout") != std::string::npos);
            CHECK(run.err.find("--timeout 0.5") != std::string::npos);
            CHECK(took.count() < 10);  // of half a second; the machine may be busy
            CHECK(folder.size() == 0);
        }
        Run const json = run_program(words("hessian 4,8,8,8,2 --check 2000000 --timeout 0.3 --format json"));
        CHECK(json.code == 3);
        auto const error = Json::parse(json.err)["error"];
        CHECK(error["kind"] == "unsupported");
        CHECK(error["argument"] == "--timeout");
    }

    TEST_CASE("a --timeout that is no time is refused, with what is one") {
        for (std::string const time : {"abc", "1e", "nan", "inf", "-3", "0", "1e10", "m"})
            check_refused(run_program({"norm", "2,3,1", "--timeout", time}), 2);
        CHECK(run_program(words("norm 2,3,1 --timeout abc")).err.find("1.5m") != std::string::npos);
        CHECK(run_program(words("norm 2,3,1 --timeout 1.5m")).code == 0);
    }

    TEST_CASE("--timeout leaves what is done in time as it is") {
        for (std::string const line : {"norm 2,3,1", "norm 2,n,1", "hessian 2,3,1 --check 200 --format csv"})
            CHECK(run_program(words(line + " --timeout 1000")).out == run_program(words(line)).out);
        for (std::string const bad : {"0", "-1", "1e10", "x", "1/0", "", "1e99999", "inf", "nan"}) {
            Run const run = run_program({"norm", "2,3,1", "--timeout", bad});
            INFO(bad, " ", run.err);
            CHECK((run.code == 2 || run.code == 3));
            CHECK(run.out.empty());
            CHECK(run.err.find("--timeout") != std::string::npos);
        }
    }

    TEST_CASE("after two seconds a line says that work goes on, and one how long; none in JSON, an object or nothing") {
        Run const run = run_program(words("hessian 4,8,8,8,2 --check 200000000 --timeout 4 --yes"), {.seconds = 30});
        CHECK(run.announced);
        CHECK(run.err.find("still working") == std::string::npos);
        CHECK(std::count(run.err.begin(), run.err.end(), '\n') == 1);
        CHECK(run.pace.starts_with("isserlis: still working; sampled "));
        CHECK(run.pace.find(" of 200000000 networks, about ") != std::string::npos);
        Run const json =
            run_program(words("hessian 4,8,8,8,2 --check 200000000 --timeout 4 --yes --format json"), {.seconds = 30});
        CHECK(json.pace.empty());
        CHECK_FALSE(json.announced);
        CHECK(Json::parse(json.err)["error"]["argument"] == "--timeout");
    }

    TEST_CASE("files that would take gigabytes as exact numbers are refused with the estimate" * bounds_memory()) {
        TemporaryDirectory const folder;
        write_file(folder / "large.csv", "x1,y1\n" + repeated("1,2\n", 3'000'000));
        write_file(folder / "large.json", repeated(" ", 12'000'000));
        for (std::string const line : {"loss-curve 2,3,1 --gradient fixed --data large.csv",
                                       "norm 2,3,1 --input large.csv", "expect z^2 2,3,1 --with large.csv",
                                       "expect z^2 --network large.json", "coord-check 2,3,1 --measured large.csv"}) {
            Run const run = run_program(words(line), {.directory = folder.path().string(), .memory = 500 * megabyte});
            INFO(line);
            check_refused(run, 3);
            CHECK(run.err.find("MB of memory") != std::string::npos);
        }
    }
}
