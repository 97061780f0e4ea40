// SPDX-License-Identifier: MIT
// Orthogonal matrices beside averages over O(1) and O(2), and expressions of traces.
#include <doctest/doctest.h>

#include <isserlis/error.hpp>
#include <isserlis/observable/trace_expression.hpp>
#include <isserlis/ring/parse.hpp>
#include <isserlis/words/trace_value.hpp>

#include <cmath>
#include <string>
#include <vector>

#include "oracle.hpp"

namespace {

using namespace isserlis;
using namespace isserlis::words;
using isserlis::testing::traces;
using isserlis::testing::word;

RandomMatrix matrix(std::string const& name, std::string const& rows, std::string const& columns,
                    MatrixLaw law = MatrixLaw::gaussian) {
    return {.name = name,
            .rows = parse_rational_function(rows, ""),
            .columns = parse_rational_function(columns, ""),
            .law = law};
}

std::string value(std::string const& text, std::vector<RandomMatrix> const& matrices) {
    TraceMoments moments(matrices);
    TraceValue value_of(moments, text, [](std::string const& name) { return RationalFunction::symbol(name); });
    return to_string(value_of(parse_trace_expression(text)));
}

bool equals(std::string const& text, std::vector<RandomMatrix> const& matrices, std::string const& expected) {
    auto const found = value(text, matrices);
    INFO(text, " = ", found);
    return parse_rational_function(found, "") == parse_rational_function(expected, "");
}

/// The mean over O(2): rotations and reflections by equally spaced angles, exact for polynomials of a lower degree.
double mean_over_o2(std::vector<Word> const& product) {
    constexpr int angles = 64;
    double sum = 0;
    for (int i = 0; i < angles; ++i) {
        double const t = 2 * 3.14159265358979323846 * i / angles;
        for (double const sign : {1.0, -1.0}) {
            double const q[2][2] = {{std::cos(t), -sign * std::sin(t)}, {std::sin(t), sign * std::cos(t)}};
            double value = 1;
            for (auto const& w : product) {
                double m[2][2] = {{1, 0}, {0, 1}};
                for (Letter const x : w) {
                    double next[2][2] = {};
                    for (int a = 0; a < 2; ++a) {
                        for (int b = 0; b < 2; ++b) {
                            for (int c = 0; c < 2; ++c) next[a][b] += m[a][c] * (is_transposed(x) ? q[b][c] : q[c][b]);
                        }
                    }
                    for (int a = 0; a < 2; ++a) {
                        for (int b = 0; b < 2; ++b) m[a][b] = next[a][b];
                    }
                }
                value *= m[0][0] + m[1][1];
            }
            sum += value;
        }
    }
    return sum / (2 * angles);
}

}  // namespace

TEST_SUITE("words/orthogonal") {
    TEST_CASE("words in one matrix of O(2), below and above the dimension") {
        TraceMoments moments({matrix("Q", "2", "2", MatrixLaw::orthogonal)});
        for (std::vector<std::string> const& texts :
             std::vector<std::vector<std::string>>{{"A", "A"},
                                                   {"AA"},
                                                   {"AA", "AA"},
                                                   {"A", "A", "A", "A"},
                                                   {"AAAA"},
                                                   {"AAA", "A"},
                                                   {"AA", "A", "A"},
                                                   {"AAAAAA"},
                                                   {"A", "A", "AAAA"},
                                                   {"AAA", "AAA"},
                                                   {"AA", "AA", "AA"},
                                                   {"A", "A", "A", "A", "A", "A"},
                                                   {"AAAAAAAA"},
                                                   {"AA", "AAAAAA"},
                                                   {"AAAA", "AAAA", "A", "A"}}) {
            std::vector<Word> product;
            for (auto const& text : texts) product.push_back(word(text));
            CAPTURE(texts.front());
            auto const exact = static_cast<double>(moments.mean(traces(product)).evaluate({}).to_rational());
            CHECK(exact == doctest::Approx(mean_over_o2(product)).epsilon(1e-12));
        }
    }

    // Power sums of eigenvalues are independent normals for large n: E tr(Q^j)^2 = j, plus 1 for the mean of even j
    // [Diaconis 1994].
    TEST_CASE("traces of powers for large n") {
        std::vector<RandomMatrix> const q{matrix("Q", "n", "n", MatrixLaw::orthogonal)};
        CHECK(value("tr(Q)^2", q) == "1");
        CHECK(value("tr(Q)^4", q) == "3");
        CHECK(value("tr(Q)^8", q) == "105");
        CHECK(value("tr(Q^2)", q) == "1");
        CHECK(value("Var[tr(Q^2)]", q) == "2");
        CHECK(value("Var[tr(Q^3)]", q) == "3");
        CHECK(value("Cov[tr(Q)^2, tr(Q^2)]", q) == "0");
    }

    TEST_CASE("what is orthogonal cancels") {
        std::vector<RandomMatrix> const square{matrix("Q", "n", "n", MatrixLaw::orthogonal), matrix("W", "n", "m")};
        CHECK(value("tr((Q Q^T)^9)", square) == "n");
        CHECK(equals("tr((Q W W^T Q^T)^2)", square, "n*m*(n + m + 1)"));
        CHECK(value("tr(Q^T Q^T Q Q Q^T Q)", square) == "n");
        std::vector<RandomMatrix> const tall{matrix("Q", "5", "3", MatrixLaw::orthogonal)};
        CHECK(value("tr(Q^T Q)", tall) == "3");
        CHECK(value("tr((Q Q^T)^4)", tall) == "3");
        std::vector<RandomMatrix> const wide{matrix("Q", "3", "5", MatrixLaw::orthogonal)};
        CHECK(value("tr(Q Q^T)^2", wide) == "9");
        CHECK_THROWS_AS((void)value("tr(Q Q^T)", {matrix("Q", "a", "b", MatrixLaw::orthogonal)}), UnsupportedError);
    }

    // By hand: E tr(Q A Q^T B) = tr A tr B / n for matrices given.
    TEST_CASE("a conjugation between Gaussian matrices") {
        std::vector<RandomMatrix> const m{matrix("Q", "n", "n", MatrixLaw::orthogonal), matrix("A", "n", "n"),
                                          matrix("B", "n", "n")};
        // Q A has the law of A
        CHECK(equals("tr((Q A)^4)", m, value("tr(A^4)", m)));
        CHECK(equals("tr(Q A A^T Q^T B B^T)", m, "n^3"));
        CHECK(equals("E[tr(Q A Q^T A)]", m, "1"));
    }

    TEST_CASE("rectangular: the squared norm of a corner") {
        // 2 of 3 orthonormal rows: E of one entry squared is 1/3, of its fourth power 3/(3*5)
        std::vector<RandomMatrix> const row{matrix("Q", "1", "3", MatrixLaw::orthogonal), matrix("E1", "3", "1")};
        CHECK(value("tr(Q E1)^2", row) == "1");
        CHECK(value("tr(Q E1)^4", row) == "3");  // of a unit vector in a Gaussian direction
    }

    TEST_CASE("formulas say from which dimension on they hold") {
        TraceMoments moments({matrix("Q", "n", "n", MatrixLaw::orthogonal)});
        (void)moments.mean(traces({"A", "A", "A", "A", "A", "A"}));
        REQUIRE(moments.least_dimensions().size() == 1);
        CHECK(moments.least_dimensions()[0].second == 3);
        CHECK_THROWS_AS((void)moments.mean(traces({"AAAAAAAAAAAA"})), UnsupportedError);
    }
}

TEST_SUITE("words/value") {
    std::vector<RandomMatrix> const ab{matrix("A", "a", "b"), matrix("B", "b", "c")};

    TEST_CASE("sums, numbers, parameters, identities") {
        CHECK(equals("tr((A A^T + I)^2)", ab, "a*b*(a + b + 1) + 2*a*b + a"));
        CHECK(equals("tr((A A^T - 2*I) (A A^T)^0)", ab, "a*b - 2*a"));
        CHECK(equals("t*tr(A A^T)/2 - 1/3 + 0.5", ab, "t*a*b/2 + 1/6"));
        CHECK(equals("norm2(A B)", ab, "a*b*c"));
        CHECK(equals("norm2(A^T + A^T)", ab, "4*a*b"));
        CHECK(equals("tr(t A A^T/u)", ab, "t*a*b/u"));
    }

    TEST_CASE("expectations and their quotients") {
        CHECK(equals("Var[tr(A A^T)]", ab, "2*a*b"));
        CHECK(equals("Var[tr(A A^T)]/E[tr(A A^T)]^2", ab, "2/(a*b)"));
        // E of |A B|^2 given A is c |A|^2
        CHECK(equals("Cov[tr(A A^T), norm2(A B)]", ab, "2*a*b*c"));
        CHECK(equals("E[tr(A A^T)^2] - E[tr(A A^T)]^2", ab, "2*a*b"));
    }

    TEST_CASE("variances and dimensions that are formulas") {
        RandomMatrix w = matrix("W", "2*n", "n + 1");
        w.variance = parse_rational_function("1/n", "");
        CHECK(equals("tr((W W^T)^2)", {w}, "2*(n + 1)*(3*n + 2)/n"));
        RandomMatrix k = matrix("K", "a", "b", MatrixLaw::iid);
        k.moments = {RationalFunction::symbol("k")};
        // each of a b entries adds kappa_4 = k - 3
        CHECK(equals("tr((K K^T)^2)", {k}, "a*b*(a + b + 1) + (k - 3)*a*b"));
        CHECK_THROWS_AS((void)value("tr((K K^T)^3)", {k}), UnsupportedError);
    }

    TEST_CASE("complex matrices, also beside others") {
        RandomMatrix z = matrix("Z", "a", "a", MatrixLaw::complex);
        RandomMatrix s = matrix("S", "a", "a", MatrixLaw::iid);
        s.moments = {1, 1, 1};
        CHECK(equals("tr(Z Z)", {z}, "0"));
        CHECK(equals("norm2(Z)^2", {z}, "a^2*(a^2 + 1)"));
        CHECK(equals("tr(Z)*tr(Z^H)", {z}, "a"));
        CHECK(equals("tr(Z^T Z^H)", {z}, "a"));
        // sum over i, j, k, l of s_ij^2 s_kj^2-like pairs: E tr (S S^T)^2 with signs, times a of tr(Z Z^H)/a
        CHECK(equals("tr((S S^T)^2) tr(Z Z^H)", {z, s}, "a^2*(2*a - 1)*a^2"));
        CHECK(equals("tr(Z S S^T S S^T Z^H)", {z, s}, "a*a^2*(2*a - 1)"));
    }

    TEST_CASE("diagonal matrices that are fixed") {
        RandomMatrix d = matrix("D", "3", "3", MatrixLaw::diagonal);
        d.diagonal = {1, RationalFunction::symbol("s"), RationalFunction::symbol("t")};
        RandomMatrix f = matrix("F", "3", "3", MatrixLaw::diagonal);
        f.diagonal = {2, 3, 5};
        std::vector<RandomMatrix> const m{d, f, matrix("W", "3", "b"), matrix("Q", "3", "3", MatrixLaw::orthogonal)};
        CHECK(equals("tr(D^T F D) + tr(I D)", m, "2 + 3*s^2 + 5*t^2 + 1 + s + t"));
        // tr(W^T D W W^T D W): b^2 tr D^2 + b (tr D)^2 + b tr D^2
        CHECK(equals("tr((W^T D W)^2)", m, "(b^2 + b)*(1 + s^2 + t^2) + b*(1 + s + t)^2"));
        CHECK(equals("Var[tr(W W^T F)]", m, "2*b*(4 + 9 + 25)"));
        // E Q D Q^T = tr D / 3
        CHECK(equals("tr(Q D Q^T F)", m, "(1 + s + t)*10/3"));
        CHECK(equals("tr(D)*tr(F W W^T)", m, "(1 + s + t)*10*b"));
    }

    TEST_CASE("what does not fit is refused, with the place") {
        auto const refuses = [&](std::string const& text, std::string const& named) {
            try {
                (void)value(text, ab);
                FAIL_CHECK(text);
            } catch (ParseError const& e) {
                CHECK_MESSAGE(std::string(e.what()).find(named) != std::string::npos, e.what());
            }
        };
        refuses("tr(A)", "character 1: the trace of a matrix of shape a x b");
        refuses("tr(A A)", "character 6: the matrices do not fit: a x b times a x b");
        refuses("tr(A A^T + B B^T)", "character 12: the matrices do not fit: a x a plus b x b");
        refuses("tr(A^2)", "character 4: a power of a matrix of shape a x b");
        refuses("tr(A C)", "character 6: the matrix 'C' has no shape");
        refuses("tr(A A^T + 1)", "character 12: a number and a matrix are added");
    }
}
