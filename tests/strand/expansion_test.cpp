// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <isserlis/error.hpp>
#include <isserlis/strand/expansion.hpp>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "graphs.hpp"

namespace {

using namespace isserlis;

/// Nodes 0, 1, 2 of these widths in a row, 2 the output.
std::vector<BundleTerm> expanded(std::string const& text, std::vector<int> const& widths = {2, 3, 4},
                                 bool odd_outputs_vanish = true, bool third_is_known = false) {
    ExpansionContext const context{.output = {.stage = 0, .node = widths.size() - 1},
                                   .node =
                                       [&](std::string const& name) {
                                           auto const v = static_cast<std::size_t>(name.front() - '0');
                                           if (name.size() != 1 || v >= widths.size())
                                               throw DomainError("no node " + name, "EXPR");
                                           return NodePlace{.stage = 0, .node = v};
                                       },
                                   .width =
                                       [&](NodePlace at) {
                                           int const n = widths[at.node];
                                           return n > 0 ? std::optional<Integer>(n)
                                                        : std::nullopt;  // 0 stands for a symbol
                                       },
                                   .matrix = [](std::string const& name) -> MatrixPlace {
                                       auto const v = static_cast<std::size_t>(name.front() - '0');
                                       return {.edge = {.stage = 0, .edge = v - 1},
                                               .from = {.stage = 0, .node = v - 1},
                                               .to = {.stage = 0, .node = v}};
                                   },
                                   .inputs = {"a", "b"},
                                   .third_is_known = third_is_known,
                                   .odd_outputs_vanish = odd_outputs_vanish};
    return expand(parse_query(text), context);
}

/// The coefficients by bundle; "(E|y|^2)^k" and the like are appended to the bundle's text.
std::map<std::string, Rational> terms(std::string const& text, std::vector<int> const& widths = {2, 3, 4}) {
    std::map<std::string, Rational> out;
    for (auto const& t : expanded(text, widths)) {
        auto const& c = t.coefficient;
        std::string key = to_string(t.bundle);
        for (auto const& [name, k] : c.parameters) key += " " + name + "^" + std::to_string(k);
        if (c.second > 0) key += " y2^" + std::to_string(c.second);
        if (c.third > 0) key += " y3^" + std::to_string(c.third);
        if (c.fourth > 0) key += " y4^" + std::to_string(c.fourth);
        if (c.outputs != 0) key += " n^" + std::to_string(c.outputs);
        CHECK(out.emplace(key, c.number).second);
    }
    return out;
}

using Terms = std::map<std::string, Rational>;

}  // namespace

namespace doctest {

template <>
struct StringMaker<Terms> {
    static String convert(Terms const& terms) {
        std::string out;
        for (auto const& [bundle, c] : terms) out += (out.empty() ? "" : "; ") + to_string(c) + " " + bundle;
        return String(out.c_str());
    }
};

}  // namespace doctest

namespace {

template <class E>
std::string message_of(std::string const& text, std::vector<int> const& widths = {2, 3, 4}) {
    try {
        (void)expanded(text, widths);
    } catch (E const& e) {
        return e.what();
    }
    FAIL(text << ": nothing is thrown");
    return {};
}

bool contains(std::string const& text, std::string const& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_SUITE("strand/expansion") {
    // strands.md, section 4: the scope rule.
    TEST_CASE("a letter is summed where it meets its partners inside brackets") {
        CHECK(terms("z[i]^4") == Terms{{"z[i] z[i] z[i] z[i]", 1}});
        CHECK(terms("(z[i]^2)^2") == Terms{{"z[i] z[i] z[j] z[j]", 1}});
        CHECK(terms("z[i]^2 z[j]^2") == Terms{{"z[i] z[i] z[j] z[j]", 1}});
        CHECK(terms("(z[i])^2") == Terms{{"z[i] z[i]", 1}});
        CHECK(terms("(z[i] z[j])^2") == Terms{{"z[i] z[j] z[i] z[j]", 1}});
        CHECK(terms("((z[i]^2)^2)^2") == Terms{{"z[i] z[i] z[j] z[j] z[k] z[k] z[l] z[l]", 1}});
        CHECK(terms("(z[i]^2) z[i]^2") == Terms{{"z[i] z[i] z[j] z[j]", 1}});
        CHECK(terms("z[i] (z[i] z[j]) z[j]") == Terms{{"z[i] z[i] z[j] z[j]", 1}});
        CHECK(terms("z[1]^2 z[i]^2 z[2]^2") == Terms{{"z[1] z[1] z[i] z[i] z[2] z[2]", 1}});
    }

    TEST_CASE("a label is summed where it meets its partners inside brackets") {
        CHECK(terms("(z[i;m]^2)^2") == Terms{{"z[i;m1] z[i;m1] z[j;m2] z[j;m2]", 1}});
        CHECK(terms("(z[i;m] z[j;m])^2") == Terms{{"z[i;m1] z[j;m1] z[i;m2] z[j;m2]", 1}});
        CHECK(terms("z[i;m]^4") == Terms{{"z[i;m1] z[i;m1] z[i;m1] z[i;m1]", 1}});
        CHECK(terms("(z[i;m] z[i;n])^2") == Terms{{"z[i;m1] z[i;n2] z[j;m1] z[j;n2]", 1}});
        CHECK(terms("(z[i] z[i;m])^2") == Terms{{"z[i] z[i;m1] z[j] z[j;m1]", 1}});
    }

    TEST_CASE("sums and differences are multiplied out and like terms added") {
        CHECK(terms("(z[i] - w[i])^2") == Terms{{"z[i] z[i]", 1}, {"z[i] w[i]", -2}, {"w[i] w[i]", 1}});
        CHECK(terms("(2*z[i]^2 + 3)^2") == Terms{{"z[i] z[i] z[j] z[j]", 4}, {"z[i] z[i]", 12}, {"1", 9}});
        CHECK(terms("z[i]^2 - z[j]^2") == Terms{});
        CHECK(terms("z[i;m]^2 z[j]^2 - z[k]^2 z[a;n]^2") == Terms{});
        CHECK(terms("2/3*a^2*a*z[i]^2/5 + b") == Terms{{"z[i] z[i] a^3", ratio(2, 15)}, {"1 b^1", 1}});
        // Alike but for one thing.
        CHECK(expanded("z[i]^2 - h[i]^2").size() == 2);
        CHECK(expanded("z[i]^2 - z{1}[i]^2").size() == 2);
        CHECK(expanded("z[i]^2 - z[1]^2").size() == 2);
        CHECK(expanded("z[1]^2 - z[2]^2").size() == 2);
        CHECK(expanded("z[i]@a^2 - z[i]@b^2").size() == 2);
        CHECK(expanded("w[i] z[i] z[1] - v[i] z[i] z[1]").size() == 2);
        CHECK(expanded("w[i]^2 - w[1]^2").size() == 2);
        CHECK(expanded("w[1] z[1]^2 - w[2] z[1]^2").size() == 2);
        CHECK(expanded("z[i]^2 z[j]^2 - z[i]^4").size() == 2);
        CHECK(expanded("z[i;m]^2 z[j]^2 - z[i;m] z[i] z[j;m] z[j]").size() == 2);
        CHECK(terms("z[i]^2 a + z[i]^2 b") == Terms{{"z[i] z[i] a^1", 1}, {"z[i] z[i] b^1", 1}});
        CHECK(terms("-(z[i]^2)^0") == Terms{{"1", -1}});
    }

    TEST_CASE("derivatives follow the product rule") {
        CHECK(terms("D[m] (z[i]^2) D[m] (z[j]^2)") == Terms{{"z[i;m1] z[i] z[j;m1] z[j]", 4}});
        CHECK(terms("(D[m] z[i])^2") == Terms{{"z[i;m1] z[i;m1]", 1}});
        CHECK(terms("(D[m] 5)^2") == Terms{});
        CHECK(terms("(D[m] w[i] z[i]^2 z[i] w[j])^2").empty());  // D takes the atom w[i] alone
        CHECK(terms("D[m,m] (z[i]^2)") == Terms{{"z[i;m1] z[i;m1]", 2}});
        CHECK(terms("z[i;m,m] z[i]") == Terms{});  // a path uses a weight once
        CHECK(terms("D[m] z[i;m] z[i]") == Terms{});
        CHECK(terms("D[m] D[n] (z[i]^2) z[j;m] z[j;n]") ==
              Terms{{"z[i;n1,m2] z[i] z[j;m2] z[j;n1]", 2}, {"z[i;n1] z[i;m2] z[j;m2] z[j;n1]", 2}});
    }

    // By hand: loss = sum (z - y)^2 / 2, E y_i y_j = delta_ij E|y|^2 / n.
    TEST_CASE("the loss brings its own summed neuron each time") {
        CHECK(terms("loss") == Terms{{"z[i] z[i]", ratio(1, 2)}, {"1 y2^1", ratio(1, 2)}});
        CHECK(terms("D[m,m] loss") == Terms{{"z[i;m1] z[i;m1]", 1}});
        CHECK(terms("(D[m] loss)^2") == Terms{{"z[i;m1] z[i] z[j;m1] z[j]", 1}, {"z[i;m1] z[i;m1] y2^1 n^-1", 1}});
        CHECK(terms("(D[m,n] loss)^2") == Terms{{"z[i;m1,n2] z[i] z[j;m1,n2] z[j]", 1},
                                                {"z[i;m1,n2] z[i;m1,n2] y2^1 n^-1", 1},
                                                {"z[i;m1,n2] z[i] z[j;m1] z[j;n2]", 2},
                                                {"z[i;m1] z[i;n2] z[j;m1] z[j;n2]", 1}});
    }

    // By hand: E y^4 = sum_i E y_i^4 / n at one neuron; E y_i^2 y_j^2 = (E|y|^2 / n)^2 at two.
    TEST_CASE("moments of the targets up to the fourth are taken by pairs and a fourth cumulant") {
        CHECK(terms("y[i]^2") == Terms{{"1 y2^1", 1}});
        CHECK(terms("y[1]^2") == Terms{{"1 y2^1 n^-1", 1}});
        CHECK(terms("y[1]").empty());
        CHECK(terms("y[1] y[2]").empty());
        CHECK(terms("(y[i] z[i])^2") == Terms{{"z[i] z[i] y2^1 n^-1", 1}});
        CHECK(terms("z[i]^2 y[i]^2") == Terms{{"z[i] z[i] y2^1 n^-1", 1}});
        CHECK(terms("z[j]^2 y[i]^2") == Terms{{"z[i] z[i] y2^1", 1}});
        // 3 pairings of four, and the fourth cumulant E y^4 - 3 (E y^2)^2 at one neuron.
        CHECK(terms("y[1]^4") == Terms{{"1 y4^1 n^-1", 1}});
        CHECK(terms("y[i]^4") == Terms{{"1 y4^1", 1}});
        CHECK(terms("(y[i]^2)^2") == Terms{{"1 y2^2", 1}, {"1 y2^2 n^-1", -1}, {"1 y4^1", 1}});
        CHECK(terms("y[1]^2 y[2]^2") == Terms{{"1 y2^2 n^-2", 1}});
        CHECK(terms("(y[i] z[i])^4") == Terms{{"z[i] z[i] z[j] z[j] y2^2 n^-2", 3},
                                              {"z[i] z[i] z[i] z[i] y2^2 n^-2", -3},
                                              {"z[i] z[i] z[i] z[i] y4^1 n^-1", 1}});
        CHECK(terms("z[1] y[1]^3").empty());  // odd in the output
        CHECK_THROWS_AS((void)expanded("z[1]^2 y[1]^3"), OddTargetsError);
        CHECK_THROWS_AS((void)expanded("z[1] y[1]^3", {2, 3, 4}, false), OddTargetsError);
        CHECK_THROWS_AS((void)expanded("y[1]^6"), UnsupportedError);
    }

    // Of one bundle, and of moments that differ in one thing.
    TEST_CASE("terms of different moments of the targets are not alike") {
        CHECK(terms("3 + y[i]^2") == Terms{{"1", 3}, {"1 y2^1", 1}});
        CHECK(terms("3 + y[i]^4") == Terms{{"1", 3}, {"1 y4^1", 1}});
        CHECK(terms("y[1]^2 + y[2]^2 + y[i]^2") == Terms{{"1 y2^1 n^-1", 2}, {"1 y2^1", 1}});
        CHECK(expanded("3 + y[i]^3", {2, 3, 4}, true, true).size() == 2);
        CHECK(expanded("y[i]^3 + y[j]^3", {2, 3, 4}, true, true).size() == 1);
    }

    // J[i,j]: an entry of the Jacobian; y[i] meets its output or, where widths agree, its input.
    TEST_CASE("a target at the lower end of a matrix is refused, and no other one is") {
        CHECK(contains(message_of<UnsupportedError>("J[1,i] y[i]", {4, 3, 4}),
                       "character 10: a target shares its letter with the lower end of a matrix"));
        CHECK(contains(message_of<UnsupportedError>("W2[1,k] z[1] z[i]^2 y[k] y[1]", {4, 4, 4}), "character 23"));
        CHECK(expanded("y[i] z[i] J[1,k] J[1,k]").size() <= 1);
        CHECK(terms("y[i] J[i,k] y[j] J[j,k]") == Terms{{"J[i,j] J[i,j] y2^1 n^-1", 1}});
        CHECK(terms("J[1,1] z[1]") == Terms{{"J[1,1] z[1]", 1}});
        CHECK(terms("y[1]^2 J[1,1]^2") == Terms{{"J[1,1] J[1,1] y2^1 n^-1", 1}});
    }

    TEST_CASE("a letter of the outputs and of a layer of another width is named with its place") {
        CHECK(contains(message_of<DomainError>("z{1}[i]^2 y[i]^2"),
                       "character 13: the letter 'i' runs over the outputs and over a layer of another width"));
        CHECK(expanded("z{1}[i]^2 y[i]^2", {2, 4, 4}).size() == 1);
        CHECK(expanded("z{1}[1]^2 y[1]^2").size() == 1);
        CHECK(expanded("z{1}[1]^2 y[i]^2").size() == 1);
        CHECK(expanded("z{1}[i]^2 y[1]^2").size() == 1);
    }

    TEST_CASE("a letter over one neuron is that neuron") {
        CHECK(terms("z[i]^2", {2, 3, 1}) == Terms{{"z[1] z[1]", 1}});
        CHECK(terms("z[i]^2 h{1}[j]^2", {2, 3, 1}) == Terms{{"z[1] z[1] h[i] h[i]", 1}});
        CHECK(terms("z{1}[j]^2 z[i]^2", {2, 1, 3}) == Terms{{"z[1] z[1] z[i] z[i]", 1}});
        // Over one neuron and over three: a mistake, which has to be seen further on.
        CHECK(terms("z[i] z{1}[i]", {2, 3, 1}) == Terms{{"z[i] z[i]", 1}});
    }

    TEST_CASE("a letter or label without a partner is named with its place") {
        CHECK(contains(message_of<ParseError>("2*z[i]"), "character 5: the letter 'i' finds no partner"));
        CHECK(contains(message_of<ParseError>("z[i]^2 + z[j]"), "the letter 'j' finds no partner"));
        CHECK(contains(message_of<ParseError>("(z[i]^2) z[i]"), "the letter 'i' finds no partner"));
        CHECK(contains(message_of<ParseError>("z[i;m] z[i]"), "the label 'm' finds no partner"));
        CHECK(contains(message_of<ParseError>("z[i]^2 w[j]"), "the letter 'j' finds no partner"));
        CHECK(contains(message_of<ParseError>("D[m] loss"), "the label 'm' finds no partner"));
        CHECK(contains(message_of<ParseError>("z[i]^2 z[i;m]^2 where m in 1, m in 2"),
                       "character 31: the label 'm' is restricted twice"));
    }

    TEST_CASE("a neuron may be left out where there is one") {
        CHECK(terms("z^2", {2, 3, 1}) == Terms{{"z[1] z[1]", 1}});
        CHECK(terms("z[;m]^2", {2, 3, 1}) == Terms{{"z[1;m1] z[1;m1]", 1}});
        CHECK(terms("h{0}^2", {1, 3, 2}) == Terms{{"h[1] h[1]", 1}});
        CHECK(terms("y^2 z^2", {1, 3, 1}) == Terms{{"z[1] z[1] y2^1 n^-1", 1}});
        CHECK(contains(message_of<DomainError>("z^2"), "its node has 4 neurons"));
        CHECK(contains(message_of<DomainError>("z[1]^2 z[;m]^2"), "character 8"));
        CHECK(contains(message_of<DomainError>("z^2", {2, 3, 0}), "a symbolic number of neurons"));
        CHECK(contains(message_of<DomainError>("y^2"), "needs a neuron"));
    }

    TEST_CASE("neurons, nodes and inputs that do not exist are refused") {
        CHECK(contains(message_of<DomainError>("z[5]^2"), "character 3: there is no neuron 5 in a layer of 4"));
        CHECK(contains(message_of<DomainError>("2*z[i]@c^2"), "character 3: no input is called 'c'"));
        CHECK(contains(message_of<DomainError>("z{1}[4]^2"), "there is no neuron 4 in a layer of 3"));
        CHECK(contains(message_of<DomainError>("y[5]^2"), "there is no neuron 5"));
        CHECK(contains(message_of<DomainError>("w[5] z[1]"), "there is no neuron 5"));
        CHECK(terms("z[7]^2", {2, 3, 0}) == Terms{{"z[7] z[7]", 1}});  // a symbolic width may be large enough
        CHECK_THROWS_AS((void)expanded("z{7}[1]^2"), DomainError);
        CHECK(contains(message_of<DomainError>("z[i]@c^2"), "no input is called 'c'"));
        auto const two = expanded("z[i]@a z[i]@b");
        REQUIRE(two.size() == 1);
        CHECK(two[0].bundle.strands[0].input == 0);
        CHECK(two[0].bundle.strands[1].input == 1);
    }

    TEST_CASE("too many strands or terms are refused") {
        CHECK(expanded("(z[i]^2)^4").front().bundle.strands.size() == 8);
        CHECK(contains(message_of<UnsupportedError>("(z[i]^2)^7"), "a term has 14 strands"));
        CHECK(contains(message_of<UnsupportedError>("z[1]^13"), "a term has 13 strands"));
        CHECK_THROWS_AS((void)expanded("(z[i]^2)^99"), UnsupportedError);
        CHECK_THROWS_AS((void)expanded("(a + b + c + d + f)^30"), UnsupportedError);
    }

    // 10*40*50 = 20000 terms and 3*59*113 = 20001; 100*100 derivatives of z^2 by the product rule are 20000, and 73*137 more.
    TEST_CASE("limits are where messages say they are") {
        auto const times = [](int k) {
            std::string out = "(a";
            while (--k > 0) out += " + a";
            return out + ")";
        };
        CHECK(terms(times(10) + times(40) + times(50)) == Terms{{"1 a^3", 20'000}});
        CHECK(contains(message_of<UnsupportedError>(times(3) + times(59) + times(113)),
                       "more than 20000 terms when multiplied out"));
        CHECK(contains(message_of<ParseError>("D[m] (" + times(100) + times(100) + "z[i]^2)"),
                       "the label 'm' finds no partner"));
        CHECK(contains(message_of<UnsupportedError>("D[m] (" + times(73) + times(137) + "z[i]^2)"),
                       "too many terms when differentiated"));
        CHECK(contains(message_of<UnsupportedError>("z[1]^48"), "a term has 48 strands"));
        CHECK(contains(message_of<UnsupportedError>("z[1]^49"), "a term has more than 48 outputs"));
        CHECK(contains(message_of<UnsupportedError>("y[1]^48"), "a term has 48 targets"));
        CHECK(contains(message_of<UnsupportedError>("y[1]^49"), "a term has more than 48 outputs"));
    }

    TEST_CASE("restrictions are numbered and strands know where they start") {
        auto const out = expanded("h{1}[j;m] z[i;m] z[i;n] h{1}[j;n] where n in 1");
        REQUIRE(out.size() == 1);
        auto const& bundle = out.front().bundle;
        REQUIRE(bundle.strands.size() == 4);
        CHECK(bundle.strands[0].activated);
        CHECK(bundle.strands[0].start == NodePlace{.stage = 0, .node = 1});
        CHECK(bundle.strands[0].letter == bundle.strands[3].letter);
        CHECK(bundle.strands[1].start == NodePlace{.stage = 0, .node = 2});
        REQUIRE(bundle.labels.size() == 2);
        CHECK(bundle.labels[0].restriction == 0);
        CHECK(bundle.labels[0].strands == std::vector<unsigned>{0, 1});
        CHECK(bundle.labels[1].restriction == 1);
        CHECK(bundle.labels[1].strands == std::vector<unsigned>{2, 3});
        // Labels of different places are no like terms.
        CHECK(expanded("z[i;m]^2 - z[i;n]^2 where n in 1").size() == 2);
    }

    TEST_CASE("the two sides of an equality by the scope rule have equal values") {
        auto const net = graphs::vanilla<Rational>({2, 3, 2});
        auto const setting = graphs::at_input({1, 2});
        auto value = [&](char const* text) { return graphs::engine(text, net, setting); };
        CHECK(value("(z[i]^2)^2") == value("z[i]^2 z[j]^2"));
        CHECK(value("(z[i]^2)^2") == value("z[i]^4 + 2*z[1]^2*z[2]^2"));
        CHECK(value("z[i]^4") == value("z[1]^4 + z[2]^4"));
        CHECK(value("(D[m] loss)^2") == value("(z[i;m] z[i] - z[i;m] y[i])^2"));
        CHECK(value("(D[m,n] (z[i]^2))^2") == value("4*(z[i;m,n] z[i] + z[i;m] z[i;n])^2"));
        CHECK(value("loss") == value("1/2*(z[i] - y[i])^2"));
    }
}
