// SPDX-License-Identifier: MIT
// The program beside the closed forms of the specification, and what it refuses. The library is checked elsewhere.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>
#include <set>
#include <string>
#include <vector>

#include "fraction.hpp"
#include "json_answer.hpp"
#include "refusal.hpp"

using namespace isserlis::test;

namespace {

std::set<std::string> const network_names{"output_mean", "output_second_moment", "output_variance",
                                          "output_relative_variance"};
std::set<std::string> const matrix_names{"reduced_output_mean",     "reduced_output_second_moment",
                                         "reduced_output_variance", "through_mean",
                                         "through_variance",        "jacobian_mean",
                                         "jacobian_second_moment",  "jacobian_variance",
                                         "relative_variance",       "variance_lower",
                                         "variance_upper",          "gradient_squared_mean",
                                         "gradient_squared_upper"};

}  // namespace

TEST_SUITE("cli/jacobian") {
    TEST_CASE("names and indices: k for layers, k,k' for the matrices of branches") {
        auto const vanilla = ask("jacobian 2,10:3,1");
        std::set<std::string> all = network_names;
        all.insert(matrix_names.begin(), matrix_names.end());
        auto with_logarithms = all;
        with_logarithms.insert("log_jacobian_mean");  // of one output and Gaussian chains
        CHECK(vanilla.names() == with_logarithms);
        CHECK(vanilla.indices("output_mean") == std::vector<Json>{Json::array()});
        for (auto const& name : matrix_names)
            CHECK(vanilla.indices(name) == std::vector<Json>{Json{1}, Json{2}, Json{3}, Json{4}});
        auto const residual = ask("jacobian 4:3 --network resnet:2");
        CHECK(residual.names() == all);
        CHECK(residual.indices("jacobian_mean") == std::vector<Json>{{1, 1}, {1, 2}, {2, 1}, {2, 2}});
        CHECK(ask("jacobian 4:3 --network resnet:2 --layer 2").indices("jacobian_mean") ==
              std::vector<Json>{{2, 1}, {2, 2}});
        CHECK(ask("jacobian 4:3 --network resnet:2 --layer 2,1").indices("through_mean") == std::vector<Json>{{2, 1}});
        CHECK(ask("jacobian 4:3 --network densenet").indices("jacobian_mean") == std::vector<Json>{Json{1}, Json{2}});
        auto const by_input = ask("jacobian 3,4,2 --wrt input");
        CHECK(by_input.indices("jacobian_variance") == std::vector<Json>{Json::array()});
        CHECK_FALSE(by_input.has("gradient_squared_mean"));
        CHECK(by_input.indices("spectral_moment") == std::vector<Json>{Json{1}, Json{2}});
        CHECK_FALSE(vanilla.has("spectral_moment"));
        auto const symbolic = ask("jacobian n0,n:L,1");
        CHECK(symbolic.indices("jacobian_mean") == std::vector<Json>{Json{1}, Json{"l"}, Json{"L + 1"}});
    }

    TEST_CASE("spectral moments by the input: closed form, recursion and strands agree") {
        for (std::string const network :
             {"3,4,2", "3,4,5,2 --activation leaky:1/3", "3:3 --network resnet:2", "4:3 --network resnet:1",
              "3:4 --network densenet", "3,4,2 --law uniform --input 1,1/2,3",
              "3:3 --network densenet --law rademacher --input 1,1/2,3",
              "3,4,2 --activation crelu --kurtosis 2 --input-fourth 1", "3,n,n,2"}) {
            CAPTURE(network);
            auto const rows = ask("jacobian " + network + " --wrt input");
            for (int const p : {1, 2}) {
                std::vector<std::string> strands{"expect", "tr((J J^T)^" + std::to_string(p) + ")"};
                for (auto const& word : words(network)) strands.push_back(word);
                CHECK(rows.exact("spectral_moment", Json{p}) == ask(strands).exact("value"));
            }
            CHECK(rows.exact("spectral_moment", Json{1}) == rows.exact("jacobian_mean"));
        }
        auto const sampled = ask("jacobian 3,4,2 --wrt input --head activation --check 20000");
        CHECK(sampled.result("spectral_moment", Json{2}).at("check").at("verdict") == "agrees");
    }

    // residual.md, sections 4 and 9: E1, widths 2,2,2, variance 1/3, ReLU head, one-hot input.
    TEST_CASE("the counterexample to the lower bound of Theorem 1") {
        auto const a = ask("jacobian 2,2,2 --variance 1/3 --head activation --input 1,0 --layer 1 --printed");
        CHECK(a.exact("output_variance") == "5/36");
        CHECK(a.exact("jacobian_variance", {1}) == "13/36");
        CHECK(a.exact("variance_lower_printed", {1}) == "5/12");
        CHECK(a.result("variance_lower_printed", {1}).at("bound") == "fails");
        for (char const* name :
             {"variance_upper_printed", "variance_lower", "variance_upper", "gradient_squared_upper"})
            CHECK(a.result(name, {1}).at("bound") == "holds");
        CHECK(a.exact("through_variance", {1}) == a.exact("reduced_output_variance", {1}));
    }

    // residual.md, section 8 and E7. Width 1, three layers: (6 e^5 - 1)/12 as printed, 71/4 in truth.
    TEST_CASE("bounds by widths alone, as printed and as correct, in the same units") {
        auto const a = ask("jacobian 1:4 --head activation --bounds growth --printed --layer 3");
        CHECK(a.exact("growth_lower_printed", {3}) == "6*exp(5)");  // the last layer too
        CHECK(a.result("growth_lower_printed", {3}).at("bound") == "fails");
        CHECK(a.exact("growth_lower", {3}) == "216");
        CHECK(a.exact("variance_lower_printed", {3}) == "1/2*exp(5) - 1/12");
        CHECK(a.number("variance_lower_printed", {3}) == doctest::Approx(74.1232));
        CHECK(a.result("variance_lower_printed", {3}).at("bound") == "fails");
        CHECK(a.exact("variance_lower", {3}) == "71/4");
        CHECK(a.result("variance_lower", {3}).at("bound") == "holds");
        CHECK(a.exact("jacobian_variance", {3}) == "71/4");
        CHECK_FALSE(ask("jacobian 1:4 --head activation --bounds growth").has("growth_lower_printed", {3}));
        // The constants of (88) to (90) over mu = (1/25) (26/25)^9: rho = 1/20, C_1 = 4/5, C_3 = 1; c_2 = 1/50.
        auto const residual = ask("jacobian 20:11 --network resnet:2 --alpha 1/5 --bounds growth --printed --layer 2");
        double const mu = std::pow(1.04, 9) / 25;
        CHECK(residual.number("growth_upper_printed", {2, 1}) == doctest::Approx(std::exp(1) / 400 / (mu * mu)));
        CHECK(residual.number("growth_lower_printed", {2, 1}) ==
              doctest::Approx(0.8 * std::exp(1.0 / 80) / 400 / (mu * mu)));
        CHECK(residual.number("variance_upper_printed", {2, 1}) ==
              doctest::Approx((std::exp(1) / 400 - mu * mu) * 2500));
        CHECK(residual.number("variance_lower_printed", {2, 1}) ==
              doctest::Approx((0.8 * std::exp(1.0 / 80) / 400 - mu * mu) * 2500 / 3));
        for (char const* name :
             {"growth_lower_printed", "growth_upper_printed", "variance_lower_printed", "variance_upper_printed"})
            CHECK(residual.result(name, {2, 1}).at("bound") == "holds");
        CHECK(residual.exact("growth_upper_printed", {2, 2}) == "null");  // k' = m is not covered
        CHECK(residual.number("jacobian_variance", {2, 2}) <= residual.number("variance_upper", {2, 2}));
        CHECK(residual.exact("variance_lower", {2, 1}) == "0");  // below 0 it says nothing
        // Theorem 3 at alpha = 3/2, Delta = 0, n = 4, L = 5, k = 1: C_3/C_4 = (9/4) exp sum_(l = 2 .. 5) 45/(16 (l +
        // 1/2)^2), C_2 = C_4 = 9/4.
        auto const dense =
            ask("jacobian 4:6 --network densenet --head activation --alpha 3/2 --bounds growth --printed");
        double sum = 0;
        for (int l = 2; l <= 5; ++l) sum += 45.0 / (16 * (l + 0.5) * (l + 0.5));
        double const growth = 2.25 * std::exp(sum);
        double const mean = dense.number("reduced_output_mean", {1});
        CHECK(dense.number("growth_upper_printed", {1}) == doctest::Approx(5 * 2.25 * growth / (mean * mean)));
        CHECK(dense.number("growth_lower_printed", {1}) ==
              doctest::Approx(std::sqrt(5) * 2.25 * growth / (mean * mean)));
        // c_2 = 3/4.
        CHECK(dense.number("variance_upper_printed", {1}) == doctest::Approx(5 * (growth - 1) * 4));
        CHECK(dense.number("variance_lower_printed", {1}) == doctest::Approx(std::sqrt(5) * (growth - 1) * 4 / 3));
        // Laplace weights, kappa = 6: the upper bound of Lemma 2 with Delta as printed.
        auto const laplace = ask(
            "jacobian 8:8 --law laplace --input 1,0,0,0,0,0,0,0 --head activation --bounds growth --printed --layer 7");
        CHECK(laplace.result("variance_upper_printed", {7}).at("bound") == "fails");
        CHECK(laplace.result("variance_upper", {7}).at("bound") == "holds");
        refuses("jacobian 4:4 --printed --wrt input", "--printed");
        refuses("jacobian 4:4 --printed --budget", "--printed");
        // What the statement does not cover has no printed bound, and a correct one.
        auto const head = ask("jacobian 4:3 --bounds growth --printed");
        CHECK(head.exact("growth_lower_printed", {1}) == "null");
        CHECK(head.exact("variance_lower", {1}) != "null");
        CHECK(ask("jacobian n,n:L --head activation --bounds growth --layer l").exact("growth_upper", {"l"}) ==
              "(n + 5)^L/n^L");
        CHECK(ask("jacobian n:3 --kurtosis r --input-fourth f --bounds growth").exact("growth_upper", {1}) == "null");
        refuses("jacobian 4:3 --bounds tight", "--bounds");
        refuses("jacobian 4:3 --bounds growth --wrt input", "--bounds");
    }

    // residual.md, section 4: Var J^1 = n2 (n1 + n2 + 9)/(4 n1).
    TEST_CASE("two He layers, as numbers and as a formula") {
        CHECK(ask("jacobian 3,4,2 --head activation").exact("jacobian_variance", {1}) == Fraction(2 * 15, 16).text());
        CHECK(ask("jacobian n0,n1,n2 --head activation").exact("jacobian_variance", {1}) == "n2*(n1 + n2 + 9)/(4*n1)");
        // By a symbol and by a number at once.
        CHECK(ask("jacobian n0,n1,n2 --head activation --set n0=3,n1=4,n2=2").exact("jacobian_variance", {1}) ==
              "15/8");
    }

    // residual.md, E17 and section 6.
    TEST_CASE("the dense network of the specification") {
        auto const a = ask("jacobian 4:6 --network densenet --head activation");
        CHECK(a.exact("reduced_output_mean", {1}) == "1/2");
        CHECK(a.exact("reduced_output_second_moment", {1}) == "534681/327680");
        CHECK(a.exact("jacobian_second_moment", {1}) == "207333/81920");
        // first = 1 with variance 2/(n l): E|y^l|^2 = 1/2 for l = 2.
        CHECK(ask("jacobian 4:3 --network densenet --head activation --first-source 1 --variance 1/2,1/4")
                  .exact("output_mean") == "1/2");
        CHECK(ask("jacobian 4:3 --network densenet --head activation --first-source 1").exact("output_mean") == "1");
    }

    // E|y^s|^2 E||B||^2: the blocks of a layer add up to the whole matrix.
    TEST_CASE("blocks of a dense matrix, one for each layer below") {
        auto const a = ask("jacobian 2,3,4,5 --network densenet --block");
        CHECK(a.indices("jacobian_mean") == std::vector<Json>{{1, 0}, {2, 0}, {2, 1}, {3, 0}, {3, 1}, {3, 2}});
        CHECK_FALSE(a.has("gradient_squared_mean", {1, 0}));
        auto const whole = ask("jacobian 2,3,4,5 --network densenet");
        double sum = 0;
        for (int s = 0; s < 3; ++s) sum += a.number("jacobian_mean", {3, s});
        CHECK(sum == doctest::Approx(whole.number("jacobian_mean", {3})));
        CHECK(a.exact("jacobian_variance", {1, 0}) == whole.exact("jacobian_variance", {1}));
        CHECK(ask("jacobian n:4 --network densenet --block --layer 3,1").indices("jacobian_variance") ==
              std::vector<Json>{{3, 1}});
        refuses("jacobian 4:4 --network densenet --block --layer 3,3", "--layer");
        refuses("jacobian 4:4 --network densenet --block --layer 3,0 --first-source 1", "--layer");
        refuses("jacobian 4:4 --block", "--block");
        refuses("jacobian 4:4 --network densenet --block --wrt input", "--block");
    }

    // residual.md, section 7: half the mean; E||J_P||^4 = (E|y|^4 + E sum y_i^4) E||B||^4/4. One neuron in the middle
    // has |y|^4 = y^4, so that half of E||J||^4 is left. At the input the positive coordinates decide.
    TEST_CASE("the part P of concatenated ReLU") {
        auto const whole = ask("jacobian 2,1,3 --activation crelu --input 3/5,-4/5");
        auto const part = ask("jacobian 2,1,3 --activation crelu --input 3/5,-4/5 --part P");
        CHECK(part.number("jacobian_mean", {2}) == doctest::Approx(whole.number("jacobian_mean", {2}) / 2));
        CHECK(part.number("jacobian_second_moment", {2}) ==
              doctest::Approx(whole.number("jacobian_second_moment", {2}) / 2));
        CHECK(part.number("jacobian_mean", {1}) == doctest::Approx(whole.number("jacobian_mean", {1}) * 9 / 25));
        CHECK(part.number("jacobian_second_moment", {1}) ==
              doctest::Approx(whole.number("jacobian_second_moment", {1}) * 81 / 625));
        CHECK(ask("jacobian 2,1,3 --activation crelu --part P").exact("jacobian_mean", {1}) == "null");
        auto const residual = ask("jacobian 3:3 --network resnet:2 --activation crelu-tied --part P");
        CHECK(residual.exact("jacobian_mean", {2, 1}) == "null");
        CHECK(residual.exact("jacobian_mean", {2, 2}) != "null");
        refuses("jacobian 2,3,1 --part P", "--part");
        refuses("jacobian 2,3,1 --activation crelu --part N", "--part");
        // By hand: W^2 reads (3/5, -4/5, y) with y = w x of variance v = 1: 9/25 + relu(y)^2, E y^4 = 3.
        auto const dense =
            ask("jacobian 2,1,1 --network densenet --activation crelu --variance 1 --input 3/5,-4/5 "
                "--part P");
        CHECK(dense.exact("jacobian_mean", {2}) == "43/50");
        CHECK(dense.exact("jacobian_second_moment", {2}) == "2487/1250");
        CHECK(ask("jacobian 2,1,1 --network densenet --activation crelu --part P").exact("jacobian_mean", {2}) ==
              "null");
        // Symbols: the same numbers at their values.
        auto const formula = ask("jacobian 2,n,3 --activation crelu --scheme he --part P");
        CHECK(formula.exact("jacobian_second_moment", {2}) == "9*n*(n + 5)/16");
        CHECK(ask("jacobian 2,n,3 --activation crelu --scheme he --part P --set n=4")
                  .exact("jacobian_second_moment", {2}) ==
              ask("jacobian 2,4,3 --activation crelu --scheme he --part P").exact("jacobian_second_moment", {2}));
        refuses("jacobian 4:3 --network densenet --activation crelu --part P --block", "--part", 3);
        refuses("jacobian n,n:L --activation crelu --scheme he --part P", "number", 3);
    }

    // residual.md, section 5: (1 + mu)^L and (n/(2 alpha)) mu (1 + mu)^(L-1), mu = alpha^m; matrix m: n/alpha.
    TEST_CASE("residual networks in symbols") {
        auto const a = ask("jacobian n,n:L --network resnet:2 --alpha a");
        CHECK(a.exact("output_mean") == "(a^2 + 1)^L");
        CHECK(a.exact("jacobian_mean", {"l", 1}) == "a*n*(a^2 + 1)^(L - 1)/2");
        CHECK(a.exact("jacobian_mean", {"l", 2}) == "a*n*(a^2 + 1)^(L - 1)");
        CHECK(ask("jacobian n,n:L --network resnet:2 --alpha a --set n=3,L=4,a=1/2 --layer 2,1")
                  .exact("jacobian_mean", {2, 1}) == Fraction(3 * 125, 4 * 64).text());
    }

    // The products of the answer, multiplied out by SymPy, beside the recursion on the network itself.
    TEST_CASE("dense networks of symbolic depth: products by name") {
        auto const named = ask("jacobian n,n:L --network densenet --head activation --alpha a");
        auto const exact = ask("jacobian 3,3:5 --network densenet --head activation --alpha 3/2");
        std::string script = "from sympy import *\nn,L,a,k,l=symbols('n L a k l')\nfor e in [";
        std::vector<std::string> expected;
        for (std::string const name :
             {"reduced_output_mean", "reduced_output_second_moment", "jacobian_mean", "jacobian_second_moment"}) {
            for (int const layer : {2, 5}) {
                auto const result = named.result(name, layer == 5 ? Json{"L"} : Json{"k"});
                CHECK(result.at("exact").is_null());
                script += "'" + result.at("form").get<std::string>() + "',";
                expected.push_back(exact.exact(name, {layer}));
            }
        }
        script +=
            "]: print(sympify(e, locals={'n':n,'L':L,'a':a,'k':k,'l':l})"
            ".subs({n:3,L:5,a:Rational(3,2),k:2}).doit())";
        TemporaryDirectory const directory;
        write_file(directory / "products.py", script);
        FILE* pipe = popen(("python3 " + (directory / "products.py")).c_str(), "r");
        REQUIRE(pipe != nullptr);
        std::string out;
        for (int c = fgetc(pipe); c != EOF; c = fgetc(pipe)) out += static_cast<char>(c);
        pclose(pipe);
        std::string all;
        for (auto const& e : expected) all += e + "\n";
        CHECK(out == all);
        auto const he = ask("jacobian n,n:L --network densenet --head activation --layer 3");
        CHECK(he.exact("output_mean") == "1");
        CHECK(he.exact("jacobian_mean", {3}) == "3*n/8");
        refuses("jacobian n,n:L --network densenet", "--head activation", 3);
        refuses("jacobian n,n:L --network densenet --head activation --law uniform", "law", 3);
        refuses("jacobian n,m:L --network densenet --head activation", "widths", 3);
        refuses("jacobian k,k:L --network densenet --head activation", "another name", 3);
    }

    // Drawn networks of every wiring, at five standard errors that are exact.
    TEST_CASE("--check of dy/dx and of the blocks of a dense matrix") {
        auto const agrees = [](std::string const& line, std::string const& name, Json const& index) {
            auto const result = ask(line).result(name, index);
            CAPTURE(line);
            REQUIRE(result.at("check").is_object());
            CHECK(result.at("check").at("verdict") == "agrees");
            CHECK(result.at("check").at("std_error_kind") == "exact");
        };
        for (std::string const line :
             {"jacobian 3,8,8,2",
              "jacobian 3,8,8,2 --head activation --law uniform "
              "--input 1,0,0",
              "jacobian 3,8,8,2 --activation leaky:1/4", "jacobian 3,8,2 --activation crelu --input 1,-2,3",
              "jacobian 3,8,2 --activation crelu-tied", "jacobian 8:3 --network resnet:2",
              "jacobian 3,8,8,2 --network densenet"})
            agrees(line + " --wrt input --check 20000", "jacobian_mean", Json::array());
        agrees("jacobian 3,12,2 --wrt input --check 100000", "jacobian_second_moment", Json::array());
        for (int source = 0; source < 3; ++source)
            agrees("jacobian 3,8,8,2 --network densenet --block --check 20000 --layer 3," + std::to_string(source),
                   "jacobian_mean", {3, source});
        agrees("jacobian 3,8,8,2 --network densenet --block --first-source 1 --check 20000", "jacobian_mean", {3, 1});
    }

    // residual.md, section 10: narrow deep networks are never tested by sampling. 6^60 = E|y|^4 at width 1.
    TEST_CASE("--check refuses tails that sampling cannot see, with the reason") {
        auto const a = ask("jacobian 1:61 --head activation --layer 30 --check 1000");
        for (std::string const name : {"output_mean", "output_second_moment"})
            CHECK(a.result(name).at("check").is_null());
        for (std::string const name : {"jacobian_mean", "jacobian_second_moment", "gradient_squared_mean"})
            CHECK(a.result(name, {30}).at("check").is_null());
        Run const run = run_program(words("jacobian 1:61 --head activation --layer 30 --check 1000"));
        CHECK(run.code == 0);
        CHECK(run.out.find("too heavy for sampling") != std::string::npos);
        CHECK(ask("jacobian 8:4 --layer 1 --check 1000").result("jacobian_mean", {1}).at("check").is_object());
    }

    TEST_CASE("--plot draws what the answer prints") {
        TemporaryDirectory const directory;
        std::string const file = directory / "chart.svg";
        Run const run = run_program(words("jacobian 8:6 4:6 --head activation --plot " + file));
        CHECK(run.code == 0);
        auto const below_the_command = [](std::string const& out) { return out.substr(out.find('\n')); };
        CHECK(below_the_command(run.out) ==
              below_the_command(run_program(words("jacobian 8:6 4:6 --head activation")).out));
        std::string svg = read_file(file);
        for (char const* text : {"<title>8:6</title>", "<title>4:6</title>", "jacobian variance", "layer", "</svg>"})
            CHECK_MESSAGE(svg.find(text) != std::string::npos, text);
        // Against depth, one curve for each matrix of the branch; sampled means with bars.
        CHECK(run_program(words("jacobian 8:L --network resnet:2 --layer 1 --table L=2..6 --plot " + file)).code == 0);
        svg = read_file(file);
        for (char const* text :
             {"<title>layer 1, matrix 1</title>", "<title>layer 1, matrix 2</title>", "<text>L</text>"})
            CHECK_MESSAGE(svg.find(text) != std::string::npos, text);
        CHECK(run_program(words("jacobian 3:4 --check 200 --plot-of jacobian_mean --plot " + file)).code == 0);
        CHECK(read_file(file).find("jacobian_mean, sampled") != std::string::npos);
        // [Residual 2019, Figure 2]: one curve for each alpha.
        CHECK(run_program(
                  words("jacobian 8,8:L --network densenet --head activation --alpha 1/2,1 --layer 1 --table L=2..6 "
                        "--plot " +
                        file))
                  .code == 0);
        svg = read_file(file);
        for (char const* text : {"<title>alpha = 1/2, layer 1</title>", "<title>alpha = 1, layer 1</title>"})
            CHECK_MESSAGE(svg.find(text) != std::string::npos, text);
        auto const alphas = ask("jacobian 8:4 --alpha 1/2,2 --layer 1");
        CHECK(alphas.exact("jacobian_mean", {"1/2", 1}) ==
              ask("jacobian 8:4 --alpha 1/2 --layer 1").exact("jacobian_mean", {1}));
        CHECK(alphas.exact("jacobian_mean", {2, 1}) ==
              ask("jacobian 8:4 --alpha 2 --layer 1").exact("jacobian_mean", {1}));
        refuses("jacobian 8:4 8:5 --alpha 1/2,2", "--alpha");
        refuses("jacobian 8:4 --alpha 1/2,-2", "--alpha");
        refuses("jacobian 8:4 --alpha 1/2,", "--alpha");
        CHECK(directory.size() == 1);
        refuses("jacobian 8:6 --plot " + (directory / "chart.doc"), "--plot");
        refuses("jacobian 8:6 --plot-of output_mean", "--plot-of");
        refuses("jacobian 8:6 --plot-of nothing --plot " + (directory / "x.svg"), "--plot-of");
        refuses("jacobian n:L --plot " + (directory / "x.svg"), "--plot");
        refuses("jacobian 8:6 --plot " + (directory / "none/x.svg"), "--plot");
        std::string const path = std::getenv("PATH");
        setenv("PATH", "/nonexistent", 1);
        refuses("jacobian 8:6 --plot " + (directory / "x.svg"), "gnuplot", 3);
        setenv("PATH", path.c_str(), 1);
        CHECK(directory.size() == 1);
    }

    // residual.md, section 7. By hand: 8 * 40^2 = 12800 weights; 12 n^2 + 160 n for crelu, 21 n^2 + 560 n + 1600 for
    // the dense network, 8 n^2 for the residual one.
    TEST_CASE("--budget: architectures of as many parameters") {
        auto const a = ask("jacobian 40:9 --head activation --budget");
        auto const width = [&](std::string const& name) { return a.exact("budget_width", {name}); };
        CHECK(width("vanilla") == "40");
        CHECK(width("crelu") == "26");
        CHECK(width("resnet:2") == "40");
        CHECK(width("densenet") == "13");
        CHECK(a.exact("budget_parameters", {"crelu"}) == "12272");
        CHECK(a.exact("budget_parameters", {"densenet"}) == "12429");
        // Each row is what the command says of that network alone.
        auto const crelu = ask("jacobian 40,26:7,40 --activation crelu --scheme he");
        CHECK(a.exact("budget_jacobian_relative_variance", {"crelu", 8}) == crelu.exact("relative_variance", {8}));
        auto const residual = ask("jacobian 40:5 --network resnet:2");
        CHECK(a.exact("budget_jacobian_relative_variance", {"resnet:2", "4.2"}) ==
              residual.exact("relative_variance", {4, 2}));
        auto const dense = ask("jacobian 40,13:7,40 --head activation --network densenet");
        CHECK(a.exact("budget_jacobian_relative_variance", {"densenet", 1}) == dense.exact("relative_variance", {1}));
        // Concatenated ReLU grows more slowly at any budget: 2 sqrt(2)/n <= 2/n' < 5/n.
        for (std::string const line :
             {"jacobian 10,20:5,3 --budget", "jacobian 7:3 --budget", "jacobian 784,64:30,10 --budget"}) {
            auto const b = ask(line);
            CHECK(b.number("budget_growth_rate", {"crelu"}) < b.number("budget_growth_rate", {"vanilla"}));
            CHECK(b.number("budget_growth_rate", {"crelu"}) * 5 >=
                  b.number("budget_growth_rate", {"vanilla"}) * 2 * std::sqrt(2));
        }
        CHECK(ask("jacobian 4:4 5:4 --budget").exact("budget_width", {2, "vanilla"}) == "5");
        CHECK(ask("jacobian 2,1,2 --budget").exact("budget_width", {"crelu"}) == "null");
        refuses("jacobian 4,5,6,3 --budget", "one hidden width");
        refuses("jacobian 4:2 --budget", "one hidden width");
        refuses("jacobian 4:4 --budget --network densenet", "--network");
        refuses("jacobian n:4 --budget", "--budget", 3);
        refuses("jacobian 4:4 --budget --target 2", "--target");
        refuses("jacobian 4:4 --budget --layer 2", "--layer");
    }

    TEST_CASE("hidden widths of branches: the He mean does not depend on them, the variance does") {
        auto const narrow = ask("jacobian 4:3 --network resnet:3 --branch-widths 2,3 --layer 1,3");
        auto const wide = ask("jacobian 4:3 --network resnet:3 --branch-widths 20 --layer 1,3");
        CHECK(narrow.exact("output_mean") == "4");
        CHECK(wide.exact("output_mean") == "4");
        CHECK(narrow.number("output_variance") > wide.number("output_variance"));
    }

    TEST_CASE("concatenated ReLU is the linear network of its variances") {
        auto const linear = ask("jacobian 3,4,2 --activation linear --variance 1/3,1/4");
        for (std::string const kind : {"crelu", "crelu-tied"}) {
            auto const concatenated = ask("jacobian 3,4,2 --activation " + kind + " --variance 1/3,1/4");
            for (int k = 1; k <= 2; ++k)
                CHECK(concatenated.exact("jacobian_variance", {k}) == linear.exact("jacobian_variance", {k}));
        }
        // Proportional variances have roots: 24 v_1 v_2 = 24/sqrt(12*8).
        CHECK(ask("jacobian 3,4,2 --activation crelu --wrt input").exact("jacobian_mean") == "sqrt(6)");
    }

    TEST_CASE("sampled networks agree, with exact standard errors") {
        for (std::string const line :
             {"jacobian 3,8,2 --check 20000", "jacobian 3,8,2 --head activation --check 20000",
              "jacobian 6:3 --network resnet:2 --alpha 1/2 --check 20000",
              "jacobian 6:4 --network densenet --head activation --check 20000",
              "jacobian 6:4 --network densenet --first-source 1 --activation leaky:1/2 --check 20000",
              "jacobian 4,6,2 --activation crelu --check 20000",
              "jacobian 4,6,2 --activation crelu-tied --check 20000"}) {
            auto const a = ask(words(line), 60);
            int checked = 0;
            for (auto const& r : a.json.at("results")) {
                if (r.at("check").is_null()) continue;
                ++checked;
                CAPTURE(line);
                CAPTURE(r.at("name").get<std::string>());
                CHECK(r.at("check").at("std_error_kind") == "exact");
                CHECK(r.at("check").at("verdict") != "disagrees");
            }
            CHECK(checked >= 8);
        }
        // Uniform weights: no eighth moments, and no check that would mean nothing.
        auto const uniform = ask("jacobian 3,8,2 --law uniform --input 1,0,2 --check 20000");
        CHECK(uniform.result("jacobian_mean", {1})["check"]["verdict"] == "agrees");
        CHECK(uniform.result("jacobian_second_moment", {1})["check"].is_null());
    }

    TEST_CASE("deep networks, one layer at a time; all at once is refused before it is computed") {
        CHECK(ask("jacobian 784,100:100000,10 --layer 50000").number("jacobian_mean", {50000}) > 0);
        CHECK(ask("jacobian 10:10001 --network resnet:2 --layer 5000,1").number("output_mean") > 0);
        CHECK(ask("jacobian 10:10001 --network densenet --layer 5000").number("output_mean") > 0);
        refuses("jacobian 784,100:100000,10", "--layer", 3);
    }

    TEST_CASE("impossible values are refused") {
        refuses("jacobian", "WIDTHS");
        refuses("jacobian 2,3,1 --alpha 0", "--alpha");
        refuses("jacobian 2,3,1 --alpha -1/2", "--alpha");
        refuses("jacobian 2,3,1 --alpha 2 --variance 1", "--alpha");
        refuses("jacobian 2,3,1 --kurtosis 1/2", "--kurtosis");
        refuses("jacobian 2,3,1 --kurtosis 2", "--input-fourth");
        refuses("jacobian 2,3,1 --input-squared-norm 0", "--input-squared-norm");
        refuses("jacobian 2,3,1 --input-fourth 2", "--input-fourth");
        refuses("jacobian 2,3,1 --input-fourth 1/4", "--input-fourth");
        refuses("jacobian 2,3,1 --layer 0", "--layer");
        refuses("jacobian 2,3,1 --layer 3", "--layer");
        refuses("jacobian 2,3,1 --layer 1,1", "--layer");
        refuses("jacobian 4:3 --network resnet:2 --layer 3,1", "--layer");
        refuses("jacobian 4:3 --network resnet:2 --layer 1,3", "1 .. 2");
        refuses("jacobian 4:3 --network resnet:2 --layer 1,0", "--layer");
        refuses("jacobian 4,3 --network resnet:2", "equal widths");
        refuses("jacobian 2,3,1 --branch-widths 3", "--branch-widths");
        refuses("jacobian 4:3 --network resnet:2 --branch-widths 3,3", "--branch-widths");
        refuses("jacobian 4:3 --network resnet:2 --branch-widths 0", "--branch-widths");
        refuses("jacobian 4:3 --network resnet:2 --branch-widths 1/2", "--branch-widths");
        refuses("jacobian 2,3,1 --first-source 1", "--first-source");
        refuses("jacobian 4:3 --network densenet --first-source 2", "--first-source");
        refuses("jacobian 2,3,1 --wrt nothing", "--wrt");
        refuses("jacobian 2,3,1 --wrt input --layer 1", "--layer");
        refuses("jacobian n0,n:L,1 --law uniform --input-fourth 1/4 --wrt input", "symbolic depth", 3);
    }

    // By hand: 1,2,1 with variances 1 has |J_1|^2 = |J_2|^2 = chi^2_K; given K >= 1 their mean logarithm is
    // (2 (-1.270363) + 0.115931)/3, with log chi^2_1 and log chi^2_2 of docs/formulas/log_squared_norm.md.
    TEST_CASE("typical sizes: mean logarithms where layers factor, sampled elsewhere") {
        double const two = (2 * -1.2703628454614782 + 0.11593151565841245) / 3;
        auto const relu = ask("jacobian 1,2,1 --variance 1");
        CHECK(relu.number("log_jacobian_mean", {1}) == doctest::Approx(two).epsilon(1e-12));
        CHECK(relu.number("log_jacobian_mean", {2}) == doctest::Approx(two).epsilon(1e-12));
        CHECK(relu.indices("log_gradient_mean").empty());
        // |dy/dx|^2 of 1,1,1, linear, is a product of two; by W of variance 1/4 the other layer's is log 1/4.
        CHECK(ask("jacobian 1,1,1 --variance 1 --activation linear --wrt input").number("log_jacobian_mean") ==
              doctest::Approx(2 * -1.2703628454614782).epsilon(1e-12));
        CHECK(ask("jacobian 1,1,1 --variance 1/4,1 --activation linear --input-squared-norm 9")
                  .number("log_jacobian_mean", {2}) ==
              doctest::Approx(std::log(9.0 / 4) - 1.2703628454614782).epsilon(1e-12));
        // Targets 0: the gradient is z J.
        CHECK(ask("jacobian 1,1 --variance 1 --activation linear --target-second-moment 0")
                  .number("log_gradient_mean", {1}) == doctest::Approx(-1.2703628454614782).epsilon(1e-12));
        CHECK(ask("jacobian 1,1").exact("log_jacobian_mean", {1}) == "0");  // J = x = 1
        // By theta every layer has the same: log v more than by W.
        auto const ntk = ask("jacobian 2,3,1 --scheme ntk");
        CHECK(ntk.number("log_jacobian_mean", {1}) == doctest::Approx(ntk.number("log_jacobian_mean", {2})));
        CHECK(ask("jacobian 2,3,2").indices("log_jacobian_mean").empty());
        CHECK(ask("jacobian 2,3,1 --law uniform --input 1,2").indices("log_jacobian_mean").empty());
        CHECK(ask("jacobian 2:3 --network resnet:2").indices("log_jacobian_mean").empty());

        auto const checked = ask("jacobian 2,4,3,1 --activation leaky:1/3 --check 20000 --seed 3");
        for (int layer : {1, 2, 3}) {
            CHECK(checked.result("log_jacobian_mean", {layer}).at("check").at("verdict") == "agrees");
            double const median = checked.number("jacobian_quantile", {"0.5", layer});
            CHECK(checked.number("jacobian_quantile", {"0.05", layer}) < median);
            CHECK(checked.number("jacobian_quantile", {"0.95", layer}) > median);
            // log of the median and mean logarithm are near one another, the logarithm of the mean is not.
            CHECK(std::abs(std::log(median) - checked.number("log_jacobian_mean", {layer})) < 0.5);
        }
        auto const several = ask("jacobian 2,3,2 --check 3000 --activation linear");
        CHECK(several.result("log_jacobian_mean", {1}).at("check").is_null());
        CHECK(several.number("log_jacobian_mean", {1}) < std::log(several.number("jacobian_mean", {1})));
        // Of the networks 1:5,1 one in 2^4 is alive: the median is 0.
        auto const dead = ask("jacobian 1:5,1 --check 2000");
        CHECK(dead.result("jacobian_quantile", {"0.5", 1}).at("decimal").is_null());
    }
}
