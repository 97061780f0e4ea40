// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <isserlis/ring/parse.hpp>
#include <isserlis/ring/power.hpp>

#include <string>
#include <vector>

#include "graphs.hpp"

// The strand engine against the values of docs/strands.md, and its formulas in widths and depth against itself at
// numbers that played no part in finding them.

namespace {

using namespace graphs;
using F = RationalFunction;

F sym(char const* name) { return F::symbol(name); }
F formula(std::string const& text) { return parse_rational_function(text, "formula"); }

ObservableSetting<F> symbolic_input(F const& squared_norm) {
    ObservableSetting<F> out;
    out.inputs.names = {"x"};
    out.inputs.squared_norm = squared_norm;
    return out;
}
ObservableSetting<Rational> input_norm(Rational const& squared_norm) {
    ObservableSetting<Rational> out;
    out.inputs.names = {"x"};
    out.inputs.squared_norm = squared_norm;
    return out;
}
Rational at(F const& f, std::map<std::string, Rational> const& values) { return f.evaluate(values).to_rational(); }

}  // namespace

TEST_SUITE("strand/tables") {
    // strands.md, section 5: ReLU, variance 2/fan-in, |x|^2 = n_0, E y^2 = 1.
    TEST_CASE("the parts of the squared Hessian norm have their tabulated values") {
        struct Row {
            std::vector<Rational> widths;
            Rational functional, target, cross, gauss_newton, hessian;
        };
        std::vector<Row> const rows = {
            {{2, 3, 1}, 16, 6, 8, ratio(152, 3), ratio(266, 3)},
            {{2, 3, 4, 1}, ratio(460, 3), 26, ratio(238, 3), ratio(982, 3), ratio(1996, 3)},
            {{3, 2, 3, 2, 1}, ratio(2902, 3), 37, 725, ratio(5450, 3), 4271},
        };
        for (auto const& row : rows) {
            auto const net = vanilla<Rational>(row.widths);
            auto const setting = input_norm(row.widths.front());
            CHECK(engine("z[;m,n]^2 z^2", net, setting) == row.functional);
            CHECK(engine("z[;m,n]^2", net, setting) == row.target);
            CHECK(engine("z[;m,n]^2 y^2", net, setting) == row.target);
            CHECK(engine("z[;m,n] z[;m] z[;n] z", net, setting) == row.cross);
            CHECK(engine("z[;m]^2 z[;n]^2", net, setting) == row.gauss_newton);
            CHECK(engine("(D[m,n] loss)^2", net, setting) == row.hessian);
            // In double, and as formulas in no symbol.
            ObservableSetting<double> rough;
            rough.inputs.names = {"x"};
            rough.inputs.squared_norm = row.widths.front().convert_to<double>();
            std::vector<double> widths;
            std::vector<F> formulas;
            std::vector<Surd> surds;
            for (auto const& n : row.widths) {
                widths.push_back(n.convert_to<double>());
                formulas.emplace_back(n);
                surds.emplace_back(n);
            }
            auto const query = parse_query("(D[m,n] loss)^2");
            CHECK(expectation(query, vanilla<double>(widths), rough) ==
                  doctest::Approx(row.hessian.convert_to<double>()));
            CHECK(expectation(query, vanilla<F>(formulas), symbolic_input(F(row.widths.front()))) == F(row.hessian));
            ObservableSetting<Surd> exact;
            exact.inputs.names = {"x"};
            exact.inputs.squared_norm = Surd(row.widths.front());
            CHECK(expectation(query, vanilla<Surd>(surds), exact) == Surd(row.hessian));
        }
    }

    // strands.md, section 5: width 3, 3 blocks with 2-layer branches, variances 2/n and 1/n, |x| = 1.
    TEST_CASE("the residual network has its tabulated moments") {
        auto const net = residual<Rational, std::uint64_t>(3, 3, 2, 2, 1);
        auto const setting = input_norm(1);
        CHECK(engine("z[i]^2", net, setting) == 8);
        CHECK(engine("(z[i]^2)^2", net, setting) == ratio(493039, 729));
        CHECK(engine("z[i;m]^2 where m in 2.1", net, setting) == 6);
        CHECK(engine("(z[i;m]^2)^2 where m in 2.1", net, setting) == ratio(22120, 81));
    }

    // Hand-checked by integer widths in the project's notes: |x|^2 = n0, E y^2 = 1.
    TEST_CASE("the squared Hessian norm of networks with one and two hidden layers is a formula in their widths") {
        F const n0 = sym("n0");
        F const n = sym("n");
        auto const query = parse_query("(D[m,n] loss)^2");
        F const one = formula("(n^3 + 5*n^2*n0 + 5*n^2 + n*n0^2 + 12*n*n0 + 5*n0^2)/n");
        F const two = formula(
            "(7*n^4 + 10*n^3*n0 + 52*n^3 + n^2*n0^2 + 56*n^2*n0 + 110*n^2 + 10*n*n0^2 + 128*n*n0 + 25*n0^2)/n^2");
        CHECK(expectation(query, vanilla<F>({n0, n, F(1)}), symbolic_input(n0)) == one);
        CHECK(expectation(query, vanilla<F>({n0, n, n, F(1)}), symbolic_input(n0)) == two);
        CHECK(at(one, {{"n0", 2}, {"n", 3}}) == ratio(266, 3));  // the table's 2,3,1
    }

    TEST_CASE("formulas in the depth agree with the recursion at depths and widths of their own") {
        F const n0 = sym("n0");
        F const n = sym("n");
        struct Formula {
            std::string text;
            bool scalar;
        };
        for (auto const& [text, scalar] :
             {Formula{"(D[m,n] loss)^2", true}, Formula{"z[;m,n]^2", true}, Formula{"z[;m]^2", true},
              Formula{"(z[;m]^2)^2", true}, Formula{"(z[;m]^2)^3", true}, Formula{"z[i]^2", false},
              Formula{"(z[i]^2)^2", false}, Formula{"(z[i]^2)^3", false}, Formula{"(z[i]^2)^4", false},
              Formula{"(D[m] loss)^2", false}, Formula{"(D[m] loss) (D[m,n] loss) (D[n] loss)", true},
              Formula{"z[i;m]^2 where m in 2..L", false}}) {
            CAPTURE(text);
            bool const from_two = text.find("..L") != std::string::npos;
            Rational const outputs = scalar ? 1 : 2;
            auto const deep = repeated<F, Exponent>(n0, n, Exponent::symbol("L"), F(outputs));
            F const value = expectation(parse_query(text), deep, symbolic_input(n0)).formula();
            auto compare = [&](std::uint64_t depth, Rational const& width, Rational const& fan_in) {
                CAPTURE(depth);
                std::string numeric = text;
                if (from_two) numeric.replace(numeric.size() - 1, 1, std::to_string(depth));
                auto const net = repeated<Rational, std::uint64_t>(fan_in, width, depth, outputs);
                CHECK(at(value, {{"n0", fan_in}, {"n", width}, {"L", Rational(depth)}}) ==
                      engine(numeric, net, input_norm(fan_in)));
            };
            for (std::uint64_t depth = from_two ? 2 : 1; depth <= 6; ++depth) compare(depth, 3, 2);
            compare(4, 2, 5);
            compare(50, 7, 3);
        }
    }

    TEST_CASE("layers and nodes of a symbolic number are those of the recursion") {
        F const n0 = sym("n0");
        F const n = sym("n");
        // TOP stands for L + 1, LAST for L, BELOW for L - 1.
        for (std::string const text :
             {"(z[i;m]^2)^2 where m in LAST", "(z[i;m]^2)^2 where m in TOP", "z{LAST}[i]^2 z[j]^2",
              "h{BELOW}[i]^2 h{2}[j]^2", "z[i;m]^2 z[j;n]^2 where m in 1, n in LAST",
              "z[i;m]^2 z[j;n]^2 where n in 2..BELOW", "z[i;m,n]^2 z[j]^2 where m in 2, n in 3..TOP"}) {
            CAPTURE(text);
            auto const put = [&](std::string const& top, std::string const& last, std::string const& below) {
                std::string out = text;
                for (auto const& [name, value] :
                     {std::pair(std::string("TOP"), top), std::pair(std::string("LAST"), last),
                      std::pair(std::string("BELOW"), below)}) {
                    if (auto const at = out.find(name); at != std::string::npos) out.replace(at, name.size(), value);
                }
                return parse_query(out);
            };
            auto const deep = repeated<F, Exponent>(n0, n, Exponent::symbol("L"), F(2));
            F const value = expectation(put("L + 1", "L", "L - 1"), deep, symbolic_input(n0)).formula();
            for (std::uint64_t const depth : {4U, 5U, 6U, 9U, 40U}) {
                CAPTURE(depth);
                auto const numeric = put(std::to_string(depth + 1), std::to_string(depth), std::to_string(depth - 1));
                auto const net = repeated<Rational, std::uint64_t>(2, 3, depth, 2);
                CHECK(at(value, {{"n0", 2}, {"n", 3}, {"L", Rational(depth)}}) ==
                      expectation(numeric, net, input_norm(2)));
            }
        }
    }

    TEST_CASE("formulas in the number of residual blocks agree with the recursion") {
        F const n = sym("n");
        for (std::string const text : {"z[i]^2", "(z[i]^2)^2", "z[i]^4", "(z[i]^2)^3", "z[i;m]^2", "(z[i;m]^2)^2"}) {
            CAPTURE(text);
            auto const deep = residual<F, Exponent>(n, Exponent::symbol("L"), 2, F(2), F(1));
            // z[i]^4 needs the sum of the fourth powers of the input: |x_j| = 1 makes it n.
            auto setting = symbolic_input(n);
            setting.inputs.fourth = n;
            F const value = expectation(parse_query(text), deep, setting).formula();
            for (std::uint64_t depth = 1; depth <= 6; ++depth) {
                CAPTURE(depth);
                auto const net = residual<Rational, std::uint64_t>(3, depth, 2, 2, 1);
                CHECK(at(value, {{"n", 3}, {"L", Rational(depth)}}) == engine(text, net, at_input({1, 1, 1})));
            }
            auto const net = residual<Rational, std::uint64_t>(2, 50, 2, 2, 1);
            CHECK(at(value, {{"n", 2}, {"L", 50}}) == engine(text, net, at_input({1, 1})));
        }
    }

    // Linear layers of signs, variance v = 2/n: with s = |h|^2 and f = sum h_i^4 the layer above has
    //     E s'^2 = n^2 v^2 s^2 + n v^2 (2 s^2 - 2 f),    E f' = n v^2 (3 s^2 - 2 f),
    // since E z_i^4 = v^2 (3 s^2 - 2 f) and E z_i^2 z_j^2 = v^2 s^2. The map has the eigenvalues 2 +- 2 sqrt(n^2 + 8 n - 8)/n,
    // irrational for almost all n.
    TEST_CASE("a depth whose eigenvalues are roots of a polynomial of degree 2") {
        Style<F> const signs{.slope = F(1), .law = {.kind = LawKind::rademacher}};
        auto const deep = residual<F, Exponent>(sym("n"), Exponent::symbol("L"), 1, F(2), F(2), signs);
        auto chain = deep;
        chain.stages[0].edges.pop_back();  // the skips
        auto setting = symbolic_input(sym("s"));
        setting.inputs.fourth = sym("f");
        RecursionTrace trace;
        F const fourth =
            expectation(parse_query("(z[i]^2)^2"), chain, setting, {.explain = true, .trace = &trace}).formula();
        F const sum_of_fourths = expectation(parse_query("z[i]^4"), chain, setting).formula();
        for (Rational const& n : {Rational(2), Rational(3), Rational(7)}) {
            Rational s2 = 25;  // s = 5
            Rational f = 17;
            for (std::uint64_t depth = 0; depth <= 5; ++depth) {
                CAPTURE(depth);
                std::map<std::string, Rational> const values = {{"n", n}, {"s", 5}, {"f", 17}, {"L", Rational(depth)}};
                if (depth > 0) {
                    CHECK(at(fourth, values) == s2);
                    CHECK(at(sum_of_fourths, values) == f);
                }
                Rational const v2 = 4 / (n * n);
                Rational const next = n * n * v2 * s2 + n * v2 * (2 * s2 - 2 * f);
                f = n * v2 * (3 * s2 - 2 * f);
                s2 = next;
            }
        }
        // From the trace n^2 v^2 and the determinant n^2 v^4 ((n + 2) (-2) + 6) = -2 n^2 v^4 (n - 1). The difference of two
        // pairings goes by n^2 v^2 - n v^2; at one input it is 0.
        REQUIRE(!trace.lines.empty());
        CHECK(trace.lines.back() ==
              "  eigenvalues: 4*(n - 1)/n, 2*(n + sqrt(n^2 + 8*n - 8))/n, 2*(n - sqrt(n^2 + 8*n - 8))/n");
    }

    // Hand: each block multiplies E|z|^2 by 1 + 1; by 1 + a for a last variance a/n.
    TEST_CASE("the mean squared norm of a residual network doubles in each block") {
        F const a = sym("a");
        auto const deep = residual<F, Exponent>(sym("n"), Exponent::symbol("L"), 2, F(2), a);
        CHECK(expectation(parse_query("z[i]^2"), deep, symbolic_input(F(1))).formula() ==
              power(F(F(1) + a), Exponent::symbol("L")));
    }

    TEST_CASE("a run of thousands of layers agrees with its formula") {
        auto const deep = repeated<F, Exponent>(sym("n0"), sym("n"), Exponent::symbol("L"), F(1));
        F const value = expectation(parse_query("(z[;m]^2)^2"), deep, symbolic_input(sym("n0"))).formula();
        auto const net = repeated<Rational, std::uint64_t>(2, 3, 2000, 1);
        CHECK(at(value, {{"n0", 2}, {"n", 3}, {"L", 2000}}) == engine("(z[;m]^2)^2", net, input_norm(2)));
    }
}
