// SPDX-License-Identifier: MIT
// Orthogonal matrices beside averages over O(1) and O(2), and expressions of traces.
#include <doctest/doctest.h>

#include <isserlis/error.hpp>
#include <isserlis/observable/trace_expression.hpp>
#include <isserlis/ring/parse.hpp>
#include <isserlis/words/trace_value.hpp>

#include <cmath>
#include <functional>
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
    auto const expression = parse_trace_expression(text);
    TraceMoments moments(matrices, entries_of(expression));
    TraceValue value_of(moments, text, [](std::string const& name) { return RationalFunction::symbol(name); });
    return to_string(value_of(expression));
}

RandomMatrix fixed(std::string const& name, std::vector<std::vector<RationalFunction>> const& values) {
    auto out = matrix(name, std::to_string(values.size()), std::to_string(values.front().size()), MatrixLaw::fixed);
    out.values = values;
    return out;
}

/// Signs, of which all moments are 1.
RandomMatrix signs(std::string const& name, std::string const& rows, std::string const& columns) {
    auto out = matrix(name, rows, columns, MatrixLaw::iid);
    out.moments.assign(10, RationalFunction(1));
    return out;
}

using Numbers = std::vector<std::vector<Rational>>;

Numbers times(Numbers const& a, Numbers const& b) {
    Numbers out(a.size(), std::vector<Rational>(b.front().size()));
    for (std::size_t i = 0; i < a.size(); ++i)
        for (std::size_t k = 0; k < b.size(); ++k)
            for (std::size_t j = 0; j < b.front().size(); ++j) out[i][j] += a[i][k] * b[k][j];
    return out;
}

Numbers turned(Numbers const& a) {
    Numbers out(a.front().size(), std::vector<Rational>(a.size()));
    for (std::size_t i = 0; i < a.size(); ++i)
        for (std::size_t j = 0; j < a.front().size(); ++j) out[j][i] = a[i][j];
    return out;
}

/// The mean over all 64 matrices of signs, 2 x 3.
Rational mean_over_signs(std::function<Rational(Numbers const&)> const& f) {
    Rational sum = 0;
    for (unsigned bits = 0; bits < 64; ++bits) {
        Numbers w(2, std::vector<Rational>(3));
        for (unsigned k = 0; k < 6; ++k) w[k / 3][k % 3] = (bits >> k & 1U) != 0 ? 1 : -1;
        sum += f(w);
    }
    return sum / 64;
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

TEST_SUITE("words/entries") {
    // E w^2 = 1; row i of W W^T with row j is a sum of n products. E q_11^4 = 3/(n (n + 2)) and E q_11^2 q_12^2 =
    // 1/(n (n + 2)) on a sphere; E q_11 q_12 q_21 q_22 = -1/(n (n - 1)(n + 2)) since the rows are orthogonal.
    TEST_CASE("single entries by hand") {
        auto const w = matrix("W", "a", "b");
        CHECK(equals("W[1,2]^2", {w}, "1"));
        CHECK(equals("W[1,2]*W[2,1]", {w}, "0"));
        CHECK(equals("W[1,2]*(W^T)[2,1]", {w}, "1"));
        CHECK(equals("W[1,2]^4", {w}, "3"));
        CHECK(equals("(W W^T)[1,2]^2", {w}, "b"));
        CHECK(equals("(W W^T)[1,1]*(W W^T)[2,2]", {w}, "b^2"));
        CHECK(equals("(W W^T)[1,1]^2", {w}, "b*(b + 2)"));
        CHECK(equals("W[1,1]^2*tr(W W^T)", {w}, "a*b + 2"));
        CHECK(equals("(2*W W^T + 3*I)[1,1]", {w}, "2*b + 3"));
        CHECK(equals("(2*W W^T + 3*I)[1,2]", {w}, "0"));
        auto const c = matrix("W", "a", "b", MatrixLaw::complex);
        CHECK(equals("W[1,2]^2", {c}, "0"));
        CHECK(equals("W[1,2]*(W^H)[2,1]", {c}, "1"));
        auto const q = matrix("Q", "n", "n", MatrixLaw::orthogonal);
        CHECK(equals("Q[1,1]^4", {q}, "3/(n*(n + 2))"));
        CHECK(equals("Q[1,1]^2*Q[1,2]^2", {q}, "1/(n*(n + 2))"));
        CHECK(equals("Q[1,1]*Q[1,2]*Q[2,1]*Q[2,2]", {q}, "-1/(n*(n - 1)*(n + 2))"));
        auto k = matrix("W", "a", "b", MatrixLaw::iid);
        k.moments = {RationalFunction::symbol("k")};
        CHECK(equals("W[1,2]^4", {k}, "k"));
        CHECK(equals("W[1,2]^2*W[1,1]^2", {k}, "1"));
        CHECK(equals("(W W^T)[1,1]^2", {k}, "b*(b - 1) + k*b"));
    }

    TEST_CASE("dimensions have room for the entries") {
        TraceMoments moments({matrix("W", "a", "b")}, {{2, 3}});
        TraceValue value_of(moments, "W[2,3]", [](std::string const& name) { return RationalFunction::symbol(name); });
        CHECK(value_of(parse_trace_expression("W[2,3]")).is_zero());
        using Least = std::pair<RationalFunction, unsigned>;
        CHECK(value_of.least_dimensions() ==
              std::vector<Least>{{RationalFunction::symbol("a"), 2}, {RationalFunction::symbol("b"), 3}});
        CHECK_THROWS_AS((void)value("W[3,1]", {matrix("W", "2", "b")}), ParseError);
        CHECK_THROWS_AS((void)moments.unit(1, 2), DomainError);
    }

    // Beside every matrix of signs: words in it, entries, and a diagonal matrix.
    TEST_CASE("entries of words are those of all matrices of signs") {
        auto d = matrix("D", "3", "3", MatrixLaw::diagonal);
        d.diagonal = {1, -2, RationalFunction(ratio(1, 2))};
        Numbers const diagonal = {{1, 0, 0}, {0, -2, 0}, {0, 0, ratio(1, 2)}};
        auto const gram = [&](Numbers const& w) { return times(times(w, diagonal), turned(w)); };
        struct Case {
            std::string text;
            std::function<Rational(Numbers const&)> value;
        };
        std::vector<Case> const cases = {
            {"W[1,2]^4*W[2,2]^2", [](auto const& w) { return power(w[0][1], 4) * power(w[1][1], 2); }},
            {"(W D W^T)[1,2]^2", [&](auto const& w) { return power(gram(w)[0][1], 2); }},
            {"(W D W^T)[1,2]^4", [&](auto const& w) { return power(gram(w)[0][1], 4); }},
            {"(W D W^T)[1,2]*(W W^T)[2,1]",
             [&](auto const& w) { return Rational(gram(w)[0][1] * times(w, turned(w))[1][0]); }},
            {"(W^T W)[1,3]*(W^T W D)[3,1]*(W D W^T)[1,1]",
             [&](auto const& w) {
                 auto const inner = times(turned(w), w);
                 return Rational(inner[0][2] * inner[2][0] * gram(w)[0][0]);
             }},
            {"W[1,1]*W[1,2]*(W^T W)[1,2]*tr(W D W^T)",
             [&](auto const& w) {
                 auto const g = gram(w);
                 return Rational(w[0][0] * w[0][1] * times(turned(w), w)[0][1] * (g[0][0] + g[1][1]));
             }},
            {"D[2,2]*W[1,3]^2", [](auto const&) { return Rational(-2); }},
        };
        for (auto const& c : cases) {
            CAPTURE(c.text);
            CHECK(equals(c.text, {d, signs("W", "2", "3")}, to_string(mean_over_signs(c.value))));
        }
    }

    // E W S W^T = tr(S) I; E tr((W S W^T)^2) = a tr(S)^2 + (a^2 + a) tr(S^2) of a symmetric S, of another one
    // a tr(S)^2 + a^2 tr(S^2) + a tr(S S^T), Isserlis' three pairings.
    TEST_CASE("fixed matrices") {
        auto const w = matrix("W", "a", "2");
        auto const s = fixed("S", {{2, 1}, {1, 3}});   // tr 5, tr S^2 = 15
        auto const t = fixed("S", {{2, 1}, {-1, 3}});  // tr 5, tr S^2 = 11, tr S S^T = 15
        CHECK(equals("tr(W S W^T)", {w, s}, "5*a"));
        CHECK(equals("tr((W S W^T)^2)", {w, s}, "25*a + 15*(a^2 + a)"));
        CHECK(equals("tr((W S W^T)^2)", {w, t}, "25*a + 11*a^2 + 15*a"));
        CHECK(equals("tr(W S W^T W S^T W^T)", {w, t}, "25*a + 15*a^2 + 11*a"));
        CHECK(equals("(W S W^T)[1,2]^2", {w, s}, "15"));
        CHECK(equals("(W S W^T)[1,2]*(W S W^T)[2,1]", {w, t}, "11"));
        CHECK(equals("S[1,2]*S[2,1]*tr(S)", {t, w}, "-5"));
        CHECK(equals("tr(S S^T)*norm2(W)", {t, w}, "30*a"));
        auto const long_one = fixed("L", {{1, 2, RationalFunction::symbol("t")}});
        CHECK(equals("norm2(L)", {long_one}, "t^2 + 5"));
        CHECK(equals("tr(V^T L^T L V)", {long_one, matrix("V", "3", "n")}, "n*(t^2 + 5)"));
        CHECK(equals("tr(Q S Q^T S)", {t, matrix("Q", "2", "2", MatrixLaw::orthogonal)}, "25/2"));
        CHECK(equals("tr(V S V^T)", {s, signs("V", "3", "2")}, "15"));
    }

    // A fourth cumulant k - 3 ties all four letters: both rows are one, both columns are one. It adds (k - 3) a sum_i
    // S_ii^2 to tr((W S W^T)^2), and (k - 3) sum_ij R_ji^4 to tr(W R)^4, beside 3 tr(R R^T)^2.
    TEST_CASE("fixed matrices beside entries of any kurtosis") {
        auto w = matrix("W", "a", "2", MatrixLaw::iid);
        w.moments = {RationalFunction::symbol("k")};
        auto const t = fixed("S", {{2, 1}, {-1, 3}});
        CHECK(equals("tr((W S W^T)^2)", {w, t}, "25*a + 11*a^2 + 15*a + 13*(k - 3)*a"));
        auto v = w;
        v.rows = RationalFunction(3);
        auto const r = fixed("R", {{1, 0, RationalFunction::symbol("t")}, {0, 2, -1}});
        CHECK(equals("tr(W R)^4", {v, r}, "3*(t^2 + 6)^2 + (k - 3)*(t^4 + 18)"));
    }

    TEST_CASE("fixed matrices beside all matrices of signs") {
        Numbers const s_values = {{1, 2, 0}, {-1, ratio(1, 2), 3}, {0, 1, -2}};
        Numbers const r_values = {{1, -1}, {2, ratio(1, 3)}, {0, 1}};
        auto const given = [](std::string const& name, Numbers const& values) {
            std::vector<std::vector<RationalFunction>> rows;
            for (auto const& row : values) rows.emplace_back(row.begin(), row.end());
            return fixed(name, rows);
        };
        auto const trace = [](Numbers const& x) {
            Rational sum = 0;
            for (std::size_t i = 0; i < x.size(); ++i) sum += x[i][i];
            return sum;
        };
        auto const gram = [&](Numbers const& w) { return times(times(w, s_values), turned(w)); };
        struct Case {
            std::string text;
            std::function<Rational(Numbers const&)> value;
        };
        std::vector<Case> const cases = {
            {"tr((W S W^T)^2)", [&](auto const& w) { return trace(times(gram(w), gram(w))); }},
            {"tr((W S W^T)^3)", [&](auto const& w) { return trace(times(gram(w), times(gram(w), gram(w)))); }},
            {"tr(W S W^T)^2*(W S W^T)[1,2]",
             [&](auto const& w) { return Rational(power(trace(gram(w)), 2) * gram(w)[0][1]); }},
            {"tr(W R)^4", [&](auto const& w) { return power(trace(times(w, r_values)), 4); }},
            {"tr((W R)^4)",
             [&](auto const& w) {
                 auto const x = times(w, r_values);
                 return trace(times(times(x, x), times(x, x)));
             }},
            {"tr(W S W^T W S^T S W^T)*tr(W R)^2",
             [&](auto const& w) {
                 auto const x = times(gram(w), times(times(w, turned(s_values)), times(s_values, turned(w))));
                 return Rational(trace(x) * power(trace(times(w, r_values)), 2));
             }},
            {"(R W S R)[2,1]*(W S W^T)[2,2]*W[1,3]",
             [&](auto const& w) {
                 return Rational(times(times(r_values, w), times(s_values, r_values))[1][0] * gram(w)[1][1] * w[0][2]);
             }},
        };
        for (auto const& c : cases) {
            CAPTURE(c.text);
            CHECK(equals(c.text, {given("S", s_values), given("R", r_values), signs("W", "2", "3")},
                         to_string(mean_over_signs(c.value))));
        }
    }

    TEST_CASE("large fixed matrices beside entries that are not normal are refused once their sums are long") {
        std::vector<std::vector<RationalFunction>> const rows(100, std::vector<RationalFunction>(100, 1));
        std::string const word = "tr(W S W^T)^2*tr(W S W^T W S W^T)";
        CHECK_THROWS_AS((void)value(word, {fixed("S", rows), signs("W", "3", "100")}), UnsupportedError);
    }
}
