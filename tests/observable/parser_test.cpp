// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <isserlis/error.hpp>
#include <isserlis/observable/observable.hpp>

#include <array>
#include <string>
#include <vector>

#include "../ring/property.hpp"
#include "../ring/random_elements.hpp"

using isserlis::testing::any_int;

namespace {

using namespace isserlis;
using isserlis::testing::holds;
using Kind = Observable::Kind;

struct Refused {
    std::string text;
    std::size_t character;  ///< 1-based
    std::string why;
};

/// A random expression in canonical spelling: what `to_string` prints.
std::string random_expression(int depth);

std::string random_labels() {
    std::string out(1, "mnop"[any_int(0, 3)]);
    for (int more = any_int(0, 2); more > 0; --more) out += std::string(",") + "mnop"[any_int(0, 3)];
    return out;
}

std::string random_atom(int depth) {
    auto const neuron = [] {
        return any_int(0, 2) == 0 ? std::to_string(any_int(1, 12)) : std::string(1, "ijk"[any_int(0, 2)]);
    };
    switch (any_int(0, depth > 0 ? 9 : 7)) {
        case 0: return std::to_string(any_int(0, 20));
        case 1: return "a";
        case 2: return any_int(0, 1) == 0 ? "y" : "y[" + neuron() + "]";
        case 3: return any_int(0, 1) == 0 ? "w[" + neuron() + "]" : "P[" + neuron() + "," + neuron() + "]";
        case 4: return "loss";
        case 5: {
            std::string out = any_int(0, 1) == 0 ? "z" : "h";
            if (any_int(0, 2) == 0) out += "{2.1}";
            switch (any_int(0, 3)) {
                case 0: break;
                case 1: out += "[" + neuron() + "]"; break;
                case 2: out += "[;" + random_labels() + "]"; break;
                default: out += "[" + neuron() + ";" + random_labels() + "]"; break;
            }
            return any_int(0, 4) == 0 ? out + "@b" : out;
        }
        case 6: {
            static constexpr std::array matrices{"J", "J{1}", "Jh@b", "W2", "W{L-1}", "W{2.1}"};
            return std::string(matrices[static_cast<std::size_t>(any_int(0, 5))]) + "[" + neuron() + "," + neuron() +
                   "]";
        }
        case 7: {
            static constexpr std::array words{"tr(J J^T)", "tr((W2 W1)^2 J^T)", "tr(W{L} Jh{2}@a)", "tr(((J)^T)^3)"};
            return words[static_cast<std::size_t>(any_int(0, 3))];
        }
        case 8: return "(" + random_expression(depth - 1) + ")";
        default: return "D[" + random_labels() + "] " + random_atom(depth - 1);
    }
}

std::string random_term(int depth) {
    std::string out;
    for (int factors = any_int(1, 3); factors > 0; --factors) {
        out += (out.empty() ? "" : "*") + random_atom(depth);
        if (any_int(0, 3) == 0) out += "^" + std::to_string(any_int(0, 9));
        if (any_int(0, 6) == 0) out += "/" + std::to_string(any_int(1, 9));
    }
    return out;
}

std::string random_expression(int depth) {
    std::string out = (any_int(0, 4) == 0 ? "-" : "") + random_term(depth);
    for (int more = any_int(0, 2); more > 0; --more) out += (any_int(0, 1) == 0 ? " + " : " - ") + random_term(depth);
    return out;
}

}  // namespace

TEST_SUITE("observable/parser") {
    TEST_CASE("an output has a node, a neuron, labels and an input") {
        auto const z = parse_query("h{2.1}[i;m,n]@b").observable;
        CHECK(z.kind == Kind::output);
        CHECK(z.activated);
        CHECK(z.node == "2.1");
        REQUIRE(z.indices.size() == 1);
        CHECK(z.indices[0].letter == "i");
        CHECK(z.labels == std::vector<std::string>{"m", "n"});
        CHECK(z.input == "b");
        auto const bare = parse_query("z").observable;
        CHECK(!bare.activated);
        CHECK(bare.indices.empty());
        CHECK(bare.labels.empty());
        CHECK(parse_query("z[12]").observable.indices[0].fixed == 12);
        CHECK(parse_query("z[;m]").observable.indices.empty());
        CHECK(parse_query("z[;m]").observable.labels.size() == 1);
        CHECK(parse_query("z{ L - 1 }").observable.node == "L - 1");
    }

    TEST_CASE("powers bind closer than products, products closer than sums, D takes an atom") {
        auto const sum = parse_query("2 z[i]^2 - a*(b + 1)").observable;
        REQUIRE(sum.kind == Kind::sum);
        CHECK(sum.signs == std::vector<int>{1, -1});
        REQUIRE(sum.operands[0].kind == Kind::product);
        CHECK(sum.operands[0].operands[0].number == "2");
        CHECK(sum.operands[0].operands[1].kind == Kind::power);
        CHECK(sum.operands[0].operands[1].exponent == 2);
        CHECK(sum.operands[1].operands[1].kind == Kind::group);
        auto const power = parse_query("D[m] loss^2").observable;
        REQUIRE(power.kind == Kind::power);
        CHECK(power.operands[0].kind == Kind::derivative);
        CHECK(power.operands[0].operands[0].kind == Kind::loss);
        auto const nested = parse_query("D[m,n] D[o] (z)").observable;
        REQUIRE(nested.kind == Kind::derivative);
        CHECK(nested.labels == std::vector<std::string>{"m", "n"});
        CHECK(nested.operands[0].kind == Kind::derivative);
        auto const negative = parse_query("-z").observable;
        REQUIRE(negative.kind == Kind::sum);
        CHECK(negative.signs == std::vector<int>{-1});
        auto const fraction = parse_query("3/2 z").observable;
        REQUIRE(fraction.kind == Kind::product);
        CHECK(fraction.operands[0].number == "3");
        CHECK(fraction.operands[1].number == "1/2");
    }

    TEST_CASE("parameters, constants and targets are told apart by their brackets") {
        auto const q = parse_query("eta w[i] P[i,j] y[j] + beta y b1[2]").observable;
        CHECK(parameters_of(q) == std::vector<std::string>{"beta", "eta"});
        CHECK(constants_of(q) == std::vector<std::string>{"P", "b1", "w"});
        CHECK(inputs_of(parse_query("z@b z[i;m]@a z@b").observable) == std::vector<std::string>{"a", "b"});
    }

    TEST_CASE("a word is a ring of entries") {
        auto const entries = [](char const* text) {
            auto const trace = parse_query(text).observable;
            REQUIRE(trace.kind == Kind::trace);
            return to_string(trace.operands.front());
        };
        CHECK(entries("tr(J J^T)") == "J[t0,t1]*J[t0,t1]");
        CHECK(entries("norm2(J)") == entries("tr(J J^T)"));
        CHECK(entries("tr((J J^T)^2)") == "J[t0,t1]*J[t2,t1]*J[t2,t3]*J[t0,t3]");
        CHECK(entries("tr((W2 W1)^T J@b)") == "W1[t1,t0]*W2[t2,t1]*J@b[t2,t0]");
        CHECK(entries("tr((J^T)^2)") == "J[t1,t0]*J[t0,t1]");
        CHECK(entries("tr(W{L})") == "W{L}[t0,t0]");
        CHECK(inputs_of(parse_query("tr(J@c J@b^T) z@a").observable) == std::vector<std::string>{"a", "b", "c"});
        CHECK(names_matrix("J"));
        CHECK(names_matrix("W12"));
        for (auto const* other : {"W", "J1", "W2a", "w2", "P", ""}) CHECK_FALSE(names_matrix(other));
    }

    TEST_CASE("restrictions name places and ranges of places") {
        auto const q = parse_query("z[;m]^2 z[;n]^2 where m in 2.1, n in 1 .. L - 1");
        REQUIRE(q.restrictions.size() == 2);
        CHECK(q.restrictions[0].label == "m");
        CHECK(q.restrictions[0].first == "2.1");
        CHECK(q.restrictions[0].last == "2.1");
        CHECK(q.restrictions[1].first == "1");
        CHECK(q.restrictions[1].last == "L - 1");
        CHECK(to_string(q) == "z[;m]^2*z[;n]^2 where m in 2.1, n in 1..L - 1");
    }

    TEST_CASE("space does not matter") {
        CHECK(to_string(parse_query(" ( z [ i ; m ] ^ 2 ) ^ 2\n+\ty [ 1 ]  ")) == "(z[i;m]^2)^2 + y[1]");
        CHECK(to_string(parse_query("z[i]z[i]2(a)")) == "z[i]*z[i]*2*(a)");
    }

    TEST_CASE("the square of a query has it in brackets") {
        CHECK(to_string(squared(parse_query("z[i;m]^2 + a where m in 1"))) == "(z[i;m]^2 + a)^2 where m in 1");
    }

    TEST_CASE("numbers as people write them") {
        for (auto const& [text, same] : std::vector<std::pair<char const*, char const*>>{{"0.25*z", "(1/4)*z"},
                                                                                         {"1.50 z^2", "(3/2)*z^2"},
                                                                                         {"1e3*z", "1000*z"},
                                                                                         {"2.5E+2", "250"},
                                                                                         {"1_000*z", "1000*z"},
                                                                                         {"1e-3", "(1/1000)"},
                                                                                         {"0.0*z", "0*z"},
                                                                                         {"0.1^2", "(1/10)^2"},
                                                                                         {"2e*z", "2*e*z"},
                                                                                         {"2e-z", "2*e - z"}})
            CHECK(to_string(parse_query(text)) == same);
    }

    TEST_CASE("every error shows its character") {
        std::vector<Refused> const all = {
            {"", 1, "the expression ends too early"},
            {"z +", 4, "the expression ends too early"},
            {"2*", 3, "the expression ends too early"},
            {"(z", 3, "a closing bracket is missing"},
            {"z)", 2, "an operator, 'where' or the end"},
            {"z ? 2", 3, "an operator, 'where' or the end"},
            {"+z", 1, "a number, z, h, y, loss, D, tr or ( is expected"},
            {"z + * 2", 5, "a number, z, h, y, loss, D, tr or ( is expected"},
            {"1.*z", 3, "a digit is expected after the point"},
            {"1e2000*z", 1, "too many digits"},
            {"007", 1, "no leading zeros"},
            {"z/0", 3, "division by 0"},
            {"z/a", 3, "a whole number is expected"},
            {"z^a", 3, "a whole number is expected"},
            {"z^-1", 3, "a whole number is expected"},
            {"z^100", 3, "the exponent is too large"},
            {"z^2^2", 4, "a power of a power needs brackets"},
            {"z[0]", 3, "neurons are counted from 1"},
            {"z[1234567890123456789]", 3, "too large"},
            {"z[]", 3, "a neuron is expected"},
            {"z[i", 4, "';' or ']' is expected"},
            {"z[i,j]", 4, "';' or ']' is expected"},
            {"z[i;]", 5, "a label is expected"},
            {"z[i;m", 6, "',' or ']' is expected"},
            {"z[i;1]", 5, "a label is expected"},
            {"z[;a,b,c,d,e,f,g,h,k]", 20, "too many labels"},
            {"z{2", 3, "the closing } of the node is missing"},
            {"z{ }", 3, "a node's name is expected"},
            {"z@", 3, "the name of an input is expected"},
            {"z@1", 3, "the name of an input is expected"},
            {"y[i;m]", 4, "y takes no labels"},
            {"y[i", 4, "']' is expected"},
            {"D z", 3, "D needs labels"},
            {"D[] z", 3, "a label is expected"},
            {"D[m z", 5, "',' or ']' is expected"},
            {"D[m]", 5, "the expression ends too early"},
            {"w[i,j,k]", 7, "a vector w[i] or a matrix P[i,j]"},
            {"w[i;m]", 4, "',' or ']' is expected"},
            {"w{2}", 1, "only z, h and J have nodes and inputs"},
            {"a@b", 1, "only z, h and J have nodes and inputs"},
            {"J[i]", 4, "an entry of a matrix has two indices"},
            {"W2[i;m]", 5, "an entry of a matrix has two indices"},
            {"J{2}", 5, "a matrix stands in tr(..) or norm2(..), or has two indices, as in J[i,j]"},
            {"tr(J + J)", 6, "a matrix is expected here: J"},
            {"tr(2 J)", 4, "a matrix is expected here: J"},
            {"tr()", 4, "a matrix is expected here: J"},
            {"tr(z)", 4, "a matrix is expected here: J"},
            {"tr(W J)", 4, "a matrix is expected here: J"},
            {"tr(J^0)", 6, "a power from 1 on"},
            {"tr((J J)^51)", 10, "at most 100 letters"},
            {"tr(J", 5, "a matrix or ) is expected here"},
            {"tr(J{)", 6, "the closing } of the node is missing"},
            {"where", 1, "'where' has no place here"},
            {"2*in", 3, "'in' has no place here"},
            {"z[;m] where", 12, "a label is expected"},
            {"z[;m] where m", 14, "'in' is expected"},
            {"z[;m] where m in", 17, "a layer or an edge is expected"},
            {"z[;m] where m in 2..", 18, "a layer or an edge is expected"},
            {"z[;m] where m in 2,", 20, "a label is expected"},
            {"z[;m] where n in 2", 13, "no derivative carries the label 'n'"},
            {"z[m;m]", 3, "'m' is a neuron here and a label elsewhere"},
            {"z[i;m] + w[m]", 12, "'m' is a neuron here and a label elsewhere"},
            {std::string("z\0z", 3), 2, "an operator, 'where' or the end"},
        };
        for (auto const& [text, character, why] : all) {
            CAPTURE(text);
            try {
                (void)parse_query(text);
                FAIL_CHECK("nothing is thrown");
            } catch (ParseError const& e) {
                std::string const message = e.what();
                CHECK(message.find("character " + std::to_string(character) + ":") != std::string::npos);
                CHECK(message.find(why) != std::string::npos);
                CAPTURE(message);
                CHECK(e.argument() == "query");
                // The caret stands under the character.
                std::size_t const caret = message.rfind('^');
                std::size_t const line = message.rfind('\n');
                CHECK(caret - line - 1 == 2 + character - 1);
            }
        }
    }

    TEST_CASE("what is too long or too deep is refused") {
        CHECK_THROWS_AS((void)parse_query(std::string(10'001, 'z')), UnsupportedError);
        CHECK_THROWS_AS((void)parse_query(std::string(5'000, '(')), ParseError);
        CHECK_THROWS_AS((void)parse_query(std::string(1'001, '7')), ParseError);
        std::string derivatives;
        for (int k = 0; k < 500; ++k) derivatives += "D[m]";
        CHECK_THROWS_AS((void)parse_query(derivatives + "z"), ParseError);
        std::string nested(60, '(');
        CHECK_NOTHROW((void)parse_query(nested + "z" + std::string(60, ')')));
        // Brackets side by side are not nested.
        std::string wide = "(z)";
        for (int k = 0; k < 500; ++k) wide += "+(z)";
        CHECK_NOTHROW((void)parse_query(wide));
    }

    TEST_CASE("an error far into a long query shows the text around it") {
        std::string text = "z";
        for (int k = 0; k < 200; ++k) text += " + z[i]";
        try {
            (void)parse_query(text + " + ?");
            FAIL("nothing is thrown");
        } catch (ParseError const& e) {
            std::string const message = e.what();
            CHECK(message.find("character " + std::to_string(text.size() + 4)) != std::string::npos);
            CHECK(message.find("z[i] + ?") != std::string::npos);
            CHECK(message.size() < 300);
        }
    }

    TEST_CASE("what is printed is read back as the same") {
        holds(
            [] {
                std::string text = random_expression(3);
                bool const has_label = text.find('m') != std::string::npos;
                if (has_label && any_int(0, 1) == 0) text += " where m in 2";
                auto const once = parse_query(text);
                RC_ASSERT(to_string(once) == text);
                RC_ASSERT(to_string(parse_query(to_string(once))) == to_string(once));
                (void)squared(once);
                (void)parse_query(to_string(squared(once)));
            },
            1000);
    }

    TEST_CASE("any text is read or refused with an error of ours") {
        auto const tried = [](std::string const& text) {
            try {
                auto const q = parse_query(text);
                RC_ASSERT(to_string(parse_query(to_string(q))) == to_string(q));
            } catch (ParseError const&) {
            } catch (UnsupportedError const&) {
            }
        };
        holds([&] { tried(*rc::gen::arbitrary<std::string>()); }, 2000);
        // Text of the language's own characters gets further.
        holds(
            [&] {
                static std::string const alphabet = "zhyDwP()[]{};,@^*/+-0123 imn.loss";
                std::string text;
                for (int size = any_int(0, 40); size > 0; --size)
                    text += alphabet[static_cast<std::size_t>(any_int(0, static_cast<int>(alphabet.size()) - 1))];
                tried(text);
            },
            3000);
        // A character changed, dropped or doubled in what is right.
        holds(
            [&] {
                std::string text = random_expression(2) + " where m in 2..3, n in 1";
                auto const at = static_cast<std::size_t>(any_int(0, static_cast<int>(text.size()) - 1));
                switch (any_int(0, 2)) {
                    case 0: text.erase(at, 1); break;
                    case 1: text.insert(at, 1, text[at]); break;
                    default: text[at] = static_cast<char>(any_int(1, 127)); break;
                }
                tried(text);
            },
            3000);
    }
}
