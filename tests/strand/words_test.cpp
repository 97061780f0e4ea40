// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <isserlis/error.hpp>
#include <isserlis/network/zoo.hpp>
#include <isserlis/words/gaussian_words.hpp>

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "graphs.hpp"

// Entries of weight matrices and of the input-output Jacobian, and words in them.

namespace {

using namespace graphs;

using Matrix = std::vector<std::vector<std::int64_t>>;

Matrix product(Matrix const& a, Matrix const& b) {
    Matrix out(a.size(), std::vector<std::int64_t>(b.front().size(), 0));
    for (std::size_t i = 0; i < a.size(); ++i)
        for (std::size_t k = 0; k < b.size(); ++k)
            for (std::size_t j = 0; j < b.front().size(); ++j) out[i][j] += a[i][k] * b[k][j];
    return out;
}

Matrix transposed(Matrix const& a) {
    Matrix out(a.front().size(), std::vector<std::int64_t>(a.size(), 0));
    for (std::size_t i = 0; i < a.size(); ++i)
        for (std::size_t j = 0; j < a.front().size(); ++j) out[j][i] = a[i][j];
    return out;
}

std::int64_t trace(Matrix const& a) {
    std::int64_t out = 0;
    for (std::size_t i = 0; i < a.size(); ++i) out += a[i][i];
    return out;
}

std::int64_t power_trace(Matrix const& a, unsigned times) {
    Matrix const gram = product(a, transposed(a));
    Matrix out = gram;
    for (unsigned k = 1; k < times; ++k) out = product(out, gram);
    return trace(out);
}

std::int64_t norm2(Matrix const& a) { return power_trace(a, 1); }

/// A network 3,2,2 of signs with ReLU at the input (1, 1, 1), where no pre-activation is 0.
struct SignNetwork {
    Matrix w1;
    Matrix w2;
    Matrix j;
    Matrix z;

    explicit SignNetwork(unsigned bits) {
        auto const next = [&] {
            std::int64_t const sign = (bits & 1U) != 0 ? 1 : -1;
            bits >>= 1U;
            return sign;
        };
        w1 = Matrix(2, std::vector<std::int64_t>(3));
        w2 = Matrix(2, std::vector<std::int64_t>(2));
        for (auto& row : w1)
            for (auto& x : row) x = next();
        for (auto& row : w2)
            for (auto& x : row) x = next();
        Matrix open = w1;
        for (auto& row : open)
            if (row[0] + row[1] + row[2] < 0) row = {0, 0, 0};
        j = product(w2, open);
        z = product(j, {{1}, {1}, {1}});
    }
};

/// The mean over all 1024 networks.
Rational mean_over_signs(std::function<std::int64_t(SignNetwork const&)> const& f) {
    std::int64_t sum = 0;
    for (unsigned bits = 0; bits < 1024; ++bits) sum += f(SignNetwork(bits));
    return Rational(sum) / Rational(1024);
}

Net of_variance_one(Net net) {
    for (auto& stage : net.stages)
        for (auto& edge : stage.edges) edge.variance = 1;
    return net;
}

struct SignCase {
    std::string text;
    std::function<std::int64_t(SignNetwork const&)> value;
};

std::vector<SignCase> const sign_cases = {
    {"tr(J J^T)", [](auto const& n) { return norm2(n.j); }},
    {"norm2(J)", [](auto const& n) { return norm2(n.j); }},
    {"tr((J J^T)^2)", [](auto const& n) { return power_trace(n.j, 2); }},
    {"tr(J^T J J^T J)", [](auto const& n) { return power_trace(n.j, 2); }},
    {"tr(J J^T)^2", [](auto const& n) { return norm2(n.j) * norm2(n.j); }},
    {"tr((J J^T)^3)", [](auto const& n) { return power_trace(n.j, 3); }},
    {"tr(J J^T) z[i]^2", [](auto const& n) { return norm2(n.j) * norm2(n.z); }},
    {"z[i] J[i,a] J[j,a] z[j]", [](auto const& n) { return norm2(product(transposed(n.j), n.z)); }},
    {"tr(W1 W1^T W2^T W2)", [](auto const& n) { return norm2(product(n.w2, n.w1)); }},
    {"norm2(W2 W1) norm2(J)", [](auto const& n) { return norm2(product(n.w2, n.w1)) * norm2(n.j); }},
    {"tr(J W1^T W2^T)", [](auto const& n) { return trace(product(n.j, transposed(product(n.w2, n.w1)))); }},
    {"tr((W1 W1^T)^2) z[i]^2", [](auto const& n) { return power_trace(n.w1, 2) * norm2(n.z); }},
    {"tr(W2)^2 z[i]^2", [](auto const& n) { return trace(n.w2) * trace(n.w2) * norm2(n.z); }},
    {"tr(W2 W2) z[i]^2", [](auto const& n) { return trace(product(n.w2, n.w2)) * norm2(n.z); }},
    {"J[1,2]^2 W1[2,2]^2 W2[1,1]^2", [](auto const& n) { return n.j[0][1] * n.j[0][1]; }},
    {"J[2,1] J[2,3] W1[k,1] W1[k,3]",
     [](auto const& n) { return n.j[1][0] * n.j[1][2] * (n.w1[0][0] * n.w1[0][2] + n.w1[1][0] * n.w1[1][2]); }},
    {"norm2(J{1}) z[i]^2",
     [](auto const& n) {
         std::int64_t out = 0;
         for (auto const& row : n.w1)
             for (auto const x : row) out += x * x;
         return out * norm2(n.z);  // J{1} = W1: the gate comes later
     }},
    {"norm2(Jh{1}) z[i]^2",
     [](auto const& n) {
         std::int64_t out = 0;
         for (auto const& row : n.w1) out += row[0] + row[1] + row[2] > 0 ? 3 : 0;
         return out * norm2(n.z);
     }},
    {"J{1}[i,a] J[k,a] W2[k,i]",
     [](auto const& n) { return trace(product(transposed(n.w1), product(transposed(n.w2), n.j))); }},
};

/// n (n + 2) .. (n + 2 (k - 1)): E |z|^2k of n standard normals.
Rational chi_moment(unsigned n, unsigned k) {
    Rational out(1);
    for (unsigned j = 0; j < k; ++j) out = out * Rational(n + 2 * j);
    return out;
}

}  // namespace

TEST_SUITE("strand/words") {
    TEST_CASE("words in J and W are those of all networks of signs") {
        auto const net = of_variance_one(vanilla<Rational>({3, 2, 2}, {.law = {.kind = LawKind::rademacher}}));
        for (auto const& c : sign_cases) {
            CAPTURE(c.text);
            Rational const expected = mean_over_signs(c.value);
            CHECK(engine(c.text, net, at_input({1, 1, 1})) == expected);
        }
    }

    // E tr((W W^T)^k): Wishart moments, docs/random_matrices.md, by hand to the cube.
    TEST_CASE("Wishart matrices are networks of one layer") {
        auto const net = of_variance_one(vanilla<Rational>({3, 5}));
        auto const setting = at_input({1, 0, 0});
        Rational const a = 5;
        Rational const b = 3;
        for (std::string const name : {"J", "W1"}) {
            CHECK(engine("tr(" + name + " " + name + "^T)", net, setting) == a * b);
            CHECK(engine("tr((" + name + " " + name + "^T)^2)", net, setting) == a * b * (a + b + 1));
            CHECK(engine("tr((" + name + "^T " + name + ")^3)", net, setting) ==
                  a * b * (a * a + 3 * a * b + b * b + 3 * a + 3 * b + 4));
        }
    }

    // One layer z = W x of variance 1: E W_ij z_i = x_j, and E J_ij J_kl is 1 for the same entry and 0 for others.
    TEST_CASE("a Jacobian beside an output takes the coordinate that it ends on") {
        auto const net = of_variance_one(vanilla<Rational>({3, 2}));
        auto const setting = at_input({1, 2, 4});
        CHECK(engine("J[1,1] z[1]", net, setting) == 1);
        CHECK(engine("J[1,2] z[1]", net, setting) == 2);
        CHECK(engine("z[2] J[2,3]", net, setting) == 4);
        CHECK(engine("J[1,3] z[2]", net, setting) == 0);
        // E W_1j^3 z_1 = 3 x_j, in one sum over j.
        CHECK(engine("W1[1,j]^3 z[1]", net, setting) == 21);
        CHECK(engine("z[1] W1[1,j]^3", net, setting) == 21);
        CHECK(engine("W1[i,j]^3 z[i]", net, setting) == 42);
        // A bias says nothing of the input.
        CHECK(engine("z[1] J[1,2]", biased(net, Rational(7)), setting) == 2);
        CHECK(engine("J[1,2] z[1]", biased(net, Rational(7)), setting) == 2);
        CHECK(engine("z[1] W1[1,2]", biased(net, Rational(7)), setting) == 2);
        CHECK(engine("J[1,2] J[1,2]", net, setting) == 1);
        CHECK(engine("J[1,2] J[1,3]", net, setting) == 0);
        CHECK(engine("J[1,2] J[2,2]", net, setting) == 0);
        CHECK(engine("J[i,2] z[i] J[k,3] z[k]", net, setting) == 2 * 2 * 8 + 2 * 8);
        CHECK(engine("J[i,2]^2 z[j]^2", net, setting) == 4 * 21 + 2 * 2 * 4);
    }

    // |z|^2 is a product of independent chi-squares, one a layer.
    TEST_CASE("twelve strands: norms of linear chains") {
        auto const net = of_variance_one(vanilla<Rational>({2, 3, 4}, {.slope = 1}));
        CHECK(engine("(z[i]^2)^6", net, at_input({1, 0})) == chi_moment(3, 6) * chi_moment(4, 6));
        CHECK(engine("(z[i]^2)^5", net, at_input({1, 0})) == chi_moment(3, 5) * chi_moment(4, 5));
    }

    // A ReLU layer of n neurons leaves a chi-square of K neurons, K binomial: E over K of its moments.
    TEST_CASE("twelve strands: the norm of a gated chain") {
        auto const net = of_variance_one(vanilla<Rational>({2, 3, 4}));
        Rational const hidden = (3 * chi_moment(1, 6) + 3 * chi_moment(2, 6) + chi_moment(3, 6)) / Rational(8);
        CHECK(engine("(z[i]^2)^6", net, at_input({1, 0})) == hidden * chi_moment(4, 6));
    }

    // E z{1}[1]^2 W2[1,1]^2 W1[1,2]^2 with W1 of variance 1/2, W2 of 1/3, |x|^2 = 5, x_2 = 2: neuron 1 of two layers. Of
    // z{1}[1] = w_1 + 2 w_2: E z^2 w_2^2 = E w_1^2 w_2^2 + 4 E w_2^4 = (1 + 12)/4.
    TEST_CASE("fixed neurons of equal numbers in different layers are different neurons") {
        auto net = vanilla<Rational>({2, 3, 2}, {.gain = 1});
        CHECK(engine("z{1}[1]^2 W2[1,1]^2 W1[1,2]^2", net, at_input({1, 2})) == ratio(13, 4) * ratio(1, 3));
        CHECK(engine("h{1}[1]^2 z{2}[1]^2 - h{1}[2]^2 z{2}[1]^2", net, at_input({1, 2})) == 0);
    }

    // Ends of Jacobians tell strands apart at the input only. Above it there is one state for each partition of half the
    // strands, in place of hundreds; below, all pairings are told apart again. Without the reduction nothing is put off.
    TEST_CASE("what is tied at the input alone is put off until there") {
        auto const chain = vanilla<Rational>({3, 2, 4, 3});
        auto const gated = vanilla<Rational>({3, 2, 3}, {.slope = ratio(1, 3), .gated_head = true});
        auto const uniform = vanilla<Rational>({3, 2, 3}, {.law = {.kind = LawKind::uniform}});
        auto const dense = densely_connected(3, {2, 1}, 3);
        auto const res = residual<Rational, std::uint64_t>(3, 3, 2, 2, 1);
        RecursionOptions const every{.reduce = false};
        auto const setting = at_input({1, 2, 1});
        auto const same = [&](std::string const& text, Net const& net) {
            CAPTURE(text);
            CHECK(engine(text, net, setting) == engine(text, net, setting, every));
        };
        for (std::string const text :
             {"tr((J J^T)^4)", "tr((J J^T)^2)^2", "tr((J J^T)^2) z[i]^2 z[j]^2", "(z[i] J[i,a])^2 norm2(J)",
              "J[i,1]^2 J[k,2]^2 z[1]^2", "J[1,a]^2 J[2,a]^2 J[1,3]^2", "tr(J)^2 norm2(J)", "tr(J^2 J^T^2) norm2(J)",
              "tr(W3 W3^T J J^T) norm2(J)", "norm2(J{1}) tr((J J^T)^2)", "tr(J{1} J{1}^T W2^T W2) norm2(J)",
              "z[i;m]^2 tr((J J^T)^2)", "z[i;m,n] z[j;m] z[k;n] J[i,a] J[j,a] z[k]"})
            same(text, chain);
        for (std::string const text : {"tr((Jh Jh^T)^3)", "(h[i] Jh[i,a])^2 norm2(Jh)", "Jh[1,1]^2 Jh[2,a]^2 h[i]^2"})
            same(text, gated);
        for (std::string const text : {"tr((J J^T)^3)", "norm2(J) J[1,2]^2 z[2]^2", "tr(J J^T) tr(J)^2"})
            same(text, uniform);
        for (std::string const text : {"tr((J J^T)^2)", "(z[i] J[i,a])^2", "J[1,1]^2 J[2,a]^2"}) {
            same(text, dense);
            same(text, res);
        }
    }

    // W2 W1 of a linear chain 3,4,2 is a product of Gaussian matrices, whose words have an engine of their own.
    TEST_CASE("twelve strands: words of a linear chain are words of its matrices") {
        namespace w = isserlis::words;
        auto const net = of_variance_one(vanilla<Rational>({3, 4, 2}, {.slope = 1}));
        w::GaussianWords<Rational> matrices({{.rows = 1, .columns = 0}, {.rows = 2, .columns = 1}}, {3, 4, 2});
        w::Word const gram{w::letter(1, false, false), w::letter(0, false, false), w::letter(0, true, false),
                           w::letter(1, true, false)};
        auto const trace = [&](unsigned times) {
            w::Word out;
            for (unsigned k = 0; k < times; ++k) out += gram;
            return w::canonical(out);
        };
        RecursionTrace seen;
        CHECK(engine("tr((J J^T)^6)", net, at_input({1, 0, 0}), {.trace = &seen}) == matrices.mean({trace(6)}));
        CHECK(seen.unreduced_states >= 10'395);
        CHECK(seen.states <= 30);
        CHECK(engine("tr((J J^T)^4) tr((J J^T)^2)", net, at_input({1, 0, 0})) == matrices.mean({trace(2), trace(4)}));
        CHECK(engine("tr((J J^T)^3)^2", net, at_input({1, 0, 0})) == matrices.mean({trace(3), trace(3)}));
        CHECK(engine("norm2(J)^6", net, at_input({1, 0, 0})) == matrices.mean(w::TraceProduct(6, trace(1))));
    }

    // Words of a chain without gates are worked out as words of its matrices where the recursion would be long; here
    // everywhere, beside the recursion.
    TEST_CASE("words of a linear chain: two engines") {
        RecursionOptions const by_words{.least_word_steps = 0};
        auto const linear = vanilla<Rational>({3, 3, 3}, {.slope = 1});
        auto const longer = vanilla<Rational>({2, 3, 4, 2}, {.slope = 1});
        auto const gated = vanilla<Rational>({3, 3, 3});
        auto const uniform = vanilla<Rational>({3, 3, 3}, {.slope = 1, .law = {.kind = LawKind::uniform}});
        auto const rotated = [net = linear]() mutable {
            for (auto& stage : net.stages) stage.edges.front().orthogonal = Rational(3);
            return net;
        }();
        auto const setting = at_input({1, 2, 1});
        for (std::string const text :
             {"tr(J^4)", "tr(J^2)^2", "tr(J^2 J^T^2) tr(J)^2", "tr(J J^T J)", "tr(W2 W1 J^T)^2", "tr(W2)^2 norm2(J)",
              "J[i,j] J[k,j] J[k,l] J[i,l]", "tr(J)^2 + z[i]^2 norm2(J)", "tr(J) J[1,2] J[2,1] J[3,3]",
              "tr(J{1} J{1}^T W2^T W2)", "tr(J{1} J)", "(z[i;m] z[i;n])^2", "J[i,j]^2 J[i,k]^2"}) {
            for (auto const* net : {&linear, &gated, &uniform, &rotated}) {
                CAPTURE(text);
                CHECK(engine(text, *net, setting, by_words) == engine(text, *net, setting));
            }
        }
        CHECK(engine("tr(W1 W2^T J)^2", linear, setting, by_words) == engine("tr(W1 W2^T J)^2", linear, setting));
        for (std::string const text : {"tr(J^4)", "tr((W2 W1 W1^T W2^T)^2)", "tr(J{2} J{2}^T W3^T W3) norm2(W1)"}) {
            CAPTURE(text);
            CHECK(engine(text, longer, at_input({1, 2}), by_words) == engine(text, longer, at_input({1, 2})));
        }
        // The identity beside the one matrix of a stage is no matrix of a chain.
        BranchMatrix<Rational> const branch{.width = 3, .variance = 2, .law = {}};
        std::vector<std::pair<std::vector<BranchMatrix<Rational>>, std::uint64_t>> const branches(2, {{branch}, 1});
        Activation<Rational> const open{.kind = ActivationKind::linear, .slope = 1};
        auto const skipped = residual_graph(Rational(3), open, branches);
        for (std::string const text : {"tr(J^4)", "tr(J^2)^2", "tr(J J^T J)", "(z[i;m] z[i;n])^2"}) {
            CAPTURE(text);
            CHECK(engine(text, skipped, setting, by_words) == engine(text, skipped, setting));
        }
        // A scalar chain: E w^12 = 10395 for both weights. Twelve strands whose letters are tied at both sides at once.
        auto const scalar = of_variance_one(vanilla<Rational>({1, 1, 1}, {.slope = 1}));
        CHECK(engine("tr(J^12)", scalar, at_input({1})) == Rational(10'395) * 10'395);
        CHECK(engine("tr(J^6)^2", scalar, at_input({1})) == Rational(10'395) * 10'395);
        // In symbols, and with copies of a layer.
        using R = RationalFunction;
        R const n = R::symbol("n");
        auto const deep = vanilla<R>({n, n, n}, {.slope = R(1)});
        ObservableSetting<R> symbols;
        symbols.inputs.squared_norm = n;
        for (std::string const text : {"tr(J^4)", "tr(J^2 J^T^2)", "tr(W2 W1^T) tr(W1 W2^T)"}) {
            CAPTURE(text);
            CHECK(expectation(parse_query(text), deep, symbols, by_words) ==
                  expectation(parse_query(text), deep, symbols));
        }
    }

    // Ten strands, and one step allowed: what is answered is answered by words.
    TEST_CASE("only words of chains of Gaussian matrices without gates are worked out as such") {
        RecursionOptions const by_words{.least_word_steps = 0};
        RecursionOptions const only_words{.most_steps = 1, .least_word_steps = 0};
        auto const is_word = [&](std::string const& text, Net const& net, ObservableSetting<Rational> const& setting) {
            Rational const value = engine(text, net, setting, by_words);
            CHECK(value == engine(text, net, setting));
            try {
                Rational const word = engine(text, net, setting, only_words);
                CHECK(word == value);
                return true;
            } catch (UnsupportedError const& e) {
                CHECK(std::string(e.what()).find("steps a layer") != std::string::npos);
                return false;
            }
        };
        auto setting = at_input({1, 2});
        setting.constants = {{"w", {{Rational(3), Rational(-1)}}}};
        Style<Rational> const open{.slope = 1};
        auto const single = of_variance_one(vanilla<Rational>({2, 2}, open));
        CHECK(engine("norm2(J)^5", single, setting, only_words) == chi_moment(4, 5));
        CHECK(engine("3*norm2(J)^5 - 2*norm2(J)", single, setting, only_words) == 3 * chi_moment(4, 5) - 8);
        auto const linear = vanilla<Rational>({2, 3, 2}, open);
        for (std::string const text :
             {"norm2(J)^5", "norm2(W2)^5", "norm2(J{1})^5", "tr(J J^T)^3 norm2(W1)^2", "tr((J J^T)^5)"}) {
            CAPTURE(text);
            CHECK(is_word(text, linear, setting));
        }
        auto written = linear;
        written.stages[0].nodes[0].gate = isserlis::Gate<Rational>{1, 1};
        CHECK(is_word("norm2(J)^5", written, setting));
        CHECK(is_word("norm2(J)^5", biased(linear, Rational(2)), setting));
        CHECK(is_word("norm2(J)^5", repeated<Rational, std::uint64_t>(2, 2, 4, 2, open), setting));
        CHECK(is_word("norm2(J{3})^5", repeated<Rational, std::uint64_t>(2, 2, 4, 2, open), setting));

        // Something else than a word.
        for (std::string const text :
             {"norm2(J)^4 z[1]^2", "(z[i]^2)^5", "norm2(J)^4 z[i;m]^2", "norm2(J)^4 J[1,a]^2",
              "norm2(J)^3 J[i,a]^2 J[i,b]^2", "norm2(J)^4 w[i] J[i,a]^2", "norm2(J)^4 norm2(J{0})"}) {
            CAPTURE(text);
            CHECK(!is_word(text, linear, setting));
        }
        // sum_i w_i E J_ia^2 over two columns of variance 1.
        CHECK(engine("w[i] J[i,a]^2", single, setting, by_words) == 4);
        CHECK(engine("norm2(J{0})", single, setting, by_words) == 2);

        // Another network than such a chain.
        CHECK(!is_word("norm2(J)^5", vanilla<Rational>({2, 3, 2}), setting));
        auto rotated = vanilla<Rational>({2, 2, 2}, open);
        rotated.stages[1].edges[0].orthogonal = Rational(2);
        CHECK_THROWS_AS((void)engine("norm2(J)^5", rotated, setting, only_words), UnsupportedError);
        auto uniform = linear;
        uniform.stages[1].edges[0].law.kind = LawKind::uniform;
        CHECK_THROWS_AS((void)engine("norm2(J)^5", uniform, setting, only_words), UnsupportedError);
        auto identity = vanilla<Rational>({2, 2, 2}, open);
        identity.stages[1].edges[0] = skip<Rational>("", 0, 1);
        CHECK(!is_word("norm2(J)^5", identity, setting));
        auto joined = vanilla<Rational>({2, 2, 2}, open);
        joined.stages[1].edges[0] = skip<Rational>("", 0, 1);
        joined.stages[1].nodes[0].kind = GraphNode<Rational>::Kind::concatenation;
        CHECK(!is_word("norm2(J)^5", joined, setting));
        CHECK(!is_word("norm2(J)^5", residual<Rational, std::uint64_t>(2, 2, 1, 2, 1, open), setting));
    }

    TEST_CASE("words at a depth that is a symbol, or a number where it might be one") {
        using F = RationalFunction;
        Style<F> const open{.slope = F(1)};
        RecursionOptions const only_words{.most_steps = 1, .least_word_steps = 0};
        ObservableSetting<F> setting;
        setting.inputs.squared_norm = F(1);
        auto const value = [&](Exponent const& hidden, RecursionOptions const& options) {
            auto const net = repeated<F, Exponent>(F(2), F(2), hidden, F(2), open);
            return expectation(parse_query("norm2(J)^5"), net, setting, options).formula();
        };
        F const four = value(Exponent(4), only_words);
        CHECK(four ==
              F(engine("norm2(J)^5", repeated<Rational, std::uint64_t>(2, 2, 4, 2, {.slope = 1}), at_input({1, 0}))));
        CHECK_THROWS_AS((void)value(Exponent::symbol("L"), only_words), UnsupportedError);
        F const any = value(Exponent::symbol("L"), {.least_word_steps = 0});
        CHECK(any.evaluate({{"L", 4}}) == four.evaluate({}));
    }

    // Turning the sign of a row of W1 and of its column of W2 turns a gate and leaves W2 W1 alone: W2 D W1 has the law of a
    // linear chain through the K open neurons, K binomial.
    TEST_CASE("twelve strands: words of a gated chain are those of the open neurons") {
        namespace w = isserlis::words;
        auto const net = of_variance_one(vanilla<Rational>({3, 4, 2}));
        w::Word const gram{w::letter(1, false, false), w::letter(0, false, false), w::letter(0, true, false),
                           w::letter(1, true, false)};
        w::Word word;
        for (unsigned k = 0; k < 6; ++k) word += gram;
        Rational expected = 0;
        for (auto const& [open, ways] : {std::pair{1, 4}, std::pair{2, 6}, std::pair{3, 4}, std::pair{4, 1}}) {
            w::GaussianWords<Rational> matrices({{.rows = 1, .columns = 0}, {.rows = 2, .columns = 1}}, {3, open, 2});
            expected += ratio(ways, 16) * matrices.mean({w::canonical(word)});
        }
        CHECK(engine("tr((J J^T)^6)", net, at_input({1, 0, 0})) == expected);
    }

    TEST_CASE("states that a symmetry exchanges are one: the values are equal") {
        auto const net = vanilla<Rational>({3, 2, 2});
        RecursionOptions const every{.reduce = false};
        for (std::string const text : {"tr((J J^T)^3)", "tr(W1 W1^T W2^T W2) tr(J J^T)", "tr(W2)^2 z[i]^2"}) {
            auto const setting = at_input({1, 2, 1});
            CHECK(expectation(parse_query(text), net, setting) == expectation(parse_query(text), net, setting, every));
        }
    }
}
