// SPDX-License-Identifier: MIT
// `limit` and `series` of every formula. Expected values are worked out by hand from the moments of a He network of
// ReLUs: E |h_l|^2 = 1 and E |h_l|^4 = ((n + 5)/n)^l at hidden layer l, three times that of layer L at a single output.
#include <doctest/doctest.h>

#include <cmath>
#include <isserlis/quantity/ask.hpp>
#include <isserlis/report/quantities.hpp>
#include <isserlis/report/range.hpp>
#include <isserlis/ring/decimal.hpp>
#include <isserlis/ring/parse.hpp>
#include <map>
#include <string>
#include <vector>

#include "exact.hpp"
#include "refusal.hpp"

using isserlis::test::exact;
using namespace isserlis;

TEST_SUITE("quantity/expansion") {
    using quantity::ask;
    using quantity::Question;

    namespace {

    using Parameters = decltype(Question::parameters);

    double number(Question const& question, std::string const& name, std::vector<std::string> const& index = {}) {
        return std::stod(ask(question).at(name, index).decimal.value());
    }

    /// With n = 100000 and b = 1/100.
    std::string with_numbers(std::string const& formula) {
        std::string out;
        for (char const c : formula) out += c == 'n' ? "100000" : c == 'b' ? "(1/100)" : std::string(1, c);
        return out;
    }

    Question norm(Parameters const& parameters) { return {"norm", {"n,n:L,1"}, parameters}; }

    }  // namespace

    TEST_CASE("as the width goes to infinity") {
        CHECK(exact(norm({{"limit", {"wide"}}}), "relative_variance_limit", {"L + 1"}) == "2");
        CHECK(exact(norm({{"limit", {"n"}}}), "relative_variance_limit", {"l"}) == "0");
        CHECK(exact(norm({{"limit", {"wide"}}}), "relative_variance_leading", {"l"}) == "5*l/n");
        // A constant is its own limit.
        CHECK(exact(norm({{"limit", {"wide"}}}), "squared_norm_mean_limit", {"l"}) == "1");
    }

    TEST_CASE("as the depth does, alone or with the width") {
        Answer const deep = ask(norm({{"limit", {"deep"}}, {"layer", {"L+1"}}}));
        CHECK(!deep.at("relative_variance_limit", {"L + 1"}).exact);
        CHECK(deep.at("relative_variance_leading", {"L + 1"}).exact);
        for (char const* kind : {"double-scaling", "L/n"}) {
            Question const both = norm({{"limit", {kind}}});
            CHECK(exact(both, "relative_variance_limit", {"L + 1"}) == "3*exp(5*b) - 1");
            CHECK(exact(both, "relative_variance_limit", {"l"}) == "exp(5*b*t) - 1");
        }
    }

    TEST_CASE("b is a name like another where the width does not go to infinity") {
        // The mean of |h_l|^2 is |x|^2 in every layer of equal width.
        CHECK(exact({"norm", {"b,b:L"}, {{"limit", {"deep"}}}}, "squared_norm_mean_limit", {"l"}) == "1");
        CHECK(exact({"moments", {"a,b:L"}, {{"limit", {"deep"}}}}, "second_moment_limit", {"1"}) == "1");
    }

    TEST_CASE("limits are those of numbers") {
        // The error is of order 1/L: b = 1/100 at n = 10^5, L = 1000.
        struct Case {
            std::string command, name, power;  ///< of n in the leading order
        };
        for (Case const& c : {Case{"norm", "squared_norm_kurtosis", "0"}, Case{"ntk", "ntk_variance", "2"},
                              Case{"hessian", "gauss_newton", "2"}}) {
            CAPTURE(c.command);
            std::vector<std::string> const at =
                c.command == "norm" ? std::vector<std::string>{"L + 1"} : std::vector<std::string>{};
            std::string const row = c.name + (c.power == "0" ? "_limit" : "_leading");
            std::string const formula = exact({c.command, {"n,n:L,1"}, {{"limit", {"L/n"}}}}, row, at);
            Expression const limit = Expression::parse(with_numbers(formula), "test");
            std::vector<std::string> const index = at.empty() ? at : std::vector<std::string>{"1001"};
            Parameters finite_sizes{{"set", {"n=100000,L=1000"}}};
            if (!index.empty()) finite_sizes["layer"] = index;
            double const finite = number({c.command, {"n,n:L,1"}, finite_sizes}, c.name, index);
            CHECK(std::stod(decimal([&](unsigned bits) { return enclose(limit, bits); }, 10)) ==
                  doctest::Approx(finite).epsilon(5e-3));
        }
    }

    TEST_CASE("a quotient of sums of powers has its expansions too") {
        // The square of a Gaussian has kurtosis 15, and a wide layer's norm is Gaussian.
        Question const wide = norm({{"limit", {"wide"}}});
        CHECK(exact(wide, "squared_norm_kurtosis_limit", {"L + 1"}) == "15");
        CHECK(exact(wide, "squared_norm_kurtosis_limit", {"l"}) == "3");
        // E q^p of q = |h_L|^2 are m_2 = 1 + 5 L/n, m_3 = 1 + 15 L/n, m_4 = 1 + 30 L/n to this order, those of z^2 are
        // 3 m_2, 15 m_3, 105 m_4. Above: 105 m_4 - 60 m_3 + 18 m_2 - 3 = 60 + 2340 L/n; below: (3 m_2 - 1)^2 = 4 +
        // 60 L/n; 60/4 = 15, and (2340 - 15 60)/4 = 360.
        CHECK(exact(norm({{"series", {"1/n"}}}), "squared_norm_kurtosis_series_coefficient", {"L + 1", "1"}) ==
              "360*L");
    }

    TEST_CASE("powers of 1/n") {
        // ((n + 5)/n)^L = 1 + 5 L/n + 25 L (L - 1)/2/n^2 + ..
        Question const series = norm({{"series", {"1/n"}}, {"layer", {"L+1"}}});
        CHECK(exact(series, "relative_variance_series_coefficient", {"L + 1", "0"}) == "2");
        CHECK(exact(series, "relative_variance_series_coefficient", {"L + 1", "1"}) == "15*L");
        CHECK(exact(series, "relative_variance_series_coefficient", {"L + 1", "2"}) == "75*L*(L - 1)/2");
        Answer const shorter = ask(norm({{"series", {"1/n"}}, {"series_order", {"0"}}, {"layer", {"L+1"}}}));
        CHECK(shorter.at("relative_variance_series_coefficient", {"L + 1", "0"}).exact);
        CHECK_THROWS_AS((void)shorter.at("relative_variance_series_coefficient", {"L + 1", "1"}), DomainError);
    }

    TEST_CASE("a row without a formula says why") {
        Answer const answer = ask(norm({{"limit", {"wide"}}}));
        Result const& log = answer.at("log_squared_norm_mean_limit", {"L + 1"});
        CHECK(!log.exact);
        CHECK(log.form.find("transcendental") != std::string::npos);
    }

    // n0,n:1 is one linear layer: E |z|^2 = n 2/n0; a hidden layer of ReLUs has half of that.
    TEST_CASE("a limit holds where its formula does") {
        Answer const answer = ask({"norm", {"n0,n:L"}, {{"limit", {"wide"}}, {"layer", {"1"}}}});
        std::map<std::string, std::string> found;  // by the range of L
        for (auto const& r : answer.results()) {
            if (r.name == "squared_norm_mean_leading") found[to_string(*r.range.find("L"))] = r.exact.value_or("");
        }
        CHECK(found == std::map<std::string, std::string>{{"L = 1", "2*n/n0"}, {"L >= 2", "n/n0"}});
    }

    // |z|^2 of one linear layer is linear in |x|^2 alone: its Jacobian x does not vary, of more layers that of order L - 1.
    TEST_CASE("a leading order is left out where its coefficient is 0") {
        Answer const answer = ask({"jacobian", {"n0,n:L"}, {{"limit", {"wide"}}, {"layer", {"1"}}}});
        auto const& leading = answer.at("relative_variance_leading", {"1"});
        CHECK(leading.exact == "(L - 1)/n");
        REQUIRE(leading.range.find("L") != nullptr);
        CHECK(to_string(*leading.range.find("L")) == "L >= 2");
    }

    // One layer of variance 1 at one output: E z^2 = |x|^2 = 1, whatever the width of the input.
    TEST_CASE("what does not depend on a width is its own limit") {
        CHECK(exact({"norm", {"n,1"}, {{"limit", {"wide"}}, {"variance", {"1"}}}}, "squared_norm_mean_limit", {"1"}) ==
              "1");
    }

    // E z^4 = 12 ((n + 5)/n)^n/n^2 of n layers of width n, and n log(1 + 5/n) = 5 - 25/(2 n) + ..
    TEST_CASE("a width that counts the layers too stands in exponents") {
        Question const z4{"expect", {"z^4", "n,n:n,1"}, {}};
        CHECK(exact(z4, "leading_term") == "12/n^2*exp(5)");
        Question const series{"norm", {"n,n:n,1"}, {{"series", {"1/n"}}, {"layer", {"n+1"}}}};
        CHECK(exact(series, "squared_norm_moment_series_coefficient", {"n + 1", "2", "2"}) == "12*exp(5)");
        CHECK(exact(series, "squared_norm_moment_series_coefficient", {"n + 1", "2", "3"}) == "-150*exp(5)");
        // The number of 300 layers of 300, by the recursion: 12 exp(5) (1 - 25/(2 n) + 2875/(24 n^2)) to 1/n^3.
        double const at300 = number({"expect", {"z^4", "300,300:300,1"}, {}}, "value") * 300 * 300;
        double const expansion = 12 * std::exp(5.) * (1 - 12.5 / 300 + 2875. / 24 / 300 / 300);
        CHECK(at300 == doctest::Approx(expansion).epsilon(5e-5));
    }

    // The powers of the change, (n + 5)^(n - 1) 7 n^3 and (n - 1)^(n + 1) 5 n, both over 108 n^(n + 1), lead.
    TEST_CASE("rows of one limit agree where width and depth are one symbol") {
        Answer const answer = ask({"mup", {"n,n:n,1"}, {}});
        for (char const* name : {"mup_leading_term", "mup_wide_leading"})
            CHECK(answer.at(name).exact == "7*n/108*exp(5) + 5*n/108*exp(-1)");
        CHECK_THROWS_AS((void)answer.at("mup_double_limit"), DomainError);
    }

    // (L + 1)^L/L^L is exp(1) (1 - 1/(2 L) + 11/(24 L^2)), and 2^L no power of L.
    TEST_CASE("a depth in exponents") {
        Answer const rules =
            ask({"depth-rules", {"3,4,1"}, {{"depths", {"L"}}, {"network", {"resnet:1"}}, {"series", {"1/L"}}}});
        auto const at = [&](char const* order) {
            return rules.at("depth_square_series_coefficient", {"L", "1/sqrt(L)", order}).exact.value_or("");
        };
        CHECK(at("0") == "1/3*exp(1)");
        CHECK(at("1") == "-1/6*exp(1)");
        CHECK(at("2") == "11/72*exp(1)");
        auto const& doubled = rules.at("depth_square_series_coefficient", {"L", "none"});
        CHECK(!doubled.exact);
        CHECK(doubled.form.find("`limit` L") != std::string::npos);
    }

    // All units of both layers dead: about 2/2^n.
    TEST_CASE("what falls exponentially has the limit 0") {
        CHECK(exact({"hessian", {"3,n,n,1"}, {{"limit", {"wide"}}}}, "dead_probability_limit") == "0");
        // At a depth in symbols 1 - (1 - 2^(-n))^L, about L/2^n.
        for (char const* limit : {"wide", "double-scaling"}) {
            auto const deep = ask({"hessian", {"n,n:L,1"}, {{"limit", {limit}}}});
            CHECK(deep.at("dead_probability_limit").exact == "0");
            CHECK(parse_rational_function(deep.at("dead_probability_leading").exact.value(), "leading") ==
                  parse_rational_function(std::string(limit) == "wide" ? "L/2^n" : "b*n/2^n", "leading"));
        }
    }

    TEST_CASE("what an expansion cannot mean is refused by name") {
        test::refuses({"norm", {"2,3,1"}, {{"limit", {"wide"}}}}, "there is no symbol for it here");
        test::refuses({"norm", {"2,n,m,1"}, {{"limit", {"wide"}}}}, "here are n, m; say which one, as in `limit` n");
        test::refuses(norm({{"limit", {"m"}}}), "m is no width here; widths are n");
        test::refuses(norm({{"limit", {"L/m"}}}), "m is no width here");
        test::refuses(norm({{"series", {"1/m"}}}), "nothing here depends on m");
        test::refuses(norm({{"series", {"n"}}}), "'n' is not 1/SYMBOL");
        test::refuses(norm({{"series", {"1/n"}}, {"limit", {"wide"}}}), "two expansions");
        test::refuses(norm({{"limit", {"wide"}}, {"check", {"10"}}}), "an expansion has symbols");
        test::refuses({"norm", {"n,n:L,1"}, {{"limit", {"L/n"}}, {"input_squared_norm", {"b"}}}},
                      "give the symbol b another");
    }

    TEST_CASE("an expansion is explained by what is expanded") {
        CHECK(find_quantity("norm", "relative_variance_limit") == find_quantity("norm", "relative_variance"));
        CHECK(find_quantity("ntk", "ntk_variance_series_coefficient") == find_quantity("ntk", "ntk_variance"));
        CHECK(find_quantity("norm", "nothing_limit") == nullptr);
    }
}
