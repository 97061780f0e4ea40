// SPDX-License-Identifier: MIT
// The C++ that --format cpp prints, compiled by the machine's compiler and run, beside what --set prints.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "program.hpp"

using namespace isserlis::test;

namespace {

/// The first results of a query in n and L, by the printed functions.
std::vector<double> by_functions(std::vector<std::string> arguments, std::vector<std::string> const& calls) {
    arguments.insert(arguments.end(), {"--format", "cpp"});
    auto const printed = run_program(arguments);
    REQUIRE(printed.code == 0);
    TemporaryDirectory const directory;
    std::string main;
    for (auto const& call : calls) main += "std::printf(\"%.17g\\n\", " + call + ");\n";
    std::string const file = directory / "program";
    write_file(file + ".cpp", printed.out + "#include <cstdio>\nint main() {\n" + main + "}\n");
    REQUIRE(
        std::system(("c++ -std=c++11 -Wall -Werror -o " + file + " " + file + ".cpp && " + file + " > " + file + ".out")
                        .c_str()) == 0);
    std::istringstream results(read_file(file + ".out"));
    std::vector<double> out;
    for (double x = 0; results >> x;) out.push_back(x);
    REQUIRE(out.size() == calls.size());
    return out;
}

double exact(std::vector<std::string> arguments, std::string const& values, std::string const& name) {
    arguments.insert(arguments.end(), {"--format", "json", "--set", values});
    auto const answer = nlohmann::json::parse(run_program(arguments).out);
    for (auto const& result : answer["results"])
        if (result["name"] == name) return std::stod(result["decimal"].get<std::string>());
    FAIL("no result " << name);
    return 0;
}

}  // namespace

TEST_SUITE("cli/cpp_format") {
    TEST_CASE("printed functions compile and stay finite where the value does") {
        std::vector<std::string> const hessian{"hessian", "n,n:L,1", "--input-squared-norm", "n"};
        std::vector<std::string> const names{"hessian_frobenius_squared", "gauss_newton", "cross",
                                             "top_eigenvalue_upper", "reciprocal_sharpness_lower"};
        std::vector<std::string> calls;
        for (auto const& name : names) {
            calls.push_back(name + "(3, 4)");
            calls.push_back(name + "(400, 500)");  // (n + 5)^L is beyond double
        }
        auto const values = by_functions(hessian, calls);
        for (std::size_t i = 0; i < names.size(); ++i) {
            CAPTURE(names[i]);
            CHECK(values[2 * i] == doctest::Approx(exact(hessian, "L=3,n=4", names[i])).epsilon(1e-12));
            CHECK(values[2 * i + 1] == doctest::Approx(exact(hessian, "L=400,n=500", names[i])).epsilon(1e-10));
        }
    }

    TEST_CASE("powers of negative bases, roots and quotients of sums") {
        std::vector<std::string> const norm{"norm", "n,n:L,1", "--order", "4", "--layer", "L+1"};
        auto const values =
            by_functions(norm, {"squared_norm_kurtosis_L_plus_1(2, 1)", "squared_norm_skewness_L_plus_1(300, 600)"});
        CHECK(values[0] == doctest::Approx(exact(norm, "L=2,n=1", "squared_norm_kurtosis")).epsilon(1e-12));
        CHECK(values[1] == doctest::Approx(exact(norm, "L=300,n=600", "squared_norm_skewness")).epsilon(1e-9));
        std::vector<std::string> const fourth{"expect", "(z[i]^2)^2", "n,n:L,2", "--activation", "linear"};
        auto const linear = by_functions(fourth, {"value(3, 1)"});
        CHECK(linear[0] == doctest::Approx(exact(fourth, "L=3,n=1", "value")).epsilon(1e-12));
    }
}
