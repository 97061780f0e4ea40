// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <isserlis/report/answer.hpp>
#include <isserlis/report/product_text.hpp>
#include <isserlis/report/range.hpp>
#include <isserlis/report/value.hpp>

using namespace isserlis;

namespace {

/// The range of whole n, m >= 1, L >= 2, l = 2 .. L and real a > 0 without the zeros of the formula's divisors.
Range left(std::string const& formula) {
    Range out{.symbols = {{.symbol = "n"},
                          {.symbol = "m"},
                          {.symbol = "L", .least = "2"},
                          {.symbol = "l", .least = "2", .most = "L"},
                          SymbolRange::positive("a")},
              .nonzero = {}};
    leave_out_zero_divisors(formula, out);
    return out;
}

std::string least_n(std::string const& formula) { return left(formula).find("n")->least; }

}  // namespace

TEST_SUITE("report/range") {
    TEST_CASE("a range in words, in LaTeX and as a sentence") {
        CHECK(to_string(SymbolRange{.symbol = "L", .least = "2"}) == "L >= 2");
        CHECK(to_string(SymbolRange{.symbol = "l", .most = "L - 1"}) == "1 <= l <= L - 1");
        CHECK(to_string(SymbolRange::only("L", "1")) == "L = 1");
        CHECK(to_string(SymbolRange::positive("a")) == "a > 0");
        CHECK(to_string(SymbolRange{.symbol = "n", .without = {"3", "5"}}) == "n >= 1, n != 3, n != 5");
        Range const range{.symbols = {{.symbol = "n"}, SymbolRange::positive("a")}, .nonzero = {"a*n - 2"}};
        CHECK(to_string(range) == "n >= 1, a > 0, a*n - 2 != 0");
        CHECK(stated(range) == "whole n >= 1; real a > 0; a*n - 2 != 0");
        CHECK(latex(Range{.symbols = {{.symbol = "n0", .least = "2"}}, .nonzero = {}}) == "n_{0} \\geq 2");
        CHECK(stated_in_latex(range) == "whole $n \\geq 1$; real $a > 0$; $a n - 2 \\neq 0$");
    }

    TEST_CASE("real symbols with one end, with none, and conditions on several") {
        SymbolRange const any{.symbol = "s", .whole = false, .least = ""};
        SymbolRange const share{.symbol = "a", .whole = false, .least = "0", .most = "1", .open = true};
        CHECK(to_string(any) == "s real");
        CHECK(to_string(share) == "0 < a <= 1");
        Range const range{
            .symbols = {{.symbol = "n"}, any, share}, .positive = {"n*v - 1"}, .not_negative = {"f*n - 1"}};
        CHECK(stated(range) == "whole n >= 1; real 0 < a <= 1; s real; n*v - 1 > 0, f*n - 1 >= 0");
        CHECK(stated_in_latex(range) ==
              "whole $n \\geq 1$; real $0 < a \\leq 1$; $s \\in \\mathbb{R}$; $n v - 1 > 0,\\ f n - 1 \\geq 0$");
        CHECK(beyond(range, {.symbols = range.symbols, .positive = range.positive}).not_negative == range.not_negative);
        CHECK(common_range({&range, &range}) == range);
    }

    TEST_CASE("a divisor that must be positive is not said twice") {
        Range range{.symbols = {SymbolRange::positive("v")}, .positive = {"2 - v"}};
        leave_out_zero_divisors("1/(v - 2)", range);
        CHECK(range.nonzero.empty());
        leave_out_zero_divisors("1/(v - 3)", range);
        CHECK(range.nonzero == std::vector<std::string>{"v - 3"});
    }

    // What is so long is not read where its divisors show by their text that they are positive.
    TEST_CASE("a divisor is found beside a long numerator too") {
        std::string sum = "n^1000";
        for (int k = 999; k > 0; --k) sum += " - 7*n^" + std::to_string(k);
        auto const above = "(" + sum + ")/";
        for (char const* plain : {"n^99", "(2*n*(n + 5)^3)", "(n*sqrt(n + 2))", "4*(n - 1)", "n^2 - 1/(n + m)"})
            CHECK(left(above + plain) == left("1"));
        CHECK(least_n(above + "(n - 1)") == "2");
        CHECK(least_n(above + "(n*(n - 1)^2)") == "2");
        CHECK(least_n(above + "n + (n - 1)^(-2)") == "2");
        CHECK(least_n(above + "(n/(n - 1))") == "1");
        CHECK(least_n(above + "sqrt(n^2 - 1)") == "2");
        CHECK(left("n/(2 - a) + " + sum).nonzero == std::vector<std::string>{"a - 2"});
    }

    TEST_CASE("a symbol is declared once: the later word holds, in the earlier place") {
        Range range;
        range.set({.symbol = "n"});
        range.set({.symbol = "L"});
        range.set({.symbol = "n", .least = "3"});
        CHECK(to_string(range) == "n >= 3, L >= 1");
        CHECK(range.find("m") == nullptr);
    }

    TEST_CASE("what most rows say is common, points are a row's own") {
        Range const usual{.symbols = {{.symbol = "n"}, {.symbol = "L"}}, .nonzero = {}};
        Range const late{.symbols = {{.symbol = "n"}, {.symbol = "L", .least = "2"}}, .nonzero = {}};
        Range const edge{.symbols = {{.symbol = "n"}, SymbolRange::only("L", "1")}, .nonzero = {}};
        Range const common = common_range({&usual, &late, &edge, &usual, &edge, &edge});
        CHECK(common == usual);
        CHECK(beyond(usual, common).empty());
        CHECK(to_string(beyond(late, common)) == "L >= 2");
        CHECK(to_string(beyond(edge, common)) == "L = 1");
    }

    TEST_CASE("divisors that are 0 within the range are left out") {
        CHECK(least_n("1/(n - 1)") == "2");            // at the lower end: a higher one
        CHECK(least_n("1/((n - 1)*(n - 2))") == "3");  // both, one after the other
        CHECK(least_n("1/(n + 1)") == "1");            // never 0
        CHECK(left("1/(n - 3)").find("n")->without == std::vector<std::string>{"3"});
        CHECK(left("1/(2*n - 3)").find("n")->without.empty());  // 3/2 is no width
        CHECK(left("1/(n - m)").nonzero == std::vector<std::string>{"m - n"});
        CHECK(left("1/(a*n - 2)").nonzero == std::vector<std::string>{"a*n - 2"});
        CHECK(left("1/(a - 1)").nonzero == std::vector<std::string>{"a - 1"});
        CHECK(left("(n - m)/(n*m)").nonzero.empty());  // above the bar
        CHECK(left("1/(n + m - 1)").nonzero.empty());  // at least 1
        CHECK(left("1/(n + m - 2)").nonzero.size() == 1);
        CHECK(left("1/(n + a - 1)").nonzero.empty());  // a > 0 keeps it from 0
    }

    TEST_CASE("exponents count with the ends of their ranges") {
        CHECK(least_n("(n - 1)^(L - 2)") == "1");  // L >= 2: at least the power 0
        CHECK(least_n("(n - 1)^(L - 3)") == "2");
        CHECK(least_n("(n - 1)^(L - l)") == "1");  // l <= L
        CHECK(least_n("(n - 1)^(L - l - 1)") == "2");
        CHECK(least_n("1/(n - 1)^(l - 2)") == "2");
        CHECK(least_n("1/(n - 1)^(2 - l)") == "1");
    }

    TEST_CASE("differences of powers whose larger side is known") {
        for (char const* positive :
             {"1/((n + 5)^L - n^L)", "1/(3*(n + 5)^L - n^L)", "1/(n^L - (n + 5)^L)",
              "1/(3*(n + 5)^L*(m + 5)^l - n^L*m^l)", "1/((n + 5)^L + n^L)",
              "1/(25*n*(25*n + 98)^l + 50*(25*n + 98)^l - 25*5^(2*l)*n^(l + 1) - 98*5^(2*l)*n^l)"})
            CHECK_MESSAGE(left(positive).nonzero.empty(), positive);
        CHECK(left("1/((n + 5)^(L - 2) - n^(L - 2))").nonzero.size() == 1);  // 0 at L = 2
        CHECK(left("1/((n + 5)^L - 100*n^L)").nonzero.size() == 1);
        CHECK(left("1/((n + 5)^L - (m + 5)^L)").nonzero.size() == 1);
    }

    TEST_CASE("a result has the symbols of its formula and of its index; a limit not those that are endless") {
        Answer answer("test", {.format = Format::json});
        answer.declare({.symbol = "n"}, SymbolRole::width);
        answer.declare({.symbol = "L"}, SymbolRole::depth);
        auto const formula = [](char const* text) { return Value(parse_rational_function(text, "test")); };
        answer.add("a", {"L"}, formula("a*n"));
        answer.add("b", {"L + 1"}, Value(Surd(2)));
        answer.add("c", {}, Value(Surd(2)));
        answer.add_limit("d", {}, formula("a*L*n"), {"n", "L"});
        CHECK(to_string(answer.results()[0].range) == "n >= 1, L >= 1, a > 0");
        CHECK(to_string(answer.results()[1].range) == "L >= 1");
        CHECK(answer.results()[2].range.empty());
        CHECK(to_string(answer.results()[3].range) == "a > 0");
        CHECK(to_json(answer).find("\"to\": \"infinity\"") != std::string::npos);
    }

    // prod_{l=1}^{L} (1 + 1/l) = L + 1; an empty product is 1.
    TEST_CASE("products in forms have values") {
        std::string const form = "(n)*Product((l + a)/l, (l, 1, L - 1))";
        auto const products = read_products(form);
        REQUIRE(products.has_value());
        CHECK(products->symbols() == std::set<std::string>{"L", "a", "n"});
        CHECK(to_string(*formula_at(form, {{"L", 4}, {"a", 1}})) == "4*n");
        CHECK(to_string(*formula_at(form, {{"L", 1}})) == "n");
        CHECK_FALSE(read_products("n + 1").has_value());
        CHECK_FALSE(formula_at("some words", {}).has_value());
        CHECK(*formula_at("n^L", {{"n", 2}, {"L", 3}}) == RationalFunction(8));
    }

    // Beyond 20,000 characters short divisors are factored all the same; a long one stands as it is.
    TEST_CASE("divisors of long formulas") {
        std::string long_sum = "a";
        for (int k = 1; long_sum.size() < 30'000; ++k)
            long_sum += " + " + std::to_string(k) + "*a^" + std::to_string(k % 7);
        CHECK(least_n("(" + long_sum + ")/((n - 1)*(n + 1))") == "2");
        CHECK(left("(" + long_sum + ")/(n^2 - 9)").find("n")->without == std::vector<std::string>{"3"});
        CHECK(left("1/(" + long_sum + ")").nonzero.empty());
        auto const open = left("1/(" + long_sum + " - m)").nonzero;
        REQUIRE(open.size() == 1);
        CHECK(open.front().find("- m") != std::string::npos);
        Answer answer("norm", {.format = Format::json});
        std::string huge = "1";
        while (huge.size() <= 2'000'000) huge += " + " + std::string(1000, '1') + "*exp(a)";
        answer.add("value", {}, Value::expression("(" + huge + ")/(exp(a) - 2)"));
        REQUIRE(answer.warnings().size() == 1);
        CHECK(answer.warnings().front().find("divisors") != std::string::npos);
    }
}
