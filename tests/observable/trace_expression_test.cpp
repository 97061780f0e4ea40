// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <isserlis/error.hpp>
#include <isserlis/observable/latex.hpp>
#include <isserlis/observable/trace_expression.hpp>

#include <string>
#include <vector>

#include "../ring/property.hpp"

using namespace isserlis;

TEST_SUITE("observable/trace_expression") {
    namespace {

    using isserlis::testing::holds;
    using Kind = TraceExpression::Kind;

    void refuses(std::string const& text, std::string const& named) {
        INFO(text);
        try {
            (void)parse_trace_expression(text);
            FAIL_CHECK("is read");
        } catch (ParseError const& e) {
            CHECK_MESSAGE(std::string(e.what()).find(named) != std::string::npos, e.what());
            CHECK(e.argument() == "query");
        }
    }

    int any_of(int a, int b) { return *rc::gen::inRange(a, b + 1); }

    std::string random_matrix(int depth) {
        std::string out;
        for (int terms = any_of(1, 2); terms > 0; --terms) {
            out += any_of(0, 3) == 0 ? "2*" : "";
            for (int factors = any_of(1, 3); factors > 0; --factors) {
                int const kind = any_of(0, depth > 0 ? 3 : 2);
                out += kind == 0   ? "A"
                       : kind == 1 ? "W1^T"
                       : kind == 2 ? "A^H"
                                   : "(A*" + random_matrix(depth - 1) + ")^3";
                out += factors > 1 ? "*" : "";
            }
            out += terms > 1 ? " + " : "";
        }
        return out;
    }

    std::string random_traces() {
        std::string out = any_of(0, 3) == 0 ? "-" : "";
        for (int factors = any_of(1, 3); factors > 0; --factors) {
            int const kind = any_of(0, 2);
            out += kind == 0   ? "tr(" + random_matrix(1) + ")"
                   : kind == 1 ? "norm2(" + random_matrix(0) + ")^2"
                               : "(A*" + random_matrix(0) + ")[" + std::to_string(any_of(1, 12)) + ",1]";
            out += factors > 1 ? "*" : "";
        }
        return out;
    }

    }  // namespace

    TEST_CASE("the trace of a cube and the cube of a trace") {
        auto const of_cube = parse_trace_expression("tr((W W^T)^3)");
        REQUIRE(of_cube.kind == Kind::mean);
        REQUIRE(of_cube.operands[0].kind == Kind::trace);
        CHECK(of_cube.operands[0].operands[0].kind == Kind::power);
        auto const cube_of = parse_trace_expression("tr(W W^T)^3");
        REQUIRE(cube_of.operands[0].kind == Kind::power);
        CHECK(cube_of.operands[0].exponent == 3);
        CHECK(to_string(cube_of) == "E[tr(W*W^T)^3]");
    }

    TEST_CASE("without expectations the mean of the whole is meant, with them all is inside") {
        CHECK(to_string(parse_trace_expression("tr(A) - t/2")) == "E[tr(A) - t/2]");
        CHECK(to_string(parse_trace_expression("Var[tr(A)]/E[norm2(A)]^2")) == "Var[tr(A)]/E[norm2(A)]^2");
        CHECK(parse_trace_expression("Cov[tr(A), tr(B)^2]").operands.size() == 2);
        refuses("tr(A)/E[tr(B)]", "character 1: this trace stands outside of E[..]");
    }

    TEST_CASE("entries are numbers: of a matrix, or of a bracket") {
        auto const e = parse_trace_expression("W[1,2]^2*(W W^T)[3,1]");
        REQUIRE(e.operands[0].kind == Kind::product);
        auto const& of_bracket = e.operands[0].operands[1];
        CHECK(of_bracket.kind == Kind::entry);
        CHECK(of_bracket.row == 3);
        CHECK(of_bracket.column == 1);
        CHECK(to_string(e) == "E[W[1,2]^2*(W*W^T)[3,1]]");
        CHECK(to_string(parse_trace_expression("Var[ W [ 1 , 2 ] ]/E[W[1,1]^2]")) == "Var[W[1,2]]/E[W[1,1]^2]");
        CHECK(to_string(parse_trace_expression("((A + I) B)[1,1] t")) == "E[((A + I)*B)[1,1]*t]");
        CHECK(entries_of(e) == std::vector<std::pair<unsigned, unsigned>>{{1, 2}, {3, 1}});
        CHECK(matrices_of(e) == std::vector<std::string>{"W"});
        CHECK(latex(e).find("\\left[W\\right]_{1,2}^{2}") == std::string::npos);  // a power needs brackets
        CHECK(latex(e).find("\\left[W W^{\\mathsf{T}}\\right]_{3,1}") != std::string::npos);
        refuses("tr(W[1,2] W)", "character 4: an entry stands inside of a trace");
        refuses("tr((W W)[1,2] W)", "character 4: an entry stands inside of a trace");
        refuses("W[0,1]", "character 3: rows and columns are whole numbers from 1");
        refuses("W[1]", "character 4: ',' is expected here: an entry has a row and a column");
        refuses("W[1,2", "']' is expected here");
        refuses("W[i,j]", "'W' is no expectation");
        refuses("I[1,1]", "no matrix stands before these brackets");
        refuses("(2 I)[1,1]", "no matrix stands before these brackets");
        refuses("(W W^T)", "stands outside of a trace");
        refuses("E[W[1,1]] W[1,1]", "character 11: this entry stands outside of E[..]");
        refuses("tr(A)/W[1,1]", "traces are not divided by");
    }

    TEST_CASE("names") {
        auto const e = parse_trace_expression("t*tr(W2 A W2^T I) + u");
        CHECK(matrices_of(e) == std::vector<std::string>{"A", "W2"});
        CHECK(parameters_of(e) == std::vector<std::string>{"t", "u"});
        CHECK(matrices_of(parse_trace_expression("E[tr(E)]")) == std::vector<std::string>{"E"});
    }

    TEST_CASE("property: what is printed is read back as the same") {
        holds([] {
            std::string text = random_traces();
            if (any_of(0, 1) == 0) text = "Cov[" + text + ", " + random_traces() + "]/E[" + random_traces() + "]^2";
            std::string const printed = to_string(parse_trace_expression(text));
            RC_ASSERT(to_string(parse_trace_expression(printed)) == printed);
        });
    }

    TEST_CASE("LaTeX keeps the trace of a square and the square of a trace apart") {
        auto const text = [](std::string const& e) { return latex(parse_trace_expression(e)); };
        CHECK(text("tr((A W1^T)^2)") ==
              R"(\mathbb{E}\left[\operatorname{tr}\left(\left(A W_{1}^{\mathsf{T}}\right)^{2}\right)\right])");
        CHECK(text("tr(A)^2/2") ==
              R"(\mathbb{E}\left[\frac{\left(\operatorname{tr}\left(A\right)\right)^{2}}{2}\right])");
        CHECK(
            text("Var[norm2(A)]/E[tr(A + 2*I)]^2") ==
            R"(\frac{\operatorname{Var}\left[\left\|A\right\|_F^2\right]}{\mathbb{E}\left[\operatorname{tr}\left(A + 2 I\right)\right]^{2}})");
        CHECK(text("t*(tr(A) - 1)") == R"(\mathbb{E}\left[t \left(\operatorname{tr}\left(A\right) - 1\right)\right])");
    }

    TEST_CASE("refusals show the character") {
        refuses("", "character 1: tr(..), a number, a parameter or '(' is expected");
        refuses("tr(W", "character 5: ')' is expected");
        refuses("tr(W) )", "character 7: an operator or the end");
        refuses("W W^T", "character 1: the matrix 'W' stands outside of a trace");
        refuses("tr(W^-1)", "character 6: there are no inverses");
        refuses("tr(I/W)", "character 6: matrices are not divided by");
        refuses("tr(A)/tr(B)", "character 7: traces are not divided by");
        refuses("tr(tr(A) B)", "character 4: a trace stands inside of a trace");
        refuses("tr(2 I)", "character 1: no matrix stands in this trace");
        refuses("tr(A)^T", "character 7: only matrices are transposed");
        refuses("tr(A^TB)", "a transpose is ^T or ^H, with a space");
        refuses("E[Var[tr(A)]]", "character 3: expectations stand outside of one another");
        refuses("Cov[tr(A)]", "character 10: ',' is expected here: a covariance is of two");
        refuses("trace(A)", "character 1: a trace is written tr(..)");
        refuses("det(A)", "character 1: 'det' is no function");
        refuses("Mean[tr(A)]", "'Mean' is no expectation");
        refuses("tr(A)^100", "the exponent is too large");
        refuses(std::string(300, '('), "nested too deeply");
        CHECK_THROWS_AS((void)parse_trace_expression(std::string(20'000, '1')), UnsupportedError);
    }
}
