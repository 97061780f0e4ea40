// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <isserlis/error.hpp>
#include <isserlis/observable/latex.hpp>
#include <isserlis/observable/statistic.hpp>

#include <string>
#include <vector>

#include "../ring/property.hpp"
#include "../ring/random_elements.hpp"

using isserlis::testing::any_int;
using namespace isserlis;

TEST_SUITE("observable/statistic") {
    namespace {

    using isserlis::testing::holds;
    using Kind = Statistic::Kind;

    std::string random_observable() {
        static std::vector<std::string> const all = {"z^2",      "z[i]^2", "loss",     "a*y[1]^2", "(D[m,n] loss)^2",
                                                     "z[i;m]^2", "-z + 1", "w[i]*z[i]"};
        return all[static_cast<std::size_t>(any_int(0, static_cast<int>(all.size()) - 1))];
    }

    /// In canonical spelling: what `to_string` prints.
    std::string random_statistic(int depth);

    std::string random_atom(int depth) {
        switch (any_int(0, depth > 0 ? 5 : 4)) {
            case 0: return std::to_string(any_int(1, 20));
            case 1: return "a";
            case 2: return "E[" + random_observable() + "]";
            case 3: return "Var[" + random_observable() + "]";
            case 4: return "Cov[" + random_observable() + ", " + random_observable() + "]";
            default: return "(" + random_statistic(depth - 1) + ")";
        }
    }

    std::string random_statistic(int depth) {
        std::string out = any_int(0, 3) == 0 ? "-" : "";
        for (int terms = any_int(1, 2); terms > 0; --terms) {
            out += random_atom(depth);
            for (int factors = any_int(0, 2); factors > 0; --factors)
                out += (any_int(0, 1) == 0 ? "*" : "/") + random_atom(depth);
            if (any_int(0, 2) == 0) out += "^" + std::to_string(any_int(0, 9));
            if (terms > 1) out += any_int(0, 1) == 0 ? " + " : " - ";
        }
        return out;
    }

    }  // namespace

    TEST_CASE("an EXPR without expectations is the mean of the whole") {
        auto const q = parse_statistic("z[i;m]^2 + a where m in 2");
        CHECK(q.statistic.kind == Kind::whole_query);
        REQUIRE(q.single_mean() != nullptr);
        CHECK(to_string(q) == "z[i;m]^2 + a where m in 2");
        CHECK(to_string(q.restricted(*q.single_mean())) == "z[i;m]^2 + a where m in 2");
    }

    TEST_CASE("an expectation of the whole is a single mean, a function of it is none") {
        CHECK(parse_statistic("E[z^2]").single_mean() != nullptr);
        for (char const* text : {"E[z^2]^2", "2*E[z^2]", "(E[z^2])", "Var[z^2]", "Cov[z, z]", "E[z] + 1"}) {
            CAPTURE(text);
            CHECK(parse_statistic(text).single_mean() == nullptr);
        }
    }

    TEST_CASE("products, quotients and powers bind as they do among numbers") {
        auto const q = parse_statistic("2 Var[z^2]/E[z^2]^2 - 3/2 a");
        REQUIRE(q.statistic.kind == Kind::sum);
        CHECK(q.statistic.signs == std::vector<int>{1, -1});
        auto const& first = q.statistic.operands[0];
        REQUIRE(first.kind == Kind::product);
        CHECK(first.signs == std::vector<int>{1, 1, -1});
        CHECK(first.operands[1].kind == Kind::variance);
        CHECK(first.operands[2].kind == Kind::power);
        CHECK(to_string(q) == "2*Var[z^2]/E[z^2]^2 - 3/2*a");
        CHECK(parameters_of(q.statistic) == std::vector<std::string>{"a"});
    }

    TEST_CASE("each pair of square brackets is a scope of its own") {
        // The letter i of one expectation is a label of the other.
        CHECK_NOTHROW((void)parse_statistic("E[z[i]^2]/E[z[j;i]^2]"));
        CHECK_THROWS_AS((void)parse_statistic("E[z[i]^2 z[j;i]^2]"), ParseError);
    }

    TEST_CASE("a restriction goes where its label is, and has to be somewhere") {
        auto const q = parse_statistic("Cov[z[;m]^2, z[;p]^2]/E[z^2] where m in 1, p in 2..3");
        auto const arguments = arguments_of(q.statistic);
        REQUIRE(arguments.size() == 3);
        CHECK(to_string(q.restricted(*arguments[0])) == "z[;m]^2 where m in 1");
        CHECK(to_string(q.restricted(*arguments[1])) == "z[;p]^2 where p in 2..3");
        CHECK(to_string(q.restricted(*arguments[2])) == "z^2");
        CHECK(to_string(q.restricted(product_of(*arguments[0], *arguments[1]))) ==
              "(z[;m]^2)*(z[;p]^2) where m in 1, p in 2..3");
        CHECK_THROWS_AS((void)parse_statistic("E[z[;m]^2] where n in 1"), ParseError);
    }

    TEST_CASE("every error shows its character") {
        struct Refused {
            std::string text;
            std::size_t character;
            std::string why;
        };
        std::vector<Refused> const all = {
            {"E[z]*z", 6, "'z' stands outside of E[..]"},
            {"loss/E[loss]", 1, "'loss' stands outside"},
            {"D[m] E[z]", 1, "'D' stands outside"},
            {"w[i]*E[z]", 1, "'w' stands outside"},
            {"E[E[z]]", 3, "outside of one another"},
            {"E[z*Var[z]]", 5, "outside of one another"},
            {"Cov[z]", 6, "a second observable"},
            {"Cov[z, h, y]", 9, "']' is expected"},
            {"Var[z, h]", 6, "']' is expected"},
            {"E[z", 4, "']' is expected"},
            {"E[]", 3, "a number, z, h, y, loss, D, tr or ("},
            {"E[z]/0", 6, "division by 0"},
            {"E[z]^a", 6, "a whole number"},
            {"E[z]^-1", 6, "a whole number"},
            {"E[z]^100", 6, "the exponent is too large"},
            {"E[z]^2^2", 7, "a power of a power"},
            {"E[z] + relu(z)", 8, "'relu' is no function"},
            {"E[z] + a(2)", 8, "'a' is no function"},
            {"E(z) + E[z]", 1, "square brackets: E[..]"},
            {"(E[z]", 6, "a closing bracket is missing"},
            {"E[z] + 0.", 10, "a digit is expected"},
            {"E[z]/0.0", 6, "division by 0"},
            {"E[z] +", 7, "the expression ends too early"},
            {"E[z] where", 11, "a label is expected"},
            {"E", 1, "'E' needs square brackets"},
            {"Var z", 1, "'Var' needs square brackets"},
            {"var[z^2]", 1, "write Var[..]"},
            {"COV[z,z]", 1, "write Cov[.., ..]"},
            {"mean[z]", 1, "write E[..]"},
            {"relu(z)^2", 1, "'relu' is no function"},
            {"2*sq (z)", 3, "'sq' is no function"},
            {"z(1)", 1, "'z' is no function: its neurons stand in square brackets, as in z[1]"},
            {"1 + h (z)", 5, "'h' is no function"},
            {"loss(z)", 1, "'loss' is no function"},
            {"y(1)", 1, "'y' is no function"},
            {"Var(z)", 1, "square brackets: Var[..]"},
            {"[z]", 1, "a number, z, h, y, loss, D, tr or ("},
            {"z/(2)", 3, "E[..]/E[..]"},
        };
        for (auto const& [text, character, why] : all) {
            CAPTURE(text);
            try {
                (void)parse_statistic(text);
                FAIL_CHECK("nothing is thrown");
            } catch (ParseError const& e) {
                std::string const message = e.what();
                CAPTURE(message);
                CHECK(message.find("character " + std::to_string(character) + ":") != std::string::npos);
                CHECK(message.find(why) != std::string::npos);
                CHECK(e.argument() == "query");
            }
        }
    }

    TEST_CASE("LaTeX of what is asked") {
        auto const text = [](char const* query) { return latex(parse_statistic(query)); };
        CHECK(
            text("tr((J J{2}^T)^2) W2[i,1]") ==
            R"(\mathbb{E}\left[\operatorname{tr}\left(J {J^{(2)}}^{\mathsf{T}} J {J^{(2)}}^{\mathsf{T}}\right) \left(W_{2}\right)_{i 1}\right])");
        CHECK(text("z[i]^2") == "\\mathbb{E}\\left[z_{i}^{2}\\right]");
        CHECK(text("(D[m,n] loss)^2") ==
              "\\mathbb{E}\\left[\\left(\\partial_{m} \\partial_{n} \\ell\\right)^{2}\\right]");
        CHECK(text("h{2}[1]^2") == "\\mathbb{E}\\left[\\left(h^{(2)}_{1}\\right)^{2}\\right]");
        CHECK(text("Var[z^2]/E[z^2]^2") ==
              "\\frac{\\operatorname{Var}\\left[z^{2}\\right]}{\\mathbb{E}\\left[z^{2}\\right]^{2}}");
        CHECK(text("2*3*Cov[a0*z@b, y[j] - w[i]*2/3]") ==
              "2 \\cdot 3 \\operatorname{Cov}\\left[a_{0} z\\left(b\\right), "
              "y_{j} - w_{i} \\cdot 2 \\cdot \\frac{1}{3}\\right]");
        CHECK(text("z[;m]^2 where m in 1..L - 1") ==
              "\\mathbb{E}\\left[\\left(\\partial_{m} z\\right)^{2}\\right] \\quad (m \\in 1 .. L - 1)");
    }

    TEST_CASE("what is deep or long is refused") {
        CHECK_THROWS_AS((void)parse_statistic(std::string(5'000, '(') + "E[z]"), ParseError);
        CHECK_THROWS_AS((void)parse_statistic("E[z]" + std::string(10'001, ' ')), UnsupportedError);
        CHECK_NOTHROW((void)parse_statistic("((E[z]^10)^10)^10"));
        CHECK_THROWS_AS((void)parse_statistic("((E[z]^10)^10)^11"), UnsupportedError);
    }

    TEST_CASE("what is printed is read back as the same") {
        holds(
            [] {
                std::string text = random_statistic(3);
                if (text.find('[') == std::string::npos) text += " + E[z]";
                bool const has_label = text.find("[i;m]") != std::string::npos;
                if (has_label && any_int(0, 1) == 0) text += " where m in 2 . ..3";
                auto const once = parse_statistic(text);
                RC_ASSERT(to_string(once) == text);
                RC_ASSERT(to_string(parse_statistic(to_string(once))) == to_string(once));
            },
            1000);
    }

    TEST_CASE("any text is read or refused with an error of ours") {
        holds(
            [] {
                static std::string const alphabet = "EVarCov[]zhD()^*/+-0123 im,;a.";
                std::string text;
                for (int size = any_int(0, 40); size > 0; --size)
                    text += alphabet[static_cast<std::size_t>(any_int(0, static_cast<int>(alphabet.size()) - 1))];
                try {
                    auto const q = parse_statistic(text);
                    RC_ASSERT(to_string(parse_statistic(to_string(q))) == to_string(q));
                } catch (ParseError const&) {
                } catch (UnsupportedError const&) {
                }
            },
            3000);
    }

    // Once printed as "1 ...2/1", which is another range.
    TEST_CASE("a place that ends in a dot is read back") {
        auto const q = parse_query("z[;m]^2 where m in 1 . ..2/1");
        CHECK(q.restrictions[0].first == "1 .");
        CHECK(q.restrictions[0].last == "2/1");
        auto const again = parse_query(to_string(q));
        CHECK(again.restrictions[0].first == "1 .");
        CHECK(again.restrictions[0].last == "2/1");
    }
}
