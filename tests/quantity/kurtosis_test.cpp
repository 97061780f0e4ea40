// SPDX-License-Identifier: MIT
// Kernels and Hessians of weights that are not normal: by hand, at kurtosis 3, and on drawn networks.
#include <doctest/doctest.h>

#include <isserlis/quantity/ask.hpp>
#include <isserlis/ring/parse.hpp>

#include <map>
#include <string>
#include <utility>
#include <vector>

using namespace isserlis;
using quantity::ask;
using quantity::Question;

namespace {

using Parameters = std::map<std::string, std::vector<std::string>>;

Answer of(std::string const& command, std::string const& widths, Parameters const& parameters) {
    return ask({command, {widths}, parameters});
}

RationalFunction formula(Answer const& answer, std::string const& row, std::vector<std::string> const& index = {}) {
    return parse_rational_function(*answer.at(row, index).exact, "");
}

}  // namespace

TEST_SUITE("quantity/kurtosis") {
    // z = w_2 w_1 at x = 1, variances 1, E w^4 = k. The kernel is w_2^2 + w_1^2: E K = 2, E K^2 = 2k + 2. The Hessian of
    // (z - y)^2/2 has w_2^2, w_1^2 on its diagonal and 2 w_1 w_2 - y beside it: 2k + 2 (4 + E y^2).
    TEST_CASE("a network of two weights by hand") {
        Parameters const parameters{
            {"activation", {"linear"}}, {"variance", {"1"}}, {"kurtosis", {"k"}}, {"input", {"1"}}};
        auto const kernel = of("ntk", "1,1,1", parameters);
        CHECK(formula(kernel, "ntk_mean") == parse_rational_function("2", ""));
        CHECK(formula(kernel, "ntk_second_moment") == parse_rational_function("2*k + 2", ""));
        auto with_target = parameters;
        with_target["target_second_moment"] = {"s"};
        auto const hessian = of("hessian", "1,1,1", with_target);
        CHECK(formula(hessian, "hessian_frobenius_squared") == parse_rational_function("2*k + 8 + 2*s", ""));
        CHECK(formula(hessian, "block", {"1", "1"}) == parse_rational_function("k", ""));
        CHECK(formula(hessian, "block", {"1", "2"}) == parse_rational_function("4 + s", ""));
    }

    // The strand recursion for any kurtosis beside the closed forms of normal weights.
    TEST_CASE("formulas in the kurtosis are those of normal weights at 3") {
        for (std::string const command : {"ntk", "hessian"}) {
            auto const any = of(command, "n,n,m,2", {{"kurtosis", {"k"}}, {"set", {"k=3"}}, {"input_fourth", {"q"}}});
            auto const normal = of(command, "n,n,m,2", {});
            auto const rows = command == "ntk"
                                  ? std::vector<std::string>{"ntk_mean", "ntk_second_moment", "ntk_trace_second_moment",
                                                             "ntk_squared_trace_mean"}
                                  : std::vector<std::string>{"hessian_frobenius_squared", "gauss_newton", "functional",
                                                             "cross", "target"};
            for (auto const& row : rows) {
                CAPTURE(row);
                CHECK(formula(any, row) == formula(normal, row));
            }
        }
    }

    // Two neurons, linear, E w^4 = 4 (1/2)^2: with Q = |h|^2 and S = sum h_i^4, E (S, Q^2) goes to
    // ((S + 3 Q^2)/2, S/2 + 2 Q^2): from x = e_1, (2, 5/2) and (19/4, 6). Then E z^4 = (3 Q^2 + S)/4.
    TEST_CASE("a depth in symbols has roots of a discriminant") {
        Parameters const parameters{{"activation", {"linear"}}, {"kurtosis", {"4"}}, {"input_fourth", {"1"}}};
        auto at = [&](std::string const& widths, std::map<std::string, Rational> const& values) {
            return formula(ask({"expect", {"z[1]^4", widths}, parameters}), "value").evaluate(values);
        };
        CHECK(at("2,2:L,1", {{"L", 1}}) == Surd(ratio(19, 8)));
        CHECK(at("2,2:L,1", {{"L", 2}}) == Surd(ratio(91, 16)));
        CHECK(at("n,n:L,1", {{"n", 2}, {"L", 2}}) == Surd(ratio(91, 16)));
    }

    TEST_CASE("formulas at a depth in symbols are those at a depth in numbers") {
        for (std::string const command : {"ntk", "hessian"}) {
            Parameters const parameters{{"kurtosis", {"k"}}, {"input_fourth", {"q"}}};
            auto const deep = of(command, "n,n:L,1", parameters);
            auto const rows = command == "ntk" ? std::vector<std::string>{"ntk_mean", "ntk_second_moment"}
                                               : std::vector<std::string>{"gauss_newton", "functional", "cross"};
            std::map<std::string, Rational> values{{"q", ratio(1, 2)}};
            for (int const depth : {1, 2, 4}) {
                auto const flat = of(command, "n,n:" + std::to_string(depth) + ",1", parameters);
                values["L"] = depth;
                for (auto const& row : rows) {
                    auto const of_deep = formula(deep, row);
                    auto const of_flat = formula(flat, row);
                    for (int const n : {1, 2, 3}) {
                        for (auto const& k : {Rational(1), ratio(9, 5), Rational(6)}) {
                            values["n"] = n;
                            values["k"] = k;
                            CAPTURE(row);
                            CAPTURE(n);
                            CAPTURE(depth);
                            CHECK(of_deep.evaluate(values) == of_flat.evaluate(values));
                        }
                    }
                }
            }
        }
    }

    // At a depth in numbers the recursion of layer_jacobian answers, not strands.
    TEST_CASE("Jacobians at a depth in symbols are those at a depth in numbers") {
        for (std::string const scheme : {"he", "ntk"}) {
            Parameters const parameters{{"kurtosis", {"k"}}, {"input_fourth", {"q"}}, {"scheme", {scheme}}};
            auto const deep = of("jacobian", "3,n:L,2", parameters);
            for (int const depth : {2, 4}) {
                auto const flat = of("jacobian", "3,n:" + std::to_string(depth) + ",2", parameters);
                auto const agree = [&](std::string const& row, std::vector<std::string> const& index,
                                       std::vector<std::string> const& at) {
                    auto const of_deep = formula(deep, row, index);
                    auto const of_flat = formula(flat, row, at);
                    for (int const n : {2, 3}) {
                        for (auto const& k : {ratio(9, 5), Rational(6)}) {
                            std::map<std::string, Rational> const values{
                                {"q", ratio(1, 2)}, {"n", n}, {"k", k}, {"L", depth}, {"l", 2}};
                            CAPTURE(row);
                            CAPTURE(depth);
                            CAPTURE(n);
                            CHECK(of_deep.evaluate(values) == of_flat.evaluate(values));
                        }
                    }
                };
                agree("output_relative_variance", {}, {});
                std::vector<std::pair<std::string, int>> const places{{"1", 1}, {"l", 2}, {"L + 1", depth + 1}};
                for (auto const& [place, layer] : places) {
                    for (char const* row : {"jacobian_mean", "jacobian_second_moment", "reduced_output_variance",
                                            "variance_upper", "gradient_squared_mean", "gradient_squared_upper"})
                        agree(row, {place}, {std::to_string(layer)});
                }
            }
        }
    }

    // By hand, linear, as above: E |h|^4 is 5/2 and 6 at |x| = 1, so that the variances are 3/2 and 5.
    TEST_CASE("norms and products at a depth in symbols are those at a depth in numbers") {
        auto const layers = [](std::string const& command, std::string const& widths, std::string const& row,
                               std::vector<std::string> const& index, Parameters const& parameters) {
            return formula(of(command, widths, parameters), row, index);
        };
        Parameters const linear{{"activation", {"linear"}}, {"kurtosis", {"4"}}, {"input_fourth", {"1"}}};
        auto const variance = layers("norm", "2,2:L,1", "squared_norm_variance", {"l"}, linear);
        CHECK(variance.evaluate({{"l", 1}}) == Surd(ratio(3, 2)));
        CHECK(variance.evaluate({{"l", 2}}) == Surd(5));
        // One input neuron, then a bottleneck whose matrix has the eigenvalue 0 for every kurtosis.
        for (std::string const widths : {"n,n:L,2", "3,1:L,2,2:L,1", "2,n:L,n,n"}) {
            for (std::string const activation : {"relu", "linear"}) {
                for (int const n : {1, 3}) {
                    for (auto const& k : {Rational(1), Rational(3), ratio(9, 2)}) {
                        std::map<std::string, Rational> values{{"n", n}, {"k", k}, {"q", ratio(3, 4)}};
                        Parameters const parameters{
                            {"activation", {activation}}, {"kurtosis", {"k"}}, {"input_fourth", {"q"}}};
                        for (int const depth : {1, 2, 5}) {
                            values["L"] = depth;
                            auto flat = widths;
                            for (auto at = flat.find('L'); at != std::string::npos; at = flat.find('L'))
                                flat.replace(at, 1, std::to_string(depth));
                            auto const deep = of("norm", widths, parameters);
                            auto const shallow = of("norm", flat, parameters);
                            auto const last = [](Answer const& a) { return a.results().back().index.front(); };
                            CAPTURE(widths);
                            CAPTURE(depth);
                            CAPTURE(n);
                            CHECK(formula(deep, "squared_norm_moment", {last(deep), "2"}).evaluate(values) ==
                                  formula(shallow, "squared_norm_moment", {last(shallow), "2"}).evaluate(values));
                        }
                    }
                }
            }
        }
        for (std::string const row : {"rho", "gamma", "nu", "tau", "eta"}) {
            auto const deep = layers("moments", "3,n:L,2", row, {"L + 1"}, {{"fourth_moment", {"r"}}});
            for (int const depth : {1, 2, 4}) {
                for (int const n : {1, 3}) {
                    auto const flat = layers("moments", "3,n:" + std::to_string(depth) + ",2", row,
                                             {std::to_string(depth + 1)}, {{"fourth_moment", {"r"}}});
                    for (auto const& r : {Rational(1), Rational(3), ratio(9, 2)}) {
                        CAPTURE(row);
                        CAPTURE(depth);
                        CHECK(deep.evaluate({{"n", n}, {"r", r}, {"L", depth}}) == flat.evaluate({{"n", n}, {"r", r}}));
                    }
                }
            }
        }
    }

    // Width and depth grow together, and only the variances of the entries are left.
    TEST_CASE("the double-scaling limit does not know the kurtosis") {
        auto const limit = [](Parameters parameters) {
            parameters["limit"] = {"double-scaling"};
            return of("ntk", "n,n:L,1", parameters).at("ntk_second_moment_leading").exact;
        };
        CHECK(limit({{"kurtosis", {"2"}}, {"input_fourth", {"1"}}}) ==
              "n^2/27*exp(-b) + n^2*(9*b^2 + 6*b - 1)/27*exp(5*b)");
        CHECK(limit({}) == "n^2*(9*b^2 + 6*b - 1)/27*exp(5*b) + n^2/27*exp(-b)");
    }

    TEST_CASE("drawn networks agree") {
        for (std::string const command : {"ntk", "hessian"}) {
            for (std::string const law : {"uniform", "laplace", "gaussian,uniform,gaussian"}) {
                auto const answer = of(command, "3,4,3,2",
                                       {{"law", {law}}, {"input", {"1,1/2,-2"}}, {"check", {"4000"}}, {"seed", {"3"}}});
                std::size_t checked = 0;
                for (auto const& r : answer.results()) {
                    if (!r.check) continue;
                    CAPTURE(law);
                    CAPTURE(r.name);
                    CHECK(r.check->verdict != Check::Verdict::disagrees);
                    ++checked;
                }
                CHECK(checked >= 5);
            }
        }
    }
}
