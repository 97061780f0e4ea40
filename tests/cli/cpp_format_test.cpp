// SPDX-License-Identifier: MIT
// The C++ that --format cpp prints, compiled by the machine's compiler and run, beside what --set prints.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "json_answer.hpp"

using namespace isserlis::test;

namespace {

struct Point {
    std::string n;
    std::string depth;
};

/// A command in n and L, and the functions of its answer that are asked: name of the function, name of the result.
struct Asked {
    std::vector<std::string> arguments;
    std::map<std::string, std::string> functions;
};

/// "NAME(L, n)" with values: the parameters are those of the printed declaration.
std::string call(std::string const& program, std::string const& function, Point const& at) {
    std::string const start = "inline double " + function + "(";
    auto const begin = program.find(start);
    INFO(function);
    REQUIRE(begin != std::string::npos);
    auto const from = begin + start.size();
    std::string text = program.substr(from, program.find(')', from) - from);
    for (auto const& [parameter, value] : {std::pair("double L", at.depth), std::pair("double n", at.n)}) {
        auto const place = text.find(parameter);
        if (place != std::string::npos) text.replace(place, std::string(parameter).size(), value);
    }
    return function + "(" + text + ")";
}

/// What the functions return, "refused" where they throw.
std::vector<std::string> by_functions(std::string const& program, std::vector<std::string> const& calls) {
    TemporaryDirectory const directory;
    std::string main =
        "#include <cstdio>\n#include <stdexcept>\ntemplate <class F>\nvoid print(F f) {\n"
        "    try {\n        std::printf(\"%.17g\\n\", f());\n    } catch (const std::exception&) {\n"
        "        std::puts(\"refused\");\n    }\n}\nint main() {\n";
    for (auto const& c : calls) main += "    print([] { return " + c + "; });\n";
    std::string const file = directory / "program";
    write_file(file + ".cpp", program + main + "}\n");
    std::string const flags = "-std=c++17 -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror";
    REQUIRE(std::system(
                ("c++ " + flags + " -o " + file + " " + file + ".cpp && " + file + " > " + file + ".out").c_str()) ==
            0);
    std::istringstream results(read_file(file + ".out"));
    std::vector<std::string> out;
    for (std::string x; results >> x;) out.push_back(x);
    REQUIRE(out.size() == calls.size());
    return out;
}

std::string printed(std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"--format", "cpp"});
    auto const run = run_program(arguments);
    INFO(run.err);
    REQUIRE(run.code == 0);
    return run.out;
}

nlohmann::json exact(std::vector<std::string> arguments, Point const& at) {
    arguments.insert(arguments.end(), {"--format", "json", "--set", "n=" + at.n + ",L=" + at.depth});
    return nlohmann::json::parse(run_program(arguments).out)["results"];
}

/// The first result of that name; outside double as an infinity or 0.
double value(nlohmann::json const& results, std::string const& name) {
    for (auto const& r : results)
        if (r["name"] == name) {
            auto const digits = r["decimal"].get<std::string>();
            double const x = std::strtod(digits.c_str(), nullptr);
            bool const lost = x == 0 && digits.substr(0, digits.find('e')).find_first_of("123456789") != digits.npos;
            return lost ? std::numeric_limits<double>::denorm_min() : x;  // too small for double, not 0
        }
    FAIL("no result " << name);
    return 0;
}

void check(Asked const& asked, std::vector<Point> const& points) {
    std::string const program = printed(asked.arguments);
    std::vector<std::string> calls;
    for (auto const& at : points)
        for (auto const& [function, result] : asked.functions) calls.push_back(call(program, function, at));
    auto const values = by_functions(program, calls);
    std::size_t i = 0;
    for (auto const& at : points) {
        auto const results = exact(asked.arguments, at);
        for (auto const& [function, result] : asked.functions) {
            CAPTURE(calls[i]);
            CAPTURE(values[i]);
            double const expected = value(results, result);
            CAPTURE(expected);
            if (std::isnormal(expected) || expected == 0) {
                CHECK(std::abs(std::stod(values[i]) - expected) <= 1e-12 * std::abs(expected));
            } else {
                CHECK(values[i] == "refused");
            }
            ++i;
        }
    }
}

/// Widths at which terms cancel, depths at which powers leave double.
std::vector<Point> grid() {
    std::vector<Point> out;
    for (char const* n : {"1", "3", "1000", "1000000", "100000000"})
        for (char const* depth : {"1", "2", "3", "10", "100"}) out.push_back({.n = n, .depth = depth});
    out.push_back({.n = "5", .depth = "10000"});
    out.push_back({.n = "100000000", .depth = "10000"});
    return out;
}

Asked asked(std::string const& line, std::vector<std::string> const& names, std::string const& suffix = "") {
    Asked out{.arguments = words(line), .functions = {}};
    for (auto const& name : names) out.functions[name + suffix] = name;
    return out;
}

}  // namespace

TEST_SUITE("cli/cpp_format") {
    // At n = 1e6, L = 3 doubles give 1.53e-4 for a variance of 1.60e-4, and at n = 1e8 a negative one.
    TEST_CASE("functions keep twelve digits from width 1 to 1e8 and depth 1 to 1e4, or refuse") {
        check(asked("ntk n,n:L,1", {"ntk_mean", "ntk_second_moment", "ntk_variance"}), grid());
        check(asked("hessian n,n:L,1 --input-squared-norm n",
                    {"hessian_frobenius_squared", "gauss_newton", "functional", "cross", "top_eigenvalue_upper",
                     "reciprocal_sharpness_lower"}),
              grid());
    }

    TEST_CASE("norms of high order, Jacobians and observables too") {
        check(asked("norm n,n:L,1 --order 4 --layer L+1",
                    {"squared_norm_variance", "squared_norm_skewness", "squared_norm_kurtosis"}, "_L_plus_1"),
              grid());
        check(asked("norm n,n:L --order 3 --head activation --layer L",
                    {"squared_norm_variance", "relative_variance", "squared_norm_skewness"}, "_L"),
              grid());
        check(asked("jacobian n,n:L,1 --layer 1", {"output_mean", "output_variance"}), grid());
        Asked observable{.arguments = {"expect", "(D[m,n] loss)^2", "n,n:L,1"}, .functions = {{"value", "value"}}};
        check(observable, grid());
        observable.arguments = {"expect", "(z[i]^2)^2", "n,n:L,2", "--activation", "linear"};
        check(observable, grid());
    }

    // A total cancellation: the derivatives by the weights of one layer alone have no cross terms, E = 0 at L = 1.
    TEST_CASE("an exact 0 comes out as one") {
        Asked const second{.arguments = {"expect", "z[i;m,n]^2", "n,n:L,1"}, .functions = {{"value", "value"}}};
        check(second, {{.n = "3", .depth = "1"}, {.n = "1000000", .depth = "1"}, {.n = "7", .depth = "2"}});
    }

    // 2*n^(l - 1)*(n - 1)^(l - 1)/3 + .. was written with (n - 1)^l/(n - 1).
    TEST_CASE("nothing is divided by a base that can be 0") {
        check(asked("mup n,n:L,1", {"mup_learning_rate"}), grid());
        check(asked("moments n,n:L,1 --layer L", {"tau", "eta"}, "_L"),
              {{.n = "1", .depth = "2"}, {.n = "1", .depth = "3"}});
        check(asked("jacobian n,n:L,1 --activation leaky:1/3 --layer 1",
                    {"jacobian_second_moment", "gradient_squared_mean"}, "_1"),
              grid());
    }

    TEST_CASE("words of C++ are no arguments, and a header can be included twice") {
        auto const refused = run_program(words("ntk a,int:3,1 --format cpp"));
        CHECK(refused.code == 3);
        CHECK(refused.err.find("'int0' or 'int_'") != std::string::npos);
        std::string const program = printed(words("ntk n,n:L,1"));
        CHECK(by_functions(program + program, {"ntk_mean(1)"}) == std::vector<std::string>{"2"});
        // Of another answer nothing is left out, however alike its command line is.
        auto const guard = [](std::string const& text) {
            auto const at = text.find("#ifndef ISSERLIS_");
            return text.substr(at, text.find('\n', at) - at);
        };
        CHECK(guard(printed(words("norm 2,n,1 --activation leaky:1/2"))) !=
              guard(printed(words("norm 2,n,1 --activation leaky:-1/2"))));
    }

    TEST_CASE("verdicts stand beside functions, and in LaTeX") {
        for (std::string const format : {"cpp", "latex"}) {
            auto const checked = run_program(words("norm 2,3,1 --check 100 --layer 1 --format " + format));
            CHECK(checked.out.find("standard error 0.19 exact, z = ") != std::string::npos);
            CHECK(run_program(words("errata R24 --format " + format)).out.find("fails") != std::string::npos);
        }
    }

    TEST_CASE("arguments that are no widths are refused") {
        std::string const program = printed(words("ntk n,n:L,1"));
        auto const out =
            by_functions(program, {"ntk_variance(3, -1)", "ntk_variance(-3, 1)", "ntk_variance(3, 0.0/0.0)",
                                   "ntk_variance(3, HUGE_VAL)", "ntk_variance(3, 0)"});
        for (auto const& x : out) CHECK(x == "refused");
    }

    TEST_CASE("numbers without symbols are written with the digits that are certain") {
        auto const out = printed(words("norm 2,10:3,1 --order 3 --layer 4"));
        CHECK(out.find("return 73.0 / 8.0;") != std::string::npos);
        CHECK(out.find("isserlis_formula") == std::string::npos);
        auto const root = printed(words("scaling-factor 2,10:3,1 4,6,2"));
        CHECK(root.find("isserlis_formula") == std::string::npos);
    }

    // sqrt(-25*b - 98) stood above and below the bar of this skewness.
    TEST_CASE("roots of positive quantities only") {
        for (std::string const format : {"text", "latex", "cpp", "json"}) {
            auto const run = run_program(
                words("norm a,b:L,c:M,1 --activation leaky:-1/3 --order 3 --pre --format " + format), {.seconds = 60});
            CHECK(run.code == 0);
            CHECK(run.out.find("sqrt(-") == std::string::npos);
            CHECK(run.out.find("sqrt{-") == std::string::npos);
        }
        Asked const leaky =
            asked("norm n,n:L,1 --activation leaky:-1/3 --order 3 --pre --layer L", {"squared_norm_skewness"}, "_L");
        check(leaky, {{.n = "1", .depth = "2"}, {.n = "30", .depth = "3"}, {.n = "1000", .depth = "20"}});
    }
}
